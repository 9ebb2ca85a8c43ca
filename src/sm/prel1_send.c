/*
 * The pre-L1 queue's way to L1: which request goes, what it takes of the
 * pipe, and how one access serves several loads.
 *
 * The pipe is charged to the instruction whose request went to L1. A request
 * that was merged to another's costs it nothing; its load ends with the other's
 * line, at the hit latency of the other or with its fill.
 */
#include "sm/prel1.h"

#include <string.h>

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

static bool open_load(struct prel1 *q, struct prel1_insn *insn)
{
	if (!insn->opened && q->lsu->launch->insn[insn->mem.insn].op != OP_STORE &&
	    !lsu_open_load(q->lsu, &insn->mem, STALL_LONG_SCOREBOARD))
		return false;
	return insn->opened = true;
}

static enum l1_fail access(struct prel1 *q, struct mem_insn *mem, const struct prel1_request *request,
                           cycle_t now)
{
	mem->fail = request->fail;
	mem->next_line = request->index;
	switch (q->lsu->launch->insn[mem->insn].op) {
	case OP_STORE:
		return l1_store(q->lsu->l1, mem, &request->line, now);
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
	q->passing -= insn->passes;
	if (by == BY_ITSELF && prel1_is_load(q, &insn->mem)) {
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
	if (!open_load(q, insn))
		return L1_FAIL_MSHR_ENTRY;
	take_turn(q, request->insn, now);
	enum l1_fail fail = access(q, &insn->mem, request, now);
	if (fail == L1_FAIL_NONE)
		line_served(q, request->insn, BY_ITSELF, now);
	return fail;
}

/* Loads that one access for all members would open, its own among them. */
static uint32_t loads_wanted(const struct prel1 *q, uint32_t first)
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
static enum l1_fail serve_merged(struct prel1 *q, const struct prel1_request *request, cycle_t now)
{
	struct mem_insn mem = q->insn[request->insn].mem;
	if (q->lsu->loads->free < loads_wanted(q, request->merged) ||
	    !lsu_open_load(q->lsu, &mem, STALL_LONG_SCOREBOARD))
		return L1_FAIL_MSHR_ENTRY;
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
	return fail;
}

void prel1_merged_done(struct prel1 *q, uint32_t first, cycle_t done, cycle_t now)
{
	for (uint32_t node = first, next; node; node = next) {
		next = q->member[node].next;
		loads_arrive(q->lsu->loads, q->member[node].load, 1, done, now);
		q->member[node].next = q->free_member;
		q->free_member = node;
		q->free_members++;
	}
	if (q->full) {
		q->full = false;
		q->lsu->next = now < q->lsu->next ? now : q->lsu->next;
	}
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
	prel1_change(q);
	return true;
}

void prel1_send(struct prel1 *q, cycle_t now)
{
	q->held = 0;
	while (q->leave_budget && q->lsu->pipe_free <= now && pick(q, now))
		;
}
