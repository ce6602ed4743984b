/* Every letter of the table can be drawn, stays in its place and differs from the others. */
#include <string.h>

#include "io/font.h"
#include "tests/check.h"

static const struct colour white = {255, 255, 255};

enum { SIDE = 96 };

/* Draws the text at 48 pixels with its baseline start at (24, 64); returns a sum over the pixels
 * that tells drawings apart, 0 for an empty one. */
static uint64_t drawing_hash(const char *text, struct pixel_box *ink)
{
    struct canvas canvas;
    if (!CHECK_OK(canvas_alloc(&canvas, SIDE, SIDE, white)))
        return 0;
    font_draw(&canvas, &(struct text_style){.size = 48}, 24, 64, text);
    uint64_t hash = 0;
    *ink = (struct pixel_box){SIDE, SIDE, 0, 0};
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            const unsigned int dark = 255U - canvas_get(&canvas, x, y).r;
            if (dark < 64)
                continue;
            hash = hash * 6364136223846793005U + (uint64_t)(y * SIDE + x) * 256U + dark;
            ink->x0 = x < ink->x0 ? x : ink->x0;
            ink->x1 = x >= ink->x1 ? x + 1 : ink->x1;
            ink->y0 = y < ink->y0 ? y : ink->y0;
            ink->y1 = y >= ink->y1 ? y + 1 : ink->y1;
        }
    }
    canvas_free(&canvas);
    return hash;
}

static void ascii_letters_differ_and_stay_in_place(void)
{
    uint64_t hashes[127] = {0};
    for (char c = '!'; c <= '~'; c++) {
        const char text[2] = {c, '\0'};
        struct pixel_box ink;
        hashes[(int)c] = drawing_hash(text, &ink);
        CHECK(hashes[(int)c] != 0);
        for (char other = '!'; other < c; other++)
            check_that(hashes[(int)other] != hashes[(int)c], __FILE__, __LINE__,
                       "%c and %c look different", other, c);
        /* Inside of the advance but for half a stroke, and between ascender and descender. */
        check_that(ink.x0 >= 22 && ink.x1 <= 26 + font_width(text, 48) && ink.y0 >= 20 &&
                       ink.y1 <= 80,
                   __FILE__, __LINE__, "%c stays in its place", c);
    }
}

static void capitals_stand_on_the_baseline(void)
{
    for (const char *c = "ABCDEFGHIKLMNOPRSTUVWXYZ"; *c != '\0'; c++) {
        const char text[2] = {*c, '\0'};
        struct pixel_box ink;
        (void)drawing_hash(text, &ink);
        check_that(ink.y1 == 64, __FILE__, __LINE__, "%c ends at row %d, expected 64", *c, ink.y1);
    }
}

/* What pictures of heat need beyond ASCII; a missing letter would be drawn as the box that U+FFFD
 * gets. */
static void letters_beyond_ascii_are_there(void)
{
    static const char *const letters[] = {
        "°", "µ", "μ", "²", "³", "¹", "⁰", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹", "⁻", "−", "×", "·", "±",
        "Δ", "ä", "ö", "ü", "ß", "Ä", "Ö", "Ü", "é", "è", "ê", "ç", "ñ", "å", "ø", "æ", "í", "š",
        "ž", "…", "–", "≤", "≥", "∞", "€", "→", "½", "Ω", "Σ", "Φ", "α", "β", "γ", "δ", "ε", "η",
        "θ", "κ", "λ", "ν", "π", "ρ", "σ", "τ", "φ", "ω", "∂", "∇", "Ł", "ł", "ą", "ć", "ę", "ń",
        "ś", "ź", "ż", "ő", "ű", "ď", "ť", "ň", "ř", "ů", "ğ", "ş", "İ", "ā", "ē", "ū"};
    struct pixel_box ink;
    const uint64_t missing = drawing_hash("\xef\xbf\xbd", &ink);
    CHECK(missing != 0);
    for (size_t k = 0; k < sizeof letters / sizeof letters[0]; k++) {
        const uint64_t hash = drawing_hash(letters[k], &ink);
        check_that(hash != 0 && hash != missing, __FILE__, __LINE__, "%s is drawn", letters[k]);
        check_that(ink.x0 > 0 && ink.y0 > 0 && ink.x1 < SIDE && ink.y1 < SIDE, __FILE__, __LINE__,
                   "%s stays on the canvas", letters[k]);
    }
    struct pixel_box plain, super;
    (void)drawing_hash("2", &plain);
    (void)drawing_hash("²", &super);
    CHECK(super.y1 < plain.y1 - 8);
    CHECK(super.x1 - super.x0 < plain.x1 - plain.x0);
}

static void all_latin_1_letters_are_there(void)
{
    struct pixel_box ink;
    const uint64_t missing = drawing_hash("\xef\xbf\xbd", &ink);
    for (unsigned int code = 0xc0; code <= 0xff; code++) {
        const char text[3] = {(char)(0xc0U | code >> 6), (char)(0x80U | (code & 0x3fU)), '\0'};
        check_that(drawing_hash(text, &ink) != missing, __FILE__, __LINE__, "U+%04X is drawn",
                   code);
    }
}

static void width_adds_up(void)
{
    CHECK_NEAR(font_width("W/m²", 20), font_width("W/", 20) + font_width("m²", 20), 1e-12);
    CHECK_NEAR(font_width("0123456789", 10), 10 * font_width("0", 10), 1e-12);
    CHECK_EQUAL_DOUBLE(font_width("", 10), 0);
    CHECK(font_width("−1", 10) > font_width("1", 10));
}

/* Cut sequences, lone continuation bytes and bytes that never occur: each becomes one box, and the
 * reader stays inside of the string. */
static void broken_utf8_shows_as_boxes(void)
{
    static const char *const broken[] = {"\x80", "\xc3", "\xe2\x82", "\xf0\x9f\x98", "\xff"};
    static const int boxes[] = {1, 1, 2, 3, 1};
    const double box = font_width("\xef\xbf\xbd", 10);
    for (size_t k = 0; k < sizeof broken / sizeof broken[0]; k++)
        CHECK_NEAR(font_width(broken[k], 10), boxes[k] * box, 1e-12);
}

int main(void)
{
    ascii_letters_differ_and_stay_in_place();
    capitals_stand_on_the_baseline();
    letters_beyond_ascii_are_there();
    all_latin_1_letters_are_there();
    width_adds_up();
    broken_utf8_shows_as_boxes();
    return check_result();
}
