/* Textures and surfaces: coordinates, formats, filters, what lies outside, and handles that are none. */
#include "lib/exec_snippet.h"

/* ---- images ---------------------------------------------------------------------------------------------- */

/* What an image of 4096 bytes holds: its words' numbers, the same as floats, bytes, or halves of every kind. */
enum fill { WORDS, FLOATS, BYTES, HALVES };

static void fill_image(uint64_t image, enum fill fill)
{
	static const uint16_t halves[8] = {0x3c00, 0xc000, 0x7c00, 0xfc00, 0x7e00, 0x0001, 0x8001, 0};
	for (uint32_t i = 0; i < 1024; i++) {
		float number = (float)i;
		uint32_t bytes = i * 4 % 256 * 0x1010101u + 0x3020100;
		uint32_t pair = halves[2 * i % 8] | (uint32_t)halves[2 * i % 8 + 1] << 16;
		const void *from[4] = {&i, &number, &bytes, &pair};
		memcpy(device_host(image + 4 * i), from[fill], 4);
	}
}

/* What a row leaves out: 16 texels wide, 4 high, 4 deep, one word each; texel (x, y, z) is word x + 16 y + 64 z. */
#define NO_SIDE UINT64_MAX
#define UNBOUND .address = 1
#define IMAGE(...)                                                                                           \
	{                                                                                                    \
		.pitch_bytes = 64, .slice_bytes = 256, __VA_ARGS__                                           \
	}

static uint64_t side(uint64_t given, uint64_t usual)
{
	return given == NO_SIDE ? 0 : given ? given : usual;
}

static struct texture complete(struct texture t, uint64_t image)
{
	t.address = t.address ? 0 : image;
	t.dimensions = t.dimensions ? t.dimensions : 2;
	t.width = side(t.width, 16);
	t.height = side(t.height, 4);
	t.depth = side(t.depth, 4);
	t.channels = t.channels ? t.channels : 1;
	t.channel_bits = t.channel_bits ? t.channel_bits : 32;
	return t;
}

struct image_row {
	const char *body; /* %rd9: the handle; %rd8: the image */
	uint64_t want;
	const char *fault;
	struct texture t;
	enum fill fill;
};

static bool image_is_right(const struct image_row *row)
{
	static char body[4096];
	snprintf(body, sizeof body,
	         "ld.global.u64 %%rd9, [%%rd1+2048]; ld.global.u64 %%rd8, [%%rd1+2056];\n%s", row->body);
	struct snippet s = {.body = body, .globals = ".global .texref tr; .global .surfref sr;"};
	struct fixture *f = snippet_new(&s, NULL);
	if (!f)
		return false;
	/* snippet_run() allocates its memory, the first there is: the image comes behind. */
	uint64_t data = fixture_buffer(f, 4096), image = fixture_buffer(f, 4096), handle;
	device_memory_release(f->memory, data);
	fill_image(image, row->fill);
	struct texture t = complete(row->t, image);
	handle = exec_new_texture(f->exec, &t);
	*exec_texture(f->exec, f->module->variable_address[ptx_find_variable(f->module->ptx, "tr")]) = t;
	*exec_texture(f->exec, f->module->variable_address[ptx_find_variable(f->module->ptx, "sr")]) = t;
	memcpy(device_host(DEVICE_WINDOW + 2048), &handle, 8);
	memcpy(device_host(DEVICE_WINDOW + 2056), &image, 8);
	uint64_t got = snippet_run(f, &s, 32);
	bool right = row->fault ? f->status != EXEC_DONE && strstr(f->err.text, row->fault)
	                        : f->status == EXEC_DONE && got == row->want;
	if (!right)
		printf("# %s\n#   gave 0x%llx %s\n", row->body, (unsigned long long)got, f->err.text);
	fixture_free(f);
	return right;
}

static unsigned images_wrong(const struct image_row *rows, size_t count)
{
	unsigned wrong = 0;
	for (size_t i = 0; i < count; i++)
		wrong += !image_is_right(&rows[i]);
	return wrong;
}
#define CHECK_IMAGES(rows) CHECK_EQ(images_wrong(rows, sizeof(rows) / sizeof *(rows)), 0)

