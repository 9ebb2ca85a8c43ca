/* Energy of a launch from its counters. */
#include "stats/energy.h"

#include <math.h>
#include <stddef.h>

enum coefficient {
#define K(name, value, unit, source) K_##name,
#include "stats/energy.def"
	K_COUNT
};

const struct energy_coefficient energy_coefficients[] = {
#define K(name, value, unit, source) {#name, value, unit, source},
#include "stats/energy.def"
    {NULL, 0, NULL, NULL},
};

const struct energy_info energy_parts[ENERGY_COUNT] = {
#define X(name, doc) {#name, doc},
    ENERGY_PARTS(X)
#undef X
};

static double k(enum coefficient name)
{
	return energy_coefficients[name].value;
}

static double l2_bytes(const struct counters *c, const struct machine *m)
{
	return (double)(c->value[COUNT_l2_read_sectors] + c->value[COUNT_l2_write_sectors] +
	                c->value[COUNT_l2_atomic_sectors]) *
	       m->l2_sector_bytes;
}

#define V(name) ((double)counters->value[COUNT_##name])

/* Bytes between SMs and memory: whole sectors and a header per packet. */
static double wire_bytes(const struct counters *counters, const struct machine *m)
{
	enum { HEADER_BYTES = 8 };
	return l2_bytes(counters, m) +
	       (V(l2_bypass_read_sectors) + V(l2_bypass_write_sectors)) * m->l2_sector_bytes +
	       (V(icnt_requests) + V(icnt_replies)) * HEADER_BYTES;
}

/* Tian 5.1: tag and data are accessed in parallel at each access, whether or not the load then bypasses. */
static double l1_pj(const struct counters *counters, const struct machine *m, struct energy_extra extra)
{
	double tag = k(K_l1_tag), data = k(K_l1_data);
	double accesses = V(l1_accesses) - V(l1_blind_bypasses) + V(l1_stores);
	double filled_lines = V(l1_fill_sectors) * m->l1d_sector_bytes / m->l1d_line_bytes;
	return accesses * (tag + data + extra.access_pj) + V(l1_fills) * (tag + extra.fill_pj) +
	       filled_lines * data + V(l1_writebacks) * (tag + data);
}

static double shared_pj(const struct counters *counters, const struct machine *m)
{
	double tag = k(K_l1_tag), data = k(K_l1_data);
	double filled_lines = V(aux_fill_sectors) * m->l1d_sector_bytes / m->l1d_line_bytes;
	return V(smem_wavefronts) * k(K_smem) + (V(aux_accesses) + V(aux_stores) + V(aux_fills)) * tag +
	       filled_lines * data + V(aux_writebacks) * (tag + data);
}

struct energy energy_of(const struct counters *counters, const struct machine *machine,
                        struct energy_extra extra)
{
	enum { TIAN_L1_BYTES = 16384 };
	double seconds = V(cycles) / (machine->clock_core_mhz * 1e6);
	double l1_arrays = (double)machine->sm_count * machine->l1d_sets * machine->l1d_ways *
	                   machine->l1d_line_bytes / TIAN_L1_BYTES;
	double pj[ENERGY_COUNT] = {
	    [ENERGY_issue] = V(warp_insns) * k(K_issue),
	    [ENERGY_registers] = V(thread_insns) * k(K_registers),
	    [ENERGY_alu_int] = V(lanes_int) * k(K_int) + V(lanes_imad) * k(K_imad),
	    [ENERGY_alu_float] =
	        V(lanes_fp16) * k(K_fp16) + V(lanes_fp32) * k(K_fp32) + V(lanes_fp64) * k(K_fp64),
	    [ENERGY_alu_special] = V(lanes_sfu) * k(K_sfu),
	    [ENERGY_alu_tensor] = V(lanes_tensor) * k(K_tensor),
	    [ENERGY_l1] = l1_pj(counters, machine, extra),
	    [ENERGY_shared] = shared_pj(counters, machine),
	    [ENERGY_interconnect] = wire_bytes(counters, machine) * k(K_wire),
	    [ENERGY_l2] = l2_bytes(counters, machine) * k(K_l2),
	    [ENERGY_dram] = (V(dram_read_bytes) + V(dram_write_bytes)) *
	                    k(machine->dram_stacked ? K_dram_stacked : K_dram_planar),
	    [ENERGY_static] = (fmin(machine->sm_count * k(K_static_sm), k(K_static_most)) +
	                       l1_arrays * (k(K_static_l1) + extra.static_mw)) *
	                      seconds * 1e9,
	};
#undef V
	struct energy energy = {.seconds = seconds};
	for (int i = 0; i < ENERGY_COUNT; i++) {
		energy.joules[i] = pj[i] * 1e-12;
		energy.total += energy.joules[i];
	}
	return energy;
}

double energy_tian_relative(double miss, double coverage)
{
	/* Table 3, the column with the predictor: wider tags, and a look into its table at every access. */
	const double tag = 1.7867, table = 0.126232, data = k(K_l1_data);
	double with = tag + data + table + miss * (1 - coverage) * (tag + data);
	return with / ((k(K_l1_tag) + data) * (1 + miss));
}
