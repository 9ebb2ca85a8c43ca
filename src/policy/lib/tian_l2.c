#include "policy/lib/tian_l2.h"

/* A line that is on its way to a slice; the paper's L2 has its frame, with the bit, from the miss on. */
struct coming {
	uint64_t line;
	bool bypassed;
};

enum { COMING = 64 }; /* per slice; of more, the oldest is forgotten */

struct slice_state {
	struct coming coming[COMING];
	uint32_t count; /* of all that ever came; the last COMING are kept */
};

struct tian_l2 {
	uint32_t frames; /* of a slice */
	uint32_t slices;
	uint8_t *bypassed; /* behind the slices' states */
	struct slice_state slice[];
};

uint64_t tian_l2_bits(const struct policy_env *env)
{
	return (uint64_t)env->l2_slices * env->l2_sets * env->l2_ways;
}

size_t tian_l2_bytes(const struct policy_env *env)
{
	return sizeof(struct tian_l2) + env->l2_slices * sizeof(struct slice_state) + tian_l2_bits(env);
}

void tian_l2_init(void *block, const struct policy_env *env)
{
	struct tian_l2 *l2 = block;
	l2->frames = env->l2_sets * env->l2_ways;
	l2->slices = env->l2_slices;
	l2->bypassed = (uint8_t *)&l2->slice[env->l2_slices];
	for (uint32_t s = 0; s < l2->slices; s++)
		for (uint32_t i = 0; i < COMING; i++)
			l2->slice[s].coming[i].line = UINT64_MAX;
}

static uint8_t *bit_of(struct tian_l2 *l2, const struct l2_request *request)
{
	return &l2->bypassed[(size_t)request->slice * l2->frames + request->frame];
}

/* The state of the line that is on its way; a new one has seen no bypass. */
static struct coming *coming_of(struct tian_l2 *l2, const struct l2_request *request)
{
	struct slice_state *slice = &l2->slice[request->slice];
	for (uint32_t i = 0; i < COMING; i++)
		if (slice->coming[i].line == request->line)
			return &slice->coming[i];
	struct coming *coming = &slice->coming[slice->count++ % COMING];
	*coming = (struct coming){request->line, false};
	return coming;
}

uint8_t tian_l2_reply(void *block, const struct l2_request *request)
{
	if (!(request->feedback & ASK_LOAD))
		return 0;
	bool bypass = request->feedback & ASK_BYPASS, seen;
	struct coming *coming = request->frame == UINT32_MAX ? coming_of(block, request) : NULL;
	if (coming) {
		seen = coming->bypassed;
		coming->bypassed = !seen && bypass;
	} else {
		uint8_t *bit = bit_of(block, request);
		seen = *bit;
		*bit = !seen && bypass;
	}
	return (uint8_t)((seen ? SAY_SEEN : 0) | (bypass ? SAY_BYPASS : 0));
}

void tian_l2_fill(void *block, const struct l2_request *request)
{
	struct coming *coming = coming_of(block, request);
	*bit_of(block, request) = coming->bypassed;
	coming->line = UINT64_MAX;
}
