# Everything that Isotherm needs from elsewhere, and which optional parts are built.

include(FeatureSummary)
include(CheckLanguage)

find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)

# Sets RESULT to whether the part that OPTION (AUTO, ON, OFF) names is built. FOUND says whether this
# machine has what it needs; ON without it is an error with the text of HINT.
function(isotherm_decide result option found hint)
    set(built OFF)
    if("${${option}}" STREQUAL "AUTO")
        if(found)
            set(built ON)
        endif()
    elseif(${option})
        if(NOT found)
            message(FATAL_ERROR "${option}=${${option}}: ${hint}")
        endif()
        set(built ON)
    endif()
    set(${result} ${built} PARENT_SCOPE)
endfunction()

# HDF5, serial C library. The search takes the first h5cc in PATH, so say what was found.
set(HDF5_PREFER_PARALLEL OFF)
find_package(HDF5 1.10 REQUIRED COMPONENTS C)
if(HDF5_IS_PARALLEL)
    message(FATAL_ERROR
        "The HDF5 ${HDF5_VERSION} that was found (${HDF5_C_INCLUDE_DIRS}) is a parallel (MPI) build; "
        "Isotherm needs the serial one. Set HDF5_ROOT to the folder of a serial HDF5.")
endif()
message(STATUS "HDF5 ${HDF5_VERSION}: ${HDF5_C_INCLUDE_DIRS}")

pkg_check_modules(LIBCONFIG REQUIRED IMPORTED_TARGET libconfig>=1.5)

# muParser: only its C interface is used. Not all packages bring a pkg-config file.
pkg_check_modules(MUPARSER QUIET muparser)
find_path(MUPARSER_INCLUDE_DIR muParserDLL.h HINTS ${MUPARSER_INCLUDE_DIRS})
find_library(MUPARSER_LIBRARY muparser HINTS ${MUPARSER_LIBRARY_DIRS})
if(NOT MUPARSER_INCLUDE_DIR OR NOT MUPARSER_LIBRARY)
    message(FATAL_ERROR "muParser (muParserDLL.h and its library) was not found: install "
        "libmuparser-dev or muparser-devel, or set MUPARSER_INCLUDE_DIR and MUPARSER_LIBRARY.")
endif()
add_library(muParser::muParser UNKNOWN IMPORTED)
set_target_properties(muParser::muParser PROPERTIES
    IMPORTED_LOCATION "${MUPARSER_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${MUPARSER_INCLUDE_DIR}")

if(ISOTHERM_DEFLATE)
    pkg_check_modules(LIBDEFLATE QUIET IMPORTED_TARGET libdeflate)
endif()
isotherm_decide(ISOTHERM_WITH_DEFLATE ISOTHERM_DEFLATE "${LIBDEFLATE_FOUND}"
    "libdeflate was not found; install libdeflate-dev or choose OFF.")

if(ISOTHERM_PNG)
    pkg_check_modules(LIBPNG QUIET IMPORTED_TARGET libpng)
endif()
isotherm_decide(ISOTHERM_WITH_PNG ISOTHERM_PNG "${LIBPNG_FOUND}"
    "libpng was not found; install libpng-dev or choose OFF.")

# CUDA. The architectures must be set before the language is enabled; 80-real;90 runs on everything
# from A100 on, newer GPUs by the PTX of 90. `native` fails on a build machine without a GPU.
set(cuda_works OFF)
if(ISOTHERM_CUDA)
    check_language(CUDA)
    if(CMAKE_CUDA_COMPILER)
        set(cuda_works ON)
    endif()
endif()
isotherm_decide(ISOTHERM_WITH_CUDA ISOTHERM_CUDA ${cuda_works}
    "no working CUDA compiler was found. Install the CUDA toolkit (with g++), set CUDACXX to its nvcc \
and configure a fresh build folder, or choose OFF.")
if(ISOTHERM_WITH_CUDA)
    if(NOT CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
        set(CMAKE_CUDA_ARCHITECTURES "80-real;90" CACHE STRING "GPU architectures")
    endif()
    enable_language(CUDA)
    find_package(CUDAToolkit REQUIRED)
endif()

add_feature_info(CUDA ISOTHERM_WITH_CUDA "GPU backend (ISOTHERM_CUDA=${ISOTHERM_CUDA})")
add_feature_info(libdeflate ISOTHERM_WITH_DEFLATE
    "fast compression of snapshots (ISOTHERM_DEFLATE=${ISOTHERM_DEFLATE})")
add_feature_info(PNG ISOTHERM_WITH_PNG "pictures: isotherm plot (ISOTHERM_PNG=${ISOTHERM_PNG})")
