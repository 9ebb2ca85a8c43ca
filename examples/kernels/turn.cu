// turn [STEPS [ROUNDS [CTAS]]]: a load that streams through memory first and then uses a small table again and again.
//
// One and the same load instruction does both: STEPS times it reads a line that is not used again, then ROUNDS times
// the table, which every CTA shares and L1 can hold. A policy that has given up L1 in the first half must take it back
// in the second.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

enum { THREADS = 256, TABLE = 2048 }; // floats: 8 KB

__global__ void turn(const float *in, float *out, int steps, int rounds)
{
	int thread = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
	float sum = 0;
#pragma unroll 1
	for (int j = 0; j < steps + rounds; j++) {
		int at = j < steps ? TABLE + j * all + thread : (j * THREADS + threadIdx.x) % TABLE;
		sum += in[at];
	}
	out[thread] = sum;
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 48, rounds = argc > 2 ? atoi(argv[2]) : 512;
	int ctas = argc > 3 ? atoi(argv[3]) : 90;
	if (steps < 0 || rounds < 0 || ctas < 1) {
		fprintf(stderr, "usage: turn [STEPS [ROUNDS [CTAS]]]\n");
		return 2;
	}
	size_t all = (size_t)ctas * THREADS;
	std::vector<float> in(TABLE + all * steps), out(all);
	for (size_t i = 0; i < in.size(); i++)
		in[i] = (float)(i % 31) / 32;
	float *din, *dout;
	cudaMalloc(&din, in.size() * sizeof(float));
	cudaMalloc(&dout, all * sizeof(float));
	cudaMemcpy(din, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice);
	turn<<<ctas, THREADS>>>(din, dout, steps, rounds);
	cudaMemcpy(out.data(), dout, all * sizeof(float), cudaMemcpyDeviceToHost);
	int errors = cudaGetLastError() != cudaSuccess;
	for (size_t i = 0; i < all; i++) {
		float sum = 0;
		for (int j = 0; j < steps + rounds; j++)
			sum += in[j < steps ? TABLE + j * all + i : (j * THREADS + i % THREADS) % TABLE];
		errors += std::fabs(sum - out[i]) > 1e-3f * (1 + std::fabs(sum));
	}
	printf("turn: %d steps, %d rounds, %d CTAs: %s\n", steps, rounds, ctas, errors ? "WRONG" : "correct");
	cudaFree(din);
	cudaFree(dout);
	return errors != 0;
}
