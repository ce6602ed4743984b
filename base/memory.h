/* Checked allocation and size arithmetic. */
#ifndef ISOTHERM_BASE_MEMORY_H
#define ISOTHERM_BASE_MEMORY_H

#include <stddef.h>

#include "base/error.h"

/* *bytes = count * size; STATUS_MEMORY when it does not fit size_t. */
enum status size_multiply(size_t count, size_t size, size_t *bytes) MUST_CHECK;

/* A zeroed array of count elements of `size` bytes, owned by the caller, released with free().
 * count = 0 gives a valid pointer. STATUS_MEMORY names the bytes and `what`. */
enum status memory_alloc(void *pointer_to_pointer, size_t count, size_t size,
                         const char *what) MUST_CHECK;

/* A copy of the string, owned by the caller. */
enum status memory_copy_text(char **copy, const char *text) MUST_CHECK;

static inline size_t size_round_up(size_t n, size_t multiple)
{
    return (n + multiple - 1) / multiple * multiple;
}

#endif
