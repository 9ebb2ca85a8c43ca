/*
 * Surfaces: reads and writes of raw elements of an array (suld.b, sust.b). The
 * first coordinate counts bytes, the others rows, slices or layers. What lies
 * outside faults (.trap), goes to the nearest element (.clamp), or is 0 and
 * written nowhere (.zero).
 */
#include "cuda/executor/exec_access.h"
#include "cuda/executor/exec_decode.h"
#include "cuda/executor/exec_handlers.h"
#include "cuda/executor/exec_mask.h"

enum { SURFACE_VALUES = 4, SURFACE_PLACES = 12 };

/* Places: values, coordinates, and what the values' registers have in bytes. */
bool decode_surface(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	const struct ptx_operand *r = ptx_results(d->ptx, insn), *o = ptx_sources(d->ptx, insn);
	bool is_load = insn->op == PTX_suld;
	unsigned values = insn->vector ? insn->vector : 1, bytes = 8;
	unsigned coordinates = insn->source_count - 1u - (is_load ? 0 : values);
	struct ptx_operand handle = o[0];
	uint32_t places[SURFACE_PLACES] = {0};
	if (coordinates > 4 || values > SURFACE_VALUES)
		return decode_unsupported(d, insn, "surfaces have up to four coordinates and one handle");
	if (handle.kind == PTX_ADDRESS)
		handle.kind = handle.base == PTX_BASE_REG ? PTX_REG : PTX_SYMBOL;
	if (!decode_source(d, insn, &handle, &bytes, &op->a))
		return false;
	for (unsigned i = 0; i < values; i++) {
		const struct ptx_operand *value = is_load ? &r[i] : &o[1 + coordinates + i];
		bytes = ptx_type_bytes(insn->type) < 2 ? 2 : ptx_type_bytes(insn->type);
		if (is_load && value->kind == PTX_SINK)
			places[i] = PTX_NONE;
		else if (is_load)
			places[i] = decode_result(d, value, &bytes);
		else if (!decode_source(d, insn, value, &bytes, &places[i]))
			return false;
		places[8 + i] = bytes;
	}
	for (unsigned i = 0; i < coordinates; i++) {
		bytes = 4;
		if (!decode_source(d, insn, &o[1 + i], &bytes, &places[SURFACE_VALUES + i]))
			return false;
	}
	op->more = decode_list(d, places, SURFACE_PLACES);
	op->mode = insn->mode;
	op->plain = CODE_MEMORY;
	op->handler = handle_surface;
	return true;
}

/* ---- running -------------------------------------------------------------------------------------------- */

static const struct texture *bound_surface(struct run *run, const struct warp *w, const struct code *op,
                                           unsigned lane)
{
	struct memory_range range;
	uint64_t handle = lane_get(place(w, op->a), 8, lane);
	const struct texture *s = exec_texture(run->exec, handle);
	if (s && s->address && device_memory_find(run->memory, s->address, &range))
		return s;
	fault_at(run, w, op, UINT64_C(1) << lane, EXEC_ILLEGAL_ADDRESS, "0x%llx is no handle of a surface",
	         (unsigned long long)handle);
	return NULL;
}

/* The element's coordinates, axis by axis: bytes, rows, slices; a layer is the last one. */
static void read_coordinates(const struct run *run, const struct warp *w, const struct code *op,
                             unsigned lane, int64_t at[3])
{
	const uint32_t *places = run->kernel->lists + op->more + SURFACE_VALUES;
	unsigned axes = op->mode == PTX_MODE_d1                               ? 1
	                : op->mode == PTX_MODE_d2 || op->mode == PTX_MODE_a1d ? 2
	                                                                      : 3;
	int64_t c[3] = {0};
	for (unsigned i = 0; i < axes; i++)
		c[i] = (int32_t)lane_get(place(w, places[i]), 4, lane);
	bool is_layered = op->mode == PTX_MODE_a1d || op->mode == PTX_MODE_a2d;
	at[0] = is_layered ? c[1] : c[0];
	at[1] = op->mode == PTX_MODE_a1d ? 0 : is_layered ? c[2] : c[1];
	at[2] = is_layered ? c[0] : c[2];
}

