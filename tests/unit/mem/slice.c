/*
 * An L2 slice: hits and misses, sectors and fetch blocks, the MSHR and merge limits, the queue in front of it,
 * writes, atomics, and reads whose line lives in the other L2 partition.
 */
#include "lib/core_fixture.h"
#include "test.h"

/* What GPGPU-Sim's L2 and its crossbar do beyond the simplest. */
#define PLAIN UNDIVIDED " icnt.reply_bytes_per_cycle=0 l2.allocate=on-fill l2.write_miss=allocate-mask"

static struct core *core;
static const struct machine *m;
static const struct address_map *map;

static void close_memory(void)
{
	if (core)
		core_close(core);
	core = NULL;
}

/* The memory of the test before is closed first, that of the last one when the program ends. */
static void open_memory(const char *machine, const char *changes)
{
	close_memory();
	core =
	    core_open((struct bench_setup){.machine = machine, .changes = changes}, core_memory_trace(32, 0));
	m = core->machine;
	map = &core->bench.gpu->crossbar.map;
}

/* The n-th line of the slice that line 0 has in partition 0, at home there. */
static uint64_t line_of_slice(uint32_t n)
{
	uint32_t slice = UINT32_MAX;
	for (uint64_t line = 0;; line++) {
		if (map_home(map, line))
			continue;
		slice = slice == UINT32_MAX ? map_slice(map, line, 0) : slice;
		if (map_slice(map, line, 0) == slice && !n--)
			return line;
	}
}

static void send(enum packet_op op, uint64_t line, uint8_t sectors, uint32_t token, cycle_t when)
{
	uint32_t home = map_home(map, line);
	struct packet p = {.when = when,
	                   .line = line,
	                   .token = token,
	                   .op = (uint8_t)op,
	                   .sectors = sectors,
	                   .full = sectors,
	                   .lanes = 1,
	                   .flags = home ? PACKET_CROSSES : 0,
	                   .slice = (uint16_t)map_slice(map, line, op == PACKET_READ ? 0 : home)};
	memory_worker_accept(core->worker, &p);
}

static struct slice *slice_of(uint64_t line)
{
	return &core->memory->slice[map_slice(map, line, 0)];
}

static uint64_t counted(uint64_t line, enum counter counter)
{
	return slice_of(line)->partition->counters.value[counter];
}

/* Runs memory up to `until`; what goes over the fabric is handed over before its time comes. */
static void run(cycle_t until)
{
	enum { QUANTUM = 16 };
	for (cycle_t now = core->worker->calendar.base; now < until; now += QUANTUM) {
		memory_worker_run(core->worker, now + QUANTUM < until ? now + QUANTUM : until);
		for (uint32_t p = 0; p < m->dram_channels; p++) {
			struct packet_box *box = &core->memory->partition[p].fabric[0];
			for (uint32_t i = 0; i < box->count; i++)
				memory_worker_accept(core->worker, &box->item[i]);
			box->count = 0;
		}
	}
}

/* The reply to `token`; NULL: none has been sent. */
static const struct reply *reply_to(uint32_t token)
{
	for (uint32_t p = 0; p < m->dram_channels; p++) {
		const struct reply_box *box = &core->memory->partition[p].replies[0];
		for (uint32_t i = 0; i < box->count; i++)
			if (box->item[i].token == token)
				return &box->item[i];
	}
	return NULL;
}

/* Brings sectors of a line into the slice, long before cycle `now`. */
static void warm(uint64_t line, uint8_t sectors, cycle_t now)
{
	send(PACKET_READ, line, sectors, 999, now);
	run(now + 5000);
}

