/* From command-line options to a plan: what `run` and `check` do first. */
#ifndef ISOTHERM_SOLVER_CLI_SESSION_H
#define ISOTHERM_SOLVER_CLI_SESSION_H

#include "io/input.h"
#include "io/rundir.h"
#include "kernels/backend.h"
#include "kernels/probe.h"
#include "solver/cli/options.h"
#include "solver/plan.h"

enum { SESSION_WARNINGS = 3 };

struct session {
    struct options options;
    struct input input;
    struct plan plan;
    const struct backend *backend;
    const char *backend_reason;         /* why this one */
    char device_name[PROBE_TEXT_BYTES]; /* of the first GPU; "" without */
    const char *depth_reason;           /* why so many steps per exchange: "" or text to print */
    int device_count;                   /* GPUs, or cores: what "auto" may use */
    enum transport transport;
    bool has_overlap;
    bool shares_devices;                  /* there are more ranks than GPUs */
    bool has_time_slices;                 /* and no MPS server lets them run side by side */
    int ordinals[CONTROL_MAX_RANKS];      /* device of each rank */
    char *settings;                       /* text of input_write(); owned */
    char warnings[SESSION_WARNINGS][512]; /* about the input; "": none */
};

/* Parses options, reads the input, chooses backend and transport, makes the plan. Opens no device.
 * On failure session_close() may still be called. */
enum status session_open(int argc, char **argv, struct session *session) MUST_CHECK;
void session_close(struct session *session);

/* STATUS_MEMORY when the run does not fit into what this machine has free now. */
enum status session_check_memory(const struct session *session) MUST_CHECK;

/* What the options say about earlier results. */
enum rundir_mode session_mode(const struct session *session);

/* Names for people. */
const char *session_transport_name(const struct session *session);

#endif
