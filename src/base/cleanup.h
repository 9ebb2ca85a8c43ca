/*
 * What a process must not leave behind when it ends early: files and folders that
 * are not in place yet, and the child that it waits for. Code that creates one
 * adds it to a list and takes it off when it is done. Running out of memory,
 * SIGINT, SIGTERM and SIGHUP remove what is on the list. SIGKILL cannot: leftovers
 * in the cache are removed by the next process (base/cache.c).
 *
 * The list is one for the whole process, since a signal handler takes no argument.
 */
#ifndef SLUICE_BASE_CLEANUP_H
#define SLUICE_BASE_CLEANUP_H

#include <stdbool.h>
#include <sys/types.h>

/* Add a file or folder that exists or will soon. Beyond 32 at once they are not noted. */
void cleanup_add(const char *path);
/* Take it off: it is in place, or does not exist any more. */
void cleanup_done(const char *path);
/* Set the process group to end first, and the signal; 0: none. */
void cleanup_child(pid_t group, int signal);
/* Remove everything that this process (not one it was forked from) has added. Safe in a signal handler. */
void cleanup_now(void);
/* Make SIGINT, SIGTERM, SIGHUP and SIGPIPE do that, then end the process as they would. */
void cleanup_on_signals(void);

/* Remove a file, or a folder with its contents. Links are not followed. Safe in a signal handler. */
bool remove_tree(const char *path);

#endif
