/* Monotonic seconds since an arbitrary start; never goes back. */
#ifndef ISOTHERM_BASE_CLOCK_H
#define ISOTHERM_BASE_CLOCK_H

double clock_seconds(void);

#endif
