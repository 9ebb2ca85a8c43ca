/* Instructions as text. */
#include "fixture.h"

TEST(instructions_are_printed_as_they_were_written)
{
	static const char *const same[] = {
	    "add.s32 %r1, %r2, 5",
	    "mad.wide.u32 %rd1, %r1, %r2, %rd2",
	    "mul.hi.u32 %r1, %r2, %r3",
	    "ld.global.f32 %f1, [%rd4+8]",
	    "ld.volatile.global.u32 %r1, [%rd1]",
	    "st.shared.u32 [%r1-4], %r2",
	    "ld.global.nc.v4.f32 {%f1, %f2, _, %f4}, [%rd1]",
	    "st.v2.u32 [%rd1], {%r1, 3}",
	    "setp.lt.and.f32 %p1|%p2, %f1, %f2, !%p3",
	    "selp.b64 %rd1, %rd2, %rd3, %p1",
	    "cvt.rzi.ftz.sat.s32.f32 %r1, %f1",
	    "cvt.rn.f32.f64 %f1, %fd1",
	    "cvt.u32.u16 %r1, %rs1",
	    "shfl.sync.bfly.b32 %r1|%p1, %r2, 1, 31, 0xffffffff",
	    "vote.sync.ballot.b32 %r1, !%p1, %r2",
	    "match.all.sync.b64 %r1|%p1, %rd1, %r2",
	    "redux.sync.add.s32 %r1, %r2, %r3",
	    "atom.global.cas.b32 %r1, [%rd1], %r2, 7",
	    "red.relaxed.gpu.global.add.u32 [%rd1], %r1",
	    "bar.sync 0",
	    "bar.red.popc.u32 %r1, 0, %p1",
	    "bar.warp.sync 0xffffffff",
	    "membar.gl",
	    "fence.acq_rel.gpu",
	    "prmt.b32.f4e %r1, %r2, %r3, %r4",
	    "lop3.b32 %r1, %r2, %r3, %r4, 232",
	    "dp4a.u32.s32 %r1, %r2, %r3, %r4",
	    "fma.rn.f16x2 %r1, %r2, %r3, %r4",
	    "add.rn.bf16 %rs1, %rs2, %rs3",
	    "mov.b64 {%r1, %r2}, %rd1",
	    "mov.b32 %r1, {%rs1, %rs2}",
	    "mov.u32 %r1, %tid.x",
	    "mov.u64 %rd1, %clock64",
	    "tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1, %r2}]",
	    "@!%p1 exit",
	    "cvta.to.global.u64 %rd1, %rd2",
	    "isspacep.shared %p1, %rd1",
	    "shf.l.wrap.b32 %r1, %r2, %r3, 4",
	    "madc.hi.cc.u32 %r1, %r2, %r3, %r4",
	    "testp.notanumber.f32 %p1, %f1",
	    "activemask.b32 %r1",
	    "div.approx.ftz.f32 %f1, %f2, %f3",
	    "set.lt.u32.f32 %r1, %f1, %f2",
	    "bfind.shiftamt.u32 %r1, %r2",
	    "slct.f32.s32 %f1, %f2, %f3, %r1",
	    "mov.pred %p1, 1",
	    "not.pred %p1, %p2",
	    "min.NaN.f32 %f1, %f2, %f3",
	    "suld.b.2d.v2.b32.clamp {%r1, %r2}, [%rd1, {%r3, %r4}]",
	    "sust.b.1d.b32.zero [%rd1, %r1], %r2",
	    "txq.width.b32 %r1, [%rd1]",
	    "tld4.g.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}]",
	    "wgmma.fence.sync.aligned",
	    "wgmma.wait_group.sync.aligned 1",
	    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd1, %rd2, %p1, 1, 0xffffffff, 0, 1",
	    "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.u8 {%r1, %r2, %r3, %r4}, {%r5, %r6, %r7, %r8}, %rd2, %p1",
	    "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r2, %r3}], [%r4]",
	    "cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%rd1, {%r2}], [%r4]",
	};
	for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
		char statement[256];
		snprintf(statement, sizeof statement, "%s;", same[i]);
		CHECK(ptx_reads_as(statement, same[i]));
	}
}

TEST(an_instruction_is_printed_as_far_as_there_is_room)
{
	struct ptx_module *m = ptx_of(PTX_KERNEL("add.s32 %r1, %r2, 5;"));
	char text[64] = "untouched";
	CHECK(m != NULL);
	ptx_print(m, 0, text, 0);
	CHECK(!strcmp(text, "untouched"));
	ptx_print(m, 0, text, 1);
	CHECK(!strcmp(text, ""));
	ptx_print(m, 0, text, 12);
	CHECK(!strcmp(text, "add.s32 %r1"));
	ptx_print(m, 0, text, sizeof text);
	CHECK(!strcmp(text, "add.s32 %r1, %r2, 5"));
	ptx_module_free(m);
}

TEST_RUN_ALL(true)
