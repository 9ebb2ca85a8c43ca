/* Asynchronous copies, mbarriers and clusters, and what is wrong with them; unknown instructions. */
#include "lib/exec_fixture.h"

#define REGS ".reg .pred %p<9>; .reg .b32 %r<40>; .reg .b64 %rd<20>;\n"
#define HEAD(name, directives)                                                                               \
	".visible .entry " name "(.param .u64 out, .param .u64 in)\n" directives "{\n" REGS                  \
	".shared .align 16 .b8 room[1024];\nmov.u32 %r1, %tid.x; mov.u32 %r2, room; ld.param.u64 %rd2, "     \
	"[out]; mul.wide.s32 %rd3, %r1, 4; add.s64 %rd1, %rd2, %rd3; ld.param.u64 %rd4, [in];\n"
#define KERNEL(name) HEAD(name, "")

static struct fixture *f;
static uint64_t out, in;

static uint32_t *run(const char *text, unsigned ctas, unsigned threads)
{
	f = fixture_new(text, NULL);
	out = fixture_buffer(f, 4096);
	in = fixture_buffer(f, 1000);
	for (unsigned i = 0; i < 1000; i++)
		((uint8_t *)device_host(in))[i] = (uint8_t)(i * 7 + 1);
	uint64_t values[2] = {out, in};
	void *args[2] = {&values[0], &values[1]};
	fixture_run(f, "k", (struct grid){ctas, threads, 0}, args);
	if (f->status != EXEC_DONE)
		printf("# %s\n", f->err.text);
	return f->status == EXEC_DONE ? device_host(out) : NULL;
}

/* Lane l copies l / 2 bytes of 16 and reads back the last word that has any of them. */
TEST(what_a_copy_does_not_read_is_zero)
{
	uint32_t *got = run(
	    PTX_HEAD KERNEL("k") "shl.b32 %r3, %r1, 4; add.u32 %r4, %r2, %r3; cvt.u64.u32 %rd5, %r3; add.s64 "
	                         "%rd5, %rd4, %rd5; shr.u32 %r5, %r1, 1; st.shared.u32 [%r4+4], -1;\n"
	                         "cp.async.ca.shared.global [%r4], [%rd5], 16, %r5; cp.async.wait_all;\n"
	                         "ld.shared.u32 %r6, [%r4+4]; st.global.u32 [%rd1], %r6; ret;\n}\n",
	    1, 32);
	CHECK(got);
	for (unsigned t = 0; t < 32; t++) {
		uint32_t want = 0;
		for (unsigned b = 4; b < 8 && b < t / 2; b++)
			want |= (uint32_t)(uint8_t)((t * 16 + b) * 7 + 1) << 8 * (b - 4);
		CHECK_EQ(got[t], want);
	}
	fixture_free(f);
}

TEST(a_copy_may_end_with_its_allocation_but_not_go_beyond)
{
	/* 1000 bytes: the last 16 start at 992 and have 8 of their own. */
	static const char text[] =
	    PTX_HEAD KERNEL("k") "add.s64 %rd5, %rd4, 992; mov.u32 %r5, %s;\n"
	                         "cp.async.cg.shared.global [%r2], [%rd5], 16, %r5; ret;\n}\n";
	char with[2048];
	snprintf(with, sizeof with, "%.*s8%s", (int)(strstr(text, "%s;\n") - text), text,
	         strstr(text, "%s;\n") + 2);
	CHECK(run(with, 1, 1));
	fixture_free(f);
	snprintf(with, sizeof with, "%.*s9%s", (int)(strstr(text, "%s;\n") - text), text,
	         strstr(text, "%s;\n") + 2);
	CHECK(!run(with, 1, 1));
	CHECK_EQ(f->status, EXEC_ILLEGAL_ADDRESS);
	fixture_free(f);
}

TEST(an_mbarrier_that_was_not_initialised_is_a_fault)
{
	CHECK(!run(PTX_HEAD KERNEL("k") "mbarrier.arrive.shared.b64 %rd5, [%r2]; ret;\n}\n", 1, 1));
	CHECK(strstr(f->err.text, "the mbarrier was not initialised"));
	fixture_free(f);
	CHECK(!run(
	    PTX_HEAD KERNEL(
	        "k") "mbarrier.init.shared.b64 [%r2], 3; mbarrier.arrive.shared.b64 %rd5, [%r2], 4; ret;\n}\n",
	    1, 1));
	CHECK(strstr(f->err.text, "4 arrivals at an mbarrier that waits for 3"));
	fixture_free(f);
}

