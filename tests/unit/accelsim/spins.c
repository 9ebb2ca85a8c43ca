/* Spin-waits in a GPU's trace: one round is kept, and its poll says how many writes it needs. */
#include <unistd.h>

#include "lib/accelsim_fixture.h"
#include "trace/poll.h"

enum { MAX_TEXT = 1 << 16 };

/* A launch made of warps of one CTA each; lines are added to the last one. */
struct launch {
	char body[MAX_TEXT], warp[MAX_TEXT / 4];
	unsigned ctas, insns;
};

static void end_warp(struct launch *l)
{
	if (!l->insns)
		return;
	size_t at = strlen(l->body);
	snprintf(l->body + at, sizeof l->body - at,
	         "#BEGIN_TB\nthread block = %u,0,0\nwarp = 0\ninsts = %u\n%s\n#END_TB\n", l->ctas++, l->insns,
	         l->warp);
	l->warp[0] = '\0';
	l->insns = 0;
}

static void add(struct launch *l, const char *lines)
{
	size_t at = strlen(l->warp);
	snprintf(l->warp + at, sizeof l->warp - at, "%s", lines);
	for (; *lines; lines++)
		l->insns += *lines == '\n';
}

static void add_times(struct launch *l, const char *lines, unsigned times)
{
	while (times--)
		add(l, lines);
}

static struct trace *finish(struct launch *l)
{
	static char text[2 * MAX_TEXT];
	struct error err = {""};
	add(l, "0f00 00000001 0 EXIT 0 0\n");
	end_warp(l);
	snprintf(
	    text, sizeof text,
	    "-kernel name = wait\n-kernel id = 1\n-grid dim = (%u,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n"
	    "-nregs = 8\n-binary version = 90\n-accelsim tracer version = 4\n"
	    "-shmem base_addr = 0x7f8000000000\n#format\n%s",
	    l->ctas, l->body);
	struct trace *t = import_text(text, &err);
	if (!t)
		printf("# %s\n", err.text);
	return t;
}

static void next_cta(struct launch *l)
{
	add(l, "0f00 00000001 0 EXIT 0 0\n");
	end_warp(l);
}

/* What each poll of the trace needs, in order. */
struct needs {
	unsigned polls, steps, rounds[3];
	uint16_t needed[64];
	uint64_t address[64];
};

static void see(const struct trace_kernel *k, struct warp_step *step, void *arg)
{
	struct needs *n = arg;
	const struct trace_insn *insn = &k->insns[step->insn];
	n->steps++;
	if (!(insn->flags & INSN_POLL))
		return;
	n->needed[n->polls] = step_take_needed(step, insn->flags);
	n->address[n->polls++] = step->base;
	n->rounds[0] = insn->round;
}

static struct needs needs_of(const struct trace *t)
{
	struct needs n = {0};
	fixture_each_step(t, see, &n);
	return n;
}

#define LOAD(word) "0010 00000001 1 R4 LDG.E.STRONG.SYS 1 R2 4 2 0x7f00000000" word "\n"
#define TEST_WORD "0020 00000001 0 ISETP.NE.AND 2 R4 R255 0\n0030 00000001 0 BRA 0 0\n"
#define STORE(word) "0040 00000001 0 STG.E.STRONG.SYS 2 R2 R4 4 2 0x7f00000000" word "\n"
#define ARRIVE(word) "0050 00000001 0 RED.E.ADD.STRONG.GPU 2 R2 R4 4 2 0x7f00000000" word "\n"
#define CAS "0060 00000001 0 ATOMG.E.CAS.STRONG.GPU 4 R4 R2 R8 R9 4 2 0x7f0000000000\n"
#define RELEASE "0070 00000001 0 ATOMG.E.EXCH.STRONG.GPU 3 R5 R2 R4 4 2 0x7f0000000000\n"
#define OTHERS "0080 fffffffe 0 STG.E 2 R2 R4 4 1 0x7f0000100000 4\n"

TEST(one_round_of_a_chain_of_ctas_is_kept)
{
	struct launch l = {.ctas = 0};
	add(&l, LOAD("00") TEST_WORD STORE("04"));
	next_cta(&l);
	add(&l, LOAD("04"));
	add(&l, OTHERS TEST_WORD);
	add_times(&l, LOAD("04") TEST_WORD, 40);
	add(&l, STORE("08"));
	next_cta(&l);
	add(&l, LOAD("08") TEST_WORD STORE("0c"));
	struct trace *t = finish(&l);
	CHECK(t);
	const struct trace_kernel *k = trace_kernel_at(t, 0);
	CHECK_EQ(k->watched_count, 2);
	CHECK_EQ(k->watched[0], 0x7f0000000004);
	CHECK_EQ(k->watched[1], 0x7f0000000008);
	struct needs n = needs_of(t);
	/* The first CTA's word is written by no CTA: an ordinary load. Other lanes' steps stay. */
	CHECK_EQ(n.steps, 5 + 6 + 5);
	CHECK_EQ(n.steps, k->warp_insns);
	CHECK_EQ(n.polls, 2);
	CHECK_EQ(n.rounds[0], 3);
	CHECK(n.needed[0] == 1 && n.needed[1] == 1);
	CHECK_EQ(n.address[1], 0x7f0000000008);
	CHECK(strstr(trace_warning(t, 0),
	             "40 rounds of spins left out (120 instructions); 2 waits for writes of 2 words"));
	trace_close(t);
}

