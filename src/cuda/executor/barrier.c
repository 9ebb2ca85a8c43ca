/*
 * Synchronization of the CTA (bar.sync, bar.arrive, bar.red), of the warp
 * (bar.warp.sync and the *.sync instructions), of clusters, and mbarriers.
 *
 * A CTA barrier counts lanes. Without a thread count it is complete when every
 * live lane has arrived. With one, an arriving warp counts as a whole, as on a
 * GPU. Lanes of one warp may arrive on different paths.
 */
#include "cuda/executor/barrier.h"

#include <stdlib.h>

#include "base/memory.h"
#include "cuda/executor/access.h"
#include "cuda/executor/handlers.h"
#include "cuda/executor/mask.h"
#include "cuda/executor/warp.h"

/* ---- barriers of the CTA --------------------------------------------------------------------------------------- */

static void write_reduction(struct run *run, struct warp *w, const struct path *p, const struct barrier *b)
{
	const struct code *op = &run->kernel->code[p->pc - 1];
	const struct ptx_insn *insn = insn_of(run, op);
	uint32_t value = b->popc;
	if (insn->mode != PTX_MODE_red)
		return;
	if (insn->combine == PTX_COMBINE_and)
		value = b->some_false ? 0 : ~0u;
	else if (insn->combine == PTX_COMBINE_or)
		value = b->some_true ? ~0u : 0;
	lane_broadcast(run->scratch[0], value, 4, run->lanes);
	run->host->blend(w->frames[p->frame].registers + op->dst, run->scratch[0], 4, p->mask, run->lanes);
}

static void barrier_complete(struct run *run, struct cta *cta, uint32_t id)
{
	struct barrier b = cta->barriers[id];
	if (id < BARRIERS && (!b.expected || b.expected >= run->threads))
		cta->epoch++;
	cta->barriers[id] = (struct barrier){0};
	for (uint32_t i = 0; i < run->warps_per_cta; i++) {
		struct warp *w = &cta->warps[i];
		w->barrier_mask[id] = 0;
		for (uint32_t p = 0; w->waiting && p < w->path_count; p++) {
			if (w->paths[p].state != PATH_BARRIER || w->paths[p].barrier != id)
				continue;
			write_reduction(run, w, &w->paths[p], &b);
			path_wake(w, p);
		}
	}
}

static bool barrier_is_complete(const struct run *run, const struct cta *cta, uint32_t id)
{
	uint32_t expected = cta->barriers[id].expected, counted = 0;
	for (uint32_t i = 0; i < run->warps_per_cta; i++) {
		const struct warp *w = &cta->warps[i];
		bool all = (w->barrier_mask[id] & w->live) == w->live;
		if (!expected && !all)
			return false;
		if (w->barrier_mask[id])
			counted += all ? run->lanes : bits_count(w->barrier_mask[id]);
	}
	return counted && counted >= expected;
}

void barrier_lanes_left(struct run *run, struct cta *cta)
{
	for (uint32_t id = 0; id < ALL_BARRIERS; id++)
		if (cta->barriers[id].arrived && barrier_is_complete(run, cta, id))
			barrier_complete(run, cta, id);
}

static void add_to_reduction(const struct run *run, const struct warp *w, const struct code *op,
                             uint64_t mask, struct barrier *b)
{
	uint64_t p = mask_of_predicate(place(w, op->c), run->lanes);
	p = (op->negated & 4 ? ~p : p) & mask;
	b->popc += bits_count(p);
	b->some_true |= p != 0;
	b->some_false |= p != mask;
}

/* Lanes have come to barrier `id`; those that wait for it are blocked first. */
static enum control_result count_arrivals(struct run *run, struct warp *w, uint32_t id)
{
	const struct barrier *b = &w->cta->barriers[id];
	/* Counting first: most arrivals are not the last. */
	if ((b->expected || b->arrived >= w->cta->live_threads) && barrier_is_complete(run, w->cta, id))
		barrier_complete(run, w->cta, id);
	return CONTROL_SWITCH;
}

