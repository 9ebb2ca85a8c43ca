/*
 * Inputs for lane functions: all pairs of edge values, then random values, the
 * same on every host. Hashes of GPU results (gpu.def) were taken on these.
 */
#ifndef SLUICE_TESTS_UNIT_CUDA_LANES_INPUTS_H
#define SLUICE_TESTS_UNIT_CUDA_LANES_INPUTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/bits.h"

enum { INPUTS = 4096 };

static const uint64_t edges_f32[] = {
    0,          0x80000000, 1,          0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000,
    0x00800001, 0x3f800000, 0xbf800000, 0x3f800001, 0x3f7fffff, 0x40000000, 0x3f000000, 0xbf000000,
    0x3effffff, 0x3fc00000, 0x40200000, 0xc0200000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,
    0x7fc00000, 0xffc00000, 0x7f800001, 0x7fffffff, 0xff912345, 0x4effffff, 0x4f000000, 0xcf000000,
    0xcf000001, 0x4f7fffff, 0x4f800000, 0x5f000000, 0x5effffff, 0xdf000000, 0xdf000001, 0x5f800000,
    0x5f7fffff, 0x7e800000, 0x7e800001, 0x00400000, 0x33800000, 0x42fe0000, 0x437f8000, 0x477fe000,
    0x477ff000, 0x47800000, 0x38800000, 0x33000000};
/* clang-format off */
static const uint64_t edges_f64[] = {
                     0, 0x8000000000000000,                  1, 0x8000000000000001, 0x000fffffffffffff,
    0x0010000000000000, 0x8010000000000000, 0x3ff0000000000000, 0xbff0000000000000, 0x3ff0000000000001,
    0x3fefffffffffffff, 0x4000000000000000, 0x3fe0000000000000, 0xbfe0000000000000, 0x3ff8000000000000,
    0x4004000000000000, 0x7fefffffffffffff, 0xffefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000,
    0x7ff8000000000000, 0xfff8000000000000, 0x7ff0000000000001, 0x7fffffffffffffff, 0xfff8000000012345,
    0x41dfffffffc00000, 0x41e0000000000000, 0xc1e0000000000000, 0xc1e0000000200000, 0x41efffffffe00000,
    0x41f0000000000000, 0x43e0000000000000, 0xc3e0000000000000, 0x43dfffffffffffff, 0x43f0000000000000,
    0x43efffffffffffff, 0x47efffffe0000000, 0x47effffff0000000, 0x47f0000000000000, 0x3810000000000000,
    0x380fffffffffffff, 0x380fffffe0000000, 0x36a0000000000000, 0x3690000000000000, 0x3690000000000001,
    0x3ff0000010000000, 0x3ff0000030000000, 0x405fc00000000000};
/* clang-format on */
static const uint64_t edges_f16[] = {0,      0x8000, 1,      0x8001, 0x3ff,  0x400,  0x8400, 0x3c00,
                                     0xbc00, 0x3c01, 0x3bff, 0x4000, 0x3800, 0xb800, 0x3e00, 0x7bff,
                                     0xfbff, 0x7c00, 0xfc00, 0x7e00, 0xfe00, 0x7c01, 0x7fff, 0xfd23,
                                     0x0200, 0x5bf8, 0x5c00, 0x77ff, 0x7800, 0xf800};
static const uint64_t edges_bf16[] = {0,      0x8000, 1,      0x8001, 0x7f,   0x80,   0x8080, 0x3f80,
                                      0xbf80, 0x3f81, 0x3f7f, 0x4000, 0x3f00, 0xbf00, 0x3fc0, 0x7f7f,
                                      0xff7f, 0x7f80, 0xff80, 0x7fc0, 0xffc0, 0x7f81, 0x7fff, 0xffa3,
                                      0x4f00, 0xcf00, 0x5f00, 0x40,   0x437f, 0x4380};
static const uint64_t edges_i16[] = {0,      1,      2,      3,      7,      15,     16,
                                     0x7f,   0x80,   0xff,   0x100,  0x7ffe, 0x7fff, 0x8000,
                                     0x8001, 0xfffe, 0xffff, 0x5555, 0xaaaa, 1000};
static const uint64_t edges_i32[] = {
    0,          1,          2,          3,          4,          7,          8,          15,
    16,         31,         32,         33,         63,         64,         0x7f,       0x80,
    0xff,       0x100,      0x7fff,     0x8000,     0xffff,     0x10000,    0xffffff,   0x1000000,
    0x800000,   0x7fffff,   0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff,
    0x55555555, 0xaaaaaaaa, 0xff800000, 0x12345678, 0xffffff80, 0xffff8000};
static const uint64_t edges_i64[] = {0,
                                     1,
                                     2,
                                     3,
                                     7,
                                     31,
                                     32,
                                     63,
                                     64,
                                     0xff,
                                     0x80,
                                     0x7fff,
                                     0x8000,
                                     0xffff,
                                     0x7fffffff,
                                     0x80000000,
                                     0xffffffff,
                                     0x100000000,
                                     0xffffffff80000000,
                                     0xffffffff7fffffff,
                                     0x7ffffffffffffffe,
                                     0x7fffffffffffffff,
                                     0x8000000000000000,
                                     0x8000000000000001,
                                     0xfffffffffffffffe,
                                     0xffffffffffffffff,
                                     0x5555555555555555,
                                     0xaaaaaaaaaaaaaaaa,
                                     0x1000001,
                                     0x1000003,
                                     0x20000000000001,
                                     0x20000000000003,
                                     0x123456789abcdef0,
                                     0xffffffffffffff80,
                                     0xffffffffffff8000,
                                     0x7ffffe8000000001,
                                     0x7fffff4000000000,
                                     0xffffff8000000001};
