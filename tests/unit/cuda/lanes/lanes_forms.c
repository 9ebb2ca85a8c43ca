/*
 * What a GPU's results do not show: carries through several words, registers wider
 * than the values in them, opposite predicates, halves in pairs, and operations
 * that PTX leaves open but which must not trap.
 */
#include "cuda/lanes/lanes.h"
#include "inputs.h"
#include "test.h"

#define INSN(operation, t, ...)                                                                              \
	(struct ptx_insn)                                                                                    \
	{                                                                                                    \
		.op = PTX_##operation, .type = PTX_TYPE_##t, .type2 = PTX_TYPE_##t, __VA_ARGS__              \
	}

static struct lane_shape shape_of(unsigned result, unsigned source)
{
	uint8_t s = (uint8_t)source;
	return (struct lane_shape){(uint8_t)result, {s, s, s, s}};
}

static lane_fn *find(struct ptx_insn insn, unsigned bytes)
{
	struct lane_shape shape = shape_of(bytes, bytes);
	return lane_function(&insn, &shape);
}

/* ---- carries -------------------------------------------------------------------------------------------- */

static uint64_t words(const uint32_t *low, const uint32_t *high, unsigned i)
{
	return (uint64_t)high[i] << 32 | low[i];
}

struct pair {
	uint32_t low[LANES_MAX], high[LANES_MAX];
};

static void fill_pair(struct pair *p, unsigned seed)
{
	for (unsigned i = 0; i < LANES_MAX; i++) {
		p->low[i] = (uint32_t)edges_i32[(i * 7 + seed) % 38];
		p->high[i] = (uint32_t)edges_i32[(i * 11 + seed * 3) % 38];
	}
}

TEST(a_carry_joins_two_words_of_a_sum)
{
	lane_fn *low = find(INSN(add, u32, .flags = PTX_FLAG_CC), 4), *high = find(INSN(addc, u32), 4);
	CHECK(low && high);
	for (unsigned seed = 0; seed < 38; seed++) {
		struct pair x, y, sum;
		uint32_t carry[LANES_MAX];
		fill_pair(&x, seed);
		fill_pair(&y, seed * 5 + 1);
		low(sum.low, x.low, y.low, NULL, carry, LANES_MAX);
		high(sum.high, x.high, y.high, NULL, carry, LANES_MAX);
		for (unsigned i = 0; i < LANES_MAX; i++)
			CHECK_EQ(words(sum.low, sum.high, i),
			         words(x.low, x.high, i) + words(y.low, y.high, i));
	}
}

TEST(a_borrow_joins_two_words_of_a_difference)
{
	lane_fn *low = find(INSN(sub, s32, .flags = PTX_FLAG_CC), 4);
	lane_fn *high = find(INSN(subc, s32, .flags = PTX_FLAG_CC), 4);
	CHECK(low && high);
	for (unsigned seed = 0; seed < 38; seed++) {
		struct pair x, y, rest;
		uint32_t borrow[LANES_MAX];
		fill_pair(&x, seed);
		fill_pair(&y, seed * 5 + 1);
		low(rest.low, x.low, y.low, NULL, borrow, LANES_MAX);
		high(rest.high, x.high, y.high, NULL, borrow, LANES_MAX);
		for (unsigned i = 0; i < LANES_MAX; i++) {
			uint64_t p = words(x.low, x.high, i), q = words(y.low, y.high, i);
			CHECK_EQ(words(rest.low, rest.high, i), p - q);
			CHECK_EQ(borrow[i], p < q);
		}
	}
}