/* The four warps of a group wait for one another: what one reads for a product, another may overwrite behind the wait. */
enum control_result control_warpgroup_wait(struct run *run, struct warp *w, const struct code *op,
                                           uint64_t mask)
{
	enum { GROUP_WARPS = 4 };
	uint32_t group = w->index / GROUP_WARPS, id = BARRIERS + group;
	struct barrier *b = &w->cta->barriers[id];
	uint32_t warps = run->warps_per_cta - group * GROUP_WARPS;
	(void)op;
	b->expected = (warps < GROUP_WARPS ? warps : GROUP_WARPS) * run->lanes;
	b->arrived += bits_count(mask);
	w->barrier_mask[id] |= mask;
	w->paths[w->current].barrier = (uint8_t)id;
	path_block(w, PATH_BARRIER);
	return count_arrivals(run, w, id);
}

enum control_result control_barrier(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	struct cta *cta = w->cta;
	uint64_t id = lane_get(place(w, op->a), 4, bits_lowest(mask));
	if (id >= BARRIERS) {
		fault_at(run, w, op, mask, EXEC_ILLEGAL_INSTRUCTION,
		         "barrier %u does not exist; there are 0 to %u", (unsigned)id, BARRIERS - 1);
		return CONTROL_FAULT;
	}
	struct barrier *b = &cta->barriers[id];
	b->expected = (uint32_t)lane_get(place(w, op->b), 4, bits_lowest(mask));
	b->arrived += bits_count(mask);
	w->barrier_mask[id] |= mask;
	if (op->mode == PTX_MODE_red)
		add_to_reduction(run, w, op, mask, b);
	if (op->mode != PTX_MODE_arrive) {
		w->paths[w->current].barrier = (uint8_t)id;
		path_block(w, PATH_BARRIER);
	}
	return count_arrivals(run, w, (uint32_t)id);
}

/* ---- barriers of the warp -------------------------------------------------------------------------------------- */

uint64_t sync_members(const struct run *run, const struct warp *w, const struct code *op, uint64_t mask)
{
	uint64_t members = 0;
	for (; mask; mask &= mask - 1)
		members |= lane_get(place(w, op->d), 4, bits_lowest(mask));
	return (run->lanes == 64 ? members | members << 32 : members) & w->live;
}

static bool is_at(const struct path *p, const struct path *me)
{
	return p->state == PATH_SYNC && p->pc == me->pc && p->frame == me->frame;
}

/*
 * Some lanes that `d` names have not arrived: wait for them. Lanes that have
 * arrived run the instruction together, and stay together: they have met, as on
 * a GPU, wherever their branches would have met. If no other path of the warp can
 * run, they go on without the missing lanes.
 */
enum control_result control_sync(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	const struct path me = w->paths[w->current];
	uint64_t members = sync_members(run, w, op, mask), all = mask;
	for (uint32_t i = 0; w->waiting && i < w->path_count; i++)
		if (is_at(&w->paths[i], &me))
			all |= w->paths[i].mask;
	if ((members & ~all) && (w->ready_count || w->phase_waiting)) {
		path_block(w, PATH_SYNC);
		return CONTROL_SWITCH;
	}
	w->epoch++;
	if (!op->handler(run, w, op, all))
		return CONTROL_FAULT;
	for (uint32_t i = 0; w->waiting && i < w->path_count; i++) {
		struct path *p = &w->paths[i];
		if (!is_at(p, &me))
			continue;
		p->pc++;
		if (p->round || me.round)
			path_wake(w, i);
		else
			path_merge(w, i);
	}
	return CONTROL_NEXT;
}

bool sync_release(struct warp *w)
{
	bool any = false;
	for (uint32_t i = 0; w->waiting && i < w->path_count; i++) {
		if (w->paths[i].state == PATH_SYNC) {
			path_wake(w, i);
			any = true;
		}
	}
	return any;
}

/* ---- barriers of clusters ------------------------------------------------------------------------------ */

/* Paths of the CTA that wait for phases look again. */
static void wake_waiting(struct run *run, struct cta *cta)
{
	for (uint32_t i = 0; i < run->warps_per_cta; i++) {
		struct warp *w = &cta->warps[i];
		for (uint32_t p = 0; w->phase_waiting && p < w->path_count; p++)
			if (w->paths[p].state == PATH_PHASE) {
				w->phase_waiting--;
				path_wake(w, p);
			}
	}
}

/* The same for all CTAs of the cluster: any of them may wait for an object of another one. */
static void wake_cluster(struct run *run, struct cta *cta)
{
	run->progress.changed = true;
	for (uint32_t i = 0; i < run->cluster_size; i++) {
		struct cta *other = &run->ctas[cta->cluster_first + i];
		/* Paths that waited see what was stored before: no race. */
		other->epoch++;
		if (other->is_open)
			wake_waiting(run, other);
	}
}

