# cmake -DBUILD=folder -P install.cmake: what is installed is all there and works from there.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE installed)
function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT code EQUAL 0)
        message(FATAL_ERROR "${ARGN}: ${code}\n${output}")
    endif()
endfunction()

set(prefix "${CMAKE_CURRENT_BINARY_DIR}/installed")
run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${prefix}")
foreach(file bin/isotherm share/man/man1/isotherm.1 share/bash-completion/completions/isotherm
        share/isotherm/inputs/plate.cfg share/isotherm/inputs/data/bottle.dat
        share/doc/isotherm/LICENSE share/doc/isotherm/docs/input.md)
    if(NOT EXISTS "${prefix}/${file}")
        message(FATAL_ERROR "${file} is not installed")
    endif()
endforeach()
if(EXISTS "${prefix}/share/isotherm/inputs/broken")
    message(FATAL_ERROR "the broken inputs of the tests are installed")
endif()
foreach(command run check info plot export compare devices bench)
    if(NOT EXISTS "${prefix}/share/man/man1/isotherm-${command}.1")
        message(FATAL_ERROR "the page of isotherm ${command} is not installed")
    endif()
endforeach()
file(GLOB inputs "${prefix}/share/isotherm/inputs/*.cfg")
foreach(input IN LISTS inputs)
    run("${prefix}/bin/isotherm" check "${input}")
endforeach()
run("${prefix}/bin/isotherm" run "${prefix}/share/isotherm/inputs/bottle.cfg" --output out
    --overwrite --set time.end=0.005)
