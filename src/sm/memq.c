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
enum by { BY_ITSELF, BY_ANOTHER }; /* whose request went to L1 */

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
	q->short_of_room = false;
	q->fail = L1_FAIL_NONE;
	q->cycle = CYCLE_NEVER;
}

static bool is_load(const struct sm *sm, const struct mem_insn *mem)
{
	uint8_t op = sm->launch->insn[mem->insn].op;
	return op != OP_STORE && op != OP_ATOMIC && op != OP_REDUCE;
}

/* Refused requests may be tried again. */
static void change(struct memq *q)
{
	q->changes++;
	q->refused = 0;
	q->short_of_room = false;
	q->room_at = CYCLE_NEVER;
}

/* ---- into the window ---------------------------------------------------------------------------------------- */

static bool append(struct memq *q, uint32_t insn, const struct memq_item *item, const struct line_request *line)
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
	*request = (struct memq_request){.line = *line, .insn = insn};
	q->item[q->first + q->count] = *item;
	q->handle[q->first + q->count++] = handle;
	q->order++;
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

static bool join(struct sm *sm, uint32_t insn, int index, const struct memq_item *item, const struct line_request *line,
		 const struct policy *policy)
{
	enum { MERGED_MAX = UINT8_MAX };
	struct memq *q = sm->memq;
	bool known = index >= 0 && (uint32_t)index < q->count;
	struct memq_item *other = &q->item[q->first + (known ? (uint32_t)index : 0)];
	if (!known || item->is_store || other->is_store || other->line != item->line || other->merged == MERGED_MAX)
		BUG("policy %s: cycle %llu, SM %u, warp %u: memq_insert answered %d of %u; only loads of one line can be "
		    "joined, %d to the first",
		    policy->name, (unsigned long long)item->arrival, sm->id, item->warp, index, q->count, MERGED_MAX);
	if (q->free_members < 2)
		return false;
	struct memq_request *request = &q->request[q->handle[q->first + (uint32_t)index]];
	if (!request->joined)
		add_member(q, request, request->insn);
	add_member(q, request, insn);
	other->merged++;
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
				 .is_store = !is_load(sm, mem)};
	const struct policy *who = NULL;
	int answer = MEMQ_APPEND;
	CHAIN_EACH(sm->chain, &sm->policies, memq_insert, if (answer == MEMQ_APPEND) {
		answer = policy->memq_insert(block, q->item + q->first, q->count, &item);
		who = policy;
	});
	if (answer == MEMQ_STALL)
		return false;
	if (answer == MEMQ_APPEND)
		return append(q, mem->load, &item, line);
	return join(sm, mem->load, answer, &item, line, who);
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
	if (!mem || mem->space == SPACE_SHARED || mem->ready > now || (!mem->started && !admit(sm, mem)))
		return false;
	bool load = is_load(sm, mem);
	while (mem->next_line < mem->lines) {
		if (!q->enter_budget || !insert(sm, mem, &sm->lines[mem->first_line + mem->next_line], now))
			return false;
		mem->next_line++;
		q->enter_budget -= load;
	}
	q->fed++;
	return load;
}

/* ---- to L1 ---------------------------------------------------------------------------------------------------- */

/* What others take of the pipe between two lines of an instruction is not its own time. */
static void take_turn(struct memq *q, uint32_t index, cycle_t now)
{
	struct memq_insn *insn = &q->insn[index];
	if (q->turn != index) {
		if (q->turn != UINT32_MAX)
			q->insn[q->turn].paused = now;
		if (insn->mem.started)
			insn->mem.began += now - insn->paused;
		q->turn = index;
	}
	if (!insn->mem.started) {
		insn->mem.started = true;
		insn->mem.began = now;
	}
}

static bool open_load(struct sm *sm, struct memq_insn *insn)
{
	if (!insn->opened && sm->launch->insn[insn->mem.insn].op != OP_STORE && !load_begin(sm, &insn->mem))
		return false;
	return insn->opened = true;
}