/* ---- surfaces -------------------------------------------------------------------------------------------- */

#define ONE "cvt.u64.u32 %rd0, %r2;"
#define TWO "mov.b64 %rd0, {%r2, %r3};"

static const struct image_row surfaces[] = {
    GIVES(2, "suld.b.1d.b32.trap %r2, [%rd9, {8}];" ONE, .t = IMAGE()),
    GIVES(50, "suld.b.2d.b32.trap %r2, [sr, {8, 3}];" ONE, .t = IMAGE()),
    GIVES(UINT64_C(19) << 32 | 18, "suld.b.2d.v2.b32.trap {%r2, %r3}, [%rd9, {8, 1}];" TWO, .t = IMAGE()),
    GIVES(UINT64_C(19) << 32, "suld.b.2d.v2.b32.trap {_, %r3}, [%rd9, {8, 1}]; mov.u32 %r2, 0;" TWO,
          .t = IMAGE()),
    GIVES(146, "suld.b.3d.b32.trap %r2, [%rd9, {8, 1, 2, 0}];" ONE, .t = IMAGE()),
    GIVES(194, "suld.b.a1d.b32.trap %r2, [%rd9, {3, 8}];" ONE, .t = IMAGE()),
    GIVES(210, "suld.b.a2d.b32.trap %r2, [%rd9, {3, 8, 1, 0}];" ONE, .t = IMAGE()),
    GIVES(UINT64_C(3) << 32 | 2, "suld.b.2d.b64.trap %rd0, [%rd9, {8, 0}];", .t = IMAGE()),
    GIVES(19, "suld.b.2d.b16.trap %h1, [%rd9, {12, 1}]; cvt.u64.u16 %rd0, %h1;", .t = IMAGE()),
    GIVES(0, "suld.b.2d.b8.trap %h1, [%rd9, {13, 1}]; cvt.u64.u16 %rd0, %h1;", .t = IMAGE()),
    FAULTS("byte 2 of a surface's row is no place for 4 bytes", "suld.b.2d.b32.trap %r2, [%rd9, {2, 0}];",
           .t = IMAGE()),
    FAULTS("byte 64, row 0, slice 0 is outside the surface (16 x 4 x 4 elements)",
           "suld.b.2d.b32.trap %r2, [%rd9, {64, 0}];", .t = IMAGE()),
    FAULTS("row -1", "suld.b.2d.b32.trap %r2, [%rd9, {0, -1}];", .t = IMAGE()),
    GIVES(63, "suld.b.2d.b32.clamp %r2, [%rd9, {64, 9}];" ONE, .t = IMAGE()),
    GIVES(0, "suld.b.2d.b32.clamp %r2, [%rd9, {-4, -2}];" ONE, .t = IMAGE()),
    GIVES(0, "mov.u32 %r2, 9; suld.b.2d.b32.zero %r2, [%rd9, {64, 0}];" ONE, .t = IMAGE()),
    GIVES(15, "suld.b.2d.b32.zero %r2, [%rd9, {60, 0}];" ONE, .t = IMAGE()),
    GIVES(UINT64_C(19) << 32 | 77, "sust.b.2d.b32.trap [%rd9, {8, 1}], 77; ld.global.u64 %rd0, [%rd8+72];",
          .t = IMAGE()),
    GIVES(UINT64_C(6) << 32 | 5,
          "mov.u32 %r2, 5; mov.u32 %r3, 6; sust.b.2d.v2.b32.trap [%rd9, {8, 0}], {%r2, %r3}; "
          "ld.global.u64 %rd0, [%rd8+8];",
          .t = IMAGE()),
    GIVES(UINT64_C(3) << 32 | 0xff,
          "mov.u16 %h1, 0x1ff; sust.b.2d.b8.trap [%rd9, {8, 0}], %h1; ld.global.u64 %rd0, [%rd8+8];",
          .t = IMAGE()),
    GIVES(UINT64_C(113) << 32 | 112, "sust.b.2d.b32.zero [%rd9, {0, 7}], 77; ld.global.u64 %rd0, [%rd8+448];",
          .t = IMAGE()),
    FAULTS("outside the surface", "sust.b.2d.b32.trap [%rd9, {0, 7}], 77;", .t = IMAGE()),
    FAULTS("0x5 is no handle of a surface", "mov.u64 %rd9, 5; suld.b.2d.b32.trap %r2, [%rd9, {0, 0}];",
           .t = IMAGE()),
    FAULTS("is no handle of a surface", "suld.b.2d.b32.trap %r2, [%rd9, {0, 0}];", .t = IMAGE(UNBOUND)),
};

