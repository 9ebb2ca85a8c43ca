#include "icnt/crossbar.h"

#include <stdlib.h>

#include "base/memory.h"
#include "machine/gpcs.h"

static void place_sms(struct crossbar *crossbar)
{
	const struct machine *m = crossbar->machine;
	struct sm_group group[GROUPS_MAX];
	uint32_t groups = machine_groups(m, group);
	crossbar->sm_cluster = memory_zeroed(m->sm_count, sizeof *crossbar->sm_cluster);
	crossbar->sm_partition = memory_zeroed(m->sm_count, sizeof *crossbar->sm_partition);
	for (uint32_t g = 0; g < groups; g++)
		for (uint32_t sm = group[g].first; sm < group[g].end; sm++) {
			crossbar->sm_cluster[sm] = (uint16_t)group[g].gpc;
			crossbar->sm_partition[sm] = (uint8_t)group[g].partition;
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
