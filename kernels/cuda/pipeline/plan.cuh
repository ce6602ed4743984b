/* How the pipeline (run.cuh) cuts a region: strips of columns, and of these a share of
 * rows for each block. */
#ifndef ISOTHERM_KERNELS_CUDA_PIPELINE_PLAN_CUH
#define ISOTHERM_KERNELS_CUDA_PIPELINE_PLAN_CUH

#include "kernels/cuda/pipeline/balance.h"
#include "kernels/cuda/step.cuh"

/* What cells conduct: the same everywhere; by kind of cell, see struct zones; the same and sources.
 */
enum pipeline_cells { PIPELINE_ALIKE, PIPELINE_KINDS, PIPELINE_SOURCES };

/* Constants of one instance. */
template <typename REAL, int LEVELS_, int COLUMNS_, int STAGES_, int GROUPS_,
          pipeline_cells CELLS_ = PIPELINE_ALIKE>
struct pipeline_shape {
    using real = REAL;
    static constexpr pipeline_cells CELLS = CELLS_;
    static constexpr bool HAS_KINDS = CELLS != PIPELINE_ALIKE;
    static constexpr bool HAS_SOURCES = CELLS == PIPELINE_SOURCES;
    /* Whether rows by cell branch where a word of four kinds has none but plain cells: in double
     * precision 2 to 5 % faster, in single 10 to 20 % slower (bench/results/h200-kinds.txt). */
    static constexpr bool BY_WORDS = HAS_KINDS && sizeof(REAL) == sizeof(double);
    static constexpr int LEVELS = LEVELS_;   /* steps of one warp */
    static constexpr int COLUMNS = COLUMNS_; /* of one lane */
    static constexpr int STAGES = STAGES_, GROUPS = GROUPS_;
    static constexpr int STEPS = LEVELS * STAGES;
    static constexpr int SETS = LEVELS + 1;
    static constexpr int LINE = 16 / static_cast<int>(sizeof(REAL)); /* unit of a bulk copy */
    static constexpr int PACK = COLUMNS % LINE == 0 ? LINE : COLUMNS % 2 == 0 ? 2 : 1;
    /* Columns at the seam of two groups that one of them cannot advance and the other stores. */
    static constexpr int SKIP = (LEVELS + LINE - 1) / LINE * LINE;
    static constexpr int GROUP_WIDTH = 32 * COLUMNS;
    static constexpr int GROUP_STEP = GROUP_WIDTH - 2 * SKIP;
    static constexpr int WIDTH = (GROUPS - 1) * GROUP_STEP + GROUP_WIDTH; /* of a strip */
    static constexpr int MARGIN = (STEPS + LINE - 1) / LINE * LINE; /* left and right, not stored */
    static constexpr int ADVANCE = (WIDTH - 2 * MARGIN) / LINE * LINE; /* from strip to strip */

    /* Warps that compute, then a warpgroup that moves rows from and to memory and needs few
     * registers. */
    static constexpr int WARPS = STAGES * GROUPS, THREADS = 32 * WARPS + 128;
    static constexpr int MOVER_REGISTERS = 24;
    static constexpr int START_REGISTERS =
        65536 / THREADS / 8 * 8; /* of all, when a block starts */
    static constexpr int REGISTERS =
        (START_REGISTERS * THREADS - 128 * MOVER_REGISTERS) / (32 * WARPS) / 8 * 8;

    /* Ring 0 holds rows from memory, for each group its own; ring s rows from stage s - 1. Ring 0
     * has two halves of SETS slots, the others one; a slot is a row with room for all groups. */
    static constexpr int SLOT = GROUPS * GROUP_WIDTH;
    static constexpr int SLOTS = (STAGES + 2) * SETS;
    /* A barrier "full" and one "empty" for each slot; of ring 0, for each slot and group. */
    static constexpr int BARRIERS_IN = GROUPS * 2 * SETS;
    static constexpr int BARRIERS = BARRIERS_IN + STAGES * SETS; /* of each of the two kinds */
    static constexpr int BARRIER_BYTES = (2 * BARRIERS * 8 + 127) / 128 * 128;
    /* Then two halves of coefficients of the faces at the left or right for each warp, one for the
     * rows of this turn and one for those of the next. */
    static constexpr int FACES_AT = BARRIER_BYTES + SLOTS * SLOT * static_cast<int>(sizeof(REAL));
    static constexpr int KINDS_AT = FACES_AT + WARPS * 2 * 32 * 2 * static_cast<int>(sizeof(REAL));
    /* Then the four conductances of each kind, and its source. */
    static constexpr int KINDS = HAS_KINDS ? 256 : 0;
    static constexpr int SOURCES_AT = KINDS_AT + KINDS * 4 * static_cast<int>(sizeof(REAL));
    /* Then two halves, for this turn and the next, of what warps know of kinds, in words of a lane
     * side by side with those of other lanes: the kinds of the cells that a turn looks at, in the
     * 4-byte units that hold them, and the entries of `alike` for each of these units. */
    static constexpr int UNITS_AT =
        SOURCES_AT + (HAS_SOURCES ? KINDS * static_cast<int>(sizeof(REAL)) : 0);
    /* Of any columns, as a lane's first one is a multiple of PACK. */
    static constexpr int UNITS = HAS_KINDS ? (COLUMNS + 7 - PACK) / 4 : 0;
    static constexpr int UNIT_ROWS = LEVELS + SETS;
    static constexpr int UNITS_BYTES = WARPS * 2 * UNIT_ROWS * UNITS * 32 * 4;
    static constexpr int ALIKE_AT = UNITS_AT + UNITS_BYTES;
    static constexpr int ALIKE_WORDS = HAS_KINDS ? (UNITS + 6) / 4 : 0;
    static constexpr int SHARED_BYTES = ALIKE_AT + WARPS * 2 * ALIKE_WORDS * 32 * 4;

