/* Tian et al.: the worked trace of ten accesses, the rules one by one, and the storage. */
#include "lib/bench.h"
#include "lib/policy_probe.h"
#include "lib/synth.h"

/* ---- ten accesses of one warp to one set of two ways, threshold 2 ------------------------------------------ */

enum { P = 10, Q = 11 };               /* load instructions */
static const uint64_t home = 0x100000; /* line number of A; Xn is n lines behind */

static char seen[256];

static void note(const char *what, uint64_t line)
{
	size_t n = strlen(seen);
	if (line == home)
		snprintf(seen + n, sizeof seen - n, " %sA", what);
	else
		snprintf(seen + n, sizeof seen - n, " %sX%d", what, (int)(line - home));
}

#define NOTE(name, what)                                                                                     \
	static void name(void *sm, const struct l1_event *event)                                             \
	{                                                                                                    \
		(void)sm;                                                                                    \
		note(what, event->line);                                                                     \
	}
NOTE(note_hit, "hit:")
NOTE(note_miss, "miss:")
NOTE(note_evict, "-")
NOTE(note_fill, "+")

static const struct policy notes = {.abi = POLICY_ABI,
                                    .name = "notes",
                                    .on_l1_hit = note_hit,
                                    .on_l1_miss = note_miss,
                                    .on_l1_evict = note_evict,
                                    .on_l1_fill = note_fill};

TEST(ten_accesses_go_as_in_the_worked_trace)
{
	static const struct {
		uint32_t pc, line;
	} step[] = {{P, 0}, {Q, 1}, {Q, 2}, {P, 0}, {Q, 3}, {Q, 4}, {Q, 5}, {P, 0}, {Q, 6}, {Q, 6}};
	struct synth *s = synth_new();
	synth_kernel(s, &(struct synth_shape){.name = "ten", .ctas = 1, .warps = 1});
	synth_warp(s, 0, 0);
	synth_plain(s, synth_op(0, OP_CONST, 2, 0), 1);
	for (unsigned i = 0; i < sizeof step / sizeof *step; i++) {
		synth_stride(s, synth_load(step[i].pc, 4, 2), 1, (home + step[i].line) * 64, 4);
		synth_plain(s, synth_op(12, OP_INT, 2, 4), 1);
	}
	struct trace *trace = synth_finish(s);
	seen[0] = 0;
	struct counters c = bench_once((struct bench_setup){.machine = "gcn-tian",
	                                                    .policy = "oldest,tian:threshold=2",
	                                                    .changes = "l1d.sets=1 l1d.ways=2",
	                                                    .extra = &notes},
	                               trace);
	trace_close(trace);
	const char *want = " miss:A +A"        /* 1 */
	                   " miss:X1 +X1"      /* 2 */
	                   " -A miss:X2 +X2"   /* 3: T[p] 1 */
	                   " -X1 miss:A +A"    /* 4: T[q] 1 */
	                   " -X2 miss:X3 +X3"  /* 5: T[q] 2 */
	                   " miss:X4"          /* 6: bypass */
	                   " miss:X5"          /* 7: bypass */
	                   " hit:A"            /* 8: T[p] 0 */
	                   " miss:X6"          /* 9: bypass, bit of X6 */
	                   " miss:X6 -X3 +X6"; /* 10: the bit orders a fill */
	if (strcmp(seen, want))
		printf("# got %s\n", seen);
	CHECK(!strcmp(seen, want));
	CHECK_EQ(c.value[COUNT_l1_fills], 6);
}

/* ---- rules ---------------------------------------------------------------------------------------------------- */

enum { A = 0x100, B = 0x110, FRAME = 3 };

static struct l1_event at(uint64_t pc, uint64_t line, uint32_t frame)
{
	return (struct l1_event){.pc = pc, .line = line, .frame = frame, .cycle = 50};
}

/* The predictor with a threshold of 1. */
static struct probe begin(void)
{
	struct probe h = probe_open("tian");
	probe_set(&h, "threshold", 1);
	probe_start(&h);
	return h;
}

static bool bypasses(struct probe *h, uint64_t pc, uint64_t line)
{
	struct l1_request r = {.pc = pc, .line = line, .presence = L1_ABSENT};
	return h->policy->l1_route(h->sm, &r, L1_FAIL_NONE) == L1_ROUTE_LATE;
}

