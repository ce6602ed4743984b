/* Kinds of cells, against what a cell sees of its neighbours' zones. */
#include "solver/kinds.h"

#include "tests/check.h"

enum { MOST_ZONES = 12 };

struct world {
    struct block block;
    unsigned char *zone, *fixed, *kind;
    int material[ZONES_MOST];
    struct kinds_cells cells;
    struct kinds kinds;
};

static uint64_t random_state = 20261202;

static int random_below(int n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (int)((random_state >> 33) % (uint64_t)n);
}

static unsigned char *bytes(const struct block *block)
{
    unsigned char *memory = calloc(block_bytes(block) / block->element_bytes, 1);
    if (memory == NULL)
        exit(EXIT_FAILURE);
    return memory;
}

/* All zones 0, of materials that differ; no fixed cells. */
static void world_open(struct world *world, int nx, int ny, int halo, unsigned boundaries,
                       int zones)
{
    *world = (struct world){.block = block_make(nx, ny, halo, true)};
    world->zone = bytes(&world->block);
    world->fixed = bytes(&world->block);
    world->kind = bytes(&world->block);
    for (int z = 0; z < ZONES_MOST; z++)
        world->material[z] = z;
    world->cells = (struct kinds_cells){.block = &world->block,
                                        .zone_count = zones,
                                        .material = world->material,
                                        .zone = world->zone};
    for (int side = 0; side < 4; side++)
        world->cells.is_boundary[side] = (boundaries >> side & 1) != 0;
}

static void world_close(struct world *world)
{
    free(world->zone);
    free(world->fixed);
    free(world->kind);
}

static int kind_at(const struct world *world, int i, int j)
{
    return world->kind[block_index(&world->block, i, j)];
}

static void set_zone(struct world *world, int i, int j, int zone)
{
    world->zone[block_index(&world->block, i, j)] = (unsigned char)zone;
}

