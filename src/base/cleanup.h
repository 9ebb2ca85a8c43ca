/*
 * What a process must not leave behind when it ends before its time: files and
 * folders that are not in place yet, and the child that it waits for. Whoever
 * makes one says so and takes it back when it is done; out of memory, SIGINT,
 * SIGTERM and SIGHUP then take away what is left. SIGKILL cannot: what lies in
 * the cache is collected by the next process (src/base/cache_gc.c).
 *
 * A list for the whole process is the one way for a signal handler to know.
 */
#ifndef SLUICE_BASE_CLEANUP_H
#define SLUICE_BASE_CLEANUP_H

#include <stdbool.h>
#include <sys/types.h>

/* A file or folder that exists or is about to. More than a few dozen at once are not kept. */
void cleanup_add(const char *path);
/* It is in place, or gone. */
void cleanup_done(const char *path);
/* The process group to be ended first, and how; 0: none any more. */
void cleanup_child(pid_t group, int signal);
/* Takes everything away that this process (not one it was forked from) has added. Safe in a signal handler. */
void cleanup_now(void);
/* Has SIGINT, SIGTERM, SIGHUP and SIGPIPE do that, then end the process as they would. */
void cleanup_on_signals(void);

/* Removes a file, or a folder with all that is in it. Safe in a signal handler; links are not followed. */
bool remove_tree(const char *path);

#endif
