# What `cmake --install` puts where, and the Debian package of it. The tree can be moved as a whole: Sluice finds its
# data from its own place (src/base/installation.h).
include(GNUInstallDirs)
set(SLUICE_DATA_DIR share/sluice)  # fixed below the prefix: where programs and libraries look
set(SLUICE_LIBRARY_DIR lib/sluice) # apart from the system's: some have the names of NVIDIA's

install(TARGETS sluice RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS sluicert LIBRARY DESTINATION ${SLUICE_LIBRARY_DIR})
install(TARGETS sluice-ptx RUNTIME DESTINATION ${SLUICE_LIBRARY_DIR})
# Linked in the build folder, they know its path; installed, they know their own folder only.
get_property(cuda_libraries GLOBAL PROPERTY SLUICE_CUDA_LIBRARIES)
foreach(library ${cuda_libraries})
  get_filename_component(name ${library} NAME)
  install(PROGRAMS ${library} DESTINATION ${SLUICE_LIBRARY_DIR})
  install(CODE "file(RPATH_CHANGE FILE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${SLUICE_LIBRARY_DIR}/${name}\"
    OLD_RPATH [[\$ORIGIN:${CMAKE_BINARY_DIR}]] NEW_RPATH [[\$ORIGIN]])
  if(CMAKE_INSTALL_DO_STRIP)
    execute_process(COMMAND \"${CMAKE_STRIP}\" --strip-unneeded
      \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${SLUICE_LIBRARY_DIR}/${name}\")
  endif()")
endforeach()

install(FILES src/policy/policy.h DESTINATION include/sluice)
install(FILES src/policy/hooks.def src/policy/cta.h src/policy/l2.h src/policy/prefetch.h DESTINATION include/sluice/policy)
install(DIRECTORY ${CMAKE_BINARY_DIR}/include/sluice/policy/lib DESTINATION include/sluice/policy)
configure_file(packaging/libsluice.pc.in ${CMAKE_BINARY_DIR}/libsluice.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/share/pkgconfig/sluice.pc ${CMAKE_BINARY_DIR}/libsluice.pc DESTINATION share/pkgconfig)
install(DIRECTORY machines workloads papers DESTINATION ${SLUICE_DATA_DIR})
install(DIRECTORY include/cuda DESTINATION ${SLUICE_DATA_DIR}/include)
install(DIRECTORY examples DESTINATION ${SLUICE_DATA_DIR} USE_SOURCE_PERMISSIONS PATTERN *.so EXCLUDE)

# Manual pages and completion, from what the program says of itself.
set(MANUAL ${CMAKE_BINARY_DIR}/share/man/man1)
add_custom_command(OUTPUT ${MANUAL}/sluice.1
  COMMAND sh ${CMAKE_SOURCE_DIR}/packaging/manual $<TARGET_FILE:sluice> ${MANUAL}
  DEPENDS sluice packaging/manual COMMENT "Writing the manual pages")
add_custom_target(manual ALL DEPENDS ${MANUAL}/sluice.1)
install(DIRECTORY ${MANUAL} DESTINATION ${CMAKE_INSTALL_MANDIR})
install(FILES packaging/completion/sluice.bash DESTINATION share/bash-completion/completions RENAME sluice)
install(FILES packaging/completion/_sluice DESTINATION share/zsh/vendor-completions)
install(FILES packaging/completion/sluice.fish DESTINATION share/fish/vendor_completions.d)
install(PROGRAMS packaging/smoke DESTINATION ${SLUICE_DATA_DIR})
install(FILES README.md LICENSE CITATION.cff DESTINATION share/doc/sluice-gpusim)
install(DIRECTORY docs/ DESTINATION share/doc/sluice-gpusim/docs FILES_MATCHING PATTERN *.md)

# ---- cpack -G DEB ------------------------------------------------------------------------------------------------
# Not "sluice": Debian has a package of that name, a tool that limits the rate of pipes, with another /usr/bin/sluice.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME sluice-gpusim)
set(CPACK_PACKAGE_VENDOR "Sluice")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "simulator of GPU cache management and warp scheduling")
set(CPACK_PACKAGE_DESCRIPTION "Sluice simulates the memory hierarchy and the warp schedulers of GPUs from
instruction traces, which it records from CUDA programs itself, without a GPU,
or imports from Accel-Sim. Mechanisms of cache management and scheduling are
policies, built in or of one's own, and are compared side by side.")
set(CPACK_PACKAGE_CONTACT "Sluice developers <sluice@localhost.localdomain>" CACHE STRING "maintainer of the package")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR})
# sluice cc runs clang for device code and g++ for the rest; the libraries' own are found by dpkg-shlibdeps.
set(CPACK_DEBIAN_PACKAGE_DEPENDS
  "clang-19 | clang-18 | clang-17 | clang-16 | clang-15 | clang-14, g++, libc6-dev")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libthrust-dev, libcub-dev, libcu++-dev, pkgconf | pkg-config, cmake, python3")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "opencl-c-headers, slurm-client, make, python3-pandas, python3-matplotlib")
set(CPACK_DEBIAN_PACKAGE_CONFLICTS sluice)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/packaging/debian.cmake)
include(CPack)

# tests/install/install.sh installs what this build made and tries it elsewhere.
if(CUDA_CLANG AND NOT SLUICE_SANITIZE AND NOT SLUICE_FUZZ)
  enable_testing()
  foreach(part files smoke)
    add_test(NAME install.${part}
      COMMAND sh ${CMAKE_SOURCE_DIR}/tests/install/install.sh ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR} ${part})
    set_tests_properties(install.${part} PROPERTIES LABELS "install;cuda" COST 150)
  endforeach()
endif()
