/* What of a kernel fits on an SM, and what that leaves to L1. */
#ifndef SLUICE_GPU_OCCUPANCY_H
#define SLUICE_GPU_OCCUPANCY_H

#include "policy/hooks.h"
#include "trace/trace.h"

/* CTAs of the kernel that fit on an SM; 0 with an error when none does. */
uint32_t occupancy_ctas(const struct machine *machine, const struct chain *chain,
                        const struct trace_kernel *kernel, struct error *err);

/* Lines L1 can hold beside the shared memory of that many CTAs; UINT32_MAX: all its tags can name. */
uint32_t occupancy_l1_lines(const struct machine *machine, const struct hooks *hooks,
                            const struct trace_kernel *kernel, uint32_t ctas);
/* The same for a division that is made once for all launches of a trace (CARVE_VOLTA_ONCE): the fewest of any. */
uint32_t occupancy_least_l1_lines(const struct machine *machine, const struct hooks *hooks,
                                  const struct trace *trace);
/* DRAM that an SM gets for shared memory that a policy keeps there: all that CTAs may fill, in whole lines per CTA. */
uint64_t occupancy_smem_window(const struct machine *machine, const struct hooks *hooks,
                               const struct trace_kernel *kernel, uint32_t ctas);

#endif
