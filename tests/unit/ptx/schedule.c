/* The order inside blocks: what may change places does where it helps, what may not never does. */
#include "fixture.h"

enum { FIRST_LINE = 6, PLACES_MAX = 4096 };

/* By statement, counted along the text of one kernel with a statement per line: where it ended up. */
struct placed {
	uint32_t at[PLACES_MAX];
	uint32_t count;
};

static bool place(struct placed *p, const char *text)
{
	struct ptx_module *m = ptx_compiled(text);
	if (!m)
		return false;
	p->count = m->insn_count;
	for (uint32_t i = 0; i < m->insn_count; i++)
		p->at[i] = PTX_NONE;
	bool ok = m->insn_count <= PLACES_MAX;
	for (uint32_t i = 0; ok && i < m->insn_count; i++) {
		uint32_t statement = m->insns[i].line - FIRST_LINE;
		ok = statement < p->count && p->at[statement] == PTX_NONE;
		if (ok)
			p->at[statement] = i;
	}
	ptx_module_free(m);
	return ok;
}

/* Whether statement a stands before statement b afterwards. */
static bool is_before(const char *text, uint32_t a, uint32_t b)
{
	static struct placed p;
	return place(&p, text) && p.at[a] < p.at[b];
}

static bool keeps_order(const char *text)
{
	static struct placed p;
	bool keeps = place(&p, text);
	for (uint32_t i = 0; keeps && i < p.count; i++)
		keeps = p.at[i] == i;
	return keeps;
}

TEST(loads_go_before_independent_arithmetic)
{
	const char *text = PTX_KERNEL("ld.global.f32 %f1, [%rd1];\n"
	                              "add.f32 %f2, %f1, %f1;\n"
	                              "ld.global.f32 %f3, [%rd1+4];\n"
	                              "add.f32 %f4, %f3, %f2;\n"
	                              "ld.global.f32 %f5, [%rd1+8];\n"
	                              "add.f32 %f6, %f5, %f4;\n"
	                              "st.global.f32 [%rd2], %f6;\n"
	                              "ret;");
	CHECK(is_before(text, 2, 1));
	CHECK(is_before(text, 4, 1));
	CHECK(is_before(text, 0, 2) && is_before(text, 2, 4)); /* alike: in the order of the text */
	CHECK(is_before(text, 1, 3) && is_before(text, 3, 5) && is_before(text, 5, 6));
}

TEST(nothing_moves_where_code_runs_as_it_is_written)
{
	const char *text = PTX_KERNEL("ld.global.f32 %f1, [%rd1];\n"
	                              "add.f32 %f2, %f1, %f1;\n"
	                              "ld.global.f32 %f3, [%rd1+4];\n"
	                              "add.f32 %f4, %f3, %f2;\n"
	                              "st.global.f32 [%rd2], %f4;\n"
	                              "ret;");
	struct error err = {""};
	struct ptx_module *m = ptx_parse("t.ptx", text, strlen(text), &err);
	CHECK(m && ptx_analyze(m, false, &err));
	for (uint32_t i = 0; m && i < m->insn_count; i++)
		CHECK_EQ(m->insns[i].line, FIRST_LINE + i);
	ptx_module_free(m);
}

/* A slow chain, something that stands between, and a load that would like to be early. */
#define BETWEEN(statement, load)                                                                             \
	PTX_KERNEL("add.s32 %r1, %r1, 1;\n" statement "\n" load "\n"                                         \
	           "add.s32 %r9, %r9, %r8;\n"                                                                \
	           "ret;")

