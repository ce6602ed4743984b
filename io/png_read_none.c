#include "io/png_read.h"

enum status png_read_levels(const char *path, const char *where, struct png_levels *levels)
{
    *levels = (struct png_levels){0};
    return fail(STATUS_FILE,
                "%s: %s cannot be read: this program was built without libpng; install libpng "
                "(Debian: libpng-dev) and build again, or give geometry.material",
                where, path);
}
