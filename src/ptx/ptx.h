/*
 * A PTX module after parsing and checking.
 *
 * A module is read-only once ptx_parse() and ptx_analyze() have returned. All instructions of all functions are in one
 * array: executor, recorder and reports share the numbers. A function owns a range of it; a kernel reaches some
 * functions. Registers are numbered per function.
 */
#ifndef SLUICE_PTX_PTX_H
#define SLUICE_PTX_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "ptx/insn.h"
#include "ptx/isa.h"

struct ptx_variable {
	const char *name;
	uint8_t space;  /* global, const, shared, local, param */
	uint8_t type;   /* element type; PTX_TYPE_texref, samplerref, surfref too */
	bool is_extern; /* extern .shared name[]: dynamic shared memory */
	uint32_t align;
	uint64_t bytes;         /* of the whole; 0: unsized */
	uint64_t offset;        /* in the function's frame, parameter block or result block; else 0 */
	uint32_t function;      /* that declares it; PTX_NONE: the module */
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
	/* after ptx_analyze() */
	uint16_t
	    physical; /* first 32-bit register by linear scan, beyond a GPU's if need be; 64 bits take two, aligned */
	bool narrow; /* 64 bits of which 32 matter: an address of shared or local memory */
};
enum {
	PTX_NO_PHYSICAL = 0xffff /* of predicates */,
	PTX_PHYSICAL_TURN = 192 /* those below are taken in turn */
};

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
	    reconverge; /* of bra, brx: first instruction of the immediate post-dominator; PTX_NONE: function's end */
	uint32_t block; /* basic block, numbered over the module in the order of the text */
	bool ends;      /* of a bra: lanes that take it end */
};

struct ptx_list {
	uint32_t *items; /* branch table: instructions */
	uint32_t count;
};

/* Sizes of the parameters of an indirect call. */
struct ptx_prototype {
	uint32_t result_count, param_count;
	const uint32_t *bytes; /* results, then parameters */
};

/* An instruction that ptx_parse_tolerant() refused; it is PTX_unsupported in the module. */
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

/* Parse and check; names are copied from the text. NULL: err has file:line:column and what was expected. */
struct ptx_module *ptx_parse(const char *file, const char *text, size_t bytes, struct error *err);
/* The same, but a wrong or unknown instruction becomes PTX_unsupported, and problems[] says why. */
struct ptx_module *ptx_parse_tolerant(const char *file, const char *text, size_t bytes, struct error *err);
/* Return the problem of a PTX_unsupported instruction, NULL for others. */
const struct ptx_problem *ptx_find_problem(const struct ptx_module *module, uint32_t insn);
/*
 * Find control flow, liveness and registers; with `compile`, first rewrite branches, shared accesses and the order inside
 * blocks as a GPU's compiler would. Call it once with `compile`.
 */
bool ptx_analyze(struct ptx_module *module, bool compile, struct error *err);
void ptx_module_free(struct ptx_module *module);

/* Find a function, or a variable of module scope; PTX_NONE if there is none. */
uint32_t ptx_find_function(const struct ptx_module *module, const char *name);
uint32_t ptx_find_variable(const struct ptx_module *module, const char *name);
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
/* ---- what a launch of a kernel takes (kernel.c) */

/* Return the alignment of a shared variable: in compiled code, at least 16 bytes if it is as large. */
uint32_t ptx_shared_align(const struct ptx_module *module, const struct ptx_variable *variable);

/* The functions that an entry may reach, its layout of shared memory, its registers over the call graph. */
struct ptx_kernel {
	uint32_t entry;
	uint32_t *functions, function_count; /* entry first */
	uint64_t *shared_offset;             /* by variable; UINT64_MAX: not a shared variable it uses */
	uint32_t shared_bytes;               /* static */
	uint32_t dynamic_offset;             /* of extern shared arrays */
	uint32_t registers; /* per thread: 16 ... 255, rounded as hardware does (8); see kernel.c */
	bool is_recursive, calls_indirectly;
};
struct ptx_kernel *ptx_kernel_new(const struct ptx_module *module, uint32_t entry, struct error *err);
void ptx_kernel_free(struct ptx_kernel *kernel);

/* Write an instruction as text, for reports: "ld.global.f32 %f1, [%rd4+8]". */
void ptx_print(const struct ptx_module *module, uint32_t insn, char *buf, size_t size);

#endif
