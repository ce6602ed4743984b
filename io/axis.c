#include "io/axis.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double steps[] = {1, 2, 2.5, 5};

enum { STEPS = sizeof steps / sizeof steps[0] };

/* steps[mantissa] * 10^exponent */
struct step {
    int mantissa, exponent;
};

/* m * 10^e, rounded once: powers of ten up to 22 are exact. */
static double scaled(double m, int e)
{
    return e < 0 ? m / pow(10, -e) : m * pow(10, e);
}

static double step_size(struct step step)
{
    return scaled(steps[step.mantissa], step.exponent);
}

/* Beyond these the arithmetic of ticks would leave the range of double. */
static const double largest = 1e300, smallest = 1e-280;

/* Slack for ends that are ticks but for rounding. */
static const double slack = 1e-6;

static double first_multiple(double low, double size)
{
    return ceil(low / size - slack);
}

static double last_multiple(double high, double size)
{
    return floor(high / size + slack);
}

static struct step choose_step(double low, double high, int most)
{
    struct step step = {0, (int)floor(log10((high - low) / most))};
    while (last_multiple(high, step_size(step)) - first_multiple(low, step_size(step)) + 1 > most) {
        if (++step.mantissa == STEPS)
            step = (struct step){0, step.exponent + 1};
    }
    return step;
}

/* Labels of more than six digits hide what changes: an offset is taken out first, then a power of a
 * thousand. */
static void choose_labels(struct axis *axis, struct step step)
{
    const double size = step_size(step);
    double most = fmax(fabs(axis->low), fabs(axis->high));
    if (most / size > 1e5) {
        const int digit = (int)ceil(log10(axis->high - axis->low));
        const double inside = scaled(ceil(scaled(axis->low, -digit) - slack), digit);
        const double below = scaled(floor(scaled(axis->low, -digit) + slack), digit);
        axis->offset = inside < axis->high ? inside : below;
        most = fmax(fabs(axis->low - axis->offset), fabs(axis->high - axis->offset));
    }
    if (most >= 1e5 || most < 1e-2)
        axis->exponent = 3 * (int)floor(log10(most) / 3);
    const int last_digit = step.exponent - axis->exponent - (steps[step.mantissa] == 2.5 ? 1 : 0);
    axis->decimals = last_digit < 0 ? -last_digit : 0;
}

void axis_init(struct axis *axis, double low, double high, int most)
{
    low = fmax(-largest, fmin(low, largest));
    high = fmax(-largest, fmin(high, largest));
    const double magnitude = fmax(fabs(low), fabs(high));
    /* Ends nearer than this cannot be told apart by ticks. */
    if (!(high - low > 1e-11 * magnitude && high - low > smallest)) {
        const double reach = magnitude > smallest ? 0.001 * magnitude : 1;
        low -= reach;
        high += reach;
    }
    *axis = (struct axis){.low = low, .high = high};
    const struct step step = choose_step(low, high, most < AXIS_MAX_TICKS ? most : AXIS_MAX_TICKS);
    const double first = first_multiple(low, step_size(step));
    const double last = last_multiple(high, step_size(step));
    axis->count = (int)(last - first) + 1;
    for (int k = 0; k < axis->count; k++)
        axis->ticks[k] = scaled((first + k) * steps[step.mantissa], step.exponent);
    choose_labels(axis, step);
}

/* Copies with a true minus sign; "-0" loses its sign. */
static void put_signed(const char *number, char *text, size_t bytes)
{
    const bool is_negative = number[0] == '-' && strpbrk(number, "123456789") != NULL;
    (void)snprintf(text, bytes, "%s%s", is_negative ? "−" : "", number + (number[0] == '-'));
}

void axis_tick_text(const struct axis *axis, int tick, char *text, size_t bytes)
{
    char number[400];
    const double value = scaled(axis->ticks[tick] - axis->offset, -axis->exponent);
    (void)snprintf(number, sizeof number, "%.*f", axis->decimals, value);
    put_signed(number, text, bytes);
}

static void put_power(int exponent, char *text, size_t bytes)
{
    static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char plain[16];
    (void)snprintf(plain, sizeof plain, "%d", abs(exponent));
    (void)snprintf(text, bytes, "×10%s", exponent < 0 ? "⁻" : "");
    for (const char *c = plain; *c != '\0'; c++) {
        const size_t used = strlen(text);
        (void)snprintf(text + used, bytes - used, "%s", digits[*c - '0']);
    }
}

void axis_note(const struct axis *axis, char *text, size_t bytes)
{
    char power[48] = "", offset[80] = "";
    if (axis->exponent != 0)
        put_power(axis->exponent, power, sizeof power);
    if (axis->offset != 0)
        axis_number(fabs(axis->offset), 15, offset, sizeof offset);
    const char *sign = axis->offset > 0 ? "+ " : axis->offset < 0 ? "− " : "";
    (void)snprintf(text, bytes, "%s%s%s%s", power, power[0] != '\0' && sign[0] != '\0' ? " " : "",
                   sign, offset);
}

double axis_place(const struct axis *axis, double value, double from, double to)
{
    return from + (value - axis->low) / (axis->high - axis->low) * (to - from);
}

/* Largest first; each from `least` upwards. */
struct unit_choice {
    double least;
    struct axis_unit unit;
};

static struct axis_unit choose_unit(const struct unit_choice *choices, int count, double value)
{
    int k = 0;
    while (k < count - 1 && !(value >= choices[k].least))
        k++;
    return choices[k].unit;
}

struct axis_unit axis_length_unit(double length)
{
    static const struct unit_choice choices[] = {{2e3, {"km", 1e3}},
                                                 {1, {"m", 1}},
                                                 {1e-3, {"mm", 1e-3}},
                                                 {1e-6, {"µm", 1e-6}},
                                                 {0, {"nm", 1e-9}}};
    return choose_unit(choices, sizeof choices / sizeof choices[0], length);
}

struct axis_unit axis_time_unit(double time)
{
    static const struct unit_choice choices[] = {{5 * 86400, {"d", 86400}}, {5 * 3600, {"h", 3600}},
                                                 {0.05, {"s", 1}},          {5e-5, {"ms", 1e-3}},
                                                 {5e-8, {"µs", 1e-6}},      {0, {"ns", 1e-9}}};
    if (time == 0)
        return (struct axis_unit){"s", 1};
    return choose_unit(choices, sizeof choices / sizeof choices[0], time);
}

void axis_number(double value, int digits, char *text, size_t bytes)
{
    char number[64], power[48];
    if (!isfinite(value)) {
        (void)snprintf(text, bytes, "%s", isnan(value) ? "NaN" : value > 0 ? "∞" : "−∞");
        return;
    }
    (void)snprintf(number, sizeof number, "%.*g", digits, value);
    char *exponent = strchr(number, 'e');
    if (exponent == NULL) {
        put_signed(number, text, bytes);
        return;
    }
    put_power((int)strtol(exponent + 1, NULL, 10), power, sizeof power);
    *exponent = '\0';
    put_signed(number, text, bytes);
    const size_t used = strlen(text);
    (void)snprintf(text + used, bytes - used, "%s", power);
}
