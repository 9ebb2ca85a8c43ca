/*
 * The body of tensor_float.c, which includes it once for each kind of host:
 * TENSOR_NAME makes names, TENSOR_INLINE says what functions may use; any_set()
 * and larger() are there already.
 */
/* ---- unpacking ------------------------------------------------------------------------------------------- */

/* Magnitude bits of single precision, and their sign. */
TENSOR_INLINE void TENSOR_NAME(unpack_words)(v8u magnitude, v8u sign, v8i is_odd, float *value,
                                             int32_t *exponent, struct found *found)
{
	v8i e = (v8i)(magnitude >> 23), zero = (v8i)(magnitude == 0), numbers = (e & ~zero) | (zero & 254);
	v8u bits = magnitude | sign;
	found->odd |= is_odd;
	found->lowest = -TENSOR_NAME(larger)(-found->lowest, -numbers);
	found->highest = TENSOR_NAME(larger)(found->highest, e);
	memcpy(exponent, &e, sizeof e);
	memcpy(value, &bits, sizeof bits);
}

/* Eight elements; their bits in the lower half of words, or in whole words. */
TENSOR_INLINE v8u TENSOR_NAME(take_eight)(enum ptx_type type, const uint8_t *from)
{
	v8u words;
	v8h halves;
	if (type == PTX_TYPE_tf32) {
		memcpy(&words, from, sizeof words);
		return words & ~0x1fffu;
	}
	memcpy(&halves, from, sizeof halves);
	return __builtin_convertvector(halves, v8u);
}

TENSOR_INLINE void TENSOR_NAME(unpack_eight)(enum ptx_type type, const uint8_t *from, float *value,
                                             int32_t *exponent, struct found *found)
{
	v8u bits = TENSOR_NAME(take_eight)(type, from);
	if (type == PTX_TYPE_f16) {
		v8u small = bits & 0x7fffu, field = small >> 10;
		v8i nonzero = (v8i)(small != 0);
		v8i odd = (v8i)(field == 31) | ((v8i)(field == 0) & nonzero);
		TENSOR_NAME(unpack_words)
		(((small << 13) + (112u << 23)) & (v8u)nonzero, (bits & 0x8000u) << 16, odd, value, exponent,
		 found);
		return;
	}
	bits = type == PTX_TYPE_bf16 ? bits << 16 : bits;
	v8u magnitude = bits & 0x7fffffffu, field = magnitude >> 23;
	v8i odd = (v8i)(field == 255) | ((v8i)(field == 0) & (v8i)(magnitude != 0));
	TENSOR_NAME(unpack_words)(magnitude, bits & 0x80000000u, odd, value, exponent, found);
}

/* A row of k elements; of four, others than these are zeros. */
TENSOR_INLINE void TENSOR_NAME(unpack)(enum ptx_type type, const uint8_t *row, float *value,
                                       int32_t *exponent, unsigned k, struct found *found)
{
	unsigned bytes = type == PTX_TYPE_tf32 ? 4 : 2;
	if (k < COLUMNS) {
		uint8_t padded[COLUMNS * 4] = {0};
		_Alignas(32) float v[COLUMNS];
		_Alignas(32) int32_t e[COLUMNS];
		memcpy(padded, row, k * bytes);
		TENSOR_NAME(unpack_eight)(type, padded, v, e, found);
		memcpy(value, v, k * sizeof *v);
		memcpy(exponent, e, k * sizeof *e);
		return;
	}
	for (unsigned i = 0; i < k; i += COLUMNS)
		TENSOR_NAME(unpack_eight)(type, row + i * bytes, value + i, exponent + i, found);
}

/* ---- rows ------------------------------------------------------------------------------------------------ */

/* Eight addends as single precision; which of them need care. */
TENSOR_INLINE v8i TENSOR_NAME(take_addends)(const struct tensor_op *op, const uint8_t *at, v8f *value)
{
	v8u bits, magnitude;
	v8h halves;
	v8i bad;
	if (op->type_c == PTX_TYPE_f16) {
		memcpy(&halves, at, sizeof halves);
		bits = __builtin_convertvector(halves, v8u);
		magnitude = bits & 0x7fffu;
		bad = (v8i)(magnitude != 0) & ((v8i)(magnitude < 0x400u) | (v8i)(magnitude >= 0x7c00u));
		v8u wide = ((magnitude << 13) + (112u << 23)) & (v8u)(magnitude != 0);
		*value = (v8f)(wide | (bits & 0x8000u) << 16);
		return bad;
	}
	memcpy(&bits, at, sizeof bits);
	magnitude = bits & 0x7fffffffu;
	v8u field = magnitude >> 23;
	bad = (v8i)(magnitude != 0) & ((v8i)(field < 127u - 80) | (v8i)(field > 127u + HIGHEST));
	*value = (v8f)bits;
	return bad;
}

/* Whether no addend of all needs care. */
TENSOR_INLINE bool TENSOR_NAME(addends_are_plain)(const struct tensor_op *op, const struct tensor_data *t)
{
	v8i bad = {0};
	v8f value;
	unsigned bytes = op->type_c == PTX_TYPE_f16 ? 2 : 4;
	for (unsigned i = 0; i < op->m * op->n; i += COLUMNS)
		bad |= TENSOR_NAME(take_addends)(op, t->c + i * bytes, &value);
	return !TENSOR_NAME(any_set)(bad);
}

