#include "base/json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/text.h"

void json_start(struct json *json, FILE *file)
{
    *json = (struct json){.file = file};
}

/* Bytes that the UTF-8 character starting with `lead` should have. */
static size_t utf8_length(unsigned char lead)
{
    return lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/* Writes the character at `text` (not plain ASCII) and returns its bytes. JSON is UTF-8: a byte
 * that is not, as file names may hold, becomes the replacement character. */
static size_t write_utf8(FILE *file, const char *text)
{
    char character[5] = "", escaped[32];
    const size_t length = utf8_length((unsigned char)*text);
    memcpy(character, text, strnlen(text, length));
    text_escape(escaped, sizeof escaped, character);
    if (strcmp(character, escaped) == 0) {
        (void)fputs(character, file);
        return length;
    }
    (void)fputs("\\ufffd", file);
    return 1;
}

static void write_quoted(FILE *file, const char *text)
{
    (void)fputc('"', file);
    while (*text != '\0') {
        const unsigned char c = (unsigned char)*text;
        if (c >= 0x80) {
            text += write_utf8(file, text);
            continue;
        }
        if (c == '"' || c == '\\')
            (void)fprintf(file, "\\%c", c);
        else if (c < 0x20 || c == 0x7f)
            (void)fprintf(file, "\\u%04x", (unsigned)c);
        else
            (void)fputc(c, file);
        text++;
    }
    (void)fputc('"', file);
}

/* What comes before each value: the comma after its predecessor, and its key. */
static void begin_value(struct json *json, const char *key)
{
    if (json->need_comma)
        (void)fputc(',', json->file);
    json->need_comma = true;
    if (key != NULL) {
        write_quoted(json->file, key);
        (void)fputc(':', json->file);
    }
}

static void open_level(struct json *json, const char *key, char bracket)
{
    begin_value(json, key);
    (void)fputc(bracket, json->file);
    json->need_comma = false;
}

static void close_level(struct json *json, char bracket)
{
    (void)fputc(bracket, json->file);
    json->need_comma = true;
}

void json_object(struct json *json, const char *key)
{
    open_level(json, key, '{');
}

void json_object_end(struct json *json)
{
    close_level(json, '}');
}

void json_array(struct json *json, const char *key)
{
    open_level(json, key, '[');
}

void json_array_end(struct json *json)
{
    close_level(json, ']');
}

void json_number(struct json *json, const char *key, double value)
{
    begin_value(json, key);
    if (isfinite(value))
        (void)fprintf(json->file, "%.17g", value);
    else
        (void)fputs("null", json->file);
}

void json_integer(struct json *json, const char *key, int64_t value)
{
    begin_value(json, key);
    (void)fprintf(json->file, "%" PRId64, value);
}

void json_text(struct json *json, const char *key, const char *value)
{
    begin_value(json, key);
    write_quoted(json->file, value);
}

void json_bool(struct json *json, const char *key, bool value)
{
    begin_value(json, key);
    (void)fputs(value ? "true" : "false", json->file);
}
