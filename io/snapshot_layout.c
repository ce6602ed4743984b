#include "io/snapshot_layout.h"

#define MEMBER(name) offsetof(struct snapshot_frame, name)
#define SIDE_FLOW(side)                                                                            \
    (offsetof(struct snapshot_frame, side_flow) + (size_t)(side) * sizeof(double))
#define SIDE_HEAT(side)                                                                            \
    (offsetof(struct snapshot_frame, side_heat) + (size_t)(side) * sizeof(double))

const struct snapshot_number snapshot_numbers[SNAPSHOT_NUMBERS] = {
    {"time", "s", "simulated time", MEMBER(time)},
    {"energy", "J/m", "heat stored in the plate, per metre of depth", MEMBER(energy)},
    {"heat_left", "J/m", "heat in through the left side since the start", SIDE_HEAT(SIDE_LEFT)},
    {"heat_right", "J/m", "heat in through the right side since the start", SIDE_HEAT(SIDE_RIGHT)},
    {"heat_bottom", "J/m", "heat in through the bottom since the start", SIDE_HEAT(SIDE_BOTTOM)},
    {"heat_top", "J/m", "heat in through the top since the start", SIDE_HEAT(SIDE_TOP)},
    {"heat_fixed", "J/m", "heat in from the fixed cells since the start", MEMBER(fixed_heat)},
    {"heat_sources", "J/m", "heat from sources since the start", MEMBER(source_heat)},
    {"heat_loss", "J/m", "heat in by linear loss since the start", MEMBER(loss_heat)},
    {"residual", "J/m", "heat gained minus all heat that came in", MEMBER(residual)},
    {"flow_left", "W/m", "heat flow in through the left side", SIDE_FLOW(SIDE_LEFT)},
    {"flow_right", "W/m", "heat flow in through the right side", SIDE_FLOW(SIDE_RIGHT)},
    {"flow_bottom", "W/m", "heat flow in through the bottom", SIDE_FLOW(SIDE_BOTTOM)},
    {"flow_top", "W/m", "heat flow in through the top", SIDE_FLOW(SIDE_TOP)},
    {"flow_fixed", "W/m", "heat flow in from the fixed cells", MEMBER(fixed_flow)},
    {"flow_sources", "W/m", "heat flow from sources", MEMBER(source_flow)},
    {"flow_loss", "W/m", "heat flow in by linear loss", MEMBER(loss_flow)},
    {"flow_stored", "W/m", "heat flow that the plate still stores", MEMBER(stored_flow)},
};

const struct snapshot_field snapshot_fields[OUTPUT_FIELDS] = {
    [OUTPUT_TEMPERATURE] = {"K", "temperature", "Temperature"},
    [OUTPUT_HEAT_FLUX_X] = {"W/m2", "heat flux along x", "Heat flux along x"},
    [OUTPUT_HEAT_FLUX_Y] = {"W/m2", "heat flux along y", "Heat flux along y"},
    [OUTPUT_GRADIENT] = {"K/m", "magnitude of the temperature gradient", "Temperature gradient"},
    [OUTPUT_MATERIAL] = {"1", "material of the cell", "Material"},
};

enum { CHUNK_MOST_BYTES = 4 << 20 };

static int64_t divide_up(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

/* The largest equal share of n that is at most `most`. */
static int64_t even_share(int64_t n, int64_t most)
{
    return divide_up(n, divide_up(n, most));
}

void snapshot_chunk(int64_t nx, int64_t ny, size_t element_bytes, int64_t *columns, int64_t *rows)
{
    const int64_t most = CHUNK_MOST_BYTES / (int64_t)element_bytes;
    *columns = nx <= most ? nx : even_share(nx, most);
    const int64_t most_rows = most / *columns;
    *rows = ny <= most_rows ? ny : even_share(ny, most_rows);
}
