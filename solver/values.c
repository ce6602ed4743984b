#include "solver/values.h"

#include <stdlib.h>

#include "base/expr.h"
#include "base/memory.h"
#include "io/field.h"

static enum status from_expression(const struct input *input, const struct input_field *field,
                                   const unsigned char *materials, int material, double *values)
{
    const int64_t nx = input->cells[0], ny = input->cells[1];
    const double dx = input->size[0] / (double)nx, dy = input->size[1] / (double)ny;
    struct expression *expression = NULL;
    enum status status = expression_open(&expression, field->expression, "xy", field->where);
    for (int64_t c = 0; c < nx * ny && status == STATUS_OK; c++) {
        const double centre[2] = {((double)(c % nx) + 0.5) * dx, ((double)(c / nx) + 0.5) * dy};
        if (materials == NULL || materials[c] == material)
            status = expression_evaluate_cell(expression, centre, c % nx, c / nx, &values[c]);
    }
    expression_close(expression);
    return status;
}

static enum status from_file(const struct input *input, const struct input_field *field,
                             const unsigned char *materials, int material, double *values)
{
    const int64_t nx = input->cells[0], ny = input->cells[1];
    double *all = NULL;
    if (materials == NULL)
        return field_read(field->file, field->dataset, field->from_top, nx, ny, field->where,
                          values);
    TRY(memory_alloc(&all, (size_t)(nx * ny), sizeof *all, "field"));
    const enum status status =
        field_read(field->file, field->dataset, field->from_top, nx, ny, field->where, all);
    for (int64_t c = 0; c < nx * ny && status == STATUS_OK; c++)
        if (materials[c] == material)
            values[c] = all[c];
    free(all);
    return status;
}

enum status values_evaluate(const struct input *input, const struct input_field *field,
                            const unsigned char *materials, int material, double *values)
{
    if (field->kind == FIELD_EXPRESSION)
        return from_expression(input, field, materials, material, values);
    if (field->kind == FIELD_FILE)
        return from_file(input, field, materials, material, values);
    for (int64_t c = 0; c < input->cells[0] * input->cells[1]; c++)
        if (materials == NULL || materials[c] == material)
            values[c] = field->number;
    return STATUS_OK;
}
