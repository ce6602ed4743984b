#include "kernels/cpu/step.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernels/cpu/isa.h"

struct cpu_scratch {
    const struct cpu_isa *isa;
    unsigned char *memory;
    size_t bytes;
};

#if defined(__x86_64__)
static const struct cpu_isa *const known[] = {&cpu_isa_avx512, &cpu_isa_avx2, &cpu_isa_baseline};

static bool processor_has(const struct cpu_isa *isa)
{
    __builtin_cpu_init();
    if (isa == &cpu_isa_avx512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("fma");
    if (isa == &cpu_isa_avx2)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return true;
}
#else
static const struct cpu_isa *const known[] = {&cpu_isa_baseline};

static bool processor_has(const struct cpu_isa *isa)
{
    return isa == &cpu_isa_baseline;
}
#endif

enum { KNOWN = sizeof known / sizeof known[0] };

static const struct cpu_isa *best_isa(void)
{
    for (int i = 0; i < KNOWN; i++)
        if (processor_has(known[i]))
            return known[i];
    return &cpu_isa_baseline;
}

static enum status choose_isa(const struct cpu_isa **isa)
{
    const char *name = getenv("ISOTHERM_CPU_ISA");
    *isa = best_isa();
    if (name == NULL || name[0] == '\0')
        return STATUS_OK;
    for (int i = 0; i < KNOWN; i++) {
        if (strcmp(name, known[i]->name) != 0)
            continue;
        if (!processor_has(known[i]))
            return fail(STATUS_INPUT,
                        "ISOTHERM_CPU_ISA=%s: this processor does not have these instructions; "
                        "unset the variable to use %s",
                        name, (*isa)->name);
        *isa = known[i];
        return STATUS_OK;
    }
    return fail(STATUS_INPUT,
                "ISOTHERM_CPU_ISA=%s: not an instruction set of this program; set it to baseline, "
                "avx2 or avx512, or unset it",
                name);
}

const char *cpu_step_instruction_set(void)
{
    const struct cpu_isa *isa = NULL;
    if (choose_isa(&isa) != STATUS_OK)
        error_clear();
    return isa->name;
}

enum status cpu_scratch_open(struct cpu_scratch **scratch)
{
    const struct cpu_isa *isa = NULL;
    TRY(choose_isa(&isa));
    TRY(memory_alloc(scratch, 1, sizeof **scratch, "working memory of a queue"));
    (*scratch)->isa = isa;
    return STATUS_OK;
}

void cpu_scratch_close(struct cpu_scratch *scratch)
{
    if (scratch == NULL)
        return;
    free(scratch->memory);
    free(scratch);
}

static enum status scratch_grow(struct cpu_scratch *scratch, size_t bytes)
{
    if (bytes <= scratch->bytes)
        return STATUS_OK;
    free(scratch->memory);
    scratch->bytes = 0;
    bytes = size_round_up(bytes, SCRATCH_ALIGNMENT);
    scratch->memory = aligned_alloc(SCRATCH_ALIGNMENT, bytes);
    if (scratch->memory == NULL)
        return fail(STATUS_MEMORY, "working memory of a time step: %zu bytes are not available",
                    bytes);
    scratch->bytes = bytes;
    return STATUS_OK;
}

enum status cpu_step(struct cpu_scratch *scratch, const struct step *step)
{
    if (region_is_empty(step->region))
        return STATUS_OK;
    const bool is_double = step->block->element_bytes == sizeof(double);
    const struct cpu_precision *kernel = is_double ? &scratch->isa->f64 : &scratch->isa->f32;
    TRY(scratch_grow(scratch, kernel->scratch_bytes(step)));
    kernel->advance(step, scratch->memory);
    return STATUS_OK;
}
