/* Child processes: commands with their own files and variables, and forks that do not outlive their parent. */
#ifndef SLUICE_BASE_CHILD_H
#define SLUICE_BASE_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

struct child {
	char *const *argv;                                  /* argv[0]: the file to execute */
	const char *stdin_path, *stdout_path, *stderr_path; /* NULL: inherited */
	bool merges_output; /* standard output goes where standard error goes */
	int end_signal;     /* sent to the child when this process ends first; 0: SIGKILL */
	const char *const
	    *env; /* NULL, or pairs of name and value, ended by NULL; a NULL value unsets the variable */
	bool (*go_on)(
	    void *user); /* NULL, or called several times a second; false ends the child: child_run() fails */
	void *user;
};
struct child_end {
	int status; /* as shells count: exit code, or 128 + signal */
	int signal; /* 0: none */
};
/* Run the command and wait for its end. Return false if it could not be started or was ended by go_on(). */
bool child_run(const struct child *child, struct child_end *end, struct error *err);

/*
 * fork(), for a child that leads a process group of its own, has the signal handling that a new program expects, and
 * gets `end_signal` when this process ends or is ended by a signal (SIGKILL, or SIGTERM for a child that cleans up after
 * itself). One such child at a time; process_wait() must follow.
 */
pid_t process_fork(int end_signal);
/* Return the status as waitpid() gives it, or -1 with errno set. */
int process_wait(pid_t child);

#endif
