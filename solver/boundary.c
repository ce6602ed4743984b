#include "solver/boundary.h"

#include <math.h>

enum status boundary_map(const struct input_boundary *boundary, enum side side, double k, double d,
                         struct ghost_map *map)
{
    const double h = boundary->coefficient;
    switch (boundary->type) {
    case BOUNDARY_TEMPERATURE:
        *map = (struct ghost_map){.a = 2.0 * boundary->value, .b = -1.0};
        return STATUS_OK;
    case BOUNDARY_FLUX:
        if (!(k > 0.0) && boundary->value != 0.0)
            return fail(STATUS_INPUT,
                        "boundary.%s: a flux cannot enter a material that does not conduct; give "
                        "it a conductivity above 0 or make the side insulated",
                        side_names[side]);
        *map = (struct ghost_map){.a = k > 0.0 ? boundary->value * d / k : 0.0, .b = 1.0};
        return STATUS_OK;
    case BOUNDARY_CONVECTION: {
        const double resistance = 2.0 * k + h * d;
        const double m = resistance > 0.0 ? 2.0 * h * d / resistance : 0.0;
        *map = (struct ghost_map){.a = m * boundary->ambient, .b = 1.0 - m};
        return STATUS_OK;
    }
    case BOUNDARY_INSULATED:
    case BOUNDARY_PERIODIC:
        break;
    }
    *map = (struct ghost_map){.a = 0.0, .b = 1.0};
    return STATUS_OK;
}

double boundary_spectrum(int64_t n, const struct ghost_map ends[2])
{
    if (ends == NULL)
        return n > 1 ? 4.0 : 0.0;
    const double left = 1.0 - ends[0].b, right = 1.0 - ends[1].b;
    if (n == 1)
        return left + right;
    const double at_ends = 2.0 + fmax(left, right);
    return n > 2 ? fmax(4.0, at_ends) : at_ends;
}
