/*
 * Requests enter the pre-L1 queue, and instructions leave the LSU's.
 *
 * Shared memory keeps its place in the LSU queue and takes none here.
 * Instructions enter in the order of the LSU queue, loads so many lines per
 * cycle, stores and atomics at once. An instruction keeps its place in that
 * queue until L1 has served its last line, unless there is room here for what
 * is left of it (prel1_items of a policy) and none of its lines passes by
 * (PREL1_PASS); behind one that passes by, none enters. So a queue in which nothing is merged
 * or reordered has the timing of the LSU without one.
 *
 * A request that L1 refuses stays. It is tried again, when picked, after
 * something has changed: a reply, room in the miss queue, another access.
 */
#include "sm/prel1.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { ITEMS_MIN = 2048, MEMBERS = 16384 };

struct prel1 *prel1_new(const struct chain *chain, struct lsu *lsu)
{
	if (!chain->has_prel1_insert && !chain->has_prel1_pick)
		return NULL;
	struct prel1 *q = memory_zeroed(1, sizeof *q);
	for (uint32_t i = 0; i < chain->count; i++)
		if (chain->link[i].policy.prel1_items > q->own_items)
			q->own_items = chain->link[i].policy.prel1_items;
	q->lsu = lsu;
	q->capacity = q->own_items + (lsu->line_capacity > ITEMS_MIN ? lsu->line_capacity : ITEMS_MIN);
	q->item = memory_zeroed(2 * (size_t)q->capacity, sizeof *q->item);
	q->handle = memory_zeroed(2 * (size_t)q->capacity, sizeof *q->handle);
	q->request = memory_zeroed(q->capacity, sizeof *q->request);
	q->insn = memory_zeroed(q->capacity, sizeof *q->insn);
	q->member = memory_zeroed(MEMBERS + 1, sizeof *q->member);
	prel1_reset(q);
	return q;
}

void prel1_free(struct prel1 *q)
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

void prel1_reset(struct prel1 *q)
{
	for (uint32_t i = 0; i < q->capacity; i++)
		q->request[i].next_free = q->insn[i].next_free = i + 1 < q->capacity ? i + 1 : UINT32_MAX;
	for (uint32_t i = 1; i <= MEMBERS; i++)
		q->member[i].next = i < MEMBERS ? i + 1 : 0;
	q->free_request = q->free_insn = 0;
	q->free_member = 1;
	q->free_members = MEMBERS;
	q->first = q->count = q->order = q->fed = q->away = q->passing = q->refused = 0;
	q->turn = UINT32_MAX;
	q->changes = 1;
	q->room_at = CYCLE_NEVER;
	q->short_of_room = q->rests = q->full = q->asked = false;
	q->fail = L1_FAIL_NONE;
	q->cycle = CYCLE_NEVER;
}

static bool is_load(const struct prel1 *q, const struct mem_insn *mem)
{
	uint8_t op = q->lsu->launch->insn[mem->insn].op;
	return op != OP_STORE && op != OP_ATOMIC && op != OP_REDUCE;
}

/* Refused requests may be tried again. */
static void change(struct prel1 *q)
{
	q->changes++;
	q->refused = 0;
	q->short_of_room = q->rests = false;
	q->room_at = CYCLE_NEVER;
}

/* ---- into the queue ---------------------------------------------------------------------------------------- */

static bool append(struct prel1 *q, const struct mem_insn *mem, const struct prel1_item *item,
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
	struct prel1_request *request = &q->request[handle];
	q->free_request = request->next_free;
	*request = (struct prel1_request){.line = *line, .insn = mem->load};
	q->item[q->first + q->count] = *item;
	q->handle[q->first + q->count++] = handle;
	q->order++;
	q->rests = false;
	return true;
}

static void add_member(struct prel1 *q, struct prel1_request *request, uint32_t insn)
{
	uint32_t node = q->free_member;
	q->free_member = q->member[node].next;
	q->free_members--;
	q->member[node] = (struct prel1_member){.insn = insn, .next = request->merged};
	request->merged = node;
}

static bool merge(struct prel1 *q, uint32_t insn, int index, const struct line_request *line)
{
	struct prel1_item *other = &q->item[q->first + (uint32_t)index];
	if (q->free_members < 2)
		return false;
	struct prel1_request *request = &q->request[q->handle[q->first + (uint32_t)index]];
	if (!request->merged)
		add_member(q, request, request->insn);
	add_member(q, request, insn);
	other->merged++;
	q->rests = false;
	request->line.sectors |= line->sectors;
	request->line.full |= line->full;
	for (uint32_t i = 0; i < LINE_CHUNKS; i++)
		request->line.bytes[i] |= line->bytes[i];
	count(q->lsu->account, COUNT_l1_merged, 1);
	return true;
}

