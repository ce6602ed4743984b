/* The picture of text, read back as a terminal would show it. */
#include <math.h>

#include "io/watch.h"
#include "tests/check.h"

enum { MAX_COLUMNS = 200, MAX_ROWS = 100, TEXT_BYTES = 1 << 20 };

/* What a terminal shows: colours of the upper and lower half of each character, 0xRRGGBB or the
 * number of the colour, -1: none. */
struct screen {
    int columns[MAX_ROWS], rows;
    int upper[MAX_ROWS][MAX_COLUMNS], lower[MAX_ROWS][MAX_COLUMNS];
};

static char text[TEXT_BYTES];

/* Understands what the picture is made of; anything else is a failed claim. */
static void read_text(struct screen *screen)
{
    int fore = -1, back = -1;
    memset(screen, 0, sizeof *screen);
    for (const char *c = text; *c != '\0';) {
        int layer = 0, r = 0, g = 0, b = 0, length = 0;
        const int row = screen->rows;
        if (sscanf(c, "\x1b[%d;2;%d;%d;%dm%n", &layer, &r, &g, &b, &length) == 4 && length > 0) {
            *(layer == 38 ? &fore : &back) = r << 16 | g << 8 | b;
        } else if (sscanf(c, "\x1b[%d;5;%dm%n", &layer, &r, &length) == 2 && length > 0) {
            *(layer == 38 ? &fore : &back) = r;
        } else if (strncmp(c, "\x1b[0m", 4) == 0) {
            length = 4;
            fore = back = -1;
        } else if (*c == '\n') {
            length = 1;
            CHECK(fore == -1 && back == -1); /* no colour leaks into the next line */
            screen->rows++;
        } else {
            length = strncmp(c, "▀", 3) == 0 ? 3 : 1;
            CHECK(*c != '\x1b' && row < MAX_ROWS && screen->columns[row] < MAX_COLUMNS);
            screen->upper[row][screen->columns[row]] = fore;
            screen->lower[row][screen->columns[row]++] = back;
        }
        c += length;
    }
    CHECK(fore == -1 && back == -1);
}

static struct watch_view view(const struct colormap *map, int64_t nx, int64_t ny,
                              const double *values)
{
    return (struct watch_view){.nx = nx,
                               .ny = ny,
                               .size = {(double)nx, (double)ny},
                               .values = values,
                               .unit = "K",
                               .map = map,
                               .columns = 80,
                               .rows = 24};
}

static int packed(struct colour colour)
{
    return colour.r << 16 | colour.g << 8 | colour.b;
}

/* 8 x 8 cells on 8 columns and 4 lines: a pixel for each, the last row of the array on top. */
static void picture_is_upright(void)
{
    enum { N = 8 };
    double values[N * N];
    struct colormap map;
    struct screen screen;
    int lines = 0;
    for (int k = 0; k < N * N; k++)
        values[k] = k;
    if (!CHECK_OK(colormap_init(&map, NULL)))
        return;
    struct watch_view small = view(&map, N, N, values);
    small.columns = N;
    small.rows = N / 2 + 1;
    if (!CHECK_OK(watch_render(&small, text, sizeof text, &lines)))
        return;
    read_text(&screen);
    CHECK_EQUAL_INT(lines, N / 2 + 1);
    CHECK_EQUAL_INT(screen.rows, N / 2 + 1);
    CHECK_EQUAL_INT(screen.columns[0], N);
    for (int row = 0; row < N / 2; row++) {
        for (int i = 0; i < N; i++) {
            const double upper = values[(N - 1 - 2 * row) * N + i];
            const double lower = values[(N - 2 - 2 * row) * N + i];
            CHECK_EQUAL_INT(screen.upper[row][i],
                            packed(colormap_colour(&map, upper, 0, N * N - 1)));
            CHECK_EQUAL_INT(screen.lower[row][i],
                            packed(colormap_colour(&map, lower, 0, N * N - 1)));
        }
    }
}

