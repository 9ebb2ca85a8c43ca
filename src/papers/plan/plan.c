/* Making a plan. */
#include "papers/plan/plan.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "accelsim/accelsim.h"
#include "base/memory.h"
#include "run/look.h"

enum { TEXT_MAX = 4096 };

/* Make room for one more element, doubling: a plan has up to hundreds of thousands of jobs. */
#define GROW(array, count)                                                                                   \
	do {                                                                                                 \
		if (!((count) & ((count)-1)))                                                                \
			(array) = memory_grow(array, (count) ? 2 * (count) : 1, sizeof *(array));            \
	} while (0)

/* Values of the variables in a cell. */
struct binding {
	const char *name[FIGURE_VARIABLES + 2 * SERIES_VARIABLES],
	    *value[FIGURE_VARIABLES + 2 * SERIES_VARIABLES];
	size_t count;
};

static void bind(struct binding *b, const char *name, const char *value)
{
	b->name[b->count] = name;
	b->value[b->count++] = value;
}

/* Copy a text with every {variable} replaced. */
static void fill(char *to, const char *text, const struct binding *b)
{
	size_t n = 0;
	while (*text && n < TEXT_MAX - 1) {
		size_t length = *text == '{' ? strcspn(text + 1, "}") : 0, i = 0;
		for (; *text == '{' && i < b->count; i++)
			if (strlen(b->name[i]) == length && !strncmp(b->name[i], text + 1, length))
				break;
		if (*text == '{' && i < b->count) {
			n += (size_t)snprintf(to + n, TEXT_MAX - n, "%s", b->value[i]);
			n = n < TEXT_MAX ? n : TEXT_MAX - 1;
			text += length + 2;
		} else {
			to[n++] = *text++;
		}
	}
	to[n] = '\0';
}

/* Copy a text; the plan owns it. */
static const char *keep(struct plan *plan, const char *text)
{
	GROW(plan->text, plan->texts);
	return plan->text[plan->texts++] = memory_text(text);
}

static bool fail_series(const struct figure *f, const struct series *s, const struct error *why,
                        struct error *err)
{
	return error_at(err, f->file, s->line, s->column, "series %s: %s", s->label, why->text);
}

/* ---- machines --------------------------------------------------------------------------------------------- */

/* Return the name of a machine, or the path of its file, which is relative to the experiment's folder. */
static void machine_place(const struct figure *f, const char *name, char place[PATH_MAX])
{
	size_t length = strlen(name);
	bool file = strchr(name, '/') || (length > 5 && !strcmp(name + length - 5, ".yaml"));
	int n = file && name[0] != '/' ? snprintf(place, PATH_MAX, "%s/%s", f->folder, name)
	                               : snprintf(place, PATH_MAX, "%s", name);
	if (n >= PATH_MAX)
		place[0] = '\0';
}

static bool find_machine(struct plan *plan, const char *place, const struct texts *changes, uint32_t *index,
                         struct error *err)
{
	char text[TEXT_MAX], list[TEXT_MAX] = "";
	size_t n = 0;
	uint32_t base = 0;
	bool fresh;
	for (size_t i = 0; i < changes->count && n < sizeof list; i++)
		n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", i ? " " : "", changes->text[i]);
	/* The machine without changes is read once. */
	if (changes->count && !find_machine(plan, place, &(struct texts){0}, &base, err))
		return false;
	snprintf(text, sizeof text, "%.1500s|%.2500s", place, list);
	*index = (uint32_t)numbering_add(&plan->machine_names, text, &fresh);
	if (!fresh)
		return plan->machine[*index].machine || error_set(err, "%s: cannot be used", place);
	GROW(plan->machine, plan->machines);
	struct plan_machine *m = &plan->machine[plan->machines++];
	*m = (struct plan_machine){.name = memory_text(place), .changes = memory_text(list)};
	m->machine =
	    changes->count ? machine_copy(plan->machine[base].machine, err) : machine_load(place, err);
	if (!m->machine ||
	    !config_change(m->machine, (const char *const *)changes->text, changes->count, err))
		return false;
	run_key_machine(m->machine, m->key);
	return true;
}

