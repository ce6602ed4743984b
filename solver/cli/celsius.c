#include "solver/cli/celsius.h"

#include <math.h>

const char celsius_unit[] = "°C";

static const double zero = 273.15, decimals = 1e4;

static double meant(double kelvin)
{
    const double decimal = round(kelvin * decimals) / decimals;
    const float single = (float)decimal;
    return (double)single == kelvin ? decimal : kelvin;
}

void celsius_from_kelvin(double *values, int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        values[k] = meant(values[k]) - zero;
}
