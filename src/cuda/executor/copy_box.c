/*
 * Bulk copies of boxes of a tensor (cp.async.bulk.tensor): between shared memory, where a box is dense or its units of 16
 * bytes are exchanged, and a tensor of one to five dimensions that a map describes (cuda/memory/tensor_map.h). What lies
 * outside of the tensor is read as zeros, and not written.
 */
#include "cuda/executor/access.h"
#include "cuda/executor/barrier.h"
#include "cuda/executor/handlers.h"
#include "cuda/executor/mask.h"
#include "cuda/memory/tensor_map.h"

enum { UNIT = 16, PIECE_LANES = 32 };

struct box {
	struct tensor_map map;
	int32_t at[TENSOR_DIMENSIONS];     /* first element in each dimension */
	uint32_t count[TENSOR_DIMENSIONS]; /* elements that are copied */
	uint64_t shared;                   /* address */
	uint8_t *shared_host;
	uint64_t bytes;
	bool stores;
	/* What a recording shows: units that were accessed in global memory, up to a record of them. */
	uint64_t unit[LANES_MAX];
	unsigned units;
	uint64_t barrier; /* address; of a load */
};

/* ---- what the instruction names ------------------------------------------------------------------------------ */

/* A map may be a parameter of the kernel, whose addresses are small numbers, or lie in global or constant memory. */
static const uint8_t *map_host(const struct run *run, uint64_t address)
{
	struct memory_range range;
	uint64_t params = run->kernel->module->ptx->functions[run->kernel->functions[0].ptx].param_bytes;
	if (address < params)
		return params - address >= TENSOR_MAP_BYTES ? run->param_block + address : NULL;
	if (!device_memory_find(run->memory, address, &range) || range.end - address < TENSOR_MAP_BYTES)
		return NULL;
	return device_host(address);
}

static bool find_map(struct run *run, struct warp *w, const struct code *op, uint64_t lane, struct box *b)
{
	uint64_t address = lane_get(place(w, op->a), 8, bits_lowest(lane));
	const uint8_t *host = map_host(run, address);
	if (host)
		memcpy(&b->map, host, sizeof b->map);
	if (!host || b->map.magic != TENSOR_MAP_MAGIC)
		return fault_at(run, w, op, lane, EXEC_ILLEGAL_INSTRUCTION,
		                "there is no tensor map at 0x%llx, expected one of cuTensorMapEncodeTiled",
		                (unsigned long long)address);
	if (b->map.rank != op->mode)
		return fault_at(run, w, op, lane, EXEC_ILLEGAL_INSTRUCTION,
		                "a copy by %u coordinates, the tensor map has %u dimensions", op->mode,
		                b->map.rank);
	b->bytes = b->map.element_bytes;
	for (uint32_t i = 0; i < b->map.rank; i++) {
		b->at[i] =
		    (int32_t)lane_get(place(w, run->kernel->lists[op->target + i]), 4, bits_lowest(lane));
		b->count[i] = (b->map.box[i] + (uint32_t)b->map.each[i]) / b->map.each[i];
		b->bytes *= b->count[i];
	}
	return true;
}

static bool find_shared(struct run *run, struct warp *w, const struct code *op, uint64_t lane,
                        const struct access *a, struct box *b)
{
	uint32_t align = b->map.swizzle_bytes ? 128 : UNIT;
	b->shared = phases_own_address(access_addresses(run, w, a)[bits_lowest(lane)]);
	b->shared_host = b->shared % align ? NULL : access_shared_host(run, w, b->shared, b->bytes);
	return b->shared_host ||
	       fault_at(
	           run, w, op, lane, b->shared % align ? EXEC_MISALIGNED : EXEC_ILLEGAL_ADDRESS,
	           "a copy of %llu bytes at 0x%llx of shared memory, expected a place inside of it, a multiple of %u",
	           (unsigned long long)b->bytes, (unsigned long long)b->shared, align);
}

/* ---- units of 16 bytes --------------------------------------------------------------------------------------- */

