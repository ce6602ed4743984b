# cmake -DCODE=n [-DTEXT=text] -P expect_exit.cmake -- program arguments...
#
# The program must leave with exit code n. With TEXT, its stderr must be a line `isotherm: error: ...`
# for each line of TEXT, in order, that holds it literally, and nothing else; without, it must hold no
# such line.
# (CTest's own WILL_FAIL takes any code, and PASS_REGULAR_EXPRESSION looks at none.)
cmake_minimum_required(VERSION 3.25)

# As code, not as a list: brackets and semicolons in arguments would not survive in one.
set(command "")
set(past_separator OFF)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
    if(past_separator)
        string(APPEND command " [==[${CMAKE_ARGV${i}}]==]")
    elseif("${CMAKE_ARGV${i}}" STREQUAL "--")
        set(past_separator ON)
    endif()
endforeach()

cmake_language(EVAL CODE "execute_process(COMMAND ${command}
    RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE errors)")
set(report "exit code ${code}, expected ${CODE}\nstdout:\n${output}\nstderr:\n${errors}")
if(NOT "${code}" STREQUAL "${CODE}")
    message(FATAL_ERROR "${report}")
endif()
if("${TEXT}" STREQUAL "")
    if("\n${errors}" MATCHES "\nisotherm: error:")
        message(FATAL_ERROR "no error line was expected; ${report}")
    endif()
    return()
endif()

# Takes the first line off a text.
macro(take_line line text)
    string(FIND "${${text}}\n" "\n" length)
    string(SUBSTRING "${${text}}" 0 ${length} ${line})
    string(SUBSTRING "${${text}}\n" ${length} -1 ${text})
    string(SUBSTRING "${${text}}" 1 -1 ${text})
    string(REGEX REPLACE "\n$" "" ${text} "${${text}}")
endmacro()

while(NOT "${TEXT}" STREQUAL "")
    take_line(wanted TEXT)
    take_line(line errors)
    if(NOT "${line}" MATCHES "^isotherm: error: ")
        message(FATAL_ERROR "stderr has no line `isotherm: error: ...` for \"${wanted}\"; ${report}")
    endif()
    string(FIND "${line}" "${wanted}" at)
    if(at LESS 0)
        message(FATAL_ERROR "the error line does not hold \"${wanted}\"; ${report}")
    endif()
endwhile()
if(NOT "${errors}" STREQUAL "")
    message(FATAL_ERROR "stderr has more lines than that; ${report}")
endif()
