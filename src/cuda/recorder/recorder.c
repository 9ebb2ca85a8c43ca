/*
 * The recorder: PTX instructions in, warp streams out. What an instruction stands for is looked up in the kernel's
 * lowering, which is made at its first launch; a straight span is one run of trace indexes. Left out: anything about time.
 */
#include "cuda/recorder/recorder.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/memory.h"
#include "cuda/lowering/lower.h"
#include "cuda/memory/memory.h"
#include "cuda/recorder/held.h"
#include "trace/interleave.h"
#include "trace/poll.h"

/* Chosen by measurement: docs/lowering.md. */
enum { RECORDER_LEVEL = -3, INSN_BYTES = 16 };
/* Of a poll that stands for several accesses, or none. */
#define NO_TWIN (LOWER_NONE - 1)

/* A kernel that was launched before. */
struct recorded_kernel {
	const struct ptx_module *module;
	uint32_t entry;
	struct lowering *lowering;
	uint32_t first;       /* trace index of lowering->insns[0] */
	uint32_t *lone;       /* by instruction of the module: see find_lone_accesses() */
	uint32_t *poll;       /* by instruction of the module: see add_polls(); NULL: the kernel has none */
	uint64_t local_bytes; /* per thread, a power of two */
};

struct recorder_cta {
	struct recorder_cta *next; /* open ones, or free ones */
	struct cta_stream
	    *stream;              /* NULL after a failure: nothing is kept any more; or while a round holds */
	struct cta_stream *aside; /* the stream meanwhile */
	struct recorder_round *round;
	const struct recorded_kernel *kernel;
	uint32_t warp_size;
	uint64_t local_base, local_stride; /* of warp 0; from one warp to the next */
	/* By warp: where the folded branch that came last leads, and what it jumps over begins; LOWER_NONE. */
	struct fold {
		uint32_t target, body;
	} fold[TRACE_MAX_WARPS];
};

struct recorder {
	struct trace_writer *writer;
	bool failed, in_launch;
	struct error failure;
	struct recorded_kernel *kernels;
	uint32_t kernel_count, kernel_capacity;
	uint32_t launches;
	uint32_t open_kernel, warp_size, warps_per_cta;
	struct recorder_cta *open, *free;
	void (*passed)(void *user);
	void *user;
};

struct recorder *recorder_new(const char *path, struct error *err)
{
	struct trace_writer *writer = trace_writer_new(path, err);
	if (!writer)
		return NULL;
	struct recorder *r = memory_zeroed(1, sizeof *r);
	r->writer = writer;
	trace_writer_set_level(writer, RECORDER_LEVEL);
	return r;
}

static void free_ctas(struct recorder_cta *cta)
{
	while (cta) {
		struct recorder_cta *next = cta->next;
		free(cta);
		cta = next;
	}
}

static void recorder_free(struct recorder *r)
{
	for (uint32_t i = 0; i < r->kernel_count; i++) {
		lower_free(r->kernels[i].lowering);
		free(r->kernels[i].lone);
		free(r->kernels[i].poll);
	}
	free(r->kernels);
	free_ctas(r->open);
	free_ctas(r->free);
	free(r);
}

void recorder_abort(struct recorder *r)
{
	trace_writer_abort(r->writer);
	recorder_free(r);
}

bool recorder_finish(struct recorder *r, struct error *err)
{
	if (r->in_launch)
		recorder_end_launch(r);
	if (r->failed) {
		if (err)
			*err = r->failure;
		recorder_abort(r);
		return false;
	}
	bool ok = trace_writer_finish(r->writer, err);
	recorder_free(r);
	return ok;
}

uint64_t recorder_insns(const struct recorder *r)
{
	return trace_writer_insns(r->writer);
}

void recorder_number(struct recorder *r, uint32_t number)
{
	r->launches = number - 1;
}

void recorder_limit(struct recorder *r, uint64_t bytes, void (*passed)(void *user), void *user)
{
	trace_writer_set_limit(r->writer, bytes);
	r->passed = passed;
	r->user = user;
}

/* Of several failures the first is reported. */
static void note(struct recorder *r, bool ok, const struct error *err)
{
	if (ok || r->failed)
		return;
	r->failed = true;
	r->failure = *err;
	if (r->passed && trace_writer_is_at_limit(r->writer))
		r->passed(r->user);
}

