#include "io/schema.h"

#include "io/input.h"

#define RANGE(lo, hi) .range.least = lo, .range.most = hi
#define ANY           RANGE(-SETTING_LARGEST, SETTING_LARGEST)
#define FROM(lo)      RANGE(lo, SETTING_LARGEST)
#define ABOVE_0       RANGE(SETTING_SMALLEST, SETTING_LARGEST)
#define UP_TO(hi)     RANGE(0.0, hi), .range.is_open = true

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

#define GROUP(name, text, settings, type)                                                          \
    static const struct setting_group name = {text, settings, COUNT(settings), sizeof(type)}

const char *const side_names[SIDE_COUNT] = {"left", "right", "bottom", "top"};

static const char *const sides[] = {"left", "right", "bottom", "top", NULL};
static const char *const boundary_types[] = {"insulated", "temperature", "flux", "convection",
                                             "periodic",  "radiation",   NULL};
static const char *const precisions[] = {"double", "single", NULL};
static const char *const compressions[] = {"auto", "none", "fast", "small", NULL};
const char *const output_field_names[OUTPUT_FIELDS + 1] = {
    [OUTPUT_TEMPERATURE] = "temperature", [OUTPUT_HEAT_FLUX_X] = "heat_flux_x",
    [OUTPUT_HEAT_FLUX_Y] = "heat_flux_y", [OUTPUT_GRADIENT] = "gradient",
    [OUTPUT_MATERIAL] = "material",       [OUTPUT_FIELDS] = NULL};
static const char *const backends[] = {"auto", "cuda", "cpu", NULL};
static const char *const transports[] = {"auto", "ipc", "host", NULL};
static const char *const overlaps[] = {"auto", "on", "off", NULL};
static const char *const schemes[] = {"auto", "euler", "rkl2", NULL};
static const char *const shape_types[] = {"rectangle", "circle", "ellipse", "polygon", NULL};
static const char *const source_types[] = {"uniform", "gaussian", "file", "floorplan", NULL};
static const char *const past_ends[] = {"error", "hold", "repeat", "off", NULL};
static const char *const errors[] = {"stop", "continue", NULL};

#define S(path_, type_, offset_, unit_, fallback_, range_, text_)                                  \
    .path = path_, .type = SETTING_##type_, .offset = offset_, .unit = unit_,                      \
    .fallback = fallback_, range_, .text = text_

#define AT(member) offsetof(struct input_field, member)
static const struct setting file_settings[] = {
    {S("file", FILE, AT(file), "", NULL, ANY,
       "HDF5 file or text array: one value a line, row by row, or `# nx ny` and the values; a path "
       "relative to the folder of the input file.")},
    {S("dataset", TEXT, AT(dataset), "", "\"\"", ANY,
       "Dataset of an HDF5 file, for example `\"/temperature\"`; none for a text array.")},
    {S("from_top", BOOL, AT(from_top), "", "false", ANY,
       "The first row of the text array is the top one.")},
};
#undef AT
GROUP(file_group, "A field from a file", file_settings, struct input_field);

#define AT(member) offsetof(struct input_material, member)
static const struct setting material_settings[] = {
    {S("name", TEXT, AT(name), "", NULL, ANY, "A name.")},
    {S("conductivity", FIELD_PAIR, AT(conductivity), "W/m/K", NULL, FROM(0.0),
       "Heat conductivity; `[kx, ky]` where it differs in x and y. This and what follows: a "
       "number, "
       "an expression in x and y (m) as text, or a file with a value for each cell of the domain, "
       "see below."),
     .group = &file_group},
    {S("density", FIELD, AT(density), "kg/m3", NULL, ABOVE_0, "Density."), .group = &file_group},
    {S("heat_capacity", FIELD, AT(heat_capacity), "J/kg/K", NULL, ABOVE_0,
       "Specific heat capacity."),
     .group = &file_group},
};
#undef AT
GROUP(material_group, "Entries of `materials`", material_settings, struct input_material);

