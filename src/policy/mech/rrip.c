/*
 * SRRIP, static re-reference interval prediction (Jaleel et al. 2010): every
 * line has an M-bit guess of how far off its next use is. A new line is guessed
 * to be used in a long time (2^M - 2), a hit says soon (0); the line whose use
 * is most distant (2^M - 1) goes, and when there is none all age until one is.
 *
 * The ages advance when a line has been evicted, because L1 asks for a victim
 * more than once. Left out: BRRIP and DRRIP.
 */
#include "policy/lib/frames.h"

struct rrip_params {
	uint32_t bits;
	bool frequency;
};

static const struct rrip_params *given(const struct policy_env *env)
{
	return env->params;
}

static const struct policy_param params[] = {
    PARAM_U32(struct rrip_params, bits, 2, 1, 8, "", "of the prediction of a line"),
    PARAM_BOOL(struct rrip_params, frequency, 0, 0, 1, "",
               "a hit makes the prediction one less (FP) instead of 0 (HP)"),
};

struct rrip {
	uint64_t *line_of; /* behind this block */
	uint8_t *value;    /* per frame */
	uint32_t ways;
	uint8_t distant;
	bool frequency;
};

static uint32_t rrip_victim(void *sm, const struct l1_request *request, const struct frame_view *ways,
                            uint32_t count)
{
	const struct rrip *rrip = sm;
	if (request->aux || frames_free(ways, count) != UINT32_MAX)
		return frames_lru(ways, count);
	uint32_t victim = UINT32_MAX;
	for (uint32_t i = 0; i < count; i++)
		if (!ways[i].reserved &&
		    (victim == UINT32_MAX || rrip->value[ways[i].frame] > rrip->value[ways[victim].frame]))
			victim = i;
	return victim;
}

/* As many steps of age as the victim needed to be the most distant. */
static void rrip_on_evict(void *sm, const struct l1_event *event)
{
	struct rrip *rrip = sm;
	if (event->aux)
		return;
	uint8_t *set = &rrip->value[event->frame / rrip->ways * rrip->ways];
	uint32_t steps = rrip->distant - rrip->value[event->frame];
	for (uint32_t i = 0; i < rrip->ways; i++)
		set[i] = (uint8_t)(set[i] + steps < rrip->distant ? set[i] + steps : rrip->distant);
}

static void rrip_on_hit(void *sm, const struct l1_event *event)
{
	struct rrip *rrip = sm;
	if (event->aux)
		return;
	uint8_t *value = &rrip->value[event->frame];
	*value = rrip->frequency && *value ? (uint8_t)(*value - 1) : 0;
}

static void rrip_enter(void *sm, const struct l1_event *event)
{
	struct rrip *rrip = sm;
	if (frames_enter(rrip->line_of, event))
		rrip->value[event->frame] = (uint8_t)(rrip->distant - 1);
}

static size_t rrip_sm_bytes(const struct policy_env *env)
{
	return sizeof(struct rrip) + (size_t)env->l1_sets * env->l1_ways * (sizeof(uint64_t) + 1);
}

static void rrip_sm_init(void *sm, const struct policy_env *env)
{
	struct rrip *rrip = sm;
	uint32_t frames = env->l1_sets * env->l1_ways;
	rrip->ways = env->l1_ways;
	rrip->distant = (uint8_t)((1u << given(env)->bits) - 1);
	rrip->frequency = given(env)->frequency;
	rrip->line_of = (uint64_t *)(rrip + 1);
	rrip->value = (uint8_t *)(rrip->line_of + frames);
	frames_clear(rrip->line_of, frames);
	memset(rrip->value, rrip->distant, frames);
}

static uint64_t rrip_sm_bits(const struct policy_env *env)
{
	return (uint64_t)env->l1_sets * env->l1_ways * given(env)->bits;
}

const struct policy policy_rrip = {
    .abi = POLICY_ABI,
    .name = "rrip",
    .title = "the line whose next use is predicted to be most distant is replaced (SRRIP)",
    .citation =
        "A. Jaleel, K. B. Theobald, S. C. Steely Jr., J. Emer: High Performance Cache Replacement Using "
        "Re-Reference Interval Prediction (RRIP), ISCA 2010",
    POLICY_PARAMS(params, struct rrip_params),
    .sm_bits = rrip_sm_bits,
    .sm_bytes = rrip_sm_bytes,
    .sm_init = rrip_sm_init,
    .l1_victim = rrip_victim,
    .on_l1_hit = rrip_on_hit,
    .on_l1_evict = rrip_on_evict,
    .on_l1_miss = rrip_enter,
    .on_l1_fill = rrip_enter,
};