/* ---- recordings ------------------------------------------------------------------------------------------- */

/* Write the arguments: "--size S", those of the paper at the paper's size, and those of the file. */
static void make_words(const struct item *item, char words[TEXT_MAX])
{
	const char *more =
	    item->published && item->limits.size == WORKLOAD_PAPER ? item->published->arguments : NULL;
	if (item->kind == ITEM_WORKLOAD)
		snprintf(words, TEXT_MAX, "--size %s%s%s%s%s", workload_sizes[item->limits.size],
		         more ? " " : "", more ? more : "", item->args ? " " : "",
		         item->args ? item->args : "");
	else
		snprintf(words, TEXT_MAX, "%s", item->args ? item->args : "");
}

static uint32_t find_recording(struct plan *plan, const struct item *item, const char *window,
                               const char *machine)
{
	char words[TEXT_MAX], text[3 * TEXT_MAX];
	bool fresh;
	make_words(item, words);
	const char *what = item->kind == ITEM_WORKLOAD ? item->workload->name : item->path;
	snprintf(text, sizeof text, "%d|%s|%s|%s|%s", (int)item->kind, what, words,
	         item->kind == ITEM_TRACE ? "" : machine, window ? window : "");
	uint32_t index = (uint32_t)numbering_add(&plan->recording_names, text, &fresh);
	if (!fresh)
		return index;
	if (item->path)
		trace_note_files(item->path); /* now: outputs are checked before it is opened */
	GROW(plan->recording, plan->recordings);
	plan->recording[plan->recordings++] = (struct recording){
	    .kind = item->kind,
	    .workload = item->workload,
	    .path = item->path ? memory_text(item->path) : NULL,
	    .window = window ? memory_text(window) : NULL,
	    .words = memory_text(words),
	    .machine = memory_text(machine),
	    .name = memory_text(item->kind == ITEM_WORKLOAD ? item->workload->name : item->label)};
	return index;
}

/* ---- jobs ------------------------------------------------------------------------------------------------- */

/* Return the limit of the file or of the paper, whichever is lower. Papers count thread instructions. */
static uint64_t most_insns(const struct item *item, const struct machine *machine)
{
	double paper = item->published && item->limits.size == WORKLOAD_PAPER
	                   ? item->published->stops_after_m * 1e6 / machine->sm_warp_size
	                   : NAN;
	uint64_t own = item->limits.insns;
	return paper >= 1 && (!own || paper < (double)own) ? (uint64_t)paper : own;
}

static bool check_config(struct plan *plan, const struct job *job, uint64_t config_digest[2],
                         struct error *err)
{
	struct config config;
	struct kernels kernels;
	struct run_options options = plan_options(job, &kernels);
	if (plan->papers->trust == PAPERS_UNTOUCHED && chain_names_file(job->policy))
		return true;
	if (!plan_config(plan, job, &config, err))
		return false;
	bool ok =
	    run_key_config(&config, plan->machine[job->machine].key, &options, job->look, config_digest, err);
	struct look *look = NULL;
	if (ok && job->look && !(look = look_new(job->look, config.chain, err)))
		ok = false;
	chain_free(config.chain);
	look_free(look);
	return ok;
}

/* A series with its variables filled in. */
struct resolved {
	uint32_t machine;
	char place[PATH_MAX], policy[TEXT_MAX], look[TEXT_MAX]; /* place: of the machine */
};

static bool resolve(struct plan *plan, const struct figure *f, const struct series *s,
                    const struct binding *b, struct resolved *r, struct error *err)
{
	char text[TEXT_MAX];
	struct texts changes = {0};
	for (size_t i = 0; i < f->set.count + s->set.count; i++) {
		fill(text, i < f->set.count ? f->set.text[i] : s->set.text[i - f->set.count], b);
		texts_add(&changes, text);
	}
	fill(text, s->machine ? s->machine : f->machine, b);
	machine_place(f, text, r->place);
	fill(r->policy, s->policy, b);
	fill(r->look, s->look ? s->look : f->look ? f->look : "", b);
	bool ok = find_machine(plan, r->place, &changes, &r->machine, err);
	texts_free(&changes);
	return ok;
}

