/* Classes and verdicts. Thresholds are stated once, here, with the passage they come from. */
#include "study/workload/rules.h"

#include <math.h>
#include <string.h>

const char *const rule_run_names[RULE_RUNS] = {
    "gto",       "ciao-t",    "ciao-p", "large-l1", "unbounded-l1", "bypass",
    "bypass-l1", "unbounded", "pric",   "whole-l1", "best-swl",
};
const char *const verdict_names[VERDICT_COUNT] = {"ok", "off", "explained", "info"};

void measured_clear(struct workload_measured *m)
{
	*m = (struct workload_measured){.smem_cta_bytes = NAN, .ctas_per_sm = NAN, .ctas_without_smem = NAN};
	m->ctas_given = NAN;
	m->launches = m->insns = m->schedulers = m->resident_warps = m->simulated_insns = NAN;
	for (int i = 0; i < FACT_COUNT; i++)
		m->value[i] = NAN;
	for (int i = 0; i <= RULE_LIMITS; i++)
		m->swl_ipc[i] = NAN;
	for (int i = 0; i < RULE_RUNS; i++)
		m->run[i] = (struct rule_numbers){NAN, NAN, NAN, NAN, NAN, NAN};
}

/* ---- CIAO ---------------------------------------------------------------------------------------------------- */

/* Table II: no compute-intensive program has an APKI above 18, no other one below 19. */
static const double CIAO_APKI = 18.5;
/* Section V-D: with a small working set CIAO-P is ahead of CIAO-T, with a large one behind it. */
static const double CIAO_TIE = 0.02;

double rule_recovered(const struct workload_measured *m)
{
	double now = m->run[RULE_GTO].l1_miss_rate, large = m->run[RULE_LARGE_L1].l1_miss_rate;
	double least = m->run[RULE_UNBOUNDED_L1].l1_miss_rate;
	return now - least > 1e-6 ? (now - large) / (now - least) : NAN;
}

static const char *ciao_class(const struct workload_measured *m)
{
	double ratio = m->run[RULE_CIAO_P].ipc / m->run[RULE_CIAO_T].ipc, recovered = rule_recovered(m);
	if (m->value[FACT_APKI] < CIAO_APKI)
		return "CI";
	if (isnan(m->value[FACT_APKI]) || isnan(ratio))
		return NULL;
	if (ratio > 1 + CIAO_TIE)
		return "SWS";
	if (ratio < 1 - CIAO_TIE)
		return "LWS";
	/* A tie: whether what L1 loses would fit the shared memory that is free. Nothing lost: nothing to fit. */
	return isnan(recovered) || recovered >= 0.5 ? "SWS" : "LWS";
}

/* ---- OSM ----------------------------------------------------------------------------------------------------- */

/* Table 3: (1) shared memory is not used, (2) it is used, TLP is not limited, (3) it is used, TLP is limited. */
static const char *osm_class(const struct workload_measured *m)
{
	if (isnan(m->smem_cta_bytes))
		return NULL;
	if (m->smem_cta_bytes <= 0)
		return "1";
	/* A grid that fits although its CTAs use shared memory is not limited: category 2. */
	double could = fmin(m->ctas_without_smem, ceil(m->ctas_given));
	return m->ctas_per_sm < could ? "3" : "2";
}

/* ---- Tian ---------------------------------------------------------------------------------------------------- */

/*
 * Section 4.2 names as memory-intensive what Table 2 gives 202.7 and more, as compute-intensive what it gives 76.2 and
 * less, and nothing between 89.7 and 130.4: the geometric means are the borders.
 */
static const double TIAN_MEMORY = 162.6, TIAN_COMPUTE = 82.7;

static const char *tian_class(const struct workload_measured *m)
{
	double intensity = m->value[FACT_MEMORY_INTENSITY];
	if (isnan(intensity))
		return NULL;
	return intensity > TIAN_MEMORY ? "memory" : intensity < TIAN_COMPUTE ? "compute" : "neither";
}

/* ---- Khairy -------------------------------------------------------------------------------------------------- */

/* Section 4.3. A cache streams if hardly a request hits even without end; of L1 that may also be no more than half of
 * them, if it runs no slower without it. */
static const double KHAIRY_FEW_HITS = 0.25, KHAIRY_HALF = 0.5;
/* "nearly the same" of what an unbounded cache gives: at least this share of it. */
static const double KHAIRY_NEARLY = 0.8;
/* What two runs differ in anyway; what a remedy has to gain to count as one. */
static const double KHAIRY_NOISE = 1.05, KHAIRY_GAIN = 1.2;

static bool has_khairy_runs(const struct workload_measured *m)
{
	return !isnan(m->run[RULE_GTO].ipc + m->run[RULE_BYPASS].ipc + m->run[RULE_BYPASS_L1].ipc +
	              m->run[RULE_UNBOUNDED].ipc);
}

/* Without accesses there are no hits. */
static double l1_hits(const struct workload_measured *m, enum rule_run run)
{
	return isnan(m->run[run].l1_miss_rate) ? 0 : 1 - m->run[run].l1_miss_rate;
}

