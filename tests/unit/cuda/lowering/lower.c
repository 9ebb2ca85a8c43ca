/* What PTX instructions become on a GPU. */
#include "lib/lower_fixture.h"

TEST(the_address_of_an_element_is_one_multiply_add)
{
	struct fixture f;
	CHECK(FIXTURE_LINES(&f, "", {"ld.param.u64 %rd0, [p];", "LDC ULDC.64 LDC.64"},
	                    {"mov.u32 %r0, %tid.x;", "S2R"}, {"cvta.to.global.u64 %rd1, %rd0;", ""},
	                    {"mul.wide.s32 %rd2, %r0, 4;", ""}, {"add.s64 %rd3, %rd1, %rd2;", "IMAD.WIDE"},
	                    {"ld.global.f32 %f0, [%rd3];", "LDG.E"},
	                    {"st.global.f32 [%rd3+4], %f0;", "STG.E"}, {"ret;", "EXIT"}));
	fixture_free(&f);
}

TEST(a_product_that_several_sums_use_is_done_by_each)
{
	struct fixture f;
	CHECK(FIXTURE_LINES(&f, "", {"mov.u32 %r0, %tid.x;", NULL}, {"mul.wide.s32 %rd2, %r0, 4;", ""},
	                    {"add.s64 %rd3, %rd0, %rd2;", "IMAD.WIDE"},
	                    {"add.s64 %rd4, %rd1, %rd2;", "IMAD.WIDE"}, {"st.global.u64 [%rd3], %rd4;", NULL},
	                    {"ret;", NULL}));
	fixture_free(&f);
	CHECK(fixture_kernel(&f, "",
	                     "mul.wide.s32 %rd2, %r0, 4;\n"
	                     "add.s64 %rd3, %rd0, %rd2;\n"
	                     "st.global.u64 [%rd3], %rd2;\n" /* wanted for itself, too */
	                     "ret;"));
	CHECK_WORDS(&f, 0, "LDC ULDC.64 IMAD.WIDE");
	CHECK_WORDS(&f, 1, "IADD3 IADD3.X");
	fixture_free(&f);
}

TEST(sixty_four_bits_take_two_instructions_unless_they_address_shared_memory)
{
	struct fixture f;
	CHECK(FIXTURE_LINES(
	    &f, ".shared .align 4 .b8 s[64];", {"add.s64 %rd1, %rd0, 8;", "LDC ULDC.64 IADD3 IADD3.X"},
	    {"st.global.u32 [%rd1], %r0;", NULL}, {"mov.u64 %rd2, s;", NULL},
	    {"add.s64 %rd3, %rd2, %rd0;", "IADD3"}, {"st.shared.u32 [%rd3], %r0;", NULL}, {"ret;", NULL}));
	const struct trace_insn *low = &f.lowering->insns[f.lowering->start[f.first] + 2], *high = low + 1;
	CHECK_EQ(high->dst, low->dst + 1);
	CHECK_EQ(low->dst_span, 1);
	fixture_free(&f);
}

/* The instruction of the entry with this text, wherever scheduling has put it. */
static uint32_t place_of(const struct fixture *f, const char *text)
{
	char printed[256];
	for (uint32_t i = f->first; i < f->module->insn_count; i++) {
		ptx_print(f->module, i, printed, sizeof printed);
		if (!strcmp(printed, text))
			return i - f->first;
	}
	printf("# no instruction '%s'\n", text);
	test_failures++;
	return 0;
}

