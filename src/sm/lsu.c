#include "sm/lsu.h"

#include <assert.h>
#include <stdlib.h>

#include "base/bits.h"
#include "base/memory.h"
#include "sm/aux_cache.h"
#include "sm/l1.h"
#include "sm/prel1.h"

void lsu_init(struct lsu *lsu, const struct machine *machine)
{
	uint32_t places = 1u << bits_log2_up(machine->lsu_queue_sm + 1);
	lsu->machine = machine;
	lsu->queue = memory_zeroed(places, sizeof *lsu->queue);
	lsu->mask = places - 1;
	/* Half of the queue cannot fill the line ring, even if every lane straddles two lines. */
	lsu->roomy = machine->lsu_queue_scheduler < machine->lsu_queue_sm / 2 ? machine->lsu_queue_scheduler
	                                                                      : machine->lsu_queue_sm / 2;
	lsu->line_capacity = machine->lsu_queue_sm * machine->sm_warp_size + 2 * COALESCE_MAX;
	lsu->lines = memory_zeroed(lsu->line_capacity, sizeof *lsu->lines);
}

void lsu_free(struct lsu *lsu)
{
	free(lsu->queue);
	free(lsu->lines);
}

void lsu_begin_launch(struct lsu *lsu, const struct launch *launch)
{
	lsu->launch = launch;
	lsu->next = CYCLE_NEVER;
	lsu->pipe_free = 0;
	lsu->refused = lsu->popped = false;
	for (uint32_t s = 0; s < SCHED_MAX; s++)
		lsu->queued[s] = 0;
}

/* ---- what observers see of shared memory ------------------------------------------------------------------------ */

/* Tells observers of a line of shared memory. */
static __attribute__((noinline)) void show_line(struct lsu *lsu, const struct mem_insn *mem, uint64_t line,
                                                uint32_t what, cycle_t now)
{
	struct l1_request about = {.cycle = now,
	                           .line = line,
	                           .pc = lsu->launch->insn[mem->insn].pc,
	                           .sm = lsu->l1->sm,
	                           .warp = mem->warp,
	                           .cta = (uint32_t)(line >> 32),
	                           .space = POLICY_SHARED,
	                           .is_store = what == WATCHED_WRITE,
	                           .is_atomic = what == (WATCHED_READ | WATCHED_WRITE)};
	hooks_smem_route(lsu->hooks, &about);
}

/* Of `count` lines from `line` on. Generic addresses of shared memory have its offset below. */
static inline void show_lines(struct lsu *lsu, const struct mem_insn *mem, uint64_t line, uint32_t count,
                              uint32_t what, cycle_t now)
{
	enum { GENERIC_WINDOW = 1 << 24 };
	line &= GENERIC_WINDOW / lsu->machine->l1d_line_bytes - 1;
	line |= (uint64_t)warps_cta_slot(lsu->warps, mem->warp) << 32;
	if (lsu->hooks->watch_shared)
		lsu->hooks->watch_shared(lsu->hooks->watch_shared_self, line, count, what, now);
	else
		for (uint32_t i = 0; i < count; i++)
			show_line(lsu, mem, line + i, what, now);
}

static __attribute__((noinline)) void show_lanes(struct lsu *lsu, const struct mem_insn *mem,
                                                 const uint64_t *address, uint32_t lanes, uint32_t what,
                                                 cycle_t now)
{
	uint32_t shift = bits_log2_up(lsu->machine->l1d_line_bytes);
	uint64_t last = UINT64_MAX, seen = 0; /* of lines 64 apart, one is as good as another */
	for (uint32_t i = 0; i < lanes; i++) {
		uint64_t line = address[i] >> shift;
		if (line == last)
			continue;
		last = line;
		if (!(seen >> line % 64 & 1))
			show_lines(lsu, mem, line, 1, what, now);
		seen |= (uint64_t)1 << line % 64;
	}
}