static double l2_hits(const struct workload_measured *m, enum rule_run run)
{
	return isnan(m->run[run].l2_hit_rate) ? 0 : m->run[run].l2_hit_rate;
}

static bool is_contended(const struct workload_measured *m)
{
	return has_khairy_runs(m) && l1_hits(m, RULE_UNBOUNDED) >= KHAIRY_FEW_HITS &&
	       l1_hits(m, RULE_GTO) < KHAIRY_NEARLY * l1_hits(m, RULE_UNBOUNDED) &&
	       m->run[RULE_GTO].ipc < KHAIRY_NEARLY * m->run[RULE_UNBOUNDED].ipc;
}

/*
 * Conflicts are what spreading lines over the sets takes away; contention for capacity is what is there "with no
 * conflict contention": the rest.
 */
static const char *khairy_contention(const struct workload_measured *m)
{
	double spread = m->run[RULE_PRIC].ipc;
	if (isnan(spread))
		return NULL;
	if (spread < KHAIRY_GAIN * m->run[RULE_GTO].ipc)
		return "thrashing";
	return spread < KHAIRY_HALF * m->run[RULE_UNBOUNDED].ipc ? "thrashing+conflict" : "conflict";
}

static bool streams_in_l1(const struct workload_measured *m)
{
	double hits = l1_hits(m, RULE_UNBOUNDED);
	return hits < KHAIRY_FEW_HITS ||
	       (hits < KHAIRY_HALF && m->run[RULE_BYPASS_L1].ipc >= m->run[RULE_GTO].ipc);
}

/* What L2 makes of a program that streams through L1. */
static const char *khairy_stream(const struct workload_measured *m)
{
	double bounded = l2_hits(m, RULE_GTO), unbounded = l2_hits(m, RULE_UNBOUNDED);
	if (unbounded < KHAIRY_FEW_HITS && KHAIRY_NOISE * m->run[RULE_BYPASS].ipc >= m->run[RULE_GTO].ipc)
		return "streaming";
	return bounded < KHAIRY_HALF * unbounded ? "large-l2" : "streaming-l1";
}

static const char *khairy_class(const struct workload_measured *m)
{
	if (!has_khairy_runs(m))
		return NULL;
	if (is_contended(m))
		return khairy_contention(m);
	return streams_in_l1(m) ? khairy_stream(m) : "friendly";
}

const char *rule_class(enum workload_paper paper, const struct workload_measured *measured)
{
	switch (paper) {
	case PAPER_CIAO:
		return ciao_class(measured);
	case PAPER_OSM:
		return osm_class(measured);
	case PAPER_TIAN:
		return tian_class(measured);
	case PAPER_KHAIRY:
		return khairy_class(measured);
	default:
		return NULL;
	}
}

/* ---- verdicts ------------------------------------------------------------------------------------------------ */

static const double CLOSE = 0.25, WARPS_FACTOR = 1.5, WARPS_FEW = 10;

double rule_carve_kb(double bytes)
{
	static const double steps[] = {0, 8, 16, 32, 64, 96};
	size_t i = 0;
	while (i + 1 < sizeof steps / sizeof *steps && bytes > steps[i] * 1024)
		i++;
	return steps[i];
}

/* Within a quarter, or the same number as the paper rounds it. */
static bool is_close(double published, double measured)
{
	double unit = published == floor(published) ? 1 : 0.1;
	return fabs(measured - published) <= CLOSE * published || fabs(measured - published) <= unit / 2;
}

static bool is_within_factor(double published, double measured)
{
	double ratio = measured / published;
	return ratio >= 1 / WARPS_FACTOR - 1e-9 && ratio <= WARPS_FACTOR + 1e-9;
}

static enum verdict judge_number(enum workload_fact fact, double published, double measured)
{
	bool ok;
	switch (fact) {
	case FACT_APKI:
	case FACT_MEMORY_INTENSITY:
		ok = is_close(published, measured);
		break;
	case FACT_N_WARP:
		if (published > WARPS_FEW && !isnan(measured))
			return VERDICT_INFO;
		ok = is_within_factor(published, measured);
		break;
	case FACT_FOOTPRINT_KB:
	case FACT_L1_GAIN_PERCENT: /* published is the mean of many programs */
		return VERDICT_INFO;
	default:
		ok = round(measured) == published;
	}
	return ok ? VERDICT_OK : VERDICT_OFF;
}

enum verdict rule_judge(const struct workload_published *published, enum workload_fact fact,
                        const struct workload_measured *measured, const char *class)
{
	enum verdict verdict;
	if (fact == FACT_CLASS)
		verdict = class && !strcmp(class, published->class) ? VERDICT_OK : VERDICT_OFF;
	else
		verdict = judge_number(fact, published->value[fact], measured->value[fact]);
	return verdict == VERDICT_OFF && published->reason[fact] ? VERDICT_EXPLAINED : verdict;
}
