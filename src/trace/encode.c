#include "trace/encode.h"

#include "base/bits.h"

void encode_start_warp(struct warp_encoder *e, uint32_t warp_size)
{
	e->mask = lanes_mask(warp_size);
	e->other_mask = 0;
	e->run_mask = 0;
	e->next_insn = e->run_first = e->run_length = e->record_bytes = 0;
	e->last_base = 0;
	memset(e->slots, 0, sizeof e->slots);
}

/* Smallest code whose width holds v: 0, 1, 2, 3, 4 mean 0, 1, 2, 4, 8 bytes. */
static unsigned width_code(int64_t v)
{
	if (v == 0)
		return 0;
	if (v == (int8_t)v)
		return 1;
	if (v == (int16_t)v)
		return 2;
	if (v == (int32_t)v)
		return 3;
	return 4;
}

static uint8_t *put_signed(uint8_t *p, int64_t v, unsigned code)
{
	switch (code) {
	case 0:
		return p;
	case 1:
		*p = (uint8_t)v;
		return p + 1;
	case 2:
		store_u16(p, (uint16_t)v);
		return p + 2;
	case 3:
		store_u32(p, (uint32_t)v);
		return p + 4;
	default:
		store_u64(p, (uint64_t)v);
		return p + 8;
	}
}

static int64_t move_base(struct warp_encoder *e, uint32_t slot, uint64_t base)
{
	uint64_t delta = base - predict_base(e->slots[slot].base, e->last_base);
	e->slots[slot].base = e->last_base = base;
	return (int64_t)delta;
}

void encode_stride(struct warp_encoder *e, uint32_t slot, unsigned lanes, uint64_t base, int64_t stride)
{
	int64_t delta = move_base(e, slot, base);
	unsigned code = width_code(delta);
	uint8_t *p = e->records + e->record_bytes;
	/* A single lane has no stride: keep the table's. */
	if (lanes < 2 || stride == e->slots[slot].stride) {
		*p++ = (uint8_t)code;
		p = put_signed(p, delta, code);
	} else {
		unsigned width = width_code(stride);
		width = width ? width : 1;
		*p++ = (uint8_t)(code | RECORD_NEW_STRIDE << RECORD_SHAPE_SHIFT |
		                 (width - 1) << RECORD_STRIDE_SHIFT);
		p = put_signed(p, delta, code);
		p = put_signed(p, stride, width);
		e->slots[slot].stride = stride;
	}
	e->record_bytes = (uint32_t)(p - e->records);
}

/* ---- lists ------------------------------------------------------------------------------------------
 *
 * Loops over lanes have no early exit, so that compilers vectorize them; all are
 * inlined into two builds, one for hosts with wider vectors.
 */
#define INLINE static inline __attribute__((always_inline))

/* Whether neighbours are all the same distance apart. */
INLINE bool is_strided(unsigned lanes, const uint64_t *address)
{
	uint64_t uneven = 0, stride = address[1] - address[0];
	if (address[lanes - 1] - address[0] != stride * (lanes - 1))
		return false; /* most others fail here */
	for (unsigned i = 1; i < lanes; i++)
		uneven |= (address[i] - address[i - 1]) ^ stride;
	return !uneven;
}

struct lane_offsets {
	uint64_t offset[TRACE_MAX_LANES]; /* from the first lane */
	uint64_t differ;                  /* bits that some offset has */
};

INLINE void find_offsets(struct lane_offsets *o, unsigned lanes, const uint64_t *address)
{
	uint64_t differ = 0, first = address[0];
	for (unsigned i = 0; i < lanes; i++) {
		uint64_t offset = address[i] - first;
		o->offset[i] = offset;
		differ |= offset;
	}
	o->differ = differ;
}

/* Bits that some offset needs, its sign not counted. */
INLINE uint64_t find_reach(const struct lane_offsets *o, unsigned lanes)
{
	uint64_t reach = 0;
	for (unsigned i = 0; i < lanes; i++)
		reach |= o->offset[i] ^ -(o->offset[i] >> 63);
	return reach;
}

INLINE unsigned bits_of(uint64_t x)
{
	return x ? 64 - (unsigned)__builtin_clzll(x) : 0;
}

/* Joins neighbours until words are full: `count` values of `bits` bits become fewer and wider ones. */
INLINE unsigned join_values(uint64_t *value, unsigned count, unsigned *bits)
{
	while (2 * *bits <= 64 && count > 1) {
		unsigned pairs = count / 2;
		for (unsigned i = 0; i < pairs; i++)
			value[i] = value[2 * i] | value[2 * i + 1] << *bits;
		if (count % 2)
			value[pairs] = value[count - 1];
		count = pairs + count % 2;
		*bits *= 2;
	}
	return count;
}

