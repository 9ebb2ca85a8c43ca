/* LCM: the locality classifier by the paper's examples, the bypass of streaming loads, and the storage of it all. */
#include "lib/bench.h"
#include "lib/policy_probe.h"
#include "lib/synth.h"
#include "policy/lib/classifier.h"

enum { PC = 0x80, OTHER_PC = 0x90 };

static uint64_t now;

/* A load of one line, long after the one before. */
static void request(struct probe *h, uint64_t pc, uint32_t warp, uint64_t line)
{
	struct prel1_item item = {.pc = pc, .warp = warp, .line = line, .arrival = now += 10};
	CHECK_EQ(h->policy->prel1_insert(h->sm, NULL, 0, &item), PREL1_APPEND);
}

static struct probe begin(void)
{
	struct probe h = probe_begin("lcm-bypass");
	now = 0;
	return h;
}

static bool streams(struct probe *h, uint64_t pc)
{
	struct l1_request r = {.pc = pc, .line = 77, .presence = L1_ABSENT};
	return h->policy->l1_route(h->sm, &r, L1_FAIL_NONE) == L1_ROUTE_BYPASS;
}

/* ---- the classifier -------------------------------------------------------------------------------------- */

static struct {
	struct classifier *c;
	uint64_t now;
} table;

static void classify_begin(void)
{
	static struct probe h;
	h = probe_open("lcm-bypass");
	free(table.c);
	table.c = calloc(1, classifier_bytes(&h.env));
	classifier_init(table.c, &h.env, 8);
	table.now = 0;
}

static void ask_line(uint32_t warp, uint64_t line, bool next)
{
	struct prel1_item item = {
	    .pc = PC, .warp = warp, .line = line, .arrival = table.now += next ? 1 : 10};
	classifier_request(table.c, &item);
}

/* When something has left the window. */
static void ask_again(uint32_t warp, uint64_t line)
{
	struct prel1_item item = {
	    .pc = PC, .warp = warp, .line = line, .arrival = table.now += 10, .again = 1};
	classifier_request(table.c, &item);
}

static void ask(uint32_t warp, uint64_t line)
{
	ask_line(warp, line, false);
}

TEST(the_counts_of_table_1_decide)
{
	CHECK_EQ(classifier_decide(1, 1), LOCALITY_STREAMING);
	CHECK_EQ(classifier_decide(1, 2), LOCALITY_INTER);
	CHECK_EQ(classifier_decide(2, 2), LOCALITY_INTRA);
	CHECK_EQ(classifier_decide(2, 5), LOCALITY_INTRA | LOCALITY_INTER);
}

TEST(a_line_that_another_warp_uses_too_is_inter_warp)
{
	classify_begin();
	ask(1, 100); /* A */
	CHECK_EQ(classifier_type(table.c, PC), LOCALITY_UNKNOWN);
	ask(2, 100); /* B */
	CHECK_EQ(classifier_type(table.c, PC), LOCALITY_UNKNOWN);
	ask(1, 101); /* A goes on */
	CHECK_EQ(classifier_type(table.c, PC), LOCALITY_INTER);
}

TEST(a_line_that_nobody_uses_again_is_streaming)
{
	classify_begin();
	ask(1, 100);
	ask(2, 200); /* not the watched warp: nothing is decided */
	CHECK_EQ(classifier_type(table.c, PC), LOCALITY_UNKNOWN);
	ask(1, 101);
	CHECK_EQ(classifier_type(table.c, PC), LOCALITY_STREAMING);
}

TEST(more_than_8_requests_decide_without_another_line)
{
	classify_begin();
	for (int i = 0; i < 8; i++)
		ask(1, 100);
	CHECK_EQ(classifier_type(table.c, PC), LOCALITY_UNKNOWN);
	ask(1, 100);
	CHECK_EQ(classifier_type(table.c, PC), LOCALITY_INTRA);
}

TEST(watching_begins_anew_and_the_type_may_change)
{
	classify_begin();
	ask(1, 100), ask(1, 101), ask(1, 102);
	CHECK_EQ(classifier_type(table.c, PC), LOCALITY_STREAMING);
	ask(1, 102), ask(1, 103);
	CHECK_EQ(classifier_type(table.c, PC), LOCALITY_INTRA);
}

TEST(the_first_line_of_a_load_is_watched_and_the_others_are_no_new_address)
{
	classify_begin();
	ask(1, 100), ask_line(1, 101, true), ask_line(1, 102, true); /* one load of three lines */
	CHECK_EQ(classifier_type(table.c, PC), LOCALITY_UNKNOWN);
	ask(1, 100), ask_line(1, 101, true), ask_line(1, 102, true);
	ask(1, 103);
	CHECK_EQ(classifier_type(table.c, PC), LOCALITY_INTRA);
}

TEST(a_request_that_has_to_wait_counts_once)
{
	classify_begin();
	ask(1, 100);
	for (int i = 0; i < 5; i++)
		ask_again(1, 100);
	ask(1, 101);
	CHECK_EQ(classifier_type(table.c, PC), LOCALITY_STREAMING);
}

TEST(earlier_use_by_others_counts_earlier_use_by_oneself_does_not)
{
	classify_begin();
	struct l1_event one = {.line = 100, .warp = 1, .frame = 3}, two = one;
	two.warp = 2;
	classifier_l1(table.c, &one); /* warp 1 brings the line, by another load */
	ask(2, 100);
	classifier_l1(table.c, &two); /* warp 2 finds it used */
	ask(2, 101);
	CHECK_EQ(classifier_type(table.c, PC), LOCALITY_INTER);
	classify_begin();
	classifier_l1(table.c, &one);
	ask(1, 100);
	classifier_l1(table.c, &one);
	ask(1, 101);
	CHECK_EQ(classifier_type(table.c, PC), LOCALITY_STREAMING);
}

