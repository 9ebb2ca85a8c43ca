/* sluice trace: what a trace holds, and the ways in and out of the native format. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "accelsim/open_any.h"
#include "base/cache.h"
#include "base/memory.h"
#include "base/output.h"
#include "cli/command.h"
#include "cmd/cmd.h"
#include "report/run_json.h"
#include "trace/ends.h"

static const struct command_action actions[] = {
    {"info", "FILE|DIR [--json FILE|-] [OPTION...]", "the launches of a trace, and what they execute"},
    {"check", "FILE|DIR [OPTION...]", "that every lane executes EXIT once, and nothing after it"},
    {"import", "DIR|FILE -o OUT.sluice [--force] [OPTION...]", "an Accel-Sim trace into a .sluice file"},
    {"export", "FILE -o DIR [--force] [OPTION...]", "a trace as Accel-Sim text"},
    {NULL, NULL, NULL},
};
static const struct command command = {
    .name = "trace",
    .actions = actions,
    .footer = "'sluice trace info --help' and so on describe each.\n",
};

static const struct command command_info = {
    .name = "trace info",
    .summary = "show the launches of a trace, and what they execute",
    .operand = "trace",
    .usage = "usage: sluice trace info FILE|DIR [OPTION...]\n"
             "\n"
             "Prints one line per launch (bytes are those of its compressed streams) and how many\n"
             "instructions of each class were executed. FILE is a .sluice, .traceg or .traceg.xz file or\n"
             "a kernelslist.g; DIR is an Accel-Sim folder. Accel-Sim input is imported into the cache\n"
             "first ($SLUICE_CACHE_DIR, or ~/.cache/sluice).\n",
};

static const struct command command_check = {
    .name = "trace check",
    .summary = "check that every lane of a trace ends once",
    .operand = "trace",
    .usage = "usage: sluice trace check FILE|DIR [OPTION...]\n"
             "\n"
             "Reads the whole trace and names the warps in which a lane executes EXIT twice or never, or\n"
             "anything after its EXIT; other simulators abort on those. FILE and DIR are as for 'info'.\n"
             "\n"
             "Exit status: 0 all warps end as they should, 1 some do not, 2 bad input.\n",
};

static const struct command command_import = {
    .name = "trace import",
    .summary = "convert an Accel-Sim trace into one small file",
    .operand = "trace",
    .usage = "usage: sluice trace import DIR|FILE -o OUT.sluice [OPTION...]\n"
             "\n"
             "Reads an Accel-Sim trace: a folder with kernelslist.g, a kernelslist.g, or one .traceg or\n"
             ".traceg.xz file. Tracer versions 1 to 5, binary versions Kepler to Hopper.\n",
};

static const struct command command_export = {
    .name = "trace export",
    .summary = "write a trace as Accel-Sim text",
    .operand = "trace",
    .usage = "usage: sluice trace export FILE -o DIR [OPTION...]\n"
             "\n"
             "Writes kernelslist.g and one kernel-<id>.traceg per launch, tracer version 4.\n",
};

static int fail(const struct error *err)
{
	fprintf(stderr, "sluice trace: %s\n", err->text);
	return 2;
}

static int refuse(const char *what, const char *word)
{
	fprintf(stderr, "sluice trace: %s '%s'; see 'sluice trace --help'\n", what, word);
	return 2;
}

/* ---- arguments -------------------------------------------------------------------------------------- */

struct arguments {
	const char *input, *output, *json;
	bool force, help;
};

/* False: *code is the exit status. */
static bool parse_arguments(const struct command *c, int argc, char **argv, struct arguments *a, int *code)
{
	const bool imports = c == &command_import, writes = imports || c == &command_export;
	const struct arg json = {"--json", "FILE",
	                         "write the same as JSON; - is standard output, without the table",
	                         .text = &a->json};
	const struct arg output = {"-o --output", imports ? "OUT.sluice" : "DIR",
	                           imports ? "the file to create"
	                                   : "the folder to create; an empty one may exist",
	                           .text = &a->output};
	const struct arg force = {"--force", NULL,
	                          imports ? "replace it if it exists"
	                                  : "remove an earlier export (kernelslist.g, kernel-*.traceg) first",
	                          .flag = &a->force};
	struct arg args[3];
	size_t count = 0;
	if (c == &command_info)
		args[count++] = json;
	if (writes) {
		args[count++] = output;
		args[count++] = force;
	}
	args[count++] = (struct arg){"--help", NULL, "this text", .flag = &a->help};
	if (!command_parse(c, argc, argv, args, count, &a->help, &a->input, code))
		return false;
	*code = 2;
	if (!a->input)
		return command_refuse(c, "no trace given");
	return !writes || a->output || command_refuse(c, "no output given (-o)");
}

