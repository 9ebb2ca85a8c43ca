/* What the parts of the Accel-Sim importer share. Private to src/accelsim/. */
#ifndef SLUICE_ACCELSIM_IMPORT_H
#define SLUICE_ACCELSIM_IMPORT_H

#include "accelsim/accelsim.h"
#include "accelsim/spins.h"
#include "accelsim/text.h"

/* A static instruction as its text: everything between mask and addresses, compared as a whole. */
struct known_insn {
	uint64_t pc;
	struct known_insn *next;   /* in the same bucket */
	struct known_insn *follow; /* what came after it the last time */
	uint64_t executed;
	uint32_t source_line;
	uint16_t text_bytes;
	uint8_t mnemonic_at, mnemonic_bytes; /* in the text */
	bool has_addresses, guessed;
	bool is_bulk;   /* lines say what it copies; pieces are steps with INSN_BULK */
	bool is_pseudo; /* REPLAY_START and REPLAY_END: no instruction */
	struct trace_insn insn;
	struct wait_insn wait;
	char text[];
};

enum { KNOWN_BUCKETS = 4096 };

/* Unknown opcodes of all kernels. */
struct guess_list {
	struct guess {
		char *mnemonic;
		uint8_t op;
		uint64_t executed;
	} * guesses;
	size_t count;
	uint64_t left_out; /* different ones past the limit */
};
void guess_list_add(struct guess_list *list, const struct known_insn *insn);

/* One kernel file being read. */
struct kernel_file {
	struct text_source text;
	struct trace_writer *writer;
	struct trace_kernel kernel;
	char *name;
	uint64_t tracer_version;
	bool line_numbers; /* instruction lines begin with a source line */
	struct known_insn *known[KNOWN_BUCKETS];
	struct known_insn *last;
	uint32_t known_count;
	uint64_t warp_insns;
	uint64_t warps; /* seen so far */
	struct spins *spins;
	enum wait_pass pass;
};

/* Parse the current line as an executed instruction and give it to the writer, or to the waits. */
bool accelsim_read_insn(struct kernel_file *f, struct error *err);
/* End the steps of a warp. */
bool accelsim_end_warp(struct kernel_file *f, struct error *err);
/* Forget the known instructions; add the guessed ones to `guesses`. */
void accelsim_forget_insns(struct kernel_file *f, struct guess_list *guesses);

#endif
