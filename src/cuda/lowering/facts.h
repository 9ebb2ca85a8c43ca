/*
 * What lowering needs to know of a function in addition to its instructions:
 * where each register is defined and read, which values differ between lanes,
 * where diverged lanes meet, which pairs are one machine instruction. Private to
 * src/cuda/lowering.
 */
#ifndef SLUICE_CUDA_LOWERING_FACTS_H
#define SLUICE_CUDA_LOWERING_FACTS_H

#include "ptx/ptx.h"

struct lower_reg {
	uint32_t def;        /* the last instruction that writes it */
	uint32_t defs, uses; /* how many there are */
	uint32_t first_use, last_use;
	bool divergent; /* may differ between the lanes of a warp */
	bool narrow;    /* 64 bits in PTX, but only the address of shared or local memory: 32 are enough */
	uint32_t shared_by; /* consumers that could compute it themselves */
	uint8_t number;     /* in the trace; 255: none (predicates) */
	uint8_t words;      /* 32-bit registers, from `number` on */
};

enum lower_note {
	LOWER_FOLDED = 1u << 0,  /* a branch that a GPU's code does without */
	LOWER_TO_END = 1u << 1,  /* a branch to the end of the kernel */
	LOWER_PUSH = 1u << 2,    /* a point of reconvergence is named here: before a branch, else after */
	LOWER_MEET = 1u << 3,    /* diverged lanes meet before this */
	LOWER_ABSORBED = 1u << 4 /* its consumer computes it */
};

struct lower_facts {
	const struct ptx_module *module;
	const struct ptx_function *function;
	struct lower_reg *regs;
	/* By instruction, counted from the function's first. */
	uint8_t *notes;       /* enum lower_note */
	uint32_t *absorbs;    /* the instruction of the module that it computes too, PTX_NONE */
	const char **recipes; /* of a pair */
	unsigned groups;      /* of registers at the upper end of the trace's, see facts.c */
};

void lower_facts_find(struct lower_facts *facts, const struct ptx_module *module,
                      const struct ptx_function *function);
void lower_facts_free(struct lower_facts *facts);

/* flow.c */
void lower_find_divergence(struct lower_facts *facts);
void lower_note_branches(struct lower_facts *facts);
/* joins.c */
void lower_join_copies(struct lower_facts *facts);
void lower_fold_offsets(struct lower_facts *facts);
void lower_find_pairs(struct lower_facts *facts);
/* Return the first of four registers that the trace uses for nothing else for a while. */
uint8_t lower_take_group(struct lower_facts *facts);

/* The recipe of an instruction (rules.c); NULL if nothing is known of the opcode. */
const char *lower_recipe(const struct lower_facts *facts, const struct ptx_insn *insn);
/* Whether the instruction, or a pair's part, fits a line of the table. */
enum lower_kind {
	I16 = 1u << 0,
	I32 = 1u << 1,
	I64 = 1u << 2,
	F16 = 1u << 3,
	F32 = 1u << 4,
	F64 = 1u << 5,
	PRED = 1u << 6,
	NARROW = 1u << 7 /* a 64-bit integer of which 32 bits are wanted; see struct lower_reg */
};
typedef bool lower_test(const struct lower_facts *facts, const struct ptx_insn *insn);
unsigned lower_kind_of(uint8_t type);
enum lower_pairing { LOWER_FUSE, LOWER_SHARE };
const char *lower_pair_recipe(const struct lower_facts *facts, enum lower_pairing pairing,
                              const struct ptx_insn *producer, const struct ptx_insn *consumer);

static inline bool lower_is_entry(const struct lower_facts *facts)
{
	return facts->function->is_entry;
}

static inline uint32_t lower_place(const struct lower_facts *facts, uint32_t insn)
{
	return insn - facts->function->first_insn;
}

#endif
