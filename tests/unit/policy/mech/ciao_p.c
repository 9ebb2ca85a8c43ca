/* CIAO-P: isolation, the auxiliary cache in shared memory, and what it all costs. */
#include "ciao.h"

static enum l1_route route(struct probe *h, struct l1_request request)
{
	return h->policy->l1_route(h->sm, &request, L1_FAIL_NONE);
}

static struct aux_shape side_of(struct probe *h, uint32_t used)
{
	return h->policy->aux_cache(h->sm,
	                            &(struct sm_view){.smem_bytes = 48 << 10, .smem_bytes_used = used});
}

static struct probe with_an_isolated_warp(void)
{
	struct probe h = ciao_begin("ciao-p", 4);
	side_of(&h, 0);
	interfere(&h, 0, 1, 500);
	issue_to(&h, 5000);
	return h;
}

TEST(loads_of_an_isolated_warp_go_to_the_aux_cache)
{
	struct probe h = with_an_isolated_warp();
	CHECK(is_isolated(&h, 1));
	CHECK_EQ(route(&h, (struct l1_request){.warp = 1, .space = POLICY_GLOBAL}), L1_ROUTE_AUX);
	CHECK_EQ(route(&h, (struct l1_request){.warp = 0, .space = POLICY_GLOBAL}), L1_ROUTE_NONE);
	CHECK_EQ(route(&h, (struct l1_request){.warp = 1, .space = POLICY_LOCAL}), L1_ROUTE_NONE);
	CHECK_EQ(route(&h, (struct l1_request){.warp = 1, .is_store = 1}), L1_ROUTE_NONE);
	CHECK_EQ(probe_stat(&h, "isolated_loads"), 1);
}

TEST(where_no_shared_memory_is_left_they_stay_in_l1)
{
	struct probe h = with_an_isolated_warp();
	CHECK_EQ(side_of(&h, 48 << 10).sets, 0);
	CHECK_EQ(route(&h, (struct l1_request){.warp = 1}), L1_ROUTE_NONE);
}

TEST(nobody_is_ever_stalled)
{
	struct probe h = with_an_isolated_warp();
	interfere(&h, 0, 1, 500);
	issue_to(&h, 10000);
	CHECK(is_isolated(&h, 1) && !is_stalled(&h, 1));
	CHECK(!h.policy->throttle);
}

TEST(an_isolated_warp_returns_to_l1)
{
	struct probe h = with_an_isolated_warp();
	h.policy->on_warp_exit(h.sm, 0, 0);
	issue_to(&h, 5100);
	CHECK_EQ(route(&h, (struct l1_request){.warp = 1}), L1_ROUTE_NONE);
	CHECK_EQ(probe_stat(&h, "returns_to_l1"), 1);
}

TEST(of_48_kb_128_rows_hold_256_lines)
{
	struct probe h = ciao_begin("ciao-p", 1);
	struct aux_shape side = side_of(&h, 0);
	CHECK_EQ(side.sets, 256);
	CHECK_EQ(side.ways, 1);
	CHECK_EQ(side.hit_cycles, 1);
	CHECK(!side.write_back && !side.past_l2);
	CHECK_EQ(side_of(&h, 24 << 10).sets, 128);
	CHECK_EQ(ciao_aux_lines(33 << 10), 256); /* 128 rows of data and 4 of tags */
	CHECK_EQ(ciao_aux_lines((33 << 10) - 1), 128);
	CHECK_EQ(ciao_aux_lines(96 << 10), 512);
	CHECK_EQ(ciao_aux_lines(512), 2);
	CHECK_EQ(ciao_aux_lines(511), 0);
}

TEST(the_tag_lies_in_the_other_bank_group)
{
	/* Byte address 0x12a80: group 1, row 0x2a. */
	const struct ciao_params literal = {.literal_index = true};
	struct ciao_place place = ciao_place_of(ciao_aux_index(&literal, 0x12a80 / 128, 256));
	CHECK_EQ(place.index, 0x55);
	CHECK_EQ(place.data_row, 0x2a);
	CHECK_EQ(place.data_group, 1);
	CHECK_EQ(place.tag_group, 0);
	CHECK_EQ(place.tag_row, 1);
	CHECK_EQ(place.tag_slot, 0xa);
}

static uint32_t lines_used(struct probe *h, uint32_t pitch_lines)
{
	bool used[256] = {false};
	uint32_t count = 0;
	for (uint64_t row = 0; row < 32; row++) {
		uint32_t index = h->policy->aux_index(probe_params(h), 0x1000 + row * pitch_lines, 256);
		count += !used[index];
		used[index] = true;
	}
	return count;
}

TEST(folded_the_rows_of_a_matrix_spread_literally_they_do_not)
{
	struct probe h = probe_open("ciao-p");
	CHECK_EQ(lines_used(&h, 128), 32); /* 16 KB apart: ATAX */
	CHECK_EQ(lines_used(&h, 32), 32);
	probe_set(&h, "literal_index", 1);
	CHECK_EQ(lines_used(&h, 128), 2);
	CHECK_EQ(lines_used(&h, 64), 4);
	CHECK_EQ(lines_used(&h, 32), 8);
}

TEST(the_hardware_is_as_small_as_the_paper_says)
{
	struct probe h = probe_open("ciao-p");
	probe_params(&h);
	struct ciao_bits bits = ciao_hardware(&h.env);
	CHECK_EQ(bits.tags, 8 * 1488);
	CHECK_EQ(bits.counters, 8 * 192);
	CHECK_EQ(bits.interference_list, 8 * 64);
	CHECK_EQ(bits.pair_list, 8 * 96);
	CHECK_EQ(bits.line_owner, 8 * 96);
	CHECK_EQ(bits.flags, 8 * 12);
	CHECK_EQ(h.policy->sm_bits(&h.env), 8 * (1488 + 192 + 64 + 96 + 96 + 12));
}

TEST(cutoffs_and_epochs_have_an_order)
{
	struct probe h = probe_open("ciao-p");
	probe_params(&h);
	CHECK(!h.policy->refuses(&h.env));
	probe_set(&h, "low_cutoff", 0.02);
	CHECK(h.policy->refuses(&h.env));
	probe_set(&h, "low_cutoff", 0.005);
	probe_set(&h, "low_epoch", 6000);
	CHECK(h.policy->refuses(&h.env));
}

TEST_RUN_ALL(true)