#define AT(member) offsetof(struct input_shape, member)
#define FOR(type)  (1U << SHAPE_##type)
static const struct setting shape_settings[] = {
    {S("type", CHOICE, AT(type), "", NULL, ANY, "What it is; cells whose centre lies in it count."),
     .choices = shape_types},
    {S("from", PAIR, AT(from), "m", NULL, ANY, "Lower left corner."), .only_for = FOR(RECTANGLE)},
    {S("to", PAIR, AT(to), "m", NULL, ANY, "Upper right corner."), .only_for = FOR(RECTANGLE)},
    {S("centre", PAIR, AT(centre), "m", NULL, ANY, "Its centre."),
     .only_for = FOR(CIRCLE) | FOR(ELLIPSE)},
    {S("radius", REAL, AT(radius), "m", NULL, ABOVE_0, "Its radius."), .only_for = FOR(CIRCLE)},
    {S("radii", PAIR, AT(radii), "m", NULL, ABOVE_0, "Half axes along x and y."),
     .only_for = FOR(ELLIPSE)},
    {S("points", POINTS, AT(points), "m", NULL, ANY, "Its corners `( [x, y], ... )`, at least 3."),
     .only_for = FOR(POLYGON), .width = 2},
    {S("material", TEXT, AT(material), "", NULL, ANY, "Name of the material that fills it.")},
};
#undef FOR
#undef AT
GROUP(shape_group, "Entries of `geometry.shapes`", shape_settings, struct input_shape);

#define AT(member) offsetof(struct input_contact, member)
static const struct setting contact_settings[] = {
    {S("material", TEXT, AT(material), "", NULL, ANY, "Name of a material.")},
    {S("beside", TEXT, AT(beside), "", NULL, ANY, "Name of the other one.")},
    {S("resistance", REAL, AT(resistance), "m2 K/W", NULL, FROM(0.0),
       "Of the contact, wherever cells of the two lie beside each other; entries for the same two "
       "must agree. At a wall, use a "
       "convection "
       "coefficient of 1/resistance.")},
};
#undef AT
GROUP(contact_group, "Entries of `contacts`", contact_settings, struct input_contact);

#define AT(member) offsetof(struct input_fixed, member)
static const struct setting fixed_settings[] = {
    {S("region.side", CHOICE, AT(side), "", NULL, ANY, "The outermost cells of this side."),
     .choices = sides, .given = 1 + AT(is_side)},
    {S("region.material", TEXT, AT(material), "", NULL, ANY, "Or: all cells of this material."),
     .given = 1 + AT(is_material)},
    {S("region.from", PAIR, AT(from), "m", NULL, ANY,
       "Or: all cells whose centre lies in a rectangle, its lower left corner."),
     .unless = 1 + AT(is_side), .nor = 1 + AT(is_material)},
    {S("region.to", PAIR, AT(to), "m", NULL, ANY, "Its upper right corner."),
     .unless = 1 + AT(is_side), .nor = 1 + AT(is_material)},
    {S("temperature", REAL, AT(temperature), "K", NULL, ANY,
       "What the cells are held at; without it each stays at its initial value."),
     .given = 1 + AT(has_temperature)},
};
#undef AT
GROUP(fixed_group, "Entries of `fixed`", fixed_settings, struct input_fixed);

#define AT(member) offsetof(struct input_function, member)
static const struct setting table_settings[] = {
    {S("table", FILE, AT(table), "", NULL, ANY,
       "Text file with two columns with a comma between them, time (s) and value, a line of names "
       "first; linear between its "
       "times, constant before and after; two rows of the same time are a jump.")},
};
#undef AT
GROUP(table_group, "A value from a table", table_settings, struct input_function);

