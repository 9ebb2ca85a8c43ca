/* Physical registers. */
#include "fixture.h"

TEST(values_in_use_at_once_have_different_registers)
{
	struct ptx_module *m = ptx_of(PTX_KERNEL(
	    "ld.global.u32 %r1, [0]; mov.u64 %rd1, 2; ld.global.u32 %r2, [0]; mov.u64 %rd2, 4;\n"
	    "st.global.u32 [%rd1], %r1; st.global.u32 [%rd2], %r2; ld.global.u32 %r3, [0]; st.global.u32 [%rd2], %r3; ret;"));
	CHECK(m != NULL);
	const struct ptx_function *f = &m->functions[0];
	uint32_t used[64] = {0};
	for (uint32_t r = 0; r < 4; r++) {
		unsigned width = ptx_type_bytes(f->registers[r].type) / 4;
		CHECK(f->registers[r].physical % width == 0);
		for (unsigned k = 0; k < width; k++)
			CHECK_EQ(used[f->registers[r].physical + k]++, 0);
	}
	ptx_module_free(m);
}

/* Machine code may read a value somewhat later than the text does. */
TEST(a_register_is_not_used_again_soon_but_in_its_turn)
{
	char text[16384] = "",
	     *end = text + sprintf(text, "%s", PTX_HEAD ".visible .entry k() { .reg .b32 %r<300>;\n");
	for (unsigned i = 0; i < 300; i++)
		end += sprintf(end, "ld.global.u32 %%r%u, [0]; st.global.u32 [0], %%r%u;\n", i, i);
	strcpy(end, "ret; }\n");
	struct ptx_module *m = ptx_of(text);
	CHECK(m != NULL);
	const struct ptx_function *f = &m->functions[0];
	CHECK_EQ(f->pressure, 1);
	for (uint32_t r = 0; r < 300; r++)
		CHECK_EQ(f->registers[r].physical, r % PTX_PHYSICAL_TURN);
	ptx_module_free(m);
}

TEST_RUN_ALL(true)
