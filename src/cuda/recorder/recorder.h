/*
 * The recorder: turns what the executor does into a trace.
 *
 * The executor tells it, warp by warp, which instructions of the module ran
 * under which mask; the recorder knows what each stands for on a GPU
 * (cuda/lowering/lower.h) and writes that. CTAs may be open at the same time and warps
 * interleave; the file gets them in linear order.
 */
#ifndef SLUICE_CUDA_RECORDER_H
#define SLUICE_CUDA_RECORDER_H

#include "ptx/ptx.h"
#include "trace/halves.h"
#include "trace/trace.h"

struct recorder;
struct recorder_cta;

/* A load or atomic of a loop that waits, whose text is [first, last] of the module's instructions. */
struct recorded_poll {
	uint32_t insn, first, last;
};

struct recorded_launch {
	const struct ptx_module *module;
	const struct ptx_kernel *kernel;
	struct trace_dim grid, block;
	uint32_t warp_size, stream;
	uint32_t registers_per_thread;     /* 0: the kernel's own */
	uint32_t shared_bytes;             /* static + dynamic */
	const struct recorded_poll *polls; /* of the kernel, the same at each of its launches */
	uint32_t poll_count;
};

/* Failures (a full disk) are kept and reported by recorder_finish(). */
struct recorder *recorder_new(const char *path, struct error *err);
/*
 * Which source files the instructions of the trace are of, as lines "PC<tab>kernel<tab>file": from that PC of the kernel
 * on, up to the next line. An empty file is unknown. The caller frees it.
 */
char *recorder_sources(const struct recorder *recorder);
/* Warp instructions of the launches that are complete. */
uint64_t recorder_insns(const struct recorder *recorder);
/* The number that the next launch gets; else they are numbered from 1 in order. */
void recorder_number(struct recorder *recorder, uint32_t number);
/*
 * The file may grow to `bytes`, 0: without bound. When it would grow further, the recording has failed, and `passed` is
 * called, in the middle of a launch, which may end the process.
 */
void recorder_limit(struct recorder *recorder, uint64_t bytes, void (*passed)(void *user), void *user);
bool recorder_finish(struct recorder *recorder, struct error *err);              /* frees it */
void recorder_abort(struct recorder *recorder);                                  /* leaves no file */
void recorder_copy(struct recorder *recorder, uint64_t address, uint64_t bytes); /* host to device */

void recorder_begin_launch(struct recorder *recorder, const struct recorded_launch *launch);
void recorder_end_launch(struct recorder *recorder); /* CTAs still open (after a fault) end as they are */
struct recorder_cta *recorder_begin_cta(struct recorder *recorder, uint64_t cta);
void recorder_end_cta(struct recorder *recorder, struct recorder_cta *cta);

/*
 * `warp` ran instructions [first, first + count) of one function under `mask`;
 * none of them is an access (ld.param and st.param are none).
 */
void recorder_span(struct recorder_cta *cta, uint32_t warp, uint32_t first, uint32_t count, uint64_t mask);
/*
 * One instruction whose mask may differ from its neighbours' (guarded), or a
 * memory access. A guarded one comes with the lanes whose guard holds, possibly
 * none; of a branch these are the lanes that take it. `space` is where a generic access went (all active lanes alike;
 * the executor splits others by space into several calls). address[lane] of the
 * active lanes: global and const device addresses, shared offsets, for local
 * memory the thread's own offset. NULL for what accesses nothing.
 */
void recorder_step(struct recorder_cta *cta, uint32_t warp, uint32_t insn, uint64_t mask,
                   enum ptx_space space, const uint64_t *address);

/* The same for a memory access, by at least one lane. `halves`: see trace/halves.h. */
void recorder_access(struct recorder_cta *cta, uint32_t warp, uint32_t insn, uint64_t mask,
                     enum ptx_space space, const uint64_t *address, uint32_t halves);

/*
 * An instruction whose lanes copy memory piece by piece, each piece an access of the whole warp: `mask` executes it, then
 * every piece of every lane follows, by so many lanes, then it ends.
 */
void recorder_bulk_begin(struct recorder_cta *cta, uint32_t warp, uint32_t insn, uint64_t mask);
void recorder_bulk_piece(struct recorder_cta *cta, uint32_t warp, uint32_t insn, uint64_t lanes,
                         const uint64_t *address);
void recorder_bulk_end(struct recorder_cta *cta, uint32_t warp, uint32_t insn, uint64_t mask);

/*
 * One access of an instruction that makes several, each with its own addresses: they come in order, from 0 on, and all
 * come. RECORDER_ROWS is added for a matrix that turned out to lie in shared memory; see struct lowering.
 */
enum { RECORDER_ROWS = 1 << 16 };
void recorder_piece(struct recorder_cta *cta, uint32_t warp, uint32_t insn, uint32_t piece, uint64_t mask,
                    enum ptx_space space, const uint64_t *address);

#endif