/* Put values of `bits` bits without gaps; may write up to 8 bytes more. */
INLINE void put_bits(uint8_t *p, const uint64_t *value, unsigned count, unsigned bits)
{
	uint64_t word = 0;
	unsigned filled = 0;
	for (unsigned i = 0; i < count; i++) {
		word |= value[i] << filled;
		filled += bits;
		if (filled < 64)
			continue;
		store_u64(p, word);
		p += 8;
		filled -= 64;
		word = filled ? value[i] >> (bits - filled) : 0;
	}
	store_u64(p, word);
}

INLINE uint32_t put_packed(uint8_t *p, const struct lane_offsets *o, unsigned lanes, unsigned bits,
                           unsigned shift)
{
	uint64_t value[TRACE_MAX_LANES], mask = (UINT64_C(1) << bits) - 1;
	p[0] = (uint8_t)(LIST_PACKED + bits);
	p[1] = (uint8_t)(shift | (o->differ >> 63 ? LIST_SIGNED : 0));
	for (unsigned i = 1; i < lanes; i++)
		value[i - 1] = o->offset[i] >> shift & mask;
	unsigned width = bits, count = join_values(value, lanes - 1, &width);
	put_bits(p + LIST_PACKED_HEAD_BYTES, value, count, width);
	return (uint32_t)packed_list_bytes(lanes, bits);
}

INLINE uint32_t put_deltas(uint8_t *p, const struct lane_offsets *o, unsigned lanes, unsigned width)
{
	uint8_t *at = p;
	*at++ = (uint8_t)(width - 1);
	for (unsigned i = 1; i < lanes; i++)
		at = put_signed(at, (int64_t)(o->offset[i] - o->offset[i - 1]), width);
	return (uint32_t)(at - p);
}

/* What holds the widest difference of neighbours, its sign counted: 1, 2, 3, 4 mean 1, 2, 4, 8 bytes. */
INLINE unsigned delta_width(const struct lane_offsets *o, unsigned lanes)
{
	uint64_t reach = 0;
	for (unsigned i = 1; i < lanes; i++) {
		uint64_t delta = o->offset[i] - o->offset[i - 1];
		reach |= delta ^ -(delta >> 63);
	}
	unsigned bits = bits_of(reach) + 1;
	return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 3 : 4;
}

/* The shorter of two forms; at most RECORD_MAX_BYTES less the record's own head. */
INLINE uint32_t put_list(uint8_t *p, const struct lane_offsets *o, unsigned lanes)
{
	unsigned shift = (unsigned)__builtin_ctzll(o->differ);
	unsigned bits = bits_of(find_reach(o, lanes) >> shift) + (o->differ >> 63 ? 1 : 0);
	/* Differences take at least a byte, so this form is the shorter one. */
	if (bits <= 8)
		return put_packed(p, o, lanes, bits, shift);
	unsigned width = delta_width(o, lanes);
	if (bits <= LIST_MAX_BITS && packed_list_bytes(lanes, bits) <= 1 + ((lanes - 1) << (width - 1)))
		return put_packed(p, o, lanes, bits, shift);
	return put_deltas(p, o, lanes, width);
}

/* Put the list at p, from memory if it is known; return its size. */
INLINE uint32_t put_known_list(uint8_t *p, struct list_memory *lists, unsigned lanes,
                               const struct lane_offsets *o)
{
	uint64_t key = bits_spread(o->differ ^ o->offset[1] << 7 ^ o->offset[lanes / 2] << 14 ^
	                           o->offset[lanes - 1] << 21);
	struct known_list *known = &lists->known[key >> (64 - LIST_MEMORY_BITS)];
	bool again = known->key == key;
	if (again && known->lanes == lanes && !memcmp(known->offset, o->offset, lanes * sizeof *o->offset)) {
		memcpy(p, known->list, known->bytes);
		return known->bytes;
	}
	uint32_t bytes = put_list(p, o, lanes);
	known->key = key;
	known->lanes = again ? lanes : 0;
	if (again) {
		known->bytes = bytes;
		memcpy(known->offset, o->offset, lanes * sizeof *o->offset);
		memcpy(known->list, p, bytes);
	}
	return bytes;
}

/* Put what stands before a list; return its end. */
INLINE uint8_t *put_list_head(struct warp_encoder *e, uint32_t slot, uint64_t base)
{
	int64_t delta = move_base(e, slot, base);
	unsigned code = width_code(delta);
	uint8_t *p = e->records + e->record_bytes;
	*p++ = (uint8_t)(code | RECORD_LIST << RECORD_SHAPE_SHIFT);
	return put_signed(p, delta, code);
}

INLINE void encode_list(struct warp_encoder *e, uint32_t slot, unsigned lanes, uint64_t base,
                        const struct lane_offsets *o)
{
	uint8_t *p = put_list_head(e, slot, base);
	p += put_known_list(p, e->lists, lanes, o);
	e->record_bytes = (uint32_t)(p - e->records);
}

