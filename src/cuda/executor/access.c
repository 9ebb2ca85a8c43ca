/*
 * Memory accesses. The addresses of a warp are checked together against the
 * allocation that this instruction accessed last, then moved together. Adjacent
 * lanes are one copy, equal addresses one read.
 */
#include "cuda/executor/access.h"

#include "base/memory.h"
#include "cuda/executor/handlers.h"
#include "cuda/executor/mask.h"

/* ---- reads outside allocations ------------------------------------------------------------------------- */

/*
 * A GPU mostly lets reads a little outside an allocation pass, since it protects
 * whole pages of 2 MiB only. With the option lenient_memory, a load from the pages
 * of an allocation or next to them reads what is there, and each such instruction
 * is warned of once. Stores and atomics fault as always.
 */

static bool is_known(const struct exec *exec, const struct access *a)
{
	for (uint32_t i = 0; i < exec->lenient_count; i++)
		if (exec->lenient_sites[i] == a)
			return true;
	return false;
}

/* Warn with the report of the fault that this would have been. */
static void warn(struct run *run, const struct warp *w, const struct code *op, const struct access *a,
                 const uint64_t *address, uint64_t mask)
{
	struct exec *exec = run->exec;
	struct error text = {0}, *report = run->report;
	if (is_known(exec, a) || !exec->options.warn)
		return;
	exec->lenient_sites =
	    memory_grow(exec->lenient_sites, exec->lenient_count + 1, sizeof *exec->lenient_sites);
	exec->lenient_sites[exec->lenient_count++] = a;
	run->report = &text;
	fault_access(run, w, op, a, address, mask, PTX_SPACE_global, EXEC_ILLEGAL_ADDRESS);
	run->report = report;
	run->status = EXEC_DONE;
	exec->options.warn(exec->options.user, text.text);
}

/* Whether the lane's read outside all allocations passes. */
static bool is_lenient(struct run *run, const struct warp *w, const struct code *op, const struct access *a,
                       const uint64_t *address, uint64_t lane_mask)
{
	uint64_t at = address[bits_lowest(lane_mask)];
	if (!run->exec->options.lenient_memory || a->is_store || a->is_atomic ||
	    !device_memory_is_near(run->memory, at, a->bytes))
		return false;
	warn(run, w, op, a, address, lane_mask);
	return true;
}

/* ---- addresses in recordings --------------------------------------------------------------------------- */

/*
 * Device memory is at the same place in every run. Host memory that kernels may
 * touch is where the host's loader and allocator put it, which differs from run
 * to run. Recordings show it in a window of its own instead, in the order in
 * which it was adopted.
 */

const uint64_t *access_traced(struct run *run, const uint64_t *address, uint64_t mask)
{
	if (!device_memory_has_adopted(run->memory))
		return address;
	for (; mask; mask &= mask - 1) {
		unsigned lane = bits_lowest(mask);
		run->traced[lane] = device_memory_traced(run->memory, address[lane]);
	}
	return run->traced;
}

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

/* Fill run->address as access_addresses() does; inside is [first, first + span]. */
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

/* Check lane by lane what is not all in one known allocation. */
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
			if (is_lenient(run, w, op, a, address, left & -left))
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

/* Record an access to one space, whose addresses have the property `spread`. */
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
	if (run->shadow)
		race_global_check(run, w, op, a, run->address, mask);
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
	w->has_stored = true;
	store_values(run, w, a, run->address, (uintptr_t)w->cta->shared, mask, s, 0);
	return true;
}

/* ---- any space ---------------------------------------------------------------------------------------- */

/* The spread of addresses that have been computed already. */
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

/* Lanes that access shared memory of another CTA of the cluster: recorded unchanged, not checked for races. */
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