static bool insert(struct prel1 *q, const struct mem_insn *mem, const struct line_request *line, cycle_t now)
{
	struct prel1_item item = {.line = line->line,
	                          .pc = q->lsu->launch->insn[mem->insn].pc,
	                          .arrival = now,
	                          .warp = mem->warp,
	                          .order = q->order,
	                          .is_store = !is_load(q, mem),
	                          .again = q->asked};
	int answer = hooks_prel1_insert(q->lsu->hooks, q->item + q->first, q->count, &item);
	q->asked = answer == PREL1_STALL;
	if (q->asked) {
		q->rests = false; /* the policy may want another request to go first now */
		return false;
	}
	if (answer == PREL1_PASS && !q->insn[mem->load].passes) {
		q->insn[mem->load].passes = true;
		q->passing++;
	}
	if (answer < 0)
		return append(q, mem, &item, line);
	return merge(q, mem->load, answer, line);
}

/* While it is in the LSU queue, `load` of an instruction is its number here. */
static bool admit(struct prel1 *q, struct mem_insn *mem)
{
	if (q->free_insn == UINT32_MAX)
		return false;
	mem->load = q->free_insn;
	struct prel1_insn *insn = &q->insn[mem->load];
	q->free_insn = insn->next_free;
	*insn =
	    (struct prel1_insn){.mem = *mem, .left = mem->lines, .place = (uint32_t)(mem - q->lsu->queue)};
	mem->started = true;
	return true;
}

/* The next instruction whose lines are not all in; NULL: none. */
static struct mem_insn *next_insn(const struct prel1 *q)
{
	uint32_t fed = q->fed;
	return fed < q->lsu->count ? &q->lsu->queue[(q->lsu->head + fed) & q->lsu->mask] : NULL;
}

/* An instruction that passes by is before it. */
static bool waits_behind(const struct prel1 *q, const struct mem_insn *mem)
{
	return q->passing && !mem->started;
}

/* Takes lines in; false: no more in this cycle. */
static bool feed(struct prel1 *q, cycle_t now)
{
	struct mem_insn *mem = next_insn(q);
	if (!mem || mem->space == SPACE_SHARED || mem->ready > now || (q->full && q->count) ||
	    waits_behind(q, mem))
		return false;
	q->full = !mem->started && !admit(q, mem);
	if (q->full)
		return false;
	bool load = is_load(q, mem);
	while (mem->next_line < mem->lines) {
		if (!q->enter_budget)
			return false;
		q->full = !insert(q, mem, &q->lsu->lines[mem->first_line + mem->next_line], now);
		if (q->full)
			return false;
		mem->next_line++;
		q->enter_budget -= load;
	}
	q->fed++;
	return load;
}

enum by { BY_ITSELF, BY_ANOTHER }; /* whose request went to L1 */

/* ---- to L1 ---------------------------------------------------------------------------------------------------- */

