/*
 * The load/store unit: a queue of memory instructions in order of issue, one
 * pipe through L1 tags and data banks, shared memory on the same pipe.
 */
#include "sm/lsu.h"

#include "base/bits.h"
#include "sm/memq.h"
#include "sm/side.h"

/* Room for the lines of one more instruction, in one piece behind the last or before the first. */
static bool lines_fit(struct sm *sm)
{
	if (!sm->queue_count) {
		sm->line_tail = 0; /* a short queue stays within few host cache lines */
		return true;
	}
	uint32_t head = sm->queue[sm->queue_head].first_line;
	if (sm->line_tail < head)
		return head - sm->line_tail > COALESCE_MAX;
	if (sm->line_capacity - sm->line_tail >= COALESCE_MAX)
		return true;
	if (head <= COALESCE_MAX)
		return false;
	sm->line_tail = 0;
	return true;
}

bool lsu_full(struct sm *sm, const struct scheduler *sched)
{
	return sm->queue_count >= sm->machine->lsu_queue_sm ||
	       sched->queued >= sm->machine->lsu_queue_scheduler || !lines_fit(sm);
}

static void count_request(struct sm *sm, const struct decoded *insn, enum mem_space space, uint32_t sectors)
{
	if (space != SPACE_GLOBAL)
		return;
	if (insn->op == OP_LOAD) {
		count(sm, COUNT_l1_load_requests, 1);
		count(sm, COUNT_l1_load_sectors, sectors);
	} else if (insn->op == OP_STORE) {
		count(sm, COUNT_l1_store_requests, 1);
		count(sm, COUNT_l1_store_sectors, sectors);
	}
}

static void push_lines(struct sm *sm, struct mem_insn *mem, const struct decoded *insn,
                       const struct warp_step *step)
{
	mem->first_line = sm->line_tail;
	struct coalesced c = coalesce_global(sm->coalescer, &sm->launch->kernel->insns[step->insn], step,
	                                     &sm->lines[sm->line_tail]);
	sm->line_tail += c.count;
	mem->lines = (uint16_t)c.count;
	mem->sectors = (uint16_t)c.sectors;
	mem->passes = sm->machine->lsu_data_banks ? (uint16_t)c.data_passes : 1;
	count_request(sm, insn, (enum mem_space)mem->space, c.sectors);
}

/* Lines of shared memory, for a policy that may keep it behind a cache: apart, so that they take no others' room. */
static void push_shared_lines(struct sm *sm, struct mem_insn *mem, const struct warp *warp)
{
	struct line_request *request = side_lines(sm, mem);
	struct coalesced c =
	    coalesce_global(sm->coalescer, &sm->launch->kernel->insns[mem->insn], &warp->step, request);
	side_place_lines(sm, mem, warp->cta_slot, c.count);
	mem->lines = (uint16_t)c.count;
	mem->sectors = (uint16_t)c.sectors;
}

/* Tells observers of a line of shared memory. */
static __attribute__((noinline)) void show_line(struct sm *sm, const struct mem_insn *mem, uint64_t line,
                                                uint32_t what, cycle_t now)
{
	struct l1_request about = {.cycle = now,
	                           .line = line,
	                           .pc = sm->launch->insn[mem->insn].pc,
	                           .sm = sm->id,
	                           .warp = mem->warp,
	                           .cta = (uint32_t)(line >> 32),
	                           .space = POLICY_SHARED,
	                           .is_store = what == WATCHED_WRITE,
	                           .is_atomic = what == (WATCHED_READ | WATCHED_WRITE)};
	hooks_smem_route(&sm->hooks, &about);
}

/* Of `count` lines from `line` on. Generic addresses of shared memory have its offset below. */
static inline void show_lines(struct sm *sm, const struct mem_insn *mem, uint64_t line, uint32_t count,
                              uint32_t what, cycle_t now)
{
	enum { GENERIC_WINDOW = 1 << 24 };
	line &= GENERIC_WINDOW / sm->machine->l1d_line_bytes - 1;
	line |= (uint64_t)sm->warp[mem->warp].cta_slot << 32;
	if (sm->hooks.watch_shared)
		sm->hooks.watch_shared(sm->hooks.watch_shared_self, line, count, what, now);
	else
		for (uint32_t i = 0; i < count; i++)
			show_line(sm, mem, line + i, what, now);
}

