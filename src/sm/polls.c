#include "sm/polls.h"

#include <stdlib.h>

#include "base/bits.h"
#include "base/memory.h"
#include "trace/poll.h"

enum { NOTICES_MOST = UINT16_MAX };

void polls_init(struct polls *polls, const struct crossbar *crossbar, uint32_t sm, uint32_t slots)
{
	polls->crossbar = crossbar;
	polls->sm = sm;
	polls->line_shift = bits_log2_up(crossbar->machine->l1d_line_bytes);
	polls->poll = memory_zeroed(slots, sizeof *polls->poll);
}

void polls_free(struct polls *polls)
{
	free(polls->poll);
	free(polls->notice);
	free(polls->own);
}

void polls_begin_launch(struct polls *polls, const struct watch *watch)
{
	polls->watch = watch;
	polls->used = 1;
	polls->first_free = polls->first = polls->last = 0;
	polls->instructions = 0;
	polls->own_count = 0;
}

/* ---- writes -------------------------------------------------------------------------------------------------- */

static void write_own(struct polls *polls, uint32_t word, uint32_t lanes, cycle_t when)
{
	if (polls->own_count == polls->own_capacity) {
		polls->own_capacity = polls->own_capacity ? 2 * polls->own_capacity : 64;
		polls->own = memory_grow(polls->own, polls->own_capacity, sizeof *polls->own);
	}
	polls->own[polls->own_count++] = (struct own_write){when, word, lanes};
}

/* A notice, or 0 if too many are under way. */
static uint16_t take_notice(struct polls *polls)
{
	uint16_t index = polls->first_free;
	if (index) {
		polls->first_free = polls->notice[index].next;
		return index;
	}
	if (polls->used > NOTICES_MOST)
		BUG("more than %u writes to watched words under way", (unsigned)NOTICES_MOST);
	if (polls->used >= polls->capacity) {
		polls->capacity = polls->capacity ? 2 * polls->capacity : 256;
		polls->notice = memory_grow(polls->notice, polls->capacity, sizeof *polls->notice);
	}
	return (uint16_t)polls->used++;
}

static void give_notice_back(struct polls *polls, uint16_t index)
{
	polls->notice[index].next = polls->first_free;
	polls->first_free = index;
}

/* The first notice of the chain of this line and instruction, which has not left; 0: there is none. */
static uint16_t chain_of(const struct polls *polls, uint16_t number, uint64_t line)
{
	uint16_t index = polls->first;
	while (index && (polls->notice[index].owner != number || polls->notice[index].line != line))
		index = polls->notice[index].later;
	return index;
}

static void append_chain(struct polls *polls, uint16_t index)
{
	if (polls->last)
		polls->notice[polls->last].later = index;
	else
		polls->first = index;
	polls->last = index;
}

/* Another lane of instruction `number` writes the word. */
static void note_lane(struct polls *polls, uint16_t number, uint32_t word)
{
	uint64_t line = polls->watch->address[word] >> polls->line_shift;
	uint16_t head = chain_of(polls, number, line);
	for (uint16_t i = head; i; i = polls->notice[i].next)
		if (polls->notice[i].word == word) {
			polls->notice[i].lanes++;
			return;
		}
	uint16_t index = take_notice(polls);
	polls->notice[index] = (struct notice){.line = line, .word = word, .lanes = 1, .owner = number};
	if (head) {
		polls->notice[index].next = polls->notice[head].next;
		polls->notice[head].next = index;
	} else {
		append_chain(polls, index);
	}
}

uint16_t polls_write(struct polls *polls, const struct warp_step *step, uint32_t width)
{
	const struct watch *watch = polls->watch;
	uint64_t address[TRACE_MAX_LANES];
	uint32_t lanes = step_addresses(step, address);
	uint16_t number = 0;
	for (uint32_t i = 0; i < lanes; i++) {
		uint32_t word = watch_find(watch, address[i], width);
		for (; word < watch->words && watch->address[word] < address[i] + width; word++) {
			if (!number) {
				polls->instructions = (uint16_t)(polls->instructions +
				                                 (polls->instructions == UINT16_MAX ? 2 : 1));
				number = polls->instructions;
			}
			note_lane(polls, number, word);
		}
	}
	return number;
}

/* Takes the chain out of those that have not left; `before` is the one before it, or 0. */
static void chain_leaves(struct polls *polls, uint16_t before, uint16_t index)
{
	uint16_t later = polls->notice[index].later;
	if (before)
		polls->notice[before].later = later;
	else
		polls->first = later;
	if (polls->last == index)
		polls->last = before;
}

uint16_t polls_take(struct polls *polls, uint16_t number, uint64_t line)
{
	uint16_t before = 0;
	for (uint16_t i = polls->first; i; before = i, i = polls->notice[i].later)
		if (polls->notice[i].owner == number && polls->notice[i].line == line) {
			chain_leaves(polls, before, i);
			return i;
		}
	return 0;
}

void polls_settle(struct polls *polls, uint16_t number, cycle_t when)
{
	uint16_t before = 0;
	for (uint16_t i = polls->first, later; i; i = later) {
		later = polls->notice[i].later;
		if (polls->notice[i].owner != number) {
			before = i;
			continue;
		}
		chain_leaves(polls, before, i);
		for (uint16_t k = i, next; k; k = next) {
			next = polls->notice[k].next;
			write_own(polls, polls->notice[k].word, polls->notice[k].lanes, when);
			give_notice_back(polls, k);
		}
	}
}

