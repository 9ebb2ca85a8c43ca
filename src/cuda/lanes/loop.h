/*
 * How lane functions are written: element types, loops, and two builds of each.
 *
 * A form (add.s32, cvt.rzi.s32.f32) is one line in an X-macro list, which is
 * expanded twice: into functions and into the table that lane_function()
 * searches. Every function exists for the baseline and, on x86, for hosts with
 * AVX2 and FMA; the choice falls when an instruction is decoded, so that no
 * dispatch is left in the loops.
 */
#ifndef SLUICE_CUDA_LANES_LOOP_H
#define SLUICE_CUDA_LANES_LOOP_H

#include "cuda/lanes/lanes.h"

/* Registers are untyped memory: executor and lane functions see the same bytes as different types. */
#define LANE_TYPE(name, type) typedef type __attribute__((may_alias)) lane_##name
LANE_TYPE(u8, uint8_t);
LANE_TYPE(s8, int8_t);
LANE_TYPE(u16, uint16_t);
LANE_TYPE(s16, int16_t);
LANE_TYPE(u32, uint32_t);
LANE_TYPE(s32, int32_t);
LANE_TYPE(u64, uint64_t);
LANE_TYPE(s64, int64_t);
LANE_TYPE(f16, uint16_t);
LANE_TYPE(bf16, uint16_t);
LANE_TYPE(f32, float);
LANE_TYPE(f64, double);

#if defined(__x86_64__)
#define LANE_WIDE __attribute__((target("avx2,fma")))
#else
#define LANE_WIDE
#endif
/* For functions that only call others, of which there are many: small rather than fast. */
#if defined(__clang__)
#define LANE_COLD __attribute__((minsize)) static
#else
#define LANE_COLD __attribute__((optimize("Os"))) static
#endif
#define LANE_INLINE static inline __attribute__((always_inline))

/* dst may be one of the sources, element for element: no iteration depends on another. */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed" /* a loop that stays scalar is not a mistake */
#define LANE_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define LANE_INDEPENDENT _Pragma("GCC ivdep")
#endif
/* Warps are 32 or 64 lanes wide: a constant trip count leaves no remainder. A counter that could wrap stays scalar. */
#define LANE_LOOP(i)                                                                                         \
	for (ptrdiff_t block_ = 0; block_ < (ptrdiff_t)lanes; block_ += 32)                                  \
	LANE_INDEPENDENT for (ptrdiff_t i = block_; i < block_ + 32; i++)

#define LANE_PARAMETERS void *dst, const void *a, const void *b, const void *c, void *d, unsigned lanes
#define LANE_ARGUMENTS dst, a, b, c, d, lanes
#define LANE_UNUSED (void)dst, (void)a, (void)b, (void)c, (void)d, (void)lanes

/* NAME_base and NAME_wide, two functions with the same body. */
#define LANE_FUNCTION(name, ...)                                                                             \
	LANE_INLINE void name##_body(LANE_PARAMETERS)                                                        \
	{                                                                                                    \
		LANE_UNUSED;                                                                                 \
		__VA_ARGS__                                                                                  \
	}                                                                                                    \
	static void name##_base(LANE_PARAMETERS)                                                             \
	{                                                                                                    \
		name##_body(LANE_ARGUMENTS);                                                                 \
	}                                                                                                    \
	LANE_WIDE static void name##_wide(LANE_PARAMETERS)                                                   \
	{                                                                                                    \
		name##_body(LANE_ARGUMENTS);                                                                 \
	}

/* Result type T, source types A, B, C, D; the expression sees the sources as x, y, z, w. */
#define LANE_MAP1(name, T, A, ...)                                                                           \
	LANE_FUNCTION(                                                                                       \
	    name, const lane_##A *p = a; lane_##T *r = dst; LANE_LOOP(i) {                                   \
		    lane_##A x = p[i];                                                                       \
		    r[i] = (lane_##T)(__VA_ARGS__);                                                          \
	    })
#define LANE_MAP2(name, T, A, B, ...)                                                                        \
	LANE_FUNCTION(                                                                                       \
	    name, const lane_##A *p = a; const lane_##B *q = b; lane_##T *r = dst; LANE_LOOP(i) {            \
		    lane_##A x = p[i];                                                                       \
		    lane_##B y = q[i];                                                                       \
		    r[i] = (lane_##T)(__VA_ARGS__);                                                          \
	    })
