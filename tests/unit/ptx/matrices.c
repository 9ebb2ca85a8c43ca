/* PTX of today: matrices, asynchronous copies, mbarriers, clusters; and what is not supported. */
#include "fixture.h"
#include "ptx/fragment.h"

/* The first instruction of a kernel as text; NULL: it is refused. */
static const char *printed(const char *statement)
{
	static char line[256];
	char text[2048];
	snprintf(text, sizeof text, "%s%s\n}\n", PTX_KERNEL_HEAD, statement);
	struct ptx_module *m = ptx_of(text);
	if (!m)
		return NULL;
	ptx_print(m, m->functions[ptx_find_function(m, "k")].first_insn, line, sizeof line);
	ptx_module_free(m);
	return line;
}

static bool reads_back(const char *statement)
{
	const char *text = printed(statement);
	bool same = text && strlen(text) + 1 == strlen(statement) && !strncmp(text, statement, strlen(text));
	if (!same)
		printf("# '%s' reads back as '%s'\n", statement, text ? text : "nothing");
	return same;
}

TEST(products_keep_their_types_shapes_and_layouts)
{
	CHECK(reads_back(
	    "mma.sync.row.col.m16n8k16.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, "
	    "{%r4, %r5}, {%f4, %f5, %f6, %f7};"));
	CHECK(reads_back(
	    "mma.sync.row.col.m16n8k32.satfinite.s32.u8.s8.s32 {%r0, %r1, %r2, %r3}, {%r4, %r5, %r6, "
	    "%r7}, {%r8, %r9}, {%r0, %r1, %r2, %r3};"));
	CHECK(printed("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%r0,%r1,%r2,%r3}, "
	              "{%r4,%r5,%r6,%r7}, {%r8,%r9}, {%r0,%r1,%r2,%r3};"));
	CHECK(printed(
	    "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd0,%fd1}, {%fd2}, {%fd3}, {%fd4,%fd5};"));
	CHECK(printed("wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16 {%r0,%r1,%r2,%r3}, "
	              "{%r4,%r5,%r6,%r7,%r8,%r9,%r10,%r11}, {%r4,%r5,%r6,%r7,%r8,%r9,%r10,%r11}, "
	              "{%r0,%r1,%r2,%r3};"));
	CHECK(
	    printed("wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r4,%r5,%r6,%r7,%r8,%r9,%r10,%r11}, "
	            "[%r1], %r2;"));
}

TEST(a_matrix_has_as_many_registers_as_its_shape_takes)
{
	CHECK(ptx_refused_statement(
	    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2}, {%r4,%r5}, "
	    "{%f4,%f5,%f6,%f7};",
	    "6:70: 3 registers for a matrix of 'mma', expected 4"));
	CHECK(ptx_refused_statement("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r0,%r1}, [%r2];",
	                            "6:42: 2 registers for a matrix of 'ldmatrix', expected 4"));
	CHECK(ptx_refused_statement(
	    "mma.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, "
	    "{%r4,%r5}, {%f4,%f5,%f6,%f7};",
	    "6:39: '.tf32' does not go with the other modifiers of 'mma', expected .f16 .f32"));
}

TEST(elements_lie_where_the_manual_has_them)
{
	struct ptx_insn mma = {.op = PTX_mma,
	                       .shape = PTX_SHAPE_m16n8k32,
	                       .type = PTX_TYPE_s32,
	                       .type2 = PTX_TYPE_s8,
	                       .type3 = PTX_TYPE_s8,
	                       .type4 = PTX_TYPE_s32};
	/* Lane 6 is group 1, thread 2 of it. */
	struct ptx_place a = ptx_fragment_place(&mma, PTX_FRAGMENT_a, 6, 3, 1),
	                 b = ptx_fragment_place(&mma, PTX_FRAGMENT_b, 6, 1, 3),
	                 c = ptx_fragment_place(&mma, PTX_FRAGMENT_c, 6, 3, 0);
	CHECK_EQ(a.row, 9);
	CHECK_EQ(a.col, 16 + 2 * 4 + 1);
	CHECK_EQ(b.row, 16 + 2 * 4 + 3);
	CHECK_EQ(b.col, 1);
	CHECK_EQ(c.row, 9);
	CHECK_EQ(c.col, 5);
	CHECK_EQ(ptx_matrix(&mma, PTX_FRAGMENT_a).registers, 4);
	CHECK_EQ(ptx_matrix(&mma, PTX_FRAGMENT_b).registers, 2);
}

