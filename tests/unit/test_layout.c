/* How the domain is split, and that the strips fill every ghost cell once and with the right cell.
 */
#include "solver/layout.h"

#include "tests/check.h"

static void extents_tile_the_domain(const struct layout *layout)
{
    const int ranks = layout_ranks(layout);
    const int64_t nx = layout->nx, ny = layout->ny;
    unsigned char *owners = calloc((size_t)(nx * ny), 1);
    for (int rank = 0; rank < ranks && owners != NULL; rank++) {
        const struct extent e = layout_extent(layout, rank);
        CHECK(0 <= e.x0 && e.x0 < e.x1 && e.x1 <= nx && 0 <= e.y0 && e.y0 < e.y1 && e.y1 <= ny);
        /* Nearly equal: n / p or one more. */
        CHECK(e.x1 - e.x0 - nx / layout->px <= 1 && e.x1 - e.x0 >= nx / layout->px);
        CHECK(e.y1 - e.y0 - ny / layout->py <= 1 && e.y1 - e.y0 >= ny / layout->py);
        for (int64_t j = e.y0; j < e.y1; j++)
            for (int64_t i = e.x0; i < e.x1; i++)
                owners[j * nx + i]++;
    }
    int64_t owned_once = 0;
    for (int64_t c = 0; c < nx * ny && owners != NULL; c++)
        owned_once += owners[c] == 1;
    CHECK_EQUAL_INT(owned_once, nx * ny);
    free(owners);
}

/* Every block with its ghost cells: what each cell shows (the number y * nx + x of a cell of the
 * domain, -1: nothing) and how often it was written. */
struct world {
    const struct layout *layout;
    struct cell {
        int64_t shown;
        int writes;
    } * *blocks; /* (ranks) of (ny + 2 halo, nx + 2 halo) */
};

static struct cell *cell_at(const struct world *world, int rank, int64_t i, int64_t j)
{
    const struct extent e = layout_extent(world->layout, rank);
    const int64_t halo = world->layout->halo;
    return &world->blocks[rank][(j + halo) * (e.x1 - e.x0 + 2 * halo) + i + halo];
}

static void world_fill(struct world *world)
{
    const struct layout *layout = world->layout;
    const int64_t halo = layout->halo;
    for (int rank = 0; rank < layout_ranks(layout); rank++) {
        const struct extent e = layout_extent(layout, rank);
        const int64_t nx = e.x1 - e.x0, ny = e.y1 - e.y0;
        world->blocks[rank] =
            calloc((size_t)((nx + 2 * halo) * (ny + 2 * halo)), sizeof **world->blocks);
        if (world->blocks[rank] == NULL)
            exit(EXIT_FAILURE);
        for (int64_t j = -halo; j < ny + halo; j++)
            for (int64_t i = -halo; i < nx + halo; i++) {
                const bool is_own = i >= 0 && i < nx && j >= 0 && j < ny;
                cell_at(world, rank, i, j)->shown =
                    is_own ? (e.y0 + j) * layout->nx + e.x0 + i : -1;
            }
    }
}

static bool is_cell_of(const struct extent *e, int64_t i, int64_t j)
{
    return i >= 0 && i < e->x1 - e->x0 && j >= 0 && j < e->y1 - e->y0;
}

/* Copies cell by cell; false when a strip does not lie where the contract says. */
static bool world_apply(struct world *world, const struct halo_strip *strip)
{
    const struct extent from = layout_extent(world->layout, strip->from_rank);
    const struct extent to = layout_extent(world->layout, strip->to_rank);
    const int64_t halo = world->layout->halo;
    const int nx = strip->from.x1 - strip->from.x0, ny = strip->from.y1 - strip->from.y0;
    if (nx <= 0 || ny <= 0 || strip->to.x1 - strip->to.x0 != nx ||
        strip->to.y1 - strip->to.y0 != ny)
        return false;
    for (int j = 0; j < ny; j++) {
        for (int i = 0; i < nx; i++) {
            const int64_t fi = strip->from.x0 + i, fj = strip->from.y0 + j;
            const int64_t ti = strip->to.x0 + i, tj = strip->to.y0 + j;
            if (!is_cell_of(&from, fi, fj) || is_cell_of(&to, ti, tj) || ti < -halo ||
                ti >= to.x1 - to.x0 + halo || tj < -halo || tj >= to.y1 - to.y0 + halo)
                return false;
            struct cell *ghost = cell_at(world, strip->to_rank, ti, tj);
            ghost->shown = cell_at(world, strip->from_rank, fi, fj)->shown;
            ghost->writes++;
        }
    }
    return true;
}

static int64_t wrapped(bool is_periodic, int64_t index, int64_t n)
{
    return is_periodic ? (index % n + n) % n : index;
}

