/* sluice trace: shows, checks, imports and exports traces. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "accelsim/accelsim.h"
#include "base/output.h"
#include "base/progress.h"
#include "cli/command.h"
#include "cmd/cmd.h"
#include "report/trace_report.h"
#include "run/run.h"
#include "trace/ends.h"

static const struct command command_info = {
    .name = "trace info",
    .summary = "show the launches of a trace and the instructions they execute",
    .usage =
        "usage: sluice trace info FILE|DIR [OPTION...]\n"
        "\n"
        "Prints one line per launch, and how many instructions of each class were executed. Bytes are\n"
        "those of a launch's compressed streams. FILE is a .sluice, .traceg, .traceg.xz or .tracez\n"
        "file or a kernelslist.g. DIR is an Accel-Sim folder. Accel-Sim traces are imported into the cache first\n"
        "($SLUICE_CACHE_DIR, or ~/.cache/sluice).\n",
};

static const struct command command_check = {
    .name = "trace check",
    .summary = "check that every lane of a trace executes EXIT once",
    .usage =
        "usage: sluice trace check FILE|DIR [OPTION...]\n"
        "\n"
        "Reads the whole trace and names the warps in which a lane executes EXIT twice or never, or\n"
        "executes an instruction after its EXIT. Other simulators abort on such warps. FILE and DIR are\n"
        "the same as for 'trace info'.\n"
        "\n"
        "Exit status: 0 every warp ends correctly, 1 some warps do not, 2 bad input.\n",
};

static const struct command command_import = {
    .name = "trace import",
    .summary = "convert an Accel-Sim trace into one .sluice file",
    .usage =
        "usage: sluice trace import DIR|FILE -o OUT.sluice [OPTION...]\n"
        "\n"
        "Converts an Accel-Sim trace: a folder with kernelslist.g, a kernelslist.g, or one .traceg,\n"
        ".traceg.xz or .tracez file. Tracer versions 1 to 6 (Accel-Sim 2.0) and binary versions from Kepler\n"
        "to Hopper are supported. Of spin-waits one round is kept; a warning says how much was left out.\n",
};

static const struct command command_export = {
    .name = "trace export",
    .summary = "write a trace as Accel-Sim text",
    .usage =
        "usage: sluice trace export FILE -o DIR [OPTION...]\n"
        "\n"
        "Writes kernelslist.g and one kernel-<id>.traceg per launch, in the format of tracer version 4, or 6\n"
        "(Accel-Sim 2.0), which has bulk copies and their mbarriers as well.\n",
};

static const char NAME[] = "trace";

struct arguments {
	const char *input, *output, *json, *version;
	unsigned exported; /* tracer version */
	bool force, help;
};

/* False: *code is the exit status. */
static bool parse_arguments(const struct command *c, int argc, char **argv, struct arguments *a, int *code)
{
	const bool imports = c == &command_import, writes = imports || c == &command_export;
	const struct arg json = {"--json", "FILE",
	                         "write the same as JSON; - is standard output, in place of the table",
	                         .text = &a->json};
	const struct arg output = {"-o --output", imports ? "OUT.sluice" : "DIR",
	                           imports ? "file to create" : "folder to create; may exist if it is empty",
	                           .text = &a->output};
	const struct arg force = {"--force", NULL,
	                          imports ? "replace the file if it exists"
	                                  : "first remove an earlier export (kernelslist.g, kernel-*.traceg)",
	                          .flag = &a->force};
	const struct arg version = {"--version", "4|6", "tracer version of the text (4)",
	                            .text = &a->version};
	struct arg args[5];
	size_t count = 0;
	if (c == &command_info)
		args[count++] = json;
	if (writes) {
		args[count++] = output;
		args[count++] = force;
	}
	if (c == &command_export)
		args[count++] = version;
	args[count++] = (struct arg){"--help", NULL, "this text", .flag = &a->help};
	if (!command_parse(c, argc, argv, args, count, &a->help, &a->input, code))
		return false;
	*code = 2;
	if (!a->input)
		return command_refuse(c, "no trace given");
	a->exported = a->version && !strcmp(a->version, "6") ? ACCELSIM_EXPORT_NEW : ACCELSIM_EXPORT_OLD;
	if (a->version && a->exported == ACCELSIM_EXPORT_OLD && strcmp(a->version, "4") != 0)
		return command_refuse(c, "--version is 4 or 6");
	return !writes || a->output || command_refuse(c, "no output given (-o)");
}

/* Read the arguments and open the trace; NULL: *code is the exit status. */
static struct trace *open_input(const struct command *c, int argc, char **argv, struct arguments *a,
                                int *code)
{
	struct error err;
	if (!parse_arguments(c, argc, argv, a, code))
		return NULL;
	struct trace *t = input_import(a->input, &err);
	*code = t ? 0 : command_fail(NAME, &err);
	return t;
}

