/* Running compilers: no shell, one at a time. */
#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/cc.h"

extern char **environ;

static int wait_for(pid_t child)
{
	int status;
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return 127;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int cc_run(const struct words *command)
{
	pid_t child;
	fflush(NULL);
	if (posix_spawnp(&child, command->text[0], NULL, NULL, command->text, environ) != 0)
		return 127;
	return wait_for(child);
}

bool cc_run_line(const struct words *command, char *line, size_t size)
{
	int ends[2];
	pid_t child;
	if (pipe(ends) != 0)
		return false;
	posix_spawn_file_actions_t actions;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	posix_spawn_file_actions_addclose(&actions, ends[0]);
	posix_spawn_file_actions_addclose(&actions, ends[1]);
	bool started = posix_spawnp(&child, command->text[0], &actions, NULL, command->text, environ) == 0;
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	FILE *in = fdopen(ends[0], "r");
	bool got = in && fgets(line, (int)size, in);
	if (got)
		line[strcspn(line, "\n")] = 0;
	if (in)
		fclose(in);
	else
		close(ends[0]);
	return started && wait_for(child) == 0 && got;
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
