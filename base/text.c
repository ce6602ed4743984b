#include "base/text.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- text to numbers ---- */

bool text_to_double(const char *text, double *value)
{
    /* strtod also takes blanks, hexadecimal, "inf" and "nan"; none of them is meant here. */
    const size_t length = strlen(text);
    if (length == 0 || strspn(text, "0123456789+-.eE") != length)
        return false;
    const locale_t c_locale = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (c_locale == (locale_t)0)
        return false;
    const locale_t before = uselocale(c_locale);
    char *end = NULL;
    const double result = strtod(text, &end);
    (void)uselocale(before);
    freelocale(c_locale);
    if (end != text + length || !isfinite(result))
        return false;
    *value = result;
    return true;
}

bool text_to_int64(const char *text, int64_t *value)
{
    const char *digits = text + (*text == '-' || *text == '+' ? 1 : 0);
    const size_t length = strlen(digits);
    if (length == 0 || strspn(digits, "0123456789") != length)
        return false;
    if (digits[0] == '0' && length > 1) /* octal to some, decimal to others */
        return false;
    errno = 0;
    const long long result = strtoll(text, NULL, 10);
    if (errno != 0)
        return false;
    *value = result;
    return true;
}

static const struct {
    const char *name;
    double seconds;
} time_units[] = {{"d", 86400.0}, {"h", 3600.0}, {"min", 60.0}, {"s", 1.0}, {"ms", 1e-3}};

enum { TIME_UNITS = sizeof time_units / sizeof time_units[0] };

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " \t");
}

/* Length of the number "1.5e-3" at the start of `text`; a sign belongs to it only in the exponent.
 */
static size_t number_length(const char *text)
{
    const size_t digits = strspn(text, "0123456789.");
    if (digits == 0 || (text[digits] != 'e' && text[digits] != 'E'))
        return digits;
    const size_t sign = text[digits + 1] == '-' || text[digits + 1] == '+' ? 1 : 0;
    return digits + 1 + sign + strspn(text + digits + 1 + sign, "0123456789");
}

/* Takes "3 h" off the front of *text; units before *first are used up. */
static bool take_duration_part(const char **text, int *first, double *seconds)
{
    char number[64];
    const size_t digits = number_length(*text);
    if (digits == 0 || digits >= sizeof number)
        return false;
    memcpy(number, *text, digits);
    number[digits] = '\0';
    double value = 0.0;
    if (!text_to_double(number, &value))
        return false;
    const char *unit = skip_blanks(*text + digits);
    const size_t letters = strspn(unit, "dhimns");
    for (int i = *first; i < TIME_UNITS; i++) {
        if (strlen(time_units[i].name) != letters ||
            strncmp(time_units[i].name, unit, letters) != 0)
            continue;
        *first = i + 1;
        *seconds += value * time_units[i].seconds;
        *text = skip_blanks(unit + letters);
        return true;
    }
    return false;
}

bool text_to_seconds(const char *text, double *seconds)
{
    double sum = 0.0;
    if (!text_to_double(text, &sum)) {
        int first = 0;
        sum = 0.0;
        const char *rest = skip_blanks(text);
        do {
            if (!take_duration_part(&rest, &first, &sum))
                return false;
        } while (*rest != '\0');
    }
    if (!(sum > 0.0) || !isfinite(sum))
        return false;
    *seconds = sum;
    return true;
}

