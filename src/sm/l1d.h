/*
 * What the files of the L1 data cache share: the way to the port, the words for
 * policies, and replacement.
 */
#ifndef SLUICE_SM_L1D_H
#define SLUICE_SM_L1D_H

#include "sm/port.h"

#include "base/bits.h"

#define TOKEN_LOAD (1u << 31) /* the reply goes to a load, not to an MSHR */

static inline struct l1_event l1d_event(const struct sm *sm, const struct mem_insn *mem, uint64_t line, uint32_t frame,
				cycle_t now)
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
	const struct chain *chain = sm->chain;
	if (!chain->has_set_index)
		return index_of(&sm->l1.index, line);
	const struct chain_link *link = &chain->link[__builtin_ctz(chain->has_set_index)];
	return link->policy.set_index(link->param, line, sm->l1.sets, warp);
}

static inline void l1d_send(struct sm *sm, enum packet_op op, const struct line_request *request, uint8_t sectors,
			uint32_t token, uint8_t feedback, cycle_t now)
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

/* replacement, l1d_alloc.c */

/* The entry that would give way, or TAG_NONE: every way is reserved. */
uint32_t l1d_victim(struct sm *sm, uint32_t set, const struct l1_event *cause);
/* An entry for cause->line, evicting what must go; TAG_NONE: every way is reserved. */
uint32_t l1d_allocate(struct sm *sm, uint32_t set, const struct l1_event *cause, cycle_t now);

/* questions to policies and requests past the cache, l1d_route.c */

uint8_t l1d_feedback(struct sm *sm, const struct mem_insn *mem, const struct line_request *request, cycle_t now);
enum l1_route l1d_ask_route(struct sm *sm, const struct mem_insn *mem, const struct line_request *request,
			    enum l1_presence presence, enum l1_fail fail, cycle_t now);
/* To L2 without a line or an MSHR; the load waits for every sector. */
enum l1_fail l1d_send_past(struct sm *sm, struct mem_insn *mem, const struct line_request *request, enum packet_op op,
			   cycle_t now);

#endif
