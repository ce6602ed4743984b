#include "solver/cli/plot_write.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "io/png.h"

enum { PATH_BYTES = 4096 };

enum status plot_write_picture(const struct plot_options *options, const struct plot_name *name,
                               const struct canvas *canvas)
{
    char path[PATH_BYTES], shown[PATH_BYTES];
    TRY(frames_path(
        &(struct frames_name){.from = options->file != NULL ? options->file : options->probes,
                              .tail = name->tail,
                              .suffix = ".png",
                              .output = options->output,
                              .frame = name->frame,
                              .frames = name->frames},
        path, sizeof path));
    TRY(png_write_canvas(path, canvas));
    if (strcmp(path, "-") == 0)
        return STATUS_OK;
    text_escape(shown, sizeof shown, path);
    printf("wrote %s\n", shown);
    return STATUS_OK;
}

enum status plot_write_chart(const struct plot_options *options, const char *tail,
                             const struct plot_chart *chart)
{
    struct canvas canvas = {0};
    const struct plot_name name = {.tail = tail, .frame = -1};
    enum status status = plot_chart_draw(chart, &canvas, NULL);
    if (status == STATUS_OK)
        status = plot_write_picture(options, &name, &canvas);
    canvas_free(&canvas);
    return status;
}
