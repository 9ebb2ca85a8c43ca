/* Facts of traces: which figures ask for them, and finding them. Reading a whole trace takes time. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "papers/plan/execute.h"
#include "run/pool.h"
#include "study/workload/measure.h"

/* ---- figures that ask --------------------------------------------------------------------------------------------- */

/* A claim may name a fact itself: figure.trace.smem_kb. */
struct claimed {
	const struct figure *figure;
	bool named;
};

static void see_figure(void *user, const struct figure *figure)
{
	struct claimed *claimed = user;
	claimed->named |= figure == claimed->figure;
}

static bool claims_ask(const struct papers *papers, const struct figure *f)
{
	for (size_t p = 0; p < papers->count; p++)
		for (size_t i = 0; i < papers->paper[p].claims; i++) {
			const struct claim *claim = &papers->paper[p].claim[i];
			for (size_t k = 0; k < claim->parts; k++) {
				struct claimed claimed = {.figure = f};
				if (!strstr(claim->part[k].formula->text, "trace."))
					continue;
				values_figures(papers, claim->paper, claim->figure, claim->part[k].formula,
				               see_figure, &claimed);
				if (claimed.named)
					return true;
			}
		}
	return false;
}

bool plan_needs_facts(const struct papers *papers, const struct figure *f)
{
	bool needs = claims_ask(papers, f);
	for (size_t i = 0; i < f->metrics; i++)
		needs |= run_needs_facts(f->metric[i].formula);
	for (size_t i = 0; i < f->deriveds; i++)
		needs |= run_needs_facts(f->derived[i].formula);
	for (size_t i = 0; i < f->charts; i++)
		for (size_t k = 0; k < f->chart[i].parts; k++)
			needs |= run_needs_facts(f->chart[i].part[k].y);
	return needs;
}

/* ---- finding ---------------------------------------------------------------------------------------------- */

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
