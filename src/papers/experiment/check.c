/* Evaluate every formula once without values: unknown names are found before anything runs. */
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "papers/experiment/chart_values.h"
#include "papers/experiment/values.h"
#include "run/look_reports.h"

static bool check(const struct papers *papers, const struct paper *paper, const struct figure *figure,
                  const struct formula *formula, bool single, struct error *err)
{
	struct value_scope scope = {.papers = papers, .paper = paper, .figure = figure};
	struct scratch scratch = {0};
	struct array ignored;
	double number;
	bool ok = single ? values_number(&scope, formula, &number, err)
	                 : values_evaluate(&scope, formula, &scratch, &ignored, err);
	scratch_free(&scratch);
	free(scope.missing);
	return ok;
}

/* A metric must have a value in at least one series. */
static bool check_metric(const struct figure *f, const struct formula *formula, struct error *err)
{
	double ignored;
	struct error first = {{0}};
	for (size_t i = 0; i < f->series_count; i++) {
		const struct run_values dry = {.dry = true,
		                               .look = f->series[i].look ? f->series[i].look : f->look};
		if (values_of_run(formula, &dry, &ignored, err))
			return true;
		if (!i)
			first = *err;
	}
	*err = first;
	return false;
}

static bool is_set(const struct figure *f, const char *name)
{
	if (!strcmp(name, "all"))
		return true;
	for (size_t i = 0; i < f->set_count; i++)
		if (!strcmp(f->sets[i].name, name))
			return true;
	for (size_t i = 0; i < f->paper->set_count; i++)
		if (!strcmp(f->paper->sets[i].name, name))
			return true;
	return false;
}

static bool check_sets(const struct figure *f, const struct texts *names, const char *key, bool labels,
                       struct error *err)
{
	char clip[CLIP_SIZE];
	for (size_t i = 0; i < names->count; i++) {
		if (is_set(f, names->text[i]) || (labels && texts_has(&f->known_items, names->text[i])))
			continue;
		char question[SUGGEST_SIZE];
		struct suggest near = suggest_start(names->text[i]);
		for (size_t k = 0; k < f->set_count; k++)
			suggest_offer(&near, f->sets[k].name);
		for (size_t k = 0; k < f->paper->set_count; k++)
			suggest_offer(&near, f->paper->sets[k].name);
		for (size_t k = 0; labels && k < f->known_items.count; k++)
			suggest_offer(&near, f->known_items.text[k]);
		return error_set(err, "%s: charts: %s: no set or class '%s'%s", f->file, key,
		                 clip_text(clip, names->text[i]), suggest_question(&near, question));
	}
	return true;
}

/* Published values belong to series, and to workloads, sets or values of a variable. */
static bool check_published(const struct figure *f, const struct chart *c, struct error *err)
{
	for (size_t i = 0; i < c->published_count; i++) {
		const struct chart_published *p = &c->published[i];
		bool part = false, value = false;
		for (size_t k = 0; k < c->parts; k++)
			part |= c->part[k].label && !strcmp(c->part[k].label, p->series);
		for (size_t v = 0; v < f->variables; v++)
			value |=
			    texts_has(&f->variable[v].values, p->x) || texts_has(&f->variable[v].known, p->x);
		if (!part && figure_series(f, p->series) == SIZE_MAX)
			return error_set(err, "%s: charts: published: no series '%s'", f->file, p->series);
		if (!value && !is_set(f, p->x) && !texts_has(&f->known_items, p->x))
			return error_set(err, "%s: charts: published: %s: no workload, set or value '%s'",
			                 f->file, p->series, p->x);
	}
	return true;
}

static bool is_series_field(const char *name)
{
	for (const struct look_field *field = look_series_fields; field->name; field++)
		if (!strcmp(field->name, name))
			return true;
	return false;
}

static bool has_look(const struct figure *f, const char *kind)
{
	bool has = f->look && (strstr(f->look, kind) || !strcmp(f->look, "all"));
	for (size_t i = 0; i < f->series_count; i++)
		has |= f->series[i].look && strstr(f->series[i].look, kind);
	return has;
}

static bool check_part(const struct papers *papers, const struct figure *f, const struct chart *c,
                       const struct chart_part *part, struct error *err)
{
	const char *kind = c->kind == CHART_TIME ? "series" : "matrix";
	if (c->kind != CHART_TIME && c->kind != CHART_HEAT)
		return check(papers, f->paper, f, part->y, false, err);
	if (!has_look(f, kind))
		return formula_fail(part->y, part->y->root, err, "this chart needs 'look: %s'", kind);
	if (c->kind == CHART_TIME && !is_series_field(part->text))
		return formula_fail(part->y, part->y->root, err, "look.series has no field '%s'", part->text);
	if (c->kind == CHART_HEAT && strcmp(part->text, "look.matrix.lost") &&
	    strcmp(part->text, "look.matrix.evictions"))
		return formula_fail(part->y, part->y->root, err,
		                    "expected look.matrix.lost or look.matrix.evictions");
	return true;
}

static bool check_chart(const struct papers *papers, const struct figure *f, const struct chart *c,
                        struct error *err)
{
	for (size_t i = 0; i < c->parts; i++)
		if (!check_part(papers, f, c, &c->part[i], err))
			return false;
	if (!check_sets(f, &c->means, "means", false, err) ||
	    !check_sets(f, &c->workloads, "workloads", true, err) || !check_published(f, c, err))
		return false;
	/* An error in drawing must be found before simulation. */
	struct value_scope scope = {.papers = papers, .paper = f->paper, .figure = f};
	json_t *drawn = chart_values(&scope, f, c, err);
	free(scope.missing);
	json_decref(drawn);
	return drawn != NULL;
}

static bool check_figure(const struct papers *papers, const struct figure *f, struct error *err)
{
	for (size_t i = 0; i < f->metrics; i++)
		if (!check_metric(f, f->metric[i].formula, err))
			return false;
	for (size_t i = 0; i < f->deriveds; i++)
		if (!check(papers, f->paper, f, f->derived[i].formula, false, err))
			return false;
	for (size_t i = 0; i < f->series_count; i++)
		if (f->series[i].best && !check_metric(f, f->series[i].best, err))
			return false;
	for (size_t i = 0; i < f->charts; i++)
		if (!check_chart(papers, f, &f->chart[i], err))
			return false;
	return true;
}

static bool check_claim(const struct papers *papers, const struct claim *claim, struct error *err)
{
	for (size_t i = 0; i < claim->parts; i++) {
		const struct claim_part *part = &claim->part[i];
		if (!check(papers, claim->paper, claim->figure, part->formula, true, err) ||
		    (part->direction &&
		     !check(papers, claim->paper, claim->figure, part->direction, true, err)))
			return false;
	}
	return true;
}

bool values_check(const struct papers *papers, struct error *err)
{
	for (size_t p = 0; p < papers->count; p++) {
		const struct paper *paper = &papers->paper[p];
		for (size_t i = 0; i < paper->figures; i++)
			if (!check_figure(papers, &paper->figure[i], err))
				return false;
		for (size_t i = 0; i < paper->claims; i++)
			if (!check_claim(papers, &paper->claim[i], err))
				return false;
	}
	return true;
}
