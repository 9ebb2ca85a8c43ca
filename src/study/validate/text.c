/* The tables of sluice validate. */
#include "study/validate/report.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/statistics.h"
#include "report/table.h"
#include "stats/metrics.h"

enum { KERNEL_WIDTH = 26 };

/* ---- launches -------------------------------------------------------------------------------------------
 */

static void add_signed(struct table *table, double value, int decimals)
{
	if (isnan(value))
		table_add(table, "-");
	else
		table_add(table, "%+.*f", decimals, value);
}

static void add_difference(struct table *table, const struct validation *v, size_t launch, int measure)
{
	double difference = measure < 0 ? NAN : validate_error(v, launch, (size_t)measure);
	if (difference == 0)
		table_add(table, "=");
	else
		add_signed(table, difference, 0);
}

/* Simulated value, hardware's, error: a value that was not compared has no hardware side. */
static void add_triple(struct table *table, const struct validation *v, size_t launch, int measure,
                       int decimals)
{
	double sim = NAN, hw = NAN, error = NAN;
	if (measure >= 0) {
		sim = v->launch[launch].sim[measure];
		hw = v->launch[launch].hw[measure];
		error = validate_error(v, launch, (size_t)measure);
	}
	table_add_real(table, sim, decimals);
	table_add_real(table, hw, decimals);
	add_signed(table, error, decimals > 1 ? decimals : 1);
}

static void add_launch(struct table *table, const struct validation *v, size_t i)
{
	const struct validate_launch *launch = &v->launch[i];
	table_add(table, "%s", v->programs.program[launch->program].name);
	table_add(table, "%u", launch->launch);
	table_add(table, "%s", launch->kernel);
	add_triple(table, v, i, validate_find_counter(v, COUNT_cycles), 0);
	add_difference(table, v, i, validate_find_counter(v, COUNT_warp_insns));
	add_difference(table, v, i, validate_find_counter(v, COUNT_l1_load_requests));
	add_difference(table, v, i, validate_find_counter(v, COUNT_l1_load_sectors));
	add_difference(table, v, i, validate_find_counter(v, COUNT_l1_store_requests));
	add_difference(table, v, i, validate_find_counter(v, COUNT_l1_store_sectors));
	add_triple(table, v, i, validate_find_metric(v, METRIC_l1_load_hit_rate), 2);
	add_triple(table, v, i, validate_find_counter(v, COUNT_l2_read_sectors), 0);
	add_triple(table, v, i, validate_find_counter(v, COUNT_dram_read_bytes), 0);
	table_add(table, "%s",
	          launch->status != LAUNCH_DONE ? run_status_name(launch->status)
	          : launch->compared            ? ""
	                                        : "no counters");
}

static void print_launches(FILE *out, const struct validation *v)
{
	static const struct table_column columns[] = {
	    {.title = "program", .align = TABLE_LEFT},
	    {.title = "launch"},
	    {.title = "kernel", .align = TABLE_LEFT, .max_width = KERNEL_WIDTH},
	    {.title = "cycles"},
	    {.title = "hardware"},
	    {.title = "error %"},
	    {.title = "insns"},
	    {.title = "ld req"},
	    {.title = "ld sec"},
	    {.title = "st req"},
	    {.title = "st sec"},
	    {.title = "L1 hit %"},
	    {.title = "hardware"},
	    {.title = "points"},
	    {.title = "L2 read sec"},
	    {.title = "hardware"},
	    {.title = "error %"},
	    {.title = "DRAM read B"},
	    {.title = "hardware"},
	    {.title = "error %"},
	    {.title = "", .align = TABLE_LEFT},
	};
	struct table *table = table_new(columns, sizeof columns / sizeof *columns);
	for (size_t i = 0; i < v->launches; i++)
		add_launch(table, v, i);
	table_print(table, out, "");
	table_free(table);
}

/* ---- summaries ------------------------------------------------------------------------------------------
 */

static void add_place(struct table *table, const struct validation *v, const struct agreement *a)
{
	const struct validate_launch *launch = &v->launch[a->worst_launch];
	if (a->n)
		table_add(table, "%s %u", v->programs.program[launch->program].name, launch->launch);
	else
		table_add(table, "-");
}

static void print_errors(FILE *out, const struct validation *v, enum validate_group group,
                         enum measure_kind kind)
{
	static const struct table_column columns[] = {
	    {.title = "counter", .align = TABLE_LEFT},
	    {.title = "n"},
	    {.title = "mean"},
	    {.title = "median"},
	    {.title = "P90"},
	    {.title = "worst"},
	    {.title = "in launch", .align = TABLE_LEFT},
	    {.title = "bias"},
	    {.title = "sum"},
	    {.title = "Pearson"},
	    {.title = "log Pearson"},
	};
	struct table *table = table_new(columns, sizeof columns / sizeof *columns);
	for (size_t m = 0; m < v->measures; m++) {
		if (v->measure[m].kind != kind)
			continue;
		struct agreement a = validate_agree(v, group, m);
		if (v->measure[m].over > 0)
			table_add(table, "%s over %.0f", v->measure[m].info->name, v->measure[m].over);
		else
			table_add(table, "%s", v->measure[m].info->name);
		table_add(table, "%zu", a.n);
		table_add_real(table, a.mean, 2);
		table_add_real(table, a.median, 2);
		table_add_real(table, a.p90, 2);
		add_signed(table, a.worst, 2);
		add_place(table, v, &a);
		add_signed(table, a.bias, 2);
		add_signed(table, kind == MEASURE_PERCENT ? a.total : NAN, 2);
		table_add_real(table, a.pearson, 4);
		table_add_real(table, kind == MEASURE_PERCENT ? a.log_pearson : NAN, 4);
	}
	fputs(kind == MEASURE_PERCENT ? "\n  absolute error in percent\n"
	                              : "\n  absolute difference in percentage points\n",
	      out);
	table_print(table, out, "    ");
	table_free(table);
}

