/* Device library functions: all are there, with the right types, and as exact as CUDA documents. */
#include <math.h>

#include "cuda/lanes/lanes.h"
#include "inputs.h"
#include "test.h"

/* ---- names and types ------------------------------------------------------------------------------------- */

struct declared {
	uint8_t result;
	const char *arguments, *outputs, *names;
};
#define NATIVE(result, ...) {PTX_TYPE_##result, __VA_ARGS__},
static const struct declared declared[] = {
#include "native.def"
};
#undef NATIVE

static bool same_width(uint8_t type, uint8_t other)
{
#define X(name, bits) [PTX_TYPE_##name] = bits,
	static const uint8_t widths[PTX_TYPE_COUNT] = {PTX_TYPES(X)};
#undef X
	return widths[type] == widths[other];
}

static uint8_t type_named(const char *name)
{
#define X(type, bits)                                                                                        \
	if (!strcmp(name, #type))                                                                            \
		return PTX_TYPE_##type;
	PTX_TYPES(X)
#undef X
	return PTX_TYPE_none;
}

static bool types_agree(const char *names, const uint8_t *types, unsigned count)
{
	char name[16];
	int used;
	unsigned i = 0;
	for (; sscanf(names, "%15s%n", name, &used) == 1; names += used, i++)
		if (i >= count || !same_width(types[i], type_named(name)))
			return false;
	return i == count;
}

TEST(every_declared_function_is_known_with_its_types)
{
	unsigned wrong = 0;
	for (unsigned i = 0; i < sizeof declared / sizeof *declared; i++) {
		const struct declared *row = &declared[i];
		char name[64];
		for (const char *names = row->names; input_next_name(&names, " ", "__nv_", name);) {
			const struct native_function *f = native_find(name);
			bool right = f && same_width(f->result, row->result) &&
			             types_agree(row->arguments, f->arg, f->arg_count) &&
			             types_agree(row->outputs, f->output, f->output_count);
			if (!right)
				printf("# %s\n", name);
			wrong += !right;
		}
	}
	CHECK_EQ(wrong, 0);
	CHECK(!native_find("__nv_no_such_function"));
}

TEST(every_function_costs_something)
{
	for (unsigned i = 0; i < sizeof declared / sizeof *declared; i++) {
		char name[64];
		for (const char *names = declared[i].names; input_next_name(&names, " ", "__nv_", name);) {
			const struct native_cost *c = &native_find(name)->cost;
			CHECK(c->integer + c->fp32 + c->fp64 + c->sfu > 0);
		}
	}
}

/* ---- accuracy ---------------------------------------------------------------------------------------------- */

/* Documented bounds, in units in the last place; ours are tighter. X(function, low, high, ulp) */
/* clang-format off */
#define ONE_ARGUMENT(X)                                                                                      \
	X(sin, -100, 100, 2)                                                                                 \
	X(cos, -100, 100, 2)                                                                                 \
	X(tan, -10, 10, 2) X(asin, -1, 1, 2) X(acos, -1, 1, 2) X(atan, -10, 10, 2) X(sinh, -20, 20, 2)       \
	    X(cosh, -20, 20, 2) X(tanh, -5, 5, 2) X(asinh, -10, 10, 2) X(acosh, 1, 100, 2)                   \
	        X(atanh, -1, 1, 2) X(exp, -80, 80, 1) X(exp2, -100, 100, 1) X(expm1, -10, 10, 1)             \
	            X(log, 0, 100, 1) X(log2, 0, 100, 1) X(log10, 0, 100, 1) X(log1p, -1, 100, 1)            \
	                X(cbrt, -100, 100, 1) X(erf, -4, 4, 2) X(erfc, -4, 9, 5) X(tgamma, 0.1, 20, 10)      \
	                    X(sqrt, 0, 100, 0)
/* clang-format on */

static double in_range(double low, double high, unsigned i)
{
	return low + (high - low) * (double)(bits_mix(i + 1) >> 11) * 0x1p-53;
}
static double ulps_f64(double got, long double want)
{
	return (double)(fabsl(got - want) / ldexpl(1, ilogbl(want == 0 ? 1 : want) - 52));
}
static double ulps_f32(float got, long double want)
{
	return (double)(fabsl(got - want) / ldexpl(1, ilogbl(want == 0 ? 1 : want) - 23));
}

static double worst_f64(const char *name, long double (*want)(long double), double low, double high)
{
	double x[LANES_MAX], r[LANES_MAX], worst = 0;
	const struct native_function *f = native_find(name);
	for (unsigned i = 0; i < INPUTS; i += LANES_MAX) {
		for (unsigned k = 0; k < LANES_MAX; k++)
			x[k] = in_range(low, high, i + k);
		f->fn(r, x, NULL, NULL, NULL, LANES_MAX);
		for (unsigned k = 0; k < LANES_MAX; k++)
			worst = fmax(worst, ulps_f64(r[k], want(x[k])));
	}
	return worst;
}

static double worst_f32(const char *name, long double (*want)(long double), double low, double high)
{
	float x[LANES_MAX], r[LANES_MAX];
	double worst = 0;
	const struct native_function *f = native_find(name);
	for (unsigned i = 0; i < INPUTS; i += LANES_MAX) {
		for (unsigned k = 0; k < LANES_MAX; k++)
			x[k] = (float)in_range(low, high, i + k);
		f->fn(r, x, NULL, NULL, NULL, LANES_MAX);
		for (unsigned k = 0; k < LANES_MAX; k++)
			worst = fmax(worst, ulps_f32(r[k], want(x[k])));
	}
	return worst;
}

TEST(double_functions_are_within_the_documented_bounds)
{
	bool ok = true;
#define X(name, low, high, bound)                                                                            \
	if (worst_f64("__nv_" #name, name##l, low, high) > bound + 0.51) {                                   \
		printf("# %s: %g ulp\n", #name, worst_f64("__nv_" #name, name##l, low, high));               \
		ok = false;                                                                                  \
	}
	ONE_ARGUMENT(X)
#undef X
	CHECK(ok);
}

TEST(float_functions_are_correctly_rounded_but_for_ties)
{
	bool ok = true;
#define X(name, low, high, bound)                                                                            \
	if (worst_f32("__nv_" #name "f", name##l, low, high) > 0.501) {                                      \
		printf("# %sf: %g ulp\n", #name, worst_f32("__nv_" #name "f", name##l, low, high));          \
		ok = false;                                                                                  \
	}
	ONE_ARGUMENT(X)
#undef X
	CHECK(ok);
}

static double call1(const char *name, double x)
{
	double in[LANES_MAX], out[LANES_MAX];
	for (unsigned i = 0; i < LANES_MAX; i++)
		in[i] = x;
	native_find(name)->fn(out, in, NULL, NULL, NULL, LANES_MAX);
	return out[LANES_MAX - 1];
}

/* An inverse is off by e if the function's value is off by e times its slope. */
TEST(inverse_error_functions_invert)
{
	const long double slope = 1.128379167095512573896L;
	for (unsigned i = 0; i < INPUTS; i++) {
		double x = in_range(-1, 1, i), y = call1("__nv_erfinv", x);
		long double off = (erfl(y) - x) / (slope * expl(-(long double)y * y));
		CHECK(fabsl(off) <= 1.5L * ldexpl(1, ilogb(y) - 52));
		double q = exp2(-in_range(0, 1000, i)), z = call1("__nv_erfcinv", q);
		off = (erfcl(z) - q) / (slope * expl(-(long double)z * z));
		CHECK(fabsl(off) <= 1.5L * ldexpl(1, ilogb(z) - 52));
	}
	CHECK(isinf(call1("__nv_erfinv", 1)) && isnan(call1("__nv_erfinv", 1.5)));
	CHECK(call1("__nv_erfcinv", 2) == -INFINITY && call1("__nv_erfcinv", 1) == 0);
	CHECK(call1("__nv_normcdfinv", 0.5) == 0 && call1("__nv_normcdf", 0) == 0.5);
	CHECK(fabs(call1("__nv_normcdfinv", 0.975) - 1.959963984540054) < 1e-15);
}

TEST(functions_that_no_library_has_give_published_values)
{
	CHECK(fabs(call1("__nv_cyl_bessel_i0", 1) - 1.2660658777520084) < 3e-16);
	CHECK(fabs(call1("__nv_cyl_bessel_i1", 1) - 0.5651591039924850) < 2e-16);
	CHECK(fabs(call1("__nv_cyl_bessel_i0", 40) / 14894774793419899.92 - 1) < 4e-16);
	CHECK(fabs(call1("__nv_erfcx", 1) - 0.4275835761558070) < 2e-16);
	CHECK(fabs(call1("__nv_erfcx", 100) - 0.005641613782989433) < 2e-18);
	CHECK(call1("__nv_sinpi", 1.5) == -1 && call1("__nv_cospi", 1e15) == 1 &&
	      call1("__nv_cospi", 0.5) == 0);
	CHECK(call1("__nv_rsqrt", 4) == 0.5 && call1("__nv_rcbrt", 27) == 1.0 / 3);
}

/* ---- outputs, roundings, conversions ------------------------------------------------------------------------ */

TEST(outputs_lie_where_they_are_promised)
{
	double x[LANES_MAX], first[LANES_MAX], second[LANES_MAX];
	int32_t exponent[LANES_MAX];
	for (unsigned i = 0; i < LANES_MAX; i++)
		x[i] = 0.75 * i;
	native_find("__nv_sincos")->fn(first, x, NULL, NULL, second, LANES_MAX);
	CHECK(first[5] == sin(3.75) && second[5] == cos(3.75));
	native_find("__nv_modf")->fn(first, x, NULL, NULL, second, LANES_MAX);
	CHECK(first[5] == 0.75 && second[5] == 3);
	native_find("__nv_frexp")->fn(first, x, NULL, NULL, exponent, LANES_MAX);
	CHECK(first[5] == 3.75 / 4 && exponent[5] == 2);
}

TEST(rounded_arithmetic_equals_the_instructions)
{
	static float x[INPUTS], y[INPUTS], z[INPUTS];
	static const struct {
		const char *name;
		uint16_t op;
		uint8_t round;
	} pairs[] = {{"__nv_fadd_rz", PTX_add, PTX_ROUND_rz},      {"__nv_fmul_ru", PTX_mul, PTX_ROUND_rp},
	             {"__nv_fdiv_rd", PTX_div, PTX_ROUND_rm},      {"__nv_fmaf_rd", PTX_fma, PTX_ROUND_rm},
	             {"__nv_fmaf_ieee_ru", PTX_fma, PTX_ROUND_rp}, {"__nv_fsub_rn", PTX_sub, PTX_ROUND_rn}};
	input_fill("f32", 0, x);
	input_fill("f32", 1, y);
	input_fill("f32", 2, z);
	for (unsigned p = 0; p < sizeof pairs / sizeof *pairs; p++) {
		struct ptx_insn insn = {
		    .op = pairs[p].op, .type = PTX_TYPE_f32, .type2 = PTX_TYPE_f32, .round = pairs[p].round};
		lane_fn *fn = lane_function(&insn, NULL);
		for (unsigned i = 0; i < INPUTS; i += LANES_MAX) {
			float got[LANES_MAX], want[LANES_MAX];
			native_find(pairs[p].name)->fn(got, x + i, y + i, z + i, NULL, LANES_MAX);
			fn(want, x + i, y + i, z + i, NULL, LANES_MAX);
			CHECK(!memcmp(got, want, sizeof got));
		}
	}
}

TEST(conversions_clamp_and_round)
{
	float x[LANES_MAX];
	int32_t r[LANES_MAX];
	int64_t wide[LANES_MAX];
	static const float values[] = {2.5f, -2.5f, 3e9f, -3e9f, NAN, 1e20f, -1e20f, 0.49f};
	for (unsigned i = 0; i < LANES_MAX; i++)
		x[i] = values[i % 8];
	native_find("__nv_float2int_rn")->fn(r, x, NULL, NULL, NULL, LANES_MAX);
	CHECK(r[0] == 2 && r[1] == -2 && r[2] == INT32_MAX && r[3] == INT32_MIN && r[4] == 0);
	native_find("__nv_float2int_ru")->fn(r, x, NULL, NULL, NULL, LANES_MAX);
	CHECK(r[0] == 3 && r[1] == -2 && r[7] == 1);
	native_find("__nv_float2ll_rz")->fn(wide, x, NULL, NULL, NULL, LANES_MAX);
	CHECK(wide[2] == 3000000000 && wide[4] == INT64_MIN && wide[5] == INT64_MAX && wide[6] == INT64_MIN);
}

TEST_RUN_ALL(true)
