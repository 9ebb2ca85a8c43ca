/* What the parser makes of PTX as clang, nvcc and people write it. */
#include "fixture.h"

/* Parses a kernel of one instruction and prints it again. */
static bool reads_as(const char *statement, const char *printed)
{
	char text[1024], got[256] = "";
	snprintf(text, sizeof text, "%s%s\n}\n", PTX_KERNEL_HEAD, statement);
	struct ptx_module *m = ptx_of(text);
	if (m)
		ptx_print(m, 0, got, sizeof got);
	ptx_module_free(m);
	if (!strcmp(got, printed))
		return true;
	printf("# %s reads as: %s\n", statement, got);
	return false;
}

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
	};
	bool ok = true;
	for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
		char statement[256];
		snprintf(statement, sizeof statement, "%s;", same[i]);
		ok &= reads_as(statement, same[i]);
	}
	CHECK(ok);
}

TEST(immediates_have_the_bits_of_their_type)
{
	CHECK(reads_as("add.s32 %r1, %r2, -1;", "add.s32 %r1, %r2, 0xffffffff"));
	CHECK(reads_as("add.s16 %rs1, %rs2, -1;", "add.s16 %rs1, %rs2, 0xffff"));
	CHECK(reads_as("add.s64 %rd1, %rd2, -1;", "add.s64 %rd1, %rd2, 0xffffffffffffffff"));
	CHECK(reads_as("add.f32 %f1, %f2, 0f3F800000;", "add.f32 %f1, %f2, 0x3f800000"));
	CHECK(reads_as("add.f64 %fd1, %fd2, 1.5;", "add.f64 %fd1, %fd2, 0x3ff8000000000000"));
	CHECK(reads_as("add.f32 %f1, %f2, 1.5;", "add.f32 %f1, %f2, 0x3fc00000"));
	CHECK(reads_as("mov.f32 %f1, -1.5;", "mov.f32 %f1, 0xbfc00000"));
	CHECK(reads_as("mov.u32 %r1, 017;", "mov.u32 %r1, 15"));
	CHECK(reads_as("mov.u32 %r1, 0b101;", "mov.u32 %r1, 5"));
	CHECK(reads_as("mov.u64 %rd1, 0xFFFFFFFFFFFFFFFFU;", "mov.u64 %rd1, 0xffffffffffffffff"));
}

TEST(addresses_take_all_written_forms)
{
	CHECK(reads_as("ld.param.u64 %rd1, [p];", "ld.param.u64 %rd1, [p]"));
	CHECK(reads_as("ld.param.u64 %rd1, [p+0];", "ld.param.u64 %rd1, [p]"));
	CHECK(reads_as("ld.u32 %r1, [%rd1+-4];", "ld.u32 %r1, [%rd1-4]"));
	CHECK(reads_as("ld.u32 %r1, [%rd1-4];", "ld.u32 %r1, [%rd1-4]"));
	CHECK(reads_as("ld.u32 %r1, [16];", "ld.u32 %r1, [16]"));
	/* A generic access to a variable goes to the variable's space. */
	CHECK(reads_as("ld.u32 %r1, [n];", "ld.param.u32 %r1, [n]"));
}

TEST(a_module_may_end_with_a_nul_byte)
{
	static const char text[] = PTX_KERNEL("ret;") "\0\0 not PTX";
	struct error err;
	struct ptx_module *m = ptx_parse("t.ptx", text, sizeof text, &err);
	CHECK(m != NULL);
	CHECK_EQ(m->insn_count, 1);
	CHECK_EQ(m->version, 71);
	CHECK_EQ(m->target, 70);
	ptx_module_free(m);
}

TEST(only_registers_that_are_named_exist)
{
	struct ptx_module *m =
	    ptx_of(PTX_HEAD ".entry k() { .reg .b32 %r<4294967295>; mov.u32 %r4294967290, 1; }");
	CHECK(m != NULL);
	CHECK_EQ(m->functions[0].register_count, 1);
	CHECK(!strcmp(m->functions[0].registers[0].name, "%r4294967290"));
	ptx_module_free(m);
}

TEST(an_inner_scope_hides_registers_and_labels)
{
	struct ptx_module *m =
	    ptx_of(PTX_KERNEL("mov.u32 %r1, 1; bra L;\n"
	                      "{ .reg .b32 %r<2>; mov.u32 %r1, 2; bra L; L: mov.u32 %r1, 3; }\n"
	                      "mov.u32 %r1, 4; L: ret;"));
	CHECK(m != NULL);
	CHECK_EQ(m->functions[0].register_count, 2);
	uint32_t outer = ptx_results(m, &m->insns[0])->index, inner = ptx_results(m, &m->insns[2])->index;
	CHECK(outer != inner);
	CHECK_EQ(ptx_results(m, &m->insns[4])->index, inner);
	CHECK_EQ(ptx_results(m, &m->insns[5])->index, outer);
	CHECK_EQ(ptx_sources(m, &m->insns[1])->index, 6);
	CHECK_EQ(ptx_sources(m, &m->insns[3])->index, 4);
	ptx_module_free(m);
}

