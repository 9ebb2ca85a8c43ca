/*
 * The files that this command has read, by device and inode: output_check() and output_write() never replace them. The list
 * belongs to the process, because files are opened in every part of the program; it stays empty until a front end asks
 * for it. Safe to call from several threads.
 */
#ifndef SLUICE_BASE_READ_FILES_H
#define SLUICE_BASE_READ_FILES_H

#include <stdbool.h>
#include <sys/stat.h>

/* Keep the list from here on. Without this call, nothing is noted: libraries do not decide about the files of others. */
void read_files_keep(void);
/* Note the open file `fd`; `path` is what messages call it. */
void read_files_note(int fd, const char *path);
/* Note the file or folder at `path`; one that does not exist is left out. */
void read_files_note_path(const char *path);
/* Return the name under which the file was read, valid while the process lives, or NULL. Devices and pipes are never found. */
const char *read_files_find(const struct stat *file);

#endif