/* Where unit number `unit` of the box lies in shared memory. */
static uint8_t *shared_unit(const struct box *b, uint64_t unit)
{
	uint64_t units = b->map.swizzle_bytes ? b->map.swizzle_bytes / UNIT : 1;
	uint64_t address = b->shared + unit * UNIT, exchanged = address ^ (address >> 7 & (units - 1)) * UNIT;
	return b->shared_host + (exchanged - b->shared);
}

/* The bytes of an element outside of the tensor; of floats a NaN may be asked for. */
static void fill_outside(const struct tensor_map *m, uint8_t *to)
{
	static const uint8_t nans[3][8] = {
	    {0xff, 0x7f}, {0xff, 0xff, 0xff, 0x7f}, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}};
	memset(to, 0, m->element_bytes);
	if (m->fills_nan)
		memcpy(to, nans[m->element_bytes / 4], m->element_bytes);
}

/* A row of the box: its elements of dimension 0, from `unit` on in shared memory. */
struct row {
	uint64_t address; /* of element 0 of the tensor's row */
	bool is_inside;   /* in all other dimensions */
	uint64_t unit;
};

static void note_unit(struct run *run, struct warp *w, const struct code *op, struct box *b,
                      uint64_t address);

static void copy_element(const struct box *b, const struct row *r, int64_t index, uint8_t *at)
{
	bool is_inside = r->is_inside && index >= 0 && (uint64_t)index < b->map.size[0];
	uint64_t address = r->address + (uint64_t)index * b->map.element_bytes;
	if (!is_inside && !b->stores)
		fill_outside(&b->map, at);
	else if (is_inside && b->stores)
		memcpy(device_host(address), at, b->map.element_bytes);
	else if (is_inside)
		memcpy(at, device_host(address), b->map.element_bytes);
}

static void copy_unit(struct run *run, struct warp *w, const struct code *op, struct box *b,
                      const struct row *r, uint32_t number)
{
	uint32_t elements = UNIT / b->map.element_bytes, each = b->map.each[0];
	int64_t index = (int64_t)b->at[0] + (int64_t)number * elements * each;
	int64_t last = index + (int64_t)(elements - 1) * each;
	uint8_t *at = shared_unit(b, r->unit + number);
	bool is_whole = r->is_inside && each == 1 && index >= 0 && (uint64_t)last < b->map.size[0];
	uint64_t address = r->address + (uint64_t)index * b->map.element_bytes;
	if (is_whole)
		memcpy(b->stores ? device_host(address) : (void *)at,
		       b->stores ? (void *)at : device_host(address), UNIT);
	for (uint32_t i = 0; !is_whole && i < elements; i++)
		copy_element(b, r, index + (int64_t)i * each, at + (size_t)i * b->map.element_bytes);
	if (r->is_inside && last >= 0 && index < (int64_t)b->map.size[0])
		note_unit(run, w, op, b, index >= 0 ? address : r->address);
}

/* All rows, dimension 1 fastest. */
static void copy_rows(struct run *run, struct warp *w, const struct code *op, struct box *b)
{
	uint32_t step[TENSOR_DIMENSIONS] = {0}, dimension;
	uint32_t units = b->count[0] * b->map.element_bytes / UNIT;
	struct row r = {.unit = 0};
	do {
		r.address = b->map.address;
		r.is_inside = true;
		for (uint32_t i = 1; i < b->map.rank; i++) {
			int64_t index = (int64_t)b->at[i] + (int64_t)step[i] * b->map.each[i];
			r.is_inside &= index >= 0 && (uint64_t)index < b->map.size[i];
			r.address += (uint64_t)index * b->map.stride[i - 1];
		}
		for (uint32_t i = 0; i < units; i++)
			copy_unit(run, w, op, b, &r, i);
		r.unit += units;
		for (dimension = 1; dimension < b->map.rank && ++step[dimension] == b->count[dimension];
		     dimension++)
			step[dimension] = 0;
	} while (dimension < b->map.rank);
}