/* Show observers each line of an access to on-chip shared memory once. */
static void show_shared(struct lsu *lsu, const struct mem_insn *mem, const struct warp_step *step,
                        cycle_t now)
{
	const struct decoded *insn = &lsu->launch->insn[mem->insn];
	uint32_t what = insn->op == OP_STORE                             ? WATCHED_WRITE
	                : insn->op == OP_ATOMIC || insn->op == OP_REDUCE ? WATCHED_READ | WATCHED_WRITE
	                                                                 : WATCHED_READ;
	int64_t lanes = bits_count(step->mask), size = lsu->machine->l1d_line_bytes;
	if (step->kind == ADDR_LIST || !lanes) {
		show_lanes(lsu, mem, coalesce_shared_lanes(lsu->coalescer), (uint32_t)lanes, what, now);
		return;
	}
	uint32_t shift = bits_log2_up((uint64_t)size);
	uint64_t last = step->base + (uint64_t)(lanes - 1) * (uint64_t)step->stride;
	uint64_t low = (step->stride < 0 ? last : step->base) >> shift;
	uint64_t high = (step->stride < 0 ? step->base : last) >> shift;
	/* Neighbours leave no line out; the order of a damaged trace may be another. */
	if (step->stride >= -size && step->stride <= size && low <= high) {
		show_lines(lsu, mem, low, (uint32_t)(high - low + 1), what, now);
		return;
	}
	uint64_t address[TRACE_MAX_LANES];
	show_lanes(lsu, mem, address, step_addresses(step, address), what, now);
}

/* ---- instructions enter --------------------------------------------------------------------------------------- */

/* Where the lines of one more instruction go, in one piece behind the last or before the first; false: nowhere. */
static bool place_lines(const struct lsu *lsu, uint32_t *place)
{
	*place = lsu->line_tail;
	if (!lsu->count) {
		*place = 0; /* a short queue stays within few host cache lines */
		return true;
	}
	uint32_t head = lsu->queue[lsu->head].first_line;
	if (lsu->line_tail < head)
		return head - lsu->line_tail > COALESCE_MAX;
	if (lsu->line_capacity - lsu->line_tail >= COALESCE_MAX)
		return true;
	*place = 0;
	return head > COALESCE_MAX;
}

bool lsu_full(struct lsu *lsu, uint32_t scheduler)
{
	uint32_t place;
	bool full = lsu->count >= lsu->machine->lsu_queue_sm ||
	            lsu->queued[scheduler] >= lsu->machine->lsu_queue_scheduler || !place_lines(lsu, &place);
	lsu->refused |= full;
	return full;
}

uint8_t lsu_requests_counter(uint8_t op)
{
	static_assert(COUNT_l1_load_sectors == COUNT_l1_load_requests + 1, "as they are counted");
	static_assert(COUNT_l1_store_sectors == COUNT_l1_store_requests + 1, "as they are counted");
	return op == OP_LOAD ? COUNT_l1_load_requests : op == OP_STORE ? COUNT_l1_store_requests : 0;
}

static void count_request(struct lsu *lsu, const struct decoded *insn, uint32_t sectors)
{
	if (!insn->requests)
		return;
	count(lsu->account, (enum counter)insn->requests, 1);
	count(lsu->account, (enum counter)(insn->requests + 1), sectors);
}

static void push_lines(struct lsu *lsu, struct mem_insn *mem, const struct decoded *insn,
                       const struct warp_step *step)
{
	struct coalesced c = coalesce_global(lsu->coalescer, insn->shape, step, &lsu->lines[lsu->line_tail]);
	lsu->line_tail += c.count;
	mem->lines = (uint16_t)c.count;
	mem->sectors = (uint16_t)c.sectors;
	mem->passes = (uint16_t)c.passes;
	mem->wavefronts = lsu->machine->lsu_data_banks ? (uint16_t)c.wavefronts : 1;
	if (mem->space == SPACE_GLOBAL)
		count_request(lsu, insn, c.sectors);
	if (__builtin_expect(lsu->account->profile != NULL, 0)) {
		lsu->account->profile[mem->insn].requests++;
		lsu->account->profile[mem->insn].sectors += c.sectors;
	}
}

/* Lines of shared memory, for a policy that may keep it behind a cache: apart, so that they take no others' room. */
static void push_shared_lines(struct lsu *lsu, struct mem_insn *mem, const struct warp *warp)
{
	uint32_t place = (uint32_t)(mem - lsu->queue);
	struct coalesced c = coalesce_global(lsu->coalescer, lsu->launch->insn[mem->insn].shape, &warp->step,
	                                     aux_lines(lsu->aux, place));
	aux_place_lines(lsu->aux, place, warp->cta_slot, warps_cta_id(lsu->warps, warp->cta_slot), c.count);
	mem->lines = (uint16_t)c.count;
	mem->sectors = (uint16_t)c.sectors;
}