TEST(a_miss_comes_from_dram_and_the_next_read_hits)
{
	open_memory("gtx480-khairy", PLAIN);
	send(PACKET_READ, 0, 0x1, 1, 100);
	run(101);
	CHECK(!reply_to(1));
	CHECK_EQ(slice_of(0)->mshrs.free_entries, m->l2_mshr_entries - 1);
	run(5000);
	CHECK(reply_to(1));
	CHECK(reply_to(1)->when > 100 + m->dram_extra_cycles);
	CHECK_EQ(reply_to(1)->sectors, 0x1);
	send(PACKET_READ, 0, 0x1, 2, 5000);
	run(6000);
	CHECK_EQ(reply_to(2)->when, 5000 + m->l2_latency_cycles + m->icnt_reply_cycles);
	CHECK_EQ(counted(0, COUNT_l2_read_sectors), 2);
	CHECK_EQ(counted(0, COUNT_l2_read_hit_sectors), 1);
	CHECK_EQ(counted(0, COUNT_dram_read_bytes), m->l2_fetch_bytes);
	CHECK_EQ(slice_of(0)->mshrs.free_entries, m->l2_mshr_entries);
}

TEST(a_read_of_a_line_in_flight_waits_for_the_same_fill)
{
	open_memory("gtx480-khairy", PLAIN);
	send(PACKET_READ, 0, 0x1, 1, 100);
	send(PACKET_READ, 0, 0x1, 2, 103);
	run(5000);
	CHECK_EQ(reply_to(1)->when, reply_to(2)->when);
	CHECK_EQ(counted(0, COUNT_dram_read_bytes), m->l2_fetch_bytes);
}

static uint8_t asked_hit, asked_pending;

static enum l2_route see_request(void *gpu, const struct l2_request *request)
{
	(void)gpu;
	asked_hit = request->hit;
	asked_pending = request->pending;
	return L2_ROUTE_NONE;
}

TEST(policies_are_told_whether_a_line_is_there_on_its_way_or_neither)
{
	static const struct policy watch = {.abi = POLICY_ABI, .name = "watch", .l2_route = see_request};
	close_memory();
	core = core_open((struct bench_setup){.machine = "gtx480-khairy", .extra = &watch},
	                 core_memory_trace(32, 0));
	m = core->machine;
	map = &core->bench.gpu->crossbar.map;
	uint64_t line = line_of_slice(0);
	send(PACKET_READ, line, 1, 1, 10);
	run(20);
	CHECK(!asked_hit && !asked_pending);
	send(PACKET_READ, line, 1, 2, 30);
	run(40);
	CHECK(asked_pending);
	run(5000);
	send(PACKET_READ, line, 1, 3, 5000);
	run(5010);
	CHECK(asked_hit && !asked_pending);
}

TEST(misses_fetch_whole_blocks_and_bring_only_what_is_missing)
{
	open_memory("v100-osm", NULL);
	uint32_t per = m->l2_fetch_bytes / m->l2_sector_bytes;
	warm(0, 0x1, 100);
	uint8_t block = (uint8_t)((1u << per) - 1);
	CHECK_EQ(slice_of(0)->tags.entries[tags_find(&slice_of(0)->tags, 0, 0)].valid, block);
	uint64_t bytes = counted(0, COUNT_dram_read_bytes);
	CHECK_EQ(bytes, m->l2_fetch_bytes);
	send(PACKET_READ, 0, 0xf, 2, 9000);
	run(20000);
	CHECK_EQ(counted(0, COUNT_dram_read_bytes) - bytes, m->l2_line_bytes - m->l2_fetch_bytes);
}

TEST(the_pipe_serves_one_request_after_the_other)
{
	open_memory("gtx480-khairy", PLAIN); /* a line of 128 B takes two cycles */
	for (uint32_t i = 0; i < 3; i++)
		warm(line_of_slice(i), 0x1, 10000 * i);
	for (uint32_t i = 0; i < 3; i++)
		send(PACKET_READ, line_of_slice(i), 0x1, i, 50000);
	run(60000);
	for (uint32_t i = 0; i < 3; i++)
		CHECK_EQ(reply_to(i)->when, 50000 + 2 * i + m->l2_latency_cycles + m->icnt_reply_cycles);
}