/* Global memory from the first element of the box that is inside to the last must be there. */
static bool check_global(struct run *run, struct warp *w, const struct code *op, uint64_t lane,
                         const struct box *b)
{
	struct memory_range range;
	uint64_t first = b->map.address, bytes = b->map.element_bytes;
	for (uint32_t i = 0; i < b->map.rank; i++) {
		uint64_t pitch = i ? b->map.stride[i - 1] : b->map.element_bytes, size = b->map.size[i];
		int64_t low = b->at[i] < 0 ? 0 : b->at[i];
		int64_t high = (int64_t)b->at[i] + b->map.box[i];
		high = high >= (int64_t)size ? (int64_t)size - 1 : high;
		if (high < low)
			return true; /* nothing is inside */
		first += (uint64_t)low * pitch;
		bytes += (uint64_t)(high - low) * pitch;
	}
	return (device_memory_find(run->memory, first, &range) && range.end - first >= bytes) ||
	       fault_at(run, w, op, lane, EXEC_ILLEGAL_ADDRESS,
	                "illegal address of a tensor's box, %llu bytes at 0x%llx", (unsigned long long)bytes,
	                (unsigned long long)first);
}

/* ---- recording ----------------------------------------------------------------------------------------------- */

/* Write a record of the units that came together. */
static void record_units(struct run *run, struct warp *w, const struct code *op, struct box *b)
{
	uint64_t object = 0, mask = mask_of_lanes(b->units);
	if (!b->units)
		return;
	if (!b->stores)
		object = phases_note_pieces(run, w, b->barrier, 1);
	const uint64_t *traced = access_traced(run, b->unit, mask);
	for (unsigned i = 0; i < b->units; i++)
		b->unit[i] = address_with_object(traced[i], object);
	recorder_bulk_piece(w->cta->recorded, w->index, op->insn, mask, b->unit);
	b->units = 0;
}

static void note_unit(struct run *run, struct warp *w, const struct code *op, struct box *b, uint64_t address)
{
	if (!w->cta->recorded)
		return;
	b->unit[b->units++] = address;
	if (b->units == PIECE_LANES)
		record_units(run, w, op, b);
}

/* ---- the instruction ------------------------------------------------------------------------------------------ */

/* The mbarrier that a load reports to. */
static bool find_barrier(struct run *run, struct warp *w, const struct code *op, uint64_t lane,
                         const struct access *a, struct box *b, uint8_t **host)
{
	b->barrier = phases_own_address(access_addresses(run, w, a)[bits_lowest(lane)]);
	*host = b->barrier & 7 ? NULL : access_shared_host(run, w, b->barrier, 8);
	return *host || fault_at(run, w, op, lane, EXEC_ILLEGAL_ADDRESS,
	                         "illegal address of a bulk copy's mbarrier at 0x%llx",
	                         (unsigned long long)b->barrier);
}

bool handle_copy_box(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	struct access *shared = &run->kernel->accesses[op->more];
	bool stores = insn_of(run, op)->space == PTX_SPACE_global;
	if (w->cta->recorded)
		recorder_bulk_begin(w->cta->recorded, w->index, op->insn, mask);
	for (uint64_t left = mask; left; left &= left - 1) {
		uint64_t lane = left & -left;
		struct box b = {.stores = stores};
		uint8_t *barrier = NULL;
		if (!find_map(run, w, op, lane, &b) || !find_shared(run, w, op, lane, shared, &b) ||
		    (!stores && !find_barrier(run, w, op, lane, shared + 1, &b, &barrier)) ||
		    !check_global(run, w, op, lane, &b))
			return false;
		run->progress.changed = true;
		copy_rows(run, w, op, &b);
		record_units(run, w, op, &b);
		if (barrier &&
		    !mbarrier_complete_bytes(run, w, op, lane, (uintptr_t)barrier, (int64_t)b.bytes))
			return false;
	}
	if (w->cta->recorded)
		recorder_bulk_end(w->cta->recorded, w->index, op->insn, mask);
	return true;
}
