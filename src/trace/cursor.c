/*
 * Decoding of warp streams. Instructions inside a run cost a table look-up;
 * run headers and address records are read straight from the encoded bytes.
 * Reads may go a few bytes past the end of a stream (the buffer has slack for
 * it) and are checked afterwards, once per header or record.
 */
#include "trace/cursor.h"

#include "trace/reader.h"

static const uint8_t width_bytes[8] = {0, 1, 2, 4, 8, 0, 0, 0};

/* A signed little-endian number of 0, 1, 2, 4 or 8 bytes. */
static inline int64_t load_signed(const uint8_t *p, unsigned bytes)
{
	if (!bytes)
		return 0;
	unsigned shift = 64 - 8 * bytes;
	return (int64_t)(load_u64(p) << shift) >> shift;
}

static enum cursor_result damaged(const struct trace_reader *reader, const struct warp_cursor *c,
                                  const char *what, struct error *err)
{
	error_set(err, "%s: damaged stream: %s, with %llu instructions of the warp to come",
	          reader->trace->path, what, (unsigned long long)(c->left + c->run_end - c->insn));
	return CURSOR_ERROR;
}

static void read_run_mask(struct warp_cursor *c, unsigned code, const uint8_t **at)
{
	uint64_t mask;
	switch (code) {
	case RUN_MASK_SAME:
		return;
	case RUN_MASK_SWAP:
		mask = c->other_mask;
		break;
	case RUN_MASK_32:
		mask = load_u32(*at);
		*at += 4;
		break;
	default:
		mask = load_u64(*at);
		*at += 8;
	}
	c->other_mask = c->mask;
	c->mask = mask;
}

static uint32_t read_run_length(unsigned code, const uint8_t **at)
{
	if (code < RUN_LENGTH_U8)
		return code + 1;
	uint32_t more = code == RUN_LENGTH_U8 ? **at : load_u16(*at);
	*at += code == RUN_LENGTH_U8 ? 1 : 2;
	return more + 1;
}

enum cursor_result cursor_open_run(struct trace_reader *reader, const struct trace_kernel *kernel,
                                   struct warp_cursor *c, struct error *err)
{
	if (!c->left)
		return CURSOR_END;
	if (c->at == c->end) {
		if (!c->segments_left)
			return damaged(reader, c, "it ends early", err);
		if (!cursor_fetch_segment(reader, c, err))
			return CURSOR_ERROR;
	}
	const uint8_t *at = c->at;
	unsigned control = *at++, delta_bytes = width_bytes[control & 3];
	int64_t first = c->insn + load_signed(at, delta_bytes);
	at += delta_bytes;
	read_run_mask(c, control >> 2 & 3, &at);
	uint32_t length = read_run_length(control >> 4, &at);
	if (at > c->end)
		return damaged(reader, c, "a run header is cut off", err);
	if (first < 0 || first + length > kernel->insn_count)
		return damaged(reader, c, "an instruction index is out of range", err);
	if (length > c->left)
		return damaged(reader, c, "a run is longer than the warp", err);
	if (c->mask & ~lanes_mask(kernel->warp_size))
		return damaged(reader, c, "a mask has more lanes than a warp", err);
	c->at = at;
	c->insn = (uint32_t)first;
	c->run_end = c->insn + length;
	c->left -= length;
	return CURSOR_STEP;
}

static bool list_head_is_valid(const uint8_t *at)
{
	if (at[0] < LIST_PACKED)
		return at[0] <= 3;
	return at[0] - LIST_PACKED <= LIST_MAX_BITS && (at[1] & LIST_SHIFT) < 64;
}

static inline size_t list_bytes(const uint8_t *at, unsigned lanes)
{
	return *at < LIST_PACKED ? 1 + ((size_t)(lanes - 1) << *at)
	                         : packed_list_bytes(lanes, *at - LIST_PACKED);
}

size_t step_list_bytes(const struct warp_step *step)
{
	return list_bytes(step->list, (unsigned)__builtin_popcountll(step->mask));
}

static enum cursor_result read_list(const struct trace_reader *reader, struct warp_cursor *c,
                                    const uint8_t *at, struct warp_step *step, struct error *err)
{
	/* The list's own first byte must be inside before its width can be trusted. */
	if (at >= c->end || !list_head_is_valid(at))
		return damaged(reader, c, "an address list is cut off or malformed", err);
	unsigned lanes = (unsigned)__builtin_popcountll(c->mask);
	size_t bytes = list_bytes(at, lanes);
	if ((size_t)(c->end - at) < bytes)
		return damaged(reader, c, "an address list is cut off", err);
	step->list = at;
	step->kind = ADDR_LIST;
	c->at = at + bytes;
	return CURSOR_STEP;
}

