/* Plain files with every failure said in one way: the path, what failed, how many bytes, and what
 * to do about it. */
#ifndef ISOTHERM_IO_DISK_H
#define ISOTHERM_IO_DISK_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* "PATH: cannot be WHAT: reason" with the advice that fits errno (`error`). */
enum status disk_fail(const char *path, const char *what, int error);

/* Writes all of data[bytes] at `offset`; interrupted and short writes go on, a write of nothing is
 * an error. Returns 0 or the errno, so that callers can tell how far they had come. */
int disk_write_at(int fd, const void *data, size_t bytes, uint64_t offset) MUST_CHECK;

/* Reads all of data[bytes] at `offset`; an end of file before that is STATUS_FILE. */
enum status disk_read(int fd, const char *path, void *data, size_t bytes,
                      uint64_t offset) MUST_CHECK;

/* Bytes of an open regular file; anything else (a FIFO, a directory) is STATUS_FILE. */
enum status disk_size(int fd, const char *path, uint64_t *bytes) MUST_CHECK;

/* Gives a file new contents, wholly or not at all: they are written to PATH.new first. */
enum status disk_replace(const char *path, const void *data, size_t bytes) MUST_CHECK;

/* Bytes that the file system of `directory` has left for this user. */
enum status disk_room(const char *directory, double *bytes) MUST_CHECK;

/* STATUS_FILE with both numbers when the file system of `directory` has less room than `bytes`. */
enum status disk_check_room(const char *directory, uint64_t bytes, const char *what) MUST_CHECK;

/* Bytes [from, to) of a file need not stay in memory: the system writes them out and takes the
 * memory for others, if it likes. Waits for nothing. Another call later lets go of what had to be
 * written first. */
void disk_let_go(const char *path, uint64_t from, uint64_t to);

/* Makes names in the directory durable. */
enum status disk_sync_directory(const char *directory) MUST_CHECK;

/* The folder of a path, "." for a bare name. */
enum status disk_directory_of(const char *path, char *directory, size_t bytes) MUST_CHECK;

/* to = "FORMAT"; STATUS_FILE when that is too long for a path. */
enum status disk_path(char *to, size_t bytes, const char *format, ...) MUST_CHECK PRINTF_LIKE(3, 4);

#endif
