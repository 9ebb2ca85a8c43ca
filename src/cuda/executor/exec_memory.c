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

/* The same for an access, with what is true of its addresses; inside is [first, first + span]. */
static inline struct lane_spread address_spread(struct run *run, const struct warp *w, const struct access *a,
                                                uint64_t first, uint64_t span, uint64_t mask)
{
	struct lane_access l = {.offset = (uint64_t)a->offset,
	                        .first = first,
	                        .span = span,
	                        .mask = mask,
	                        .bytes = a->bytes,
	                        .register_bytes = a->address_bytes,
	                        .lanes = run->lanes};
	return run->host->addresses(run->address, place(w, a->address), &l);
}

/*
 * Whether a lane's access lies in [first, first + span]. Spans are below 2^63:
 * an offset is too big if it or span - offset is negative.
 */
static inline bool is_inside(uint64_t address, uint64_t first, uint64_t span)
{
	uint64_t offset = address - first;
	return !((offset | (span - offset)) >> 63);
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
		if (is_inside(at, a->first, a->span))
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

/* The same for an access to one space, of whose addresses `spread` is true. */
static void record_spread(struct run *run, const struct warp *w, const struct code *op,
                          const struct access *a, uint64_t mask, enum ptx_space space,
                          const uint64_t *address, struct lane_spread spread)
{
	uint32_t halves = halves_of(spread.adjacent, spread.same, a->bytes);
	if (run->piece != WHOLE_INSN || (space != PTX_SPACE_shared && device_memory_has_adopted(run->memory)))
		access_record(run, w, op, mask, space, address);
	else
		recorder_access(w->cta->recorded, w->index, op->insn, mask, space, address, halves);
}

/* ---- moving ------------------------------------------------------------------------------------------- */

/* Elements one by one, of the lanes in `mask` of a group that starts at `lane`. */
static inline void move_group(const struct warp *w, const struct access *a, const uint64_t *address,
                              uint64_t base, unsigned lane)
{
	a->move[0](place(w, a->value[0]) + (size_t)lane * a->register_bytes, address + lane, base,
	           mask_of_lanes(LANE_GROUP), LANE_GROUP);
}

/* A group side by side; sizes are constant, so that the compiler copies in place. */
static inline void copy_group(void *to, const void *from, unsigned bytes)
{
	if (bytes == 4)
		memcpy(to, from, sizeof(uint32_t[LANE_GROUP]));
	else if (bytes == 8)
		memcpy(to, from, sizeof(uint64_t[LANE_GROUP]));
	else
		memcpy(to, from, sizeof(uint16_t[LANE_GROUP]));
}

static void move_elements(struct run *run, const struct warp *w, const struct access *a,
                          const uint64_t *address, uint64_t base, uint64_t mask)
{
	for (unsigned k = 0; k < a->count; k++)
		a->move[k](place(w, a->value[k]), address, base + k * a->element_bytes, mask, run->lanes);
}

static void load_values(struct run *run, const struct warp *w, struct access *a, const uint64_t *address,
                        uint64_t base, uint64_t mask, struct lane_spread spread)
{
	if (run->progress.is_watched)
		access_watch_read(run, a, address[bits_lowest(mask)]);
	if (!a->is_plain || !(spread.adjacent | spread.same)) {
		move_elements(run, w, a, address, base, mask);
		return;
	}
	unsigned bytes = a->bytes;
	for (unsigned lane = 0, group = 0; lane < run->lanes; lane += LANE_GROUP, group++) {
		uint8_t *to = place(w, a->value[0]) + (size_t)lane * bytes;
		const void *host = device_host(base + address[lane]);
		if (spread.adjacent >> group & 1)
			copy_group(to, host, bytes);
		else if (spread.same >> group & 1)
			lane_broadcast(to, lane_get(host, bytes, 0), bytes, LANE_GROUP);
		else
			move_group(w, a, address, base, lane);
	}
}

static void store_values(struct run *run, const struct warp *w, const struct access *a,
                         const uint64_t *address, uint64_t base, uint64_t mask, struct lane_spread spread,
                         uint64_t local)
{
	/* What a thread keeps for itself ends nobody's wait, but maybe its own loop. */
	if (run->progress.is_watched)
		access_before_change(run, address, base, a->bytes, mask);
	if (!a->is_plain || !spread.adjacent) {
		move_elements(run, w, a, address, base, mask);
	} else {
		for (unsigned lane = 0, group = 0; lane < run->lanes; lane += LANE_GROUP, group++) {
			if (spread.adjacent >> group & 1)
				copy_group(device_host(base + address[lane]),
				           place(w, a->value[0]) + (size_t)lane * a->bytes, a->bytes);
			else
				move_group(w, a, address, base, lane);
		}
	}
	if (run->progress.is_watched)
		access_after_change(run, address, base, a->bytes, mask, local);
}

static bool check_global(struct run *run, const struct warp *w, const struct code *op, struct access *a,
                         uint64_t mask, struct lane_spread *spread)
{
	*spread = address_spread(run, w, a, a->first, a->span, mask);
	if (!spread->is_inside && !find_ranges(run, w, op, a, run->address, mask))
		return false;
	if (w->cta->recorded)
		record_spread(run, w, op, a, mask, a->space, run->address, *spread);
	return true;
}

bool handle_load_global(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	struct access *a = &run->kernel->accesses[op->more];
	struct lane_spread spread;
	if (!check_global(run, w, op, a, mask, &spread))
		return false;
	load_values(run, w, a, run->address, 0, mask, spread);
	return true;
}

bool handle_store_global(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	struct access *a = &run->kernel->accesses[op->more];
	struct lane_spread spread;
	if (!check_global(run, w, op, a, mask, &spread))
		return false;
	store_values(run, w, a, run->address, 0, mask, spread, 0);
	return true;
}

/* ---- shared memory ------------------------------------------------------------------------------------ */

static bool fault_shared(struct run *run, struct warp *w, const struct code *op, const struct access *a,
                         const uint64_t *offset, uint64_t mask)
{
	for (uint64_t left = mask; left; left &= left - 1)
		if (offset[bits_lowest(left)] + a->bytes > run->shared_bytes)
			return fault_access(run, w, op, a, offset, mask, PTX_SPACE_shared,
			                    EXEC_ILLEGAL_ADDRESS);
	return fault_access(run, w, op, a, offset, mask, PTX_SPACE_shared, EXEC_MISALIGNED);
}

/* Whether all are in the CTA's shared memory has been found out: `spread`. */
static inline bool check_shared(struct run *run, struct warp *w, const struct code *op,
                                const struct access *a, const uint64_t *offset, uint64_t mask,
                                struct lane_spread spread)
{
	if (run->shared_bytes < a->bytes || !spread.is_inside)
		return fault_shared(run, w, op, a, offset, mask);
	if (w->cta->shadow)
		race_check(run, w, op, a, offset, mask);
	if (w->cta->recorded)
		record_spread(run, w, op, a, mask, PTX_SPACE_shared, offset, spread);
	return true;
}

bool handle_load_shared(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	struct access *a = &run->kernel->accesses[op->more];
	struct lane_spread s = address_spread(run, w, a, 0, (uint64_t)run->shared_bytes - a->bytes, mask);
	if (!check_shared(run, w, op, a, run->address, mask, s))
		return false;
	load_values(run, w, a, run->address, (uintptr_t)w->cta->shared, mask, s);
	return true;
}

bool handle_store_shared(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	const struct access *a = &run->kernel->accesses[op->more];
	struct lane_spread s = address_spread(run, w, a, 0, (uint64_t)run->shared_bytes - a->bytes, mask);
	if (!check_shared(run, w, op, a, run->address, mask, s))
		return false;
	store_values(run, w, a, run->address, (uintptr_t)w->cta->shared, mask, s, 0);
	return true;
}

/* ---- any space ---------------------------------------------------------------------------------------- */

/* What is true of addresses that are there already. */
static struct lane_spread given_spread(const struct run *run, const struct access *a, const uint64_t *address,
                                       uint64_t first, uint64_t span, uint64_t mask)
{
	uint64_t copy[LANES_MAX];
	struct lane_access l = {.first = first,
	                        .span = span,
	                        .mask = mask,
	                        .bytes = a->bytes,
	                        .register_bytes = sizeof *address,
	                        .lanes = run->lanes};
	return run->host->addresses(copy, address, &l);
}

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
	uint64_t span = (uint64_t)run->shared_bytes - a->bytes;
	if (mask && !check_shared(run, w, op, a, offset, mask, given_spread(run, a, offset, 0, span, mask)))
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
		if (!given_spread(run, a, address, a->first, a->span, m.global).is_inside &&
		    !find_ranges(run, w, op, a, address, m.global))
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
	load_values(run, w, a, host, 0, mask, given_spread(run, a, host, 0, INT64_MAX, mask));
	return true;
}

bool handle_store_any(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	struct access *a = &run->kernel->accesses[op->more];
	const uint64_t *host = access_hosts(run, w, op, a, mask);
	if (!host)
		return false;
	store_values(run, w, a, host, 0, mask, given_spread(run, a, host, 0, INT64_MAX, mask),
	             run->local_lanes);
	return true;
}
