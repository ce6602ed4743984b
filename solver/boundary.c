#include "solver/boundary.h"

#include <math.h>

enum status boundary_fail_flux(enum side side)
{
    return fail(STATUS_INPUT,
                "boundary.%s: a flux cannot enter a material that does not conduct; give it a "
                "conductivity above 0 or make the side insulated",
                side_names[side]);
}

enum status boundary_map(const struct boundary_values *values, enum side side, double k, double d,
                         struct ghost_map *map)
{
    const double h = values->coefficient;
    switch (values->type) {
    case BOUNDARY_TEMPERATURE:
        *map = (struct ghost_map){.a = 2.0 * values->value, .b = -1.0};
        return STATUS_OK;
    case BOUNDARY_FLUX:
        if (!(k > 0.0) && values->value != 0.0)
            return boundary_fail_flux(side);
        *map = (struct ghost_map){.a = k > 0.0 ? values->value * d / k : 0.0, .b = 1.0};
        return STATUS_OK;
    case BOUNDARY_CONVECTION: {
        const double resistance = 2.0 * k + h * d;
        const double m = resistance > 0.0 ? 2.0 * h * d / resistance : 0.0;
        *map = (struct ghost_map){.a = m * values->ambient, .b = 1.0 - m};
        return STATUS_OK;
    }
    case BOUNDARY_RADIATION:
        *map =
            (struct ghost_map){.a = k > 0.0 ? values->emissivity * STEFAN_BOLTZMANN * d / (2.0 * k)
                                            : 0.0, /* nothing gets through the half cell */
                               .b = values->ambient};
        return STATUS_OK;
    case BOUNDARY_INSULATED:
    case BOUNDARY_PERIODIC:
        break;
    }
    *map = (struct ghost_map){.a = 0.0, .b = 1.0};
    return STATUS_OK;
}

double boundary_spectrum(int64_t n, const double walls[2], double k, double face_k)
{
    if (walls == NULL)
        return n > 1 ? 4.0 * face_k : 0.0;
    if (n == 1)
        return k * (walls[0] + walls[1]);
    const double at_ends = 2.0 * face_k + k * fmax(walls[0], walls[1]);
    return n > 2 ? fmax(4.0 * face_k, at_ends) : at_ends;
}

enum status boundary_open(const struct input_boundary *input, struct boundary *boundary)
{
    *boundary = (struct boundary){.type = input->type};
    TRY(function_open(&input->value, "st", &boundary->value));
    TRY(function_open(&input->coefficient, "st", &boundary->coefficient));
    TRY(function_open(&input->emissivity, "st", &boundary->emissivity));
    return function_open(&input->ambient, "st", &boundary->ambient);
}

void boundary_close(struct boundary *boundary)
{
    function_close(&boundary->value);
    function_close(&boundary->coefficient);
    function_close(&boundary->emissivity);
    function_close(&boundary->ambient);
}

bool boundary_depends_on(const struct input_boundary *input, char name)
{
    return function_depends_on(&input->value, name) ||
           function_depends_on(&input->coefficient, name) ||
           function_depends_on(&input->emissivity, name) ||
           function_depends_on(&input->ambient, name);
}

static enum status radiation_at(const struct boundary *boundary, double s, double t,
                                struct boundary_values *values)
{
    TRY(function_at(&boundary->emissivity, s, t, &values->emissivity));
    TRY(function_at(&boundary->ambient, s, t, &values->ambient));
    if (!(values->emissivity >= 0.0 && values->emissivity <= 1.0))
        return fail(STATUS_INPUT,
                    "%s: the emissivity is %.9g at s = %.9g m, t = %.9g s; it lies between 0 and 1",
                    boundary->emissivity.input->where, values->emissivity, s, t);
    if (!(values->ambient >= 0.0))
        return fail(STATUS_INPUT,
                    "%s: the surroundings have %.9g K at s = %.9g m, t = %.9g s; radiation needs "
                    "temperatures above 0 K",
                    boundary->ambient.input->where, values->ambient, s, t);
    return STATUS_OK;
}

enum status boundary_at(const struct boundary *boundary, double s, double t,
                        struct boundary_values *values)
{
    *values = (struct boundary_values){.type = boundary->type};
    if (boundary->type == BOUNDARY_TEMPERATURE || boundary->type == BOUNDARY_FLUX)
        return function_at(&boundary->value, s, t, &values->value);
    if (boundary->type == BOUNDARY_RADIATION)
        return radiation_at(boundary, s, t, values);
    if (boundary->type != BOUNDARY_CONVECTION)
        return STATUS_OK;
    TRY(function_at(&boundary->coefficient, s, t, &values->coefficient));
    if (!(values->coefficient >= 0.0))
        return fail(STATUS_INPUT,
                    "%s: the coefficient is %.9g W/m2/K at s = %.9g m, t = %.9g s; it must not be "
                    "negative",
                    boundary->coefficient.input->where, values->coefficient, s, t);
    return function_at(&boundary->ambient, s, t, &values->ambient);
}
