/* Reading the charts of a figure. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "papers/experiment/paper.h"

const char *const chart_kinds[CHART_KINDS] = {
    [CHART_BARS] = "bars", [CHART_STACKED] = "stacked", [CHART_LINES] = "lines",
    [CHART_TIME] = "time", [CHART_HEAT] = "heat",       [CHART_TABLE] = "table"};

/* Read a formula, or a field of a time series or matrix, which check.c checks. */
static bool add_part(const struct reader *r, const struct tree_node *y, const struct tree_node *label,
                     struct chart *chart)
{
	chart->part = memory_grow(chart->part, chart->parts + 1, sizeof *chart->part);
	struct chart_part *part = &chart->part[chart->parts++];
	*part = (struct chart_part){0};
	if (label && !read_text(r, label, &part->label))
		return false;
	return read_formula(r, y, &part->y) && read_text(r, y, &part->text);
}

/* y: FORMULA, or [{label, y}], or for time series a list of fields. */
static bool read_parts(const struct reader *r, const struct tree_node *node, struct chart *chart)
{
	static const char *const keys[] = {"label", "y", NULL};
	if (node->kind == TREE_SCALAR)
		return add_part(r, node, NULL, chart);
	if (node->kind != TREE_LIST || !node->first)
		return read_fail(r, node, "a formula or a list of {label, y}");
	for (const struct tree_node *entry = node->first; entry; entry = entry->next) {
		if (entry->kind == TREE_SCALAR) {
			if (!add_part(r, entry, NULL, chart))
				return false;
			continue;
		}
		if (!read_keys(r, entry, "key of a part", keys))
			return false;
		const struct tree_node *label = tree_find(entry, "label"), *y = tree_find(entry, "y");
		if (!label || !y)
			return read_fail_at(r, entry, "a part has a label and a y");
		if (!add_part(r, y, label, chart))
			return false;
	}
	return true;
}

/* published: {SERIES: {X: value}} */
static bool read_published(const struct reader *r, const struct tree_node *map, struct chart *chart)
{
	if (map->kind != TREE_MAP)
		return read_fail(r, map, "{series: {x: value}}");
	for (const struct tree_node *series = map->first; series; series = series->next) {
		if (series->kind != TREE_MAP)
			return read_fail(r, series, "{x: value}");
		for (const struct tree_node *x = series->first; x; x = x->next) {
			chart->published = memory_grow(chart->published, chart->published_count + 1,
			                               sizeof *chart->published);
			struct chart_published *to = &chart->published[chart->published_count++];
			*to = (struct chart_published){.series = memory_text(series->name),
			                               .x = memory_text(x->name)};
			if (!read_number(r, x, &to->value))
				return false;
		}
	}
	return true;
}

static bool read_looks(const struct reader *r, const struct tree_node *map, struct chart *chart)
{
	static const char *const means[] = {"geomean", "hmean", "mean"};
	const struct tree_node *mean = tree_find(map, "mean"), *log = tree_find(map, "log"),
	                       *reduction = tree_find(map, "reduction"), *row = tree_find(map, "row");
	size_t choice = 0;
	double number;
	chart->row = -1;
	if ((mean && !read_choice(r, mean, means, 3, &choice)) ||
	    (log && !read_yes_no(r, log, &chart->log)) ||
	    (reduction && !read_yes_no(r, reduction, &chart->reduction)) ||
	    (row && !read_number(r, row, &number)))
		return false;
	chart->mean = memory_text(means[choice]);
	if (row && !(number >= 0 && number <= INT16_MAX && number == (int)number))
		return read_fail(r, row, "a warp's number");
	if (row)
		chart->row = (int)number;
	return true;
}

static bool check_labels(const struct reader *r, const struct tree_node *node, const struct figure *f,
                         const struct texts *labels)
{
	for (size_t i = 0; i < labels->count; i++)
		if (figure_series(f, labels->text[i]) == SIZE_MAX)
			return read_fail_at(r, node, "no series '%s'", labels->text[i]);
	return true;
}

