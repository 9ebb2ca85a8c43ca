/* Derived metrics. */
#include "stats/metrics.h"

#include <math.h>

const struct counter_info metric_infos[METRIC_COUNT] = {
#define M(name, unit, ncu, doc) {#name, unit, ncu, doc},
#include "stats/metrics.def"
};

static double ratio(double part, double whole)
{
	return whole > 0 ? part / whole : NAN;
}

double metric_percent(double part, double whole)
{
	return 100 * ratio(part, whole);
}

/* Bytes all DRAM buses carry in a core cycle. */
static double dram_peak(const struct machine *m)
{
	return (double)m->dram_channels * m->dram_bus_bytes_per_clock * m->clock_dram_mhz / m->clock_core_mhz;
}

double metric_value(enum metric metric, const struct counters *counters, const struct machine *machine)
{
#define V(name) ((double)counters->value[COUNT_##name])
	double dram_bytes = V(dram_read_bytes) + V(dram_write_bytes);
	double busy = V(sm_cycles) - V(stall_idle);
	switch (metric) {
	case METRIC_ipc:
		return ratio(V(warp_insns), V(cycles));
	case METRIC_thread_ipc:
		return ratio(V(thread_insns), V(cycles));
	case METRIC_sm_ipc:
		return ratio(V(warp_insns), V(sm_cycles));
	case METRIC_time:
		return V(cycles) / machine->clock_core_mhz;
	case METRIC_issue_share:
		return metric_percent(V(issue_cycles), V(sm_cycles));
	case METRIC_occupancy:
		return metric_percent(V(warp_cycles), busy * machine->sm_warps);
	case METRIC_l1_load_hit_rate:
		return metric_percent(V(l1_load_hit_sectors), V(l1_load_sectors));
	case METRIC_l1_miss_rate:
		return metric_percent(V(l1_misses), V(l1_accesses));
	case METRIC_l2_read_hit_rate:
		return metric_percent(V(l2_read_hit_sectors), V(l2_read_sectors));
	case METRIC_dram_bandwidth:
		return metric_percent(dram_bytes, V(cycles) * dram_peak(machine));
	case METRIC_dram_rate:
		return ratio(dram_bytes * machine->clock_core_mhz * 1e-3, V(cycles));
	case METRIC_COUNT:
		break;
	}
#undef V
	return NAN;
}
