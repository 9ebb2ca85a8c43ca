/* All pairs: bodies as float4 pass through shared memory tile by tile; fast rsqrt. */
#include "verify.h"

#define TILE 64
#define SOFTENING 1e-2f

__device__ float3 bodyBodyInteraction(float3 ai, float4 bi, float4 bj)
{
	float3 r;
	r.x = bj.x - bi.x;
	r.y = bj.y - bi.y;
	r.z = bj.z - bi.z;
	float distSqr = r.x * r.x + r.y * r.y + r.z * r.z + SOFTENING;
	float invDist = rsqrtf(distSqr);
	float s = bj.w * invDist * invDist * invDist;
	ai.x += r.x * s;
	ai.y += r.y * s;
	ai.z += r.z * s;
	return ai;
}

__global__ void integrateBodies(float4 *newPos, const float4 *oldPos, float4 *vel, int numBodies,
                                float deltaTime)
{
	extern __shared__ float4 sharedPos[];
	int index = blockIdx.x * blockDim.x + threadIdx.x;
	float4 position = oldPos[index];
	float3 accel = {0.0f, 0.0f, 0.0f};
	for (int tile = 0; tile < numBodies / TILE; tile++) {
		sharedPos[threadIdx.x] = oldPos[tile * TILE + threadIdx.x];
		__syncthreads();
#pragma unroll 8
		for (int j = 0; j < TILE; j++)
			accel = bodyBodyInteraction(accel, position, sharedPos[j]);
		__syncthreads();
	}
	float4 velocity = vel[index];
	velocity.x += accel.x * deltaTime;
	velocity.y += accel.y * deltaTime;
	velocity.z += accel.z * deltaTime;
	position.x += velocity.x * deltaTime;
	position.y += velocity.y * deltaTime;
	position.z += velocity.z * deltaTime;
	newPos[index] = position;
	vel[index] = velocity;
}

static void reference(double (*p)[4], double (*v)[4], int n, double dt)
{
	double(*next)[4] = (double(*)[4])malloc(n * sizeof *next);
	for (int i = 0; i < n; i++) {
		double a[3] = {0, 0, 0};
		for (int j = 0; j < n; j++) {
			double r[3], d = SOFTENING;
			for (int k = 0; k < 3; k++) {
				r[k] = p[j][k] - p[i][k];
				d += r[k] * r[k];
			}
			for (int k = 0; k < 3; k++)
				a[k] += r[k] * p[j][3] / (d * sqrt(d));
		}
		for (int k = 0; k < 3; k++) {
			v[i][k] += a[k] * dt;
			next[i][k] = p[i][k] + v[i][k] * dt;
		}
		next[i][3] = p[i][3];
	}
	for (int i = 0; i < n; i++)
		for (int k = 0; k < 4; k++)
			p[i][k] = next[i][k];
	free(next);
}

int main(int argc, char **argv)
{
	enum { N = 256, STEPS = 2 };
	static float4 pos[N], vel[N];
	static double p[N][4], v[N][4];
	static float got[N * 4], want[N * 4];
	float4 *d_pos[2], *d_vel;
	for (int i = 0; i < N; i++) {
		p[i][0] = (i * 37 % 101) * 0.1;
		p[i][1] = (i * 53 % 103) * 0.1;
		p[i][2] = (i * 71 % 107) * 0.1;
		p[i][3] = 1 + i % 3;
		pos[i] = make_float4((float)p[i][0], (float)p[i][1], (float)p[i][2], (float)p[i][3]);
		for (int k = 0; k < 3; k++)
			p[i][k] = k == 0 ? pos[i].x : k == 1 ? pos[i].y : pos[i].z;
	}
	CHECK_CUDA(cudaMalloc(&d_pos[0], sizeof pos));
	CHECK_CUDA(cudaMalloc(&d_pos[1], sizeof pos));
	CHECK_CUDA(cudaMalloc(&d_vel, sizeof vel));
	CHECK_CUDA(cudaMemcpy(d_pos[0], pos, sizeof pos, cudaMemcpyHostToDevice));
	CHECK_CUDA(cudaMemcpy(d_vel, vel, sizeof vel, cudaMemcpyHostToDevice));
	for (int s = 0; s < STEPS; s++) {
		integrateBodies<<<N / TILE, TILE, TILE * sizeof(float4)>>>(d_pos[(s + 1) & 1], d_pos[s & 1],
		                                                           d_vel, N, 0.01f);
		reference(p, v, N, 0.01f);
	}
	CHECK_CUDA(cudaMemcpy(got, d_pos[STEPS & 1], sizeof pos, cudaMemcpyDeviceToHost));
	for (int i = 0; i < N * 4; i++)
		want[i] = (float)p[i / 4][i % 4];
	return verify_result("nbody", verify_close(got, want, N * 4, 1e-4));
}
