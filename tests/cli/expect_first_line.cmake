# cmake -DFILE=broken.cfg -P expect_first_line.cmake -- program arguments...
#
# The file's first line says what the program must complain about: `# expect: TEXT`. Exit code 2.
cmake_minimum_required(VERSION 3.25)

file(READ "${FILE}" text)
string(REGEX REPLACE "\r?\n.*" "" text "${text}")
if(NOT text MATCHES "^# expect: .")
    message(FATAL_ERROR "${FILE}: the first line is not `# expect: TEXT` but:\n${text}")
endif()
string(SUBSTRING "${text}" 10 -1 TEXT)
set(CODE 2)
include("${CMAKE_CURRENT_LIST_DIR}/../expect_exit.cmake")