static int64_t count_wrong_ghosts(const struct world *world, int rank)
{
    const struct layout *layout = world->layout;
    const struct extent e = layout_extent(layout, rank);
    const int64_t halo = layout->halo;
    int64_t wrong = 0;
    for (int64_t j = -halo; j < e.y1 - e.y0 + halo; j++) {
        for (int64_t i = -halo; i < e.x1 - e.x0 + halo; i++) {
            const int64_t x = wrapped(layout->is_periodic_x, e.x0 + i, layout->nx);
            const int64_t y = wrapped(layout->is_periodic_y, e.y0 + j, layout->ny);
            const bool is_inside = x >= 0 && x < layout->nx && y >= 0 && y < layout->ny;
            const struct cell *cell = cell_at(world, rank, i, j);
            const int writes = is_inside && !is_cell_of(&e, i, j) ? 1 : 0;
            wrong += cell->writes != writes || cell->shown != (is_inside ? y * layout->nx + x : -1);
        }
    }
    return wrong;
}

static void strips_fill_every_ghost_cell_once(const struct layout *layout)
{
    const int ranks = layout_ranks(layout);
    struct world world = {.layout = layout, .blocks = calloc((size_t)ranks, sizeof *world.blocks)};
    struct halo_strip *strips = NULL;
    int count = 0;
    if (!CHECK(world.blocks != NULL) || !CHECK_OK(layout_strips(layout, &strips, &count)))
        return;
    world_fill(&world);
    for (int s = 0; s < count; s++)
        if (!CHECK(world_apply(&world, &strips[s])))
            break;
    for (int rank = 0; rank < ranks; rank++) {
        CHECK_EQUAL_INT(count_wrong_ghosts(&world, rank), 0);
        free(world.blocks[rank]);
    }
    free(world.blocks);
    free(strips);
}

/* The exchange needs it: who sends to a rank receives from it. */
static void neighbours_are_mutual(const struct layout *layout)
{
    struct halo_strip *strips = NULL;
    int count = 0;
    if (!CHECK_OK(layout_strips(layout, &strips, &count)))
        return;
    int one_way = 0;
    for (int s = 0; s < count; s++) {
        bool is_mutual = false;
        for (int b = 0; b < count && !is_mutual; b++)
            is_mutual = strips[b].from_rank == strips[s].to_rank &&
                        strips[b].to_rank == strips[s].from_rank;
        one_way += !is_mutual;
    }
    CHECK_EQUAL_INT(one_way, 0);
    free(strips);
}

static void splits_are_sound(void)
{
    static const struct layout cases[] = {
        {.nx = 12, .ny = 8, .px = 1, .py = 1, .halo = 3},
        {.nx = 12, .ny = 8, .px = 3, .py = 2, .halo = 1},
        {.nx = 12, .ny = 8, .px = 3, .py = 2, .halo = 4},
        {.nx = 13, .ny = 11, .px = 4, .py = 3, .halo = 3}, /* uneven */
        {.nx = 101, .ny = 7, .px = 8, .py = 1, .halo = 12},
        {.nx = 7, .ny = 101, .px = 1, .py = 8, .halo = 12},
        {.nx = 13, .ny = 11, .px = 4, .py = 3, .is_periodic_x = true, .halo = 3},
        {.nx = 13, .ny = 11, .px = 4, .py = 3, .is_periodic_y = true, .halo = 3},
        {.nx = 13, .ny = 11, .px = 4, .py = 3, true, true, .halo = 3},
        {.nx = 13, .ny = 11, .px = 2, .py = 1, true, true, .halo = 6}, /* both sides of one another
                                                                        */
        {.nx = 13, .ny = 11, .px = 1, .py = 2, true, true, .halo = 5},
        {.nx = 9, .ny = 5, .px = 1, .py = 1, true, true, .halo = 4},
        {.nx = 1, .ny = 1, .px = 1, .py = 1, .halo = 2},
        {.nx = 1, .ny = 1, .px = 1, .py = 1, true, true, .halo = 1},
        {.nx = 1, .ny = 1, .px = 1, .py = 1, true, true, .halo = 5}, /* around it five times */
        {.nx = 2, .ny = 3, .px = 1, .py = 1, true, true, .halo = 8},
        {.nx = 2, .ny = 3, .px = 1, .py = 1, true, false, .halo = 8},
        {.nx = 4, .ny = 3, .px = 4, .py = 3, true, true, .halo = 1}, /* a cell each */
        {.nx = 4, .ny = 3, .px = 4, .py = 3, true, true, .halo = 3}, /* from beyond the next block
                                                                      */
        {.nx = 4, .ny = 3, .px = 2, .py = 3, true, true, .halo = 7},
        {.nx = 4, .ny = 3, .px = 4, .py = 3, .halo = 2},
        {.nx = 40, .ny = 1, .px = 7, .py = 1, true, false, .halo = 5},
        {.nx = 1, .ny = 40, .px = 1, .py = 7, false, true, .halo = 5},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const int before = check_counts.failures;
        extents_tile_the_domain(&cases[c]);
        strips_fill_every_ghost_cell_once(&cases[c]);
        neighbours_are_mutual(&cases[c]);
        if (check_counts.failures > before)
            (void)printf("  in case %zu\n", c);
    }
}

