/*
 * mma.sync in all dense shapes of sm_80 to sm_90: half precision, bf16, tf32,
 * double precision, bytes, nibbles, bits. Elements lie where the PTX manual has
 * them, and sums are those of Hopper's tensor cores, to the bit.
 */
#include "matrix.h"

enum { CASES = 48 };

/* Registers of one case: [reg][lane], 64 bits each whatever the type. */
#define LOAD(T, name, list, count)                                                                           \
	T name[count];                                                                                       \
	for (int i = 0; i < count; i++)                                                                      \
	name[i] = as<T>(list[(blockIdx.x * count + i) * 32 + threadIdx.x])
template <typename T> __device__ T as(uint64_t v)
{
	return (T)v;
}
template <> __device__ inline float as<float>(uint64_t v)
{
	return __int_as_float((int)v);
}
template <> __device__ inline double as<double>(uint64_t v)
{
	return __longlong_as_double((long long)v);
}
template <typename T> __device__ uint64_t bits_of(T v)
{
	return (uint64_t)v;
}
template <> __device__ inline uint64_t bits_of<float>(float v)
{
	return (uint32_t)__float_as_int(v);
}
template <> __device__ inline uint64_t bits_of<double>(double v)
{
	return (uint64_t)__double_as_longlong(v);
}

/* S is the type of D and C, F that of A and B; letters are those of inline PTX. */
#define KERNEL(name, S, F, nd, na, nb, statement)                                                            \
	__global__ void name(uint64_t *out, const uint64_t *la, const uint64_t *lb, const uint64_t *lc)      \
	{                                                                                                    \
		LOAD(F, a, la, na);                                                                          \
		LOAD(F, b, lb, nb);                                                                          \
		LOAD(S, c, lc, nd);                                                                          \
		S d[nd];                                                                                     \
		statement;                                                                                   \
		for (int i = 0; i < nd; i++)                                                                 \
			out[(blockIdx.x * nd + i) * 32 + threadIdx.x] = bits_of<S>(d[i]);                    \
	}
#define MMA_442(name, ptx, S, s, F, f)                                                                       \
	KERNEL(name, S, F, 4, 4, 2,                                                                          \
	       asm volatile("mma.sync.aligned." ptx " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "               \
	                    "{%10,%11,%12,%13};"                                                             \
	                    : "=" s(d[0]), "=" s(d[1]), "=" s(d[2]), "=" s(d[3])                             \
	                    : f(a[0]), f(a[1]), f(a[2]), f(a[3]), f(b[0]), f(b[1]), s(c[0]), s(c[1]),        \
	                      s(c[2]), s(c[3])))
#define MMA_421(name, ptx, S, s, F, f)                                                                       \
	KERNEL(name, S, F, 4, 2, 1,                                                                          \
	       asm volatile("mma.sync.aligned." ptx " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"         \
	                    : "=" s(d[0]), "=" s(d[1]), "=" s(d[2]), "=" s(d[3])                             \
	                    : f(a[0]), f(a[1]), f(b[0]), s(c[0]), s(c[1]), s(c[2]), s(c[3])))
#define MMA_211(name, ptx, S, s, F, f)                                                                       \
	KERNEL(name, S, F, 2, 1, 1,                                                                          \
	       asm volatile("mma.sync.aligned." ptx " {%0,%1}, {%2}, {%3}, {%4,%5};"                         \
	                    : "=" s(d[0]), "=" s(d[1])                                                       \
	                    : f(a[0]), f(b[0]), s(c[0]), s(c[1])))
#define MMA_242(name, ptx)                                                                                   \
	KERNEL(name, uint32_t, uint32_t, 2, 4, 2,                                                            \
	       asm volatile("mma.sync.aligned." ptx " {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%8,%9};"             \
	                    : "=r"(d[0]), "=r"(d[1])                                                         \
	                    : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]),   \
	                      "r"(c[1])))
#define MMA_221(name, ptx)                                                                                   \
	KERNEL(name, uint32_t, uint32_t, 2, 2, 1,                                                            \
	       asm volatile("mma.sync.aligned." ptx " {%0,%1}, {%2,%3}, {%4}, {%5,%6};"                      \
	                    : "=r"(d[0]), "=r"(d[1])                                                         \
	                    : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1])))
#define MMA_484(name, ptx)                                                                                   \
	KERNEL(name, double, double, 4, 8, 4,                                                                \
	       asm volatile("mma.sync.aligned." ptx                                                          \
	                    " {%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, {%12,%13,%14,%15}, "               \
	                    "{%16,%17,%18,%19};"                                                             \
	                    : "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3])                                 \
	                    : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]),   \
	                      "d"(a[7]), "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]), "d"(c[0]), "d"(c[1]),   \
	                      "d"(c[2]), "d"(c[3])))

