/*
 * Loads and stores: a warp's addresses are checked together, against the
 * allocation that this instruction met last, then moved together. Adjacent
 * lanes are one copy, equal addresses one read.
 */
#include "cuda/executor/exec_access.h"
#include "cuda/executor/exec_handlers.h"
#include "cuda/executor/exec_mask.h"

/* ---- lane addresses ----------------------------------------------------------------------------------- */

const uint64_t *access_addresses(struct run *run, const struct warp *w, const struct access *a)
{
	const uint8_t *reg = place(w, a->address);
	uint64_t *address = run->address, offset = (uint64_t)a->offset;
	if (a->is_framed)
		offset += w->frames[w->paths[w->current].frame].local_base;
	if (a->address_bytes == 4) {
		for (unsigned i = 0; i < run->lanes; i++)
			address[i] = (uint64_t)((const mask_u32 *)reg)[i] + offset;
		return address;
	}
	for (unsigned block = 0; block < run->lanes; block += 32)
		for (unsigned i = block; i < block + 32; i++)
			address[i] = ((const mask_u64 *)reg)[i] + offset;
	return address;
}

enum spread { SPREAD_ANY, SPREAD_ADJACENT, SPREAD_SAME };

/* How the addresses of a full warp relate to one another. */
static inline enum spread address_spread(const uint64_t *address, unsigned bytes, unsigned lanes)
{
	uint64_t step = address[1] - address[0], off = 0;
	if (step != bytes && step != 0)
		return SPREAD_ANY;
	for (unsigned i = 0; i < 30; i++)
		off |= (address[i + 1] - address[i]) ^ step;
	off |= (address[31] - address[30]) ^ step;
	for (unsigned i = 31; i + 1 < lanes; i++)
		off |= (address[i + 1] - address[i]) ^ step;
	return off ? SPREAD_ANY : step ? SPREAD_ADJACENT : SPREAD_SAME;
}

/*
 * Whether all lanes of `mask` lie in [first, first + span] and are aligned.
 * Spans are below 2^63: an offset is too big if it or span - offset is negative.
 */
static inline bool address_inside(const uint64_t *address, uint64_t mask, uint64_t first, uint64_t span,
                                  unsigned align, unsigned lanes)
{
	uint64_t bits = 0, bad = 0;
	if (mask == mask_of_lanes(lanes)) {
		for (unsigned block = 0; block < lanes; block += 32)
			for (unsigned i = block; i < block + 32; i++) {
				uint64_t offset = address[i] - first;
				bits |= address[i];
				bad |= offset | (span - offset);
			}
	} else {
		for (; mask; mask &= mask - 1) {
			uint64_t at = address[bits_lowest(mask)];
			bits |= at;
			bad |= (at - first) | (span - (at - first));
		}
	}
	return !(bad >> 63) && !(bits & (align - 1));
}

/* ---- global memory ------------------------------------------------------------------------------------ */

/* Not all in one known allocation: lane by lane. */
static bool find_ranges(struct run *run, const struct warp *w, const struct code *op, struct access *a,
                        const uint64_t *address, uint64_t mask)
{
	for (uint64_t left = mask; left; left &= left - 1) {
		uint64_t at = address[bits_lowest(left)];
		struct memory_range range;
		if (at & (a->bytes - 1u))
			return fault_access(run, w, op, a, address, mask, PTX_SPACE_global, EXEC_MISALIGNED);
		if (address_inside(address, left & -left, a->first, a->span, 1, run->lanes))
			continue;
		if (!device_memory_find(run->memory, at, &range) || range.end - at < a->bytes) {
			if (access_lenient(run, w, op, a, address, left & -left))
				continue;
			return fault_access(run, w, op, a, address, mask, PTX_SPACE_global,
			                    EXEC_ILLEGAL_ADDRESS);
		}
		a->first = range.first;
		a->span = range.end - range.first - a->bytes;
	}
	return true;
}

static inline bool check_global(struct run *run, const struct warp *w, const struct code *op,
                                struct access *a, const uint64_t *address, uint64_t mask)
{
	return address_inside(address, mask, a->first, a->span, a->bytes, run->lanes) ||
	       find_ranges(run, w, op, a, address, mask);
}

void access_record(struct run *run, const struct warp *w, const struct code *op, uint64_t mask,
                   enum ptx_space space, const uint64_t *address)
{
	if (!w->cta->recorded || run->piece == NOT_RECORDED)
		return;
	if (space == PTX_SPACE_global || space == PTX_SPACE_const)
		address = access_traced(run, address, mask);
	if (run->piece == WHOLE_INSN)
		recorder_step(w->cta->recorded, w->index, op->insn, mask, space, address);
	else
		recorder_piece(w->cta->recorded, w->index, op->insn, run->piece, mask, space, address);
}

/* ---- moving ------------------------------------------------------------------------------------------- */