void text_real(char *to, size_t to_bytes, double value)
{
    char text[40] = "";
    const locale_t c_locale = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    const locale_t before = c_locale != (locale_t)0 ? uselocale(c_locale) : (locale_t)0;
    for (int digits = 15; digits <= 17; digits++) {
        (void)snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    if (c_locale != (locale_t)0) {
        (void)uselocale(before);
        freelocale(c_locale);
    }
    const bool is_integer = text[strspn(text, "-0123456789")] == '\0';
    (void)snprintf(to, to_bytes, "%s%s", text, is_integer ? ".0" : "");
}

/* ---- names ---- */

enum { NAME_MAX_LENGTH = 63 };

static int min_of(int a, int b)
{
    return a < b ? a : b;
}

/* Edit distance where swapping two neighbours counts as one edit. Lengths <= NAME_MAX_LENGTH. */
static int edit_distance(const char *a, int a_length, const char *b, int b_length)
{
    int rows[3][NAME_MAX_LENGTH + 1];
    int *two_back = rows[0], *back = rows[1], *row = rows[2];
    for (int j = 0; j <= b_length; j++)
        row[j] = j;
    for (int i = 1; i <= a_length; i++) {
        int *reused = two_back;
        two_back = back;
        back = row;
        row = reused;
        row[0] = i;
        for (int j = 1; j <= b_length; j++) {
            const int replace = back[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = min_of(replace, min_of(back[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = min_of(row[j], two_back[j - 2] + 1);
        }
    }
    return row[b_length];
}

const char *text_nearest(const char *name, const char *const names[], int count)
{
    const size_t length = strlen(name);
    if (length == 0 || length > NAME_MAX_LENGTH)
        return NULL;
    const char *nearest = NULL;
    int nearest_distance = NAME_MAX_LENGTH;
    for (int i = 0; i < count; i++) {
        const size_t candidate_length = strlen(names[i]);
        if (candidate_length == 0 || candidate_length > NAME_MAX_LENGTH)
            continue;
        const int distance = edit_distance(name, (int)length, names[i], (int)candidate_length);
        const int longer = (int)(length > candidate_length ? length : candidate_length);
        /* One edit in three letters, else the names share too little to be a slip. */
        if (distance < nearest_distance && distance <= (longer + 1) / 3) {
            nearest = names[i];
            nearest_distance = distance;
        }
    }
    return nearest;
}

/* ---- text for people ---- */

/* Bytes of the UTF-8 character at `s`, 0 when it is none. */
static size_t utf8_length(const unsigned char *s)
{
    if (s[0] < 0x80)
        return 1;
    const size_t length = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    const bool is_overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    const bool is_surrogate = s[0] == 0xed && s[1] >= 0xa0;
    const bool is_beyond = s[0] == 0xf4 && s[1] >= 0x90;
    return is_overlong || is_surrogate || is_beyond ? 0 : length;
}

bool text_is_utf8(const char *text, size_t *at)
{
    *at = 0;
    while (text[*at] != '\0') {
        const size_t length = utf8_length((const unsigned char *)text + *at);
        if (length == 0)
            return false;
        *at += length;
    }
    return true;
}

/* The same, and 0 for control characters (C0, DEL, C1). */
static size_t printable_length(const unsigned char *s)
{
    const bool is_c1 = s[0] == 0xc2 && s[1] < 0xa0;
    return s[0] < 0x20 || s[0] == 0x7f || is_c1 ? 0 : utf8_length(s);
}

void text_escape(char *to, size_t to_bytes, const char *from)
{
    size_t used = 0;
    while (*from != '\0') {
        char piece[8];
        size_t taken = printable_length((const unsigned char *)from);
        if (taken > 0) {
            memcpy(piece, from, taken);
            piece[taken] = '\0';
        } else {
            const unsigned char c = (unsigned char)*from;
            if (c == '\n')
                (void)snprintf(piece, sizeof piece, "\\n");
            else if (c == '\t')
                (void)snprintf(piece, sizeof piece, "\\t");
            else
                (void)snprintf(piece, sizeof piece, "\\x%02X", (unsigned)c);
            taken = 1;
        }
        const size_t length = strlen(piece);
        if (used + length >= to_bytes)
            break;
        memcpy(to + used, piece, length);
        used += length;
        from += taken;
    }
    if (to_bytes > 0)
        to[used] = '\0';
}

void text_bytes(char *to, size_t to_bytes, double bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    int unit = 0;
    while (fabs(bytes) >= 1023.5 && unit + 1 < (int)(sizeof units / sizeof units[0])) {
        bytes /= 1024.0;
        unit++;
    }
    const int decimals = unit > 0 && fabs(bytes) < 99.95 ? 1 : 0;
    (void)snprintf(to, to_bytes, "%.*f %s", decimals, bytes, units[unit]);
}

void text_duration(char *to, size_t to_bytes, double seconds)
{
    const long long whole = fabs(seconds) < 1e15 ? (long long)(seconds + 0.5) : 0;
    if (!(seconds >= 0.0) || seconds >= 1e15)
        (void)snprintf(to, to_bytes, "unknown");
    else if (seconds == 0.0)
        (void)snprintf(to, to_bytes, "0 s");
    else if (seconds < 0.9995e-3)
        (void)snprintf(to, to_bytes, "%.3g us", seconds * 1e6);
    else if (seconds < 0.9995)
        (void)snprintf(to, to_bytes, "%.3g ms", seconds * 1e3);
    else if (seconds < 59.95)
        (void)snprintf(to, to_bytes, "%.3g s", seconds);
    else if (whole < 3600)
        (void)snprintf(to, to_bytes, "%lld min %02lld s", whole / 60, whole % 60);
    else if (whole < 360000)
        (void)snprintf(to, to_bytes, "%lld h %02lld min", whole / 3600, whole % 3600 / 60);
    else
        (void)snprintf(to, to_bytes, "%lld d %02lld h", whole / 86400, whole % 86400 / 3600);
}
