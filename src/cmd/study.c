/* Programs and traces that are simulated many times. */
#include "cmd/study.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/report/output.h"
#include "trace/cache.h"

enum { WARNINGS_SHOWN = 8 };

struct study study_new(const char *command)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	return (struct study){.command = command,
	                      .machine = "h200",
	                      .jobs = processors > 0 ? (uint64_t)processors : 1,
	                      .start_s = progress_clock()};
}

int study_fail(const struct study *study, const struct error *err)
{
	fprintf(stderr, "sluice %s: %s\n", study->command, err->text);
	return 2;
}

static bool refuse(const struct study *study, const char *text)
{
	fprintf(stderr, "sluice %s: %s\nsee 'sluice %s --help'\n", study->command, text, study->command);
	return false;
}

bool study_parse(struct study *s, int argc, char **argv, const struct arg *args, size_t count,
                 const char *usage, int *rc)
{
	struct error err;
	*rc = 2;
	args_divide(argc, argv, args, count, recording_is_program, &s->words);
	if (!args_parse(s->words.our_count, s->words.ours, args, count, &s->path, &err))
		return refuse(s, err.text);
	if (s->help) {
		puts(usage);
		args_print(stdout, args, count);
		*rc = 0;
		return false;
	}
	if (!s->path)
		return refuse(s, "no program and no trace given");
	if (s->kernel && !kernels_parse(&s->kernels, s->kernel, &err))
		return refuse(s, err.text);
	if (s->json && strcmp(s->json, "-") && !output_check(s->json, &err))
		return refuse(s, err.text);
	if (!subject_find(&s->subject, s->path, s->words.theirs, s->words.their_count, &err))
		return refuse(s, err.text);
	s->path = s->subject.path;
	return true;
}

bool study_load(const struct study *s, struct rig *rig, const char *policy, struct error *err)
{
	return rig_load(rig, s->machine, policy, s->changes.text, s->changes.count, err);
}

FILE *study_output(const struct study *s)
{
	return s->json && !strcmp(s->json, "-") ? stderr : stdout;
}

/* ---- opening ---------------------------------------------------------------------------------------------- */

static void show_import(void *user, uint64_t text_bytes, uint64_t warp_insns)
{
	char detail[96];
	snprintf(detail, sizeof detail, "%.0f MB of text, %.1f M warp instructions",
	         (double)text_bytes * 1e-6, (double)warp_insns * 1e-6);
	progress_show(user, "importing", 0, detail);
}

static struct trace *open_recording(struct study *s, struct error *err)
{
	s->program.path = s->path;
	s->program.machine = s->machine;
	s->program.args = s->subject.args;
	s->program.arg_count = s->subject.arg_count;
	struct trace *trace = recording_open(&s->program, &s->recording, study_output(s), err);
	if (!trace)
		return NULL;
	if (s->recording.reads_times)
		fprintf(stderr,
		        "sluice %s: the program asks how long kernels took, which every policy answers "
		        "otherwise; "
		        "'sluice run' shows what it prints\n",
		        s->command);
	recording_print_line(study_output(s), &s->recording);
	return trace;
}

static struct trace *open_any(struct study *s, struct error *err)
{
	if (recording_is_program(s->path))
		return open_recording(s, err);
	struct progress progress = progress_start(stderr, 0);
	struct trace *trace = trace_open_any(s->path, show_import, &progress, err);
	progress_end(&progress);
	return trace;
}

static void print_warnings(const struct study *s, const struct machine *machine)
{
	struct error texts[WARNINGS_SHOWN];
	size_t count = machine_warn(machine, texts, WARNINGS_SHOWN);
	for (size_t i = 0; i < count && i < WARNINGS_SHOWN; i++)
		fprintf(stderr, "sluice %s: warning: %s\n", s->command, texts[i].text);
	const char *text;
	for (unsigned i = 0; i < WARNINGS_SHOWN && (text = trace_warning(s->trace, i)); i++)
		fprintf(stderr, "sluice %s: warning: %s\n", s->command, text);
}

/* The last part of the path, which is what the results call the trace. */
static void base_name(const char *path, char *name, size_t size)
{
	size_t end = strlen(path);
	while (end > 1 && path[end - 1] == '/')
		end--;
	size_t start = end;
	while (start && path[start - 1] != '/')
		start--;
	snprintf(name, size, "%.*s", (int)(end - start), path + start);
}

static void join_words(char *to, size_t size, const char *const *words, size_t count)
{
	size_t n = 0;
	for (size_t i = 0; i < count && n < size; i++)
		n += (size_t)snprintf(to + n, size - n, "%s%s", i ? " " : "", words[i]);
}

static void state_facts(struct study *s, const struct machine *machine)
{
	base_name(s->path, s->name, sizeof s->name);
	join_words(s->words_text, sizeof s->words_text, (const char *const *)s->program.args, s->program.arg_count);
	join_words(s->changes_text, sizeof s->changes_text, s->changes.text, s->changes.count);
	s->options = (struct run_options){
	    .threads = 1, .cold_l2 = s->cold_l2, .max_insns = s->max_insns, .kernels = &s->kernels};
	s->facts_program = (struct run_program){.args = s->program.args,
	                                        .arg_count = s->program.arg_count,
	                                        .exit_status = s->recording.exit_status,
	                                        .signal = s->recording.signal,
	                                        .fault = s->recording.fault};
	s->facts = (struct compare_facts){.trace_name = s->name,
	                                  .machine = machine,
	                                  .changes = s->changes.text,
	                                  .change_count = s->changes.count,
	                                  .options = &s->options,
	                                  .program = s->recording.folder[0] ? &s->facts_program : NULL};
	s->batch = (struct batch){.trace = s->trace,
	                          .name = s->name,
	                          .arguments = s->words_text,
	                          .changes = s->changes_text,
	                          .options = &s->options,
	                          .jobs = s->jobs,
	                          .again = s->program.again,
	                          .progress = stderr};
}

bool study_open(struct study *s, const struct machine *machine, struct error *err)
{
	s->trace = open_any(s, err);
	if (!s->trace || !kernels_check(&s->kernels, trace_kernel_count(s->trace), err))
		return false;
	print_warnings(s, machine);
	state_facts(s, machine);
	return true;
}

/* ---- results ---------------------------------------------------------------------------------------------- */

bool study_write_json(const struct study *s, const char *json, struct error *err)
{
	if (!s->json)
		return true;
	if (strcmp(s->json, "-"))
		return output_write(s->json, json, strlen(json), err);
	fputs(json, stdout);
	return true;
}

bool study_finish(struct study *s, size_t runs, struct error *err)
{
	if (!batch_close(&s->batch, err))
		return false;
	if (fflush(stdout) || ferror(stdout))
		return error_set(err, "cannot write to standard output: %s", strerror(errno));
	fprintf(stderr, "simulated %zu of %zu runs in %.1f s", s->batch.simulated, runs,
	        progress_clock() - s->start_s);
	fputs(s->batch.simulated < runs ? "; the others were simulated before\n" : "\n", stderr);
	return true;
}

void study_free(struct study *s)
{
	struct error ignored;
	batch_close(&s->batch, &ignored);
	if (s->trace)
		trace_close(s->trace);
	args_split_free(&s->words);
	subject_free(&s->subject);
}
