/* The report on a terminal. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "papers/report/parts.h"
#include "report/table.h"

/* ---- charts as tables ------------------------------------------------------------------------------------- */

/* Print a row per column of the chart and a column per series, followed by one of its published values. */
static void print_chart(FILE *out, const json_t *chart)
{
	struct table_column columns[TABLE_MAX_COLUMNS] = {{"", TABLE_LEFT, 0}};
	const json_t *series = json_object_get(chart, "series"), *x = json_object_get(chart, "x"), *one;
	bool published[TABLE_MAX_COLUMNS] = {false};
	size_t count = 1, i, drawn = 0;
	char label[128];
	json_array_foreach(series, i, one)
	{
		bool any = has_published(one);
		if (count + 1 + any > TABLE_MAX_COLUMNS)
			break;
		published[i] = any;
		columns[count++] = (struct table_column){text_at(one, "label"), TABLE_RIGHT, 16};
		if (any)
			columns[count++] = (struct table_column){"published", TABLE_RIGHT, 0};
		drawn = i + 1;
	}
	struct table *table = table_new(columns, count);
	for (size_t r = 0; r < json_array_size(x); r++) {
		table_add(table, "%s", x_text(json_array_get(x, r), label, sizeof label));
		for (i = 0; i < drawn; i++) {
			one = json_array_get(series, i);
			table_add_real(table, number_at(json_object_get(one, "values"), r), 3);
			if (published[i])
				table_add_real(table, number_at(json_object_get(one, "published"), r), 3);
		}
	}
	fprintf(out, "  %s%s%s%s%s\n", text_at(chart, "y_title"), *text_at(chart, "unit") ? ", " : "",
	        text_at(chart, "unit"), *text_at(chart, "of") ? ", " : "", text_at(chart, "of"));
	table_print(table, out, "    ");
	if (drawn < json_array_size(series))
		fprintf(out, "    (%zu more series: --csv or --json)\n", json_array_size(series) - drawn);
	table_free(table);
}

static void print_panels(FILE *out, const json_t *chart)
{
	const json_t *panels = json_object_get(chart, "panels"), *panel, *line;
	size_t i, k;
	json_array_foreach(panels, i, panel)
	{
		const json_t *series = json_object_get(panel, "series");
		fprintf(out, "  %s: %s\n", text_at(chart, "kind"),
		        *text_at(panel, "y_title") ? text_at(panel, "y_title") : text_at(panel, "label"));
		json_array_foreach(series, k, line)
		    fprintf(out, "    %s: %zu points\n", text_at(line, "label"),
		            json_array_size(json_object_get(line, "values")));
	}
}

static void print_figure(FILE *out, const json_t *paper, const json_t *figure)
{
	const json_t *charts = json_object_get(figure, "charts"), *chart, *failure;
	const json_t *failed = json_object_get(json_object_get(figure, "runs"), "failed");
	size_t i;
	fprintf(out, "\n%s%s%s  %s%s%s%s\n", text_at(paper, "name"), *text_at(paper, "name") ? "/" : "",
	        text_at(figure, "id"), text_at(figure, "title"), *text_at(figure, "where") ? " (" : "",
	        text_at(figure, "where"), *text_at(figure, "where") ? ")" : "");
	json_array_foreach(charts, i, chart)
	{
		if (json_object_get(chart, "panels"))
			print_panels(out, chart);
		else
			print_chart(out, chart);
	}
	json_array_foreach(failed, i, failure) if (i < 5)
	    fprintf(out, "  missing: %s %s\n", text_at(failure, "message"), text_at(failure, "point"));
	if (json_array_size(failed) > 5)
		fprintf(out, "  missing: %zu more\n", json_array_size(failed) - 5);
}

/* ---- claims ----------------------------------------------------------------------------------------------- */

/* Append "at least +54% or +60%"; nothing for an order. */
static void add_published(const json_t *part, char *text, size_t size)
{
	const json_t *value;
	const char *bound = text_at(part, "bound");
	size_t i, n = strlen(text);
	snprintf(text + n, size - n, "%s%s%s", *bound ? "at " : "", bound, *bound ? " " : "");
	json_array_foreach(json_object_get(part, "published"), i, value)
	{
		n = strlen(text);
		snprintf(text + n, size - n, "%s%s", i ? " or " : "", text_at(value, "text"));
	}
}

