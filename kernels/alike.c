#include "kernels/alike.h"

#include <string.h>

enum { STRIPE = 2048 }; /* entries of a row at a time, so that what they need is in cache */

static int clamped(int index, int begin, int end)
{
    return index < begin ? begin : index >= end ? end - 1 : index;
}

/* The kind of the cells [i, i + ALIKE_COLUMNS) of a row, of which `row` is cell 0. */
static unsigned char kind_of(const unsigned char *row, int i, struct region known, int plain)
{
    const unsigned char first = row[clamped(i, known.x0, known.x1)];
    bool is_one = first < plain;
    for (int c = 1; c < ALIKE_COLUMNS; c++)
        is_one = is_one && row[clamped(i + c, known.x0, known.x1)] == first;
    return is_one ? first : ALIKE_NOT;
}

/* The same where all cells are known. */
static unsigned char kind_of_known(const unsigned char *cells, int plain)
{
    uint32_t word;
    memcpy(&word, cells, sizeof word);
    const uint32_t first = cells[0];
    return word == first * 0x01010101u && (int)first < plain ? (unsigned char)first : ALIKE_NOT;
}

static void look(const unsigned char *row, int i, int count, struct region known, int plain,
                 unsigned char *kinds)
{
    for (int n = 0; n < count; n++) {
        const int at = i + n * ALIKE_COLUMNS;
        kinds[n] = at >= known.x0 && at + ALIKE_COLUMNS <= known.x1
                       ? kind_of_known(row + at, plain)
                       : kind_of(row, at, known, plain);
    }
}

/* Entries of `count` columns of the map, the first of which begins with cell i of each row. */
static void fill_stripe(const struct block *block, struct region known, int plain, int i, int count,
                        const unsigned char *kind, unsigned char *alike)
{
    enum { WINDOW = 2 * ALIKE_ROWS + 1 };
    unsigned char kinds[STRIPE], last[STRIPE], rows[STRIPE]; /* rows: so many of the last kind */
    memset(last, ALIKE_NOT, sizeof last);
    memset(rows, 0, sizeof rows);
    for (int j = -block->halo - ALIKE_ROWS; j < block->ny + block->halo + ALIKE_ROWS; j++) {
        const int row = clamped(j, known.y0, known.y1);
        look(kind + block_index(block, 0, row), i, count, known, plain, kinds);
        for (int n = 0; n < count; n++) {
            const int before = kinds[n] == last[n] ? rows[n] : 0;
            rows[n] = (unsigned char)(before < WINDOW ? before + 1 : WINDOW);
            last[n] = kinds[n];
        }
        if (j < ALIKE_ROWS - block->halo)
            continue;
        unsigned char *const to = alike + block_index(block, i, j - ALIKE_ROWS) / ALIKE_COLUMNS;
        for (int n = 0; n < count; n++)
            to[n] = rows[n] == WINDOW ? last[n] : ALIKE_NOT;
    }
}

void alike_fill(const struct block *block, struct region known, int plain,
                const unsigned char *kind, unsigned char *alike)
{
    const int columns = block->pitch / ALIKE_COLUMNS;
    for (int n = 0; n < columns; n += STRIPE)
        fill_stripe(block, known, plain, n * ALIKE_COLUMNS - block->lead,
                    columns - n < STRIPE ? columns - n : STRIPE, kind, alike);
}