TEST(surfaces_move_elements_and_say_what_is_outside)
{
	CHECK_IMAGES(surfaces);
}

/* ---- textures -------------------------------------------------------------------------------------------- */

#define TEX(form, at) "tex." form ".v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd9, {" at "}]; mov.b32 %r2, %f1;" ONE
#define TEXI(form, at) "tex." form ".v4.u32.s32 {%r2, %r3, %r4, %r5}, [%rd9, {" at "}];"
#define HALF "0f3F000000"
#define NORMALIZED .normalized_coordinates = true
#define FLOAT .kind = TEXEL_FLOAT
#define ALL(mode) .address_mode = {mode, mode, mode}
/* Coordinates: 1.5 and 2.5 are inside texels, 0.28125 of 16 texels inside the fifth. */
#define AT_1 "0f3FC00000"
#define AT_2 "0f40200000"
#define IN_4 "0f3E900000"

static const struct image_row points[] = {
    GIVES(0x42040000, TEX("2d", AT_1 ", " AT_2), .t = IMAGE(FLOAT), .fill = FLOATS),
    GIVES(0x3f800000, TEX("1d", AT_1), .t = IMAGE(FLOAT), .fill = FLOATS),
    GIVES(0x3f800000, "tex.2d.v4.f32.f32 {_, _, _, %f4}, [tr, {" AT_1 ", " AT_2 "}]; mov.b32 %r2, %f4;" ONE,
          .t = IMAGE(FLOAT), .fill = FLOATS),
    GIVES(0x42c20000, TEX("3d", AT_1 ", " AT_2 ", " AT_1 ", " AT_1), .t = IMAGE(FLOAT, .dimensions = 3),
          .fill = FLOATS),
    GIVES(0x43010000, TEX("a1d", "2, " AT_1), .t = IMAGE(FLOAT, .dimensions = 1), .fill = FLOATS),
    GIVES(0x43610000, TEX("a2d", "9, " AT_1 ", " AT_2 ", " AT_2), .t = IMAGE(FLOAT), .fill = FLOATS),
    GIVES(0x3f800000, TEX("a1d", "2, " AT_1), .t = IMAGE(FLOAT, .dimensions = 1, .depth = NO_SIDE),
          .fill = FLOATS),
    GIVES(0x3f800000, TEX("2d", AT_1 ", " AT_2), .t = IMAGE(FLOAT, .height = NO_SIDE), .fill = FLOATS),
    /* Address modes; wrapping and mirroring need normalised coordinates. */
    GIVES(0x40800000, TEX("1d", "0f3FA40000"), .t = IMAGE(FLOAT, NORMALIZED, .dimensions = 1),
          .fill = FLOATS),
    GIVES(0x41400000, TEX("1d", "0fBE700000"), .t = IMAGE(FLOAT, NORMALIZED, .dimensions = 1),
          .fill = FLOATS),
    GIVES(0x41300000, TEX("1d", "0f3FA40000"),
          .t = IMAGE(FLOAT, NORMALIZED, .dimensions = 1, ALL(TEXTURE_MIRROR)), .fill = FLOATS),
    GIVES(0x40800000, TEX("1d", IN_4), .t = IMAGE(FLOAT, NORMALIZED, .dimensions = 1, ALL(TEXTURE_MIRROR)),
          .fill = FLOATS),
    GIVES(0x41700000, TEX("1d", "0f3FA40000"),
          .t = IMAGE(FLOAT, NORMALIZED, .dimensions = 1, ALL(TEXTURE_CLAMP)), .fill = FLOATS),
    GIVES(0x41700000, TEX("1d", "0f41A00000"), .t = IMAGE(FLOAT, .dimensions = 1), .fill = FLOATS),
    GIVES(0, TEX("1d", "0f41A00000"), .t = IMAGE(FLOAT, .dimensions = 1, ALL(TEXTURE_BORDER)),
          .fill = FLOATS),
    GIVES(0, TEX("1d", "0fC1A00000"), .t = IMAGE(FLOAT, .dimensions = 1, ALL(TEXTURE_BORDER)),
          .fill = FLOATS),
    GIVES(0x40000000, TEX("1d", AT_2), .t = IMAGE(FLOAT, .dimensions = 1, ALL(TEXTURE_BORDER)),
          .fill = FLOATS),
    /* Coordinates beyond all numbers of texels, and none at all. */
    GIVES(0x41700000, TEX("1d", "0f7F000000"), .t = IMAGE(FLOAT, .dimensions = 1), .fill = FLOATS),
    GIVES(0, TEX("1d", "0fFF000000"), .t = IMAGE(FLOAT, .dimensions = 1), .fill = FLOATS),
    GIVES(0, TEX("1d", "0f7FC00000"), .t = IMAGE(FLOAT, .dimensions = 1), .fill = FLOATS),
    GIVES(19, TEXI("2d", "3, 1") TWO, .t = IMAGE(.kind = TEXEL_UNSIGNED)),
    GIVES(19, TEXI("2d", "3, 1") TWO, .t = IMAGE(.kind = TEXEL_UNSIGNED, NORMALIZED)),
};

