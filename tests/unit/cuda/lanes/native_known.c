/* Device library functions at values whose results are known, and at those where functions end. */
#include <math.h>

#include "cuda/lanes/lanes.h"
#include "inputs.h"
#include "test.h"

#define NATIVE(result, arguments, outputs, ...) __VA_ARGS__,
static const char *const all[] = {
#include "native.def"
};
#undef NATIVE

static unsigned bytes_of(uint8_t type)
{
	unsigned bytes = ptx_type_bytes((enum ptx_type)type);
	return type == PTX_TYPE_pred ? 4 : bytes < 2 ? 2 : bytes;
}

/* ---- lanes are alone ------------------------------------------------------------------------------------- */

struct called {
	unsigned char dst[LANES_MAX * 8], d[LANES_MAX * 8];
};

static void call(const struct native_function *f, unsigned char (*in)[LANES_MAX * 8], struct called *r,
                 unsigned lanes)
{
	memset(r, 0, sizeof *r);
	f->fn(r->dst, in[0], in[1], in[2], f->arg_count > 3 ? in[3] : r->d, lanes);
}

static bool is_bessel(const struct native_function *f)
{
	return strstr(f->name, "__nv_jn") || strstr(f->name, "__nv_yn");
}

static void edges(const struct native_function *f, unsigned char (*in)[LANES_MAX * 8], bool backwards)
{
	for (unsigned a = 0; a < 4; a++)
		for (unsigned i = 0; i < LANES_MAX; i++) {
			unsigned from = (backwards ? LANES_MAX - 1 - i : i) * (a + 1) + a, bytes = 4;
			const uint64_t *values = edges_f32;
			if (a < f->arg_count)
				bytes = bytes_of(f->arg[a]);
			if (bytes == 8)
				values = edges_f64;
			/* Orders of Bessel functions take as long as they are large. */
			uint64_t order = from % 9, value = is_bessel(f) && a == 0 ? order : values[from % 36];
			memcpy(in[a] + (size_t)i * bytes, &value, bytes);
		}
}

/* What a lane gets is told by its own arguments, wherever it is and whatever its neighbors are. */
static bool is_alone(const struct native_function *f)
{
	static unsigned char in[4][LANES_MAX * 8];
	static struct called forwards, backwards, half;
	unsigned first = bytes_of(f->result == PTX_TYPE_none ? f->output[0] : f->result);
	unsigned second = f->output_count ? bytes_of(f->output[f->output_count - 1]) : 0;
	edges(f, in, false);
	call(f, in, &forwards, LANES_MAX);
	call(f, in, &half, LANES_MAX / 2);
	edges(f, in, true);
	call(f, in, &backwards, LANES_MAX);
	for (unsigned i = 0; i < LANES_MAX; i++) {
		unsigned other = LANES_MAX - 1 - i;
		if (memcmp(forwards.dst + (size_t)i * first, backwards.dst + (size_t)other * first, first) ||
		    memcmp(forwards.d + (size_t)i * second, backwards.d + (size_t)other * second, second))
			return false;
	}
	return !memcmp(forwards.dst, half.dst, (size_t)LANES_MAX / 2 * first) &&
	       !memcmp(forwards.d, half.d, (size_t)LANES_MAX / 2 * second);
}

TEST(what_a_lane_gets_does_not_depend_on_its_neighbours)
{
	unsigned wrong = 0;
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		char name[64];
		for (const char *names = all[i]; input_next_name(&names, " ", "__nv_", name);)
			if (!is_alone(native_find(name))) {
				printf("# %s\n", name);
				wrong++;
			}
	}
	CHECK_EQ(wrong, 0);
}

/* ---- known values ---------------------------------------------------------------------------------------- */

struct known_double {
	const char *name;
	double x, y, z, w, want;
};

