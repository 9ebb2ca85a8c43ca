/*
 * Counts loads that bypass L1, and those of them that should not have.
 *
 * Every load request that leaves for L2 is announced by the question for bits that it carries (l1_feedback;
 * the answer is none); a miss is told right behind it, and what is not followed by one was a bypass. So is a
 * miss whose line is to be taken when the data come, and then is not: its reply is not followed by a fill.
 * The shadow is a cache of L1's sets and ways that takes a line for both and replaces in order of arrival.
 * Hits in L1 are not watched, so they do not refresh it.
 */
#include "policy/look/bypass.h"

#include <string.h>

static size_t bypass_bytes(const struct policy_env *env)
{
	return sizeof(struct look_bypass) +
	       (size_t)env->l1_sets * env->l1_ways * sizeof(struct bypass_frame) +
	       env->l1_mshrs * sizeof(struct bypass_wait) + env->l1_sets * sizeof(uint32_t);
}

static void bypass_init(void *sm, const struct policy_env *env)
{
	struct look_bypass *b = sm;
	/* The shadow stays empty while nothing goes past L1. */
	memset(b, 0, b->bypasses ? bypass_bytes(env) : sizeof *b);
	b->sets = env->l1_sets;
	b->ways = env->l1_ways;
	b->waiting = (struct bypass_wait *)&b->frame[(size_t)b->sets * b->ways];
	b->waiting_most = env->l1_mshrs;
	b->turn = (uint32_t *)&b->waiting[b->waiting_most];
}

static struct bypass_frame *find(struct look_bypass *b, uint32_t set, uint64_t key)
{
	struct bypass_frame *frame = &b->frame[(size_t)set * b->ways];
	for (uint32_t i = 0; i < b->ways; i++)
		if (frame[i].line == key)
			return &frame[i];
	return NULL;
}

static struct bypass_frame *replace(struct look_bypass *b, uint32_t set, uint64_t key)
{
	struct bypass_frame *frame = &b->frame[(size_t)set * b->ways + b->turn[set]];
	b->turn[set] = (b->turn[set] + 1) % b->ways;
	frame->line = key;
	return frame;
}

/* A request has been found to be a miss or a bypass. */
static void enter(struct look_bypass *b, uint32_t set, uint64_t key, bool bypassed)
{
	/* Until something goes past L1, the shadow is not needed. */
	if (!bypassed && !b->bypasses)
		return;
	struct bypass_frame *frame = find(b, set, key);
	if (frame)
		b->regretted += frame->bypassed;
	else
		frame = replace(b, set, key);
	frame->bypassed = bypassed;
}

static void settle_request(struct look_bypass *b)
{
	if (!b->asked)
		return;
	b->bypasses++;
	enter(b, b->asked_set, b->asked, true);
	b->asked = 0;
}

static void settle_reply(struct look_bypass *b)
{
	if (!b->replied)
		return;
	b->bypasses++;
	b->late++;
	b->misses--;
	enter(b, b->replied_set, b->replied, true);
	b->replied = 0;
}

void look_bypass_close(struct look_bypass *b)
{
	settle_request(b);
	settle_reply(b);
}

static uint8_t bypass_feedback(void *sm, const struct l1_request *request)
{
	struct look_bypass *b = sm;
	settle_request(b);
	if (!request->is_store && !request->is_atomic && !request->aux) {
		b->asked = request->line + 1;
		b->asked_set = request->set;
	}
	return 0;
}

static void bypass_miss(void *sm, const struct l1_event *event)
{
	struct look_bypass *b = sm;
	if (b->asked != event->line + 1)
		return;
	bool is_late = event->frame == UINT32_MAX && b->waiting_count < b->waiting_most;
	b->asked = 0;
	if (event->aux)
		return;
	b->misses++;
	if (is_late)
		b->waiting[b->waiting_count++] = (struct bypass_wait){event->line + 1, b->asked_set};
	else
		enter(b, b->asked_set, event->line + 1, false);
}

static void bypass_reply(void *sm, const struct l1_event *event)
{
	struct look_bypass *b = sm;
	settle_reply(b);
	for (uint32_t i = 0; i < b->waiting_count; i++) {
		if (b->waiting[i].line != event->line + 1)
			continue;
		b->replied = b->waiting[i].line;
		b->replied_set = b->waiting[i].set;
		b->waiting[i] = b->waiting[--b->waiting_count];
		return;
	}
}

static void bypass_fill(void *sm, const struct l1_event *event)
{
	struct look_bypass *b = sm;
	if (event->aux || b->replied != event->line + 1)
		return;
	enter(b, b->replied_set, b->replied, false);
	b->replied = 0;
}

const struct policy look_bypass = {
    .abi = POLICY_ABI,
    .name = "look-bypass",
    .title = "observer: requests past L1, and those that came back too soon",
    .sm_bytes = bypass_bytes,
    .sm_init = bypass_init,
    .l1_feedback = bypass_feedback,
    .on_l1_miss = bypass_miss,
    .on_reply = bypass_reply,
    .on_l1_fill = bypass_fill,
};
