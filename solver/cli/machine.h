/* What this machine has, asked without touching a device in this process. */
#ifndef ISOTHERM_SOLVER_CLI_MACHINE_H
#define ISOTHERM_SOLVER_CLI_MACHINE_H

#include <stddef.h>

#include "base/error.h"
#include "kernels/probe.h"

/* Cores this process may use. */
int machine_cores(void);

/* What only a process that may not fork afterwards can find out. */
typedef enum status (*machine_question)(const void *argument, void *answer);

/* Asks in a child process; what it puts into answer (bytes long) comes back, and its error. */
enum status machine_ask(machine_question ask, const void *argument, void *answer,
                        size_t bytes) MUST_CHECK;

/* GPUs, asked in a child process so that this one may still fork: 0 with a reason is an answer. */
enum status machine_gpus(struct device_list *list) MUST_CHECK;

#endif