enum cursor_result cursor_read_record(const struct trace_reader *reader, struct warp_cursor *c,
                                      struct warp_step *step, uint32_t slot, struct error *err)
{
	const uint8_t *at = c->at;
	unsigned tag = *at++, bytes = width_bytes[tag & 7];
	uint64_t base = predict_base(c->slot[slot].base, c->last_base) + (uint64_t)load_signed(at, bytes);
	at += bytes;
	step->base = c->slot[slot].base = c->last_base = base;
	unsigned shape = tag >> RECORD_SHAPE_SHIFT & 3;
	if (shape == RECORD_LIST)
		return read_list(reader, c, at, step, err);
	if (shape == RECORD_NEW_STRIDE) {
		bytes = 1u << (tag >> RECORD_STRIDE_SHIFT & 3);
		c->slot[slot].stride = load_signed(at, bytes);
		at += bytes;
	} else if (shape != RECORD_SAME_STRIDE) {
		return damaged(reader, c, "an address record has an unknown shape", err);
	}
	if (at > c->end)
		return damaged(reader, c, "an address record is cut off", err);
	step->stride = c->slot[slot].stride;
	step->kind = ADDR_STRIDE;
	c->at = at;
	return CURSOR_STEP;
}

enum cursor_result cursor_next(struct trace_reader *reader, const struct trace_kernel *kernel,
                               struct warp_cursor *cursor, struct warp_step *step, struct error *err)
{
	enum cursor_result opened =
	    cursor_in_run(cursor) ? CURSOR_STEP : cursor_open_run(reader, kernel, cursor, err);
	if (opened != CURSOR_STEP)
		return opened;
	step->insn = cursor_take(cursor);
	step->mask = cursor->mask;
	step->kind = ADDR_NONE;
	const struct trace_insn *insn = &kernel->insns[step->insn];
	if (insn->flags & INSN_MEMORY && step->mask)
		return cursor_read_record(reader, cursor, step, insn->slot, err);
	return CURSOR_STEP;
}

static unsigned expand_packed(const struct warp_step *step, unsigned lanes, uint64_t *address)
{
	unsigned bits = step->list[0] - LIST_PACKED, shift = step->list[1] & LIST_SHIFT;
	const uint8_t *p = step->list + LIST_PACKED_HEAD_BYTES;
	uint64_t mask = (UINT64_C(1) << bits) - 1,
	         sign = step->list[1] & LIST_SIGNED && bits ? mask / 2 + 1 : 0;
	address[0] = step->base;
	for (unsigned i = 1, at = 0; i < lanes; i++, at += bits) {
		uint64_t offset = load_u64(p + at / 8) >> at % 8 & mask;
		address[i] = step->base + (((offset ^ sign) - sign) << shift);
	}
	return lanes;
}

static unsigned expand_list(const struct warp_step *step, unsigned lanes, uint64_t *address)
{
	if (step->list[0] >= LIST_PACKED)
		return expand_packed(step, lanes, address);
	unsigned bytes = 1u << step->list[0];
	const uint8_t *p = step->list + 1;
	uint64_t at = address[0] = step->base;
	for (unsigned i = 1; i < lanes; i++, p += bytes) {
		switch (bytes) {
		case 1:
			at += (uint64_t)(int8_t)*p;
			break;
		case 2:
			at += (uint64_t)(int16_t)load_u16(p);
			break;
		case 4:
			at += (uint64_t)(int32_t)load_u32(p);
			break;
		default:
			at += load_u64(p);
		}
		address[i] = at;
	}
	return lanes;
}

unsigned step_addresses(const struct warp_step *step, uint64_t address[TRACE_MAX_LANES])
{
	if (step->kind == ADDR_NONE)
		return 0;
	unsigned lanes = (unsigned)__builtin_popcountll(step->mask);
	if (step->kind == ADDR_LIST)
		return expand_list(step, lanes, address);
	uint64_t at = step->base;
	for (unsigned i = 0; i < lanes; i++, at += (uint64_t)step->stride)
		address[i] = at;
	return lanes;
}