TEST(textures_find_their_texel_in_every_mode)
{
	CHECK_IMAGES(points);
}

#define NARROW(bits, count, k, ...)                                                                          \
	IMAGE(.channel_bits = bits, .channels = count, .kind = k, .dimensions = 1, __VA_ARGS__)
static const struct image_row formats[] = {
    GIVES(3, TEXI("1d", "3") TWO, .t = NARROW(8, 1, TEXEL_UNSIGNED), .fill = BYTES),
    GIVES(UINT64_C(5) << 32 | 4, TEXI("1d", "1") TWO, .t = NARROW(8, 4, TEXEL_UNSIGNED), .fill = BYTES),
    GIVES(UINT64_C(0xffffff83) << 32 | 0xffffff81, TEXI("1d", "32") "mov.b64 %rd0, {%r3, %r5};",
          .t = NARROW(8, 4, TEXEL_SIGNED, .width = 256), .fill = BYTES),
    GIVES(UINT64_C(1) << 32 | 0xffff8180, TEXI("1d", "32") "mov.b64 %rd0, {%r2, %r5};",
          .t = NARROW(16, 2, TEXEL_SIGNED, .width = 256), .fill = BYTES),
    GIVES(0x3f800000, TEX("1d", "0f437F8000"),
          .t = NARROW(8, 1, TEXEL_UNSIGNED, .width = 256, .read_normalized_float = true), .fill = BYTES),
    GIVES(0xbf800000, TEX("1d", "0f43008000"),
          .t = NARROW(8, 1, TEXEL_SIGNED, .width = 256, .read_normalized_float = true), .fill = BYTES),
    GIVES(0x3f800000, TEX("1d", "0f42FF0000"),
          .t = NARROW(8, 1, TEXEL_SIGNED, .width = 256, .read_normalized_float = true), .fill = BYTES),
    GIVES(0x3f800000, TEX("1d", HALF), .t = NARROW(16, 1, TEXEL_FLOAT), .fill = HALVES),
    GIVES(0xc0000000, TEX("1d", AT_1), .t = NARROW(16, 1, TEXEL_FLOAT), .fill = HALVES),
    GIVES(0x7f800000, TEX("1d", AT_2), .t = NARROW(16, 1, TEXEL_FLOAT), .fill = HALVES),
    GIVES(0xff800000, TEX("1d", "0f40600000"), .t = NARROW(16, 1, TEXEL_FLOAT), .fill = HALVES),
    GIVES(0x7fc00000, TEX("1d", "0f40900000"), .t = NARROW(16, 1, TEXEL_FLOAT), .fill = HALVES),
    GIVES(0x33800000, TEX("1d", "0f40B00000"), .t = NARROW(16, 1, TEXEL_FLOAT), .fill = HALVES),
    GIVES(0xb3800000, TEX("1d", "0f40D00000"), .t = NARROW(16, 1, TEXEL_FLOAT), .fill = HALVES),
};

