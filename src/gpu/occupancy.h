/* How much of a kernel fits on an SM, and what that leaves to L1. */
#ifndef SLUICE_GPU_OCCUPANCY_H
#define SLUICE_GPU_OCCUPANCY_H

#include "policy/hooks.h"
#include "trace/trace.h"

/* Return how many CTAs of the kernel fit on an SM; 0 with an error if none does. */
uint32_t occupancy_ctas(const struct machine *machine, const struct chain *chain,
                        const struct trace_kernel *kernel, struct error *err);

/* Return how many lines L1 can hold with the shared memory of so many CTAs; UINT32_MAX: as many as it has tags. */
uint32_t occupancy_l1_lines(const struct machine *machine, const struct hooks *hooks,
                            const struct trace_kernel *kernel, uint32_t ctas);
/* The fewest of all launches of a trace, for a carve-out that is chosen once (CARVE_VOLTA_ONCE). */
uint32_t occupancy_least_l1_lines(const struct machine *machine, const struct hooks *hooks,
                                  const struct trace *trace);
/* DRAM bytes of an SM for shared memory that a policy keeps there: whole lines per CTA. */
uint64_t occupancy_smem_window(const struct machine *machine, const struct hooks *hooks,
                               const struct trace_kernel *kernel, uint32_t ctas);

#endif
