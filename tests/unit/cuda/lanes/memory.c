/* Addresses and blends of lane arrays, against loops over single lanes. */
#include "cuda/lanes/memory.h"

#include <stdlib.h>
#include <string.h>

#include "cuda/lanes/lanes.h"
#include "test.h"

static uint64_t state = 7;

static uint64_t next_random(void)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return state >> 20;
}

static uint64_t all_of(unsigned lanes)
{
	return lanes == 64 ? ~UINT64_C(0) : (UINT64_C(1) << lanes) - 1;
}

/* What memory.h promises, lane by lane. */
static struct lane_spread expected_spread(const uint64_t *address, const struct lane_access *a)
{
	struct lane_spread s = {.is_inside = true};
	for (unsigned i = 0; i < a->lanes; i++) {
		uint64_t from = address[i] - a->first;
		if (a->mask >> i & 1 && ((from | (a->span - from)) >> 63 || address[i] % a->bytes))
			s.is_inside = false;
	}
	for (unsigned g = 0; g < a->lanes / LANE_GROUP && a->mask == all_of(a->lanes); g++) {
		const uint64_t *at = address + g * LANE_GROUP;
		bool adjacent = true, same = true;
		for (unsigned i = 1; i < LANE_GROUP; i++) {
			adjacent = adjacent && at[i] == at[0] + i * a->bytes;
			same = same && at[i] == at[0];
		}
		s.adjacent |= (uint8_t)(adjacent << g);
		s.same |= (uint8_t)(same << g);
	}
	return s;
}

/* Registers of one of five patterns, with one lane in four rounds somewhere else. */
static void fill_register(uint8_t *reg, const struct lane_access *a, unsigned round)
{
	uint64_t base = 4096 + 8 * (next_random() % 64);
	unsigned odd = (unsigned)(next_random() % a->lanes);
	for (unsigned i = 0; i < a->lanes; i++) {
		unsigned row = i % LANE_GROUP;
		uint64_t value[5] = {base, base + i * a->bytes, base + row * a->bytes,
		                     base + 64 * (i / LANE_GROUP), base + 8 * (next_random() % 128)};
		uint64_t v = value[round % 5];
		if (round % 4 == 0 && i == odd)
			v += round % 8 ? 1 : UINT64_C(0x7fffff00);
		memcpy(reg + (size_t)i * a->register_bytes, &v, a->register_bytes);
	}
}

static unsigned spread_mistakes(const struct lane_access *a, unsigned round)
{
	_Alignas(64) uint8_t reg[LANES_MAX * 8] = {0};
	uint64_t got[LANES_MAX], want[LANES_MAX];
	fill_register(reg, a, round);
	for (unsigned i = 0; i < a->lanes; i++) {
		want[i] = 0;
		memcpy(&want[i], reg + (size_t)i * a->register_bytes, a->register_bytes);
		want[i] += a->offset;
	}
	struct lane_spread wanted = expected_spread(want, a), found = lane_memory()->addresses(got, reg, a);
	unsigned wrong = memcmp(got, want, a->lanes * sizeof *got) != 0;
	wrong += found.is_inside != wanted.is_inside;
	wrong += found.adjacent != wanted.adjacent;
	return wrong + (found.same != wanted.same);
}

TEST(addresses_are_checked_and_compared_in_the_lanes_that_access)
{
	for (unsigned round = 0; round < 4000; round++) {
		unsigned lanes = round % 3 ? 32 : 64;
		uint64_t mask = next_random() << 22 ^ next_random();
		struct lane_access a = {.offset = round % 7 ? 8 * (next_random() % 4) : -(uint64_t)8,
		                        .first = 4096,
		                        .span = next_random() % 4 ? 2048 : 512,
		                        .mask = (round & 16 ? mask | 1 : ~UINT64_C(0)) & all_of(lanes),
		                        .bytes = 1u << round % 4,
		                        .register_bytes = round & 32 ? 4 : 8,
		                        .lanes = lanes};
		CHECK_EQ(spread_mistakes(&a, round), 0);
	}
}

TEST(a_range_that_holds_nothing_holds_no_lane)
{
	uint64_t reg[32] = {0}, address[32];
	struct lane_access a = {
	    .span = UINT64_MAX, .mask = all_of(32), .bytes = 4, .register_bytes = 8, .lanes = 32};
	CHECK(!lane_memory()->addresses(address, reg, &a).is_inside);
	a.mask = 1;
	CHECK(!lane_memory()->addresses(address, reg, &a).is_inside);
}

TEST(a_blend_changes_the_lanes_of_the_mask_alone)
{
	_Alignas(64) uint8_t src[LANES_MAX * 8], dst[LANES_MAX * 8], want[LANES_MAX * 8];
	for (unsigned round = 0; round < 2000; round++) {
		unsigned lanes = round % 3 ? 32 : 64, bytes = 2u << round % 3;
		uint64_t mask = (next_random() << 22 ^ next_random()) & all_of(lanes);
		for (unsigned i = 0; i < sizeof src; i++) {
			src[i] = (uint8_t)next_random();
			dst[i] = want[i] = (uint8_t)next_random();
		}
		for (unsigned i = 0; i < lanes; i++)
			if (mask >> i & 1)
				memcpy(want + (size_t)i * bytes, src + (size_t)i * bytes, bytes);
		lane_memory()->blend(dst, src, bytes, mask, lanes);
		CHECK_EQ(memcmp(dst, want, sizeof want), 0);
	}
}

TEST_RUN_ALL(true)
