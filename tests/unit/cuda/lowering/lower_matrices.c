/* What matrices, copies and mbarriers are on a GPU, and how their accesses are recorded. */
#include "lib/lower_fixture.h"

/* The number of the product with factors of this type: scheduling may have moved it. */
static uint32_t product_at(const struct fixture *f, enum ptx_op op, enum ptx_type type)
{
	const struct ptx_function *k = &f->module->functions[f->kernel->entry];
	for (uint32_t i = 0; i < k->insn_count; i++)
		if (f->module->insns[f->first + i].op == op && f->module->insns[f->first + i].type2 == type)
			return i;
	return 0;
}

TEST(a_product_is_as_many_instructions_as_its_shape_takes)
{
	struct fixture f;
	CHECK(fixture_kernel(
	    &f, "",
	    "mov.u32 %r0, %tid.x;\n"
	    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, {%r4,%r5}, {%f0,%f1,%f2,%f3};\n"
	    "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, {%r4,%r5}, {%f0,%f1,%f2,%f3};\n"
	    "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%r10,%r11,%r12,%r13}, {%r0,%r1,%r2,%r3}, {%r4,%r5}, {%r10,%r11,%r12,%r13};\n"
	    "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d0,%d1}, {%d2}, {%d3}, {%d0,%d1};\n"
	    "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, "
	    "{%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7};\n"
	    "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, {%r4,%r5}, {%f0,%f1,%f2,%f3};\n"
	    "ret;"));
	uint32_t half = product_at(&f, PTX_mma, PTX_TYPE_f16), tf32 = product_at(&f, PTX_mma, PTX_TYPE_tf32),
	         wide = product_at(&f, PTX_mma, PTX_TYPE_f64), both = product_at(&f, PTX_wmma, PTX_TYPE_f32),
	         byte = product_at(&f, PTX_mma, PTX_TYPE_e4m3);
	CHECK_WORDS(&f, half, "HMMA.16816.F32");
	CHECK_WORDS(&f, tf32, "HMMA.1688.F32.TF32");
	CHECK_WORDS(&f, product_at(&f, PTX_mma, PTX_TYPE_s8), "IMMA.16832.S8.S8");
	CHECK_WORDS(&f, wide, "DMMA.884");
	CHECK_WORDS(&f, both, "HMMA.16816.F32 HMMA.16816.F32");
	CHECK_EQ(insn_at(&f, half, 0)->op, OP_TENSOR);
	CHECK_EQ(insn_at(&f, wide, 0)->op, OP_TENSOR64);
	/* The halves of a wmma product do not wait for each other. */
	const struct trace_insn *first = insn_at(&f, both, 0), *second = insn_at(&f, both, 1);
	CHECK(first->dst != second->dst);
	for (unsigned i = 0; i < second->src_count; i++)
		CHECK(second->src[i] != first->dst);
	/* Each product waits for the one before, whose sum it goes on with. */
	bool waits = false;
	for (unsigned i = 0; i < insn_at(&f, tf32, 0)->src_count; i++)
		waits |= insn_at(&f, tf32, 0)->src[i] == insn_at(&f, half, 0)->dst;
	CHECK(waits);
	CHECK_EQ(f.lowering->start[f.first + byte + 1] - f.lowering->start[f.first + byte], 12 + 2 + 4);
	fixture_free(&f);
}

TEST(products_of_warp_groups_join_groups_and_hold_no_register)
{
	struct fixture f;
	CHECK(FIXTURE_LINES(
	    &f, "", {"wgmma.fence.sync.aligned;", NULL},
	    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0,%f1,%f2,%f3}, %rd1, %rd2, %p1, 1, 1, 0, 0;",
	     "HGMMA.64x8x16.F32"},
	    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, %rd2, %p1, 1, 1, 0;",
	     "HGMMA.64x8x16.F32.BF16.RA"},
	    {"wgmma.commit_group.sync.aligned;", ""},
	    {"wgmma.wait_group.sync.aligned 1;", "WARPGROUP.DEPBAR.LE"},
	    {"wgmma.mma_async.sync.aligned.m64n8k32.s32.u8.s8 {%r4,%r5,%r6,%r7}, %rd1, %rd2, %p1;",
	     "IGMMA.64x8x32.U8.S8"},
	    {"wgmma.mma_async.sync.aligned.m64n8k32.f16.e4m3.e5m2 {%r4,%r5}, %rd1, %rd2, %p1, 1, 1;",
	     "QGMMA.64x8x32.F16.E4M3.E5M2"},
	    {"ret;", NULL}));
	const struct trace_insn *inner = insn_at(&f, 1, 0), *last = insn_at(&f, 2, 0),
	                        *wait = insn_at(&f, 4, 0);
	CHECK_EQ(inner->op, OP_TENSOR);
	CHECK_EQ(inner->dst, TRACE_REG_NONE);
	CHECK_EQ(inner->flags & INSN_ASYNC_COPY, INSN_ASYNC_COPY);
	CHECK_EQ(inner->width_bytes, 0);
	CHECK_EQ(last->width_bytes, 1);
	CHECK_EQ(last->src_count, 1);
	CHECK_EQ(wait->flags & INSN_ASYNC_COPY, INSN_ASYNC_COPY);
	CHECK_EQ(wait->width_bytes, 2);
	fixture_free(&f);
}