/* ---- progress --------------------------------------------------------------------------------------- */

static bool show_progress(void *user, uint64_t text_bytes, uint64_t warp_insns)
{
	(void)user;
	fprintf(stderr, "\rimporting: %" PRIu64 " MB of text, %.1f M warp instructions", text_bytes / 1000000,
	        (double)warp_insns * 1e-6);
	return true;
}

static accelsim_progress progress_for_terminal(void)
{
	return isatty(STDERR_FILENO) ? show_progress : NULL;
}

static void end_progress(void)
{
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
}

/* ---- info ------------------------------------------------------------------------------------------- */

struct class_counts {
	uint64_t warp_insns[OP_COUNT], lane_insns[OP_COUNT];
};

static bool count_cta(struct trace_reader *r, const struct trace_kernel *k, struct warp_cursor *cursors,
                      struct class_counts *counts, struct error *err)
{
	for (uint32_t w = 0; w < k->warps_per_cta; w++) {
		struct warp_step step;
		enum cursor_result result;
		while ((result = cursor_next(r, k, &cursors[w], &step, err)) == CURSOR_STEP) {
			counts->warp_insns[k->insns[step.insn].op]++;
			counts->lane_insns[k->insns[step.insn].op] +=
			    (uint64_t)__builtin_popcountll(step.mask);
		}
		if (result == CURSOR_ERROR)
			return false;
	}
	return true;
}

static bool count_kernel(struct trace_reader *r, const struct trace *t, unsigned index,
                         struct class_counts *counts, struct error *err)
{
	const struct trace_kernel *k = trace_kernel_at(t, index);
	uint8_t *buffer = malloc(cta_buffer_bytes(k));
	struct warp_cursor *cursors = malloc(k->warps_per_cta * sizeof *cursors);
	bool ok = (buffer && cursors) || error_set(err, "out of memory");
	for (uint64_t cta = 0; ok && cta < k->cta_count; cta++)
		ok = trace_read_cta(r, index, cta, buffer, cursors, err) &&
		     count_cta(r, k, cursors, counts, err);
	free(buffer);
	free(cursors);
	return ok;
}

static bool count_classes(const struct trace *t, struct class_counts *counts, struct error *err)
{
	struct trace_reader *r = trace_reader_new(t, err);
	bool ok = r != NULL;
	for (unsigned i = 0; ok && i < trace_kernel_count(t); i++)
		ok = count_kernel(r, t, i, counts, err);
	trace_reader_free(r);
	return ok;
}

static double per_insn(uint64_t bytes, uint64_t insns)
{
	return insns ? (double)bytes / (double)insns : 0;
}

static uint64_t count_insns(const struct trace *t)
{
	uint64_t insns = 0;
	for (unsigned i = 0; i < trace_kernel_count(t); i++)
		insns += trace_kernel_at(t, i)->warp_insns;
	return insns;
}

static void print_kernels(const struct trace *t)
{
	printf("%6s %18s %14s %5s %7s %12s %7s %11s %7s  %s\n", "kernel", "grid", "block", "regs", "shared",
	       "warp insns", "static", "bytes", "B/insn", "name");
	for (unsigned i = 0; i < trace_kernel_count(t); i++) {
		const struct trace_kernel *k = trace_kernel_at(t, i);
		char grid[40], block[40];
		snprintf(grid, sizeof grid, "(%u,%u,%u)", k->grid.x, k->grid.y, k->grid.z);
		snprintf(block, sizeof block, "(%u,%u,%u)", k->block.x, k->block.y, k->block.z);
		uint64_t bytes = trace_kernel_bytes(t, i);
		printf("%6u %18s %14s %5u %7u %12" PRIu64 " %7u %11" PRIu64 " %7.3f  %s\n", k->id, grid,
		       block, k->registers_per_thread, k->shared_bytes, k->warp_insns, k->insn_count, bytes,
		       per_insn(bytes, k->warp_insns), k->name);
	}
}

