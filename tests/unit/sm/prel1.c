/*
 * The pre-L1 queue between coalescer and L1: with policies that do nothing
 * it is not there; with others it merges and reorders as LCM and MRPB describe.
 */
#include "lib/bench.h"
#include "lib/synth.h"
#include "test.h"

/* ---- policies that do nothing -------------------------------------------------------------------------- */

static int append_all(void *sm, const struct prel1_item *queue, uint32_t count,
                      const struct prel1_item *request)
{
	(void)sm, (void)queue, (void)count, (void)request;
	return PREL1_APPEND;
}

static int pick_first(void *sm, const struct prel1_item *queue, uint32_t count)
{
	(void)sm, (void)queue, (void)count;
	return 0;
}

static const struct policy neutral = {
    .abi = POLICY_ABI, .name = "neutral", .prel1_insert = append_all, .prel1_pick = pick_first};
static const struct policy neutral_insert = {
    .abi = POLICY_ABI, .name = "neutral-insert", .prel1_insert = append_all};

/* Requests that came in while one of another warp was before them. */
static uint32_t entered_behind;

static int pass_all(void *sm, const struct prel1_item *queue, uint32_t count,
                    const struct prel1_item *request)
{
	(void)sm;
	entered_behind += count && queue[0].warp != request->warp;
	return PREL1_PASS;
}

/* There is room for others, but nothing waits there. */
static const struct policy neutral_pass = {
    .abi = POLICY_ABI, .name = "neutral-pass", .prel1_insert = pass_all, .prel1_items = 64};

/* On every `step`th case from `first` on. `other` may be NULL. */
static bool are_neutral(const char *machine, const char *changes, const struct policy *policy,
                        const struct policy *other, unsigned first, unsigned step)
{
	bool ok = true;
	const struct policy *policies[] = {policy, other};
	struct bench plain = bench_open((struct bench_setup){.machine = machine, .changes = changes}),
	             queue[2];
	for (int p = 0; p < 2 && policies[p]; p++)
		queue[p] = bench_open(
		    (struct bench_setup){.machine = machine, .changes = changes, .extra = policies[p]});
	for (unsigned i = first; i < synth_case_count(); i += step) {
		char where[256];
		const struct trace *trace = synth_kept(i, plain.machine->sm_warp_size);
		struct counters want = bench_run(&plain, trace, 0, true);
		for (int p = 0; p < 2 && policies[p]; p++) {
			snprintf(where, sizeof where, "%s, %s, %s, %s", machine, changes ? changes : "-",
			         synth_cases[i].name, policies[p]->name);
			struct counters got = bench_run(&queue[p], trace, 0, true);
			ok &= bench_same(where, &got, &want);
		}
	}
	bench_close(&plain);
	for (int p = 0; p < 2 && policies[p]; p++)
		bench_close(&queue[p]);
	return ok;
}

TEST(a_queue_that_does_nothing_changes_nothing)
{
	bool ok = true;
	for (const char *const *machine = bench_machines(); *machine; machine++)
		ok &= are_neutral(*machine, NULL, &neutral, &neutral_insert, 0, 1);
	CHECK(ok);
}

TEST(nor_where_requests_fail)
{
	static const char *const few[] = {"l1d.mshr_entries=2", "l1d.mshr_merge=1",
	                                  "l1d.miss_queue=3 icnt.credits=2",
	                                  "lsu.lines_per_cycle=3 l1d.mshr_entries=4",
	                                  "lsu.queue_sm=1 lsu.issue_cycles=0 lsu.lines_per_cycle=2"};
	bool ok = true;
	unsigned turn = 0, step = bench_machines()[2] ? 3 : 2; /* as many machines share all cases */
	for (size_t i = 0; i < sizeof few / sizeof *few; i++, turn++)
		for (const char *const *machine = bench_machines(); *machine && !entered_behind; machine++)
			ok &= are_neutral(*machine, few[i], &neutral, &neutral_pass, turn++ % step, step);
	CHECK(ok);
	CHECK_EQ(entered_behind, 0);
}

/* ---- small scenes ---------------------------------------------------------------------------------------- */

/* What policies saw, of the one SM that runs. */
static struct {
	uint32_t warp[64]; /* of each access, in order */
	uint64_t line[64];
	uint32_t accesses;
	uint64_t used[64]; /* per warp: when the loaded value was first used */
	uint32_t most;     /* items in the queue */
	uint32_t asked;
	bool full;
} seen;

