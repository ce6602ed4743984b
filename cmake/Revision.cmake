# Run at every build: writes OUTPUT (a header) with VERSION and the git revision of SOURCE, and leaves
# the file alone when nothing changed, so that nothing is compiled again.
cmake_minimum_required(VERSION 3.25)

# Only when SOURCE itself is a checkout: an unpacked archive inside some other repository is not.
set(revision "unknown")
find_program(GIT git)
if(GIT AND EXISTS "${SOURCE}/.git")
    execute_process(
        COMMAND "${GIT}" -C "${SOURCE}" describe --always --dirty --abbrev=7 "--exclude=*"
        RESULT_VARIABLE failed
        OUTPUT_VARIABLE described
        OUTPUT_STRIP_TRAILING_WHITESPACE
        ERROR_QUIET)
    if(NOT failed)
        set(revision "${described}")
    endif()
endif()

file(CONFIGURE OUTPUT "${OUTPUT}" @ONLY CONTENT [[
#ifndef ISOTHERM_BASE_REVISION_H
#define ISOTHERM_BASE_REVISION_H

#define VERSION_TEXT "@VERSION@ (@revision@)"

#endif
]])
