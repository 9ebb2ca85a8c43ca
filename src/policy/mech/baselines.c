/*
 * The unmodified GPU of each paper, by name, so that comparisons use the right one. The machine file has the
 * rest: caches, carve-out, set index, pseudo-LRU in L2 and L3.
 */
#include "policy/policy.h"

/* Section V-A: GTO; the hashed set index is the machine's. */
const struct policy policy_baseline_ciao = {
    .abi = POLICY_ABI,
    .name = "baseline-ciao",
    .title = "the baseline of CIAO: greedy-then-oldest",
    .citation = "J. Zhang et al.: CIAO, IPDPS 2018",
    .bundle = "gto",
};

/* Table 4.1: GTO; the sequential set index is the machine's. */
const struct policy policy_baseline_khairy = {
    .abi = POLICY_ABI,
    .name = "baseline-khairy",
    .title = "the baseline of Khairy's thesis: greedy-then-oldest",
    .citation =
        "M. Khairy: Efficient Utilization of GPGPU Cache Hierarchy, MSc thesis, Cairo University 2015",
    .bundle = "gto",
};

/* Table 2: GTO, LRU. */
const struct policy policy_baseline_lcm = {
    .abi = POLICY_ABI,
    .name = "baseline-lcm",
    .title = "the baseline of LCM: greedy-then-oldest",
    .citation =
        "J. Fang, Z. Wei, H. Yang: Locality-Based Cache Management and Warp Scheduling for Reducing Cache "
        "Contention in GPU, Micromachines 12, 2021",
    .bundle = "gto",
};

/* Table 2: GTO; Volta's carve-out is the machine's. */
const struct policy policy_baseline_osm = {
    .abi = POLICY_ABI,
    .name = "baseline-osm",
    .title = "the baseline of OSM: greedy-then-oldest on Volta, with its carve-out",
    .citation = "S. Darabi et al.: OSM: Off-Chip Shared Memory for GPUs, TPDS 2022",
    .bundle = "gto",
};

/* Section 4.1: oldest first, pseudo-LRU in all caches. */
const struct policy policy_baseline_tian = {
    .abi = POLICY_ABI,
    .name = "baseline-tian",
    .title = "the baseline of Tian et al.: oldest first, pseudo-LRU in L1",
    .citation = "Y. Tian et al.: Adaptive GPU Cache Bypassing, GPGPU-8, 2015",
    .bundle = "oldest,plru",
};