MMA_442(f16_k16_f32, "m16n8k16.row.col.f32.f16.f16.f32", float, "f", uint32_t, "r")
MMA_242(f16_k16_f16, "m16n8k16.row.col.f16.f16.f16.f16")
MMA_421(f16_k8_f32, "m16n8k8.row.col.f32.f16.f16.f32", float, "f", uint32_t, "r")
MMA_221(f16_k8_f16, "m16n8k8.row.col.f16.f16.f16.f16")
MMA_442(bf16_k16, "m16n8k16.row.col.f32.bf16.bf16.f32", float, "f", uint32_t, "r")
MMA_421(bf16_k8, "m16n8k8.row.col.f32.bf16.bf16.f32", float, "f", uint32_t, "r")
MMA_442(tf32_k8, "m16n8k8.row.col.f32.tf32.tf32.f32", float, "f", uint32_t, "r")
MMA_421(tf32_k4, "m16n8k4.row.col.f32.tf32.tf32.f32", float, "f", uint32_t, "r")
MMA_211(f64_8, "m8n8k4.row.col.f64.f64.f64.f64", double, "d", double, "d")
MMA_421(f64_k4, "m16n8k4.row.col.f64.f64.f64.f64", double, "d", double, "d")
MMA_442(f64_k8, "m16n8k8.row.col.f64.f64.f64.f64", double, "d", double, "d")
MMA_484(f64_k16, "m16n8k16.row.col.f64.f64.f64.f64")
MMA_442(s8_k32, "m16n8k32.row.col.s32.s8.s8.s32", int, "r", uint32_t, "r")
MMA_442(u8s8_k32_sat, "m16n8k32.row.col.satfinite.s32.u8.s8.s32", int, "r", uint32_t, "r")
MMA_421(s8u8_k16, "m16n8k16.row.col.s32.s8.u8.s32", int, "r", uint32_t, "r")
MMA_211(u8_8, "m8n8k16.row.col.s32.u8.u8.s32", int, "r", uint32_t, "r")
MMA_442(s4_k64, "m16n8k64.row.col.s32.s4.s4.s32", int, "r", uint32_t, "r")
MMA_421(u4s4_k32, "m16n8k32.row.col.s32.u4.s4.s32", int, "r", uint32_t, "r")
MMA_211(s4u4_8, "m8n8k32.row.col.satfinite.s32.s4.u4.s32", int, "r", uint32_t, "r")
MMA_442(b1_k256_xor, "m16n8k256.row.col.s32.b1.b1.s32.xor.popc", int, "r", uint32_t, "r")
MMA_421(b1_k128_and, "m16n8k128.row.col.s32.b1.b1.s32.and.popc", int, "r", uint32_t, "r")
MMA_211(b1_8_and, "m8n8k128.row.col.s32.b1.b1.s32.and.popc", int, "r", uint32_t, "r")

typedef void kernel(uint64_t *, const uint64_t *, const uint64_t *, const uint64_t *);

struct shape {
	const char *name;
	kernel *run;
	int m, k;
	enum matrix_type a, b, c;
	bool saturates, is_and;
};

static int64_t integer_of(uint64_t bits, enum matrix_type t)
{
	switch (t) {
	case M_S8:
		return (int8_t)bits;
	case M_S4:
		return (int64_t)(bits & 15 ^ 8) - 8;
	case M_S32:
		return (int32_t)bits;
	default:
		return (int64_t)bits;
	}
}

static uint64_t expected_integer(const struct shape *s, const uint64_t *a, const uint64_t *b, uint64_t c)
{
	int64_t sum = integer_of(c, M_S32);
	for (int i = 0; i < s->k; i++)
		sum += s->a != M_B1 ? integer_of(a[i], s->a) * integer_of(b[i], s->b)
		       : s->is_and  ? (int64_t)(a[i] & b[i])
		                    : (int64_t)(a[i] ^ b[i]);
	if (s->saturates)
		sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
	return (uint32_t)sum;
}

static uint64_t expected(const struct shape *s, const uint64_t *a, const uint64_t *b, uint64_t c)
{
	double x[64], y[64];
	if (s->c == M_S32)
		return expected_integer(s, a, b, c);
	for (int i = 0; i < s->k; i++) {
		x[i] = matrix_value(a[i], s->a);
		y[i] = matrix_value(b[i], s->b);
	}
	if (s->c == M_F64) {
		double sum = check_bits_f64(c);
		uint64_t bits;
		for (int i = 0; i < s->k; i++)
			sum = fma(x[i], y[i], sum);
		memcpy(&bits, &sum, sizeof bits);
		return sum != sum ? UINT64_C(0x7fffffffffffffff) : bits;
	}
	return matrix_sum(x, y, s->k, matrix_value(c, s->c), s->a, s->b, s->c, s->c);
}

