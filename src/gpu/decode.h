/* Static instructions as the machine sees them: pipe, latency, registers to wait for. */
#ifndef SLUICE_GPU_DECODE_H
#define SLUICE_GPU_DECODE_H

#include "base/error.h"
#include "machine/machine.h"
#include "sm/launch.h"

/* Fills launch->insn, which it grows, and what follows from the code; launch->kernel is set. */
bool decode_kernel(struct launch *launch, const struct machine *machine, struct error *err);

#endif