TEST(loads_do_not_pass_what_may_change_or_order_memory)
{
	static const char *const ordered[] = {
	    BETWEEN("st.global.u32 [%rd1], %r1;", "ld.global.u32 %r8, [%rd2];"),
	    BETWEEN("st.u32 [%rd1], %r1;", "ld.global.u32 %r8, [%rd2];"),
	    BETWEEN("st.u32 [%rd1], %r1;", "ld.shared.u32 %r8, [%r2];"),
	    BETWEEN("st.u32 [%rd1], %r1;", "ld.local.u32 %r8, [%rd2];"),
	    BETWEEN("st.global.u32 [%rd1], %r1;", "ld.u32 %r8, [%rd2];"),
	    BETWEEN("st.shared.u32 [%r2], %r1;", "ld.shared.u32 %r8, [%r3];"),
	    BETWEEN("st.shared.u32 [%r2], %r1;", "ld.u32 %r8, [%rd2];"),
	    BETWEEN("st.local.u32 [%rd1], %r1;", "ld.local.u32 %r8, [%rd2];"),
	    BETWEEN("@%p1 st.global.u32 [%rd1], %r1;", "ld.global.u32 %r8, [%rd2];"),
	    BETWEEN("atom.global.add.u32 %r7, [%rd1], %r1;", "ld.global.u32 %r8, [%rd2];"),
	    BETWEEN("atom.global.add.u32 %r7, [%rd1], %r1;", "ld.shared.u32 %r8, [%r3];"),
	    BETWEEN("atom.shared.add.u32 %r7, [%r2], %r1;", "ld.global.u32 %r8, [%rd2];"),
	    BETWEEN("red.global.add.u32 [%rd1], %r1;", "ld.global.nc.u32 %r8, [%rd2];"),
	    BETWEEN("bar.sync 0;", "ld.shared.u32 %r8, [%r3];"),
	    BETWEEN("bar.sync 0;", "ld.global.u32 %r8, [%rd2];"),
	    BETWEEN("bar.warp.sync %r1;", "ld.shared.u32 %r8, [%r3];"),
	    BETWEEN("membar.gl;", "ld.global.u32 %r8, [%rd2];"),
	    BETWEEN("fence.acq_rel.gpu;", "ld.global.u32 %r8, [%rd2];"),
	    BETWEEN("shfl.sync.bfly.b32 %r7, %r1, 1, 31, -1;", "ld.global.u32 %r8, [%rd2];"),
	    BETWEEN("vote.sync.any.pred %p2, %p1, -1;", "ld.global.u32 %r8, [%rd2];"),
	    BETWEEN("activemask.b32 %r7;", "ld.global.u32 %r8, [%rd2];"),
	    BETWEEN("match.any.sync.b32 %r7, %r1, -1;", "ld.global.u32 %r8, [%rd2];"),
	    BETWEEN("ld.volatile.global.u32 %r7, [%rd1];", "ld.global.u32 %r8, [%rd2];"),
	    BETWEEN("ld.acquire.gpu.global.u32 %r7, [%rd1];", "ld.global.u32 %r8, [%rd2];"),
	    BETWEEN("ld.global.cv.u32 %r7, [%rd1];", "ld.global.u32 %r8, [%rd2];"),
	    BETWEEN("ld.global.u32 %r7, [%rd1];", "ld.volatile.global.u32 %r8, [%rd2];"),
	    BETWEEN("brkpt;", "ld.global.u32 %r8, [%rd2];"),
	    BETWEEN("nanosleep.u32 %r1;", "ld.global.u32 %r8, [%rd2];"),
	    BETWEEN("mov.u32 %r7, %clock;", "ld.global.u32 %r8, [%rd2];"),
	    BETWEEN("mov.u64 %rd7, %globaltimer;", "ld.global.u32 %r8, [%rd2];"),
	    BETWEEN("call.uni f;", "ld.global.u32 %r8, [%rd2];"),
	};
	for (size_t i = 0; i < sizeof ordered / sizeof *ordered; i++) {
		char text[1024];
		/* Statements start in the same line as without the function. */
		snprintf(text, sizeof text,
		         ".version 7.1 .target sm_70 .address_size 64 .func f() { ret; }\n\n\n%s",
		         ordered[i] + sizeof PTX_HEAD - 1);
		struct ptx_module *m = ptx_compiled(text);
		CHECK(m != NULL);
		uint32_t statement = 0, load = 0;
		for (uint32_t k = 1; k < m->insn_count; k++) {
			statement = m->insns[k].line == FIRST_LINE + 1 ? k : statement;
			load = m->insns[k].line == FIRST_LINE + 2 ? k : load;
		}
		if (!(statement && statement < load))
			printf("# %s\n", ordered[i]);
		CHECK(statement && statement < load);
		ptx_module_free(m);
	}
}

