/* Advice for the terminal: the sentences, then the tables behind them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/table.h"
#include "study/advise/advise.h"

enum { SOURCE_WIDTH = 60 };

static const char *title_of(enum advise_kind kind)
{
	return kind == ADVISE_LIMIT     ? "limits of L1"
	       : kind == ADVISE_WHAT_IF ? "the machine with one resource relaxed"
	                                : "mechanisms";
}

static void add_run(struct table *table, const struct advise_report *r, size_t i, bool shares)
{
	const struct advise_run *run = &r->plan[i];
	struct compare_row row;
	compare_fill(&row, &r->runs[i], &r->runs[0]);
	table_add(table, "%s", run->entry->kind == ADVISE_WHAT_IF ? run->entry->name : run->chain);
	table_add_real(table, run->speedup, 2);
	if (shares) /* + 0: no "-0" */
		table_add_real(table, round(100 * advise_share(run->speedup, r->verdict.possible)) + 0, 0);
	table_add_real(table, row.value[COMPARE_l1_hit_rate], 1);
	table_add_real(table, row.value[COMPARE_dram_bytes] * 1e-6, 1);
	table_add(table, "%s%s", run->entry->what,
	          strcmp(row.status, run_status_name(LAUNCH_DEADLOCKED)) ? "" : " (no progress)");
}

static void print_kind(FILE *out, const struct advise_report *r, enum advise_kind kind)
{
	struct table_column columns[6] = {{.title = "run", .align = TABLE_LEFT, .max_width = 24},
	                                  {.title = "speed-up"}};
	bool shares = kind == ADVISE_MECHANISM;
	size_t n = 2;
	if (shares)
		columns[n++] = (struct table_column){.title = "of possible %"};
	columns[n++] = (struct table_column){.title = "L1 hit %"};
	columns[n++] = (struct table_column){.title = "DRAM MB"};
	columns[n++] = (struct table_column){.title = "with", .align = TABLE_LEFT};
	struct table *table = table_new(columns, n);
	for (size_t i = 0; i < r->count; i++)
		if (r->runs[i].result && (r->plan[i].entry->kind == kind || (kind == ADVISE_LIMIT && i == 0)))
			add_run(table, r, i, shares);
	fprintf(out, "\n%s\n", title_of(kind));
	table_print(table, out, "  ");
	table_free(table);
}

static void print_left_out(FILE *out, const struct advise_report *r)
{
	for (size_t i = 0; i < r->count; i++)
		if (r->plan[i].left_out[0])
			fprintf(out, "  %s left out: %s\n", r->plan[i].entry->name, r->plan[i].left_out);
}

/* Line `number` of a file without the blanks at its ends; empty if there is none. */
static void read_line(char *to, size_t size, const char *path, uint32_t number)
{
	FILE *file = number && path ? fopen(path, "r") : NULL;
	char *text = NULL;
	size_t room = 0;
	to[0] = '\0';
	if (!file)
		return;
	for (uint32_t i = 1; getline(&text, &room, file) >= 0; i++)
		if (i == number) {
			size_t from = strspn(text, " \t");
			snprintf(to, size, "%.*s", (int)strcspn(text + from, "\r\n"), text + from);
			break;
		}
	free(text);
	fclose(file);
}

static void print_lines(FILE *out, const struct advise_report *r)
{
	static const struct table_column columns[] = {
	    {.title = "line"},
	    {.title = "pc"},
	    {.title = "sectors missed"},
	    {.title = "share %"},
	    {.title = "avoidable %"},
	    {.title = "interference %"},
	    {.title = "kernel", .align = TABLE_LEFT, .max_width = 24},
	    {.title = "source", .align = TABLE_LEFT, .max_width = SOURCE_WIDTH},
	};
	struct table *table = table_new(columns, sizeof columns / sizeof *columns);
	for (size_t i = 0; i < r->lines; i++) {
		const struct advise_line *line = &r->line[i];
		char text[4 * SOURCE_WIDTH], number[16];
		snprintf(number, sizeof number, "%u", line->line);
		read_line(text, sizeof text, r->source, line->line);
		table_add(table, "%s", line->line ? number : "-");
		table_add(table, "%s", line->pc);
		table_add_count(table, line->missed);
		table_add_real(table, 100 * (double)line->missed / (double)r->missed, 1);
		table_add_real(table, 100 * (double)line->avoidable / (double)line->missed, 0);
		table_add_real(table, 100 * (double)line->interference / (double)line->missed, 0);
		table_add(table, "%s", line->kernel);
		table_add(table, "%s", text);
	}
	if (r->lines) {
		fputs(
		    "\nlines with the most L1 misses; avoidable: by an L1 without limits, interference: by one per warp\n",
		    out);
		table_print(table, out, "  ");
	}
	table_free(table);
}

/* The counters that the rules look at. */
static void print_shares(FILE *out, const struct advise_evidence *e)
{
	fprintf(
	    out,
	    "\nSM-cycles without a CTA %.1f %%; of the others: issue slots used %.1f %%, waiting for a pipe %.1f %%,\n"
	    "for arithmetic or a branch %.1f %%, at a barrier %.1f %%; passes through shared memory %.2f per cycle\n",
	    100 * e->idle, 100 * e->issue, 100 * e->pipes, 100 * e->arithmetic, 100 * e->barriers, e->smem);
}

void advise_print(FILE *out, const struct advise_report *r)
{
	char *text = advise_sentences(r);
	fprintf(out, "%s on %s\n\n%s", r->facts->trace_name, r->facts->machine->name, text);
	free(text);
	print_kind(out, r, ADVISE_LIMIT);
	print_kind(out, r, ADVISE_WHAT_IF);
	print_kind(out, r, ADVISE_MECHANISM);
	print_left_out(out, r);
	print_lines(out, r);
	print_shares(out, &r->evidence);
}