TEST(addresses_that_differ_by_a_constant_are_computed_once)
{
	struct fixture f;
	CHECK(fixture_kernel(&f, "",
	                     "mov.u32 %r0, %tid.x;\n"
	                     "mul.wide.s32 %rd1, %r0, 4;\n"
	                     "add.s64 %rd2, %rd0, %rd1;\n"
	                     "ld.global.f32 %f0, [%rd2];\n"
	                     "add.s32 %r1, %r0, 128;\n"
	                     "mul.wide.s32 %rd3, %r1, 4;\n"
	                     "add.s64 %rd4, %rd0, %rd3;\n"
	                     "ld.global.f32 %f1, [%rd4];\n"
	                     "add.f32 %f2, %f0, %f1;\n"
	                     "st.global.f32 [%rd2], %f2;\n"
	                     "ret;"));
	uint32_t leader = place_of(&f, "add.s64 %rd2, %rd0, %rd1");
	CHECK_WORDS(&f, leader, "IMAD.WIDE");
	CHECK_WORDS(&f, place_of(&f, "add.s32 %r1, %r0, 128"), "");
	CHECK_WORDS(&f, place_of(&f, "mul.wide.s32 %rd3, %r1, 4"), "");
	CHECK_WORDS(&f, place_of(&f, "add.s64 %rd4, %rd0, %rd3"), "");
	const struct lowering *l = f.lowering;
	const struct trace_insn *sum = &l->insns[l->start[f.first + leader]],
	                        *load =
	                            &l->insns[l->access[f.first + place_of(&f, "ld.global.f32 %f1, [%rd4]")]];
	CHECK_EQ(load->src[0], sum->dst);
	fixture_free(&f);
}

TEST(a_short_branch_is_a_predicate_and_a_branch_to_the_end_an_exit)
{
	struct fixture f;
	CHECK(FIXTURE_LINES(&f, "", {"ld.param.u32 %r1, [n];", NULL}, {"mov.u32 %r0, %tid.x;", NULL},
	                    {"setp.ge.s32 %p0, %r0, %r1;", "ISETP.GE.AND"}, {"@%p0 bra END;", "EXIT"},
	                    {"setp.eq.s32 %p1, %r0, 3;", NULL}, {"@%p1 bra SKIP;", ""},
	                    {"add.s32 %r0, %r0, 1;", NULL}, {"SKIP: st.global.u32 [%rd0], %r0;", NULL},
	                    {"END: ret;", NULL}));
	CHECK_EQ(f.lowering->folded[f.first + 5], f.first + 7);
	CHECK_EQ(f.lowering->folded[f.first + 3], LOWER_NONE);
	fixture_free(&f);
}

/* A loop that ends when %p0 says so; the compare reads what `bound` defines. */
static bool loop_kernel(struct fixture *f, const char *bound)
{
	static char body[1024];
	snprintf(body, sizeof body,
	         "%s\n"
	         "mov.u32 %%r0, 0;\n"
	         "LOOP:\n"
	         "st.global.u32 [%%rd0], %%r0;\n"
	         "add.s32 %%r0, %%r0, 1;\n"
	         "setp.lt.s32 %%p0, %%r0, %%r1;\n"
	         "@%%p0 bra LOOP;\n"
	         "st.global.u32 [%%rd0+4], %%r0;\n"
	         "ret;",
	         bound);
	return fixture_kernel(f, "", body);
}

TEST(only_loops_that_lanes_leave_at_different_times_name_where_lanes_meet)
{
	struct fixture f;
	CHECK(loop_kernel(&f, "mov.u32 %r1, %tid.x;"));
	CHECK_WORDS(&f, 1, "MOV BSSY");
	CHECK_WORDS(&f, 5, "BRA");
	CHECK_WORDS(&f, 6, "BSYNC STG.E");
	fixture_free(&f);
	CHECK(loop_kernel(&f, "ld.param.u32 %r1, [n];"));
	CHECK_WORDS(&f, 1, "MOV");
	CHECK_WORDS(&f, 6, "STG.E");
	fixture_free(&f);
}

TEST(a_long_branch_of_some_lanes_has_a_point_of_reconvergence)
{
	struct fixture f;
	CHECK(FIXTURE_LINES(&f, "", {"mov.u32 %r0, %tid.x;", NULL},
	                    {"setp.ge.s32 %p0, %r0, 7;", "ISETP.GE.AND BSSY"}, {"@%p0 bra ELSE;", "BRA"},
	                    {"add.s32 %r1, %r0, 1;", NULL}, {"bra.uni JOIN;", NULL},
	                    {"ELSE: shl.b32 %r1, %r0, 4;", NULL},
	                    {"JOIN: st.global.u32 [%rd0], %r1;", "BSYNC STG.E"}, {"ret;", NULL}));
	const struct lowering *l = f.lowering;
	CHECK(l->insns[l->start[f.first + 2]].flags & INSN_USES_PREDICATE);
	CHECK(!(l->insns[l->start[f.first + 4]].flags & INSN_USES_PREDICATE));
	fixture_free(&f);
}