#define AT(member) offsetof(struct input_boundary, member)
#define FOR(type)  (1U << BOUNDARY_##type)
static const struct setting boundary_settings[] = {
    {S("type", CHOICE, AT(type), "", NULL, ANY,
       "What the side does; `periodic` joins it with the opposite side, which must say so too."),
     .choices = boundary_types},
    {S("value", FUNCTION, AT(value), "K or W/m2", NULL, ANY,
       "Temperature of the wall, or heat flux into the domain. This and what follows: a number, an "
       "expression in `s` (m along the side, from the left or the bottom) and `t` (s), or a "
       "table."),
     .only_for = FOR(TEMPERATURE) | FOR(FLUX), .group = &table_group, .names = "st"},
    {S("coefficient", FUNCTION, AT(coefficient), "W/m2/K", NULL, FROM(0.0),
       "Heat transfer coefficient."),
     .only_for = FOR(CONVECTION), .group = &table_group, .names = "st"},
    {S("emissivity", FUNCTION, AT(emissivity), "", NULL, RANGE(0.0, 1.0),
       "Share of a black body's radiation that the side sends out and takes in, 0 to 1. "
       "Temperatures of a problem that radiates are in K, above 0."),
     .only_for = FOR(RADIATION), .group = &table_group, .names = "st"},
    {S("ambient", FUNCTION, AT(ambient), "K", NULL, ANY, "Temperature of the surroundings."),
     .only_for = FOR(CONVECTION) | FOR(RADIATION), .group = &table_group, .names = "st"},
};
#undef FOR
#undef AT
GROUP(boundary_group, "A side of `boundary`", boundary_settings, struct input_boundary);

#define AT(member) offsetof(struct input_source, member)
#define FOR(type)  (1U << SOURCE_##type)
static const struct setting source_settings[] = {
    {S("type", CHOICE, AT(type), "", NULL, ANY,
       "A region with the same density everywhere, a round spot that may move, a field, or the "
       "blocks of a chip with a power trace."),
     .choices = source_types},
    {S("power_density", REAL, AT(power_density), "W/m3", NULL, ANY, "Heat per volume."),
     .only_for = FOR(UNIFORM)},
    {S("region.from", PAIR, AT(from), "m", NULL, ANY,
       "`uniform`: only cells whose centre lies in a rectangle, its lower left corner."),
     .given = 1 + AT(has_from)},
    {S("region.to", PAIR, AT(to), "m", NULL, ANY, "Its upper right corner."),
     .given = 1 + AT(has_to)},
    {S("region.material", TEXT, AT(material), "", NULL, ANY,
       "`uniform`: only cells of this material."),
     .given = 1 + AT(is_material)},
    {S("power", REAL, AT(power), "W/m", NULL, ANY,
       "Heat per metre of depth, 2 P/(pi r^2) exp(-2 d^2/r^2) at the distance d from the centre."),
     .only_for = FOR(GAUSSIAN)},
    {S("radius", REAL, AT(radius), "m", NULL, ABOVE_0,
       "r, where the density has fallen to exp(-2): 86.5 % of the heat are within."),
     .only_for = FOR(GAUSSIAN)},
    {S("path", POINTS, AT(path), "s, m", NULL, ANY,
       "Where the centre is when, `( [t, x, y], ... )`: straight between, resting before and "
       "after."),
     .only_for = FOR(GAUSSIAN), .width = 3},
    {S("file", FILE, AT(field.file), "", NULL, ANY,
       "HDF5 file or text array of W/m3, as for a field."),
     .only_for = FOR(FILE)},
    {S("dataset", TEXT, AT(field.dataset), "", "\"\"", ANY, "Dataset of an HDF5 file."),
     .only_for = FOR(FILE)},
    {S("from_top", BOOL, AT(field.from_top), "", "false", ANY,
       "The first row of the text array is the top one."),
     .only_for = FOR(FILE)},
    {S("floorplan", FILE, AT(floorplan), "", NULL, ANY,
       "Floorplan of HotSpot: a line `name width height left bottom` (m) for each block."),
     .only_for = FOR(FLOORPLAN)},
    {S("trace", FILE, AT(trace), "", NULL, ANY,
       "Power trace of HotSpot: a line with the names of the blocks, then rows of their powers "
       "(W). "
       "A block's power is spread evenly over its area, also where its edges cut cells; in a step "
       "it is the mean over the step."),
     .only_for = FOR(FLOORPLAN)},
    {S("interval", REAL, AT(interval), "s", NULL, ABOVE_0,
       "How long each row of the trace lasts; the first begins at t = 0."),
     .only_for = FOR(FLOORPLAN)},
    {S("thickness", REAL, AT(thickness), "m", NULL, ABOVE_0,
       "Of the layer that the power heats: W/m3 are power/(area thickness)."),
     .only_for = FOR(FLOORPLAN)},
    {S("origin", PAIR, AT(origin), "m", "[0.0, 0.0]", ANY,
       "Where the floorplan's (0, 0) lies in the domain."),
     .only_for = FOR(FLOORPLAN)},
    {S("past_end", CHOICE, AT(past_end), "", "\"error\"", ANY,
       "What a run does that goes on after the last row of the trace: it is refused, the last row "
       "is held, the rows come again, or the power is off."),
     .choices = past_ends, .only_for = FOR(FLOORPLAN)},
    {S("factor", FUNCTION, AT(factor), "", "1.0", ANY,
       "What the heat is multiplied with: a number, an expression in `t` (s), or a table."),
     .group = &table_group, .names = "t"},
};
#undef FOR
#undef AT
GROUP(source_group, "Entries of `sources`", source_settings, struct input_source);

