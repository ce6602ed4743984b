/* Claims of a test program. Each that does not hold prints both sides with file and line; the
 * program goes on and returns check_result() at its end. */
#ifndef ISOTHERM_TESTS_CHECK_H
#define ISOTHERM_TESTS_CHECK_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { CHECK_SKIPPED = 77 };

struct check_counts {
    int claims, failures;
};

/* One per test program: tests are single files. A test whose threads each count for themselves sets
 * CHECK_STORAGE to _Thread_local. */
#ifndef CHECK_STORAGE
#define CHECK_STORAGE
#endif
static CHECK_STORAGE struct check_counts check_counts;

#define CHECK(condition)      check_that((condition), __FILE__, __LINE__, "%s", #condition)
#define CHECK_EQUAL_INT(a, b) check_equal_int((a), (b), #a, #b, __FILE__, __LINE__)
/* To the last bit, except that 0 = -0; NaN equals nothing. */
#define CHECK_EQUAL_DOUBLE(a, b)   check_near((a), (b), 0.0, #a, #b, __FILE__, __LINE__)
#define CHECK_NEAR(a, b, most)     check_near((a), (b), (most), #a, #b, __FILE__, __LINE__)
#define CHECK_EQUAL_TEXT(a, b)     check_equal_text((a), (b), #a, #b, __FILE__, __LINE__)
#define CHECK_CONTAINS(text, part) check_contains((text), (part), #text, __FILE__, __LINE__)
#define CHECK_OK(call)             check_status((call), STATUS_OK, #call, __FILE__, __LINE__)
/* The call fails with this status; its message is kept for a CHECK_CONTAINS and must be cleared by
 * error_clear() before the next. */
#define CHECK_FAILS(call, expected) check_status((call), (expected), #call, __FILE__, __LINE__)

/* The value of a claim says whether it held, so that a test can leave what makes no sense after. */
PRINTF_LIKE(4, 5)
static inline bool check_that(bool holds, const char *file, int line, const char *format, ...)
{
    check_counts.claims++;
    if (!holds) {
        check_counts.failures++;
        va_list arguments;
        va_start(arguments, format);
        (void)printf("%s:%d: does not hold: ", file, line);
        (void)vprintf(format, arguments);
        (void)printf("\n");
        va_end(arguments);
    }
    return holds;
}

static inline bool check_equal_int(int64_t a, int64_t b, const char *a_text, const char *b_text,
                                   const char *file, int line)
{
    return check_that(a == b, file, line, "%s = %lld, %s = %lld", a_text, (long long)a, b_text,
                      (long long)b);
}

static inline bool check_near(double a, double b, double most, const char *a_text,
                              const char *b_text, const char *file, int line)
{
    const double difference = a > b ? a - b : b - a;
    return check_that(difference <= most || a == b, file, line,
                      "%s = %.17g, %s = %.17g, apart %.3g, at most %.3g", a_text, a, b_text, b,
                      difference, most);
}

static inline bool check_equal_text(const char *a, const char *b, const char *a_text,
                                    const char *b_text, const char *file, int line)
{
    const bool equal = a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
    return check_that(equal, file, line, "%s = \"%s\", %s = \"%s\"", a_text,
                      a != NULL ? a : "(null)", b_text, b != NULL ? b : "(null)");
}

static inline bool check_contains(const char *text, const char *part, const char *name,
                                  const char *file, int line)
{
    return check_that(strstr(text, part) != NULL, file, line, "%s = \"%s\" holds \"%s\"", name,
                      text, part);
}

static inline bool check_status(enum status status, enum status expected, const char *call,
                                const char *file, int line)
{
    return check_that(status == expected, file, line, "%s gives %s, expected %s: %s", call,
                      status_name(status), status_name(expected), error_message());
}

/* The test cannot run here. */
_Noreturn static inline void check_skip(const char *reason)
{
    (void)printf("skipped: %s\n", reason);
    exit(CHECK_SKIPPED);
}

/* What main() returns. A program without a claim has failed: it tested nothing. */
static inline int check_result(void)
{
    (void)printf("%d claims, %d do not hold\n", check_counts.claims, check_counts.failures);
    return check_counts.failures == 0 && check_counts.claims > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