TEST(copies_and_barriers_are_read_in_their_forms)
{
	static const char *const forms[] = {
	    "cp.async.ca.shared.global [%r1], [%rd1], 4;",
	    "cp.async.cg.shared.global.L2::128B [%r1], [%rd1], 16, %r2;",
	    "cp.async.cg.shared.global.L2::cache_hint [%r1], [%rd1], 16, %rd2;",
	    "cp.async.ca.shared::cta.global [%r1], [%rd1], 8, !%p1;",
	    "cp.async.commit_group;",
	    "cp.async.wait_group 3;",
	    "cp.async.mbarrier.arrive.noinc.shared.b64 [%r1];",
	    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], %r2, [%r3];",
	    "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], %r2;",
	    "cp.async.bulk.wait_group.read 0;",
	    "mbarrier.init.shared::cta.b64 [%r1], %r2;",
	    "mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%r1], %r2;",
	    "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r1];",
	    "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p1, [%r1], %r2, 1000;",
	    "mbarrier.test_wait.shared.b64 %p1, [%r1], %rd2;",
	    "mbarrier.pending_count.b64 %r1, %rd1;",
	    "barrier.cluster.arrive.relaxed.aligned;",
	    "barrier.cluster.wait.acquire;",
	    "mapa.shared::cluster.u32 %r1, %r2, %r3;",
	    "elect.sync %r1|%p1, 0xffffffff;",
	    "fence.proxy.async.shared::cta;",
	    "fence.mbarrier_init.release.cluster;",
	    "griddepcontrol.wait;",
	    "setmaxnreg.inc.sync.aligned.u32 232;",
	    "createpolicy.fractional.L2::evict_last.b64 %rd1, 0f3F000000;",
	    "ld.global.L1::no_allocate.L2::cache_hint.v4.u32 {%r1,%r2,%r3,%r4}, [%rd1], %rd2;",
	    "vabsdiff4.u32.u32.u32.add %r1, %r2, %r3, %r4;",
	};
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		CHECK(printed(forms[i]));
}

TEST(what_is_not_supported_says_so_by_name)
{
	CHECK(ptx_refused_statement("wgmma.fence.sync.aligned;",
	                            "6:1: 'wgmma' is not supported: matrix products of warp groups"));
	CHECK(ptx_refused_statement(
	    "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r2, "
	    "%r3}], [%r4];",
	    "6:1: 'cp.tensor' is not supported: bulk copies by tensor map"));
	CHECK(ptx_refused_statement(
	    "cvt.rn.satfinite.e2m1x2.f32 %r1, %f0, %f1;",
	    "6:1: 'cvt.e2m1x2' is not supported: numbers of four bits (fp4), of compute capability 10"));
	CHECK(ptx_refused_statement("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f0};",
	                            "6:1: 'mma.sp' is not supported: products of sparse matrices"));
}

TEST(a_bad_instruction_costs_its_function_alone)
{
	static const char text[] = PTX_HEAD
	    ".visible .entry good(.param .u64 p) { .reg .b32 %r<4>; mov.u32 %r1, 5; ret; }\n"
	    ".visible .entry bad(.param .u64 p) { .reg .b32 %r<4>; .reg .f32 %f<9>;\n"
	    "mov.u32 %r1, 5;\n"
	    "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f0, %f1, %f2, %f3}, %r1, %r2, 1;\n"
	    "add.s33 %r1, {%r2, %r3}, %r4; ret; }\n";
	struct error err;
	CHECK(!ptx_parse("t.ptx", text, strlen(text), &err));
	struct ptx_module *m = ptx_parse_tolerant("t.ptx", text, strlen(text), &err);
	CHECK(m && ptx_analyze(m, true, &err));
	CHECK_EQ(m->problem_count, 2);
	CHECK(!strcmp(m->problems[0].text,
	              "t.ptx:7:1: 'wgmma' is not supported: matrix products of warp groups"));
	CHECK_EQ(m->problems[1].line, 8);
	const struct ptx_function *f = &m->functions[ptx_find_function(m, "bad")];
	uint32_t unsupported = 0;
	for (uint32_t i = 0; i < f->insn_count; i++)
		unsupported += m->insns[f->first_insn + i].op == PTX_unsupported;
	CHECK_EQ(unsupported, 2);
	CHECK(ptx_find_problem(m, m->problems[1].insn) == &m->problems[1]);
	ptx_module_free(m);
}

TEST_MAIN(TEST_ENTRY(products_keep_their_types_shapes_and_layouts)
              TEST_ENTRY(a_matrix_has_as_many_registers_as_its_shape_takes)
                  TEST_ENTRY(elements_lie_where_the_manual_has_them)
                      TEST_ENTRY(copies_and_barriers_are_read_in_their_forms)
                          TEST_ENTRY(what_is_not_supported_says_so_by_name)
                              TEST_ENTRY(a_bad_instruction_costs_its_function_alone))