static const uint64_t edges_shift[] = {0,  1,  2,  5,  15, 16, 17,  31,  32,  33, 47,
                                       48, 63, 64, 65, 95, 96, 127, 128, 255, 8,  24};

struct input_kind {
	const char *name;
	const uint64_t *edges;
	uint32_t edge_count;
	uint8_t bytes;
	uint8_t exponent_bits; /* floats; 0: integers */
};
#define INPUT_KIND(kind, bytes, exponent_bits)                                                               \
	{                                                                                                    \
#kind, edges_##kind, sizeof edges_##kind / sizeof *edges_##kind, bytes, exponent_bits        \
	}
static const struct input_kind input_kinds[] = {
    INPUT_KIND(f32, 4, 8), INPUT_KIND(f64, 8, 11), INPUT_KIND(f16, 2, 5), INPUT_KIND(bf16, 2, 8),
    INPUT_KIND(i16, 2, 0), INPUT_KIND(i32, 4, 0),  INPUT_KIND(i64, 8, 0), INPUT_KIND(shift, 4, 0)};

static inline const struct input_kind *input_find(const char *name)
{
	for (size_t i = 0; i < sizeof input_kinds / sizeof *input_kinds; i++)
		if (!strcmp(input_kinds[i].name, name))
			return &input_kinds[i];
	return NULL;
}

static inline uint64_t input_bits(const struct input_kind *kind, uint64_t random)
{
	unsigned bits = kind->bytes * 8u;
	return bits == 64 ? random : random & ((UINT64_C(1) << bits) - 1);
}

/* Random bits; half of the floats are near 1 and have few digits, so that ties and cancellation occur. */
static inline uint64_t input_random(const struct input_kind *kind, uint64_t seed)
{
	uint64_t random = bits_mix(seed), choice = bits_mix(seed ^ 0x5eed);
	unsigned bits = kind->bytes * 8u, mantissa = bits - 1 - kind->exponent_bits;
	if (!strcmp(kind->name, "shift"))
		return random % 70;
	if (!kind->exponent_bits)
		return input_bits(kind, random) >> (choice & 1 ? choice >> 8 & (bits - 1) : 0);
	if (choice & 1)
		return input_bits(kind, random);
	uint64_t middle = (UINT64_C(1) << (kind->exponent_bits - 1)) - 1,
	         spread = kind->exponent_bits > 5 ? 80 : 20;
	uint64_t exponent = middle - spread / 2 + (choice >> 8) % (spread + 1);
	uint64_t digits = random & ((UINT64_C(1) << mantissa) - 1);
	if (choice & 2)
		digits &= ~UINT64_C(0) << (choice >> 20) % mantissa;
	return random >> 63 << (bits - 1) | exponent << mantissa | digits;
}

/* Value i of source `position`: the first two sources run through all pairs of edges. */
static inline uint64_t input_value(const struct input_kind *kind, unsigned position, uint32_t i)
{
	uint32_t n = kind->edge_count;
	uint64_t seed =
	    ((uint64_t)kind->bytes << 8 | kind->exponent_bits) << 40 | (uint64_t)position << 32 | i;
	if (position < 2 && i < n * n)
		return kind->edges[position ? i % n : i / n];
	uint64_t choice = bits_mix(seed ^ 0xed9e) % 16;
	if (choice < (position < 2 ? 2u : 8u))
		return kind->edges[bits_mix(seed ^ 0x9e) % n];
	return input_random(kind, seed);
}

/* Values that are made of others: pairs of halves, masks, divisors that are not 0, lane numbers, small numbers. */
static inline uint64_t input_made(const char *name, unsigned position, uint32_t i)
{
	const char *of = name[0] == 'f' ? "f16" : name[0] == 'b' ? "bf16" : "i16";
	if (!strcmp(name, "pred"))
		return bits_mix(i * 4 + position) & 1 ? UINT32_MAX : 0;
	if (!strcmp(name, "lane"))
		return bits_mix(i * 4 + position) % 32;
	if (!strcmp(name, "small"))
		return (uint32_t)(bits_mix(i * 4 + position) % 65) - 32;
	if (name[0] == 'n') {
		uint64_t value = input_value(input_find(name[1] == '1'   ? "i16"
		                                        : name[1] == '3' ? "i32"
		                                                         : "i64"),
		                             position, i);
		return value ? value : 1;
	}
	return input_value(input_find(of), position, i) |
	       input_value(input_find(of), position, INPUTS - 1 - i) << 16;
}

/* `to` holds INPUTS values. Returns the bytes of one. */
static inline unsigned input_fill(const char *name, unsigned position, void *to)
{
	const struct input_kind *kind = input_find(name);
	unsigned bytes = kind ? kind->bytes : !strcmp(name, "n16") ? 2 : !strcmp(name, "n64") ? 8 : 4;
	for (uint32_t i = 0; i < INPUTS; i++) {
		uint64_t value = kind ? input_value(kind, position, i) : input_made(name, position, i);
		memcpy((char *)to + (size_t)i * bytes, &value, bytes);
	}
	return bytes;
}

/* Take the next name off a list and put a prefix in front; false: none is left. */
static inline bool input_next_name(const char **list, const char *separator, const char *prefix,
                                   char name[64])
{
	*list += strspn(*list, separator);
	size_t length = strcspn(*list, separator);
	snprintf(name, 64, "%s%.*s", prefix, (int)length, *list);
	*list += length;
	return length > 0;
}

#endif
