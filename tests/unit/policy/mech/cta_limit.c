/* Static CTA throttling: the limit is that of CTAs, so its grain is their warps. */
#include "lib/bench.h"
#include "lib/policy_probe.h"
#include "lib/synth.h"

static uint32_t most_warps;

static void see_epoch(void *sm, const struct sm_view *view)
{
	(void)sm;
	most_warps = view->resident_warps > most_warps ? view->resident_warps : most_warps;
}

/* The most warps that an SM holds while CTAs of 8 warps run. */
static uint32_t resident_warps(const char *policy)
{
	static const struct policy watch = {
	    .abi = POLICY_ABI, .name = "watch", .epoch_cycles = 50, .on_epoch = see_epoch};
	struct trace *trace = synth_row_walk(60, 8, 32, 16384, 8);
	most_warps = 0;
	bench_once((struct bench_setup){.machine = "gtx480-khairy", .policy = policy, .extra = &watch},
	           trace);
	trace_close(trace);
	return most_warps;
}

TEST(one_cta_of_8_warps_is_8_warps_per_sm)
{
	CHECK_EQ(resident_warps("cta-limit:n=1"), 8);
	CHECK_EQ(resident_warps("cta-limit:n=2"), 16);
}

TEST(a_limit_beyond_what_fits_changes_nothing)
{
	CHECK_EQ(resident_warps("cta-limit:n=64"), resident_warps("gto"));
}

TEST_MAIN()
