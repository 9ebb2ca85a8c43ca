/*
 * What commands share: parsing and --help, messages, opening the program or trace to simulate, writing results.
 */
#ifndef SLUICE_CLI_COMMAND_H
#define SLUICE_CLI_COMMAND_H

#include "accelsim/accelsim.h"
#include "cli/help.h"
#include "cli/recording.h"
#include "machine/machine.h"

/* Print "sluice run: TEXT" to standard error; return the exit status of bad input. */
int command_fail(const char *name, const struct error *err);
/* The same for a mistake in the command line, with a hint at --help; return false. */
bool command_refuse(const struct command *command, const char *text);
/* Print "sluice NAME: WHAT 'WORD'; see 'sluice NAME --help'"; return the exit status of bad input. */
int command_reject(const char *name, const char *what, const char *word);
/* Run the action that argv[1] names; print the help if there is none. Return the exit status. */
int command_act(const struct command *command, int argc, char **argv);
/*
 * Parse `argv` with args_parse(). *help is the flag of --help in `args`; -h, --help=man and --help=words are handled, too.
 * False: *rc is the exit status, 0 after --help, and everything has been printed.
 */
bool command_parse(const struct command *command, int argc, char **argv, const struct arg *args, size_t count,
                   const bool *help, const char **operand, int *rc);

/*
 * Divide the words behind argv[0] for a command with several operands: options with their values go to split->ours, for
 * args_parse(), operands to split->theirs. Free it with args_split_free().
 */
void command_split(int argc, char **argv, const struct arg *args, size_t count, struct args_split *split);

/* Rows of a table of struct arg for what several commands take: lvalues of texts, and of a number. */
#define CONFIG_ARGS(machine, policy)                                                                         \
	{"--machine", "M", "machine: a name from 'sluice machine list' or a file (h200)",                    \
	 .text = &(machine)},                                                                                \
	{                                                                                                    \
		"--policy", "P", "policies, in order, name[:param=value]...[,...] (gto)", .text = &(policy)  \
	}
enum { MAX_THREADS = 256 };
#define THREADS_ARG(threads)                                                                                 \
	{                                                                                                    \
		"--threads", "N", "worker threads; results do not depend on them (1)",                       \
		    .number = &(threads), .min = 1, .max = MAX_THREADS                                       \
	}

#define MEMORY_ARG(bytes)                                                                                    \
	{                                                                                                    \
		"--memory-limit", "BYTES",                                                                   \
		    "end with an error beyond so much memory, e.g. 500M, 4G (no limit)",                     \
		    .number = &(bytes), .min = 1000000, .max = INT64_MAX                                     \
	}
/* Set the limit of --memory-limit for this process and those that it forks; 0: none. A program's recording is not under it. */
void command_limit_memory(uint64_t bytes);

/* Print the first warnings about the machine and the trace to standard error. */
void command_warn(const char *name, const struct machine *machine, const struct trace *trace);
/* For trace_open_any() and the like; `user` is a struct progress. */
bool command_show_import(void *user, uint64_t text_bytes, uint64_t warp_insns);

/* Print to standard error which observers --html turns on. */
void command_note_observers(const char *name);

/* "-" as the name of a file is standard output. */
bool command_is_stdout(const char *path);
/* Check that `path` can be written; NULL and "-" can. */
bool command_check_output(const char *path, struct error *err);
/* Write `text` to `path` or standard output; nothing if `path` is NULL. */
bool command_write(const char *path, const char *text, struct error *err);
/* Return the larger of `width` and the length of `text`, for columns. */
int command_wider(int width, const char *text);
/* Flush standard output; false if output was lost. */
bool command_flush(struct error *err);

/* ---- the program or trace of a command -------------------------------------------------------------- */

struct input {
	const char *word; /* as given: a path or the name of a workload; NULL: none */
	struct args_split words;
	struct target target;
	struct program_request program; /* its options are the command's (RECORDING_ARGS) */
	struct program_run recording;   /* folder empty: a trace */
	char *window;                   /* of a trace: text of the launch window */
	char name[256];                 /* what results call it: the last part of its path */
};

/*
 * Divide the words of the command line between the command and the program, parse those of the command and find the
 * target. False: *rc is the exit status. Call input_free() in both cases.
 */
bool input_parse(struct input *input, const struct command *command, int argc, char **argv,
                 const struct arg *args, size_t count, const bool *help, int *rc);
/*
 * Record the program unless a recording exists, and pass on its output to `out`; or import and open the trace. `machine`
 * is the machine that the program sees; `kernels` (may be NULL) must exist in the trace.
 */
struct trace *input_open(struct input *input, const char *machine, const struct kernels *kernels, FILE *out,
                         struct error *err);
/*
 * Check the launch window of the command line, once it is parsed: `kernel` is the value of --kernel, `max_insns` the bound
 * of the simulation, which bounds a recording of all launches, too.
 */
bool input_check_window(struct input *input, const char *kernel, uint64_t max_insns, struct error *err);
/* What is left of the window to choose from the opened trace (run_options.window), NULL: nothing. */
const char *input_window(const struct input *input);
/* Open a trace, after importing it into the cache if it is not native; show progress on standard error. */
struct trace *input_import(const char *path, struct error *err);
/* The same for a command that takes programs only: a trace is refused. */
struct trace *input_record(struct input *input, const char *machine, FILE *out, struct error *err);
/* command_check_output(), and `path` is none of the files that are read. */
bool input_check_output(const struct input *input, const char *machine, const char *path, struct error *err);
void input_free(struct input *input);

#endif