TEST(a_request_gives_its_credit_back_when_it_is_taken)
{
	open_memory("gtx480-khairy", PLAIN " l2.mshr_entries=1");
	const struct credit_ring *ring = crossbar_credits(&core->bench.gpu->crossbar, 0, 0);
	send(PACKET_READ, line_of_slice(0), 0x1, 1, 100);
	send(PACKET_READ, line_of_slice(1), 0x1, 2, 100);
	run(102);
	CHECK_EQ(ring->coming, 1);
	CHECK_EQ(credits_next(ring), 100 + m->icnt_credit_cycles);
	run(5000);
	CHECK_EQ(ring->coming, 2);
}

TEST(without_an_mshr_requests_wait_in_order_hits_behind_them_too)
{
	open_memory("gtx480-khairy", PLAIN " l2.mshr_entries=1");
	uint64_t first = line_of_slice(0), second = line_of_slice(1), present = line_of_slice(2);
	warm(present, 0x1, 0);
	send(PACKET_READ, first, 0x1, 1, 10000);
	send(PACKET_READ, second, 0x1, 2, 10001);
	send(PACKET_READ, present, 0x1, 3, 10002); /* would hit */
	run(10050);
	CHECK(slice_of(first)->blocked);
	CHECK_EQ(slice_of(first)->waiting.count, 2);
	CHECK(!reply_to(3));
	run(20000);
	CHECK(!slice_of(first)->blocked);
	cycle_t filled = reply_to(1)->when - m->icnt_reply_cycles;
	CHECK(reply_to(3)->when > reply_to(1)->when);
	CHECK(reply_to(3)->when < reply_to(2)->when); /* it only waited for its turn */
	CHECK_EQ(counted(first, COUNT_l2_stall_cycles), filled - 10001);
}

TEST(a_line_takes_so_many_waiters_and_the_next_blocks_the_slice)
{
	open_memory("gtx480-khairy", PLAIN " l2.mshr_merge=2");
	for (uint32_t i = 0; i < 4; i++)
		send(PACKET_READ, 0, 0x1, i, 100 + i);
	run(150);
	CHECK_EQ(slice_of(0)->waiting.count, 2);
	CHECK_EQ(slice_of(0)->mshrs.entry[mshr_find(&slice_of(0)->mshrs, 0)].waiters, 2);
	run(5000);
	for (uint32_t i = 0; i < 4; i++)
		CHECK(reply_to(i));
	CHECK(reply_to(3)->when > reply_to(0)->when);
}

TEST(a_write_dirties_the_line_and_goes_to_dram_when_it_leaves)
{
	open_memory("gtx480-khairy", PLAIN " l2.sets=1 l2.ways=2");
	send(PACKET_WRITE, line_of_slice(0), 0x1, 0, 100);
	run(1000);
	CHECK_EQ(counted(0, COUNT_dram_write_bytes), 0);
	CHECK_EQ(counted(0, COUNT_dram_read_bytes), 0); /* nothing is fetched for it */
	CHECK_EQ(slice_of(0)->partition->last_write, 100 + m->l2_latency_cycles);
	send(PACKET_READ, line_of_slice(0), 0x1, 1, 1000);
	run(1100);
	CHECK_EQ(reply_to(1)->when, 1000 + m->l2_latency_cycles + m->icnt_reply_cycles);
	warm(line_of_slice(1), 0x1, 2000);
	warm(line_of_slice(2), 0x1, 10000);
	CHECK_EQ(counted(0, COUNT_l2_evictions), 1);
	CHECK_EQ(counted(0, COUNT_dram_write_bytes), m->l2_sector_bytes);
}

