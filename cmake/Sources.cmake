# One static library per folder.

# The .c files of the current folder (and of the sub-folders named), as RESULT.
function(isotherm_sources result)
    set(patterns "${CMAKE_CURRENT_SOURCE_DIR}/*.c" "${CMAKE_CURRENT_SOURCE_DIR}/*.h")
    foreach(folder IN LISTS ARGN)
        list(APPEND patterns "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.c")
    endforeach()
    file(GLOB sources CONFIGURE_DEPENDS ${patterns})
    set(${result} ${sources} PARENT_SCOPE)
endfunction()

# Of the pair NAME.c and NAME_none.c the variable LIST keeps the first when BUILT, else the second.
# The build chooses files so that the sources need no #ifdef.
function(isotherm_choose list built name)
    set(dropped "${name}.c")
    if(built)
        set(dropped "${name}_none.c")
    endif()
    list(REMOVE_ITEM ${list} "${CMAKE_CURRENT_SOURCE_DIR}/${dropped}")
    set(${list} ${${list}} PARENT_SCOPE)
endfunction()

# isotherm_library(name SOURCES ... [USES ...]): USES are the layers below and foreign libraries.
function(isotherm_library name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;USES")
    add_library(${name} STATIC ${arg_SOURCES})
    target_link_libraries(${name} PUBLIC ${arg_USES} PRIVATE isotherm_flags)
endfunction()
