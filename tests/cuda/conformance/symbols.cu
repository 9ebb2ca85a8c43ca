/* __device__ and __constant__ variables from the host: offsets, addresses, sizes, initial values, templates. */
#include "check.h"

struct state {
	int a;
	double b;
	char text[6];
};

__device__ int numbers[16] = {1, 2, 3, 4};
__device__ struct state state = {7, 2.5, "hello"};
__constant__ int scale = 3;
__device__ float *pointer;
#if defined(__clang__) && __clang_major__ < 15
__device__ int *points_to; /* clang 14 cannot print such an initialiser; the host fills it */
#else
__device__ int *points_to = &numbers[2];
#endif
static __device__ short hidden[3] = {-1, -2, -3};
template <int N> __device__ int per_size = N * 10;

__global__ void run(int *out)
{
	int i = threadIdx.x;
	numbers[i] = numbers[i] * scale + state.a;
	if (i == 0) {
		state.b += 1.0;
		state.text[0] = 'j';
		*pointer = 6.5f;
		*points_to += 1000;
	}
	out[i] = hidden[i % 3] + per_size<4> + per_size<7>;
}

int main(void)
{
	int numbers_on_host[16] = {0}, want[16], five = 5, got[16], want_out[16];
	struct state s;
	size_t size;
	void *address;
	float value = 0, expected = 6.5f;
	float *cell = zeros<float>(1);
	CUDA(cudaMemcpyFromSymbol(numbers_on_host, numbers, sizeof numbers_on_host));
	check_that("initial values",
	           numbers_on_host[0] == 1 && numbers_on_host[3] == 4 && numbers_on_host[4] == 0);
	CUDA(cudaMemcpyToSymbol(numbers, &five, sizeof five, 10 * sizeof five),
	     cudaMemcpyToSymbol(scale, &five, sizeof five), cudaMemcpyToSymbol(pointer, &cell, sizeof cell),
	     cudaGetSymbolSize(&size, state));
	check_equal("size of a symbol", (long long)size, sizeof s);
	CUDA(cudaGetSymbolAddress(&address, numbers));
#if defined(__clang__) && __clang_major__ < 15
	int *third = (int *)address + 2;
	CUDA(cudaMemcpyToSymbol(points_to, &third, sizeof third));
#endif
	CUDA(cudaMemcpy((int *)address + 15, &five, sizeof five, cudaMemcpyHostToDevice));
	for (int i = 0; i < 16; i++) {
		int before = i < 4 ? i + 1 : i == 10 || i == 15 ? 5 : 0;
		want[i] = before * 5 + 7 + (i == 2 ? 1000 : 0);
		want_out[i] = -(i % 3) - 1 + 40 + 70;
	}
	int *out = zeros_like(got);
	run<<<1, 16>>>(out);
	check_from_device(got, out, sizeof got);
	CUDA(cudaMemcpyFromSymbol(numbers_on_host, numbers, sizeof numbers_on_host),
	     cudaMemcpyFromSymbol(&s, state, sizeof s, 0, cudaMemcpyDeviceToHost),
	     cudaMemcpy(&value, cell, sizeof value, cudaMemcpyDeviceToHost));
	check_same("array symbol", numbers_on_host, want, sizeof *want, 16);
	check_same("static and template symbols", got, want_out, sizeof *got, 16);
	check_that("struct symbol", s.a == 7 && s.b == 3.5 && strcmp(s.text, "jello") == 0);
	check_values("pointer symbol", &value, &expected, 1);
	return check_finish("symbols");
}
