/* Barriers of a CTA: all warps, some, named ones, and those that cannot complete. */
#include "lib/exec_kernel.h"

static const char reversal[] = PTX_HEAD
    ".visible .entry reversal(.param .u64 out)\n{\n.shared .align 4 .b8 buf[1024];\n" REGS OUT
    "mov.u32 %r5, buf; shl.b32 %r6, %r4, 2; add.s32 %r7, %r5, %r6; st.shared.u32 [%r7], %r1; bar.sync 0;\n"
    "sub.s32 %r8, %r3, %r4; sub.s32 %r8, %r8, 1; shl.b32 %r8, %r8, 2; add.s32 %r8, %r5, %r8; ld.shared.u32 "
    "%r10, [%r8];\n" STORE;

TEST(a_barrier_makes_stores_of_all_warps_visible)
{
	struct fixture *f;
	uint32_t *out = run(reversal, "reversal", (struct grid){2, 256, 0}, &f);
	CHECK(out);
	for (unsigned i = 0; i < 512; i++)
		CHECK_EQ(out[i], (i / 256) * 256 + 255 - i % 256);
	fixture_free(f);
}

static const char early[] =
    PTX_HEAD KERNEL("early") "setp.ge.u32 %p1, %r4, 40; @%p1 bra GONE; bar.sync 0; setp.lt.u32 %p2, %r4, 20; "
                             "bar.red.popc.u32 %r10, 0, %p2;\n"
                             "bar.red.and.pred %p3, 0, %p2; bar.red.or.pred %p4, 0, !%p2; selp.b32 %r5, "
                             "1000, 0, %p3; selp.b32 %r6, 100, 0, %p4;\n"
                             "add.s32 %r10, %r10, %r5; add.s32 %r10, %r10, %r6;\n"
                             "st.global.u32 [%rd1], %r10; GONE: ret;\n}\n";

TEST(barriers_do_not_wait_for_lanes_that_have_exited)
{
	struct fixture *f;
	uint32_t *out = run(early, "early", (struct grid){1, 128, 0}, &f);
	CHECK(out);
	for (unsigned i = 0; i < 128; i++)
		CHECK_EQ(out[i], i < 40 ? 120 : 0);
	fixture_free(f);
}

/* Producer warp arrives at barrier 1 without waiting; consumer warp waits there for both. */
static const char named[] = PTX_HEAD
    ".visible .entry named(.param .u64 out)\n{\n.shared .align 4 .b8 buf[128];\n" REGS OUT
    "mov.u32 %r5, buf; and.b32 %r6, %r4, 31; shl.b32 %r6, %r6, 2; add.s32 %r7, %r5, %r6; setp.lt.u32 %p1, "
    "%r4, 32; mov.u32 %r10, 1;\n"
    "@%p1 bra CONSUME; add.s32 %r8, %r4, 100; st.shared.u32 [%r7], %r8; bar.arrive 1, 64; bra.uni END;\n"
    "CONSUME: bar.sync 1, 64; ld.shared.u32 %r10, [%r7];\nEND:\n" STORE;

TEST(a_named_barrier_couples_producer_and_consumer_warps)
{
	struct fixture *f;
	uint32_t *out = run(named, "named", (struct grid){1, 64, 0}, &f);
	CHECK(out);
	for (unsigned i = 0; i < 64; i++)
		CHECK_EQ(out[i], i < 32 ? 132 + i : 1);
	fixture_free(f);
}

static const char stuck[] =
    PTX_HEAD KERNEL("stuck") "setp.lt.u32 %p1, %r4, 32; @%p1 bra ONE; bar.sync 0; bra.uni END;\nONE: "
                             "bar.sync 1; END: mov.u32 %r10, 1;\n" STORE;

TEST(a_barrier_that_cannot_complete_is_reported)
{
	struct fixture *f;
	CHECK(!run(stuck, "stuck", (struct grid){1, 64, 0}, &f));
	CHECK_EQ(f->status, EXEC_SPINNING);
	CHECK(strstr(f->err.text, "barrier") && strstr(f->err.text, "kernel stuck"));
	fixture_free(f);
}

TEST_RUN_ALL(true)
