# cmake -DRULE=name -DCHECK=layers.cmake -P layers_notices.cmake: layers.cmake passes a small tree, and
# refuses it with the file and line once the rule is broken.
cmake_minimum_required(VERSION 3.25)

set(tree "${CMAKE_CURRENT_BINARY_DIR}/tree")
file(REMOVE_RECURSE "${tree}")
set(good "#ifndef ISOTHERM_IO_A_H\n#define ISOTHERM_IO_A_H\n\n#include \"base/error.h\"\n\n")

if(RULE STREQUAL "upward_include")
    set(bad "#include \"solver/plan.h\"\n")
    set(message "io/a.h:6: io/ may not include \"solver/plan.h\"")
elseif(RULE STREQUAL "foreign_header")
    set(bad "#include <cuda_runtime.h>\n")
    set(message "io/a.h:6: <cuda_runtime.h> belongs to kernels/cuda/ alone")
elseif(RULE STREQUAL "conditional")
    set(bad "#if defined(ISOTHERM_FAST)\n#endif\n")
    set(message "io/a.h:6: #if defined(ISOTHERM_FAST): the build chooses files")
endif()

function(check result output)
    execute_process(COMMAND "${CMAKE_COMMAND}" "-DROOT=${tree}" -P "${CHECK}"
        RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
    set(${result} ${code} PARENT_SCOPE)
    set(${output} "${text}" PARENT_SCOPE)
endfunction()

file(WRITE "${tree}/io/a.h" "${good}#endif\n")
check(code output)
if(NOT code EQUAL 0)
    message(FATAL_ERROR "a good tree is refused: ${output}")
endif()
file(WRITE "${tree}/io/a.h" "${good}${bad}#endif\n")
check(code output)
string(FIND "${output}" "${message}" at)
if(code EQUAL 0 OR at LESS 0)
    message(FATAL_ERROR "not noticed: ${message}\n${output}")
endif()
