#include "io/plot_frame.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/colormap.h"

const struct colour frame_paper = {255, 255, 255}, frame_ink = {26, 26, 26};
const struct colour frame_faint = {96, 96, 96}, frame_grid = {225, 225, 225};

enum { LABEL_BYTES = 96, FITTED_BYTES = 512 };

/* Height of a line of text of this size with the space around it. */
static int line_height(int size)
{
    return size + size / 2;
}

double frame_label_width(const struct axis *axis)
{
    double width = 0;
    for (int k = 0; k < axis->count; k++) {
        char text[LABEL_BYTES];
        axis_tick_text(axis, k, text, sizeof text);
        width = fmax(width, font_width(text, FRAME_TEXT));
    }
    return width;
}

static bool has_text(const char *text)
{
    return text != NULL && text[0] != '\0';
}

/* A figure behind a letter is a power, "m2", "m-2". */
void frame_unit(char *shown, size_t bytes, const char *unit)
{
    static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    size_t used = 0;
    bool is_power = false;
    for (const char *c = unit; has_text(unit) && *c != '\0' && used + 4 < bytes; c++) {
        const bool is_digit = *c >= '0' && *c <= '9';
        const bool is_behind = c > unit && (isalpha((unsigned char)c[-1]) != 0 || is_power);
        const bool is_minus = *c == '-' && is_behind && c[1] >= '0' && c[1] <= '9';
        is_power = is_behind && (is_digit || is_minus);
        const char one[2] = {*c, '\0'};
        const char *put = !is_power ? one : is_minus ? "⁻" : raised[*c - '0'];
        memcpy(shown + used, put, strlen(put));
        used += strlen(put);
    }
    shown[used] = '\0';
}

void frame_quantity(char *label, size_t bytes, const char *quantity, const char *unit)
{
    char shown[64];
    frame_unit(shown, sizeof shown, unit);
    (void)snprintf(label, bytes, has_text(unit) ? "%s (%s)" : "%s%s", quantity, shown);
    label[0] = (char)toupper((unsigned char)label[0]); /* ASCII only, in the C locale */
}

void frame_fit_text(const char *text, double size, double width, char *to, size_t bytes)
{
    (void)snprintf(to, bytes, "%s", text);
    size_t length = strlen(to);
    while (length > 0 && font_width(to, size) > width) {
        /* Back over one whole character of UTF-8. */
        do
            length--;
        while (length > 0 && ((unsigned char)text[length] & 0xc0U) == 0x80);
        (void)snprintf(to + length, bytes - length, "…");
    }
}

void frame_fit_label(const char *label, double width, char *to, size_t bytes)
{
    const char *unit = NULL;
    for (const char *c = label; (c = strstr(c, " (")) != NULL; c++)
        unit = c;
    char name[FITTED_BYTES];
    (void)snprintf(name, sizeof name, "%.*s",
                   (int)(unit != NULL ? (size_t)(unit - label) : strlen(label)), label);
    const double rest = unit != NULL ? font_width(unit, FRAME_TEXT) : 0;
    frame_fit_text(name, FRAME_TEXT, width - rest, to, bytes);
    const size_t used = strlen(to);
    (void)snprintf(to + used, bytes - used, "%s", unit != NULL ? unit : "");
}

static bool has_note(const struct axis *axis)
{
    return axis->exponent != 0 || axis->offset != 0;
}

int frame_left(const struct frame *frame)
{
    return FRAME_MARGIN + FRAME_TEXT + 2 * FRAME_GAP + (int)ceil(frame_label_width(&frame->y)) +
           FRAME_GAP + FRAME_TICK;
}

int frame_below(const struct frame *frame)
{
    (void)frame;
    return FRAME_TICK + FRAME_GAP + FRAME_TEXT + FRAME_GAP + line_height(FRAME_TEXT) +
           FRAME_MARGIN / 2;
}

int frame_above(const struct frame *frame, const char *title, const char *subtitle)
{
    int rows = FRAME_MARGIN + FRAME_GAP / 2;
    if (has_text(title))
        rows += line_height(FRAME_TITLE);
    if (has_text(subtitle))
        rows += line_height(FRAME_TEXT);
    if (has_note(&frame->y))
        rows += line_height(FRAME_SMALL);
    return rows;
}

