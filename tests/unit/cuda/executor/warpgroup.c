/* Products of warp groups: layouts in shared memory and registers, types, signs, and what the four warps wait for. */
#include "lib/exec_fixture.h"

#include <math.h>

enum { ROWS = 64, SHARED = 16384, B_AT = 8192, K_BYTES = 32 };

#define REGS                                                                                                 \
	".reg .pred %p<9>; .reg .b32 %r<99>; .reg .b64 %rd<20>; .reg .f32 %f<200>;\n"                        \
	".shared .align 1024 .b8 room[16384];\n"
/* The CTA copies 16 KB from `in` to shared memory, makes the product and stores each lane's results. */
#define KERNEL                                                                                               \
	".visible .entry k(.param .u64 out, .param .u64 in, .param .u64 a, .param .u64 b)\n{\n" REGS         \
	"mov.u32 %r1, %tid.x; ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];\n"                          \
	"ld.param.u64 %rd3, [a]; ld.param.u64 %rd4, [b]; mov.u32 %r2, room; mov.u32 %r3, 0;\n"               \
	"shl.b32 %r4, %r1, 7;\nL: add.u32 %r5, %r4, %r3; cvt.u64.u32 %rd5, %r5; add.u64 %rd6, %rd1, %rd5;\n" \
	"ld.global.u32 %r6, [%rd6]; add.u32 %r7, %r2, %r5; st.shared.u32 [%r7], %r6; add.u32 %r3, %r3, 4;\n" \
	"setp.lt.u32 %p1, %r3, 128; @%p1 bra L;\nfence.proxy.async.shared::cta; bar.sync 0;\n"               \
	"mov.f32 %f0, 0f3F800000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0;\n"                   \
	"mov.b32 %r20, 1; mov.b32 %r21, 1; mov.b32 %r22, 1; mov.b32 %r23, 1; setp.eq.u32 %p2, %r2, %r2;\n"   \
	"mul.wide.u32 %rd7, %r1, 16; add.u64 %rd8, %rd2, %rd7;\nwgmma.fence.sync.aligned;\n"
#define END(type, registers)                                                                                 \
	"\nwgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;\n"                              \
	"st.global.v4." type " [%rd8], " registers "; ret;\n}\n"
#define FLOATS "{%f0, %f1, %f2, %f3}"
#define WORDS "{%r20, %r21, %r22, %r23}"

static struct fixture *f;
static uint8_t *shared; /* what `in` holds */

static uint64_t descriptor(uint32_t at, uint32_t leading, uint32_t stride, unsigned mode)
{
	return at / 16 | (uint64_t)(leading / 16) << 16 | (uint64_t)(stride / 16) << 32 |
	       (uint64_t)mode << 62;
}

static void begin(const char *text)
{
	f = fixture_new(text, NULL);
	(void)fixture_buffer(f, 16);
}

/* The element's place by the manual: rows of `width` bytes in pieces of eight, 16-byte units exchanged by address bits. */
static uint32_t swizzled(uint32_t address, uint32_t width)
{
	return address ^ (address >> 7 & (width / 16 - 1)) << 4;
}

/* Where byte `at` of line `line` lies: pieces of 8 lines, `stride` apart; without exchange, units `leading` apart. */
static uint32_t place_of(uint32_t base, uint32_t line, uint32_t at, uint32_t width, uint32_t leading,
                         uint32_t stride)
{
	if (width == 16)
		return base + line / 8 * stride + line % 8 * 16 + at / 16 * leading + at % 16;
	return swizzled(base + line / 8 * stride + line % 8 * width + at / width * leading + at % width,
	                width);
}

static float value_a(unsigned row, unsigned k)
{
	return (float)((int)(row * 3 + k * 5) % 13 - 6);
}

static float value_b(unsigned col, unsigned k)
{
	return (float)((int)(col * 7 + k * 2) % 11 - 5);
}

