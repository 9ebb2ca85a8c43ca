/* Processes of their own for tests of the runtime that need a fresh one. */
#ifndef SLUICE_TESTS_UNIT_CUDART_FIXTURE_H
#define SLUICE_TESTS_UNIT_CUDART_FIXTURE_H

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "checks.h"
#include "scratch.h"

/* What the last child said on stderr. */
static inline const char *fixture_said(void)
{
	return scratch_read("messages");
}

/* The exit status of a child that does this; -1: it was killed. */
static inline int fixture_run(int (*child)(void))
{
	int status;
	const char *messages = scratch_path("messages");
	fflush(stdout);
	pid_t pid = fork();
	if (pid == 0)
		exit(freopen(messages, "w", stderr) ? child() : 99);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -1;
	if (status)
		printf("# the child said:\n%s", fixture_said());
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#endif
