/* Running compilers: no shell, one at a time. */
#define _GNU_SOURCE /* pipe2 */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process.h"
#include "cmd/cc.h"

enum { CANNOT_RUN = 127 };

/* With standard output to `output`, unless that is -1. */
static pid_t start(const struct words *command, int output)
{
	pid_t child = process_fork(SIGKILL);
	if (child)
		return child;
	if (output >= 0)
		dup2(output, STDOUT_FILENO);
	execvp(command->text[0], command->text);
	_exit(CANNOT_RUN);
}

static int wait_for(pid_t child)
{
	int status = child > 0 ? process_wait(child) : -1;
	if (status < 0)
		return CANNOT_RUN;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int cc_run(const struct words *command)
{
	return wait_for(start(command, -1));
}

bool cc_run_line(const struct words *command, char *line, size_t size)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) != 0)
		return false;
	pid_t child = start(command, ends[1]);
	close(ends[1]);
	FILE *in = fdopen(ends[0], "r");
	bool got = in && fgets(line, (int)size, in);
	if (got)
		line[strcspn(line, "\n")] = 0;
	if (in)
		fclose(in);
	else
		close(ends[0]);
	return wait_for(child) == 0 && got;
}

void cc_print_command(FILE *out, const struct words *command)
{
	fputs("#$", out);
	for (size_t i = 0; i < command->count; i++) {
		bool plain = *command->text[i] && !strpbrk(command->text[i], " \t\n\"'\\$&|;<>()*?[]#~`");
		fprintf(out, plain ? " %s" : " '%s'", command->text[i]);
	}
	fputc('\n', out);
}
