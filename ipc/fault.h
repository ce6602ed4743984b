/* Named points where tests make a process die or hang, see docs/testing.md. Without the environment
 * variable ISOTHERM_FAULT a point costs one predictable branch. */
#ifndef ISOTHERM_IPC_FAULT_H
#define ISOTHERM_IPC_FAULT_H

#include "base/error.h"

/* Reads ISOTHERM_FAULT="name:process:action[:count]", once, before the fork. `process` is a rank's
 * number or "writer"; `action` is kill (SIGKILL), stop (SIGSTOP), loop (for ever), abort or exit
 * (as if it were done); it happens when the process passes the point for the count-th time, 1 if
 * not given. STATUS_INPUT when it cannot be read. */
enum status fault_arm(void) MUST_CHECK;

void fault_point(const char *name, int process);

#endif