void recorder_copy(struct recorder *r, uint64_t address, uint64_t bytes)
{
	if (!r->failed)
		trace_writer_copy(r->writer, address, bytes);
}

/* ---- sources ---------------------------------------------------------------------------------------- */

/* NULL: unknown. */
static const char *source_of(const struct ptx_module *m, uint32_t insn)
{
	const struct ptx_insn *i = &m->insns[insn];
	return i->source_line && i->source_file < m->source_count ? m->sources[i->source_file] : NULL;
}

static void write_sources(FILE *out, const struct recorded_kernel *k)
{
	const struct ptx_module *m = k->module;
	const char *before = "";
	for (uint32_t i = 0; i < m->insn_count; i++) {
		uint32_t first = k->lowering->start[i];
		const char *source = source_of(m, i);
		if (first == k->lowering->start[i + 1] || source == before)
			continue;
		fprintf(out, "%" PRIu64 "\t%s\t%s\n", k->lowering->insns[first].pc,
		        m->functions[k->entry].name, source ? source : "");
		before = source;
	}
}

char *recorder_sources(const struct recorder *r)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = memory_stream_open(&text, &bytes);
	for (uint32_t i = 0; i < r->kernel_count; i++)
		write_sources(out, &r->kernels[i]);
	memory_stream_close(out);
	return text;
}

/* ---- launches --------------------------------------------------------------------------------------- */

/* Local memory per thread: frames of all functions, or plenty where the depth of calls is unknown. */
static uint64_t local_bytes_of(const struct ptx_module *m, const struct ptx_kernel *k)
{
	enum { FRAME_SLACK = 64, UNKNOWN_DEPTH = 64 * 1024 };
	uint64_t bytes = 0;
	for (uint32_t i = 0; i < k->function_count; i++)
		bytes += m->functions[k->functions[i]].local_bytes + FRAME_SLACK;
	if (k->is_recursive || k->calls_indirectly)
		bytes += UNKNOWN_DEPTH;
	return UINT64_C(1) << bits_log2_up(bytes);
}

/* Kernels of one name in different modules share a table in the trace: their code is laid out one after the other. */
static uint64_t next_pc(const struct recorder *r, const char *name)
{
	uint64_t pc = 0;
	for (uint32_t i = 0; i < r->kernel_count; i++) {
		const struct recorded_kernel *k = &r->kernels[i];
		if (!strcmp(k->module->functions[k->entry].name, name))
			pc += (uint64_t)k->lowering->count * INSN_BYTES;
	}
	return pc;
}

static uint32_t find_kernel(const struct recorder *r, const struct ptx_module *module, uint32_t entry)
{
	for (uint32_t i = r->kernel_count; i-- > 0;)
		if (r->kernels[i].module == module && r->kernels[i].entry == entry)
			return i;
	return UINT32_MAX;
}

static void add_insns(struct recorder *r, struct recorded_kernel *k)
{
	for (uint32_t i = 0; i < k->lowering->count; i++) {
		const struct trace_insn *insn = &k->lowering->insns[i];
		uint32_t at = trace_writer_insn(r->writer, insn, k->lowering->strings + insn->opcode);
		if (!i)
			k->first = at;
		else if (at != k->first + i)
			BUG("instruction %u of a kernel is number %u in its table", i, at);
	}
}

/*
 * Trace indexes of instructions that stand for one access and nothing else, at
 * addresses that are recorded as they are; LOWER_NONE for all others. Most
 * accesses are such, and recorder_access() has little to do for them.
 */
static uint32_t *find_lone_accesses(const struct recorded_kernel *k)
{
	const struct lowering *l = k->lowering;
	uint32_t count = k->module->insn_count;
	uint32_t *lone = memory_zeroed(count ? count : 1, sizeof *lone);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t at = l->start[i];
		bool is_lone = l->access[i] == at && l->start[i + 1] == at + 1 &&
		               l->folded[i] == LOWER_NONE && l->local_access[i] == LOWER_NONE &&
		               l->insns[at].flags & INSN_MEMORY && l->insns[at].space != SPACE_GENERIC &&
		               l->insns[at].space != SPACE_LOCAL;
		lone[i] = is_lone ? k->first + at : LOWER_NONE;
	}
	return lone;
}