/* check.c checks `workloads` and `means`: both may name sets. */
static bool read_selection(const struct reader *r, const struct tree_node *map, const struct figure *f,
                           struct chart *chart)
{
	const struct tree_node *series = tree_find(map, "series"), *workloads = tree_find(map, "workloads"),
	                       *means = tree_find(map, "means"), *over = tree_find(map, "over");
	if ((series && !read_texts(r, series, &chart->series)) ||
	    (workloads && !read_texts(r, workloads, &chart->workloads)) ||
	    (means && !read_texts(r, means, &chart->means)))
		return false;
	if (series && !check_labels(r, series, f, &chart->series))
		return false;
	if (!read_text_key(r, map, "over", false, &chart->over))
		return false;
	if (chart->over && figure_series(f, chart->over) == SIZE_MAX)
		return read_fail_at(r, over, "no series '%s'", chart->over);
	if (chart->reduction && !chart->over)
		return read_fail_at(r, map, "a reduction needs 'over'");
	return true;
}

static bool read_axis(const struct reader *r, const struct tree_node *map, const struct figure *f,
                      struct chart *chart)
{
	const struct tree_node *x = tree_find(map, "x");
	if (!read_text_key(r, map, "x", false, &chart->x))
		return false;
	if (!chart->x) {
		chart->x = memory_text(chart->kind == CHART_TIME ? "instructions" : "workload");
		return true;
	}
	if (chart->kind == CHART_TIME)
		return !strcmp(chart->x, "instructions") || !strcmp(chart->x, "cycles") ||
		       read_fail(r, x, "instructions or cycles");
	if (!strcmp(chart->x, "workload"))
		return true;
	for (size_t i = 0; i < f->variables; i++)
		if (!strcmp(f->variable[i].name, chart->x))
			return true;
	return read_fail(r, x, "workload or a variable of sweep");
}

static bool read_chart(const struct reader *r, const struct tree_node *map, struct figure *f,
                       struct chart *chart)
{
	static const char *const keys[] = {"kind",   "title",     "y",    "y_title", "unit",      "x",
	                                   "series", "workloads", "over", "mean",    "reduction", "means",
	                                   "log",    "published", "row",  NULL};
	const struct tree_node *kind = tree_find(map, "kind"), *y = tree_find(map, "y"),
	                       *published = tree_find(map, "published");
	size_t choice;
	if (!read_keys(r, map, "key of a chart", keys))
		return false;
	if (!kind || !y)
		return read_fail_at(r, map, "a chart has a kind and a y");
	if (!read_choice(r, kind, chart_kinds, CHART_KINDS, &choice))
		return false;
	chart->kind = (enum chart_kind)choice;
	return read_parts(r, y, chart) && read_text_key(r, map, "title", false, &chart->title) &&
	       read_text_key(r, map, "y_title", false, &chart->y_title) &&
	       read_text_key(r, map, "unit", false, &chart->unit) && read_looks(r, map, chart) &&
	       read_axis(r, map, f, chart) && read_selection(r, map, f, chart) &&
	       (!published || read_published(r, published, chart));
}

bool charts_read(const struct reader *r, const struct tree_node *node, struct figure *figure)
{
	if (node->kind != TREE_LIST)
		return read_fail(r, node, "a list of charts");
	for (const struct tree_node *entry = node->first; entry; entry = entry->next) {
		figure->chart = memory_grow(figure->chart, figure->charts + 1, sizeof *figure->chart);
		figure->chart[figure->charts] = (struct chart){.row = -1};
		if (!read_chart(r, entry, figure, &figure->chart[figure->charts++]))
			return false;
	}
	return true;
}

void charts_free(struct chart *charts, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct chart *c = &charts[i];
		char *texts[] = {c->title, c->y_title, c->unit, c->x, c->over, c->mean};
		for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
			free(texts[k]);
		for (size_t k = 0; k < c->parts; k++) {
			free(c->part[k].label);
			free(c->part[k].text);
			formula_free(c->part[k].y);
		}
		free(c->part);
		texts_free(&c->series);
		texts_free(&c->workloads);
		texts_free(&c->means);
		for (size_t k = 0; k < c->published_count; k++) {
			free(c->published[k].series);
			free(c->published[k].x);
		}
		free(c->published);
	}
	free(charts);
}