TEST(loads_pass_stores_of_another_space)
{
	CHECK(is_before(BETWEEN("st.shared.u32 [%r2], %r1;", "ld.global.u32 %r8, [%rd2];"), 2, 1));
	CHECK(is_before(BETWEEN("st.global.u32 [%rd1], %r1;", "ld.shared.u32 %r8, [%r3];"), 2, 1));
	CHECK(is_before(BETWEEN("st.local.u32 [%rd1], %r1;", "ld.global.u32 %r8, [%rd2];"), 2, 1));
	CHECK(is_before(BETWEEN("st.global.u32 [%rd1], %r1;", "ld.param.u32 %r8, [n];"), 2, 1));
	CHECK(is_before(BETWEEN("st.global.u32 [%rd1], %r1;", "ld.global.nc.u32 %r8, [%rd2];"), 2, 1));
	CHECK(is_before(BETWEEN("st.u32 [%rd1], %r1;", "ld.const.u32 %r8, [%rd2];"), 2, 1));
}

/* Statement 1 stores a value that is late; statement 2 loads. */
#define STORE_THEN_LOAD(store, between, load)                                                                \
	PTX_KERNEL("ld.global.u32 %r1, [%rd2];\n" store between load "st.global.u32 [%rd2], %r2;\n"          \
	           "ret;")

TEST(accesses_at_known_offsets_from_one_base_pass_each_other_unless_they_overlap)
{
	CHECK(is_before(STORE_THEN_LOAD("st.global.u32 [%rd1], %r1;\n", "", "ld.global.u32 %r2, [%rd1+4];\n"),
	                2, 1));
	CHECK(is_before(STORE_THEN_LOAD("st.global.u32 [%rd1+4], %r1;\n", "", "ld.global.u32 %r2, [%rd1];\n"),
	                2, 1));
	CHECK(is_before(STORE_THEN_LOAD("st.global.u32 [%rd1], %r1;\n", "", "ld.global.u32 %r2, [%rd1];\n"),
	                1, 2));
	CHECK(is_before(
	    STORE_THEN_LOAD("st.global.u32 [%rd1+4], %r1;\n", "", "ld.global.u64 %rd3, [%rd1];\n"), 1, 2));
	CHECK(is_before(
	    STORE_THEN_LOAD("st.global.u32 [%rd1+4], %r1;\n", "", "ld.global.v2.u32 {%r2, %r3}, [%rd1];\n"),
	    1, 2));
	/* Another base may be anywhere, and so may one that has changed. */
	CHECK(is_before(STORE_THEN_LOAD("st.global.u32 [%rd1], %r1;\n", "", "ld.global.u32 %r2, [%rd3+4];\n"),
	                1, 2));
	CHECK(is_before(STORE_THEN_LOAD("st.global.u32 [%rd1], %r1;\n", "add.s64 %rd1, %rd1, %rd4;\n",
	                                "ld.global.u32 %r2, [%rd1+4];\n"),
	                1, 3));
}

TEST(a_store_waits_for_all_loads_that_it_may_meet)
{
	/* Past a store that neither of them meets. */
	const char *text = PTX_KERNEL("ld.global.u32 %r1, [%rd1+8];\n"
	                              "add.s32 %r1, %r1, 1;\n"
	                              "ld.global.u32 %r2, [%r1];\n"
	                              "st.global.u32 [%rd1], 1;\n"
	                              "st.global.u32 [%rd1+4], 2;\n"
	                              "st.global.u32 [%rd2], %r2;\n"
	                              "ret;");
	CHECK(is_before(text, 2, 3) && is_before(text, 2, 4));
	text = PTX_KERNEL("ld.global.u32 %r1, [%rd1+8];\n"
	                  "st.global.u32 [%rd1], 1;\n"
	                  "st.global.u32 [%rd1+8], 2;\n"
	                  "st.global.u32 [%rd2], %r1;\n"
	                  "ret;");
	CHECK(is_before(text, 0, 2));
}

