/* The counter reference, from counters.def and metrics.def. */
#include "report/reference.h"

#include "report/table.h"
#include "stats/metrics.h"

static void print_table(FILE *out, const struct counter_info *infos, int count)
{
	static const struct table_column columns[] = {
	    {.title = "name", .align = TABLE_LEFT},
	    {.title = "unit", .align = TABLE_LEFT},
	    {.title = "Nsight Compute", .align = TABLE_LEFT},
	    {.title = "definition", .align = TABLE_LEFT},
	};
	struct table *table = table_new(columns, sizeof columns / sizeof *columns);
	for (int i = 0; i < count; i++) {
		table_add(table, "%s", infos[i].name);
		table_add(table, "%s", infos[i].unit);
		table_add(table, "%s", *infos[i].ncu ? infos[i].ncu : "-");
		table_add(table, "%s", infos[i].doc);
	}
	table_print(table, out, "");
	table_free(table);
}

void reference_print_counters(FILE *out)
{
	print_table(out, counter_infos, COUNTER_COUNT);
	fputc('\n', out);
	print_table(out, metric_infos, METRIC_COUNT);
}

/* A bar would end the cell. */
static void write_cell(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '|')
			fputc('\\', out);
		fputc(*text, out);
	}
}

static void write_table(FILE *out, const struct counter_info *infos, int count)
{
	fputs("| name | unit | definition | Nsight Compute |\n|---|---|---|---|\n", out);
	for (int i = 0; i < count; i++) {
		fprintf(out, "| `%s` | ", infos[i].name);
		write_cell(out, infos[i].unit);
		fputs(" | ", out);
		write_cell(out, infos[i].doc);
		fputs(" | ", out);
		if (*infos[i].ncu)
			fprintf(out, "`%s`", infos[i].ncu);
		fputs(" |\n", out);
	}
}

void reference_write_counters(FILE *out)
{
	fputs(
	    "# Counters\n"
	    "\n"
	    "Made by `sluice counters --markdown` from `src/stats/counters.def` and `src/stats/metrics.def`; "
	    "edit those.\n"
	    "\n"
	    "Every launch gives each counter once, summed over SMs, slices and channels; a run's total is "
	    "the sum\n"
	    "over its launches. Where Nsight Compute counts the same, its name is given next to ours, and\n"
	    "`sluice validate` compares the two. `issue_cycles` and the `stall_` counters sum to "
	    "`sm_cycles`.\n"
	    "\n",
	    out);
	write_table(out, counter_infos, COUNTER_COUNT);
	fputs("\n# Metrics\n\nDerived from the counters of a launch or of a whole run.\n\n", out);
	write_table(out, metric_infos, METRIC_COUNT);
}
