/* Advice in sentences. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "stats/counters.h"
#include "study/advise/advise.h"

static bool is_noticeable(double speedup)
{
	return !isnan(speedup) && speedup >= 1 + ADVISE_NOTICEABLE;
}

/* "With an L1 in which every load hits it would run 3.20 times as fast." */
static void say_what_if(FILE *out, const struct advise_run *run)
{
	if (isnan(run->speedup))
		return;
	if (is_noticeable(run->speedup))
		fprintf(out, "With %s it would be %.2f times as fast.\n", run->entry->what, run->speedup);
	else
		fprintf(out, "With %s it would gain nothing (%.2f).\n", run->entry->what, run->speedup);
}

/* Which run shows the cause best. */
static const char *witness(enum advise_bound bound)
{
	switch (bound) {
	case ADVISE_CONFLICT:
	case ADVISE_CAPACITY:
		return "unbounded";
	case ADVISE_MSHRS:
		return "mshrs";
	case ADVISE_L2:
		return "l2-bandwidth";
	case ADVISE_DRAM:
		return "dram-bandwidth";
	case ADVISE_LATENCY:
		return "latency";
	default:
		return "perfect-l1";
	}
}

/* The stall reason that takes the most SM-cycles, in Nsight Compute's words; "issue" is none. */
static void say_largest_stall(FILE *out, const json_t *result)
{
	double busy = batch_counter(result, "sm_cycles") - batch_counter(result, "stall_idle");
	const char *largest = NULL;
	double most = 0;
	for (int i = 0; i < COUNTER_COUNT; i++) {
		const char *name = counter_infos[i].name;
		double cycles = batch_counter(result, name);
		if (!strncmp(name, "stall_", 6) && strcmp(name, "stall_idle") && cycles > most) {
			largest = name + 6;
			most = cycles;
		}
	}
	if (!largest || busy <= 0)
		return;
	fputs("The largest stall reason is ", out);
	for (; *largest; largest++)
		fputc(*largest == '_' ? ' ' : *largest, out);
	fprintf(out, ", %.0f %% of the SM-cycles with a CTA.\n", 100 * most / busy);
}

static void say_counters(FILE *out, const struct advise_report *r)
{
	const struct advise_evidence *e = &r->evidence;
	switch (r->verdict.bound) {
	case ADVISE_OCCUPANCY:
		fprintf(out, "In %.0f %% of the SM-cycles no CTA is resident.\n", 100 * e->idle);
		break;
	case ADVISE_ISSUE:
		fprintf(out,
		        "%.0f %% of the issue slots are used; %.0f %% of the SM-cycles wait for a pipe.\n",
		        100 * e->issue, 100 * e->pipes);
		break;
	case ADVISE_SHARED_BANKS:
		fprintf(out, "%.0f %% of the passes through shared memory are due to bank conflicts.\n",
		        100 * e->smem_conflicts);
		break;
	case ADVISE_BARRIERS:
		fprintf(out, "%.0f %% of the SM-cycles wait at a barrier.\n", 100 * e->barriers);
		break;
	case ADVISE_DEPENDENCE:
		fprintf(out, "%.0f %% of the SM-cycles wait for an arithmetic result or a branch.\n",
		        100 * e->arithmetic);
		break;
	case ADVISE_OTHER:
		say_largest_stall(out, r->runs[0].result);
		break;
	default:
		break;
	}
}

static const struct advise_run *find(const struct advise_report *r, const char *name)
{
	for (size_t i = 0; i < r->count; i++)
		if (!strcmp(r->plan[i].entry->name, name))
			return &r->plan[i];
	return NULL;
}

static void say_bound(FILE *out, const struct advise_report *r)
{
	const struct advise_run *run = find(r, witness(r->verdict.bound));
	fprintf(out, "Bound by %s.\n", advise_bound_words[r->verdict.bound]);
	say_counters(out, r);
	if (run)
		say_what_if(out, run);
	if (r->verdict.bound == ADVISE_CONFLICT && (run = find(r, "pric")))
		say_what_if(out, run);
}

static void say_possible(FILE *out, const struct advise_report *r)
{
	if (is_noticeable(r->verdict.possible))
		fprintf(out,
		        "What policies of L1 can gain at most: %.2f times as fast, the best of the limits.\n",
		        r->verdict.possible);
	else
		fputs("Policies of L1 have nothing to gain: even one without limits is no faster.\n", out);
}

static void say_help(FILE *out, const struct advise_report *r)
{
	const struct advise_run *best = r->best;
	if (!best || !is_noticeable(best->speedup)) {
		fputs("None of the mechanisms helps", out);
		if (best)
			fprintf(out, ": the best, %s, is %.2f times as fast", best->chain, best->speedup);
		fputs(". Keep gto.\n", out);
		return;
	}
	double share = advise_share(best->speedup, r->verdict.possible);
	fprintf(out, "What helps: %s, by %s: %.2f times as fast as gto", best->entry->family, best->chain,
	        best->speedup);
	if (!isnan(share) && share <= 1)
		fprintf(out, ", %.0f %% of the possible gain", 100 * share);
	else if (!isnan(share))
		fputs(", more than an L1 without limits", out);
	fputs(".\n", out);
}

static void say_lines(FILE *out, const struct advise_report *r)
{
	const struct advise_line *line = r->line;
	if (!r->lines || r->verdict.bound < ADVISE_CONFLICT || r->verdict.bound > ADVISE_LATENCY ||
	    !r->missed)
		return;
	fprintf(out, "To blame: ");
	if (line->line)
		fprintf(out, "line %u", line->line);
	else
		fprintf(out, "the instruction at %s", line->pc);
	fprintf(out, " of %s, with %.0f %% of the L1 misses", line->kernel,
	        100 * (double)line->missed / (double)r->missed);
	if (r->verdict.bound == ADVISE_CONFLICT || r->verdict.bound == ADVISE_CAPACITY)
		fprintf(out, "; an L1 without limits would avoid %.0f %% of them",
		        100 * (double)line->avoidable / (double)line->missed);
	fputs(".\n", out);
}

char *advise_sentences(const struct advise_report *r)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = memory_stream_open(&text, &bytes);
	say_bound(out, r);
	say_possible(out, r);
	say_help(out, r);
	say_lines(out, r);
	memory_stream_close(out);
	return text;
}
