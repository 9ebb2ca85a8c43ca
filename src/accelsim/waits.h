/*
 * Spin-waits of a launch that a GPU executed: how often the instrumented warps went round is in its trace, and says nothing
 * of the GPU. A kernel file with such loops is read three times: the loops are found, then waits and writes are counted,
 * then the launch is written with one round per wait, whose poll says how many writes it needs (trace/poll.h).
 *
 * A spin is a load past L1 or a compare-and-swap or exchange that a warp executes again, by the same lanes at the same
 * addresses, without another access to memory by those lanes in between. Loops that test mbarriers are spins, too; of them
 * one round is kept. A loop whose words no other instruction of the launch writes stays as it is. Private to src/accelsim/.
 */
#ifndef SLUICE_ACCELSIM_WAITS_H
#define SLUICE_ACCELSIM_WAITS_H

#include "trace/trace.h"

/* What an instruction means to waits. */
enum step_role {
	ROLE_PLAIN,
	ROLE_ACCESS,  /* ends a round */
	ROLE_BARRIER, /* the same, a barrier of the CTA */
	ROLE_WRITE,   /* the same, of memory that other CTAs may see */
	ROLE_POLL,    /* may be the poll of a spin */
	ROLE_TEST,    /* tests an mbarrier: the same in shared memory */
};

/* What the waits know of a static instruction. */
struct wait_insn {
	uint8_t role;   /* enum step_role */
	bool spins;     /* its loop has been seen */
	bool is_atomic; /* if a poll, one that writes where it succeeds */
	uint8_t width;  /* bytes per lane */
	uint8_t round;  /* instructions of the shortest round seen, 0: none */
	uint32_t insn;  /* in the trace */
	uint32_t poll;  /* the same as a poll in the trace; UINT32_MAX: not needed so far */
};

/* An executed warp instruction. */
struct wait_step {
	struct wait_insn *insn;
	uint64_t mask;
	unsigned lanes; /* 0: without addresses */
	const uint64_t *address;
};

enum wait_pass {
	PASS_FIND,  /* the caller writes; loops are looked for */
	PASS_COUNT, /* nothing is written */
	PASS_WRITE, /* waits_step() writes */
};

struct waits;
struct waits *waits_new(void);
void waits_free(struct waits *waits);

/* Classify an instruction of the trace. */
void waits_classify(const struct trace_insn *insn, const char *mnemonic, struct wait_insn *to);

/* Begin a pass over the launch. `shared_window`: where generic addresses of shared memory begin, or 0. */
void waits_begin_pass(struct waits *waits, enum wait_pass pass, uint64_t shared_window);
void waits_begin_warp(struct waits *waits, uint64_t cta);
/* Return whether steps that are no candidates matter now. */
bool waits_are_open(const struct waits *waits);
/* PASS_FIND. */
void waits_look(struct waits *waits, const struct wait_step *step);
/* The other passes. `twin` gives the index of a poll in the trace; both are only used in PASS_WRITE. */
typedef uint32_t waits_twin(void *user, struct wait_insn *insn);
bool waits_step(struct waits *waits, const struct wait_step *step, struct trace_writer *writer,
                waits_twin *twin, void *user, struct error *err);
bool waits_end_warp(struct waits *waits, struct trace_writer *writer, waits_twin *twin, void *user,
                    struct error *err);
/* Return whether PASS_FIND has found a spin. */
bool waits_found(const struct waits *waits);
/* End PASS_COUNT: decide what each wait needs. */
void waits_derive(struct waits *waits);
/* Instructions that this pass has left out. */
uint64_t waits_left_out(const struct waits *waits);
/* End PASS_WRITE: give the writer the watched words, and a warning of `kernel` that says what was left out. */
void waits_report(struct waits *waits, struct trace_writer *writer, const struct trace_kernel *kernel);

#endif