const uint64_t *access_hosts_unrecorded(struct run *run, struct warp *w, const struct code *op,
                                        struct access *a, uint64_t mask)
{
	run->piece = NOT_RECORDED;
	const uint64_t *host = access_hosts(run, w, op, a, mask);
	run->piece = WHOLE_INSN;
	return host;
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

/* ---- parameters of device functions -------------------------------------------------------------------- */

/*
 * Parameters of device functions are variables in the frame of the function that
 * declares them, so many bytes per lane. Loads and stores of whole scalars are
 * decoded as register moves; parts of structs come here.
 */

/* A load or a store: the moves of the access decide. */
bool handle_param(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	const struct access *a = &run->kernel->accesses[op->more];
	uint64_t base = (uintptr_t)place(w, a->address) + (uint64_t)a->offset;
	for (unsigned i = 0; i < run->lanes; i++)
		run->address[i] = (uint64_t)i * a->stride;
	for (unsigned k = 0; k < a->count; k++)
		a->move[k](place(w, a->value[k]), run->address, base + k * a->element_bytes, mask,
		           run->lanes);
	return true;
}

/* ---- by address: mov.b64 %rd, parameter ----------------------------------------------------------------- */

/* Where address `number` of the running function's param space lies for a lane; NULL: nowhere. */
static uint8_t *param_host(struct run *run, const struct warp *w, unsigned lane, uint64_t number,
                           unsigned bytes)
{
	const struct frame *frame = &w->frames[w->paths[w->current].frame];
	const struct code_function *f = &run->kernel->functions[frame->function];
	const struct ptx_function *ptx = &run->kernel->module->ptx->functions[f->ptx];
	if (ptx->is_entry && number < ptx->param_bytes && ptx->param_bytes - number >= bytes)
		return run->param_block + number;
	for (uint32_t i = 0; i < f->param_count; i++) {
		const struct param_space *p = &f->params[i];
		uint64_t offset = number - p->number;
		if (offset < p->bytes && p->bytes - offset >= bytes)
			return frame->registers + p->place + (size_t)lane * p->bytes + offset;
	}
	return NULL;
}

bool handle_param_number(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	const struct access *a = &run->kernel->accesses[op->more];
	const uint64_t *number = access_addresses(run, w, a);
	for (uint64_t left = mask; left; left &= left - 1) {
		unsigned lane = bits_lowest(left);
		run->translated[lane] = (uintptr_t)param_host(run, w, lane, number[lane], a->bytes);
		if (!run->translated[lane])
			return fault_access(run, w, op, a, number, left & -left, PTX_SPACE_param,
			                    EXEC_ILLEGAL_ADDRESS);
	}
	for (unsigned k = 0; k < a->count; k++)
		a->move[k](place(w, a->value[k]), run->translated, k * a->element_bytes, mask, run->lanes);
	return true;
}

/* ---- one element per lane ----------------------------------------------------------------------------- */

/* X(name, type in memory, type of the register); loads extend by the memory type's sign. */
/* clang-format off */
#define LOADS(X)                                                                                             \
	X(u8_2, uint8_t, mask_u16)                                                                           \
	X(s8_2, int8_t, mask_u16)                                                                            \
	X(u8_4, uint8_t, mask_u32)                                                                           \
	X(s8_4, int8_t, mask_u32)                                                                            \
	X(u8_8, uint8_t, mask_u64) X(s8_8, int8_t, mask_u64) X(u16_2, uint16_t, mask_u16)                    \
	    X(u16_4, uint16_t, mask_u32) X(s16_4, int16_t, mask_u32) X(u16_8, uint16_t, mask_u64)            \
	        X(s16_8, int16_t, mask_u64) X(u32_4, uint32_t, mask_u32) X(u32_8, uint32_t, mask_u64)        \
	            X(s32_8, int32_t, mask_u64) X(u64_8, uint64_t, mask_u64)
/* clang-format on */
/* clang-format off */
#define STORES(X)                                                                                            \
	X(2_u8, uint8_t, mask_u16)                                                                           \
	X(4_u8, uint8_t, mask_u32)                                                                           \
	X(8_u8, uint8_t, mask_u64)                                                                           \
	X(2_u16, uint16_t, mask_u16)                                                                         \
	X(4_u16, uint16_t, mask_u32) X(8_u16, uint16_t, mask_u64) X(4_u32, uint32_t, mask_u32)               \
	    X(8_u32, uint32_t, mask_u64) X(8_u64, uint64_t, mask_u64)
/* clang-format on */

#define LOAD_LANE(type, wide)                                                                                \
	{                                                                                                    \
		type v;                                                                                      \
		memcpy(&v, device_host(base + address[i]), sizeof v);                                        \
		((wide *)reg)[i] = (wide)v;                                                                  \
	}
#define DEFINE_LOAD(name, type, wide)                                                                        \
	static void load_##name(void *reg, const uint64_t *address, uint64_t base, uint64_t mask,            \
	                        unsigned lanes)                                                              \
	{                                                                                                    \
		if (mask == mask_of_lanes(lanes)) {                                                          \
			for (unsigned i = 0; i < lanes; i++)                                                 \
				LOAD_LANE(type, wide)                                                        \
			return;                                                                              \
		}                                                                                            \
		for (; mask; mask &= mask - 1) {                                                             \
			unsigned i = bits_lowest(mask);                                                      \
			LOAD_LANE(type, wide)                                                                \
		}                                                                                            \
	}
