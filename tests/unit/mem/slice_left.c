/* What others wrote before a launch lies in an emptied L2, and goes to DRAM when the launch needs its place. */
#include "lib/core_fixture.h"
#include "mem/slice.h"
#include "test.h"

#define PLAIN "icnt.reply_bytes_per_cycle=0 l2.allocate=on-fill l2.write_miss=allocate-mask"

static struct core *core;
static struct slice *slice;

static void close_memory(void)
{
	if (core)
		core_close(core);
	core = NULL;
}

/* Two sets of two ways in each slice, and `changes`; slice: that of line 0. */
static void open_memory(const char *changes)
{
	close_memory();
	core = core_open((struct bench_setup){.machine = "gtx480-khairy", .changes = changes},
	                 core_memory_trace(32, 0));
	slice = &core->memory->slice[map_slice(&core->bench.gpu->crossbar.map, 0, 0)];
}

/* Reads the first `count` lines of the slice, one after the other; bytes written to DRAM meanwhile. */
static uint64_t written_by_reads(uint32_t count)
{
	const struct address_map *map = &core->bench.gpu->crossbar.map;
	cycle_t when = 0;
	for (uint64_t line = 0; count; line++) {
		if (map_slice(map, line, 0) != slice->id)
			continue;
		struct packet p = {.when = when += 1000,
		                   .line = line,
		                   .token = count--,
		                   .op = PACKET_READ,
		                   .sectors = 0x1,
		                   .slice = (uint16_t)slice->id};
		memory_worker_accept(core->worker, &p);
	}
	memory_worker_run(core->worker, when + 10000);
	return slice->partition->counters.value[COUNT_dram_write_bytes];
}

TEST(left_lines_leave_first_once_each_and_only_for_want_of_room)
{
	/* Two of the slice's four lines; six slices. */
	open_memory(PLAIN " l2.sets=2 l2.ways=2 l2.index=seq launch.dirty_bytes=1536");
	CHECK_EQ(slice->dirty_sectors, 2 * core->memory->sectors_per_line);
	CHECK_EQ(written_by_reads(2), 0);
	open_memory(PLAIN " l2.sets=2 l2.ways=2 l2.index=seq launch.dirty_bytes=1536");
	CHECK_EQ(written_by_reads(12), 2 * core->machine->l2_line_bytes);
	CHECK_EQ(slice->dirty_sectors, 0);
}

TEST(an_l2_that_is_not_emptied_gets_none)
{
	open_memory(PLAIN " l2.sets=2 l2.ways=2 l2.index=seq launch.dirty_bytes=1536");
	written_by_reads(12);
	memory_reset(core->memory, false);
	CHECK_EQ(slice->dirty_sectors, 0);
	memory_reset(core->memory, true);
	CHECK_EQ(slice->dirty_sectors, 2 * core->memory->sectors_per_line);
}

TEST(no_more_are_left_than_there_is_room_for)
{
	open_memory(PLAIN " l2.sets=2 l2.ways=2 launch.dirty_bytes=1M");
	CHECK_EQ(slice->dirty_sectors, 4 * core->memory->sectors_per_line);
}

/* Two of the slice's four lines are left, and one of them is dirty. */
TEST(lines_that_are_left_clean_leave_without_being_written)
{
	open_memory(PLAIN " l2.sets=2 l2.ways=2 l2.index=seq launch.left_bytes=1536 launch.dirty_bytes=768");
	CHECK_EQ(slice->dirty_sectors, core->memory->sectors_per_line);
	left_put_all(slice, core->memory);
	uint32_t dirty = 0;
	for (uint32_t i = 0; i < slice->tags.sets * slice->tags.ways; i++)
		dirty += tag_present(&slice->tags, &slice->tags.entries[i]) && slice->tags.entries[i].dirty;
	CHECK_EQ(dirty, 1);
	CHECK_EQ(written_by_reads(12), core->machine->l2_line_bytes);
}

/* Lines that lie in the slice. */
static uint32_t lines_there(void)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < slice->tags.sets * slice->tags.ways; i++)
		count += tag_present(&slice->tags, &slice->tags.entries[i]);
	return count;
}

TEST(a_set_gets_its_left_lines_with_the_first_look_at_it)
{
	open_memory(PLAIN " l2.sets=2 l2.ways=2 l2.index=seq launch.dirty_bytes=2304"); /* three lines */
	CHECK_EQ(lines_there(), 0);
	left_look(slice, core->memory, 1);
	CHECK_EQ(lines_there(), 1);
	tags_invalidate(&slice->tags, slice->tags.ways);
	left_look(slice, core->memory, 1);
	CHECK_EQ(lines_there(), 0);
	left_put_all(slice, core->memory);
	CHECK_EQ(lines_there(), 2);
	CHECK_EQ(slice->dirty_sectors, 3 * core->memory->sectors_per_line);
}

TEST_RUN_ALL(!atexit(close_memory))
