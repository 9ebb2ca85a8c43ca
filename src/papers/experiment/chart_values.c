/* Charts as numbers: a column per workload, set or value of a variable; time series; matrices. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "papers/experiment/chart_values.h"
#include "report/run_json.h"
#include "run/look_reports.h"

struct drawing {
	struct value_scope *scope;
	const struct figure *figure;
	const struct chart *chart;
	struct scratch scratch;
	struct error *err;
};

/* ---- aggregates ------------------------------------------------------------------------------------------- */

static double mean_of(const char *kind, const double *v, size_t n)
{
	double s = 0;
	for (size_t i = 0; i < n; i++)
		s += !strcmp(kind, "mean")      ? v[i]
		     : v[i] <= 0 || isnan(v[i]) ? NAN
		     : !strcmp(kind, "hmean")   ? 1 / v[i]
		                                : log(v[i]);
	s /= (double)n;
	return !n ? NAN : !strcmp(kind, "mean") ? s : !strcmp(kind, "hmean") ? 1 / s : exp(s);
}

/* Return whether the chart shows a workload: `workloads` names it or one of its sets, or there is no such list. */
static bool is_drawn(const struct drawing *d, const struct axis *axis, const char *label)
{
	const struct texts *only = &d->chart->workloads;
	if (!only->count)
		return true;
	for (size_t i = 0; i < only->count; i++) {
		const struct label_set *set = axis_set(axis, only->text[i]);
		if (!strcmp(only->text[i], label) || (set && label_set_has(set, label)))
			return true;
	}
	return false;
}

static const char *class_of(const struct figure *f, size_t item)
{
	const struct workload_published *row = f->item[item].published;
	return row && row->class ? row->class : NULL;
}

/* ---- values ----------------------------------------------------------------------------------------------- */

static double ratio(double value, double over)
{
	return over == 0 ? NAN : value / over;
}

static double reduction(double value, double over)
{
	return 100 * (1 - ratio(value, over));
}

/* Evaluate a part, divided by the series `over` if there is one. */
static bool part_values(struct drawing *d, const struct chart_part *part, struct array *out)
{
	const struct chart *c = d->chart;
	struct array all, over;
	if (!values_evaluate(d->scope, part->y, &d->scratch, &all, d->err))
		return false;
	*out = all;
	if (!c->over)
		return true;
	int axis = array_axis(&all, "series");
	if (axis < 0)
		return formula_fail(part->y, part->y->root, d->err, "'over' needs a value of every series");
	bool *mask = scratch_new(&d->scratch, all.axis[axis]->count, sizeof *mask);
	for (size_t i = 0; i < all.axis[axis]->count; i++)
		mask[i] = !strcmp(all.axis[axis]->label[i], c->over);
	array_select(&d->scratch, &all, axis, mask, true, &over);
	return array_combine(&d->scratch, c->reduction ? reduction : ratio, &all, &over, out, d->err);
}

/* Return the number at [series][variables at their first value, except `x`][item]. */
static double value_at(const struct array *a, const char *series, const char *x, const char *x_value,
                       const char *item)
{
	size_t at = 0;
	for (size_t i = 0; i < a->axes; i++) {
		const struct axis *axis = a->axis[i];
		const char *want = !strcmp(axis->name, "series")     ? series
		                   : !strcmp(axis->name, "workload") ? item
		                   : !strcmp(axis->name, x)          ? x_value
		                                                     : NULL;
		size_t k = 0;
		while (want && axis->label && k < axis->count && strcmp(axis->label[k], want))
			k++;
		if (k >= axis->count)
			return NAN;
		at = at * axis->count + k;
	}
	return a->data[at];
}

static json_t *published_of(const struct chart *c, const char *series, const char *x)
{
	for (size_t i = 0; i < c->published_count; i++)
		if (!strcmp(c->published[i].series, series) && !strcmp(c->published[i].x, x))
			return json_number(c->published[i].value);
	return json_null();
}

/* ---- columns of a chart ----------------------------------------------------------------------------------- */

