/*
 * cvt in two stages.
 *
 * There are far more cvt forms than sensible loops. A source is first brought
 * into the one type that holds it exactly (64-bit integer or double; with .rni
 * and the like rounded to an integer there), then stored as the result: each
 * stage is a loop, a form is a small function that calls two of them.
 */
#ifndef SLUICE_CUDA_LANES_CONVERT_H
#define SLUICE_CUDA_LANES_CONVERT_H

#include "cuda/lanes/float.h"

/* X(type, bits of the register that holds it, ...): an 8-bit value may lie in a 16-, 32- or 64-bit register. */
/* clang-format off */
#define LANE_INTEGERS(X, ...)                                                                                \
	X(u8, 16, __VA_ARGS__)                                                                               \
	X(u8, 32, __VA_ARGS__)                                                                               \
	X(u8, 64, __VA_ARGS__) X(s8, 16, __VA_ARGS__) X(s8, 32, __VA_ARGS__) X(s8, 64, __VA_ARGS__)          \
	    X(u16, 16, __VA_ARGS__) X(u16, 32, __VA_ARGS__) X(u16, 64, __VA_ARGS__) X(s16, 16, __VA_ARGS__)  \
	        X(s16, 32, __VA_ARGS__) X(s16, 64, __VA_ARGS__) X(u32, 32, __VA_ARGS__)                      \
	            X(u32, 64, __VA_ARGS__) X(s32, 32, __VA_ARGS__) X(s32, 64, __VA_ARGS__)                  \
	                X(u64, 64, __VA_ARGS__) X(s64, 64, __VA_ARGS__)
/* clang-format on */
#define X(type, bits, ...) LANE_INTEGER_##type##_##bits,
enum lane_integer { LANE_INTEGERS(X, ) LANE_INTEGER_COUNT };
#undef X

/* Kinds of float sources and results; z: flushed. */
#define LANE_FLOATS(X, ...)                                                                                  \
	X(f16, __VA_ARGS__) X(bf16, __VA_ARGS__) X(f32, __VA_ARGS__) X(f32z, __VA_ARGS__) X(f64, __VA_ARGS__)
#define X(kind, ...) LANE_FLOAT_##kind,
enum lane_float { LANE_FLOATS(X, ) LANE_FLOAT_COUNT };
#undef X

/* By type and width of the register; LANE_INTEGER_COUNT, LANE_FLOAT_COUNT: no such. */
enum lane_integer lane_integer_of(uint8_t type, unsigned bytes);
enum lane_float lane_float_of(uint8_t type, bool flush);

#define LANE_LOADER(name) void name(void *to, const void *from, unsigned lanes)
#define LANE_DECLARE_INTEGER_LOAD(type, bits, ...) LANE_LOADER(lane_load_##type##_##bits);
LANE_INTEGERS(LANE_DECLARE_INTEGER_LOAD, )
#define LANE_DECLARE_FLOAT_LOAD(kind, ...)                                                                   \
	LANE_LOADER(lane_load_##kind);                                                                       \
	LANE_LOADER(lane_load_##kind##_rni);                                                                 \
	LANE_LOADER(lane_load_##kind##_rzi);                                                                 \
	LANE_LOADER(lane_load_##kind##_rmi);                                                                 \
	LANE_LOADER(lane_load_##kind##_rpi);
LANE_FLOATS(LANE_DECLARE_FLOAT_LOAD, )

/* Bits of the half nearest to x in a rounding mode (FE_TONEAREST ...): M bits of mantissa, exponents of that bias. */
uint16_t lane_half_of(double x, int mode, unsigned mantissa_bits, int bias);
#define LANE_HALF_f16(x, mode) lane_half_of(x, mode, 10, 15)
#define LANE_HALF_bf16(x, mode) lane_half_of(x, mode, 7, 127)

/* A double that is an integer already, clamped to a type. LIMIT: the first power of two that is too large. */
#define LANE_FIT_UNSIGNED(x, LIMIT, MAX)                                                                     \
	(__builtin_isgreaterequal(x, LIMIT) ? MAX : __builtin_isgreater(x, 0.0) ? (uint64_t)(x) : 0)
#define LANE_FIT_SIGNED(x, LIMIT, MAX)                                                                       \
	(__builtin_isgreaterequal(x, LIMIT) ? MAX : __builtin_isless(x, -(LIMIT)) ? -MAX - 1 : (int64_t)(x))
#define LANE_FIT_u8(x) LANE_FIT_UNSIGNED(x, 0x1p8, UINT8_MAX)
#define LANE_FIT_u16(x) LANE_FIT_UNSIGNED(x, 0x1p16, UINT16_MAX)
#define LANE_FIT_u32(x) LANE_FIT_UNSIGNED(x, 0x1p32, UINT32_MAX)
#define LANE_FIT_u64(x) LANE_FIT_UNSIGNED(x, 0x1p64, UINT64_MAX)
#define LANE_FIT_s8(x) LANE_FIT_SIGNED(x, 0x1p7, (int64_t)INT8_MAX)
#define LANE_FIT_s16(x) LANE_FIT_SIGNED(x, 0x1p15, (int64_t)INT16_MAX)
#define LANE_FIT_s32(x) LANE_FIT_SIGNED(x, 0x1p31, (int64_t)INT32_MAX)
#define LANE_FIT_s64(x) LANE_FIT_SIGNED(x, 0x1p63, INT64_MAX)

lane_fn *lane_find_integer_to_integer(const struct ptx_insn *insn, const struct lane_shape *shape);
lane_fn *lane_find_integer_to_float(const struct ptx_insn *insn, const struct lane_shape *shape);
lane_fn *lane_find_float_to_integer(const struct ptx_insn *insn, const struct lane_shape *shape);
lane_fn *lane_find_float_to_float(const struct ptx_insn *insn);
/* To tf32, and between 8-bit floats and others. */
lane_fn *lane_find_tensor_convert(const struct ptx_insn *insn);

#endif