TEST(accesses_have_width_strength_and_class)
{
	struct fixture f;
	CHECK(FIXTURE_LINES(&f, ".const .align 4 .b8 c[64];\n.shared .align 4 .b8 s[64];",
	                    {"ld.global.v4.f32 {%f0,%f1,%f2,%f3}, [%rd0];", "LDC ULDC.64 LDG.E.128"},
	                    {"ld.volatile.global.u32 %r0, [%rd0];", "LDG.E.STRONG.SYS"},
	                    {"ld.global.cg.u32 %r1, [%rd0];", "LDG.E.STRONG.GPU"},
	                    {"ld.global.s8 %h0, [%rd0];", NULL}, {"ld.shared.f64 %d0, [s];", "LDS.64"},
	                    {"ld.const.f32 %f4, [c+8];", ""}, {"ld.const.f32 %f5, [%rd1];", "LDC"},
	                    {"atom.global.add.u32 %r2, [%rd0], 1;", NULL},
	                    {"atom.global.add.u32 %r3, [%rd0], %r0;", NULL},
	                    {"atom.global.cas.b32 %r4, [%rd0], %r1, %r3;", NULL},
	                    {"ld.u32 %r5, [%rd0];", NULL}, {"ret;", NULL}));
	const struct lowering *l = f.lowering;
	const struct trace_insn *vector = &l->insns[l->access[f.first]];
	CHECK_EQ(vector->width_bytes, 16);
	CHECK_EQ(vector->dst_span, 4);
	CHECK(l->insns[l->access[f.first + 1]].flags & INSN_BYPASS_L1);
	CHECK_EQ(l->insns[l->access[f.first + 3]].width_bytes, 1);
	CHECK_EQ(l->insns[l->access[f.first + 4]].space, SPACE_SHARED);
	CHECK_EQ(l->access[f.first + 6], LOWER_NONE);
	CHECK_WORDS(&f, 7, "RED.E.ADD.STRONG.GPU"); /* %r2 is not read */
	CHECK_EQ(l->insns[l->access[f.first + 7]].op, OP_REDUCE);
	CHECK_EQ(l->insns[l->access[f.first + 7]].dst, TRACE_REG_NONE);
	CHECK_EQ(l->insns[l->access[f.first + 8]].op, OP_ATOMIC);
	CHECK(l->insns[l->access[f.first + 9]].flags & INSN_CAS);
	CHECK_EQ(l->insns[l->access[f.first + 10]].space, SPACE_GENERIC);
	CHECK_EQ(l->insns[l->local_access[f.first + 10]].space, SPACE_LOCAL);
	fixture_free(&f);
}

TEST(barriers_of_warps_and_of_ctas_are_told_apart)
{
	struct fixture f;
	CHECK(fixture_kernel(&f, "",
	                     "bar.warp.sync 0xffffffff;\n"
	                     "bar.sync 0;\n"
	                     "bar.arrive 1, 64;\n"
	                     "membar.cta;\n"
	                     "membar.gl;\n"
	                     "ret;"));
	const struct lowering *l = f.lowering;
	static const uint8_t classes[] = {OP_RECONVERGE, OP_BARRIER, OP_ARRIVE, OP_FENCE, OP_FENCE};
	for (uint32_t i = 0; i < 5; i++)
		CHECK_EQ(l->insns[l->start[f.first + i] + (i ? 0 : 2)].op, classes[i]);
	CHECK(!(l->insns[l->start[f.first + 3]].flags & INSN_GPU_SCOPE));
	CHECK(l->insns[l->start[f.first + 4]].flags & INSN_GPU_SCOPE);
	fixture_free(&f);
}