/* The only access that an instruction stands for; LOWER_NONE: there are more, or none. */
static uint32_t find_only_access(const struct lowering *l, uint32_t insn)
{
	uint32_t found = LOWER_NONE;
	for (uint32_t at = l->start[insn]; at < l->start[insn + 1]; at++) {
		if (!(l->insns[at].flags & INSN_MEMORY))
			continue;
		if (found != LOWER_NONE)
			return LOWER_NONE;
		found = at;
	}
	return found;
}

/*
 * Add a twin of each access that polls, behind all instructions of the kernel: what polls in a loop that waits is told from
 * the same instruction elsewhere. k->poll has its trace index, NO_TWIN, or LOWER_NONE for other instructions.
 */
static void add_polls(struct recorder *r, struct recorded_kernel *k, const struct recorded_launch *launch)
{
	const struct lowering *l = k->lowering;
	size_t bytes = ((size_t)k->module->insn_count + 1) * sizeof *k->poll;
	if (!launch->poll_count)
		return;
	k->poll = memory_grow(NULL, bytes, 1);
	memset(k->poll, 0xff, bytes);
	for (uint32_t i = 0; i < launch->poll_count; i++) {
		const struct recorded_poll *p = &launch->polls[i];
		uint32_t access = find_only_access(l, p->insn);
		uint32_t round = l->start[p->last + 1] - l->start[p->first];
		k->poll[p->insn] = NO_TWIN;
		if (access == LOWER_NONE)
			continue;
		struct trace_insn twin = l->insns[access];
		twin.flags |= INSN_POLL;
		twin.space = SPACE_GLOBAL;
		twin.round = (uint8_t)(round < UINT8_MAX ? round : UINT8_MAX);
		k->poll[p->insn] = trace_writer_insn(r->writer, &twin, l->strings + twin.opcode);
	}
}

static uint32_t add_kernel(struct recorder *r, const struct recorded_launch *launch)
{
	const struct ptx_function *entry = &launch->module->functions[launch->kernel->entry];
	if (r->kernel_count == r->kernel_capacity) {
		r->kernel_capacity = r->kernel_capacity ? 2 * r->kernel_capacity : 16;
		r->kernels = memory_grow(r->kernels, r->kernel_capacity, sizeof *r->kernels);
	}
	struct recorded_kernel k = {
	    .module = launch->module,
	    .entry = launch->kernel->entry,
	    .lowering = lower_kernel(launch->module, launch->kernel, next_pc(r, entry->name)),
	    .local_bytes = local_bytes_of(launch->module, launch->kernel),
	};
	add_insns(r, &k);
	add_polls(r, &k, launch);
	k.lone = find_lone_accesses(&k);
	r->kernels[r->kernel_count] = k;
	return r->kernel_count++;
}

static bool begin_kernel(struct recorder *r, const struct recorded_launch *launch, struct error *err)
{
	uint64_t threads = (uint64_t)launch->block.x * launch->block.y * launch->block.z;
	r->warp_size = launch->warp_size;
	r->warps_per_cta = (uint32_t)((threads + launch->warp_size - 1) / launch->warp_size);
	const struct trace_kernel header = {
	    .name = launch->module->functions[launch->kernel->entry].name,
	    .id = ++r->launches,
	    .stream = launch->stream,
	    .grid = launch->grid,
	    .block = launch->block,
	    .warp_size = launch->warp_size,
	    .warps_per_cta = r->warps_per_cta,
	    .registers_per_thread =
	        launch->registers_per_thread ? launch->registers_per_thread : launch->kernel->registers,
	    .shared_bytes = launch->shared_bytes,
	    .shared_window = SHARED_WINDOW,
	    .local_window = LOCAL_WINDOW,
	};
	if (!trace_writer_begin_kernel(r->writer, &header, err))
		return false;
	r->open_kernel = find_kernel(r, launch->module, launch->kernel->entry);
	if (r->open_kernel == UINT32_MAX)
		r->open_kernel = add_kernel(r, launch);
	return true;
}

