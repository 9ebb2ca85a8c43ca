/* Every shape and type of matrix products: what is computed of constant matrices, and what it takes on a GPU. */
#ifndef SLUICE_TESTS_LIB_MATRIX_FORMS_H
#define SLUICE_TESTS_LIB_MATRIX_FORMS_H

#include <stdint.h>

struct matrix_form {
	const char *text;         /* up to the operands */
	uint8_t d, a, b, c;       /* registers of a lane */
	char result, addend;      /* f single, h halves, s integer, d double precision */
	const char *left, *right; /* what every register of A and of B holds */
	double sum;               /* of the products: every row of A times every column of B */
	const char *lowered;      /* the unit's instruction on a GPU */
	uint8_t count;            /* of it */
};

#define MMA "mma.sync.aligned."
#define WMMA "wmma.mma.sync.aligned.row.col."
#define HALF_1 "0x3c003c00"
#define HALF_2 "0x40004000"
#define BF16_1 "0x3f803f80"
#define TF32_1 "0x3f800000"
#define TF32_2 "0x40000000"
#define DOUBLE_1 "0d3FF0000000000000"
#define DOUBLE_2 "0d4000000000000000"
#define BYTES_3 "0x03030303"
#define BYTES_FE "0xfefefefe"
#define BITS_24 "0xffffff00"

static const struct matrix_form matrix_forms[] = {
    {MMA "m8n8k4.row.col.f32.f16.f16.f32", 8, 2, 2, 8, 'f', 'f', HALF_1, HALF_2, 8, "HMMA.16816.F32", 1},
    {MMA "m8n8k4.col.row.f16.f16.f16.f16", 4, 2, 2, 4, 'h', 'h', HALF_1, HALF_2, 8, "HMMA.16816.F16", 1},
    {MMA "m8n8k4.row.row.f32.f16.f16.f16", 8, 2, 2, 4, 'f', 'h', HALF_1, HALF_2, 8, "HMMA.16816.F32", 1},
    {MMA "m16n8k8.row.col.f32.f16.f16.f32", 4, 2, 1, 4, 'f', 'f', HALF_1, HALF_2, 16, "HMMA.1688.F32", 1},
    {MMA "m16n8k8.row.col.f16.f16.f16.f16", 2, 2, 1, 2, 'h', 'h', HALF_1, HALF_2, 16, "HMMA.1688.F16", 1},
    {MMA "m16n8k16.row.col.f16.f16.f16.f16", 2, 4, 2, 2, 'h', 'h', HALF_1, HALF_2, 32, "HMMA.16816.F16", 1},
    {MMA "m16n8k8.row.col.f32.bf16.bf16.f32", 4, 2, 1, 4, 'f', 'f', BF16_1, HALF_2, 16, "HMMA.1688.F32.BF16",
     1},
    {MMA "m16n8k16.row.col.f32.bf16.bf16.f32", 4, 4, 2, 4, 'f', 'f', BF16_1, HALF_2, 32,
     "HMMA.16816.F32.BF16", 1},
    {MMA "m16n8k4.row.col.f32.tf32.tf32.f32", 4, 2, 1, 4, 'f', 'f', TF32_1, TF32_2, 8, "HMMA.1684.F32.TF32",
     1},
    {MMA "m16n8k8.row.col.f32.tf32.tf32.f32", 4, 4, 2, 4, 'f', 'f', TF32_1, TF32_2, 16, "HMMA.1688.F32.TF32",
     1},
    {MMA "m8n8k4.row.col.f64.f64.f64.f64", 2, 1, 1, 2, 'd', 'd', DOUBLE_1, DOUBLE_2, 8, "DMMA.884", 1},
    {MMA "m16n8k4.row.col.f64.f64.f64.f64", 4, 2, 1, 4, 'd', 'd', DOUBLE_1, DOUBLE_2, 8, "DMMA.1684", 1},
    {MMA "m16n8k8.row.col.f64.f64.f64.f64", 4, 4, 2, 4, 'd', 'd', DOUBLE_1, DOUBLE_2, 16, "DMMA.1688", 1},
    {MMA "m16n8k16.row.col.f64.f64.f64.f64", 4, 8, 4, 4, 'd', 'd', DOUBLE_1, DOUBLE_2, 32, "DMMA.16816", 1},
    {MMA "m8n8k16.row.col.s32.s8.s8.s32", 2, 1, 1, 2, 's', 's', BYTES_3, BYTES_FE, -96, "IMMA.8816.S8.S8", 1},
    {MMA "m16n8k16.row.col.s32.u8.s8.s32", 4, 2, 1, 4, 's', 's', BYTES_3, BYTES_FE, -96, "IMMA.16816.S8.S8",
     1},
    {MMA "m16n8k32.row.col.s32.u8.u8.s32", 4, 4, 2, 4, 's', 's', BYTES_3, BYTES_FE, 24384, "IMMA.16832.S8.S8",
     1},
    {MMA "m8n8k32.row.col.s32.s4.s4.s32", 2, 1, 1, 2, 's', 's', "0x33333333", "0xeeeeeeee", -192,
     "IMMA.16832.S8.S8", 1},
    {MMA "m16n8k32.row.col.s32.u4.u4.s32", 4, 2, 1, 4, 's', 's', "0x33333333", "0xeeeeeeee", 1344,
     "IMMA.16832.S8.S8", 1},
    {MMA "m16n8k64.row.col.satfinite.s32.s4.u4.s32", 4, 4, 2, 4, 's', 's', "0xdddddddd", "0xeeeeeeee", -2688,
     "IMMA.16832.S8.S8", 2},
    {MMA "m8n8k128.row.col.s32.b1.b1.s32.xor.popc", 2, 1, 1, 2, 's', 's', BITS_24, "-1", 32,
     "BMMA.88128.XOR.POPC", 1},
    {MMA "m16n8k128.row.col.s32.b1.b1.s32.and.popc", 4, 2, 1, 4, 's', 's', BITS_24, "-1", 96,
     "BMMA.168128.XOR.POPC", 1},
    {MMA "m16n8k256.row.col.s32.b1.b1.s32.xor.popc", 4, 4, 2, 4, 's', 's', BITS_24, "-1", 64,
     "BMMA.168256.XOR.POPC", 1},
    {MMA "m16n8k32.row.col.f32.e4m3.e4m3.f32", 4, 4, 2, 4, 'f', 'f', "0x38383838", "0x40404040", 64,
     "HMMA.16816.F32", 2},
    {MMA "m16n8k16.row.col.f16.e5m2.e4m3.f16", 2, 2, 1, 2, 'h', 'h', "0x3c3c3c3c", "0x40404040", 32,
     "HMMA.16816.F32", 1},
    {WMMA "m16n16k16.f32.f32", 8, 8, 8, 8, 'f', 'f', HALF_1, HALF_2, 32, "HMMA.16816.F32", 2},
    {WMMA "m32n8k16.f16.f16", 4, 8, 8, 4, 'h', 'h', HALF_1, HALF_2, 32, "HMMA.16816.F16", 2},
    {WMMA "m8n32k16.f32.f16", 8, 8, 8, 4, 'f', 'h', HALF_1, HALF_2, 32, "HMMA.16816.F32", 2},
    {WMMA "m8n32k16.f16.f32", 4, 8, 8, 8, 'h', 'f', HALF_1, HALF_2, 32, "HMMA.16816.F16", 2},
    {WMMA "m16n16k16.f32.bf16.bf16.f32", 8, 4, 4, 8, 'f', 'f', BF16_1, HALF_2, 32, "HMMA.16816.F32.BF16", 2},
    {WMMA "m16n16k8.f32.tf32.tf32.f32", 8, 4, 4, 8, 'f', 'f', TF32_1, TF32_2, 16, "HMMA.1684.F32.TF32", 4},
    {WMMA "m8n8k4.f64.f64.f64.f64", 2, 1, 1, 2, 'd', 'd', DOUBLE_1, DOUBLE_2, 8, "DMMA.884", 1},
    {WMMA "m16n16k16.s32.s8.s8.s32", 8, 2, 2, 8, 's', 's', BYTES_3, BYTES_FE, -96, "IMMA.16816.S8.S8", 2},
    {WMMA "m32n8k16.s32.u8.u8.s32", 8, 4, 1, 8, 's', 's', BYTES_3, BYTES_FE, 12192, "IMMA.16816.S8.S8", 2},
    {WMMA "m8n32k16.satfinite.s32.s8.s8.s32", 8, 1, 4, 8, 's', 's', BYTES_3, BYTES_FE, -96,
     "IMMA.16816.S8.S8", 2},
    {WMMA "m8n8k32.s32.s4.s4.s32", 2, 1, 1, 2, 's', 's', "0x33333333", "0xeeeeeeee", -192, "IMMA.16832.S8.S8",
     1},
    {"wmma.mma.and.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32", 2, 1, 1, 2, 's', 's', BITS_24, "-1", 96,
     "BMMA.88128.XOR.POPC", 1},
};

