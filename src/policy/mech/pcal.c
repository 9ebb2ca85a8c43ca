/*
 * Priority-based cache allocation as LCM (Fang et al., 2021) compares with it:
 * as many warps of a scheduler hold tokens, and use L1, as the best static limit
 * of the program would let run (a profile: `sluice tune --param swl.n`, or the
 * search of an experiment); further warps run past L1 while L2 and DRAM have
 * bandwidth to spare, chosen window by window.
 *
 * Li et al., HPCA 2015. That is what CIAO calls statPCAL, with the specified
 * thresholds. Left out: the search for the number of tokens at run time.
 */
#include "policy/policy.h"

struct pcal_params {
	uint32_t tokens, warps;
};

static const struct policy_param params[] = {
    PARAM_U32(struct pcal_params, tokens, 1, 1, 64, "warps",
              "warps of a scheduler that may take lines of L1: from a profile"),
    PARAM_U32(struct pcal_params, warps, 0, 0, 64, "warps",
              "warps of a scheduler that may run at all; 0: its slots"),
};

extern const struct policy policy_pcal;
const struct policy policy_pcal = {
    .abi = POLICY_ABI,
    .name = "pcal",
    .title = "priority-based cache allocation: profiled tokens, bypassing warps by the load of memory",
    .citation = "D. Li et al.: Priority-Based Cache Allocation in Throughput Processors, HPCA 2015",
    .bundle = "statpcal:idle=0.70:busy=0.90",
    POLICY_PARAMS(params, struct pcal_params),
};