/* Whatever the shapes of plate and terminal: it fits, and pixels are square. */
static void picture_fits_and_keeps_its_shape(void)
{
    static const int64_t shapes[][2] = {{200, 100}, {100, 200}, {37, 37}, {300, 20}};
    static const int terminals[][2] = {{80, 24}, {200, 60}, {20, 40}, {8, 2}};
    static double values[200 * 200];
    struct colormap map;
    struct screen screen;
    if (!CHECK_OK(colormap_init(&map, "ocean")))
        return;
    for (int s = 0; s < 4; s++) {
        for (int t = 0; t < 4; t++) {
            int lines = 0;
            struct watch_view shown = view(&map, shapes[s][0], shapes[s][1], values);
            shown.columns = terminals[t][0];
            shown.rows = terminals[t][1];
            if (!CHECK_OK(watch_render(&shown, text, sizeof text, &lines)))
                return;
            read_text(&screen);
            CHECK_EQUAL_INT(screen.rows, lines);
            CHECK(lines <= shown.rows && screen.columns[0] <= shown.columns);
            CHECK(strlen(text) < watch_bytes(&shown));
            const double width = screen.columns[0], height = 2.0 * (lines - 1);
            const double wanted = shown.size[0] / shown.size[1];
            /* Half a column and a whole character row may be missing or too much. */
            CHECK(wanted >= (width - 0.5) / (height + 1.01) &&
                  (height < 3 || wanted <= (width + 0.5) / (height - 1.01)));
        }
    }
}

static void colours_change_only_when_needed(void)
{
    static double values[100];
    struct colormap map;
    int lines = 0, colours = 0;
    if (!CHECK_OK(colormap_init(&map, NULL)))
        return;
    const struct watch_view flat = view(&map, 10, 10, values);
    if (!CHECK_OK(watch_render(&flat, text, sizeof text, &lines)))
        return;
    for (const char *c = strstr(text, "\x1b[38"); c != NULL; c = strstr(c + 1, "\x1b[38"))
        colours++;
    CHECK(colours <= lines + 32);
}

/* xterm's colours: 16 + 36 r + 6 g + b with levels 0, 95, 135, 175, 215, 255, and 232 + k for the
 * grey 8 + 10 k. A colour that is one of them is shown by it alone. */
static void colours_of_256_are_themselves(void)
{
    static const struct {
        struct colour colour;
        int number;
    } cases[] = {{{0, 0, 0}, 16},      {{255, 255, 255}, 231}, {{255, 0, 0}, 196},
                 {{0, 95, 135}, 24},   {{8, 8, 8}, 232},       {{128, 128, 128}, 244},
                 {{255, 0, 135}, 198}, {{238, 238, 238}, 255}};
    const double values[4] = {0, 0, 0, 0};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct colormap map;
        struct screen screen;
        int lines = 0;
        if (!CHECK_OK(colormap_init(&map, NULL)))
            return;
        for (int c = 0; c < COLORMAP_COLOURS; c++)
            map.colours[c] = cases[k].colour;
        struct watch_view plain = view(&map, 2, 2, values);
        plain.colours = WATCH_256;
        if (!CHECK_OK(watch_render(&plain, text, sizeof text, &lines)))
            return;
        read_text(&screen);
        for (int i = 0; i < 4; i++) {
            CHECK_EQUAL_INT(screen.upper[i / 2][i % 2], cases[k].number);
            CHECK_EQUAL_INT(screen.lower[i / 2][i % 2], cases[k].number);
        }
    }
}

static void add_xterm(int number, double sum[3])
{
    static const unsigned char levels[6] = {0, 95, 135, 175, 215, 255};
    const int cube = number - 16, grey = 8 + 10 * (number - 232);
    const struct colour of_cube = {levels[cube / 36 % 6], levels[cube / 6 % 6], levels[cube % 6]};
    const struct colour of_greys = {(unsigned char)grey, (unsigned char)grey, (unsigned char)grey};
    double lab[3];
    colour_oklab(number < 232 ? of_cube : of_greys, lab);
    for (int k = 0; k < 3; k++)
        sum[k] += lab[k] / 16;
}

