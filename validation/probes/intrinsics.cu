/*
 * What intrinsics become: a kernel for each, compiled by nvcc 13.0 for sm_90. intrinsics.tsv has the SASS instructions of
 * each, as cuobjdump lists them, without padding.
 */
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cuda_fp8.h>
#include <cuda_pipeline.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
#define K(name, in, out, expr) extern "C" __global__ void name(const in *a, const in *b, const in *c, out *o) { int i = threadIdx.x; in x = a[i], y = b[i], z = c[i]; (void)y; (void)z; o[i] = expr; }
K(h2_add, __half2, __half2, __hadd2(x, y))
K(h2_mul, __half2, __half2, __hmul2(x, y))
K(h2_fma, __half2, __half2, __hfma2(x, y, z))
K(h2_sub, __half2, __half2, __hsub2(x, y))
K(h2_op_mul_add, __half2, __half2, x * y + z)
K(h2_max, __half2, __half2, __hmax2(x, y))
K(h2_min, __half2, __half2, __hmin2(x, y))
K(h2_abs, __half2, __half2, __habs2(x))
K(h2_neg, __half2, __half2, __hneg2(x))
K(h2_relu, __half2, __half2, __hfma2_relu(x, y, z))
K(h2_sat, __half2, __half2, __hadd2_sat(x, y))
K(h2_gt, __half2, __half2, __hgt2(x, y))
K(h2_exp, __half2, __half2, h2exp(x))
K(h2_exp2, __half2, __half2, h2exp2(x))
K(h2_log, __half2, __half2, h2log(x))
K(h2_rcp, __half2, __half2, h2rcp(x))
K(h2_rsqrt, __half2, __half2, h2rsqrt(x))
K(h2_sqrt, __half2, __half2, h2sqrt(x))
K(h2_div, __half2, __half2, __h2div(x, y))
K(h2_f2, __half2, float2, __half22float2(x))
K(f2_h2, float2, __half2, __float22half2_rn(x))
K(h_add, __half, __half, __hadd(x, y))
K(h_fma, __half, __half, __hfma(x, y, z))
K(h_div, __half, __half, __hdiv(x, y))
K(h_float, __half, float, __half2float(x))
K(float_h, float, __half, __float2half(x))
K(h_exp, __half, __half, hexp(x))
K(h_lt, __half, int, __hlt(x, y))
K(h_int, __half, int, __half2int_rz(x))
K(int_h, int, __half, __int2half_rn(x))
K(b2_add, __nv_bfloat162, __nv_bfloat162, __hadd2(x, y))
K(b2_mul, __nv_bfloat162, __nv_bfloat162, __hmul2(x, y))
K(b2_fma, __nv_bfloat162, __nv_bfloat162, __hfma2(x, y, z))
K(b2_max, __nv_bfloat162, __nv_bfloat162, __hmax2(x, y))
K(b2_exp2, __nv_bfloat162, __nv_bfloat162, h2exp2(x))
K(b_float, __nv_bfloat16, float, __bfloat162float(x))
K(float_b, float, __nv_bfloat16, __float2bfloat16(x))
K(b2_f2, __nv_bfloat162, float2, __bfloat1622float2(x))
K(f2_b2, float2, __nv_bfloat162, __float22bfloat162_rn(x))
K(b_add, __nv_bfloat16, __nv_bfloat16, __hadd(x, y))
K(b_fma, __nv_bfloat16, __nv_bfloat16, __hfma(x, y, z))
K(e4_f, __nv_fp8_e4m3, float, float(x))
K(f_e4, float, __nv_fp8_e4m3, __nv_fp8_e4m3(x))
K(e4x2_f2, __nv_fp8x2_e4m3, float2, float2(x))
K(f2_e4x2, float2, __nv_fp8x2_e4m3, __nv_fp8x2_e4m3(x))
K(e4x4_f4, __nv_fp8x4_e4m3, float4, float4(x))
K(f4_e4x4, float4, __nv_fp8x4_e4m3, __nv_fp8x4_e4m3(x))
K(e5_f, __nv_fp8_e5m2, float, float(x))
K(f_e5, float, __nv_fp8_e5m2, __nv_fp8_e5m2(x))
K(e4_h, __nv_fp8_e4m3, __half, __half(x))
K(h_e4, __half, __nv_fp8_e4m3, __nv_fp8_e4m3(x))
K(h2_e4x2, __half2, __nv_fp8x2_e4m3, __nv_fp8x2_e4m3(x))
K(redux_add, int, int, __reduce_add_sync(~0u, x))
K(redux_min, int, int, __reduce_min_sync(~0u, x))
K(redux_or, unsigned, unsigned, __reduce_or_sync(~0u, x))
K(match_any, int, unsigned, __match_any_sync(~0u, x))
K(vote_all, int, int, __all_sync(~0u, x > 3))
K(vote_any, int, int, __any_sync(~0u, x > 3))
K(vote_ballot, int, unsigned, __ballot_sync(~0u, x > 3))
K(active, int, unsigned, x > 3 ? __activemask() : 0)
extern "C" __global__ void match_all(const int *a, unsigned *o, int *q) { int p; o[threadIdx.x] = __match_all_sync(~0u, a[threadIdx.x], &p); q[threadIdx.x] = p; }
K(dp4, int, int, __dp4a(x, y, z))
K(dp2, int, int, __dp2a_lo(x, y, z))
K(vadd4, unsigned, unsigned, __vadd4(x, y))
K(vmaxu4, unsigned, unsigned, __vmaxu4(x, y))
K(vabsdiffu4, unsigned, unsigned, __vabsdiffu4(x, y))
K(vsadu4, unsigned, unsigned, __vsadu4(x, y))
K(viaddmax, int, int, __viaddmax_s32(x, y, z))
K(vimax3, int, int, __vimax3_s32(x, y, z))
K(prmt, unsigned, unsigned, __byte_perm(x, y, z))
K(funnel, unsigned, unsigned, __funnelshift_l(x, y, z))
K(k_sad, unsigned, unsigned, __usad(x, y, z))
K(k_popc, unsigned, int, __popc(x))
K(k_brev, unsigned, unsigned, __brev(x))
K(k_clz, int, int, __clz(x))
K(k_ffs, int, int, __ffs(x))
K(k_clzll, long long, int, __clzll(x))
K(k_mulhi, int, int, __mulhi(x, y))
K(mul64, long long, long long, x * y)
K(k_umul64hi, unsigned long long, unsigned long long, __umul64hi(x, y))
K(mad_wide, int, long long, (long long)x * y + z)
K(k_div_s32, int, int, x / y)
K(rem_u32, unsigned, unsigned, x % y)
K(div_s64, long long, long long, x / y)
K(div_u32_7, unsigned, unsigned, x / 7)
K(rem_s32_12, int, int, x % 12)
K(k_fdiv, float, float, x / y)
K(k_fdividef, float, float, __fdividef(x, y))
K(k_fexp, float, float, expf(x))
K(fexp2, float, float, exp2f(x))
K(fexpi, float, float, __expf(x))
K(k_flog, float, float, logf(x))
K(fsin, float, float, __sinf(x))
K(k_fsqrt, float, float, sqrtf(x))
K(k_frsqrt, float, float, rsqrtf(x))
K(k_ftanh, float, float, tanhf(x))
K(k_fpow, float, float, powf(x, y))
K(k_ferf, float, float, erff(x))
K(ddiv, double, double, x / y)
K(dsqrt, double, double, sqrt(x))
K(dexp, double, double, exp(x))
K(dlog, double, double, log(x))
K(dpow, double, double, pow(x, y))
K(dsin, double, double, sin(x))
K(i2f, int, float, (float)x)
K(f2i, float, int, (int)x)
K(d2f, double, float, (float)x)
K(ll2d, long long, double, (double)x)
K(u8f, unsigned char, float, (float)x)
K(fu8, float, unsigned char, (unsigned char)x)
K(k_lerp, float, float, fmaf(x, y - z, z))
K(fminmax, float, float, fminf(fmaxf(x, y), z))
K(k_sel, float, float, x > y ? z : x)
extern "C" __global__ void at_half2(__half2 *p, const __half2 *a) { atomicAdd(p + threadIdx.x, a[threadIdx.x]); }
extern "C" __global__ void at_bf2(__nv_bfloat162 *p, const __nv_bfloat162 *a) { atomicAdd(p + threadIdx.x, a[threadIdx.x]); }
extern "C" __global__ void at_half(__half *p, const __half *a) { atomicAdd(p + threadIdx.x, a[threadIdx.x]); }
extern "C" __global__ void at_float(float *p, const float *a) { atomicAdd(p + threadIdx.x, a[threadIdx.x]); }
extern "C" __global__ void at_float_one(float *p, const float *a) { atomicAdd(p, a[threadIdx.x]); }
extern "C" __global__ void at_int_one(int *p) { atomicAdd(p, 1); }
extern "C" __global__ void at_int_one_ret(int *p, int *o) { o[threadIdx.x] = atomicAdd(p, 1); }
extern "C" __global__ void at_int_one_var(int *p, const int *a) { atomicAdd(p, a[threadIdx.x]); }
extern "C" __global__ void at_max_one(int *p, const int *a) { atomicMax(p, a[threadIdx.x]); }
extern "C" __global__ void at_float4(float4 *p, const float4 *a) { atomicAdd(p + threadIdx.x, a[threadIdx.x]); }
extern "C" __global__ void at_double(double *p, const double *a) { atomicAdd(p + threadIdx.x, a[threadIdx.x]); }
extern "C" __global__ void at_cas64(unsigned long long *p, unsigned long long *o) { o[threadIdx.x] = atomicCAS(p + threadIdx.x, 0ull, 5ull); }
extern "C" __global__ void at_system(int *p) { atomicAdd_system(p + threadIdx.x, 1); }
extern "C" __global__ void at_shared_f(const float *a, const int *k, float *o) { __shared__ float s[64]; s[threadIdx.x & 63] = 0; __syncthreads(); atomicAdd(&s[k[threadIdx.x]], a[threadIdx.x]); __syncthreads(); o[threadIdx.x] = s[threadIdx.x & 63]; }
extern "C" __global__ void at_shared_i(const int *k, int *o) { __shared__ int s[64]; s[threadIdx.x & 63] = 0; __syncthreads(); atomicAdd(&s[k[threadIdx.x]], 1); __syncthreads(); o[threadIdx.x] = s[threadIdx.x & 63]; }
extern "C" __global__ void cg_reduce(const int *a, int *o) { auto w = cg::tiled_partition<32>(cg::this_thread_block()); o[threadIdx.x] = cg::reduce(w, a[threadIdx.x], cg::plus<int>()); }
extern "C" __global__ void cg_reduce_f(const float *a, float *o) { auto w = cg::tiled_partition<32>(cg::this_thread_block()); o[threadIdx.x] = cg::reduce(w, a[threadIdx.x], cg::plus<float>()); }
extern "C" __global__ void cg_reduce16(const float *a, float *o) { auto w = cg::tiled_partition<16>(cg::this_thread_block()); o[threadIdx.x] = cg::reduce(w, a[threadIdx.x], cg::greater<float>()); }
extern "C" __global__ void cg_coalesced(int *p, const int *a) { if (a[threadIdx.x] > 3) { auto g = cg::coalesced_threads(); int base; if (g.thread_rank() == 0) base = atomicAdd(p, g.size()); p[1 + g.shfl(base, 0) + g.thread_rank()] = threadIdx.x; } }
extern "C" __global__ void cg_sync_grid(int *p) { cg::grid_group g = cg::this_grid(); p[threadIdx.x] = 1; g.sync(); p[threadIdx.x] += p[63 - threadIdx.x]; }
extern "C" __global__ void pipe_memcpy(const float4 *a, float4 *o) { __shared__ float4 s[256]; __pipeline_memcpy_async(&s[threadIdx.x], a + threadIdx.x, 16); __pipeline_commit(); __pipeline_wait_prior(0); __syncthreads(); o[threadIdx.x] = s[255 - threadIdx.x]; }
extern "C" __global__ void pipe_memcpy4(const float *a, float *o) { __shared__ float s[256]; __pipeline_memcpy_async(&s[threadIdx.x], a + threadIdx.x, 4); __pipeline_commit(); __pipeline_wait_prior(0); __syncthreads(); o[threadIdx.x] = s[255 - threadIdx.x]; }
extern "C" __global__ void cg_memcpy(const float *a, float *o) { __shared__ alignas(16) float s[1024]; auto b = cg::this_thread_block(); cg::memcpy_async(b, s, a, cuda::aligned_size_t<16>(4096)); cg::wait(b); o[threadIdx.x] = s[1023 - threadIdx.x]; }
extern "C" __global__ void block_pipe(const float *a, float *o, int n) { constexpr int S = 2; __shared__ alignas(16) float s[S][256]; __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, S> st; auto b = cg::this_thread_block(); auto p = cuda::make_pipeline(b, &st); float sum = 0; for (int i = 0, f = 0; i < n; i++) { for (; f < n && f < i + S; f++) { p.producer_acquire(); cuda::memcpy_async(b, s[f % S], a + f * 256, cuda::aligned_size_t<16>(1024), p); p.producer_commit(); } p.consumer_wait(); sum += s[i % S][255 - threadIdx.x]; p.consumer_release(); } o[threadIdx.x] = sum; }
extern "C" __global__ void bar_wait(const float *a, float *o) { __shared__ cuda::barrier<cuda::thread_scope_block> b; __shared__ float s[256]; if (threadIdx.x == 0) init(&b, blockDim.x); __syncthreads(); s[threadIdx.x] = a[threadIdx.x]; b.arrive_and_wait(); o[threadIdx.x] = s[255 - threadIdx.x]; }
extern "C" __global__ void shuffles(const float *a, float *o) { float v = a[threadIdx.x]; for (int d = 16; d; d >>= 1) v += __shfl_xor_sync(~0u, v, d); o[threadIdx.x] = v; }
extern "C" __global__ void transpose8(const short *a, short *o) { __shared__ short s[8][9]; int x = threadIdx.x & 7, y = threadIdx.x >> 3; s[y][x] = a[y * 8 + x]; __syncthreads(); int t = 0; for (int k = 0; k < 8; k++) t += s[y][k] * s[k][x]; o[x * 8 + y] = (short)(t >> 3); }
extern "C" __global__ void rotate(const unsigned char *a, unsigned char *o, int w, int h) { int i = blockIdx.x * blockDim.x + threadIdx.x; int x = i % w, y = i / w; if (y < h) o[x * h + (h - 1 - y)] = a[i]; }
extern "C" __global__ void reverse64(const double *a, double *o, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) o[n - 1 - i] = a[i]; }
extern "C" __global__ void bitmap(const unsigned *a, int *o, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; unsigned v = a[i]; int c = 0, s = 0; while (v) { int b = __ffs(v) - 1; s += b; if (b & 1) c++; v &= v - 1; } o[i] = s * 32 + c; }
extern "C" __global__ void dchain(const double *a, double *o, int n) { double v = a[threadIdx.x]; for (int i = 0; i < n; i++) v = exp(-v * v) + 0.5 * v; o[threadIdx.x] = v; }
