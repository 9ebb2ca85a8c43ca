/* A figure out of its YAML file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/suggest.h"
#include "papers/experiment/paper.h"
#include "window/kernels.h"

/* ---- looking up ------------------------------------------------------------------------------------------- */

size_t figure_series(const struct figure *figure, const char *label)
{
	for (size_t i = 0; i < figure->series_count; i++)
		if (!strcmp(figure->series[i].label, label))
			return i;
	return SIZE_MAX;
}

size_t figure_item(const struct figure *figure, const char *label)
{
	for (size_t i = 0; i < figure->items; i++)
		if (!strcmp(figure->item[i].label, label))
			return i;
	return SIZE_MAX;
}

size_t figure_points(const struct figure *figure)
{
	size_t points = 1;
	for (size_t i = 0; i < figure->variables; i++)
		points *= figure->variable[i].values.count;
	return points;
}

void figure_point(const struct figure *figure, size_t point, size_t value[FIGURE_VARIABLES])
{
	for (size_t i = figure->variables; i-- > 0;) {
		value[i] = point % figure->variable[i].values.count;
		point /= figure->variable[i].values.count;
	}
}

/* ---- variables -------------------------------------------------------------------------------------------- */

/* Read {variable: values}; under --quick, `quick` may replace the values. */
static bool read_variables(const struct reader *r, const struct tree_node *map, const struct tree_node *quick,
                           struct variable *variable, size_t *count, size_t most)
{
	if (map->kind != TREE_MAP)
		return read_fail(r, map, "{variable: values}");
	for (const struct tree_node *node = map->first; node; node = node->next) {
		const struct tree_node *less =
		    quick && quick->kind == TREE_MAP ? tree_find(quick, node->name) : NULL;
		if (*count == most)
			return read_fail_at(r, node, "more than %zu variables", most);
		if (!read_is_name(node->name) || !strcmp(node->name, "series") ||
		    !strcmp(node->name, "workload"))
			return read_fail_at(r, node, "'%s' cannot name a variable", node->name);
		if (tree_find(map, node->name) != node)
			return read_fail_at(r, node, "'%s' is given twice", node->name);
		struct variable *v = &variable[(*count)++];
		v->name = memory_text(node->name);
		if (!read_values(r, less ? less : node, &v->values) ||
		    (less && !read_values(r, node, &v->known)))
			return false;
	}
	return true;
}

static void variable_free(struct variable *v)
{
	free(v->name);
	texts_free(&v->values);
	texts_free(&v->known);
}

/* ---- series ----------------------------------------------------------------------------------------------- */

static bool has_variable(const struct variable *v, size_t count, const char *name, size_t length)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(v[i].name) == length && !strncmp(v[i].name, name, length))
			return true;
	return false;
}

static bool knows_variable(const struct figure *f, const struct series *s, const char *name, size_t length)
{
	if (has_variable(f->variable, f->variables, name, length) ||
	    has_variable(s->search, s->searches, name, length))
		return true;
	for (size_t i = 0; i < s->founds; i++)
		if (strlen(s->found[i].variable) == length && !strncmp(s->found[i].variable, name, length))
			return true;
	return false;
}

/* Check that every {name} in a text is a variable. */
static bool check_holes(const struct reader *r, const struct tree_node *node, const struct figure *f,
                        const struct series *s, const char *text)
{
	for (const char *at = text; (at = strchr(at, '{')); at++) {
		size_t length = strcspn(at + 1, "}");
		if (!at[1 + length])
			return read_fail_at(r, node, "'{' without '}' in %s", text);
		if (!knows_variable(f, s, at + 1, length))
			return read_fail_at(r, node, "{%.*s} is no variable of sweep, search or found",
			                    (int)length, at + 1);
	}
	return true;
}