void recorder_begin_launch(struct recorder *r, const struct recorded_launch *launch)
{
	struct error err;
	if (r->in_launch)
		BUG("launch inside a launch");
	r->in_launch = true;
	if (!r->failed)
		note(r, begin_kernel(r, launch, &err), &err);
}

void recorder_end_launch(struct recorder *r)
{
	struct error err;
	while (r->open)
		recorder_end_cta(r, r->open);
	r->in_launch = false;
	if (!r->failed)
		note(r, trace_writer_end_kernel(r->writer, &err), &err);
}

/* ---- CTAs ------------------------------------------------------------------------------------------- */

struct recorder_cta *recorder_begin_cta(struct recorder *r, uint64_t number)
{
	struct recorder_cta *cta = r->free;
	if (cta)
		r->free = cta->next;
	else
		cta = memory_zeroed(1, sizeof *cta);
	cta->next = r->open;
	r->open = cta;
	memset(cta->fold, 0xff, sizeof cta->fold);
	cta->stream = cta->aside = NULL;
	cta->round = NULL;
	if (r->failed)
		return cta;
	cta->stream = cta_stream_open(r->writer, number);
	cta->kernel = &r->kernels[r->open_kernel];
	cta->warp_size = r->warp_size;
	cta->local_stride = cta->kernel->local_bytes * r->warp_size;
	cta->local_base = LOCAL_WINDOW + number * r->warps_per_cta * cta->local_stride;
	return cta;
}

void recorder_end_cta(struct recorder *r, struct recorder_cta *cta)
{
	struct error err;
	struct recorder_cta **at = &r->open;
	while (*at && *at != cta)
		at = &(*at)->next;
	if (!*at)
		BUG("end of a CTA that is not open");
	*at = cta->next;
	recorder_hold(cta, NULL);
	if (cta->stream)
		note(r, cta_stream_close(cta->stream, &err), &err);
	cta->stream = NULL;
	cta->next = r->free;
	r->free = cta;
}

/* ---- warps ------------------------------------------------------------------------------------------ */

static void run(struct recorder_cta *cta, uint32_t warp, uint32_t first, uint32_t end, uint64_t mask)
{
	if (first != end)
		cta_stream_run(cta->stream, warp, cta->kernel->first + first, end - first, mask);
}

/* If all lanes took a folded branch, the instructions that it jumps over are issued without active lanes. */
static void __attribute__((noinline)) end_fold(struct recorder_cta *cta, uint32_t warp, uint32_t next)
{
	const uint32_t *start = cta->kernel->lowering->start;
	struct fold *fold = &cta->fold[warp];
	if (next == fold->target)
		run(cta, warp, start[fold->body], start[fold->target], 0);
	fold->target = LOWER_NONE;
}

/* Nothing is written now: a round holds it, or a failure has ended the recording. */
static void __attribute__((noinline))
hold(struct recorder_cta *cta, enum held_kind kind, uint32_t insn, uint32_t number, uint64_t mask,
     enum ptx_space space, const uint64_t *address)
{
	if (cta->round)
		round_hold(cta->round, kind, insn, number, mask, space, address);
}

void recorder_span(struct recorder_cta *cta, uint32_t warp, uint32_t first, uint32_t count, uint64_t mask)
{
	if (!cta->stream) {
		hold(cta, HELD_SPAN, first, count, mask, PTX_SPACE_generic, NULL);
		return;
	}
	if (cta->fold[warp].target != LOWER_NONE)
		end_fold(cta, warp, first);
	const uint32_t *start = cta->kernel->lowering->start;
	run(cta, warp, start[first], start[first + count], mask);
}

/*
 * Lanes' words lie side by side, as GPUs lay out local memory: row by row, a row
 * being one word, or one access where that is wider, of every lane.
 */
static void place_local(const struct recorder_cta *cta, uint32_t warp, uint64_t mask, unsigned width,
                        const uint64_t *offset, uint64_t *address)
{
	uint64_t base = cta->local_base + warp * cta->local_stride, row = width > 4 ? width : 4;
	unsigned n = 0;
	for (; mask; mask &= mask - 1) {
		unsigned lane = bits_lowest(mask);
		uint64_t own = offset[lane] & (cta->kernel->local_bytes - 1);
		address[n++] = base + own / row * row * cta->warp_size + lane * row + own % row;
	}
}

