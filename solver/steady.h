/* When a run has reached its steady state. Decided by the writer, which sees the whole field as it
 * is whatever the number of ranks: at fixed times, every half relaxation time (relaxation.h), so
 * that the decision depends on no step, layout, depth or device.
 *
 * Cells: D, the largest change of a cell between two looks, falls by q from look to look once the
 * slowest disturbance is alone, so what is still to come is the geometric series D q / (1 - q)
 * (Aitken, Proc. Roy. Soc. Edinburgh 46 (1926) 289). The larger of that and D must be at most
 * `tolerance` of the range of temperatures of start, field and surroundings. Heat: what the domain
 * stores between two looks must be at most `tolerance` of the heat that flows through, half of the
 * sum of all flows taken as positive; as ISO 10211 asks with 1e-4. It is not asked where flows die
 * out themselves (below `tolerance` of the largest there was), nor beside fixed cells, whose heat
 * is only known as what the balance leaves. Both must hold at two looks in a row. A field that
 * moves by rounding alone is at rest, and may leave a little more heat. */
#ifndef ISOTHERM_SOLVER_STEADY_H
#define ISOTHERM_SOLVER_STEADY_H

#include "io/checkpoint.h"
#include "solver/balance.h"
#include "solver/extremes.h"
#include "solver/plan.h"

struct steady_flows { /* W/m into the domain, mean of the time between two looks */
    double sides[SIDE_COUNT];
    double fixed, sources, loss;
    double stored;
};

/* Doubles alone: it goes into checkpoints as it is. */
struct steady_record {
    double looks;
    double change;   /* K: D of the last look */
    double distance; /* share of the range that is still to come; INFINITY: not known yet */
    double missing;  /* stored heat as a share of what flows */
    double smallest; /* K: change of a look so far */
    double still;    /* looks since then, all with changes as small as rounding */
    double held;     /* looks in a row at which both criteria held */
    double is_reached;
    double tolerance; /* that was asked for at the last look */
    double low, high; /* K: the range of temperatures */
    double largest;   /* W/m: the largest flow through the domain so far */
    double time;      /* s, of the last look, with the heats since the start, J/m: */
    double heats[SIDE_COUNT + 4];
    struct steady_flows flows;
};

struct steady {
    const struct plan *plan;
    struct steady_record record;
    void *previous; /* (ny, nx): field of the last look, as frames hold it */
};

/* `surroundings`: see extremes.h; bounds that are infinite do not count. On failure steady_close()
 * may still be called. */
enum status steady_open(const struct plan *plan, const struct extremes *surroundings,
                        struct steady *steady) MUST_CHECK;
void steady_close(struct steady *steady);

/* The field at the start; extremes in K. */
void steady_start(struct steady *steady, const void *field, const struct extremes *extremes,
                  double time);

/* A look; returns whether the steady state is reached. */
bool steady_look(struct steady *steady, const void *field, const struct extremes *extremes,
                 double time, const struct balance *balance);

/* For checkpoints; the data stay the steady's own. */
void steady_save(const struct steady *steady, struct checkpoint *checkpoint);
enum status steady_restore(struct steady *steady, const struct checkpoint *checkpoint) MUST_CHECK;
/* A state that was reached is not where a smaller tolerance is asked for now. */
enum status steady_read_record(const struct checkpoint *checkpoint, double tolerance,
                               struct steady_record *record) MUST_CHECK;

#endif