static bool check_series_holes(const struct reader *r, const struct tree_node *map, const struct figure *f,
                               const struct series *s)
{
	bool ok = check_holes(r, map, f, s, s->policy) &&
	          (!s->machine || check_holes(r, map, f, s, s->machine)) &&
	          (!s->look || check_holes(r, map, f, s, s->look));
	for (size_t i = 0; ok && i < s->set.count; i++)
		ok = check_holes(r, map, f, s, s->set.text[i]);
	for (size_t i = 0; ok && i < f->set.count; i++)
		ok = check_holes(r, map, f, s, f->set.text[i]);
	return ok;
}

/* Read {variable: label of a series above that searches it}. */
static bool read_found(const struct reader *r, const struct tree_node *map, const struct figure *f,
                       struct series *s)
{
	if (map->kind != TREE_MAP)
		return read_fail(r, map, "{variable: label of a series}");
	for (const struct tree_node *node = map->first; node; node = node->next) {
		size_t from = node->kind == TREE_SCALAR ? figure_series(f, node->text) : SIZE_MAX;
		if (from >= f->series_count - 1) /* the series itself is already counted */
			return read_fail(r, node, "the label of a series above");
		if (tree_find(map, node->name) != node)
			return read_fail_at(r, node, "'%s' is given twice", node->name);
		const struct series *other = &f->series[from];
		if (!has_variable(other->search, other->searches, node->name, strlen(node->name)))
			return read_fail_at(r, node, "%s does not search %s", other->label, node->name);
		if (s->founds == SERIES_VARIABLES)
			return read_fail_at(r, node, "more than %d variables", SERIES_VARIABLES);
		s->found[s->founds].variable = memory_text(node->name);
		s->found[s->founds++].series = from;
	}
	return true;
}

static bool read_best(const struct reader *r, const struct tree_node *node, struct series *s)
{
	if (node->kind != TREE_SCALAR)
		return read_fail(r, node, "a metric");
	s->best_is_least = node->text[0] == '-';
	s->best = formula_parse(node->text + s->best_is_least, r->file, node->line,
	                        node->column + !node->plain + s->best_is_least, r->err);
	return s->best != NULL;
}

static bool read_only(const struct reader *r, const struct tree_node *node, const struct item_context *c,
                      const struct figure *f, struct series *s)
{
	struct item *items;
	size_t count;
	if (!items_read(r, node, c, &items, &count))
		return false;
	s->left_out = memory_zeroed(f->items, sizeof *s->left_out);
	for (size_t i = 0; i < f->items; i++) {
		s->left_out[i] = true;
		for (size_t k = 0; k < count; k++)
			if (!strcmp(items[k].label, f->item[i].label))
				s->left_out[i] = false;
	}
	items_free(items, count);
	return true;
}

static bool read_series(const struct reader *r, const struct tree_node *map, const struct tree_node *quick,
                        const struct item_context *c, struct figure *f)
{
	static const char *const keys[] = {"label",  "policy", "machine", "set",       "look",
	                                   "search", "best",   "found",   "workloads", NULL};
	f->series = memory_grow(f->series, f->series_count + 1, sizeof *f->series);
	struct series *s = &f->series[f->series_count];
	*s = (struct series){.line = map->line, .column = map->column};
	f->series_count++;
	const struct tree_node *set = tree_find(map, "set"), *search = tree_find(map, "search"),
	                       *best = tree_find(map, "best"), *found = tree_find(map, "found"),
	                       *only = tree_find(map, "workloads");
	if (!read_keys(r, map, "key of a series", keys) || !read_text_key(r, map, "label", true, &s->label) ||
	    !read_text_key(r, map, "policy", true, &s->policy) ||
	    !read_text_key(r, map, "machine", false, &s->machine) ||
	    !read_text_key(r, map, "look", false, &s->look) || (set && !read_changes(r, set, &s->set)))
		return false;
	if (figure_series(f, s->label) != f->series_count - 1)
		return read_fail_at(r, map, "two series are called '%s'", s->label);
	if ((search && !read_variables(r, search, quick, s->search, &s->searches, SERIES_VARIABLES)) ||
	    (found && !read_found(r, found, f, s)) || (best && !read_best(r, best, s)) ||
	    (only && !read_only(r, only, c, f, s)))
		return false;
	return check_series_holes(r, map, f, s);
}

