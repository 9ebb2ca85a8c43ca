/* Values of cells from the database, and the choice among the candidates of searches. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "papers/plan/execute.h"

static bool has_result(const struct job *job)
{
	return job->state == JOB_FOUND || job->state == JOB_SIMULATED;
}

/* Totals are read once: several figures may show a run. */
static const struct run_totals *totals_of(struct execution *e, struct job *job)
{
	struct store_found found;
	if (job->totals || !store_find(e->store, job->key, &found))
		return job->totals;
	if (found.total) {
		job->totals = memory_zeroed(1, sizeof *job->totals);
		run_totals_read(job->totals, found.total);
		job->totals->wall_s = found.wall_s;
	}
	store_found_free(&found);
	return job->totals;
}

/* ---- choosing --------------------------------------------------------------------------------------------- */

static double score_of(struct execution *e, const struct series *s, struct job *job, const struct formula *by)
{
	double score = NAN;
	struct error ignored;
	struct run_values run = {.look = job->look, .machine = e->plan->machine[job->machine].machine};
	if (!has_result(job) || !(run.totals = totals_of(e, job)))
		return NAN;
	json_t *detail = run_needs_detail(by) ? store_detail(e->store, job->key) : NULL;
	run.detail = detail;
	if (!values_of_run(by, &run, &score, &ignored))
		score = NAN;
	json_decref(detail);
	return s->best_is_least ? -score : score;
}

void execute_choose(struct execution *e)
{
	struct error err;
	struct formula *ipc = formula_parse("ipc", "", 0, 0, &err);
	for (size_t n = 0; n < e->plan->figures; n++) {
		const struct figure_plan *fp = &e->plan->figure[n];
		const struct figure *f = fp->figure;
		size_t per_series = figure_points(f) * f->items;
		for (size_t c = 0; c < fp->cells; c++) {
			struct cell *cell = &fp->cell[c];
			const struct series *s = &f->series[c / per_series];
			double best = NAN;
			if (cell->chosen != PLAN_NONE || cell->count < 2)
				continue;
			for (uint32_t i = 0; i < cell->count; i++) {
				uint32_t index = e->plan->candidate[cell->first + i];
				double score = score_of(e, s, &e->plan->job[index], s->best ? s->best : ipc);
				if (isnan(score) || score < best)
					continue;
				best = score;
				cell->chosen = index;
			}
		}
	}
	formula_free(ipc);
}

/* ---- cells ------------------------------------------------------------------------------------------------ */

/* What the run_values of the last request point to. */
struct last {
	struct execution *e;
	json_t *detail;
	uint32_t detail_of;
	double facts[TRACE_FACTS_COUNT];
	const char *found_name[SERIES_VARIABLES];
	double found[SERIES_VARIABLES];
	char message[1200];
};

/* Return the number of a text, or NAN. */
static double number_of(const char *text)
{
	char *end;
	double number = strtod(text, &end);
	return end != text && !*end ? number : NAN;
}

static void add_found(struct last *last, const struct plan *plan, const struct series *s,
                      const struct cell *cell, struct run_values *values)
{
	const char *value[SERIES_VARIABLES];
	size_t candidate = 0;
	while (candidate < cell->count && plan->candidate[cell->first + candidate] != cell->chosen)
		candidate++;
	plan_found(s, candidate, value);
	for (size_t i = 0; i < s->searches; i++) {
		last->found_name[i] = s->search[i].name;
		last->found[i] = number_of(value[i]);
	}
	values->found_name = last->found_name;
	values->found = last->found;
	values->founds = s->searches;
}

static void add_facts(struct last *last, const struct job *job, struct run_values *values)
{
	const struct plan *plan = last->e->plan;
	const struct recording *r = &plan->recording[job->recording];
	for (int i = 0; i < TRACE_FACTS_COUNT; i++)
		if (!store_fact(last->e->store, r->digest_text, plan->machine[job->machine].key,
		                trace_fact_names[i], &last->facts[i]))
			last->facts[i] = NAN;
	last->facts[TRACE_FACT_insns] = (double)r->insns;
	last->facts[TRACE_FACT_launches] = (double)r->launches;
	values->facts = last->facts;
}

static bool say(struct last *last, const struct figure *f, size_t series, size_t item, const char *what,
                const char **message)
{
	snprintf(last->message, sizeof last->message, "%s on %s: %.1000s", f->series[series].label,
	         f->item[item].label, what);
	*message = last->message;
	return false;
}

static bool cell_run(void *user, const struct figure *f, size_t series, size_t point, size_t item,
                     bool needs_detail, struct run_values *values, const char **message)
{
	struct last *last = user;
	struct execution *e = last->e;
	const struct figure_plan *fp = plan_figure(e->plan, f);
	if (!fp)
		return say(last, f, series, item, "not planned", message);
	const struct cell *cell = plan_cell(fp, series, point, item);
	if (cell->chosen == PLAN_NONE) {
		const struct job *first = cell->count ? &e->plan->job[e->plan->candidate[cell->first]] : NULL;
		return say(last, f, series, item, first && first->message ? first->message : "not simulated",
		           message);
	}
	struct job *job = &e->plan->job[cell->chosen];
	if (!has_result(job))
		return say(last, f, series, item, job->message ? job->message : "not simulated", message);
	*values = (struct run_values){.totals = totals_of(e, job),
	                              .machine = e->plan->machine[job->machine].machine,
	                              .look = job->look};
	if (needs_detail && last->detail_of != cell->chosen) {
		json_decref(last->detail);
		last->detail = store_detail(e->store, job->key);
		last->detail_of = cell->chosen;
	}
	values->detail = needs_detail ? last->detail : NULL;
	add_found(last, e->plan, &f->series[series], cell, values);
	if (fp->facts)
		add_facts(last, job, values);
	return values->totals ||
	       say(last, f, series, item, "its record is damaged; --again makes it anew", message);
}

struct cells execute_cells(struct execution *e)
{
	struct last *last = memory_zeroed(1, sizeof *last);
	last->e = e;
	last->detail_of = PLAN_NONE;
	return (struct cells){.run = cell_run, .user = last};
}

void execute_cells_free(struct cells *cells)
{
	struct last *last = cells->user;
	json_decref(last->detail);
	free(last);
}
