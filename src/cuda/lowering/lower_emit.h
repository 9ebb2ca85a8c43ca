/* Writing machine instructions down, between the files that lower (lower*.c). */
#ifndef SLUICE_CUDA_LOWER_EMIT_H
#define SLUICE_CUDA_LOWER_EMIT_H

#include "cuda/lowering/lower.h"
#include "cuda/lowering/lower_facts.h"

struct lower_output {
	struct lowering *l;
	uint32_t capacity;
	size_t string_bytes, string_capacity;
	uint64_t pc;
};

/* Registers of one PTX instruction, or of a pair. */
struct lower_operands {
	uint8_t dst, dst_span;
	uint8_t src[TRACE_MAX_SRC], src_span[TRACE_MAX_SRC], src_count;
};

enum half { WHOLE, LOW_HALF, HIGH_HALF };

void lower_add_source(struct lower_operands *o, uint8_t reg, uint8_t span);
/* Registers that the instruction reads, but for `skipped`. */
void lower_add_sources(struct lower_operands *o, const struct lower_facts *f, const struct ptx_insn *insn,
                       uint32_t skipped);
void lower_set_results(struct lower_operands *o, const struct lower_facts *f, const struct ptx_insn *insn);
/* One machine instruction; all but the first of an instruction read what came before as well. */
void lower_emit(struct lower_output *out, const struct ptx_insn *insn, const char *mnemonic,
                const struct lower_operands *o, enum half half, bool first);

/* lower_call.c: a function that runs natively; false: it is none */
bool lower_native_call(struct lower_output *out, const struct lower_facts *f, const struct ptx_insn *insn);
/* lower_matrix.c: mma and wmma.mma; false: it is something else */
bool lower_product(struct lower_output *out, const struct lower_facts *f, const struct ptx_insn *insn);

#endif