/* ---- the bypass --------------------------------------------------------------------------------------------- */

TEST(streaming_loads_go_past_l1_and_all_others_do_not)
{
	struct probe h = begin();
	request(&h, PC, 1, 100);
	CHECK(!streams(&h, PC)); /* unknown */
	request(&h, PC, 1, 101);
	CHECK(streams(&h, PC));
	CHECK(!streams(&h, OTHER_PC));
	struct l1_request r = {.pc = PC, .presence = L1_WHOLE};
	CHECK_EQ(h.policy->l1_route(h.sm, &r, L1_FAIL_NONE), L1_ROUTE_NONE); /* there: used */
	r.presence = L1_PENDING; /* on its way to L1: waited for, unless its MSHR can take no more */
	CHECK_EQ(h.policy->l1_route(h.sm, &r, L1_FAIL_NONE), L1_ROUTE_NONE);
	CHECK_EQ(h.policy->l1_route(h.sm, &r, L1_FAIL_MSHR_MERGE), L1_ROUTE_BYPASS);
	r = (struct l1_request){.pc = PC, .space = POLICY_LOCAL};
	CHECK_EQ(h.policy->l1_route(h.sm, &r, L1_FAIL_NONE), L1_ROUTE_NONE);
	r = (struct l1_request){.pc = PC, .is_store = 1};
	CHECK_EQ(h.policy->l1_route(h.sm, &r, L1_FAIL_NONE), L1_ROUTE_NONE);
	request(&h, PC, 1, 101), request(&h, PC, 1, 102);
	CHECK(!streams(&h, PC)); /* used again: intra-warp now */
}

TEST(types_are_forgotten_between_launches)
{
	struct probe h = begin();
	request(&h, PC, 1, 100), request(&h, PC, 1, 101);
	CHECK(streams(&h, PC));
	probe_params(&h);
	h.policy->sm_init(h.sm, &h.env);
	CHECK(!streams(&h, PC));
}

TEST(a_stream_takes_no_lines)
{
	struct trace *trace = synth_vector_add(4, 4, 32, 4, 16);
	struct bench_setup setup = {.machine = "gtx780-lcm", .policy = "lcm-bypass"};
	struct counters c = bench_only(setup, trace);
	CHECK(c.value[COUNT_l1_bypasses] * 10 > c.value[COUNT_l1_accesses] * 8);
}

/*
 * Of every line a lane reads 4 bytes, once, and all lines of an instruction fall into one set: cached, four are on their way at a
 * time, and each is fetched whole.
 */
TEST(a_scattered_stream_gains_by_construction)
{
	struct synth *s = synth_new();
	synth_kernel(s, &(struct synth_shape){.name = "scatter", .ctas = 2, .warps = 8});
	for (uint32_t warp = 0; warp < 16; warp++) {
		synth_warp(s, warp / 8, warp % 8);
		synth_plain(s, synth_op(0, OP_CONST, 2, 0), UINT32_MAX);
		for (uint32_t i = 0; i < 32; i++) {
			synth_stride(s, synth_load(10, 4, 2), UINT32_MAX, 0x1000000 * (warp + 1) + 128 * i,
			             4096);
			synth_plain(s, synth_op(11, OP_INT, 2, 4), UINT32_MAX);
		}
	}
	struct trace *trace = synth_finish(s);
	struct bench_setup gto = {.machine = "gtx780-lcm", .changes = "l1d.index=seq"}, lcm = gto;
	lcm.policy = "lcm-bypass";
	struct counters before = bench_once(gto, trace), after = bench_once(lcm, trace);
	trace_close(trace);
	CHECK(before.value[COUNT_l1_fail_line_alloc] > 0);
	CHECK(after.value[COUNT_l1_bypasses] * 10 > after.value[COUNT_l1_accesses] * 9);
	CHECK(after.value[COUNT_l2_read_sectors] * 3 < before.value[COUNT_l2_read_sectors]);
	CHECK(after.value[COUNT_cycles] * 3 < before.value[COUNT_cycles] * 2);
}

/* ---- storage --------------------------------------------------------------------------------------------------- */

static uint64_t bits_of(const char *chain_text)
{
	struct error err;
	struct machine *machine = machine_load("gtx780-lcm", &err);
	struct chain *chain = chain_new(chain_text, machine, &err);
	uint64_t bits = 0;
	for (uint32_t i = 0; chain && i < chain->count; i++) {
		struct policy_env env = chain_env(chain, i, 0);
		if (chain->link[i].policy.sm_bits)
			bits += chain->link[i].policy.sm_bits(&env);
	}
	chain_free(chain);
	machine_free(machine);
	return bits;
}

TEST(storage_of_lcm_and_lws_together_is_1606_bytes)
{
	CHECK_EQ(bits_of("lcm-bypass"), 8 * (96 + 84 + 64));
	CHECK_EQ(bits_of("lcm"), 8 * (96 + 84 + 64 + 992 + 368));
	CHECK_EQ(bits_of("lcm+lws"), 8 * 1606);
	CHECK_EQ(bits_of("lws"), 8 * (96 + 84 + 64 + 2)); /* alone, it needs a classifier */
}

TEST_RUN_ALL(true)
