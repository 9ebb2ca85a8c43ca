// stream [ELEMENTS [ROUNDS]]: c = a + b, every element once per thread and round, no element twice.
//
// Neighbouring threads read neighbouring elements: a load touches one line, which is not used again. Caches gain
// nothing here; what a policy does about that shows in its bypasses.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void stream(const float *a, const float *b, float *c, int elements)
{
	int step = gridDim.x * blockDim.x;
#pragma unroll 1
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < elements; i += step)
		c[i] = a[i] + b[i];
}

int main(int argc, char **argv)
{
	int elements = argc > 1 ? atoi(argv[1]) : 1 << 20, rounds = argc > 2 ? atoi(argv[2]) : 16;
	if (elements < 1 || rounds < 1) {
		fprintf(stderr, "usage: stream [ELEMENTS [ROUNDS]]\n");
		return 2;
	}
	std::vector<float> a(elements), b(elements), c(elements);
	for (int i = 0; i < elements; i++) {
		a[i] = (float)(i % 101);
		b[i] = (float)(i % 37) / 8;
	}
	size_t bytes = elements * sizeof(float);
	float *da, *db, *dc;
	cudaMalloc(&da, bytes);
	cudaMalloc(&db, bytes);
	cudaMalloc(&dc, bytes);
	cudaMemcpy(da, a.data(), bytes, cudaMemcpyHostToDevice);
	cudaMemcpy(db, b.data(), bytes, cudaMemcpyHostToDevice);
	int threads = (elements + rounds - 1) / rounds;
	stream<<<(threads + 255) / 256, 256>>>(da, db, dc, elements);
	cudaMemcpy(c.data(), dc, bytes, cudaMemcpyDeviceToHost);
	int errors = cudaGetLastError() != cudaSuccess;
	for (int i = 0; i < elements; i++)
		errors += c[i] != a[i] + b[i];
	printf("stream: %d elements, %d rounds: %s\n", elements, rounds, errors ? "WRONG" : "correct");
	cudaFree(da);
	cudaFree(db);
	cudaFree(dc);
	return errors != 0;
}