static bool find_job(struct plan *plan, const struct figure *f, const struct series *s,
                     const struct item *item, const struct binding *b, uint32_t *index, struct error *err)
{
	char name[3 * TEXT_MAX];
	struct resolved r;
	bool fresh;
	if (!resolve(plan, f, s, b, &r, err))
		return false;
	if (item->kind == ITEM_PROGRAM && plan->papers->trust != PAPERS_UNTOUCHED &&
	    !plan_may_execute(plan, item->path, err))
		return false;
	struct job job = {.machine = r.machine,
	                  .kernels = item->kernels || item->window ? item->kernels : f->kernels,
	                  .max_insns = most_insns(item, plan->machine[r.machine].machine),
	                  .cold_l2 = item->limits.cold_l2};
	const char *window = item->window || item->kernels ? item->window : f->window;
	job.recording = find_recording(plan, item, window, r.place);
	window = plan->recording[job.recording].window;
	job.window = item->kind == ITEM_TRACE ? window : NULL;
	job.is_part = item->kind != ITEM_TRACE && window;
	snprintf(name, sizeof name, "%u|%u|%s|%s|%s|%" PRIu64 "|%d", job.recording, job.machine, r.policy,
	         r.look, job.kernels ? job.kernels : "", job.max_insns, job.cold_l2);
	*index = (uint32_t)numbering_add(&plan->job_names, name, &fresh);
	if (!fresh)
		return true;
	job.policy = keep(plan, r.policy);
	job.look = *r.look ? keep(plan, r.look) : NULL;
	GROW(plan->job, plan->jobs);
	plan->job[plan->jobs] = job;
	return check_config(plan, &job, plan->job[plan->jobs++].config_digest, err);
}

/* ---- cells ------------------------------------------------------------------------------------------------ */

struct cell *plan_cell(const struct figure_plan *figure, size_t series, size_t point, size_t item)
{
	const struct figure *f = figure->figure;
	return &figure->cell[(series * figure_points(f) + point) * f->items + item];
}

const struct figure_plan *plan_figure(const struct plan *plan, const struct figure *figure)
{
	for (size_t i = 0; i < plan->figures; i++)
		if (plan->figure[i].figure == figure)
			return &plan->figure[i];
	return NULL;
}

static size_t candidates_of(const struct series *s)
{
	size_t count = 1;
	for (size_t i = 0; i < s->searches; i++)
		count *= s->search[i].values.count;
	return count;
}

void plan_found(const struct series *series, size_t candidate, const char *value[SERIES_VARIABLES])
{
	for (size_t i = series->searches; i-- > 0;) {
		value[i] = series->search[i].values.text[candidate % series->search[i].values.count];
		candidate /= series->search[i].values.count;
	}
}

/* Bind what the search of another series found for the same cell; false: not known yet. */
static bool bind_found(const struct plan *plan, const struct figure_plan *fp, const struct series *s,
                       size_t point, size_t item, struct binding *b)
{
	for (size_t i = 0; i < s->founds; i++) {
		const struct series *from = &fp->figure->series[s->found[i].series];
		const struct cell *cell = plan_cell(fp, s->found[i].series, point, item);
		const char *value[SERIES_VARIABLES];
		size_t candidate = 0;
		if (cell->chosen == PLAN_NONE)
			return false;
		while (candidate < cell->count && plan->candidate[cell->first + candidate] != cell->chosen)
			candidate++;
		plan_found(from, candidate, value);
		for (size_t k = 0; k < from->searches; k++)
			if (!strcmp(from->search[k].name, s->found[i].variable))
				bind(b, s->found[i].variable, value[k]);
	}
	return true;
}

