/*
 * Rounding: f32 and f64 arithmetic in all four modes against integer arithmetic.
 *
 * The reference knows no floating point: it takes numbers apart, computes with
 * 128-bit integers, keeps whether anything was lost, and rounds once.
 */
#include "cuda/lanes/lanes.h"
#include "inputs.h"
#include "test.h"

typedef unsigned __int128 u128;

struct format {
	const char *inputs;
	uint8_t type;
	unsigned bits, mantissa;
};
static const struct format formats[] = {{"f32", PTX_TYPE_f32, 32, 23}, {"f64", PTX_TYPE_f64, 64, 52}};

/* value = (-1)^negative * significand * 2^exponent, and a little more if `sticky`. */
struct number {
	enum { ZERO, FINITE, INFINITE, NOT_A_NUMBER } kind;
	bool negative, sticky;
	u128 significand;
	int exponent;
};

static struct number number_take(const struct format *f, uint64_t bits)
{
	uint64_t fraction = bits & ((UINT64_C(1) << f->mantissa) - 1);
	int top = (1 << (f->bits - 1 - f->mantissa)) - 1, field = (int)(bits >> f->mantissa) & top;
	struct number n = {.negative = bits >> (f->bits - 1) & 1, .significand = fraction};
	n.kind = field == top ? (fraction ? NOT_A_NUMBER : INFINITE) : field || fraction ? FINITE : ZERO;
	if (field)
		n.significand |= (u128)1 << f->mantissa;
	n.exponent = (field ? field : 1) - top / 2 - (int)f->mantissa;
	return n;
}

static int highest(u128 x)
{
	uint64_t high = (uint64_t)(x >> 64);
	return high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((uint64_t)x);
}

static bool rounds_up(uint8_t mode, bool negative, bool odd, int lost)
{
	/* lost: 0 nothing, 1 less than half, 2 half, 3 more */
	switch (mode) {
	case PTX_ROUND_rz:
		return false;
	case PTX_ROUND_rm:
		return negative && lost;
	case PTX_ROUND_rp:
		return !negative && lost;
	default:
		return lost == 3 || (lost == 2 && odd);
	}
}

static uint64_t number_give(const struct format *f, struct number n, uint8_t mode)
{
	int top = (1 << (f->bits - 1 - f->mantissa)) - 1, least = 1 - top / 2 - (int)f->mantissa;
	uint64_t sign = (uint64_t)n.negative << (f->bits - 1), infinity = (uint64_t)top << f->mantissa;
	if (n.kind == NOT_A_NUMBER)
		return f->bits == 32 ? 0x7fffffff : infinity | 1; /* of f64 only that it is one */
	if (n.kind == INFINITE || n.kind == ZERO)
		return sign | (n.kind == ZERO ? 0 : infinity);
	int shift = highest(n.significand) - (int)f->mantissa;
	shift = n.exponent + shift < least ? least - n.exponent : shift;
	int lost = n.sticky;
	if (shift > 127) { /* all of it is lost, and it is less than half */
		n.significand = 0;
		lost = 1;
	} else if (shift > 0) {
		u128 rest = n.significand & (((u128)1 << shift) - 1), half = (u128)1 << (shift - 1);
		lost = rest > half || (rest == half && n.sticky) ? 3
		       : rest == half                            ? 2
		       : rest || n.sticky                        ? 1
		                                                 : 0;
		n.significand >>= shift;
	} else {
		n.significand <<= -shift;
	}
	uint64_t kept = (uint64_t)n.significand;
	int exponent = n.exponent + shift;
	uint64_t magnitude =
	    kept >> f->mantissa ? ((uint64_t)(exponent - least) << f->mantissa) + kept : kept;
	magnitude += rounds_up(mode, n.negative, kept & 1, lost);
	if (magnitude >= infinity)
		magnitude = rounds_up(mode, n.negative, true, 3) ? infinity : infinity - 1;
	return sign | magnitude;
}

static struct number nan_number(void)
{
	return (struct number){.kind = NOT_A_NUMBER};
}