static bool show_info(const struct trace *t, const struct arguments *a, struct error *err)
{
	struct trace_counts counts = {0};
	if (!command_check_output(a->json, err))
		return false;
	if (!trace_count(t, &counts, err)) {
		free(counts.waits);
		return false;
	}
	if (!command_is_stdout(a->json))
		trace_report_print(stdout, t, &counts);
	char *text = a->json ? trace_report_json(t, &counts) : NULL;
	bool ok = command_write(a->json, text, err);
	free(counts.waits);
	free(text);
	return ok;
}

static int trace_info(int argc, char **argv)
{
	struct arguments a = {0};
	struct error err;
	int code;
	struct trace *t = open_input(&command_info, argc, argv, &a, &code);
	if (t && !show_info(t, &a, &err))
		code = command_fail(NAME, &err);
	trace_close(t);
	return code;
}

struct shown_ends {
	const struct trace *trace;
	unsigned count;
};

static void print_end(const struct end_report *r, void *arg)
{
	enum { SHOWN = 8 };
	static const char *const how[] = {
	    [END_TWICE] = "end twice", [END_AFTER] = "go on after their end", [END_NEVER] = "never end"};
	struct shown_ends *shown = arg;
	if (shown->count++ >= SHOWN)
		return;
	printf("kernel %u, CTA %" PRIu64 ", warp %u: lanes 0x%" PRIx64 " %s, at %s (pc 0x%" PRIx64 ")\n",
	       trace_kernel_at(shown->trace, r->kernel)->id, r->cta, r->warp, r->lanes, how[r->fault],
	       r->mnemonic, r->pc);
}

static int trace_check(int argc, char **argv)
{
	struct arguments a = {0};
	struct end_counts counts = {0};
	struct error err;
	int code;
	struct trace *t = open_input(&command_check, argc, argv, &a, &code);
	if (!t)
		return code;
	struct shown_ends shown = {.trace = t};
	if (!trace_check_ends(t, &counts, print_end, &shown, &err))
		code = command_fail(NAME, &err);
	else
		printf("%s: %" PRIu64 " of %" PRIu64 " warps end as a GPU's do\n", a.input,
		       counts.warps - counts.wrong, counts.warps);
	trace_close(t);
	return code ? code : counts.wrong != 0;
}

static void print_warnings(const char *path)
{
	struct trace *t = trace_open(path, NULL);
	for (unsigned i = 0; t && trace_warning(t, i); i++)
		fprintf(stderr, "sluice trace: warning: %s\n", trace_warning(t, i));
	trace_close(t);
}

static int trace_import(int argc, char **argv)
{
	struct arguments a = {0};
	struct error err;
	struct stat st;
	int code;
	if (!parse_arguments(&command_import, argc, argv, &a, &code))
		return code;
	if (!a.force && !lstat(a.output, &st))
		return command_reject(NAME, "--force is needed to replace", a.output);
	struct progress progress = progress_start(stderr, 0);
	struct accelsim_import job = {
	    .path = a.input, .out_path = a.output, .progress = command_show_import, .user = &progress};
	trace_note_files(a.input);
	bool ok = accelsim_import(&job, &err);
	progress_end(&progress);
	if (!ok)
		return command_fail(NAME, &err);
	print_warnings(a.output);
	printf("%s: %" PRIu64 " warp instructions from %" PRIu64 " bytes of text\n", a.output, job.warp_insns,
	       job.text_bytes);
	return 0;
}

static int trace_export(int argc, char **argv)
{
	struct arguments a = {0};
	struct error err;
	int code;
	struct trace *t = open_input(&command_export, argc, argv, &a, &code);
	if (!t)
		return code;
	bool ok = output_allowed(a.output, &err) && (!a.force || accelsim_remove_export(a.output, &err)) &&
	          accelsim_export(t, a.output, a.exported, &err);
	if (ok)
		printf("%s: %u launches, %" PRIu64 " warp instructions\n", a.output, trace_kernel_count(t),
		       run_count_insns(t, NULL));
	trace_close(t);
	return ok ? 0 : command_fail(NAME, &err);
}

static const struct command_action actions[] = {
    {"info", "FILE|DIR [--json FILE|-] [OPTION...]", "show the launches and what they execute", trace_info},
    {"check", "FILE|DIR [OPTION...]", "check that every lane executes EXIT once, and nothing after it",
     trace_check},
    {"import", "DIR|FILE -o OUT.sluice [--force] [OPTION...]", "convert an Accel-Sim trace", trace_import},
    {"export", "FILE -o DIR [--force] [OPTION...]", "write a trace as Accel-Sim text", trace_export},
    {NULL, NULL, NULL, NULL},
};
static const struct command command = {
    .name = NAME,
    .actions = actions,
    .footer = "'sluice trace info --help' describes the first of these, and so on.\n",
};

int cmd_trace(int argc, char **argv)
{
	return command_act(&command, argc, argv);
}
