/* Every lane of a recording executes EXIT once, wherever it leaves, and nothing after it. */
#include "accelsim/accelsim.h"
#include "lib/exec_fixture.h"
#include "lib/trace_fixture.h"
#include "trace/ends.h"
#include "trace/interleave.h"

enum { THREADS = 80 }; /* the last warp is half full */

struct ends {
	uint64_t warps, wrong, exits, exit_lanes;
	enum end_fault fault;
};

static void keep(const struct end_report *report, void *arg)
{
	struct ends *e = arg;
	e->fault = report->fault;
}

/* EXITs of the whole trace: how many are issued, and in how many lanes. */
static void count_exit(const struct trace_kernel *k, struct warp_step *step, void *arg)
{
	struct ends *e = arg;
	if (k->insns[step->insn].op != OP_EXIT)
		return;
	e->exits++;
	e->exit_lanes += (uint64_t)__builtin_popcountll(step->mask);
}

static bool read_ends(const char *path, struct ends *e)
{
	struct error err;
	struct end_counts counts = {0};
	struct trace *t = trace_open(path, &err);
	if (!t)
		return false;
	bool ok = trace_check_ends(t, &counts, keep, e, &err);
	fixture_each_step(t, count_exit, e);
	trace_close(t);
	e->warps = counts.warps;
	e->wrong = counts.wrong;
	return ok;
}

/* Records one CTA of THREADS threads; `functions` come before the kernel. */
static bool record(const char *functions, const char *body, struct ends *e)
{
	char text[4096];
	struct error err;
	snprintf(text, sizeof text,
	         PTX_HEAD "%s.visible .entry k()\n{\n.reg .pred %%p<4>;\n.reg .b32 %%r<8>;\n"
	                  ".shared .align 4 .b8 s[512];\nmov.u32 %%r1, %%tid.x;\n%s\n}\n",
	         functions, body);
	*e = (struct ends){0};
	struct fixture *f = fixture_new(text, NULL);
	const char *path = scratch_path("ends.sluice");
	struct exec_launch l = {.module = f->module,
	                        .entry = ptx_find_function(f->module->ptx, "k"),
	                        .grid = {1, 1, 1},
	                        .block = {THREADS, 1, 1},
	                        .recorder = recorder_new(path, &err)};
	bool ok = fixture_record(f, &l);
	fixture_free(f);
	return ok && read_ends(path, e);
}

#define CHECK_ENDS(functions, body, issued)                                                                  \
	do {                                                                                                 \
		struct ends e_;                                                                              \
		CHECK(record(functions, body, &e_));                                                         \
		CHECK_EQ(e_.warps, 3);                                                                       \
		CHECK_EQ(e_.wrong, 0);                                                                       \
		CHECK_EQ(e_.exit_lanes, THREADS);                                                            \
		CHECK_EQ(e_.exits, issued);                                                                  \
	} while (0)

TEST(an_early_return_is_a_predicated_exit)
{
	/* Warps 0 and 1 issue both EXITs, warp 0 the first without a lane; warp 2 has no lane left for the second. */
	CHECK_ENDS("",
	           "setp.ge.u32 %p1, %r1, 40;\n@%p1 bra END;\nmul.lo.u32 %r2, %r1, %r1;\n"
	           "st.shared.u32 [s], %r2;\nEND:\nret;",
	           5);
}

TEST(a_return_in_a_loop_ends_lanes_one_after_another)
{
	/* Lane l leaves in round l mod 4: each warp issues four EXITs, the loop's end is never reached. */
	CHECK_ENDS("",
	           "and.b32 %r2, %r1, 3;\nmov.u32 %r3, 0;\nLOOP:\nsetp.eq.u32 %p1, %r2, %r3;\n"
	           "@%p1 bra END;\nadd.u32 %r3, %r3, 1;\nbra LOOP;\nEND:\nret;",
	           12);
}

TEST(the_others_pass_a_barrier_without_lanes_that_left)
{
	CHECK_ENDS("",
	           "and.b32 %r2, %r1, 1;\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra END;\nbar.sync 0;\n"
	           "st.shared.u32 [s], %r1;\nbar.sync 0;\nEND:\nret;",
	           6);
}

TEST(guarded_ends_and_ends_inside_functions_count_once)
{
	CHECK_ENDS("", "setp.lt.u32 %p1, %r1, 8;\n@%p1 exit;\n@!%p1 ret;\nret;", 6);
	CHECK_ENDS(".func f(.param .b32 x)\n{\n.reg .pred %p<2>;\n.reg .b32 %r<3>;\nld.param.u32 %r1, [x];\n"
	           "setp.gt.u32 %p1, %r1, 35;\n@%p1 bra OUT;\nret;\nOUT:\nexit;\n}\n",
	           "{ .param .b32 a;\nst.param.b32 [a], %r1;\ncall.uni f, (a);\n}\nret;", 5);
}

TEST(both_sides_of_a_branch_may_end)
{
	CHECK_ENDS("",
	           "setp.lt.u32 %p1, %r1, 5;\n@%p1 bra A;\nst.shared.u32 [s], %r1;\nbra END;\nA:\n"
	           "setp.lt.u32 %p2, %r1, 3;\n@%p2 bra END;\nst.shared.u32 [s+4], %r1;\nEND:\nret;",
	           4);
}

/* A trace of one warp that executes EXIT and MOV as `masks` say, EXIT first and every other time. */
static enum end_fault ends_of(const uint64_t *masks, unsigned count, uint64_t *wrong)
{
	struct error err;
	struct ends e = {0};
	const char *path = scratch_path("made.sluice");
	struct trace_writer *w = trace_writer_new(path, &err);
	const struct trace_kernel header = {.name = "k",
	                                    .id = 1,
	                                    .grid = {1, 1, 1},
	                                    .block = {32, 1, 1},
	                                    .warp_size = 32,
	                                    .warps_per_cta = 1};
	trace_writer_begin_kernel(w, &header, &err);
	static const char *const mnemonics[] = {"EXIT", "MOV"};
	uint32_t index[2];
	for (unsigned i = 0; i < 2; i++) {
		struct trace_insn insn = {.pc = 16 * i, .dst = TRACE_REG_NONE};
		sass_classify(mnemonics[i], 90, &insn);
		index[i] = trace_writer_insn(w, &insn, mnemonics[i]);
	}
	struct cta_stream *s = cta_stream_open(w, 0);
	for (unsigned i = 0; i < count; i++)
		cta_stream_run(s, 0, index[i % 2], 1, masks[i]);
	cta_stream_close(s, &err);
	trace_writer_end_kernel(w, &err);
	trace_writer_finish(w, &err);
	if (!read_ends(path, &e))
		abort();
	*wrong = e.wrong;
	return e.fault;
}

TEST(the_check_finds_lanes_that_end_twice_never_or_go_on)
{
	uint64_t wrong;
	ends_of((const uint64_t[]){0xffff, 0xffff0000, 0xffff0000}, 3, &wrong);
	CHECK_EQ(wrong, 0);
	CHECK_EQ(ends_of((const uint64_t[]){0xffff, 0xffff0000, 0xffffffff}, 3, &wrong), END_TWICE);
	CHECK_EQ(wrong, 1);
	CHECK_EQ(ends_of((const uint64_t[]){0xffff, 0xffffffff, 0xffff0000}, 3, &wrong), END_AFTER);
	CHECK_EQ(wrong, 1);
	CHECK_EQ(ends_of((const uint64_t[]){0xffff, 0xffff0000}, 2, &wrong), END_NEVER);
	CHECK_EQ(wrong, 1);
}

TEST_RUN_ALL(true)
