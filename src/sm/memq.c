/*
 * The request window between coalescer and L1.
 *
 * Line requests of global and local memory wait here in order of arrival, so
 * that policies may join loads of one line (memq_insert: the inter-warp
 * coalescing of LCM) or send others first (memq_pick: MRPB). Shared memory
 * keeps its place in the LSU queue and takes none here.
 *
 * Instructions enter in the order of the LSU queue, loads so many lines per
 * cycle, stores and atomics at once. An instruction keeps its place in that
 * queue until L1 has served its last line, unless the window has room of its
 * own for what is left of it (memq_items of a policy). So a window in which
 * nothing is joined or reordered has the timing of the LSU without one.
 *
 * A request that L1 refuses stays. It is tried again, when picked, after
 * something has changed: a reply, room in the miss queue, another access.
 */
#include "sm/memq.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "sm/lsu.h"

enum { ITEMS_MIN = 2048, MEMBERS = 16384 };

struct memq *memq_new(const struct chain *chain, uint32_t line_capacity)
{
	if (!chain->has_memq_insert && !chain->has_memq_pick)
		return NULL;
	struct memq *q = memory_zeroed(1, sizeof *q);
	for (uint32_t i = 0; i < chain->count; i++)
		if (chain->link[i].policy.memq_items > q->own_items)
			q->own_items = chain->link[i].policy.memq_items;
	q->capacity = q->own_items + (line_capacity > ITEMS_MIN ? line_capacity : ITEMS_MIN);
	q->item = memory_zeroed(2 * (size_t)q->capacity, sizeof *q->item);
	q->handle = memory_zeroed(2 * (size_t)q->capacity, sizeof *q->handle);
	q->request = memory_zeroed(q->capacity, sizeof *q->request);
	q->insn = memory_zeroed(q->capacity, sizeof *q->insn);
	q->member = memory_zeroed(MEMBERS + 1, sizeof *q->member);
	memq_reset(q);
	return q;
}

void memq_free(struct memq *q)
{
	if (!q)
		return;
	free(q->item);
	free(q->handle);
	free(q->request);
	free(q->insn);
	free(q->member);
	free(q);
}

void memq_reset(struct memq *q)
{
	for (uint32_t i = 0; i < q->capacity; i++)
		q->request[i].next_free = q->insn[i].next_free = i + 1 < q->capacity ? i + 1 : UINT32_MAX;
	for (uint32_t i = 1; i <= MEMBERS; i++)
		q->member[i].next = i < MEMBERS ? i + 1 : 0;
	q->free_request = q->free_insn = 0;
	q->free_member = 1;
	q->free_members = MEMBERS;
	q->first = q->count = q->order = q->fed = q->away = q->refused = 0;
	q->turn = UINT32_MAX;
	q->changes = 1;
	q->room_at = CYCLE_NEVER;
	q->short_of_room = q->rests = q->full = q->asked = false;
	q->fail = L1_FAIL_NONE;
	q->cycle = CYCLE_NEVER;
}

/* ---- into the window ---------------------------------------------------------------------------------------- */

static bool append(struct memq *q, const struct mem_insn *mem, const struct memq_item *item,
                   const struct line_request *line)
{
	if (q->count == q->capacity)
		return false;
	if (q->first + q->count == 2 * q->capacity) {
		memmove(q->item, q->item + q->first, q->count * sizeof *q->item);
		memmove(q->handle, q->handle + q->first, q->count * sizeof *q->handle);
		q->first = 0;
	}
	uint32_t handle = q->free_request;
	struct memq_request *request = &q->request[handle];
	q->free_request = request->next_free;
	*request = (struct memq_request){.line = *line, .insn = mem->load, .index = mem->next_line};
	q->item[q->first + q->count] = *item;
	q->handle[q->first + q->count++] = handle;
	q->order++;
	q->rests = false;
	return true;
}

static void add_member(struct memq *q, struct memq_request *request, uint32_t insn)
{
	uint32_t node = q->free_member;
	q->free_member = q->member[node].next;
	q->free_members--;
	q->member[node] = (struct memq_member){.insn = insn, .next = request->joined};
	request->joined = node;
}

static bool join(struct sm *sm, uint32_t insn, int index, const struct line_request *line)
{
	struct memq *q = sm->memq;
	struct memq_item *other = &q->item[q->first + (uint32_t)index];
	if (q->free_members < 2)
		return false;
	struct memq_request *request = &q->request[q->handle[q->first + (uint32_t)index]];
	if (!request->joined)
		add_member(q, request, request->insn);
	add_member(q, request, insn);
	other->merged++;
	q->rests = false;
	request->line.sectors |= line->sectors;
	request->line.full |= line->full;
	for (uint32_t i = 0; i < LINE_CHUNKS; i++)
		request->line.bytes[i] |= line->bytes[i];
	count(sm, COUNT_l1_merged, 1);
	return true;
}

static bool insert(struct sm *sm, const struct mem_insn *mem, const struct line_request *line, cycle_t now)
{
	struct memq *q = sm->memq;
	struct memq_item item = {.line = line->line,
	                         .pc = sm->launch->insn[mem->insn].pc,
	                         .arrival = now,
	                         .warp = mem->warp,
	                         .order = q->order,
	                         .is_store = !memq_is_load(sm, mem),
	                         .again = q->asked};
	int answer = hooks_memq_insert(&sm->hooks, q->item + q->first, q->count, &item);
	q->asked = answer == MEMQ_STALL;
	if (q->asked) {
		q->rests = false; /* the policy may want another request to go first now */
		return false;
	}
	if (answer == MEMQ_APPEND)
		return append(q, mem, &item, line);
	return join(sm, mem->load, answer, line);
}