void polls_performed(struct polls *polls, uint16_t notice, cycle_t when, struct watch *watch)
{
	for (uint16_t next; notice; notice = next) {
		next = polls->notice[notice].next;
		watch_add(watch, polls->notice[notice].word, when, polls->notice[notice].lanes);
		give_notice_back(polls, notice);
	}
}

void polls_tell_own(struct polls *polls, struct watch *watch)
{
	for (uint32_t i = 0; i < polls->own_count; i++)
		watch_add(watch, polls->own[i].word, polls->own[i].when, polls->own[i].lanes);
	polls->own_count = 0;
}

/* By the first lane: what others do is the same, or not waited for by the warp itself. */
static uint64_t first_line(const struct polls *polls, const struct warp_step *step)
{
	uint64_t address[TRACE_MAX_LANES];
	step_addresses(step, address);
	return (address[0] & ((UINT64_C(1) << POLL_NEEDED_SHIFT) - 1)) >> polls->line_shift;
}

void polls_own(struct polls *polls, uint32_t slot, const struct warp_step *step, cycle_t now)
{
	const struct machine *m = polls->crossbar->machine;
	uint64_t line = first_line(polls, step);
	if (map_home(&polls->crossbar->map, line) == polls->crossbar->sm_partition[polls->sm])
		return;
	polls->poll[slot].own_line = line;
	polls->poll[slot].own_back = now + m->icnt_request_cycles + m->l2_latency_cycles +
	                             m->icnt_reply_cycles + 2 * m->l2_partition_cycles;
}

bool polls_follow_own(struct polls *polls, uint32_t slot, const struct warp_step *step, cycle_t now)
{
	struct poll *poll = &polls->poll[slot];
	poll->own = poll->own_back && poll->own_line == first_line(polls, step);
	return poll->own && poll->own_back > now;
}

/* ---- waits --------------------------------------------------------------------------------------------------- */

bool polls_begin(struct polls *polls, uint32_t slot, struct warp_step *step, const struct decoded *insn)
{
	struct poll *poll = &polls->poll[slot];
	poll->read = CYCLE_NEVER;
	if (poll->waits)
		return true;
	poll->again = poll->far = false;
	poll->needed = step_take_needed(step, INSN_POLL);
	poll->waits = poll->needed && polls->watch && insn->op != OP_STORE && insn->op != OP_REDUCE;
	return poll->waits;
}

/* So long ago a slice read the word, or a write had to be performed to be seen there. */
static cycle_t age_of(const struct polls *polls, uint64_t line, bool atomic, bool far)
{
	const struct crossbar *crossbar = polls->crossbar;
	uint32_t near = crossbar->sm_partition[polls->sm], home = map_home(&crossbar->map, line);
	uint32_t slice = map_slice(&crossbar->map, line, atomic ? home : near);
	return crossbar->machine->icnt_reply_cycles + crossbar_path(crossbar, polls->sm, slice) +
	       (far ? crossbar->machine->l2_partition_cycles : 0);
}

void polls_reply(struct polls *polls, uint32_t slot, bool atomic, const struct reply *reply)
{
	struct poll *poll = &polls->poll[slot];
	bool far = map_home(&polls->crossbar->map, reply->line) != polls->crossbar->sm_partition[polls->sm];
	cycle_t age = age_of(polls, reply->line, atomic, far),
	        read = reply->when > age ? reply->when - age : 0;
	poll->far |= far && !atomic;
	if (read < poll->read)
		poll->read = read;
}

bool polls_lack(const struct polls *polls, uint32_t slot, const struct warp_step *step, uint32_t width,
                struct poll_lack *lack)
{
	const struct poll *poll = &polls->poll[slot];
	const struct watch *watch = polls->watch;
	uint64_t address[TRACE_MAX_LANES];
	uint32_t lanes = step_addresses(step, address);
	for (uint32_t i = 0; i < lanes; i++) {
		uint32_t word = watch_find(watch, address[i], width);
		if (word == WATCH_NONE)
			continue;
		uint64_t written = watch_written(watch, word, poll->read);
		uint64_t needed = poll_writes(poll->needed, watch_known(watch, word));
		if (written >= needed)
			continue;
		*lack = (struct poll_lack){watch->address[word], needed, written};
		return true;
	}
	return false;
}

bool polls_judge(struct polls *polls, uint32_t slot, const struct warp_step *step, const struct decoded *insn,
                 cycle_t now, cycle_t *later)
{
	struct poll_lack lack;
	struct poll *poll = &polls->poll[slot];
	uint64_t address[TRACE_MAX_LANES];
	/* Served together with others, it has heard of no reply. */
	if (poll->read == CYCLE_NEVER)
		poll->read = now - polls->crossbar->machine->icnt_reply_cycles;
	bool again = poll->again;
	poll->again = true;
	if (polls_lack(polls, slot, step, insn->width, &lack))
		return false;
	*later = (again || poll->own) && poll->far ? 2 * polls->crossbar->machine->l2_partition_cycles : 0;
	poll->waits = false;
	if (insn->op != OP_ATOMIC)
		return true;
	uint32_t lanes = step_addresses(step, address);
	for (uint32_t i = 0; i < lanes; i++) {
		uint32_t word = watch_find(polls->watch, address[i], insn->width);
		if (word != WATCH_NONE)
			write_own(polls, word, 1, now);
	}
	return true;
}
