/* Products of every shape and type, and the matrices' ways between memory and registers. */
#include "lib/exec_snippet.h"
#include "lib/matrix_forms.h"

/* ---- all shapes ------------------------------------------------------------------------------------------ */

static const char *addend_text(char kind)
{
	switch (kind) {
	case 'f':
		return "cvt.rn.f32.u32 %f1, %r1; mov.b32 %cr, %f1;\n";
	case 'd':
		return "cvt.rn.f64.u32 %cd, %r1;\n";
	case 's':
		return "mov.b32 %cr, %r1;\n";
	default:
		return "mov.b32 %cr, 0x42004200;\n"; /* 3 */
	}
}

/* Every register of D in memory, eight bytes for each. */
static void store_text(const struct matrix_form *m, char *text, size_t size)
{
	size_t at =
	    (size_t)snprintf(text, size, "mul.wide.u32 %%rd2, %%r1, 64; add.u64 %%rd2, %%rd1, %%rd2;\n");
	for (unsigned i = 0; i < m->d; i++)
		at +=
		    (size_t)snprintf(text + at, size - at, "st.global.b%s [%%rd2+%u], %%d%c%u;\n",
		                     m->result == 'd' ? "64" : "32", 8 * i, m->result == 'd' ? 'd' : 'r', i);
}

/* Twice the half of a whole number from 1 to 2047. */
static uint32_t half_of(double v)
{
	uint32_t number = (uint32_t)v, exponent = 31 - (uint32_t)__builtin_clz(number);
	return ((exponent + 15) << 10 | (number << (10 - exponent) & 0x3ff)) * 0x10001u;
}

static uint64_t expected(const struct matrix_form *m, unsigned lane)
{
	double sum = m->sum + (m->addend == 'h' ? 3 : (double)lane);
	float single = (float)sum;
	uint32_t bits;
	uint64_t wide;
	memcpy(&bits, &single, sizeof bits);
	memcpy(&wide, &sum, sizeof wide);
	return m->result == 'd'   ? wide
	       : m->result == 's' ? (uint32_t)(int32_t)sum
	       : m->result == 'h' ? half_of(sum)
	                          : bits;
}

/* Lanes from `end` on do not take part and keep what they had. */
static bool product_is_right(const struct matrix_form *m, unsigned end)
{
	static char body[4096], insn[1024], stores[1024];
	matrix_text(m, insn, sizeof insn);
	store_text(m, stores, sizeof stores);
	snprintf(body, sizeof body, "%s%s mov.%s, %s; mov.%s, %s;\nsetp.lt.u32 %%p1, %%r1, %u;\n%s %s%s",
	         MATRIX_REGS, addend_text(m->addend), m->result == 'd' ? "f64 %ad" : "b32 %ar", m->left,
	         m->result == 'd' ? "f64 %bd" : "b32 %br", m->right, end, end < 32 ? "@%p1" : "", insn,
	         stores);
	struct snippet s = {.body = body};
	struct fixture *f = snippet_new(&s, NULL);
	if (!f)
		return false;
	snippet_run(f, &s, 32);
	bool right = f->status == EXEC_DONE;
	for (unsigned lane = 0; right && lane < 32; lane++)
		for (unsigned i = 0; i < m->d; i++) {
			uint64_t got = 0, want = lane < end ? expected(m, lane) : 0;
			memcpy(&got, device_host(DEVICE_WINDOW + 64 * lane + 8 * i),
			       m->result == 'd' ? 8 : 4);
			right &= got == want;
		}
	if (!right)
		printf("# %s: %s\n", m->text, f->err.text);
	fixture_free(f);
	return right;
}

TEST(products_of_every_shape_and_type)
{
	unsigned wrong = 0;
	for (unsigned i = 0; i < MATRIX_FORMS; i++)
		wrong += !product_is_right(&matrix_forms[i], 32);
	CHECK_EQ(wrong, 0);
}

TEST(lanes_that_do_not_take_part_keep_what_they_had)
{
	unsigned wrong = 0;
	for (unsigned i = 0; i < MATRIX_FORMS; i++)
		wrong += !product_is_right(&matrix_forms[i], 9);
	CHECK_EQ(wrong, 0);
}

/* ---- where exactness ends -------------------------------------------------------------------------------- */