    static_assert(WARPS % 4 == 0 && GROUPS <= 3,
                  "warpgroups, and a mover for each group and one more");
    static_assert(SKIP <= COLUMNS && ADVANCE > 0, "seams");
    static_assert(SETS * LEVELS <= 32, "a lane for each row and level, see pipeline_faces_ask");
    static_assert(!HAS_KINDS || LEVELS <= ALIKE_ROWS,
                  "the rows that a turn looks at are those of ALIKE_ROWS");
    static_assert(SHARED_BYTES <= 227 * 1024, "shared memory of a block");
    static_assert(COLUMNS >= 2 * LINE, "a ghost cell and the cell inside in one lane");
};

/* Strips are numbered from the left. A strip whose columns reach a boundary is placed so that the
 * ghost column lies in the first or last lane of all; rows of such strips cost more. */
struct pipeline_plan {
    int strips;
    int first, last;        /* first column of the first and last strip */
    int right_ghost;        /* from the ghost column to the end of the strip */
    bool is_left, is_right; /* the first strip reaches the left boundary ... */
    int first_weight, last_weight, middle_weight; /* of a row */
    int first_cost, last_cost, middle_cost;       /* of a strip */
    int head, tail; /* what a strip costs before its first and after its last row, in rows */
    int column_begin, column_end, row_begin, row_end; /* cells that are in memory */
    int face_x0, face_x1, face_y0, face_y1;           /* faces that have coefficients */
    pipeline_balance *balance;                        /* shares of blocks; NULL: even ones */
};

/* What rows cost, measured (bench/kernels/gpu): those with ghost cells at the left or right, also
 * where the ghost cell is not at the start of a 16-byte unit, against PIPELINE_WEIGHT for others;
 * and what the first or last row of the block costs in STEPS rows. */
enum { PIPELINE_WEIGHT = 16 };
struct pipeline_weights {
    int side, odd, end;
};
constexpr pipeline_weights PIPELINE_WEIGHTS = {19, 22, 2};

template <typename SHAPE>
bool pipeline_plan_make(const step_args<typename SHAPE::real> &args, const block &block,
                        const pipeline_weights &weights, pipeline_plan *plan)
{
    constexpr int LINE = SHAPE::LINE, WIDTH = SHAPE::WIDTH, STEPS = SHAPE::STEPS;
    const region &cells = args.cells;
    *plan = {};
    plan->is_left = args.sides[LEFT].is_boundary && cells.x0 - STEPS < 0;
    plan->first = plan->is_left ? -LINE : (cells.x0 - SHAPE::MARGIN) & ~(LINE - 1);
    plan->last = plan->first;
    const int right = args.sides[RIGHT].is_boundary ? args.nx : cells.x1 + STEPS + WIDTH;
    for (plan->strips = 1; plan->last + WIDTH - STEPS < cells.x1 && plan->last + WIDTH <= right;
         plan->strips++)
        plan->last += SHAPE::ADVANCE;
    if (plan->last + WIDTH > right) {
        plan->is_right = true;
        plan->last = ((args.nx + LINE) & ~(LINE - 1)) - WIDTH;
        plan->right_ghost = plan->last + WIDTH - 1 - args.nx;
    }
    if (plan->strips < 2)
        return false;

    /* Whoever begins a strip makes rows that are thrown away, once more than who goes on in one. */
    const bool is_bottom = args.sides[BOTTOM].is_boundary && cells.y0 < STEPS;
    const bool is_top = args.sides[TOP].is_boundary && cells.y1 > args.ny - STEPS;
    plan->head = is_bottom ? (1 + weights.end) * STEPS : 2 * STEPS;
    plan->tail = is_top ? weights.end * STEPS : 0;
    const int rows = plan->head + cells.y1 - cells.y0 + plan->tail;
    const bool is_odd = plan->right_ghost != LINE - 1;
    plan->middle_weight = PIPELINE_WEIGHT;
    plan->first_weight = plan->is_left ? weights.side : PIPELINE_WEIGHT;
    plan->last_weight = !plan->is_right ? PIPELINE_WEIGHT : is_odd ? weights.odd : weights.side;
    plan->first_cost = rows * plan->first_weight;
    plan->middle_cost = rows * plan->middle_weight;
    plan->last_cost = rows * plan->last_weight;

    plan->column_begin = -block.lead;
    plan->column_end = block.pitch - block.lead;
    plan->row_begin = -block.halo;
    plan->row_end = block.ny + block.halo;
    plan->face_x0 = args.sides[LEFT].is_boundary ? 0 : -block.halo;
    plan->face_x1 = args.sides[RIGHT].is_boundary ? args.nx : args.nx + block.halo;
    plan->face_y0 = args.sides[BOTTOM].is_boundary ? 0 : -block.halo;
    plan->face_y1 = args.sides[TOP].is_boundary ? args.ny : args.ny + block.halo;
    return true;
}

