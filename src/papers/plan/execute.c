/* Simulation of the open jobs of a plan. */
#include "papers/plan/execute.h"
#include "papers/plan/meter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "run/pool.h"
#include "store/outcome.h"

double execute_speed(struct store *store)
{
	static const double guess = 1e6; /* 0.5 to 2.5 million on the papers' machines */
	double speed = store ? store_speed(store) : 0;
	return speed > 0 ? speed : guess;
}

/* ---- finding ---------------------------------------------------------------------------------------------- */

static bool is_final(const char *status)
{
	/* The next call tries failed and killed runs again. */
	static const enum launch_status final[] = {LAUNCH_DONE, LAUNCH_TRUNCATED, LAUNCH_DEADLOCKED};
	for (size_t i = 0; i < sizeof final / sizeof *final; i++)
		if (!strcmp(status, run_status_name(final[i])))
			return true;
	return false;
}

static void fail_job(struct job *job, const char *message)
{
	free(job->message);
	job->message = memory_text(message);
	job->state = JOB_FAILED;
}

/* A deadlocked run is in the database but has no values: it counts as failed. */
static void settle(struct execution *e, struct job *job, const char *status, enum job_state state)
{
	struct store_found found;
	job->state = state;
	if (strcmp(status, run_status_name(LAUNCH_DEADLOCKED)))
		return;
	bool there = store_find(e->store, job->key, &found);
	fail_job(job, there && found.message ? found.message : "no progress");
	if (there)
		store_found_free(&found);
}

size_t execute_find(struct execution *e)
{
	size_t left = 0;
	for (size_t i = 0; i < e->plan->jobs; i++) {
		struct job *job = &e->plan->job[i];
		const struct recording *r = &e->plan->recording[job->recording];
		char status[16];
		if (job->state != JOB_OPEN)
			continue;
		if (!r->ready) {
			fail_job(job, r->failed ? r->failed : "not recorded");
			e->failed++;
			continue;
		}
		run_key_text(job->config_digest, r->digest, job->key);
		if (!e->again && store_status(e->store, job->key, status) && is_final(status)) {
			settle(e, job, status, JOB_FOUND);
			e->found++;
			continue;
		}
		left++;
	}
	return left;
}

/* ---- simulating ------------------------------------------------------------------------------------------- */

struct simulator {
	struct execution *e;
	uint32_t *order; /* jobs, the longest first */
	size_t count, next;
	struct meter meter;
	bool warned;
};

void execute_take(struct execution *e, struct job *job, struct outcome *outcome)
{
	struct config config;
	struct kernels kernels;
	struct error err;
	const struct recording *r = &e->plan->recording[job->recording];
	const struct plan_machine *m = &e->plan->machine[job->machine];
	const struct run_options options = plan_options(job, &kernels);
	if (!plan_config(e->plan, job, &config, &err))
		BUG("a job's policy is refused after it was accepted: %s", err.text);
	struct store_run run = {.workload = r->name,
	                        .arguments = r->words,
	                        .trace = r->digest_text,
	                        .config = &config,
	                        .changes = m->changes,
	                        .look = job->look,
	                        .kernels = job->kernels,
	                        .options = &options};
	memcpy(run.key, job->key, sizeof run.key);
	store_put(e->store, &run, outcome);
	chain_free(config.chain);
	const char *status = json_string_value(json_object_get(outcome->summary, "status"));
	if (outcome_has_result(outcome) && strcmp(status, run_status_name(LAUNCH_DEADLOCKED))) {
		job->state = JOB_SIMULATED;
		e->simulated++;
		return;
	}
	const char *message = json_string_value(json_object_get(outcome->summary, "message"));
	fail_job(job, message ? message : status);
	e->failed++;
}

static bool simulate_next(void *user, size_t *task)
{
	struct simulator *s = user;
	if (s->next == s->count)
		return false;
	*task = s->order[s->next++];
	return true;
}

static bool simulate_work(void *user, size_t task, FILE *out)
{
	const struct execution *e = ((struct simulator *)user)->e;
	const struct job *job = &e->plan->job[task];
	struct config config;
	struct kernels kernels;
	struct error err = {{0}};
	struct run_options options = plan_options(job, &kernels);
	struct trace *trace = trace_open(e->plan->recording[job->recording].trace_path, &err);
	struct outcome outcome = trace && plan_config(e->plan, job, &config, &err)
	                             ? outcome_simulate(&config, trace, &options, job->look)
	                             : outcome_failed("failed", err.text);
	return outcome_write(&outcome, out);
}

