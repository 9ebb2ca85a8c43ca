/* Evidence and verdict out of the results of a plan. */
#include <math.h>
#include <string.h>

#include "study/advise/advise.h"

const json_t *advise_result(const struct advise_report *report, const char *name)
{
	for (size_t i = 0; i < report->count; i++)
		if (!strcmp(report->plan[i].entry->name, name))
			return report->runs[i].result;
	return NULL;
}

static double speedup_of(const struct advise_report *report, const char *name)
{
	for (size_t i = 0; i < report->count; i++)
		if (!strcmp(report->plan[i].entry->name, name))
			return report->plan[i].speedup;
	return NAN;
}

static double ratio(double part, double whole)
{
	return whole > 0 ? part / whole : 0;
}

static struct advise_evidence gather(const struct advise_report *report)
{
	const json_t *base = report->runs[0].result;
	double busy = batch_counter(base, "sm_cycles") - batch_counter(base, "stall_idle");
	double slots = busy * report->facts->machine->sm_schedulers;
	return (struct advise_evidence){
	    .perfect_l1 = speedup_of(report, "perfect-l1"),
	    .unbounded = speedup_of(report, "unbounded"),
	    .interference_free = speedup_of(report, "interference-free"),
	    .min = speedup_of(report, "min"),
	    .set_index = fmax(speedup_of(report, "pric"), speedup_of(report, "xor")),
	    .mshrs = speedup_of(report, "mshrs"),
	    .l2 = speedup_of(report, "l2-bandwidth"),
	    .dram = speedup_of(report, "dram-bandwidth"),
	    .latency = speedup_of(report, "latency"),
	    .idle = ratio(batch_counter(base, "stall_idle"), batch_counter(base, "sm_cycles")),
	    .issue = ratio(batch_counter(base, "warp_insns"), slots),
	    .pipes = ratio(batch_counter(base, "stall_math_pipe_throttle"), busy),
	    .barriers = ratio(batch_counter(base, "stall_barrier"), busy),
	    .arithmetic = ratio(batch_counter(base, "stall_fixed_latency") +
	                            batch_counter(base, "stall_branch_resolving"),
	                        busy),
	    .smem = ratio(batch_counter(base, "smem_wavefronts"), busy),
	    .smem_conflicts =
	        ratio(batch_counter(base, "smem_conflicts"), batch_counter(base, "smem_wavefronts")),
	};
}

static bool has_speedup(const struct advise_run *run)
{
	return run->entry->kind == ADVISE_MECHANISM && !isnan(run->speedup);
}

/* The first that is as good as the best but for EQUAL: the table has the plainer ones first. */
static const struct advise_run *best_of(const struct advise_report *report)
{
	static const double EQUAL = 0.01;
	double best = 0;
	for (size_t i = 0; i < report->count; i++)
		if (has_speedup(&report->plan[i]) && report->plan[i].speedup > best)
			best = report->plan[i].speedup;
	for (size_t i = 0; i < report->count; i++)
		if (has_speedup(&report->plan[i]) && report->plan[i].speedup >= best * (1 - EQUAL))
			return &report->plan[i];
	return NULL;
}

void advise_conclude(struct advise_report *report, struct advise_run *plan)
{
	for (size_t i = 0; i < report->count; i++) {
		struct compare_row row;
		plan[i].speedup = NAN;
		if (!report->runs[i].result)
			continue;
		compare_fill(&row, &report->runs[i], &report->runs[0]);
		plan[i].speedup = row.value[COMPARE_speedup];
	}
	report->plan = plan;
	report->evidence = gather(report);
	report->verdict = advise_judge(&report->evidence);
	report->best = best_of(report);
	advise_blame(report);
}