static void print_exact(FILE *out, const struct validation *v, enum validate_group group)
{
	static const struct table_column columns[] = {
	    {.title = "counter", .align = TABLE_LEFT},
	    {.title = "launches"},
	    {.title = "equal"},
	    {.title = "largest difference"},
	    {.title = "in launch", .align = TABLE_LEFT},
	};
	struct table *table = table_new(columns, sizeof columns / sizeof *columns);
	for (size_t m = 0; m < v->measures; m++) {
		if (v->measure[m].kind != MEASURE_EXACT)
			continue;
		struct agreement a = validate_agree(v, group, m);
		table_add(table, "%s", v->measure[m].info->name);
		table_add(table, "%zu", a.n);
		table_add(table, "%zu", a.equal);
		if (a.equal == a.n) {
			table_add(table, "0");
			table_add(table, "-");
		} else {
			add_signed(table, a.worst, 0);
			add_place(table, v, &a);
		}
	}
	fputs("\n  equal to the hardware's\n", out);
	table_print(table, out, "    ");
	table_free(table);
}

static size_t count_compared(const struct validation *v, enum validate_group group)
{
	size_t n = 0;
	for (size_t i = 0; i < v->launches; i++)
		n += v->launch[i].compared && v->launch[i].group == group;
	return n;
}

static void print_group(FILE *out, const struct validation *v, enum validate_group group)
{
	size_t n = count_compared(v, group);
	if (!n)
		return;
	fprintf(out, "\n%s: %zu launches\n", validate_group_name(group), n);
	print_errors(out, v, group, MEASURE_PERCENT);
	print_errors(out, v, group, MEASURE_POINTS);
	print_exact(out, v, group);
}

/* Each program weighs the same, however many launches it has. */
static void print_over_programs(FILE *out, const double *mean, size_t n)
{
	double sum = 0;
	if (!n)
		return;
	for (size_t i = 0; i < n; i++)
		sum += mean[i];
	fprintf(out, "  over %zu programs: mean %.2f, median %.2f, P90 %.2f, worst %.2f\n", n,
	        sum / (double)n, statistics_quantile(mean, n, 0.5), statistics_quantile(mean, n, 0.9),
	        statistics_quantile(mean, n, 1));
}

static void print_programs(FILE *out, const struct validation *v)
{
	static const struct table_column columns[] = {
	    {.title = "program", .align = TABLE_LEFT},
	    {.title = "launches"},
	    {.title = "mean |error| %"},
	    {.title = "P90 %"},
	    {.title = "worst %"},
	    {.title = "bias %"},
	};
	int cycles = validate_find_counter(v, COUNT_cycles);
	struct table *table = table_new(columns, sizeof columns / sizeof *columns);
	double *mean = memory_zeroed(v->programs.count + 1, sizeof *mean);
	size_t n = 0;
	if (cycles < 0)
		fputs("the table has no column of cycles\n", out);
	for (size_t i = 0; cycles >= 0 && i < v->programs.count; i++) {
		struct agreement a = validate_agree_program(v, i, (size_t)cycles);
		table_add(table, "%s", v->programs.program[i].name);
		table_add(table, "%zu", a.n);
		table_add_real(table, a.mean, 2);
		table_add_real(table, a.p90, 2);
		add_signed(table, a.worst, 2);
		add_signed(table, a.bias, 2);
		if (a.n)
			mean[n++] = a.mean;
	}
	if (cycles >= 0) {
		fputs("cycles by program\n", out);
		table_print(table, out, "  ");
		print_over_programs(out, mean, n);
	}
	free(mean);
	table_free(table);
}

static void print_mismatches(FILE *out, const struct validation *v)
{
	if (v->mismatches)
		fprintf(out, "\nleft out: %zu rows\n", v->mismatches);
	for (size_t i = 0; i < v->mismatches; i++)
		fprintf(out, "  %s\n", v->mismatch[i]);
}

void validate_print(FILE *out, const struct config *config, const struct validation *v)
{
	fprintf(out,
	        "%s under %s against hardware: %zu launches of %zu programs, %zu compared; "
	        "%zu rows of the table have no trace here\n\n",
	        config->machine->name, config->chain->text, v->launches, v->programs.count, v->compared,
	        v->rows_without_trace);
	print_programs(out, v);
	print_mismatches(out, v);
	fputs("\n", out);
	print_launches(out, v);
	for (int group = 0; group < GROUP_COUNT; group++)
		print_group(out, v, (enum validate_group)group);
}
