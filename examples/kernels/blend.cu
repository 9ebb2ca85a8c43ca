// blend [STEPS [CTAS]]: y += stream[i] * table[j], a stream that passes through the cache next to a table that is used
// again and again.
//
// Two loads alternate: one reads lines that are not used again, one a table of 12 KB that all CTAs share. A cache of
// 16 KB could hold the table, if the stream did not push it out.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

enum { THREADS = 256, TABLE = 3072 };

__global__ void blend(const float *stream, const float *table, float *y, int steps)
{
	int thread = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
	int warp = thread / 32, lane = threadIdx.x % 32;
	float sum = 0;
#pragma unroll 1
	for (int j = 0; j < steps; j++)
		sum += stream[j * all + thread] * table[(j * 7 + warp) * 32 % TABLE + lane];
	y[thread] = sum;
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 128, ctas = argc > 2 ? atoi(argv[2]) : 48;
	if (steps < 1 || ctas < 1) {
		fprintf(stderr, "usage: blend [STEPS [CTAS]]\n");
		return 2;
	}
	size_t all = (size_t)ctas * THREADS;
	std::vector<float> stream(all * steps), table(TABLE), y(all);
	for (size_t i = 0; i < stream.size(); i++)
		stream[i] = (float)(i % 23) / 32;
	for (int i = 0; i < TABLE; i++)
		table[i] = (float)(i % 11) / 16;
	float *ds, *dt, *dy;
	cudaMalloc(&ds, stream.size() * sizeof(float));
	cudaMalloc(&dt, TABLE * sizeof(float));
	cudaMalloc(&dy, all * sizeof(float));
	cudaMemcpy(ds, stream.data(), stream.size() * sizeof(float), cudaMemcpyHostToDevice);
	cudaMemcpy(dt, table.data(), TABLE * sizeof(float), cudaMemcpyHostToDevice);
	blend<<<ctas, THREADS>>>(ds, dt, dy, steps);
	cudaMemcpy(y.data(), dy, all * sizeof(float), cudaMemcpyDeviceToHost);
	int errors = cudaGetLastError() != cudaSuccess;
	for (size_t i = 0; i < all; i++) {
		float sum = 0;
		for (int j = 0; j < steps; j++)
			sum += stream[j * all + i] * table[(j * 7 + i / 32) * 32 % TABLE + i % 32];
		errors += std::fabs(sum - y[i]) > 1e-3f * (1 + std::fabs(sum));
	}
	printf("blend: %d steps, %d CTAs: %s\n", steps, ctas, errors ? "WRONG" : "correct");
	cudaFree(ds);
	cudaFree(dt);
	cudaFree(dy);
	return errors != 0;
}
