/*
 * PRIC, pseudo-random interleaved cache (Khairy 2015, section 5.3): the set of
 * a line is its number, read as a polynomial over GF(2), modulo an irreducible
 * polynomial. Rows that lie a power of two of lines apart, which sequential
 * indexing piles up in a few sets, spread over all of them.
 *
 * The XOR gates lie on the way of every access: their delay, 0 to 2 cycles in
 * figure 6.7, is the machine's l1d.hit_cycles. L2 keeps its own function.
 */
#include "base/bits.h"
#include "base/set_hash.h"
#include "policy/policy.h"

struct pric_params {
	uint32_t poly;
	uint32_t line_bits;
};

static const struct pric_params *given(const struct policy_env *env)
{
	return env->params;
}

static const struct policy_param table[] = {
    PARAM_U32(
        struct pric_params, poly, 0, 0, 131071, "",
        "irreducible polynomial, bit i for x^i, whose degree is log2 of the sets; 0: 37 for 32 sets, 67 for 64"),
    PARAM_U32(struct pric_params, line_bits, 20, 1, 64, "",
              "bits of the line number that count; 20 are A7 to A26 of a byte address"),
};

static uint32_t pric_poly(const struct pric_params *p, uint32_t sets)
{
	return p->poly ? p->poly : set_hash_polynomial(bits_log2_up(sets));
}

static uint32_t pric_set_index(const void *params, uint64_t line, uint32_t sets, uint32_t warp)
{
	(void)warp;
	const struct pric_params *p = params;
	unsigned unused = 64 - p->line_bits;
	return set_hash_remainder(line << unused >> unused, pric_poly(p, sets));
}

static const char *pric_refuses(const struct policy_env *env)
{
	unsigned degree = bits_log2_up(env->l1_sets);
	if (!bits_is_power_of_two(env->l1_sets) || env->l1_sets > 65536 || env->l1_sets < 2)
		return "the number of L1 sets is no power of two from 2 to 65536";
	uint32_t poly = pric_poly(given(env), env->l1_sets);
	if (set_hash_degree(poly) != degree)
		return "the degree of the polynomial is not log2 of the L1 sets";
	if (!set_hash_irreducible(poly))
		return "the polynomial is reducible";
	if (given(env)->line_bits < degree)
		return "line_bits is less than the degree of the polynomial, so some sets would never be used";
	return NULL;
}

const struct policy policy_pric = {
    .abi = POLICY_ABI,
    .name = "pric",
    .title = "L1 sets by the remainder of an irreducible polynomial",
    .citation =
        "M. Khairy: Efficient Utilization of GPGPU Cache Hierarchy, MSc thesis, Cairo University 2015, "
        "section 5.3; after B. R. Rau: Pseudo-Randomly Interleaved Memory, ISCA 1991",
    POLICY_PARAMS(table, struct pric_params),
    .refuses = pric_refuses,
    .set_index = pric_set_index,
};
