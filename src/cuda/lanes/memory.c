/* See memory.h. Four addresses are a vector; hosts without such vectors see them as pairs. */
#include "cuda/lanes/memory.h"

#include <string.h>

#include "cuda/lanes/loop.h"

typedef uint64_t v4 __attribute__((vector_size(32)));
typedef uint32_t v4word __attribute__((vector_size(16)));
typedef uint32_t v8word __attribute__((vector_size(32)));
typedef uint16_t v8half __attribute__((vector_size(16)));

LANE_INLINE bool any_bit(const v4 *v)
{
	return ((*v)[0] | (*v)[1] | (*v)[2] | (*v)[3]) != 0;
}

/* ---- addresses ------------------------------------------------------------------------------------------ */

LANE_INLINE v4 take_four(const void *reg, unsigned register_bytes, unsigned lane)
{
	v4 wide;
	v4word words;
	if (register_bytes == 8) {
		memcpy(&wide, (const uint8_t *)reg + (size_t)8 * lane, sizeof wide);
		return wide;
	}
	memcpy(&words, (const uint8_t *)reg + (size_t)4 * lane, sizeof words);
	return __builtin_convertvector(words, v4);
}

/* Of addresses, and of their distances from the ends of the range: sign bits and those below the alignment. */
LANE_INLINE bool is_inside(const v4 *bits, const v4 *distances, unsigned bytes)
{
	v4 bad = (*distances & UINT64_C(1) << 63) | (*bits & (uint64_t)(bytes - 1));
	return !any_bit(&bad);
}

/* All lanes access. */
LANE_INLINE struct lane_spread addresses_of_all(uint64_t *address, const void *reg,
                                                const struct lane_access *a, unsigned register_bytes)
{
	struct lane_spread spread = {0};
	v4 bits = {0}, distances = {0};
	uint64_t offset = a->offset, first = a->first, span = a->span;
	for (unsigned group = 0; group < a->lanes / LANE_GROUP; group++) {
		unsigned lane = group * LANE_GROUP;
		v4 head = take_four(reg, register_bytes, lane) + offset;
		uint64_t step = head[1] - head[0];
		v4 expected = {head[0], head[0] + step, head[0] + 2 * step, head[0] + 3 * step}, off = {0};
		for (unsigned i = 0; i < LANE_GROUP; i += 4, expected += 4 * step) {
			v4 at = take_four(reg, register_bytes, lane + i) + offset, from = at - first;
			memcpy(address + lane + i, &at, sizeof at);
			bits |= at;
			distances |= from | (span - from);
			off |= at ^ expected;
		}
		bool is_even = !any_bit(&off);
		spread.adjacent |= (uint8_t)((is_even && step == a->bytes) << group);
		spread.same |= (uint8_t)((is_even && step == 0) << group);
	}
	spread.is_inside = is_inside(&bits, &distances, a->bytes);
	return spread;
}

/* Some do; what the others hold does not matter. */
LANE_INLINE struct lane_spread addresses_of_some(uint64_t *address, const void *reg,
                                                 const struct lane_access *a, unsigned register_bytes)
{
	const v4 lanes = {1, 2, 4, 8};
	v4 bits = {0}, distances = {0}, mask = {a->mask, a->mask, a->mask, a->mask};
	uint64_t offset = a->offset, first = a->first, span = a->span;
	for (unsigned lane = 0; lane < a->lanes; lane += 4, mask >>= 4) {
		v4 at = take_four(reg, register_bytes, lane) + offset, active = (v4)((mask & lanes) == lanes);
		v4 from = (at - first) & active;
		memcpy(address + lane, &at, sizeof at);
		bits |= at & active;
		distances |= from | (span - from);
	}
	return (struct lane_spread){.is_inside = is_inside(&bits, &distances, a->bytes)};
}