/* One row and eight columns; false: an element needs care. */
TENSOR_INLINE bool TENSOR_NAME(row_of_eight)(const struct tensor_op *op, unsigned k, const float *a,
                                             const int32_t *ea, const struct tiles *b, const uint8_t *c,
                                             uint8_t *d)
{
	const v8f *bv = (const v8f *)b->value;
	const v8i *ev = (const v8i *)b->exponent;
	v8f addend;
	TENSOR_NAME(take_addends)(op, c, &addend);
	v8i largest = ((v8i)addend >> 23 & 255) + 127, sum = {0};
	for (unsigned i = 0; i < k; i++)
		largest = TENSOR_NAME(larger)(ev[i] + ea[i], largest);
	/* Fields of two factors have twice the bias. */
	if (TENSOR_NAME(any_set)(largest < 254 + LOWEST))
		return false;
	v8f scale = (v8f)((FRACTION_BITS + 254 + 127 - largest) << 23);
	for (unsigned i = 0; i < k; i++)
		sum += __builtin_convertvector(bv[i] * a[i] * scale, v8i);
	/* Up to 16 products below 2^27 fit into 32 bits, with the addend they do not. */
	v8d total = __builtin_convertvector(sum, v8d) +
	            __builtin_convertvector(__builtin_convertvector(addend * scale, v8i), v8d);
	v8l unit = (__builtin_convertvector(largest, v8l) + (1023 - 254 - FRACTION_BITS)) << 52;
	total *= (v8d)unit;
	if (op->type_d == PTX_TYPE_f16) {
		for (unsigned i = 0; i < COLUMNS; i++) {
			uint16_t half = half_of(total[i]);
			memcpy(d + 2 * (size_t)i, &half, sizeof half);
		}
		return true;
	}
	/* Towards zero: what single precision has no room for is cleared. */
	v8l kept = (v8l)total & ~((INT64_C(1) << 29) - 1);
	v8f result = __builtin_convertvector((v8d)kept, v8f);
	memcpy(d, &result, sizeof result);
	return true;
}

/* ---- products -------------------------------------------------------------------------------------------- */

/* Eight columns of B, k after k. */
TENSOR_INLINE void TENSOR_NAME(take_columns)(const struct tensor_op *op, const struct tensor_data *t,
                                             unsigned k, unsigned col, struct tiles *tiles,
                                             struct found *found)
{
	_Alignas(64) float value[COLUMNS][BLOCK_MAX];
	_Alignas(64) int32_t exponent[COLUMNS][BLOCK_MAX];
	for (unsigned n = 0; n < COLUMNS; n++)
		TENSOR_NAME(unpack)(op->type_b, t->b[col + n], value[n], exponent[n], k, found);
	for (unsigned i = 0; i < k; i++)
		for (unsigned n = 0; n < COLUMNS; n++) {
			tiles->value[i * COLUMNS + n] = value[n][i];
			tiles->exponent[i * COLUMNS + n] = exponent[n][i];
		}
}

TENSOR_INLINE void TENSOR_NAME(columns_of_eight)(const struct tensor_op *op, struct tensor_data *t,
                                                 unsigned k, const struct factors *a,
                                                 const struct found *found_a, unsigned col)
{
	struct tiles tiles;
	struct found found_b = nothing_found;
	unsigned c_bytes = op->type_c == PTX_TYPE_f16 ? 2 : 4, d_bytes = op->type_d == PTX_TYPE_f16 ? 2 : 4;
	TENSOR_NAME(take_columns)(op, t, k, col, &tiles, &found_b);
	bool plain = !TENSOR_NAME(any_set)(found_b.odd) && is_plain(found_a, &found_b);
	bool plain_c = TENSOR_NAME(addends_are_plain)(op, t);
	for (unsigned row = 0; row < op->m; row++) {
		size_t at = (size_t)row * op->n + col;
		v8f addend;
		bool ok = plain && (plain_c || !TENSOR_NAME(any_set)(TENSOR_NAME(take_addends)(
		                                   op, t->c + at * c_bytes, &addend)));
		if (!ok || !TENSOR_NAME(row_of_eight)(op, k, a->value + (size_t)row * k,
		                                      a->exponent + (size_t)row * k, &tiles,
		                                      t->c + at * c_bytes, t->d + at * d_bytes))
			row_with_care(op, t, row, col);
	}
}

TENSOR_INLINE void TENSOR_NAME(product_of)(const struct tensor_op *op, struct tensor_data *t, unsigned k)
{
	struct factors a;
	struct found found = nothing_found;
	for (unsigned row = 0; row < op->m; row++)
		TENSOR_NAME(unpack)
	(op->type_a, t->a[row], a.value + (size_t)row * k, a.exponent + (size_t)row * k, k, &found);
	bool is_odd = TENSOR_NAME(any_set)(found.odd);
	for (unsigned col = 0; col < op->n; col += COLUMNS) {
		if (!is_odd)
			TENSOR_NAME(columns_of_eight)(op, t, k, &a, &found, col);
		for (unsigned row = 0; is_odd && row < op->m; row++)
			row_with_care(op, t, row, col);
	}
}

/* Loops of constant lengths; those where C comes last, and whatever else, element by element. */
TENSOR_INLINE void TENSOR_NAME(product)(const struct tensor_op *op, struct tensor_data *t)
{
	bool is_byte = op->type_a == PTX_TYPE_e4m3 || op->type_a == PTX_TYPE_e5m2;
	if (op->k == 16 && !is_byte)
		TENSOR_NAME(product_of)(op, t, 16);
	else if (op->k == 8)
		TENSOR_NAME(product_of)(op, t, 8);
	else if (op->k == 4 && !op->adds_last)
		TENSOR_NAME(product_of)(op, t, 4);
	else
		for (unsigned i = 0; i < op->m * op->n / COLUMNS; i++)
			row_with_care(op, t, i * COLUMNS / op->n, i * COLUMNS % op->n);
}
