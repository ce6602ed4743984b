/* How many of the writer's threads work at a frame: so few that it is done a good while before the
 * next one comes. More are done sooner, but take more of what a rank that computes beside them
 * needs: the memory's bandwidth, the clock of the cores, the other half of its own core. */
#ifndef ISOTHERM_IO_CREW_H
#define ISOTHERM_IO_CREW_H

#include <stdbool.h>

/* Where the time from one snapshot to the next one went, whatever was done in it; s. */
struct crew_times {
    double shared;  /* of all threads together, that any number can do side by side */
    double alone;   /* of the rest, in which one works */
    double between; /* from the begin of the snapshot to that of the next one */
};

/* Threads, 1 to `most`, with which such work takes about two thirds of the time to the next
 * snapshot; `most` where no number does. */
int crew_size(const struct crew_times *times, int most);

/* Starts as zeros but for the first three, which stay the caller's; lives as long as the series is
 * written. */
struct crew {
    int most; /* threads there are */
    /* Whether somebody waits for the frame, or nobody has anything else to do. */
    bool (*is_urgent)(const void *state);
    const void *state;

    int size;         /* for the present frame */
    bool is_snapshot; /* the present frame is one */
    bool is_hurried;  /* it was urgent, at its begin or since */
    int usual;        /* for frames without haste; 0: before the first snapshot */
    /* Since the begin of the last snapshot: */
    double begin_s;  /* that begin, on the clock */
    double shared_s; /* work of all threads together */
    double spread_s; /* what that took with the threads that were at it */
    double idle_s;   /* there was nothing to do */
    bool is_telling; /* there is one, and it tells how long such a frame takes without haste */
};

/* Sets the size for a frame: all threads where it is urgent or nothing is known. Other frames than
 * snapshots, such as checkpoints, are work between two snapshots. */
void crew_begin(struct crew *crew, bool is_snapshot);

/* Notes work that can be shared, s of all threads together, and how many were at it: fewer than the
 * size where the system gave no more or there was not enough to do. */
void crew_note(struct crew *crew, double seconds, int threads);

/* Notes time in which there was nothing to do, s. What is neither is work of one thread. */
void crew_idle(struct crew *crew, double seconds);

/* Whether the frame is urgent by now: then the size is that of all threads. */
bool crew_hurries(struct crew *crew);

#endif