TEST(written_data_beyond_the_limit_go_to_dram_and_their_lines_stay)
{
	open_memory("gtx480-khairy", PLAIN " l2.dirty_bytes=1536"); /* two sectors for each of six slices */
	for (uint32_t i = 0; i < 5; i++)
		send(PACKET_WRITE, line_of_slice(i), 0x1, 0, 100 + 10 * i);
	send(PACKET_WRITE, line_of_slice(4), 0x1, 0, 200); /* dirty already, or dirty again */
	run(5000);
	uint64_t written = counted(0, COUNT_dram_write_bytes) / m->l2_sector_bytes;
	CHECK(written == 3 || written == 4);
	CHECK_EQ(slice_of(0)->dirty_sectors, 2);
	CHECK_EQ(counted(0, COUNT_l2_evictions), 0);
	uint32_t dirty = 0;
	for (uint32_t i = 0; i < m->l2_sets * m->l2_ways; i++)
		dirty += bits_count(slice_of(0)->tags.entries[i].dirty);
	CHECK_EQ(dirty, 2);
	for (uint32_t i = 0; i < 5; i++)
		CHECK(tags_find(&slice_of(0)->tags,
		                tags_set(&slice_of(0)->tags, map_slice_line(map, line_of_slice(i), 0)),
		                line_of_slice(i)) != TAG_NONE);
}

TEST(a_sector_written_in_part_is_completed_from_dram_when_it_leaves)
{
	open_memory("gtx480-khairy", PLAIN " l2.sets=1 l2.ways=1");
	struct packet p = {.when = 100,
	                   .line = line_of_slice(0),
	                   .op = PACKET_WRITE,
	                   .sectors = 0x1,
	                   .slice = (uint16_t)map_slice(map, line_of_slice(0), 0)};
	memory_worker_accept(core->worker, &p);
	warm(line_of_slice(1), 0x1, 2000);
	CHECK_EQ(counted(0, COUNT_dram_write_bytes), m->l2_sector_bytes);
	CHECK_EQ(counted(0, COUNT_dram_read_bytes), m->l2_sector_bytes + m->l2_fetch_bytes);
}

TEST(a_line_reserved_by_a_miss_is_no_victim_and_a_set_of_them_blocks)
{
	open_memory("gtx480-khairy", PLAIN " l2.sets=1 l2.ways=2 l2.allocate=on-miss");
	struct slice *slice = slice_of(line_of_slice(0));
	for (uint32_t i = 0; i < 3; i++)
		send(PACKET_READ, line_of_slice(i), 0x1, i, 100 + i);
	run(150);
	CHECK(slice->blocked); /* the third: MSHRs there are, but no line */
	CHECK_EQ(slice->waiting.count, 1);
	CHECK_EQ(slice->mshrs.free_entries, m->l2_mshr_entries - 2);
	CHECK(tags_find(&slice->tags, 0, line_of_slice(0)) != TAG_NONE);
	run(5000);
	CHECK(!slice->blocked);
	for (uint32_t i = 0; i < 3; i++)
		CHECK(reply_to(i));
	CHECK_EQ(counted(0, COUNT_l2_read_hit_sectors), 0);
	CHECK_EQ(counted(0, COUNT_l2_evictions), 1);
	/* The one that went was the least recently used, at the miss, not at the fill. */
	CHECK(tags_find(&slice->tags, 0, line_of_slice(0)) == TAG_NONE);
	CHECK(!(slice->tags.entries[0].state & TAG_RESERVED) &&
	      !(slice->tags.entries[1].state & TAG_RESERVED));
}