/* ---- metrics ---------------------------------------------------------------------------------------------- */

static bool read_metrics(const struct reader *r, const struct tree_node *map, struct metric_def **metrics,
                         size_t *count)
{
	if (map->kind != TREE_MAP)
		return read_fail(r, map, "{name: formula}");
	for (const struct tree_node *node = map->first; node; node = node->next) {
		if (!read_is_name(node->name))
			return read_fail_at(r, node, "'%s' cannot name a metric", node->name);
		if (tree_find(map, node->name) != node)
			return read_fail_at(r, node, "'%s' is given twice", node->name);
		*metrics = memory_grow(*metrics, *count + 1, sizeof **metrics);
		(*metrics)[*count] = (struct metric_def){.name = memory_text(node->name)};
		if (!read_formula(r, node, &(*metrics)[(*count)++].formula))
			return false;
	}
	return true;
}

/* ---- the whole -------------------------------------------------------------------------------------------- */

static bool read_head(const struct reader *r, const struct tree_node *root, struct figure *f)
{
	bool own = !*f->paper->name;
	struct kernels kernels = {.count = 0};
	struct error why = {{0}};
	if (!read_text_key(r, root, "title", !own, &f->title) ||
	    !read_text_key(r, root, "where", !own, &f->where) ||
	    !read_text_key(r, root, "note", false, &f->note) ||
	    !read_text_key(r, root, "machine", !f->paper->machine, &f->machine) ||
	    !read_text_key(r, root, "kernels", false, &f->kernels) || !window_load(r, root, &f->window) ||
	    !read_text_key(r, root, "look", false, &f->look))
		return false;
	if (!f->title)
		f->title = memory_text(f->id);
	if (!f->machine)
		f->machine = memory_text(f->paper->machine);
	const struct tree_node *set = tree_find(root, "set");
	if (f->kernels && !kernels_parse(&kernels, "--kernel", f->kernels, &why))
		return read_fail_at(r, tree_find(root, "kernels"), "%s", why.text);
	return !set || read_changes(r, set, &f->set);
}

/* Read how far runs go; --quick changes it, in this file and in the paper's. */
static bool read_limits(const struct reader *r, const struct tree_node *root, const struct tree_node *quick,
                        bool is_quick, struct figure *f)
{
	static const char *const keys[] = {"size", "insns", "cold_l2", "workloads", "sweep", "search", NULL};
	struct limits own = {0}, own_quick = {0};
	if (!limits_read(r, root, &own) ||
	    (quick && (!read_keys(r, quick, "key of quick", keys) || !limits_read(r, quick, &own_quick))))
		return false;
	f->limits =
	    limits_merge(limits_merge((struct limits){.size = WORKLOAD_PAPER}, f->paper->limits), own);
	if (is_quick)
		f->limits = limits_merge(limits_merge(f->limits, f->paper->quick), own_quick);
	return true;
}

static bool read_items(const struct reader *r, const struct tree_node *root, const struct tree_node *quick,
                       struct item_context *c, struct figure *f)
{
	const struct tree_node *sets = tree_find(root, "sets"), *workloads = tree_find(root, "workloads"),
	                       *fewer = quick ? tree_find(quick, "workloads") : NULL;
	struct item *all;
	size_t count;
	if (!workloads)
		return read_fail_at(r, root, "the key 'workloads' is missing");
	c->limits = f->limits;
	if (sets && !item_sets_read(r, sets, c, &f->sets, &f->set_count))
		return false;
	c->sets = f->sets;
	c->set_count = f->set_count;
	if (!items_read(r, workloads, c, &all, &count))
		return false;
	for (size_t i = 0; i < count; i++)
		texts_add(&f->known_items, all[i].label);
	if (fewer) {
		items_free(all, count);
		return items_read(r, fewer, c, &f->item, &f->items);
	}
	f->item = all;
	f->items = count;
	return true;
}