static void print_classes(const struct class_counts *c, uint64_t total)
{
	printf("\n%-12s %14s %7s %16s  %s\n", "class", "warp insns", "share", "lane insns", "covers");
	for (unsigned op = 0; op < OP_COUNT; op++)
		if (c->warp_insns[op])
			printf("%-12s %14" PRIu64 " %6.2f%% %16" PRIu64 "  %s\n", op_class_name(op),
			       c->warp_insns[op], 100.0 * (double)c->warp_insns[op] / (double)total,
			       c->lane_insns[op], op_class_doc(op));
}

static void print_info(const struct trace *t, const struct class_counts *c)
{
	uint64_t insns = count_insns(t);
	const struct trace_copy *copies;
	print_kernels(t);
	print_classes(c, insns);
	printf("\n%u launches, %zu copies to the device, %" PRIu64 " warp instructions, %" PRIu64
	       " bytes (%.3f per instruction)\n",
	       trace_kernel_count(t), trace_copies(t, &copies), insns, trace_file_bytes(t),
	       per_insn(trace_file_bytes(t), insns));
	for (unsigned i = 0; trace_warning(t, i); i++)
		printf("warning: %s\n", trace_warning(t, i));
}

static json_t *kernel_json(const struct trace *t, unsigned index)
{
	const struct trace_kernel *k = trace_kernel_at(t, index);
	return json_pack("{s:I, s:o, s:[I,I,I], s:[I,I,I], s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}",
	                 "id", (json_int_t)k->id, "name", json_text(k->name), "grid", (json_int_t)k->grid.x,
	                 (json_int_t)k->grid.y, (json_int_t)k->grid.z, "block", (json_int_t)k->block.x,
	                 (json_int_t)k->block.y, (json_int_t)k->block.z, "stream", (json_int_t)k->stream,
	                 "warp_size", (json_int_t)k->warp_size, "warps_per_cta", (json_int_t)k->warps_per_cta,
	                 "registers_per_thread", (json_int_t)k->registers_per_thread, "shared_bytes",
	                 (json_int_t)k->shared_bytes, "binary_version", (json_int_t)k->binary_version,
	                 "warp_insns", (json_int_t)k->warp_insns, "static_insns", (json_int_t)k->insn_count,
	                 "bytes", (json_int_t)trace_kernel_bytes(t, index));
}

static json_t *classes_json(const struct class_counts *c)
{
	json_t *classes = json_object();
	for (unsigned op = 0; op < OP_COUNT; op++)
		if (c->warp_insns[op])
			json_object_set_new(classes, op_class_name(op),
			                    json_pack("{s:I, s:I}", "warp_insns",
			                              (json_int_t)c->warp_insns[op], "lane_insns",
			                              (json_int_t)c->lane_insns[op]));
	return classes;
}

static json_t *info_json(const struct trace *t, const struct class_counts *c)
{
	json_t *kernels = json_array(), *warnings = json_array();
	for (unsigned i = 0; i < trace_kernel_count(t); i++)
		json_array_append_new(kernels, kernel_json(t, i));
	for (unsigned i = 0; trace_warning(t, i); i++)
		json_array_append_new(warnings, json_text(trace_warning(t, i)));
	const struct trace_copy *copies;
	return json_pack("{s:o, s:I, s:I, s:I, s:o, s:o, s:o}", "path", json_text(trace_path(t)), "bytes",
	                 (json_int_t)trace_file_bytes(t), "warp_insns", (json_int_t)count_insns(t), "copies",
	                 (json_int_t)trace_copies(t, &copies), "kernels", kernels, "classes", classes_json(c),
	                 "warnings", warnings);
}

static int write_json(const struct trace *t, const struct class_counts *c, const char *path)
{
	struct error err;
	json_t *info = info_json(t, c);
	char *text = json_dumps(info, JSON_INDENT(2));
	size_t length = text ? strlen(text) : 0;
	json_decref(info);
	if (!text)
		return fail(&(struct error){"what there is to say of the trace cannot be written as JSON"});
	text = memory_grow(text, length + 2, 1);
	strcpy(text + length, "\n");
	bool to_stdout = !strcmp(path, "-");
	if (to_stdout)
		fputs(text, stdout);
	bool ok = to_stdout || output_write(path, text, length + 1, &err);
	free(text);
	return ok ? 0 : fail(&err);
}

