/* Boxes of tensors: where they lie in shared memory, what lies outside of the tensor, and what is refused. */
#include "cuda/memory/tensor_map.h"
#include "lib/exec_fixture.h"

#define REGS ".reg .pred %p<9>; .reg .b32 %r<40>; .reg .b64 %rd<20>;\n.shared .align 1024 .b8 room[4096];\n"
/* The map is a parameter; `x` and `y` are the first coordinates. */
#define KERNEL                                                                                               \
	".visible .entry k(.param .align 64 .b8 map[128], .param .u64 out, .param .s32 x, .param .s32 y)\n"  \
	"{\n" REGS "mov.u32 %r1, %tid.x; mov.u32 %r2, room; ld.param.u64 %rd1, [out]; ld.param.s32 %r3, "    \
	"[x]; ld.param.s32 %r4, [y];\nmov.b64 %rd2, map; cvta.param.u64 %rd3, %rd2; mov.u32 %r7, 0;\n"
/* One thread loads a box and waits for its bytes; then it copies all of shared memory out. */
#define LOAD(dimensions, coordinates, bytes)                                                                 \
	PTX_HEAD KERNEL                                                                                      \
	    "add.u32 %r5, %r2, 4088; mbarrier.init.shared::cta.b64 [%r5], 1;\n"                              \
	    "mbarrier.arrive.expect_tx.shared.b64 _, [%r5], " bytes ";\n"                                    \
	    "cp.async.bulk.tensor." dimensions                                                               \
	    ".shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd3, {" coordinates               \
	    "}], [%r5];\n"                                                                                   \
	    "W: mbarrier.try_wait.parity.shared.b64 %p1, [%r5], 0; @!%p1 bra W;\n"                           \
	    "mov.u32 %r6, 0; L: add.u32 %r8, %r2, %r6; ld.shared.u32 %r9, [%r8]; cvt.u64.u32 %rd4, %r6;\n"   \
	    "add.u64 %rd5, %rd1, %rd4; st.global.u32 [%rd5], %r9; add.u32 %r6, %r6, 4;\n"                    \
	    "setp.lt.u32 %p1, %r6, 4088; @%p1 bra L; ret;\n}\n"

static struct fixture *f;

/* A tensor of 16-bit numbers: 100 wide, 50 high, its number everywhere. */
enum { WIDTH = 100, HEIGHT = 50, PITCH = 208 };

static struct tensor_map map_of(uint64_t address, unsigned rank, unsigned columns, unsigned rows,
                                unsigned swizzle)
{
	struct tensor_map m = {.magic = TENSOR_MAP_MAGIC,
	                       .rank = (uint8_t)rank,
	                       .element_bytes = 2,
	                       .swizzle_bytes = (uint8_t)swizzle,
	                       .address = address,
	                       .size = {WIDTH, HEIGHT, 1, 1, 1},
	                       .stride = {PITCH, PITCH * HEIGHT, PITCH * HEIGHT, PITCH * HEIGHT},
	                       .box = {(uint8_t)(columns - 1), (uint8_t)(rows - 1)},
	                       .each = {1, 1, 1, 1, 1}};
	return m;
}

static uint64_t tensor(void)
{
	uint64_t at = fixture_buffer(f, PITCH * HEIGHT);
	for (unsigned y = 0; y < HEIGHT; y++)
		for (unsigned x = 0; x < WIDTH; x++) {
			uint16_t v = (uint16_t)(y * 256 + x + 1);
			memcpy((uint8_t *)device_host(at) + y * PITCH + 2 * x, &v, 2);
		}
	return at;
}

static const uint8_t *run(struct tensor_map *m, int32_t x, int32_t y)
{
	uint64_t out = fixture_buffer(f, 4096);
	void *args[4] = {m, &out, &x, &y};
	fixture_run(f, "k", (struct grid){1, 1, 0}, args);
	if (f->status != EXEC_DONE)
		printf("# %s\n", f->err.text);
	return f->status == EXEC_DONE ? device_host(out) : NULL;
}

/* A box of 32 x 8 at (x, y), in each mode; outside are zeros. */
static bool box_is_right(unsigned swizzle, int32_t x, int32_t y)
{
	f = fixture_new(LOAD("2d", "%r3, %r4", "512"), NULL);
	struct tensor_map m = map_of(tensor(), 2, 32, 8, swizzle);
	const uint8_t *got = run(&m, x, y);
	bool right = got != NULL;
	unsigned units = swizzle ? swizzle / 16 : 1;
	for (int row = 0; right && row < 8; row++)
		for (int col = 0; right && col < 32; col++) {
			unsigned place = (unsigned)(row * 64 + col * 2);
			bool is_inside = x + col >= 0 && x + col < WIDTH && y + row >= 0 && y + row < HEIGHT;
			uint16_t want = is_inside ? (uint16_t)((y + row) * 256 + x + col + 1) : 0, value;
			memcpy(&value, got + (place ^ (place >> 7 & (units - 1)) << 4), 2);
			right = value == want;
			if (!right)
				printf("# row %d, column %d: %u, expected %u\n", row, col, value, want);
		}
	fixture_free(f);
	return right;
}