/* The worst number of strips there can be: 256 ranks in a periodic domain. */
static void many_ranks_have_eight_neighbours_each(void)
{
    const struct layout layout = {
        .nx = 1 << 20, .ny = 1 << 19, .px = 16, .py = 16, true, true, .halo = 64};
    struct halo_strip *strips = NULL;
    int count = 0;
    if (CHECK_OK(layout_strips(&layout, &strips, &count)))
        CHECK_EQUAL_INT(count, 256 * 8);
    free(strips);
}

/* Blocks beyond 2^31 cells and a domain longer than an int. */
static void large_domains_are_split_without_overflow(void)
{
    const struct layout layout = {.nx = 5000000001, .ny = 3, .px = 7, .py = 1, .halo = 2};
    CHECK_EQUAL_INT(layout_extent(&layout, 0).x1, 714285715);
    CHECK_EQUAL_INT(layout_extent(&layout, 6).x0, 4285714287);
    CHECK_EQUAL_INT(layout_extent(&layout, 6).x1, 5000000001);
}

/* px x py by hand: the fewest cells along inner edges, ties go to more blocks in y. */
static void the_shortest_inner_edges_are_chosen(void)
{
    static const struct {
        int64_t nx, ny;
        int ranks, px, py; /* px 0: there is no split */
    } cases[] = {
        {100, 100, 1, 1, 1},       {100, 100, 2, 1, 2}, /* tie */
        {100, 100, 4, 2, 2},                            /* 200 against 300 */
        {100, 100, 6, 2, 3},                            /* 300, tie with 3 x 2 */
        {100, 100, 8, 2, 4},                            /* 400, tie with 4 x 2; 1 x 8: 700 */
        {200, 100, 2, 2, 1},                            /* 100 against 200 */
        {100, 200, 2, 1, 2},       {1000, 10, 8, 8, 1}, /* 70; 4 x 2: 1030 */
        {100, 100, 7, 1, 7},                            /* prime */
        {100, 5, 7, 7, 1},                              /* 7 rows of blocks do not fit */
        {5, 100, 7, 1, 7},         {5, 5, 7, 0, 0},     /* prime and too small */
        {5, 5, 10, 2, 5},                               /* tie with 5 x 2 */
        {5, 5, 25, 5, 5},          {5, 5, 26, 0, 0},    {3, 3, 8, 0, 0}, /* 2 x 4 and 4 x 2 need 4
                                                                            cells */
        {1, 1, 1, 1, 1},           {1, 1, 2, 0, 0},     {1, 64, 64, 1, 64}, {13, 1, 13, 13, 1},
        {4096, 4096, 251, 1, 251},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct layout layout = {.nx = cases[c].nx, .ny = cases[c].ny};
        const int before = check_counts.failures;
        CHECK_EQUAL_INT(layout_choose(&layout, cases[c].ranks), cases[c].px > 0);
        CHECK_EQUAL_INT(layout.px, cases[c].px);
        CHECK_EQUAL_INT(layout.py, cases[c].py);
        if (check_counts.failures > before)
            (void)printf("  in case %zu\n", c);
    }
}

static void the_largest_possible_number_of_ranks_is_found(void)
{
    static const struct {
        int64_t nx, ny;
        int wanted, possible;
    } cases[] = {
        {1, 1, 256, 1}, {3, 3, 8, 6}, /* 8 = 2 x 4 and 7 do not fit, 6 = 2 x 3 does */
        {5, 5, 7, 6},   {5, 5, 256, 25}, {100, 100, 13, 13}, {2, 1, 256, 2}, {100, 100, 0, 1},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const struct layout layout = {.nx = cases[c].nx, .ny = cases[c].ny};
        CHECK_EQUAL_INT(layout_largest(&layout, cases[c].wanted), cases[c].possible);
    }
}

int main(void)
{
    splits_are_sound();
    many_ranks_have_eight_neighbours_each();
    large_domains_are_split_without_overflow();
    the_shortest_inner_edges_are_chosen();
    the_largest_possible_number_of_ranks_is_found();
    return check_result();
}
