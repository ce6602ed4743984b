#include "base/expr.h"

#include <math.h>
#include <muParserDLL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { MAX_NAMES = 8, MAX_EXPRESSION_BYTES = 8192 };

struct expression {
    muParserHandle_t parser;
    char *text;
    char *where;
    int count;
    char names[MAX_NAMES + 1];
    double values[MAX_NAMES]; /* muParser reads the variables here */
};

/* muParser's codes for mistakes (EErrorCodes, which only its C++ header names). Its own messages
 * count characters from 0. */
static const char *const parse_errors[] = {
    [0] = "unexpected operator",
    [1] = "unknown name or sign",
    [2] = "the expression ends too early",
    [3] = "unexpected comma",
    [4] = "unexpected argument",
    [5] = "unexpected number",
    [6] = "an operator is missing before this name",
    [7] = "parentheses do not match",
    [8] = "text in quotes has no place here",
    [9] = "text in quotes has no place here",
    [10] = "text in quotes has no place here",
    [11] = "parentheses do not match",
    [12] = "an operator is missing before this function",
    [13] = "text in quotes has no place here",
    [14] = "too many arguments of the function",
    [15] = "too few arguments of the function",
    [16] = "text in quotes has no place here",
    [17] = "text in quotes has no place here",
    [25] = "the expression is empty",
    [32] = "'?' and ':' do not match",
    [33] = "'?' and ':' do not match",
    [34] = "'?' and ':' do not match",
};

static const char *parse_error_text(int code)
{
    const int count = (int)(sizeof parse_errors / sizeof parse_errors[0]);
    const char *text = code >= 0 && code < count ? parse_errors[code] : NULL;
    return text != NULL ? text : "this is not an expression";
}

static enum status fail_parse(struct expression *expression)
{
    const int code = mupGetErrorCode(expression->parser);
    const int at = mupGetErrorPos(expression->parser);
    char token[64];
    (void)snprintf(token, sizeof token, "%s", mupGetErrorToken(expression->parser));
    const size_t length = strlen(token);
    for (size_t i = length; i > 0 && token[i - 1] == ' '; i--)
        token[i - 1] = '\0';
    char place[128] = "";
    if (at >= 0 && token[0] != '\0')
        (void)snprintf(place, sizeof place, " at character %d ('%s')", at + 1, token);
    else if (at >= 0)
        (void)snprintf(place, sizeof place, " at character %d", at + 1);
    char known[4 * MAX_NAMES + 1] = "";
    for (int i = 0; i < expression->count; i++) {
        const size_t used = strlen(known);
        (void)snprintf(known + used, sizeof known - used, "%c, ", expression->names[i]);
    }
    return fail(STATUS_INPUT,
                "%s: %s%s in \"%s\"; known are %spi, e and functions such as exp, sin, sqrt, min",
                expression->where, parse_error_text(code), place, expression->text, known);
}

/* muParser would let "x = 3" change a variable. */
static enum status refuse_assignment(const struct expression *expression)
{
    const char *const text = expression->text;
    for (size_t i = 0; text[i] != '\0'; i++) {
        if (text[i] != '=')
            continue;
        if (text[i + 1] == '=') {
            i++;
            continue;
        }
        if (i == 0 || strchr("<>!", text[i - 1]) == NULL)
            return fail(STATUS_INPUT,
                        "%s: a single '=' at character %zu in \"%s\"; write == to compare",
                        expression->where, i + 1, text);
    }
    return STATUS_OK;
}

static enum status compile(struct expression *expression)
{
    expression->parser = mupCreate(muBASETYPE_FLOAT);
    if (expression->parser == NULL)
        return fail(STATUS_MEMORY, "%s: the expression parser did not start", expression->where);
    mupDefineConst(expression->parser, "pi", 3.14159265358979323846);
    mupDefineConst(expression->parser, "e", 2.71828182845904523536);
    for (int i = 0; i < expression->count; i++) {
        const char name[2] = {expression->names[i], '\0'};
        mupDefineVar(expression->parser, name, &expression->values[i]);
    }
    mupSetExpr(expression->parser, expression->text);
    /* Parsing happens at the first evaluation. */
    int results = 0;
    (void)mupEvalMulti(expression->parser, &results);
    if (mupError(expression->parser))
        return fail_parse(expression);
    if (results != 1)
        return fail(STATUS_INPUT,
                    "%s: %d values in \"%s\" where one is meant; is a decimal comma "
                    "to be a point?",
                    expression->where, results, expression->text);
    return STATUS_OK;
}

enum status expression_open(struct expression **expression, const char *text, const char *names,
                            const char *where)
{
    *expression = NULL;
    if (strlen(names) > MAX_NAMES)
        return fail(STATUS_BUG, "%s: %zu names, at most %d", where, strlen(names), MAX_NAMES);
    if (strlen(text) > MAX_EXPRESSION_BYTES)
        return fail(STATUS_INPUT, "%s: the expression has %zu bytes; at most %d are read", where,
                    strlen(text), MAX_EXPRESSION_BYTES);
    struct expression *new = NULL;
    TRY(memory_alloc(&new, 1, sizeof *new, "expression"));
    enum status status = STATUS_OK;
    new->count = (int)strlen(names);
    memcpy(new->names, names, strlen(names));
    TRY_DONE(memory_copy_text(&new->text, text));
    TRY_DONE(memory_copy_text(&new->where, where));
    TRY_DONE(refuse_assignment(new));
    TRY_DONE(compile(new));
    *expression = new;
    new = NULL;
done:
    expression_close(new);
    return status;
}

/* `cell` goes before the place: "in cell (3, 4), ". */
static enum status fail_not_finite(const struct expression *expression, const double *values,
                                   const char *cell)
{
    char at[MAX_NAMES * 40] = "";
    for (int i = 0; i < expression->count; i++) {
        const size_t used = strlen(at);
        (void)snprintf(at + used, sizeof at - used, "%s%c = %.9g", i > 0 ? ", " : "",
                       expression->names[i], values[i]);
    }
    return fail(STATUS_INPUT, "%s: \"%s\" is not finite %sat %s", expression->where,
                expression->text, cell, at);
}

static enum status evaluate(struct expression *expression, const double *values, double *result)
{
    memcpy(expression->values, values, (size_t)expression->count * sizeof *values);
    *result = mupEval(expression->parser);
    return mupError(expression->parser) ? fail_parse(expression) : STATUS_OK;
}

enum status expression_evaluate(struct expression *expression, const double *values, double *result)
{
    TRY(evaluate(expression, values, result));
    return isfinite(*result) ? STATUS_OK : fail_not_finite(expression, values, "");
}

enum status expression_evaluate_cell(struct expression *expression, const double *values, int64_t i,
                                     int64_t j, double *result)
{
    char cell[64];
    TRY(evaluate(expression, values, result));
    if (isfinite(*result))
        return STATUS_OK;
    (void)snprintf(cell, sizeof cell, "in cell (%lld, %lld), ", (long long)i, (long long)j);
    return fail_not_finite(expression, values, cell);
}

void expression_close(struct expression *expression)
{
    if (expression == NULL)
        return;
    if (expression->parser != NULL)
        mupRelease(expression->parser);
    free(expression->text);
    free(expression->where);
    free(expression);
}
