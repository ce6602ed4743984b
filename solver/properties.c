#include "solver/properties.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/schema.h"
#include "solver/host_memory.h"
#include "solver/material.h"
#include "solver/values.h"

/* What one call fills in. */
struct filling {
    const struct input *input;
    const unsigned char *materials; /* (ny, nx) */
    int material;
};

/* Whether some material that occurs has a property that is no number. */
static bool properties_vary(const struct plan *plan)
{
    const struct input *input = plan->input;
    for (int m = 0; m < input->material_count; m++) {
        const struct input_material *material = &input->materials[m];
        if (material_is_used(plan, m) && (material->conductivity[0].kind != FIELD_NUMBER ||
                                          material->conductivity[1].kind != FIELD_NUMBER ||
                                          material->density.kind != FIELD_NUMBER ||
                                          material->heat_capacity.kind != FIELD_NUMBER))
            return true;
    }
    return false;
}

/* The cells of the material get the field's values, which are in the range of the setting. */
static enum status fill(const struct filling *filling, const struct input_field *field,
                        double least, double *values)
{
    const struct input *input = filling->input;
    const int64_t nx = input->cells[0], ny = input->cells[1];
    TRY(values_evaluate(input, field, filling->materials, filling->material, values));
    for (int64_t c = 0; c < nx * ny; c++)
        if (filling->materials[c] == filling->material &&
            !(values[c] >= least && values[c] <= SETTING_LARGEST))
            return fail(STATUS_INPUT,
                        "%s: the value of cell (%lld, %lld) is %.9g; it must be at least %g and at "
                        "most %g",
                        field->where, (long long)(c % nx), (long long)(c / nx), values[c], least,
                        SETTING_LARGEST);
    return STATUS_OK;
}

static enum status fill_material(const struct filling *filling, struct properties *properties,
                                 double *scratch)
{
    const struct input *input = filling->input;
    const struct input_material *material = &input->materials[filling->material];
    for (int axis = 0; axis < 2; axis++)
        if (axis == 0 || properties->conductivity[1] != properties->conductivity[0])
            TRY(fill(filling, &material->conductivity[axis], 0.0, properties->conductivity[axis]));
    TRY(fill(filling, &material->density, SETTING_SMALLEST, properties->capacity));
    TRY(fill(filling, &material->heat_capacity, SETTING_SMALLEST, scratch));
    for (int64_t c = 0; c < input->cells[0] * input->cells[1]; c++)
        if (filling->materials[c] == filling->material)
            properties->capacity[c] *= scratch[c];
    return STATUS_OK;
}

static bool is_same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool is_anisotropic(const struct input *input)
{
    for (int m = 0; m < input->material_count; m++) {
        const struct input_field *kx = &input->materials[m].conductivity[0], *ky = kx + 1;
        if (kx->kind != ky->kind || kx->number != ky->number || kx->from_top != ky->from_top ||
            !is_same_text(kx->expression, ky->expression) || !is_same_text(kx->file, ky->file) ||
            !is_same_text(kx->dataset, ky->dataset))
            return true;
    }
    return false;
}

static enum status allocate(const struct plan *plan, struct properties *properties)
{
    const struct input *input = plan->input;
    size_t cells = 0;
    TRY(size_multiply((size_t)input->cells[0], (size_t)input->cells[1], &cells));
    TRY(memory_alloc(&properties->capacity, cells, sizeof(double), "properties of cells"));
    TRY(memory_alloc(&properties->conductivity[0], cells, sizeof(double), "properties of cells"));
    properties->conductivity[1] = properties->conductivity[0];
    if (!is_anisotropic(input))
        return STATUS_OK;
    properties->conductivity[1] = NULL;
    return memory_alloc(&properties->conductivity[1], cells, sizeof(double), "properties of cells");
}

static enum status fill_all(const struct plan *plan, struct properties *properties,
                            unsigned char *materials, double *scratch)
{
    const struct input *input = plan->input;
    const int64_t nx = input->cells[0], ny = input->cells[1];
    for (int64_t j = 0; j < ny; j++)
        for (int64_t i = 0; i < nx; i++)
            materials[j * nx + i] = (unsigned char)material_at(plan, i, j);
    for (int m = 0; m < input->material_count; m++) {
        const struct filling filling = {input, materials, m};
        if (material_is_used(plan, m))
            TRY(fill_material(&filling, properties, scratch));
    }
    return STATUS_OK;
}

enum status properties_open(struct plan *plan)
{
    if (!properties_vary(plan))
        return STATUS_OK;
    const double arrays = is_anisotropic(plan->input) ? 3.0 : 2.0; /* and a scratch one */
    TRY(host_memory_check_cells(plan->input, (arrays + 1.0) * sizeof(double) + 1.0, ""));
    TRY(memory_alloc(&plan->properties, 1, sizeof *plan->properties, "properties of cells"));
    TRY(allocate(plan, plan->properties));
    const size_t cells = (size_t)(plan->input->cells[0] * plan->input->cells[1]);
    unsigned char *materials = NULL;
    double *scratch = NULL;
    TRY(memory_alloc(&materials, cells, 1, "materials"));
    enum status status = memory_alloc(&scratch, cells, sizeof *scratch, "properties of cells");
    if (status == STATUS_OK)
        status = fill_all(plan, plan->properties, materials, scratch);
    free(materials);
    free(scratch);
    return status;
}

void properties_close(struct plan *plan)
{
    struct properties *properties = plan->properties;
    if (properties == NULL)
        return;
    if (properties->conductivity[1] != properties->conductivity[0])
        free(properties->conductivity[1]);
    free(properties->conductivity[0]);
    free(properties->capacity);
    free(properties);
    plan->properties = NULL;
}

double properties_face(const struct plan *plan, int axis, int64_t i, int64_t j)
{
    const struct input *input = plan->input;
    const int64_t nx = input->cells[0], n = input->cells[axis];
    const double *k = plan->properties->conductivity[axis];
    const bool is_periodic = input->boundary[2 * axis].type == BOUNDARY_PERIODIC;
    int64_t to[2] = {i, j}, from[2] = {i, j};
    from[axis]--;
    if (is_periodic) {
        to[axis] %= n;
        from[axis] = (from[axis] + n) % n;
    }
    if (from[axis] < 0)
        return k[to[1] * nx + to[0]];
    if (to[axis] == n)
        return k[from[1] * nx + from[0]];
    const double between = material_between(k[from[1] * nx + from[0]], k[to[1] * nx + to[0]]);
    if (input->contact_count == 0)
        return between;
    return material_with_contact(input, material_at(plan, from[0], from[1]),
                                 material_at(plan, to[0], to[1]), between,
                                 axis == 0 ? plan->dx : plan->dy);
}
