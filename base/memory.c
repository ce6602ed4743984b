#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum status size_multiply(size_t count, size_t size, size_t *bytes)
{
    if (__builtin_mul_overflow(count, size, bytes))
        return fail(STATUS_MEMORY,
                    "%zu elements of %zu bytes are more than this machine can address", count,
                    size);
    return STATUS_OK;
}

enum status memory_alloc(void *pointer_to_pointer, size_t count, size_t size, const char *what)
{
    size_t bytes = 0;
    TRY(size_multiply(count, size, &bytes));
    void *memory = calloc(1, bytes > 0 ? bytes : 1);
    if (memory == NULL)
        return fail(STATUS_MEMORY, "%s: %zu bytes of memory are not available", what, bytes);
    memcpy(pointer_to_pointer, &memory, sizeof memory);
    return STATUS_OK;
}

enum status memory_copy_text(char **copy, const char *text)
{
    const size_t length = strlen(text);
    TRY(memory_alloc(copy, length + 1, 1, "text"));
    memcpy(*copy, text, length);
    return STATUS_OK;
}