static void push_shared(struct lsu *lsu, struct mem_insn *mem, const struct warp *warp, cycle_t now)
{
	const struct decoded *insn = &lsu->launch->insn[mem->insn];
	uint32_t wavefronts = coalesce_shared(lsu->coalescer, insn->shape, &warp->step);
	if (__builtin_expect(insn->async == ASYNC_CHANGE || insn->async == ASYNC_PHASE_WAIT, 0))
		wavefronts = MBARRIER_WAVEFRONTS;
	mem->lines = 0;
	mem->sectors = (uint16_t)bits_count(warp->step.mask); /* lanes, if it is far */
	mem->wavefronts = (uint16_t)(insn->flags & INSN_CAS ? 2 * wavefronts : wavefronts);
	count(lsu->account, COUNT_smem_wavefronts, wavefronts);
	count(lsu->account, COUNT_smem_conflicts, wavefronts - 1);
	if (__builtin_expect(hooks_smem_routers(lsu->hooks) != 0, 0))
		push_shared_lines(lsu, mem, warp);
	else if (__builtin_expect(hooks_has_smem_route(lsu->hooks), 0))
		show_shared(lsu, mem, &warp->step, now);
}

struct mem_insn *lsu_push(struct lsu *lsu, const struct warp *warp, uint32_t slot, enum mem_space space,
                          cycle_t now)
{
	lsu->head = lsu->count ? lsu->head : 0; /* as for lines: few places, in few host cache lines */
	struct mem_insn *mem = &lsu->queue[(lsu->head + lsu->count) & lsu->mask];
	if (!place_lines(lsu, &lsu->line_tail))
		BUG("the line ring has no room");
	lsu->count++;
	*mem = (struct mem_insn){.ready = now + lsu->machine->lsu_issue_cycles,
	                         .generation = (uint32_t)warp->generation,
	                         .insn = warp->step.insn,
	                         .first_line = lsu->line_tail,
	                         .warp = (uint16_t)slot,
	                         .scheduler = (uint8_t)warp->sched->index,
	                         .space = (uint8_t)space,
	                         .fail = L1_FAIL_NONE};
	if (space == SPACE_SHARED)
		push_shared(lsu, mem, warp, now);
	else
		push_lines(lsu, mem, &lsu->launch->insn[mem->insn], &warp->step);
	lsu->queued[mem->scheduler]++;
	if (__builtin_expect(lsu->prel1 != NULL, 0))
		lsu->next = mem->ready < lsu->next ? mem->ready : lsu->next;
	else if (lsu->count == 1 && mem->ready < lsu->next)
		lsu->next = mem->ready > lsu->pipe_free ? mem->ready : lsu->pipe_free;
	return mem;
}

/* ---- one instruction -------------------------------------------------------------------------------------------- */

cycle_t lsu_store_cycles(const struct lsu *lsu, const struct mem_insn *mem)
{
	const struct machine *m = lsu->machine;
	const struct decoded *insn = &lsu->launch->insn[mem->insn];
	uint32_t per_pass = insn->op == OP_ATOMIC   ? m->lsu_atomic_cycles
	                    : insn->op == OP_REDUCE ? m->lsu_reduce_cycles
	                                            : 0;
	if (per_pass)
		return (cycle_t)mem->passes * per_pass;
	uint32_t wavefronts = insn->width / 4, sectors = mem->sectors;
	if (mem->lines > 1)
		sectors -= mem->joined.sectors;
	uint32_t cycles = sectors * m->l1d_sector_bytes / m->lsu_store_bytes_per_cycle;
	if (mem->lines > (wavefronts ? wavefronts : 1))
		cycles += (mem->lines - mem->joined.lines) * m->lsu_store_line_cycles;
	uint32_t least = mem->lines * m->lsu_store_min_cycles;
	return cycles > least ? cycles : least;
}

void lsu_open_load(struct lsu *lsu, struct mem_insn *mem, enum stall stall)
{
	struct load_owner owner = {&lsu->launch->insn[mem->insn], mem->generation, mem->insn, mem->warp};
	mem->load = loads_open(lsu->loads, &owner, stall);
	if (__builtin_expect(owner.insn->async == ASYNC_COPY, 0))
		loads_copy(lsu->loads, mem->load, mem->copy_group);
	else if (__builtin_expect(mem->polls, 0))
		loads_poll(lsu->loads, mem->load);
	else if (__builtin_expect(mem->mbarrier, 0))
		loads_report(lsu->loads, mem->load, mem->cta_slot, mem->mbarrier);
}

