#include "io/export.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "io/disk.h"

enum { NUMBER_BYTES = 32, DOUBLE_BYTES = 8 };

/* A file being written. Its contents are written without looking; `file` remembers what failed. */
struct sheet {
    const char *path;
    FILE *file;
    bool is_ours; /* to remove when it stays half written */
};

/* A second descriptor of standard output, so that this one may be closed. Opening /dev/stdout would
 * cut the file that the shell appends to. */
static FILE *open_standard_output(void)
{
    const int fd = dup(STDOUT_FILENO);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (file == NULL && fd >= 0)
        (void)close(fd);
    return file;
}

static enum status sheet_open(struct sheet *sheet, const char *path)
{
    struct stat about;
    const bool is_standard = strcmp(path, "-") == 0;
    *sheet = (struct sheet){.path = is_standard ? "standard output" : path,
                            .file = is_standard ? open_standard_output() : fopen(path, "w")};
    if (sheet->file == NULL)
        return disk_fail(sheet->path, "created", errno);
    sheet->is_ours =
        !is_standard && fstat(fileno(sheet->file), &about) == 0 && S_ISREG(about.st_mode);
    return STATUS_OK;
}

/* What the disk refuses shows at the latest here. */
static enum status sheet_close(struct sheet *sheet)
{
    const bool is_written = fflush(sheet->file) == 0 && ferror(sheet->file) == 0;
    const int error = errno;
    const bool is_closed = fclose(sheet->file) == 0;
    if (is_written && is_closed)
        return STATUS_OK;
    const enum status status = disk_fail(sheet->path, "written", is_written ? errno : error);
    if (sheet->is_ours)
        (void)unlink(sheet->path);
    return status;
}

/* ---- a table ---- */

static void real_or_nothing(char text[NUMBER_BYTES], double value)
{
    text[0] = '\0';
    if (isfinite(value))
        text_real(text, NUMBER_BYTES, value);
}

/* "heat_flux_x_W_per_m2" */
static void put_column_name(FILE *file, const struct export_field *field)
{
    fputs(field->name, file);
    if (field->unit[0] == '\0')
        return;
    fputc('_', file);
    for (const char *c = field->unit; *c != '\0'; c++) {
        if (*c == '/')
            fputs("_per_", file);
        else
            fputc(*c, file);
    }
}

enum status export_csv(const char *path, const struct export_field *field)
{
    char(*x)[NUMBER_BYTES] = NULL; /* (nx): the same in every row */
    char y[NUMBER_BYTES], value[NUMBER_BYTES];
    struct sheet sheet;
    enum status status = STATUS_OK;
    TRY_DONE(memory_alloc(&x, (size_t)field->nx, sizeof *x, "places of the cells"));
    for (int64_t i = 0; i < field->nx; i++)
        text_real(x[i], NUMBER_BYTES, field->places[0][i]);
    TRY_DONE(sheet_open(&sheet, path));
    fputs("x_m,y_m,", sheet.file);
    put_column_name(sheet.file, field);
    fputc('\n', sheet.file);
    for (int64_t j = 0; j < field->ny && ferror(sheet.file) == 0; j++) {
        text_real(y, sizeof y, field->places[1][j]);
        for (int64_t i = 0; i < field->nx; i++) {
            real_or_nothing(value, field->values[j * field->nx + i]);
            fprintf(sheet.file, "%s,%s,%s\n", x[i], y, value);
        }
    }
    TRY_DONE(sheet_close(&sheet));
done:
    free(x);
    return status;
}

/* ---- bare numbers ---- */

/* By value, so that the order in the machine's memory does not matter. */
static void put_little_endian(FILE *file, double value)
{
    uint64_t bits = 0;
    unsigned char bytes[DOUBLE_BYTES];
    memcpy(&bits, &value, sizeof bits);
    for (int b = 0; b < DOUBLE_BYTES; b++)
        bytes[b] = (unsigned char)(bits >> 8 * b & 0xff);
    (void)fwrite(bytes, sizeof bytes, 1, file);
}

static void put_length(FILE *file, const char *name, double value)
{
    char text[NUMBER_BYTES];
    text_real(text, sizeof text, value);
    fprintf(file, "%s = %s\n", name, text);
}

static enum status write_description(const char *path, const struct export_field *field)
{
    char name[PATH_MAX];
    struct sheet sheet;
    const char *slash = strrchr(path, '/');
    TRY(disk_path(name, sizeof name, "%s.txt", path));
    TRY(sheet_open(&sheet, name));
    fprintf(sheet.file,
            "file = %s\n"
            "quantity = %s\n"
            "unit = %s\n"
            "type = float64\n"
            "byte_order = little-endian\n"
            "order = x fastest, first row at the bottom\n"
            "cells_x = %lld\n"
            "cells_y = %lld\n",
            slash != NULL ? slash + 1 : path, field->name, field->unit, (long long)field->nx,
            (long long)field->ny);
    put_length(sheet.file, "size_x_m", field->size[0]);
    put_length(sheet.file, "size_y_m", field->size[1]);
    if (field->origin[0] != 0.0 || field->origin[1] != 0.0) {
        put_length(sheet.file, "origin_x_m", field->origin[0]);
        put_length(sheet.file, "origin_y_m", field->origin[1]);
    }
    put_length(sheet.file, "time_s", field->time);
    fprintf(sheet.file, "step = %lld\n", (long long)field->step);
    return sheet_close(&sheet);
}

enum status export_raw(const char *path, const struct export_field *field)
{
    struct sheet sheet;
    TRY(sheet_open(&sheet, path));
    for (int64_t c = 0; c < field->nx * field->ny && ferror(sheet.file) == 0; c++)
        put_little_endian(sheet.file, field->values[c]);
    TRY(sheet_close(&sheet));
    return write_description(path, field);
}
