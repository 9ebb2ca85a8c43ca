/* The document of the report: judged claims, figures, scoreboard. */
#include "papers/report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "report/run_json.h"
#include "store/run_key.h"

void reproduction_format(char *text, size_t size, const char *type, double value)
{
	if (isnan(value))
		snprintf(text, size, "-");
	else if (!strcmp(type, "order"))
		snprintf(text, size, "%s", value != 0 ? "true" : "false");
	else if (!strcmp(type, "gain") && value >= 3)
		snprintf(text, size, "%.2fx", value);
	else if (!strcmp(type, "gain"))
		snprintf(text, size, "%+.1f%%", 100 * (value - 1));
	else if (!strcmp(type, "rate"))
		snprintf(text, size, "%.1f%%", value);
	else
		snprintf(text, size, "%.4g", value);
}

/* ---- claims ----------------------------------------------------------------------------------------------- */

struct judging {
	const struct reproduction_request *request;
	struct cells cells;
	struct error *err;
};

static struct value_scope scope_of(const struct judging *j, const struct claim *claim)
{
	return (struct value_scope){
	    .papers = j->request->papers, .paper = claim->paper, .figure = claim->figure, .cells = &j->cells};
}

/* Judge one part. *missing: why it is open; the caller frees it. NULL: err says why. */
static json_t *judge_part(const struct judging *j, const struct claim *claim, const struct claim_part *part,
                          enum claim_verdict *verdict, char **missing)
{
	struct value_scope scope = scope_of(j, claim);
	const char *type = claim_types[part->type];
	double measured, direction = NAN;
	char text[64];
	json_t *published = json_array();
	bool ok = values_number(&scope, part->formula, &measured, j->err) &&
	          (!part->direction || values_number(&scope, part->direction, &direction, j->err));
	*missing = scope.missing;
	if (!ok) {
		json_decref(published);
		return NULL;
	}
	*verdict = part->type == CLAIM_ORDER ? verdict_of_order(measured, direction) : CLAIM_VERDICTS;
	for (size_t i = 0; i < part->value_text.count; i++) {
		enum claim_verdict one = verdict_of(part->type, part->bound, measured, part->value[i]);
		*verdict = *verdict == CLAIM_VERDICTS ? one : verdict_better(*verdict, one);
		json_array_append_new(published,
		                      json_pack("{s:o, s:o, s:s}", "value", json_number(part->value[i]),
		                                "text", json_text(part->value_text.text[i]), "verdict",
		                                claim_verdicts[one]));
	}
	reproduction_format(text, sizeof text, type, measured);
	json_t *object = json_object();
	json_object_set_new(object, "type", json_string(type));
	json_object_set_new(object, "formula", json_text(part->formula->text));
	json_object_set_new(object, "bound",
	                    part->bound == BOUND_NONE ? json_null() : json_string(claim_bounds[part->bound]));
	json_object_set_new(object, "measured", json_number(measured));
	json_object_set_new(object, "measured_text", json_string(text));
	json_object_set_new(object, "published", published);
	json_object_set_new(object, "verdict", json_string(claim_verdicts[*verdict]));
	return object;
}

static void add_figure_name(void *user, const struct figure *figure)
{
	json_t *names = user, *name;
	char text[256];
	size_t i;
	snprintf(text, sizeof text, "%s%s%s", figure->paper->name, *figure->paper->name ? "/" : "",
	         figure->id);
	json_array_foreach(names, i, name) if (!strcmp(json_string_value(name), text)) return;
	json_array_append_new(names, json_string(text));
}

static json_t *figure_names(const struct judging *j, const struct claim *claim)
{
	json_t *names = json_array();
	for (size_t i = 0; i < claim->parts; i++) {
		values_figures(j->request->papers, claim->paper, claim->figure, claim->part[i].formula,
		               add_figure_name, names);
		if (claim->part[i].direction)
			values_figures(j->request->papers, claim->paper, claim->figure,
			               claim->part[i].direction, add_figure_name, names);
	}
	return names;
}

static json_t *text_or_null(const char *text)
{
	return text ? json_text(text) : json_null();
}

