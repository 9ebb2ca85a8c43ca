/*
 * First in, first out: the line that was allocated first is replaced, however
 * often it was used since.
 */
#include "base/bits.h"
#include "policy/lib/frames.h"

struct fifo {
	uint32_t frames;
	uint64_t clock;
	uint64_t state[]; /* per frame its line, then per frame the time it came */
};

static uint32_t fifo_victim(void *sm, const struct l1_request *request, const struct frame_view *ways,
                            uint32_t count)
{
	const struct fifo *fifo = sm;
	if (request->aux || frames_free(ways, count) != UINT32_MAX)
		return frames_lru(ways, count);
	const uint64_t *came = &fifo->state[fifo->frames];
	uint32_t first = UINT32_MAX;
	for (uint32_t i = 0; i < count; i++)
		if (!ways[i].reserved &&
		    (first == UINT32_MAX || came[ways[i].frame] < came[ways[first].frame]))
			first = i;
	return first;
}

static void fifo_enter(void *sm, const struct l1_event *event)
{
	struct fifo *fifo = sm;
	if (frames_enter(fifo->state, event))
		fifo->state[fifo->frames + event->frame] = ++fifo->clock;
}

static size_t fifo_sm_bytes(const struct policy_env *env)
{
	return sizeof(struct fifo) + 2 * (size_t)env->l1_sets * env->l1_ways * sizeof(uint64_t);
}

static void fifo_sm_init(void *sm, const struct policy_env *env)
{
	struct fifo *fifo = sm;
	fifo->frames = env->l1_sets * env->l1_ways;
	fifo->clock = 0;
	frames_clear(fifo->state, fifo->frames);
}

/* The next way to go, per set. */
static uint64_t fifo_sm_bits(const struct policy_env *env)
{
	return (uint64_t)env->l1_sets * bits_log2_up(env->l1_ways);
}

const struct policy policy_fifo = {
    .abi = POLICY_ABI,
    .name = "fifo",
    .title = "the line of the set that came first is replaced",
    .citation = "textbook",
    .sm_bits = fifo_sm_bits,
    .sm_bytes = fifo_sm_bytes,
    .sm_init = fifo_sm_init,
    .l1_victim = fifo_victim,
    .on_l1_miss = fifo_enter,
    .on_l1_fill = fifo_enter,
};
