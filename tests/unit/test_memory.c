#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"
#include "tests/check.h"

static void sizes_that_do_not_fit_are_refused(void)
{
    size_t bytes = 0;
    CHECK_OK(size_multiply(3, 8, &bytes));
    CHECK_EQUAL_INT((int64_t)bytes, 24);
    CHECK_OK(size_multiply(SIZE_MAX, 1, &bytes));
    CHECK(bytes == SIZE_MAX);
    CHECK_OK(size_multiply(0, SIZE_MAX, &bytes));
    CHECK_EQUAL_INT((int64_t)bytes, 0);
    CHECK_FAILS(size_multiply(SIZE_MAX / 2 + 1, 2, &bytes), STATUS_MEMORY);
    error_clear();
}

static void memory_is_zeroed(void)
{
    /* leave something behind for the next allocation of this size to find */
    double *values = NULL;
    CHECK_OK(memory_alloc(&values, 1000, sizeof *values, "values"));
    for (volatile int i = 0; i < 1000; i++)
        ((volatile double *)values)[i] = 1.0;
    free(values);

    CHECK_OK(memory_alloc(&values, 1000, sizeof *values, "values"));
    bool all_zero = true;
    for (int i = 0; i < 1000; i++)
        all_zero = all_zero && values[i] == 0.0;
    CHECK(all_zero);
    free(values);
}

static void no_elements_are_still_an_array(void)
{
    char *nothing = NULL;
    CHECK_OK(memory_alloc(&nothing, 0, 8, "nothing"));
    CHECK(nothing != NULL);
    free(nothing);
}

static void what_is_too_large_is_named(void)
{
    /* half of the address space: no allocator has it */
    char *field = NULL;
    CHECK_FAILS(memory_alloc(&field, SIZE_MAX / 4, 2, "temperature"), STATUS_MEMORY);
    CHECK_CONTAINS(error_message(), "temperature");
    CHECK_CONTAINS(error_message(), "bytes");
    CHECK(field == NULL);
    error_clear();
    CHECK_FAILS(memory_alloc(&field, SIZE_MAX, 8, "temperature"), STATUS_MEMORY);
    CHECK(field == NULL);
    error_clear();
}

static void text_is_copied(void)
{
    char text[] = "plate";
    char *copy = NULL;
    CHECK_OK(memory_copy_text(&copy, text));
    text[0] = 'x';
    CHECK_EQUAL_TEXT(copy, "plate");
    free(copy);
}

static void sizes_are_rounded_up(void)
{
    CHECK_EQUAL_INT((int64_t)size_round_up(0, 128), 0);
    CHECK_EQUAL_INT((int64_t)size_round_up(1, 128), 128);
    CHECK_EQUAL_INT((int64_t)size_round_up(128, 128), 128);
    CHECK_EQUAL_INT((int64_t)size_round_up(129, 128), 256);
}

int main(void)
{
    sizes_that_do_not_fit_are_refused();
    memory_is_zeroed();
    no_elements_are_still_an_array();
    what_is_too_large_is_named();
    text_is_copied();
    sizes_are_rounded_up();
    return check_result();
}
