/*
 * mma.sync of what Hopper has no unit for and makes of others: 8-bit floats
 * (m16n8k32), and the first tensor cores' m8n8k4, four products of eight lanes.
 */
#include "matrix.h"

enum { CASES = 48 };

/* ---- 8-bit floats ---------------------------------------------------------------------------------------- */

#define EIGHT(name, ta, tb)                                                                                  \
	__global__ void name(float *d, const uint32_t *a, const uint32_t *b, const float *c)                 \
	{                                                                                                    \
		int t = blockIdx.x * 32 + threadIdx.x;                                                       \
		asm volatile("mma.sync.aligned.m16n8k32.row.col.f32." ta "." tb ".f32 {%0,%1,%2,%3}, "       \
		             "{%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"                                    \
		             : "=f"(d[4 * t]), "=f"(d[4 * t + 1]), "=f"(d[4 * t + 2]), "=f"(d[4 * t + 3])    \
		             : "r"(a[4 * t]), "r"(a[4 * t + 1]), "r"(a[4 * t + 2]), "r"(a[4 * t + 3]),       \
		               "r"(b[2 * t]), "r"(b[2 * t + 1]), "f"(c[4 * t]), "f"(c[4 * t + 1]),           \
		               "f"(c[4 * t + 2]), "f"(c[4 * t + 3]));                                        \
	}
EIGHT(e4m3_e4m3, "e4m3", "e4m3")
EIGHT(e5m2_e5m2, "e5m2", "e5m2")
EIGHT(e4m3_e5m2, "e4m3", "e5m2")

static float float_of(uint32_t bits)
{
	return check_bits_f32(bits);
}

/* Two products of 16 as in half precision, of the lower and of the upper halves of words; c last. */
static float expected_eight(const double *a, const double *b, float c, enum matrix_type ta,
                            enum matrix_type tb)
{
	double x[2][16], y[2][16];
	for (int i = 0; i < 32; i++) {
		x[i / 2 % 2][i / 4 * 2 + i % 2] = a[i];
		y[i / 2 % 2][i / 4 * 2 + i % 2] = b[i];
	}
	uint32_t part = matrix_sum(x[0], y[0], 16, 0.0, ta, tb, M_F32, M_F32);
	part = matrix_sum(x[1], y[1], 16, (double)float_of(part), ta, tb, M_F32, M_F32);
	float sum = float_of(part) + c;
	return sum != sum ? float_of(0x7fffffff) : sum;
}

typedef void eight_kernel(float *, const uint32_t *, const uint32_t *, const float *);

static void check_eight(const char *name, eight_kernel *run, enum matrix_type ta, enum matrix_type tb)
{
	static uint32_t a[CASES][32][4], b[CASES][32][2];
	static float c[CASES][32][4], want[CASES][32][4];
	static double ma[16][32], mb[8][32];
	memset(a, 0, sizeof a);
	memset(b, 0, sizeof b);
	for (int n = 0; n < CASES; n++) {
		int kind = n % 3;
		for (int i = 0; i < 16 * 32; i++) {
			uint64_t bits = matrix_random(ta, kind);
			struct matrix_place p = matrix_place_a(i / 32, i % 32, 16, ta);
			a[n][p.lane][p.reg] |= (uint32_t)bits << 8 * p.position;
			ma[i / 32][i % 32] = matrix_value(bits, ta);
		}
		for (int i = 0; i < 8 * 32; i++) {
			uint64_t bits = matrix_random(tb, kind);
			struct matrix_place p = matrix_place_b(i % 32, i / 32, tb);
			b[n][p.lane][p.reg] |= (uint32_t)bits << 8 * p.position;
			mb[i / 32][i % 32] = matrix_value(bits, tb);
		}
		for (int i = 0; i < 16 * 8; i++) {
			struct matrix_place p = matrix_place_c(i / 8, i % 8, M_F32);
			float addend = float_of((uint32_t)matrix_random(M_F32, kind));
			c[n][p.lane][p.reg] = addend;
			want[n][p.lane][p.reg] = expected_eight(ma[i / 8], mb[i % 8], addend, ta, tb);
		}
	}
	check_run(name, want, [&](float *out) {
		run<<<CASES, 32>>>(out, (uint32_t *)to_device(a), (uint32_t *)to_device(b), to_device(c));
	});
}