/* Return the values of one line of the chart in all columns. */
static json_t *row_json(struct drawing *d, const struct array *a, const char *series, const char *label)
{
	const struct chart *c = d->chart;
	const struct axis *items = values_item_axis(d->figure, &d->scratch);
	json_t *values = json_array(), *published = json_array();
	double *v = scratch_new(&d->scratch, items->count, sizeof *v);
	if (!strcmp(c->x, "workload")) {
		for (size_t i = 0; i < items->count; i++) {
			if (!is_drawn(d, items, items->label[i]))
				continue;
			json_array_append_new(values,
			                      json_number(value_at(a, series, "", NULL, items->label[i])));
			json_array_append_new(published, published_of(c, label, items->label[i]));
		}
		for (size_t m = 0; m < c->means.count; m++) {
			const struct label_set *set = axis_set(items, c->means.text[m]);
			size_t n = 0;
			for (size_t i = 0; i < items->count; i++)
				if (label_set_has(set, items->label[i]) &&
				    is_drawn(d, items, items->label[i]))
					v[n++] = value_at(a, series, "", NULL, items->label[i]);
			json_array_append_new(values, json_number(mean_of(c->mean, v, n)));
			json_array_append_new(published, published_of(c, label, c->means.text[m]));
		}
	} else {
		int axis = array_axis(a, c->x);
		for (size_t k = 0; axis >= 0 && k < a->axis[axis]->count; k++) {
			const char *x = a->axis[axis]->label[k];
			bool per_item = array_axis(a, "workload") >= 0;
			size_t n = 0;
			for (size_t i = 0; i < (per_item ? items->count : 1); i++)
				if (!per_item || is_drawn(d, items, items->label[i]))
					v[n++] = value_at(a, series, c->x, x, items->label[i]);
			json_array_append_new(values, json_number(per_item ? mean_of(c->mean, v, n) : v[0]));
			json_array_append_new(published, published_of(c, label, x));
		}
	}
	return json_pack("{s:o, s:o, s:o}", "label", json_text(label), "values", values, "published",
	                 published);
}

static void add_columns(struct drawing *d, json_t *object)
{
	const struct chart *c = d->chart;
	const struct figure *f = d->figure;
	const struct axis *items = values_item_axis(f, &d->scratch);
	json_t *x = json_array(), *groups = json_array(), *group = NULL;
	const char *last = NULL;
	size_t drawn = 0;
	for (size_t i = 0; !strcmp(c->x, "workload") && i < items->count; i++) {
		if (!is_drawn(d, items, items->label[i]))
			continue;
		const char *class = class_of(f, i);
		json_array_append_new(x, json_text(items->label[i]));
		if (class && (!last || strcmp(last, class))) {
			group = json_pack("{s:s, s:I, s:i}", "label", class, "from", (json_int_t)drawn,
			                  "count", 0);
			json_array_append_new(groups, group);
		}
		if (class)
			json_object_set_new(
			    group, "count",
			    json_integer(json_integer_value(json_object_get(group, "count")) + 1));
		last = class;
		drawn++;
	}
	for (size_t v = 0; strcmp(c->x, "workload") && v < f->variables; v++)
		for (size_t k = 0; !strcmp(f->variable[v].name, c->x) && k < f->variable[v].values.count;
		     k++) {
			const char *text = f->variable[v].values.text[k];
			char *end;
			double number = strtod(text, &end);
			json_array_append_new(x, *end ? json_text(text) : json_real(number));
		}
	for (size_t m = 0; !strcmp(c->x, "workload") && m < c->means.count; m++)
		json_array_append_new(x, json_text(c->means.text[m]));
	json_object_set_new(object, "x_is_number", json_boolean(json_is_real(json_array_get(x, 0))));
	json_object_set_new(object, "means_from",
	                    c->means.count && !strcmp(c->x, "workload") ? json_integer((json_int_t)drawn)
	                                                                : json_null());
	json_object_set_new(object, "x", x);
	json_object_set_new(object, "groups", groups);
	json_object_set_new(object, "mean", json_string(c->mean));
}

/* ---- the head of a chart ---------------------------------------------------------------------------------- */

static json_t *head(const struct drawing *d, const char *y_title)
{
	const struct chart *c = d->chart;
	char title[256];
	if (c->y_title)
		snprintf(title, sizeof title, "%s", c->y_title);
	else if (c->over && !*y_title)
		snprintf(title, sizeof title, "over %s", c->over);
	else if (c->over)
		snprintf(title, sizeof title, c->reduction ? "reduction of %s over %s, %%" : "%s / %s",
		         y_title, c->over);
	else
		snprintf(title, sizeof title, "%s", y_title);
	json_t *object = json_object();
	json_object_set_new(object, "kind", json_string(chart_kinds[c->kind]));
	json_object_set_new(object, "title", json_text(c->title ? c->title : d->figure->title));
	json_object_set_new(object, "x_title", json_text(!strcmp(c->x, "workload") ? "" : c->x));
	json_object_set_new(object, "y_title", json_text(title));
	json_object_set_new(object, "unit",
	                    json_text(c->unit   ? c->unit
	                              : c->over ? (c->reduction ? "%" : "")
	                                        : run_unit(y_title)));
	json_object_set_new(object, "log", json_boolean(c->log));
	json_object_set_new(object, "baseline", c->over && !c->reduction ? json_integer(1) : json_null());
	return object;
}

