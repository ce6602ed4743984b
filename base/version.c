#include "base/version.h"

#include "base/revision.h" /* generated, see cmake/Revision.cmake */

const char *version_text(void)
{
    return VERSION_TEXT;
}