/* ---- m8n8k4 ---------------------------------------------------------------------------------------------- */

#define QUAD(name, la, lb)                                                                                   \
	__global__ void name(float *d, const uint32_t *a, const uint32_t *b, const float *c)                 \
	{                                                                                                    \
		int t = blockIdx.x * 32 + threadIdx.x;                                                       \
		const float *e = c + 8 * t;                                                                  \
		float *r = d + 8 * t;                                                                        \
		asm volatile("mma.sync.aligned.m8n8k4." la "." lb ".f32.f16.f16.f32 "                        \
		             "{%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9}, {%10,%11}, "                               \
		             "{%12,%13,%14,%15,%16,%17,%18,%19};"                                            \
		             : "=f"(r[0]), "=f"(r[1]), "=f"(r[2]), "=f"(r[3]), "=f"(r[4]), "=f"(r[5]),       \
		               "=f"(r[6]), "=f"(r[7])                                                        \
		             : "r"(a[2 * t]), "r"(a[2 * t + 1]), "r"(b[2 * t]), "r"(b[2 * t + 1]),           \
		               "f"(e[0]), "f"(e[1]), "f"(e[2]), "f"(e[3]), "f"(e[4]), "f"(e[5]), "f"(e[6]),  \
		               "f"(e[7]));                                                                   \
	}
QUAD(quad_row_col, "row", "col")
QUAD(quad_col_row, "col", "row")

typedef void quad_kernel(float *, const uint32_t *, const uint32_t *, const float *);

static void check_quad(const char *name, quad_kernel *run, bool turned)
{
	static uint16_t a[CASES][32][4], b[CASES][32][4];
	static float c[CASES][32][8], want[CASES][32][8];
	double ma[4][8][4], mb[4][8][4];
	for (int n = 0; n < CASES; n++) {
		for (int lane = 0; lane < 32; lane++)
			for (int i = 0; i < 4; i++) {
				int group = lane % 16 / 4, half = lane < 16 ? 0 : 4, own = lane % 4;
				a[n][lane][i] = (uint16_t)matrix_random(M_F16, n % 3);
				b[n][lane][i] = (uint16_t)matrix_random(M_F16, n % 3);
				double x = matrix_value(a[n][lane][i], M_F16),
				       y = matrix_value(b[n][lane][i], M_F16);
				ma[group][turned ? i + half : own + half][turned ? own : i] = x;
				mb[group][turned ? i + half : own + half][turned ? own : i] = y;
			}
		for (int lane = 0; lane < 32; lane++)
			for (int i = 0; i < 8; i++) {
				int row = (lane & 1) + (i & 2) + (lane < 16 ? 0 : 4),
				    col = (i & 4) + (lane & 2) + (i & 1);
				int group = lane % 16 / 4;
				c[n][lane][i] = float_of((uint32_t)matrix_random(M_F32, n % 3));
				float sum = 0; /* a chain of FFMA, then FADD */
				for (int q = 0; q < 4; q++)
					sum = fmaf((float)ma[group][row][q], (float)mb[group][col][q], sum);
				sum += c[n][lane][i];
				want[n][lane][i] = sum != sum ? float_of(0x7fffffff) : sum;
			}
	}
	check_run(name, want, [&](float *out) {
		run<<<CASES, 32>>>(out, (uint32_t *)to_device(a), (uint32_t *)to_device(b), to_device(c));
	});
}

int main(void)
{
	check_eight("e4m3_e4m3", e4m3_e4m3, M_E4M3, M_E4M3);
	check_eight("e5m2_e5m2", e5m2_e5m2, M_E5M2, M_E5M2);
	check_eight("e4m3_e5m2", e4m3_e5m2, M_E4M3, M_E5M2);
	check_quad("quad_row_col", quad_row_col, false);
	check_quad("quad_col_row", quad_col_row, true);
	return check_finish("mma_emulated");
}
