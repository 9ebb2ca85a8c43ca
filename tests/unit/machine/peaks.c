/* Ceilings of the roofline against what the hardware reached (docs of the microbenchmarks, H200). */
#include "machine/peaks.h"

#include "test.h"

static struct peaks peaks_of(const char *name)
{
	struct error err;
	struct machine *m = machine_load(name, &err);
	if (!m)
		exit(1);
	struct peaks peaks = machine_peaks(m);
	machine_free(m);
	return peaks;
}

static bool is_near(double value, double measured, double tolerance)
{
	bool near = value > measured * (1 - tolerance) && value < measured * (1 + tolerance);
	if (!near)
		printf("# %g, measured %g\n", value, measured);
	return near;
}

TEST(the_ceilings_of_the_h200_are_those_that_were_measured)
{
	struct peaks p = peaks_of("h200");
	CHECK_EQ(p.issue, 528);
	CHECK(is_near(p.l1 / 132, 128, 0.05)); /* sectors of loads that hit: 4 per cycle and SM */
	CHECK(is_near(p.dram * 1.98, 4546, 0.05));
	/* Reads from L2: 4550 B per cycle where SMs share nothing, 5655 where all read the same and reads are merged. */
	CHECK(p.l2 > 4550 && p.l2 < 5655);
}

TEST(without_banks_a_line_is_read_at_once)
{
	struct peaks p = peaks_of("gcn-tian");
	CHECK_EQ(p.l1, 64.0 * peaks_of("gcn-tian").issue / 4);
}

TEST_RUN_ALL(true)
