# What Debian asks of a package beyond the files, done in CPack's staging folder: compressed manual pages and changelog,
# a copyright file, nothing that only tells that a folder is there, and the usual permissions.
if(NOT CPACK_GENERATOR STREQUAL DEB)
  return()
endif()
set(usr ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr)
set(doc ${usr}/share/doc/${CPACK_PACKAGE_NAME})
file(GLOB pages ${usr}/share/man/man1/*.1)
foreach(page ${pages})
  execute_process(COMMAND gzip -9n -f ${page} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
# Apache-2.0 is on every Debian system: the copyright file refers to it.
file(REMOVE ${doc}/LICENSE)
file(WRITE ${doc}/copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: sluice

Files: *
Copyright: 2025-2026 The Sluice developers
License: Apache-2.0
 On Debian systems, the Apache License, version 2.0, is in
 /usr/share/common-licenses/Apache-2.0.
")
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${doc}/changelog "${CPACK_PACKAGE_NAME} (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * Built from the sources of this version.

 -- ${CPACK_PACKAGE_CONTACT}  ${now}
")
execute_process(COMMAND gzip -9n -f ${doc}/changelog COMMAND_ERROR_IS_FATAL ANY)
# CPack calls ldconfig by itself wherever a library lies below /usr/lib; that these are not for the linker it cannot know.
file(WRITE ${usr}/share/lintian/overrides/${CPACK_PACKAGE_NAME} "${CPACK_PACKAGE_NAME}: maintscript-calls-ldconfig *\n")
# The umask of the build must not decide what others may read.
execute_process(COMMAND chmod -R u=rwX,go=rX ${CPACK_TEMPORARY_INSTALL_DIRECTORY} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND find ${usr}/lib/sluice -name *.so -exec chmod 644 {} + COMMAND_ERROR_IS_FATAL ANY)
