/* Pictures arrive in the file as drawn, whole or not at all. */
#include <dirent.h>
#include <png.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/png.h"
#include "tests/check.h"

enum { WIDTH = 301, HEIGHT = 157 };

/* In a folder of its own, the current one while the test runs. */
static const char *const file_name = "a.png";

/* A picture that differs in every pixel and does not compress to nothing. */
static bool draw(struct canvas *canvas, unsigned int seed)
{
    if (!CHECK_OK(canvas_alloc(canvas, WIDTH, HEIGHT, (struct colour){0, 0, 0})))
        return false;
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            seed = seed * 1664525U + 1013904223U;
            canvas_set(
                canvas, x, y,
                (struct colour){(unsigned char)x, (unsigned char)y, (unsigned char)(seed >> 24)});
        }
    }
    return true;
}

/* Whether libpng reads just this picture from the file. */
static bool file_holds(const char *path, const struct canvas *canvas)
{
    static png_byte pixels[HEIGHT][WIDTH][3];
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&image, path))
        return false;
    const bool is_alike = image.width == WIDTH && image.height == HEIGHT;
    image.format = PNG_FORMAT_RGB;
    const bool is_read = is_alike && png_image_finish_read(&image, NULL, pixels, 0, NULL);
    png_image_free(&image);
    return is_read && memcmp(pixels, canvas->rgb, sizeof pixels) == 0;
}

static int files_in_folder(void)
{
    DIR *directory = opendir(".");
    int count = 0;
    if (directory == NULL)
        return -1;
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory))
        count += entry->d_name[0] != '.' ? 1 : 0;
    (void)closedir(directory);
    return count;
}

static void picture_is_read_back(void)
{
    struct canvas canvas;
    if (!draw(&canvas, 1))
        return;
    CHECK_OK(png_write_canvas(file_name, &canvas));
    CHECK(file_holds(file_name, &canvas));
    CHECK_EQUAL_INT(files_in_folder(), 1);
    canvas_free(&canvas);
}

static void picture_replaces_an_older_one(void)
{
    struct canvas canvas;
    if (!draw(&canvas, 2))
        return;
    CHECK(!file_holds(file_name, &canvas));
    CHECK_OK(png_write_canvas(file_name, &canvas));
    CHECK(file_holds(file_name, &canvas));
    CHECK_EQUAL_INT(files_in_folder(), 1);
    canvas_free(&canvas);
}

/* The device is full in the middle of the picture; here a limit on the size of files stands for
 * it. */
static void failed_write_leaves_the_old_picture(void)
{
    struct canvas before, canvas;
    struct rlimit limit;
    if (!draw(&before, 3) || !draw(&canvas, 4) || !CHECK_OK(png_write_canvas(file_name, &before)) ||
        !CHECK(getrlimit(RLIMIT_FSIZE, &limit) == 0) || !CHECK(signal(SIGXFSZ, SIG_IGN) != SIG_ERR))
        return;
    const struct rlimit small = {.rlim_cur = 20000, .rlim_max = limit.rlim_max};
    CHECK(setrlimit(RLIMIT_FSIZE, &small) == 0);
    const enum status status = png_write_canvas(file_name, &canvas);
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    CHECK_FAILS(status, STATUS_FILE);
    CHECK_CONTAINS(error_message(), file_name);
    error_clear();
    CHECK(file_holds(file_name, &before));
    CHECK_EQUAL_INT(files_in_folder(), 1);
    canvas_free(&before);
    canvas_free(&canvas);
}

static void wrong_places_are_refused(void)
{
    struct canvas canvas;
    if (!draw(&canvas, 5))
        return;
    CHECK_FAILS(png_write_canvas("none/a.png", &canvas), STATUS_FILE);
    CHECK_CONTAINS(error_message(), "none/a.png");
    CHECK_CONTAINS(error_message(), "No such file or directory");
    error_clear();
    /* A folder has the name of the picture: the rename fails, the temporary file goes. */
    CHECK(mkdir("folder", 0700) == 0);
    CHECK_FAILS(png_write_canvas("folder", &canvas), STATUS_FILE);
    error_clear();
    CHECK(rmdir("folder") == 0);
    CHECK_EQUAL_INT(files_in_folder(), 1);
    if (geteuid() != 0) { /* root writes anywhere */
        CHECK(chmod(".", 0500) == 0);
        CHECK_FAILS(png_write_canvas("b.png", &canvas), STATUS_FILE);
        error_clear();
        CHECK(chmod(".", 0700) == 0);
        CHECK_EQUAL_INT(files_in_folder(), 1);
    }
    canvas_free(&canvas);
}

int main(void)
{
    char folder[] = "png_XXXXXX";
    if (!CHECK(mkdtemp(folder) != NULL) || !CHECK(chdir(folder) == 0))
        return check_result();
    picture_is_read_back();
    picture_replaces_an_older_one();
    failed_write_leaves_the_old_picture();
    wrong_places_are_refused();
    CHECK(unlink(file_name) == 0);
    CHECK(chdir("..") == 0);
    CHECK(rmdir(folder) == 0);
    return check_result();
}
