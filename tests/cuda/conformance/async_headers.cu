/* cuda_pipeline.h, cuda/barrier and cuda/pipeline: the usual forms of a program that copies ahead. */
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>

#include "check.h"

namespace cg = cooperative_groups;
enum { THREADS = 128, STEPS = 6 };

__global__ void primitives(const float4 *in, float4 *out)
{
	__shared__ float4 stage[2][THREADS];
	int t = threadIdx.x;
	float4 sum = make_float4(0, 0, 0, 0);
	__pipeline_memcpy_async(&stage[0][t], &in[t], sizeof(float4));
	__pipeline_commit();
	for (int s = 0; s < STEPS; s++) {
		if (s + 1 < STEPS)
			__pipeline_memcpy_async(&stage[(s + 1) % 2][t], &in[(s + 1) * THREADS + t],
			                        sizeof(float4), s == 2 ? 4 : 0);
		__pipeline_commit();
		__pipeline_wait_prior(1);
		__syncthreads();
		float4 v = stage[s % 2][THREADS - 1 - t];
		sum.x += v.x;
		sum.y -= v.y;
		sum.z += 2 * v.z;
		sum.w += v.w;
		__syncthreads();
	}
	out[t] = sum;
}

__global__ void barriers(const int *in, int *out)
{
#pragma nv_diag_suppress static_var_with_dynamic_init
	__shared__ cuda::barrier<cuda::thread_scope_block> bar;
	__shared__ int room[THREADS];
	int t = threadIdx.x;
	if (t == 0)
		init(&bar, THREADS);
	__syncthreads();
	int sum = 0;
	for (int s = 0; s < STEPS; s++) {
		cuda::memcpy_async(&room[t], &in[s * THREADS + t], cuda::aligned_size_t<4>(4), bar);
		bar.arrive_and_wait();
		sum = sum * 3 + room[(t + 7) % THREADS];
		bar.wait(bar.arrive());
	}
	out[t] = sum;
}

__global__ void pipelines(const int *in, int *out)
{
	__shared__ int room[2][THREADS];
	__shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
	auto block = cg::this_thread_block();
	auto pipe = cuda::make_pipeline(block, &state);
	int t = threadIdx.x, sum = 0;
	for (int s = 0, ahead = 0; s < STEPS; s++) {
		for (; ahead < STEPS && ahead < s + 2; ahead++) {
			pipe.producer_acquire();
			cuda::memcpy_async(&room[ahead % 2][t], &in[ahead * THREADS + t], sizeof(int), pipe);
			pipe.producer_commit();
		}
		pipe.consumer_wait();
		sum = sum * 5 + room[s % 2][(t + 3) % THREADS];
		pipe.consumer_release();
	}
	out[t] = sum;
}

/* Two warps fill, two empty. */
__global__ void roles(const int *in, int *out)
{
	__shared__ int room[2][THREADS / 2];
	__shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
	auto block = cg::this_thread_block();
	bool fills = threadIdx.x < THREADS / 2;
	auto pipe = cuda::make_pipeline(
	    block, &state, fills ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
	int t = threadIdx.x % (THREADS / 2), sum = 0;
	for (int s = 0; s < STEPS; s++) {
		if (fills) {
			pipe.producer_acquire();
			cuda::memcpy_async(&room[s % 2][t], &in[s * THREADS + t], cuda::aligned_size_t<4>(4),
			                   pipe);
			pipe.producer_commit();
		} else {
			pipe.consumer_wait();
			sum = sum * 7 + room[s % 2][(t + 1) % (THREADS / 2)];
			pipe.consumer_release();
		}
	}
	if (!fills)
		out[t] = sum;
}

typedef void kernel(const int *, int *);

static void check(const char *name, kernel *run, const int *in, int shift, int factor, int width)
{
	int want[THREADS] = {0};
	for (int s = 0; s < STEPS; s++)
		for (int t = 0; t < width; t++)
			want[t] = (int)((unsigned)want[t] * (unsigned)factor +
			                (unsigned)in[s * THREADS + (t + shift) % width]);
	const int *d = (int *)check_to_device(in, sizeof(int) * STEPS * THREADS);
	check_run(name, want, [&](int *out) { run<<<1, THREADS>>>(d, out); });
}

int main(void)
{
	static int in[STEPS * THREADS];
	static float numbers[STEPS][THREADS][4], want[THREADS][4];
	for (int i = 0; i < STEPS * THREADS * 4; i++)
		numbers[i / 4 / THREADS][i / 4 % THREADS][i % 4] = (float)(check_random() % 1000);
	for (int s = 0; s < STEPS; s++)
		for (int t = 0; t < THREADS; t++) {
			const float *v = numbers[s][THREADS - 1 - t];
			want[t][0] += v[0];
			want[t][1] -= v[1];
			want[t][2] += 2 * v[2];
			want[t][3] += s == 3 ? 0 : v[3];
		}
	check_run("__pipeline_memcpy_async", want, [&](float *out) {
		primitives<<<1, THREADS>>>((float4 *)to_device(numbers), (float4 *)out);
	});
	for (int i = 0; i < STEPS * THREADS; i++)
		in[i] = (int)(check_random() >> 40);
	check("cuda::barrier", barriers, in, 7, 3, THREADS);
	check("cuda::pipeline", pipelines, in, 3, 5, THREADS);
	check("cuda::pipeline_role", roles, in, 1, 7, THREADS / 2);
	return check_finish("async_headers");
}