TEST(stores_and_barriers_keep_their_order_and_wait_for_loads)
{
	/* The value of the first store is late, the others could go at once. */
	const char *text = PTX_KERNEL("ld.global.u32 %r1, [%rd1];\n"
	                              "st.shared.u32 [%r5], %r1;\n"
	                              "st.global.u32 [%rd2], %r2;\n"
	                              "st.local.u32 [%rd3], %r3;\n"
	                              "bar.sync 0;\n"
	                              "st.shared.u32 [%r6], %r4;\n"
	                              "ret;");
	CHECK(keeps_order(text));
	/* A store does not pass a load that may read what it overwrites. */
	CHECK(is_before(PTX_KERNEL("ld.global.u32 %r1, [%rd1];\nst.global.u32 [%rd2], %r2;\nret;"), 0, 1));
	CHECK(is_before(PTX_KERNEL("ld.global.u32 %r1, [%rd1];\nbar.sync 0;\nret;"), 0, 1));
}

TEST(an_address_is_read_before_it_is_overwritten)
{
	/* The sum starts the longest chain, but %rd1 and %r1 are still needed. */
	const char *text = PTX_KERNEL("st.shared.u32 [%rd1], %r1;\n"
	                              "add.s64 %rd1, %rd1, 4;\n"
	                              "ld.global.u32 %r1, [%rd1];\n"
	                              "div.s32 %r2, %r1, %r3;\n"
	                              "st.global.u32 [%rd1], %r2;\n"
	                              "add.s64 %rd1, %rd1, 4;\n"
	                              "st.global.u64 [%rd2], %rd1;\n"
	                              "ret;");
	CHECK(keeps_order(text));
}

TEST(writes_of_one_register_keep_their_order)
{
	const char *text = PTX_KERNEL("add.s32 %r1, %r2, 1;\n"
	                              "st.shared.u32 [%r5], %r1;\n"
	                              "ld.global.u32 %r1, [%rd1];\n"
	                              "st.shared.u32 [%r6], %r1;\n"
	                              "ret;");
	CHECK(is_before(text, 0, 2) && is_before(text, 1, 2));
	/* The first has no reader. */
	CHECK(is_before(
	    PTX_KERNEL("add.s32 %r1, %r2, 1;\nld.global.u32 %r1, [%rd1];\nst.shared.u32 [%r6], %r1;\nret;"),
	    0, 1));
}

TEST(guards_are_operands_and_guarded_results_keep_what_was_there)
{
	const char *text = PTX_KERNEL("setp.eq.s32 %p1, %r2, 0;\n"
	                              "add.s32 %r1, %r2, 1;\n"
	                              "@%p1 ld.global.u32 %r1, [%rd1];\n"
	                              "st.shared.u32 [%r5], %r1;\n"
	                              "setp.eq.s32 %p1, %r3, 0;\n"
	                              "@!%p1 st.shared.u32 [%r6], %r2;\n"
	                              "ret;");
	CHECK(is_before(text, 0, 2) && is_before(text, 1, 2) && is_before(text, 2, 3));
	CHECK(is_before(text, 2, 4)); /* the guard is read before it is written */
	CHECK(is_before(text, 4, 5));
}

TEST(the_carry_goes_from_sum_to_sum)
{
	const char *text = PTX_KERNEL("add.cc.u32 %r1, %r2, %r3;\n"
	                              "addc.u32 %r4, %r5, %r6;\n"
	                              "ld.global.u32 %r7, [%rd1];\n"
	                              "add.cc.u32 %r8, %r7, %r3;\n"
	                              "addc.u32 %r9, %r5, %r6;\n"
	                              "ret;");
	CHECK(is_before(text, 0, 1) && is_before(text, 1, 3) && is_before(text, 3, 4));
	CHECK(is_before(text, 2, 0));
}

TEST(nothing_moves_between_readings_of_the_clock)
{
	CHECK(keeps_order(PTX_KERNEL("add.s32 %r1, %r1, 1;\n"
	                             "mov.u32 %r2, %clock;\n"
	                             "add.s32 %r3, %r1, 1;\n"
	                             "mov.u32 %r4, %clock;\n"
	                             "ld.global.u32 %r5, [%rd1];\n"
	                             "ret;")));
}