/* In an experiment of the user's own, the series that others are divided by is the line at 1, and no series. */
static bool is_chosen(const struct drawing *d, const char *label)
{
	const struct chart *c = d->chart;
	if (c->series.count)
		return texts_has(&c->series, label);
	return *d->figure->paper->name || !c->over || d->figure->series_count < 2 || strcmp(c->over, label);
}

/* Bars and lines: a series of the chart per series of the figure. */
static bool draw_series(struct drawing *d, json_t *charts)
{
	struct array a;
	if (!part_values(d, &d->chart->part[0], &a))
		return false;
	json_t *object = head(d, d->chart->part[0].text), *series = json_array();
	add_columns(d, object);
	if (array_axis(&a, "series") < 0) /* a formula that picks series itself */
		json_array_append_new(
		    series, row_json(d, &a, NULL,
		                     d->chart->part[0].label ? d->chart->part[0].label : d->figure->title));
	for (size_t i = 0; array_axis(&a, "series") >= 0 && i < d->figure->series_count; i++)
		if (is_chosen(d, d->figure->series[i].label))
			json_array_append_new(
			    series, row_json(d, &a, d->figure->series[i].label, d->figure->series[i].label));
	json_object_set_new(object, "series", series);
	json_array_append_new(charts, object);
	return true;
}

/* Several y: a series of the chart per part, and a chart per series of the figure unless the parts pick one. */
static bool draw_parts(struct drawing *d, json_t *charts)
{
	const struct chart *c = d->chart;
	const struct figure *f = d->figure;
	struct array *a = scratch_new(&d->scratch, c->parts, sizeof *a);
	bool by_series = false;
	for (size_t k = 0; k < c->parts; k++) {
		if (!part_values(d, &c->part[k], &a[k]))
			return false;
		by_series |= array_axis(&a[k], "series") >= 0;
	}
	for (size_t i = 0; i < (by_series ? f->series_count : 1); i++) {
		if (by_series && !is_chosen(d, f->series[i].label))
			continue;
		/* The parts name themselves. */
		json_t *object = head(d, ""), *rows = json_array();
		add_columns(d, object);
		for (size_t k = 0; k < c->parts; k++)
			json_array_append_new(
			    rows, row_json(d, &a[k], by_series ? f->series[i].label : NULL,
			                   c->part[k].label ? c->part[k].label : c->part[k].text));
		json_object_set_new(object, "series", rows);
		json_object_set_new(object, "stack", json_boolean(c->kind == CHART_STACKED));
		json_object_set_new(object, "of", by_series ? json_text(f->series[i].label) : json_null());
		json_array_append_new(charts, object);
	}
	return true;
}

/* ---- time series and matrices ----------------------------------------------------------------------------- */

/* "ipc, instructions/cycle" */
static const char *field_title(const char *name, char title[96])
{
	const struct look_field *f = look_series_fields;
	while (f->name && strcmp(f->name, name))
		f++;
	snprintf(title, 96, f->name ? "%s, %s" : "%s", name, f->name ? f->unit : "");
	return title;
}

/* Return x and values of one run, its launches one after another. */
static json_t *time_json(const struct run_values *run, const char *field, bool by_insns)
{
	json_t *xs = json_array(), *values = json_array(), *launch;
	double base = 0, insns = 0;
	size_t i;
	json_array_foreach(json_object_get(run->detail, "launches"), i, launch)
	{
		const json_t *s = json_object_get(json_object_get(launch, "look"), "series");
		const json_t *cycle = json_object_get(s, "cycle"), *ipc = json_object_get(s, "thread_ipc"),
		             *value = json_object_get(s, field);
		double before = 0;
		for (size_t k = 0; k < json_array_size(cycle); k++) {
			double end = json_number_value(json_array_get(cycle, k));
			insns += json_number_value(json_array_get(ipc, k)) * (end - before);
			before = end;
			json_array_append_new(xs, json_real(by_insns ? insns : base + end));
			json_array_append(values, json_array_get(value, k));
		}
		base += before;
	}
	return json_pack("{s:o, s:o}", "x", xs, "values", values);
}