/* What stayed in L1 is taken to be seen as soon as if it had gone on. */
void lsu_settle(struct lsu *lsu, const struct mem_insn *mem, cycle_t now)
{
	if (__builtin_expect(mem->notice, 0))
		polls_settle(&lsu->warps->polls, mem->notice, now + lsu->machine->icnt_request_cycles);
}

void lsu_count_fail(struct lsu *lsu, uint32_t fail, cycle_t cycles)
{
	static const enum counter counter[] = {
	    [L1_FAIL_LINE_ALLOC] = COUNT_l1_fail_line_alloc,
	    [L1_FAIL_MSHR_ENTRY] = COUNT_l1_fail_mshr_entry,
	    [L1_FAIL_MSHR_MERGE] = COUNT_l1_fail_mshr_merge,
	    [L1_FAIL_MISS_QUEUE] = COUNT_l1_fail_miss_queue,
	};
	count(lsu->account, counter[fail], cycles);
}

static void account_fail(struct lsu *lsu, struct mem_insn *mem, cycle_t now)
{
	lsu_count_fail(lsu, mem->fail, now - mem->fail_since);
	mem->fail = L1_FAIL_NONE;
}

/* The head cannot go on; it is tried again when something that could help has happened. */
static bool stall(struct lsu *lsu, struct mem_insn *mem, enum l1_fail fail, cycle_t now)
{
	if (mem->fail != L1_FAIL_NONE)
		account_fail(lsu, mem, now);
	mem->fail = (uint8_t)fail;
	mem->fail_since = now;
	lsu->next = fail == L1_FAIL_MISS_QUEUE ? port_room_at(lsu->l1->port) : CYCLE_NEVER;
	return false;
}

/* L1's answer to the next line; false: it lacks something, and the unit waits for that. */
static inline bool served(struct lsu *lsu, struct mem_insn *mem, enum l1_fail fail, cycle_t now)
{
	if (__builtin_expect(fail != L1_FAIL_NONE, 0))
		return stall(lsu, mem, fail, now);
	if (__builtin_expect(mem->fail != L1_FAIL_NONE, 0))
		account_fail(lsu, mem, now);
	mem->next_line++;
	return true;
}

static inline const struct line_request *next_request(const struct lsu *lsu, const struct mem_insn *mem)
{
	return &lsu->lines[mem->first_line + mem->next_line];
}

/* The first line that must not be looked up yet, if look-ups begin at `now`. */
static uint32_t look_ahead(const struct lsu *lsu, const struct mem_insn *mem, bool plain, cycle_t now)
{
	bool ahead = plain && !lsu->launch->flushes_l1 && !port_waits(lsu->l1->port) && lsu->horizon > now;
	cycle_t cycles = ahead ? lsu->horizon - now : 1;
	uint64_t end = mem->next_line + cycles * lsu->machine->lsu_lines_per_cycle;
	return end < mem->lines && cycles < COALESCE_MAX ? (uint32_t)end : mem->lines;
}

/*
 * Looks the lines of a load up, so many per cycle. Nothing but a reply or a
 * fence can change L1 meanwhile, and only a credit the port: up to the next
 * reply all cycles are gone through at once, unless a fence may come, packets
 * wait, or a policy wants to see things happen in order. *now becomes the
 * cycle of the last look-up.
 */
static bool look_up(struct lsu *lsu, struct mem_insn *mem, cycle_t *now)
{
	struct l1 *l1 = lsu->l1;
	bool plain = l1->plain && !(lsu->launch->insn[mem->insn].flags & INSN_BYPASS_L1);
	if (plain && mem->lines == 1 && mem->fail == L1_FAIL_NONE &&
	    l1_hits_alone(l1, mem, next_request(lsu, mem), *now)) {
		mem->next_line = 1;
		return true;
	}
	uint32_t per_cycle = lsu->machine->lsu_lines_per_cycle, first = mem->next_line;
	uint32_t end = look_ahead(lsu, mem, plain, *now);
	struct l1_walk walk = {.now = *now, .first = first, .per_cycle = per_cycle};
	while (mem->next_line < end) {
		const struct line_request *request = next_request(lsu, mem);
		enum l1_fail fail;
		if (plain && mem->fail == L1_FAIL_NONE) {
			fail = l1_load_lines(l1, mem, request, end - mem->next_line, &walk);
			mem->next_line = (uint16_t)walk.last;
		} else {
			fail = l1_load(l1, mem, request, l1_walk_now(&walk, mem->next_line));
		}
		uint32_t cycle = (mem->next_line - first) / per_cycle;
		if (!served(lsu, mem, fail, *now + cycle))
			return false;
		/* Packets that wait for a credit end the look-ahead with the cycle. */
		if (port_waits(l1->port) && first + (cycle + 1) * per_cycle < end)
			end = first + (cycle + 1) * per_cycle;
	}
	if (end < mem->lines) {
		lsu->next = *now + (end - first) / per_cycle;
		return false;
	}
	*now += (end - 1 - first) / per_cycle;
	return true;
}

