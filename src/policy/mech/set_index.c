/*
 * Index functions of L1.
 *
 * seq: neighbouring lines in neighbouring sets, for any number of sets; Khairy's baseline (2015, section 5.3).
 * xor: three neighbouring fields of the line number, each as wide as the index, XORed (I = L ^ L>>m ^ L>>2m).
 * fermi: measured on Fermi: five index bits XORed with five address bits above them; CIAO's baseline. It is known for 32 and
 * 64 sets; with other numbers of sets the fold of xor stands in.
 * pric, pseudo-random interleaved cache (Khairy 2015, section 5.3): the set of a line is its number, read as a polynomial over
 * GF(2), modulo an irreducible polynomial. Rows a power of two of lines apart, which seq puts into a few sets, spread over all
 * of them. The XOR gates delay every access, 0 to 2 cycles in figure 6.7: that is the machine's l1d.hit_cycles. L2 keeps its
 * own function.
 */
#include "base/bits.h"
#include "base/set_hash.h"
#include "policy/define.h"

static uint32_t seq_set_index(const void *params, uint64_t line, uint32_t sets, uint32_t warp)
{
	(void)params, (void)warp;
	return (uint32_t)(line % sets);
}

const struct policy policy_seq = {
    .abi = POLICY_ABI,
    .name = "seq",
    .title = "L1 sets in sequence: the line number modulo the sets",
    .citation = "textbook; M. Khairy, MSc thesis, Cairo University 2015, section 5.3",
    .set_index = seq_set_index,
};

static const char *needs_power_of_two(const struct policy_env *env)
{
	return bits_is_power_of_two(env->l1_sets) ? NULL : "the number of L1 sets is no power of two";
}

static uint32_t xor_set_index(const void *params, uint64_t line, uint32_t sets, uint32_t warp)
{
	(void)params, (void)warp;
	return set_hash_xor(line, bits_log2_up(sets));
}

const struct policy policy_xor = {
    .abi = POLICY_ABI,
    .name = "xor",
    .title = "L1 sets by an XOR fold of the line number",
    .citation =
        "A. Gonzalez, M. Valero, N. Topham, J. M. Parcerisa: Eliminating Cache Conflict Misses Through "
        "XOR-Based Placement Functions, ICS 1997",
    .refuses = needs_power_of_two,
    .set_index = xor_set_index,
};

static uint32_t fermi_set_index(const void *params, uint64_t line, uint32_t sets, uint32_t warp)
{
	(void)params, (void)warp;
	return set_hash_fermi(line, bits_log2_up(sets));
}

const struct policy policy_fermi = {
    .abi = POLICY_ABI,
    .name = "fermi",
    .title = "L1 sets by the XOR hash measured on Fermi",
    .citation =
        "C. Nugteren, G.-J. van den Braak, H. Corporaal, H. Bal: A Detailed GPU Cache Model Based on Reuse "
        "Distance Theory, HPCA 2014",
    .refuses = needs_power_of_two,
    .set_index = fermi_set_index,
};

struct pric_params {
	uint32_t poly;
	uint32_t line_bits;
};

POLICY_GIVEN(struct pric_params)

static const struct policy_param pric_params[] = {
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
    POLICY_PARAMS(pric_params, struct pric_params),
    .refuses = pric_refuses,
    .set_index = pric_set_index,
};
