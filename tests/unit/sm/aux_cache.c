/*
 * The auxiliary cache: loads that a policy sends there, what moves from L1,
 * lines that are in one place only, shapes that change, and shared memory that
 * lies behind it.
 */
#include "lib/core_fixture.h"
#include "test.h"

static struct aux_shape shape;
static enum l1_route route;

static struct aux_shape say_shape(void *sm, const struct sm_view *view)
{
	(void)sm, (void)view;
	return shape;
}

static enum l1_route say_route(void *sm, const struct l1_request *request, enum l1_fail fail)
{
	(void)sm, (void)fail;
	return request->space == POLICY_GLOBAL ? route : L1_ROUTE_NONE;
}

static enum smem_route say_cached(void *sm, const struct l1_request *request)
{
	(void)sm, (void)request;
	return SMEM_ROUTE_CACHED;
}

static const struct policy sidecar = {
    .abi = POLICY_ABI, .name = "sidecar", .l1_route = say_route, .aux_cache = say_shape};
static const struct policy behind = {.abi = POLICY_ABI,
                                     .name = "behind",
                                     .l1_route = say_route,
                                     .aux_cache = say_shape,
                                     .smem_route = say_cached};

static struct core *open_aux(const struct policy *policy, const char *machine, struct aux_shape asked)
{
	shape = asked;
	route = L1_ROUTE_AUX;
	struct core *c =
	    core_open((struct bench_setup){.machine = machine, .extra = policy}, core_memory_trace(32, 4096));
	core_start_cta(c, 0, 0);
	return c;
}

static const struct aux_shape small = {.sets = 2, .ways = 2, .hit_cycles = 50};

TEST(a_load_sent_there_fills_it_and_not_l1)
{
	CORE c = open_aux(&sidecar, "v100-osm", small);
	CHECK_EQ(core_load_line(c, 6, 0x3, 10), L1_FAIL_NONE);
	core_answer(c, 0, 0x3, 200);
	CHECK(loads_idle(&c->sm->loads));
	CHECK_EQ(c->sm->l1.lines, 0);
	CHECK(tags_find(&c->sm->aux->tags, 0, 6) != TAG_NONE);
	struct mem_insn mem = core_access(c, CORE_LOAD);
	struct line_request request = core_line(c, 6, 0x3);
	CHECK_EQ(l1_load(&c->sm->l1, &mem, &request, 300), L1_FAIL_NONE);
	CHECK_EQ(core_sent(c), 1);
	CHECK_EQ(loads_get(&c->sm->loads, mem.load)->done, 300 + 50 - c->machine->lsu_issue_cycles);
	CHECK_EQ(core_count(c, COUNT_aux_hits), 1);
	CHECK_EQ(core_count(c, COUNT_aux_misses), 1);
	CHECK_EQ(core_count(c, COUNT_l1_accesses), 2);
}

TEST(a_miss_there_brings_the_block_that_one_in_l1_brings)
{
	CORE c = open_aux(&sidecar, "gtx480-khairy", small);
	CHECK_EQ(core_load_line(c, 6, 0x2, 10), L1_FAIL_NONE);
	CHECK_EQ(c->sm->l1.mshrs.entry[0].pending, 0xf);
	CHECK_EQ(core_load_line(c, 6, 0x8, 11), L1_FAIL_NONE);
	CHECK_EQ(core_sent(c), 1);
	CHECK_EQ(core_count(c, COUNT_aux_pending_hits), 1);
	core_answer(c, 0, 0xf, 200);
	CHECK_EQ(c->sm->aux->tags.entries[tags_find(&c->sm->aux->tags, 0, 6)].valid, 0xf);
}

TEST(a_line_in_flight_to_it_is_waited_for_by_loads_of_l1)
{
	CORE c = open_aux(&sidecar, "v100-osm", small);
	core_load_line(c, 6, 0x1, 10);
	route = L1_ROUTE_NONE;
	CHECK_EQ(core_load_line(c, 6, 0x1, 11), L1_FAIL_NONE);
	CHECK_EQ(core_sent(c), 1);
	CHECK_EQ(core_count(c, COUNT_aux_pending_hits), 1);
	core_answer(c, 0, 0x1, 200);
	CHECK_EQ(c->sm->l1.lines, 0);
	CHECK(loads_idle(&c->sm->loads));
}

TEST(a_line_of_l1_moves_there_and_is_in_one_place)
{
	CORE c = open_aux(&sidecar, "v100-osm", small);
	route = L1_ROUTE_NONE;
	core_load_line(c, 6, 0x3, 10);
	core_answer(c, 0, 0x3, 200);
	CHECK_EQ(c->sm->l1.lines, 1);
	route = L1_ROUTE_AUX;
	core_load_line(c, 6, 0x3, 300);
	CHECK_EQ(core_count(c, COUNT_aux_migrations), 1);
	CHECK_EQ(core_count(c, COUNT_l1_hits), 1);
	CHECK_EQ(core_sent(c), 1);
	CHECK_EQ(c->sm->l1.lines, 0);
	CHECK_EQ(c->sm->aux->tags.entries[tags_find(&c->sm->aux->tags, 0, 6)].valid, 0x3);
}

