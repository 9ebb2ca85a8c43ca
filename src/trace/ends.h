/*
 * Whether the lanes of a trace end as a GPU's do: each executes EXIT once, and nothing after it. Simulators that keep
 * a mask of live lanes per warp abort on a trace that does not keep to this.
 */
#ifndef SLUICE_TRACE_ENDS_H
#define SLUICE_TRACE_ENDS_H

#include "trace/trace.h"

enum end_fault {
	END_TWICE, /* lanes execute EXIT that have done so before */
	END_AFTER, /* lanes execute something after their EXIT */
	END_NEVER, /* the warp's stream is over and lanes have not ended */
};

/* One warp that ends wrongly; the first thing that is wrong with it. */
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

/* Calls found() for each warp that ends wrongly, in the order of the trace. False: the trace cannot be read. */
bool trace_check_ends(const struct trace *trace, struct end_counts *counts,
                      void (*found)(const struct end_report *report, void *arg), void *arg,
                      struct error *err);

#endif