TEST(a_box_is_dense_or_its_units_are_exchanged)
{
	CHECK(box_is_right(0, 8, 3));
	CHECK(box_is_right(64, 8, 3));
	CHECK(box_is_right(128, 0, 0));
}

TEST(outside_of_the_tensor_are_zeros)
{
	CHECK(box_is_right(0, 90, 45));
	CHECK(box_is_right(64, -5, -2));
	CHECK(box_is_right(64, 1000, 1000));
}

TEST(a_box_in_five_dimensions_has_rows_of_the_innermost)
{
	f = fixture_new(LOAD("5d", "%r3, %r7, %r7, %r7, %r4", "64"), NULL);
	uint64_t at = tensor();
	/* 8 x 1 x 1 x 1 x 4 of them; the outermost goes by rows. */
	struct tensor_map m = map_of(at, 5, 8, 1, 0);
	m.size[4] = HEIGHT;
	m.stride[3] = PITCH;
	m.box[4] = 3;
	const uint8_t *got = run(&m, 16, 7);
	CHECK(got);
	for (unsigned row = 0; row < 4; row++)
		CHECK(!memcmp(got + 16 * row, (uint8_t *)device_host(at) + (7 + row) * PITCH + 32, 16));
	fixture_free(f);
}

/* Every second element of every third row. */
TEST(elements_may_be_left_out)
{
	f = fixture_new(LOAD("2d", "%r3, %r4", "32"), NULL);
	struct tensor_map m = map_of(tensor(), 2, 16, 6, 0);
	m.each[0] = 2;
	m.each[1] = 3;
	const uint8_t *got = run(&m, 10, 20);
	CHECK(got);
	for (unsigned row = 0; row < 2; row++)
		for (unsigned col = 0; col < 8; col++) {
			uint16_t value;
			memcpy(&value, got + 16 * row + 2 * col, 2);
			CHECK_EQ(value, (20 + 3 * row) * 256 + 10 + 2 * col + 1);
		}
	fixture_free(f);
}

TEST(a_store_leaves_what_is_outside_alone)
{
	f = fixture_new(
	    PTX_HEAD KERNEL
	    "st.shared.u32 [%r2], 0x00020001; st.shared.u32 [%r2+4], 0x00040003; st.shared.u32 [%r2+8], "
	    "0x00060005; st.shared.u32 [%r2+12], 0x00080007; fence.proxy.async.shared::cta;\n"
	    "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%rd3, {%r3, %r4}], [%r2];\n"
	    "cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0; ret;\n}\n",
	    NULL);
	uint64_t at = tensor();
	struct tensor_map m = map_of(at, 2, 8, 1, 0);
	CHECK(run(&m, 96, 2));
	for (unsigned x = 92; x < 104; x++) {
		uint16_t value, want = x >= WIDTH ? 0 : x >= 96 ? (uint16_t)(x - 95) : (uint16_t)(513 + x);
		memcpy(&value, (uint8_t *)device_host(at) + 2 * PITCH + 2 * x, 2);
		CHECK_EQ(value, want);
	}
	fixture_free(f);
}

TEST(maps_that_are_none_and_bad_places_are_faults)
{
	f = fixture_new(LOAD("2d", "%r3, %r4", "512"), NULL);
	struct tensor_map m = map_of(tensor(), 2, 32, 8, 0), bad = m;
	bad.magic = 1;
	CHECK(!run(&bad, 0, 0));
	CHECK(strstr(f->err.text, "there is no tensor map at 0x0"));
	bad = m;
	bad.rank = 3;
	CHECK(!run(&bad, 0, 0));
	CHECK(strstr(f->err.text, "a copy by 2 coordinates, the tensor map has 3 dimensions"));
	bad = m;
	bad.size[1] = 5000;
	CHECK(!run(&bad, 0, 4000));
	CHECK_EQ(f->status, EXEC_ILLEGAL_ADDRESS);
	bad = m;
	bad.box[1] = 255; /* 16 KB */
	CHECK(!run(&bad, 0, 0));
	CHECK_EQ(f->status, EXEC_ILLEGAL_ADDRESS);
	fixture_free(f);
}

TEST_RUN_ALL(true)