static void see_access(void *sm, const struct l1_event *event)
{
	(void)sm;
	if (seen.accesses == 64)
		return;
	seen.warp[seen.accesses] = event->warp;
	seen.line[seen.accesses++] = event->line;
}

enum { LOAD_AT = 10, USE_AT = 11 };

static void see_issue(void *sm, uint32_t warp, uint64_t pc, uint32_t lanes, uint64_t cycle)
{
	(void)sm, (void)lanes;
	if (pc == 16 * USE_AT && !seen.used[warp])
		seen.used[warp] = cycle;
}

static const uint64_t home = 0x100000; /* number of a line; a multiple of every power of two in use */

struct visitor {
	uint32_t warp;
	uint64_t line; /* beyond home */
	uint32_t lines;
};

/* One CTA; the warps named load their lines, one after the other, and use the value. */
static struct trace *visit(const struct visitor *visitor, uint32_t count)
{
	struct synth *s = synth_new();
	synth_kernel(s, &(struct synth_shape){.name = "visit", .ctas = 1, .warps = 10});
	for (uint32_t warp = 0; warp < 10; warp++)
		for (uint32_t i = 0; i < count; i++) {
			if (visitor[i].warp != warp)
				continue;
			synth_warp(s, 0, warp);
			synth_plain(s, synth_op(0, OP_CONST, 2, 0), UINT32_MAX);
			for (uint32_t wait = 0; wait < 4 * i; wait++)
				synth_plain(s, synth_op(1, OP_INT, 2, 2), UINT32_MAX);
			synth_stride(s, synth_load(LOAD_AT, 4, 2), (UINT64_C(1) << visitor[i].lines) - 1,
			             (home + visitor[i].line) * 128, 128);
			synth_plain(s, synth_op(USE_AT, OP_INT, 5, 4), UINT32_MAX);
		}
	return synth_finish(s);
}

static struct counters watch(const char *machine, const char *changes, const struct policy *policy,
                             const struct visitor *visitor, uint32_t count)
{
	struct trace *trace = visit(visitor, count);
	memset(&seen, 0, sizeof seen);
	struct counters counters =
	    bench_once((struct bench_setup){.machine = machine, .changes = changes, .extra = policy}, trace);
	trace_close(trace);
	return counters;
}

/* ---- MRPB: Khairy, section on the memory request prioritisation buffer ------------------------------------- */

/* The lowest warp first, chosen anew every cycle. */
static int pick_lowest_warp(void *sm, const struct prel1_item *queue, uint32_t count)
{
	(void)sm;
	uint32_t best = 0;
	for (uint32_t i = 1; i < count; i++)
		if (queue[i].warp < queue[best].warp)
			best = i;
	seen.most = count > seen.most ? count : seen.most;
	return (int)best;
}

TEST(requests_of_the_lowest_warp_overtake_those_that_wait)
{
	static const struct visitor visitors[] = {{2, 0x00, 8}, {1, 0x20, 8}, {0, 0x40, 8}};
	static const struct policy mrpb = {
	    .abi = POLICY_ABI, .name = "m", .prel1_pick = pick_lowest_warp, .on_l1_miss = see_access};
	static const uint32_t order[] = {2, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0,
	                                 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2};
	struct counters c = watch("gtx480-khairy", "l1d.mshr_entries=4", &mrpb, visitors, 3);
	CHECK_EQ(c.value[COUNT_l1_accesses], 24);
	CHECK_EQ(seen.accesses, 24);
	for (uint32_t i = 0; i < 24; i++)
		CHECK_EQ(seen.warp[i], order[i]);
}

static enum l1_route bypass_full_sets(void *sm, const struct l1_request *request, enum l1_fail fail)
{
	(void)sm, (void)request;
	return fail == L1_FAIL_LINE_ALLOC ? L1_ROUTE_BYPASS : L1_ROUTE_NONE;
}

static uint32_t one_set(const void *params, uint64_t line, uint32_t sets, uint32_t warp)
{
	(void)params, (void)line, (void)sets, (void)warp;
	return 0;
}

