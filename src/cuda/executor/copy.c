/*
 * Asynchronous copies between global and shared memory. A copy is complete when it
 * is issued, the earliest time that PTX allows: groups and waits have nothing to
 * wait for, and mbarriers count the bytes at once.
 */
#include "cuda/executor/access.h"
#include "cuda/executor/barrier.h"
#include "cuda/executor/handlers.h"
#include "cuda/executor/mask.h"

enum { PIECE_BYTES = 16, PIECE_LANES = 32 };

/* ---- cp.async ------------------------------------------------------------------------------------------- */

/* Bytes that a lane reads; the rest of what it writes is zeros. */
static unsigned bytes_read(const struct warp *w, const struct code *op, unsigned lane, unsigned size)
{
	uint32_t given = (uint32_t)lane_get(place(w, op->a), 4, lane);
	if (op->mode) { /* a predicate: nothing is read */
		bool ignored = given != 0;
		return ignored != (op->negated & 1) ? 0 : size;
	}
	return given < size ? given : size;
}

/* Whether the sources are there; what is read in part may end with its allocation. */
static bool check_sources(struct run *run, struct warp *w, const struct code *op, const struct access *a,
                          const uint64_t *address, const uint8_t *count, uint64_t mask)
{
	for (uint64_t left = mask; left; left &= left - 1) {
		unsigned lane = bits_lowest(left);
		struct memory_range range;
		if (address[lane] & (a->bytes - 1u))
			return fault_access(run, w, op, a, address, mask, PTX_SPACE_global, EXEC_MISALIGNED);
		if (!device_memory_find(run->memory, address[lane], &range) ||
		    range.end - address[lane] < count[lane])
			return fault_access(run, w, op, a, address, left & -left, PTX_SPACE_global,
			                    EXEC_ILLEGAL_ADDRESS);
	}
	return true;
}

bool handle_copy_async(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	struct access *to = &run->kernel->accesses[op->more], *from = to + 1;
	uint64_t target[LANES_MAX], reading = 0;
	uint8_t count[LANES_MAX];
	const uint64_t *host = access_hosts_unrecorded(run, w, op, to, mask);
	if (!host)
		return false;
	memcpy(target, host, sizeof target);
	for (uint64_t left = mask; left; left &= left - 1) {
		unsigned lane = bits_lowest(left);
		count[lane] = (uint8_t)bytes_read(w, op, lane, to->bytes);
		reading |= count[lane] ? left & -left : 0;
	}
	const uint64_t *source = access_addresses(run, w, from);
	if (!check_sources(run, w, op, from, source, count, reading))
		return false;
	access_record(run, w, op, reading, PTX_SPACE_global, source);
	run->progress.changed = true;
	for (; mask; mask &= mask - 1) {
		unsigned lane = bits_lowest(mask);
		uint8_t *at = device_host(target[lane]);
		memset(at, 0, to->bytes);
		if (count[lane])
			memcpy(at, device_host(source[lane]), count[lane]);
	}
	return true;
}

/* ---- cp.async.bulk -------------------------------------------------------------------------------------- */

/* Both ends of a lane's copy, and its mbarrier. */
struct bulk {
	uint64_t shared, global, bytes;
	uint8_t *shared_host;
	uint64_t barrier;
	uint8_t *barrier_host;
};

/* One lane's copy, as accesses of the warp that cover 512 bytes each. */
static void record_bulk(struct run *run, struct warp *w, const struct code *op, const struct bulk *b)
{
	uint64_t address[LANES_MAX], bytes = b->bytes, object = 0;
	uint64_t pieces = (bytes + PIECE_BYTES * PIECE_LANES - 1) / (PIECE_BYTES * PIECE_LANES);
	if (!w->cta->recorded)
		return;
	if (b->barrier_host)
		object = phases_note_pieces(run, w, b->barrier, pieces);
	for (uint64_t done = 0; done < bytes; done += PIECE_BYTES * PIECE_LANES) {
		uint64_t left = (bytes - done) / PIECE_BYTES, lanes = left < PIECE_LANES ? left : PIECE_LANES;
		for (unsigned i = 0; i < lanes; i++)
			address[i] = b->global + done + PIECE_BYTES * (uint64_t)i;
		/* Mark what the recording shows: an address with a mark points nowhere. */
		const uint64_t *traced = access_traced(run, address, mask_of_lanes((unsigned)lanes));
		for (unsigned i = 0; i < lanes; i++)
			address[i] = address_with_object(traced[i], object);
		recorder_bulk_piece(w->cta->recorded, w->index, op->insn, mask_of_lanes((unsigned)lanes),
		                    address);
	}
}

