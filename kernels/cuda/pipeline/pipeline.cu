/* Chooses the instance. */
#include "kernels/cuda/pipeline/pipeline.h"

#include "kernels/cuda/pipeline/instance.cuh"

static const pipeline_instances *const groups[] = {&pipeline_f64,         &pipeline_f64_general,
                                                   &pipeline_f64_kinds,   &pipeline_f32,
                                                   &pipeline_f32_general, &pipeline_f32_kinds};

/* Whether cells go by kind and nothing heats them but sources that do not change; *cells: how. */
static bool find_cells(const step *step, pipeline_cells *cells)
{
    const zones *const zones = step->zones;
    *cells = PIPELINE_ALIKE;
    if (zones == nullptr)
        return true;
    *cells = zones->has_gain ? PIPELINE_SOURCES : PIPELINE_KINDS;
    for (const side_map &side : step->sides)
        if (side.is_boundary && side.is_radiating)
            return false;
    const bool is_varied = zones->patch != nullptr || zones->field_count + zones->spot_count > 0 ||
                           zones->source_stride != 0 || zones->has_loss;
    return zones->kind != nullptr && step->stage == nullptr && !(zones->has_gain && is_varied);
}

/* Whether an instance is for such cells; those of several kinds take any fixed cells. */
static bool suits(const pipeline_instance *instance, bool is_double, pipeline_cells cells,
                  bool is_equal, bool has_fixed)
{
    return instance->is_double == is_double && instance->cells == cells &&
           instance->is_equal == is_equal &&
           (cells != PIPELINE_ALIKE || instance->has_fixed == has_fixed);
}

/* As the other kernels see it: in the precision of the field. */
static bool is_equal_step(const step *step)
{
    if (step->zones != nullptr)
        return step->zones->is_equal;
    return step->block->element_bytes == sizeof(double)
               ? step->rx == step->ry
               : static_cast<float>(step->rx) == static_cast<float>(step->ry);
}

static const pipeline_instance *find(const step *step)
{
    const bool is_double = step->block->element_bytes == sizeof(double);
    const bool is_equal = is_equal_step(step);
    const bool has_fixed = step->fixed != nullptr;
    pipeline_cells cells;
    if (!find_cells(step, &cells)) /* step_zones.cuh knows more */
        return nullptr;
    for (const pipeline_instances *each : groups)
        for (int n = 0; n < each->count; n++) {
            const pipeline_instance *const instance = &each->first[n];
            if (instance->steps == step->steps &&
                suits(instance, is_double, cells, is_equal, has_fixed))
                return instance;
        }
    return nullptr;
}

/* Sources are no case of their own: they have the instances of kinds. */
extern "C" int pipeline_most_steps(const struct step_case *step_case, int limit)
{
    int most = 0;
    if (step_case->cells > STEP_BY_KIND)
        return 0;
    const pipeline_cells cells = step_case->cells == STEP_ALIKE ? PIPELINE_ALIKE : PIPELINE_KINDS;
    for (const pipeline_instances *each : groups)
        for (int n = 0; n < each->count; n++) {
            const pipeline_instance *const instance = &each->first[n];
            if (instance->steps > most && instance->steps <= limit &&
                suits(instance, step_case->is_double, cells, step_case->is_equal,
                      step_case->has_fixed))
                most = instance->steps;
        }
    return most;
}

/* The machine code is for compute capability 9.0 alone. */
static cudaError_t find_gpu(bool *is_right)
{
    int device = 0, major = 0, minor = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
    *is_right = error == cudaSuccess && major == 9 && minor == 0;
    return error;
}

extern "C" cudaError_t pipeline_prepare(void)
{
    bool is_right;
    cudaError_t error = find_gpu(&is_right);
    if (error != cudaSuccess || !is_right)
        return error;
    error = pipeline_balance_forget();
    if (error != cudaSuccess)
        return error;
    for (const pipeline_instances *each : groups)
        for (int n = 0; n < each->count; n++) {
            error = each->first[n].prepare();
            if (error != cudaSuccess)
                return error;
        }
    return cudaSuccess;
}

extern "C" bool pipeline_takes(const struct step *step, int multiprocessors)
{
    bool is_right;
    const pipeline_instance *const instance = find(step);
    return instance != nullptr && find_gpu(&is_right) == cudaSuccess && is_right &&
           instance->takes(step, multiprocessors);
}

extern "C" cudaError_t pipeline_launch(const struct step *step, int multiprocessors,
                                       cudaStream_t stream)
{
    const pipeline_instance *const instance = find(step);
    return instance == nullptr ? cudaErrorInvalidValue
                               : instance->launch(step, multiprocessors, stream);
}
