#include "trace/encode.h"

void encode_start_warp(struct warp_encoder *e, uint32_t warp_size)
{
	e->mask = lanes_mask(warp_size);
	e->other_mask = 0;
	e->run_mask = 0;
	e->next_insn = e->run_first = e->run_length = e->record_bytes = 0;
	e->last_base = 0;
	memset(e->base, 0, sizeof e->base);
	memset(e->stride, 0, sizeof e->stride);
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

static int64_t move_base(struct warp_encoder *e, unsigned slot, uint64_t base)
{
	uint64_t delta = base - predict_base(e->base[slot], e->last_base);
	e->base[slot] = e->last_base = base;
	return (int64_t)delta;
}

void encode_stride(struct warp_encoder *e, uint32_t insn, unsigned lanes, uint64_t base, int64_t stride)
{
	unsigned slot = insn % CURSOR_SLOTS;
	int64_t delta = move_base(e, slot, base);
	unsigned code = width_code(delta);
	uint8_t *p = e->records + e->record_bytes;
	/* The stride of a single lane means nothing: let it not disturb the table. */
	if (lanes < 2 || stride == e->stride[slot]) {
		*p++ = (uint8_t)code;
		p = put_signed(p, delta, code);
	} else {
		unsigned width = width_code(stride);
		width = width ? width : 1;
		*p++ = (uint8_t)(code | RECORD_NEW_STRIDE << RECORD_SHAPE_SHIFT |
		                 (width - 1) << RECORD_STRIDE_SHIFT);
		p = put_signed(p, delta, code);
		p = put_signed(p, stride, width);
		e->stride[slot] = stride;
	}
	e->record_bytes = (uint32_t)(p - e->records);
}

static void encode_list(struct warp_encoder *e, uint32_t insn, unsigned lanes, const uint64_t *address)
{
	int64_t delta = move_base(e, insn % CURSOR_SLOTS, address[0]);
	unsigned code = width_code(delta), width = 1;
	for (unsigned i = 1; i < lanes; i++) {
		unsigned need = width_code((int64_t)(address[i] - address[i - 1]));
		width = need > width ? need : width;
	}
	uint8_t *p = e->records + e->record_bytes;
	*p++ = (uint8_t)(code | RECORD_LIST << RECORD_SHAPE_SHIFT);
	p = put_signed(p, delta, code);
	*p++ = (uint8_t)(width - 1);
	for (unsigned i = 1; i < lanes; i++)
		p = put_signed(p, (int64_t)(address[i] - address[i - 1]), width);
	e->record_bytes = (uint32_t)(p - e->records);
}

void encode_addresses(struct warp_encoder *e, uint32_t insn, unsigned lanes, const uint64_t *address)
{
	uint64_t stride = lanes > 1 ? address[1] - address[0] : 0;
	for (unsigned i = 2; i < lanes; i++)
		if (address[i] - address[i - 1] != stride) {
			encode_list(e, insn, lanes, address);
			return;
		}
	encode_stride(e, insn, lanes, address[0], (int64_t)stride);
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
	memcpy(p, e->records, e->record_bytes);
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