static uint64_t shared_address(struct run *run, struct warp *w, const struct access *a, unsigned lane)
{
	return phases_own_address(access_addresses(run, w, a)[lane]);
}

static bool fault_bulk(struct run *run, struct warp *w, const struct code *op, uint64_t lane,
                       const char *what, uint64_t at)
{
	return fault_at(run, w, op, lane, EXEC_ILLEGAL_ADDRESS, "%s at 0x%llx", what, (unsigned long long)at);
}

static bool check_bulk(struct run *run, struct warp *w, const struct code *op, uint64_t lane, struct bulk *b)
{
	struct memory_range range;
	if ((b->shared | b->global | b->bytes) & (PIECE_BYTES - 1))
		return fault_at(
		    run, w, op, lane, EXEC_MISALIGNED,
		    "a bulk copy of %llu bytes between 0x%llx and shared 0x%llx, multiples of 16 expected",
		    (unsigned long long)b->bytes, (unsigned long long)b->global,
		    (unsigned long long)b->shared);
	b->shared_host = access_shared_host(run, w, b->shared, b->bytes);
	if (!b->shared_host)
		return fault_bulk(run, w, op, lane, "illegal address of a bulk copy's shared end", b->shared);
	if (!device_memory_find(run->memory, b->global, &range) || range.end - b->global < b->bytes)
		return fault_bulk(run, w, op, lane, "illegal address of a bulk copy's global end", b->global);
	return true;
}

/* The mbarrier that a lane's copy reports to. */
static bool find_barrier(struct run *run, struct warp *w, const struct code *op, uint64_t lane,
                         const struct access *a, struct bulk *b)
{
	b->barrier = shared_address(run, w, a, bits_lowest(lane));
	b->barrier_host = b->barrier & 7 ? NULL : access_shared_host(run, w, b->barrier, 8);
	return b->barrier_host ||
	       fault_bulk(run, w, op, lane, "illegal address of a bulk copy's mbarrier", b->barrier);
}

bool handle_copy_bulk(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	struct access *to = &run->kernel->accesses[op->more], *from = to + 1, *barrier = to + 2;
	bool stores = insn_of(run, op)->space == PTX_SPACE_global;
	if (w->cta->recorded)
		recorder_bulk_begin(w->cta->recorded, w->index, op->insn, mask);
	for (uint64_t left = mask; left; left &= left - 1) {
		unsigned lane = bits_lowest(left);
		struct bulk b = {.bytes = lane_get(place(w, op->a), 4, lane)};
		b.shared = shared_address(run, w, stores ? from : to, lane);
		b.global = access_addresses(run, w, stores ? to : from)[lane];
		if (!check_bulk(run, w, op, left & -left, &b) ||
		    (!stores && !find_barrier(run, w, op, left & -left, barrier, &b)))
			return false;
		record_bulk(run, w, op, &b);
		run->progress.changed = true;
		memmove(stores ? device_host(b.global) : (void *)b.shared_host,
		        stores ? (void *)b.shared_host : device_host(b.global), b.bytes);
		if (b.barrier_host && !mbarrier_complete_bytes(run, w, op, left & -left,
		                                               (uintptr_t)b.barrier_host, (int64_t)b.bytes))
			return false;
	}
	if (w->cta->recorded)
		recorder_bulk_end(w->cta->recorded, w->index, op->insn, mask);
	return true;
}