TEST(a_line_that_moves_takes_the_way_of_a_fill)
{
	CORE c = open_aux(&sidecar, "gtx480-khairy", small);
	route = L1_ROUTE_NONE;
	core_load_line(c, 6, 0x1, 10);
	core_load_line(c, 8, 0x1, 11);
	core_answer(c, 0, 0xf, 200);
	core_answer(c, 1, 0xf, 210);
	route = L1_ROUTE_AUX;
	cycle_t done[2];
	for (uint32_t i = 0; i < 2;
	     i++) { /* both in one cycle: the response queue takes one after the other */
		struct mem_insn mem = core_access(c, CORE_LOAD);
		struct line_request request = core_line(c, 6 + 2 * i, 0x1);
		CHECK_EQ(l1_load(&c->sm->l1, &mem, &request, 300), L1_FAIL_NONE);
		done[i] = loads_get(&c->sm->loads, mem.load)->done;
	}
	CHECK_EQ(core_count(c, COUNT_aux_migrations), 2);
	CHECK_EQ(done[1] - done[0], cycle_of(c->sm->l1.fill_link.cost[4]));
}

TEST(a_line_moves_only_if_an_mshr_is_free)
{
	CORE c = open_aux(&sidecar, "gtx480-khairy", small);
	route = L1_ROUTE_NONE;
	core_load_line(c, 6, 0x1, 10);
	core_answer(c, 0, 0xf, 200);
	for (uint32_t i = 0; i < c->machine->l1d_mshr_entries; i++)
		CHECK_EQ(core_load_line(c, 100 + i, 0x1, 300 + i), L1_FAIL_NONE);
	route = L1_ROUTE_AUX;
	CHECK_EQ(core_load_line(c, 6, 0x1, 400), L1_FAIL_MSHR_ENTRY);
	CHECK_EQ(core_count(c, COUNT_aux_migrations), 0);
	CHECK_EQ(core_count(c, COUNT_l1_hits), 0);
	core_answer(c, 1, 0xf, 500);
	CHECK_EQ(core_load_line(c, 6, 0x1, 501), L1_FAIL_NONE);
	CHECK_EQ(core_count(c, COUNT_aux_migrations), 1);
}

TEST(a_line_reserved_in_l1_stays_there)
{
	CORE c = open_aux(&sidecar, "v100-osm", small);
	route = L1_ROUTE_NONE;
	core_load_line(c, 6, 0x1, 10);
	route = L1_ROUTE_AUX;
	core_load_line(c, 6, 0x1, 11);
	CHECK_EQ(core_count(c, COUNT_l1_pending_hits), 1);
	CHECK_EQ(core_count(c, COUNT_aux_accesses), 0);
	core_answer(c, 0, 0x1, 200);
	CHECK_EQ(c->sm->l1.lines, 1);
}

TEST(a_store_keeps_or_drops_its_copy_as_the_machine_writes)
{
	static const char *const machines[] = {"v100-osm", "gtx480-khairy"}; /* write-through, write-evict */
	for (uint32_t i = 0; i < 2; i++) {
		CORE c = open_aux(&sidecar, machines[i], small);
		core_load_line(c, 6, 0x1, 10);
		core_answer(c, 0, 0x1, 200);
		struct mem_insn mem = core_access(c, CORE_STORE);
		struct line_request request = core_line(c, 6, 0x1);
		CHECK_EQ(l1_store(&c->sm->l1, &mem, &request, &mem.joined, 300), L1_FAIL_NONE);
		CHECK_EQ(core_packet(c, 1)->op, PACKET_WRITE);
		CHECK_EQ(tags_find(&c->sm->aux->tags, 0, 6) == TAG_NONE, i == 1);
		CHECK_EQ(c->sm->l1.lines, 0); /* no second copy */
	}
}

TEST(its_own_lines_are_evicted_least_recently_used_first)
{
	CORE c = open_aux(&sidecar, "v100-osm", small);
	for (uint32_t i = 0; i < 3; i++) {
		core_load_line(c, 2 * i, 0x1, 100 * i);
		core_answer(c, i, 0x1, 100 * i + 50);
	}
	CHECK_EQ(core_count(c, COUNT_aux_evictions), 1);
	CHECK_EQ(core_count(c, COUNT_l1_evictions), 0);
	CHECK_EQ(tags_find(&c->sm->aux->tags, 0, 0), TAG_NONE);
}

