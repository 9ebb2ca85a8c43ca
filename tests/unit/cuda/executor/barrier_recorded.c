/* What recordings say of mbarriers: until when a wait waited, and to which object a bulk copy reports. */
#include "accelsim/accelsim.h"
#include "lib/bench.h"
#include "lib/exec_fixture.h"
#include "lib/trace_fixture.h"
#include "trace/mbarrier.h"

#define REGS                                                                                                 \
	".reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %rd<9>;\n.shared .align 16 .b8 room[4096];\n"         \
	"mov.u32 %r1, %tid.x; mov.u32 %r2, room; add.u32 %r3, %r2, 2048; ld.param.u64 %rd1, [in];\n"
#define KERNEL(directives, body)                                                                             \
	PTX_HEAD ".visible .entry k(.param .u64 in)\n" directives "{\n" REGS body "ret;\n}\n"
/* Waits for the phase of this parity. */
#define WAIT(label, parity)                                                                                  \
	label ": mbarrier.try_wait.parity.shared.b64 %p2, [%r3], " parity "; @!%p2 bra " label ";\n"
#define INIT(count)                                                                                          \
	"setp.ne.u32 %p1, %r1, 0; @%p1 bra I; mbarrier.init.shared.b64 [%r3], " count ";\nI: bar.sync 0;\n"

enum { OBJECT = 2048, MARKS = 32 };

/* The marks of instructions with a flag, in the order of warps. */
struct marks {
	uint32_t flag;
	uint64_t mark[MARKS], address[MARKS];
	unsigned count;
};

static void keep_mark(const struct trace_kernel *k, struct warp_step *step, void *arg)
{
	struct marks *found = arg;
	uint32_t flags = k->insns[step->insn].flags;
	if (!(flags & found->flag) || !step->mask || found->count == MARKS)
		return;
	found->mark[found->count] = step_take_mark(step, flags);
	found->address[found->count++] = step->base;
}

static void read_marks(const struct trace *t, uint32_t flag, struct marks *found)
{
	*found = (struct marks){.flag = flag};
	fixture_each_step(t, keep_mark, found);
}

static struct trace *record(const char *text, unsigned ctas, unsigned threads, uint64_t *in)
{
	struct error err;
	struct fixture *f = fixture_new(text, NULL);
	const char *path = scratch_path("phases.sluice");
	*in = fixture_buffer(f, 4096);
	void *args[] = {in};
	struct exec_launch l = {.module = f->module,
	                        .entry = ptx_find_function(f->module->ptx, "k"),
	                        .grid = {ctas, 1, 1},
	                        .block = {threads, 1, 1},
	                        .args = args,
	                        .recorder = recorder_new(path, &err)};
	bool ok = fixture_record(f, &l);
	fixture_free(f);
	return ok ? trace_open(path, &err) : NULL;
}

#define CHECK_MARK(mark, changed, landed)                                                                    \
	do {                                                                                                 \
		CHECK_EQ(mark_counts(mark).changes, changed);                                                \
		CHECK_EQ(mark_counts(mark).pieces, landed);                                                  \
	} while (0)

TEST(a_wait_tells_how_many_lanes_had_changed_the_object_when_its_phase_ended)
{
	uint64_t in;
	struct marks m;
	/* Two warps arrive and wait, twice; the counts go on from phase to phase, behind the init. */
	struct trace *t =
	    record(KERNEL("", INIT("64") "mbarrier.arrive.shared.b64 _, [%r3];\n" WAIT(
	                          "A", "0") "mbarrier.arrive.shared.b64 _, [%r3];\n" WAIT("B", "1")),
	           1, 64, &in);
	CHECK(t);
	read_marks(t, INSN_PHASE_WAIT, &m);
	CHECK_EQ(m.count, 4);
	for (unsigned warp = 0; warp < 2; warp++) {
		CHECK_MARK(m.mark[2 * warp], 1 + 64, 0);
		CHECK_MARK(m.mark[2 * warp + 1], 1 + 128, 0);
		CHECK_EQ(m.address[2 * warp], OBJECT);
	}
	trace_close(t);
}

static const char bulk[] = KERNEL(
    "",
    INIT(
        "1") "@%p1 bra W; mbarrier.arrive.expect_tx.shared.b64 _, [%r3], 1040;\n"
             "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd1], 1040, [%r3];\n"
             "W:\n" WAIT("A", "0") "ld.shared.u32 %r4, [%r2];\n");