static __attribute__((noinline)) void show_lanes(struct sm *sm, const struct mem_insn *mem,
                                                 const uint64_t *address, uint32_t lanes, uint32_t what,
                                                 cycle_t now)
{
	uint32_t shift = bits_log2_up(sm->machine->l1d_line_bytes);
	uint64_t last = UINT64_MAX, seen = 0; /* of lines 64 apart, one is as good as another */
	for (uint32_t i = 0; i < lanes; i++) {
		uint64_t line = address[i] >> shift;
		if (line == last)
			continue;
		last = line;
		if (!(seen >> line % 64 & 1))
			show_lines(sm, mem, line, 1, what, now);
		seen |= (uint64_t)1 << line % 64;
	}
}

/* Nobody but observers want to know of accesses to shared memory: they see each line once. */
static void show_shared(struct sm *sm, const struct mem_insn *mem, const struct decoded *insn,
                        const struct warp_step *step, cycle_t now)
{
	uint32_t what = insn->op == OP_STORE                             ? WATCHED_WRITE
	                : insn->op == OP_ATOMIC || insn->op == OP_REDUCE ? WATCHED_READ | WATCHED_WRITE
	                                                                 : WATCHED_READ;
	int64_t lanes = bits_count(step->mask), size = sm->machine->l1d_line_bytes;
	if (step->kind == ADDR_LIST || !lanes) {
		show_lanes(sm, mem, coalesce_shared_lanes(sm->coalescer), (uint32_t)lanes, what, now);
		return;
	}
	uint32_t shift = bits_log2_up((uint64_t)size);
	uint64_t last = step->base + (uint64_t)(lanes - 1) * (uint64_t)step->stride;
	uint64_t low = (step->stride < 0 ? last : step->base) >> shift;
	uint64_t high = (step->stride < 0 ? step->base : last) >> shift;
	/* Neighbours leave no line out; the order of a damaged trace may be another. */
	if (step->stride >= -size && step->stride <= size && low <= high) {
		show_lines(sm, mem, low, (uint32_t)(high - low + 1), what, now);
		return;
	}
	uint64_t address[TRACE_MAX_LANES];
	show_lanes(sm, mem, address, step_addresses(step, address), what, now);
}

void lsu_push(struct sm *sm, uint32_t slot, enum mem_space space, cycle_t now)
{
	struct warp *warp = &sm->warp[slot];
	const struct decoded *insn = &sm->launch->insn[warp->step.insn];
	struct mem_insn *mem = &sm->queue[(sm->queue_head + sm->queue_count++) & sm->queue_mask];
	mem->ready = now + sm->machine->lsu_issue_cycles;
	mem->generation = warp->generation;
	mem->insn = warp->step.insn;
	mem->warp = (uint16_t)slot;
	mem->space = (uint8_t)space;
	mem->next_line = 0;
	mem->fail = L1_FAIL_NONE;
	mem->started = mem->finished = mem->closes = false;
	mem->last_lookup = 0;
	if (space == SPACE_SHARED) {
		mem->lines = 0;
		mem->first_line = sm->line_tail;
		uint32_t passes =
		    coalesce_shared(sm->coalescer, &sm->launch->kernel->insns[mem->insn], &warp->step);
		mem->passes = (uint16_t)(insn->flags & INSN_CAS ? 2 * passes : passes);
		count(sm, COUNT_smem_wavefronts, passes);
		count(sm, COUNT_smem_conflicts, passes - 1);
		if (__builtin_expect(hooks_smem_routers(&sm->hooks), 0))
			push_shared_lines(sm, mem, warp);
		else if (__builtin_expect(hooks_has_smem_route(&sm->hooks), 0))
			show_shared(sm, mem, insn, &warp->step, now);
	} else {
		push_lines(sm, mem, insn, &warp->step);
	}
	sm->sched[warp->sched].queued++;
	if (__builtin_expect(sm->memq != NULL, 0))
		memq_push(sm, mem);
	else if (sm->queue_count == 1 && mem->ready < sm->lsu_next)
		sm->lsu_next = mem->ready > sm->pipe_free ? mem->ready : sm->pipe_free;
}

/* ---- loads in flight -------------------------------------------------------------------------------------- */

