/* Waits for memory as they are recorded: one round each, with the number of writes that ended it. */
#include "lib/bench.h"
#include "lib/exec_kernel.h"
#include "lib/trace_fixture.h"
#include "trace/poll.h"

enum { POLLS = 512, CTAS = 32 };

/* Of a recorded launch: its polls in the order of CTAs, and the instructions of each CTA. */
struct waits_seen {
	uint16_t needed[POLLS];
	unsigned count, zero;
	uint8_t round;
	uint64_t insns;
};

static void note_step(const struct trace_kernel *k, struct warp_step *step, void *arg)
{
	struct waits_seen *seen = arg;
	const struct trace_insn *insn = &k->insns[step->insn];
	seen->insns++;
	if (!(insn->flags & INSN_POLL) || !step->mask || seen->count == POLLS)
		return;
	seen->round = insn->round;
	seen->needed[seen->count] = step_take_needed(step, insn->flags);
	seen->zero += !seen->needed[seen->count++];
}

static bool record(const char *text, unsigned ctas, unsigned threads, struct waits_seen *seen,
                   unsigned *watched)
{
	struct error err;
	struct fixture *f = fixture_new(text, NULL);
	const char *path = scratch_path("waits.sluice");
	uint64_t out = fixture_buffer(f, (uint64_t)ctas * threads * 4 + 64);
	void *args[] = {&out};
	struct exec_launch l = {.module = f->module,
	                        .entry = ptx_find_function(f->module->ptx, "k"),
	                        .grid = {ctas, 1, 1},
	                        .block = {threads, 1, 1},
	                        .args = args,
	                        .recorder = recorder_new(path, &err)};
	*seen = (struct waits_seen){0};
	bool ok = fixture_record(f, &l);
	struct trace *t = ok ? trace_open(path, &err) : NULL;
	if (t) {
		fixture_each_step(t, note_step, seen);
		*watched = trace_kernel_at(t, 0)->watched_count;
		trace_close(t);
	}
	fixture_free(f);
	return t;
}

#define WORDS ".global .align 4 .u32 flag[1024];\n.global .align 4 .u32 count;\n"
#define FIRST_LANE "setp.ne.u32 %p1, %r4, 0; @%p1 bra JOIN; "

/* Every CTA adds one to a counter, and waits until all have. */
static const char barrier[] = PTX_HEAD WORDS KERNEL("k") FIRST_LANE
    "atom.global.add.u32 %r5, [count], 1; mov.u32 %r6, %nctaid.x;\n"
    "L: ld.volatile.global.u32 %r7, [count]; setp.lt.u32 %p2, %r7, %r6; @%p2 bra L;\n"
    "JOIN: bar.sync 0; mov.u32 %r10, 1;\n" STORE;

TEST(a_barrier_of_the_grid_waits_once_per_cta_for_all_arrivals)
{
	struct waits_seen seen, more;
	unsigned watched = 0;
	CHECK(record(barrier, 10, 64, &seen, &watched));
	CHECK_EQ(seen.count, 10);
	CHECK_EQ(watched, 1);
	for (unsigned i = 0; i < seen.count; i++)
		CHECK_EQ(seen.needed[i], 10);
	/* The load, the compare and the branch. */
	CHECK_EQ(seen.round, 3);
	/* However long a CTA has waited, it executes the same. */
	CHECK(record(barrier, 20, 64, &more, &watched));
	CHECK_EQ(more.insns, 2 * seen.insns);
}

/* CTA i waits for CTA i - 1. */
#define CHAIN(wait)                                                                                          \
	PTX_HEAD WORDS KERNEL("k") FIRST_LANE                                                                \
	    "mov.u64 %rd4, flag; mul.wide.u32 %rd5, %r2, 4; add.s64 %rd6, %rd4, %rd5;\n"                     \
	    "setp.eq.u32 %p2, %r2, 0; @%p2 bra SET;\n" wait                                                  \
	    "SET: membar.gl; mov.u32 %r8, 1; st.volatile.global.u32 [%rd6], %r8;\n"                          \
	    "JOIN: bar.sync 0; mov.u32 %r10, 1;\n" STORE
static const char chain[] =
    CHAIN("L: ld.acquire.gpu.global.u32 %r7, [%rd6+-4]; setp.eq.u32 %p3, %r7, 0; @%p3 bra L;\n");
