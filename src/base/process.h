/* Children that do not outlive us, and are not ended by what ends us before we have cleaned up. */
#ifndef SLUICE_BASE_PROCESS_H
#define SLUICE_BASE_PROCESS_H

#include <sys/types.h>

/*
 * fork(): the child is the first of a process group of its own, gets
 * `end_signal` when this process is gone or ended by a signal (SIGKILL, or
 * SIGTERM for one that cleans up after itself), and has the signal handling
 * that a new program expects. One such child at a time; process_wait() for it.
 */
pid_t process_fork(int end_signal);
/* The status as waitpid() gives it; -1: errno says why there is none. */
int process_wait(pid_t child);

#endif
