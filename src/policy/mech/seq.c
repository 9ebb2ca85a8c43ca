/*
 * Sequential interleaving: neighbouring lines in neighbouring sets, the index
 * of Khairy's baseline (section 5.3). Any number of sets.
 */
#include "policy/policy.h"

static uint32_t seq_set_index(const void *params, uint64_t line, uint32_t sets, uint32_t warp)
{
	(void)params;
	(void)warp;
	return (uint32_t)(line % sets);
}

const struct policy policy_seq = {
    .abi = POLICY_ABI,
    .name = "seq",
    .title = "L1 sets in sequence: the line number modulo the sets",
    .citation = "textbook; M. Khairy, MSc thesis, Cairo University 2015, section 5.3",
    .set_index = seq_set_index,
};