static void set_result(struct sm *sm, uint32_t slot, uint64_t generation, uint8_t dst, uint8_t span,
                       due_t due, cycle_t now)
{
	struct warp *warp = &sm->warp[slot];
	if (warp->generation != generation || !span)
		return;
	due_t *regs = &sm->regs[(size_t)slot * 256];
	for (uint32_t i = 0; i < span; i++)
		regs[(dst + i) & 255] = due;
	if (due_cycle(warp->due) == CYCLE_NEVER && !warp->at_barrier)
		warp_wake(sm, slot, now);
}

void load_finish(struct sm *sm, uint32_t index, cycle_t now)
{
	struct load *load = &sm->loads[index];
	count(sm, COUNT_l1_replies, load->bypassed);
	set_result(sm, load->warp, load->generation, load->dst, load->dst_span,
	           due_at(load->done, (enum cause)load->cause), now);
	load->next_free = sm->free_load;
	sm->free_load = index;
	sm->free_loads++;
	if (__builtin_expect(load->joined, 0))
		memq_joined_done(sm, load->joined, load->done, now);
}

/* ---- one instruction ---------------------------------------------------------------------------------------- */

static void account_fail(struct sm *sm, struct mem_insn *mem, cycle_t now)
{
	lsu_count_fail(sm, (enum l1_fail)mem->fail, now - mem->fail_since);
	mem->fail = L1_FAIL_NONE;
}

/* The head cannot go on; it is tried again when something that could help has happened. */
static bool stall(struct sm *sm, struct mem_insn *mem, enum l1_fail fail, cycle_t now)
{
	if (mem->fail != L1_FAIL_NONE)
		account_fail(sm, mem, now);
	mem->fail = (uint8_t)fail;
	mem->fail_since = now;
	sm->lsu_next = fail == L1_FAIL_MISS_QUEUE ? port_room_at(sm) : CYCLE_NEVER;
	return false;
}

/* Tries the next line; false: it lacks something, and the unit waits for that. */
static bool step_request(struct sm *sm, struct mem_insn *mem, const struct line_request *request, cycle_t now,
                         l1_access *access)
{
	enum l1_fail fail = access(sm, mem, request, now);
	if (fail != L1_FAIL_NONE)
		return stall(sm, mem, fail, now);
	if (mem->fail != L1_FAIL_NONE)
		account_fail(sm, mem, now);
	mem->next_line++;
	return true;
}

static bool step_line(struct sm *sm, struct mem_insn *mem, cycle_t now, l1_access *access)
{
	return step_request(sm, mem, &sm->lines[mem->first_line + mem->next_line], now, access);
}

static bool step_lines(struct sm *sm, struct mem_insn *mem, cycle_t now, l1_access *access)
{
	while (mem->next_line < mem->lines)
		if (!step_line(sm, mem, now, access))
			return false;
	return true;
}

/* What the observer of hits learns of an instruction; `rare`: frames of its rare hits. */
static inline void watch_hits(struct sm *sm, const struct mem_insn *mem, const struct hit_sums *sums,
                              const uint32_t *rare, uint32_t rares)
{
	struct hit_watch *watch = sm->hooks.hit_watch;
	hit_watch_pc(watch, sm->launch->insn[mem->insn].pc);
	hit_watch_add(watch, sums);
	for (uint32_t i = 0; i < rares; i++)
		watch->see_line(watch, mem->warp, sm->l1.entries[rare[i]].line, rare[i]);
}

/*
 * The common case, kept short: lines that are all there, with no policy asking.
 * Returns how many of the next lines, at most `most`, were such hits. `watch`:
 * the observer of hits, NULL if there is none.
 */
