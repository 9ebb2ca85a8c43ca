/* Recordings: programs run once, traces are imported, in processes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "accelsim/accelsim.h"
#include "base/cache.h"
#include "base/child.h"
#include "base/files.h"
#include "base/memory.h"
#include "papers/plan/execute.h"
#include "record/program.h"
#include "run/pool.h"
#include "study/workload/measure.h"

/* ---- in the child ----------------------------------------------------------------------------------------- */

/* The words of a text, split at blanks; both are the caller's to free. */
static char **split_words(const char *text, char **copy, size_t *count)
{
	char **words = memory_zeroed(strlen(text) + 2, sizeof *words), *rest, *word;
	*copy = rest = memory_text(text);
	*count = 0;
	while ((word = strsep(&rest, " ")))
		if (*word)
			words[(*count)++] = word;
	return words;
}

static bool check_program(const struct program_run *run, const char *path, struct error *err)
{
	if (run->fault[0])
		return error_set(err, "%s: a launch ended early: %.200s", path, run->fault);
	return !run->exit_status ||
	       error_set(err, "%s: the program failed with status %d", path, run->exit_status);
}

static struct trace *record_program(const char *path, char **words, size_t count, const char *machine,
                                    char place[PATH_MAX], struct error *err)
{
	struct program_request request = {
	    .path = path, .args = words, .arg_count = count, .machine = machine};
	struct program_run run;
	bool ok = program_record(&request, &run, err);
	struct trace *trace = ok ? trace_open(program_file(&run, "trace.sluice", place), err) : NULL;
	if (ok && !trace && !run.executed) {
		/* The entry was damaged: make it again. */
		request.again = true;
		ok = program_record(&request, &run, err);
		trace = ok ? trace_open(program_file(&run, "trace.sluice", place), err) : NULL;
	}
	if (!trace) {
		program_drop(&run);
		return NULL;
	}
	if (check_program(&run, path, err))
		return trace;
	trace_close(trace);
	return NULL;
}

static struct trace *record(const struct execution *e, const struct recording *r, char place[PATH_MAX],
                            struct error *err)
{
	char *copy;
	size_t count;
	struct trace *trace = NULL;
	struct target target = {.path = ""};
	if (r->kind == ITEM_TRACE) {
		trace = trace_open_any(r->path, NULL, NULL, err);
		if (trace)
			snprintf(place, PATH_MAX, "%s", trace_path(trace));
		return trace;
	}
	char **words = split_words(r->words, &copy, &count);
	if (r->kind == ITEM_PROGRAM)
		trace = record_program(r->path, words, count, r->machine, place, err);
	else if (target_find_workload(&target, &e->plan->papers->workloads, r->workload->name, words, count,
	                              err))
		/* Recordings are kept by the working directory, too; workloads do not care where they run. */
		trace = chdir("/") ? NULL
		                   : record_program(target.path, target.args, target.arg_count, r->machine,
		                                    place, err);
	target_free(&target);
	free(words);
	free(copy);
	return trace;
}

static bool record_work(void *user, size_t task, FILE *out)
{
	const struct execution *e = user;
	struct error err = {{0}};
	char place[PATH_MAX];
	struct trace *trace = record(e, &e->plan->recording[task], place, &err);
	if (!trace) {
		fputs(err.text[0] ? err.text : "it cannot be recorded", out);
		return false;
	}
	fprintf(out, "%llu %u %s", (unsigned long long)run_count_insns(trace, NULL),
	        trace_kernel_count(trace), place);
	return true;
}

/* ---- in the parent ---------------------------------------------------------------------------------------- */

struct recorder {
	struct execution *e;
	size_t next;
	struct meter meter;
};

static bool record_next(void *user, size_t *task)
{
	struct recorder *r = user;
	const struct plan *plan = r->e->plan;
	while (r->next < plan->recordings &&
	       (plan->recording[r->next].ready || plan->recording[r->next].failed))
		r->next++;
	*task = r->next++;
	return *task < plan->recordings;
}

static bool record_in_child(void *user, size_t task, FILE *out)
{
	return record_work(((struct recorder *)user)->e, task, out);
}

static bool record_done(void *user, size_t task, const struct pool_end *end, struct error *err)
{
	struct recorder *r = user;
	struct recording *to = &r->e->plan->recording[task];
	char text[1024], path[PATH_MAX];
	unsigned long long insns, launches;
	(void)err;
	r->meter.done++;
	if (end->ok && sscanf(end->output, "%llu %llu %4095[^\n]", &insns, &launches, path) == 3) {
		struct error why = {{0}};
		to->insns = insns;
		to->launches = launches;
		to->ready = store_digest(r->e->store, path, to->digest, &why);
		if (to->ready) {
			to->trace_path = memory_text(path);
			digest_text(&(struct digest){to->digest[0], to->digest[1]}, to->digest_text);
			return true;
		}
		to->failed = memory_text(why.text);
	} else {
		to->failed = memory_text(pool_describe(end, text, sizeof text));
	}
	r->meter.failed++;
	meter_end(&r->meter);
	fprintf(r->e->log, "%s: %s %s: %s\n", r->e->who, to->name, to->words, to->failed);
	return true;
}