static enum l1_fail access(struct sm *sm, struct mem_insn *mem, const struct memq_request *request, cycle_t now)
{
	mem->fail = request->fail;
	switch (sm->launch->insn[mem->insn].op) {
	case OP_STORE:
		return lsu_access(sm, mem, &request->line, l1d_store, now);
	case OP_ATOMIC:
	case OP_REDUCE:
		return lsu_access(sm, mem, &request->line, l1d_atomic, now);
	default:
		return lsu_access(sm, mem, &request->line, l1d_load, now);
	}
}

/* L1 has served one line of the instruction; after the last, it takes the pipe for its data and is forgotten. */
static void line_served(struct sm *sm, uint32_t index, enum by by, cycle_t now)
{
	struct memq *q = sm->memq;
	struct memq_insn *insn = &q->insn[index];
	q->away -= insn->away;
	if (--insn->left)
		return;
	if (by == BY_ITSELF)
		lsu_take_pipe(sm, &insn->mem, is_load(sm, &insn->mem) ? insn->mem.passes : lsu_store_cycles(sm, &insn->mem),
			      now);
	if (sm->launch->insn[insn->mem.insn].op != OP_STORE)
		load_close(sm, insn->mem.load, now);
	if (!insn->away)
		sm->queue[insn->place].finished = true;
	if (q->turn == index)
		q->turn = UINT32_MAX;
	insn->next_free = q->free_insn;
	q->free_insn = index;
}

static enum l1_fail serve_one(struct sm *sm, const struct memq_request *request, cycle_t now)
{
	struct memq_insn *insn = &sm->memq->insn[request->insn];
	if (!open_load(sm, insn))
		return L1_FAIL_MSHR_ENTRY;
	take_turn(sm->memq, request->insn, now);
	enum l1_fail fail = access(sm, &insn->mem, request, now);
	if (fail == L1_FAIL_NONE)
		line_served(sm, request->insn, BY_ITSELF, now);
	return fail;
}

/* Loads that one access for all members would open, its own among them. */
static uint32_t loads_wanted(const struct memq *q, uint32_t first)
{
	uint32_t wanted = 1;
	for (uint32_t node = first; node; node = q->member[node].next)
		wanted += !q->insn[q->member[node].insn].opened;
	return wanted;
}

/*
 * One access for all members, under the name of the first: a load of its own
 * that has no result. Each member waits for it as for one line.
 */
static enum l1_fail serve_joined(struct sm *sm, const struct memq_request *request, cycle_t now)
{
	struct memq *q = sm->memq;
	struct mem_insn mem = q->insn[request->insn].mem;
	if (sm->free_loads < loads_wanted(q, request->joined) || !load_begin(sm, &mem))
		return L1_FAIL_MSHR_ENTRY;
	take_turn(q, request->insn, now);
	struct load *load = &sm->loads[mem.load];
	load->dst_span = 0;
	enum l1_fail fail = access(sm, &mem, request, now);
	for (uint32_t node = fail == L1_FAIL_NONE ? request->joined : 0; node; node = q->member[node].next) {
		struct memq_member *member = &q->member[node];
		open_load(sm, &q->insn[member->insn]);
		member->load = q->insn[member->insn].mem.load;
		sm->loads[member->load].waiting++;
		line_served(sm, member->insn, member->insn == request->insn ? BY_ITSELF : BY_ANOTHER, now);
		load->joined = request->joined;
	}
	load_close(sm, mem.load, now);
	return fail;
}

void memq_joined_done(struct sm *sm, uint32_t first, cycle_t done, cycle_t now)
{
	struct memq *q = sm->memq;
	for (uint32_t node = first, next; node; node = next) {
		next = q->member[node].next;
		l1d_parts_done(sm, q->member[node].load, 1, done, now);
		q->member[node].next = q->free_member;
		q->free_member = node;
		q->free_members++;
	}
}

/* ---- out of the window ------------------------------------------------------------------------------------------ */