TEST(a_barrier_of_the_grid_needs_all_arrivals_of_the_round)
{
	enum { CTAS = 3, ROUNDS = 4 };
	struct launch l = {.ctas = 0};
	for (unsigned cta = 0; cta < CTAS; cta++) {
		for (unsigned round = 0; round < ROUNDS; round++) {
			add(&l, ARRIVE("00"));
			add_times(&l, LOAD("00") TEST_WORD, 1 + (cta + 2 * round) % 5);
		}
		if (cta < CTAS - 1)
			next_cta(&l);
	}
	struct trace *t = finish(&l);
	CHECK(t);
	struct needs n = needs_of(t);
	CHECK_EQ(n.polls, CTAS * ROUNDS);
	CHECK_EQ(n.steps, CTAS * (4 * ROUNDS + 1));
	for (unsigned i = 0; i < n.polls; i++)
		CHECK_EQ(n.needed[i], CTAS * (i % ROUNDS + 1));
	trace_close(t);
}

TEST(the_last_to_arrive_at_a_generation_does_not_wait_for_itself)
{
	struct launch l = {.ctas = 0};
	for (unsigned cta = 0; cta < 2; cta++) {
		for (unsigned round = 0; round < 4; round++) {
			add(&l, ARRIVE("40"));
			if (round % 2 == cta)
				add(&l, STORE("00"));
			else
				add_times(&l, LOAD("00") TEST_WORD, 3);
		}
		if (!cta)
			next_cta(&l);
	}
	struct trace *t = finish(&l);
	CHECK(t);
	struct needs n = needs_of(t);
	CHECK_EQ(n.polls, 4);
	CHECK(n.needed[0] == 2 && n.needed[1] == 4 && n.needed[2] == 1 && n.needed[3] == 3);
	trace_close(t);
}

TEST(a_lock_is_taken_in_the_order_of_ctas)
{
	struct launch l = {.ctas = 0};
	for (unsigned cta = 0; cta < 3; cta++) {
		for (unsigned time = 0; time < 2; time++) {
			add_times(&l, CAS TEST_WORD, 1 + (cta + time) % 3);
			add(&l, STORE("40") RELEASE);
		}
		if (cta < 2)
			next_cta(&l);
	}
	struct trace *t = finish(&l);
	CHECK(t);
	struct needs n = needs_of(t);
	CHECK_EQ(n.polls, 5); /* the first one finds it free */
	for (unsigned i = 0; i < n.polls; i++)
		CHECK_EQ(n.needed[i], 2 * (i + 1));
	CHECK_EQ(n.steps, 3 * (2 * 5 + 1));
	trace_close(t);
}

TEST(tickets_are_served_in_the_order_of_ctas)
{
	struct launch l = {.ctas = 0};
	for (unsigned cta = 0; cta < 3; cta++) {
		add(&l, ARRIVE("40"));
		add_times(&l, LOAD("00") TEST_WORD, 1 + cta);
		add(&l, STORE("00"));
		if (cta < 2)
			next_cta(&l);
	}
	struct trace *t = finish(&l);
	CHECK(t);
	struct needs n = needs_of(t);
	CHECK_EQ(n.polls, 2);
	CHECK(n.needed[0] == 1 && n.needed[1] == 2);
	trace_close(t);
}

/* The text of each row has no spin, for one reason. */
TEST(what_is_no_spin_stays)
{
	static const char *const row[] = {
	    LOAD("00") TEST_WORD LOAD("00") TEST_WORD,     /* no CTA writes the word */
	    LOAD("00") LOAD("04") STORE("00") LOAD("08"),  /* other addresses */
	    LOAD("00") STORE("00") LOAD("00") STORE("00"), /* a store in between */
	    LOAD("00") "0090 00000001 1 R9 LDG.E 1 R6 4 2 0x7f0000200000\n" LOAD("00") STORE("00"),
	    CAS TEST_WORD CAS TEST_WORD, /* a retry: only it writes the word */
	    LOAD("00") "0018 00000001 1 R4 LDG.E.STRONG.SYS 1 R2 4 2 0x7f0000000100\n" LOAD(
	        "00") "0018 00000001 1 R4 LDG.E.STRONG.SYS 1 R2 4 2 0x7f0000000104\n" LOAD("00") STORE("00"),
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct launch l = {.ctas = 0};
		add(&l, row[i]);
		unsigned insns = l.insns;
		struct trace *t = finish(&l);
		CHECK(t);
		struct needs n = needs_of(t);
		CHECK_EQ(n.polls, 0);
		CHECK_EQ(n.steps, insns + 1);
		CHECK_EQ(trace_kernel_at(t, 0)->watched_count, 0);
		CHECK(!trace_warning(t, 0));
		trace_close(t);
	}
}

TEST(tests_of_mbarriers_are_kept_once)
{
	struct launch l = {.ctas = 0};
	add(&l, "0010 ffffffff 0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 R0 R17 4 1 0x2408 0\n" TEST_WORD);
	add_times(&l, "0090 ffffffff 0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 R0 R17 4 1 0x2408 0\n" TEST_WORD, 9);
	add(&l, "0090 ffffffff 0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 R0 R17 4 1 0x2410 0\n" TEST_WORD);
	struct trace *t = finish(&l);
	CHECK(t);
	struct needs n = needs_of(t);
	CHECK_EQ(n.steps, 2 * 3 + 1);
	CHECK_EQ(n.polls, 0);
	CHECK(strstr(trace_warning(t, 0), "9 rounds of spins left out (27 instructions)"));
	trace_close(t);
}

TEST_RUN_ALL(true)