TEST(of_32_requests_in_a_set_of_4_ways_28_bypass)
{
	static const struct visitor visitors[] = {{0, 0, 32}};
	static const struct policy mrpb = {.abi = POLICY_ABI,
	                                   .name = "m",
	                                   .prel1_pick = pick_lowest_warp,
	                                   .l1_route = bypass_full_sets,
	                                   .set_index = one_set};
	struct counters c = watch("gtx480-khairy", NULL, &mrpb, visitors, 1);
	CHECK_EQ(c.value[COUNT_l1_misses], 4);
	CHECK_EQ(c.value[COUNT_l1_bypasses], 28);
	CHECK_EQ(c.value[COUNT_l1_replies], 32);
}

/* ---- LCM: Fang et al., section on inter-warp coalescing --------------------------------------------------- */

/* Queues of two tags, by line mod 32: the same line merges, a full queue waits. */
static int merge_lines(void *sm, const struct prel1_item *queue, uint32_t count,
                       const struct prel1_item *request)
{
	(void)sm;
	uint32_t tags = 0;
	for (uint32_t i = 0; i < count; i++) {
		if (queue[i].line == request->line && !queue[i].is_store && !request->is_store &&
		    queue[i].merged < 3)
			return (int)i;
		tags += queue[i].line % 32 == request->line % 32;
	}
	seen.most = count > seen.most ? count : seen.most;
	seen.full |= tags >= 2;
	return tags >= 2 ? PREL1_STALL : PREL1_APPEND;
}

/* The L1 port is busy until a queue is full; then the oldest goes. */
static int pick_when_full(void *sm, const struct prel1_item *queue, uint32_t count)
{
	(void)sm, (void)queue, (void)count;
	return seen.full ? 0 : PREL1_NONE;
}

static const struct policy lcm = {.abi = POLICY_ABI,
                                  .name = "l",
                                  .prel1_insert = merge_lines,
                                  .prel1_pick = pick_when_full,
                                  .on_l1_miss = see_access,
                                  .on_l1_hit = see_access,
                                  .on_issue = see_issue};

TEST(warps_3_and_9_share_one_access)
{
	static const struct visitor visitors[] = {{3, 0x40, 1}, {9, 0x40, 1}, {5, 0x60, 1}, {7, 0x80, 1}};
	struct counters c = watch("gtx780-lcm", NULL, &lcm, visitors, 4);
	CHECK_EQ(c.value[COUNT_l1_merged], 1);
	CHECK_EQ(c.value[COUNT_l1_accesses], 3);
	CHECK_EQ(c.value[COUNT_l1_misses], 3);
	CHECK_EQ(c.value[COUNT_l1_replies], 3);
	CHECK_EQ(c.value[COUNT_icnt_requests], 3);
	CHECK_EQ(seen.accesses, 3);
	CHECK_EQ(seen.line[0], home + 0x40);
	CHECK_EQ(seen.warp[0], 3);
	CHECK_EQ(seen.line[1], home + 0x60);
	CHECK_EQ(seen.line[2], home + 0x80);
	/* Both have their value from the one fill; they share a scheduler. */
	CHECK(seen.used[3] && seen.used[9]);
	CHECK_EQ(seen.used[9], seen.used[3] + 1);
}

/* Rests until three have asked, so that two lines are in; then sends what came first. */
static int pick_when_three_asked(void *sm, const struct prel1_item *queue, uint32_t count)
{
	(void)sm, (void)queue, (void)count;
	return seen.asked >= 3 ? 0 : PREL1_NONE;
}

static int merge_same_line(void *sm, const struct prel1_item *queue, uint32_t count,
                           const struct prel1_item *request)
{
	(void)sm;
	seen.asked++;
	for (uint32_t i = 0; i < count; i++)
		if (queue[i].line == request->line && !queue[i].is_store && !request->is_store)
			return (int)i;
	return PREL1_APPEND;
}

TEST(a_merged_request_that_misses_other_sectors_brings_them_along)
{
	/* Warp 3 reads the first float of a line, the others what they want of it. */
	static const struct policy merges = {.abi = POLICY_ABI,
	                                     .name = "j",
	                                     .prel1_insert = merge_same_line,
	                                     .prel1_pick = pick_when_three_asked,
	                                     .on_l1_miss = see_access,
	                                     .on_issue = see_issue};
	struct synth *s = synth_new();
	synth_kernel(s, &(struct synth_shape){.name = "sectors", .ctas = 1, .warps = 3});
	for (uint32_t warp = 0; warp < 3; warp++) {
		synth_warp(s, 0, warp);
		synth_stride(s, synth_load(LOAD_AT, 4, 2), 1, home * 128 + warp * 32, 0);
		synth_plain(s, synth_op(USE_AT, OP_INT, 5, 4), UINT32_MAX);
	}
	struct trace *trace = synth_finish(s);
	memset(&seen, 0, sizeof seen);
	struct counters c = bench_once((struct bench_setup){.machine = "v100-osm", .extra = &merges}, trace);
	trace_close(trace);
	CHECK_EQ(c.value[COUNT_l1_merged], 2);
	CHECK_EQ(c.value[COUNT_l1_misses], 1);
	CHECK_EQ(c.value[COUNT_l1_replies], 1);
	CHECK_EQ(c.value[COUNT_l2_read_sectors], 3);
	CHECK(seen.used[0] && seen.used[1] && seen.used[2]);
}