static json_t *claim_json(const struct judging *j, const struct claim *claim)
{
	char command[256], *reason = NULL;
	enum claim_verdict verdict = claim->not_measurable ? CLAIM_NOT_MEASURABLE : CLAIM_MET;
	json_t *parts = json_array();
	for (size_t i = 0; i < claim->parts; i++) {
		enum claim_verdict one;
		char *missing = NULL;
		json_t *part = judge_part(j, claim, &claim->part[i], &one, &missing);
		if (!part) {
			free(missing);
			free(reason);
			json_decref(parts);
			return NULL;
		}
		json_array_append_new(parts, part);
		verdict = verdict_worse(verdict, one);
		if (one == CLAIM_OPEN && !reason && missing)
			reason = memory_text(missing);
		free(missing);
	}
	const char *why = claim->not_measurable ? claim->not_measurable : reason;
	snprintf(command, sizeof command, "sluice reproduce %s%s", claim->id,
	         j->request->papers->quick ? " --quick" : "");
	json_t *object = json_object();
	json_object_set_new(object, "id", json_text(claim->id));
	json_object_set_new(object, "flag", json_string(claim_flags[claim->flag]));
	json_object_set_new(object, "kind", json_string(claim_kinds[claim->kind]));
	json_object_set_new(object, "where", text_or_null(claim->where));
	json_object_set_new(object, "says", text_or_null(claim->says));
	json_object_set_new(object, "note", text_or_null(claim->note));
	json_object_set_new(object, "figures", figure_names(j, claim));
	json_object_set_new(object, "command", *claim->paper->name ? json_text(command) : json_null());
	json_object_set_new(object, "verdict", json_string(claim_verdicts[verdict]));
	json_object_set_new(object, "reason", text_or_null(why));
	json_object_set_new(object, "parts", parts);
	free(reason);
	return object;
}

/* ---- figures ---------------------------------------------------------------------------------------------- */

static json_t *items_json(const struct figure *f)
{
	json_t *items = json_array();
	for (size_t i = 0; i < f->items; i++) {
		const struct item *item = &f->item[i];
		const char *class = item->published ? item->published->class : NULL;
		json_t *object = json_object();
		json_object_set_new(object, "label", json_text(item->label));
		json_object_set_new(object, "name",
		                    json_text(item->workload ? item->workload->name : item->path));
		json_object_set_new(object, "class", text_or_null(class));
		json_object_set_new(object, "size", json_string(workload_sizes[item->limits.size]));
		json_object_set_new(object, "arguments", text_or_null(item->args));
		json_array_append_new(items, object);
	}
	return items;
}

static json_t *series_json(const struct figure *f)
{
	json_t *all = json_array();
	for (size_t i = 0; i < f->series_count; i++) {
		const struct series *s = &f->series[i];
		json_t *set = json_array();
		for (size_t k = 0; k < f->set.count + s->set.count; k++)
			json_array_append_new(
			    set,
			    json_text(k < f->set.count ? f->set.text[k] : s->set.text[k - f->set.count]));
		json_array_append_new(all,
		                      json_pack("{s:o, s:o, s:o, s:o}", "label", json_text(s->label),
		                                "policy", json_text(s->policy), "machine",
		                                json_text(s->machine ? s->machine : f->machine), "set", set));
	}
	return all;
}

static json_t *variables_json(const struct figure *f)
{
	json_t *all = json_array();
	for (size_t i = 0; i < f->variables; i++) {
		json_t *values = json_array();
		for (size_t k = 0; k < f->variable[i].values.count; k++)
			json_array_append_new(values, json_text(f->variable[i].values.text[k]));
		json_array_append_new(all,
		                      json_pack("{s:s, s:o}", "name", f->variable[i].name, "values", values));
	}
	return all;
}

static void point_text(const struct figure *f, size_t point, char *text, size_t size)
{
	size_t value[FIGURE_VARIABLES], n = 0;
	figure_point(f, point, value);
	*text = '\0';
	for (size_t i = 0; i < f->variables && n < size; i++)
		n += (size_t)snprintf(text + n, size - n, "%s%s=%s", i ? " " : "", f->variable[i].name,
		                      f->variable[i].values.text[value[i]]);
}

/* List what searches chose for one cell. */
static void add_found(json_t *all, const struct run_values *run, const char *series, const char *workload,
                      const char *point)
{
	for (size_t i = 0; i < run->founds; i++)
		json_array_append_new(all, json_pack("{s:o, s:o, s:o, s:s, s:o}", "series", json_text(series),
		                                     "workload", json_text(workload), "point",
		                                     json_text(point), "variable", run->found_name[i],
		                                     "value", json_number(run->found[i])));
}

