#include "base/text.h"
#include "tests/check.h"

#include <locale.h>
#include <math.h>

static void whole_strings_are_numbers(void)
{
    static const struct {
        const char *text;
        double value;
    } good[] = {{"0", 0.0},  {"1", 1.0},      {"-2.5", -2.5},  {"+3", 3.0},     {".5", 0.5},
                {"5.", 5.0}, {"1e3", 1000.0}, {"1E-3", 0.001}, {"010.5", 10.5}, {"1e-400", 0.0}};
    static const char *const bad[] = {"",     " 1",    "1 ",    "1x",  "nan", "inf",
                                      "-inf", "0x10",  "1e",    "1,5", ".",   "-",
                                      "--1",  "1e400", "1.2.3", "e5",  "1\n", "1d3"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        double value = NAN;
        CHECK(text_to_double(good[i].text, &value));
        CHECK_EQUAL_DOUBLE(value, good[i].value);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        double value = 7.0;
        if (!CHECK(!text_to_double(bad[i], &value)))
            (void)printf("  it was \"%s\"\n", bad[i]);
        CHECK_EQUAL_DOUBLE(value, 7.0);
    }
}

static void integers_are_decimal_and_fit(void)
{
    static const char *const bad[] = {"",
                                      "1.0",
                                      "010",
                                      "00",
                                      "0x1",
                                      "1 ",
                                      " 1",
                                      "-",
                                      "1e3",
                                      "9223372036854775808",
                                      "-9223372036854775809",
                                      "+-1"};
    int64_t value = 0;
    CHECK(text_to_int64("9223372036854775807", &value));
    CHECK_EQUAL_INT(value, INT64_MAX);
    CHECK(text_to_int64("-9223372036854775808", &value));
    CHECK_EQUAL_INT(value, INT64_MIN);
    CHECK(text_to_int64("3000000000", &value));
    CHECK_EQUAL_INT(value, 3000000000);
    CHECK(text_to_int64("0", &value));
    CHECK_EQUAL_INT(value, 0);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (!CHECK(!text_to_int64(bad[i], &value)))
            (void)printf("  it was \"%s\"\n", bad[i]);
}

static void times_add_up_largest_first(void)
{
    static const struct {
        const char *text;
        double seconds;
    } good[] = {{"60 s", 60.0},    {"3 h 50 min", 13800.0}, {"1.5 d", 129600.0},
                {"7", 7.0},        {"250 ms", 0.25},        {"1d2h3min4s5ms", 93784.005},
                {"90min", 5400.0}, {"0 h 1 s", 1.0},        {"  2 min ", 120.0},
                {"1e-05 s", 1e-5}, {"1.5e3 s", 1500.0}};
    static const char *const bad[] = {
        "",         "s",    "60 x",  "50 min 3 h", "1 s 1 s", "-1 s",   "0",     "0 s",
        "1 minute", "1 h,", "nan s", "1 1 s",      "1e400 s", "60 sec", "1 h 5", "inf"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        double seconds = NAN;
        CHECK(text_to_seconds(good[i].text, &seconds));
        CHECK_NEAR(seconds, good[i].seconds, 1e-12 * good[i].seconds);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        double seconds = 7.0;
        if (!CHECK(!text_to_seconds(bad[i], &seconds)))
            (void)printf("  it was \"%s\"\n", bad[i]);
    }
}

static void reals_read_back(void)
{
    char text[40];
    static const double values[] = {0.1, 1.0 / 3.0, 1e-30, 300.0, -0.0, 1e300, 5e-324, 0.3, 2e15};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        double back = NAN;
        text_real(text, sizeof text, values[i]);
        CHECK(text_to_double(text, &back));
        CHECK_EQUAL_DOUBLE(back, values[i]);
        CHECK(strpbrk(text, ".e") != NULL);
    }
    text_real(text, sizeof text, 0.1);
    CHECK_EQUAL_TEXT(text, "0.1");
    text_real(text, sizeof text, 300.0);
    CHECK_EQUAL_TEXT(text, "300.0");
}