static int show_info(const struct trace *t, const char *json)
{
	struct class_counts counts = {0};
	struct error err;
	if (!count_classes(t, &counts, &err))
		return fail(&err);
	if (!json || strcmp(json, "-"))
		print_info(t, &counts);
	if (fflush(stdout) || ferror(stdout))
		return fail(&(struct error){"cannot write to the standard output"});
	return json ? write_json(t, &counts, json) : 0;
}

/* Reads the arguments and opens the trace they name; NULL: *code is the exit status. */
static struct trace *open_input(const struct command *c, int argc, char **argv, struct arguments *a,
                                int *code)
{
	struct error err;
	if (!parse_arguments(c, argc, argv, a, code))
		return NULL;
	*code = 0;
	struct trace *t = trace_open_any(a->input, progress_for_terminal(), NULL, &err);
	end_progress();
	if (!t)
		*code = fail(&err);
	return t;
}

static int trace_info(int argc, char **argv)
{
	struct arguments a = {0};
	int code;
	struct trace *t = open_input(&command_info, argc, argv, &a, &code);
	if (!t)
		return code;
	struct error err;
	const char *const inputs[] = {a.input, NULL};
	code = output_is_no_input(a.json, inputs, &err) ? show_info(t, a.json) : fail(&err);
	trace_close(t);
	return code;
}

/* ---- check ------------------------------------------------------------------------------------------ */

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
		code = fail(&err);
	else
		printf("%s: %" PRIu64 " of %" PRIu64 " warps end as a GPU's do\n", a.input,
		       counts.warps - counts.wrong, counts.warps);
	trace_close(t);
	return code ? code : counts.wrong != 0;
}

/* ---- import and export ------------------------------------------------------------------------------ */

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
	int code;
	if (!parse_arguments(&command_import, argc, argv, &a, &code))
		return code;
	struct stat st;
	if (!a.force && !lstat(a.output, &st))
		return refuse("--force is needed to replace", a.output);
	struct error err;
	const char *const inputs[] = {a.input, NULL};
	if (!output_is_no_input(a.output, inputs, &err))
		return fail(&err);
	struct accelsim_import job = {
	    .path = a.input, .out_path = a.output, .progress = progress_for_terminal()};
	bool ok = accelsim_import(&job, &err);
	end_progress();
	if (!ok)
		return fail(&err);
	print_warnings(a.output);
	printf("%s: %" PRIu64 " warp instructions from %" PRIu64 " bytes of text\n", a.output, job.warp_insns,
	       job.text_bytes);
	return 0;
}

static bool is_exported_name(const char *name)
{
	size_t n = strlen(name);
	return !strcmp(name, "kernelslist.g") ||
	       (!strncmp(name, "kernel-", 7) && n > 7 && !strcmp(name + n - 7, ".traceg"));
}

/* Removes what an export writes, nothing else. */
static void remove_export(const char *path)
{
	DIR *dir = opendir(path);
	if (!dir)
		return;
	for (struct dirent *entry; (entry = readdir(dir));)
		if (is_exported_name(entry->d_name))
			unlinkat(dirfd(dir), entry->d_name, 0);
	closedir(dir);
}

static int trace_export(int argc, char **argv)
{
	struct arguments a = {0};
	struct error err;
	int code;
	struct trace *t = open_input(&command_export, argc, argv, &a, &code);
	if (!t)
		return code;
	/* --force removes kernel files: not those that are being read. */
	char folder[PATH_MAX];
	snprintf(folder, sizeof folder, "%s", trace_is_native(a.input) ? "" : a.input);
	const char *const inputs[] = {a.input, folder[0] ? dirname(folder) : NULL, NULL};
	bool ok = output_is_no_input(a.output, inputs, &err);
	if (ok && a.force)
		remove_export(a.output);
	ok = ok && accelsim_export(t, a.output, &err);
	if (ok)
		printf("%s: %u launches, %" PRIu64 " warp instructions\n", a.output, trace_kernel_count(t),
		       count_insns(t));
	trace_close(t);
	return ok ? 0 : fail(&err);
}

int cmd_trace(int argc, char **argv)
{
	static int (*const run[])(int argc, char **argv) = {trace_info, trace_check, trace_import,
	                                                    trace_export};
	if (argc < 2 || help_asked(argv[1]))
		return help_show(&command, argc < 2 ? HELP_NONE : help_asked(argv[1]));
	for (size_t i = 0; i < sizeof run / sizeof *run; i++)
		if (!strcmp(argv[1], actions[i].name))
			return run[i](argc - 1, argv + 1);
	return refuse("unknown action", argv[1]);
}
