# What `cmake --install` puts where, and the Debian package of it. The tree can be moved as a whole: Sluice finds its
# data from its own place (src/base/data_folder.h).
include(GNUInstallDirs)
set(SLUICE_DATA_DIR share/sluice)  # fixed below the prefix: where programs and libraries look
set(SLUICE_LIBRARY_DIR lib/sluice) # apart from the system's: some have the names of NVIDIA's

install(TARGETS sluice RUNTIME DESTINATION bin)
install(TARGETS sluicert LIBRARY DESTINATION ${SLUICE_LIBRARY_DIR})
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
install(FILES src/policy/hooks.def DESTINATION include/sluice/policy)
install(FILES ${CMAKE_BINARY_DIR}/share/pkgconfig/sluice.pc DESTINATION share/pkgconfig)
install(DIRECTORY machines workloads papers DESTINATION ${SLUICE_DATA_DIR})
install(DIRECTORY include/cuda DESTINATION ${SLUICE_DATA_DIR}/include)
install(DIRECTORY examples DESTINATION ${SLUICE_DATA_DIR} USE_SOURCE_PERMISSIONS PATTERN *.so EXCLUDE)
