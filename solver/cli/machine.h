/* What this machine has, asked without touching a device in this process. */
#ifndef ISOTHERM_SOLVER_CLI_MACHINE_H
#define ISOTHERM_SOLVER_CLI_MACHINE_H

#include "base/error.h"
#include "kernels/probe.h"

/* Cores this process may use. */
int machine_cores(void);

/* GPUs, asked in a child process so that this one may still fork: 0 with a reason is an answer. */
enum status machine_gpus(struct device_list *list) MUST_CHECK;

#endif
