# cmake -DROOT=checkout -P layers.cmake
#
# Folders include only themselves and those below them; each foreign library is known to one place;
# the preprocessor chooses nothing outside the backends. See docs/architecture.md.
cmake_minimum_required(VERSION 3.25)

set(folders base io kernels ipc solver solver/cli)
set(below_base)
set(below_io base)
set(below_kernels base)
set(below_ipc base kernels)
set(below_solver base io kernels ipc)
set(below_solver/cli base io kernels ipc solver)

# header (as a regular expression) -> the only place that may include it
set(foreign_headers "cuda.*|nvtx.*|nvml.*" "hdf5.*|H5.*" "libconfig.*" "libdeflate.*" "png.*" "muParser.*")
set(foreign_places "kernels/cuda/" "io/" "io/" "io/" "io/" "base/")

set(problems "")
set(line 0)

macro(complain text)
    string(APPEND problems "${file}:${line}: ${text}\n")
endmacro()

function(check_include header)
    cmake_path(GET header PARENT_PATH target)
    string(REGEX REPLACE "^kernels/.*" "kernels" target "${target}")
    if(NOT target STREQUAL folder AND NOT target IN_LIST below_${folder})
        complain("${folder}/ may not include \"${header}\"")
        set(problems "${problems}" PARENT_SCOPE)
    endif()
endfunction()

function(check_foreign header)
    foreach(pattern place IN ZIP_LISTS foreign_headers foreign_places)
        if(header MATCHES "^(${pattern})$" AND NOT file MATCHES "^${place}")
            complain("<${header}> belongs to ${place} alone")
            set(problems "${problems}" PARENT_SCOPE)
        endif()
    endforeach()
endfunction()

# Allowed: the include guard named after the file, and __cplusplus around extern "C".
function(check_conditional directive)
    string(TOUPPER "ISOTHERM_${file}" guard)
    string(MAKE_C_IDENTIFIER "${guard}" guard)
    if(NOT directive STREQUAL "ifndef ${guard}" AND NOT directive STREQUAL "ifdef __cplusplus"
       AND NOT file MATCHES "^kernels/(hd[.]h$|cuda/|cpu/)")
        complain("#${directive}: the build chooses files, the preprocessor nothing")
        set(problems "${problems}" PARENT_SCOPE)
    endif()
endfunction()

function(check_file)
    # Lines as a list: brackets and semicolons would break it.
    file(READ "${ROOT}/${file}" text)
    string(REGEX REPLACE "[][;\\]" " " text "${text}")
    string(REPLACE "\n" ";" lines "${text}")
    foreach(content IN LISTS lines)
        math(EXPR line "${line} + 1")
        if(content MATCHES "^[ \t]*#[ \t]*include[ \t]*\"([^\"]*)\"")
            check_include("${CMAKE_MATCH_1}")
        elseif(content MATCHES "^[ \t]*#[ \t]*include[ \t]*<([^>]*)>")
            check_foreign("${CMAKE_MATCH_1}")
        elseif(content MATCHES "^[ \t]*#[ \t]*((if|ifdef|ifndef|elif|elifdef|elifndef|else)([ \t(!].*)?)$")
            string(STRIP "${CMAKE_MATCH_1}" directive)
            check_conditional("${directive}")
        endif()
    endforeach()
    set(problems "${problems}" PARENT_SCOPE)
endfunction()

set(count 0)
foreach(folder IN LISTS folders)
    file(GLOB files RELATIVE "${ROOT}" "${ROOT}/${folder}/*.[ch]" "${ROOT}/${folder}/*.inc")
    if(folder STREQUAL "kernels")
        file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/kernels/*.[ch]" "${ROOT}/kernels/*.inc"
            "${ROOT}/kernels/*.cu" "${ROOT}/kernels/*.cuh")
    endif()
    foreach(file IN LISTS files)
        check_file()
        math(EXPR count "${count} + 1")
    endforeach()
endforeach()

if(count EQUAL 0)
    message(FATAL_ERROR "no sources below ${ROOT}")
endif()
if(problems)
    message(FATAL_ERROR "${problems}")
endif()
message(STATUS "${count} files keep the layers")