/* ---- stalls and ends ---------------------------------------------------------------------------------------- */

static int two_at_most(void *sm, const struct prel1_item *queue, uint32_t count,
                       const struct prel1_item *request)
{
	(void)sm, (void)queue, (void)request;
	return count >= 2 ? PREL1_STALL : PREL1_APPEND;
}

TEST(an_insert_that_stalls_keeps_the_queue_short)
{
	static const struct visitor visitors[] = {{2, 0x00, 8}, {1, 0x20, 8}, {0, 0x40, 8}};
	static const struct policy narrow = {.abi = POLICY_ABI,
	                                     .name = "n",
	                                     .prel1_insert = two_at_most,
	                                     .prel1_pick = pick_lowest_warp,
	                                     .on_l1_miss = see_access};
	struct counters c = watch("gtx480-khairy", "l1d.mshr_entries=4", &narrow, visitors, 3);
	CHECK_EQ(c.value[COUNT_l1_misses], 24);
	CHECK_EQ(seen.most, 2);
	/* Nothing of the others could get in before warp 2 had but one line left. */
	for (uint32_t i = 0; i < 7; i++)
		CHECK_EQ(seen.warp[i], 2);
	CHECK_EQ(seen.warp[7], 1);
}

/* A third request finds no place, and from then on the second goes first. */
static int third_waits(void *sm, const struct prel1_item *queue, uint32_t count,
                       const struct prel1_item *request)
{
	seen.full |= count >= 2;
	return two_at_most(sm, queue, count, request);
}

static int pick_second_when_full(void *sm, const struct prel1_item *queue, uint32_t count)
{
	(void)sm, (void)queue;
	return seen.full && count > 1;
}

TEST(an_insert_that_stalls_may_send_another_request_first)
{
	/* Warp 1 waits for the line that warp 0 fetches, as its MSHR merges no second; warp 2 need not, once 3 asks. */
	static const struct visitor visitors[] = {{0, 0x00, 1}, {1, 0x00, 1}, {2, 0x20, 1}, {3, 0x40, 1}};
	static const struct policy hasty = {.abi = POLICY_ABI,
	                                    .name = "h",
	                                    .prel1_insert = third_waits,
	                                    .prel1_pick = pick_second_when_full,
	                                    .on_issue = see_issue};
	static const struct policy plain = {.abi = POLICY_ABI,
	                                    .name = "p",
	                                    .prel1_insert = append_all,
	                                    .prel1_pick = pick_first,
	                                    .on_issue = see_issue};
	watch("gtx480-khairy", "l1d.mshr_merge=1", &plain, visitors, 4);
	uint64_t behind = seen.used[2] - seen.used[0];
	watch("gtx480-khairy", "l1d.mshr_merge=1", &hasty, visitors, 4);
	CHECK(seen.used[0] < seen.used[2] && seen.used[2] - seen.used[0] < behind / 2);
}

TEST(a_pre_l1_queue_of_its_own_size_frees_the_lsu_queue_sooner)
{
	static const struct policy wide = {.abi = POLICY_ABI,
	                                   .name = "w",
	                                   .prel1_items = 1536,
	                                   .prel1_insert = append_all,
	                                   .prel1_pick = pick_lowest_warp};
	struct trace *trace = synth_make("random_gather", 32);
	struct counters narrow =
	    bench_once((struct bench_setup){.machine = "gtx480-khairy", .extra = &neutral}, trace);
	memset(&seen, 0, sizeof seen);
	struct counters c =
	    bench_once((struct bench_setup){.machine = "gtx480-khairy", .extra = &wide}, trace);
	trace_close(trace);
	/* What is left is the time that lines take into the queue. */
	CHECK(seen.most > 4 * 32);
	CHECK(c.value[COUNT_stall_lg_throttle] < narrow.value[COUNT_stall_lg_throttle] / 2);
	CHECK_EQ(c.value[COUNT_l1_accesses], narrow.value[COUNT_l1_accesses]);
}

