#include "io/input_scan.h"

#include <stdarg.h>
#include <string.h>

#include "base/text.h"

enum { TOKEN_NAME_LENGTH = 200 };

static const char token_name[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-*";
static const char token_number[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                   "0123456789_.+-";

enum status scan_fail(const struct scanner *scanner, const struct cursor *cursor,
                      const char *format, ...)
{
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return fail(STATUS_INPUT, "%s:%d: %s", scanner->source->files[cursor->file], cursor->line,
                what);
}

static void take_newline(struct scanner *scanner, struct cursor *cursor)
{
    (void)fputc('\n', scanner->normal);
    scanner->line++;
    cursor->line++;
    cursor->line_is_blank = true;
    cursor->at++;
}

bool scan_is_comment(const char *at)
{
    return at[0] == '#' || (at[0] == '/' && (at[1] == '/' || at[1] == '*'));
}

static enum status take_comment(struct scanner *scanner, struct cursor *cursor)
{
    (void)fputc(' ', scanner->normal);
    if (cursor->at[0] == '#' || cursor->at[1] == '/') {
        cursor->at += strcspn(cursor->at, "\n");
        return STATUS_OK;
    }
    const struct cursor start = *cursor;
    cursor->at += 2;
    while (!(cursor->at[0] == '*' && cursor->at[1] == '/')) {
        if (*cursor->at == '\0')
            return scan_fail(scanner, &start, "the comment that starts here never ends");
        if (*cursor->at == '\n')
            take_newline(scanner, cursor);
        else
            cursor->at++;
    }
    cursor->at += 2;
    return STATUS_OK;
}

/* ---- what may follow what; libconfig would only say "syntax error", and leak ---- */

static bool is_in_list(const struct scanner *scanner)
{
    return scanner->open[scanner->open_count].bracket != '{';
}

static bool is_after_value(const struct scanner *scanner)
{
    return scanner->last == 'v' || scanner->last == '"';
}

static bool is_value_due(const struct scanner *scanner)
{
    if (is_in_list(scanner))
        return scanner->last == '(' || scanner->last == ',';
    return scanner->last == '=';
}

static enum status check_value(const struct scanner *scanner, const struct cursor *cursor)
{
    if (is_value_due(scanner))
        return STATUS_OK;
    if (scanner->last == 'a')
        return scan_fail(scanner, cursor, "'=' is missing after the name");
    if (is_in_list(scanner))
        return scan_fail(scanner, cursor, "',' is missing between two values");
    return scan_fail(scanner, cursor, "a value without a name; write name = value");
}

static enum status check_sign(const struct scanner *scanner, const struct cursor *cursor, char sign)
{
    if (sign == '=' && scanner->last != 'a')
        return scan_fail(scanner, cursor, "'=' without a name before it");
    if (sign != '=' && scanner->last == 'a')
        return scan_fail(scanner, cursor, "'=' is missing after the name");
    if ((sign == ',' || sign == ';') && !is_after_value(scanner))
        return scan_fail(scanner, cursor, "'%c' without a value before it", sign);
    if (sign == ';' && is_in_list(scanner))
        return scan_fail(scanner, cursor, "';' in a list; its values are separated by ','");
    if (strchr(")]}", sign) != NULL &&
        (scanner->last == '=' || (scanner->last == ',' && is_in_list(scanner))))
        return scan_fail(scanner, cursor, "a value is missing before '%c'", sign);
    return STATUS_OK;
}

enum status scan_end(const struct scanner *scanner, const struct cursor *cursor)
{
    if (scanner->open_count > 0)
        return fail(STATUS_INPUT, "%s:%d: the '%c' here is never closed",
                    scanner->source->files[scanner->open[scanner->open_count].file],
                    scanner->open[scanner->open_count].line,
                    scanner->open[scanner->open_count].bracket);
    if (scanner->last == 'a' || scanner->last == '=')
        return scan_fail(scanner, cursor, "the text ends where a value is missing");
    return STATUS_OK;
}

/* ---- tokens ---- */

/* Checks the escape at the cursor and writes it; libconfig would keep an unknown one and end the
 * text at a zero. */
static enum status take_escape(struct scanner *scanner, struct cursor *cursor)
{
    const char *at = cursor->at;
    size_t length = 2;
    if (at[1] == 'x') {
        if (strspn(at + 2, "0123456789abcdefABCDEF") < 2)
            return scan_fail(scanner, cursor, "\\x needs two hexadecimal digits");
        if (at[2] == '0' && at[3] == '0')
            return scan_fail(scanner, cursor, "\\x00 cannot be part of a text");
        length = 4;
    } else if (at[1] == '\0' || strchr("\\\"nrtf", at[1]) == NULL) {
        return scan_fail(scanner, cursor,
                         "'\\' starts no known escape here; write \\\\ for itself");
    }
    (void)fwrite(at, 1, length, scanner->normal);
    cursor->at += length;
    return STATUS_OK;
}

/* Counts what makes libconfig slow. */
static enum status count_setting(struct scanner *scanner, const struct cursor *cursor)
{
    if (++scanner->settings > SOURCE_MAX_SETTINGS)
        return scan_fail(scanner, cursor, "more than %d settings", SOURCE_MAX_SETTINGS);
    if (!is_in_list(scanner) && ++scanner->open[scanner->open_count].settings > SOURCE_MAX_GROUP)
        return scan_fail(scanner, cursor, "more than %d settings in one group", SOURCE_MAX_GROUP);
    return STATUS_OK;
}

static enum status take_text(struct scanner *scanner, struct cursor *cursor)
{
    const struct cursor start = *cursor;
    int lines = 0;
    if (scanner->last != '"') /* texts side by side are one */
        TRY(check_value(scanner, cursor));
    else
        TRY(count_setting(scanner, cursor));
    scanner->last = '"';
    (void)fputc('"', scanner->normal);
    for (cursor->at++; *cursor->at != '"';) {
        if (*cursor->at == '\0')
            return scan_fail(scanner, &start,
                             "the text that starts here never ends: a '\"' is missing");
        if (cursor->at - start.at > SOURCE_MAX_TEXT)
            return scan_fail(scanner, &start, "a text of more than %d bytes starts here",
                             SOURCE_MAX_TEXT);
        if (*cursor->at == '\\') {
            TRY(take_escape(scanner, cursor));
        } else if (*cursor->at == '\n') {
            (void)fputs("\\n", scanner->normal); /* and the line itself after the text */
            cursor->at++;
            cursor->line++;
            lines++;
        } else {
            (void)fputc(*cursor->at++, scanner->normal);
        }
    }
    cursor->at++;
    (void)fputc('"', scanner->normal);
    for (; lines > 0; lines--) {
        (void)fputc('\n', scanner->normal);
        scanner->line++;
    }
    return STATUS_OK;
}

static enum status take_name(struct scanner *scanner, struct cursor *cursor)
{
    const int length = (int)strspn(cursor->at, token_name);
    const int shown = length < 60 ? length : 60;
    if (is_value_due(scanner)) {
        const bool is_bool = (length == 4 && strncmp(cursor->at, "true", 4) == 0) ||
                             (length == 5 && strncmp(cursor->at, "false", 5) == 0);
        if (!is_bool)
            return scan_fail(scanner, cursor, "%.*s: text must stand in quotes: \"%.*s\"", shown,
                             cursor->at, shown, cursor->at);
        scanner->last = 'v';
    } else {
        if (is_in_list(scanner) || scanner->last == 'a')
            return check_value(scanner, cursor);
        if (*cursor->at == '_' || length > TOKEN_NAME_LENGTH)
            return scan_fail(scanner, cursor,
                             "%.*s: a name starts with a letter and has at most "
                             "%d characters",
                             shown, cursor->at, TOKEN_NAME_LENGTH);
        scanner->last = 'a';
    }
    (void)fwrite(cursor->at, 1, (size_t)length, scanner->normal);
    cursor->at += length;
    return STATUS_OK;
}

/* Integers go out as 64 bit ones, whatever their size: "3000000000" as "3000000000L". */
static enum status take_number(struct scanner *scanner, struct cursor *cursor)
{
    char token[512];
    TRY(check_value(scanner, cursor));
    const size_t length = strspn(cursor->at, token_number);
    if (length >= sizeof token - 1)
        return scan_fail(scanner, cursor, "a number of %zu characters", length);
    memcpy(token, cursor->at, length);
    token[length] = '\0';
    size_t digits = length;
    while (digits > 0 && length - digits < 2 && token[digits - 1] == 'L')
        digits--;
    int64_t integer = 0;
    double real = 0.0;
    if (strspn(token, "+-0123456789") == digits) {
        token[digits] = '\0';
        if (!text_to_int64(token, &integer))
            return scan_fail(scanner, cursor,
                             "%s: not a whole number of 64 bits in decimal without "
                             "leading zeros",
                             token);
        (void)fprintf(scanner->normal, "%sL", token);
    } else {
        if (!text_to_double(token, &real))
            return scan_fail(scanner, cursor, "%s: not a finite decimal number", token);
        (void)fputs(token, scanner->normal);
    }
    cursor->at += length;
    scanner->last = 'v';
    return STATUS_OK;
}

/* Arrays go out as lists, which may mix integers and floats. */
static char list_sign(char sign)
{
    if (sign == '[')
        return '(';
    return sign == ']' ? ')' : sign;
}

static enum status open_bracket(struct scanner *scanner, const struct cursor *cursor, char bracket)
{
    TRY(check_value(scanner, cursor));
    if (scanner->open_count == SOURCE_MAX_NESTING)
        return scan_fail(scanner, cursor, "more than %d brackets inside each other",
                         SOURCE_MAX_NESTING);
    scanner->open_count++;
    scanner->open[scanner->open_count].bracket = bracket;
    scanner->open[scanner->open_count].file = cursor->file;
    scanner->open[scanner->open_count].line = cursor->line;
    scanner->open[scanner->open_count].settings = 0;
    scanner->last = list_sign(bracket);
    return STATUS_OK;
}

static enum status close_bracket(struct scanner *scanner, const struct cursor *cursor, char bracket)
{
    if (scanner->open_count == 0)
        return scan_fail(scanner, cursor, "'%c' closes nothing", bracket);
    const char open = scanner->open[scanner->open_count].bracket;
    const char fit = open == '(' ? ')' : open == '[' ? ']' : '}';
    if (fit != bracket)
        return scan_fail(scanner, cursor, "'%c' where '%c' is missing for the '%c' of line %d",
                         bracket, fit, open, scanner->open[scanner->open_count].line);
    TRY(check_sign(scanner, cursor, bracket));
    scanner->open_count--;
    scanner->last = 'v';
    return STATUS_OK;
}

static enum status take_separator(struct scanner *scanner, const struct cursor *cursor, char sign)
{
    TRY(check_sign(scanner, cursor, sign));
    if (sign != ';')
        TRY(count_setting(scanner, cursor));
    scanner->last = sign;
    return STATUS_OK;
}

static enum status take_sign(struct scanner *scanner, struct cursor *cursor)
{
    const char sign = *cursor->at == ':' ? '=' : *cursor->at;
    if (strchr("([{", sign) != NULL)
        TRY(open_bracket(scanner, cursor, sign));
    else if (strchr(")]}", sign) != NULL)
        TRY(close_bracket(scanner, cursor, sign));
    else if (strchr("=;,", sign) != NULL)
        TRY(take_separator(scanner, cursor, sign));
    else
        return scan_fail(scanner, cursor, "'%.*s' has no place here",
                         (int)strcspn(cursor->at, " \n;,"), cursor->at);
    (void)fputc(list_sign(sign), scanner->normal);
    cursor->at++;
    return STATUS_OK;
}

enum status scan_token(struct scanner *scanner, struct cursor *cursor)
{
    const char c = *cursor->at;
    if (c == '\n') {
        take_newline(scanner, cursor);
        return STATUS_OK;
    }
    if (c == ' ' || c == '\t' || c == '\r' || c == '\f') {
        (void)fputc(' ', scanner->normal);
        cursor->at++;
        return STATUS_OK;
    }
    if (scan_is_comment(cursor->at))
        return take_comment(scanner, cursor);
    cursor->line_is_blank = false;
    if (c == '"')
        return take_text(scanner, cursor);
    if (strchr("0123456789.+-", c) != NULL)
        return take_number(scanner, cursor);
    if (strspn(cursor->at, token_name) > 0)
        return take_name(scanner, cursor);
    return take_sign(scanner, cursor);
}
