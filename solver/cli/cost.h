/* What a run will take: memory, results and time. */
#ifndef ISOTHERM_SOLVER_CLI_COST_H
#define ISOTHERM_SOLVER_CLI_COST_H

#include "solver/cli/session.h"

struct cost {
    double rank_bytes;   /* device memory of the largest rank */
    double shared_bytes; /* by all processes */
    double host_bytes;   /* of this machine's memory, the shared ones among them */
    int64_t snapshots;
    double output_bytes; /* snapshots and fields that do not change, before compression */
    double seconds;      /* of the whole run, within a factor of two or so on the machines that
                            bench/results/ has */
};

struct cost cost_find(const struct session *session);

#endif