/* Bits below are lost but remembered. */
static void shift_right(struct number *n, int by)
{
	u128 kept = by > 127 ? 0 : n->significand >> by;
	u128 rest = by > 127 ? n->significand : n->significand & (((u128)1 << by) - 1);
	n->sticky |= rest != 0;
	n->significand = kept;
	n->exponent += by;
}

static struct number number_add(struct number x, struct number y, uint8_t mode)
{
	if (x.kind == NOT_A_NUMBER || y.kind == NOT_A_NUMBER)
		return nan_number();
	if (x.kind == INFINITE || y.kind == INFINITE)
		return x.kind == y.kind && x.negative != y.negative ? nan_number()
		       : x.kind == INFINITE                         ? x
		                                                    : y;
	if (x.kind == ZERO && y.kind == ZERO) {
		x.negative = x.negative == y.negative ? x.negative : mode == PTX_ROUND_rm;
		return x;
	}
	if (x.kind == ZERO || y.kind == ZERO)
		return x.kind == ZERO ? y : x;
	/* Both to the top, two bits free for the sum and one for the sticky bit to stay below. */
	int up_x = 124 - highest(x.significand), up_y = 124 - highest(y.significand);
	x.significand <<= up_x;
	x.exponent -= up_x;
	y.significand <<= up_y;
	y.exponent -= up_y;
	struct number *low = x.exponent < y.exponent ? &x : &y, *high = low == &x ? &y : &x;
	shift_right(low, high->exponent - low->exponent);
	struct number sum = *high;
	sum.sticky = low->sticky;
	if (low->negative == high->negative) {
		sum.significand += low->significand;
	} else if (low->significand > high->significand) {
		sum.significand = low->significand - high->significand;
		sum.negative = low->negative;
	} else {
		sum.significand -=
		    low->significand + low->sticky; /* the rest is borrowed from the last bit */
	}
	if (!sum.significand && !sum.sticky)
		sum = (struct number){.kind = ZERO, .negative = mode == PTX_ROUND_rm};
	return sum;
}

static struct number number_multiply(struct number x, struct number y)
{
	bool negative = x.negative != y.negative;
	if (x.kind == NOT_A_NUMBER || y.kind == NOT_A_NUMBER || (x.kind == INFINITE && y.kind == ZERO) ||
	    (x.kind == ZERO && y.kind == INFINITE))
		return nan_number();
	struct number p = {.kind = x.kind == INFINITE || y.kind == INFINITE ? INFINITE
	                           : x.kind == ZERO || y.kind == ZERO       ? ZERO
	                                                                    : FINITE,
	                   .negative = negative};
	p.significand = x.significand * y.significand;
	p.exponent = x.exponent + y.exponent;
	return p;
}

static struct number number_divide(struct number x, struct number y)
{
	bool negative = x.negative != y.negative;
	if (x.kind == NOT_A_NUMBER || y.kind == NOT_A_NUMBER || (x.kind == y.kind && x.kind != FINITE))
		return nan_number();
	struct number q = {.kind = x.kind == INFINITE || y.kind == ZERO   ? INFINITE
	                           : x.kind == ZERO || y.kind == INFINITE ? ZERO
	                                                                  : FINITE,
	                   .negative = negative};
	if (q.kind != FINITE)
		return q;
	int up = 127 - highest(x.significand), down = highest(y.significand);
	y.significand <<= 63 - down; /* 64 bits: the quotient has 64 */
	x.significand <<= up;
	q.significand = x.significand / y.significand;
	q.sticky = x.significand % y.significand != 0;
	q.exponent = x.exponent - up - (y.exponent - (63 - down));
	return q;
}