int frame_title_width(const char *title, const char *subtitle)
{
    const double first = has_text(title) ? font_width(title, FRAME_TITLE) : 0;
    const double second = has_text(subtitle) ? font_width(subtitle, FRAME_TEXT) : 0;
    return (int)ceil(fmin(fmax(first, second), FRAME_MAX_TITLE)) + 1;
}

static void draw_x_axis(struct canvas *canvas, const struct frame *frame)
{
    const struct axis *axis = &frame->x;
    const struct pixel_box area = frame->area;
    struct text_style style = {
        .size = FRAME_TEXT, .side = TEXT_CENTRE, .level = TEXT_TOP, .colour = frame_ink};
    for (int k = 0; k < axis->count; k++) {
        const double x = axis_place(axis, axis->ticks[k], area.x0, area.x1);
        const int column = (int)fmin(floor(x), area.x1);
        char text[LABEL_BYTES];
        canvas_fill(canvas,
                    (struct pixel_box){column, area.y1 + 1, column + 1, area.y1 + 1 + FRAME_TICK},
                    frame_ink);
        axis_tick_text(axis, k, text, sizeof text);
        font_draw(canvas, &style, column + 0.5, area.y1 + 1 + FRAME_TICK + FRAME_GAP, text);
    }
    const double row = area.y1 + 1 + FRAME_TICK + 2 * FRAME_GAP + FRAME_TEXT;
    font_draw(canvas, &style, (area.x0 + area.x1) / 2.0, row, axis->label);
    if (has_note(axis)) {
        char note[LABEL_BYTES];
        axis_note(axis, note, sizeof note);
        style.size = FRAME_SMALL;
        style.side = TEXT_END;
        font_draw(canvas, &style, area.x1, row, note);
    }
}

static void draw_y_axis(struct canvas *canvas, const struct frame *frame)
{
    const struct axis *axis = &frame->y;
    const struct pixel_box area = frame->area;
    struct text_style style = {
        .size = FRAME_TEXT, .side = TEXT_END, .level = TEXT_MIDDLE, .colour = frame_ink};
    for (int k = 0; k < axis->count; k++) {
        const double y = axis_place(axis, axis->ticks[k], area.y1, area.y0);
        const int row = (int)fmin(floor(y), area.y1);
        char text[LABEL_BYTES];
        canvas_fill(canvas, (struct pixel_box){area.x0 - 1 - FRAME_TICK, row, area.x0 - 1, row + 1},
                    frame_ink);
        axis_tick_text(axis, k, text, sizeof text);
        font_draw(canvas, &style, area.x0 - 1 - FRAME_TICK - FRAME_GAP, row + 0.5, text);
    }
    if (has_note(axis)) {
        char note[LABEL_BYTES];
        axis_note(axis, note, sizeof note);
        struct text_style small = style;
        small.size = FRAME_SMALL;
        small.side = TEXT_START;
        small.level = TEXT_BASELINE;
        font_draw(canvas, &small, area.x0, area.y0 - FRAME_GAP, note);
    }
    style.side = TEXT_CENTRE;
    style.angle = 90;
    char label[FITTED_BYTES];
    frame_fit_label(axis->label, area.y1 - area.y0 + 4 * FRAME_MARGIN, label, sizeof label);
    font_draw(canvas, &style, FRAME_MARGIN + FRAME_TEXT / 2.0, (area.y0 + area.y1) / 2.0, label);
}

void frame_draw(struct canvas *canvas, const struct frame *frame)
{
    draw_x_axis(canvas, frame);
    draw_y_axis(canvas, frame);
    canvas_frame(canvas, frame->area, 1, frame_ink);
}

void frame_draw_title(struct canvas *canvas, double x0, double right, const char *title,
                      const char *subtitle)
{
    struct text_style style = {.size = FRAME_TITLE, .level = TEXT_TOP, .colour = frame_ink};
    double y = FRAME_MARGIN;
    char text[FITTED_BYTES];
    if (has_text(title)) {
        frame_fit_text(title, style.size, right - x0, text, sizeof text);
        font_draw(canvas, &style, x0, y, text);
        y += line_height(FRAME_TITLE);
    }
    if (has_text(subtitle)) {
        style.size = FRAME_TEXT;
        style.colour = frame_faint;
        frame_fit_text(subtitle, style.size, right - x0, text, sizeof text);
        font_draw(canvas, &style, x0, y, text);
    }
}