static uint16_t half_of(float v)
{
	/* Small whole numbers, which both formats hold: sign, exponent with another bias, the upper bits of the fraction. */
	uint32_t bits;
	memcpy(&bits, &v, sizeof bits);
	if (v == 0)
		return 0;
	return (uint16_t)((bits >> 16 & 0x8000) | ((bits >> 23 & 0xff) - 127 + 15) << 10 |
	                  (bits >> 13 & 0x3ff));
}

static uint16_t bfloat_of(float v)
{
	uint32_t bits;
	memcpy(&bits, &v, sizeof bits);
	return (uint16_t)(bits >> 16);
}

/* Results are a lane's four: rows lane / 4 and 8 more, two columns each. */
static bool results_are(const uint32_t *got, float sign, unsigned k, float addend, bool is_integer)
{
	for (unsigned thread = 0; thread < 128; thread++)
		for (unsigned i = 0; i < 4; i++) {
			unsigned row = thread / 32 * 16 + thread % 32 / 4 + i / 2 * 8,
			         col = thread % 4 * 2 + i % 2;
			float want = addend, value;
			for (unsigned step = 0; step < k; step++)
				want += sign * value_a(row, step) * value_b(col, step);
			memcpy(&value, &got[4 * thread + i], 4);
			if (is_integer)
				value = (float)(int32_t)got[4 * thread + i];
			if (value != want) {
				printf("# row %u, column %u: %g, expected %g\n", row, col, (double)value,
				       (double)want);
				return false;
			}
		}
	return true;
}

static const uint32_t *run(uint64_t a, uint64_t b)
{
	uint64_t out = fixture_buffer(f, 4096), in = fixture_buffer(f, SHARED);
	memcpy(device_host(in), shared, SHARED);
	void *args[4] = {&out, &in, &a, &b};
	fixture_run(f, "k", (struct grid){1, 128, 0}, args);
	if (f->status != EXEC_DONE)
		printf("# %s\n", f->err.text);
	return f->status == EXEC_DONE ? device_host(out) : NULL;
}

/* ---- where matrices lie ------------------------------------------------------------------------------------- */

enum { MODE_NONE, MODE_128, MODE_64, MODE_32 };
static const uint32_t widths[] = {16, 128, 64, 32};

/* Halves with k contiguous, in each of the four modes. */
static bool rows_are_read(unsigned mode)
{
	static const char text[] = PTX_HEAD KERNEL "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 " FLOATS
	                                           ", %rd3, %rd4, %p2, 1, 1, 0, 0;" END("f32", FLOATS);
	uint32_t width = widths[mode], stride = mode ? 8 * width : 256, leading = 128;
	uint8_t room[SHARED] = {0};
	shared = room;
	begin(text);
	for (unsigned k = 0; k < 16; k++) {
		for (unsigned row = 0; row < ROWS; row++) {
			uint16_t bits = half_of(value_a(row, k));
			memcpy(room + place_of(0, row, 2 * k, width, leading, stride), &bits, 2);
		}
		for (unsigned col = 0; col < 8; col++) {
			uint16_t bits = half_of(value_b(col, k));
			memcpy(room + place_of(B_AT, col, 2 * k, width, leading, stride), &bits, 2);
		}
	}
	const uint32_t *got =
	    run(descriptor(0, leading, stride, mode), descriptor(B_AT, leading, stride, mode));
	bool right = got && results_are(got, 1, 16, 1, false);
	fixture_free(f);
	return right;
}

TEST(matrices_with_contiguous_k_are_read_in_every_mode)
{
	CHECK(rows_are_read(MODE_NONE));
	CHECK(rows_are_read(MODE_128));
	CHECK(rows_are_read(MODE_64));
	CHECK(rows_are_read(MODE_32));
}