static const struct known_double doubles[] = {
    {"__nv_erfinv", 0, 0, 0, 0, 0},
    {"__nv_erfinv", -1, 0, 0, 0, -INFINITY},
    {"__nv_erfcinv", -1, 0, 0, 0, NAN},
    {"__nv_erfcinv", 3, 0, 0, 0, NAN},
    {"__nv_erfcinv", 0, 0, 0, 0, INFINITY},
    {"__nv_erfcx", -30, 0, 0, 0, INFINITY},
    {"__nv_erfcx", 0, 0, 0, 0, 1},
    {"__nv_cyl_bessel_i0", -INFINITY, 0, 0, 0, INFINITY},
    {"__nv_cyl_bessel_i0", 0, 0, 0, 0, 1},
    {"__nv_cyl_bessel_i1", -INFINITY, 0, 0, 0, -INFINITY},
    {"__nv_cyl_bessel_i1", NAN, 0, 0, 0, NAN},
    {"__nv_cyl_bessel_i1", 0, 0, 0, 0, 0},
    {"__nv_sinpi", INFINITY, 0, 0, 0, NAN},
    {"__nv_sinpi", 7, 0, 0, 0, 0},
    {"__nv_sinpi", 0.5, 0, 0, 0, 1},
    {"__nv_sinpi", 1.25, 0, 0, 0, -0.70710678118654752440},
    {"__nv_cospi", -INFINITY, 0, 0, 0, NAN},
    {"__nv_cospi", 0, 0, 0, 0, 1},
    {"__nv_cospi", 1, 0, 0, 0, -1},
    {"__nv_cospi", 1.0 / 3, 0, 0, 0, 0.5},
    {"__nv_fmax", NAN, 1, 0, 0, 1},
    {"__nv_fmax", 1, NAN, 0, 0, 1},
    {"__nv_fmax", -0.0, 0, 0, 0, 0},
    {"__nv_fmax", 0, -0.0, 0, 0, 0},
    {"__nv_fmax", 1, 2, 0, 0, 2},
    {"__nv_fmax", 2, 1, 0, 0, 2},
    {"__nv_fmin", NAN, 1, 0, 0, 1},
    {"__nv_fmin", 1, NAN, 0, 0, 1},
    {"__nv_fmin", -0.0, 0, 0, 0, -0.0},
    {"__nv_fmin", 0, -0.0, 0, 0, -0.0},
    {"__nv_fmin", 1, 2, 0, 0, 1},
    {"__nv_fmin", 2, 1, 0, 0, 1},
    {"__nv_fdim", 3, 1, 0, 0, 2},
    {"__nv_fdim", 1, 3, 0, 0, 0},
    {"__nv_copysign", 3, -1, 0, 0, -3},
    {"__nv_hypot", 3, 4, 0, 0, 5},
    {"__nv_fmod", 7, 4, 0, 0, 3},
    {"__nv_remainder", 7, 4, 0, 0, -1},
    {"__nv_pow", 2, 10, 0, 0, 1024},
    {"__nv_nextafter", 1, 2, 0, 0, 1 + 0x1p-52},
    {"__nv_fma", 2, 3, 4, 0, 10},
    {"__nv_norm3d", 2, 3, 6, 0, 7},
    {"__nv_norm3d", NAN, -INFINITY, 0, 0, INFINITY},
    {"__nv_norm4d", 1, 1, 1, 1, 2},
    {"__nv_norm4d", INFINITY, 0, 0, NAN, INFINITY},
    {"__nv_norm4d", 0, 0, INFINITY, 0, INFINITY},
    {"__nv_norm4d", 0, 0, 0, -INFINITY, INFINITY},
    {"__nv_rnorm4d", 1, 1, 1, 1, 0.5},
    {"__nv_rnorm3d", 2, 3, 6, 0, 1.0 / 7},
    {"__nv_nearbyint", 2.5, 0, 0, 0, 2},
    {"__nv_round", 2.5, 0, 0, 0, 3},
    {"__nv_sqrt", -1, 0, 0, 0, NAN},
};

static bool same(double got, double want)
{
	if (isnan(want))
		return isnan(got);
	return got == want ? signbit(got) == signbit(want) : fabs(got - want) <= 2e-16;
}

/* Of double precision, and of single if there is a function "f" of the name. */
static bool double_is_right(const struct known_double *k)
{
	double in[4][LANES_MAX], out[LANES_MAX];
	float small[4][LANES_MAX], result[LANES_MAX];
	char name[64];
	for (unsigned i = 0; i < LANES_MAX; i++)
		for (unsigned a = 0; a < 4; a++)
			small[a][i] = (float)(in[a][i] = a == 0   ? k->x
			                                 : a == 1 ? k->y
			                                 : a == 2 ? k->z
			                                          : k->w);
	native_find(k->name)->fn(out, in[0], in[1], in[2], in[3], LANES_MAX);
	snprintf(name, sizeof name, "%sf", k->name);
	native_find(name)->fn(result, small[0], small[1], small[2], small[3], LANES_MAX);
	bool is_exact = (double)(float)k->want == k->want && (double)(float)k->x == k->x;
	if (is_exact && !same((double)result[9], k->want)) {
		printf("# %s(%g, %g) is %g\n", name, k->x, k->y, (double)result[9]);
		return false;
	}
	if (!same(out[9], k->want))
		printf("# %s(%g, %g) is %.17g, expected %.17g\n", k->name, k->x, k->y, out[9], k->want);
	return same(out[9], k->want);
}