/* While it is in the LSU queue, `load` of an instruction is its number here. */
static bool admit(struct sm *sm, struct mem_insn *mem)
{
	struct memq *q = sm->memq;
	if (q->free_insn == UINT32_MAX)
		return false;
	mem->load = q->free_insn;
	struct memq_insn *insn = &q->insn[mem->load];
	q->free_insn = insn->next_free;
	*insn = (struct memq_insn){.mem = *mem, .left = mem->lines, .place = (uint32_t)(mem - sm->queue)};
	mem->started = true;
	return true;
}

/* The next instruction whose lines are not all in; NULL: none. */
static struct mem_insn *next_insn(const struct sm *sm)
{
	uint32_t fed = sm->memq->fed;
	return fed < sm->queue_count ? &sm->queue[(sm->queue_head + fed) & sm->queue_mask] : NULL;
}

/* Takes lines in; false: no more in this cycle. */
static bool feed(struct sm *sm, cycle_t now)
{
	struct memq *q = sm->memq;
	struct mem_insn *mem = next_insn(sm);
	if (!mem || mem->space == SPACE_SHARED || mem->ready > now || (q->full && q->count))
		return false;
	q->full = !mem->started && !admit(sm, mem);
	if (q->full)
		return false;
	bool load = memq_is_load(sm, mem);
	while (mem->next_line < mem->lines) {
		if (!q->enter_budget)
			return false;
		q->full = !insert(sm, mem, &sm->lines[mem->first_line + mem->next_line], now);
		if (q->full)
			return false;
		mem->next_line++;
		q->enter_budget -= load;
	}
	q->fed++;
	return load;
}

/* ---- a cycle ------------------------------------------------------------------------------------------------------ */

/* Instructions leave the LSU queue in order, when L1 has served them or the window has room for what is left. */
static void leave_queue(struct sm *sm, cycle_t now)
{
	struct memq *q = sm->memq;
	while (q->fed) {
		const struct mem_insn *mem = &sm->queue[sm->queue_head];
		if (!mem->finished) {
			struct memq_insn *insn = &q->insn[mem->load];
			if (q->away + insn->left > q->own_items)
				return;
			insn->away = true;
			q->away += insn->left;
		}
		lsu_pop(sm, mem, now);
		q->fed--;
	}
}

static cycle_t later(cycle_t a, cycle_t b)
{
	return a > b ? a : b;
}

/* When a line may enter the window, or the head go to shared memory. */
static cycle_t next_feed(const struct sm *sm, cycle_t now)
{
	const struct mem_insn *mem = next_insn(sm);
	if (!mem)
		return CYCLE_NEVER;
	if (mem->space == SPACE_SHARED && mem->started)
		return now + 1;
	if (mem->space == SPACE_SHARED)
		return sm->memq->fed ? CYCLE_NEVER : later(mem->ready, sm->pipe_free);
	return sm->memq->full && sm->memq->count ? CYCLE_NEVER : later(mem->ready, now + 1);
}

/* When a request may go to L1; CYCLE_NEVER: when a reply or a credit comes. */
static cycle_t next_pick(const struct sm *sm, cycle_t now)
{
	const struct memq *q = sm->memq;
	if (!q->count)
		return CYCLE_NEVER;
	if (q->rests || q->refused == q->count || (q->refused && !hooks_has_memq_pick(&sm->hooks)))
		return q->room_at;
	return later(sm->pipe_free, now + 1);
}

/* It may be called twice in a cycle, when an instruction comes in late: the budgets are those of the cycle. */
void memq_step(struct sm *sm, cycle_t now)
{
	struct memq *q = sm->memq;
	struct mem_insn *head = &sm->queue[sm->queue_head];
	if (q->cycle != now) {
		q->cycle = now;
		q->enter_budget = q->leave_budget = sm->machine->lsu_lines_per_cycle;
	}
	if (q->short_of_room && q->room_at <= now)
		memq_change(q);
	if (sm->queue_count && head->space == SPACE_SHARED &&
	    (head->started ? head->ready : later(head->ready, sm->pipe_free)) <= now)
		lsu_shared(sm, head, now);
	while (q->enter_budget && feed(sm, now))
		;
	memq_send(sm, now);
	leave_queue(sm, now);
	cycle_t next = next_feed(sm, now), other = next_pick(sm, now);
	sm->lsu_next = next < other ? next : other;
}

void memq_push(struct sm *sm, const struct mem_insn *mem)
{
	if (mem->ready < sm->lsu_next)
		sm->lsu_next = mem->ready;
}

void memq_replied(struct sm *sm, cycle_t now)
{
	if (!sm->memq->refused)
		return;
	memq_change(sm->memq);
	sm->lsu_next = now;
}

void memq_credited(struct sm *sm, cycle_t now)
{
	struct memq *q = sm->memq;
	if (!q->short_of_room)
		return;
	q->room_at = port_has_room(sm, now) ? now : port_room_at(sm);
	if (q->room_at < sm->lsu_next)
		sm->lsu_next = q->room_at;
}