/* The other way: a line for each k. Of A's 64 rows, `width` bytes lie together. */
static bool columns_are_read(unsigned mode)
{
	static const char text[] =
	    PTX_HEAD KERNEL "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 " FLOATS
	                    ", %rd3, %rd4, %p2, -1, 1, 1, 0;" END("f32", FLOATS);
	uint32_t width = widths[mode], stride = 8 * width, leading = 2 * stride;
	uint8_t room[SHARED] = {0};
	shared = room;
	begin(text);
	for (unsigned k = 0; k < 16; k++) {
		for (unsigned row = 0; row < ROWS; row++) {
			uint16_t bits = bfloat_of(value_a(row, k));
			memcpy(room + place_of(0, k, 2 * row, width, leading, stride), &bits, 2);
		}
		for (unsigned col = 0; col < 8; col++) {
			uint16_t bits = bfloat_of(value_b(col, k));
			memcpy(room + place_of(B_AT, col, 2 * k, 128, 16, 1024), &bits, 2);
		}
	}
	/* Without exchange, the two distances change their roles. */
	uint64_t a = mode ? descriptor(0, leading, stride, mode) : descriptor(0, stride, leading, mode);
	const uint32_t *got = run(a, descriptor(B_AT, 16, 1024, MODE_128));
	bool right = got && results_are(got, -1, 16, 1, false);
	fixture_free(f);
	return right;
}

TEST(transposed_matrices_are_read_in_every_mode)
{
	CHECK(columns_are_read(MODE_NONE));
	CHECK(columns_are_read(MODE_128));
	CHECK(columns_are_read(MODE_64));
	CHECK(columns_are_read(MODE_32));
}

/* ---- types -------------------------------------------------------------------------------------------------- */

static void fill_bytes(uint8_t room[SHARED], uint8_t (*bits)(float))
{
	for (unsigned k = 0; k < 32; k++) {
		for (unsigned row = 0; row < ROWS; row++)
			room[place_of(0, row, k, 32, 16, 256)] = bits(value_a(row, k));
		for (unsigned col = 0; col < 8; col++)
			room[place_of(B_AT, col, k, 32, 16, 256)] = bits(value_b(col, k));
	}
}

static uint8_t integer_byte(float v)
{
	return (uint8_t)(int8_t)v;
}

/* Whole numbers from -7 to 7. */
static uint8_t float_byte(float v)
{
	unsigned number = (unsigned)fabsf(v);
	if (!number)
		return 0;
	unsigned exponent = 31 - (unsigned)__builtin_clz(number);
	unsigned fraction = (number << (3 - exponent)) & 7;
	return (uint8_t)((v < 0 ? 0x80 : 0) | (exponent + 7) << 3 | fraction);
}

TEST(bytes_are_whole_numbers_or_floats)
{
	static const char integers[] = PTX_HEAD KERNEL
	    "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 " WORDS ", %rd3, %rd4, %p2;" END("u32", WORDS);
	static const char floats[] =
	    PTX_HEAD KERNEL "wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3 " FLOATS
	                    ", %rd3, %rd4, %p2, 1, 1;" END("f32", FLOATS);
	uint8_t room[SHARED] = {0};
	uint64_t a = descriptor(0, 16, 256, MODE_32), b = descriptor(B_AT, 16, 256, MODE_32);
	shared = room;
	begin(integers);
	fill_bytes(room, integer_byte);
	const uint32_t *got = run(a, b);
	CHECK(got && results_are(got, 1, 32, 1, true));
	fixture_free(f);
	begin(floats);
	fill_bytes(room, float_byte);
	got = run(a, b);
	CHECK(got && results_are(got, 1, 32, 1, false));
	fixture_free(f);
}

TEST(single_precision_is_cut_off_to_19_bits_and_d_need_not_be_added)
{
	static const char text[] = PTX_HEAD KERNEL
	    "setp.ne.u32 %p2, %r2, %r2; wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 " FLOATS
	    ", %rd3, %rd4, %p2, -1, -1;" END("f32", FLOATS);
	uint8_t room[SHARED] = {0};
	shared = room;
	begin(text);
	for (unsigned k = 0; k < 8; k++) {
		for (unsigned row = 0; row < ROWS; row++) {
			float v = value_a(row, k) * (1 + 0x1p-20f);
			memcpy(room + place_of(0, row, 4 * k, 32, 16, 256), &v, 4);
		}
		for (unsigned col = 0; col < 8; col++) {
			float v = value_b(col, k);
			memcpy(room + place_of(B_AT, col, 4 * k, 32, 16, 256), &v, 4);
		}
	}
	const uint32_t *got = run(descriptor(0, 16, 256, MODE_32), descriptor(B_AT, 16, 256, MODE_32));
	CHECK(got && results_are(got, 1, 8, 0, false));
	fixture_free(f);
}

