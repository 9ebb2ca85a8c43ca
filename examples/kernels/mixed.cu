// mixed [CTAS [STEPS [WALKERS]]]: warps of two kinds on the same SM, in CTAs of 8 warps.
//
// WALKERS warps of each CTA walk along rows that are 16 KB apart: every load touches 32 lines, which the next 31 steps
// use again if they live that long. The other warps sum up three lines of their own over and over. A few walkers are
// enough to take their lines from all the others; kept apart, or one at a time, they would do no harm.
#include <cstdio>
#include <cstdlib>
#include <vector>

static const int PITCH = 4096, OWN = 96, WARPS = 8; // floats of a row, floats of a warp's own, warps of a CTA

__global__ void mixed(const float *rows, const float *own, float *out, int steps, int walkers)
{
	int thread = blockIdx.x * blockDim.x + threadIdx.x, warp = thread / 32, lane = threadIdx.x % 32;
	float sum = 0;
	if (warp % WARPS < walkers) {
		const float *row = rows + (size_t)((blockIdx.x * walkers + warp % WARPS) * 32 + lane) * PITCH;
#pragma unroll 1
		for (int j = 0; j < steps; j++)
			sum += row[j];
	} else {
		const float *line = own + (size_t)warp * OWN;
#pragma unroll 1
		for (int j = 0; j < 4 * steps; j++)
			sum += line[j % 3 * 32 + lane];
	}
	out[thread] = sum;
}

static float expected(const std::vector<float> &rows, const std::vector<float> &own, int thread, int steps, int walkers)
{
	int warp = thread / 32, lane = thread % 32;
	float sum = 0; // small whole numbers: exact
	if (warp % WARPS < walkers)
		for (int j = 0; j < steps; j++)
			sum += rows[(size_t)((warp / WARPS * walkers + warp % WARPS) * 32 + lane) * PITCH + j];
	else
		for (int j = 0; j < 4 * steps; j++)
			sum += own[(size_t)warp * OWN + j % 3 * 32 + lane];
	return sum;
}

int main(int argc, char **argv)
{
	int ctas = argc > 1 ? atoi(argv[1]) : 45, steps = argc > 2 ? atoi(argv[2]) : 512;
	int walkers = argc > 3 ? atoi(argv[3]) : 6;
	if (ctas < 1 || steps < 1 || steps > PITCH || walkers < 0 || walkers > WARPS) {
		fprintf(stderr, "usage: mixed [CTAS [STEPS [WALKERS]]], at most %d steps and %d walkers\n", PITCH, WARPS);
		return 2;
	}
	int threads = ctas * WARPS * 32;
	std::vector<float> rows((size_t)ctas * walkers * 32 * PITCH + 1), own((size_t)ctas * WARPS * OWN), out(threads);
	for (size_t i = 0; i < rows.size(); i++)
		rows[i] = (float)(i % 7);
	for (size_t i = 0; i < own.size(); i++)
		own[i] = (float)(i % 5);
	float *device_rows, *device_own, *device_out;
	cudaMalloc(&device_rows, rows.size() * sizeof(float));
	cudaMalloc(&device_own, own.size() * sizeof(float));
	cudaMalloc(&device_out, out.size() * sizeof(float));
	cudaMemcpy(device_rows, rows.data(), rows.size() * sizeof(float), cudaMemcpyHostToDevice);
	cudaMemcpy(device_own, own.data(), own.size() * sizeof(float), cudaMemcpyHostToDevice);
	mixed<<<ctas, WARPS * 32>>>(device_rows, device_own, device_out, steps, walkers);
	cudaMemcpy(out.data(), device_out, out.size() * sizeof(float), cudaMemcpyDeviceToHost);
	int wrong = cudaGetLastError() != cudaSuccess;
	for (int i = 0; i < threads; i++)
		wrong += out[i] != expected(rows, own, i, steps, walkers);
	printf("mixed: %d CTAs, %d steps, %d of %d warps walk: %s\n", ctas, steps, walkers, WARPS, wrong ? "WRONG" : "correct");
	cudaFree(device_rows);
	cudaFree(device_own);
	cudaFree(device_out);
	return wrong != 0;
}
