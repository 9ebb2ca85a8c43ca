/*
 * Small traces made to order, through the trace writer.
 *
 * A test that cannot make its input has nothing to say: errors end the
 * program with a message.
 */
#ifndef SLUICE_TESTS_SYNTH_H
#define SLUICE_TESTS_SYNTH_H

#include "trace/mbarrier.h"
#include "trace/trace.h"

/* ---- by hand ------------------------------------------------------------------------------------------- */

struct synth_shape {
	const char *name;
	uint32_t ctas, warps, warp_size;  /* warps of a CTA; warp_size 0 stands for 32 */
	uint32_t shared_bytes, registers; /* registers of a thread; 0 stands for 16 */
};

struct synth;
struct synth *synth_new(void);
/* Begins a launch; the one before is complete. */
void synth_kernel(struct synth *s, const struct synth_shape *shape);
/* Begins a warp's stream. CTAs in ascending order; warps and CTAs left out are empty. */
void synth_warp(struct synth *s, uint64_t cta, uint32_t warp);
/* An instruction without addresses; `mask` 0: issued, but predicated off. */
void synth_plain(struct synth *s, struct trace_insn insn, uint64_t mask);
void synth_stride(struct synth *s, struct trace_insn insn, uint64_t mask, uint64_t base, int64_t stride);
/* `address`: one per active lane, ascending. */
void synth_list(struct synth *s, struct trace_insn insn, uint64_t mask, const uint64_t *address);
/* Writes, opens and unlinks the file; frees `s`. */
struct trace *synth_finish(struct synth *s);

/* Static instructions; `at` numbers them in the program. Register 0 stands for none. */
struct trace_insn synth_op(uint32_t at, enum op_class op, uint8_t dst, uint8_t src);
/* `reg` is loaded or stored, `pointer` holds the address. */
struct trace_insn synth_memory(uint32_t at, enum op_class op, enum mem_space space, uint8_t width,
                               uint8_t reg, uint8_t pointer);
/* A global load of 4 B. */
struct trace_insn synth_load(uint32_t at, uint8_t reg, uint8_t pointer);

/* At the mbarrier `object` of shared memory: a wait, a change, one when the warp's copies are there. */
void synth_phase_wait(struct synth *s, uint32_t at, uint64_t mask, uint64_t object,
                      struct phase_counts counts);
void synth_change(struct synth *s, uint32_t at, uint64_t mask, uint64_t object);
void synth_copy_arrive(struct synth *s, uint32_t at, uint64_t mask, uint64_t object);
/* An asynchronous copy of 16 B per lane; a piece of a bulk copy that reports to `object`. */
void synth_copy(struct synth *s, uint32_t at, uint64_t mask, uint64_t address);
void synth_bulk(struct synth *s, uint32_t at, uint64_t address, uint64_t object);

/* A poll of 4 B per lane, whose lanes need `needed` writes; its loop has four instructions. */
void synth_poll(struct synth *s, uint32_t at, uint64_t mask, uint64_t address, int64_t stride,
                uint32_t needed);
/* The same by an atomic, a lock's compare-and-swap. */
void synth_poll_atomic(struct synth *s, uint32_t at, uint64_t mask, uint64_t address, uint32_t needed);
/* The words that the launch's polls wait for, ascending. */
void synth_watch(struct synth *s, const uint64_t *address, uint32_t count);

uint64_t synth_random(uint64_t *state);
uint64_t synth_lanes(uint32_t warp_size); /* the mask of all lanes */

/* ---- ready made ---------------------------------------------------------------------------------------- */

struct synth_case {
	const char *name;
	struct trace *(*make)(uint32_t warp_size);
};
/* Every kind of access and every awkward shape of a grid; ended by a NULL name. */
extern const struct synth_case synth_cases[];
unsigned synth_case_count(void);
/* Of those, number `i`, made at the first call and kept; with a third of its CTAs if SLUICE_TEST_SHARE is set. */
const struct trace *synth_kept(unsigned i, uint32_t warp_size);
/* One by name; close it. */
struct trace *synth_make(const char *name, uint32_t warp_size);

/* Row i belongs to thread i, which reads `steps` neighbouring floats of it, and one vector element with all others. */
struct trace *synth_row_walk(uint32_t ctas, uint32_t warps, uint32_t warp_size, uint32_t pitch_bytes,
                             uint32_t steps);
/* c[i] = a[i] + b[i], `steps` times per thread, neighbouring threads on neighbouring elements of `width` bytes. */
struct trace *synth_vector_add(uint32_t ctas, uint32_t warps, uint32_t warp_size, uint8_t width,
                               uint32_t steps);

#endif