static struct number number_root(struct number x)
{
	if (x.kind == NOT_A_NUMBER || (x.negative && x.kind != ZERO))
		return nan_number();
	if (x.kind != FINITE)
		return x;
	int up = 126 - highest(x.significand);
	up -= (x.exponent - up) & 1;
	x.significand <<= up;
	x.exponent -= up;
	u128 root = 0;
	for (int bit = 63; bit >= 0; bit--) {
		u128 trial = root | (u128)1 << bit;
		root = trial * trial <= x.significand ? trial : root;
	}
	return (struct number){.kind = FINITE,
	                       .significand = root,
	                       .sticky = root * root != x.significand,
	                       .exponent = x.exponent / 2};
}

static uint64_t reference(const struct format *f, uint16_t op, uint8_t mode, const uint64_t *bits)
{
	struct number x = number_take(f, bits[0]), y = number_take(f, bits[1]), z = number_take(f, bits[2]);
	struct number minus_y = y;
	minus_y.negative = !y.negative;
	switch (op) {
	case PTX_add:
		return number_give(f, number_add(x, y, mode), mode);
	case PTX_sub:
		return number_give(f, number_add(x, minus_y, mode), mode);
	case PTX_mul:
		return number_give(f, number_multiply(x, y), mode);
	case PTX_fma:
		return number_give(f, number_add(number_multiply(x, y), z, mode), mode);
	case PTX_div:
		return number_give(f, number_divide(x, y), mode);
	case PTX_rcp:
		return number_give(f, number_divide((struct number){.kind = FINITE, .significand = 1}, x),
		                   mode);
	default:
		return number_give(f, number_root(x), mode);
	}
}

static bool is_nan(const struct format *f, uint64_t bits)
{
	return number_take(f, bits).kind == NOT_A_NUMBER;
}

static unsigned count_wrong(const struct format *f, uint16_t op, uint8_t mode)
{
	static _Alignas(64) unsigned char sources[3][INPUTS * 8];
	unsigned bytes = f->bits / 8, wrong = 0;
	struct ptx_insn insn = {.op = op, .type = f->type, .type2 = f->type, .round = mode};
	struct lane_shape shape = {(uint8_t)bytes, {(uint8_t)bytes, (uint8_t)bytes, (uint8_t)bytes}};
	lane_fn *fn = lane_function(&insn, &shape);
	for (unsigned k = 0; k < 3; k++)
		input_fill(f->inputs, k, sources[k]);
	for (unsigned i = 0; i < INPUTS && fn; i += LANES_MAX) {
		unsigned char result[LANES_MAX * 8];
		fn(result, sources[0] + i * bytes, sources[1] + i * bytes, sources[2] + i * bytes, NULL,
		   LANES_MAX);
		for (unsigned k = 0; k < LANES_MAX; k++) {
			uint64_t got = 0, bits[3] = {0, 0, 0};
			memcpy(&got, result + k * bytes, bytes);
			for (unsigned s = 0; s < 3; s++)
				memcpy(&bits[s], sources[s] + (i + k) * bytes, bytes);
			uint64_t want = reference(f, op, mode, bits);
			bool same = got == want || (f->bits == 64 && is_nan(f, got) && is_nan(f, want));
			if (!same && wrong < 3)
				printf("# op %u mode %u %s: %" PRIx64 " %" PRIx64 " %" PRIx64
				       " gives %" PRIx64 ", not %" PRIx64 "\n",
				       op, mode, f->inputs, bits[0], bits[1], bits[2], got, want);
			wrong += !same;
		}
	}
	return fn ? wrong : INPUTS;
}

static unsigned count_all(const struct format *f)
{
	static const uint16_t ops[] = {PTX_add, PTX_sub, PTX_mul, PTX_fma, PTX_div, PTX_rcp, PTX_sqrt};
	unsigned wrong = 0;
	for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++)
		for (uint8_t mode = PTX_ROUND_rn; mode <= PTX_ROUND_rp; mode++)
			wrong += count_wrong(f, ops[i], mode);
	return wrong;
}

TEST(f32_is_rounded_once_in_every_mode)
{
	CHECK_EQ(count_all(&formats[0]), 0);
}

TEST(f64_is_rounded_once_in_every_mode)
{
	CHECK_EQ(count_all(&formats[1]), 0);
}

TEST_RUN_ALL(true)
