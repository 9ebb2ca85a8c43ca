# The build folder has the shape of an installation where it matters: Sluice finds what comes with it in share/sluice
# above or next to its own code (src/base/installation.h), and knows no path of the sources.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share/sluice/include ${CMAKE_BINARY_DIR}/share/sluice/precompiled)
foreach(folder machines workloads papers examples)
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${folder} ${CMAKE_BINARY_DIR}/share/sluice/${folder} SYMBOLIC)
endforeach()
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/include/cuda ${CMAKE_BINARY_DIR}/share/sluice/include/cuda SYMBOLIC)

# A policy of one's own needs this header, which includes the next ones, and nothing else.
configure_file(src/policy/policy.h ${CMAKE_BINARY_DIR}/include/sluice/policy.h COPYONLY)
configure_file(src/policy/hooks.def ${CMAKE_BINARY_DIR}/include/sluice/policy/hooks.def COPYONLY)
foreach(header cta l2 prefetch)
  configure_file(src/policy/${header}.h ${CMAKE_BINARY_DIR}/include/sluice/policy/${header}.h COPYONLY)
endforeach()
# Helpers that built-in policies use, too: each stands alone.
foreach(helper frames pc_table saturating)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS src/policy/lib/${helper}.h)
  file(READ src/policy/lib/${helper}.h text)
  string(REPLACE "\"policy/policy.h\"" "<sluice/policy.h>" text "${text}")
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/include/sluice/policy/lib/${helper}.h CONTENT "${text}" @ONLY)
endforeach()
configure_file(packaging/sluice.pc.in ${CMAKE_BINARY_DIR}/share/pkgconfig/sluice.pc @ONLY)