/* A share of a strip's rows. */
struct pipeline_piece {
    int x;         /* first column of the strip */
    region cells;  /* to deliver */
    int first_row; /* that comes in */
    int turns;     /* SETS rows come in at each */
    int inner_begin,
        inner_end; /* turns in which no stage sees the first or last row of the block */
    bool is_left, is_right;
};

__host__ __device__ inline int pipeline_total(const pipeline_plan &plan)
{
    return plan.first_cost + (plan.strips - 2) * plan.middle_cost + plan.last_cost;
}

/* Where the share of block `number` begins in the total cost. Not kept in a register: a value that
 * lives across the loop over rows takes one from it. */
__device__ __forceinline__ int pipeline_border(const pipeline_plan &plan, unsigned number)
{
    const int total = pipeline_total(plan), blocks = static_cast<int>(gridDim.x);
    const volatile pipeline_balance *const balance = plan.balance;
    if (balance != nullptr && balance->total == total && balance->blocks == blocks)
        return balance->border[number];
    return balance_even(total, blocks, static_cast<int>(number));
}

/* The row that is delivered first at a cost within a strip. */
__device__ __forceinline__ int pipeline_row_at(const region &cells, int head, int cost, int weight)
{
    return min(max(cells.y0 + cost / weight - head, cells.y0), cells.y1);
}

/* The piece at `*cost` of the total and before `end`; moves *cost on to the next one. It may have
 * no rows to deliver. */
template <typename SHAPE>
__device__ __forceinline__ pipeline_piece pipeline_piece_next(
    const step_args<typename SHAPE::real> &args, const pipeline_plan &plan, int *cost, int end)
{
    int strip = 0, weight = plan.first_weight, begin = 0, strip_end = plan.first_cost;
    if (*cost >= plan.first_cost) {
        strip = min((*cost - plan.first_cost) / plan.middle_cost + 1, plan.strips - 1);
        begin = plan.first_cost + (strip - 1) * plan.middle_cost;
        const bool is_last = strip == plan.strips - 1;
        weight = is_last ? plan.last_weight : plan.middle_weight;
        strip_end = begin + (is_last ? plan.last_cost : plan.middle_cost);
    }
    const bool is_last = strip == plan.strips - 1;
    const int nominal = plan.first + strip * SHAPE::ADVANCE;
    pipeline_piece piece;
    piece.x = is_last ? plan.last : nominal;
    piece.cells.x0 = strip == 0 ? args.cells.x0 : nominal + SHAPE::MARGIN;
    piece.cells.x1 = is_last ? args.cells.x1 : nominal + SHAPE::MARGIN + SHAPE::ADVANCE;
    piece.cells.y0 = pipeline_row_at(args.cells, plan.head, *cost - begin, weight);
    piece.cells.y1 = pipeline_row_at(args.cells, plan.head, min(end, strip_end) - begin, weight);
    piece.is_left = plan.is_left && strip == 0;
    piece.is_right = plan.is_right && is_last;
    piece.first_row = piece.cells.y0 - SHAPE::STEPS;
    if (args.sides[BOTTOM].is_boundary)
        piece.first_row = max(piece.first_row, 0);
    const int rows = piece.cells.y1 + SHAPE::STEPS - piece.first_row;
    piece.turns = piece.cells.y0 < piece.cells.y1 ? (rows + SHAPE::SETS - 1) / SHAPE::SETS : 0;
    piece.inner_begin = 0;
    if (args.sides[BOTTOM].is_boundary && piece.first_row < SHAPE::STEPS)
        piece.inner_begin = (SHAPE::STEPS - piece.first_row + SHAPE::SETS - 1) / SHAPE::SETS;
    piece.inner_begin = min(piece.inner_begin, piece.turns);
    piece.inner_end = piece.turns;
    if (args.sides[TOP].is_boundary)
        piece.inner_end = min(piece.turns, (args.ny - piece.first_row) / SHAPE::SETS);
    piece.inner_end = max(piece.inner_begin, piece.inner_end);
    *cost = min(end, strip_end);
    return piece;
}

#endif
