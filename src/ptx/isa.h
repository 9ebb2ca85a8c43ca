/*
 * The words of PTX: types, opcodes, special registers, state spaces, modifiers. One list per kind, X(name, ...), gives
 * the enum, the names and the tables of the parser.
 */
#ifndef SLUICE_PTX_ISA_H
#define SLUICE_PTX_ISA_H

#include <stdint.h>

/* clang-format off */

/* X(name, bits) */
#define PTX_TYPES(X)                                                                                         \
	X(none, 0) X(pred, 1)                                                                                \
	X(b8, 8) X(b16, 16) X(b32, 32) X(b64, 64) X(b128, 128)                                               \
	X(u8, 8) X(u16, 16) X(u32, 32) X(u64, 64)                                                            \
	X(s8, 8) X(s16, 16) X(s32, 32) X(s64, 64)                                                            \
	X(f16, 16) X(f16x2, 32) X(bf16, 16) X(bf16x2, 32) X(f32, 32) X(f64, 64)                              \
	X(u16x2, 32) X(s16x2, 32)                                                                            \
	X(texref, 64) X(samplerref, 64) X(surfref, 64)                                                       \
	X(tf32, 32) X(e4m3, 8) X(e5m2, 8) X(e4m3x2, 16) X(e5m2x2, 16) /* of values, not of registers */      \
	X(s4, 4) X(u4, 4) X(b1, 1)

#define PTX_OPS(X)                                                                                           \
	X(abs) X(activemask) X(add) X(addc) X(and) X(atom) X(bar) X(barrier) X(bfe) X(bfi) X(bfind) X(bmsk)  \
	X(bra) X(brev) X(brkpt) X(brx) X(call) X(clz) X(cnot) X(copysign) X(cos) X(cvt) X(cvta)              \
	X(discard) X(div) X(dp2a) X(dp4a) X(ex2) X(exit) X(fence) X(fma) X(fns) X(isspacep) X(ld) X(ldu)     \
	X(lg2) X(lop3) X(mad) X(mad24) X(madc) X(match) X(max) X(membar) X(min) X(mov) X(mul) X(mul24)       \
	X(nanosleep) X(neg) X(not) X(or) X(popc) X(prefetch) X(prefetchu) X(prmt) X(rcp) X(red) X(redux)     \
	X(rem) X(ret) X(rsqrt) X(sad) X(selp) X(set) X(setp) X(shf) X(shfl) X(shl) X(shr) X(sin) X(slct)     \
	X(sqrt) X(st) X(sub) X(subc) X(suld) X(sust) X(szext) X(tanh) X(testp) X(tex) X(tld4) X(trap) X(txq) \
	X(vote) X(xor) X(pmevent)                                                                            \
	X(mma) X(wmma) X(ldmatrix) X(stmatrix) X(movmatrix) X(cp) X(mbarrier) X(elect) X(griddepcontrol)     \
	X(setmaxnreg) X(wgmma) X(createpolicy) X(applypriority) X(mapa) X(getctarank)                                   \
	X(vabsdiff) X(vadd) X(vsub) X(vmin) X(vmax)                          \
	X(vabsdiff2) X(vadd2) X(vsub2) X(vmin2) X(vmax2) X(vavrg2) X(vset2)                                  \
	X(vabsdiff4) X(vadd4) X(vsub4) X(vmin4) X(vmax4) X(vavrg4) X(vset4)                                  \
	X(unsupported) /* a refused instruction: ptx_parse_tolerant() */

/* Special registers; X(identifier, spelling) */
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
	X(warp_sz, "WARP_SZ")                                                                                \
	X(clusterid_x, "%clusterid.x") X(clusterid_y, "%clusterid.y") X(clusterid_z, "%clusterid.z")         \
	X(nclusterid_x, "%nclusterid.x") X(nclusterid_y, "%nclusterid.y") X(nclusterid_z, "%nclusterid.z")   \
	X(cluster_ctaid_x, "%cluster_ctaid.x") X(cluster_ctaid_y, "%cluster_ctaid.y")                        \
	X(cluster_ctaid_z, "%cluster_ctaid.z") X(cluster_nctaid_x, "%cluster_nctaid.x")                      \
	X(cluster_nctaid_y, "%cluster_nctaid.y") X(cluster_nctaid_z, "%cluster_nctaid.z")                    \
	X(cluster_ctarank, "%cluster_ctarank") X(cluster_nctarank, "%cluster_nctarank")                      \
	X(is_explicit_cluster, "%is_explicit_cluster")