enum { MATRIX_FORMS = sizeof matrix_forms / sizeof *matrix_forms };

/* The instruction: D in PREFIX1 to 8 and so on, A, B and C each one register again and again. */
static inline void matrix_text(const struct matrix_form *m, char *text, size_t size)
{
	size_t at = (size_t)snprintf(text, size, "%s ", m->text);
	const char *d = m->result == 'd' ? "%dd" : "%dr";
	const struct {
		uint8_t count;
		const char *name;
	} lists[3] = {{m->a, m->result == 'd' ? "%ad" : "%ar"},
	              {m->b, m->result == 'd' ? "%bd" : "%br"},
	              {m->c, m->addend == 'd' ? "%cd" : "%cr"}};
	for (unsigned i = 0; i < m->d; i++)
		at += (size_t)snprintf(text + at, size - at, "%s%s%u", i ? "," : "{", d, i);
	at += (size_t)snprintf(text + at, size - at, "}");
	for (unsigned l = 0; l < 3; l++) {
		for (unsigned i = 0; i < lists[l].count; i++)
			at += (size_t)snprintf(text + at, size - at, "%s%s", i ? "," : ", {", lists[l].name);
		at += (size_t)snprintf(text + at, size - at, "}");
	}
	snprintf(text + at, size - at, ";\n");
}

#define MATRIX_REGS                                                                                          \
	".reg .b32 %dr<8>; .reg .b32 %ar; .reg .b32 %br; .reg .b32 %cr; .reg .f64 %dd<8>; .reg .f64 %ad; "   \
	".reg .f64 %bd; .reg .f64 %cd;\n"

#endif