/* As compilers turn a loop that sleeps: the question stands in front of it, too. */
static const char sleeping[] =
    CHAIN("mov.u32 %r9, 8; ld.volatile.global.u32 %r7, [%rd6+-4];\n"
          "setp.ne.u32 %p3, %r7, 0; @%p3 bra SET;\n"
          "L: nanosleep.u32 %r9; shl.b32 %r9, %r9, 1;\n"
          "ld.volatile.global.u32 %r7, [%rd6+-4]; setp.eq.u32 %p3, %r7, 0; @%p3 bra L;\n");

TEST(a_chain_of_flags_waits_for_one_write_each)
{
	struct waits_seen seen;
	unsigned watched = 0;
	CHECK(record(chain, CTAS, 32, &seen, &watched));
	CHECK_EQ(seen.count, CTAS - 1);
	CHECK_EQ(watched, CTAS - 1);
	for (unsigned i = 0; i < seen.count; i++)
		CHECK_EQ(seen.needed[i], 1);
	CHECK(record(sleeping, CTAS, 32, &seen, &watched));
	CHECK_EQ(seen.count, CTAS - 1);
	CHECK_EQ(seen.zero, 0);
	CHECK_EQ(watched, CTAS - 1);
}

/* A lock, taken by one lane of each CTA. */
static const char lock[] = PTX_HEAD WORDS KERNEL("k") FIRST_LANE
    "L: atom.global.cas.b32 %r7, [flag], 0, 1; setp.ne.u32 %p2, %r7, 0; @%p2 bra L;\n"
    "ld.volatile.global.u32 %r8, [count]; add.s32 %r8, %r8, 1; st.volatile.global.u32 [count], %r8;\n"
    "membar.gl; atom.global.exch.b32 %r9, [flag], 0;\n"
    "JOIN: bar.sync 0; mov.u32 %r10, 1;\n" STORE;

TEST(a_lock_is_handed_on_after_two_writes_each)
{
	struct waits_seen seen;
	unsigned watched = 0;
	bool is_needed[2 * CTAS] = {false};
	CHECK(record(lock, CTAS, 32, &seen, &watched));
	/* Who takes it first waits for no write. */
	CHECK_EQ(seen.count, CTAS - 1);
	CHECK_EQ(watched, 1);
	for (unsigned i = 0; i < seen.count; i++) {
		CHECK(seen.needed[i] % 2 == 0 && seen.needed[i] < 2 * CTAS && !is_needed[seen.needed[i]]);
		is_needed[seen.needed[i]] = true;
	}
}

/* Each lane of CTA 0 waits for the flag that another CTA sets. */
static const char lanes[] = PTX_HEAD WORDS KERNEL(
    "k") "mov.u64 %rd4, flag; mov.u32 %r10, 0; setp.ne.u32 %p1, %r2, 0; @%p1 bra SET;\n"
         "mul.wide.u32 %rd5, %r4, 4; add.s64 %rd6, %rd4, %rd5;\n"
         "L: ld.volatile.global.u32 %r10, [%rd6]; setp.eq.u32 %p2, %r10, 0; @%p2 bra L;\n"
         "bra.uni JOIN;\n"
         "SET: setp.ne.u32 %p3, %r4, 0; @%p3 bra JOIN; mul.wide.u32 %rd5, %r2, 4; add.s64 %rd6, %rd4, %rd5;\n"
         "st.volatile.global.u32 [%rd6+-4], %r2;\n"
         "JOIN: membar.gl;\n" STORE;

TEST(lanes_may_wait_for_words_of_their_own)
{
	struct waits_seen seen;
	unsigned watched = 0;
	CHECK(record(lanes, 17, 16, &seen, &watched));
	CHECK(seen.count >= 1 && seen.zero == 0);
	CHECK_EQ(watched, 16);
}

/* Memory changes in each round of this loop: none can be forgotten. */
static const char counting[] = PTX_HEAD WORDS KERNEL("k") FIRST_LANE
    "L: atom.global.add.u32 %r7, [count], 1; setp.lt.u32 %p2, %r7, 9; @%p2 bra L;\n"
    "JOIN: bar.sync 0; mov.u32 %r10, 1;\n" STORE;

TEST(rounds_that_change_memory_stay)
{
	struct waits_seen seen, plain;
	unsigned watched = 0;
	CHECK(record(counting, 1, 32, &seen, &watched));
	CHECK(record(barrier, 1, 32, &plain, &watched));
	CHECK(seen.insns >= plain.insns + 3 * 8);
}

TEST_RUN_ALL(true)