TEST(texels_of_every_format_are_read)
{
	CHECK_IMAGES(formats);
}

#define LINEAR .filter = TEXTURE_LINEAR
#define CUBE(x, y, z) TEX("cube", x ", " y ", " z ", 0f00000000")
#define PLUS "0f3F800000"
#define MINUS "0fBF800000"
#define NULL_F "0f00000000"

static const struct image_row filters[] = {
    /* Between texels 1 and 2; a quarter of the way; along two axes; of three. */
    GIVES(0x3fc00000, TEX("1d", "0f40000000"), .t = IMAGE(FLOAT, LINEAR, .dimensions = 1), .fill = FLOATS),
    GIVES(0x41cc0000, TEX("2d", "0f40000000, 0f40000000"), .t = IMAGE(FLOAT, LINEAR), .fill = FLOATS),
    GIVES(0x42660000, TEX("3d", "0f40000000, 0f40000000, " PLUS ", " PLUS),
          .t = IMAGE(FLOAT, LINEAR, .dimensions = 3), .fill = FLOATS),
    GIVES(0x40f00000, TEX("1d", "0f41800000"),
          .t = IMAGE(FLOAT, LINEAR, .dimensions = 1, ALL(TEXTURE_BORDER)), .fill = FLOATS),
    GIVES(0, TEX("1d", "0f7FC00000"), .t = IMAGE(FLOAT, LINEAR, .dimensions = 1), .fill = FLOATS),
    /* Integers, integer coordinates and plain memory know no filter. */
    GIVES(2, "tex.1d.v4.u32.f32 {%r2, %r3, %r4, %r5}, [%rd9, {0f40000000}];" ONE,
          .t = IMAGE(LINEAR, .dimensions = 1)),
    GIVES(0x40000000, "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd9, {2}]; mov.b32 %r2, %f1;" ONE,
          .t = IMAGE(FLOAT, LINEAR, .dimensions = 1), .fill = FLOATS),
    GIVES(0x40000000, TEX("1d", "0f40000000"),
          .t = IMAGE(FLOAT, LINEAR, .dimensions = 1, .is_linear_memory = true), .fill = FLOATS),
    GIVES(0, TEX("1d", MINUS), .t = IMAGE(FLOAT, LINEAR, .dimensions = 1, .is_linear_memory = true),
          .fill = FLOATS),
    GIVES(UINT64_C(0x41900000) << 32 | 0x42040000,
          "tld4.r.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd9, {0f40000000, 0f40000000}]; "
          "mov.b32 %r2, %f1; mov.b32 %r3, %f3;" TWO,
          .t = IMAGE(FLOAT), .fill = FLOATS),
    GIVES(
        0x3f800000,
        "tld4.a.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd9, {0f40000000, 0f40000000}]; mov.b32 %r2, %f1;" ONE,
        .t = IMAGE(FLOAT), .fill = FLOATS),
    /* A cube: the middle of each face; texel (8, 2) of layers 0 to 5. */
    GIVES(0x42200000, CUBE(PLUS, NULL_F, NULL_F), .t = IMAGE(FLOAT, .depth = 6), .fill = FLOATS),
    GIVES(0x42d00000, CUBE(MINUS, NULL_F, NULL_F), .t = IMAGE(FLOAT, .depth = 6), .fill = FLOATS),
    GIVES(0x43280000, CUBE(NULL_F, PLUS, NULL_F), .t = IMAGE(FLOAT, .depth = 6), .fill = FLOATS),
    GIVES(0x43680000, CUBE(NULL_F, MINUS, NULL_F), .t = IMAGE(FLOAT, .depth = 6), .fill = FLOATS),
    GIVES(0x43940000, CUBE(NULL_F, NULL_F, PLUS), .t = IMAGE(FLOAT, .depth = 6), .fill = FLOATS),
    GIVES(0x43aa0000, CUBE(HALF, HALF, MINUS), .t = IMAGE(FLOAT, .depth = 6), .fill = FLOATS),
    GIVES(0x43960000, CUBE(HALF, NULL_F, PLUS), .t = IMAGE(FLOAT, .depth = 6), .fill = FLOATS),
};

