/* The order around calls: nothing passes one, except those of the math library. */
#include "fixture.h"

/* Two loads with a call of `name` behind each: instructions from the first call to the second load; 0: it comes first. */
static uint32_t calls_between_loads(const char *name, bool compile)
{
	static char text[2048];
	snprintf(text, sizeof text,
	         PTX_HEAD
	         ".extern .func (.param .b32 r) %s (.param .b32 a);\n.visible .entry k(.param .u64 p) {\n"
	         ".reg .b32 %%r<9>; .reg .b64 %%rd<3>;\n"
	         "ld.global.u32 %%r1, [%%rd1];\n"
	         "{ .param .b32 x; .param .b32 y; st.param.b32 [x], %%r1; call.uni (y), %s, (x);\n"
	         "ld.param.b32 %%r2, [y]; }\n"
	         "ld.global.u32 %%r3, [%%rd1+4];\n"
	         "{ .param .b32 x; .param .b32 y; st.param.b32 [x], %%r3; call.uni (y), %s, (x);\n"
	         "ld.param.b32 %%r4, [y]; }\n"
	         "add.s32 %%r5, %%r2, %%r4; st.global.u32 [%%rd2], %%r5; ret; }\n",
	         name, name, name);
	struct ptx_module *m = ptx_analysed(text, compile);
	if (!m)
		return 99;
	uint32_t call = PTX_NONE, load = 0;
	bool whole = true;
	for (uint32_t i = 0; i < m->insn_count; i++) {
		const struct ptx_insn *insn = &m->insns[i];
		if (insn->op == PTX_ld && insn->space == PTX_SPACE_global)
			load = i;
		if (insn->op != PTX_call)
			continue;
		call = call == PTX_NONE ? i : call;
		whole &= m->insns[i - 1].op == PTX_st && m->insns[i - 1].space == PTX_SPACE_param &&
		         m->insns[i + 1].op == PTX_ld && m->insns[i + 1].space == PTX_SPACE_param;
	}
	ptx_module_free(m);
	return !whole ? 98 : load < call ? 0 : load - call;
}

/* Machine code has them in line. */
TEST(loads_pass_calls_of_the_math_library)
{
	CHECK_EQ(calls_between_loads("__nv_abs", true), 0);
	CHECK_EQ(calls_between_loads("__nv_expf", true), 0);
	CHECK_EQ(calls_between_loads("__nv_abs", false), 2);
	CHECK_EQ(calls_between_loads("own", true), 2);
	/* Those write a second result to memory. */
	static const char *const writers[] = {"__nv_frexpf", "__nv_modf", "__nv_remquof", "__nv_sincospif",
	                                      "__nv_fast_sincosf"};
	for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
		CHECK_EQ(calls_between_loads(writers[i], true), 2);
}

TEST(arguments_and_results_stay_with_their_call)
{
	struct ptx_module *m = ptx_compiled(
	    PTX_HEAD ".func (.param .b32 r) f(.param .b32 a) { ret; }\n"
	             ".entry k() { .reg .b32 %r<9>; .reg .b64 %rd<3>; .param .b32 x; .param .b32 y;\n"
	             "add.s32 %r1, %r1, 1; st.param.b32 [x], %r2; call.uni (y), f, (x);\n"
	             "ld.param.b32 %r3, [y]; ld.global.u32 %r4, [%rd1]; add.s32 %r5, %r4, 1; ret; }\n");
	CHECK(m != NULL);
	uint32_t call = 0;
	for (uint32_t i = 0; i < m->insn_count; i++)
		call = m->insns[i].op == PTX_call ? i : call;
	CHECK(call > 0 && m->insns[call - 1].op == PTX_st && m->insns[call + 1].space == PTX_SPACE_param);
	ptx_module_free(m);
}

TEST_RUN_ALL(true)
