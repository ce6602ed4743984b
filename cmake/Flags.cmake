# How every file of Isotherm is compiled: one interface target, linked PRIVATE by each folder.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_CUDA_STANDARD 17)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
set(CMAKE_CUDA_RUNTIME_LIBRARY Static) # one runtime for the C and the .cu files

add_library(isotherm_flags INTERFACE)

# Includes are written as paths from the root of the repository.
target_include_directories(isotherm_flags INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_definitions(isotherm_flags INTERFACE
    $<$<COMPILE_LANGUAGE:C>:_POSIX_C_SOURCE=200809L>)

# The same bits on every machine: no compiler may fuse a*b + c on its own, see kernels/cell.h.
target_compile_options(isotherm_flags INTERFACE
    $<$<COMPILE_LANGUAGE:C>:-ffp-contract=off>
    "$<$<COMPILE_LANGUAGE:CUDA>:--fmad=false;-Xcompiler=-ffp-contract=off>")

# -O3 comes after the -O2 of RelWithDebInfo and wins; no check disappears in a release build.
target_compile_options(isotherm_flags INTERFACE
    $<$<AND:$<COMPILE_LANGUAGE:C>,$<CONFIG:RelWithDebInfo>>:-O3>
    -UNDEBUG
    $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<CONFIG:RelWithDebInfo>>:-lineinfo>)

# VECTOR_CLONES before a function: compiled for AVX2 too, and chosen when the program starts. The bits are
# the same. Nothing where compiler or system cannot, or a sanitizer would look at the choosing.
include(CheckCSourceCompiles)
set(clones [[__attribute__((target_clones("avx2","default")))]])
set(CMAKE_REQUIRED_FLAGS -Werror)
check_c_source_compiles(
    "${clones} static int twice(int a) { return 2 * a; } int main(int c, char **v) { return twice(c) - v[0][0]; }"
    ISOTHERM_HAS_CLONES)
unset(CMAKE_REQUIRED_FLAGS)
if(NOT ISOTHERM_HAS_CLONES OR ISOTHERM_SANITIZE)
    set(clones)
endif()
target_compile_definitions(isotherm_flags INTERFACE $<$<COMPILE_LANGUAGE:C>:VECTOR_CLONES=${clones}>)

set(warnings -Wall -Wextra -Wshadow -Wundef -Wcast-qual)
list(TRANSFORM warnings PREPEND "-Xcompiler=" OUTPUT_VARIABLE cuda_warnings)
list(APPEND warnings -Wpedantic -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla)
target_compile_options(isotherm_flags INTERFACE
    "$<$<COMPILE_LANGUAGE:C>:${warnings}>"
    "$<$<COMPILE_LANGUAGE:CUDA>:${cuda_warnings}>")

# h5cc and friends drag in libraries that nothing of ours calls.
target_link_options(isotherm_flags INTERFACE LINKER:--as-needed)

if(ISOTHERM_SANITIZE)
    if(ISOTHERM_WITH_CUDA)
        message(FATAL_ERROR "ISOTHERM_SANITIZE needs ISOTHERM_CUDA=OFF: "
            "the sanitizers do not get along with the CUDA driver's address space.")
    endif()
    target_compile_options(isotherm_flags INTERFACE
        -fsanitize=${ISOTHERM_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(isotherm_flags INTERFACE -fsanitize=${ISOTHERM_SANITIZE})
endif()