/* Lanes side by side; the usual sizes are constant, so that the compiler copies them in place. */
static inline void copy_lanes(void *to, const void *from, unsigned bytes, unsigned lanes)
{
	if (bytes * lanes == 128)
		memcpy(to, from, 128);
	else if (bytes * lanes == 256)
		memcpy(to, from, 256);
	else
		memcpy(to, from, (size_t)bytes * lanes);
}

static void load_values(struct run *run, const struct warp *w, struct access *a, const uint64_t *address,
                        uint64_t base, uint64_t mask)
{
	if (run->progress.is_watched)
		access_watch_read(run, a, address[bits_lowest(mask)]);
	if (a->is_plain && mask == mask_of_lanes(run->lanes)) {
		enum spread spread = address_spread(address, a->bytes, run->lanes);
		const void *host = device_host(base + address[0]);
		if (spread == SPREAD_ADJACENT) {
			copy_lanes(place(w, a->value[0]), host, a->bytes, run->lanes);
			return;
		}
		if (spread == SPREAD_SAME) {
			lane_broadcast(place(w, a->value[0]), lane_get(host, a->bytes, 0), a->bytes,
			               run->lanes);
			return;
		}
	}
	for (unsigned k = 0; k < a->count; k++)
		a->move[k](place(w, a->value[k]), address, base + k * a->element_bytes, mask, run->lanes);
}

static void store_values(struct run *run, const struct warp *w, const struct access *a,
                         const uint64_t *address, uint64_t base, uint64_t mask, uint64_t local)
{
	/* What a thread keeps for itself ends nobody's wait, but maybe its own loop. */
	if (run->progress.is_watched)
		access_before_change(run, address, base, a->bytes, mask);
	if (a->is_plain && mask == mask_of_lanes(run->lanes) &&
	    address_spread(address, a->bytes, run->lanes) == SPREAD_ADJACENT) {
		copy_lanes(device_host(base + address[0]), place(w, a->value[0]), a->bytes, run->lanes);
	} else {
		for (unsigned k = 0; k < a->count; k++)
			a->move[k](place(w, a->value[k]), address, base + k * a->element_bytes, mask,
			           run->lanes);
	}
	if (run->progress.is_watched)
		access_after_change(run, address, base, a->bytes, mask, local);
}

bool handle_load_global(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	struct access *a = &run->kernel->accesses[op->more];
	const uint64_t *address = access_addresses(run, w, a);
	if (!check_global(run, w, op, a, address, mask))
		return false;
	access_record(run, w, op, mask, a->space, address);
	load_values(run, w, a, address, 0, mask);
	return true;
}

bool handle_store_global(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	struct access *a = &run->kernel->accesses[op->more];
	const uint64_t *address = access_addresses(run, w, a);
	if (!check_global(run, w, op, a, address, mask))
		return false;
	access_record(run, w, op, mask, a->space, address);
	store_values(run, w, a, address, 0, mask, 0);
	return true;
}

/* ---- shared memory ------------------------------------------------------------------------------------ */

static bool check_shared(struct run *run, struct warp *w, const struct code *op, const struct access *a,
                         const uint64_t *offset, uint64_t mask)
{
	uint32_t size = run->shared_bytes;
	if (size < a->bytes || !address_inside(offset, mask, 0, size - a->bytes, a->bytes, run->lanes)) {
		for (uint64_t left = mask; left; left &= left - 1)
			if (offset[bits_lowest(left)] + a->bytes > size)
				return fault_access(run, w, op, a, offset, mask, PTX_SPACE_shared,
				                    EXEC_ILLEGAL_ADDRESS);
		return fault_access(run, w, op, a, offset, mask, PTX_SPACE_shared, EXEC_MISALIGNED);
	}
	if (w->cta->shadow)
		race_check(run, w, op, a, offset, mask);
	access_record(run, w, op, mask, PTX_SPACE_shared, offset);
	return true;
}

bool handle_load_shared(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	struct access *a = &run->kernel->accesses[op->more];
	const uint64_t *offset = access_addresses(run, w, a);
	if (!check_shared(run, w, op, a, offset, mask))
		return false;
	load_values(run, w, a, offset, (uintptr_t)w->cta->shared, mask);
	return true;
}

bool handle_store_shared(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	const struct access *a = &run->kernel->accesses[op->more];
	const uint64_t *offset = access_addresses(run, w, a);
	if (!check_shared(run, w, op, a, offset, mask))
		return false;
	store_values(run, w, a, offset, (uintptr_t)w->cta->shared, mask, 0);
	return true;
}

/* ---- any space ---------------------------------------------------------------------------------------- */

struct space_masks {
	uint64_t shared, local, global;
};

static struct space_masks split_by_space(const struct access *a, const uint64_t *address, uint64_t mask)
{
	struct space_masks m = {0};
	if (a->space == PTX_SPACE_shared)
		m.shared = mask;
	else if (a->space == PTX_SPACE_local)
		m.local = mask;
	else if (a->space != PTX_SPACE_generic)
		m.global = mask;
	else
		for (uint64_t left = mask; left; left &= left - 1) {
			uint64_t at = address[bits_lowest(left)], bit = left & -left;
			m.shared |= at - SHARED_WINDOW < WINDOW_BYTES ? bit : 0;
			m.local |= at - LOCAL_WINDOW < WINDOW_BYTES ? bit : 0;
		}
	m.global = mask & ~m.shared & ~m.local;
	return m;
}

