/* Temperatures for people: degrees Celsius. Files and everything else are in K. */
#ifndef ISOTHERM_SOLVER_CLI_CELSIUS_H
#define ISOTHERM_SOLVER_CLI_CELSIUS_H

#include <stdint.h>

extern const char celsius_unit[]; /* "°C" */

/* Turns values[count] from K into degrees Celsius. Where single precision has rounded a value with
 * up to four decimals, 293.15 to 293.149994, that one is meant: 20 and not 19.999994. */
void celsius_from_kelvin(double *values, int64_t count);

#endif