static bool read_all_series(const struct reader *r, const struct tree_node *root,
                            const struct tree_node *quick, const struct item_context *c, struct figure *f)
{
	const struct tree_node *series = tree_find(root, "series"), *sweep = tree_find(root, "sweep");
	const struct tree_node *less_sweep = quick ? tree_find(quick, "sweep") : NULL,
	                       *less_search = quick ? tree_find(quick, "search") : NULL;
	if (!series || series->kind != TREE_LIST || !series->first)
		return read_fail_at(r, series ? series : root, "expected a list of series");
	if (sweep && !read_variables(r, sweep, less_sweep, f->variable, &f->variables, FIGURE_VARIABLES))
		return false;
	for (const struct tree_node *node = series->first; node; node = node->next)
		if (!read_series(r, node, less_search, c, f))
			return false;
	return true;
}

bool figure_load(struct figure *figure, const struct papers *papers, const struct paper *paper,
                 const struct reader *r, const struct tree_node *root)
{
	static const char *const keys[] = {"title",     "where",   "note",    "machine", "set",     "size",
	                                   "insns",     "cold_l2", "kernels", "window",  "look",    "quick",
	                                   "workloads", "sets",    "sweep",   "series",  "metrics", "derived",
	                                   "charts",    "claims",  NULL};
	const struct tree_node *quick = tree_find(root, "quick"), *metrics = tree_find(root, "metrics"),
	                       *derived = tree_find(root, "derived"), *charts = tree_find(root, "charts");
	struct item_context context = {.papers = papers, .paper = paper, .folder = figure->folder};
	figure->paper = paper;
	if (!read_keys(r, root, "key", keys) || !read_head(r, root, figure) ||
	    !read_limits(r, root, quick, papers->quick, figure))
		return false;
	const struct tree_node *used = papers->quick ? quick : NULL;
	if (!read_items(r, root, used, &context, figure) ||
	    !read_all_series(r, root, used, &context, figure) ||
	    (metrics && !read_metrics(r, metrics, &figure->metric, &figure->metrics)) ||
	    (derived && !read_metrics(r, derived, &figure->derived, &figure->deriveds)))
		return false;
	if (!charts)
		return !*paper->name ||
		       read_fail_at(r, root, "the key 'charts' is missing; none: charts: []");
	return charts_read(r, charts, figure);
}

static void series_free(struct series *s)
{
	free(s->label);
	free(s->policy);
	free(s->machine);
	free(s->look);
	texts_free(&s->set);
	for (size_t i = 0; i < s->searches; i++)
		variable_free(&s->search[i]);
	for (size_t i = 0; i < s->founds; i++)
		free(s->found[i].variable);
	formula_free(s->best);
	free(s->left_out);
}

static void metrics_free(struct metric_def *metrics, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(metrics[i].name);
		formula_free(metrics[i].formula);
	}
	free(metrics);
}

void figure_free(struct figure *f)
{
	char *texts[] = {f->id,   f->file,    f->folder,  f->title,  f->where,
	                 f->note, f->machine, f->kernels, f->window, f->look};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		free(texts[i]);
	texts_free(&f->set);
	items_free(f->item, f->items);
	texts_free(&f->known_items);
	item_sets_free(f->sets, f->set_count);
	for (size_t i = 0; i < f->variables; i++)
		variable_free(&f->variable[i]);
	for (size_t i = 0; i < f->series_count; i++)
		series_free(&f->series[i]);
	free(f->series);
	metrics_free(f->metric, f->metrics);
	metrics_free(f->derived, f->deriveds);
	charts_free(f->chart, f->charts);
}