static bool do_load(struct lsu *lsu, struct mem_insn *mem, cycle_t now)
{
	if (!look_up(lsu, mem, &now))
		return false;
	lsu_take_pipe(lsu, mem, mem->wavefronts, now);
	l1_hold_store(lsu->l1, mem, lsu->pipe_free);
	mem->last_lookup = now;
	mem->closes = true;
	return true;
}

/* The lines of a scattered store leave after it has passed: only what goes to L2 waits for them. */
void lsu_end_store(struct lsu *lsu, const struct mem_insn *mem, cycle_t now)
{
	cycle_t cycles = lsu_store_cycles(lsu, mem);
	cycle_t pass = (cycle_t)mem->lines * lsu->machine->lsu_store_pass_cycles;
	bool passes = pass && mem->lines > 1 && pass < cycles;
	lsu_take_pipe(lsu, mem, passes ? pass : cycles, now);
	l1_store_leaves(lsu->l1, passes ? mem->began + cycles : lsu->pipe_free, passes);
}

static bool do_store(struct lsu *lsu, struct mem_insn *mem, cycle_t now)
{
	if (lsu->l1->stores_out > now) {
		lsu->next = mem->began = lsu->l1->stores_out;
		return false;
	}
	if (lsu->l1->plain_stores) {
		l1_store_lines(lsu->l1, mem, next_request(lsu, mem), &mem->joined, now);
		mem->next_line = mem->lines;
	}
	while (mem->next_line < mem->lines)
		if (!served(lsu, mem, l1_store(lsu->l1, mem, next_request(lsu, mem), &mem->joined, now), now))
			return false;
	lsu_settle(lsu, mem, now);
	lsu_end_store(lsu, mem, now);
	return true;
}

static bool do_atomic(struct lsu *lsu, struct mem_insn *mem, cycle_t now)
{
	while (mem->next_line < mem->lines)
		if (!served(lsu, mem, l1_atomic(lsu->l1, mem, next_request(lsu, mem), now), now))
			return false;
	lsu_take_pipe(lsu, mem, lsu_store_cycles(lsu, mem), now);
	loads_close(lsu->loads, mem->load, now);
	return true;
}

static bool do_shared(struct lsu *lsu, struct mem_insn *mem, cycle_t now)
{
	const struct machine *m = lsu->machine;
	const struct decoded *insn = &lsu->launch->insn[mem->insn];
	bool atomic = insn->op == OP_ATOMIC || insn->op == OP_REDUCE;
	cycle_t latency = atomic ? m->smem_atomic_cycles : m->smem_latency_cycles;
	latency += (cycle_t)(mem->wavefronts - 1) * m->smem_wavefront_cycles;
	cycle_t pipe = mem->wavefronts;
	if (__builtin_expect(mem->far_shared, 0)) {
		latency += m->smem_cluster_cycles;
		pipe = atomic ? (cycle_t)mem->sectors * m->smem_cluster_lane_cycles : pipe;
	}
	if (latency > m->lsu_issue_cycles)
		latency -= m->lsu_issue_cycles;
	lsu_take_pipe(lsu, mem, pipe, now);
	warps_result(lsu->warps, mem->warp, mem->generation, insn->dst, insn->dst_span,
	             ready_at(now + latency, STALL_SHORT_SCOREBOARD), now);
	return true;
}

