# cmake -DFILE=broken.cfg -P expect_first_line.cmake -- program arguments...
#
# The file's first lines say what the program must complain about: `# expect: TEXT` for each line of
# stderr. Exit code 2.
cmake_minimum_required(VERSION 3.25)

file(READ "${FILE}" text)
set(TEXT "")
while(text MATCHES "^# expect: ([^\n]+)\n")
    string(APPEND TEXT "${CMAKE_MATCH_1}\n")
    string(LENGTH "${CMAKE_MATCH_0}" length)
    string(SUBSTRING "${text}" ${length} -1 text)
endwhile()
if(TEXT STREQUAL "")
    message(FATAL_ERROR "${FILE}: the first line is not `# expect: TEXT`")
endif()
set(CODE 2)
include("${CMAKE_CURRENT_LIST_DIR}/../expect_exit.cmake")