void claim_texts(const json_t *claim, char *published, char *measured, size_t size)
{
	const json_t *part;
	size_t k;
	*published = *measured = '\0';
	json_array_foreach(json_object_get(claim, "parts"), k, part)
	{
		size_t n = strlen(published), m = strlen(measured);
		snprintf(measured + m, size - m, "%s%s", k ? "; " : "", text_at(part, "measured_text"));
		snprintf(published + n, size - n, "%s", k ? "; " : "");
		add_published(part, published, size);
		n = strlen(published);
		if (!json_array_size(json_object_get(part, "published")))
			snprintf(published + n, size - n, "true");
	}
}

static void print_claims(FILE *out, const json_t *claims)
{
	static const struct table_column columns[] = {
	    {"claim", TABLE_LEFT, 0},     {"verdict", TABLE_LEFT, 0}, {"published", TABLE_RIGHT, 20},
	    {"measured", TABLE_RIGHT, 0}, {"flag", TABLE_LEFT, 0},    {"says", TABLE_LEFT, 72}};
	struct table *table = table_new(columns, sizeof columns / sizeof *columns);
	const json_t *claim, *part;
	size_t i, k;
	char published[128];
	json_array_foreach(claims, i, claim)
	{
		const json_t *parts = json_object_get(claim, "parts");
		size_t rows = json_array_size(parts);
		for (k = 0; k < (rows ? rows : 1); k++) {
			part = json_array_get(parts, k);
			*published = '\0';
			add_published(part, published, sizeof published);
			table_add(table, "%s", k ? "" : text_at(claim, "id"));
			table_add(table, "%s", text_at(rows > 1 ? part : claim, "verdict"));
			table_add(table, "%s", published);
			table_add(table, "%s", text_at(part, "measured_text"));
			table_add(table, "%s", k ? "" : text_at(claim, "flag"));
			const char *reason = text_at(claim, "reason");
			table_add(table, "%s",
			          k                  ? ""
			          : rows && !*reason ? text_at(claim, "says")
			          : *reason          ? reason
			                             : text_at(claim, "says"));
		}
	}
	fputc('\n', out);
	table_print(table, out, "");
	table_free(table);
}

/* ---- the scoreboard --------------------------------------------------------------------------------------- */

static void print_score(struct table *table, const char *name, const json_t *score)
{
	static const char *const keys[] = {"claims",         "met", "direction", "opposite",
	                                   "not_measurable", "open"};
	table_add(table, "%s", name);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		table_add(table, "%lld", (long long)json_integer_value(json_object_get(score, keys[i])));
}

static void print_board(FILE *out, const json_t *board)
{
	static const struct table_column columns[] = {
	    {"paper", TABLE_LEFT, 0},      {"claims", TABLE_RIGHT, 0},   {"met", TABLE_RIGHT, 0},
	    {"direction", TABLE_RIGHT, 0}, {"opposite", TABLE_RIGHT, 0}, {"not measurable", TABLE_RIGHT, 0},
	    {"open", TABLE_RIGHT, 0}};
	struct table *table = table_new(columns, sizeof columns / sizeof *columns);
	const char *name;
	json_t *score;
	json_object_foreach(json_object_get(board, "papers"), name, score)
	    print_score(table, *name ? name : "own", score);
	print_score(table, "all", json_object_get(board, "total"));
	fputc('\n', out);
	table_print(table, out, "");
	table_free(table);
}

void reproduction_print(FILE *out, const json_t *report, bool verbose)
{
	const json_t *papers = json_object_get(report, "papers"), *paper, *figure;
	const json_t *board = json_object_get(report, "scoreboard"), *runs = json_object_get(report, "runs");
	size_t i, k;
	json_array_foreach(papers, i, paper)
	{
		if (verbose)
			json_array_foreach(json_object_get(paper, "figures"), k, figure)
			    print_figure(out, paper, figure);
		if (json_array_size(json_object_get(paper, "claims")))
			print_claims(out, json_object_get(paper, "claims"));
	}
	if (json_integer_value(json_object_get(json_object_get(board, "total"), "claims")))
		print_board(out, board);
	fprintf(out, "\n%s, %lld runs: %lld found, %lld simulated, %lld failed, %.0f s\n",
	        strcmp(text_at(report, "mode"), "quick") ? "whole runs"
	                                                 : "cut runs (--quick): an indication, no result",
	        (long long)json_integer_value(json_object_get(runs, "planned")),
	        (long long)json_integer_value(json_object_get(runs, "found")),
	        (long long)json_integer_value(json_object_get(runs, "simulated")),
	        (long long)json_integer_value(json_object_get(runs, "failed")),
	        json_number_value(json_object_get(runs, "seconds")));
}
