/* Static instructions as the machine sees them: pipe, latency, registers to wait for. */
#ifndef SLUICE_GPU_DECODE_H
#define SLUICE_GPU_DECODE_H

#include "base/error.h"
#include "machine/machine.h"
#include "sm/launch.h"

/* Fill launch->insn, which grows, and the members that follow from the code. launch->kernel must be set. */
bool decode_kernel(struct launch *launch, const struct machine *machine, struct error *err);

#endif