TEST(a_branch_on_a_vote_does_not_diverge)
{
	struct fixture f;
	CHECK(FIXTURE_LINES(&f, "", {"mov.u32 %r0, %tid.x;", NULL}, {"setp.ge.s32 %p0, %r0, 7;", NULL},
	                    {"vote.sync.any.pred %p1, %p0, 0xffffffff;", NULL}, {"@%p1 bra ELSE;", "BRA"},
	                    {"bar.sync 0;", NULL}, {"ELSE: st.global.u32 [%rd0], %r0;", "STG.E"},
	                    {"ret;", NULL}));
	fixture_free(&f);
}

TEST(divisions_take_their_known_number_of_instructions)
{
	static const struct {
		const char *ptx;
		unsigned least, most, sfu;
	} cases[] = {
	    {"div.rn.f32 %f0, %f1, %f2;", 8, 12, 2},     {"div.approx.ftz.f32 %f0, %f1, %f2;", 2, 2, 1},
	    {"sqrt.rn.f32 %f0, %f1;", 7, 11, 1},         {"rcp.rn.f32 %f0, %f1;", 6, 10, 1},
	    {"div.rn.f64 %d0, %d1, %d2;", 13, 24, 1},    {"div.s32 %r0, %r1, %r2;", 18, 24, 3},
	    {"rem.u32 %r0, %r1, %r2;", 16, 20, 3},       {"div.u32 %r0, %r1, 8;", 1, 1, 0},
	    {"sin.approx.f32 %f0, %f1;", 2, 2, 1},       {"cvt.rzi.s32.f32 %r0, %f1;", 1, 1, 1},
	    {"cvt.rn.f32.s32 %f0, %r1;", 1, 1, 0},       {"neg.f32 %f0, %f1;", 0, 0, 0},
	    {"mad.lo.s32 %r0, %r1, %r2, %r3;", 1, 1, 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct fixture f;
		char body[256];
		snprintf(body, sizeof body,
		         "pmevent 1;\n%s\nst.global.f32 [%%rd0], %%f0;\nst.global.f64 [%%rd0], %%d0;\n"
		         "st.global.u32 [%%rd0], %%r0;\nret;",
		         cases[i].ptx);
		CHECK(fixture_kernel(&f, "", body));
		const struct lowering *l = f.lowering;
		unsigned count = l->start[f.first + 2] - l->start[f.first + 1], sfu = 0;
		for (uint32_t t = l->start[f.first + 1]; t < l->start[f.first + 2]; t++)
			sfu += l->insns[t].op == OP_SFU;
		if (count < cases[i].least || count > cases[i].most || sfu != cases[i].sfu)
			printf("# %s: %u instructions, %u of them on the SFU\n", cases[i].ptx, count, sfu);
		CHECK(count >= cases[i].least && count <= cases[i].most);
		CHECK_EQ(sfu, cases[i].sfu);
		fixture_free(&f);
	}
}

TEST(results_are_waited_for)
{
	struct fixture f;
	CHECK(fixture_kernel(&f, "",
	                     "ld.global.f32 %f0, [%rd0];\n"
	                     "fma.rn.f32 %f1, %f0, %f0, %f0;\n"
	                     "div.rn.f32 %f2, %f1, %f0;\n"
	                     "st.global.f32 [%rd0], %f2;\n"
	                     "ret;"));
	const struct lowering *l = f.lowering;
	const struct trace_insn *load = &l->insns[l->access[f.first]],
	                        *fma = &l->insns[l->start[f.first + 1]];
	const struct trace_insn *store = &l->insns[l->access[f.first + 3]];
	const struct trace_insn *last = &l->insns[l->start[f.first + 3] - 1];
	while (last->dst == TRACE_REG_NONE)
		last--;
	CHECK_EQ(fma->src[0], load->dst);
	CHECK_EQ(store->src[0], load->src[0]);
	CHECK_EQ(store->src_span[0], 2);
	CHECK_EQ(store->src[1], last->dst);
	fixture_free(&f);
}

TEST(functions_that_a_kernel_reaches_are_part_of_it)
{
	struct fixture f;
	CHECK(fixture_kernel(&f,
	                     ".func (.param .b32 r) used(.param .b32 a)\n{\n.reg .b32 %x<3>;\n"
	                     "ld.param.u32 %x0, [a];\nadd.s32 %x1, %x0, 1;\nst.param.b32 [r], %x1;\nret;\n}\n"
	                     ".func unused()\n{\nbar.sync 0;\nret;\n}\n",
	                     "{\n.param .b32 a0;\n.param .b32 r0;\nst.param.b32 [a0], %r0;\n"
	                     "call.uni (r0), used, (a0);\nld.param.b32 %r1, [r0];\n}\n"
	                     "st.global.u32 [%rd0], %r1;\nret;"));
	bool barrier = false, ret = false;
	for (uint32_t i = 0; i < f.lowering->count; i++) {
		barrier |= f.lowering->insns[i].op == OP_BARRIER;
		ret |= !strcmp(f.lowering->strings + f.lowering->insns[i].opcode, "RET.REL.NODEC");
	}
	CHECK(ret && !barrier);
	CHECK_WORDS(&f, 0, "LDC ULDC.64");
	CHECK_WORDS(&f, 1, "CALL.REL.NOINC");
	CHECK_WORDS(&f, 2, "");
	fixture_free(&f);
}

TEST(functions_lie_in_the_order_of_the_text_wherever_they_are_declared)
{
	struct fixture f;
	CHECK(fixture_kernel(
	    &f,
	    ".func late();\n"
	    ".func early()\n{\n.reg .b32 %x<2>;\nadd.s32 %x0, %x1, 1;\ncall.uni late, ();\nret;\n}\n"
	    ".func late()\n{\nbar.sync 0;\nret;\n}\n",
	    "call.uni early, ();\nret;"));
	const struct lowering *l = f.lowering;
	for (uint32_t i = 0; i < f.module->insn_count; i++)
		CHECK(l->start[i] < l->start[i + 1]);
	CHECK_EQ(l->start[f.module->insn_count], l->count);
	fixture_free(&f);
}

TEST(program_counters_follow_each_other)
{
	struct fixture f;
	CHECK(fixture_kernel(&f, "", "add.s64 %rd1, %rd0, 1;\nst.global.u64 [%rd1], %rd0;\nret;"));
	for (uint32_t i = 0; i < f.lowering->count; i++)
		CHECK_EQ(f.lowering->insns[i].pc, 16 * i);
	fixture_free(&f);
}

TEST(who_reads_what_costs_no_instruction_waits_for_its_source)
{
	struct fixture f;
	CHECK(FIXTURE_LINES(&f, "", {"ld.global.u16 %h1, [%rd1];", "LDC ULDC.64 LDG.E.U16"},
	                    {"cvt.u32.u16 %r1, %h1;", ""}, {"add.s32 %r2, %r1, %r1;", NULL},
	                    {"st.global.u32 [%rd1], %r2;", NULL}, {"ret;", NULL}));
	CHECK_EQ(insn_at(&f, 2, 0)->src[0], insn_at(&f, 0, 2)->dst);
	fixture_free(&f);
	/* Through two of them; a source that is read for itself keeps its number. */
	CHECK(FIXTURE_LINES(&f, "", {"ld.global.f32 %f1, [%rd1];", NULL}, {"abs.f32 %f2, %f1;", NULL},
	                    {"neg.f32 %f3, %f2;", NULL}, {"mul.f32 %f4, %f3, %f1;", "FMUL"},
	                    {"st.global.f32 [%rd1], %f4;", NULL}, {"ret;", NULL}));
	CHECK_EQ(insn_at(&f, 3, 0)->src[0], insn_at(&f, 0, 2)->dst);
	CHECK_EQ(insn_at(&f, 3, 0)->src[1], insn_at(&f, 0, 2)->dst);
	fixture_free(&f);
}

TEST_RUN_ALL(true)
