/* The words of PTX: one list per kind, from which enums, names and the parser's tables come. Part of vocabulary.h. */
#ifndef SLUICE_PTX_WORDS_H
#define SLUICE_PTX_WORDS_H

/* X(name, bits) */
/* clang-format off */
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
	X(vote) X(xor) X(pmevent)                                                                            \
	X(mma) X(wmma) X(ldmatrix) X(stmatrix) X(movmatrix) X(cp) X(mbarrier) X(elect) X(griddepcontrol)     \
	X(setmaxnreg) X(createpolicy) X(applypriority) X(mapa) X(getctarank)                                   \
	X(vabsdiff) X(vadd) X(vsub) X(vmin) X(vmax)                          \
	X(vabsdiff2) X(vadd2) X(vsub2) X(vmin2) X(vmax2) X(vavrg2) X(vset2)                                  \
	X(vabsdiff4) X(vadd4) X(vsub4) X(vmin4) X(vmax4) X(vavrg4) X(vset4)                                  \
	X(unsupported) /* an instruction that was refused: ptx_parse_tolerant() */
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
	X(warp_sz, "WARP_SZ")                                                                                \
	X(clusterid_x, "%clusterid.x") X(clusterid_y, "%clusterid.y") X(clusterid_z, "%clusterid.z")         \
	X(nclusterid_x, "%nclusterid.x") X(nclusterid_y, "%nclusterid.y") X(nclusterid_z, "%nclusterid.z")   \
	X(cluster_ctaid_x, "%cluster_ctaid.x") X(cluster_ctaid_y, "%cluster_ctaid.y")                        \
	X(cluster_ctaid_z, "%cluster_ctaid.z") X(cluster_nctaid_x, "%cluster_nctaid.x")                      \
	X(cluster_nctaid_y, "%cluster_nctaid.y") X(cluster_nctaid_z, "%cluster_nctaid.z")                    \
	X(cluster_ctarank, "%cluster_ctarank") X(cluster_nctarank, "%cluster_nctarank")                      \
	X(is_explicit_cluster, "%is_explicit_cluster")
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
	X(warp, "warp")                                             /* bar.warp.sync: source is the mask */  \
	X(load, "load") X(store, "store") X(mma, "mma")             /* wmma */                               \
	X(async, "async") X(commit_group, "commit_group") X(wait_group, "wait_group")                        \
	X(wait_all, "wait_all") X(prefetch, "prefetch")             /* cp */                                 \
	X(init, "init") X(inval, "inval") X(expect_tx, "expect_tx") X(complete_tx, "complete_tx")            \
	X(arrive_drop, "arrive_drop") X(test_wait, "test_wait") X(try_wait, "try_wait")                      \
	X(pending_count, "pending_count")                           /* mbarrier; arrive as of bar */         \
	X(wait, "wait")                                             /* barrier.cluster; arrive */            \
	X(fractional, "fractional") X(cvt, "cvt") X(range, "range") /* createpolicy */                       \
	X(launch_dependents, "launch_dependents")                   /* griddepcontrol; wait */
/* clang-format on */

/* Shapes of matrices: X(name, m, n, k) */
/* clang-format off */
#define PTX_SHAPES(X)                                                                                        \
	X(none, 0, 0, 0) X(m8n8, 8, 8, 0)                                                                    \
	X(m8n8k4, 8, 8, 4) X(m8n8k16, 8, 8, 16) X(m8n8k32, 8, 8, 32) X(m8n8k128, 8, 8, 128)                  \
	X(m16n8k4, 16, 8, 4) X(m16n8k8, 16, 8, 8) X(m16n8k16, 16, 8, 16) X(m16n8k32, 16, 8, 32)              \
	X(m16n8k64, 16, 8, 64) X(m16n8k128, 16, 8, 128) X(m16n8k256, 16, 8, 256)                             \
	X(m16n16k8, 16, 16, 8) X(m16n16k16, 16, 16, 16) X(m32n8k16, 32, 8, 16) X(m8n32k16, 8, 32, 16)
/* clang-format on */

/* What a cache is asked to do with the data of an access, of the strongest modifier that says so. */
#define PTX_EVICTS(X) X(none) X(normal) X(first) X(last) X(unchanged) X(no_allocate)

#endif
