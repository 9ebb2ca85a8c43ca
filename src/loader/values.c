#include "loader/values.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda.h>

static const struct value_type types[] = {
    {"int8", VALUE_SIGNED, 1, 0, 0, CU_TENSOR_MAP_DATA_TYPE_UINT8},
    {"uint8", VALUE_UNSIGNED, 1, 0, 0, CU_TENSOR_MAP_DATA_TYPE_UINT8},
    {"int16", VALUE_SIGNED, 2, 0, 0, CU_TENSOR_MAP_DATA_TYPE_UINT16},
    {"uint16", VALUE_UNSIGNED, 2, 0, 0, CU_TENSOR_MAP_DATA_TYPE_UINT16},
    {"int32", VALUE_SIGNED, 4, 0, 0, CU_TENSOR_MAP_DATA_TYPE_INT32},
    {"uint32", VALUE_UNSIGNED, 4, 0, 0, CU_TENSOR_MAP_DATA_TYPE_UINT32},
    {"int64", VALUE_SIGNED, 8, 0, 0, CU_TENSOR_MAP_DATA_TYPE_INT64},
    {"uint64", VALUE_UNSIGNED, 8, 0, 0, CU_TENSOR_MAP_DATA_TYPE_UINT64},
    {"float8e4m3", VALUE_FLOAT, 1, 4, 3, CU_TENSOR_MAP_DATA_TYPE_UINT8},
    {"float8e5m2", VALUE_FLOAT, 1, 5, 2, CU_TENSOR_MAP_DATA_TYPE_UINT8},
    {"float16", VALUE_FLOAT, 2, 5, 10, CU_TENSOR_MAP_DATA_TYPE_FLOAT16},
    {"bfloat16", VALUE_FLOAT, 2, 8, 7, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16},
    {"float32", VALUE_FLOAT, 4, 8, 23, CU_TENSOR_MAP_DATA_TYPE_FLOAT32},
    {"float64", VALUE_FLOAT, 8, 11, 52, CU_TENSOR_MAP_DATA_TYPE_FLOAT64},
};

const struct value_type *value_type_find(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (strlen(types[i].name) == length && !strncmp(types[i].name, name, length))
			return &types[i];
	return NULL;
}

/* ---- floats of few bits ---------------------------------------------------------------------------------- */

static bool has_infinity(const struct value_type *type)
{
	return type->exponent_bits != 4;
}

static uint64_t float_bits(const struct value_type *type, double number)
{
	int bias = (1 << (type->exponent_bits - 1)) - 1, exponent;
	uint64_t sign = (uint64_t)(signbit(number) != 0) << (type->exponent_bits + type->fraction_bits);
	uint64_t all = (UINT64_C(1) << type->exponent_bits) - 1, one = UINT64_C(1) << type->fraction_bits;
	/* What e4m3 has for infinity is its largest number. */
	uint64_t infinite = has_infinity(type) ? all << type->fraction_bits : all * one + one - 2;
	double magnitude = fabs(number);
	if (isnan(number))
		return sign | (all << type->fraction_bits) | (one - 1);
	if (magnitude == 0)
		return sign;
	frexp(magnitude, &exponent);
	exponent = exponent - 1 < 1 - bias ? 1 - bias : exponent - 1;
	/* In units of the last place; the sum carries into the exponent where rounding does. */
	double units = nearbyint(ldexp(magnitude, type->fraction_bits - exponent));
	if (exponent > bias + 1)
		return sign | infinite;
	uint64_t field = units < (double)one ? 0 : (uint64_t)(exponent + bias);
	uint64_t bits =
	    units < (double)one ? (uint64_t)units : (field << type->fraction_bits) + ((uint64_t)units - one);
	return sign | (bits > infinite ? infinite : bits);
}

static double float_value(const struct value_type *type, uint64_t bits)
{
	int bias = (1 << (type->exponent_bits - 1)) - 1;
	uint64_t all = (UINT64_C(1) << type->exponent_bits) - 1, one = UINT64_C(1) << type->fraction_bits;
	uint64_t field = bits >> type->fraction_bits & all, fraction = bits & (one - 1);
	double sign = bits >> (type->exponent_bits + type->fraction_bits) & 1 ? -1 : 1;
	if (field == all && (has_infinity(type) || fraction == one - 1))
		return fraction ? NAN : sign * INFINITY;
	double units = (double)(field ? fraction + one : fraction);
	return sign * ldexp(units, (int)(field ? field : 1) - bias - type->fraction_bits);
}

/* ---- one value ------------------------------------------------------------------------------------------- */

void value_write(const struct value_type *type, double number, void *to)
{
	uint64_t bits = type->kind == VALUE_FLOAT ? float_bits(type, number) : (uint64_t)(int64_t)number;
	memcpy(to, &bits, type->bytes);
}

