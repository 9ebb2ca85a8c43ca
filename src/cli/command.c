/* The prologue that commands share. */
#include "cli/command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "accelsim/accelsim.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/progress.h"
#include "base/read_files.h"
#include "base/safe_text.h"
#include "base/suggest.h"
#include "report/run_page.h"
#include "store/store.h"

enum { WARNINGS_SHOWN = 8 };

/* ---- messages and options --------------------------------------------------------------------------- */

int command_fail(const char *name, const struct error *err)
{
	fprintf(stderr, "sluice %s: %s\n", name, err->text);
	return 2;
}

bool command_refuse(const struct command *command, const char *text)
{
	fprintf(stderr, "sluice %s: %s\nsee 'sluice %s --help'\n", command->name, text, command->name);
	return false;
}

int command_reject(const char *name, const char *what, const char *word)
{
	fprintf(stderr, "sluice %s: %s '%s'; see 'sluice %s --help'\n", name, what, word, name);
	return 2;
}

int command_act(const struct command *command, int argc, char **argv)
{
	if (argc < 2 || help_asked(argv[1]))
		return help_show(command, argc < 2 ? HELP_NONE : help_asked(argv[1]));
	struct suggest near = suggest_start(argv[1]);
	for (const struct command_action *a = command->actions; a->name; a++) {
		if (!strcmp(argv[1], a->name))
			return a->run(argc - 1, argv + 1);
		suggest_offer(&near, a->name);
	}
	if (!near.best)
		return command_reject(command->name, "unknown action", argv[1]);
	char clip[CLIP_SIZE];
	fprintf(stderr, "sluice %s: unknown action '%s'; did you mean '%s'?\n", command->name,
	        clip_text(clip, argv[1]), near.best);
	return 2;
}

/* Whether the word is an option whose value is the next word. */
static bool takes_next(const char *word, const struct arg *args, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(args[i].name, word))
			return args[i].value != NULL;
	return false;
}

void command_split(int argc, char **argv, const struct arg *args, size_t count, struct args_split *split)
{
	*split = (struct args_split){.ours = memory_zeroed((size_t)argc + 1, sizeof *split->ours),
	                             .theirs = memory_zeroed((size_t)argc + 1, sizeof *split->theirs)};
	split->ours[split->our_count++] = argv[0];
	for (int i = 1; i < argc; i++) {
		bool is_option = argv[i][0] == '-' && argv[i][1];
		if (!is_option)
			split->theirs[split->their_count++] = argv[i];
		else
			split->ours[split->our_count++] = argv[i];
		if (is_option && takes_next(argv[i], args, count) && i + 1 < argc)
			split->ours[split->our_count++] = argv[++i];
	}
}

/* The forms of --help that args_parse() does not know. */
static enum help_format other_help(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
		if (strcmp(argv[i], "--help") && help_asked(argv[i]))
			return help_asked(argv[i]);
	return HELP_NONE;
}

bool command_parse(const struct command *command, int argc, char **argv, const struct arg *args, size_t count,
                   const bool *help, const char **operand, int *rc)
{
	struct error err;
	enum help_format format = other_help(argc, argv);
	*rc = 2;
	if (!format) {
		if (!args_parse(argc, argv, args, count, operand, &err))
			return command_refuse(command, err.text);
		if (!*help)
			return true;
		format = HELP_TEXT;
	}
	help_print(stdout, command, args, count, format);
	*rc = 0;
	return false;
}

void command_limit_memory(uint64_t bytes)
{
	struct rlimit limit;
	if (!bytes || getrlimit(RLIMIT_DATA, &limit))
		return;
	if (limit.rlim_max == RLIM_INFINITY || bytes < limit.rlim_max)
		limit.rlim_cur = bytes;
	setrlimit(RLIMIT_DATA, &limit);
}

void command_warn(const char *name, const struct machine *machine, const struct trace *trace)
{
	struct error texts[WARNINGS_SHOWN];
	size_t count = machine_warn(machine, texts, WARNINGS_SHOWN);
	for (size_t i = 0; i < count && i < WARNINGS_SHOWN; i++)
		fprintf(stderr, "sluice %s: warning: %s\n", name, texts[i].text);
	const char *text;
	for (unsigned i = 0; i < WARNINGS_SHOWN && (text = trace_warning(trace, i)); i++)
		fprintf(stderr, "sluice %s: warning: %s\n", name, text);
}

bool command_show_import(void *user, uint64_t text_bytes, uint64_t warp_insns)
{
	char detail[96];
	snprintf(detail, sizeof detail, "%.0f MB of text, %.1f M warp instructions",
	         (double)text_bytes * 1e-6, (double)warp_insns * 1e-6);
	progress_show(user, "importing", 0, detail);
	return true;
}

