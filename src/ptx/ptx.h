/*
 * PTX: what a module says, after parsing and checking.
 *
 * A module is read-only once ptx_parse() and ptx_analyze() have returned. All
 * instructions of all functions lie in one array, so that "instruction i" is a
 * name that executor, recorder and reports share; a function owns a range of
 * it, a kernel reaches some functions. Registers are numbered per function.
 */
#ifndef SLUICE_PTX_PTX_H
#define SLUICE_PTX_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "ptx/insn.h"
#include "ptx/kernel.h"
#include "ptx/vocabulary.h"

struct ptx_variable {
	const char *name;
	uint8_t space;  /* global, const, shared, local, param */
	uint8_t type;   /* element type; PTX_TYPE_texref, samplerref, surfref too */
	bool is_extern; /* extern .shared name[]: dynamic shared memory */
	uint32_t align;
	uint64_t bytes; /* of the whole; 0: unsized */
	uint64_t
	    offset; /* local: in the function's frame; parameters of a function: in its parameter block, results
			      in their own; else 0 */
	uint32_t function;      /* that declares it, PTX_NONE: the module */
	const uint8_t *initial; /* bytes; NULL: zeros. initial_bytes <= bytes, the rest is 0 */
	uint64_t initial_bytes;
	/* Places in the initialiser that hold addresses: of a variable or a function, plus addend. */
	const struct ptx_relocation *relocations;
	uint32_t relocation_count;
};

struct ptx_relocation {
	uint64_t offset; /* in the variable */
	bool generic;    /* generic(name) */
	bool function;
	uint8_t bytes; /* of the address: 4 or 8 */
	uint32_t index;
	int64_t addend;
};

struct ptx_register {
	const char *name;
	uint8_t type;
	uint16_t
	    physical; /* after ptx_analyze(): first 32-bit register of a linear-scan allocation; PTX_NO_PHYSICAL
			      for predicates. 64-bit values take two, aligned. May exceed what a GPU has. */
	bool
	    narrow; /* after ptx_analyze(): 64 bits, but only an address of shared or local memory: 32 are enough */
};
enum { PTX_NO_PHYSICAL = 0xffff, PTX_PHYSICAL_TURN = 192 /* those below are taken in turn */ };

struct ptx_function {
	const char *name;
	bool is_entry, is_extern, is_noreturn;
	uint32_t first_insn, insn_count;
	uint32_t register_count;
	struct ptx_register *registers;
	const uint32_t *params, *results; /* variables */
	uint32_t param_count, result_count;
	uint64_t param_bytes; /* of the packed parameter block */
	uint32_t maxntid[3];  /* 0: not given */
	uint32_t minnctapersm, maxnreg;
	uint32_t cluster[3]; /* .reqnctapercluster, 0: not given */
	uint32_t line, column;
	/* after ptx_analyze() */
	uint32_t pressure;      /* 32-bit registers in use at the worst point, callees not counted */
	uint32_t call_pressure; /* of them, those that live across a call */
	uint32_t local_bytes;   /* frame: all .local variables, laid out; see ptx_local_offset() */
};

/* An instruction's place in the control flow, after ptx_analyze(). */
struct ptx_flow {
	uint32_t
	    reconverge; /* of bra, brx: first instruction of the immediate post-dominator; PTX_NONE: only at
				the function's end */
	uint32_t block; /* basic block, numbered over the module in the order of the text */
	bool ends; /* of a bra: it leads to nothing but the thread's end, so whoever takes it ends here */
};

struct ptx_list {
	uint32_t *items; /* branch table: instructions */
	uint32_t count;
};

/* Of an indirect call: the sizes its parameters have. */
struct ptx_prototype {
	uint32_t result_count, param_count;
	const uint32_t *bytes; /* results, then parameters */
};

/* An instruction that ptx_parse_tolerant() did not understand; it is PTX_unsupported in the module. */
struct ptx_problem {
	uint32_t insn;
	uint32_t line, column; /* in the PTX text */
	const char *text;      /* "unknown opcode 'wgmma', expected ..." */
};

struct ptx_module {
	const char *file;                       /* name for messages */
	uint32_t version, target, address_bits; /* 65, 70, 64 */
	uint32_t insn_count, operand_count, function_count, variable_count, table_count, prototype_count,
	    source_count, block_count;
	struct ptx_insn *insns;
	struct ptx_flow *flow;
	struct ptx_operand *operands;
	struct ptx_function *functions;
	struct ptx_variable *variables;
	struct ptx_list *tables;
	struct ptx_prototype *prototypes;
	const char **sources;         /* .file names, by .file number */
	struct ptx_problem *problems; /* in the order of the text */
	uint32_t problem_count;
	bool is_compiled; /* by ptx_analyze(): branches and order are those of machine code */
	void *arena;
};

/* Parses and checks; names in the text are copied. NULL: err has file:line:column and what was expected. */
struct ptx_module *ptx_parse(const char *file, const char *text, size_t bytes, struct error *err);
/* The same, but an instruction that is wrong or unknown becomes PTX_unsupported, and problems[] says why. */
struct ptx_module *ptx_parse_tolerant(const char *file, const char *text, size_t bytes, struct error *err);
/* Of a PTX_unsupported instruction. */
const struct ptx_problem *ptx_find_problem(const struct ptx_module *module, uint32_t insn);
/* Control flow, liveness, registers; with `compile`, first branches and the order inside blocks; once. False: cannot be. */
bool ptx_analyze(struct ptx_module *module, bool compile, struct error *err);
void ptx_module_free(struct ptx_module *module);

uint32_t ptx_find_function(const struct ptx_module *module, const char *name); /* PTX_NONE: no such */
uint32_t ptx_find_variable(const struct ptx_module *module, const char *name); /* of module scope */
uint64_t ptx_param_offset(const struct ptx_module *module, const struct ptx_function *f, uint32_t param);
uint64_t ptx_local_offset(const struct ptx_module *module, uint32_t variable);

static inline const struct ptx_operand *ptx_results(const struct ptx_module *m, const struct ptx_insn *i)
{
	return m->operands + i->first_operand;
}
static inline const struct ptx_operand *ptx_sources(const struct ptx_module *m, const struct ptx_insn *i)
{
	return m->operands + i->first_operand + i->result_count;
}
/* The instruction as text, for reports: "ld.global.f32 %f1, [%rd4+8]". */
void ptx_print(const struct ptx_module *module, uint32_t insn, char *buf, size_t size);

#endif