static struct cta *first_of(const struct run *run, const struct cta *cta)
{
	return &run->ctas[cta->cluster_first];
}

static void complete_if_all_here(struct run *run, struct cta *first)
{
	uint32_t live = 0;
	for (uint32_t i = 0; i < run->cluster_size; i++)
		live += first[i].is_open ? first[i].live_threads : 0;
	if (!first->cluster_arrived || first->cluster_arrived < live)
		return;
	first->cluster_arrived = 0;
	first->cluster_phase++;
	wake_cluster(run, first);
}

void cluster_lanes_left(struct run *run, struct cta *cta)
{
	complete_if_all_here(run, first_of(run, cta));
}

bool handle_cluster_arrive(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	struct cta *first = first_of(run, w->cta);
	(void)op;
	for (uint64_t left = mask; left; left &= left - 1)
		w->cluster_phase[bits_lowest(left)] = first->cluster_phase;
	first->cluster_arrived += bits_count(mask);
	complete_if_all_here(run, first);
	return true;
}

static bool cluster_is_over(const struct run *run, const struct warp *w, uint64_t mask)
{
	uint32_t phase = first_of(run, w->cta)->cluster_phase;
	for (; mask; mask &= mask - 1)
		if (w->cluster_phase[bits_lowest(mask)] == phase)
			return false;
	return true;
}

bool handle_cluster_wait(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	access_record(run, w, op, mask, PTX_SPACE_generic, NULL);
	return true;
}

/* ---- addresses in a cluster, see CLUSTER_SHIFT ------------------------------------------------------- */

/* The address of the same place in the CTA of rank b. */
bool handle_mapa(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	uint64_t window = op->mode ? SHARED_WINDOW : 0, own = (UINT64_C(1) << CLUSTER_SHIFT) - 1;
	for (unsigned i = 0; i < run->lanes; i++) {
		uint64_t offset = (lane_get(place(w, op->a), op->bytes, i) - window) & own;
		uint64_t rank = lane_get(place(w, op->b), 4, i);
		/* A CTA on its own is the whole cluster, and its addresses are plain ones. */
		uint64_t above = run->cluster_size > 1 || rank ? rank + 1 : 0;
		lane_set(run->scratch[0], op->bytes, i, window + (above << CLUSTER_SHIFT) + offset);
	}
	lanes_write(run, w, op->dst, run->scratch[0], op->bytes, mask);
	return true;
}

bool handle_getctarank(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	uint64_t window = op->mode ? SHARED_WINDOW : 0;
	for (unsigned i = 0; i < run->lanes; i++) {
		uint64_t above = (lane_get(place(w, op->a), op->bytes, i) - window) >> CLUSTER_SHIFT;
		lane_set(run->scratch[0], 4, i, above ? above - 1 : w->cta->cluster_rank);
	}
	lanes_write(run, w, op->dst, run->scratch[0], 4, mask);
	return true;
}

uint8_t *access_shared_host(struct run *run, struct warp *w, uint64_t offset, uint64_t bytes)
{
	uint64_t rank = offset >> CLUSTER_SHIFT, own = offset & ((UINT64_C(1) << CLUSTER_SHIFT) - 1);
	const struct cta *cta = w->cta;
	if (rank > run->cluster_size || own > run->shared_bytes || run->shared_bytes - own < bytes)
		return NULL;
	if (rank)
		cta = &run->ctas[w->cta->cluster_first + rank - 1];
	return cta->shared + own;
}

/* ---- books of mbarriers, for recordings ---------------------------------------------------------------- */

struct mbarrier_book {
	struct phase_counts now, ended; /* so far, and when the last phase ended */
};

static uint32_t book_count(const struct run *run)
{
	return run->shared_bytes / MBARRIER_BYTES + 1;
}

/* NULL: the launch is not recorded, or the address is another CTA's (mapa). */
static struct mbarrier_book *book_at(const struct run *run, struct cta *cta, uint64_t own)
{
	if (!cta->recorded || own >= run->shared_bytes)
		return NULL;
	if (!cta->books)
		cta->books = memory_zeroed(book_count(run), sizeof *cta->books);
	return &cta->books[own / MBARRIER_BYTES];
}

