/*
 * Textures: handles, and fetches with the address modes and filters that the
 * CUDA programming guide describes. A linear filter's fraction has 8 bits.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "cuda/executor/access.h"
#include "cuda/executor/handlers.h"
#include "cuda/executor/mask.h"
#include "cuda/memory/texture.h"

/* ---- handles ------------------------------------------------------------------------------------------ */

#define TEXTURE_HANDLES UINT64_C(0x7e0000000000)

uint64_t exec_new_texture(struct exec *exec, const struct texture *texture)
{
	uint32_t i = 0;
	while (i < exec->texture_count && exec->textures[i]->is_used)
		i++;
	if (i == exec->texture_count) {
		exec->textures = memory_grow(exec->textures, i + 1, sizeof *exec->textures);
		exec->textures[exec->texture_count++] = memory_zeroed(1, sizeof **exec->textures);
	}
	*exec->textures[i] = (struct texture_slot){.texture = *texture, .is_used = true};
	return TEXTURE_HANDLES + i;
}

struct texture *exec_texture(struct exec *exec, uint64_t handle)
{
	uint64_t i = handle - TEXTURE_HANDLES;
	return i < exec->texture_count && exec->textures[i]->is_used ? &exec->textures[i]->texture : NULL;
}

void exec_free_texture(struct exec *exec, uint64_t handle)
{
	if (exec_texture(exec, handle))
		exec->textures[handle - TEXTURE_HANDLES]->is_used = false;
}

/* ---- texels ------------------------------------------------------------------------------------------- */

union channel {
	uint32_t bits;
	float value;
};

struct texel {
	union channel c[4];
};

/* One fetch by one lane. */
struct fetch {
	struct run *run;
	const struct texture *t;
	struct memory_range range; /* that the texture lies in */
	uint64_t address;          /* of the last texel read */
	bool failed;
};

static float half_value(uint16_t h)
{
	int exponent = h >> 10 & 31, fraction = h & 1023;
	float f = exponent == 31 ? (fraction ? NAN : INFINITY)
	          : exponent     ? ldexpf((float)(fraction + 1024), exponent - 25)
	                         : ldexpf((float)fraction, -24);
	return h >> 15 ? -f : f;
}

static union channel decode_channel(const struct texture *t, uint32_t raw)
{
	union channel c = {.bits = raw};
	unsigned bits = t->channel_bits;
	uint32_t sign = 1u << (bits - 1);
	int32_t number = (int32_t)((raw ^ sign) - sign);
	if (t->kind == TEXEL_FLOAT)
		c.value = bits == 16 ? half_value((uint16_t)raw) : c.value;
	else if (t->read_normalized_float && t->kind == TEXEL_UNSIGNED)
		c.value = (float)((double)raw / (double)(sign + (sign - 1)));
	else if (t->read_normalized_float)
		c.value = fmaxf((float)((double)number / (double)(sign - 1)), -1.0f);
	else if (t->kind == TEXEL_SIGNED)
		c.bits = (uint32_t)number;
	return c;
}

static bool gives_floats(const struct texture *t)
{
	return t->kind == TEXEL_FLOAT || t->read_normalized_float;
}

static struct texel read_texel(struct fetch *f, const uint64_t at[3])
{
	const struct texture *t = f->t;
	struct texel texel = {0};
	unsigned bytes = t->channel_bits / 8u, size = bytes * t->channels;
	uint64_t address = t->address + at[0] * size + at[1] * t->pitch_bytes + at[2] * t->slice_bytes;
	if (address < f->range.first || address > f->range.end || f->range.end - address < size) {
		f->failed = true;
		return texel;
	}
	f->address = address;
	for (unsigned i = 0; i < t->channels && i < 4; i++) {
		uint32_t raw = 0;
		memcpy(&raw, device_host(address + i * bytes), bytes);
		texel.c[i] = decode_channel(t, raw);
	}
	if (t->channels < 4 && gives_floats(t))
		texel.c[3].value = 1.0f;
	else if (t->channels < 4)
		texel.c[3].bits = 1;
	return texel;
}

/* ---- coordinates -------------------------------------------------------------------------------------- */

/* An index in [0, size) by the address mode; false: the border. */
static bool place_index(const struct texture *t, unsigned axis, int64_t i, uint64_t size, uint64_t *at)
{
	unsigned mode = t->address_mode[axis];
	int64_t n = (int64_t)size, period = mode == TEXTURE_MIRROR ? 2 * n : n;
	/* Wrapping and mirroring are for normalized coordinates only. */
	if (!t->normalized_coordinates && mode != TEXTURE_BORDER)
		mode = TEXTURE_CLAMP;
	if (mode == TEXTURE_BORDER && (i < 0 || i >= n))
		return false;
	if (mode == TEXTURE_WRAP || mode == TEXTURE_MIRROR) {
		i = (i % period + period) % period;
		i = i >= n ? period - 1 - i : i;
	}
	*at = (uint64_t)(i < 0 ? 0 : i >= n ? n - 1 : i);
	return true;
}

