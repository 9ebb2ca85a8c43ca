/* Opcodes and their modifiers: forms that are read, and those that are refused. */
#include "fixture.h"

static const struct ptx_refusal opcodes[] = {
    {"mov.u32 %r1, ~1;", "6:14: unexpected character '~', expected an operand"},
    {"add.s32.s32.s32.s32.s32.s32.s32.s32.s32.s32.s32.s32.s32.s32.s32.s32.s32 %r1, %r2, %r3;",
     "6:69: too many modifiers, expected at most 16"},
    {"ld.shared:.u32 %r1, [%rd1];",
     "6:1: 'ld' lacks a type, expected .b8 .u8 .s8 .b128 .f32 .f64 .b16 .b32 .b64 .u16 .u32 .u64 .s16 .s32 .s64"},
    {"ld.shared::.u32 %r1, [%rd1];",
     "6:1: 'ld' lacks a type, expected .b8 .u8 .s8 .b128 .f32 .f64 .b16 .b32 .b64 .u16 .u32 .u64 .s16 .s32 .s64"},
    {"bar.sync.s32 0;", "6:10: type '.s32' does not go with 'bar', expected .u32 .pred"},
    {"ret.s32;", "6:5: type '.s32' does not go with 'ret', expected no type"},
    {"add %r1, %r2, %r3;",
     "6:1: 'add' lacks a type, expected .s32 .u32 .u64 .s64 .u16 .s16 .u16x2 .s16x2 .f32 .f64 .f16 .f16x2 .bf16 .bf16x2"},
    {"add.rn %r1, %r2, %r3;",
     "6:1: 'add' lacks a type, expected .s32 .u32 .u64 .s64 .u16 .s16 .u16x2 .s16x2 .f32 .f64 .f16 .f16x2 .bf16 .bf16x2"},
};

TEST(opcodes_have_known_modifiers_that_go_together)
{
	CHECK_STATEMENTS_REFUSED(opcodes);
}

TEST(an_unknown_opcode_is_named_with_its_likely_spelling)
{
	static const struct ptx_refusal statements[] = {
	    {"\tadx.s32 %r1, %r2, %r3;", "6:2: unknown opcode 'adx', expected perhaps 'add'"},
	    {"wxyz.load.a %r1;", "6:1: unknown opcode 'wxyz', expected an instruction of PTX"},
	};
	CHECK_STATEMENTS_REFUSED(statements);
}

TEST(an_unknown_modifier_is_pointed_at)
{
	static const struct ptx_refusal statements[] = {
	    {"ld.globl.u32 %r1, [%rd1];",
	     "6:4: unknown modifier '.globl' of 'ld', expected perhaps '.global'"},
	    {"bar.sync.foo 0;", "6:10: unknown modifier '.foo' of 'bar', expected one that the opcode has"},
	    {"add..s32 %r1, %r2, %r3;", "6:5: '.' without a modifier, expected at most 16"},
	};
	CHECK_STATEMENTS_REFUSED(statements);
}

TEST(a_type_must_be_one_that_the_opcode_has)
{
	static const struct ptx_refusal statements[] = {
	    {"shl.f32 %f1, %f2, 3;", "6:5: type '.f32' does not go with 'shl', expected .b16 .b32 .b64"},
	    {"add.rn.s32 %r1, %r2, %r3;",
	     "6:8: '.s32' does not go with the other modifiers of 'add', expected .f32"},
	    {"mul.s32 %r1, %r2, %r3;", "6:1: 'mul' lacks a modifier, expected .lo .hi"},
	    {"popc %r1, %r2;", "6:1: 'popc' lacks a type, expected .b32 .b64"},
	    {"cvt.f16.f32 %rs1, %f1;", "6:1: 'cvt' lacks a modifier, expected .rn .rz .rm .rp .rna"},
	};
	CHECK_STATEMENTS_REFUSED(statements);
}

TEST(what_is_not_supported_says_so_by_name)
{
	static const struct ptx_refusal statements[] = {
	    {"multimem.ld_reduce.global.add.f32 %f1, [%rd1];",
	     "6:1: 'multimem' is not supported: accesses of several devices at once"},
	    {"wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%f0}, %rd1, %rd2, %r1, 0, 1;",
	     "6:1: 'wgmma.sp' is not supported: products of sparse matrices"},
	    {"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r1], [%rd1, {%r2, %r3}], [%r4], %rs1;",
	     "6:1: 'cp.multicast::cluster' is not supported: bulk copies to several CTAs"},
	    {"cvt.rn.satfinite.e2m1x2.f32 %r1, %f0, %f1;",
	     "6:1: 'cvt.e2m1x2' is not supported: numbers of four bits (fp4), of compute capability 10"},
	    {"mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f0};",
	     "6:1: 'mma.sp' is not supported: products of sparse matrices"},
	};
	CHECK_STATEMENTS_REFUSED(statements);
}

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

TEST_RUN_ALL(true)
