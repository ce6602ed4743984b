/* Work in parts, side by side in threads. */
#ifndef ISOTHERM_BASE_PARTS_H
#define ISOTHERM_BASE_PARTS_H

#include <stdint.h>

/* Calls work(state, part) for part 0 .. parts - 1, each in a thread of its own, and returns when
 * all are done. Where there is no further thread to be had the caller does the work. */
void parts_run(int parts, void (*work)(void *state, int part), void *state);

/* Where part `part` of `count` things begins; part `parts` is the end. */
static inline int64_t parts_begin(int64_t count, int part, int parts)
{
    return count / parts * part + count % parts * part / parts;
}

#endif