#define LANE_MAP3(name, T, A, B, C, ...)                                                                     \
	LANE_FUNCTION(                                                                                       \
	    name, const lane_##A *p = a; const lane_##B *q = b; const lane_##C *s = c; lane_##T *r = dst;    \
	    LANE_LOOP(i) {                                                                                   \
		    lane_##A x = p[i];                                                                       \
		    lane_##B y = q[i];                                                                       \
		    lane_##C z = s[i];                                                                       \
		    r[i] = (lane_##T)(__VA_ARGS__);                                                          \
	    })
#define LANE_MAP4(name, T, A, B, C, D, ...)                                                                  \
	LANE_FUNCTION(                                                                                       \
	    name, const lane_##A *p = a; const lane_##B *q = b; const lane_##C *s = c;                       \
	    const lane_##D *t = d; lane_##T *r = dst; LANE_LOOP(i) {                                         \
		    lane_##A x = p[i];                                                                       \
		    lane_##B y = q[i];                                                                       \
		    lane_##C z = s[i];                                                                       \
		    lane_##D w = t[i];                                                                       \
		    r[i] = (lane_##T)(__VA_ARGS__);                                                          \
	    })

/* What a function is for. A field that an opcode does not use is 0, that is "none". */
struct lane_form {
	uint8_t op, type, type2, mode, round;
	uint16_t flags;
	lane_fn *base, *wide;
};
#define LANE_FORM(op, type, mode, round, flags, name) LANE_FORM2(op, type, none, mode, round, flags, name)
#define LANE_FORM2(op, type, type2, mode, round, flags, name)                                                \
	{PTX_##op,          PTX_TYPE_##type, PTX_TYPE_##type2, PTX_MODE_##mode,                              \
	 PTX_ROUND_##round, flags,           name##_base,      name##_wide},

/* Lists of X(op, mode, flags, type, result, sources..., expression) into functions and entries of the table. */
#define LANE_DEFINE1(op, mode, flags, type, T, A, ...)                                                       \
	LANE_MAP1(op##_##mode##_##flags##_##type, T, A, __VA_ARGS__)
#define LANE_DEFINE2(op, mode, flags, type, T, A, B, ...)                                                    \
	LANE_MAP2(op##_##mode##_##flags##_##type, T, A, B, __VA_ARGS__)
#define LANE_DEFINE3(op, mode, flags, type, T, A, B, C, ...)                                                 \
	LANE_MAP3(op##_##mode##_##flags##_##type, T, A, B, C, __VA_ARGS__)
#define LANE_DEFINE4(op, mode, flags, type, T, A, B, C, D, ...)                                              \
	LANE_MAP4(op##_##mode##_##flags##_##type, T, A, B, C, D, __VA_ARGS__)
#define LANE_ENTRY(op, mode, flags, type, ...)                                                               \
	LANE_FORM(op, type, mode, none, FLAGS_##flags, op##_##mode##_##flags##_##type)

/* Flags that change what lanes compute. */
enum {
	LANE_FLAGS = PTX_FLAG_FTZ | PTX_FLAG_SAT | PTX_FLAG_CC | PTX_FLAG_APPROX | PTX_FLAG_FULL |
	             PTX_FLAG_WRAP | PTX_FLAG_NAN | PTX_FLAG_RELU | PTX_FLAG_SHIFTAMT
};

/* Whether the host runs the *_wide functions. */
bool lane_host_is_wide(void);
static inline lane_fn *lane_choose(lane_fn *base, lane_fn *wide)
{
	return lane_host_is_wide() ? wide : base;
}
/* The function of the form that equals `want` in all other fields; NULL: there is none. */
lane_fn *lane_form_find(const struct lane_form *forms, size_t count, const struct lane_form *want);
#define LANE_FORM_FIND(forms, want) lane_form_find(forms, sizeof(forms) / sizeof *(forms), want)

/* The unsigned type in place of an untyped one (b32). */
static inline uint8_t lane_unsigned_type(uint8_t type)
{
	switch (type) {
	case PTX_TYPE_b8:
		return PTX_TYPE_u8;
	case PTX_TYPE_b16:
		return PTX_TYPE_u16;
	case PTX_TYPE_b32:
		return PTX_TYPE_u32;
	case PTX_TYPE_b64:
		return PTX_TYPE_u64;
	default:
		return type;
	}
}

/* One per kind of instruction; NULL if the instruction is not of that kind. */
lane_fn *lane_find_integer(const struct ptx_insn *insn);
lane_fn *lane_find_carry(const struct ptx_insn *insn);
lane_fn *lane_find_bits(const struct ptx_insn *insn);
lane_fn *lane_find_packed(const struct ptx_insn *insn);
lane_fn *lane_find_f32(const struct ptx_insn *insn);
lane_fn *lane_find_f64(const struct ptx_insn *insn);
lane_fn *lane_find_half(const struct ptx_insn *insn);
lane_fn *lane_find_half_compare(const struct ptx_insn *insn);
lane_fn *lane_find_special(const struct ptx_insn *insn);
lane_fn *lane_find_compare(const struct ptx_insn *insn);
lane_fn *lane_find_select(const struct ptx_insn *insn);
lane_fn *lane_find_convert(const struct ptx_insn *insn, const struct lane_shape *shape);

#endif