static bool fill_cell(struct plan *plan, const struct figure_plan *fp, size_t series, size_t point,
                      size_t item, struct binding *b, struct error *err)
{
	const struct figure *f = fp->figure;
	const struct series *s = &f->series[series];
	struct cell *cell = plan_cell(fp, series, point, item);
	size_t count = candidates_of(s), bound = b->count;
	cell->waits = false;
	cell->first = (uint32_t)plan->candidates;
	for (size_t c = 0; c < count; c++) {
		const char *value[SERIES_VARIABLES];
		uint32_t job;
		struct error why = {{0}};
		plan_found(s, c, value);
		b->count = bound;
		for (size_t i = 0; i < s->searches; i++)
			bind(b, s->search[i].name, value[i]);
		if (!find_job(plan, f, s, &f->item[item], b, &job, &why))
			return fail_series(f, s, &why, err);
		GROW(plan->candidate, plan->candidates);
		plan->candidate[plan->candidates++] = job;
	}
	cell->count = (uint32_t)count;
	if (count == 1)
		cell->chosen = plan->candidate[cell->first];
	return true;
}

static void bind_point(const struct figure *f, size_t point, struct binding *b)
{
	size_t value[FIGURE_VARIABLES];
	figure_point(f, point, value);
	for (size_t i = 0; i < f->variables; i++)
		bind(b, f->variable[i].name, f->variable[i].values.text[value[i]]);
}

/* Check a waiting series with the first values that may be found. */
static bool check_waiting(struct plan *plan, const struct figure *f, const struct series *s,
                          struct binding *b, struct error *err)
{
	struct resolved r;
	struct error why = {{0}};
	uint64_t ignored[2];
	for (size_t i = 0; i < s->founds; i++) {
		const struct series *from = &f->series[s->found[i].series];
		for (size_t k = 0; k < from->searches; k++)
			if (!strcmp(from->search[k].name, s->found[i].variable))
				bind(b, s->found[i].variable, from->search[k].values.text[0]);
	}
	for (size_t i = 0; i < s->searches; i++)
		bind(b, s->search[i].name, s->search[i].values.text[0]);
	bool ok = resolve(plan, f, s, b, &r, &why);
	const struct job job = {.machine = r.machine, .policy = r.policy, .look = *r.look ? r.look : NULL};
	return (ok && check_config(plan, &job, ignored, &why)) || fail_series(f, s, &why, err);
}

static bool plan_series(struct plan *plan, const struct figure_plan *fp, size_t series, struct error *err)
{
	const struct figure *f = fp->figure;
	const struct series *s = &f->series[series];
	size_t points = figure_points(f);
	for (size_t p = 0; p < points; p++) {
		struct binding point = {.count = 0};
		bind_point(f, p, &point);
		struct binding trial = point;
		if (s->founds && !check_waiting(plan, f, s, &trial, err))
			return false;
		for (size_t i = 0; i < f->items; i++) {
			struct binding b = point;
			if (s->left_out && s->left_out[i])
				continue;
			if (s->founds)
				plan_cell(fp, series, p, i)->waits = true;
			else if (!fill_cell(plan, fp, series, p, i, &b, err))
				return false;
		}
	}
	return true;
}

bool plan_make(struct plan *plan, const struct papers *papers, const struct figure *const *figures,
               size_t count, struct error *err)
{
	*plan = (struct plan){.papers = papers};
	plan->figure = memory_zeroed(count + 1, sizeof *plan->figure);
	for (size_t i = 0; i < count; i++) {
		if (plan_figure(plan, figures[i]))
			continue;
		struct figure_plan *fp = &plan->figure[plan->figures++];
		*fp = (struct figure_plan){.figure = figures[i],
		                           .cells = figures[i]->series_count * figure_points(figures[i]) *
		                                    figures[i]->items};
		fp->cell = memory_zeroed(fp->cells, sizeof *fp->cell);
		for (size_t c = 0; c < fp->cells; c++)
			fp->cell[c].chosen = PLAN_NONE;
		fp->facts = plan_needs_facts(papers, figures[i]);
		for (size_t s = 0; s < figures[i]->series_count; s++)
			if (!plan_series(plan, fp, s, err))
				return false;
	}
	return true;
}

