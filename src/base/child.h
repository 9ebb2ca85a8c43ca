/* Child processes: a command with its own files and variables, run to its end. */
#ifndef SLUICE_BASE_CHILD_H
#define SLUICE_BASE_CHILD_H

#include <stdbool.h>

#include "base/error.h"

struct child {
	char *const *argv;                                  /* argv[0]: the file to execute */
	const char *stdin_path, *stdout_path, *stderr_path; /* NULL: ours */
	bool merges_output; /* standard output goes where standard error goes */
	int end_signal;     /* when we are gone before it; 0: SIGKILL */
	const char *const
	    *env; /* pairs of name and value; a NULL value takes the variable away; ends with NULL */
	bool (*go_on)(
	    void *user); /* asked several times a second; false ends it, and child_run() fails; or NULL */
	void *user;
};
struct child_end {
	int status; /* as shells count: exit code, or 128 + signal */
	int signal; /* 0: none */
};
bool child_run(const struct child *child, struct child_end *end, struct error *err);

#endif