static struct mbarrier_book *book_of_host(const struct run *run, const struct cta *cta, uint64_t host)
{
	for (uint32_t i = 0; i < run->cluster_size; i++) {
		struct cta *owner = &run->ctas[cta->cluster_first + i];
		if (host - (uintptr_t)owner->shared < run->shared_bytes)
			return book_at(run, owner, host - (uintptr_t)owner->shared);
	}
	return NULL;
}

/* A lane changes the object at `address`, as it stands in the instruction. */
static void note_change(const struct run *run, struct warp *w, uint64_t address)
{
	struct mbarrier_book *book = book_at(run, w->cta, phases_own_address(address));
	if (book)
		book->now.changes++;
}

uint64_t phases_note_pieces(const struct run *run, struct warp *w, uint64_t address, uint64_t pieces)
{
	uint64_t own = phases_own_address(address), object = own / MBARRIER_BYTES + 1;
	struct mbarrier_book *book = book_at(run, w->cta, own);
	if (!book || object > UINT16_MAX)
		return 0;
	book->now.pieces = (uint16_t)(book->now.pieces + pieces);
	return object;
}

/* The object at `host` is initialized: no phase has ended. */
static void note_init(const struct run *run, struct warp *w, uint64_t host)
{
	struct mbarrier_book *book = book_of_host(run, w->cta, host);
	if (book)
		book->ended = (struct phase_counts){0};
}

/* A phase of the object at `host` has ended, in this CTA or another of the cluster. */
static void note_end(const struct run *run, struct cta *cta, uint64_t host)
{
	struct mbarrier_book *book = book_of_host(run, cta, host);
	if (book)
		book->ended = book->now;
}

/* What a wait of these lanes waited for; zeros if they name several objects, or one of another CTA. */
static struct phase_counts waited_for(const struct run *run, const struct warp *w, const uint64_t *address,
                                      uint64_t mask)
{
	uint64_t first = address[bits_lowest(mask)];
	for (uint64_t left = mask; left; left &= left - 1)
		if (address[bits_lowest(left)] != first)
			return (struct phase_counts){0};
	const struct mbarrier_book *book = book_at(run, w->cta, phases_own_address(first));
	return book ? book->ended : (struct phase_counts){0};
}

void phases_open_cta(const struct run *run, struct cta *cta)
{
	if (cta->books)
		memset(cta->books, 0, book_count(run) * sizeof *cta->books);
}

void phases_free(struct cta *cta)
{
	free(cta->books);
}

/* ---- mbarriers ----------------------------------------------------------------------------------------- */

/*
 * The phase of an mbarrier ends when enough threads have arrived and enough bytes
 * have been copied. The object is 64 bits of shared memory, of a format that PTX
 * leaves open: here pending arrivals, arrivals of the next phase, bytes to come,
 * the phase. A wait for a phase that is not over blocks its path until one ends
 * in the cluster. Only if nothing else can run does it give up and return false,
 * as try_wait may at any time. So a recording has one instruction for each wait.
 */

enum { COUNT_BITS = 20, BYTES_BITS = 22 };
#define COUNT_MAX ((UINT64_C(1) << COUNT_BITS) - 1)
#define VALID (UINT64_C(1) << 62)
#define PHASE (UINT64_C(1) << 63)

struct object {
	uint64_t pending, expected; /* arrivals of this phase, of each */
	int64_t bytes;              /* still to come */
	bool is_valid, phase;
	uint64_t host; /* where it is, if it was read there */
};

static struct object object_of(uint64_t bits)
{
	return (struct object){.pending = bits & COUNT_MAX,
	                       .expected = bits >> COUNT_BITS & COUNT_MAX,
	                       .bytes = (int64_t)(bits >> 2 * COUNT_BITS << (64 - BYTES_BITS)) >>
	                                (64 - BYTES_BITS),
	                       .is_valid = (bits & VALID) != 0,
	                       .phase = (bits & PHASE) != 0};
}

static uint64_t object_bits(const struct object *o)
{
	uint64_t bytes = (uint64_t)o->bytes & ((UINT64_C(1) << BYTES_BITS) - 1);
	return o->pending | o->expected << COUNT_BITS | bytes << 2 * COUNT_BITS | (o->is_valid ? VALID : 0) |
	       (o->phase ? PHASE : 0);
}

static struct object read_object(uint64_t host)
{
	uint64_t bits;
	memcpy(&bits, device_host(host), sizeof bits);
	struct object o = object_of(bits);
	o.host = host;
	return o;
}

