/* Pairs of 16-bit integers in a lane (u16x2, s16x2): an array of twice as many. */
#include "cuda/lanes/loop.h"

/* X(op, type, flags, element, expression) */
#define FORMS(X)                                                                                             \
	X(add, u16x2, 0, u16, x + y)                                                                         \
	X(add, s16x2, 0, u16, x + y)                                                                         \
	X(sub, u16x2, 0, u16, x - y)                                                                         \
	X(sub, s16x2, 0, u16, x - y)                                                                         \
	X(min, u16x2, 0, u16, x < y ? x : y)                                                                 \
	X(max, u16x2, 0, u16, x > y ? x : y)                                                                 \
	X(min, s16x2, 0, s16, x < y ? x : y)                                                                 \
	X(max, s16x2, 0, s16, x > y ? x : y)                                                                 \
	X(min, s16x2, RELU, s16, x < 0 || y < 0 ? 0 : x < y ? x : y)                                         \
	X(max, s16x2, RELU, s16, x < 0 && y < 0 ? 0 : x > y ? x : y)
#define DEFINE(op, type, flags, T, expression)                                                               \
	LANE_FUNCTION(                                                                                       \
	    op##_##type##_##flags, const lane_##T *p = a; const lane_##T *q = b; lane_##T *r = dst;          \
	    lanes *= 2; LANE_LOOP(i) {                                                                       \
		    lane_##T x = p[i];                                                                       \
		    lane_##T y = q[i];                                                                       \
		    r[i] = (lane_##T)(expression);                                                           \
	    })
FORMS(DEFINE)

enum { FLAGS_0 = 0, FLAGS_RELU = PTX_FLAG_RELU };
#define ENTRY(op, type, flags, ...) LANE_FORM(op, type, none, none, FLAGS_##flags, op##_##type##_##flags)
static const struct lane_form forms[] = {FORMS(ENTRY)};

lane_fn *lane_find_packed(const struct ptx_insn *insn)
{
	struct lane_form want = {
	    .op = (uint8_t)insn->op, .type = insn->type, .flags = insn->flags & LANE_FLAGS};
	return lane_form_find(forms, sizeof forms / sizeof *forms, &want);
}
