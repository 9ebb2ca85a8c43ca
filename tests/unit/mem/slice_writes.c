/* What stores cost an L2 slice: sectors that are filled in part, and the way to the other L2 partition. */
#include "lib/core_fixture.h"
#include "test.h"

static struct core *core;
static const struct address_map *map;
static cycle_t now;

static void close_memory(void)
{
	if (core)
		core_close(core);
	core = NULL;
}

/* The memory of the test before is closed first, that of the last one when the program ends. */
static void open_memory(const char *changes)
{
	close_memory();
	core =
	    core_open((struct bench_setup){.machine = "h200", .changes = changes}, core_memory_trace(32, 0));
	map = &core->bench.gpu->crossbar.map;
	now = 100;
}

/* The first line from `line` on that lives in partition 0. */
static uint64_t near_line(uint64_t line)
{
	while (map_home(map, line))
		line++;
	return line;
}

/* Stores to a sector of `line`, all of it or a part, soon after cycle 100; how long its slice has been taken since then. */
static fine_t store(uint64_t line, bool full, uint8_t flags)
{
	struct packet p = {.when = now,
	                   .line = line,
	                   .op = PACKET_WRITE,
	                   .sectors = 0x1,
	                   .full = full,
	                   .flags = flags,
	                   .slice = (uint16_t)map_slice(map, line, 0)};
	memory_worker_accept(core->worker, &p);
	memory_worker_run(core->worker, ++now);
	return core->memory->slice[p.slice].free - fine_of(100);
}

TEST(a_sector_filled_in_part_takes_longer_but_once_for_stores_that_follow)
{
	uint64_t line = 0;
	open_memory("l2.partial_write_cycles=4");
	line = near_line(0);
	fine_t full = store(line, true, 0);
	CHECK(full > 0);
	open_memory("l2.partial_write_cycles=4");
	fine_t extra = core->memory->partial_fine;
	CHECK(extra > 0);
	CHECK_EQ(store(line, false, 0), full + extra);
	CHECK_EQ(store(line, false, 0), 2 * full + extra);
	CHECK_EQ(store(line ^ 1, false, 0), 3 * full + 2 * extra); /* the other line of the block */
	CHECK_EQ(store(line, true, 0), 4 * full + 2 * extra);
}

TEST(a_store_that_crossed_takes_time_in_a_second_slice)
{
	open_memory(NULL);
	uint64_t line = near_line(0);
	const struct slice *home = &core->memory->slice[map_slice(map, line, 0)];
	const struct slice *other = &home->partition->slice[!home->local];
	fine_t cost = store(line, true, 0);
	CHECK_EQ(other->free, 0);
	CHECK_EQ(store(line, true, PACKET_CROSSES), fine_of(1) + cost);
	CHECK_EQ(other->free, fine_of(101) + cost);
}

/* Cycles from a read's arrival in an idle channel to its reply; `when` chooses the state of its bank. */
static cycle_t read_takes(uint64_t line, cycle_t when)
{
	struct packet p = {.when = when,
	                   .line = line,
	                   .token = 1,
	                   .op = PACKET_READ,
	                   .sectors = 0x1,
	                   .slice = (uint16_t)map_slice(map, line, 0)};
	memory_worker_accept(core->worker, &p);
	memory_worker_run(core->worker, when + 20000);
	const struct reply_box *box = &core->memory->slice[p.slice].partition->replies[0];
	return box->count ? box->item[box->count - 1].when - when : 0;
}

/* Of the cycles of a period, so many find the bank in its refresh, and wait as long as it still takes. */
TEST(a_fetch_waits_for_the_refresh_of_its_bank)
{
	enum { PERIOD = 1000, TAKES = 200, STEP = 10 };
	uint32_t late = 0;
	cycle_t least = UINT64_MAX, most = 0;
	for (cycle_t when = 0; when < PERIOD; when += STEP) {
		open_memory("dram.refresh_cycles=200 dram.refresh_per_mille=200");
		cycle_t takes = read_takes(near_line(0), 1000 + when);
		least = takes < least ? takes : least;
		most = takes > most ? takes : most;
		late += takes > least + STEP / 2 && takes != least;
	}
	CHECK(most >= least + TAKES - STEP && most <= least + TAKES + STEP);
	CHECK(late >= TAKES / STEP - 2 && late <= TAKES / STEP + 2);
	open_memory("dram.refresh_per_mille=0");
	cycle_t once = read_takes(near_line(0), 1000), again = 0;
	open_memory("dram.refresh_per_mille=0");
	again = read_takes(near_line(0), 1777);
	CHECK(once <= again + 1 && again <= once + 1);
}

TEST_RUN_ALL(!atexit(close_memory))
