/*
 * One DRAM channel: banks, rows, FR-FCFS, and the timing parameters that bind.
 *
 * A request is scheduled as a whole when the column bus comes free: the oldest
 * request to an open row that need not turn the bus around goes first (up to
 * `cap` of them past an older one), else the one that can be ready soonest.
 * Its precharge, activate and column commands get the earliest times that
 * every timing parameter allows, so each command that is issued is legal; an
 * activate may lie before the decision, as a real controller would have issued
 * it meanwhile. Refresh and power-down are left out. Time here is the DRAM's
 * own clock.
 */
#ifndef SLUICE_MEM_DRAM_H
#define SLUICE_MEM_DRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cycle.h"
#include "machine/machine.h"
#include "stats/counters.h"

struct dram_request {
	uint64_t arrival; /* DRAM clock */
	uint64_t row;
	uint32_t bank;
	uint32_t bytes;
	uint32_t id; /* returned when the data are there */
	uint8_t write;
};

struct dram_bank {
	uint64_t row; /* open row + 1; 0: closed */
	uint64_t can_precharge, can_activate, can_column;
};

/* Commands issued for one request, for tests and traces; 0 in *_at: not needed. */
struct dram_service {
	struct dram_request request;
	uint64_t precharge_at, activate_at, column_at, data_end;
	bool precharged, activated;
};

struct dram {
	const struct machine *machine;
	struct counters *counters;
	struct dram_bank *bank;
	/*
	 * From `head` on, in order of arrival: clock of the arrival, and below it the request's place. The first
	 * `visible` may be chosen. Some are on their way longer than others, so they are sorted in: keys are moved,
	 * requests stay where they are.
	 */
	uint64_t *queue;
	struct dram_request *request;
	uint32_t *place; /* from `count` on: the places that are free */
	uint32_t head, count, capacity, visible;
	uint32_t passed; /* row hits that went past the oldest */
	uint64_t last_activate, column_free, bus_free, read_after_write, write_after_read;
	bool any_activate, last_write;
	double clocks_per_byte;
	double owed; /* clocks that bursts took too few of so far; less than one */
};

void dram_init(struct dram *dram, const struct machine *machine, struct counters *counters);
void dram_free(struct dram *dram);
void dram_reset(struct dram *dram);
/*
 * Requests for blocks of one line, which come together: one per bit of `blocks`, and the number of the bit is added to
 * its id. True: they are the first in the queue now, so dram_next() may be another.
 */
bool dram_push_blocks(struct dram *dram, const struct dram_request *request, uint32_t blocks);
static inline bool dram_push(struct dram *dram, const struct dram_request *request)
{
	return dram_push_blocks(dram, request, 1);
}
/* Clock at which the next request can be chosen; UINT64_MAX when the queue is empty. */
uint64_t dram_next(const struct dram *dram);
/* Chooses and serves one request at clock `now` >= dram_next(). */
struct dram_service dram_serve(struct dram *dram, uint64_t now);

#endif