static void record_tick(void *user, size_t running)
{
	struct recorder *r = user;
	meter_show(&r->meter, running);
}

bool execute_recordings(struct execution *e, struct error *err)
{
	struct recorder recorder = {.e = e};
	recorder.meter = meter_start(e->log, "recording", e->plan->recordings, 0);
	struct pool pool = {.jobs = e->jobs,
	                    .next = record_next,
	                    .work = record_in_child,
	                    .done = record_done,
	                    .tick = record_tick,
	                    .user = &recorder};
	bool ok = pool_run(&pool, err);
	meter_end(&recorder.meter);
	e->interrupted = pool.interrupted;
	return ok;
}

/* ---- facts of traces -------------------------------------------------------------------------------------- */

struct fact_task {
	uint32_t recording, machine;
};
struct fact_finder {
	struct execution *e;
	struct fact_task *task;
	size_t count, next;
};

static bool fact_next(void *user, size_t *task)
{
	struct fact_finder *f = user;
	*task = f->next++;
	return *task < f->count;
}

static bool fact_work(void *user, size_t task, FILE *out)
{
	const struct fact_finder *f = user;
	const struct plan *plan = f->e->plan;
	struct error err = {{0}};
	struct workload_measured m;
	measured_clear(&m);
	struct trace *trace = trace_open(plan->recording[f->task[task].recording].trace_path, &err);
	if (!trace || !measure_trace(trace, plan->machine[f->task[task].machine].machine, &m, &err)) {
		fputs(err.text, out);
		return false;
	}
	const double values[TRACE_FACTS_COUNT] = {[TRACE_FACT_insns] = m.insns,
	                                          [TRACE_FACT_launches] = m.launches,
	                                          [TRACE_FACT_smem_kb] = m.value[FACT_SMEM_KB],
	                                          [TRACE_FACT_f_smem_percent] = m.value[FACT_F_SMEM_PERCENT],
	                                          [TRACE_FACT_smem_cta_bytes] = m.smem_cta_bytes,
	                                          [TRACE_FACT_ctas_per_sm] = m.ctas_per_sm,
	                                          [TRACE_FACT_ctas_without_smem] = m.ctas_without_smem,
	                                          [TRACE_FACT_ctas_given] = m.ctas_given,
	                                          [TRACE_FACT_barriers] = m.value[FACT_BARRIERS],
	                                          [TRACE_FACT_footprint_kb] = m.value[FACT_FOOTPRINT_KB]};
	return fwrite(values, sizeof values, 1, out) == 1;
}

static bool fact_done(void *user, size_t task, const struct pool_end *end, struct error *err)
{
	struct fact_finder *f = user;
	const struct recording *r = &f->e->plan->recording[f->task[task].recording];
	double values[TRACE_FACTS_COUNT];
	char text[1024];
	(void)err;
	if (end->ok && end->bytes == sizeof values) {
		memcpy(values, end->output, sizeof values);
		for (int i = 0; i < TRACE_FACTS_COUNT; i++)
			store_put_fact(f->e->store, r->digest_text,
			               f->e->plan->machine[f->task[task].machine].key, trace_fact_names[i],
			               values[i]);
	} else {
		fprintf(f->e->log, "%s: %s %s: %s\n", f->e->who, r->name, r->words,
		        pool_describe(end, text, sizeof text));
	}
	return true;
}

static bool knows(const struct fact_finder *f, uint32_t recording, uint32_t machine)
{
	const struct plan *plan = f->e->plan;
	double ignored;
	for (size_t i = 0; i < f->count; i++)
		if (f->task[i].recording == recording && f->task[i].machine == machine)
			return true;
	return store_fact(f->e->store, plan->recording[recording].digest_text, plan->machine[machine].key,
	                  trace_fact_names[TRACE_FACTS_COUNT - 1], &ignored);
}

bool execute_facts(struct execution *e, struct error *err)
{
	struct fact_finder finder = {.e = e};
	const struct plan *plan = e->plan;
	for (size_t n = 0; n < plan->figures; n++) {
		const struct figure_plan *fp = &plan->figure[n];
		for (size_t c = 0; fp->facts && c < fp->cells; c++) {
			if (!fp->cell[c].count)
				continue;
			const struct job *job = &plan->job[plan->candidate[fp->cell[c].first]];
			if (!plan->recording[job->recording].ready ||
			    knows(&finder, job->recording, job->machine))
				continue;
			finder.task = memory_grow(finder.task, finder.count + 1, sizeof *finder.task);
			finder.task[finder.count++] = (struct fact_task){job->recording, job->machine};
		}
	}
	struct pool pool = {
	    .jobs = e->jobs, .next = fact_next, .work = fact_work, .done = fact_done, .user = &finder};
	bool ok = pool_run(&pool, err);
	e->interrupted = pool.interrupted;
	free(finder.task);
	return ok;
}
