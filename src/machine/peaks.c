#include "machine/peaks.h"

struct peaks machine_peaks(const struct machine *m)
{
	double line = m->lsu_data_banks ? (double)m->smem_banks * m->smem_bank_bytes : m->l1d_line_bytes;
	double lines = m->lsu_data_banks ? 1 : m->lsu_lines_per_cycle;
	double refresh = 1 - m->dram_refresh_per_mille / 1000.0;
	return (struct peaks){
	    .issue = (double)m->sm_count * m->sm_schedulers,
	    .l1 = m->sm_count * line * lines,
	    .l2 = (double)m->dram_channels * m->l2_slices_per_channel * m->l2_read_bytes_per_cycle *
	          m->clock_l2_mhz / m->clock_core_mhz,
	    .dram = m->dram_channels * m->dram_bus_bytes_per_clock * m->clock_dram_mhz / m->clock_core_mhz *
	            refresh,
	};
}
