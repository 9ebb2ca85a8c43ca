/*
 * ship: signature-based hit prediction at L2. Lines that an instruction brought and that left without a use teach that the
 * next ones of that instruction will not be used either; those are inserted to go first.
 *
 * C.-J. Wu et al., SHiP: Signature-based Hit Predictor for High Performance Caching, MICRO 2011, section 3 (SHiP-PC): a table
 * of 16 K counters of three bits, found by 14 bits of the PC. Each slice has a table of its own, which outlives a launch.
 * Stores train and are predicted like loads. Write-backs from L1, whose PC is not known, share signature 0.
 */
#include <string.h>

#include "policy/define.h"
#include "policy/lib/l2_rrip.h"
#include "policy/lib/saturating.h"

struct ship_params {
	uint32_t signature_bits, counter_bits;
};

POLICY_GIVEN(struct ship_params)

static const struct policy_param params[] = {
    PARAM_U32(struct ship_params, signature_bits, 14, 1, 16, "", "of the PC's signature"),
    PARAM_U32(struct ship_params, counter_bits, 3, 1, 8, "", "of a counter of the table"),
};

struct ship_line {
	uint16_t signature;
	bool outcome; /* used since it came */
};

struct ship {
	struct l2_rrip rrip;
	uint32_t entries; /* of a slice's table */
	uint8_t most;
	struct ship_line *line; /* per slice and frame */
	uint8_t *counter;       /* per slice and signature */
};

static uint8_t *counter_of(const struct ship *s, uint32_t slice, uint32_t signature)
{
	return &s->counter[(size_t)slice * s->entries + signature];
}

static struct ship_line *line_of(const struct ship *s, const struct l2_request *request)
{
	return &s->line[(size_t)request->slice * s->rrip.frames + request->frame];
}

static uint32_t ship_victim(void *gpu, const struct l2_request *request, const struct l2_frame *ways,
                            uint32_t count, uint32_t choice)
{
	const struct ship *s = gpu;
	(void)choice;
	return l2_rrip_victim(&s->rrip, request->slice, ways, count);
}

static void ship_on_access(void *gpu, const struct l2_request *request)
{
	const struct ship *s = gpu;
	if (request->frame == UINT32_MAX)
		return;
	struct ship_line *line = line_of(s, request);
	uint8_t *counter = counter_of(s, request->slice, line->signature);
	line->outcome = true;
	*counter = saturating_up(*counter, s->most);
	*l2_rrip_at(&s->rrip, request->slice, request->frame) = 0;
}

static void ship_on_evict(void *gpu, const struct l2_request *request)
{
	const struct ship *s = gpu;
	const struct ship_line *line = line_of(s, request);
	uint8_t *counter = counter_of(s, request->slice, line->signature);
	if (!line->outcome)
		*counter = saturating_down(*counter);
}

static void ship_on_fill(void *gpu, const struct l2_request *request)
{
	const struct ship *s = gpu;
	uint32_t hash = (request->pc >> 4) * 0x9e3779b1u;
	uint32_t signature = request->pc ? (hash >> 16) % s->entries : 0;
	*line_of(s, request) = (struct ship_line){.signature = (uint16_t)signature};
	bool unused = !*counter_of(s, request->slice, signature);
	*l2_rrip_at(&s->rrip, request->slice, request->frame) = unused ? L2_RRIP_DISTANT : L2_RRIP_LONG;
}

static size_t ship_bytes(const struct policy_env *env)
{
	return sizeof(struct ship) + l2_rrip_frames(env) * (sizeof(struct ship_line) + 1) +
	       ((size_t)env->l2_slices << given(env)->signature_bits);
}

static void ship_init(void *gpu, const struct policy_env *env)
{
	struct ship *s = gpu;
	size_t frames = l2_rrip_frames(env);
	s->entries = 1u << given(env)->signature_bits;
	s->most = (uint8_t)((1u << given(env)->counter_bits) - 1);
	s->line = (struct ship_line *)(s + 1);
	s->rrip = (struct l2_rrip){env->l2_sets * env->l2_ways, env->l2_ways, (uint8_t *)(s->line + frames)};
	s->counter = s->rrip.value + frames;
	memset(s->rrip.value, L2_RRIP_DISTANT, frames);
	memset(s->counter, 1, (size_t)env->l2_slices * s->entries);
	/* Lines of other programs, which no fill has told of, teach nothing. */
	for (size_t i = 0; i < frames; i++)
		s->line[i].outcome = true;
}

static uint64_t ship_bits(const struct policy_env *env)
{
	return (uint64_t)l2_rrip_frames(env) * (2 + given(env)->signature_bits + 1) +
	       ((uint64_t)env->l2_slices * given(env)->counter_bits << given(env)->signature_bits);
}

const struct policy policy_ship = {
    .abi = POLICY_ABI,
    .name = "ship",
    .title = "L2 replaces lines of instructions first whose lines were not used before",
    .citation =
        "C.-J. Wu et al.: SHiP: Signature-based Hit Predictor for High Performance Caching, MICRO 2011",
    POLICY_PARAMS(params, struct ship_params),
    .gpu_bits = ship_bits,
    .gpu_bytes = ship_bytes,
    .gpu_init = ship_init,
    .l2_origin = true,
    .l2_victim = ship_victim,
    .on_l2_access = ship_on_access,
    .on_l2_evict = ship_on_evict,
    .on_l2_fill = ship_on_fill,
};