static int64_t clamped(int64_t value, int64_t last)
{
	return value < 0 ? 0 : value > last ? last : value;
}

/* Where the element lies; 0: outside, and nothing is to be moved. */
static uint64_t find_element(struct run *run, const struct warp *w, const struct code *op,
                             const struct ptx_insn *insn, const struct texture *s, unsigned bytes,
                             unsigned lane)
{
	int64_t at[3], texel = s->channels * (s->channel_bits / 8);
	read_coordinates(run, w, op, lane, at);
	const int64_t last[3] = {(int64_t)s->width * texel - (int64_t)bytes, (int64_t)s->height - 1,
	                         (int64_t)s->depth - 1};
	bool is_inside = true;
	for (unsigned i = 0; i < 3; i++)
		is_inside &= at[i] >= 0 && at[i] <= last[i];
	if (at[0] % (int64_t)bytes) {
		fault_at(run, w, op, UINT64_C(1) << lane, EXEC_MISALIGNED,
		         "byte %lld of a surface's row is no place for %u bytes", (long long)at[0], bytes);
		return 0;
	}
	if (!is_inside && insn->flags & PTX_FLAG_SAT)
		return 0;
	if (!is_inside && !(insn->flags & PTX_FLAG_SHIFTAMT)) {
		fault_at(
		    run, w, op, UINT64_C(1) << lane, EXEC_ILLEGAL_ADDRESS,
		    "byte %lld, row %lld, slice %lld is outside the surface (%llu x %llu x %llu elements)",
		    (long long)at[0], (long long)at[1], (long long)at[2], (unsigned long long)s->width,
		    (unsigned long long)s->height, (unsigned long long)s->depth);
		return 0;
	}
	for (unsigned i = 0; i < 3; i++)
		at[i] = clamped(at[i], last[i]);
	return s->address + (uint64_t)at[0] + (uint64_t)at[1] * s->pitch_bytes +
	       (uint64_t)at[2] * s->slice_bytes;
}

static void move_lane(struct run *run, const struct warp *w, const struct code *op,
                      const struct ptx_insn *insn, uint64_t address, unsigned lane)
{
	const uint32_t *places = run->kernel->lists + op->more;
	unsigned bytes = ptx_type_bytes(insn->type), values = insn->vector ? insn->vector : 1;
	for (unsigned i = 0; i < values; i++) {
		uint64_t value = 0;
		uint8_t *host = address ? device_host(address + i * bytes) : NULL;
		if (insn->op == PTX_sust) {
			value = lane_get(place(w, places[i]), places[8 + i], lane);
			if (host)
				memcpy(host, &value, bytes);
			continue;
		}
		if (host)
			memcpy(&value, host, bytes);
		lane_set(run->scratch[i], places[8 + i], lane, value);
	}
}

bool handle_surface(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	const struct ptx_insn *insn = &run->kernel->module->ptx->insns[op->insn];
	const uint32_t *places = run->kernel->lists + op->more;
	unsigned values = insn->vector ? insn->vector : 1, bytes = ptx_type_bytes(insn->type) * values;
	for (uint64_t left = mask; left; left &= left - 1) {
		unsigned lane = bits_lowest(left);
		const struct texture *s = bound_surface(run, w, op, lane);
		uint64_t address = s ? find_element(run, w, op, insn, s, bytes, lane) : 0;
		if (run->status != EXEC_DONE)
			return false;
		run->address[lane] = address ? address : s->address;
		move_lane(run, w, op, insn, address, lane);
	}
	if (insn->op == PTX_sust)
		run->progress.changed |= run->progress.is_watched;
	if (w->cta->recorded)
		recorder_step(w->cta->recorded, w->index, op->insn, mask, PTX_SPACE_global, run->address);
	for (unsigned i = 0; insn->op == PTX_suld && i < values; i++)
		if (places[i] != PTX_NONE)
			lanes_write(run, w, places[i], run->scratch[i], places[8 + i], mask);
	return true;
}
