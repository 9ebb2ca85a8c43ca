/* Products of matrices and their moves: by lanes, under masks, with faults. */
#include "lib/exec_fixture.h"

#define REGS ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<40>; .reg .b64 %rd<20>; .reg .f32 %f<20>;\n"
#define KERNEL(name)                                                                                         \
	".visible .entry " name "(.param .u64 out)\n{\n" REGS                                                \
	"mov.u32 %r1, %tid.x; ld.param.u64 %rd2, [out]; mul.wide.s32 %rd3, %r1, 32; add.s64 %rd1, %rd2, "    \
	"%rd3;\n"

static struct fixture *f;

/* Eight words per thread. */
static uint32_t (*run(const char *text, const char *kernel, unsigned threads))[8]
{
	f = fixture_new(text, NULL);
	uint64_t out = fixture_buffer(f, 128 * 32);
	if (fixture_launch(f, kernel, (struct grid){1, threads, 0}, out, 0, 0) != EXEC_DONE)
		return NULL;
	return device_host(out);
}

/* A is all ones, B all twos, C the lane's number: every sum of 16 is 32 more. */
#define ONES "mov.b32 %r10, 0x3c003c00; mov.b32 %r11, 0x40004000; cvt.rn.f32.u32 %f1, %r1;\n"
#define PRODUCT                                                                                              \
	"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f2, %f3, %f4, %f5}, {%r10, %r10, %r10, %r10}, " \
	"{%r11, %r11}, {%f1, %f1, %f1, %f1};\n"
#define STORE "st.global.v4.f32 [%rd1], {%f2, %f3, %f4, %f5}; ret;\n}\n"

static float single(uint32_t bits)
{
	float v;
	memcpy(&v, &bits, sizeof v);
	return v;
}

TEST(a_product_of_a_warp_adds_to_what_each_lane_has)
{
	uint32_t(*out)[8] = run(PTX_HEAD KERNEL("k") ONES PRODUCT STORE, "k", 64);
	CHECK(out);
	for (unsigned t = 0; t < 64; t++)
		for (unsigned i = 0; i < 4; i++)
			CHECK(single(out[t][i]) == (float)(t + 32));
	fixture_free(f);
}

TEST(a_product_under_a_guard_writes_in_the_lanes_that_run_it)
{
	uint32_t(*out)[8] =
	    run(PTX_HEAD KERNEL("k") ONES "mov.f32 %f2, 0f40E00000; mov.f32 %f3, %f2; mov.f32 %f4, %f2; "
	                                  "mov.f32 %f5, %f2; setp.lt.u32 %p1, %r1, 9;\n@%p1 " PRODUCT STORE,
	        "k", 32);
	CHECK(out);
	for (unsigned t = 0; t < 32; t++)
		CHECK(single(out[t][3]) == (t < 9 ? (float)(t + 32) : 7));
	fixture_free(f);
}

/* Rows of 16 bytes hold their number; each lane gets two neighbours of row lane / 4. */
static const char loads[] = PTX_HEAD KERNEL(
    "k") ".shared .align 16 .b8 room[512];\nmov.u32 %r2, room; shl.b32 %r3, %r1, 4; add.u32 %r4, %r2, %r3; mul.lo.u32 %r5, %r1, "
         "0x10001; st.shared.v4.u32 [%r4], {%r5, %r5, %r5, %r5}; bar.sync 0;\n"
         "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r10, %r11, %r12, %r13}, [%r4];\n"
         "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%r14}, [%r4+128];\n"
         "movmatrix.sync.aligned.m8n8.trans.b16 %r15, %r10;\n"
         "st.global.v4.u32 [%rd1], {%r10, %r11, %r12, %r13}; st.global.v2.u32 [%rd1+16], {%r14, %r15}; ret;\n}\n";

TEST(matrices_are_loaded_by_rows_that_lanes_name)
{
	uint32_t(*out)[8] = run(loads, "k", 32);
	CHECK(out);
	for (unsigned t = 0; t < 32; t++) {
		for (unsigned m = 0; m < 4; m++)
			CHECK_EQ(out[t][m], (8 * m + t / 4) * 0x10001u);
		CHECK_EQ(out[t][4], (8 + t % 4 * 2) | (8 + t % 4 * 2 + 1) << 16);
		CHECK_EQ(out[t][5], t % 4 * 2 | (t % 4 * 2 + 1) << 16);
	}
	fixture_free(f);
}

TEST(a_row_that_is_not_aligned_is_a_fault)
{
	run(PTX_HEAD KERNEL("k") ".shared .align 16 .b8 room[512];\nmov.u32 %r2, room; add.u32 %r2, %r2, 8;\n"
	                         "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r10}, [%r2]; ret;\n}\n",
	    "k", 32);
	CHECK_EQ(f->status, EXEC_MISALIGNED);
	CHECK(strstr(f->err.text, "misaligned address of a 16-byte shared load"));
	fixture_free(f);
}

/* wmma.store by columns, wmma.load by rows: the matrix comes back transposed, pairs of rows in each word. */
TEST(a_matrix_is_stored_by_one_layout_and_loaded_by_another)
{
	uint32_t(*out)[8] = run(
	    PTX_HEAD KERNEL(
	        "k") ".shared .align 32 .b8 room[1024];\nmov.u32 %r2, room; cvt.rn.f32.u32 %f1, %r1;\n"
	             "wmma.store.d.sync.aligned.col.m16n16k16.shared.f32 [%r2], {%f1,%f1,%f1,%f1,%f1,%f1,%f1,%f1}, 16; bar.sync 0;\n"
	             "wmma.load.c.sync.aligned.row.m16n16k16.shared.f32 {%f2,%f3,%f4,%f5,%f6,%f7,%f8,%f9}, [%r2], 16;\n"
	             "st.global.v4.f32 [%rd1], {%f2,%f3,%f4,%f5}; ret;\n}\n",
	    "k", 32);
	CHECK(out);
	for (unsigned t = 0; t < 32; t++)
		for (unsigned i = 0; i < 2; i++) {
			/* Element (row, col) was (col, row) before: lane of that place. */
			unsigned row = t / 4, col = t % 4 * 2 + i;
			CHECK(single(out[t][i]) == (float)(col % 8 * 4 + row / 2));
		}
	fixture_free(f);
}

TEST_RUN_ALL(true)
