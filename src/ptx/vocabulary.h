/* The words of PTX: one list per kind, from which enums, names and the parser's tables come. */
#ifndef SLUICE_PTX_VOCABULARY_H
#define SLUICE_PTX_VOCABULARY_H

#include <stdint.h>

/* X(name, bits) */
/* clang-format off */
#define PTX_TYPES(X)                                                                                         \
	X(none, 0) X(pred, 1)                                                                                \
	X(b8, 8) X(b16, 16) X(b32, 32) X(b64, 64) X(b128, 128)                                               \
	X(u8, 8) X(u16, 16) X(u32, 32) X(u64, 64)                                                            \
	X(s8, 8) X(s16, 16) X(s32, 32) X(s64, 64)                                                            \
	X(f16, 16) X(f16x2, 32) X(bf16, 16) X(bf16x2, 32) X(f32, 32) X(f64, 64)                              \
	X(u16x2, 32) X(s16x2, 32)                                                                            \
	X(texref, 64) X(samplerref, 64) X(surfref, 64)
/* clang-format on */

/* clang-format off */
#define PTX_OPS(X)                                                                                           \
	X(abs) X(activemask) X(add) X(addc) X(and) X(atom) X(bar) X(barrier) X(bfe) X(bfi) X(bfind) X(bmsk)  \
	X(bra) X(brev) X(brkpt) X(brx) X(call) X(clz) X(cnot) X(copysign) X(cos) X(cvt) X(cvta)              \
	X(discard) X(div) X(dp2a) X(dp4a) X(ex2) X(exit) X(fence) X(fma) X(fns) X(isspacep) X(ld) X(ldu)     \
	X(lg2) X(lop3) X(mad) X(mad24) X(madc) X(match) X(max) X(membar) X(min) X(mov) X(mul) X(mul24)       \
	X(nanosleep) X(neg) X(not) X(or) X(popc) X(prefetch) X(prefetchu) X(prmt) X(rcp) X(red) X(redux)     \
	X(rem) X(ret) X(rsqrt) X(sad) X(selp) X(set) X(setp) X(shf) X(shfl) X(shl) X(shr) X(sin) X(slct)     \
	X(sqrt) X(st) X(sub) X(subc) X(suld) X(sust) X(szext) X(tanh) X(testp) X(tex) X(tld4) X(trap) X(txq) \
	X(vote) X(xor) X(pmevent)
/* clang-format on */

/* Special registers; X(identifier, spelling) */
/* clang-format off */
#define PTX_SREGS(X)                                                                                         \
	X(tid_x, "%tid.x") X(tid_y, "%tid.y") X(tid_z, "%tid.z")                                             \
	X(ntid_x, "%ntid.x") X(ntid_y, "%ntid.y") X(ntid_z, "%ntid.z")                                       \
	X(ctaid_x, "%ctaid.x") X(ctaid_y, "%ctaid.y") X(ctaid_z, "%ctaid.z")                                 \
	X(nctaid_x, "%nctaid.x") X(nctaid_y, "%nctaid.y") X(nctaid_z, "%nctaid.z")                           \
	X(laneid, "%laneid") X(warpid, "%warpid") X(nwarpid, "%nwarpid") X(smid, "%smid") X(nsmid, "%nsmid") \
	X(gridid, "%gridid") X(clock, "%clock") X(clock_hi, "%clock_hi") X(clock64, "%clock64")              \
	X(globaltimer, "%globaltimer") X(globaltimer_lo, "%globaltimer_lo")                                  \
	X(globaltimer_hi, "%globaltimer_hi")                                                                 \
	X(lanemask_eq, "%lanemask_eq") X(lanemask_lt, "%lanemask_lt") X(lanemask_le, "%lanemask_le")         \
	X(lanemask_gt, "%lanemask_gt") X(lanemask_ge, "%lanemask_ge")                                        \
	X(dynamic_smem_size, "%dynamic_smem_size") X(total_smem_size, "%total_smem_size")                    \
	X(warp_sz, "WARP_SZ")
/* clang-format on */

#define PTX_SPACES(X) X(generic) X(global) X(shared) X(local) X(const) X(param)
#define PTX_ROUNDS(X) X(none) X(rn) X(rz) X(rm) X(rp) X(rna) X(rni) X(rzi) X(rmi) X(rpi)
/* clang-format off */
#define PTX_COMPARES(X)                                                                                      \
	X(none) X(eq) X(ne) X(lt) X(le) X(gt) X(ge) X(lo) X(ls) X(hi) X(hs)                                  \
	X(equ) X(neu) X(ltu) X(leu) X(gtu) X(geu) X(num) X(nan)
/* clang-format on */
#define PTX_COMBINES(X) X(none) X(and) X(or) X(xor)
#define PTX_CACHES(X) X(none) X(ca) X(cg) X(cs) X(lu) X(cv) X(wb) X(wt)
#define PTX_SCOPES(X) X(none) X(cta) X(cluster) X(gpu) X(sys)

/* X(identifier, spelling): modifiers that belong to one opcode or family */
/* clang-format off */
#define PTX_MODES(X)                                                                                         \
	X(none, "")                                                                                          \
	X(lo, "lo") X(hi, "hi") X(wide, "wide")                     /* mul, mad, mul24, dp2a */              \
	X(l, "l") X(r, "r")                                         /* shf */                                \
	X(sync, "sync") X(arrive, "arrive") X(red, "red")           /* bar, barrier */                       \
	X(up, "up") X(down, "down") X(bfly, "bfly") X(idx, "idx")   /* shfl, brx */                          \
	X(all, "all") X(any, "any") X(uni, "uni") X(ballot, "ballot") /* vote, match */                      \
	X(and, "and") X(or, "or") X(xor, "xor") X(cas, "cas") X(exch, "exch") X(add, "add") X(inc, "inc")    \
	X(dec, "dec") X(min, "min") X(max, "max") X(popc, "popc")   /* atom, red, redux, bar.red */          \
	X(f4e, "f4e") X(b4e, "b4e") X(rc8, "rc8") X(ecl, "ecl") X(ecr, "ecr") X(rc16, "rc16") /* prmt */     \
	X(d1, "1d") X(d2, "2d") X(d3, "3d") X(a1d, "a1d") X(a2d, "a2d") X(cube, "cube")       /* tex */      \
	X(finite, "finite") X(infinite, "infinite") X(number, "number") X(notanumber, "notanumber")          \
	X(normal, "normal") X(subnormal, "subnormal")               /* testp */                              \
	X(width, "width") X(height, "height") X(depth, "depth")     /* txq */                                \
	X(L1, "L1") X(L2, "L2")                                     /* prefetch */                           \
	X(acq_rel, "acq_rel") X(sc, "sc")                           /* fence */                              \
	X(cc, "cc")                                                                                          \
	X(warp, "warp")                                             /* bar.warp.sync: source is the mask */
/* clang-format on */

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
	PTX_FLAG_SHIFTAMT =
	    1u << 15 /* bfind.shiftamt, bmsk/szext .clamp; min/max.xorsign; suld/sust.clamp (there SAT
					is .zero, neither is .trap) */
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

/* Of one element in a register: 16 for 16-bit and narrower types, 32 for predicates, else their own. */
unsigned ptx_type_bits(enum ptx_type type);
unsigned ptx_type_bytes(enum ptx_type type); /* in memory */
const char *ptx_type_name(enum ptx_type type);
const char *ptx_op_name(enum ptx_op op);
const char *ptx_sreg_name(enum ptx_sreg sreg);
const char *ptx_space_name(enum ptx_space space);
const char *ptx_mode_name(enum ptx_mode mode);

#endif