TEST(who_waits_for_a_phase_that_never_ends_is_told)
{
	struct exec_options o = {.warp_size = 32, .sm_count = 1, .ctas_per_sm = 1, .spin_budget = 200000};
	f = fixture_new(
	    PTX_HEAD KERNEL(
	        "k") "mbarrier.init.shared.b64 [%r2], 2;\n"
	             "L: mbarrier.try_wait.parity.shared.b64 %p1, [%r2], 0; @!%p1 bra L; ret;\n}\n",
	    &o);
	uint64_t values[2] = {0, 0};
	void *args[2] = {&values[0], &values[1]};
	CHECK_EQ(fixture_run(f, "k", (struct grid){1, 64, 0}, args), EXEC_SPINNING);
	fixture_free(f);
}

/* A bulk copy of 512 bytes: one thread fetches, 32 read. */
TEST(a_bulk_copy_ends_a_phase_of_its_mbarrier)
{
	static const char text[] = PTX_HEAD KERNEL(
	    "k") "add.u32 %r3, %r2, 512; setp.ne.u32 %p1, %r1, 0; @%p1 bra W;\n"
	         "mbarrier.init.shared.b64 [%r3], 1; mbarrier.arrive.expect_tx.shared.b64 _, [%r3], 512;\n"
	         "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd4], 512, [%r3];\n"
	         "W: bar.sync 0;\nL: mbarrier.test_wait.parity.shared.b64 %p2, [%r3], 0; @!%p2 bra L;\n"
	         "shl.b32 %r5, %r1, 4; add.u32 %r5, %r5, %r2; ld.shared.u32 %r6, [%r5]; st.global.u32 [%rd1], %r6; ret;\n}\n";
	uint32_t *got = run(text, 1, 32);
	CHECK(got);
	for (unsigned t = 0; t < 32; t++)
		CHECK(!memcmp(&got[t], (uint8_t *)device_host(in) + 16 * t, 4));
	fixture_free(f);
}

/* Each CTA of a cluster of four stores its rank; after the barrier it reads its neighbour's. */
static const char ring[] = PTX_HEAD HEAD(
    "k",
    ".reqnctapercluster 4\n") "mov.u32 %r3, %cluster_ctarank; mov.u32 %r4, %ctaid.x; shl.b32 %r4, %r4, 5; add.u32 %r4, %r4, %r1; mul.wide.u32 %rd3, "
                              "%r4, 4; add.s64 %rd1, %rd2, %rd3;\n"
                              "shl.b32 %r5, %r1, 2; add.u32 %r6, %r2, %r5; mov.u32 %r8, %clusterid.x; mad.lo.u32 %r7, %r8, 1000, %r3; "
                              "st.shared.u32 [%r6], %r7;\n"
                              "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n"
                              "add.u32 %r9, %r3, 1; and.b32 %r9, %r9, 3; mapa.shared::cluster.u32 %r10, %r6, %r9; getctarank.shared::cluster.u32 "
                              "%r12, %r10; ld.shared::cluster.u32 %r11, [%r10];\n"
                              "mad.lo.u32 %r11, %r12, 100, %r11; barrier.cluster.arrive; barrier.cluster.wait; st.global.u32 [%rd1], %r11; "
                              "ret;\n}\n";

TEST(ctas_of_a_cluster_see_each_other_and_wait)
{
	uint32_t *got = run(ring, 8, 32);
	CHECK(got);
	for (unsigned t = 0; t < 256; t++) {
		unsigned rank = t / 32 % 4, next = (rank + 1) % 4;
		CHECK_EQ(got[t], t / 128 * 1000 + next + 100 * next);
	}
	fixture_free(f);
	CHECK(!run(ring, 6, 32));
	CHECK(strstr(f->err.text, "cannot be run in clusters of 4 x 1 x 1"));
	fixture_free(f);
}

TEST(a_cluster_whose_barrier_is_not_reached_is_told)
{
	static const char text[] =
	    PTX_HEAD HEAD("k", ".reqnctapercluster 2\n") "mov.u32 %r3, %cluster_ctarank; setp.eq.u32 %p1, "
	                                                 "%r3, 0; barrier.cluster.arrive;\n@%p1 bra "
	                                                 "E; barrier.cluster.wait; "
	                                                 "barrier.cluster.arrive; "
	                                                 "barrier.cluster.wait;\nE: bar.sync 1, 64; "
	                                                 "ret;\n}\n";
	CHECK(!run(text, 2, 32));
	CHECK_EQ(f->status, EXEC_SPINNING);
	fixture_free(f);
}

