/* Running compilers: no shell, one at a time; what they say passes through. */
#define _GNU_SOURCE /* pipe2 */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "cc/cc.h"

enum { CANNOT_RUN = 127 };

/* With its output `output` (a descriptor) to `to`, unless that is -1. */
static pid_t start(const struct words *command, int output, int to)
{
	pid_t child = process_fork(SIGKILL);
	if (child)
		return child;
	if (to >= 0)
		dup2(to, output);
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
	return wait_for(start(command, -1, -1));
}

/* A command whose output of one kind comes to us; NULL: it could not be started. */
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

/* The linker: "ld: cannot find -lx: No such file or directory"; gold and lld end, or begin, in other ways. */
static bool find_missing_library(const char *line, char *missing, size_t size)
{
	static const char *const says[] = {"cannot find -l", "unable to find library -l"};
	for (size_t i = 0; i < sizeof says / sizeof *says; i++) {
		const char *at = strstr(line, says[i]);
		if (!at)
			continue;
		at += strlen(says[i]) - 2;
		snprintf(missing, size, "%.*s", (int)strcspn(at, ": \n"), at);
		return true;
	}
	return false;
}

/* clang: "'x.h' file not found"; gcc: "fatal error: x.h: No such file or directory". */
static void find_missing(const char *line, char *missing, size_t size)
{
	if (find_missing_library(line, missing, size))
		return;
	static const char fatal[] = "fatal error: ", clang[] = "' file not found",
	                  gcc[] = ": No such file or directory";
	const char *begin = strstr(line, fatal);
	if (!begin)
		return;
	begin += sizeof fatal - 1;
	const char *end = strstr(begin, clang);
	if (end)
		begin += *begin == '\'';
	else
		end = strstr(begin, gcc);
	if (end)
		snprintf(missing, size, "%.*s", (int)(end - begin), begin);
}

int cc_run_watched(const struct words *command, FILE *messages, char *missing, size_t size)
{
	pid_t child;
	char line[4096];
	*missing = 0;
	fflush(NULL);
	FILE *in = start_reading(command, STDERR_FILENO, &child);
	if (!in)
		return 127;
	while (fgets(line, sizeof line, in)) {
		fputs(line, messages);
		find_missing(line, missing, size);
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

void cc_print_word(FILE *out, const char *word)
{
	bool plain = *word && !strpbrk(word, " \t\n\"'\\$&|;<>()*?[]#~`");
	fprintf(out, plain ? "%s" : "'%s'", word);
}

void cc_print_command(FILE *out, const struct words *command)
{
	fputs("#$", out);
	for (size_t i = 0; i < command->count; i++) {
		fputc(' ', out);
		cc_print_word(out, command->text[i]);
	}
	fputc('\n', out);
}