static void write_object(uint64_t host, const struct object *o)
{
	uint64_t bits = object_bits(o);
	memcpy(device_host(host), &bits, sizeof bits);
}

static void end_phase(struct run *run, struct cta *cta, struct object *o)
{
	o->phase = !o->phase;
	o->pending = o->expected;
	note_end(run, cta, o->host);
	wake_cluster(run, cta);
}

static void end_if_complete(struct run *run, struct cta *cta, struct object *o)
{
	if (!o->pending && !o->bytes)
		end_phase(run, cta, o);
}

bool mbarrier_complete_bytes(struct run *run, struct warp *w, const struct code *op, uint64_t mask,
                             uint64_t host, int64_t bytes)
{
	struct object o = read_object(host);
	if (!o.is_valid)
		return fault_at(run, w, op, mask, EXEC_ILLEGAL_INSTRUCTION,
		                "a copy reports to an mbarrier that was not initialised");
	o.bytes -= bytes;
	end_if_complete(run, w->cta, &o);
	write_object(host, &o);
	return true;
}

/* ---- what lanes do with an object ----------------------------------------------------------------------- */

static bool arrive(struct run *run, struct warp *w, const struct code *op, uint64_t mask, struct object *o,
                   uint64_t count)
{
	if (count > o->pending || !count)
		return fault_at(run, w, op, mask, EXEC_ILLEGAL_INSTRUCTION,
		                "%llu arrivals at an mbarrier that waits for %llu", (unsigned long long)count,
		                (unsigned long long)o->pending);
	o->pending -= count;
	end_if_complete(run, w->cta, o);
	return true;
}

/* One lane: `value` is the count of arrivals or bytes. */
static bool change(struct run *run, struct warp *w, const struct code *op, uint64_t mask, struct object *o,
                   uint64_t value)
{
	const struct ptx_insn *insn = insn_of(run, op);
	bool expects = (insn->flags & PTX_FLAG_EXPECT_TX) != 0;
	switch (insn->mode) {
	case PTX_MODE_expect_tx:
		o->bytes += (int64_t)(uint32_t)value;
		return true;
	case PTX_MODE_complete_tx:
		o->bytes -= (int64_t)(uint32_t)value;
		end_if_complete(run, w->cta, o);
		return true;
	default: /* arrive, arrive_drop, and that of cp.async */
		o->bytes += expects ? (int64_t)(uint32_t)value : 0;
		if (insn->mode == PTX_MODE_arrive_drop)
			o->expected -= expects ? 1 : value;
		return arrive(run, w, op, mask, o, expects ? 1 : value);
	}
}

/* arrive and its like, expect_tx, complete_tx */
bool handle_mbarrier_change(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	struct access *a = &run->kernel->accesses[op->more];
	const uint64_t *host = access_hosts(run, w, op, a, mask);
	uint64_t *state = (uint64_t *)(void *)run->scratch[0];
	if (!host)
		return false;
	for (uint64_t left = mask; left; left &= left - 1) {
		unsigned lane = bits_lowest(left);
		struct object o = read_object(host[lane]);
		if (!o.is_valid)
			return fault_at(run, w, op, left & -left, EXEC_ILLEGAL_INSTRUCTION,
			                "the mbarrier was not initialised");
		state[lane] = object_bits(&o);
		note_change(run, w, run->address[lane]);
		if (!change(run, w, op, left & -left, &o, lane_get(place(w, op->a), 4, lane)))
			return false;
		write_object(host[lane], &o);
	}
	if (op->target != PTX_NONE)
		lanes_write(run, w, op->target, state, 8, mask);
	return true;
}

/* Access the object without a change. */
bool handle_mbarrier_touch(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	if (!access_hosts(run, w, op, &run->kernel->accesses[op->more], mask))
		return false;
	for (; mask; mask &= mask - 1)
		note_change(run, w, run->address[bits_lowest(mask)]);
	return true;
}