TEST(a_new_shape_empties_it_and_the_same_shape_does_not)
{
	CORE c = open_aux(&sidecar, "v100-osm", small);
	core_load_line(c, 6, 0x1, 10);
	core_answer(c, 0, 0x1, 200);
	struct sm_view view = sm_view_of(c->sm, 300);
	aux_cta_began(c->sm->aux, &view);
	CHECK(tags_find(&c->sm->aux->tags, 0, 6) != TAG_NONE);
	shape.sets = 4;
	aux_cta_began(c->sm->aux, &view);
	CHECK_EQ(tags_find(&c->sm->aux->tags, 2, 6), TAG_NONE);
	shape.sets = 0;
	aux_cta_ended(c->sm->aux, 0, &view);
	CHECK(!aux_is_open(c->sm->aux));
	core_load_line(c, 6, 0x1, 400); /* L1 takes it then */
	core_answer(c, 1, 0x1, 500);
	CHECK_EQ(c->sm->l1.lines, 1);
}

/* ---- shared memory behind it ---------------------------------------------------------------------------------------- */

/* A line of shared memory of CTA 0, for the instruction in place 0 of the LSU queue. */
static enum l1_fail shared(struct core *c, uint32_t insn, uint64_t line, uint8_t sectors, cycle_t now)
{
	struct mem_insn mem = core_access(c, insn);
	mem.space = SPACE_SHARED;
	aux_lines(c->sm->aux, 0)[0] = core_line(c, line, sectors);
	aux_place_lines(c->sm->aux, 0, 0, 0, 1);
	enum l1_fail fail = aux_shared(c->sm->aux, &mem, 0, now);
	if (c->launch->insn[insn].op != OP_STORE)
		loads_close(&c->sm->loads, mem.load, now);
	return fail;
}

static const struct aux_shape back = {
    .sets = 1, .ways = 2, .hit_cycles = 20, .write_back = 1, .drop_at_cta_end = 1, .past_l2 = 1};

TEST(a_store_takes_a_line_and_a_load_of_its_bytes_hits)
{
	CORE c = open_aux(&behind, "v100-osm", back);
	CHECK_EQ(shared(c, CORE_STORE, 1, 0x1, 10), L1_FAIL_NONE);
	CHECK_EQ(core_sent(c), 0);
	CHECK_EQ(shared(c, CORE_LOAD, 1, 0x1, 20), L1_FAIL_NONE);
	CHECK_EQ(core_count(c, COUNT_aux_hits), 1);
	CHECK_EQ(shared(c, CORE_LOAD, 1, 0x2, 30),
	         L1_FAIL_NONE); /* never written: the sector is fetched, as L1 would */
	CHECK_EQ(core_sent(c), 1);
	CHECK_EQ(core_packet(c, 0)->sectors, 0x2);
	CHECK(core_packet(c, 0)->flags & PACKET_BYPASS_L2);
	core_answer(c, 0, 0x2, 300);
	CHECK(loads_idle(&c->sm->loads));
}

TEST(a_dirty_line_is_written_when_it_is_evicted)
{
	CORE c = open_aux(&behind, "v100-osm", back);
	for (uint64_t line = 0; line < 3; line++)
		CHECK_EQ(shared(c, CORE_STORE, line, 0x3, 10 + line), L1_FAIL_NONE);
	CHECK_EQ(core_count(c, COUNT_aux_writebacks), 1);
	CHECK_EQ(core_packet(c, 0)->op, PACKET_WRITE);
	CHECK_EQ(core_packet(c, 0)->line, c->sm->aux->window);
	CHECK_EQ(core_packet(c, 0)->sectors, 0x3);
}

TEST(lines_of_a_cta_that_ended_go_unwritten)
{
	CORE c = open_aux(&behind, "v100-osm", back);
	shared(c, CORE_STORE, 0, 0x1, 10);
	struct sm_view view = sm_view_of(c->sm, 100);
	aux_cta_ended(c->sm->aux, 0, &view);
	CHECK_EQ(tags_find(&c->sm->aux->tags, 0, c->sm->aux->window), TAG_NONE);
	CHECK_EQ(core_sent(c), 0);
}

TEST(a_flush_drops_global_lines_and_keeps_shared_memory)
{
	CORE c = open_aux(&behind, "v100-osm", back);
	shared(c, CORE_STORE, 0, 0x1, 10);
	core_load_line(c, 6, 0x1, 20);
	core_answer(c, 0, 0x1, 200);
	CHECK(tags_find(&c->sm->aux->tags, 0, 6) != TAG_NONE);
	l1_flush(&c->sm->l1);
	CHECK_EQ(tags_find(&c->sm->aux->tags, 0, 6), TAG_NONE);
	CHECK(tags_find(&c->sm->aux->tags, 0, c->sm->aux->window) != TAG_NONE);
}

TEST_RUN_ALL(true)