static bool hosts_of_local(struct run *run, struct warp *w, const struct code *op, const struct access *a,
                           const uint64_t *address, uint64_t mask)
{
	uint64_t limit = run->kernel->local_limit, window = a->space == PTX_SPACE_generic ? LOCAL_WINDOW : 0;
	uint64_t offset[LANES_MAX];
	for (uint64_t left = mask; left; left &= left - 1) {
		unsigned lane = bits_lowest(left);
		uint64_t at = offset[lane] = address[lane] - window;
		if (at > limit || limit - at < a->bytes)
			return fault_access(run, w, op, a, address, mask, PTX_SPACE_local,
			                    EXEC_ILLEGAL_ADDRESS);
		if (at & (a->bytes - 1u))
			return fault_access(run, w, op, a, address, mask, PTX_SPACE_local, EXEC_MISALIGNED);
		uint64_t thread = (uint64_t)w->index * run->lanes + lane;
		run->translated[lane] = (uintptr_t)w->cta->local + thread * limit + at;
	}
	access_record(run, w, op, mask, PTX_SPACE_local, offset);
	return true;
}

/* Lanes that name shared memory of another CTA of the cluster: recorded as they stand, no race is looked for. */
static bool hosts_of_cluster(struct run *run, struct warp *w, const struct code *op, const struct access *a,
                             const uint64_t *offset, uint64_t mask)
{
	for (uint64_t left = mask; left; left &= left - 1) {
		unsigned lane = bits_lowest(left);
		uint8_t *host = access_shared_host(run, w, offset[lane], a->bytes);
		if (!host || offset[lane] & (a->bytes - 1u))
			return fault_access(run, w, op, a, offset, mask, PTX_SPACE_shared,
			                    host ? EXEC_MISALIGNED : EXEC_ILLEGAL_ADDRESS);
		run->translated[lane] = (uintptr_t)host;
	}
	access_record(run, w, op, mask, PTX_SPACE_shared, offset);
	return true;
}

static bool hosts_of_shared(struct run *run, struct warp *w, const struct code *op, const struct access *a,
                            const uint64_t *address, uint64_t mask)
{
	uint64_t window = a->space == PTX_SPACE_generic ? SHARED_WINDOW : 0, offset[LANES_MAX], far = 0;
	for (unsigned i = 0; i < run->lanes; i++) {
		offset[i] = address[i] - window;
		far |= (uint64_t)(offset[i] >> CLUSTER_SHIFT != 0) << i;
	}
	far &= run->cluster_size > 1 ? mask : 0;
	mask &= ~far;
	if (far && !hosts_of_cluster(run, w, op, a, offset, far))
		return false;
	if (mask && !check_shared(run, w, op, a, offset, mask))
		return false;
	for (uint64_t left = mask; left; left &= left - 1)
		run->translated[bits_lowest(left)] = (uintptr_t)w->cta->shared + offset[bits_lowest(left)];
	return true;
}

const uint64_t *access_hosts(struct run *run, struct warp *w, const struct code *op, struct access *a,
                             uint64_t mask)
{
	return access_hosts_at(run, w, op, a, access_addresses(run, w, a), mask);
}

const uint64_t *access_hosts_at(struct run *run, struct warp *w, const struct code *op, struct access *a,
                                const uint64_t *address, uint64_t mask)
{
	struct space_masks m = split_by_space(a, address, mask);
	run->local_lanes = m.local;
	if (m.shared && !hosts_of_shared(run, w, op, a, address, m.shared))
		return NULL;
	if (m.local && !hosts_of_local(run, w, op, a, address, m.local))
		return NULL;
	if (m.global) {
		if (!check_global(run, w, op, a, address, m.global))
			return NULL;
		access_record(run, w, op, m.global,
		              a->space == PTX_SPACE_const ? PTX_SPACE_const : PTX_SPACE_global, address);
		if (m.global == mask)
			return address;
		for (uint64_t left = m.global; left; left &= left - 1)
			run->translated[bits_lowest(left)] = address[bits_lowest(left)];
	}
	return run->translated;
}

bool handle_load_any(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	struct access *a = &run->kernel->accesses[op->more];
	const uint64_t *host = access_hosts(run, w, op, a, mask);
	if (!host)
		return false;
	load_values(run, w, a, host, 0, mask);
	return true;
}

bool handle_store_any(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	struct access *a = &run->kernel->accesses[op->more];
	const uint64_t *host = access_hosts(run, w, op, a, mask);
	if (!host)
		return false;
	store_values(run, w, a, host, 0, mask, run->local_lanes);
	return true;
}