/* List the cells without a run, and why they have none. */
static json_t *runs_json(const struct judging *j, const struct figure *f)
{
	json_t *failed = json_array(), *found = json_array();
	size_t points = figure_points(f), cells = 0;
	char where[256];
	for (size_t s = 0; s < f->series_count; s++)
		for (size_t p = 0; p < points; p++)
			for (size_t i = 0; i < f->items; i++) {
				struct run_values run;
				const char *message = "";
				if (f->series[s].left_out && f->series[s].left_out[i])
					continue;
				cells++;
				point_text(f, p, where, sizeof where);
				if (j->cells.run(j->cells.user, f, s, p, i, false, &run, &message)) {
					add_found(found, &run, f->series[s].label, f->item[i].label, where);
					continue;
				}
				json_array_append_new(
				    failed,
				    json_pack("{s:o, s:o, s:o, s:o}", "series", json_text(f->series[s].label),
				              "workload", json_text(f->item[i].label), "point",
				              json_text(where), "message", json_text(message)));
			}
	return json_pack("{s:I, s:o, s:o}", "cells", (json_int_t)cells, "failed", failed, "found", found);
}

static json_t *charts_json(const struct judging *j, const struct figure *f)
{
	json_t *all = json_array();
	for (size_t i = 0; i < f->charts; i++) {
		struct value_scope scope = {
		    .papers = j->request->papers, .paper = f->paper, .figure = f, .cells = &j->cells};
		json_t *charts = chart_values(&scope, f, &f->chart[i], j->err);
		free(scope.missing);
		if (!charts) {
			json_decref(all);
			return NULL;
		}
		json_array_extend(all, charts);
		json_decref(charts);
	}
	return all;
}

/* List the claims of the report that name the figure. */
static json_t *claims_of(const struct figure *f, const json_t *claims)
{
	json_t *ids = json_array();
	char name[256];
	size_t i, k;
	const json_t *claim, *figure;
	snprintf(name, sizeof name, "%s%s%s", f->paper->name, *f->paper->name ? "/" : "", f->id);
	json_array_foreach(claims, i, claim) json_array_foreach(
	    json_object_get(claim, "figures"), k, figure) if (!strcmp(json_string_value(figure), name))
	    json_array_append(ids, json_object_get(claim, "id"));
	return ids;
}

static json_t *figure_json(const struct judging *j, const struct figure *f, const json_t *claims)
{
	char command[512];
	json_t *charts = charts_json(j, f);
	if (!charts)
		return NULL;
	snprintf(command, sizeof command,
	         *f->paper->name ? "sluice reproduce %s/%s%s" : "sluice sweep %s%s%s",
	         *f->paper->name ? f->paper->name : f->file, *f->paper->name ? f->id : "",
	         j->request->papers->quick ? " --quick" : "");
	json_t *object = json_object();
	json_object_set_new(object, "id", json_text(f->id));
	json_object_set_new(object, "title", json_text(f->title));
	json_object_set_new(object, "where", text_or_null(f->where));
	json_object_set_new(object, "note", text_or_null(f->note));
	json_object_set_new(object, "command", json_text(command));
	json_object_set_new(object, "machine", json_text(f->machine));
	json_object_set_new(object, "insns",
	                    f->limits.insns ? json_integer((json_int_t)f->limits.insns) : json_null());
	json_object_set_new(object, "size", json_string(workload_sizes[f->limits.size]));
	json_object_set_new(object, "workloads", items_json(f));
	json_object_set_new(object, "series", series_json(f));
	json_object_set_new(object, "variables", variables_json(f));
	json_object_set_new(object, "runs", runs_json(j, f));
	json_object_set_new(object, "claims", claims_of(f, claims));
	json_object_set_new(object, "charts", charts);
	return object;
}

/* ---- scoreboard and document ------------------------------------------------------------------------------ */

/* Return the key of a verdict: not_measurable for "not measurable". */
static const char *key_of(enum claim_verdict verdict)
{
	return verdict == CLAIM_NOT_MEASURABLE ? "not_measurable" : claim_verdicts[verdict];
}

static json_t *empty_score(void)
{
	json_t *score = json_object();
	json_object_set_new(score, "claims", json_integer(0));
	for (int i = 0; i < CLAIM_VERDICTS; i++)
		json_object_set_new(score, key_of((enum claim_verdict)i), json_integer(0));
	return score;
}

