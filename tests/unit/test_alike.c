/* The map of places where cells are of one kind, entry by entry as it is described. */
#include "kernels/alike.h"

#include <string.h>

#include "tests/check.h"

static uint64_t random_state = 20261203;

static int random_below(int n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (int)((random_state >> 33) % (uint64_t)n);
}

static unsigned char *bytes(size_t count)
{
    unsigned char *memory = malloc(count);
    if (memory == NULL)
        exit(EXIT_FAILURE);
    memset(memory, 77, count);
    return memory;
}

static int nearest(int index, int begin, int end)
{
    return index < begin ? begin : index > end - 1 ? end - 1 : index;
}

/* The entry that begins with cell (i, j). */
static int expected(const struct block *block, struct region known, int plain,
                    const unsigned char *kind, int i, int j)
{
    int found = -1;
    for (int y = j - ALIKE_ROWS; y <= j + ALIKE_ROWS; y++)
        for (int x = i; x < i + ALIKE_COLUMNS; x++) {
            const int64_t at =
                block_index(block, nearest(x, known.x0, known.x1), nearest(y, known.y0, known.y1));
            if (kind[at] >= plain || (found >= 0 && kind[at] != found))
                return ALIKE_NOT;
            found = kind[at];
        }
    return found;
}

/* Kinds from `first` on, in patches of a few cells. */
static void draw(const struct block *block, unsigned char *kind, int first, int kinds)
{
    const int width = 1 + random_below(40), height = 1 + random_below(30);
    for (int j = -block->halo; j < block->ny + block->halo; j++)
        for (int at = 0; at < block->pitch; at++) {
            const int patch = at / width * 5 + (j + block->halo) / height * 3;
            const bool is_other = random_below(200) == 0;
            kind[(int64_t)(j + block->halo) * block->pitch + at] =
                (unsigned char)(first + (is_other ? random_below(kinds) : patch % kinds));
        }
}

static void agrees(const struct block *block, struct region known, int plain, int first, int kinds)
{
    const size_t cells = block_bytes(block) / block->element_bytes;
    unsigned char *const kind = bytes(cells), *const alike = bytes(alike_bytes(block) + 1);
    draw(block, kind, first, kinds);
    alike_fill(block, known, plain, kind, alike);
    int wrong = 0;
    for (int j = -block->halo; j < block->ny + block->halo; j++)
        for (int i = -block->lead; i < block->pitch - block->lead; i += ALIKE_COLUMNS) {
            const int entry = alike[block_index(block, i, j) / ALIKE_COLUMNS];
            wrong += entry != expected(block, known, plain, kind, i, j) ? 1 : 0;
        }
    CHECK_EQUAL_INT(wrong, 0);
    CHECK_EQUAL_INT(alike[alike_bytes(block)], 77);
    free(kind);
    free(alike);
}

static void any_block(void)
{
    for (int n = 0; n < 200; n++) {
        const int nx = 1 + random_below(300), ny = 1 + random_below(60), halo = random_below(9);
        const struct block block = block_make(nx, ny, halo, random_below(2) == 0);
        const struct region all = {-halo, nx + halo, -halo, ny + halo};
        struct region known = all;
        if (random_below(2) == 0) {
            known.x0 += random_below(nx + 2 * halo);
            known.x1 -= random_below(known.x1 - known.x0);
            known.y0 += random_below(ny + 2 * halo);
            known.y1 -= random_below(known.y1 - known.y0);
        }
        const int kinds = 1 + random_below(6), first = n % 3 == 0 ? 255 - kinds : 0;
        agrees(&block, known, first + 1 + random_below(kinds), first, kinds);
    }
}

/* Wider than what is worked on at a time. */
static void wide_block(void)
{
    const struct block block = block_make(20011, 9, 2, false);
    agrees(&block, (struct region){0, 20011, 0, 9}, 3, 0, 4);
}

/* One material: every entry, also beyond the block. */
static void one_kind_is_alike_everywhere(void)
{
    const struct block block = block_make(37, 11, 3, true);
    unsigned char *const kind = bytes(block_bytes(&block) / block.element_bytes);
    unsigned char *const alike = bytes(alike_bytes(&block));
    for (int j = 0; j < 11; j++)
        memset(kind + block_index(&block, 0, j), 5, 37);
    alike_fill(&block, (struct region){0, 37, 0, 11}, 6, kind, alike);
    size_t count = 0;
    for (size_t n = 0; n < alike_bytes(&block); n++)
        count += alike[n] == 5 ? 1 : 0;
    CHECK(count == alike_bytes(&block));
    free(kind);
    free(alike);
}

int main(void)
{
    any_block();
    wide_block();
    one_kind_is_alike_everywhere();
    return check_result();
}
