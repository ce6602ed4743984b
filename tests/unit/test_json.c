/* The text of JSON by RFC 8259. */
#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "tests/check.h"

static struct json json;
static char *written;
static size_t written_bytes;

static void start(void)
{
    FILE *file = open_memstream(&written, &written_bytes);
    if (file == NULL)
        abort();
    json_start(&json, file);
}

/* Compares what was written since start(). */
static void ends_as(const char *expected)
{
    (void)fclose(json.file);
    CHECK_EQUAL_TEXT(written, expected);
    free(written);
}

static void members_are_separated_by_commas(void)
{
    start();
    json_object(&json, NULL);
    json_integer(&json, "a", 1);
    json_object(&json, "b");
    json_object_end(&json);
    json_array(&json, "c");
    json_bool(&json, NULL, true);
    json_array(&json, NULL);
    json_array_end(&json);
    json_bool(&json, NULL, false);
    json_array_end(&json);
    json_text(&json, "d", "x");
    json_object_end(&json);
    ends_as("{\"a\":1,\"b\":{},\"c\":[true,[],false],\"d\":\"x\"}");
}

static void numbers_keep_every_bit(void)
{
    /* 0.1 and the largest double need all 17 digits, see IEEE 754-2019, 5.12.2 */
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0.0, "0"},
        {0.1, "0.10000000000000001"},
        {-2.5, "-2.5"},
        {1.7976931348623157e308, "1.7976931348623157e+308"},
        {(double)INFINITY, "null"},
        {-(double)INFINITY, "null"},
        {(double)NAN, "null"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        start();
        json_number(&json, NULL, cases[i].value);
        ends_as(cases[i].text);
    }
    start();
    json_integer(&json, NULL, INT64_MIN);
    ends_as("-9223372036854775808");
}

static void text_is_escaped(void)
{
    static const struct {
        const char *value, *text;
    } cases[] = {
        {"", "\"\""},
        {"say \"a\\b\"", "\"say \\\"a\\\\b\\\"\""},
        {"a\nb\x1b[2J\x7f", "\"a\\u000ab\\u001b[2J\\u007f\""},
        {"Grad \xc3\xbc \xe2\x82\xac \xf0\x9f\x94\xa5",
         "\"Grad \xc3\xbc \xe2\x82\xac \xf0\x9f\x94\xa5\""},
        {"latin \xfc!", "\"latin \\ufffd!\""},
        {"cut \xe2\x82", "\"cut \\ufffd\\ufffd\""},
        {"stray \x80", "\"stray \\ufffd\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        start();
        json_text(&json, NULL, cases[i].value);
        ends_as(cases[i].text);
    }
    start();
    json_object(&json, NULL);
    json_bool(&json, "a \"key\"", true);
    json_object_end(&json);
    ends_as("{\"a \\\"key\\\"\":true}");
}

int main(void)
{
    members_are_separated_by_commas();
    numbers_keep_every_bit();
    text_is_escaped();
    return check_result();
}
