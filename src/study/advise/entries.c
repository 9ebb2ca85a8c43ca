/*
 * The runs that advice asks for. Parameters are the papers' (docs/mechanisms); Best-SWL's limit is searched, and statPCAL
 * takes what was found as its tokens, as CIAO does (section V-A).
 */
#include "study/advise/advise.h"

const struct advise_entry advise_entries[] = {
    {"gto", ADVISE_BASELINE, NULL, "gto", true, false, "greedy-then-oldest scheduling"},

    {"perfect-l1", ADVISE_LIMIT, NULL, "perfect-l1", true, false, "an L1 in which every load hits"},
    {"unbounded", ADVISE_LIMIT, NULL, "unbounded", true, false, "an L1 without limits"},
    {"interference-free", ADVISE_LIMIT, NULL, "interference-free", true, false, "an L1 for every warp"},
    {"min", ADVISE_LIMIT, NULL, "min", false, false, "Belady's replacement in L1"},

    {"mshrs", ADVISE_WHAT_IF, NULL, "gto", true, false, "misses outstanding without limit"},
    {"l2-bandwidth", ADVISE_WHAT_IF, NULL, "gto", true, false,
     "four times the bandwidth of L2 and the links to it"},
    {"dram-bandwidth", ADVISE_WHAT_IF, NULL, "gto", true, false, "four times the bandwidth of DRAM"},
    {"latency", ADVISE_WHAT_IF, NULL, "gto", true, false, "half the latency beyond L1"},

    {"lrr", ADVISE_MECHANISM, "warp order", "lrr", false, false, "loose round-robin"},
    {"two-level", ADVISE_MECHANISM, "warp order", "two-level", true, false, "two-level scheduling"},
    {"swl", ADVISE_MECHANISM, "warp throttling", "swl", true, false, "Best-SWL, the best static limit"},
    {"ccws", ADVISE_MECHANISM, "warp throttling", "ccws", true, false, "CCWS"},
    {"dwt-cs", ADVISE_MECHANISM, "warp throttling", "dwt-cs", false, false,
     "dynamic throttling by core sampling"},
    {"statpcal", ADVISE_MECHANISM, "throttling and bypass", "statpcal", true, false, "statPCAL"},
    {"ciao-t", ADVISE_MECHANISM, "interference", "ciao-t", false, false, "CIAO-T: interfering warps stall"},
    {"ciao-p", ADVISE_MECHANISM, "interference", "ciao-p", false, false,
     "CIAO-P: interfering warps use shared memory"},
    {"ciao-c", ADVISE_MECHANISM, "interference", "ciao-c", true, false, "CIAO-C: both"},
    {"tian", ADVISE_MECHANISM, "L1 bypass", "tian", true, false, "bypass by PC (Tian)"},
    {"counter-bypass", ADVISE_MECHANISM, "L1 bypass", "counter-bypass", false, false, "bypass by counters"},
    {"dbsa", ADVISE_MECHANISM, "L1 bypass", "dbsa", false, false, "bypass of streams at L1 and L2 (Khairy)"},
    {"mrpb", ADVISE_MECHANISM, "L1 bypass", "mrpb", false, false,
     "MRPB: requests reordered, bypass on stalls"},
    {"lcm", ADVISE_MECHANISM, "locality", "lcm", true, false, "LCM: bypass and inter-warp coalescing"},
    {"lcm+lws", ADVISE_MECHANISM, "locality", "lcm+lws", false, false, "LCM with locality-based scheduling"},
    {"pric", ADVISE_MECHANISM, "set index", "pric", true, false, "a pseudo-random set index (PRIC)"},
    {"xor", ADVISE_MECHANISM, "set index", "xor", false, false, "an XOR set index"},
    {"rrip", ADVISE_MECHANISM, "replacement", "rrip", true, false, "SRRIP replacement"},
    {"dwt-pric", ADVISE_MECHANISM, "set index, throttling and bypass together", "dwt-pric", true, false,
     "all of Khairy's"},
    {"osm", ADVISE_MECHANISM, "off-chip shared memory", "osm", true, true, "OSM: shared memory off chip"},
    {"ucm", ADVISE_MECHANISM, "off-chip shared memory", "ucm", false, true, "UCM: one cache for both"},
};
const size_t advise_entry_count = sizeof advise_entries / sizeof *advise_entries;