static inline __attribute__((always_inline)) uint32_t hit_lines(struct sm *sm, struct mem_insn *mem,
                                                                uint32_t most, struct hit_watch *watch)
{
	struct tags *l1 = &sm->l1;
	const struct line_request *request = &sm->lines[mem->first_line + mem->next_line];
	uint64_t *last = watch ? watch->last : NULL, user = watch ? watch->user[mem->warp] : 0;
	struct hit_sums sums = {0};
	uint32_t rare[COALESCE_MAX], rares = 0;
	uint32_t done = 0, sectors = 0;
	for (; done < most; done++, request++) {
		uint32_t entry = tags_find(l1, index_of(&l1->index, request->line), request->line);
		if (entry == TAG_NONE || request->sectors & ~l1->entries[entry].valid)
			break;
		tags_touch(l1, entry);
		sectors += bits_count(request->sectors);
		if (watch && !hit_watch_line(&last[entry], &sums, user))
			rare[rares++] = entry;
	}
	if (watch && done) {
		sums.hits = done - rares;
		watch_hits(sm, mem, &sums, rare, rares);
	}
	mem->next_line = (uint16_t)(mem->next_line + done);
	count(sm, COUNT_l1_accesses, done);
	count(sm, COUNT_l1_hits, done);
	count(sm, COUNT_l1_replies, done);
	if (mem->space == SPACE_GLOBAL)
		count(sm, COUNT_l1_load_hit_sectors, sectors);
	return done;
}

/* With an observer: a function of its own, so that registers of the other are not spent on it. */
static __attribute__((noinline, nonnull)) uint32_t watched_hit_lines(struct sm *sm, struct mem_insn *mem,
                                                                     uint32_t most, struct hit_watch *watch)
{
	return hit_lines(sm, mem, most, watch);
}

/* The first line that must not be looked up yet, if look-ups begin at `now`. */
static uint32_t look_ahead(const struct sm *sm, const struct mem_insn *mem, bool plain, cycle_t now)
{
	cycle_t limit = sm->reply_next < sm->until ? sm->reply_next : sm->until;
	if (sm->next_epoch_cycle < limit)
		limit = sm->next_epoch_cycle;
	bool ahead = plain && !sm->launch->flushes_l1 && !sm->waiting.count && limit > now;
	cycle_t cycles = ahead ? limit - now : 1;
	uint64_t end = mem->next_line + cycles * sm->machine->lsu_lines_per_cycle;
	return end < mem->lines && cycles < COALESCE_MAX ? (uint32_t)end : mem->lines;
}

/*
 * Looks the lines of a load up, so many per cycle. Nothing but a reply or a
 * fence can change L1 meanwhile, and only a credit the port: up to the next
 * reply all cycles are gone through at once, unless a fence may come, packets
 * wait, or a policy wants to see things happen in order. *now becomes the
 * cycle of the last look-up.
 */
static bool step_load(struct sm *sm, struct mem_insn *mem, cycle_t *now)
{
	bool plain = sm->plain_hits && !(sm->launch->insn[mem->insn].flags & INSN_BYPASS_L1);
	uint32_t per_cycle = sm->machine->lsu_lines_per_cycle, first = mem->next_line;
	uint32_t end = look_ahead(sm, mem, plain, *now);
	while (mem->next_line < end) {
		if (plain && mem->fail == L1_FAIL_NONE) {
			struct hit_watch *watch = sm->hooks.hit_watch;
			uint32_t most = end - mem->next_line;
			if (watch ? watched_hit_lines(sm, mem, most, watch) : hit_lines(sm, mem, most, NULL))
				l1d_hit_done(sm, mem, *now + (mem->next_line - 1u - first) / per_cycle);
			if (mem->next_line == end)
				break;
		}
		uint32_t cycle = (mem->next_line - first) / per_cycle;
		if (!step_line(sm, mem, *now + cycle, l1d_load))
			return false;
		/* Packets that wait for a credit end the look-ahead with the cycle. */
		if (sm->waiting.count && first + (cycle + 1) * per_cycle < end)
			end = first + (cycle + 1) * per_cycle;
	}
	if (end < mem->lines) {
		sm->lsu_next = *now + (end - first) / per_cycle;
		return false;
	}
	*now += (end - 1 - first) / per_cycle;
	return true;
}

static bool do_load(struct sm *sm, struct mem_insn *mem, cycle_t now)
{
	if (!step_load(sm, mem, &now))
		return false;
	lsu_take_pipe(sm, mem, mem->passes, now);
	mem->last_lookup = now;
	mem->closes = true;
	return true;
}

static bool do_store(struct sm *sm, struct mem_insn *mem, cycle_t now)
{
	if (!step_lines(sm, mem, now, l1d_store))
		return false;
	lsu_take_pipe(sm, mem, lsu_store_cycles(sm, mem), now);
	return true;
}

