/*
 * Energy: events of the counters times energy per event, and static power times time. Coefficients and their
 * sources: energy.def.
 */
#ifndef SLUICE_STATS_ENERGY_H
#define SLUICE_STATS_ENERGY_H

#include "machine/machine.h"
#include "stats/counters.h"

#define ENERGY_PARTS(X)                                                                                      \
	X(issue, "fetch, decode and scheduling: warp_insns x issue")                                         \
	X(registers, "register file: thread_insns x registers")                                              \
	X(alu_int, "integer units and all that does no arithmetic: lanes_int x int + lanes_imad x imad")     \
	X(alu_float, "floating-point units: lanes_fp16 x fp16 + lanes_fp32 x fp32 + lanes_fp64 x fp64")      \
	X(alu_special, "transcendental units: lanes_sfu x sfu")                                              \
	X(alu_tensor, "matrix units: lanes_tensor x tensor")                                                 \
	X(l1, "L1: tag and data for every load that looks it up, store and line written back; for a fill "   \
	      "the tag, and the data by sectors; what policies add (Tian's wider tags and table)")           \
	X(shared,                                                                                            \
	  "shared memory: smem_wavefronts x smem; behind a cache: the tag per access, fills and lines "      \
	  "written back as in L1")                                                                           \
	X(interconnect, "between SMs and memory: sectors read, written and updated, those that bypass L2 "   \
	                "among them, and 8 B per packet, x wire")                                            \
	X(l2, "L2: sectors read, written and updated, x l2")                                                 \
	X(dram, "DRAM: bytes x dram_stacked or dram_planar, as dram.stacked of the machine says")            \
	X(static,                                                                                            \
	  "static power: SMs x static_sm, at most static_most, and their L1 x static_l1 and what policies "  \
	  "add to it, x time")

enum energy_part {
#define X(name, doc) ENERGY_##name,
	ENERGY_PARTS(X)
#undef X
	    ENERGY_COUNT
};

struct energy {
	double joules[ENERGY_COUNT];
	double total;
	double seconds;
};

/* What policies add to an L1 of 16 KB: per look-up and store, per fill, and all the time. */
struct energy_extra {
	double access_pj, fill_pj, static_mw;
};

struct energy energy_of(const struct counters *counters, const struct machine *machine,
                        struct energy_extra extra);

struct energy_info {
	const char *name, *doc;
};
extern const struct energy_info energy_parts[ENERGY_COUNT];

struct energy_coefficient {
	const char *name;
	double value;
	const char *unit, *source;
};
extern const struct energy_coefficient energy_coefficients[]; /* ended by a NULL name */

/*
 * Tian et al. 2015, Fig. 7: dynamic energy of an L1 with the bypass predictor, relative to one without, at
 * miss rate `miss` of which `coverage` bypass.
 */
double energy_tian_relative(double miss, double coverage);

#endif
