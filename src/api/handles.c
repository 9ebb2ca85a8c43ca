/* Traces and machines. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "accelsim/accelsim.h"
#include "api/api.h"
#include "base/cache.h"
#include "base/memory.h"
#include "base/safe_text.h"
#include "machine/catalog.h"

/* ---- traces ------------------------------------------------------------------------------------------------------ */

struct opening {
	const char *word;
	const char *const *words;
	size_t count;
	struct sluice_trace_options options;
	struct ticker ticker;
	struct sluice_trace *trace; /* being made */
};

static bool find(void *argument, struct error *err)
{
	struct opening *o = argument;
	o->trace = memory_zeroed(1, sizeof *o->trace);
	if (!target_find(&o->trace->target, o->word, (char *const *)(uintptr_t)o->words, o->count, err))
		return false;
	const char *path = o->trace->target.path, *end = path + strlen(path);
	while (end > path + 1 && end[-1] == '/')
		end--;
	const char *start = end;
	while (start > path && start[-1] != '/')
		start--;
	snprintf(o->trace->name, sizeof o->trace->name, "%.*s", (int)(end - start), start);
	safe_text(o->trace->name, strlen(o->trace->name), "");
	o->trace->is_program = o->options.is_program || program_kind_of(path) != PROGRAM_NONE;
	return true;
}

static bool tick_recording(void *user)
{
	return ticker_tick(user, SLUICE_RECORDING, 0);
}

static bool tick_import(void *user, uint64_t text_bytes, uint64_t warp_insns)
{
	(void)warp_insns;
	return ticker_tick(user, SLUICE_IMPORTING, text_bytes);
}

static struct window_options window_of(const struct sluice_trace_options *o)
{
	return (struct window_options){.launches = o->launches,
	                               .skip = o->launch_skip,
	                               .count = o->launch_count,
	                               .kernel_name = o->kernel_name,
	                               .nvtx = o->nvtx,
	                               .profile_from_start = o->profile_from_start_off ? "off" : NULL,
	                               .then_run = o->then_run,
	                               .max_insns = o->max_insns,
	                               .record_limit = o->record_limit};
}

static bool record(void *argument, struct error *err)
{
	struct opening *o = argument;
	struct sluice_trace *trace = o->trace;
	const struct program_request request = {
	    .path = trace->target.path,
	    .args = trace->target.args,
	    .arg_count = trace->target.arg_count,
	    .machine = o->options.machine ? o->options.machine : "h200",
	    .again = o->options.again,
	    .is_program = o->options.is_program,
	    .check_races = o->options.check_races,
	    .lenient_memory = o->options.lenient_memory,
	    .spin_budget = o->options.spin_budget,
	    .max_registers = o->options.max_registers,
	    .window = window_of(&o->options),
	    .quiet = true,
	    .go_on = o->ticker.function ? tick_recording : NULL,
	    .user = &o->ticker,
	};
	trace->trace = program_open(&request, &trace->recording, err);
	if (!trace->trace) {
		program_drop(&trace->recording);
		return false;
	}
	program_file(&trace->recording, "stdout", trace->stdout_path);
	program_file(&trace->recording, "stderr", trace->stderr_path);
	return true;
}

static bool import(void *argument, struct error *err)
{
	struct opening *o = argument;
	const struct window_options window = window_of(&o->options);
	o->trace->window = window_text(&window, err);
	if (!o->trace->window)
		return false;
	o->trace->trace = trace_open_any(o->trace->target.path, tick_import, &o->ticker, err);
	return o->trace->trace != NULL;
}

static bool open_found(struct opening *o, struct sluice_error *error)
{
	/* A process has one child to clean up after: programs are recorded one after the other. */
	static pthread_mutex_t recording = PTHREAD_MUTEX_INITIALIZER;
	if (!o->trace->is_program)
		return guard(import, o, &o->ticker, error);
	pthread_mutex_lock(&recording);
	bool ok = guard(record, o, &o->ticker, error);
	pthread_mutex_unlock(&recording);
	return ok;
}

/* Whether none of the texts that a caller must give is NULL. */
static bool texts_are_given(const char *first, const char *const *list, size_t count)
{
	if (!first || (count && !list))
		return false;
	for (size_t i = 0; i < count; i++)
		if (!list[i])
			return false;
	return true;
}

struct sluice_trace *sluice_trace_open(const char *target, const char *const *words, size_t count,
                                       const struct sluice_trace_options *options, struct sluice_error *error)
{
	struct opening o = {.word = target, .words = words, .count = count};
	if (!texts_are_given(target, words, count)) {
		fail(error, SLUICE_BAD_INPUT,
		     target ? "a word of the program is NULL" : "no program or trace given");
		return NULL;
	}
	if (!read_options(&o.options, sizeof o.options, options, error))
		return NULL;
	o.ticker = (struct ticker){.function = o.options.progress, .user = o.options.user};
	struct sluice_error why;
	error = error ? error : &why;
	if (!guard(find, &o, &o.ticker, error) || !open_found(&o, error)) {
		/* What a trapped work left behind may be half made. */
		if (o.trace && (error->code == SLUICE_BAD_INPUT || error->code == SLUICE_CANCELLED))
			sluice_trace_close(o.trace);
		return NULL;
	}
	if (!realpath(trace_path(o.trace->trace), o.trace->path))
		snprintf(o.trace->path, sizeof o.trace->path, "%s", trace_path(o.trace->trace));
	return o.trace;
}