TEST(pieces_of_a_bulk_copy_name_their_object_and_a_wait_counts_them)
{
	uint64_t in;
	struct marks m;
	struct trace *t = record(bulk, 1, 64, &in);
	CHECK(t);
	read_marks(t, INSN_BULK, &m);
	CHECK_EQ(m.count, 3);
	for (unsigned i = 0; i < 3; i++) {
		CHECK_EQ(m.mark[i], OBJECT / 8 + 1);
		CHECK_EQ(m.address[i], in + 512 * i);
	}
	read_marks(t, INSN_PHASE_WAIT, &m);
	CHECK(m.count >= 2);
	for (unsigned i = 0; i < m.count; i++)
		CHECK_MARK(m.mark[i], 2, 3);
	trace_close(t);
}

TEST(a_recorded_bulk_copy_is_waited_for)
{
	uint64_t in;
	struct trace *t = record(bulk, 1, 64, &in);
	struct bench_setup setup = {.machine = "h200"};
	CHECK(t);
	struct counters alone = bench_once(setup, t);
	CHECK(alone.value[COUNT_stall_mbarrier] > 400);
	setup.threads = 3;
	struct counters again = bench_once(setup, t);
	CHECK(bench_same("three threads", &again, &alone));
	trace_close(t);
}

TEST(a_wait_that_gives_up_or_has_nothing_behind_it_says_nothing)
{
	uint64_t in;
	struct marks m;
	/* Parity 1 of an object that has ended no phase is over; parity 0 is not, and no lane arrives. */
	struct trace *t = record(
	    KERNEL("", INIT("2") WAIT("A", "1") "mbarrier.try_wait.parity.shared.b64 %p3, [%r3], 0;\n"), 1,
	    32, &in);
	CHECK(t);
	read_marks(t, INSN_PHASE_WAIT, &m);
	CHECK_EQ(m.count, 2);
	CHECK_EQ(m.mark[0], 0);
	CHECK_EQ(m.mark[1], 0);
	CHECK_EQ(m.address[1], OBJECT);
	trace_close(t);
}

TEST(arrivals_from_another_cta_are_not_waited_for)
{
	uint64_t in;
	struct marks m;
	/* Both CTAs arrive at the object of rank 0, which alone waits: its own init and 32 arrivals count. */
	static const char text[] =
	    KERNEL(".reqnctapercluster 2\n",
	           INIT("64") "barrier.cluster.arrive; barrier.cluster.wait; mov.u32 %r5, %cluster_ctarank;\n"
	                      "setp.ne.u32 %p3, %r5, 0; @!%p3 bra Z;\n"
	                      "mapa.shared::cluster.u32 %r6, %r3, 0;\n"
	                      "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r6]; bra E;\n"
	                      "Z: mbarrier.arrive.shared.b64 _, [%r3];\n" WAIT(
	                          "A", "0") "E: barrier.cluster.arrive; barrier.cluster.wait;\n");
	struct trace *t = record(text, 2, 32, &in);
	CHECK(t);
	read_marks(t, INSN_PHASE_WAIT, &m);
	CHECK_EQ(m.count, 1);
	CHECK_MARK(m.mark[0], 1 + 32, 0);
	trace_close(t);
}

TEST(exports_show_the_addresses_alone)
{
	uint64_t in;
	struct error err;
	size_t count;
	char line[64];
	struct trace *t = record(bulk, 1, 32, &in);
	CHECK(t);
	scratch_remove(scratch_path("phases"));
	CHECK(accelsim_export(t, scratch_path("phases"), ACCELSIM_EXPORT_OLD, &err));
	char *text = (char *)fixture_read(scratch_path("phases/kernel-1.traceg"), &count);
	CHECK(text);
	snprintf(line, sizeof line, " 16 1 0x%llx 16 \n", (unsigned long long)in + 512);
	CHECK(strstr(text, line));
	CHECK(strstr(text, "PHASECHK.TRANS64.TRYWAIT"));
	CHECK(strstr(strstr(text, "PHASECHK.TRANS64.TRYWAIT"), " 0x800 "));
	free(text);
	trace_close(t);
}

TEST(books_begin_anew_with_every_cta)
{
	uint64_t in;
	struct marks m;
	struct trace *t = record(
	    KERNEL("", INIT("32") "mbarrier.arrive.shared.b64 _, [%r3];\n" WAIT("A", "0")), 3, 32, &in);
	CHECK(t);
	read_marks(t, INSN_PHASE_WAIT, &m);
	CHECK_EQ(m.count, 3);
	for (unsigned i = 0; i < 3; i++)
		CHECK_MARK(m.mark[i], 1 + 32, 0);
	trace_close(t);
}

TEST_RUN_ALL(true)