size_t plan_extend(struct plan *plan)
{
	size_t filled = 0;
	for (size_t n = 0; n < plan->figures; n++) {
		const struct figure_plan *fp = &plan->figure[n];
		const struct figure *f = fp->figure;
		size_t points = figure_points(f);
		for (size_t c = 0; c < fp->cells; c++) {
			size_t item = c % f->items, point = c / f->items % points,
			       series = c / f->items / points;
			struct binding b = {.count = 0};
			struct error ignored;
			if (!fp->cell[c].waits)
				continue;
			bind_point(f, point, &b);
			if (bind_found(plan, fp, &f->series[series], point, item, &b))
				filled += fill_cell(plan, fp, series, point, item, &b, &ignored);
		}
	}
	return filled;
}

size_t plan_waiting(const struct plan *plan)
{
	size_t waiting = 0;
	for (size_t n = 0; n < plan->figures; n++)
		for (size_t c = 0; c < plan->figure[n].cells; c++)
			waiting += plan->figure[n].cell[c].waits;
	return waiting;
}

/* ---- what jobs are made of -------------------------------------------------------------------------------- */

bool plan_may_execute(const struct plan *plan, const char *path, struct error *err)
{
	return plan->papers->trust == PAPERS_ALLOWED ||
	       error_set(err,
	                 "%s is code that the experiment's file names, not you: add --allow-programs if you "
	                 "trust both",
	                 path);
}

bool plan_config(const struct plan *plan, const struct job *job, struct config *config, struct error *err)
{
	if (chain_names_file(job->policy) && !plan_may_execute(plan, job->policy, err))
		return false;
	config->machine = plan->machine[job->machine].machine;
	config->chain = chain_new(job->policy, config->machine, err);
	return config->chain != NULL;
}

struct run_options plan_options(const struct job *job, struct kernels *kernels)
{
	struct error ignored;
	kernels->count = 0;
	if (job->kernels)
		kernels_parse(kernels, "--kernel", job->kernels, &ignored); /* checked when it was loaded */
	return (struct run_options){.threads = 1,
	                            .max_insns = job->max_insns,
	                            .cold_l2 = job->cold_l2,
	                            .kernels = kernels,
	                            .window = job->window,
	                            .is_part = job->is_part};
}

uint64_t plan_insns(const struct plan *plan, const struct job *job)
{
	uint64_t all = plan->recording[job->recording].insns;
	return job->max_insns && (!all || job->max_insns < all) ? job->max_insns : all;
}

void plan_free(struct plan *plan)
{
	for (size_t i = 0; i < plan->recordings; i++) {
		struct recording *r = &plan->recording[i];
		char *texts[] = {r->path, r->window, r->words, r->machine, r->name, r->failed, r->trace_path};
		for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
			free(texts[k]);
	}
	for (size_t i = 0; i < plan->machines; i++) {
		free(plan->machine[i].name);
		free(plan->machine[i].changes);
		machine_free(plan->machine[i].machine);
	}
	for (size_t i = 0; i < plan->jobs; i++) {
		free(plan->job[i].message);
		free(plan->job[i].totals);
	}
	for (size_t i = 0; i < plan->figures; i++)
		free(plan->figure[i].cell);
	for (size_t i = 0; i < plan->texts; i++)
		free(plan->text[i]);
	free(plan->text);
	free(plan->recording);
	free(plan->machine);
	free(plan->job);
	free(plan->candidate);
	free(plan->figure);
	numbering_free(&plan->recording_names);
	numbering_free(&plan->machine_names);
	numbering_free(&plan->job_names);
	*plan = (struct plan){0};
}