#define PTX_SPACES(X) X(generic) X(global) X(shared) X(local) X(const) X(param)
#define PTX_ROUNDS(X) X(none) X(rn) X(rz) X(rm) X(rp) X(rna) X(rni) X(rzi) X(rmi) X(rpi)
#define PTX_COMPARES(X)                                                                                      \
	X(none) X(eq) X(ne) X(lt) X(le) X(gt) X(ge) X(lo) X(ls) X(hi) X(hs)                                  \
	X(equ) X(neu) X(ltu) X(leu) X(gtu) X(geu) X(num) X(nan)
#define PTX_COMBINES(X) X(none) X(and) X(or) X(xor)
#define PTX_CACHES(X) X(none) X(ca) X(cg) X(cs) X(lu) X(cv) X(wb) X(wt)
#define PTX_SCOPES(X) X(none) X(cta) X(cluster) X(gpu) X(sys)

/* X(identifier, spelling): modifiers that belong to one opcode or family */
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
	X(warp, "warp")                                             /* bar.warp.sync: source is the mask */  \
	X(load, "load") X(store, "store") X(mma, "mma")             /* wmma */                               \
	X(async, "async") X(commit_group, "commit_group") X(wait_group, "wait_group")                        \
	X(wait_all, "wait_all") X(prefetch, "prefetch")             /* cp */                                 \
	X(init, "init") X(inval, "inval") X(expect_tx, "expect_tx") X(complete_tx, "complete_tx")            \
	X(arrive_drop, "arrive_drop") X(test_wait, "test_wait") X(try_wait, "try_wait")                      \
	X(pending_count, "pending_count")                           /* mbarrier; arrive as of bar */         \
	X(wait, "wait")                                             /* barrier.cluster; arrive */            \
	X(fractional, "fractional") X(cvt, "cvt") X(range, "range") /* createpolicy */                       \
	X(launch_dependents, "launch_dependents")                   /* griddepcontrol; wait */               \
	X(mma_async, "mma_async") X(fence, "fence") /* wgmma; commit_group, wait_group */                    \
	X(tensormap, "tensormap")                                   /* prefetch */