TEST(one_lane_is_elected)
{
	uint32_t *got =
	    run(PTX_HEAD KERNEL(
	            "k") "setp.gt.u32 %p3, %r1, 5; mov.u32 %r7, 99; @!%p3 bra D;\n"
	                 "elect.sync %r6|%p1, 0xffffffc0; selp.u32 %r7, 1, 0, %p1; shl.b32 %r6, %r6, 8; "
	                 "add.u32 %r7, %r7, %r6;\nD: st.global.u32 [%rd1], %r7; ret;\n}\n",
	        1, 32);
	CHECK(got);
	for (unsigned t = 0; t < 32; t++)
		CHECK_EQ(got[t], t < 6 ? 99u : 6 * 256 + (t == 6));
	fixture_free(f);
}

/* vabsdiff4 with a sum, vadd2 with saturation, vavrg4, vset4. */
TEST(video_instructions_work_on_parts_of_words)
{
	uint32_t *got = run(
	    PTX_HEAD KERNEL(
	        "k") "mov.u32 %r3, 0x01ff7f80; mov.u32 %r4, 0x02010180;\n"
	             "vabsdiff4.u32.u32.u32.add %r5, %r3, %r4, 1000; st.global.u32 [%rd1], %r5;\n"
	             "vadd2.s32.s32.s32.sat %r6, 0x7fff8000, 0x0001ffff, 0; st.global.u32 [%rd1+4], %r6;\n"
	             "vavrg4.u32.u32.u32 %r7, %r3, %r4, 0; st.global.u32 [%rd1+8], %r7;\n"
	             "vset4.u32.u32.gt %r8, %r3, %r4, 0; st.global.u32 [%rd1+12], %r8; ret;\n}\n",
	    1, 1);
	CHECK(got);
	CHECK_EQ(got[0], 1000 + 1 + 0xfe + 0x7e + 0);
	CHECK_EQ(got[1], 0x7fff8000);
	CHECK_EQ(got[2], 0x02804080);
	CHECK_EQ(got[3], 0x00010100);
	fixture_free(f);
}

TEST(numbers_for_tensor_cores_are_rounded_and_packed)
{
	uint32_t *got =
	    run(PTX_HEAD KERNEL(
	            "k") ".reg .f32 %f<9>; .reg .b16 %h<9>;\n"
	                 "mov.f32 %f1, 0f3F801000; cvt.rna.tf32.f32 %r3, %f1; cvt.rn.tf32.f32 %r4, %f1;\n"
	                 "mov.f32 %f2, 0f44FA0000; mov.f32 %f3, 0fBF900000;\n"
	                 "cvt.rn.satfinite.e4m3x2.f32 %h1, %f2, %f3; cvt.u32.u16 %r5, %h1;\n"
	                 "cvt.rn.f16x2.e4m3x2 %r6, %h1; cvt.rn.satfinite.e5m2x2.f16x2 %h2, %r6; "
	                 "cvt.u32.u16 %r7, %h2;\n"
	                 "st.global.v4.u32 [%rd1], {%r3, %r4, %r5, %r6}; st.global.u32 [%rd1+16], %r7; "
	                 "ret;\n}\n",
	        1, 1);
	CHECK(got);
	CHECK_EQ(got[0], 0x3f802000); /* 1 + 2^-11: away from zero */
	CHECK_EQ(got[1], 0x3f800000); /* to even */
	CHECK_EQ(got[2], 0x7eb9);     /* 2000 is beyond 448; -1.125 */
	CHECK_EQ(got[3], 0x5f00bc80);
	CHECK_EQ(got[4], 0x5fbc); /* 448 = 1.75 x 2^8; -1.125 to even -1 */
	fixture_free(f);
}

TEST(an_instruction_that_is_not_understood_fails_where_it_is_reached)
{
	static const char text[] =
	    PTX_HEAD KERNEL("k") "setp.eq.u32 %p1, %r1, 77; @%p1 bra X; st.global.u32 [%rd1], 5; ret;\n"
	                         "X: tcgen05.wait::ld.sync.aligned; ret;\n}\n";
	f = fixture_new(PTX_HEAD ".visible .entry e() { ret; }", NULL);
	struct ptx_module *ptx = ptx_parse_tolerant("t.ptx", text, strlen(text), &f->err);
	CHECK(ptx && ptx_analyze(ptx, true, &f->err));
	exec_unload(f->exec, f->module);
	CHECK(f->module = exec_load(f->exec, ptx, &f->err));
	uint64_t values[2] = {fixture_buffer(f, 4096), 0};
	void *args[2] = {&values[0], &values[1]};
	CHECK_EQ(fixture_run(f, "k", (struct grid){1, 32, 0}, args), EXEC_DONE);
	CHECK_EQ(fixture_run(f, "k", (struct grid){1, 96, 0}, args), EXEC_UNSUPPORTED);
	CHECK(strstr(
	    f->err.text,
	    "t.ptx:10:4: 'tcgen05' is not supported: tensor memory and the matrix products of compute capability 10: kernel k"));
	fixture_free(f);
}

TEST_RUN_ALL(true)