bool handle_mbarrier_init(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	const struct ptx_insn *insn = insn_of(run, op);
	struct access *a = &run->kernel->accesses[op->more];
	const uint64_t *host = access_hosts(run, w, op, a, mask);
	if (!host)
		return false;
	for (uint64_t left = mask; left; left &= left - 1) {
		unsigned lane = bits_lowest(left);
		uint64_t count = lane_get(place(w, op->a), 4, lane);
		bool is_init = insn->mode == PTX_MODE_init;
		if (is_init && (!count || count > COUNT_MAX))
			return fault_at(run, w, op, left & -left, EXEC_ILLEGAL_INSTRUCTION,
			                "an mbarrier for %llu arrivals, 1 to %llu are possible",
			                (unsigned long long)count, (unsigned long long)COUNT_MAX);
		struct object o = {
		    .pending = is_init ? count : 0, .expected = is_init ? count : 0, .is_valid = is_init};
		note_change(run, w, run->address[lane]);
		note_init(run, w, host[lane]);
		write_object(host[lane], &o);
	}
	run->progress.changed = true;
	return true;
}

bool handle_mbarrier_pending(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	for (unsigned i = 0; i < run->lanes; i++)
		lane_set(run->scratch[0], 4, i, object_of(lane_get(place(w, op->a), 8, i)).pending);
	lanes_write(run, w, op->dst, run->scratch[0], 4, mask);
	return true;
}

/* ---- waits ---------------------------------------------------------------------------------------------- */

/* The phase that a lane waits for: of a state, or by its parity. */
static bool wanted_phase(const struct warp *w, const struct code *op, unsigned lane)
{
	return op->mode ? lane_get(place(w, op->a), 4, lane) & 1
	                : object_of(lane_get(place(w, op->a), 8, lane)).phase;
}

/* Lanes whose phase is over. */
static uint64_t lanes_done(const struct warp *w, const struct code *op, const uint64_t *host, uint64_t mask)
{
	uint64_t done = 0;
	for (; mask; mask &= mask - 1) {
		unsigned lane = bits_lowest(mask);
		if (read_object(host[lane]).phase != wanted_phase(w, op, lane))
			done |= mask & -mask;
	}
	return done;
}

bool mbarrier_is_over(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	struct path *p = &w->paths[w->current];
	if (op->handler == handle_cluster_wait)
		return cluster_is_over(run, w, mask);
	if (p->gives_up) {
		p->gives_up = false;
		return true;
	}
	const uint64_t *host = access_hosts_unrecorded(run, w, op, &run->kernel->accesses[op->more], mask);
	/* At a bad address: the instruction itself faults. */
	return !host || lanes_done(w, op, host, mask) == mask;
}

/* Record a wait, marked with what it waited for if its phase is over. */
static bool record_wait(struct run *run, struct warp *w, const struct code *op, uint64_t mask, bool is_over)
{
	struct phase_counts counts = {0};
	uint64_t marked[LANES_MAX];
	if (is_over)
		counts = waited_for(run, w, run->address, mask);
	if (!counts.changes && !counts.pieces)
		return access_hosts(run, w, op, &run->kernel->accesses[op->more], mask) != NULL;
	for (unsigned i = 0; i < run->lanes; i++)
		marked[i] = address_with_phase(phases_own_address(run->address[i]), counts);
	access_record(run, w, op, mask, PTX_SPACE_shared, marked);
	return true;
}

bool handle_mbarrier_wait(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	struct access *a = &run->kernel->accesses[op->more];
	const uint64_t *host = access_hosts_unrecorded(run, w, op, &run->kernel->accesses[op->more], mask);
	if (!host)
		return false;
	if (run->progress.is_watched)
		access_watch_read(run, a, host[bits_lowest(mask)]);
	uint64_t done = lanes_done(w, op, host, mask);
	if (!record_wait(run, w, op, mask, done == mask))
		return false;
	mask_to_predicate(run->scratch[0], done, run->lanes);
	lanes_write(run, w, op->dst, run->scratch[0], 4, mask);
	return true;
}

/* Lanes that wait for others at an mbarrier go on alone; without such lanes, the waits give up. */
bool mbarrier_release(const struct run *run, struct warp *w)
{
	bool any = false;
	if (!w->phase_waiting)
		return false;
	if (w->current == PTX_NONE && path_go_ahead(w))
		return true;
	for (uint32_t p = 0; w->phase_waiting && p < w->path_count; p++) {
		/* Waits at the cluster's barrier cannot give up. */
		if (w->paths[p].state != PATH_PHASE ||
		    run->kernel->code[w->paths[p].pc].handler == handle_cluster_wait)
			continue;
		w->paths[p].gives_up = true;
		w->phase_waiting--;
		path_wake(w, p);
		any = true;
	}
	return any;
}