/* Of wgmma: 64 rows by 8 to 256 columns. */
#define PTX_WARPGROUP_SHAPES(X, k) \
	X(m64n8k##k, 64, 8, k) X(m64n16k##k, 64, 16, k) X(m64n24k##k, 64, 24, k) X(m64n32k##k, 64, 32, k) \
	X(m64n40k##k, 64, 40, k) X(m64n48k##k, 64, 48, k) X(m64n56k##k, 64, 56, k) X(m64n64k##k, 64, 64, k) \
	X(m64n72k##k, 64, 72, k) X(m64n80k##k, 64, 80, k) X(m64n88k##k, 64, 88, k) X(m64n96k##k, 64, 96, k) \
	X(m64n104k##k, 64, 104, k) X(m64n112k##k, 64, 112, k) X(m64n120k##k, 64, 120, k) X(m64n128k##k, 64, 128, k) \
	X(m64n136k##k, 64, 136, k) X(m64n144k##k, 64, 144, k) X(m64n152k##k, 64, 152, k) X(m64n160k##k, 64, 160, k) \
	X(m64n168k##k, 64, 168, k) X(m64n176k##k, 64, 176, k) X(m64n184k##k, 64, 184, k) X(m64n192k##k, 64, 192, k) \
	X(m64n200k##k, 64, 200, k) X(m64n208k##k, 64, 208, k) X(m64n216k##k, 64, 216, k) X(m64n224k##k, 64, 224, k) \
	X(m64n232k##k, 64, 232, k) X(m64n240k##k, 64, 240, k) X(m64n248k##k, 64, 248, k) X(m64n256k##k, 64, 256, k)

/* Shapes of matrices: X(name, m, n, k) */
#define PTX_SHAPES(X)                                                                                        \
	X(none, 0, 0, 0) X(m8n8, 8, 8, 0)                                                                    \
	X(m8n8k4, 8, 8, 4) X(m8n8k16, 8, 8, 16) X(m8n8k32, 8, 8, 32) X(m8n8k128, 8, 8, 128)                  \
	X(m16n8k4, 16, 8, 4) X(m16n8k8, 16, 8, 8) X(m16n8k16, 16, 8, 16) X(m16n8k32, 16, 8, 32)              \
	X(m16n8k64, 16, 8, 64) X(m16n8k128, 16, 8, 128) X(m16n8k256, 16, 8, 256)                             \
	X(m16n16k8, 16, 16, 8) X(m16n16k16, 16, 16, 16) X(m32n8k16, 32, 8, 16) X(m8n32k16, 8, 32, 16)        \
	PTX_WARPGROUP_SHAPES(X, 8) PTX_WARPGROUP_SHAPES(X, 16) PTX_WARPGROUP_SHAPES(X, 32)

/* Eviction priority of an access, by its first modifier that gives one. */
#define PTX_EVICTS(X) X(none) X(normal) X(first) X(last) X(unchanged) X(no_allocate)

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
	PTX_FLAG_ACCUMULATE = 1u << 25,  /* video SIMD .add: lanes' results are summed */
	PTX_FLAG_TENSOR = 1u << 26,      /* cp.async.bulk.tensor: boxes of a tensor map */
	PTX_FLAG_ACQUIRE = 1u << 27,     /* acquire, acq_rel on an access */
	PTX_FLAG_RELEASE = 1u << 28      /* release, acq_rel on an access */
};

#define PTX_ENUM_TYPE(name, ...) PTX_TYPE_##name,
enum ptx_type { PTX_TYPES(PTX_ENUM_TYPE) PTX_TYPE_COUNT };
#define PTX_ENUM_OP(name) PTX_##name,
enum ptx_op { PTX_OPS(PTX_ENUM_OP) PTX_OP_COUNT };
#define PTX_ENUM_SREG(name, ...) PTX_SREG_##name,
enum ptx_sreg { PTX_SREGS(PTX_ENUM_SREG) PTX_SREG_COUNT };
#define PTX_ENUM_SPACE(name) PTX_SPACE_##name,
enum ptx_space { PTX_SPACES(PTX_ENUM_SPACE) PTX_SPACE_COUNT };
#define PTX_ENUM_ROUND(name) PTX_ROUND_##name,
enum ptx_round { PTX_ROUNDS(PTX_ENUM_ROUND) PTX_ROUND_COUNT };
#define PTX_ENUM_COMPARE(name) PTX_COMPARE_##name,
enum ptx_compare { PTX_COMPARES(PTX_ENUM_COMPARE) PTX_COMPARE_COUNT };
#define PTX_ENUM_COMBINE(name) PTX_COMBINE_##name,
enum ptx_combine { PTX_COMBINES(PTX_ENUM_COMBINE) PTX_COMBINE_COUNT };
#define PTX_ENUM_CACHE(name) PTX_CACHE_##name,
enum ptx_cache { PTX_CACHES(PTX_ENUM_CACHE) PTX_CACHE_COUNT };
#define PTX_ENUM_SCOPE(name) PTX_SCOPE_##name,
enum ptx_scope { PTX_SCOPES(PTX_ENUM_SCOPE) PTX_SCOPE_COUNT };
#define PTX_ENUM_MODE(name, ...) PTX_MODE_##name,
enum ptx_mode { PTX_MODES(PTX_ENUM_MODE) PTX_MODE_COUNT };
#define PTX_ENUM_SHAPE(name, ...) PTX_SHAPE_##name,
enum ptx_shape { PTX_SHAPES(PTX_ENUM_SHAPE) PTX_SHAPE_COUNT };
#define PTX_ENUM_EVICT(name) PTX_EVICT_##name,
enum ptx_evict { PTX_EVICTS(PTX_ENUM_EVICT) PTX_EVICT_COUNT };
enum ptx_layout { PTX_LAYOUT_none, PTX_LAYOUT_row, PTX_LAYOUT_col };
/* The matrices of D = A B + C. */
enum ptx_fragment { PTX_FRAGMENT_d, PTX_FRAGMENT_a, PTX_FRAGMENT_b, PTX_FRAGMENT_c };

/* Return the bits of an element in a register: 16 for 8-bit types, 32 for predicates, else the type's own. */
unsigned ptx_type_bits(enum ptx_type type);
unsigned ptx_type_bytes(enum ptx_type type); /* in memory */
const char *ptx_type_name(enum ptx_type type);
const char *ptx_op_name(enum ptx_op op);
const char *ptx_sreg_name(enum ptx_sreg sreg);
const char *ptx_space_name(enum ptx_space space);
const char *ptx_mode_name(enum ptx_mode mode);

#endif
