/* Load latencies of a machine on which nothing else happens, as the core adds them up. */
#ifndef SLUICE_TESTS_UNLOADED_H
#define SLUICE_TESTS_UNLOADED_H

#include "machine/machine.h"

static inline double l2_hit_cycles(const struct machine *m)
{
	return m->l1d_hit_cycles + m->icnt_request_cycles + m->l2_latency_cycles + m->icnt_reply_cycles;
}

/* What a miss of L2 adds. */
static inline double dram_cycles(const struct machine *m)
{
	double clocks = m->dram_tRCD + m->dram_tCL + m->l2_fetch_bytes / m->dram_bus_bytes_per_clock;
	return m->dram_extra_cycles + clocks * m->clock_core_mhz / m->clock_dram_mhz;
}

#endif