/* What the four neighbours' materials are; beyond a boundary it is the cell's own. */
static void look_around(const struct world *world, int i, int j, int zones[4])
{
    static const int to[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    const struct block *block = &world->block;
    const bool is_last[4] = {i == 0, i == block->nx - 1, j == 0, j == block->ny - 1};
    for (int n = 0; n < 4; n++) {
        const bool is_beyond = world->cells.is_boundary[n] && is_last[n];
        zones[n] = world->zone[is_beyond ? block_index(block, i, j)
                                         : block_index(block, i + to[n][0], j + to[n][1])];
    }
}

static void cell_has_its_kind(const struct world *world, int i, int j)
{
    const int64_t at = block_index(&world->block, i, j);
    const int zone = world->zone[at], k = world->kind[at];
    const struct kind *kind = &world->kinds.list[k];
    int beside[4];
    look_around(world, i, j, beside);
    bool is_plain = true;
    CHECK(k < world->kinds.count);
    CHECK_EQUAL_INT(kind->zone, zone);
    for (int n = 0; n < 4; n++)
        is_plain = is_plain && beside[n] == zone;
    if (world->cells.fixed != NULL && world->fixed[at] != 0) {
        CHECK(k >= world->kinds.fixed);
        return;
    }
    CHECK(k < world->kinds.fixed);
    CHECK_EQUAL_INT(k < world->cells.zone_count, is_plain);
    for (int n = 0; n < 4; n++)
        CHECK_EQUAL_INT(world->material[kind->beside[n]], world->material[beside[n]]);
}

static void find(struct world *world)
{
    kinds_find(&world->cells, &world->kinds, world->kind);
}

/* Blocks at and off boundaries, with zones that share materials: looked up by kind a cell has its
 * own zone and its neighbours' materials, and kinds stand for exactly these. */
static void kinds_stand_for_what_cells_see(void)
{
    int tried = 0;
    for (int trial = 0; trial < 200; trial++) {
        struct world world;
        const int zones = 1 + random_below(MOST_ZONES), halo = random_below(4);
        const unsigned boundaries = halo == 0 ? 15 : (unsigned)random_below(16);
        world_open(&world, 1 + random_below(30), 1 + random_below(20), halo, boundaries, zones);
        const int nx = world.block.nx, ny = world.block.ny;
        for (int z = 0; z < zones; z++)
            world.material[z] = random_below(3);
        for (int j = -halo; j < ny + halo; j++)
            for (int i = -halo; i < nx + halo; i++)
                if (random_below(6) == 0) {
                    set_zone(&world, i, j, random_below(zones));
                    world.fixed[block_index(&world.block, i, j)] = (unsigned char)random_below(2);
                }
        world.cells.fixed = random_below(2) == 0 ? world.fixed : NULL;
        find(&world);
        const int x0 = boundaries & 1 ? 0 : 1 - halo, x1 = nx + (boundaries & 2 ? 0 : halo - 1);
        const int y0 = boundaries & 4 ? 0 : 1 - halo, y1 = ny + (boundaries & 8 ? 0 : halo - 1);
        for (int j = y0; world.kinds.count > 0 && j < y1; j++)
            for (int i = x0; i < x1; i++)
                cell_has_its_kind(&world, i, j);
        tried += world.kinds.count > 0;
        world_close(&world);
    }
    CHECK(tried > 100);
}

/* Every cell of a checkerboard has neighbours of the other colour alone. There are 2 kinds inside,
 * 2 along each of the 4 sides, 1 in each of the 4 corners, and the 2 of cells among their like, of
 * which there is none. */
static void a_checkerboard_has_16_kinds(void)
{
    struct world world;
    world_open(&world, 8, 6, 0, 15, 2);
    for (int j = 0; j < 6; j++)
        for (int i = 0; i < 8; i++)
            set_zone(&world, i, j, (i + j) % 2);
    find(&world);
    CHECK_EQUAL_INT(world.kinds.count, 16);
    CHECK_EQUAL_INT(world.kinds.fixed, 16);
    world_close(&world);
    /* Periodic, or inside a larger domain: no sides. */
    world_open(&world, 8, 6, 1, 0, 2);
    for (int j = -1; j < 7; j++)
        for (int i = -1; i < 9; i++)
            set_zone(&world, i, j, (i + j + 2) % 2);
    find(&world);
    CHECK_EQUAL_INT(world.kinds.count, 4);
    world_close(&world);
}

/* An interface across the block: cells on its left and on its right. */
static void a_straight_interface_adds_2_kinds(void)
{
    struct world world;
    world_open(&world, 10, 7, 0, 15, 2);
    for (int j = 0; j < 7; j++)
        for (int i = 4; i < 10; i++)
            set_zone(&world, i, j, 1);
    find(&world);
    CHECK_EQUAL_INT(world.kinds.count, 4);
    CHECK_EQUAL_INT(kind_at(&world, 0, 0), 0);
    CHECK_EQUAL_INT(kind_at(&world, 9, 6), 1);
    for (int j = 1; j < 7; j++) {
        CHECK_EQUAL_INT(kind_at(&world, 3, j), kind_at(&world, 3, 0));
        CHECK_EQUAL_INT(kind_at(&world, 4, j), kind_at(&world, 4, 0));
    }
    /* Of one material the zones differ still. */
    world.material[1] = world.material[0];
    find(&world);
    CHECK_EQUAL_INT(world.kinds.count, 4);
    world_close(&world);
}

static void fixed_cells_have_the_last_kinds(void)
{
    struct world world;
    world_open(&world, 10, 7, 0, 15, 2);
    for (int j = 0; j < 7; j++)
        for (int i = 4; i < 10; i++)
            set_zone(&world, i, j, 1);
    const int fixed[][2] = {{0, 0}, {3, 3}, {4, 4}, {9, 0}, {7, 2}};
    for (size_t n = 0; n < sizeof fixed / sizeof fixed[0]; n++)
        world.fixed[block_index(&world.block, fixed[n][0], fixed[n][1])] = 1;
    world.cells.fixed = world.fixed;
    find(&world);
    CHECK_EQUAL_INT(world.kinds.fixed, 4);
    CHECK_EQUAL_INT(world.kinds.count, 6); /* of each zone one */
    CHECK_EQUAL_INT(kind_at(&world, 3, 3), kind_at(&world, 0, 0));
    CHECK_EQUAL_INT(kind_at(&world, 7, 2), kind_at(&world, 9, 0));
    CHECK_EQUAL_INT(kind_at(&world, 0, 1), 0); /* neighbours of fixed cells are as others */
    world_close(&world);
}

/* Of 1600 cells of 40 zones hardly two see the same. */
static void too_many_kinds_are_none(void)
{
    struct world world;
    world_open(&world, 40, 40, 0, 15, 40);
    for (int j = 0; j < 40; j++)
        for (int i = 0; i < 40; i++)
            set_zone(&world, i, j, (7 * j + 3 * i * i) % 40);
    find(&world);
    CHECK_EQUAL_INT(world.kinds.count, 0);
    world_close(&world);
    /* As many zones as there can be leave no room for a cell that touches another zone. */
    world_open(&world, 3, 3, 0, 15, ZONES_MOST);
    find(&world);
    CHECK_EQUAL_INT(world.kinds.count, ZONES_MOST);
    set_zone(&world, 1, 1, 254);
    find(&world);
    CHECK_EQUAL_INT(world.kinds.count, 0);
    world_close(&world);
}

/* Known are the kinds of all cells but those beyond a boundary and those of the outermost ring,
 * which have neighbours that are not in memory. */
static void the_region_has_all_cells_with_neighbours(void)
{
    static const int halos[] = {1, 2, 5};
    for (int h = 0; h < 3; h++)
        for (unsigned boundaries = 0; boundaries < 16; boundaries++) {
            struct world world;
            world_open(&world, 7, 4, halos[h], boundaries, 1);
            const struct region region = kinds_region(&world.cells);
            const int reach = halos[h] - 1;
            CHECK_EQUAL_INT(region.x0, (boundaries & 1) != 0 ? 0 : -reach);
            CHECK_EQUAL_INT(region.x1, (boundaries & 2) != 0 ? 7 : 7 + reach);
            CHECK_EQUAL_INT(region.y0, (boundaries & 4) != 0 ? 0 : -reach);
            CHECK_EQUAL_INT(region.y1, (boundaries & 8) != 0 ? 4 : 4 + reach);
            world_close(&world);
        }
}

int main(void)
{
    the_region_has_all_cells_with_neighbours();
    kinds_stand_for_what_cells_see();
    a_checkerboard_has_16_kinds();
    a_straight_interface_adds_2_kinds();
    fixed_cells_have_the_last_kinds();
    too_many_kinds_are_none();
    return check_result();
}
