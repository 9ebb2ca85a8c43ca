/* Races between CTAs in global memory: what is one, and what is not. */
#include "lib/exec_kernel.h"

static uint64_t races_of(const char *body, char *text, size_t bytes)
{
	struct exec_options o = {
	    .warp_size = 32, .sm_count = 1, .ctas_per_sm = 2, .spin_budget = 1 << 20, .check_races = true};
	char kernel[2048];
	struct fixture *f;
	snprintf(kernel, sizeof kernel, "%smov.u32 %%r10, 1;\n%s\n%s", PTX_HEAD KERNEL("k"), body, STORE);
	if (!run_with(&o, kernel, "k", (struct grid){4, 32, 0}, &f))
		snprintf(text, bytes, "failed");
	else
		snprintf(text, bytes, "%s", exec_race(f->exec, 0) ? exec_race(f->exec, 0) : "");
	uint64_t races = exec_totals(f->exec).races;
	fixture_free(f);
	return races;
}

TEST(ctas_that_store_or_load_what_another_stores_race)
{
	char text[700];
	/* All CTAs store their numbers to one word, or read what the one before stored. */
	CHECK(races_of("st.global.u32 [%rd2], %r2;", text, sizeof text) > 0);
	CHECK(strstr(text, "race on global memory") && strstr(text, "CTA 0"));
	CHECK(races_of("st.global.u32 [%rd1], %r10; ld.global.u32 %r5, [%rd2];", text, sizeof text) > 0);
	CHECK(strstr(text, "stores") && strstr(text, "loads"));
}

TEST(own_words_and_what_fences_order_are_no_races)
{
	char text[700];
	CHECK_EQ(races_of("", text, sizeof text), 0);
	CHECK_EQ(text[0], 0);
	CHECK_EQ(races_of("ld.global.u32 %r5, [%rd1];", text, sizeof text), 0);
	CHECK_EQ(races_of("st.global.u32 [%rd2], %r2; membar.gl;", text, sizeof text), 0);
	CHECK_EQ(text[0], 0);
}

TEST_RUN_ALL(true)