/* What others take of the pipe between two lines of an instruction is not its own time. */
static void take_turn(struct prel1 *q, uint32_t index, cycle_t now)
{
	struct prel1_insn *insn = &q->insn[index];
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

static void open_load(struct prel1 *q, struct prel1_insn *insn)
{
	if (!insn->opened && q->lsu->launch->insn[insn->mem.insn].op != OP_STORE)
		lsu_open_load(q->lsu, &insn->mem, STALL_LONG_SCOREBOARD);
	insn->opened = true;
}

static enum l1_fail access(struct prel1 *q, struct mem_insn *mem, const struct prel1_request *request,
                           cycle_t now)
{
	mem->fail = request->fail;
	switch (q->lsu->launch->insn[mem->insn].op) {
	case OP_STORE:
		return l1_store(q->lsu->l1, mem, &request->line, &mem->joined, now);
	case OP_ATOMIC:
	case OP_REDUCE:
		return l1_atomic(q->lsu->l1, mem, &request->line, now);
	default:
		return l1_load(q->lsu->l1, mem, &request->line, now);
	}
}

/* L1 has served one line of the instruction; after the last, it takes the pipe for its data and is forgotten. */
static void line_served(struct prel1 *q, uint32_t index, enum by by, cycle_t now)
{
	struct prel1_insn *insn = &q->insn[index];
	q->away -= insn->away;
	if (--insn->left)
		return;
	lsu_settle(q->lsu, &insn->mem, now);
	q->passing -= insn->passes;
	if (by == BY_ITSELF && is_load(q, &insn->mem)) {
		lsu_take_pipe(q->lsu, &insn->mem, insn->mem.wavefronts, now);
		l1_hold_store(q->lsu->l1, &insn->mem, q->lsu->pipe_free);
	} else if (by == BY_ITSELF && q->lsu->launch->insn[insn->mem.insn].op == OP_STORE) {
		lsu_end_store(q->lsu, &insn->mem, now);
	} else if (by == BY_ITSELF) {
		lsu_take_pipe(q->lsu, &insn->mem, lsu_store_cycles(q->lsu, &insn->mem), now);
	}
	if (q->lsu->launch->insn[insn->mem.insn].op != OP_STORE)
		loads_close(q->lsu->loads, insn->mem.load, now);
	if (!insn->away)
		q->lsu->queue[insn->place].finished = true;
	if (q->turn == index)
		q->turn = UINT32_MAX;
	insn->next_free = q->free_insn;
	q->free_insn = index;
}

static enum l1_fail serve_one(struct prel1 *q, const struct prel1_request *request, cycle_t now)
{
	struct prel1_insn *insn = &q->insn[request->insn];
	open_load(q, insn);
	take_turn(q, request->insn, now);
	enum l1_fail fail = access(q, &insn->mem, request, now);
	if (fail == L1_FAIL_NONE)
		line_served(q, request->insn, BY_ITSELF, now);
	return fail;
}

/* The one access for several requests is over: it is for each of them. Returns whether there was one. */
static bool end_merged(struct prel1 *q, cycle_t now)
{
	uint32_t node;
	cycle_t done;
	bool any = false;
	for (; loads_take_served(q->lsu->loads, &node, &done); any = true)
		for (uint32_t next; node; node = next) {
			next = q->member[node].next;
			loads_arrive(q->lsu->loads, q->member[node].load, 1, done, now);
			q->member[node].next = q->free_member;
			q->free_member = node;
			q->free_members++;
		}
	return any;
}

/*
 * One access for all members, under the name of the first: a load of its own
 * that has no result. Each member waits for it as for one line.
 */
static enum l1_fail serve_merged(struct prel1 *q, const struct prel1_request *request, cycle_t now)
{
	struct mem_insn mem = q->insn[request->insn].mem;
	lsu_open_load(q->lsu, &mem, STALL_LONG_SCOREBOARD);
	take_turn(q, request->insn, now);
	loads_drop_result(q->lsu->loads, mem.load);
	enum l1_fail fail = access(q, &mem, request, now);
	for (uint32_t node = fail == L1_FAIL_NONE ? request->merged : 0; node; node = q->member[node].next) {
		struct prel1_member *member = &q->member[node];
		open_load(q, &q->insn[member->insn]);
		member->load = q->insn[member->insn].mem.load;
		loads_wait(q->lsu->loads, member->load, 1);
		line_served(q, member->insn, member->insn == request->insn ? BY_ITSELF : BY_ANOTHER, now);
		loads_serve_merged(q->lsu->loads, mem.load, request->merged);
	}
	loads_close(q->lsu->loads, mem.load, now);
	if (end_merged(q, now))
		q->full = false;
	return fail;
}

/* ---- out of the queue ------------------------------------------------------------------------------------------ */

static void drop(struct prel1 *q, uint32_t index)
{
	struct prel1_item *item = q->item + q->first;
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
	q->full = false;
}

static int ask_pick(const struct prel1 *q)
{
	return hooks_prel1_pick(q->lsu->hooks, q->item + q->first, q->count);
}

/* Cycles since the last pick are charged to what that one lacked; from now on to `fail`. */
static void account_fail(struct prel1 *q, enum l1_fail fail, cycle_t now)
{
	if (q->fail != L1_FAIL_NONE)
		lsu_count_fail(q->lsu, q->fail, now - q->fail_since);
	q->fail = (uint8_t)fail;
	q->fail_since = now;
}

static void refuse(struct prel1 *q, struct prel1_request *request, enum l1_fail fail)
{
	request->fail = (uint8_t)fail;
	request->tried = q->changes;
	q->refused++;
	if (fail == L1_FAIL_MISS_QUEUE) {
		q->short_of_room = true;
		q->room_at = port_room_at(q->lsu->l1->port);
	}
}

/* A store begins when the lines of the one before it have left. */
static bool waits_for_stores(const struct prel1 *q, const struct prel1_request *request, cycle_t now)
{
	const struct mem_insn *mem = &q->insn[request->insn].mem;
	return q->lsu->l1->stores_out > now && !mem->started &&
	       q->lsu->launch->insn[mem->insn].op == OP_STORE;
}

/* Sends one request to L1; false: no more in this cycle. */
static bool pick(struct prel1 *q, cycle_t now)
{
	if (q->rests || q->refused == q->count)
		return false;
	int index = ask_pick(q);
	if (index == PREL1_NONE) {
		account_fail(q, L1_FAIL_NONE, now);
		return false;
	}
	struct prel1_request *request = &q->request[q->handle[q->first + (uint32_t)index]];
	if (request->tried == q->changes) {
		account_fail(q, (enum l1_fail)request->fail, now);
		q->rests = true;
		return false;
	}
	if (waits_for_stores(q, request, now)) {
		account_fail(q, L1_FAIL_NONE, now);
		q->held = q->lsu->l1->stores_out;
		return false;
	}
	q->leave_budget -= !q->item[q->first + (uint32_t)index].is_store;
	enum l1_fail fail = request->merged ? serve_merged(q, request, now) : serve_one(q, request, now);
	account_fail(q, fail, now);
	if (fail != L1_FAIL_NONE) {
		refuse(q, request, fail);
		return false;
	}
	drop(q, (uint32_t)index);
	change(q);
	return true;
}

static void send(struct prel1 *q, cycle_t now)
{
	q->held = 0;
	while (q->leave_budget && q->lsu->pipe_free <= now && pick(q, now))
		;
}

/* ---- a cycle ------------------------------------------------------------------------------------------------------ */

/* Instructions leave the LSU queue in order, when L1 has served them or the queue has room for what is left. */
static void leave_queue(struct prel1 *q)
{
	while (q->fed) {
		const struct mem_insn *mem = &q->lsu->queue[q->lsu->head];
		if (!mem->finished) {
			struct prel1_insn *insn = &q->insn[mem->load];
			if (insn->passes || q->away + insn->left > q->own_items)
				return;
			insn->away = true;
			q->away += insn->left;
		}
		lsu_pop(q->lsu);
		q->fed--;
	}
}

static cycle_t later(cycle_t a, cycle_t b)
{
	return a > b ? a : b;
}

/* When a line may enter the queue, or the head go to shared memory. */
static cycle_t next_feed(const struct prel1 *q, cycle_t now)
{
	const struct mem_insn *mem = next_insn(q);
	if (!mem)
		return CYCLE_NEVER;
	if (mem->space == SPACE_SHARED && mem->started)
		return now + 1;
	if (mem->space == SPACE_SHARED)
		return q->fed ? CYCLE_NEVER : later(mem->ready, q->lsu->pipe_free);
	return (q->full && q->count) || waits_behind(q, mem) ? CYCLE_NEVER : later(mem->ready, now + 1);
}

/* When a request may go to L1; CYCLE_NEVER: when a reply or a credit comes. */
static cycle_t next_pick(const struct prel1 *q, cycle_t now)
{
	if (!q->count)
		return CYCLE_NEVER;
	if (q->rests || q->refused == q->count || (q->refused && !hooks_has_prel1_pick(q->lsu->hooks)))
		return q->room_at;
	return later(later(q->lsu->pipe_free, q->held), now + 1);
}

/* It may be called twice in a cycle, when an instruction comes in late: the budgets are those of the cycle. */
cycle_t prel1_step(struct prel1 *q, cycle_t now)
{
	if (q->cycle != now) {
		q->cycle = now;
		q->enter_budget = q->leave_budget = q->lsu->machine->lsu_lines_per_cycle;
	}
	if (q->short_of_room && q->room_at <= now)
		change(q);
	while (q->enter_budget && feed(q, now))
		;
	send(q, now);
	leave_queue(q);
	cycle_t next = next_feed(q, now), other = next_pick(q, now);
	return next < other ? next : other;
}

bool prel1_filled(struct prel1 *q, cycle_t now)
{
	bool helps = end_merged(q, now) && q->full;
	q->full &= !helps;
	if (q->refused) {
		change(q);
		helps = true;
	}
	return helps;
}

cycle_t prel1_credited(struct prel1 *q, cycle_t now)
{
	if (!q->short_of_room)
		return CYCLE_NEVER;
	return q->room_at = port_has_room(q->lsu->l1->port, now) ? now : port_room_at(q->lsu->l1->port);
}