#define AT(member) offsetof(struct input_probe, member)
static const struct setting probe_settings[] = {
    {S("name", TEXT, AT(name), "", NULL, ANY, "Its column in probes.csv.")},
    {S("at", PAIR, AT(at), "m", NULL, ANY,
       "Where, inside the domain: linear between cell centres, constant beyond the outermost.")},
    {S("interval", REAL, AT(interval), "s", NULL, ABOVE_0,
       "Simulated time between two values. Hit exactly where it divides `output.interval` (without "
       "one the whole run), or where both are multiples of a time that is not shorter than a step: "
       "steps then become shorter as needed. Otherwise a value is that of the first step after, "
       "with the time of that step, and `isotherm check` says so.")},
};
#undef AT
GROUP(probe_group, "Entries of `output.probes`", probe_settings, struct input_probe);

#define AT(member) offsetof(struct input_region, member)
static const struct setting region_settings[] = {
    {S("from", PAIR, AT(from), "m", NULL, ANY, "Its lower left corner.")},
    {S("to", PAIR, AT(to), "m", NULL, ANY, "Its upper right corner.")},
};
#undef AT
GROUP(region_group, "`output.region`", region_settings, struct input_region);

#define AT(member) offsetof(struct input, member)
#define INSULATED  "{ type = \"insulated\"; }"
#define SIDE(name, side)                                                                           \
    S("boundary." name, GROUP, AT(boundary[side]), "", INSULATED, ANY,                             \
      "The " name " side, see below."),                                                            \
        .group = &boundary_group
