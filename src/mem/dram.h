/*
 * One DRAM channel: banks, rows, FR-FCFS, and the timing parameters that bind.
 *
 * A request is scheduled as a whole when the column bus becomes free. The oldest request to an open row that does not turn
 * the bus around goes first (up to `cap` of them past an older request), else the one that can be ready soonest. Its
 * precharge, activate and column commands get the earliest times that every timing parameter allows, so every command is
 * legal. An activate may lie before the decision, as a real controller would have issued it by then. Left out: refresh (see
 * fetch.c) and power-down. Times are in the DRAM's own clock.
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
	uint32_t id; /* the caller's; returned with the service */
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
	 * From `head` on, sorted by arrival: the clock of the arrival and, in the low bits, the request's place. The first
	 * `visible` may be chosen. Requests are inserted out of order; keys move, requests stay where they are.
	 */
	uint64_t *queue;
	struct dram_request *request;
	uint32_t *place; /* from `count` on: free places */
	uint32_t head, count, capacity, visible;
	uint32_t passed; /* row hits scheduled before the oldest request */
	uint64_t last_activate, column_free, bus_free, read_after_write, write_after_read;
	bool any_activate, last_write;
	double clocks_per_byte;
	double owed; /* fraction of a clock that earlier bursts have not been charged */
};

void dram_init(struct dram *dram, const struct machine *machine, struct counters *counters);
void dram_free(struct dram *dram);
void dram_reset(struct dram *dram);
/*
 * Push requests for blocks of one line that arrive together: one per bit of `blocks`; the number of the bit
 * is added to its id. Return whether they are first in the queue now, which may change dram_next().
 */
bool dram_push_blocks(struct dram *dram, const struct dram_request *request, uint32_t blocks);
static inline bool dram_push(struct dram *dram, const struct dram_request *request)
{
	return dram_push_blocks(dram, request, 1);
}
/* Return the clock at which the next request can be chosen; UINT64_MAX: the queue is empty. */
uint64_t dram_next(const struct dram *dram);
/* Choose and serve one request at clock `now` >= dram_next(). */
struct dram_service dram_serve(struct dram *dram, uint64_t now);

#endif