LANE_INLINE struct lane_spread addresses_body(uint64_t *address, const void *reg, const struct lane_access *a)
{
	if (a->mask == (a->lanes == 64 ? ~UINT64_C(0) : (UINT64_C(1) << a->lanes) - 1))
		return a->register_bytes == 8 ? addresses_of_all(address, reg, a, 8)
		                              : addresses_of_all(address, reg, a, 4);
	return a->register_bytes == 8 ? addresses_of_some(address, reg, a, 8)
	                              : addresses_of_some(address, reg, a, 4);
}

/* ---- blends --------------------------------------------------------------------------------------------- */

/* One vector: `wanted` is all ones where the new elements count. */
#define BLEND(vector, dst, src, wanted)                                                                      \
	{                                                                                                    \
		vector new, old;                                                                             \
		memcpy(&new, src, sizeof new);                                                               \
		memcpy(&old, dst, sizeof old);                                                               \
		new = (new &(vector)(wanted)) | (old & ~(vector)(wanted));                                   \
		memcpy(dst, &new, sizeof new);                                                               \
	}

LANE_INLINE void blend_words(uint8_t *dst, const uint8_t *src, uint64_t mask, unsigned lanes)
{
	const v8word bit = {1, 2, 4, 8, 16, 32, 64, 128};
	for (unsigned half = 0; half < lanes; half += 32, dst += 128, src += 128) {
		uint32_t part = (uint32_t)(mask >> half);
		v8word bits = {part, part, part, part, part, part, part, part};
		for (unsigned i = 0; i < 128; i += 32, bits >>= 8)
			BLEND(v8word, dst + i, src + i, (bits & bit) == bit)
	}
}

LANE_INLINE void blend_longs(uint8_t *dst, const uint8_t *src, uint64_t mask, unsigned lanes)
{
	const v4 bit = {1, 2, 4, 8};
	v4 bits = {mask, mask, mask, mask};
	for (unsigned i = 0; i < 8 * lanes; i += 32, bits >>= 4)
		BLEND(v4, dst + i, src + i, (bits & bit) == bit)
}

LANE_INLINE void blend_halves(uint8_t *dst, const uint8_t *src, uint64_t mask, unsigned lanes)
{
	const v8half bit = {1, 2, 4, 8, 16, 32, 64, 128};
	for (unsigned i = 0; i < lanes; i += 8) {
		uint16_t part = (uint16_t)(mask >> i & 255);
		v8half bits = {part, part, part, part, part, part, part, part};
		BLEND(v8half, dst + (size_t)2 * i, src + (size_t)2 * i, (bits & bit) == bit)
	}
}

LANE_INLINE void blend_body(void *dst, const void *src, unsigned bytes, uint64_t mask, unsigned lanes)
{
	if (bytes == 4)
		blend_words(dst, src, mask, lanes);
	else if (bytes == 8)
		blend_longs(dst, src, mask, lanes);
	else
		blend_halves(dst, src, mask, lanes);
}

/* ---- two builds ----------------------------------------------------------------------------------------- */

static struct lane_spread addresses_base(uint64_t *address, const void *reg, const struct lane_access *a)
{
	return addresses_body(address, reg, a);
}

LANE_WIDE static struct lane_spread addresses_wide(uint64_t *address, const void *reg,
                                                   const struct lane_access *a)
{
	return addresses_body(address, reg, a);
}

static void blend_base(void *dst, const void *src, unsigned bytes, uint64_t mask, unsigned lanes)
{
	blend_body(dst, src, bytes, mask, lanes);
}

LANE_WIDE static void blend_wide(void *dst, const void *src, unsigned bytes, uint64_t mask, unsigned lanes)
{
	blend_body(dst, src, bytes, mask, lanes);
}

const struct lane_memory *lane_memory(void)
{
	static const struct lane_memory base = {addresses_base, blend_base},
	                                wide = {addresses_wide, blend_wide};
	return lane_host_is_wide() ? &wide : &base;
}