TEST(a_branch_out_of_a_scope_finds_the_outer_label)
{
	struct ptx_module *m = ptx_of(PTX_KERNEL("{ { bra L; } } mov.u32 %r1, 4; L: ret;"));
	CHECK(m != NULL);
	CHECK_EQ(ptx_sources(m, &m->insns[0])->index, 2);
	ptx_module_free(m);
}

TEST(a_body_that_runs_off_its_end_returns)
{
	struct ptx_module *m = ptx_of(PTX_KERNEL("@%p1 bra L; exit; L:"));
	CHECK(m != NULL);
	CHECK_EQ(m->insn_count, 3);
	CHECK_EQ(m->insns[2].op, PTX_ret);
	ptx_module_free(m);
	m = ptx_of(PTX_HEAD ".entry k() {}");
	CHECK(m != NULL);
	CHECK_EQ(m->functions[0].insn_count, 1);
	ptx_module_free(m);
}

TEST(initial_values_are_laid_out_by_their_braces)
{
	struct ptx_module *m = ptx_of(PTX_HEAD ".global .u16 a[2][3] = {{1}, {2, 3, 0x104}};\n"
	                                       ".global .align 4 .b8 s[] = {104, 105, 0};\n"
	                                       ".const .f32 f = 1.0;\n.global .u32 big[250000000000] = {7};");
	static const uint16_t want[] = {1, 0, 0, 2, 3, 0x104};
	CHECK(m != NULL);
	CHECK_EQ(m->variables[0].bytes, 12);
	CHECK_EQ(m->variables[0].initial_bytes, 12);
	CHECK(!memcmp(m->variables[0].initial, want, sizeof want));
	CHECK_EQ(m->variables[1].bytes, 3);
	CHECK(!memcmp(m->variables[1].initial, "hi", 3));
	CHECK_EQ(m->variables[2].initial[3], 0x3f);
	CHECK_EQ(m->variables[3].bytes, 1000000000000);
	CHECK_EQ(m->variables[3].initial_bytes, 4);
	ptx_module_free(m);
}

TEST(addresses_in_initial_values_are_relocations)
{
	struct ptx_module *m =
	    ptx_of(PTX_HEAD
	           ".func f() { ret; }\n.global .u32 x[4];\n.global .u64 t[3] = {x+4, generic(x)+8, f};\n"
	           ".global .b8 q[9] = {1, 0xFF(x), 0xFF00(x), 0xFF0000(x), 0xFF000000(x), 0xFF00000000(x), "
	           "0xFF0000000000(x), 0xFF000000000000(x), 0xFF00000000000000(x)};");
	CHECK(m != NULL);
	const struct ptx_relocation *r = m->variables[1].relocations;
	CHECK_EQ(m->variables[1].relocation_count, 3);
	CHECK(!r[0].generic && !r[0].function && r[0].addend == 4 && r[0].offset == 0 && r[0].bytes == 8);
	CHECK(r[1].generic && !r[1].function && r[1].addend == 8 && r[1].offset == 8);
	CHECK(r[2].function && r[2].index == 0 && r[2].offset == 16);
	r = m->variables[2].relocations;
	CHECK_EQ(m->variables[2].relocation_count, 1);
	CHECK(r->offset == 1 && r->bytes == 8);
	ptx_module_free(m);
}

TEST(parameters_are_packed_by_their_alignment)
{
	struct ptx_module *m =
	    ptx_of(PTX_HEAD ".entry k(.param .u8 a, .param .u64 .ptr .global .align 4 b, "
	                    ".param .align 8 .b8 c[12], .param .u32 d) .maxntid 256, 2 .minnctapersm 3 "
	                    ".maxnreg 40 {}");
	CHECK(m != NULL);
	const struct ptx_function *f = &m->functions[0];
	CHECK_EQ(f->param_count, 4);
	CHECK_EQ(ptx_param_offset(m, f, 1), 8);
	CHECK_EQ(ptx_param_offset(m, f, 2), 16);
	CHECK_EQ(ptx_param_offset(m, f, 3), 28);
	CHECK_EQ(f->param_bytes, 32);
	CHECK(f->maxntid[0] == 256 && f->maxntid[1] == 2 && f->maxntid[2] == 1 && f->minnctapersm == 3);
	ptx_module_free(m);
}