static void check_shape(const struct shape *s)
{
	int e = s->a == M_F64 ? 1 : 32 / matrix_bits(s->a);
	int na = s->m * s->k / 32 / e, nb = 8 * s->k / 32 / e, nd = s->m * 8 / 32 / (s->c == M_F16 ? 2 : 1);
	size_t sa = sizeof(uint64_t) * 32 * na * CASES, sb = sizeof(uint64_t) * 32 * nb * CASES,
	       sd = sizeof(uint64_t) * 32 * nd * CASES;
	uint64_t *a = (uint64_t *)calloc(1, sa), *b = (uint64_t *)calloc(1, sb),
	         *c = (uint64_t *)calloc(1, sd), *d = (uint64_t *)calloc(1, sd);
	static uint64_t want[CASES * 128], got[CASES * 128], ma[16 * 256], mb[8 * 256];
	for (int n = 0; n < CASES; n++) {
		int kind = n % 3;
		for (int i = 0; i < s->m * s->k; i++) {
			ma[i] = matrix_random(s->a, kind);
			matrix_set(a + n * na * 32, matrix_place_a(i / s->k, i % s->k, s->m, s->a), s->a,
			           ma[i]);
		}
		for (int i = 0; i < 8 * s->k; i++) {
			mb[i] = matrix_random(s->b, kind);
			matrix_set(b + n * nb * 32, matrix_place_b(i % s->k, i / s->k, s->b), s->b, mb[i]);
		}
		for (int i = 0; i < s->m * 8; i++) {
			uint64_t bits = matrix_random(s->c, kind);
			if (s->c == M_S32 && kind == 0)
				bits = i % 2 ? INT32_MAX - i : (uint32_t)(INT32_MIN + i);
			matrix_set(c + n * nd * 32, matrix_place_c(i / 8, i % 8, s->c), s->c, bits);
			want[n * s->m * 8 + i] = expected(s, ma + i / 8 * s->k, mb + i % 8 * s->k, bits);
		}
	}
	uint64_t *out = (uint64_t *)check_zeros(sd);
	void *da = check_to_device(a, sa), *db = check_to_device(b, sb), *dc = check_to_device(c, sd);
	s->run<<<CASES, 32>>>(out, (uint64_t *)da, (uint64_t *)db, (uint64_t *)dc);
	check_from_device(d, out, sd);
	for (int n = 0; n < CASES; n++)
		for (int i = 0; i < s->m * 8; i++)
			got[n * s->m * 8 + i] =
			    matrix_get(d + n * nd * 32, matrix_place_c(i / 8, i % 8, s->c), s->c);
	/* All NaNs of double precision are one. */
	for (int i = 0; s->c == M_F64 && i < CASES * s->m * 8; i++)
		if (isnan(check_bits_f64(got[i])))
			got[i] = UINT64_C(0x7fffffffffffffff);
	check_same(s->name, got, want, sizeof *got, (size_t)CASES * s->m * 8);
	CUDA(cudaFree(da), cudaFree(db), cudaFree(dc));
	free(a);
	free(b);
	free(c);
	free(d);
}

int main(void)
{
	static const struct shape shapes[] = {
	    {"f16_k16_f32", f16_k16_f32, 16, 16, M_F16, M_F16, M_F32, false, false},
	    {"f16_k16_f16", f16_k16_f16, 16, 16, M_F16, M_F16, M_F16, false, false},
	    {"f16_k8_f32", f16_k8_f32, 16, 8, M_F16, M_F16, M_F32, false, false},
	    {"f16_k8_f16", f16_k8_f16, 16, 8, M_F16, M_F16, M_F16, false, false},
	    {"bf16_k16", bf16_k16, 16, 16, M_BF16, M_BF16, M_F32, false, false},
	    {"bf16_k8", bf16_k8, 16, 8, M_BF16, M_BF16, M_F32, false, false},
	    {"tf32_k8", tf32_k8, 16, 8, M_TF32, M_TF32, M_F32, false, false},
	    {"tf32_k4", tf32_k4, 16, 4, M_TF32, M_TF32, M_F32, false, false},
	    {"f64_8", f64_8, 8, 4, M_F64, M_F64, M_F64, false, false},
	    {"f64_k4", f64_k4, 16, 4, M_F64, M_F64, M_F64, false, false},
	    {"f64_k8", f64_k8, 16, 8, M_F64, M_F64, M_F64, false, false},
	    {"f64_k16", f64_k16, 16, 16, M_F64, M_F64, M_F64, false, false},
	    {"s8_k32", s8_k32, 16, 32, M_S8, M_S8, M_S32, false, false},
	    {"u8s8_k32_sat", u8s8_k32_sat, 16, 32, M_U8, M_S8, M_S32, true, false},
	    {"s8u8_k16", s8u8_k16, 16, 16, M_S8, M_U8, M_S32, false, false},
	    {"u8_8", u8_8, 8, 16, M_U8, M_U8, M_S32, false, false},
	    {"s4_k64", s4_k64, 16, 64, M_S4, M_S4, M_S32, false, false},
	    {"u4s4_k32", u4s4_k32, 16, 32, M_U4, M_S4, M_S32, false, false},
	    {"s4u4_8", s4u4_8, 8, 32, M_S4, M_U4, M_S32, true, false},
	    {"b1_k256_xor", b1_k256_xor, 16, 256, M_B1, M_B1, M_S32, false, false},
	    {"b1_k128_and", b1_k128_and, 16, 128, M_B1, M_B1, M_S32, false, true},
	    {"b1_8_and", b1_8_and, 8, 128, M_B1, M_B1, M_S32, false, true},
	};
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
		check_shape(&shapes[i]);
	return check_finish("mma");
}
