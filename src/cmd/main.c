/* Find the subcommand and run it. */
#define _GNU_SOURCE /* pthread_setattr_default_np */
#include <errno.h>
#include <jansson.h>
#include <pthread.h>
#include <signal.h>
#include <sluice_version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/read_files.h"
#include "base/suggest.h"
#include "cli/help.h"
#include "cmd/cmd.h"

static const struct subcommand commands[] = {
#define COMMAND(name, help) {#name, cmd_##name, help},
#include "cli/commands.def"
#undef COMMAND
};
/* What sluice itself, the shells and the scripts of the repository call. */
static const struct subcommand hidden[] = {
    {"chart", cmd_chart, "a chart document as SVG"},
    {"complete", cmd_complete, "what may stand at the end of a command line"},
    {"library-run", cmd_library_run, "the process of a run that libsluice isolates"},
    {"slurm-task", cmd_slurm_task, "one task of an array job"},
};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands, HIDDEN_COUNT = sizeof hidden / sizeof *hidden };

const struct subcommand *subcommands(size_t *count)
{
	*count = COMMAND_COUNT;
	return commands;
}

static void print_help(FILE *out)
{
	fputs("usage: sluice COMMAND [ARGUMENT...]\n\ncommands:\n", out);
	for (int i = 0; i < COMMAND_COUNT; i++)
		fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].help);
	fputs(
	    "\n'sluice COMMAND --help' describes a command; so does 'man sluice-COMMAND' where sluice is installed.\n"
	    "'sluice --version' says which sluice this is.\n",
	    out);
}

/* Output that is lost, on a full disk for example, is an error of every command. */
static int end(const char *command, int status)
{
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	if (!status)
		fprintf(stderr, "sluice %s: cannot write to standard output: %s\n", command, strerror(errno));
	return status ? status : 2;
}

/* Without it, JSON that runs out of memory would lack fields and look complete. */
static void *json_memory(size_t bytes)
{
	return memory_grow(NULL, bytes, 1);
}

static void print_warning(const char *text)
{
	fprintf(stderr, "sluice: warning: %s\n", text);
}

/*
 * Have processes whose parents have ended become children of this one, and end them at the end: daemons that a program left
 * behind. Not for compilers, which may start a server that is to stay.
 */
static void adopt(void)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

static void end_adopted(void)
{
	enum { ROUNDS = 100 };
	char path[64];
	snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
	/* What a child started comes to us when the child has ended. */
	for (int i = 0, found = 1; found && i < ROUNDS; i++) {
		FILE *list = fopen(path, "re");
		int child;
		for (found = 0; list && fscanf(list, "%d", &child) == 1; found = 1) {
			kill(child, SIGKILL);
			waitpid(child, NULL, 0);
		}
		if (list)
			fclose(list);
	}
}

static const struct subcommand *find(const char *name)
{
	for (int i = 0; i < COMMAND_COUNT; i++)
		if (!strcmp(name, commands[i].name))
			return &commands[i];
	for (int i = 0; i < HIDDEN_COUNT; i++)
		if (!strcmp(name, hidden[i].name))
			return &hidden[i];
	return NULL;
}

static int refuse(const char *name)
{
	struct suggest near = suggest_start(name);
	char clip[CLIP_SIZE];
	for (int i = 0; i < COMMAND_COUNT; i++)
		suggest_offer(&near, commands[i].name);
	fprintf(stderr, "sluice: unknown command '%s'%s%s%s; see 'sluice --help'\n", clip_text(clip, name),
	        near.best ? "; did you mean '" : "", near.best ? near.best : "", near.best ? "'?" : "");
	return 2;
}

/* "sluice help run" is "sluice run --help". */
static int help(int argc, char **argv)
{
	char asked[] = "--help", *words[] = {argc > 2 ? argv[2] : NULL, asked, NULL};
	const struct subcommand *command = words[0] ? find(words[0]) : NULL;
	if (command)
		return end(command->name, command->run(2, words));
	if (words[0])
		return refuse(words[0]);
	print_help(stdout);
	return end("--help", 0);
}

/* Answer --help and --version of sluice itself; false: the word is something else. */
static bool answer(const char *word)
{
	switch (help_asked(word)) {
	case HELP_TEXT:
		print_help(stdout);
		return true;
	case HELP_MAN:
		help_print_main_man(stdout);
		return true;
	default:
		break;
	}
	if (strcmp(word, "--version") != 0)
		return false;
	puts("sluice " SLUICE_VERSION_FULL);
	return true;
}

static void stay(int signal)
{
	(void)signal;
}

enum { STACK_BYTES = 1 << 20 };

/* Make the limit of stacks large enough; false: it cannot be. The main thread's counts when its stack grows. */
static bool raise_stack_limit(void)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur >= STACK_BYTES)
		return true;
	struct rlimit wanted = {.rlim_cur = STACK_BYTES, .rlim_max = limit.rlim_max};
	if (wanted.rlim_max < STACK_BYTES)
		wanted.rlim_max = STACK_BYTES;
	return !setrlimit(RLIMIT_STACK, &wanted);
}

/* What the shell set for this process must end in a message, not in a signal: a limit of files or of stacks. */
static bool bear_limits(void)
{
	pthread_attr_t attributes;
	size_t bytes;
	/* Then write() says what is wrong, and temporary files go. Not SIG_IGN, which programs would inherit. */
	signal(SIGXFSZ, stay);
	if (!raise_stack_limit()) {
		fprintf(stderr,
		        "sluice: the limit of stacks (ulimit -s) is too small; it must be %d KiB at least\n",
		        STACK_BYTES / 1024);
		return false;
	}
	if (pthread_getattr_default_np(&attributes))
		return true;
	if (!pthread_attr_getstacksize(&attributes, &bytes) && bytes < STACK_BYTES &&
	    !pthread_attr_setstacksize(&attributes, STACK_BYTES))
		pthread_setattr_default_np(&attributes);
	pthread_attr_destroy(&attributes);
	return true;
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		print_help(stderr);
		return 2;
	}
	if (answer(argv[1]))
		return end(argv[1], 0);
	cleanup_on_signals();
	read_files_keep();
	if (!bear_limits())
		return 2;
	warning_take(print_warning);
	json_set_alloc_funcs(json_memory, free);
	if (!strcmp(argv[1], "help"))
		return help(argc, argv);
	const struct subcommand *command = find(argv[1]);
	if (!command)
		return refuse(argv[1]);
	bool adopts = command->run != cmd_cc;
	if (adopts)
		adopt();
	int status = end(command->name, command->run(argc - 1, argv + 1));
	if (adopts)
		end_adopted();
	return status;
}