/* Shared memory behind a cache: its tags are as fast as the machine says, its data as on chip. */
static bool do_shared_lines(struct lsu *lsu, struct mem_insn *mem, cycle_t now)
{
	uint32_t place = (uint32_t)(mem - lsu->queue),
	         end = mem->next_line + lsu->machine->smem_tags_per_cycle;
	while (mem->next_line < mem->lines && mem->next_line < end)
		if (!served(lsu, mem, aux_shared(lsu->aux, mem, place, now), now))
			return false;
	if (mem->next_line < mem->lines) {
		lsu->next = now + 1;
		return false;
	}
	lsu_take_pipe(lsu, mem, mem->wavefronts, now);
	mem->last_lookup = now;
	mem->closes = lsu->launch->insn[mem->insn].op != OP_STORE;
	return true;
}

static void begin(struct lsu *lsu, struct mem_insn *mem, cycle_t now)
{
	bool shared = mem->space == SPACE_SHARED;
	if (__builtin_expect(lsu->aux != NULL, 0) && shared && mem->lines &&
	    !aux_is_cached(lsu->aux, mem, (uint32_t)(mem - lsu->queue), now))
		mem->lines = 0;
	bool waits = lsu->launch->insn[mem->insn].op != OP_STORE && (!shared || mem->lines);
	if (waits)
		lsu_open_load(lsu, mem, shared ? STALL_SHORT_SCOREBOARD : STALL_LONG_SCOREBOARD);
	mem->started = true;
	mem->began = now;
}

static bool step_head(struct lsu *lsu, struct mem_insn *mem, cycle_t now)
{
	if (!mem->started)
		begin(lsu, mem, now);
	if (mem->space == SPACE_SHARED)
		return mem->lines ? do_shared_lines(lsu, mem, now) : do_shared(lsu, mem, now);
	switch (lsu->launch->insn[mem->insn].op) {
	case OP_STORE:
		return do_store(lsu, mem, now);
	case OP_ATOMIC:
	case OP_REDUCE:
		return do_atomic(lsu, mem, now);
	default:
		return do_load(lsu, mem, now);
	}
}

/* The head leaves the queue when its last line has been looked up; its result is known no sooner. */
static void leave(struct lsu *lsu, const struct mem_insn *mem, cycle_t now)
{
	if (mem->closes)
		loads_close(lsu->loads, mem->load, now);
	lsu_pop(lsu);
}

/* With a pre-L1 queue: serves the head itself if it accesses shared memory. */
static void step_queue(struct lsu *lsu, cycle_t now)
{
	struct mem_insn *head = &lsu->queue[lsu->head];
	if (lsu->count && head->space == SPACE_SHARED) {
		cycle_t when = head->ready > lsu->pipe_free || head->started ? head->ready : lsu->pipe_free;
		if (when <= now && step_head(lsu, head, now))
			leave(lsu, head, now);
	}
	lsu->next = prel1_step(lsu->prel1, now);
}

void lsu_step(struct lsu *lsu, cycle_t now, cycle_t horizon)
{
	if (__builtin_expect(lsu->prel1 != NULL, 0)) {
		step_queue(lsu, now);
		return;
	}
	lsu->horizon = horizon;
	while (lsu->count) {
		struct mem_insn *mem = &lsu->queue[lsu->head];
		cycle_t when = mem->ready > lsu->pipe_free || mem->started ? mem->ready : lsu->pipe_free;
		if (when > now) {
			lsu->next = when;
			return;
		}
		if (!mem->finished && !step_head(lsu, mem, now))
			return;
		mem->finished = true;
		if (mem->last_lookup > now) {
			lsu->next = mem->last_lookup;
			return;
		}
		leave(lsu, mem, now);
	}
	lsu->next = CYCLE_NEVER;
}

/* ---- what it waited for ------------------------------------------------------------------------------------------- */

void lsu_filled(struct lsu *lsu, cycle_t now)
{
	if (__builtin_expect(lsu->prel1 != NULL, 0)
	        ? prel1_filled(lsu->prel1, now)
	        : lsu->count && lsu->queue[lsu->head].fail != L1_FAIL_NONE)
		lsu->next = now;
}

void lsu_credited(struct lsu *lsu, cycle_t now)
{
	cycle_t room = CYCLE_NEVER;
	if (__builtin_expect(lsu->prel1 != NULL, 0))
		room = prel1_credited(lsu->prel1, now);
	else if (lsu->count && lsu->queue[lsu->head].fail == L1_FAIL_MISS_QUEUE)
		room = port_has_room(lsu->l1->port, now) ? now : port_room_at(lsu->l1->port);
	lsu->next = room < lsu->next ? room : lsu->next;
}