TEST(a_store_miss_that_fetches_reads_the_line_and_sends_the_store_on)
{
	open_memory("gtx480-khairy", PLAIN " l2.allocate=on-miss l2.write_miss=allocate-fetch");
	send(PACKET_WRITE, line_of_slice(0), 0x1, 0, 100);
	run(101);
	CHECK_EQ(slice_of(0)->mshrs.free_entries, m->l2_mshr_entries - 1);
	run(5000);
	CHECK_EQ(counted(0, COUNT_dram_write_bytes), m->l2_sector_bytes);
	CHECK_EQ(counted(0, COUNT_dram_read_bytes), m->l2_fetch_bytes);
	const struct tags *tags = &slice_of(0)->tags;
	const struct tag *tag = &tags->entries[tags_find(tags, tags_set(tags, 0), line_of_slice(0))];
	CHECK_EQ(tag->valid, 0x1);
	CHECK_EQ(tag->dirty, 0); /* DRAM has it */
	send(PACKET_WRITE, line_of_slice(0), 0x1, 0, 6000);
	run(7000);
	CHECK_EQ(tag->dirty, 0x1);
	CHECK_EQ(counted(0, COUNT_dram_read_bytes), m->l2_fetch_bytes);
	CHECK_EQ(counted(0, COUNT_dram_write_bytes), m->l2_sector_bytes);
}

TEST(an_atomic_takes_the_pipe_for_every_lane_and_a_reduction_answers_nobody)
{
	open_memory("gtx480-khairy", PLAIN); /* one cycle a sector and one a lane */
	warm(0, 0x1, 0);
	send(PACKET_ATOMIC, 0, 0x1, 1, 10000);
	send(PACKET_REDUCE, 0, 0x1, 2, 10000);
	send(PACKET_READ, 0, 0x1, 3, 10000);
	run(20000);
	CHECK_EQ(reply_to(1)->when, 10000 + m->l2_latency_cycles + 2 + m->icnt_reply_cycles);
	CHECK(!reply_to(2));
	CHECK_EQ(reply_to(3)->when, 10004 + m->l2_latency_cycles + m->icnt_reply_cycles);
	CHECK_EQ(counted(0, COUNT_l2_atomic_sectors), 2);
}

/* ---- two partitions -------------------------------------------------------------------------------------------------- */

static uint64_t far_line(void)
{
	uint64_t line = 0;
	while (!map_home(map, line))
		line++;
	return line;
}

TEST(a_line_of_the_other_partition_comes_over_the_fabric_and_stays)
{
	open_memory("h200", NULL);
	uint64_t line = far_line();
	struct slice *near = slice_of(line), *home = &core->memory->slice[map_slice(map, line, 1)];
	CHECK(near->l2_partition != home->l2_partition);
	send(PACKET_READ, line, 0x1, 1, 1000);
	run(20000);
	CHECK(reply_to(1));
	CHECK(reply_to(1)->when > 1000 + 2 * m->l2_partition_cycles);
	CHECK_EQ(near->partition->counters.value[COUNT_dram_read_bytes], 0);
	CHECK_EQ(home->partition->counters.value[COUNT_dram_read_bytes], m->l2_fetch_bytes);
	CHECK(home->partition->counters.value[COUNT_l2_fabric_sectors]);
	send(PACKET_READ, line, 0x1, 2, 30000);
	run(31000);
	cycle_t path = crossbar_path(&core->bench.gpu->crossbar, 0, near->id);
	CHECK_EQ(reply_to(2)->when, 30000 + m->l2_latency_cycles + m->icnt_reply_cycles + path);
	CHECK_EQ(near->mshrs.free_entries, near->mshrs.entries);
	CHECK_EQ(home->mshrs.free_entries, home->mshrs.entries);
}

/* Two looks and two crossings, if the line is present at home. */
TEST(a_read_that_crosses_takes_both_slices_and_the_way_between_them_twice)
{
	open_memory("h200", NULL);
	uint64_t line = far_line();
	const struct crossbar *crossbar = &core->bench.gpu->crossbar;
	struct packet p = {.when = 100,
	                   .line = line,
	                   .token = 1,
	                   .op = PACKET_READ,
	                   .sectors = 0x1,
	                   .sm = (uint16_t)(m->sm_count - 1), /* near the home of the line */
	                   .slice = (uint16_t)map_slice(map, line, 1)};
	memory_worker_accept(core->worker, &p);
	run(10000);
	CHECK(reply_to(1));
	send(PACKET_READ, line, 0x1, 2, 20000);
	run(22000);
	cycle_t way = 2 * (m->l2_latency_cycles + m->l2_partition_cycles) + m->icnt_reply_cycles;
	CHECK_EQ(reply_to(2)->when, 20000 + way + crossbar_path(crossbar, 0, slice_of(line)->id));
}