#define BYTES(flags, a, b, c)                                                                                \
	"mov.u32 %r2, " a "; mov.u32 %r3, " b "; mov.u32 %r4, " c                                            \
	";\nmma.sync.aligned.m8n8k16.row.col" flags                                                          \
	".s32.s8.s8.s32 {%r5, %r6}, {%r2}, {%r3}, {%r4, %r4}; cvt.u64.u32 %rd0, %r5;"
#define DOUBLES(flags, a, b, c)                                                                              \
	"mov.f64 %d1, " a "; mov.f64 %d2, " b "; mov.f64 %d3, " c ";\nmma.sync.aligned.m8n8k4.row.col" flags \
	".f64.f64.f64.f64 {%d4, %d5}, {%d1}, {%d2}, {%d3, %d3}; mov.b64 %rd0, %d4;"
#define ONE "0d3FF0000000000000"
#define TINY "0d3C30000000000000" /* 2^-60 */

static const struct snippet exact[] = {
    GIVES(0x80000008, BYTES("", "0x01010101", "0x01010101", "0x7ffffff8")),
    GIVES(0x7fffffff, BYTES(".satfinite", "0x01010101", "0x01010101", "0x7ffffff8")),
    GIVES(0x80000000, BYTES(".satfinite", "0x01010101", "0xffffffff", "0x80000008")),
    GIVES(0, BYTES(".satfinite", "0x01010101", "0xffffffff", "16")),
    GIVES(0x3ff0000000000000, DOUBLES("", ONE, TINY, ONE)),
    GIVES(0x3ff0000000000000, DOUBLES(".rn", ONE, TINY, ONE)),
    GIVES(0x3ff0000000000004, DOUBLES(".rp", ONE, TINY, ONE)),
    GIVES(0x3ff0000000000000, DOUBLES(".rz", ONE, TINY, ONE)),
    GIVES(0x3feffffffffffffc, DOUBLES(".rz", ONE, "0dBC30000000000000", ONE)),
    GIVES(0x3feffffffffffffc, DOUBLES(".rm", ONE, "0dBC30000000000000", ONE)),
    GIVES(0x7fffffffffffffff, DOUBLES("", ONE, ONE, "0d7FF8000000000000")),
};

TEST(integers_wrap_or_saturate_and_doubles_round_as_told)
{
	CHECK_SNIPPETS(exact, 32);
}

/* ---- matrices and memory --------------------------------------------------------------------------------- */

#define FILL "shl.b32 %r3, %r1, 4; mov.u32 %r2, room; add.u32 %r3, %r3, %r2; mul.lo.u32 %r4, %r1, 0x10001;\n"
#define LIST8(r) "{" r "1," r "2," r "3," r "4," r "5," r "6," r "7," r "8}"
/* A matrix of single precision of the first 256 words from a place to a place; %rd0 is word 37 of the result. */
#define MOVED(load, from, store, to, shape, layout)                                                          \
	"shl.b32 %r3, %r1, 5; cvt.u64.u32 %rd5, %r3; add.u64 %rd6, %rd1, %rd5; mul.lo.u32 %r4, %r1, 8;\n"    \
	"st.global.v4.u32 [%rd6], {%r4, %r4, %r4, %r4}; st.global.v4.u32 [%rd6+16], {%r4, %r4, %r4, %r4};\n" \
	"add.u32 %r5, %r3, room; st.shared.v4.u32 [%r5], {%r4, %r4, %r4, %r4}; "                             \
	"st.shared.v4.u32 [%r5+16], {%r4, %r4, %r4, %r4};\n"                                                 \
	"mov.u64 %rd7, room; cvta.shared.u64 %rd7, %rd7; mov.u32 %r2, room;\n"                               \
	"wmma.load.c.sync.aligned." layout "." shape load                                                    \
	".f32 " LIST8("%f") ", [" from "];\n"                                                                \
	                    "wmma.store.d.sync.aligned." layout "." shape store ".f32 [" to                  \
	                    "], " LIST8("%f") ";\n"
#define SHARED_WORD "ld.shared.u32 %r6, [%r2+1172]; cvt.u64.u32 %rd0, %r6;"
#define GLOBAL_WORD "ld.global.u32 %r6, [%rd1+1172]; cvt.u64.u32 %rd0, %r6;"

