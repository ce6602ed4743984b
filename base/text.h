/* Text to numbers and back, for people. */
#ifndef ISOTHERM_BASE_TEXT_H
#define ISOTHERM_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The whole string is one decimal number (no blanks, no rest, C locale whatever LC_ALL says,
 * finite). An integer has no leading zeros: 010 is 8 to some and 10 to others. */
bool text_to_double(const char *text, double *value);
bool text_to_int64(const char *text, int64_t *value);

/* The shortest decimal text of at least 15 digits' accuracy that reads back to the same value, told
 * from an integer by a point or exponent: "0.1", "300.0", "1e-30". C locale. 32 bytes are enough.
 */
void text_real(char *to, size_t to_bytes, double value);

/* "60 s", "3 h 50 min", "1.5 d", a bare number is seconds; positive and finite. Units: ms, s, min,
 * h, d, each at most once, largest first. */
bool text_to_seconds(const char *text, double *seconds);

/* The entry of names[count] nearest to `name` by edit distance, NULL when none is near enough to
 * be meant. */
const char *text_nearest(const char *name, const char *const names[], int count);

/* Copies and replaces control characters by \n, \t or \xNN; always terminated; valid UTF-8 stays
 * as it is. */
void text_escape(char *to, size_t to_bytes, const char *from);

/* Whether the text is UTF-8 throughout; if not, *at is the offset of the first byte that is not. */
bool text_is_utf8(const char *text, size_t *at);

/* "1.5 GiB", "230 KiB": binary units; and "3 h 05 min", "42 s", "1.3 ms". */
void text_bytes(char *to, size_t to_bytes, double bytes);
void text_duration(char *to, size_t to_bytes, double seconds);

#endif