INLINE void encode_any(struct warp_encoder *e, uint32_t slot, unsigned lanes, const uint64_t *address)
{
	struct lane_offsets o;
	if (lanes < 2 || is_strided(lanes, address)) {
		encode_stride(e, slot, lanes, address[0], lanes < 2 ? 0 : (int64_t)(address[1] - address[0]));
		return;
	}
	find_offsets(&o, lanes, address);
	encode_list(e, slot, lanes, address[0], &o);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void encode_wide(struct warp_encoder *e, uint32_t slot, unsigned lanes,
                                                        const uint64_t *address)
{
	/* A constant number of lanes makes straight code of the loops. */
	if (lanes == 32)
		encode_any(e, slot, 32, address);
	else
		encode_any(e, slot, lanes, address);
}
#else
#define encode_wide encode_any
#define __builtin_cpu_supports(feature) false
#endif

void encode_addresses(struct warp_encoder *e, uint32_t slot, unsigned lanes, const uint64_t *address)
{
	if (__builtin_cpu_supports("avx2"))
		encode_wide(e, slot, lanes, address);
	else
		encode_any(e, slot, lanes, address);
}

/* ---- halves ----------------------------------------------------------------------------------------- */

/* Return whether both halves have one stride. */
static bool is_one_stride(uint32_t halves, uint64_t gap)
{
	if (!halves_adjacent(halves))
		return gap == 0;
	return halves_adjacent(halves) == 3 && gap == (uint64_t)HALF_LANES * halves_bytes(halves);
}

static struct known_halves *find_halves(struct list_memory *lists, uint32_t halves, uint64_t gap)
{
	return &lists->halves[bits_spread(gap ^ (uint64_t)halves << 48) >> (64 - LIST_MEMORY_BITS)];
}

/* Short ones are copied with a constant size, which is in line; there is room, see ENCODE_RECORDS_BYTES. */
static uint32_t put_halves(uint8_t *p, const struct known_halves *known)
{
	enum { SHORT = 32 };
	if (known->bytes <= SHORT)
		memcpy(p, known->list, SHORT);
	else
		memcpy(p, known->list, known->bytes);
	return known->bytes;
}

static void __attribute__((noinline))
learn_halves(struct known_halves *known, uint32_t halves, const uint64_t *address)
{
	struct lane_offsets o;
	find_offsets(&o, 2 * HALF_LANES, address);
	known->bytes = put_list(known->list, &o, 2 * HALF_LANES);
	known->halves = halves;
	known->gap = address[HALF_LANES] - address[0];
}

void encode_halves(struct warp_encoder *e, uint32_t slot, uint32_t halves, const uint64_t *address)
{
	uint64_t gap = address[HALF_LANES] - address[0];
	if (is_one_stride(halves, gap)) {
		encode_stride(e, slot, 2 * HALF_LANES, address[0],
		              halves_adjacent(halves) ? halves_bytes(halves) : 0);
		return;
	}
	struct known_halves *known = find_halves(e->lists, halves, gap);
	if (known->halves != halves || known->gap != gap)
		learn_halves(known, halves, address);
	uint8_t *p = put_list_head(e, slot, address[0]);
	p += put_halves(p, known);
	e->record_bytes = (uint32_t)(p - e->records);
}

static unsigned choose_mask_code(const struct warp_encoder *e)
{
	if (e->run_mask == e->mask)
		return RUN_MASK_SAME;
	if (e->run_mask == e->other_mask)
		return RUN_MASK_SWAP;
	return e->run_mask <= UINT32_MAX ? RUN_MASK_32 : RUN_MASK_64;
}

size_t encode_end_run(struct warp_encoder *e, uint8_t *out)
{
	if (!e->run_length)
		return 0;
	int64_t delta = (int64_t)e->run_first - e->next_insn;
	unsigned delta_code = width_code(delta), mask_code = choose_mask_code(e);
	uint32_t more = e->run_length - 1;
	unsigned length_code = more < RUN_LENGTH_U8 ? more
	                       : more <= UINT8_MAX  ? RUN_LENGTH_U8
	                                            : RUN_LENGTH_U16;

	uint8_t *p = out;
	*p++ = (uint8_t)(delta_code | mask_code << 2 | length_code << 4);
	p = put_signed(p, delta, delta_code);
	if (mask_code >= RUN_MASK_32)
		p = put_signed(p, (int64_t)e->run_mask, mask_code == RUN_MASK_32 ? 3 : 4);
	if (length_code >= RUN_LENGTH_U8)
		p = put_signed(p, more, length_code == RUN_LENGTH_U8 ? 1 : 2);
	memmove(p, e->records, e->record_bytes);
	p += e->record_bytes;

	if (mask_code != RUN_MASK_SAME) {
		e->other_mask = e->mask;
		e->mask = e->run_mask;
	}
	e->next_insn = e->run_first + e->run_length;
	e->run_length = 0;
	e->record_bytes = 0;
	return (size_t)(p - out);
}
