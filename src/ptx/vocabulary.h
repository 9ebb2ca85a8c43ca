/* The words of PTX as enums and flags, and their names. */
#ifndef SLUICE_PTX_VOCABULARY_H
#define SLUICE_PTX_VOCABULARY_H

#include <stdint.h>

#include "ptx/words.h"

enum ptx_flag {
	PTX_FLAG_FTZ = 1u << 0,
	PTX_FLAG_SAT = 1u << 1,
	PTX_FLAG_UNI = 1u << 2,
	PTX_FLAG_CC = 1u << 3, /* writes the carry: add.cc */
	PTX_FLAG_APPROX = 1u << 4,
	PTX_FLAG_FULL = 1u << 5, /* div.full */
	PTX_FLAG_VOLATILE = 1u << 6,
	PTX_FLAG_STRONG = 1u << 7, /* relaxed, acquire, release, acq_rel on an access */
	PTX_FLAG_NC = 1u << 8,     /* ld.global.nc */
	PTX_FLAG_GUARD_NOT = 1u << 9,
	PTX_FLAG_TO = 1u << 10,   /* cvta.to.space */
	PTX_FLAG_WRAP = 1u << 11, /* shf.wrap; else clamp */
	PTX_FLAG_SYNC = 1u << 12, /* shfl.sync, vote.sync: last source is the member mask */
	PTX_FLAG_NAN = 1u << 13,  /* min.NaN */
	PTX_FLAG_RELU = 1u << 14,
	/* bfind.shiftamt, bmsk/szext .clamp; min/max.xorsign; suld/sust.clamp (there SAT is .zero, neither is .trap) */
	PTX_FLAG_SHIFTAMT = 1u << 15,
	PTX_FLAG_TRANS = 1u << 16,       /* ldmatrix.trans, stmatrix.trans */
	PTX_FLAG_BULK = 1u << 17,        /* cp.async.bulk and its groups */
	PTX_FLAG_PARITY = 1u << 18,      /* mbarrier.try_wait.parity */
	PTX_FLAG_EXPECT_TX = 1u << 19,   /* mbarrier.arrive.expect_tx */
	PTX_FLAG_NO_COMPLETE = 1u << 20, /* mbarrier.arrive.noComplete */
	PTX_FLAG_NOINC = 1u << 21,       /* cp.async.mbarrier.arrive.noinc */
	PTX_FLAG_MBARRIER = 1u << 22,    /* cp.async.mbarrier.arrive */
	PTX_FLAG_CLUSTER = 1u << 23,     /* shared::cluster: of any CTA of the cluster */
	PTX_FLAG_HINT = 1u << 24,        /* .L2::cache_hint: last source is the policy */
	PTX_FLAG_ACCUMULATE = 1u << 25   /* video SIMD .add: lanes' results are summed */
};

#define X(name, bits) PTX_TYPE_##name,
enum ptx_type { PTX_TYPES(X) PTX_TYPE_COUNT };
#undef X
#define X(name) PTX_##name,
enum ptx_op { PTX_OPS(X) PTX_OP_COUNT };
#undef X
#define X(name, spelling) PTX_SREG_##name,
enum ptx_sreg { PTX_SREGS(X) PTX_SREG_COUNT };
#undef X
#define X(name) PTX_SPACE_##name,
enum ptx_space { PTX_SPACES(X) PTX_SPACE_COUNT };
#undef X
#define X(name) PTX_ROUND_##name,
enum ptx_round { PTX_ROUNDS(X) PTX_ROUND_COUNT };
#undef X
#define X(name) PTX_COMPARE_##name,
enum ptx_compare { PTX_COMPARES(X) PTX_COMPARE_COUNT };
#undef X
#define X(name) PTX_COMBINE_##name,
enum ptx_combine { PTX_COMBINES(X) PTX_COMBINE_COUNT };
#undef X
#define X(name) PTX_CACHE_##name,
enum ptx_cache { PTX_CACHES(X) PTX_CACHE_COUNT };
#undef X
#define X(name) PTX_SCOPE_##name,
enum ptx_scope { PTX_SCOPES(X) PTX_SCOPE_COUNT };
#undef X
#define X(name, spelling) PTX_MODE_##name,
enum ptx_mode { PTX_MODES(X) PTX_MODE_COUNT };
#undef X

#define X(name, m, n, k) PTX_SHAPE_##name,
enum ptx_shape { PTX_SHAPES(X) PTX_SHAPE_COUNT };
#undef X
#define X(name) PTX_EVICT_##name,
enum ptx_evict { PTX_EVICTS(X) PTX_EVICT_COUNT };
#undef X
enum ptx_layout { PTX_LAYOUT_none, PTX_LAYOUT_row, PTX_LAYOUT_col };
/* The matrices of D = A B + C. */
enum ptx_fragment { PTX_FRAGMENT_d, PTX_FRAGMENT_a, PTX_FRAGMENT_b, PTX_FRAGMENT_c };

/* Of one element in a register: 16 for 16-bit and narrower types, 32 for predicates, else their own. */
unsigned ptx_type_bits(enum ptx_type type);
unsigned ptx_type_bytes(enum ptx_type type); /* in memory */
const char *ptx_type_name(enum ptx_type type);
const char *ptx_op_name(enum ptx_op op);
const char *ptx_sreg_name(enum ptx_sreg sreg);
const char *ptx_space_name(enum ptx_space space);
const char *ptx_mode_name(enum ptx_mode mode);

#endif
