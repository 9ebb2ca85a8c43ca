/*
 * The crossbar between SMs and L2 slices: which slice serves a line, how far it
 * is, which worker simulates which slice, and the credits in flight. It is constant while a
 * launch runs, but for the credits. Ports (icnt/port.h) and slices send over it.
 */
#ifndef SLUICE_ICNT_CROSSBAR_H
#define SLUICE_ICNT_CROSSBAR_H

#include "icnt/address_map.h"
#include "icnt/credits.h"
#include "machine/machine.h"

struct crossbar {
	const struct machine *machine;
	struct address_map map;
	uint16_t *sm_cluster;   /* GPC of every SM */
	uint8_t *sm_partition;  /* L2 partition that it is near to */
	uint8_t *path;          /* [cluster][slice]: cycles beyond the shortest path, each way */
	uint32_t workers;       /* there are boxes for so many */
	uint32_t owners;        /* share slices and SMs in this launch */
	uint16_t *slice_worker; /* the worker of each slice */
	uint16_t *sm_worker;
	struct credit_ring *credits; /* [SM][worker]: what the worker's slices give back */
};

void crossbar_init(struct crossbar *crossbar, const struct machine *machine, uint32_t workers);
void crossbar_free(struct crossbar *crossbar);
/* Between launches: slices and SMs go to the first `owners` workers. */
void crossbar_share(struct crossbar *crossbar, uint32_t owners);

/* Path beyond the shortest between an SM and a slice, one way. */
static inline cycle_t crossbar_path(const struct crossbar *crossbar, uint32_t sm, uint32_t slice)
{
	return crossbar->path[crossbar->sm_cluster[sm] * crossbar->map.slices + slice];
}

static inline struct credit_ring *crossbar_credits(const struct crossbar *crossbar, uint32_t sm,
                                                   uint32_t worker)
{
	return &crossbar->credits[sm * crossbar->workers + worker];
}

#endif
