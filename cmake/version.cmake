# Writes the commit that is built, a mark if files differ from it, and its date to OUT, a header; with git from the
# repository SOURCE, else from the file that `git archive` filled in. The header is left alone if nothing has changed.
set(commit "")
set(date "")
set(dirty "")
find_program(GIT git)
if(GIT AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${GIT} -C ${SOURCE} log -1 --format=%h\ %cs OUTPUT_VARIABLE line ERROR_QUIET
    OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE status)
  execute_process(COMMAND ${GIT} -C ${SOURCE} status --porcelain --untracked-files=no OUTPUT_VARIABLE changes ERROR_QUIET
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(status EQUAL 0 AND NOT changes STREQUAL "")
    set(dirty "-dirty")
  endif()
else()
  file(STRINGS ${SOURCE}/cmake/commit.txt line LIMIT_COUNT 1)
endif()
if(line MATCHES "^([0-9a-f]+) ([0-9-]+)$")
  set(commit ${CMAKE_MATCH_1})
  set(date ${CMAKE_MATCH_2})
endif()
if(commit)
  set(full "${VERSION} (commit ${commit}${dirty}, ${date})")
else()
  set(full "${VERSION} (commit unknown)")
endif()
set(text "/* Made by cmake/version.cmake. */
#define SLUICE_VERSION_FULL \"${full}\"
#define SLUICE_DATE \"${date}\"
")
file(CONFIGURE OUTPUT ${OUT} CONTENT "${text}" @ONLY) # writes only what changed