/* How far 4 x 4 pixels of one value are from the colour of the map in the mean, in OKLab. */
static double miss_of(const struct colormap *map, int entry)
{
    const double values[1] = {entry};
    double wanted[3], mean[3] = {0};
    struct screen screen;
    int lines = 0;
    struct watch_view flat = view(map, 1, 1, values);
    flat.colours = WATCH_256;
    flat.has_range = true;
    flat.range[0] = 0;
    flat.range[1] = COLORMAP_COLOURS - 1;
    if (!CHECK_OK(watch_render(&flat, text, sizeof text, &lines)))
        return INFINITY;
    read_text(&screen);
    for (int i = 0; i < 8; i++) {
        add_xterm(screen.upper[i / 4][i % 4], mean);
        add_xterm(screen.lower[i / 4][i % 4], mean);
    }
    colour_oklab(colormap_colour(map, entry, flat.range[0], flat.range[1]), wanted);
    return sqrt((mean[0] - wanted[0]) * (mean[0] - wanted[0]) +
                (mean[1] - wanted[1]) * (mean[1] - wanted[1]) +
                (mean[2] - wanted[2]) * (mean[2] - wanted[2]));
}

/* A single colour of the 256 misses those of the maps by 0.04 to 0.05 in the mean, by 0.11 at
 * worst. */
static void others_of_256_are_right_in_the_mean(void)
{
    for (int m = 0; colormap_name(m) != NULL; m++) {
        struct colormap map;
        double sum = 0, worst = 0;
        if (!CHECK_OK(colormap_init(&map, colormap_name(m))))
            return;
        for (int entry = 0; entry < COLORMAP_COLOURS; entry += 5) {
            const double miss = miss_of(&map, entry);
            sum += miss / 52;
            worst = fmax(worst, miss);
        }
        CHECK(sum < 0.02);
        CHECK(worst < 0.06);
    }
}

static void scale_tells_the_range(void)
{
    const double values[4] = {293.15, NAN, 300, 373.15};
    struct colormap map;
    int lines = 0;
    if (!CHECK_OK(colormap_init(&map, NULL)))
        return;
    struct watch_view shown = view(&map, 2, 2, values);
    if (!CHECK_OK(watch_render(&shown, text, sizeof text, &lines)))
        return;
    CHECK_CONTAINS(text, "293.15 ");
    CHECK_CONTAINS(text, " 373.15 K");
    shown.has_range = true;
    shown.range[0] = -40;
    shown.range[1] = 400;
    if (!CHECK_OK(watch_render(&shown, text, sizeof text, &lines)))
        return;
    CHECK_CONTAINS(text, "−40 ");
    CHECK_CONTAINS(text, " 400 K");
}

static void tiny_terminals_are_refused(void)
{
    const double values[1] = {0};
    struct colormap map;
    int lines = 0;
    if (!CHECK_OK(colormap_init(&map, NULL)))
        return;
    struct watch_view tiny = view(&map, 1, 1, values);
    tiny.rows = 1;
    CHECK_FAILS(watch_render(&tiny, text, sizeof text, &lines), STATUS_INPUT);
    CHECK_CONTAINS(error_message(), "80 x 1");
    error_clear();
}

static void terminals_are_known_by_their_environment(void)
{
    CHECK_EQUAL_INT(watch_colours_of("truecolor", "xterm-256color"), WATCH_24_BIT);
    CHECK_EQUAL_INT(watch_colours_of("24bit", NULL), WATCH_24_BIT);
    CHECK_EQUAL_INT(watch_colours_of(NULL, "xterm-direct"), WATCH_24_BIT);
    CHECK_EQUAL_INT(watch_colours_of(NULL, "xterm-256color"), WATCH_256);
    CHECK_EQUAL_INT(watch_colours_of("", "screen"), WATCH_256);
    CHECK_EQUAL_INT(watch_colours_of("", NULL), WATCH_NONE);
    CHECK_EQUAL_INT(watch_colours_of("", ""), WATCH_NONE);
    CHECK_EQUAL_INT(watch_colours_of(NULL, "dumb"), WATCH_NONE);
    CHECK_EQUAL_INT(watch_colours_of(NULL, "vt100"), WATCH_NONE);
}

int main(void)
{
    picture_is_upright();
    picture_fits_and_keeps_its_shape();
    colours_change_only_when_needed();
    colours_of_256_are_themselves();
    others_of_256_are_right_in_the_mean();
    scale_tells_the_range();
    tiny_terminals_are_refused();
    terminals_are_known_by_their_environment();
    return check_result();
}