/* A in registers, as mma.m16n8k16 has it; sums of halves. */
TEST(a_may_be_in_registers_and_sums_may_be_halves)
{
	static const char text[] = PTX_HEAD KERNEL
	    "mov.b32 %r30, 0x3C003C00; mov.b32 %r31, 0x40004000; mov.b32 %r20, 0; mov.b32 %r21, 0; mov.b32 %r22, 0; "
	    "mov.b32 %r23, 0;\n"
	    "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%r20, %r21}, {%r30, %r31, %r30, %r31}, %rd4, 1, 1, 1, "
	    "0;" END("u32", WORDS);
	uint8_t room[SHARED] = {0};
	shared = room;
	begin(text);
	for (unsigned k = 0; k < 16; k++)
		for (unsigned col = 0; col < 8; col++) {
			uint16_t bits = half_of((float)(col + 1));
			memcpy(room + place_of(B_AT, col, 2 * k, 128, 16, 1024), &bits, 2);
		}
	const uint32_t *got = run(0, descriptor(B_AT, 16, 1024, MODE_128));
	CHECK(got);
	for (unsigned thread = 0; thread < 128; thread++)
		for (unsigned i = 0; i < 4; i++) {
			unsigned col = thread % 4 * 2 + i % 2;
			uint16_t bits;
			memcpy(&bits, (const uint8_t *)&got[4 * thread] + 2 * i, 2);
			/* Rows of the lower half are twice as large. */
			CHECK_EQ(bits, half_of(16.0f * (float)(col + 1) * (i < 2 ? 1 : 2)));
		}
	fixture_free(f);
}

/* ---- what is refused ------------------------------------------------------------------------------------------ */

TEST(a_matrix_outside_of_shared_memory_is_a_fault)
{
	static const char text[] = PTX_HEAD KERNEL "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 " FLOATS
	                                           ", %rd3, %rd4, %p2, 1, 1, 0, 0;" END("f32", FLOATS);
	uint8_t room[SHARED] = {0};
	shared = room;
	begin(text);
	CHECK(!run(descriptor(0, 16, 1024, MODE_128), descriptor(SHARED - 512, 16, 1024, MODE_128)));
	CHECK_EQ(f->status, EXEC_ILLEGAL_ADDRESS);
	CHECK(strstr(f->err.text, "wgmma reads matrix B outside of shared memory"));
	fixture_free(f);
}

/* What one warp of the group overwrites behind its wait, the others have read. */
TEST(the_wait_is_a_barrier_of_the_group)
{
	static const char text[] = PTX_HEAD KERNEL
	    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 " FLOATS ", %rd3, %rd4, %p2, 1, 1, 0, 0;\n"
	    "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;\n"
	    "mov.u32 %r8, 0; M: add.u32 %r9, %r2, %r8; st.shared.u32 [%r9], 0; add.u32 %r8, %r8, 4;\n"
	    "setp.lt.u32 %p1, %r8, 16384; @%p1 bra M;\n" END("f32", FLOATS);
	uint8_t room[SHARED] = {0};
	shared = room;
	begin(text);
	for (unsigned k = 0; k < 16; k++) {
		for (unsigned row = 0; row < ROWS; row++) {
			uint16_t bits = half_of(value_a(row, k));
			memcpy(room + place_of(0, row, 2 * k, 128, 16, 1024), &bits, 2);
		}
		for (unsigned col = 0; col < 8; col++) {
			uint16_t bits = half_of(value_b(col, k));
			memcpy(room + place_of(B_AT, col, 2 * k, 128, 16, 1024), &bits, 2);
		}
	}
	const uint32_t *got = run(descriptor(0, 16, 1024, MODE_128), descriptor(B_AT, 16, 1024, MODE_128));
	CHECK(got && results_are(got, 1, 16, 1, false));
	fixture_free(f);
}

TEST_RUN_ALL(true)
