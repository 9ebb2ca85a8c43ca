/*
 * The set hash measured on Fermi: five index bits XORed with five address bits
 * above them. CIAO's baseline ("XOR set-index hashing") uses it. It is known
 * for 32 and 64 sets; elsewhere the fold of `xor` stands in.
 */
#include "base/bits.h"
#include "base/set_hash.h"
#include "policy/policy.h"

static uint32_t fermi_set_index(const void *params, uint64_t line, uint32_t sets, uint32_t warp)
{
	(void)params;
	(void)warp;
	return set_hash_fermi(line, bits_log2_up(sets));
}

static const char *fermi_refuses(const struct policy_env *env)
{
	return bits_is_power_of_two(env->l1_sets) ? NULL : "the number of L1 sets is no power of two";
}

const struct policy policy_fermi = {
    .abi = POLICY_ABI,
    .name = "fermi",
    .title = "L1 sets by the XOR hash measured on Fermi",
    .citation =
        "C. Nugteren, G.-J. van den Braak, H. Corporaal, H. Bal: A Detailed GPU Cache Model Based on Reuse "
        "Distance Theory, HPCA 2014",
    .refuses = fermi_refuses,
    .set_index = fermi_set_index,
};
