#include "io/png.h"

enum status png_write_canvas(const char *path, const struct canvas *canvas)
{
    (void)canvas;
    return fail(STATUS_FILE,
                "%s: cannot be written: this program was built without libpng; install libpng "
                "(Debian: libpng-dev) and build again",
                path);
}
