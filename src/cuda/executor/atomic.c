/*
 * Atomics: lanes one after the other, in ascending order, which is an order
 * that a GPU may take too. Nothing else runs meanwhile, so scopes and memory
 * order ask for nothing.
 */
#include "cuda/executor/access.h"
#include "cuda/executor/handlers.h"
#include "cuda/executor/mask.h"
#include "cuda/lanes/convert.h"

/* A lane's value, the operands x (and y, of cas), and the new value. */
typedef void atom_fn(const uint64_t *host, uint64_t mask, uint8_t *old, const uint8_t *a, const uint8_t *b);

/* ---- halves: sums in single precision, rounded once ------------------------------------------------------- */

static uint16_t add_half(uint16_t x, uint16_t y)
{
	float sum = lane_f16_to_f32(x) + lane_f16_to_f32(y);
	return sum != sum ? 0x7fff : LANE_HALF_f16((double)sum, FE_TONEAREST);
}

static uint16_t add_bfloat(uint16_t x, uint16_t y)
{
	float sum = lane_bf16_to_f32(x) + lane_bf16_to_f32(y);
	return sum != sum ? 0x7fff : LANE_HALF_bf16((double)sum, FE_TONEAREST);
}

#define PAIR(add)                                                                                            \
	((uint32_t)add((uint16_t)v, (uint16_t)x) | (uint32_t)add((uint16_t)(v >> 16), (uint16_t)(x >> 16))   \
	                                               << 16)

/* ---- forms -------------------------------------------------------------------------------------------- */

/* X(op, types that take it, C type, new value of v with operands x and y) */
#define BITWISE(X, bits, T)                                                                                  \
	X(and, b##bits, T, v &x)                                                                             \
	X(or, b##bits, T, v | x)                                                                             \
	X(xor, b##bits, T, v ^ x) X(exch, b##bits, T, x) X(cas, b##bits, T, v == x ? y : v)
#define ORDERED(X, type, T) X(min, type, T, x < v ? x : v) X(max, type, T, x > v ? x : v)
/* clang-format off */
#define FORMS(X)                                                                                             \
	BITWISE(X, 32, uint32_t)                                                                             \
	BITWISE(X, 64, uint64_t)                                                                             \
	X(cas, b16, uint16_t, v == x ? y : v)                                                                \
	ORDERED(X, u32, uint32_t)                                                                            \
	ORDERED(X, s32, int32_t) ORDERED(X, u64, uint64_t) ORDERED(X, s64, int64_t)                          \
	    X(add, u32, uint32_t, v + x) X(add, s32, uint32_t, v + x) X(add, u64, uint64_t, v + x)           \
	        X(add, s64, uint64_t, v + x) X(inc, u32, uint32_t, v >= x ? 0 : v + 1)                       \
	            X(dec, u32, uint32_t, v == 0 || v > x ? x : v - 1) X(add, f32, float, v + x)             \
	                X(add, f64, double, v + x) X(add, f16, uint16_t, add_half(v, x))                     \
	                    X(add, bf16, uint16_t, add_bfloat(v, x)) X(add, f16x2, uint32_t, PAIR(add_half)) \
	                        X(add, bf16x2, uint32_t, PAIR(add_bfloat))
/* clang-format on */

#define DEFINE(op, type, T, expression)                                                                      \
	static void atom_##op##_##type(const uint64_t *host, uint64_t mask, uint8_t *old, const uint8_t *a,  \
	                               const uint8_t *b)                                                     \
	{                                                                                                    \
		for (; mask; mask &= mask - 1) {                                                             \
			unsigned i = bits_lowest(mask);                                                      \
			T v, x, y, after;                                                                    \
			memcpy(&v, device_host(host[i]), sizeof v);                                          \
			memcpy(&x, a + i * sizeof x, sizeof x);                                              \
			memcpy(&y, b + i * sizeof y, sizeof y);                                              \
			(void)y;                                                                             \
			after = (T)(expression);                                                             \
			memcpy(old + i * sizeof v, &v, sizeof v);                                            \
			memcpy(device_host(host[i]), &after, sizeof after);                                  \
		}                                                                                            \
	}
FORMS(DEFINE)

struct atom_form {
	uint8_t mode, type;
	atom_fn *fn;
};
#define ENTRY(op, type, T, expression) {PTX_MODE_##op, PTX_TYPE_##type, atom_##op##_##type},
static const struct atom_form forms[] = {FORMS(ENTRY)};

/* exch and the bitwise ones also come with the names of numbers of their width. */
static uint8_t form_type(const struct ptx_insn *insn)
{
	bool is_bits = insn->mode == PTX_MODE_exch || insn->mode == PTX_MODE_cas ||
	               insn->mode == PTX_MODE_and || insn->mode == PTX_MODE_or || insn->mode == PTX_MODE_xor;
	if (!is_bits)
		return insn->type;
	unsigned bits = ptx_type_bits(insn->type);
	return bits == 64 ? PTX_TYPE_b64 : bits == 32 ? PTX_TYPE_b32 : PTX_TYPE_b16;
}

bool atomic_choose(const struct ptx_insn *insn, struct code *op)
{
	uint8_t type = form_type(insn);
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		if (forms[i].mode == insn->mode && forms[i].type == type) {
			op->mode = (uint8_t)i;
			return true;
		}
	}
	return false;
}

/* ---- running ------------------------------------------------------------------------------------------ */

bool handle_atom(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	struct access *a = &run->kernel->accesses[op->more];
	const uint64_t *host = access_hosts(run, w, op, a, mask);
	if (!host)
		return false;
	if (run->progress.is_watched) {
		access_watch_read(run, a, host[bits_lowest(mask)]);
		access_before_change(run, host, 0, a->bytes, mask);
	}
	forms[op->mode].fn(host, mask, run->scratch[0], place(w, op->a), place(w, op->b));
	if (run->progress.is_watched)
		access_after_change(run, host, 0, a->bytes, mask, 0);
	if (op->d != PTX_NONE)
		lanes_write(run, w, op->d, run->scratch[0], op->bytes, mask);
	return true;
}