/* Addresses of the active lanes, without gaps. */
static const uint64_t *active_addresses(uint64_t mask, uint64_t window, const uint64_t *address,
                                        uint64_t *buffer)
{
	if (!window && !(mask & (mask + 1)))
		return address;
	for (unsigned n = 0; mask; mask &= mask - 1)
		buffer[n++] = window + address[bits_lowest(mask)];
	return buffer;
}

static void record_access(struct recorder_cta *cta, uint32_t warp, uint32_t access, uint64_t mask,
                          enum ptx_space space, const uint64_t *address)
{
	uint64_t buffer[TRACE_MAX_LANES];
	const struct trace_insn *insn = &cta->kernel->lowering->insns[access];
	uint64_t window = space == PTX_SPACE_shared && insn->space == SPACE_GENERIC ? SHARED_WINDOW : 0;
	if (space == PTX_SPACE_local) {
		place_local(cta, warp, mask, insn->width_bytes, address, buffer);
		address = buffer;
	} else {
		address = active_addresses(mask, window, address, buffer);
	}
	cta_stream_access(cta->stream, warp, cta->kernel->first + access, mask, address);
}

/* Record an instruction whose accesses are as they are or, of a poll, the twin at trace index `poll`. */
static void record_step(struct recorder_cta *cta, uint32_t warp, uint32_t insn, uint64_t mask,
                        enum ptx_space space, const uint64_t *address, uint32_t poll)
{
	const struct lowering *l = cta->kernel->lowering;
	if (cta->fold[warp].target != LOWER_NONE)
		end_fold(cta, warp, insn);
	if (l->folded[insn] != LOWER_NONE)
		cta->fold[warp] = (struct fold){l->folded[insn], insn + 1};
	uint32_t first = l->start[insn], end = l->start[insn + 1], access = l->access[insn];
	if (access == LOWER_NONE || !mask) {
		run(cta, warp, first, end, mask);
		return;
	}
	if (!address)
		BUG("access of instruction %u without addresses", insn);
	/* A generic access to local memory stands apart, as an instruction of its own. */
	bool apart = space == PTX_SPACE_local && l->local_access[insn] != LOWER_NONE;
	for (uint32_t at = access; at < end; at++) {
		if (!(l->insns[at].flags & INSN_MEMORY))
			continue;
		run(cta, warp, first, at, mask);
		if (poll != LOWER_NONE)
			cta_stream_access(cta->stream, warp, poll, mask, address);
		else
			record_access(cta, warp, apart ? l->local_access[insn] : at, mask, space, address);
		first = at + 1;
	}
	run(cta, warp, first, end, mask);
}

void recorder_step(struct recorder_cta *cta, uint32_t warp, uint32_t insn, uint64_t mask,
                   enum ptx_space space, const uint64_t *address)
{
	if (cta->stream)
		record_step(cta, warp, insn, mask, space, address, LOWER_NONE);
	else
		hold(cta, HELD_STEP, insn, 0, mask, space, address);
}

void recorder_access(struct recorder_cta *cta, uint32_t warp, uint32_t insn, uint64_t mask,
                     enum ptx_space space, const uint64_t *address, uint32_t halves)
{
	uint64_t buffer[TRACE_MAX_LANES];
	if (!cta->stream) {
		hold(cta, HELD_ACCESS, insn, halves, mask, space, address);
		return;
	}
	uint32_t lone = cta->kernel->lone[insn];
	if (lone == LOWER_NONE || cta->fold[warp].target != LOWER_NONE)
		recorder_step(cta, warp, insn, mask, space, address);
	else if (halves != HALVES_UNKNOWN && mask == UINT32_MAX)
		cta_stream_access_halves(cta->stream, warp, lone, halves, address);
	else
		cta_stream_access(cta->stream, warp, lone, mask, active_addresses(mask, 0, address, buffer));
}

void recorder_bulk_begin(struct recorder_cta *cta, uint32_t warp, uint32_t insn, uint64_t mask)
{
	if (!cta->stream)
		return;
	const struct lowering *l = cta->kernel->lowering;
	if (cta->fold[warp].target != LOWER_NONE)
		end_fold(cta, warp, insn);
	run(cta, warp, l->start[insn], l->access[insn], mask);
}

