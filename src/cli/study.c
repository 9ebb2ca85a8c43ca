/* Programs and traces that are simulated many times. */
#include "cli/study.h"

#include <string.h>
#include <unistd.h>

#include "base/progress.h"

struct study study_new(const struct command *command)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	return (struct study){.command = command,
	                      .machine = "h200",
	                      .jobs = processors > 0 ? (uint64_t)processors : 1,
	                      .start_s = progress_clock()};
}

int study_fail(const struct study *study, const struct error *err)
{
	return command_fail(study->command->name, err);
}

bool study_parse(struct study *s, int argc, char **argv, const struct arg *args, size_t count, int *rc)
{
	struct error err;
	if (!input_parse(&s->input, s->command, argc, argv, args, count, &s->help, rc))
		return false;
	*rc = 2;
	if (input_check_window(&s->input, s->kernel, s->max_insns, &err) &&
	    (!s->kernel || kernels_parse(&s->kernels, "--kernel", s->kernel, &err)) &&
	    input_check_output(&s->input, s->machine, s->json, &err))
		return true;
	return command_refuse(s->command, err.text);
}

bool study_load(const struct study *s, struct config *config, const char *policy, struct error *err)
{
	return config_load(config, s->machine, policy, s->changes.text, s->changes.count, err);
}

FILE *study_output(const struct study *s)
{
	return command_is_stdout(s->json) || command_is_stdout(s->other_output) ? stderr : stdout;
}

/* ---- opening ---------------------------------------------------------------------------------------------- */

static void print_recording(const struct study *s)
{
	if (s->input.recording.reads_times)
		fprintf(stderr,
		        "sluice %s: the program reads kernel times, which differ from policy to policy; "
		        "'sluice run' shows what it prints\n",
		        s->command->name);
	recording_print_line(study_output(s), &s->input.recording);
}

static void join_words(char *to, size_t size, const char *const *words, size_t count)
{
	size_t n = 0;
	for (size_t i = 0; i < count && n < size; i++)
		n += (size_t)snprintf(to + n, size - n, "%s%s", i ? " " : "", words[i]);
}

static void state_facts(struct study *s, const struct machine *machine)
{
	join_words(s->words_text, sizeof s->words_text, (const char *const *)s->input.program.args,
	           s->input.program.arg_count);
	join_words(s->changes_text, sizeof s->changes_text, s->changes.text, s->changes.count);
	s->options = (struct run_options){.threads = 1,
	                                  .cold_l2 = s->cold_l2,
	                                  .max_insns = s->max_insns,
	                                  .kernels = &s->kernels,
	                                  .window = input_window(&s->input),
	                                  .is_part = s->input.recording.is_part};
	s->facts_program = (struct run_program){.args = s->input.program.args,
	                                        .arg_count = s->input.program.arg_count,
	                                        .exit_status = s->input.recording.exit_status,
	                                        .signal = s->input.recording.signal,
	                                        .fault = s->input.recording.fault};
	s->facts = (struct compare_facts){.trace_name = s->input.name,
	                                  .machine = machine,
	                                  .changes = s->changes.text,
	                                  .change_count = s->changes.count,
	                                  .options = &s->options,
	                                  .program = s->input.recording.folder[0] ? &s->facts_program : NULL};
	s->batch = (struct batch){.trace = s->trace,
	                          .name = s->input.name,
	                          .arguments = s->words_text,
	                          .changes = s->changes_text,
	                          .options = &s->options,
	                          .jobs = s->jobs,
	                          .again = s->input.program.again,
	                          .progress = stderr};
}

bool study_open(struct study *s, const struct machine *machine, struct error *err)
{
	s->trace = input_open(&s->input, s->machine, &s->kernels, study_output(s), err);
	command_limit_memory(s->memory);
	/* Again: now the files of the trace and of the program are known. */
	if (!s->trace || !command_check_output(s->json, err))
		return false;
	if (s->input.recording.folder[0])
		print_recording(s);
	fprintf(stderr, "sluice %s: %s on %s, %u launch%s in the trace, at most %llu processes of 1 thread\n",
	        s->command->name, s->input.name, machine->name, trace_kernel_count(s->trace),
	        trace_kernel_count(s->trace) == 1 ? "" : "es", (unsigned long long)s->jobs);
	command_warn(s->command->name, machine, s->trace);
	state_facts(s, machine);
	return true;
}

/* ---- results ---------------------------------------------------------------------------------------------- */

bool study_finish(struct study *s, size_t runs, struct error *err)
{
	if (!batch_close(&s->batch, err) || !command_flush(err))
		return false;
	fprintf(stderr, "simulated %zu of %zu runs in %.1f s", s->batch.simulated, runs,
	        progress_clock() - s->start_s);
	fputs(s->batch.simulated < runs ? "; the others had been simulated before\n" : "\n", stderr);
	return true;
}

void study_free(struct study *s)
{
	struct error ignored;
	batch_close(&s->batch, &ignored);
	if (s->trace)
		trace_close(s->trace);
	input_free(&s->input);
}
