/*
 * The request window's way to L1: which request goes, what it takes of the
 * pipe, and how one access serves several loads.
 *
 * The pipe is charged to the instruction whose request went to L1. A request
 * that was joined to another's costs it nothing; its load ends with the other's
 * line, at the hit latency of the other or with its fill.
 */
#include "sm/memq.h"

#include <string.h>

#include "sm/lsu.h"

enum by { BY_ITSELF, BY_ANOTHER }; /* whose request went to L1 */

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

static enum l1_fail access(struct sm *sm, struct mem_insn *mem, const struct memq_request *request,
                           cycle_t now)
{
	mem->fail = request->fail;
	mem->next_line = request->index;
	switch (sm->launch->insn[mem->insn].op) {
	case OP_STORE:
		return l1d_store(sm, mem, &request->line, now);
	case OP_ATOMIC:
	case OP_REDUCE:
		return l1d_atomic(sm, mem, &request->line, now);
	default:
		return l1d_load(sm, mem, &request->line, now);
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
		lsu_take_pipe(
		    sm, &insn->mem,
		    memq_is_load(sm, &insn->mem) ? insn->mem.passes : lsu_store_cycles(sm, &insn->mem), now);
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
	if (q->full) {
		q->full = false;
		sm->lsu_next = now < sm->lsu_next ? now : sm->lsu_next;
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
	q->full = false;
}

static int ask_pick(const struct sm *sm)
{
	const struct memq *q = sm->memq;
	return hooks_memq_pick(&sm->hooks, q->item + q->first, q->count);
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
	if (q->rests || q->refused == q->count)
		return false;
	int index = ask_pick(sm);
	if (index == MEMQ_NONE) {
		account_fail(sm, L1_FAIL_NONE, now);
		return false;
	}
	struct memq_request *request = &q->request[q->handle[q->first + (uint32_t)index]];
	if (request->tried == q->changes) {
		account_fail(sm, (enum l1_fail)request->fail, now);
		q->rests = true;
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
	memq_change(q);
	return true;
}

void memq_send(struct sm *sm, cycle_t now)
{
	while (sm->memq->leave_budget && sm->pipe_free <= now && pick(sm, now))
		;
}
