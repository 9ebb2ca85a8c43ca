/*
 * Check that each lane of a trace executes EXIT once, and nothing after it, as on a GPU. Simulators that keep a mask of
 * live lanes per warp abort on other traces.
 */
#ifndef SLUICE_TRACE_ENDS_H
#define SLUICE_TRACE_ENDS_H

#include "trace/trace.h"

enum end_fault {
	END_TWICE, /* lanes execute EXIT that have done so before */
	END_AFTER, /* lanes execute something after their EXIT */
	END_NEVER, /* the warp's stream is over and lanes have not ended */
};

/* A warp that ends wrongly, and its first error. */
struct end_report {
	enum end_fault fault;
	uint32_t kernel, warp; /* index of the launch; warp of the CTA */
	uint64_t cta;
	uint64_t lanes;
	const char *mnemonic; /* of the instruction, or "the stream's end"; belongs to the trace */
	uint64_t pc;
};

struct end_counts {
	uint64_t warps, wrong;
};

/* Call found() for each warp that ends wrongly, in the order of the trace. False: the trace cannot be read. */
bool trace_check_ends(const struct trace *trace, struct end_counts *counts,
                      void (*found)(const struct end_report *report, void *arg), void *arg,
                      struct error *err);

#endif