bool value_read(const struct value_type *type, const char *text, void *to)
{
	char *end;
	errno = 0;
	if (type->kind == VALUE_FLOAT) {
		double number = strtod(text, &end);
		value_write(type, number, to);
		return end != text && !*end;
	}
	uint64_t bits =
	    type->kind == VALUE_SIGNED ? (uint64_t)strtoll(text, &end, 0) : strtoull(text, &end, 0);
	unsigned unused = 64 - 8u * type->bytes;
	bool fits = type->kind == VALUE_SIGNED ? (int64_t)(bits << unused) >> unused == (int64_t)bits
	                                       : bits << unused >> unused == bits && *text != '-';
	memcpy(to, &bits, type->bytes);
	return end != text && !*end && !errno && fits;
}

void value_print(const struct value_type *type, const void *from)
{
	uint64_t bits = 0;
	unsigned unused = 64 - 8u * type->bytes;
	memcpy(&bits, from, type->bytes);
	if (type->kind == VALUE_FLOAT)
		printf("%.*g\n", type->bytes == 8 ? 17 : type->bytes == 4 ? 9 : 5, float_value(type, bits));
	else if (type->kind == VALUE_SIGNED)
		printf("%" PRId64 "\n", (int64_t)(bits << unused) >> unused);
	else
		printf("%" PRIu64 "\n", bits);
}

/* ---- many ------------------------------------------------------------------------------------------------ */

/* Eight bits by a linear congruence: any language can make the same. */
static unsigned random_byte(uint64_t i, uint64_t seed)
{
	uint64_t x = i * 1103515245 + 12345 * (seed + 1) + (i >> 7) * 2654435;
	return x % 2147483648 >> 16 & 255;
}

static bool fill_random(const struct value_type *type, uint64_t count, const char *words, uint8_t *to)
{
	char *end = (char *)(uintptr_t)words;
	uint64_t seed = 1;
	double scale = 1;
	if (*end == ':')
		seed = strtoull(end + 1, &end, 10);
	if (*end == ':')
		scale = strtod(end + 1, &end);
	if (*end)
		return false;
	for (uint64_t i = 0; i < count; i++) {
		double byte = random_byte(i, seed);
		double number = type->kind == VALUE_FLOAT    ? (byte / 128 - 1) * scale
		                : type->kind == VALUE_SIGNED ? byte - 128
		                                             : byte;
		value_write(type, number, to + i * type->bytes);
	}
	return true;
}

/* ":A:B:C" */
static bool fill_list(const struct value_type *type, uint64_t count, const char *words, uint8_t *to)
{
	char number[64];
	memset(to, 0, count * type->bytes);
	for (uint64_t i = 0; *words; i++) {
		size_t length = strcspn(++words, ":");
		if (i == count || length >= sizeof number)
			return false;
		memcpy(number, words, length);
		number[length] = '\0';
		if (!value_read(type, number, to + i * type->bytes))
			return false;
		words += length;
	}
	return true;
}

static bool fill_from_file(const char *path, uint64_t bytes, uint8_t *to, char problem[PROBLEM_SIZE])
{
	FILE *file = fopen(path, "rb");
	if (!file) {
		snprintf(problem, PROBLEM_SIZE, "%.200s: %s", path, strerror(errno));
		return false;
	}
	uint64_t got = fread(to, 1, bytes, file);
	bool is_longer = fgetc(file) != EOF;
	fclose(file);
	if (got == bytes && !is_longer)
		return true;
	snprintf(problem, PROBLEM_SIZE, "%.200s: has %s than the %" PRIu64 " bytes of the buffer", path,
	         is_longer ? "more" : "fewer", bytes);
	return false;
}

bool values_fill(const struct value_type *type, uint64_t count, const char *init, void *to,
                 char problem[PROBLEM_SIZE])
{
	uint8_t *at = to;
	if (*init == '@')
		return fill_from_file(init + 1, count * type->bytes, at, problem);
	if (!strncmp(init, "random", 6) && fill_random(type, count, init + 6, at))
		return true;
	if (!strncmp(init, "list:", 5) && fill_list(type, count, init + 4, at))
		return true;
	if (!strcmp(init, "ramp")) {
		for (uint64_t i = 0; i < count; i++)
			value_write(type, (double)i, at + i * type->bytes);
		return true;
	}
	if (!strcmp(init, "zero")) {
		memset(at, 0, count * type->bytes);
		return true;
	}
	snprintf(
	    problem, PROBLEM_SIZE,
	    "'%.60s' does not fill a buffer, expected zero, ramp, random[:SEED[:SCALE]], list:A:B:... or @FILE",
	    init);
	return false;
}
