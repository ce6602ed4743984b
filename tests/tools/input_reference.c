/* Prints docs/input.md as the table of settings has it. After a change of the table:
 * build/tests/structure/input_reference > docs/input.md */
#include <stdio.h>
#include <stdlib.h>

#include "io/input.h"

int main(void)
{
    if (input_reference(stdout) == STATUS_OK)
        return EXIT_SUCCESS;
    (void)fprintf(stderr, "%s\n", error_message());
    return EXIT_FAILURE;
}