static int64_t to_index(float x)
{
	/* Beyond any texture, and NaN, which goes to 0. */
	if (!(fabsf(x) < 0x1p40f))
		return x > 0 ? INT64_C(1) << 40 : x < 0 ? -(INT64_C(1) << 40) : 0;
	return (int64_t)floorf(x);
}

static struct texel texel_at(struct fetch *f, const int64_t index[3])
{
	const struct texture *t = f->t;
	const uint64_t size[3] = {t->width, t->height, t->depth};
	uint64_t at[3] = {0, 0, 0};
	for (unsigned axis = 0; axis < t->dimensions; axis++)
		if (!place_index(t, axis, index[axis], size[axis] ? size[axis] : 1, &at[axis]))
			return (struct texel){0};
	return read_texel(f, at);
}

/* Corner texel and weight of a linear filter, on one axis. */
struct corner {
	int64_t index;
	float weight; /* of the next texel */
};

static struct corner find_corner(float x)
{
	float shifted = x - 0.5f;
	struct corner c = {.index = to_index(shifted)};
	float fraction = shifted - floorf(shifted);
	c.weight = fraction >= 0 ? floorf(fraction * 256.0f + 0.5f) / 256.0f : 0.0f;
	return c;
}

static struct texel filter_linear(struct fetch *f, const float x[3])
{
	struct texel sum = {0};
	struct corner c[3] = {{0}};
	unsigned corners = 1u << f->t->dimensions;
	for (unsigned axis = 0; axis < f->t->dimensions; axis++)
		c[axis] = find_corner(x[axis]);
	for (unsigned k = 0; k < corners; k++) {
		float weight = 1.0f;
		int64_t index[3] = {0};
		for (unsigned axis = 0; axis < f->t->dimensions; axis++) {
			bool next = k >> axis & 1;
			index[axis] = c[axis].index + next;
			weight *= next ? c[axis].weight : 1.0f - c[axis].weight;
		}
		if (weight == 0.0f)
			continue;
		struct texel texel = texel_at(f, index);
		for (unsigned i = 0; i < 4; i++)
			sum.c[i].value += weight * texel.c[i].value;
	}
	return sum;
}

/* ---- fetches ------------------------------------------------------------------------------------------ */

struct coordinates {
	float x[3];
	int64_t index[3];
};

static struct coordinates read_coordinates(const struct run *run, const struct warp *w, const struct code *op,
                                           const struct texture *t, bool is_float, unsigned lane)
{
	const uint32_t *places = run->kernel->lists + op->more + 4;
	const uint64_t size[3] = {t->width, t->height, t->depth};
	bool is_layered = op->mode == PTX_MODE_a1d || op->mode == PTX_MODE_a2d;
	struct coordinates at = {{0}, {0}};
	for (unsigned axis = 0; axis < t->dimensions; axis++) {
		uint32_t from = places[axis + is_layered];
		if (from == PTX_NONE)
			continue;
		union channel v = {.bits = (uint32_t)lane_get(place(w, from), 4, lane)};
		at.index[axis] = (int32_t)v.bits;
		at.x[axis] = t->normalized_coordinates && is_float ? v.value * (float)size[axis] : v.value;
		if (is_float)
			at.index[axis] = to_index(at.x[axis]);
	}
	return at;
}

static uint64_t layer_offset(const struct texture *t, uint64_t n)
{
	return (n < t->depth ? n : t->depth ? t->depth - 1 : 0) * t->slice_bytes;
}

/* ---- cube maps --------------------------------------------------------------------------------------- */

struct cube_place {
	unsigned face; /* +x, -x, +y, -y, +z, -z */
	float s, t;    /* on the face, in [0, 1] */
};

/*
 * The face and the place on it that a direction points to, by the table of the
 * CUDA programming guide. Left out: filters that reach over an edge into the
 * next face.
 */
static struct cube_place cube_find(float x, float y, float z)
{
	float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
	struct cube_place at;
	float major, s, t;
	if (ax >= ay && ax >= az) {
		at.face = x >= 0 ? 0 : 1;
		major = ax;
		s = x >= 0 ? -z : z;
		t = -y;
	} else if (ay >= az) {
		at.face = y >= 0 ? 2 : 3;
		major = ay;
		s = x;
		t = y >= 0 ? z : -z;
	} else {
		at.face = z >= 0 ? 4 : 5;
		major = az;
		s = z >= 0 ? x : -x;
		t = -y;
	}
	at.s = (s / major + 1.0f) / 2.0f;
	at.t = (t / major + 1.0f) / 2.0f;
	return at;
}

/* A direction; the face is a layer. */
static struct coordinates cube_coordinates(const struct run *run, const struct warp *w, const struct code *op,
                                           struct texture *face, unsigned lane)
{
	const uint32_t *places = run->kernel->lists + op->more + 4;
	union channel v[3];
	for (unsigned i = 0; i < 3; i++)
		v[i].bits = (uint32_t)lane_get(place(w, places[i]), 4, lane);
	struct cube_place found = cube_find(v[0].value, v[1].value, v[2].value);
	struct coordinates at = {{found.s * (float)face->width, found.t * (float)face->height}, {0}};
	at.index[0] = to_index(at.x[0]);
	at.index[1] = to_index(at.x[1]);
	face->address += layer_offset(face, found.face);
	return at;
}

