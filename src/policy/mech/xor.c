/*
 * The plain XOR fold: three neighbouring fields of the line number, each as
 * wide as the index, XORed (I = L ^ L>>m ^ L>>2m).
 */
#include "base/bits.h"
#include "base/set_hash.h"
#include "policy/policy.h"

static uint32_t xor_set_index(const void *params, uint64_t line, uint32_t sets, uint32_t warp)
{
	(void)params;
	(void)warp;
	return set_hash_xor(line, bits_log2_up(sets));
}

static const char *xor_refuses(const struct policy_env *env)
{
	return bits_is_power_of_two(env->l1_sets) ? NULL : "the number of L1 sets is no power of two";
}

const struct policy policy_xor = {
    .abi = POLICY_ABI,
    .name = "xor",
    .title = "L1 sets by an XOR fold of the line number",
    .citation =
        "A. Gonzalez, M. Valero, N. Topham, J. M. Parcerisa: Eliminating Cache Conflict Misses Through "
        "XOR-Based Placement Functions, ICS 1997",
    .refuses = xor_refuses,
    .set_index = xor_set_index,
};
