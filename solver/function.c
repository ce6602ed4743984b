#include "solver/function.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static enum status check_table(const struct function *function)
{
    const struct csv *table = &function->table;
    const struct input_function *input = function->input;
    if (table->columns != 2 || table->rows < 1)
        return fail(STATUS_INPUT, "%s: %s is to have two columns, time and value, and some rows",
                    input->where, input->table);
    for (int64_t row = 0; row < table->rows; row++) {
        if (!isfinite(table->values[0][row]) || !isfinite(table->values[1][row]))
            return fail(STATUS_INPUT, "%s: %s: row %lld has an entry that is empty, nan or inf",
                        input->where, input->table, (long long)row + 1);
        if (row > 0 && table->values[0][row] < table->values[0][row - 1])
            return fail(STATUS_INPUT, "%s: %s: the time of row %lld lies before that of the last",
                        input->where, input->table, (long long)row + 1);
    }
    return STATUS_OK;
}

enum status function_open(const struct input_function *input, const char *names,
                          struct function *function)
{
    *function = (struct function){.input = input, .names = names};
    if (input->kind == FUNCTION_EXPRESSION)
        return expression_open(&function->expression, input->expression, names, input->where);
    if (input->kind == FUNCTION_NUMBER)
        return STATUS_OK;
    TRY(csv_read(input->table, &function->table));
    return check_table(function);
}

void function_close(struct function *function)
{
    expression_close(function->expression);
    csv_free(&function->table);
    *function = (struct function){0};
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) != 0 || c == '_' || c == '.';
}

bool function_depends_on(const struct input_function *input, char name)
{
    if (input->kind == FUNCTION_TABLE)
        return name == 't';
    if (input->kind == FUNCTION_NUMBER)
        return false;
    for (const char *c = input->expression; *c != '\0'; c++)
        if (*c == name && (c == input->expression || !is_word(c[-1])) && !is_word(c[1]))
            return true;
    return false;
}

/* Linear between the rows, constant before and after; behind a jump where t is its time. */
static double table_at(const struct csv *table, double t)
{
    const double *times = table->values[0], *values = table->values[1];
    int64_t low = 0, high = table->rows; /* rows before `low` are at or before t */
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (times[middle] <= t)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return values[0];
    if (low == table->rows)
        return values[low - 1];
    const double share = (t - times[low - 1]) / (times[low] - times[low - 1]);
    return values[low - 1] + share * (values[low] - values[low - 1]);
}

enum status function_at(const struct function *function, double s, double t, double *value)
{
    const double both[2] = {s, t};
    switch (function->input->kind) {
    case FUNCTION_EXPRESSION:
        return expression_evaluate(function->expression,
                                   function->names[0] == 's' ? both : &both[1], value);
    case FUNCTION_TABLE:
        *value = table_at(&function->table, t);
        return STATUS_OK;
    case FUNCTION_NUMBER:
        break;
    }
    *value = function->input->number;
    return STATUS_OK;
}
