#include "machine/gpcs.h"

/*
 * The groups of an H200, by %smid of CTAs that stay (validation/probes/placement.cu): of one GPC, four TPCs are dealt CTAs as
 * two groups of their own, first of all, and ahead of their turn. Which are near to the same half of L2 is known from the latency
 * of loads and from the writes of small grids, which L2 counts twice when they have to cross.
 */
static const struct {
	uint8_t sms, gpc, partition;
	bool ahead;
} h200_group[] = {
    {4, 0, 0, true},   {4, 0, 0, true},  {16, 1, 1, false}, {16, 2, 1, false}, {18, 3, 1, false},
    {18, 4, 0, false}, {8, 0, 1, false}, {16, 5, 0, false}, {16, 6, 0, false}, {16, 7, 0, false},
};
enum { H200_GROUPS = sizeof h200_group / sizeof *h200_group, H200_SMS = 132, H200_GPCS = 8 };

static uint32_t h200_groups(const struct machine *m, struct sm_group group[GROUPS_MAX])
{
	uint32_t first = 0;
	for (uint32_t i = 0; i < H200_GROUPS; i++) {
		group[i] = (struct sm_group){.first = first,
		                             .end = first + h200_group[i].sms,
		                             .gpc = h200_group[i].gpc,
		                             .partition = m->l2_partitions == 2 ? h200_group[i].partition : 0,
		                             .ahead = h200_group[i].ahead};
		first = group[i].end;
	}
	return H200_GROUPS;
}

/* GPCs of equal size, as far as that is possible; the first half of them is near to the first half of L2. */
static uint32_t even_groups(const struct machine *m, struct sm_group group[GROUPS_MAX])
{
	for (uint32_t gpc = 0; gpc < m->sm_gpcs; gpc++)
		group[gpc] =
		    (struct sm_group){.first = gpc * m->sm_count / m->sm_gpcs,
		                      .end = (gpc + 1) * m->sm_count / m->sm_gpcs,
		                      .gpc = gpc,
		                      .partition = m->l2_partitions == 2 && gpc >= (m->sm_gpcs + 1) / 2};
	return m->sm_gpcs;
}

uint32_t machine_groups(const struct machine *m, struct sm_group group[GROUPS_MAX])
{
	bool h200 = m->sm_gpc_layout == GPC_LAYOUT_H200 && m->sm_count == H200_SMS &&
	            m->sm_gpcs == H200_GPCS && m->sm_sms_per_tpc == 2;
	return h200 ? h200_groups(m, group) : even_groups(m, group);
}
