/* The values of charts as one table. */
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "papers/report/parts.h"
#include "report/table.h"

static void put_value(FILE *out, const json_t *value)
{
	fputc(',', out);
	if (json_is_string(value))
		table_put_csv(out, json_string_value(value));
	else if (json_is_number(value))
		fprintf(out, "%.10g", json_number_value(value));
}

struct place {
	const char *paper, *figure;
	size_t chart;
};

static void put_row(FILE *out, const struct place *place, const char *y, const char *series, const json_t *x,
                    const json_t *value, const json_t *published)
{
	table_put_csv(out, place->paper);
	fputc(',', out);
	table_put_csv(out, place->figure);
	fprintf(out, ",%zu,", place->chart);
	table_put_csv(out, y);
	fputc(',', out);
	table_put_csv(out, series);
	put_value(out, x);
	put_value(out, value);
	put_value(out, published);
	fputc('\n', out);
}

static void chart_csv(FILE *out, const struct place *place, const json_t *chart)
{
	const json_t *one, *panel, *value;
	size_t i, k, p;
	json_array_foreach(json_object_get(chart, "series"), i, one)
	{
		char label[256];
		snprintf(label, sizeof label, "%s%s%s", text_at(chart, "of"),
		         *text_at(chart, "of") ? ": " : "", text_at(one, "label"));
		json_array_foreach(json_object_get(one, "values"), k, value)
		    put_row(out, place, text_at(chart, "y_title"), label,
		            json_array_get(json_object_get(chart, "x"), k), value,
		            json_array_get(json_object_get(one, "published"), k));
	}
	json_array_foreach(json_object_get(chart, "panels"), p, panel)
	{
		json_array_foreach(json_object_get(panel, "series"), i, one)
		    json_array_foreach(json_object_get(one, "values"), k, value)
		        put_row(out, place, text_at(panel, "field"), text_at(one, "label"),
		                json_array_get(json_object_get(one, "x"), k), value, NULL);
		json_array_foreach(json_object_get(panel, "values"), i, one) json_array_foreach(one, k, value)
		{
			char row[32];
			json_t *column = json_integer((json_int_t)k);
			snprintf(row, sizeof row, "%zu", i);
			put_row(out, place, text_at(panel, "label"), row, column, value, NULL);
			json_decref(column);
		}
	}
}

/* What searches chose, as chart 0: x is the workload, with the values of the swept variables. */
static void found_csv(FILE *out, const char *paper, const json_t *figure)
{
	const struct place place = {paper, text_at(figure, "id"), 0};
	const json_t *one;
	size_t i;
	json_array_foreach(json_object_get(json_object_get(figure, "runs"), "found"), i, one)
	{
		char name[96], where[320];
		snprintf(name, sizeof name, "found.%s", text_at(one, "variable"));
		snprintf(where, sizeof where, "%s%s%s", text_at(one, "workload"),
		         *text_at(one, "point") ? " " : "", text_at(one, "point"));
		json_t *x = json_text(where);
		put_row(out, &place, name, text_at(one, "series"), x, json_object_get(one, "value"), NULL);
		json_decref(x);
	}
}

static void figure_csv(FILE *out, const char *paper, const json_t *figure)
{
	const json_t *chart;
	size_t c;
	json_array_foreach(json_object_get(figure, "charts"), c, chart)
	{
		const struct place place = {paper, text_at(figure, "id"), c + 1};
		chart_csv(out, &place, chart);
	}
	found_csv(out, paper, figure);
}

static const char CSV_HEAD[] = "paper,figure,chart,y,series,x,value,published\n";

char *figure_csv_text(const char *paper, const json_t *figure)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = memory_stream_open(&text, &bytes);
	fputs(CSV_HEAD, out);
	figure_csv(out, paper, figure);
	memory_stream_close(out);
	return text;
}

char *reproduction_csv(const json_t *report)
{
	char *text = NULL;
	size_t bytes, i, k;
	const json_t *paper, *figure;
	FILE *out = memory_stream_open(&text, &bytes);
	fputs(CSV_HEAD, out);
	json_array_foreach(json_object_get(report, "papers"), i, paper)
	    json_array_foreach(json_object_get(paper, "figures"), k, figure)
	        figure_csv(out, text_at(paper, "name"), figure);
	memory_stream_close(out);
	return text;
}
