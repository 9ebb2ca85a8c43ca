/* For tests of control flow: kernels that store one word per thread. */
#ifndef SLUICE_TESTS_LIB_EXEC_KERNEL_H
#define SLUICE_TESTS_LIB_EXEC_KERNEL_H

#include "lib/exec_fixture.h"

#define REGS ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<30>; .reg .f32 %f<9>; .reg .b64 %rd<30>;\n"
/* %r1: global thread index; %rd1: address of out[index] (32-bit elements). */
#define OUT                                                                                                  \
	"mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; mad.lo.s32 %r1, %r2, %r3, %r4;\n" \
	"ld.param.u64 %rd2, [out]; mul.wide.s32 %rd3, %r1, 4; add.s64 %rd1, %rd2, %rd3;\n"
#define KERNEL(name) ".visible .entry " name "(.param .u64 out)\n{\n" REGS OUT
#define STORE "st.global.u32 [%rd1], %r10; ret;\n}\n"

/* The words that a launch stores; NULL: it failed. The caller frees the fixture. */
static inline uint32_t *run_with(const struct exec_options *options, const char *text, const char *kernel,
                                 struct grid g, struct fixture **fixture)
{
	struct fixture *f = *fixture = fixture_new(text, options);
	uint64_t out = fixture_buffer(f, (uint64_t)g.ctas * g.threads * 4);
	return fixture_launch(f, kernel, g, out, 0, 0) == EXEC_DONE ? device_host(out) : NULL;
}

static inline uint32_t *run(const char *text, const char *kernel, struct grid g, struct fixture **fixture)
{
	return run_with(NULL, text, kernel, g, fixture);
}

#endif