static bool do_atomic(struct sm *sm, struct mem_insn *mem, cycle_t now)
{
	if (!step_lines(sm, mem, now, l1d_atomic))
		return false;
	lsu_take_pipe(sm, mem, lsu_store_cycles(sm, mem), now);
	load_close(sm, mem->load, now);
	return true;
}

static bool do_shared(struct sm *sm, struct mem_insn *mem, cycle_t now)
{
	const struct machine *m = sm->machine;
	const struct decoded *insn = &sm->launch->insn[mem->insn];
	bool atomic = insn->op == OP_ATOMIC || insn->op == OP_REDUCE;
	cycle_t latency = atomic ? m->smem_atomic_cycles : m->smem_latency_cycles;
	latency += (cycle_t)(mem->passes - 1) * m->smem_wavefront_cycles;
	if (latency > m->lsu_issue_cycles)
		latency -= m->lsu_issue_cycles;
	lsu_take_pipe(sm, mem, mem->passes, now);
	set_result(sm, mem->warp, mem->generation, insn->dst, insn->dst_span,
	           due_at(now + latency, CAUSE_SHARED), now);
	return true;
}

/* Shared memory behind a cache: so many lines per cycle, like a global load. */
static bool do_shared_lines(struct sm *sm, struct mem_insn *mem, cycle_t now)
{
	uint32_t end = mem->next_line + sm->machine->lsu_lines_per_cycle;
	while (mem->next_line < mem->lines && mem->next_line < end)
		if (!step_request(sm, mem, side_lines(sm, mem) + mem->next_line, now, side_shared))
			return false;
	if (mem->next_line < mem->lines) {
		sm->lsu_next = now + 1;
		return false;
	}
	lsu_take_pipe(sm, mem, mem->passes, now);
	mem->last_lookup = now;
	mem->closes = sm->launch->insn[mem->insn].op != OP_STORE;
	return true;
}

static bool step_head(struct sm *sm, struct mem_insn *mem, cycle_t now)
{
	const struct decoded *insn = &sm->launch->insn[mem->insn];
	if (__builtin_expect(sm->side != NULL, 0) && mem->space == SPACE_SHARED && mem->lines &&
	    !mem->started && l1d_ask_smem_route(sm, mem, side_lines(sm, mem), now) != SMEM_ROUTE_CACHED)
		mem->lines = 0;
	bool waits = insn->op != OP_STORE && (mem->space != SPACE_SHARED || mem->lines);
	if (!mem->started) {
		if (waits && !load_begin(sm, mem))
			return stall(sm, mem, L1_FAIL_MSHR_ENTRY, now);
		if (waits && mem->space == SPACE_SHARED)
			sm->loads[mem->load].cause = CAUSE_SHARED;
		mem->started = true;
		mem->began = now;
	}
	if (mem->space == SPACE_SHARED)
		return mem->lines ? do_shared_lines(sm, mem, now) : do_shared(sm, mem, now);
	switch (insn->op) {
	case OP_STORE:
		return do_store(sm, mem, now);
	case OP_ATOMIC:
	case OP_REDUCE:
		return do_atomic(sm, mem, now);
	default:
		return do_load(sm, mem, now);
	}
}

bool lsu_shared(struct sm *sm, struct mem_insn *mem, cycle_t now)
{
	if (!step_head(sm, mem, now))
		return false;
	if (mem->closes)
		load_close(sm, mem->load, now);
	lsu_pop(sm, mem, now);
	return true;
}

void lsu_step(struct sm *sm, cycle_t now)
{
	if (__builtin_expect(sm->memq != NULL, 0)) {
		memq_step(sm, now);
		return;
	}
	while (sm->queue_count) {
		struct mem_insn *mem = &sm->queue[sm->queue_head];
		cycle_t when = mem->ready > sm->pipe_free || mem->started ? mem->ready : sm->pipe_free;
		if (when > now) {
			sm->lsu_next = when;
			return;
		}
		if (!mem->finished && !step_head(sm, mem, now))
			return;
		/* It leaves the queue when its last line has been looked up, and nobody learns of its result before. */
		mem->finished = true;
		if (mem->last_lookup > now) {
			sm->lsu_next = mem->last_lookup;
			return;
		}
		if (mem->closes)
			load_close(sm, mem->load, now);
		lsu_pop(sm, mem, now);
	}
	sm->lsu_next = CYCLE_NEVER;
}