/* One reference more: `references` counts those beyond the first. */
struct sluice_trace *trace_share(const struct sluice_trace *trace)
{
	struct sluice_trace *shared = (struct sluice_trace *)(uintptr_t)trace;
	atomic_fetch_add(&shared->references, 1);
	return shared;
}

void sluice_trace_close(struct sluice_trace *trace)
{
	if (!trace || atomic_fetch_sub(&trace->references, 1) > 0)
		return;
	if (trace->trace)
		trace_close(trace->trace);
	target_free(&trace->target);
	program_run_free(&trace->recording);
	free(trace->window);
	free(trace);
}

const char *trace_window(const struct sluice_trace *trace)
{
	return trace->window ? trace->window : trace->recording.window;
}

const char *sluice_trace_name(const struct sluice_trace *trace)
{
	return trace ? trace->name : NULL;
}

const char *sluice_trace_path(const struct sluice_trace *trace)
{
	return trace ? trace->path : NULL;
}

size_t sluice_trace_launches(const struct sluice_trace *trace)
{
	if (!trace)
		return 0;
	struct error ignored;
	bool *chosen = run_choose(trace->trace, NULL, trace_window(trace), &ignored);
	size_t count = 0;
	for (unsigned k = 0; chosen && k < trace_kernel_count(trace->trace); k++)
		count += chosen[k];
	free(chosen);
	return count;
}

uint64_t sluice_trace_warp_insns(const struct sluice_trace *trace)
{
	return trace ? run_count_chosen(trace->trace, &(struct run_options){.window = trace_window(trace)})
	             : 0;
}

const char *sluice_trace_warning(const struct sluice_trace *trace, size_t index)
{
	return trace && index <= UINT32_MAX ? trace_warning(trace->trace, (unsigned)index) : NULL;
}

bool sluice_trace_program(const struct sluice_trace *trace, struct sluice_program *program)
{
	if (!trace || !program || !trace->is_program)
		return false;
	*program = (struct sluice_program){.exit_status = trace->recording.exit_status,
	                                   .signal = trace->recording.signal,
	                                   .fault = trace->recording.fault,
	                                   .stdout_path = trace->stdout_path,
	                                   .stderr_path = trace->stderr_path};
	return true;
}

/* ---- machines ---------------------------------------------------------------------------------------------------- */

struct loading {
	const char *name;
	const char *const *changes;
	size_t count;
	struct sluice_machine *machine;
};

static bool load(void *argument, struct error *err)
{
	struct loading *l = argument;
	struct sluice_machine *to = l->machine = memory_zeroed(1, sizeof *to);
	to->machine = machine_load(l->name, err);
	if (!to->machine || !config_change(to->machine, l->changes, l->count, err))
		return false;
	char path[PATH_MAX];
	size_t length = strlen(l->name);
	bool names_file = strchr(l->name, '/') || (length > 5 && !strcmp(l->name + length - 5, ".yaml"));
	bool is_file = names_file && realpath(l->name, path);
	to->name = memory_text(is_file ? path : l->name);
	to->changes = memory_zeroed(l->count + 1, sizeof *to->changes);
	for (size_t i = 0; i < l->count; i++)
		to->changes[to->change_count++] = memory_text(l->changes[i]);
	to->warnings = machine_warn(to->machine, to->warning, WARNINGS_KEPT);
	return true;
}

struct sluice_machine *sluice_machine_open(const char *name, const char *const *changes, size_t count,
                                           struct sluice_error *error)
{
	struct loading l = {.name = name, .changes = changes, .count = count};
	struct sluice_error why;
	error = error ? error : &why;
	if (!texts_are_given(name, changes, count)) {
		fail(error, SLUICE_BAD_INPUT, name ? "a change of the machine is NULL" : "no machine given");
		return NULL;
	}
	if (guard(load, &l, NULL, error))
		return l.machine;
	if (l.machine && error->code == SLUICE_BAD_INPUT)
		sluice_machine_close(l.machine);
	return NULL;
}

struct sluice_machine *machine_share(const struct sluice_machine *machine)
{
	struct sluice_machine *shared = (struct sluice_machine *)(uintptr_t)machine;
	atomic_fetch_add(&shared->references, 1);
	return shared;
}

void sluice_machine_close(struct sluice_machine *machine)
{
	if (!machine || atomic_fetch_sub(&machine->references, 1) > 0)
		return;
	if (machine->machine)
		machine_free(machine->machine);
	for (size_t i = 0; i < machine->change_count; i++)
		free(machine->changes[i]);
	free(machine->changes);
	free(machine->name);
	free(machine);
}

const char *sluice_machine_name(const struct sluice_machine *machine)
{
	return machine ? machine->machine->name : NULL;
}

const char *sluice_machine_warning(const struct sluice_machine *machine, size_t index)
{
	if (!machine)
		return NULL;
	size_t kept = machine->warnings < WARNINGS_KEPT ? machine->warnings : WARNINGS_KEPT;
	return index < kept ? machine->warning[index].text : NULL;
}

bool sluice_machine_value(const struct sluice_machine *machine, const char *key, char *value, size_t size)
{
	size_t count;
	const struct machine_key *keys = machine_keys(&count);
	char name[128], text[128];
	if (!machine || !key || (!value && size))
		return false;
	for (size_t i = 0; i < count; i++) {
		snprintf(name, sizeof name, "%s.%s", keys[i].section, keys[i].key);
		if (strcmp(name, key))
			continue;
		machine_format_value(machine->machine, &keys[i], text, sizeof text);
		return (size_t)snprintf(value, size, "%s", text) < size;
	}
	return false;
}