static struct texel gather_component(struct fetch *f, const struct coordinates *at, unsigned component)
{
	static const uint8_t corner[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
	struct corner cx = find_corner(at->x[0]), cy = find_corner(at->x[1]);
	struct texel result;
	for (unsigned i = 0; i < 4; i++) {
		int64_t index[3] = {cx.index + corner[i][0], cy.index + corner[i][1], 0};
		result.c[i] = texel_at(f, index).c[component & 3];
	}
	return result;
}

static struct texel fetch_lane(struct fetch *f, const struct warp *w, const struct code *op,
                               const struct ptx_insn *insn, unsigned lane)
{
	bool is_float = insn->type2 == PTX_TYPE_f32;
	struct texture layer = *f->t;
	struct coordinates at = read_coordinates(f->run, w, op, f->t, is_float, lane);
	if (op->mode == PTX_MODE_a1d || op->mode == PTX_MODE_a2d) {
		layer.address +=
		    layer_offset(&layer, lane_get(place(w, f->run->kernel->lists[op->more + 4]), 4, lane));
		f->t = &layer;
	} else if (op->mode == PTX_MODE_cube) {
		at = cube_coordinates(f->run, w, op, &layer, lane);
		f->t = &layer;
	}
	struct texel texel = {0};
	if (insn->op == PTX_tld4)
		texel = gather_component(f, &at, insn->combine);
	else if (f->t->is_linear_memory && (at.index[0] < 0 || (uint64_t)at.index[0] >= f->t->width))
		f->address = f->t->address; /* nothing is read */
	else if (f->t->filter == TEXTURE_LINEAR && is_float && gives_floats(f->t) && !f->t->is_linear_memory)
		texel = filter_linear(f, at.x);
	else
		texel = texel_at(f, at.index);
	return texel;
}

static const struct texture *bound_texture(struct run *run, struct warp *w, const struct code *op,
                                           unsigned lane, struct memory_range *range)
{
	uint64_t handle = lane_get(place(w, op->a), 8, lane);
	const struct texture *t = exec_texture(run->exec, handle);
	if (t && t->address && device_memory_find(run->memory, t->address, range))
		return t;
	fault_at(run, w, op, UINT64_C(1) << lane, EXEC_ILLEGAL_ADDRESS,
	         t ? "the texture is not bound to memory (handle 0x%llx)" : "0x%llx is not a texture handle",
	         (unsigned long long)handle);
	return NULL;
}

bool handle_texture(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	const struct ptx_insn *insn = insn_of(run, op);
	const uint32_t *places = run->kernel->lists + op->more;
	for (uint64_t left = mask; left; left &= left - 1) {
		unsigned lane = bits_lowest(left);
		struct fetch f = {.run = run};
		f.t = bound_texture(run, w, op, lane, &f.range);
		if (!f.t)
			return false;
		run->address[lane] = f.address = f.t->address;
		struct texel texel = fetch_lane(&f, w, op, insn, lane);
		if (f.failed)
			return fault_at(run, w, op, left & -left, EXEC_ILLEGAL_ADDRESS,
			                "the texture reaches past the end of its allocation");
		run->address[lane] = f.address;
		for (unsigned i = 0; i < 4; i++)
			lane_set(run->scratch[i], 4, lane, texel.c[i].bits);
	}
	if (w->cta->recorded)
		recorder_step(w->cta->recorded, w->index, op->insn, mask, PTX_SPACE_global, run->address);
	for (unsigned i = 0; i < 4; i++)
		if (places[i] != PTX_NONE)
			lanes_write(run, w, places[i], run->scratch[i], 4, mask);
	return true;
}

bool handle_texture_query(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	for (uint64_t left = mask; left; left &= left - 1) {
		unsigned lane = bits_lowest(left);
		struct memory_range range;
		const struct texture *t = bound_texture(run, w, op, lane, &range);
		if (!t)
			return false;
		uint64_t size = op->mode == PTX_MODE_width    ? t->width
		                : op->mode == PTX_MODE_height ? t->height
		                                              : t->depth;
		lane_set(run->scratch[0], 4, lane, size);
	}
	lanes_write(run, w, run->kernel->lists[op->more], run->scratch[0], 4, mask);
	return true;
}

/* ---- surfaces ------------------------------------------------------------------------------------------ */

/*
 * Reads and writes of raw elements of an array (suld.b, sust.b). The first
 * coordinate counts bytes, the others rows, slices or layers. An element outside
 * faults (.trap), is replaced by the nearest one (.clamp), or reads as 0 and is
 * not written (.zero).
 */

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
static void surface_coordinates(const struct run *run, const struct warp *w, const struct code *op,
                                unsigned lane, int64_t at[3])
{
	const uint32_t *places = run->kernel->lists + op->more + TEXTURE_VALUES;
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
	surface_coordinates(run, w, op, lane, at);
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
	const struct ptx_insn *insn = insn_of(run, op);
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