/* Call `add` for the run of every series and workload that the chart shows. */
static void each_run(struct drawing *d,
                     void (*add)(struct drawing *d, const struct run_values *run, const char *series,
                                 const char *item, void *user),
                     void *user)
{
	const struct figure *f = d->figure;
	const struct axis *items = values_item_axis(f, &d->scratch);
	for (size_t i = 0; d->scope->cells && i < f->items; i++) {
		if (!is_drawn(d, items, f->item[i].label))
			continue;
		for (size_t s = 0; s < f->series_count; s++) {
			struct run_values run;
			const char *message;
			if (is_chosen(d, f->series[s].label) &&
			    d->scope->cells->run(d->scope->cells->user, f, s, 0, i, true, &run, &message))
				add(d, &run, f->series[s].label, f->item[i].label, user);
		}
	}
}

struct time_panel {
	const char *field;
	json_t *series;
};

static void add_time(struct drawing *d, const struct run_values *run, const char *series, const char *item,
                     void *user)
{
	struct time_panel *panel = user;
	char label[200];
	json_t *line = time_json(run, panel->field, !strcmp(d->chart->x, "instructions"));
	snprintf(label, sizeof label, "%s, %s", series, item);
	json_object_set_new(line, "label", json_text(label));
	json_object_set_new(line, "series", json_text(series));
	json_object_set_new(line, "workload", json_text(item));
	json_array_append_new(panel->series, line);
}

static void draw_time(struct drawing *d, json_t *charts)
{
	char title[96];
	json_t *object = head(d, ""), *panels = json_array();
	json_object_set_new(
	    object, "x_title",
	    json_string(!strcmp(d->chart->x, "instructions") ? "thread instructions" : "cycles"));
	for (size_t k = 0; k < d->chart->parts; k++) {
		struct time_panel panel = {.field = d->chart->part[k].text, .series = json_array()};
		each_run(d, add_time, &panel);
		json_array_append_new(panels,
		                      json_pack("{s:s, s:s, s:o}", "field", panel.field, "y_title",
		                                d->chart->part[k].label ? d->chart->part[k].label
		                                                        : field_title(panel.field, title),
		                                "series", panel.series));
	}
	json_object_set_new(object, "panels", panels);
	json_array_append_new(charts, object);
}

static void add_heat(struct drawing *d, const struct run_values *run, const char *series, const char *item,
                     void *user)
{
	struct formula *formula = formula_parse(d->chart->part[0].text, "", 0, 0, d->err);
	const struct formula_scope scope = run_scope(run);
	struct array m;
	struct error ignored;
	char label[200];
	if (!formula || !formula_evaluate(formula, &scope, &d->scratch, &m, &ignored) || m.axes != 2) {
		formula_free(formula);
		return;
	}
	size_t n = m.axis[0]->count;
	json_t *rows = json_array();
	for (size_t r = 0; r < n; r++) {
		if (d->chart->row >= 0 && r != (size_t)d->chart->row)
			continue;
		json_t *row = json_array();
		for (size_t c = 0; c < n; c++)
			json_array_append_new(row, json_number(m.data[r * n + c]));
		json_array_append_new(rows, row);
	}
	snprintf(label, sizeof label, "%s, %s", series, item);
	json_array_append_new(user, json_pack("{s:o, s:s, s:s, s:I, s:I, s:o}", "label", json_text(label),
	                                      "x_title", "interfering warp", "y_title", "interfered warp",
	                                      "rows", (json_int_t)json_array_size(rows), "columns",
	                                      (json_int_t)n, "values", rows));
	formula_free(formula);
}

json_t *chart_values(struct value_scope *scope, const struct figure *figure, const struct chart *chart,
                     struct error *err)
{
	struct drawing d = {.scope = scope, .figure = figure, .chart = chart, .err = err};
	json_t *charts = json_array();
	bool ok = true;
	if (chart->kind == CHART_TIME) {
		draw_time(&d, charts);
	} else if (chart->kind == CHART_HEAT) {
		json_t *object = head(&d, ""), *panels = json_array();
		each_run(&d, add_heat, panels);
		json_object_set_new(object, "panels", panels);
		json_array_append_new(charts, object);
	} else {
		ok = chart->parts == 1 && chart->kind != CHART_STACKED && chart->kind != CHART_TABLE
		         ? draw_series(&d, charts)
		         : draw_parts(&d, charts);
	}
	scratch_free(&d.scratch);
	if (ok)
		return charts;
	json_decref(charts);
	return NULL;
}
