/* What the files of L1 and of the auxiliary cache share. */
#ifndef SLUICE_SM_L1_INTERNAL_H
#define SLUICE_SM_L1_INTERNAL_H

#include "sm/l1.h"
#include "sm/prefetch.h"

/* A load's instruction, for policies. */
static inline struct l1_event l1_event(const struct l1 *l1, const struct mem_insn *mem, uint64_t line,
                                       uint32_t frame, cycle_t now)
{
	return (struct l1_event){.cycle = now,
	                         .line = line,
	                         .pc = l1->launch->insn[mem->insn].pc,
	                         .sm = l1->sm,
	                         .warp = mem->warp,
	                         .cta = warps_cta_slot(l1->warps, mem->warp),
	                         .frame = frame,
	                         .owner = mem->warp};
}

/* The instruction that missed first, when its data come. */
static inline struct l1_event l1_fill_event(const struct l1 *l1, const struct mshr *mshr,
                                            const struct reply *reply, uint32_t frame, cycle_t now)
{
	return (struct l1_event){.cycle = now,
	                         .line = reply->line,
	                         .sm = l1->sm,
	                         .warp = mshr->owner,
	                         .pc = l1->launch->insn[mshr->insn].pc,
	                         .cta = mshr->cta,
	                         .owner = mshr->owner,
	                         .feedback = reply->feedback,
	                         .prefetch = (mshr->flags & MSHR_UNUSED) != 0,
	                         .frame = frame};
}

static inline void l1_count_hit_sectors(struct l1 *l1, const struct mem_insn *mem, uint32_t sectors)
{
	if (mem->space == SPACE_GLOBAL)
		count(l1->account, COUNT_l1_load_hit_sectors, sectors);
}

enum { FOUND_BITS = 11 };
/* Where the line was found last, in bytes behind the first tag; it may hold another by now, or none. */
static inline uint32_t *l1_last_found(uint32_t *found, uint64_t line)
{
	return &found[line * 0x9e3779b97f4a7c15u >> (64 - FOUND_BITS)];
}
static inline void l1_note_found(struct l1 *l1, uint64_t line, uint32_t entry)
{
	*l1_last_found(l1->found, line) = (uint32_t)(entry * sizeof *l1->tags.entries);
}
/* The line's tag, if it is still where it was found last; else NULL. */
static inline struct tag *l1_find_again(const struct l1 *l1, uint64_t line)
{
	struct tag *tag = (struct tag *)((char *)l1->tags.entries + *l1_last_found(l1->found, line));
	return tag->line == line && tag_present(&l1->tags, tag) ? tag : NULL;
}

/* The load waits for these sectors of the line. */
static inline void l1_wait(struct l1 *l1, uint32_t mshr, const struct mem_insn *mem, uint8_t sectors)
{
	mshr_wait(&l1->mshrs, mshr, sectors)->who = mem->load;
	loads_wait(l1->loads, mem->load, 1);
}

/* An MSHR for the instruction's miss. */
static inline uint32_t l1_allocate_mshr(struct l1 *l1, const struct mem_insn *mem, uint64_t line, cycle_t now)
{
	uint32_t index = mshr_allocate(&l1->mshrs, line);
	struct mshr *mshr = &l1->mshrs.entry[index];
	mshr->owner = mem->warp;
	mshr->cta = (uint16_t)warps_cta_slot(l1->warps, mem->warp);
	mshr->since = now;
	mshr->insn = mem->insn;
	return index;
}

/* Write into a packet which instruction sends it: `mem`, or if that is NULL, that of its MSHR. Write-backs have none. */
void l1_tell_origin(const struct l1 *l1, const struct mem_insn *mem, struct line_packet *packet);

/* Sends a line of `mem`, which may be a write that polls wait for (sm/polls.h); NULL: it is none. */
static inline void l1_send_of(struct l1 *l1, const struct mem_insn *mem, enum packet_op op,
                              const struct line_request *request, uint8_t sectors, uint32_t token,
                              uint8_t feedback, cycle_t now)
{
	struct line_packet packet = {.line = request->line,
	                             .token = token,
	                             .op = (uint8_t)op,
	                             .sectors = sectors,
	                             .full = op == PACKET_ATOMIC || op == PACKET_REDUCE ? request->passes
	                                                                                : request->full,
	                             .lanes = request->lanes,
	                             .feedback = feedback};
	if (mem && __builtin_expect(mem->notice, 0))
		packet.notice = polls_take(&l1->warps->polls, mem->notice, request->line);
	if (mem && op == PACKET_READ && l1->launch->insn[mem->insn].async == ASYNC_COPY)
		packet.flags = PACKET_ALONE;
	if (__builtin_expect(l1->origin, 0))
		l1_tell_origin(l1, mem, &packet);
	if (op != PACKET_WRITE && now < l1->stores_out)
		now = l1->stores_out++; /* a request takes a cycle of the way out */
	port_send_line(l1->port, &packet, now);
}
static inline void l1_send(struct l1 *l1, enum packet_op op, const struct line_request *request,
                           uint8_t sectors, uint32_t token, uint8_t feedback, cycle_t now)
{
	l1_send_of(l1, NULL, op, request, sectors, token, feedback, now);
}

/* ---- partial lines (l1_store.c) ---------------------------------------------------------------------------- */

/* Of the sectors that the entry does not hold whole, those of which it holds the bytes asked for. */
uint8_t l1_partial_sectors(const struct l1 *l1, const uint32_t *bytes, uint32_t entry,
                           const struct line_request *request, uint8_t missing);
/* Stores of this launch go through without a question, and cannot fail. */
bool l1_stores_plainly(const struct l1 *l1);
/* Marks the stored bytes valid; a sector that is complete becomes an ordinary one. */
void l1_store_bytes(const struct l1 *l1, struct tags *tags, uint32_t *bytes, uint32_t entry,
                    const struct line_request *request);

/* ---- replacement ------------------------------------------------------------------------------ */

/* Asks the policy that owns l1_victim; `tags` are L1's, or the auxiliary cache's if cause->aux. */
uint32_t l1_ask_victim(const struct l1 *l1, const struct tags *tags, uint32_t set,
                       const struct l1_event *cause);

/* Evict what must go and make an entry hold cause->line: the entry, or TAG_NONE if every way is reserved. */
uint32_t l1_allocate(struct l1 *l1, uint32_t set, const struct l1_event *cause, cycle_t now);
static inline void l1_invalidate(struct l1 *l1, uint32_t entry)
{
	l1->lines--;
	if (__builtin_expect(l1->tags.entries[entry].state & TAG_PREFETCHED, 0))
		prefetcher_lost(l1->prefetcher, &l1->tags.entries[entry]);
	tags_invalidate(&l1->tags, entry);
}

/* ---- questions to policies -------------------------------------------------------------------- */

uint8_t l1_feedback(const struct l1 *l1, const struct mem_insn *mem, const struct line_request *request,
                    cycle_t now);
enum l1_route l1_ask_route(const struct l1 *l1, const struct mem_insn *mem,
                           const struct line_request *request, enum l1_presence presence, enum l1_fail fail,
                           cycle_t now);
enum smem_route l1_ask_smem_route(const struct l1 *l1, const struct mem_insn *mem,
                                  const struct line_request *request, cycle_t now);
/* To L2 without a line or an MSHR; the load waits for every sector. */
enum l1_fail l1_send_bypass(struct l1 *l1, const struct mem_insn *mem, const struct line_request *request,
                            enum packet_op op, cycle_t now);

#endif