TEST(mad_with_carry_multiplies_64_bits_by_32)
{
	lane_fn *low = find(INSN(mad, u32, .mode = PTX_MODE_lo, .flags = PTX_FLAG_CC), 4);
	lane_fn *high = find(INSN(madc, u32, .mode = PTX_MODE_hi), 4);
	CHECK(low && high);
	for (unsigned seed = 0; seed < 38; seed++) {
		struct pair x, z, result;
		uint32_t carry[LANES_MAX];
		fill_pair(&x, seed);
		fill_pair(&z, seed * 5 + 1);
		low(result.low, x.low, x.high, z.low, carry, LANES_MAX);
		high(result.high, x.low, x.high, z.high, carry, LANES_MAX);
		for (unsigned i = 0; i < LANES_MAX; i++)
			CHECK_EQ(words(result.low, result.high, i),
			         (uint64_t)x.low[i] * x.high[i] + words(z.low, z.high, i));
	}
}

TEST(carries_of_64_bits)
{
	lane_fn *add = find(INSN(add, u64, .flags = PTX_FLAG_CC), 8);
	lane_fn *madc = find(INSN(madc, s64, .mode = PTX_MODE_lo, .flags = PTX_FLAG_CC), 8);
	CHECK(add && madc);
	for (unsigned seed = 0; seed < 38; seed++) {
		uint64_t x[LANES_MAX], y[LANES_MAX], sum[LANES_MAX];
		uint32_t carry[LANES_MAX];
		for (unsigned i = 0; i < LANES_MAX; i++) {
			x[i] = edges_i64[(i + seed) % 38];
			y[i] = edges_i64[(i * 5 + seed * 3) % 38];
		}
		add(sum, x, y, NULL, carry, LANES_MAX);
		for (unsigned i = 0; i < LANES_MAX; i++) {
			CHECK_EQ(sum[i], x[i] + y[i]);
			CHECK_EQ(carry[i], sum[i] < x[i]);
		}
		madc(sum, x, y, y, carry, LANES_MAX);
		for (unsigned i = 0; i < LANES_MAX; i++)
			CHECK_EQ(sum[i], x[i] * y[i] + y[i] + (x[i] + y[i] < x[i]));
	}
}

TEST(only_these_use_the_carry)
{
	struct ptx_insn add = INSN(add, u32), add_cc = INSN(add, u32, .flags = PTX_FLAG_CC),
	                addc = INSN(addc, u32);
	CHECK(!lane_writes_carry(&add) && !lane_reads_carry(&add));
	CHECK(lane_writes_carry(&add_cc) && !lane_reads_carry(&add_cc));
	CHECK(!lane_writes_carry(&addc) && lane_reads_carry(&addc));
}

/* ---- registers that are wider ---------------------------------------------------------------------------- */

/* cvt.to.from with registers of these sizes, of one value. */
static uint64_t convert(uint8_t to, uint8_t from, unsigned result, unsigned source, uint64_t value)
{
	struct ptx_insn insn = {.op = PTX_cvt, .type = to, .type2 = from};
	bool is_float = to >= PTX_TYPE_f16 && to <= PTX_TYPE_f64;
	if (is_float != (from >= PTX_TYPE_f16 && from <= PTX_TYPE_f64))
		insn.round = is_float ? PTX_ROUND_rn : PTX_ROUND_rzi;
	struct lane_shape shape = shape_of(result, source);
	unsigned char in[LANES_MAX * 8] = {0}, out[LANES_MAX * 8] = {0};
	for (unsigned i = 0; i < LANES_MAX; i++)
		memcpy(in + (size_t)i * source, &value, source);
	lane_fn *fn = lane_function(&insn, &shape);
	uint64_t got = 0;
	if (!fn)
		return 0xbadbadbad;
	fn(out, in, NULL, NULL, NULL, LANES_MAX);
	memcpy(&got, out + (size_t)(LANES_MAX - 1) * result, result);
	return got;
}