static const struct setting root_settings[] = {
    {S("title", TEXT, AT(title), "", "\"\"", ANY, "One line that goes into the results.")},

    {S("domain.size", PAIR, AT(size), "m", NULL, ABOVE_0, "Width and height (x, y).")},
    {S("domain.cells", COUNT_PAIR, AT(cells), "", NULL, RANGE(1, 1099511627776.0),
       "Cells in x and y; their centres lie at (i + 0.5) dx. At most 2^53 in all.")},

    {S("materials", LIST, AT(materials), "", NULL, ANY,
       "The materials, see below; the first fills the domain where the geometry does not say "
       "otherwise."),
     .group = &material_group, .count_offset = AT(material_count)},
    {S("geometry.image", FILE, AT(geometry.image), "", NULL, ANY,
       "Which material is where, as a PNG with a palette or in grey, of up to 8 bits: index or "
       "level i is material i, counted from 0. It covers the domain, its top row at the largest y, "
       "and each cell takes the pixel that its centre lies in. A path relative to the folder of "
       "the input file."),
     .given = 1 + AT(geometry.has_image)},
    {S("geometry.material", FIELD, AT(geometry.material), "", NULL, FROM(0.0),
       "The same without an image: the index of the material of each cell, counted from 0, as an "
       "expression in x and y (m) or a file, see below."),
     .given = 1 + AT(geometry.has_material), .group = &file_group},
    {S("geometry.shapes", LIST, AT(shapes), "", "( )", ANY,
       "Which material is where, see below; painted in order, later ones over earlier ones and all "
       "over the image."),
     .group = &shape_group, .count_offset = AT(shape_count)},

    {S("contacts", LIST, AT(contacts), "", "( )", ANY, "Resistances between materials, see below."),
     .group = &contact_group, .count_offset = AT(contact_count)},

    {S("sources", LIST, AT(sources), "", "( )", ANY,
       "Heat that arises inside, see below; added up."),
     .group = &source_group, .count_offset = AT(source_count)},
    {S("loss.coefficient", REAL, AT(loss.coefficient), "W/m3/K", "0.0", FROM(0.0),
       "Heat that every cell loses per volume and kelvin above `ambient`: through the faces of a "
       "thin plate, h/thickness for each face.")},
    {S("loss.ambient", REAL, AT(loss.ambient), "K", NULL, ANY, "Temperature of the surroundings."),
     .given = 1 + AT(loss.has_ambient)},

    {S("fixed", LIST, AT(fixed), "", "( )", ANY,
       "Cells held at a temperature, see below; later entries win."),
     .group = &fixed_group, .count_offset = AT(fixed_count)},

    {S("initial.temperature", FIELD, AT(initial_temperature), "K", NULL, ANY,
       "A number, an expression in x and y (m) as text, or a file, see below."),
     .group = &file_group},

    {SIDE("left", SIDE_LEFT)},
    {SIDE("right", SIDE_RIGHT)},
    {SIDE("bottom", SIDE_BOTTOM)},
    {SIDE("top", SIDE_TOP)},

    {S("time.start", REAL, AT(time.start), "s", "0.0", ANY, "Time of the initial state.")},
    {S("time.end", REAL, AT(time.end), "s", NULL, ANY,
       "Time of the last state; required. With `steady` optional: when to give up at the latest."),
     .given = 1 + AT(time.has_end)},
    {S("time.steady", BOOL, AT(time.is_steady), "", "false", ANY,
       "March until nothing changes any more, and stop there.")},
    {S("time.tolerance", REAL, AT(time.tolerance), "", "1e-6", RANGE(1e-12, 0.1),
       "Of the steady state: how far from it cells may still be, as a share of the range of "
       "temperatures, and how much heat may still be missing, as a share of the heat that flows.")},
    {S("time.scheme", CHOICE, AT(time.scheme), "", "\"auto\"", ANY,
       "How to advance in time: forward Euler, or Runge-Kutta-Legendre steps of second order that "
       "are many times as long. `\"auto\"`: Euler, but rkl2 with `steady`."),
     .choices = schemes},
    {S("time.step", REAL, AT(time.step), "s", "\"auto\"", ABOVE_0,
       "Largest step; `\"auto\"`: the stability limit times `safety`, for rkl2 the limit of 19 "
       "stages, with `steady` up to 501; a longer step has more stages. Steps are shortened evenly "
       "so that output times are "
       "hit."),
     .or_auto = true},
    {S("time.safety", REAL, AT(time.safety), "", "0.9", UP_TO(1.0),
       "Part of the stability limit that an automatic step uses.")},

    {S("output.directory", TEXT, AT(output.directory), "", "\"\"", ANY,
       "Where the results go, relative to where the program is started; when empty, `out/` and the "
       "name of the input file without `.cfg`.")},
    {S("output.interval", REAL, AT(output.interval), "s", "0.0", FROM(0.0),
       "Simulated time between two snapshots, hit exactly; 0: only the start and the end.")},
    {S("output.precision", CHOICE, AT(output.precision), "", "\"double\"", ANY,
       "Of the snapshots; checkpoints are always full."),
     .choices = precisions},
    {S("output.compression", CHOICE, AT(output.compression), "", "\"auto\"", ANY,
       "Of the snapshots. `\"auto\"`: as `\"fast\"`, but when the next snapshot is already waiting "
       "the rest of a snapshot of 1 MiB or more is stored as it is, if that is quicker and the "
       "disk "
       "has room for all snapshots to come without compression; the file then depends on the speed "
       "of the machine, its values do not. Files of the others are always the same."),
     .choices = compressions},
    {S("output.fields", CHOICES, AT(output.fields), "", "\"auto\"", ANY,
       "What the snapshots hold of every cell, `[\"temperature\", \"heat_flux_x\"]`; "
       "docs/output.md defines each; `\"auto\"`: the temperature. The material is there wherever "
       "there are several, or sources; conductivity, heat capacity and source always."),
     .choices = output_field_names, .or_auto = true},
    {S("output.region", GROUP, AT(output.region), "", NULL, ANY,
       "Snapshots keep only cells whose centre lies in a rectangle `{ from = [x, y]; to = [x, y]; "
       "}`, m."),
     .group = &region_group, .given = 1 + AT(output.has_region)},
    {S("output.stride", INTEGER_PAIR, AT(output.stride), "", "[1, 1]", RANGE(1, 1000000),
       "Snapshots keep every so many-th column and row, from the first one on.")},
    {S("output.threads", INTEGER, AT(output.threads), "", "\"auto\"", RANGE(1, 256),
       "Threads that may work at a snapshot, of which it uses what it needs to be done in time; "
       "`\"auto\"`: as many as there are cores that the ranks leave free, 1 to 16."),
     .or_auto = true},
    {S("output.probes", LIST, AT(output.probes), "", "( )", ANY,
       "Points whose temperature goes into probes.csv, see below."),
     .group = &probe_group, .count_offset = AT(output.probe_count)},

    {S("checkpoint.interval", INTERVAL, AT(checkpoint.interval), "s", "\"10 min wall\"", FROM(0.0),
       "Between two checkpoints: simulated time (`0.5`, `\"0.5 s\"`), or with the word "
       "`wall` time on the clock; 0: none but at an early stop.")},
    {S("checkpoint.keep", INTEGER, AT(checkpoint.keep), "", "2", RANGE(1, 1000),
       "How many of the newest to keep.")},
    {S("checkpoint.on_error", CHOICE, AT(checkpoint.on_error), "", "\"stop\"", ANY,
       "What to do when one cannot be written."),
     .choices = errors},

    {S("run.ranks", INTEGER, AT(run.ranks), "", "\"auto\"", RANGE(1, 256),
       "Processes that share the work; `\"auto\"`: one per GPU, or one per core without a GPU, "
       "fewer for "
       "small grids."),
     .or_auto = true},
    {S("run.layout", INTEGER_PAIR, AT(run.layout), "", "\"auto\"", RANGE(1, 256),
       "How they divide the domain: blocks in x and in y."),
     .or_auto = true},
    {S("run.backend", CHOICE, AT(run.backend), "", "\"auto\"", ANY,
       "What computes; `\"auto\"`: GPUs when there are any."),
     .choices = backends},
    {S("run.precision", CHOICE, AT(run.precision), "", "\"double\"", ANY, "Of the computation."),
     .choices = precisions},
    {S("run.transport", CHOICE, AT(run.transport), "", "\"auto\"", ANY,
       "How ranks exchange edges: device memory shared between processes, or copies through the "
       "host."),
     .choices = transports},
    {S("run.steps_per_exchange", INTEGER, AT(run.steps_per_exchange), "", "\"auto\"", RANGE(1, 64),
       "Steps that one exchange of edges serves: the depth of the halo."),
     .or_auto = true},
    {S("run.overlap", CHOICE, AT(run.overlap), "", "\"auto\"", ANY,
       "Whether the edges of a block are computed before its interior, which then hides the "
       "exchange; `\"auto\"`: on GPUs, unless there are more ranks than these."),
     .choices = overlaps},
    {S("run.wall_time", DURATION, AT(run.wall_time), "s", "0.0", FROM(0.0),
       "Time on the clock that the whole run may take, as number or text like "
       "`\"3 h 50 min\"`; 0: no limit. It stops before that, in time for the last checkpoint: "
       "by 5 %, at least 10 s, but never more than half of it.")},
    {S("run.hang_time", DURATION, AT(run.hang_time), "s", "60.0", FROM(0.0),
       "Time without progress after which a process counts as hung and the run ends; 0: never. "
       "The writer, and ranks at the start, have 1 s more for every 20 MB of the field.")},
};
#undef SIDE
#undef AT

const struct setting_group settings_root = {"input file", root_settings, COUNT(root_settings),
                                            sizeof(struct input)};