LOADS(DEFINE_LOAD)

#define STORE_LANE(type, wide)                                                                               \
	{                                                                                                    \
		type v = (type)((const wide *)reg)[i];                                                       \
		memcpy(device_host(base + address[i]), &v, sizeof v);                                        \
	}
#define DEFINE_STORE(name, type, wide)                                                                       \
	static void store_##name(void *reg, const uint64_t *address, uint64_t base, uint64_t mask,           \
	                         unsigned lanes)                                                             \
	{                                                                                                    \
		if (mask == mask_of_lanes(lanes)) {                                                          \
			for (unsigned i = 0; i < lanes; i++)                                                 \
				STORE_LANE(type, wide)                                                       \
			return;                                                                              \
		}                                                                                            \
		for (; mask; mask &= mask - 1) {                                                             \
			unsigned i = bits_lowest(mask);                                                      \
			STORE_LANE(type, wide)                                                               \
		}                                                                                            \
	}
STORES(DEFINE_STORE)

struct mover {
	access_move *move;
	uint8_t element_bytes, register_bytes;
	bool is_signed;
};

access_move *access_loader(unsigned element_bytes, unsigned register_bytes, bool is_signed)
{
#define ENTRY(name, type, wide) {load_##name, sizeof(type), sizeof(wide), (type)-1 < (type)1},
	static const struct mover movers[] = {LOADS(ENTRY)};
#undef ENTRY
	if (element_bytes == register_bytes)
		is_signed = false;
	for (size_t i = 0; i < sizeof movers / sizeof *movers; i++)
		if (movers[i].element_bytes == element_bytes && movers[i].register_bytes == register_bytes &&
		    movers[i].is_signed == is_signed)
			return movers[i].move;
	return NULL;
}

access_move *access_storer(unsigned element_bytes, unsigned register_bytes)
{
#define ENTRY(name, type, wide) {store_##name, sizeof(type), sizeof(wide), false},
	static const struct mover movers[] = {STORES(ENTRY)};
#undef ENTRY
	for (size_t i = 0; i < sizeof movers / sizeof *movers; i++)
		if (movers[i].element_bytes == element_bytes && movers[i].register_bytes == register_bytes)
			return movers[i].move;
	return NULL;
}

/* ---- one generic address ------------------------------------------------------------------------------ */

uint64_t access_guest_reach(struct run *run, const struct warp *w, unsigned lane, uint64_t address,
                            uint8_t **host)
{
	struct memory_range range;
	uint64_t offset = address - SHARED_WINDOW, limit = run->shared_bytes;
	*host = NULL;
	if (offset < WINDOW_BYTES) {
		*host = w->cta->shared + offset;
		return offset < limit ? limit - offset : 0;
	}
	offset = address - LOCAL_WINDOW;
	limit = run->kernel->local_limit;
	if (offset < WINDOW_BYTES) {
		uint64_t thread = (uint64_t)w->index * run->lanes + lane;
		*host = w->cta->local + thread * limit + offset;
		return offset < limit ? limit - offset : 0;
	}
	if (!device_memory_find(run->memory, address, &range))
		return 0;
	*host = device_host(address);
	return range.end - address;
}

uint8_t *access_guest(struct run *run, const struct warp *w, unsigned lane, uint64_t address, uint64_t bytes)
{
	uint8_t *host;
	return access_guest_reach(run, w, lane, address, &host) < bytes ? NULL : host;
}

/* ---- watched changes ---------------------------------------------------------------------------------- */

enum { ACCESS_MAX_BYTES = 16 };

void access_before_change(struct run *run, const uint64_t *host, uint64_t base, unsigned bytes, uint64_t mask)
{
	for (; mask && !run->progress.changed; mask &= mask - 1) {
		unsigned lane = bits_lowest(mask);
		memcpy(run->overwritten + (size_t)lane * ACCESS_MAX_BYTES, device_host(base + host[lane]),
		       bytes);
	}
}

void access_after_change(struct run *run, const uint64_t *host, uint64_t base, unsigned bytes, uint64_t mask,
                         uint64_t local)
{
	for (; mask && !run->progress.changed; mask &= mask - 1) {
		unsigned lane = bits_lowest(mask);
		bool changed = memcmp(run->overwritten + (size_t)lane * ACCESS_MAX_BYTES,
		                      device_host(base + host[lane]), bytes) != 0;
		if (local >> lane & 1)
			run->progress.changed_own |= changed;
		else
			run->progress.changed = changed;
	}
}
