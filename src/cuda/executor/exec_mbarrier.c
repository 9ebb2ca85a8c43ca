/*
 * mbarriers: phases that end when enough threads have arrived and enough bytes
 * have been copied.
 *
 * The object is 64 bits of shared memory. What they mean is nobody's business
 * but ours: pending arrivals, arrivals of the next phase, bytes to come, the
 * phase. A wait for a phase that is not over puts its path aside until one ends
 * in the CTA; only if nothing else can run does it give up and answer false, as
 * try_wait may at any time. So what is recorded of a wait is one instruction.
 */
#include "cuda/executor/exec_mbarrier.h"

#include "cuda/executor/exec_access.h"
#include "cuda/executor/exec_handlers.h"
#include "cuda/executor/exec_mask.h"
#include "cuda/executor/exec_path.h"
#include "cuda/executor/exec_phases.h"

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

/* ---- phases --------------------------------------------------------------------------------------------- */

/* Paths that wait look again. */
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

/* All that wait in the cluster: who waits for an object of another CTA is among them. */
void mbarrier_wake_cluster(struct run *run, struct cta *cta)
{
	run->progress.changed = true;
	for (uint32_t i = 0; i < run->cluster_size; i++) {
		struct cta *other = &run->ctas[cta->cluster_first + i];
		/* What was stored before is seen by who waited: no race. */
		other->epoch++;
		if (other->is_open)
			wake_waiting(run, other);
	}
}

static void end_phase(struct run *run, struct cta *cta, struct object *o)
{
	o->phase = !o->phase;
	o->pending = o->expected;
	phases_note_end(run, cta, o->host);
	mbarrier_wake_cluster(run, cta);
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
	const struct ptx_insn *insn = &run->kernel->module->ptx->insns[op->insn];
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
		phases_note_change(run, w, run->address[lane]);
		if (!change(run, w, op, left & -left, &o, lane_get(place(w, op->a), 4, lane)))
			return false;
		write_object(host[lane], &o);
	}
	if (op->target != PTX_NONE)
		lanes_write(run, w, op->target, state, 8, mask);
	return true;
}

/* Looks at the object, and leaves it as it is. */
bool handle_mbarrier_touch(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	if (!access_hosts(run, w, op, &run->kernel->accesses[op->more], mask))
		return false;
	for (; mask; mask &= mask - 1)
		phases_note_change(run, w, run->address[bits_lowest(mask)]);
	return true;
}

bool handle_mbarrier_init(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	const struct ptx_insn *insn = &run->kernel->module->ptx->insns[op->insn];
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
		phases_note_change(run, w, run->address[lane]);
		phases_note_init(run, w, host[lane]);
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

static const uint64_t *hosts_unrecorded(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	run->piece = NOT_RECORDED;
	const uint64_t *host = access_hosts(run, w, op, &run->kernel->accesses[op->more], mask);
	run->piece = WHOLE_INSN;
	return host;
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
	const uint64_t *host = hosts_unrecorded(run, w, op, mask);
	/* A bad address is told by the instruction itself. */
	return !host || lanes_done(w, op, host, mask) == mask;
}

/* With what it waited for, if it was told that the phase is over. */
static bool record_wait(struct run *run, struct warp *w, const struct code *op, uint64_t mask, bool is_over)
{
	struct phase_counts counts = {0};
	uint64_t marked[LANES_MAX];
	if (is_over)
		counts = phases_waited_for(run, w, run->address, mask);
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
	const uint64_t *host = hosts_unrecorded(run, w, op, mask);
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

/* Nobody else can run: lanes that wait for those at an mbarrier go on alone, or else the waits give up. */
bool mbarrier_release(const struct run *run, struct warp *w)
{
	bool any = false;
	if (!w->phase_waiting)
		return false;
	if (w->current == PTX_NONE && path_go_ahead(w))
		return true;
	for (uint32_t p = 0; w->phase_waiting && p < w->path_count; p++) {
		/* The cluster's barrier has no way to give up. */
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
