/* The ceilings of a machine's roofline, per core cycle. */
#ifndef SLUICE_MACHINE_PEAKS_H
#define SLUICE_MACHINE_PEAKS_H

#include "machine/machine.h"

struct peaks {
	double issue;        /* warp instructions, all SMs */
	double l1, l2, dram; /* bytes that loads get, all SMs, slices, channels */
};

struct peaks machine_peaks(const struct machine *machine);

#endif