static void add_one(json_t *score, const char *key)
{
	json_object_set_new(score, key, json_integer(json_integer_value(json_object_get(score, key)) + 1));
}

static void count_claim(json_t *score, const json_t *claim)
{
	const char *verdict = json_string_value(json_object_get(claim, "verdict"));
	add_one(score, "claims");
	for (int i = 0; i < CLAIM_VERDICTS; i++)
		if (!strcmp(verdict, claim_verdicts[i]))
			add_one(score, key_of((enum claim_verdict)i));
}

static void keep_score(json_t *board, const char *paper, const json_t *claims)
{
	json_t *own = empty_score(), *claim;
	size_t i;
	for (int f = 0; f < 2; f++)
		json_object_set_new(own, claim_flags[f], empty_score());
	for (int k = 0; k < CLAIM_KINDS; k++)
		json_object_set_new(own, claim_kinds[k], empty_score());
	json_array_foreach((json_t *)(uintptr_t)claims, i, claim)
	{
		const char *flag = json_string_value(json_object_get(claim, "flag"));
		count_claim(own, claim);
		count_claim(json_object_get(own, flag), claim);
		count_claim(json_object_get(own, json_string_value(json_object_get(claim, "kind"))), claim);
		count_claim(json_object_get(board, "total"), claim);
	}
	json_object_set_new(json_object_get(board, "papers"), paper, own);
}

/* Return a paper without figures and claims if none was requested. NULL: err says why. */
static json_t *paper_json(const struct judging *j, const struct paper *paper)
{
	json_t *claims = json_array(), *figures = json_array(), *one = json_null();
	for (size_t i = 0; one && i < j->request->claim_count; i++)
		if (j->request->claims[i]->paper == paper) {
			one = claim_json(j, j->request->claims[i]);
			json_array_append_new(claims, one);
		}
	for (size_t i = 0; one && i < j->request->figure_count; i++)
		if (j->request->figures[i]->paper == paper) {
			one = figure_json(j, j->request->figures[i], claims);
			json_array_append_new(figures, one);
		}
	if (!one) {
		json_decref(claims);
		json_decref(figures);
		return NULL;
	}
	return json_pack("{s:s, s:o, s:o, s:o, s:o}", "name", paper->name, "title", json_text(paper->title),
	                 "machine", text_or_null(paper->machine), "figures", figures, "claims", claims);
}

static void add_head(const struct reproduction_request *request, json_t *root)
{
	const struct execution *e = request->execution;
	char finished[32];
	time_t now = time(NULL);
	struct tm utc;
	strftime(finished, sizeof finished, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
	json_object_set_new(root, "format", json_string("sluice reproduction"));
	json_object_set_new(root, "version", json_integer(1));
	json_object_set_new(root, "sluice", json_string(request->version));
	json_object_set_new(root, "model", json_string(run_key_model()));
	json_object_set_new(root, "mode", json_string(request->papers->quick ? "quick" : "full"));
	json_object_set_new(root, "finished", json_string(finished));
	json_object_set_new(root, "command", json_text(request->command));
	json_object_set_new(root, "runs",
	                    json_pack("{s:I, s:I, s:I, s:I, s:f}", "planned", (json_int_t)e->plan->jobs,
	                              "found", (json_int_t)e->found, "simulated", (json_int_t)e->simulated,
	                              "failed", (json_int_t)e->failed, "seconds", e->seconds));
}

json_t *reproduction_make(const struct reproduction_request *request, struct error *err)
{
	struct judging j = {.request = request, .cells = execute_cells(request->execution), .err = err};
	json_t *root = json_object(), *papers = json_array(), *board = json_object();
	bool ok = true;
	add_head(request, root);
	json_object_set_new(board, "total", empty_score());
	json_object_set_new(board, "papers", json_object());
	for (size_t i = 0; ok && i < request->papers->count; i++) {
		const struct paper *paper = &request->papers->paper[i];
		json_t *own = paper_json(&j, paper);
		ok = own != NULL;
		if (ok && (json_array_size(json_object_get(own, "figures")) ||
		           json_array_size(json_object_get(own, "claims")))) {
			keep_score(board, paper->name, json_object_get(own, "claims"));
			json_array_append(papers, own);
		}
		json_decref(own);
	}
	json_object_set_new(root, "scoreboard", board);
	json_object_set_new(root, "papers", papers);
	execute_cells_free(&j.cells);
	if (ok)
		return root;
	json_decref(root);
	return NULL;
}