TEST(functions_of_floats_end_where_they_should)
{
	unsigned wrong = 0;
	for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++)
		wrong += !double_is_right(&doubles[i]);
	CHECK_EQ(wrong, 0);
}

struct known_bits {
	const char *name;
	uint64_t x, y, z, want;
};

#define LOW32 0xffffffffu
static const struct known_bits bits[] = {
    {"__nv_abs", 0xfffffffb, 0, 0, 5},
    {"__nv_abs", 5, 0, 0, 5},
    {"__nv_llabs", UINT64_MAX, 0, 0, 1},
    {"__nv_brev", 1, 0, 0, 0x80000000},
    {"__nv_brevll", 2, 0, 0, UINT64_C(1) << 62},
    {"__nv_clz", 0, 0, 0, 32},
    {"__nv_clz", 1, 0, 0, 31},
    {"__nv_clzll", 0, 0, 0, 64},
    {"__nv_ffs", 8, 0, 0, 4},
    {"__nv_ffsll", 0, 0, 0, 0},
    {"__nv_popc", LOW32, 0, 0, 32},
    {"__nv_popcll", UINT64_MAX, 0, 0, 64},
    {"__nv_hadd", LOW32, 4, 0, 1},
    {"__nv_rhadd", LOW32, 4, 0, 2},
    {"__nv_uhadd", LOW32, 1, 0, 0x80000000},
    {"__nv_urhadd", LOW32, 2, 0, 0x80000001},
    {"__nv_max", LOW32, 4, 0, 4},
    {"__nv_umax", LOW32, 4, 0, LOW32},
    {"__nv_llmin", UINT64_MAX, 4, 0, UINT64_MAX},
    {"__nv_ullmin", UINT64_MAX, 4, 0, 4},
    {"__nv_mul24", 0xffffff, 2, 0, 0xfffffffe},
    {"__nv_umul24", 0xffffff, 2, 0, 0x1fffffe},
    {"__nv_mulhi", LOW32, 2, 0, LOW32},
    {"__nv_umulhi", LOW32, 2, 0, 1},
    {"__nv_mul64hi", UINT64_MAX, 2, 0, UINT64_MAX},
    {"__nv_umul64hi", UINT64_MAX, 2, 0, 1},
    {"__nv_byte_perm", 0x33221100, 0x77665544, 0x7150, 0x77115500},
    {"__nv_sad", LOW32, 4, 10, 15},
    {"__nv_sad", 4, LOW32, 10, 15},
    {"__nv_usad", 9, 4, 10, 15},
    {"__nv_hiloint2double", 0x3ff00000, 7, 0, UINT64_C(0x3ff0000000000007)},
    {"__nv_double2hiint", UINT64_C(0x3ff0000000000007), 0, 0, 0x3ff00000},
    {"__nv_float_as_int", 0x3f800000, 0, 0, 0x3f800000},
    {"__nv_half2float", 0x7e01, 0, 0, 0x7fffffff},
    {"__nv_float2half_rn", 0x3f800000, 0, 0, 0x3c00},
    {"__nv_finitef", 0x7f800000, 0, 0, 0},
    {"__nv_finitef", 0x3f800000, 0, 0, 1},
    {"__nv_isinff", 0xff800000, 0, 0, 1},
    {"__nv_isnanf", 0x7fc00000, 0, 0, 1},
    {"__nv_signbitf", 0x80000000, 0, 0, 1},
    {"__nv_ilogbf", 0x41000000, 0, 0, 3},
    {"__nv_signbitd", UINT64_C(1) << 63, 0, 0, 1},
    {"__nv_isnand", UINT64_C(0x7ff8000000000000), 0, 0, 1},
    {"__nv_saturatef", 0x40000000, 0, 0, 0x3f800000},
    {"__nv_fast_fdividef", 0x40800000, 0x40000000, 0, 0x40000000},
    {"__nv_fast_fdividef", 0x40800000, 0x7f000000, 0, 0},
    {"__nv_fast_fdividef", 0x7f800000, 0x7f000000, 0, 0x7fffffff},
    {"__nv_fast_fdividef", 0x40800000, 0x7f800000, 0, 0},
    {"__nv_fast_powf", 0x40000000, 0x40400000, 0, 0x41000000},
    {"__nv_powif", 0x40000000, 3, 0, 0x41000000},
    {"__nv_ldexpf", 0x3f800000, 3, 0, 0x41000000},
    {"__nv_jnf", 0, 0, 0, 0x3f800000},
    {"__nv_int2float_rz", 0x1000001, 0, 0, 0x4b800000},
    {"__nv_int2float_ru", 0x1000001, 0, 0, 0x4b800001},
    {"__nv_double2float_rd", UINT64_C(0x3ff0000010000000), 0, 0, 0x3f800000},
    {"__nv_fsqrt_ru", 0x40000000, 0, 0, 0x3fb504f4},
    {"__nv_frcp_rd", 0x40400000, 0, 0, 0x3eaaaaaa},
    {"__nv_drcp_ru", UINT64_C(0x4008000000000000), 0, 0, UINT64_C(0x3fd5555555555556)},
    {"__nv_dsqrt_rd", UINT64_C(0x4000000000000000), 0, 0, UINT64_C(0x3ff6a09e667f3bcc)},
    {"__nv_dadd_rn", UINT64_C(0x7ff4000000000000), 0, 0, UINT64_C(0x7ffc000000000000)},
    {"__nv_dadd_rn", 0, UINT64_C(0x7ff4000000000000), 0, UINT64_C(0x7ffc000000000000)},
};

