/* Numbers for people on a picture: round tick values, their labels, fitting units. */
#ifndef ISOTHERM_IO_AXIS_H
#define ISOTHERM_IO_AXIS_H

#include <stdbool.h>
#include <stddef.h>

enum { AXIS_MAX_TICKS = 64, AXIS_LABEL_BYTES = 160 };

/* low < high and the ticks are in the unit shown. A tick is labelled (value - offset) / 10^exponent
 * with so many decimals; axis_note() tells the reader about the other two. */
struct axis {
    double low, high;
    int count;
    double ticks[AXIS_MAX_TICKS];
    int decimals, exponent;
    double offset;
    char label[AXIS_LABEL_BYTES]; /* "x (mm)"; the owner fills it in */
};

struct axis_unit {
    const char *name;
    double size; /* in SI units: 1e-3 for mm */
};

/* Ticks at multiples of 1, 2, 2.5 or 5 times a power of ten, at most `most` (2 to AXIS_MAX_TICKS)
 * of them. low and high are finite; when they are equal the axis reaches a little to both sides. */
void axis_init(struct axis *axis, double low, double high, int most);

void axis_tick_text(const struct axis *axis, int tick, char *text, size_t bytes);

/* "×10⁻⁶ + 293.15", or "" when labels are plain. */
void axis_note(const struct axis *axis, char *text, size_t bytes);

/* Where value lies between from (low) and to (high). */
double axis_place(const struct axis *axis, double value, double from, double to);

/* The unit in which a length of this many m, or a time of this many s, reads well. */
struct axis_unit axis_length_unit(double length);
struct axis_unit axis_time_unit(double time);

/* Up to `digits` significant digits, trailing zeros cut: "0.125", "−40", "2.5×10⁻⁷". */
void axis_number(double value, int digits, char *text, size_t bytes);

#endif