TEST(a_source_is_cut_to_its_type_and_a_result_extended_by_its_own)
{
	CHECK_EQ(convert(PTX_TYPE_u32, PTX_TYPE_u8, 4, 4, 0x12345685), 0x85);
	CHECK_EQ(convert(PTX_TYPE_s32, PTX_TYPE_s8, 4, 4, 0x12345685), 0xffffff85);
	CHECK_EQ(convert(PTX_TYPE_s64, PTX_TYPE_s16, 8, 4, 0x12348765), 0xffffffffffff8765);
	CHECK_EQ(convert(PTX_TYPE_u8, PTX_TYPE_u32, 2, 4, 0x12345685), 0x85);
	CHECK_EQ(convert(PTX_TYPE_s8, PTX_TYPE_u32, 4, 4, 0x12345685), 0xffffff85);
	CHECK_EQ(convert(PTX_TYPE_u16, PTX_TYPE_s8, 4, 2, 0x85), 0xff85);
	CHECK_EQ(convert(PTX_TYPE_u32, PTX_TYPE_s8, 8, 2, 0x85), 0xffffff85);
	CHECK_EQ(convert(PTX_TYPE_u64, PTX_TYPE_u32, 8, 8, 0x1234567887654321), 0x87654321);
	CHECK_EQ(convert(PTX_TYPE_f32, PTX_TYPE_s8, 4, 4, 0x12345685), 0xc2f60000); /* -123 */
	CHECK_EQ(convert(PTX_TYPE_s8, PTX_TYPE_f32, 4, 4, 0xc2f60000), 0xffffff85);
	CHECK_EQ(convert(PTX_TYPE_u8, PTX_TYPE_f32, 4, 4, 0x447a0000), 0xff); /* 1000 */
}

TEST(saturation_clamps_between_all_integer_types)
{
	static const uint8_t types[] = {PTX_TYPE_u8,  PTX_TYPE_s8,  PTX_TYPE_u16, PTX_TYPE_s16,
	                                PTX_TYPE_u32, PTX_TYPE_s32, PTX_TYPE_u64, PTX_TYPE_s64};
	static const __int128 low[] = {0, INT8_MIN, 0, INT16_MIN, 0, INT32_MIN, 0, INT64_MIN};
	static const __int128 high[] = {UINT8_MAX,  INT8_MAX,  UINT16_MAX, INT16_MAX,
	                                UINT32_MAX, INT32_MAX, UINT64_MAX, INT64_MAX};
	for (unsigned to = 0; to < 8; to++)
		for (unsigned from = 0; from < 8; from++)
			for (unsigned i = 0; i < 38; i++) {
				struct ptx_insn insn = {.op = PTX_cvt,
				                        .type = types[to],
				                        .type2 = types[from],
				                        .flags = PTX_FLAG_SAT};
				struct lane_shape shape = shape_of(8, 8);
				uint64_t in[LANES_MAX], out[LANES_MAX];
				__int128 value = from == 7 ? (int64_t)edges_i64[i] : (__int128)edges_i64[i];
				value &= high[from & ~1u];
				if (from & 1 && value > high[from])
					value -= high[from & ~1u] + 1;
				for (unsigned k = 0; k < LANES_MAX; k++)
					in[k] = edges_i64[i];
				lane_fn *fn = lane_function(&insn, &shape);
				CHECK(fn);
				fn(out, in, NULL, NULL, NULL, LANES_MAX);
				__int128 want = value < low[to]    ? low[to]
				                : value > high[to] ? high[to]
				                                   : value;
				CHECK_EQ(out[LANES_MAX - 1], (uint64_t)want);
			}
}

/* ---- predicates ------------------------------------------------------------------------------------------- */

