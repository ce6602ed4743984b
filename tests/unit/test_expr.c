#include "base/expr.h"
#include "tests/check.h"

#include <math.h>

static double value_of(const char *text, double x, double y)
{
    struct expression *expression = NULL;
    double result = NAN;
    if (CHECK_OK(expression_open(&expression, text, "xy", "here"))) {
        CHECK_OK(expression_evaluate(expression, (const double[]){x, y}, &result));
        expression_close(expression);
    }
    error_clear();
    return result;
}

static void expressions_mean_what_mathematics_says(void)
{
    CHECK_EQUAL_DOUBLE(value_of("1 + 2*3", 0, 0), 7.0);
    CHECK_EQUAL_DOUBLE(value_of("-x^2", 3, 0), -9.0);
    CHECK_EQUAL_DOUBLE(value_of("2^3^2", 0, 0), 512.0);
    CHECK_EQUAL_DOUBLE(value_of("x - y", 1.5, 0.25), 1.25);
    CHECK_EQUAL_DOUBLE(value_of("x < y ? 5 : 65", 1, 2), 5.0);
    CHECK_EQUAL_DOUBLE(value_of("x < y ? 5 : 65", 2, 1), 65.0);
    CHECK_EQUAL_DOUBLE(value_of("x == 2 && y >= 1", 2, 1), 1.0);
    CHECK_EQUAL_DOUBLE(value_of("min(x, y, 0.5)", 2, 1), 0.5);
    CHECK_NEAR(value_of("cos(pi)", 0, 0), -1.0, 1e-15);
    CHECK_NEAR(value_of("ln(e)", 0, 0), 1.0, 1e-15);
    CHECK_NEAR(value_of("exp(-(x-0.1)^2/1e-4)", 0.11, 0), 0.36787944117144233, 1e-14);
    CHECK_EQUAL_DOUBLE(value_of(" 293.15 ", 0, 0), 293.15);
}

static void mistakes_are_named_with_their_place(void)
{
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"x + foo", "unknown name or sign at character 5 ('foo')"},
        {"x +", "ends too early"},
        {"(x", "parentheses"},
        {"x)", "parentheses"},
        {"", "empty"},
        {"  ", "empty"},
        {"2x", "an operator is missing"},
        {"x = 3", "a single '=' at character 3"},
        {"sin()", "too few arguments"},
        {"sin(1, 2)", "too many arguments"},
        {"293,15", "decimal comma"},
        {"\"abc\"", "quotes"},
        {"1e400", "unknown"},
        {"x ? 1", "'?' and ':'"},
        {"z", "known are x, y, pi, e"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct expression *expression = NULL;
        CHECK_FAILS(expression_open(&expression, bad[i].text, "xy", "a.cfg:3: field"),
                    STATUS_INPUT);
        CHECK(expression == NULL);
        CHECK_CONTAINS(error_message(), bad[i].message);
        CHECK_CONTAINS(error_message(), "a.cfg:3: field: ");
        error_clear();
    }
}

static void only_finite_values_come_out(void)
{
    static const char *const texts[] = {"1/x", "sqrt(-1 - x)", "ln(x)", "exp(1000 + x)"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct expression *expression = NULL;
        double result = 0.0;
        CHECK_OK(expression_open(&expression, texts[i], "xy", "here"));
        CHECK_FAILS(expression_evaluate(expression, (const double[]){0.0, 2.0}, &result),
                    STATUS_INPUT);
        CHECK_CONTAINS(error_message(), "not finite at x = 0, y = 2");
        error_clear();
        CHECK_FAILS(expression_evaluate_cell(expression, (const double[]){0.0, 2.0}, 3, 4, &result),
                    STATUS_INPUT);
        CHECK_CONTAINS(error_message(), "not finite in cell (3, 4), at x = 0, y = 2");
        expression_close(expression);
        error_clear();
    }
}

static void very_long_texts_are_refused(void)
{
    static char text[100000];
    struct expression *expression = NULL;
    memset(text, '(', sizeof text - 1);
    CHECK_FAILS(expression_open(&expression, text, "x", "here"), STATUS_INPUT);
    error_clear();
    text[8000] = '\0';
    CHECK_FAILS(expression_open(&expression, text, "x", "here"), STATUS_INPUT);
    error_clear();
    expression_close(NULL);
}

int main(void)
{
    expressions_mean_what_mathematics_says();
    mistakes_are_named_with_their_place();
    only_finite_values_come_out();
    very_long_texts_are_refused();
    return check_result();
}
