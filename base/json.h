/* Writes one JSON value as it goes: objects, arrays, numbers and text, commas and escapes included.
 * Numbers carry all digits (%.17g); what is not finite becomes null, as JSON has no word for it; a
 * byte of text that is not UTF-8 becomes U+FFFD. The caller ends the line and looks at ferror(). */
#ifndef ISOTHERM_BASE_JSON_H
#define ISOTHERM_BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json {
    FILE *file;      /* not owned */
    bool need_comma; /* a value was written at this level */
};

void json_start(struct json *json, FILE *file);

/* `key` is NULL inside an array and at the top. */
void json_object(struct json *json, const char *key);
void json_object_end(struct json *json);
void json_array(struct json *json, const char *key);
void json_array_end(struct json *json);
void json_number(struct json *json, const char *key, double value);
void json_integer(struct json *json, const char *key, int64_t value);
void json_text(struct json *json, const char *key, const char *value);
void json_bool(struct json *json, const char *key, bool value);

#endif
