/* Recordings: processes run every program once and import traces. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "accelsim/accelsim.h"
#include "base/cache.h"
#include "base/child.h"
#include "base/files.h"
#include "base/memory.h"
#include "papers/plan/execute.h"
#include "papers/plan/meter.h"
#include "record/program.h"
#include "run/pool.h"

/* ---- in the child ----------------------------------------------------------------------------------------- */

/* Split a text at blanks. The caller frees the words and the copy that they point into. */
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

static struct trace *record_program(const char *path, char **words, size_t count, const struct recording *r,
                                    char place[PATH_MAX], struct error *err)
{
	struct program_request request = {.path = path,
	                                  .args = words,
	                                  .arg_count = count,
	                                  .machine = r->machine,
	                                  .exact_window = r->window};
	struct program_run run;
	bool ok = program_record(&request, &run, err);
	struct trace *trace = ok ? trace_open(program_file(&run, "trace.sluice", place), err) : NULL;
	if (ok && !trace && !run.executed) {
		/* The cache entry is damaged: record again. */
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
		trace = plan_may_execute(e->plan, r->path, err)
		            ? record_program(r->path, words, count, r, place, err)
		            : NULL;
	else if (target_find_workload(&target, &e->plan->papers->workloads, r->workload->name, words, count,
	                              err))
		/* The working directory is part of a recording's key, but workloads do not depend on it. */
		trace = chdir("/")
		            ? NULL
		            : record_program(target.path, target.args, target.arg_count, r, place, err);
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
