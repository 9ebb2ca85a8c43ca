/*
 * What the files of the L1 data cache share: the way to the port, the words for
 * policies, and replacement.
 */
#ifndef SLUICE_SM_L1D_H
#define SLUICE_SM_L1D_H

#include "icnt/port.h"

#include "base/bits.h"

#define TOKEN_LOAD (1u << 31) /* the reply goes to a load, not to an MSHR */

/* mshr.flags */
enum {
	MSHR_SIDE = 1,   /* the fill goes to the side cache */
	MSHR_SHARED = 2, /* it is a line of shared memory */
};

/* What a load finds in L1. */
struct l1_lookup {
	uint32_t set, entry, mshr;
	uint8_t missing; /* sectors that are not here */
	uint8_t fresh;   /* of those, not on their way either */
};

static inline struct l1_event l1d_event(const struct sm *sm, const struct mem_insn *mem, uint64_t line,
                                        uint32_t frame, cycle_t now)
{
	return (struct l1_event){.cycle = now,
	                         .line = line,
	                         .pc = sm->launch->insn[mem->insn].pc,
	                         .sm = sm->id,
	                         .warp = mem->warp,
	                         .cta = sm->warp[mem->warp].cta_slot,
	                         .frame = frame,
	                         .owner = mem->warp};
}

static inline uint32_t l1d_set(const struct sm *sm, uint64_t line, uint32_t warp)
{
	if (!hooks_has_set_index(&sm->hooks))
		return index_of(&sm->l1.index, line);
	return hooks_set_index(&sm->hooks, line, sm->l1.sets, warp);
}

/* Sectors of the request whose bytes the entry holds; `bytes` are those of partial lines. */
static inline uint8_t l1d_sectors_held(const struct sm *sm, const struct tags *tags, const uint32_t *bytes,
                                       uint32_t entry, const struct line_request *request)
{
	const struct tag *tag = &tags->entries[entry];
	uint8_t held = tag->valid & request->sectors;
	if (!(tag->state & TAG_PARTIAL))
		return held;
	bytes += (size_t)entry * LINE_CHUNKS;
	uint32_t chunks = sm->sector_chunks;
	for (uint32_t rest = request->sectors & ~held; rest; rest &= rest - 1) {
		uint32_t lacks = 0, first = bits_lowest(rest) * chunks;
		for (uint32_t c = first; c < first + chunks; c++)
			lacks |= request->bytes[c] & ~bytes[c];
		if (!lacks)
			held |= (uint8_t)(rest & -rest);
	}
	return held;
}

static inline void l1d_wait_for(struct sm *sm, uint32_t mshr, struct mem_insn *mem, uint8_t sectors)
{
	struct waiter *waiter = mshrs_wait(&sm->mshrs, mshr);
	waiter->who = mem->load;
	waiter->sectors = sectors;
	sm->loads[mem->load].waiting++;
}

/* A place among those who wait for the line. */
static inline bool l1d_can_merge(const struct sm *sm, uint32_t mshr)
{
	return sm->mshrs.entry[mshr].waiters < sm->machine->l1d_mshr_merge && sm->mshrs.free_waiters;
}

static inline void l1d_send(struct sm *sm, enum packet_op op, const struct line_request *request,
                            uint8_t sectors, uint32_t token, uint8_t feedback, cycle_t now)
{
	const struct address_map *map = &sm->memory->map;
	uint32_t side = sm->memory->sm_side[sm->id];
	uint32_t home = map_home_side(map, request->line);
	/* Reads look at the near side first; all else is done at home. */
	uint32_t target = op == PACKET_READ ? side : home;
	struct packet packet = {.line = request->line,
	                        .token = token,
	                        .op = (uint8_t)op,
	                        .sectors = sectors,
	                        .full = request->full,
	                        .lanes = request->lanes,
	                        .feedback = feedback,
	                        .flags = home != side ? PACKET_CROSSES : 0,
	                        .sm = (uint16_t)sm->id,
	                        .slice = (uint16_t)map_slice(map, request->line, target)};
	port_send(sm, &packet, now);
}

/* stores, l1d_store.c */

/* Marks the stored bytes valid; a sector that is complete becomes an ordinary one. */
void l1d_store_bytes(struct sm *sm, struct tags *tags, uint32_t *bytes, uint32_t entry,
                     const struct line_request *request);

/* replacement, l1d_alloc.c */

/* Asks the policy that owns l1_victim; `tags` are L1's, or the side cache's if cause->side. */
uint32_t l1d_ask_victim(struct sm *sm, const struct tags *tags, uint32_t set, const struct l1_event *cause);

/* The entry that would give way, or TAG_NONE: every way is reserved. */
uint32_t l1d_victim(struct sm *sm, uint32_t set, const struct l1_event *cause);
/* An entry for cause->line, evicting what must go; TAG_NONE: every way is reserved. */
uint32_t l1d_allocate(struct sm *sm, uint32_t set, const struct l1_event *cause, cycle_t now);

/* questions to policies and requests past the cache, l1d_route.c */

uint8_t l1d_feedback(struct sm *sm, const struct mem_insn *mem, const struct line_request *request,
                     cycle_t now);
enum smem_route l1d_ask_smem_route(struct sm *sm, const struct mem_insn *mem,
                                   const struct line_request *request, cycle_t now);
enum l1_route l1d_ask_route(struct sm *sm, const struct mem_insn *mem, const struct line_request *request,
                            enum l1_presence presence, enum l1_fail fail, cycle_t now);
/* To L2 without a line or an MSHR; the load waits for every sector. */
enum l1_fail l1d_send_past(struct sm *sm, struct mem_insn *mem, const struct line_request *request,
                           enum packet_op op, cycle_t now);

#endif
