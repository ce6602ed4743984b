#include "io/contour.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* An edge joins the grid point (i, j) with its right neighbour, or with its upper one. */
struct edge {
    int i, j;
    bool is_upright;
};

struct tracer {
    const double *values; /* (ny, nx) */
    int nx, ny;
    double level;
    unsigned char *seen; /* (ny, nx, 2): edges that lie on a line already traced */
    double (*points)[2]; /* (capacity) of the line being traced */
    int count, capacity;
};

static double value_at(const struct tracer *tracer, int i, int j)
{
    return tracer->values[(size_t)j * (size_t)tracer->nx + (size_t)i];
}

static bool is_above(const struct tracer *tracer, int i, int j)
{
    return value_at(tracer, i, j) > tracer->level;
}

static unsigned char *seen_at(const struct tracer *tracer, struct edge edge)
{
    const size_t point = (size_t)edge.j * (size_t)tracer->nx + (size_t)edge.i;
    return tracer->seen + 2 * point + (edge.is_upright ? 1 : 0);
}

/* Whether the square with lower left corner (i, j) exists and has four finite corners. */
static bool square_is_valid(const struct tracer *tracer, int i, int j)
{
    return i >= 0 && j >= 0 && i < tracer->nx - 1 && j < tracer->ny - 1 &&
           isfinite(value_at(tracer, i, j)) && isfinite(value_at(tracer, i + 1, j)) &&
           isfinite(value_at(tracer, i, j + 1)) && isfinite(value_at(tracer, i + 1, j + 1));
}

static bool edge_is_crossed(const struct tracer *tracer, struct edge edge)
{
    const int i = edge.is_upright ? edge.i : edge.i + 1, j = edge.is_upright ? edge.j + 1 : edge.j;
    return i < tracer->nx && j < tracer->ny &&
           is_above(tracer, edge.i, edge.j) != is_above(tracer, i, j);
}

static enum status add_point(struct tracer *tracer, struct edge edge)
{
    if (tracer->count == tracer->capacity) {
        const int capacity = tracer->capacity > 0 ? 2 * tracer->capacity : 256;
        size_t bytes = 0;
        TRY(size_multiply((size_t)capacity, sizeof *tracer->points, &bytes));
        double(*larger)[2] = realloc(tracer->points, bytes);
        if (larger == NULL)
            return fail(STATUS_MEMORY, "contour line: %zu bytes of memory are not available",
                        bytes);
        tracer->points = larger;
        tracer->capacity = capacity;
    }
    const double a = value_at(tracer, edge.i, edge.j);
    const double b = edge.is_upright ? value_at(tracer, edge.i, edge.j + 1)
                                     : value_at(tracer, edge.i + 1, edge.j);
    const double part = (tracer->level - a) / (b - a);
    double *point = tracer->points[tracer->count++];
    point[0] = edge.i + (edge.is_upright ? 0 : part);
    point[1] = edge.j + (edge.is_upright ? part : 0);
    return STATUS_OK;
}

/* The edges of a square in this order: bottom, right, top, left. */
static struct edge square_edge(int i, int j, int side)
{
    const struct edge edges[4] = {{i, j, false}, {i + 1, j, true}, {i, j + 1, false}, {i, j, true}};
    return edges[side];
}

/* Where a line that enters the square through side `from` leaves it. */
static int square_exit(const struct tracer *tracer, int i, int j, int from)
{
    int crossed[4], count = 0;
    for (int side = 0; side < 4; side++)
        if (edge_is_crossed(tracer, square_edge(i, j, side)))
            crossed[count++] = side;
    if (count == 2)
        return crossed[0] == from ? crossed[1] : crossed[0];
    /* A saddle: the mean decides which pair of opposite corners is joined through the middle. */
    const double mean = (value_at(tracer, i, j) + value_at(tracer, i + 1, j) +
                         value_at(tracer, i, j + 1) + value_at(tracer, i + 1, j + 1)) /
                        4;
    const bool first_is_joined = (mean > tracer->level) == is_above(tracer, i, j);
    static const int joined[4] = {1, 0, 3, 2}, apart[4] = {3, 2, 1, 0};
    return first_is_joined ? joined[from] : apart[from];
}

/* Follows the line from `edge` into the square (i, j) until it ends or closes. */
static enum status follow(struct tracer *tracer, struct edge edge, int i, int j)
{
    tracer->count = 0;
    *seen_at(tracer, edge) = 1;
    TRY(add_point(tracer, edge));
    int from = 0;
    for (int side = 0; side < 4; side++) {
        const struct edge other = square_edge(i, j, side);
        if (other.i == edge.i && other.j == edge.j && other.is_upright == edge.is_upright)
            from = side;
    }
    while (square_is_valid(tracer, i, j)) {
        const int to = square_exit(tracer, i, j, from);
        edge = square_edge(i, j, to);
        TRY(add_point(tracer, edge));
        if (*seen_at(tracer, edge) != 0)
            break; /* closed */
        *seen_at(tracer, edge) = 1;
        static const int step_i[4] = {0, 1, 0, -1}, step_j[4] = {-1, 0, 1, 0};
        i += step_i[to];
        j += step_j[to];
        from = (to + 2) % 4;
    }
    return STATUS_OK;
}

/* Traces the line that begins on this edge. An open line begins where just one of the two squares
 * beside the edge is valid. */
static enum status trace_from(struct tracer *tracer, struct edge edge, bool is_open_wanted,
                              contour_line *line, void *context)
{
    if (*seen_at(tracer, edge) != 0 || !edge_is_crossed(tracer, edge))
        return STATUS_OK;
    const int i = edge.is_upright ? edge.i - 1 : edge.i, j = edge.is_upright ? edge.j : edge.j - 1;
    const bool before = square_is_valid(tracer, i, j);
    const bool after = square_is_valid(tracer, edge.i, edge.j);
    if (is_open_wanted ? before == after : !(before && after))
        return STATUS_OK;
    TRY(after ? follow(tracer, edge, edge.i, edge.j) : follow(tracer, edge, i, j));
    line(context, (const double(*)[2])tracer->points, tracer->count);
    return STATUS_OK;
}

/* Open lines first: what is left then is closed, so any edge of it is a beginning. */
static enum status trace_all(struct tracer *tracer, contour_line *line, void *context)
{
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < tracer->ny; j++)
            for (int i = 0; i < tracer->nx; i++)
                for (int turn = 0; turn < 2; turn++)
                    TRY(trace_from(tracer, (struct edge){i, j, turn == 1}, pass == 0, line,
                                   context));
    return STATUS_OK;
}

enum status contour_trace(const double *values, int nx, int ny, double level, contour_line *line,
                          void *context)
{
    struct tracer tracer = {.values = values, .nx = nx, .ny = ny, .level = level};
    enum status status = STATUS_OK;
    TRY_DONE(memory_alloc(&tracer.seen, (size_t)nx * (size_t)ny, 2, "contour lines"));
    status = trace_all(&tracer, line, context);
done:
    free(tracer.seen);
    free(tracer.points);
    return status;
}