/* Merges what it can, picks what comes to mind, rests now and then. */
static size_t dice_bytes(const struct policy_env *env)
{
	(void)env;
	return sizeof(uint64_t);
}

static int merge_or_stall(void *sm, const struct prel1_item *queue, uint32_t count,
                          const struct prel1_item *request)
{
	uint64_t dice = synth_random(sm) % 8;
	if (dice == 0)
		return PREL1_STALL;
	for (uint32_t i = 0; dice > 2 && i < count; i++)
		if (queue[i].line == request->line && !queue[i].is_store && !request->is_store &&
		    queue[i].merged < 255)
			return (int)i;
	return PREL1_APPEND;
}

static int pick_any(void *sm, const struct prel1_item *queue, uint32_t count)
{
	(void)queue;
	uint64_t dice = synth_random(sm);
	return dice % 8 ? (int)(dice / 8 % count) : PREL1_NONE;
}

static const struct policy dice = {.abi = POLICY_ABI,
                                   .name = "dice",
                                   .sm_bytes = dice_bytes,
                                   .prel1_items = 100,
                                   .prel1_insert = merge_or_stall,
                                   .prel1_pick = pick_any};

static bool adds_up(const char *machine, const char *changes, bool *merged)
{
	bool ok = true;
	struct bench b =
	    bench_open((struct bench_setup){.machine = machine, .changes = changes, .extra = &dice});
	for (unsigned i = 0; synth_cases[i].name; i++) {
		char where[256];
		const struct trace *trace = synth_kept(i, b.machine->sm_warp_size);
		snprintf(where, sizeof where, "%s, %s, %s", machine, changes, synth_cases[i].name);
		struct recount r = bench_recount(trace, 0, b.machine);
		struct counters c = bench_run(&b, trace, 0, true);
		const uint64_t *v = c.value;
		uint64_t sum =
		    v[COUNT_l1_hits] + v[COUNT_l1_pending_hits] + v[COUNT_l1_misses] + v[COUNT_l1_bypasses];
		ok &= bench_equal(where, "accesses and merged", v[COUNT_l1_accesses] + v[COUNT_l1_merged],
		                  r.load_lines);
		ok &= bench_equal(where, "hits, pending hits, misses, bypasses", sum, v[COUNT_l1_accesses]);
		ok &= bench_equal(where, "replies", v[COUNT_l1_replies], v[COUNT_l1_accesses]);
		ok &= bench_equal(where, "stores", v[COUNT_l1_stores], r.store_lines);
		*merged |= v[COUNT_l1_merged] != 0;
	}
	bench_close(&b);
	return ok;
}

TEST(any_order_ends_and_adds_up_with_next_to_no_mshrs)
{
	bool ok = adds_up("gtx480-khairy", "l1d.mshr_entries=1 l1d.mshr_merge=1", &(bool){false});
	bool merged = false;
	ok &= adds_up("gcn-tian", "l1d.mshr_entries=2 icnt.credits=2", &merged);
	ok &= adds_up("h200", "l1d.mshr_entries=2", &merged);
	CHECK(ok);
	CHECK(merged);
}

/* ---- the watchdog --------------------------------------------------------------------------------------------- */

static int pick_none(void *sm, const struct prel1_item *queue, uint32_t count)
{
	(void)sm, (void)queue, (void)count;
	return PREL1_NONE;
}

TEST(a_queue_that_never_lets_go_ends_as_a_report)
{
	static const struct visitor visitors[] = {{0, 0, 8}};
	static const struct policy closed = {.abi = POLICY_ABI, .name = "closed", .prel1_pick = pick_none};
	struct error err;
	struct launch_result result;
	struct trace *trace = visit(visitors, 1);
	struct bench b = bench_open((struct bench_setup){.machine = "gtx480-khairy", .extra = &closed});
	CHECK(gpu_run(b.gpu, trace, 0, &(struct launch_options){0}, &result, &err));
	CHECK_EQ(result.status, LAUNCH_DEADLOCKED);
	CHECK(strstr(result.report, "pre-L1 queue 8 of "));
	free(result.report);
	free(result.pc_misses);
	bench_close(&b);
	trace_close(trace);
}

TEST_RUN_ALL(true)