static void drop(struct memq *q, uint32_t index)
{
	struct memq_item *item = q->item + q->first;
	uint32_t *handle = q->handle + q->first, after = q->count - index - 1;
	q->request[handle[index]].next_free = q->free_request;
	q->free_request = handle[index];
	if (index < after) {
		memmove(item + 1, item, index * sizeof *item);
		memmove(handle + 1, handle, index * sizeof *handle);
		q->first++;
	} else {
		memmove(item + index, item + index + 1, after * sizeof *item);
		memmove(handle + index, handle + index + 1, after * sizeof *handle);
	}
	q->count--;
}

static int ask_pick(struct sm *sm, cycle_t now)
{
	const struct memq *q = sm->memq;
	const struct chain *chain = sm->chain;
	if (!chain->has_memq_pick)
		return 0;
	uint32_t link = (uint32_t)__builtin_ctz(chain->has_memq_pick);
	const struct policy *policy = &chain->link[link].policy;
	int index = policy->memq_pick(sm->policies.block[link], q->item + q->first, q->count);
	if (index != MEMQ_NONE && (index < 0 || (uint32_t)index >= q->count))
		BUG("policy %s: cycle %llu, SM %u: memq_pick answered %d of %u", policy->name, (unsigned long long)now,
		    sm->id, index, q->count);
	return index;
}

/* Cycles since the last pick are charged to what that one lacked; from now on to `fail`. */
static void account_fail(struct sm *sm, enum l1_fail fail, cycle_t now)
{
	struct memq *q = sm->memq;
	if (q->fail != L1_FAIL_NONE)
		lsu_count_fail(sm, (enum l1_fail)q->fail, now - q->fail_since);
	q->fail = (uint8_t)fail;
	q->fail_since = now;
}

static void refuse(struct sm *sm, struct memq_request *request, enum l1_fail fail)
{
	struct memq *q = sm->memq;
	request->fail = (uint8_t)fail;
	request->tried = q->changes;
	q->refused++;
	if (fail == L1_FAIL_MISS_QUEUE) {
		q->short_of_room = true;
		q->room_at = port_room_at(sm);
	}
}

/* Sends one request to L1; false: no more in this cycle. */
static bool pick(struct sm *sm, cycle_t now)
{
	struct memq *q = sm->memq;
	if (q->refused == q->count)
		return false;
	int index = ask_pick(sm, now);
	if (index == MEMQ_NONE) {
		account_fail(sm, L1_FAIL_NONE, now);
		return false;
	}
	struct memq_request *request = &q->request[q->handle[q->first + (uint32_t)index]];
	if (request->tried == q->changes) {
		account_fail(sm, (enum l1_fail)request->fail, now);
		return false;
	}
	q->leave_budget -= !q->item[q->first + (uint32_t)index].is_store;
	enum l1_fail fail = request->joined ? serve_joined(sm, request, now) : serve_one(sm, request, now);
	account_fail(sm, fail, now);
	if (fail != L1_FAIL_NONE) {
		refuse(sm, request, fail);
		return false;
	}
	drop(q, (uint32_t)index);
	change(q);
	return true;
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
	if (mem->space == SPACE_SHARED)
		return sm->memq->fed ? CYCLE_NEVER : later(mem->ready, sm->pipe_free);
	return later(mem->ready, now + 1);
}

/* When a request may go to L1; CYCLE_NEVER: when a reply or a credit comes. */
static cycle_t next_pick(const struct sm *sm, cycle_t now)
{
	const struct memq *q = sm->memq;
	if (!q->count)
		return CYCLE_NEVER;
	if (q->refused == q->count || (q->refused && !sm->chain->has_memq_pick))
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
		change(q);
	if (sm->queue_count && head->space == SPACE_SHARED && later(head->ready, sm->pipe_free) <= now)
		lsu_shared(sm, head, now);
	while (q->enter_budget && feed(sm, now))
		;
	while (q->leave_budget && sm->pipe_free <= now && pick(sm, now))
		;
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
	change(sm->memq);
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