TEST(branches_stay_last_and_labels_first)
{
	struct ptx_module *m = ptx_compiled(PTX_KERNEL("TOP: add.s32 %r1, %r1, 1;\n"    /* 0 */
	                                               "ld.global.u32 %r2, [%rd1];\n"   /* 1 */
	                                               "setp.eq.s32 %p1, %r1, 7;\n"     /* 2 */
	                                               "@%p1 bra TOP;\n"                /* 3 */
	                                               "add.s32 %r3, %r2, 1;\n"         /* 4 */
	                                               "ld.global.u32 %r4, [%rd2];\n"   /* 5 */
	                                               "NEXT: add.s32 %r5, %r4, %r3;\n" /* 6 */
	                                               "ld.global.u32 %r6, [%rd2+4];\n" /* 7 */
	                                               "add.s32 %r7, %r6, 1;\n"         /* 8: late */
	                                               "@%p1 bra NEXT;\n"               /* 9 */
	                                               "ret;"));
	CHECK(m != NULL);
	static const uint32_t order[] = {1, 0, 2, 3, 5, 4, 7, 6, 8, 9, 10};
	for (uint32_t i = 0; i < m->insn_count; i++)
		CHECK_EQ(m->insns[i].line, FIRST_LINE + order[i]);
	CHECK_EQ(ptx_sources(m, &m->insns[3])->index, 0);
	CHECK_EQ(ptx_sources(m, &m->insns[9])->index, 6);
	CHECK_EQ(m->flow[3].reconverge, 4);
	CHECK_EQ(m->flow[9].reconverge, 10);
	CHECK_EQ(m->flow[5].block, 1);
	CHECK_EQ(m->flow[6].block, 2);
	ptx_module_free(m);
}

TEST(line_numbers_move_with_their_instructions)
{
	struct ptx_module *m = ptx_compiled(PTX_KERNEL(".file 1 \"a.cu\"\n.loc 1 10 0\nadd.s32 %r1, %r1, 1;\n"
	                                               ".loc 1 20 0\nld.global.u32 %r2, [%rd1];\nret;"));
	CHECK(m != NULL);
	CHECK_EQ(m->insns[0].op, PTX_ld);
	CHECK_EQ(m->insns[0].source_line, 20);
	CHECK_EQ(m->insns[1].source_line, 10);
	ptx_module_free(m);
}

/* `count` pairs of loads and a sum over all of them. */
static uint32_t pressure_of_sum(unsigned count, const char *directives)
{
	static char text[1 << 16];
	size_t at = (size_t)snprintf(text, sizeof text,
	                             PTX_HEAD ".entry k() %s {\n.reg .b32 %%r<999>; .reg .b64 %%rd<3>;\n"
	                                      "mov.u32 %%r0, %%tid.x;\ncvt.u64.u32 %%rd1, %%r0;\n",
	                             directives);
	for (unsigned i = 1; i <= count; i++)
		at += (size_t)snprintf(text + at, sizeof text - at,
		                       "ld.global.u32 %%r%u, [%%rd1+%u];\nadd.s32 %%r%u, %%r%u, %%r%u;\n",
		                       2 * i - 1, 4 * i, 2 * i, 2 * i - 2, 2 * i - 1);
	snprintf(text + at, sizeof text - at, "st.global.u32 [%%rd1], %%r%u;\nret;\n}\n", 2 * count);
	struct ptx_module *m = ptx_compiled(text);
	uint32_t pressure = m ? m->functions[0].pressure : 0;
	ptx_module_free(m);
	return pressure;
}

TEST(loads_ahead_are_bounded_by_registers)
{
	/* %rd1, the sum and one value would do. */
	CHECK_EQ(pressure_of_sum(4, ""), 7);
	uint32_t most = pressure_of_sum(60, "");
	CHECK(most > 8 && most <= 20);
	CHECK_EQ(pressure_of_sum(400, ""), most);
	CHECK(pressure_of_sum(60, ".maxnreg 16") < most);
}