static unsigned count_agreeing(uint8_t type, const char *inputs, unsigned compares)
{
	static unsigned char x[INPUTS * 8], y[INPUTS * 8];
	unsigned bytes = input_fill(inputs, 0, x), agreeing = 0;
	input_fill(inputs, 1, y);
	for (uint8_t compare = PTX_COMPARE_eq; compare < PTX_COMPARE_eq + compares; compare++) {
		struct ptx_insn insn = {.op = PTX_setp, .type = type, .type2 = type, .compare = compare};
		struct ptx_insn opposite = lane_setp_opposite(&insn);
		struct lane_shape shape = shape_of(4, bytes);
		lane_fn *fn = lane_function(&insn, &shape), *other = lane_function(&opposite, &shape);
		for (unsigned i = 0; i < INPUTS && fn && other; i += LANES_MAX) {
			uint32_t p[LANES_MAX], q[LANES_MAX];
			fn(p, x + (size_t)i * bytes, y + (size_t)i * bytes, NULL, NULL, LANES_MAX);
			other(q, x + (size_t)i * bytes, y + (size_t)i * bytes, NULL, NULL, LANES_MAX);
			for (unsigned k = 0; k < LANES_MAX; k++)
				agreeing += p[k] != ~q[k] || (p[k] && p[k] != UINT32_MAX);
		}
		agreeing += !fn || !other ? INPUTS : 0;
	}
	return agreeing;
}

TEST(the_second_predicate_is_always_the_opposite)
{
	CHECK_EQ(count_agreeing(PTX_TYPE_s32, "i32", 6), 0);
	CHECK_EQ(count_agreeing(PTX_TYPE_u64, "i64", 10), 0);
	CHECK_EQ(count_agreeing(PTX_TYPE_f32, "f32", 6), 0);
	CHECK_EQ(count_agreeing(PTX_TYPE_f64, "f64", 6), 0);
	CHECK_EQ(count_agreeing(PTX_TYPE_f16, "f16", 6), 0);
}

TEST(of_a_pair_of_halves_the_second_predicate_is_that_of_the_high_half)
{
	struct ptx_insn insn = INSN(setp, f16x2, .compare = PTX_COMPARE_lt),
	                second = lane_setp_opposite(&insn);
	struct lane_shape shape = shape_of(4, 4);
	lane_fn *low = lane_function(&insn, &shape), *high = lane_function(&second, &shape);
	uint32_t x[LANES_MAX], y[LANES_MAX], p[LANES_MAX];
	CHECK(low && high);
	for (unsigned i = 0; i < LANES_MAX; i++) {
		x[i] = 0x3c004000; /* 1, 2 */
		y[i] = 0x40003c00; /* 2, 1 */
	}
	low(p, x, y, NULL, NULL, LANES_MAX);
	CHECK_EQ(p[5], 0);
	high(p, x, y, NULL, NULL, LANES_MAX);
	CHECK_EQ(p[5], UINT32_MAX);
}

/* ---- what PTX leaves open --------------------------------------------------------------------------------- */

TEST(division_by_zero_gives_ones_and_the_dividend_and_does_not_trap)
{
	int32_t x[LANES_MAX], y[LANES_MAX], r[LANES_MAX];
	lane_fn *divide = find(INSN(div, s32), 4), *rest = find(INSN(rem, s32), 4);
	CHECK(divide && rest);
	for (unsigned i = 0; i < LANES_MAX; i++) {
		x[i] = INT32_MIN + (int32_t)(i & 1);
		y[i] = i & 2 ? -1 : 0;
	}
	divide(r, x, y, NULL, NULL, LANES_MAX);
	CHECK_EQ(r[0], -1);
	CHECK_EQ(r[2], INT32_MIN);
	rest(r, x, y, NULL, NULL, LANES_MAX);
	CHECK_EQ(r[1], INT32_MIN + 1);
	CHECK_EQ(r[2], 0);
}

TEST(memory_control_and_warp_instructions_have_no_lane_function)
{
	static const uint16_t ops[] = {PTX_ld,   PTX_st,   PTX_atom, PTX_bra, PTX_call,
	                               PTX_shfl, PTX_vote, PTX_bar,  PTX_tex};
	for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++)
		CHECK(!find((struct ptx_insn){.op = ops[i], .type = PTX_TYPE_u32, .type2 = PTX_TYPE_u32}, 4));
}

TEST_RUN_ALL(true)
