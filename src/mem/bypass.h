/* Requests that bypass L2: shared memory that lies in DRAM. */
#ifndef SLUICE_MEM_BYPASS_H
#define SLUICE_MEM_BYPASS_H

#include "mem/worker.h"

/* Serves a packet with PACKET_BYPASS_L2. False when it lacks an MSHR: nothing has changed then. */
bool bypass_request(struct mem_event *ev, const struct packet *p);

#endif
