#define _GNU_SOURCE /* pipe2 */
#include "cc/process.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"

/* Start a command with its descriptor `output` going to `to`. */
static pid_t start(const struct words *command, int output, int to)
{
	pid_t child = process_fork(SIGKILL);
	if (child)
		return child;
	dup2(to, output);
	execvp(command->text[0], command->text);
	_exit(CC_CANNOT_RUN);
}

static int wait_for(pid_t child)
{
	int status = child > 0 ? process_wait(child) : -1;
	if (status < 0)
		return CC_CANNOT_RUN;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Start a command and read its descriptor `output`. NULL: it could not be started. */
static FILE *start_reading(const struct words *command, int output, pid_t *child)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) != 0)
		return NULL;
	*child = start(command, output, ends[1]);
	close(ends[1]);
	FILE *in = *child > 0 ? fdopen(ends[0], "r") : NULL;
	if (in)
		return in;
	close(ends[0]);
	if (*child > 0)
		process_wait(*child);
	return NULL;
}

int cc_run(const struct words *command, FILE *messages, void (*take)(void *context, const char *line),
           void *context)
{
	pid_t child;
	char line[4096];
	fflush(NULL);
	FILE *in = start_reading(command, STDERR_FILENO, &child);
	if (!in)
		return CC_CANNOT_RUN;
	while (fgets(line, sizeof line, in)) {
		fputs(line, messages);
		take(context, line);
	}
	fclose(in);
	return wait_for(child);
}

bool cc_run_line(const struct words *command, char *line, size_t size)
{
	pid_t child;
	FILE *in = start_reading(command, STDOUT_FILENO, &child);
	if (!in)
		return false;
	bool got = fgets(line, (int)size, in);
	if (got)
		line[strcspn(line, "\n")] = 0;
	fclose(in);
	return wait_for(child) == 0 && got;
}
