# test-all: the tests of ONE_TEST (KIND_FOLDER_NAME: tests/KIND/FOLDER/NAME.c) in one program, whose first argument says which. Hundreds
# of programs, each with the same libraries and a sanitizer's runtime in it, take longer to link than to run. main() of
# each is test_KIND_NAME() here; that it has no prototype is nothing new, and other builds would tell.
set(ONE_TEST_TABLE "#include <stdio.h>\n#include <string.h>\n\n")
foreach(test source IN ZIP_LISTS ONE_TEST ONE_TEST_SOURCES)
  string(APPEND ONE_TEST_TABLE "int test_${test}(int argc, char **argv);\n")
  file(STRINGS ${source} simulates REGEX "include \"lib/(bench|core_fixture|policy_probe)\\.h\"" LIMIT_COUNT 1)
  if(NOT simulates) # and would see names of the model that it does not ask for
    set_source_files_properties(${source} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  endif()
endforeach()
string(APPEND ONE_TEST_TABLE "\nint main(int argc, char **argv)\n{\n")
foreach(test ${ONE_TEST})
  string(APPEND ONE_TEST_TABLE
    "\tif (argc > 1 && !strcmp(argv[1], \"${test}\"))\n\t\treturn test_${test}(argc - 1, argv + 1);\n")
endforeach()
string(APPEND ONE_TEST_TABLE "\tfprintf(stderr, \"usage: test-all KIND_NAME [CLAIM]\\n\");\n\treturn 2;\n}\n")
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/one_test.c CONTENT "${ONE_TEST_TABLE}" @ONLY)
set_source_files_properties(${CMAKE_BINARY_DIR}/generated/one_test.c PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
add_executable(test-all EXCLUDE_FROM_ALL ${ONE_TEST_SOURCES} ${CMAKE_BINARY_DIR}/generated/one_test.c)
target_compile_options(test-all PRIVATE ${TEST_OPTIONS} -Wno-missing-prototypes)
target_link_options(test-all PRIVATE ${QUICK_LINKER})
target_link_libraries(test-all PRIVATE testlib)
# What all that simulate include, read once.
target_precompile_headers(test-all PRIVATE ${CMAKE_SOURCE_DIR}/tests/lib/bench.h ${CMAKE_SOURCE_DIR}/tests/test.h)
add_dependencies(tests test-all)
