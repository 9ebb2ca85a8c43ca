#include "icnt/crossbar.h"

#include <stdlib.h>

#include "base/memory.h"

/* SMs are numbered through the GPCs; the first half of those is near to the first L2 partition. */
static void place_sms(struct crossbar *crossbar)
{
	const struct machine *m = crossbar->machine;
	crossbar->sm_cluster = memory_zeroed(m->sm_count, sizeof *crossbar->sm_cluster);
	crossbar->sm_partition = memory_zeroed(m->sm_count, sizeof *crossbar->sm_partition);
	for (uint32_t gpc = 0; gpc < m->sm_gpcs; gpc++) {
		uint32_t first = gpc * m->sm_count / m->sm_gpcs, end = (gpc + 1) * m->sm_count / m->sm_gpcs;
		for (uint32_t sm = first; sm < end; sm++) {
			crossbar->sm_cluster[sm] = (uint16_t)gpc;
			crossbar->sm_partition[sm] = m->l2_partitions == 2 && gpc >= (m->sm_gpcs + 1) / 2;
		}
	}
}

/* Pseudo-random distances, the same for every run: a cluster is nearer to some slices than to others. */
static void build_paths(struct crossbar *crossbar)
{
	const struct machine *m = crossbar->machine;
	uint32_t slices = crossbar->map.slices;
	crossbar->path = memory_zeroed((size_t)m->sm_gpcs * slices, 1);
	for (uint32_t cluster = 0; cluster < m->sm_gpcs; cluster++)
		for (uint32_t slice = 0; slice < slices; slice++) {
			uint64_t hash = bits_mix(cluster * 0x10001u + slice + 1);
			crossbar->path[cluster * slices + slice] =
			    (uint8_t)(map_reduce(hash, m->icnt_spread_cycles + 1) / 2);
		}
}

void crossbar_init(struct crossbar *crossbar, const struct machine *machine, uint32_t workers)
{
	crossbar->machine = machine;
	crossbar->workers = workers;
	address_map_init(&crossbar->map, machine);
	place_sms(crossbar);
	build_paths(crossbar);
	crossbar->slice_worker = memory_zeroed(crossbar->map.slices, sizeof *crossbar->slice_worker);
	crossbar->sm_worker = memory_zeroed(machine->sm_count, sizeof *crossbar->sm_worker);
	crossbar->credits = memory_zeroed((size_t)machine->sm_count * workers, sizeof *crossbar->credits);
}

void crossbar_free(struct crossbar *crossbar)
{
	free(crossbar->sm_cluster);
	free(crossbar->sm_partition);
	free(crossbar->path);
	free(crossbar->slice_worker);
	free(crossbar->sm_worker);
	free(crossbar->credits);
}

void crossbar_share(struct crossbar *crossbar, uint32_t owners)
{
	crossbar->owners = owners;
	for (uint32_t i = 0; i < crossbar->map.slices; i++)
		crossbar->slice_worker[i] = (uint16_t)(i / crossbar->map.slices_per_channel % owners);
	for (uint32_t i = 0; i < crossbar->machine->sm_count; i++)
		crossbar->sm_worker[i] = (uint16_t)(i % owners);
}
