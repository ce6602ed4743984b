#include "io/png_read.h"

#include <errno.h>
#include <fcntl.h>
#include <png.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

/* Everything lives here, not in variables of the function that libpng jumps back to. */
struct reader {
    const char *path, *where; /* not owned */
    FILE *file;
    png_structp png;
    png_infop info;
    png_bytep *rows; /* (height) into levels->values, owned */
    struct png_levels *levels;
    enum status status; /* of what failed before libpng was at fault */
    char message[160];  /* of libpng */
};

static void take_error(png_structp png, png_const_charp message)
{
    struct reader *reader = png_get_error_ptr(png);
    (void)snprintf(reader->message, sizeof reader->message, "%s", message);
    png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static enum status check_kind(const struct reader *reader)
{
    const int colour = png_get_color_type(reader->png, reader->info);
    const int bits = png_get_bit_depth(reader->png, reader->info);
    const char *problem = NULL;
    if (colour & PNG_COLOR_MASK_ALPHA)
        problem = "has an alpha channel";
    else if (colour == PNG_COLOR_TYPE_RGB)
        problem = "has colours without a palette";
    else if (bits == 16)
        problem = "has 16 bits a pixel";
    if (problem == NULL)
        return STATUS_OK;
    return fail(STATUS_INPUT,
                "%s: %s %s; the palette index or grey level is to be the number of the material: "
                "save it with a palette, or in grey of 8 bits, without alpha",
                reader->where, reader->path, problem);
}

static enum status make_room(struct reader *reader)
{
    struct png_levels *levels = reader->levels;
    const uint64_t width = png_get_image_width(reader->png, reader->info);
    const uint64_t height = png_get_image_height(reader->png, reader->info);
    if (width * height > PNG_MOST_PIXELS)
        return fail(STATUS_FILE, "%s: %s has %llu x %llu pixels; at most %d in all are possible",
                    reader->where, reader->path, (unsigned long long)width,
                    (unsigned long long)height, (int)PNG_MOST_PIXELS);
    levels->width = (int)width;
    levels->height = (int)height;
    TRY(memory_alloc(&levels->values, (size_t)(width * height), 1, "image"));
    TRY(memory_alloc(&reader->rows, (size_t)height, sizeof *reader->rows, "image"));
    for (size_t j = 0; j < height; j++)
        reader->rows[j] = levels->values + j * (size_t)width;
    return STATUS_OK;
}

/* False when libpng gave up, with its reason in the message. */
static bool decode(struct reader *reader)
{
    if (setjmp(png_jmpbuf(reader->png)) != 0)
        return false;
    png_init_io(reader->png, reader->file);
    png_set_user_limits(reader->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_read_info(reader->png, reader->info);
    reader->status = check_kind(reader);
    if (reader->status == STATUS_OK)
        reader->status = make_room(reader);
    if (reader->status != STATUS_OK)
        return true;
    png_set_packing(reader->png); /* a byte for each pixel, levels as they are */
    (void)png_set_interlace_handling(reader->png);
    png_read_update_info(reader->png, reader->info);
    png_read_image(reader->png, reader->rows);
    png_read_end(reader->png, NULL); /* the rest is whole too */
    return true;
}

static enum status open_file(struct reader *reader)
{
    const int fd = open(reader->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat about = {0};
    if (fd < 0)
        return fail(STATUS_FILE, "%s: %s cannot be opened: %s", reader->where, reader->path,
                    strerror(errno));
    const bool is_regular = fstat(fd, &about) == 0 && S_ISREG(about.st_mode);
    reader->file = is_regular ? fdopen(fd, "rb") : NULL;
    if (reader->file != NULL)
        return STATUS_OK;
    (void)close(fd);
    return fail(STATUS_FILE, "%s: %s is not a regular file that can be read", reader->where,
                reader->path);
}

static enum status read_levels(struct reader *reader)
{
    TRY(open_file(reader));
    reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, take_error, ignore_warning);
    if (reader->png != NULL)
        reader->info = png_create_info_struct(reader->png);
    if (reader->info == NULL)
        return fail(STATUS_MEMORY, "%s: no memory for %s", reader->where, reader->path);
    if (!decode(reader))
        return fail(STATUS_FILE, "%s: %s cannot be read as PNG: %s", reader->where, reader->path,
                    reader->message);
    return reader->status;
}

enum status png_read_levels(const char *path, const char *where, struct png_levels *levels)
{
    struct reader reader = {.path = path, .where = where, .levels = levels};
    *levels = (struct png_levels){0};
    const enum status status = read_levels(&reader);
    png_destroy_read_struct(&reader.png, &reader.info, NULL);
    if (reader.file != NULL)
        (void)fclose(reader.file);
    free(reader.rows);
    if (status != STATUS_OK) {
        free(levels->values);
        *levels = (struct png_levels){0};
    }
    return status;
}
