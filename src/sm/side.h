/*
 * The side cache: a second cache beside L1, as a policy's side_cache describes it; and shared memory that lies in DRAM
 * behind that cache, or behind L1.
 *
 * It exists only if a policy has side_cache or smem_route. Its shape may change with the CTAs of the SM, which empties
 * it. A line is taken when the data come: nothing of it is reserved while a fill is on its way.
 */
#ifndef SLUICE_SM_SIDE_H
#define SLUICE_SM_SIDE_H

#include "sm/l1d.h"

struct side {
	struct side_cache shape; /* sets 0: none at the moment */
	struct tags tags;
	uint32_t *bytes;            /* bytes valid per chunk of partial lines */
	uint32_t bytes_capacity;    /* lines */
	uint64_t window;            /* first line of this SM's shared memory in DRAM */
	uint32_t window_lines;      /* of a CTA */
	struct line_request *lines; /* of shared accesses, COALESCE_MAX for each place in the LSU queue */
	uint64_t *cta;              /* whose they are */
};

/* Where lines lie: in the side cache or in L1. */
struct place {
	struct tags *tags;
	uint32_t *bytes;
	bool side;
};

/* NULL if no policy asks for one. */
struct side *side_new(const struct chain *chain, uint32_t queue);
void side_free(struct side *side);
/* At the start of a launch, after the policies' own: empty, and of the shape that an SM without CTAs has. */
void side_begin_launch(struct sm *sm);

/* A CTA began, or ended: the shape may change. */
void side_cta_began(struct sm *sm, cycle_t now);
void side_cta_ended(struct sm *sm, uint32_t cta_slot, cycle_t now);

/* ---- global memory ------------------------------------------------------------------------------------------ */

static inline bool side_open(const struct sm *sm)
{
	return sm->side && sm->side->shape.sets;
}

/* A load that a policy sends to the side cache; `l1` is what L1 holds of the line. */
enum l1_fail side_load(struct sm *sm, struct mem_insn *mem, const struct line_request *request,
                       const struct l1_lookup *l1, cycle_t now);
/* A global store passes: its copy in the side cache stays, or goes as the machine's write policy says. Was there one? */
bool side_store(struct sm *sm, uint64_t line, enum write_hit policy);
void side_drop(struct sm *sm, uint64_t line);
/* A fence: global lines go, those of shared memory stay. */
void side_flush(struct sm *sm);

/* ---- both ----------------------------------------------------------------------------------------------------- */

/* What a load finds; all of it is here, on its way, or some must be fetched. */
struct side_lookup {
	struct place place;
	uint32_t set, entry, mshr;
	uint8_t missing, fresh;
};
struct side_lookup side_look_up(struct sm *sm, struct place place, const struct line_request *request,
                                uint32_t warp);
/* Waits for what is missing and asks memory for `wanted` of it. */
enum l1_fail side_fetch(struct sm *sm, struct mem_insn *mem, const struct line_request *request,
                        struct side_lookup *look, uint8_t flags, uint8_t wanted, cycle_t now);
/* A reply for an MSHR with MSHR_SIDE or MSHR_SHARED. */
void side_fill(struct sm *sm, const struct mshr *mshr, const struct reply *reply, cycle_t now);

/* To and from DRAM past L2. */
static inline void side_send_to_dram(struct sm *sm, enum packet_op op, uint64_t line, uint8_t sectors,
                                     uint32_t token, cycle_t now)
{
	const struct address_map *map = &sm->memory->map;
	uint32_t home = map_home_side(map, line);
	struct packet packet = {.line = line,
	                        .token = token,
	                        .op = (uint8_t)op,
	                        .sectors = sectors,
	                        .full = sectors,
	                        .flags = PACKET_PAST_L2 |
	                                 (home != sm->memory->sm_side[sm->id] ? PACKET_CROSSES : 0),
	                        .sm = (uint16_t)sm->id,
	                        .slice = (uint16_t)map_slice(map, line, home)};
	port_send(sm, &packet, now);
}

/* Shared memory goes to DRAM, past L2 or through it. */
void side_write(struct sm *sm, uint64_t line, uint8_t sectors, cycle_t now);
/* side_alloc.c: an entry for cause->line at `place`; TAG_NONE: nothing may go. */
uint32_t side_allocate(struct sm *sm, struct place place, uint32_t set, const struct l1_event *cause,
                       cycle_t now);
/* A line of the side cache, or of shared memory in L1, makes room. */
void side_evict(struct sm *sm, struct tags *tags, uint32_t entry, const struct l1_event *cause, cycle_t now);

/* ---- shared memory ---------------------------------------------------------------------------------------------- */

static inline struct line_request *side_lines(const struct sm *sm, const struct mem_insn *mem)
{
	return sm->side->lines + (size_t)(mem - sm->queue) * COALESCE_MAX;
}
static inline uint32_t side_cta_slot(const struct sm *sm, uint64_t line)
{
	return (uint32_t)((line - sm->side->window) / sm->side->window_lines);
}
static inline uint32_t side_cta_line(const struct sm *sm, uint64_t line)
{
	return (uint32_t)((line - sm->side->window) % sm->side->window_lines);
}
/* From the offsets of a shared access to `count` lines of its CTA's memory in DRAM. */
void side_place_lines(struct sm *sm, const struct mem_insn *mem, uint32_t cta_slot, uint32_t count);
/* One line of a shared load, store or atomic; l1_access. */
enum l1_fail side_shared(struct sm *sm, struct mem_insn *mem, const struct line_request *request,
                         cycle_t now);

#endif
