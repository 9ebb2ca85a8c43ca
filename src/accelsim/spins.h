/*
 * Spin-waits of a launch that a GPU executed: how often the instrumented warps went round is in its trace, and says nothing
 * of the GPU. A kernel file with such loops is read three times: the loops are found, then waits and writes are counted,
 * then the launch is written with one round per wait, whose poll says how many writes it needs (trace/poll.h).
 *
 * A spin is a load past L1 or a compare-and-swap or exchange that a warp executes again, by the same lanes at the same
 * addresses, without another access to memory by those lanes in between. Loops that test mbarriers are spins, too; of them
 * one round is kept. A loop whose words no other instruction of the launch writes stays as it is. Private to src/accelsim/.
 */
#ifndef SLUICE_ACCELSIM_SPINS_H
#define SLUICE_ACCELSIM_SPINS_H

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
	PASS_WRITE, /* spins_step() writes */
};

struct spins;
struct spins *spins_new(void);
void spins_free(struct spins *spins);

/* Classify an instruction of the trace. */
void spins_classify(const struct trace_insn *insn, const char *mnemonic, struct wait_insn *to);

/* Begin a pass over the launch. `shared_window`: where generic addresses of shared memory begin, or 0. */
void spins_begin_pass(struct spins *spins, enum wait_pass pass, uint64_t shared_window);
void spins_begin_warp(struct spins *spins, uint64_t cta);
/* Return whether steps that are no candidates matter now. */
bool spins_are_open(const struct spins *spins);
/* PASS_FIND. */
void spins_look(struct spins *spins, const struct wait_step *step);
/* The other passes. `twin` gives the index of a poll in the trace; both are only used in PASS_WRITE. */
typedef uint32_t spins_twin(void *user, struct wait_insn *insn);
bool spins_step(struct spins *spins, const struct wait_step *step, struct trace_writer *writer,
                spins_twin *twin, void *user, struct error *err);
bool spins_end_warp(struct spins *spins, struct trace_writer *writer, spins_twin *twin, void *user,
                    struct error *err);
/* Return whether PASS_FIND has found a spin. */
bool spins_found(const struct spins *spins);
/* End PASS_COUNT: decide what each wait needs. */
void spins_derive(struct spins *spins);
/* Instructions that this pass has left out. */
uint64_t spins_left_out(const struct spins *spins);
/* End PASS_WRITE: give the writer the watched words, and a warning of `kernel` that says what was left out. */
void spins_report(struct spins *spins, struct trace_writer *writer, const struct trace_kernel *kernel);

#endif