/* ---- output ----------------------------------------------------------------------------------------- */

void command_note_observers(const char *name)
{
	fprintf(stderr, "sluice %s: --html turns on the observers %s\n", name, RUN_PAGE_OBSERVERS);
}

bool command_is_stdout(const char *path)
{
	return path && !strcmp(path, "-");
}

bool command_check_output(const char *path, struct error *err)
{
	char database[PATH_MAX];
	struct error ignored;
	/* Not every command opens the results, but none replaces them. */
	if (path && store_default_path(database, &ignored))
		read_files_note_path(database);
	return !path || command_is_stdout(path) || output_check(path, err);
}

bool command_write(const char *path, const char *text, struct error *err)
{
	if (!path)
		return true;
	if (!command_is_stdout(path))
		return output_write(path, text, strlen(text), err);
	fputs(text, stdout);
	return true;
}

int command_wider(int width, const char *text)
{
	return (int)strlen(text) > width ? (int)strlen(text) : width;
}

bool command_flush(struct error *err)
{
	if (fflush(stdout) || ferror(stdout))
		return error_set(err, "cannot write to standard output: %s", strerror(errno));
	return true;
}

/* ---- the program or trace --------------------------------------------------------------------------- */

/* The last part of the path. */
static void base_name(const char *path, char *name, size_t size)
{
	size_t end = strlen(path);
	while (end > 1 && path[end - 1] == '/')
		end--;
	size_t start = end;
	while (start && path[start - 1] != '/')
		start--;
	snprintf(name, size, "%.*s", (int)(end - start), path + start);
	safe_text(name, strlen(name), "");
}

bool input_parse(struct input *input, const struct command *command, int argc, char **argv,
                 const struct arg *args, size_t count, const bool *help, int *rc)
{
	struct error err;
	args_divide(argc, argv, args, count, recording_is_program, &input->words);
	if (!command_parse(command, input->words.our_count, input->words.ours, args, count, help,
	                   &input->word, rc))
		return false;
	*rc = 2;
	if (!input->word) {
		error_set(&err, "no %s given", command->operand);
		return command_refuse(command, err.text);
	}
	if (!target_find(&input->target, input->word, input->words.theirs, input->words.their_count, &err)) {
		command_fail(command->name, &err);
		return false;
	}
	/* What launches kernels of PTX has options of its own, and refuses others. */
	if (program_kind_of(input->target.path) != PROGRAM_PTX &&
	    !args_check_open(&input->words, args, count, input->target.name[0] ? "--size" : NULL, &err))
		return command_refuse(command, err.text);
	recording_note_target(command->name, &input->target);
	base_name(input->target.path, input->name, sizeof input->name);
	return true;
}

struct trace *input_record(struct input *input, const char *machine, FILE *out, struct error *err)
{
	input->program.path = input->target.path;
	input->program.machine = machine;
	input->program.args = input->target.args;
	input->program.arg_count = input->target.arg_count;
	return recording_open(&input->program, &input->recording, out, err);
}

struct trace *input_import(const char *path, struct error *err)
{
	struct progress progress = progress_start(stderr, 0);
	struct trace *trace = trace_open_any(path, command_show_import, &progress, err);
	progress_end(&progress);
	return trace;
}

struct trace *input_open(struct input *input, const char *machine, const struct kernels *kernels, FILE *out,
                         struct error *err)
{
	bool is_program = input->program.is_program || recording_is_program(input->target.path);
	if (!is_program && !(input->window = window_text(&input->program.window, err)))
		return NULL;
	struct trace *trace =
	    is_program ? input_record(input, machine, out, err) : input_import(input->target.path, err);
	if (!trace || !kernels ||
	    kernels_check(kernels, "--kernel", "the trace has", trace_kernel_count(trace), err))
		return trace;
	trace_close(trace);
	return NULL;
}

bool input_check_window(struct input *input, const char *kernel, uint64_t max_insns, struct error *err)
{
	struct window_options *window = &input->program.window;
	if (kernel && window_options_choose(window))
		return error_set(
		    err, "--kernel chooses among all launches of a recording; give --launches and the "
		         "like without it");
	if (!kernel)
		window->max_insns = max_insns;
	char *text = window_text(window, err);
	free(text);
	return text != NULL;
}

const char *input_window(const struct input *input)
{
	return input->recording.folder[0] ? input->recording.window : input->window;
}

bool input_check_output(const struct input *input, const char *machine, const char *path, struct error *err)
{
	trace_note_files(input->target.path);
	read_files_note_path(machine);
	return command_check_output(path, err);
}

void input_free(struct input *input)
{
	free(input->window);
	program_run_free(&input->recording);
	args_split_free(&input->words);
	target_free(&input->target);
}
