/* An open run.h5 of which `isotherm plot` draws a dataset: its values, and their pictures. */
#ifndef ISOTHERM_SOLVER_CLI_PLOT_SOURCE_H
#define ISOTHERM_SOLVER_CLI_PLOT_SOURCE_H

#include "io/plot.h"
#include "io/series_variable.h"
#include "solver/cli/plot_options.h"

/* With room for one frame. */
struct plot_source {
    const struct plot_options *options;
    struct series *series;
    struct series_variable variable;
    int64_t frames, nx, ny;
    double size[2], origin[2]; /* m */
    double *field;             /* (ny, nx) */
    double *materials;         /* (ny, nx), NULL without --outlines */
    int64_t along;             /* points of a profile, 0 without --line */
    double *x, *profile;       /* (along) */
    bool has_range;
    double range[2]; /* for all pictures alike */
};

/* STATUS_INPUT when the options ask for what the dataset has not. On failure plot_source_close()
 * must still be called; the options must stay. */
enum status plot_source_open(struct plot_source *source,
                             const struct plot_options *options) MUST_CHECK;
void plot_source_close(struct plot_source *source);

/* Reads a frame into `field`, in the unit that is shown, and the values along the line of --line.
 */
enum status plot_source_read(struct plot_source *source, int64_t frame) MUST_CHECK;

/* What --unit does to values[count] of the dataset, and the unit that they have then. */
void plot_source_convert(const struct plot_source *source, double *values, int64_t count);
const char *plot_source_unit(const struct plot_source *source);

/* Sets the range of all frames, so that pictures of different times can be compared. */
enum status plot_source_find_range(struct plot_source *source) MUST_CHECK;

/* Draws what was read on a new canvas; no time (s): NULL. */
enum status plot_source_draw_line(const struct plot_source *source, const double *time,
                                  struct canvas *canvas) MUST_CHECK;
enum status plot_source_draw_field(const struct plot_source *source, const double *time,
                                   struct canvas *canvas) MUST_CHECK;

#endif