static void live_and_die(struct probe *h, uint64_t pc, uint64_t line)
{
	struct l1_event event = at(pc, line, FRAME);
	h->policy->on_l1_miss(h->sm, &event);
	h->policy->on_l1_evict(h->sm, &event);
}

TEST(a_victim_counts_its_last_pc_up_and_a_hit_counts_it_down)
{
	struct probe h = begin();
	CHECK(!bypasses(&h, A, 1));
	live_and_die(&h, A, 1);
	CHECK(bypasses(&h, A, 2));
	CHECK(!bypasses(&h, B, 2));
	/* brought by A, hit by B: A is forgiven, and B answers for the line's end */
	struct l1_event bring = at(A, 3, FRAME), hit = at(B, 3, FRAME);
	h.policy->on_l1_miss(h.sm, &bring);
	h.policy->on_l1_hit(h.sm, &hit);
	CHECK(!bypasses(&h, A, 4));
	h.policy->on_l1_evict(h.sm, &bring);
	CHECK(!bypasses(&h, A, 4));
	CHECK(bypasses(&h, B, 4));
}

TEST(a_pending_hit_trains_like_a_hit_unless_the_miss_has_no_line)
{
	struct probe h = begin();
	live_and_die(&h, A, 1);
	struct l1_event nowhere = at(A, 2, UINT32_MAX), here = at(A, 2, FRAME);
	h.policy->on_l1_pending(h.sm, &nowhere);
	CHECK(bypasses(&h, A, 4));
	h.policy->on_l1_miss(h.sm, &here);
	h.policy->on_l1_pending(h.sm, &here);
	CHECK(!bypasses(&h, A, 4));
}

TEST(counters_saturate_at_15_and_8_is_enough)
{
	struct probe h = probe_begin("tian");
	for (int i = 0; i < 7; i++)
		live_and_die(&h, A, 1);
	CHECK(!bypasses(&h, A, 2));
	for (int i = 0; i < 20; i++)
		live_and_die(&h, A, 1);
	CHECK(bypasses(&h, A, 2));
	struct l1_event hit = at(A, 3, FRAME);
	h.policy->on_l1_miss(h.sm, &hit);
	for (int i = 0; i < 7; i++)
		h.policy->on_l1_hit(h.sm, &hit);
	CHECK(bypasses(&h, A, 2)); /* 15 - 7 */
	h.policy->on_l1_hit(h.sm, &hit);
	CHECK(!bypasses(&h, A, 2));
}

TEST(stores_and_atomics_are_none_of_its_business)
{
	struct probe h = begin();
	live_and_die(&h, A, 1);
	struct l1_request store = {.pc = A, .line = 9, .is_store = 1},
	                  atomic = {.pc = A, .line = 9, .is_atomic = 1};
	CHECK_EQ(h.policy->l1_route(h.sm, &store, L1_FAIL_NONE), L1_ROUTE_NONE);
	CHECK_EQ(h.policy->l1_route(h.sm, &atomic, L1_FAIL_NONE), L1_ROUTE_NONE);
	CHECK_EQ(h.policy->l1_feedback(h.sm, &store), 0);
	CHECK_EQ(h.policy->l1_feedback(h.sm, &atomic), 0);
}

TEST(what_it_learned_outlives_the_launch)
{
	struct probe h = begin();
	live_and_die(&h, A, 1);
	h.policy->sm_init(h.sm, &h.env);
	CHECK(bypasses(&h, A, 2));
}

/* ---- the bit in L2 ---------------------------------------------------------------------------------------------- */

struct l2 {
	struct probe *h;
	void *gpu;
};

static struct l2 l2_open(struct probe *h)
{
	h->env.l2_slices = 4;
	h->env.l2_sets = 64;
	h->env.l2_ways = 16;
	struct l2 l2 = {h, probe_block(h->policy->gpu_bytes(&h->env))};
	h->policy->gpu_init(l2.gpu, &h->env);
	return l2;
}

