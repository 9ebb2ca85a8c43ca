/* The terminal summary of a run. */
#include "report/summary.h"

#include <stdlib.h>
#include <string.h>

#include "report/hotspots.h"
#include "report/table.h"
#include "stats/energy.h"
#include "stats/metrics.h"

enum { BAR_WIDTH = 50, TOP_PCS = 10, NAME_WIDTH = 32, STALL_WIDTH = 18 };

static void add_dim(struct table *table, const struct trace_dim *dim)
{
	if (dim->z != 1)
		table_add(table, "%ux%ux%u", dim->x, dim->y, dim->z);
	else if (dim->y != 1)
		table_add(table, "%ux%u", dim->x, dim->y);
	else
		table_add(table, "%u", dim->x);
}

static void add_measures(struct table *table, const struct counters *c, const struct machine *machine)
{
	table_add_count(table, c->value[COUNT_cycles]);
	table_add_count(table, c->value[COUNT_warp_insns]);
	table_add_real(table, metric_value(METRIC_ipc, c, machine), 2);
	table_add_real(table, metric_value(METRIC_thread_ipc, c, machine), 1);
	table_add_real(table, metric_value(METRIC_l1_load_hit_rate, c, machine), 2);
	table_add_real(table, metric_value(METRIC_l2_read_hit_rate, c, machine), 2);
	table_add_count(table, c->value[COUNT_dram_read_bytes]);
	table_add_count(table, c->value[COUNT_dram_write_bytes]);
	table_add_real(table, metric_value(METRIC_dram_bandwidth, c, machine), 1);
}

static void print_launches(FILE *out, const struct machine *machine, const struct run_result *result)
{
	static const struct table_column columns[] = {
	    {.title = "launch"},
	    {.title = "kernel", .align = TABLE_LEFT, .max_width = NAME_WIDTH},
	    {.title = "grid"},
	    {.title = "block"},
	    {.title = "status", .align = TABLE_LEFT},
	    {.title = "cycles"},
	    {.title = "warp insns"},
	    {.title = "IPC"},
	    {.title = "thread IPC"},
	    {.title = "L1 hit %"},
	    {.title = "L2 hit %"},
	    {.title = "DRAM read B"},
	    {.title = "DRAM write B"},
	    {.title = "DRAM peak %"},
	};
	struct table *table = table_new(columns, sizeof columns / sizeof *columns);
	for (size_t i = 0; i < result->count; i++) {
		const struct run_launch *launch = &result->launch[i];
		table_add(table, "%u", launch->number);
		table_add(table, "%s", launch->kernel->name);
		add_dim(table, &launch->kernel->grid);
		add_dim(table, &launch->kernel->block);
		table_add(table, "%s", run_status_name(launch->result.status));
		add_measures(table, &launch->result.counters, machine);
	}
	if (result->count != 1) {
		table_add(table, "total");
		table_add(table, "%zu launches", result->count);
		table_add(table, "%s", "");
		table_add(table, "%s", "");
		table_add(table, "%s", run_status_name(result->status));
		add_measures(table, &result->total, machine);
	}
	table_print(table, out, "");
	table_free(table);
}

struct share {
	const char *name;
	uint64_t cycles;
	int position; /* in counters.def; decides between equals */
};

static int compare_shares(const void *left, const void *right)
{
	const struct share *a = left, *b = right;
	if (a->cycles != b->cycles)
		return a->cycles > b->cycles ? -1 : 1;
	return a->position - b->position;
}

/* The name of a stall reason with spaces, as Nsight Compute writes it: "long scoreboard". */
static void print_share(FILE *out, const char *name, uint64_t cycles, uint64_t whole)
{
	char bar[BAR_WIDTH + 1];
	double share = metric_percent((double)cycles, (double)whole);
	int length = (int)(share / 100 * BAR_WIDTH + 0.5);
	memset(bar, '#', (size_t)length);
	bar[length] = '\0';
	fputs("  ", out);
	for (int i = 0; i < STALL_WIDTH; i++) {
		fputc(*name == '_' || !*name ? ' ' : *name, out);
		name += *name != '\0';
	}
	fprintf(out, " %6.2f %%%s%s\n", share, length ? "  " : "", bar);
}

static void print_stalls(FILE *out, const struct counters *total)
{
	struct share shares[COUNTER_COUNT];
	size_t n = 0;
	uint64_t whole = total->value[COUNT_sm_cycles];
	for (int i = 0; i < COUNTER_COUNT; i++)
		if (!strncmp(counter_infos[i].name, "stall_", 6) && total->value[i])
			shares[n++] = (struct share){counter_infos[i].name + 6, total->value[i], i};
	qsort(shares, n, sizeof *shares, compare_shares);
	if (!whole)
		return;
	fputs("\nSM-cycle breakdown: issue, or the stall reason\n", out);
	print_share(out, "issue", total->value[COUNT_issue_cycles], whole);
	for (size_t i = 0; i < n; i++)
		print_share(out, shares[i].name, shares[i].cycles, whole);
}

static void print_hotspots(FILE *out, const struct run_result *result)
{
	static const struct table_column columns[] = {
	    {.title = "pc"},      {.title = "opcode", .align = TABLE_LEFT},
	    {.title = "line"},    {.title = "sectors missed"},
	    {.title = "share %"}, {.title = "kernel", .align = TABLE_LEFT, .max_width = NAME_WIDTH},
	};
	size_t count;
	uint64_t total;
	struct hotspot *spots = hotspots_find(result->launch, result->count, TOP_PCS, &count, &total);
	struct table *table = table_new(columns, sizeof columns / sizeof *columns);
	for (size_t i = 0; i < count; i++) {
		table_add(table, "%04llx", (unsigned long long)spots[i].insn->pc);
		table_add(table, "%s", trace_mnemonic(spots[i].kernel, spots[i].insn));
		if (spots[i].insn->source_line)
			table_add(table, "%u", spots[i].insn->source_line);
		else
			table_add(table, "-");
		table_add_count(table, spots[i].missed_sectors);
		table_add_real(table, metric_percent((double)spots[i].missed_sectors, (double)total), 2);
		table_add(table, "%s", spots[i].kernel->name);
	}
	if (count) {
		fputs("\ninstructions with the most L1 misses\n", out);
		table_print(table, out, "  ");
	}
	table_free(table);
	free(spots);
}

/* One line: the whole, its four largest parts. */
static void print_energy(FILE *out, const struct run_result *result, const struct machine *machine)
{
	enum { SHOWN = 4 };
	struct energy energy = energy_of(&result->total, machine, result->extra_energy);
	bool shown[ENERGY_COUNT] = {0};
	if (!(energy.total > 0))
		return;
	fprintf(out, "\nenergy %.4g mJ:", energy.total * 1e3);
	for (int n = 0; n < SHOWN; n++) {
		int most = -1;
		for (int i = 0; i < ENERGY_COUNT; i++)
			if (!shown[i] && (most < 0 || energy.joules[i] > energy.joules[most]))
				most = i;
		shown[most] = true;
		fprintf(out, "%s %s %.1f %%", n ? "," : "", energy_parts[most].name,
		        metric_percent(energy.joules[most], energy.total));
	}
	fputs("\n", out);
}

void summary_print(FILE *out, const struct config *config, const char *trace_name,
                   const struct run_result *result)
{
	fprintf(out, "%s on %s under %s\n\n", trace_name, config->machine->name, config->chain->text);
	print_launches(out, config->machine, result);
	print_stalls(out, &result->total);
	print_hotspots(out, result);
	print_energy(out, result, config->machine);
}
