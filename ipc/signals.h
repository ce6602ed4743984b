/* The signals of the launcher: blocked for the whole run and taken one by one, so that none can
 * interrupt anything and none is lost. */
#ifndef ISOTHERM_IPC_SIGNALS_H
#define ISOTHERM_IPC_SIGNALS_H

#include <signal.h>

#include "base/error.h"

enum { SIGNALS_HANDLED = 7 };

struct signals {
    sigset_t watched, old_mask;
    struct sigaction old[SIGNALS_HANDLED];
};

/* SIGCHLD, SIGTERM, SIGINT, SIGUSR1 and SIGUSR2 wait to be taken, however the caller's parent had
 * set them, and SIGHUP unless it is ignored (nohup); SIGPIPE is ignored. */
enum status signals_open(struct signals *signals) MUST_CHECK;

/* What was before. Signals still waiting are dropped: the run they were meant for is over. */
void signals_close(const struct signals *signals);

/* In a child: the launcher alone decides about SIGINT, SIGTERM, SIGHUP, SIGUSR1 and SIGUSR2,
 * which terminals and batch systems also send to the whole group; so they are ignored, and SIGPIPE
 * is. */
void signals_in_child(const struct signals *signals);

/* The next signal, 0 when none came within `seconds`. */
int signals_take(const struct signals *signals, double seconds);

#endif
