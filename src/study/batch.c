/* Simulating one trace many times. */
#include "study/batch.h"

#include <stdlib.h>
#include <string.h>

#include "base/child.h"
#include "base/files.h"
#include "base/memory.h"
#include "run/pool.h"
#include "store/outcome.h"
#include "store/store.h"

struct work {
	struct batch *batch;
	struct batch_run *runs;
	size_t *open; /* runs to simulate */
	size_t count, next, ended;
	char (*key)[RUN_KEY_SIZE]; /* by run to simulate */
	uint64_t insns;            /* of one run */
	struct progress progress;
};

static bool next_run(void *user, size_t *task)
{
	struct work *w = user;
	*task = w->next++;
	return *task < w->count;
}

static bool simulate(void *user, size_t task, FILE *out)
{
	const struct work *w = user;
	struct run_options options = *w->batch->options;
	options.threads = 1;
	struct outcome outcome =
	    outcome_simulate(&w->runs[w->open[task]].config, w->batch->trace, &options, w->batch->look);
	return outcome_write(&outcome, out);
}

static void keep(struct work *w, size_t task, const struct outcome *outcome)
{
	char digest[RUN_KEY_SIZE];
	const struct batch *b = w->batch;
	const struct batch_run *own = &w->runs[w->open[task]];
	digest_text(&(struct digest){b->digest[0], b->digest[1]}, digest);
	struct store_run run = {.workload = b->name,
	                        .arguments = b->arguments,
	                        .changes = own->changes ? own->changes : b->changes,
	                        .look = b->look,
	                        .trace = digest,
	                        .config = &own->config,
	                        .options = b->options};
	memcpy(run.key, w->key[task], sizeof run.key);
	store_put(b->store, &run, outcome);
}

static bool take(void *user, size_t task, const struct pool_end *end, struct error *err)
{
	struct work *w = user;
	struct batch_run *run = &w->runs[w->open[task]];
	const char *policy = run->config.chain->text;
	struct outcome outcome;
	char text[1024];
	size_t used;
	w->ended++;
	if (!end->ok || !outcome_read(&outcome, end->output, end->bytes, &used))
		return error_set(err, "%s: the simulation %s%s", policy,
		                 end->signal ? "was " : "left no result",
		                 end->signal ? pool_describe(end, text, sizeof text) : "");
	keep(w, task, &outcome);
	run->result = outcome_result(&outcome);
	bool ok = run->result != NULL;
	if (!ok)
		error_set(err, "%s: %s", policy,
		          json_string_value(json_object_get(outcome.summary, "message")));
	outcome_free(&outcome);
	w->batch->simulated += ok;
	return ok;
}

static void show(void *user, size_t running)
{
	struct work *w = user;
	char detail[96];
	snprintf(detail, sizeof detail, "%zu runs done, %zu at work", w->ended, running);
	progress_show(&w->progress, "simulating", w->ended * w->insns, detail);
}

static bool open_store(struct batch *batch, struct error *err)
{
	if (batch->store)
		return true;
	batch->store = store_open(NULL, STORE_WRITE, err);
	return batch->store && store_digest(batch->store, trace_path(batch->trace), batch->digest, err);
}

/* Finds what was simulated before; the work that is left goes to the progress line. */
static bool find(struct work *w, const size_t *which, size_t count, struct error *err)
{
	struct batch *batch = w->batch;
	uint64_t limit = batch->options->max_insns, config_digest[2];
	w->insns = run_count_chosen(batch->trace, batch->options);
	if (limit && limit < w->insns)
		w->insns = limit;
	for (size_t i = 0; i < count; i++) {
		struct batch_run *run = &w->runs[which[i]];
		if (run->result)
			continue;
		if (!run_key_config(&run->config, NULL, batch->options, batch->look, config_digest, err))
			return false;
		run_key_text(config_digest, batch->digest, w->key[w->count]);
		if (!batch->again)
			run->result = store_detail(batch->store, w->key[w->count]);
		if (!run->result)
			w->open[w->count++] = which[i];
	}
	return true;
}

bool batch_simulate(struct batch *batch, struct batch_run *runs, const size_t *which, size_t count,
                    struct error *err)
{
	struct work w = {.batch = batch, .runs = runs};
	if (!open_store(batch, err))
		return false;
	w.open = memory_zeroed(count + 1, sizeof *w.open);
	w.key = memory_zeroed(count + 1, sizeof *w.key);
	bool ok = find(&w, which, count, err);
	if (ok && w.count) {
		struct pool pool = {.jobs = batch->jobs < w.count ? batch->jobs : w.count,
		                    .next = next_run,
		                    .work = simulate,
		                    .done = take,
		                    .tick = show,
		                    .user = &w};
		w.progress = progress_start(batch->progress, w.count * w.insns);
		ok = pool_run(&pool, err);
		batch->interrupted = pool.interrupted;
		progress_end(&w.progress);
	}
	free(w.open);
	free(w.key);
	return ok;
}

bool batch_close(struct batch *batch, struct error *err)
{
	bool ok = !batch->store || store_close(batch->store, err);
	batch->store = NULL;
	return ok;
}

void batch_runs_free(struct batch_run *runs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		config_free(&runs[i].config);
		free(runs[i].changes);
		json_decref(runs[i].result);
	}
	free(runs);
}

double batch_counter(const json_t *result, const char *name)
{
	const json_t *counters = json_object_get(json_object_get(result, "total"), "counters");
	return json_number_value(json_object_get(counters, name));
}

bool batch_is_stuck(const json_t *result)
{
	const char *status = json_string_value(json_object_get(result, "status"));
	return status && !strcmp(status, run_status_name(LAUNCH_DEADLOCKED));
}
