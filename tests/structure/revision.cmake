# cmake -DSCRIPT=Revision.cmake -P revision.cmake: what the generated header says about a folder that is
# no checkout, a clean checkout and a changed one; and that it is not touched without need.
cmake_minimum_required(VERSION 3.25)

set(tree "${CMAKE_CURRENT_BINARY_DIR}/tree")
set(header "${CMAKE_CURRENT_BINARY_DIR}/revision.h")
file(REMOVE_RECURSE "${tree}" "${header}")
file(WRITE "${tree}/a.txt" "first\n")

function(git)
    execute_process(COMMAND git -C "${tree}" -c user.name=a -c user.email=a@b ${ARGN}
        COMMAND_ERROR_IS_FATAL ANY OUTPUT_VARIABLE output OUTPUT_STRIP_TRAILING_WHITESPACE)
    set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect text)
    execute_process(COMMAND "${CMAKE_COMMAND}" "-DSOURCE=${tree}" -DVERSION=1.2.3 "-DOUTPUT=${header}"
        -P "${SCRIPT}" COMMAND_ERROR_IS_FATAL ANY)
    file(STRINGS "${header}" found REGEX VERSION_TEXT)
    if(NOT found STREQUAL "#define VERSION_TEXT \"${text}\"")
        message(FATAL_ERROR "expected ${text}: ${found}")
    endif()
endfunction()

expect("1.2.3 (unknown)")
git(init --quiet)
git(add a.txt)
git(commit --quiet --message=first)
git(tag v1)
git(rev-parse HEAD)
string(SUBSTRING "${output}" 0 7 revision)
expect("1.2.3 (${revision})")
file(TIMESTAMP "${header}" before "%s")
execute_process(COMMAND "${CMAKE_COMMAND}" -E sleep 1.1)
expect("1.2.3 (${revision})")
file(TIMESTAMP "${header}" after "%s")
if(NOT before STREQUAL after)
    message(FATAL_ERROR "the header was written again without need")
endif()
file(WRITE "${tree}/a.txt" "second\n")
expect("1.2.3 (${revision}-dirty)")
