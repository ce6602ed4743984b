/* The time loop of a run, timed without output; and the copy bandwidth of a device. For
 * `isotherm bench`. */
#ifndef ISOTHERM_SOLVER_CLI_BENCH_LOOP_H
#define ISOTHERM_SOLVER_CLI_BENCH_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct loop_case {
    const char *backend; /* auto, cuda, cpu */
    int64_t nx, ny;      /* cells of the domain; all four kinds of boundary */
    int ranks;           /* 0: as many as "auto" takes */
    int depth;           /* steps per exchange; 0: as many as "auto" takes */
    bool is_double;
    const char *transport; /* auto, ipc, host; NULL: auto */
};

struct loop_result {
    int ranks, depth;    /* as run */
    const char *backend; /* "cpu" or "cuda" */
    const char *transport;
    int devices;          /* GPUs or cores in use */
    double updates_per_s; /* cells of the domain times steps over time */
    double exchange_s;    /* time of one exchange with its steps */
};

/* Runs the case for about `seconds`. */
enum status bench_loop(const struct loop_case *loop, double seconds,
                       struct loop_result *result) MUST_CHECK;

/* Bytes read plus written per second of a copy within the memory of one device of the backend that
 * "auto" or the name means. */
enum status bench_copy(const char *backend, double *bytes_per_s) MUST_CHECK;

#endif