/* A miss of L1 at L2, and whether its reply takes a line; ANSWER_NONE: it was not predicted. */
static enum answer ask(const struct l2 *l2, uint64_t pc, uint64_t line, uint32_t frame)
{
	bypasses(l2->h, pc, line);
	struct l1_request r = {.pc = pc, .line = line};
	struct l2_request q = {.line = line, .slice = 2, .frame = frame};
	q.feedback = l2->h->policy->l1_feedback(l2->h->sm, &r);
	struct l1_event fill = at(pc, line, UINT32_MAX);
	fill.feedback = l2->h->policy->l2_reply(l2->gpu, &q);
	if (frame == UINT32_MAX) {
		q.frame = 5;
		l2->h->policy->on_l2_fill(l2->gpu, &q);
	}
	return l2->h->policy->l1_alloc(l2->h->sm, &fill);
}

TEST(the_bit_is_set_by_a_bypass_and_cleared_by_the_next_miss)
{
	struct probe h = begin();
	struct l2 l2 = l2_open(&h);
	CHECK_EQ(ask(&l2, A, 1, 5), ANSWER_NONE);
	live_and_die(&h, A, 1);
	CHECK_EQ(ask(&l2, A, 1, 5), ANSWER_NO);  /* sets it */
	CHECK_EQ(ask(&l2, A, 1, 5), ANSWER_YES); /* finds and clears it */
	CHECK_EQ(ask(&l2, A, 1, 5), ANSWER_NO);
	CHECK_EQ(ask(&l2, B, 1, 5), ANSWER_NONE); /* not predicted: clears it, too */
	CHECK_EQ(ask(&l2, A, 1, 5), ANSWER_NO);
	CHECK_EQ(ask(&l2, A, 1, UINT32_MAX), ANSWER_NO); /* a miss of L2: the line comes with the bit set */
	CHECK_EQ(ask(&l2, A, 1, 5), ANSWER_YES);
}

/* The frame is the line's from the miss on: what asks while the data come finds the bit, and the frame keeps it. */
TEST(a_second_bypass_while_the_line_comes_to_l2_is_refused)
{
	struct probe h = begin();
	struct l2 l2 = l2_open(&h);
	live_and_die(&h, A, 1);
	bypasses(&h, A, 1);
	struct l1_request r = {.pc = A, .line = 1};
	struct l2_request q = {.line = 1, .slice = 2, .frame = UINT32_MAX};
	q.feedback = h.policy->l1_feedback(h.sm, &r);
	struct l1_event fill = at(A, 1, UINT32_MAX);
	static const enum answer want[] = {ANSWER_NO, ANSWER_YES,
	                                   ANSWER_NO}; /* set, found and cleared, set */
	for (int i = 0; i < 3; i++) {
		fill.feedback = h.policy->l2_reply(l2.gpu, &q);
		CHECK_EQ(h.policy->l1_alloc(h.sm, &fill), want[i]);
	}
	q.frame = 5;
	h.policy->on_l2_fill(l2.gpu, &q);
	CHECK_EQ(ask(&l2, A, 1, 5), ANSWER_YES);
	q.line = 2; /* another line takes the frame: its own bit comes with it */
	h.policy->on_l2_fill(l2.gpu, &q);
	live_and_die(&h, A, 2);
	CHECK_EQ(ask(&l2, A, 2, 5), ANSWER_NO);
}

TEST(a_fill_that_the_bit_orders_does_not_train_unless_told_to)
{
	for (int train = 0; train < 2; train++) {
		struct probe h = probe_open("tian");
		probe_set(&h, "threshold", 1);
		probe_set(&h, "train_refused", train);
		probe_start(&h);
		struct l2 l2 = l2_open(&h);
		struct l1_event victim = at(B, 7, FRAME);
		h.policy->on_l1_miss(h.sm, &victim);
		live_and_die(&h, A, 1);
		h.policy->on_l1_miss(h.sm, &victim);
		ask(&l2, A, 1, 5);
		CHECK_EQ(ask(&l2, A, 1, 5), ANSWER_YES);
		struct l1_event evict = at(A, 7, FRAME);
		h.policy->on_l1_evict(h.sm, &evict);
		CHECK_EQ(bypasses(&h, B, 8), train);
	}
}

TEST(storage_is_288_bytes_per_l1_and_512_in_l2)
{
	struct probe h = probe_open("tian");
	probe_params(&h);
	h.env.l1_ways = 8;
	CHECK_EQ(h.policy->sm_bits(&h.env), 8 * 288);
	h.env.l2_slices = 4;
	h.env.l2_sets = 64;
	h.env.l2_ways = 16;
	CHECK_EQ(h.policy->gpu_bits(&h.env), 8 * 512);
}

TEST_RUN_ALL(true)