TEST(some_mshrs_are_kept_for_the_fabric)
{
	open_memory("h200", "l2.mshr_entries=4 l2.mshr_merge=1");
	struct slice *slice = slice_of(line_of_slice(0));
	for (uint32_t i = 0; i < 6; i++)
		send(PACKET_READ, line_of_slice(8 * i), 0x1, i, 100);
	memory_worker_run(core->worker, 101);
	CHECK_EQ(slice->mshrs.free_entries, 1);
	CHECK(slice->blocked);
	CHECK_EQ(slice->waiting.count, 3);
	struct packet p = {.when = 102,
	                   .line = line_of_slice(64),
	                   .op = PACKET_READ,
	                   .sectors = 0x1,
	                   .from = (uint16_t)map->first[1],
	                   .flags = PACKET_FABRIC,
	                   .slice = slice->id};
	memory_worker_accept(core->worker, &p);
	memory_worker_run(core->worker, 103);
	CHECK_EQ(slice->mshrs.free_entries, 0);
	CHECK_EQ(slice->fabric_waiting.count, 0);
	p.line = line_of_slice(72);
	p.when = 104;
	memory_worker_accept(core->worker, &p);
	memory_worker_run(core->worker, 105);
	CHECK_EQ(slice->fabric_waiting.count, 1);
	memory_worker_run(core->worker, 50000);
	CHECK_EQ(slice->fabric_waiting.count + slice->waiting.count, 0);
}

TEST(reads_of_a_cluster_for_data_in_flight_are_merged)
{
	open_memory("h200", NULL);
	CHECK(m->icnt_merge_reads);
	uint64_t line = line_of_slice(0);
	warm(line, 0x1, 0);
	uint64_t sectors = counted(line, COUNT_l2_read_sectors);
	send(PACKET_READ, line, 0x1, 1, 20000);
	send(PACKET_READ, line, 0x1, 2, 20001);
	run(20500);
	CHECK_EQ(counted(line, COUNT_icnt_merged), 1);
	CHECK_EQ(counted(line, COUNT_l2_read_sectors), sectors + 1);
	send(PACKET_READ, line, 0x1, 3, 30000);
	run(31000);
	CHECK_EQ(counted(line, COUNT_icnt_merged), 1);
	CHECK(reply_to(1) && reply_to(2) && reply_to(3));
}

TEST(requests_that_bypass_l2_take_no_line)
{
	open_memory("gtx480-khairy", PLAIN);
	struct packet p = {.when = 100,
	                   .token = 1,
	                   .op = PACKET_READ,
	                   .sectors = 0x1,
	                   .flags = PACKET_BYPASS_L2,
	                   .slice = (uint16_t)map_slice(map, 0, 0)};
	memory_worker_accept(core->worker, &p);
	run(5000);
	CHECK(reply_to(1));
	CHECK_EQ(counted(0, COUNT_l2_bypass_read_sectors), 1);
	CHECK_EQ(counted(0, COUNT_l2_read_sectors), 0);
	CHECK_EQ(tags_find(&slice_of(0)->tags, 0, 0), TAG_NONE);
	p.op = PACKET_WRITE;
	p.when = 5000;
	memory_worker_accept(core->worker, &p);
	run(9000);
	CHECK_EQ(counted(0, COUNT_dram_write_bytes), m->l2_sector_bytes);
}

TEST_RUN_ALL(!atexit(close_memory))