/* Warn once that results wait in memory, and why. */
static void watch_store(struct simulator *s)
{
	const char *why;
	size_t waiting = store_waiting(s->e->store, &why);
	if (waiting && !s->warned) {
		meter_end(&s->meter);
		fprintf(
		    s->e->log,
		    "%s: warning: results database %s: %s; finished runs are kept in memory and tried again\n",
		    s->e->who, store_path(s->e->store), why);
	}
	s->warned = waiting > 0;
}

static bool simulate_done(void *user, size_t task, const struct pool_end *end, struct error *err)
{
	struct simulator *s = user;
	struct execution *e = s->e;
	struct job *job = &e->plan->job[task];
	struct outcome outcome;
	char text[1024];
	size_t used;
	(void)err;
	if (!end->ok || !outcome_read(&outcome, end->output, end->bytes, &used)) {
		outcome = outcome_failed(end->signal ? "killed" : "failed",
		                         end->ok ? "the simulation left no result"
		                                 : pool_describe(end, text, sizeof text));
		outcome.wall_s = end->seconds;
	}
	execute_take(e, job, &outcome);
	outcome_free(&outcome);
	s->meter.done++;
	s->meter.work_done += (double)plan_insns(e->plan, job);
	if (job->state == JOB_FAILED) {
		const struct recording *r = &e->plan->recording[job->recording];
		s->meter.failed++;
		meter_end(&s->meter);
		fprintf(e->log, "%s: %s %s under %s: %.300s\n", e->who, r->name, r->words, job->policy,
		        job->message);
	}
	watch_store(s);
	return true;
}

static void simulate_tick(void *user, size_t running)
{
	struct simulator *s = user;
	const char *why;
	if (store_waiting(s->e->store, &why) && store_flush(s->e->store))
		s->warned = false;
	meter_show(&s->meter, running);
}

struct sorted {
	uint64_t insns;
	uint32_t job;
};

static int longest_first(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;
	return x->insns != y->insns ? (x->insns < y->insns) - (x->insns > y->insns)
	                            : (x->job > y->job) - (x->job < y->job);
}

/* Sort open jobs, longest first, so that the processes end at about the same time. */
static void sort_jobs(struct simulator *s)
{
	const struct plan *plan = s->e->plan;
	struct sorted *sorted = memory_zeroed(plan->jobs + 1, sizeof *sorted);
	s->order = memory_zeroed(plan->jobs + 1, sizeof *s->order);
	for (uint32_t i = 0; i < plan->jobs; i++)
		if (plan->job[i].state == JOB_OPEN)
			sorted[s->count++] = (struct sorted){plan_insns(plan, &plan->job[i]), i};
	qsort(sorted, s->count, sizeof *sorted, longest_first);
	for (size_t i = 0; i < s->count; i++) {
		s->order[i] = sorted[i].job;
		s->meter.work += (double)sorted[i].insns;
	}
	free(sorted);
}

static void announce(const struct simulator *s)
{
	double speed = execute_speed(s->e->store), seconds;
	size_t processes = s->e->jobs < s->count ? s->e->jobs : s->count;
	seconds = s->meter.work / speed / (double)(processes ? processes : 1);
	fprintf(s->e->log, "%zu simulations planned, %zu found, %zu to do", s->e->plan->jobs, s->e->found,
	        s->count);
	size_t waiting = plan_waiting(s->e->plan);
	if (waiting)
		fprintf(s->e->log, ", at most %zu more when searches have ended", waiting);
	if (s->count)
		fprintf(s->e->log, "; about %.0f min on %zu processes", ceil(seconds / 60), s->e->jobs);
	fputc('\n', s->e->log);
}

static bool simulate(struct execution *e, struct error *err)
{
	struct simulator s = {.e = e};
	s.meter = meter_start(e->log, "simulating", 0, 0);
	sort_jobs(&s);
	s.meter.total = s.count;
	announce(&s);
	struct pool pool = {.jobs = e->jobs,
	                    .next = simulate_next,
	                    .work = simulate_work,
	                    .done = simulate_done,
	                    .tick = simulate_tick,
	                    .user = &s};
	bool ok = pool_run(&pool, err);
	meter_end(&s.meter);
	e->interrupted = pool.interrupted;
	free(s.order);
	return ok;
}

bool execute(struct execution *e, struct error *err)
{
	double start = progress_clock();
	bool ok = execute_recordings(e, err);
	do {
		execute_find(e);
		ok = ok && (e->elsewhere ? e->elsewhere(e, e->elsewhere_user, &e->detached, err)
		                         : simulate(e, err));
		execute_choose(e);
	} while (ok && !e->detached && plan_extend(e->plan));
	ok = ok && (e->detached || execute_facts(e, err));
	e->seconds = progress_clock() - start;
	return ok;
}
