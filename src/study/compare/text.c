/* A comparison for the terminal: one table, then bars. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/bars.h"
#include "report/table.h"
#include "study/compare/compare.h"

enum { LABEL_WIDTH = 32 };

/* As the column title says: megabytes, millijoules. */
static double scale(enum compare_value value, double number)
{
	return value == COMPARE_dram_bytes ? number * 1e-6 : value == COMPARE_energy ? number * 1e3 : number;
}

static bool is_any_unfinished(const struct compare_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(rows[i].status, run_status_name(LAUNCH_DONE)))
			return true;
	return false;
}

static void print_table(FILE *out, const struct compare_row *rows, size_t count)
{
	struct table_column columns[COMPARE_COUNT + 2] = {{"policy", TABLE_LEFT, LABEL_WIDTH}};
	bool with_status = is_any_unfinished(rows, count),
	     with_energy = compare_has(rows, count, COMPARE_energy);
	size_t n = 1;
	if (with_status)
		columns[n++] = (struct table_column){.title = "status", .align = TABLE_LEFT};
	for (int i = 0; i < COMPARE_COUNT; i++)
		if (i != COMPARE_energy || with_energy)
			columns[n++] = (struct table_column){.title = compare_infos[i].title};
	struct table *table = table_new(columns, n);
	for (size_t r = 0; r < count; r++) {
		table_add(table, "%s", rows[r].label);
		if (with_status)
			table_add(table, "%s", rows[r].status);
		for (int i = 0; i < COMPARE_COUNT; i++)
			if (i != COMPARE_energy || with_energy)
				table_add_real(table, scale((enum compare_value)i, rows[r].value[i]),
				               compare_infos[i].decimals);
	}
	table_print(table, out, "");
	table_free(table);
}

static void print_bars(FILE *out, const struct compare_row *rows, size_t count, enum compare_value value)
{
	struct bar *bars = memory_zeroed(count + 1, sizeof *bars);
	for (size_t i = 0; i < count; i++) {
		double number = scale(value, rows[i].value[value]);
		bars[i] = (struct bar){.label = rows[i].label, .value = number};
		snprintf(bars[i].text, sizeof bars[i].text, "%.*f", compare_infos[value].decimals, number);
	}
	bars_print(out, bars, count);
	free(bars);
}

void compare_print(FILE *out, const struct compare_facts *facts, const struct compare_row *rows, size_t count)
{
	fprintf(out, "%s on %s under %zu policies\n\n", facts->trace_name, facts->machine->name, count);
	print_table(out, rows, count);
	if (compare_has(rows, count, COMPARE_speedup)) {
		fprintf(out, "\nspeed-up over %s\n", rows[0].label);
		print_bars(out, rows, count, COMPARE_speedup);
	}
	if (compare_has(rows, count, COMPARE_l1_hit_rate)) {
		fputs("\nL1 hit rate, in percent\n", out);
		print_bars(out, rows, count, COMPARE_l1_hit_rate);
	}
}
