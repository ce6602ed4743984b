#include "io/png.h"

#include <errno.h>
#include <fcntl.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "io/disk.h"

static enum status temporary_name(char **name, const char *path)
{
    const size_t bytes = strlen(path) + 32;
    TRY(memory_alloc(name, bytes, 1, "file name"));
    (void)snprintf(*name, bytes, "%s.%ld.tmp", path, (long)getpid());
    return STATUS_OK;
}

static enum status cannot(const char *path, const char *why)
{
    return fail(STATUS_FILE,
                "%s: the picture cannot be written: %s; check that the directory "
                "exists, is writable and has space, or choose another with -o",
                path, why);
}

static enum status encode(FILE *file, const char *path, const struct canvas *canvas)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)canvas->width,
                       .height = (png_uint_32)canvas->height,
                       .format = PNG_FORMAT_RGB};
    if (!png_image_write_to_stdio(&image, file, 0, canvas->rgb, 0, NULL)) {
        const enum status status = cannot(path, image.message);
        png_image_free(&image);
        return status;
    }
    return STATUS_OK;
}

static enum status write_standard_output(const struct canvas *canvas)
{
    static const char name[] = "standard output";
    errno = 0;
    if (encode(stdout, name, canvas) == STATUS_OK && fflush(stdout) == 0)
        return STATUS_OK;
    const int error = errno != 0 ? errno : EIO; /* libpng says no more than that */
    error_clear();
    return disk_fail(name, "written", error);
}

enum status png_write_canvas(const char *path, const struct canvas *canvas)
{
    if (strcmp(path, "-") == 0)
        return write_standard_output(canvas);
    enum status status = STATUS_OK;
    char *temporary = NULL;
    FILE *file = NULL;
    bool exists = false;
    int fd = -1;
    TRY(temporary_name(&temporary, path));
    fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        TRY_DONE(cannot(path, strerror(errno)));
    exists = true;
    file = fdopen(fd, "wb");
    if (file == NULL)
        TRY_DONE(cannot(path, strerror(errno)));
    fd = -1; /* the stream owns it now */
    TRY_DONE(encode(file, path, canvas));
    const int closed = fclose(file);
    file = NULL;
    if (closed != 0 || rename(temporary, path) != 0)
        TRY_DONE(cannot(path, strerror(errno)));
    exists = false;
done:
    if (file != NULL)
        (void)fclose(file);
    if (fd >= 0)
        (void)close(fd);
    if (exists)
        (void)unlink(temporary);
    free(temporary);
    return status;
}