static bool bits_are_right(const struct known_bits *k)
{
	const struct native_function *f = native_find(k->name);
	static unsigned char in[3][LANES_MAX * 8], out[LANES_MAX * 8], d[LANES_MAX * 8];
	const uint64_t values[3] = {k->x, k->y, k->z};
	uint64_t got = 0;
	if (!f) {
		printf("# there is no %s\n", k->name);
		return false;
	}
	unsigned result = bytes_of(f->result);
	for (unsigned a = 0; a < f->arg_count && a < 3; a++)
		for (unsigned i = 0; i < LANES_MAX; i++)
			memcpy(in[a] + (size_t)i * bytes_of(f->arg[a]), &values[a], bytes_of(f->arg[a]));
	f->fn(out, in[0], in[1], in[2], d, LANES_MAX);
	memcpy(&got, out + (size_t)33 * result, result);
	if (got != k->want)
		printf("# %s is 0x%llx, expected 0x%llx\n", k->name, (unsigned long long)got,
		       (unsigned long long)k->want);
	return got == k->want;
}

TEST(functions_of_bits_give_known_values)
{
	unsigned wrong = 0;
	for (size_t i = 0; i < sizeof bits / sizeof *bits; i++)
		wrong += !bits_are_right(&bits[i]);
	CHECK_EQ(wrong, 0);
}

/* ---- outputs --------------------------------------------------------------------------------------------- */

TEST(second_results_of_single_precision)
{
	float x[LANES_MAX], y[LANES_MAX], first[LANES_MAX], second[LANES_MAX];
	int32_t number[LANES_MAX];
	for (unsigned i = 0; i < LANES_MAX; i++) {
		x[i] = i == 7 ? INFINITY : 0.75f * (float)i;
		y[i] = 2;
	}
	native_find("__nv_sincospif")->fn(first, x, NULL, NULL, second, LANES_MAX);
	CHECK(first[2] == -1 && second[2] == 0 && isnan(first[7]));
	native_find("__nv_modff")->fn(first, x, NULL, NULL, second, LANES_MAX);
	CHECK(first[5] == 0.75f && second[5] == 3);
	native_find("__nv_frexpf")->fn(first, x, NULL, NULL, number, LANES_MAX);
	CHECK(first[5] == 3.75f / 4 && number[5] == 2 && number[7] == 0);
	native_find("__nv_remquof")->fn(first, x, y, NULL, number, LANES_MAX);
	CHECK(first[5] == -0.25f && (number[5] & 7) == 2);
}

TEST_RUN_ALL(true)
