#include "io/palette.h"

#include <math.h>

#include "io/colormap.h"

/* What a difference between the two colours of a mixture costs, as part of the square of what it
 * misses the colour by: a pattern of very different colours is worse than a small error. */
static const double pattern_cost = 0.06;

/* How far the nearer of two colours may be from the one that is shown; a mixture is looked for
 * among the nearest. */
enum { NEAREST = 8 };

static struct colour colour_of(int number)
{
    static const unsigned char levels[6] = {0, 95, 135, 175, 215, 255};
    const int cube = number - PALETTE_FIRST;
    if (cube >= 216) {
        const unsigned char grey = (unsigned char)(8 + 10 * (cube - 216));
        return (struct colour){grey, grey, grey};
    }
    return (struct colour){levels[cube / 36], levels[cube / 6 % 6], levels[cube % 6]};
}

void palette_init(struct palette *palette)
{
    for (int k = 0; k < PALETTE_COLOURS; k++)
        colour_oklab(colour_of(PALETTE_FIRST + k), palette->lab[k]);
}

static double distance2(const double a[3], const double b[3])
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sum;
}

/* Indices of the nearest, the nearest first. */
static void find_nearest(const struct palette *palette, const double lab[3], int nearest[NEAREST])
{
    double found[NEAREST];
    int count = 0;
    for (int k = 0; k < PALETTE_COLOURS; k++) {
        const double distance = distance2(palette->lab[k], lab);
        int at = count < NEAREST ? count++ : NEAREST;
        for (; at > 0 && distance < found[at - 1]; at--)
            if (at < NEAREST) {
                found[at] = found[at - 1];
                nearest[at] = nearest[at - 1];
            }
        if (at < NEAREST) {
            found[at] = distance;
            nearest[at] = k;
        }
    }
}

/* The share of `b` in the mixture with `a` that comes nearest to lab, and what it costs. */
static double mix(const double a[3], const double b[3], const double lab[3], double *cost)
{
    double along = 0, missed[3];
    const double length2 = distance2(a, b);
    for (int k = 0; k < 3; k++)
        along += (lab[k] - a[k]) * (b[k] - a[k]);
    const double share = fmax(0, fmin(along / length2, 1));
    for (int k = 0; k < 3; k++)
        missed[k] = a[k] + share * (b[k] - a[k]);
    *cost = distance2(missed, lab) + pattern_cost * 4 * share * (1 - share) * length2;
    return share;
}

int palette_at(const struct palette *palette, struct colour colour, int x, int y)
{
    /* Bayer's matrix: each half of the thresholds is spread evenly. */
    static const int order[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
    double lab[3], best_share = 0;
    int nearest[NEAREST], a = 0, b = 0;
    colour_oklab(colour, lab);
    find_nearest(palette, lab, nearest);
    double least = distance2(palette->lab[nearest[0]], lab);
    a = b = nearest[0];
    for (int i = 0; i < NEAREST; i++)
        for (int j = i + 1; j < NEAREST; j++) {
            /* The lower number first, so that neighbours in the picture agree on the pattern. */
            const int low = nearest[i] < nearest[j] ? nearest[i] : nearest[j];
            const int high = nearest[i] + nearest[j] - low;
            double cost = 0;
            const double share = mix(palette->lab[low], palette->lab[high], lab, &cost);
            if (cost < least) {
                least = cost;
                best_share = share;
                a = low;
                b = high;
            }
        }
    return PALETTE_FIRST + ((order[y % 4][x % 4] + 0.5) / 16 < best_share ? b : a);
}