/* ---- random blocks against a checker that looks at all pairs ---------------------------------------------- */

enum { STATEMENTS = 700, REGISTERS = 12 };

/* What a statement touches, as sets: registers 0 ... 11, predicate p1 as 12, memory above. */
struct effect {
	uint32_t reads, writes;
};
enum { P1 = 1u << 12, GLOBAL = 1u << 13, SHARED = 1u << 14, NEVER = 1u << 15, STORES = 1u << 16 };

static uint32_t pick(uint64_t *state, uint32_t limit)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 33) % limit;
}

static size_t statement(char *text, size_t size, uint64_t *state, struct effect *e)
{
	uint32_t a = pick(state, REGISTERS), b = pick(state, REGISTERS), c = pick(state, REGISTERS);
	bool guarded = pick(state, 8) == 0;
	const char *guard = guarded ? "@%p1 " : "";
	uint32_t all = GLOBAL | SHARED | NEVER | STORES, ra = 1u << a, rb = 1u << b, rc = 1u << c;
	int n = 0;
	*e = (struct effect){0, 0};
#define SAY(r, w, ...) (*e = (struct effect){r, w}, n = snprintf(text, size, __VA_ARGS__))
	switch (pick(state, 9)) {
	case 0:
		SAY(rb | GLOBAL, ra, "%sld.global.u32 %%r%u, [%%r%u];\n", guard, a, b);
		break;
	case 1:
		SAY(rb | SHARED, ra, "%sld.shared.u32 %%r%u, [%%r%u];\n", guard, a, b);
		break;
	case 2:
		SAY(rb | NEVER, ra, "%sld.global.nc.u32 %%r%u, [%%r%u];\n", guard, a, b);
		break;
	case 3:
		SAY(ra | rb, GLOBAL | STORES, "%sst.global.u32 [%%r%u], %%r%u;\n", guard, a, b);
		break;
	case 4:
		SAY(ra | rb, SHARED | STORES, "%sst.shared.u32 [%%r%u], %%r%u;\n", guard, a, b);
		break;
	case 5:
		if (pick(state, 6) == 0)
			SAY(rb | rc, ra | all, "%satom.global.add.u32 %%r%u, [%%r%u], %%r%u;\n", guard, a, b,
			    c);
		else
			SAY(rb, ra, "%sadd.s32 %%r%u, %%r%u, 1;\n", guard, a, b);
		break;
	case 6:
		SAY(ra, P1, "setp.eq.s32 %%p1, %%r%u, 0;\n", a), guarded = false;
		break;
	default:
		SAY(rb | rc, ra, "%sadd.s32 %%r%u, %%r%u, %%r%u;\n", guard, a, b, c);
		break;
	}
#undef SAY
	e->reads |= guarded ? P1 : 0;
	return (size_t)n;
}

TEST(random_blocks_keep_all_dependences)
{
	static char text[STATEMENTS * 64];
	static struct effect effects[STATEMENTS];
	static struct placed p;
	uint64_t state = 1;
	unsigned moved = 0;
	for (unsigned round = 0; round < 40; round++) {
		uint32_t count = round % 4 ? 8 + pick(&state, 60) : STATEMENTS;
		size_t at = (size_t)snprintf(text, sizeof text, "%s", PTX_KERNEL_HEAD);
		for (uint32_t i = 0; i < count; i++)
			at += statement(text + at, sizeof text - at, &state, &effects[i]);
		snprintf(text + at, sizeof text - at, "ret;\n}\n");
		CHECK(place(&p, text));
		CHECK_EQ(p.at[count], count);
		for (uint32_t i = 0; i < count; i++)
			for (uint32_t j = i + 1; j < count; j++) {
				const struct effect *x = &effects[i], *y = &effects[j];
				bool depends = (x->writes & (y->reads | y->writes)) || (x->reads & y->writes);
				CHECK(!depends || p.at[i] < p.at[j]);
				moved += p.at[i] > p.at[j];
			}
	}
	CHECK(moved > 1000);
}

TEST_RUN_ALL(true)