TEST(boxes_of_tensors_are_bulk_copies)
{
	struct fixture f;
	CHECK(FIXTURE_LINES(
	    &f, "", {"mov.u32 %r3, %tid.x;", NULL},
	    {"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r2, %r3}], [%r4];",
	     "UTMALDG"},
	    {"cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%rd1, {%r2}], [%r1];", "UTMASTG"},
	    {"cp.async.bulk.prefetch.tensor.1d.L2.global [%rd1, {%r2}];", "UTMAPF.L2"}, {"ret;", NULL}));
	CHECK_EQ(insn_at(&f, 1, 0)->op, OP_LOAD);
	CHECK_EQ(insn_at(&f, 2, 0)->op, OP_STORE);
	for (unsigned i = 1; i < 3; i++)
		CHECK_EQ(insn_at(&f, i, 0)->flags & (INSN_BULK | INSN_ASYNC_COPY | INSN_BYPASS_L1),
		         INSN_BULK | INSN_ASYNC_COPY | INSN_BYPASS_L1);
	fixture_free(&f);
}

TEST(copies_hold_no_register_and_say_what_they_are)
{
	struct fixture f;
	CHECK(FIXTURE_LINES(
	    &f, "", {"cp.async.cg.shared.global [%r1], [%rd1], 16;", "LDC ULDC.64 LDGSTS.E.BYPASS.128"},
	    {"cp.async.ca.shared.global [%r1], [%rd1], 4;", "LDGSTS.E"},
	    {"cp.async.commit_group;", "LDGDEPBAR"}, {"cp.async.wait_group 1;", "DEPBAR.LE.SB0"},
	    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], %r2, [%r3];",
	     "UBLKCP.S.G"},
	    {"cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], %r2;", NULL},
	    {"mbarrier.arrive.shared.b64 _, [%r1];", NULL},
	    {"mbarrier.try_wait.parity.shared.b64 %p1, [%r1], %r2;", "SYNCS.PHASECHK.TRANS64.TRYWAIT"},
	    {"ld.global.L1::evict_last.u32 %r4, [%rd1];", NULL}, {"st.global.u32 [%rd1], %r4;", NULL},
	    {"ret;", NULL}));
	const struct trace_insn *copy = insn_at(&f, 0, 2), *bulk = insn_at(&f, 4, 0),
	                        *out = insn_at(&f, 5, 0);
	CHECK_EQ(copy->dst, TRACE_REG_NONE);
	CHECK_EQ(copy->width_bytes, 16);
	CHECK_EQ(copy->flags & (INSN_ASYNC_COPY | INSN_BYPASS_L1 | INSN_MEMORY),
	         INSN_ASYNC_COPY | INSN_BYPASS_L1 | INSN_MEMORY);
	CHECK_EQ(bulk->op, OP_LOAD);
	CHECK_EQ(bulk->flags & (INSN_BULK | INSN_ASYNC_COPY), INSN_BULK | INSN_ASYNC_COPY);
	CHECK_EQ(out->op, OP_STORE);
	CHECK(insn_at(&f, 7, 0)->flags & INSN_PHASE_WAIT);
	CHECK(!(insn_at(&f, 6, 0)->flags & INSN_PHASE_WAIT));
	CHECK(insn_at(&f, 8, 0)->flags & INSN_EVICT_LAST);
	fixture_free(&f);
}

TEST(what_stands_beside_a_bulk_copy_is_no_access)
{
	struct fixture f;
	CHECK(FIXTURE_LINES(
	    &f, "", {"mov.u32 %r3, %tid.x;", NULL},
	    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], %r2, [%r3];",
	     "UBLKCP.S.G BSSY"},
	    {"L: mbarrier.try_wait.parity.shared.b64 %p1, [%r3], %r2;", NULL}, {"@!%p1 bra L;", NULL},
	    {"st.global.u32 [%rd1], %r4;", NULL}, {"ret;", NULL}));
	CHECK(insn_at(&f, 1, 0)->flags & INSN_BULK);
	CHECK(!(insn_at(&f, 1, 1)->flags & (INSN_MEMORY | INSN_BULK)));
	fixture_free(&f);
}

TEST(matrices_in_memory_take_one_access_for_what_lies_together)
{
	struct fixture f;
	CHECK(FIXTURE_LINES(
	    &f, "",
	    {"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r0,%r1,%r2,%r3}, [%r4];",
	     "LDC ULDC.64 LDSM.16.MT88.4"},
	    {"wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, [%rd1], 16;",
	     "LDG.E LDG.E LDG.E LDG.E"},
	    {"wmma.load.a.sync.aligned.col.m16n16k16.shared.f16 {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, [%r8], 16;",
	     "LDSM.16.M88.4"},
	    {"wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd1], {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, 16;",
	     "STG.E.64 STG.E.64 STG.E.64 STG.E.64"},
	    {"wmma.load.b.sync.aligned.row.m16n16k16.f16 {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, [%rd1], 16;",
	     "LD.E.U16 LD.E.U16 LD.E.U16 LD.E.U16 LD.E.U16 LD.E.U16 LD.E.U16 LD.E.U16"},
	    {"wmma.load.a.sync.aligned.row.m32n8k16.f16 {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, [%rd1], 16;",
	     NULL},
	    {"ret;", NULL}));
	/* At a generic address that turns out to be shared memory, rows are loaded. */
	uint32_t rows = f.lowering->rows_access[f.first + 4];
	CHECK(rows != LOWER_NONE);
	CHECK(!strcmp(f.lowering->strings + f.lowering->insns[rows].opcode, "LDSM.16.M88.4"));
	/* Of 32 rows there are two, which a trace can tell apart. */
	uint32_t two = f.lowering->rows_access[f.first + 5];
	CHECK(two != LOWER_NONE && two + 1 < f.lowering->count);
	CHECK(f.lowering->insns[two].pc != f.lowering->insns[two + 1].pc);
	fixture_free(&f);
}

TEST_RUN_ALL(true)