void recorder_bulk_piece(struct recorder_cta *cta, uint32_t warp, uint32_t insn, uint64_t lanes,
                         const uint64_t *address)
{
	if (cta->stream)
		record_access(cta, warp, cta->kernel->lowering->access[insn], lanes, PTX_SPACE_global,
		              address);
}

void recorder_bulk_end(struct recorder_cta *cta, uint32_t warp, uint32_t insn, uint64_t mask)
{
	if (!cta->stream)
		return;
	const struct lowering *l = cta->kernel->lowering;
	run(cta, warp, l->access[insn] + 1, l->start[insn + 1], mask);
}

void recorder_piece(struct recorder_cta *cta, uint32_t warp, uint32_t insn, uint32_t piece, uint64_t mask,
                    enum ptx_space space, const uint64_t *address)
{
	if (!cta->stream)
		return;
	const struct lowering *l = cta->kernel->lowering;
	bool is_rows = piece & RECORDER_ROWS && l->rows_access[insn] != LOWER_NONE;
	uint32_t number = piece & ~(uint32_t)RECORDER_ROWS;
	if (cta->fold[warp].target != LOWER_NONE)
		end_fold(cta, warp, insn);
	if (is_rows) {
		record_access(cta, warp, l->rows_access[insn] + number, mask, space, address);
		return;
	}
	/* What lies between the access before and this one goes with it, and what is left with the last. */
	uint32_t first = l->start[insn], end = l->start[insn + 1], seen = 0;
	for (uint32_t at = first; at < end; at++) {
		if (!(l->insns[at].flags & INSN_MEMORY))
			continue;
		if (seen++ == number) {
			run(cta, warp, first, at, mask);
			record_access(cta, warp, at, mask, space, address);
			first = at + 1;
			break;
		}
		first = at + 1;
	}
	for (uint32_t at = first; at < end; at++)
		if (l->insns[at].flags & INSN_MEMORY)
			return;
	run(cta, warp, first, end, mask);
}

/* ---- rounds ----------------------------------------------------------------------------------------- */

void recorder_hold(struct recorder_cta *cta, struct recorder_round *round)
{
	struct cta_stream *stream = cta->round ? cta->aside : cta->stream;
	cta->round = round;
	cta->stream = round ? NULL : stream;
	cta->aside = round ? stream : NULL;
}

/* A poll waited for so many writes. */
static void record_poll(struct recorder_cta *cta, uint32_t warp, const struct held *call, uint32_t needed)
{
	uint64_t address[TRACE_MAX_LANES];
	unsigned n = 0;
	for (uint64_t left = call->mask; left; left &= left - 1)
		address[n++] = address_with_needed(call->address[bits_lowest(left)], poll_needed(needed));
	record_step(cta, warp, call->insn, call->mask, call->space, address, cta->kernel->poll[call->insn]);
}

static bool is_poll(const struct recorder_cta *cta, const struct held *call)
{
	return call->kind != HELD_SPAN && call->address && cta->kernel->poll &&
	       cta->kernel->poll[call->insn] != LOWER_NONE;
}

static void replay(struct recorder_cta *cta, uint32_t warp, const struct held *call)
{
	if (call->kind == HELD_SPAN)
		recorder_span(cta, warp, call->insn, call->number, call->mask);
	else if (call->kind == HELD_STEP)
		recorder_step(cta, warp, call->insn, call->mask, call->space, call->address);
	else
		recorder_access(cta, warp, call->insn, call->mask, call->space, call->address, call->number);
}

void recorder_keep(struct recorder_cta *cta, uint32_t warp, struct recorder_round *round,
                   const uint32_t *needed)
{
	struct held call;
	size_t at = 0;
	recorder_hold(cta, NULL);
	while (cta->stream && round_next(round, &at, &call)) {
		uint32_t writes = needed && is_poll(cta, &call) ? *needed++ : 0;
		if (writes && cta->kernel->poll[call.insn] != NO_TWIN)
			record_poll(cta, warp, &call, writes);
		else
			replay(cta, warp, &call);
	}
	recorder_round_cut(round, 0);
}

void recorder_watch(struct recorder *r, const uint64_t *addresses, uint32_t count)
{
	if (!r->failed && count)
		trace_writer_watch(r->writer, addresses, count);
}