TEST(calls_have_results_target_arguments_and_prototype)
{
	struct ptx_module *m = ptx_of(
	    PTX_HEAD
	    ".func (.param .b32 r) f(.param .b64 a, .param .b32 b);\n"
	    ".entry k() { .reg .b64 %rd<2>; mov.u64 %rd1, f; { .param .b64 a; .param .b32 b; .param .b32 c;\n"
	    "call.uni (c), f, (a, b);\n"
	    "proto : .callprototype (.param .b32 _) _ (.param .b64 _, .param .b32 _);\n"
	    "call (c), %rd1, (a, b), proto; } }");
	CHECK(m != NULL);
	const struct ptx_insn *direct = &m->insns[1], *indirect = &m->insns[2];
	CHECK(direct->result_count == 1 && direct->source_count == 3);
	CHECK_EQ(ptx_sources(m, direct)[0].kind, PTX_FUNCTION);
	CHECK_EQ(ptx_sources(m, direct)[1].kind, PTX_SYMBOL);
	CHECK(indirect->result_count == 1 && indirect->source_count == 4);
	CHECK_EQ(ptx_sources(m, indirect)[0].kind, PTX_REG);
	CHECK_EQ(ptx_sources(m, indirect)[3].kind, PTX_PROTOTYPE);
	CHECK(m->prototypes[0].bytes[0] == 4 && m->prototypes[0].bytes[1] == 8 &&
	      m->prototypes[0].bytes[2] == 4);
	CHECK(m->functions[0].is_extern);
	ptx_module_free(m);
}

TEST(an_alias_stands_for_its_function)
{
	struct ptx_module *m =
	    ptx_of(PTX_HEAD ".func g();\n.func f() { ret; }\n.entry k() { call g; ret; }\n.alias g, f;");
	CHECK(m != NULL);
	uint32_t call = m->functions[ptx_find_function(m, "k")].first_insn;
	CHECK_EQ(ptx_sources(m, &m->insns[call])->index, ptx_find_function(m, "f"));
	ptx_module_free(m);
}

TEST(an_alias_of_an_alias_stands_for_the_function)
{
	struct ptx_module *m =
	    ptx_of(PTX_HEAD ".func g();\n.func h();\n.func f() { ret; }\n.entry k() { call h; ret; }\n"
	                    ".alias g, f;\n.alias h, g;");
	CHECK(m != NULL);
	uint32_t call = m->functions[ptx_find_function(m, "k")].first_insn;
	CHECK_EQ(ptx_sources(m, &m->insns[call])->index, ptx_find_function(m, "f"));
	ptx_module_free(m);
}

TEST(source_lines_come_from_loc)
{
	struct ptx_module *m =
	    ptx_of(PTX_KERNEL(".loc 2 7 3\nmov.u32 %r1, 1;\n"
	                      ".loc 2 9 1, function_name $L__info_string0, inlined_at 2 11 5\n"
	                      "$L__tmp1: ret;") "\n.file 2 \"a.cu\"\n.section .debug_loc { .b8 1\n }\n");
	CHECK(m != NULL);
	CHECK(m->insns[0].source_file == 2 && m->insns[0].source_line == 7);
	CHECK_EQ(m->insns[1].source_line, 9);
	CHECK(m->source_count == 3 && !m->sources[1] && !strcmp(m->sources[2], "a.cu"));
	ptx_module_free(m);
}

TEST(branch_tables_hold_instructions)
{
	struct ptx_module *m =
	    ptx_of(PTX_KERNEL("T: .branchtargets A, B, A;\nbrx.idx %r1, T;\nA: mov.u32 %r2, 1;\nB: ret;"));
	CHECK(m != NULL);
	const struct ptx_list *t = &m->tables[ptx_sources(m, &m->insns[0])[1].index];
	CHECK(t->count == 3 && t->items[0] == 1 && t->items[1] == 2 && t->items[2] == 1);
	ptx_module_free(m);
}

TEST_MAIN(TEST_ENTRY(instructions_are_printed_as_they_were_written)
              TEST_ENTRY(immediates_have_the_bits_of_their_type) TEST_ENTRY(addresses_take_all_written_forms)
                  TEST_ENTRY(a_module_may_end_with_a_nul_byte) TEST_ENTRY(only_registers_that_are_named_exist)
                      TEST_ENTRY(an_inner_scope_hides_registers_and_labels)
                          TEST_ENTRY(a_branch_out_of_a_scope_finds_the_outer_label)
                              TEST_ENTRY(a_body_that_runs_off_its_end_returns)
                                  TEST_ENTRY(initial_values_are_laid_out_by_their_braces)
                                      TEST_ENTRY(addresses_in_initial_values_are_relocations)
                                          TEST_ENTRY(parameters_are_packed_by_their_alignment)
                                              TEST_ENTRY(calls_have_results_target_arguments_and_prototype)
                                                  TEST_ENTRY(an_alias_stands_for_its_function)
                                                      TEST_ENTRY(an_alias_of_an_alias_stands_for_the_function)
                                                          TEST_ENTRY(source_lines_come_from_loc)
                                                              TEST_ENTRY(branch_tables_hold_instructions))