static const struct snippet moves[] = {
    GIVES(32, MOVED(".global", "%rd1", ".global", "%rd1+1024", "m16n16k16", "row") GLOBAL_WORD),
    GIVES(32, MOVED(".shared", "%r2", ".shared", "%r2+1024", "m32n8k16", "col") SHARED_WORD),
    GIVES(32, MOVED("", "%rd7", "", "%rd7+1024", "m8n32k16", "row") SHARED_WORD),
    GIVES(32, MOVED("", "%rd1", "", "%rd1+1024", "m16n16k8", "col") GLOBAL_WORD),
    /* Doubles, and a stride of their own: element (0, 1) of a column-major matrix with 4 rows between. */
    GIVES(2, "shl.b32 %r2, %r1, 4; cvt.u64.u32 %rd5, %r2; add.u64 %rd6, %rd1, %rd5; cvt.u64.u32 %rd7, %r1;\n"
             "st.global.v2.u64 [%rd6], {%rd7, %rd7}; bar.warp.sync -1;\n"
             "wmma.load.c.sync.aligned.col.m8n8k4.global.f64 {%d1, %d2}, [%rd1], 4; mov.b64 %rd0, %d2;\n"),
    GIVES(0x3ff0000000000000,
          "mov.f64 %d1, 0d3FF0000000000000; wmma.store.d.sync.aligned.row.m8n8k4.global.f64 [%rd1], {%d1, "
          "%d1}; ld.global.u64 %rd0, [%rd1+504];"),
    /* Numbers of four bits and single bits lie packed: word i of a row-major matrix is lane i's. */
    GIVES(7, "wmma.load.a.sync.aligned.row.m8n8k32.global.s4 {%r2}, [%rd1]; cvt.u64.u32 %rd0, %r2;",
          .thread = 7),
    GIVES(19, "wmma.load.b.sync.aligned.col.m8n8k128.global.b1 {%r2}, [%rd1]; cvt.u64.u32 %rd0, %r2;",
          .thread = 19),
    GIVES(34, "wmma.load.a.sync.aligned.row.m16n16k16.global.s8 {%r2, %r3}, [%rd1]; cvt.u64.u32 %rd0, %r3;",
          .thread = 2),
    FAULTS("global load", "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 " LIST8("%r1") ", [%rd9];"),
    FAULTS("global store", "wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd9], " LIST8("%f") ";"),
    /* Rows that lanes name are stored as ldmatrix loads them, turned twice. */
    GIVES(UINT64_C(5) << 32 | 0x50005,
          FILL
          "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r3], {%r4, %r1, %r4, %r4};\n"
          "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r5, %r6, %r7, %r8}, [%r3]; mov.b64 %rd0, {%r5, %r6};",
          .thread = 5),
    GIVES(UINT64_C(6) << 32 | 0x60006,
          FILL "stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%r3], {%r4, %r1};\n"
               "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r5, %r6}, [%r3]; mov.b64 %rd0, {%r5, %r6};",
          .thread = 6),
    FAULTS("misaligned address of a 16-byte shared store",
           FILL "add.u32 %r3, %r3, 4; stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r3], {%r4};"),
};

TEST(matrices_move_between_registers_and_every_memory)
{
	CHECK_SNIPPETS(moves, 32);
}

/* With 20 threads, rows that no thread names stay as they are. */
static const struct snippet partial[] = {
    GIVES(UINT64_C(77) << 32 | 0x30003,
          FILL "st.shared.u32 [room+320], 77;\n"
               "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r3], {%r4, %r4, %r4, %r4};\n"
               "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r5, %r6, %r7, %r8}, [%r3]; "
               "ld.shared.u32 %r9, [room+320]; mov.b64 %rd0, {%r5, %r9};",
          .thread = 3),
    GIVES(0x3f800000,
          "mov.u32 %r2, room; st.shared.u32 [%r2+896], 55; mov.f32 %f1, 0f3F800000;\n"
          "wmma.store.d.sync.aligned.row.m16n16k16.shared.f32 [%r2], {%f1, %f1, %f1, %f1, %f1, %f1, %f1, "
          "%f1}; ld.shared.u32 %r4, [%r2]; ld.shared.u32 %r5, [%r2+384]; mov.b64 %rd0, {%r4, %r5};"),
};

TEST(threads_that_are_not_there_store_nothing)
{
	CHECK_SNIPPETS(partial, 20);
}

TEST_RUN_ALL(true)