static void a_slip_finds_the_name_meant(void)
{
    static const char *const names[] = {"left", "right", "bottom", "top"};
    CHECK_EQUAL_TEXT(text_nearest("lefft", names, 4), "left");
    CHECK_EQUAL_TEXT(text_nearest("rihgt", names, 4), "right");
    CHECK_EQUAL_TEXT(text_nearest("botom", names, 4), "bottom");
    CHECK_EQUAL_TEXT(text_nearest("tpo", names, 4), "top");
    CHECK_EQUAL_TEXT(text_nearest("top", names, 4), "top");
    CHECK(text_nearest("conductivity", names, 4) == NULL);
    CHECK(text_nearest("", names, 4) == NULL);
    CHECK(text_nearest("left", names, 0) == NULL);
    char large[4000];
    memset(large, 'l', sizeof large);
    large[sizeof large - 1] = '\0';
    CHECK(text_nearest(large, names, 4) == NULL);
}

static void nothing_drives_the_terminal(void)
{
    char to[64];
    text_escape(to, sizeof to, "a\x1b[31mb\n\t\x7f");
    CHECK_EQUAL_TEXT(to, "a\\x1B[31mb\\n\\t\\x7F");
    text_escape(to, sizeof to, "W\xc3\xa4rme");
    CHECK_EQUAL_TEXT(to, "W\xc3\xa4rme");
    text_escape(to, sizeof to,
                "\xc2\x9b"
                "1m"); /* the C1 control sequence introducer */
    CHECK_EQUAL_TEXT(to, "\\xC2\\x9B1m");
    text_escape(to, sizeof to, "\xff\xc3");
    CHECK_EQUAL_TEXT(to, "\\xFF\\xC3");
    text_escape(to, 4, "ab\xc3\xa4");
    CHECK_EQUAL_TEXT(to, "ab");
    text_escape(to, 3, "abcdef");
    CHECK_EQUAL_TEXT(to, "ab");
}

static void utf8_is_told_from_bytes(void)
{
    size_t at = 0;
    CHECK(text_is_utf8("W\xc3\xa4rme \xe2\x82\xac \xf0\x9f\x94\xa5", &at));
    CHECK(!text_is_utf8("W\xe4rme", &at));
    CHECK_EQUAL_INT((int64_t)at, 1);
    static const char *const bad[] = {"\xc0\x80", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xe2\x82",
                                      "\x80"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!text_is_utf8(bad[i], &at));
}

static void sizes_and_times_for_people(void)
{
    static const struct {
        double value;
        const char *text;
    } sizes[] = {{0.0, "0 B"},           {1023.0, "1023 B"},
                 {1536.0, "1.5 KiB"},    {1610612736.0, "1.5 GiB"},
                 {1048575.0, "1.0 MiB"}, {524288000.0, "500 MiB"}},
      times[] = {{0.0, "0 s"},          {42.0, "42 s"},          {0.0013, "1.3 ms"},
                 {2.5e-6, "2.5 us"},    {11100.0, "3 h 05 min"}, {125.0, "2 min 05 s"},
                 {59.99, "1 min 00 s"}, {864000.0, "10 d 00 h"}, {3599.9, "1 h 00 min"},
                 {-1.0, "unknown"},     {INFINITY, "unknown"},   {NAN, "unknown"}};
    char text[32];
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        text_bytes(text, sizeof text, sizes[i].value);
        CHECK_EQUAL_TEXT(text, sizes[i].text);
    }
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        text_duration(text, sizeof text, times[i].value);
        CHECK_EQUAL_TEXT(text, times[i].text);
    }
}

int main(void)
{
    /* Where the machine has a locale with a decimal comma nothing may change. */
    for (int round = 0; round < 2; round++) {
        whole_strings_are_numbers();
        integers_are_decimal_and_fit();
        times_add_up_largest_first();
        reals_read_back();
        if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL)
            break;
    }
    (void)setlocale(LC_ALL, "C");
    a_slip_finds_the_name_meant();
    nothing_drives_the_terminal();
    utf8_is_told_from_bytes();
    sizes_and_times_for_people();
    return check_result();
}
