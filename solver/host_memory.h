/* Whether a run fits into this machine's memory, before anything is allocated: what does not fit
 * would be killed by the system in its middle, which no message could explain. */
#ifndef ISOTHERM_SOLVER_HOST_MEMORY_H
#define ISOTHERM_SOLVER_HOST_MEMORY_H

#include <stdbool.h>

#include "solver/plan.h"

/* Bytes of the host that all processes of a run take together at most, but for some megabytes each.
 * `has_fields`: the ranks' devices live in host memory. */
double host_memory_needed(const struct plan *plan, bool has_fields);

/* Bytes that can be had now: what the system calls available, or less where a control group (a
 * container, a batch job) allows less. 0 when unknown. `root` goes before /proc and /sys: "" but in
 * tests. */
double host_memory_available(const char *root);

/* STATUS_MEMORY with both numbers and what to do when the run does not fit. */
enum status host_memory_check(const struct plan *plan, bool has_fields,
                              const char *root) MUST_CHECK;

/* The same before there is a plan: `cell_bytes` for each cell are about to be taken to make it. */
enum status host_memory_check_cells(const struct input *input, double cell_bytes,
                                    const char *root) MUST_CHECK;

#endif