TEST(filters_gathers_and_cubes)
{
	CHECK_IMAGES(filters);
}

static const struct image_row others[] = {
    GIVES(UINT64_C(4) << 32 | 16, "txq.width.b32 %r2, [%rd9]; txq.height.b32 %r3, [%rd9];" TWO, .t = IMAGE()),
    GIVES(7, "txq.depth.b32 %r2, [tr];" ONE, .t = IMAGE(.depth = 7)),
    FAULTS("0x5 is not a texture handle", "mov.u64 %rd9, 5; txq.width.b32 %r2, [%rd9];", .t = IMAGE()),
    FAULTS("the texture is not bound to memory", TEXI("2d", "0, 0"), .t = IMAGE(UNBOUND)),
    FAULTS("0x5 is not a texture handle", "mov.u64 %rd9, 5;" TEXI("2d", "0, 0"), .t = IMAGE()),
    FAULTS("the texture reaches past the end of its allocation", TEXI("2d", "0, 99"),
           .t = IMAGE(.height = 100)),
    FAULTS("the texture reaches past the end of its allocation", TEXI("2d", "1, 64"),
           .t = IMAGE(.height = 100)),
};

TEST(queries_and_handles_that_are_none)
{
	CHECK_IMAGES(others);
}

TEST(handles_are_used_again_when_they_are_free)
{
	struct snippet s = {.body = ""};
	struct fixture *f = snippet_new(&s, NULL);
	struct texture t = IMAGE();
	uint64_t first = exec_new_texture(f->exec, &t), second = exec_new_texture(f->exec, &t);
	CHECK(first && second != first);
	exec_free_texture(f->exec, first);
	exec_free_texture(f->exec, first);
	exec_free_texture(f->exec, second + 1);
	CHECK(!exec_texture(f->exec, first) && !exec_texture(f->exec, second + 1));
	CHECK(exec_texture(f->exec, second));
	CHECK(exec_new_texture(f->exec, &t) == first);
	fixture_free(f);
}

TEST(an_image_whose_memory_was_released_is_not_bound)
{
	static const struct snippet rows[] = {
	    FAULTS("is no handle of a surface", "suld.b.1d.b32.trap %r2, [u, {0}];",
	           .globals = ".global .surfref u;"),
	    FAULTS("the texture is not bound to memory", "tex.1d.v4.u32.s32 {%r2, %r3, %r4, %r5}, [u, {0}];",
	           .globals = ".global .texref u;"),
	};
	for (size_t i = 0; i < 2; i++) {
		struct fixture *f = snippet_new(&rows[i], NULL);
		CHECK(f);
		struct texture t = complete((struct texture){0}, DEVICE_WINDOW + (64 << 20));
		*exec_texture(f->exec, f->module->variable_address[ptx_find_variable(f->module->ptx, "u")]) =
		    t;
		snippet_run(f, &rows[i], 1);
		CHECK_EQ(f->status, EXEC_ILLEGAL_ADDRESS);
		CHECK(strstr(f->err.text, rows[i].fault));
		fixture_free(f);
	}
}

TEST_RUN_ALL(true)
