/* Time steps on CPU cores. One process uses one core; which instructions it uses is chosen when the
 * first scratch is opened: the best that the processor has, or the one that the environment
 * variable ISOTHERM_CPU_ISA names (baseline, avx2, avx512). All give the same bits. */
#ifndef ISOTHERM_KERNELS_CPU_STEP_H
#define ISOTHERM_KERNELS_CPU_STEP_H

#include "base/error.h"
#include "kernels/backend.h"

/* Working memory of a queue: grows when a step needs more and is kept until it is closed. Not to be
 * used by two threads at once. */
struct cpu_scratch;

/* STATUS_INPUT when ISOTHERM_CPU_ISA names what this program or processor does not have. */
enum status cpu_scratch_open(struct cpu_scratch **scratch) MUST_CHECK;
void cpu_scratch_close(struct cpu_scratch *scratch); /* NULL is fine */

/* Does what `struct step` says before it returns. STATUS_MEMORY when the scratch cannot grow. */
enum status cpu_step(struct cpu_scratch *scratch, const struct step *step) MUST_CHECK;

/* "baseline", "avx2" or "avx512"; of the processor while ISOTHERM_CPU_ISA is wrong. */
const char *cpu_step_instruction_set(void);

#endif
