/* Constant memory: initialised in the source, filled from the host, structs, indices that differ between lanes. */
#include "check.h"

enum { N = 128 };

struct filter {
	float weight[5];
	int offset[5];
	char name[8];
};

__constant__ int initialised[16] = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0, -1, -2};
__constant__ float filled[64];
__constant__ struct filter filters[2];
__constant__ double one = 1.5;
__constant__ const char *const words[3] = {"alpha", "beta", "gamma"};

__global__ void run(float *out, const float *in)
{
	int i = threadIdx.x;
	const struct filter *f = &filters[i & 1];
	float sum = 0;
	for (int k = 0; k < 5; k++) {
		int at = i + f->offset[k];
		if (at >= 0 && at < N)
			sum = __fmaf_rn(in[at], f->weight[k], sum);
	}
	out[i * 4] = sum;
	out[i * 4 + 1] = filled[i % 64] + (float)initialised[(i * 3) & 15];
	out[i * 4 + 2] = (float)f->name[i % 8];
	out[i * 4 + 3] = (float)one + (float)words[i % 3][i % 4];
}

int main(void)
{
	static float in[N], want[N * 4], values[64];
	static const int table[16] = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0, -1, -2};
	static const char *const text[3] = {"alpha", "beta", "gamma"};
	struct filter f[2] = {{{.5f, .25f, 1, 2, 3}, {-2, -1, 0, 1, 2}, "first"},
	                      {{1, 2, 3, 4, 5}, {-7, 3, 0, 9, 20}, "second"}};
	for (int i = 0; i < 64; i++)
		values[i] = (float)i * 0.125f;
	for (int i = 0; i < N; i++)
		in[i] = (float)(check_random() % 1000) * 0.1f;
	CUDA(cudaMemcpyToSymbol(filled, values, 32 * sizeof *values),
	     cudaMemcpyToSymbol(filled, values + 32, 32 * sizeof *values, 32 * sizeof *values),
	     cudaMemcpyToSymbol(filters, f, sizeof f));
	for (int i = 0; i < N; i++) {
		const struct filter *g = &f[i & 1];
		float sum = 0;
		for (int k = 0; k < 5; k++)
			if (i + g->offset[k] >= 0 && i + g->offset[k] < N)
				sum = fmaf(in[i + g->offset[k]], g->weight[k], sum);
		want[i * 4] = sum;
		want[i * 4 + 1] = values[i % 64] + (float)table[(i * 3) & 15];
		want[i * 4 + 2] = (float)g->name[i % 8];
		want[i * 4 + 3] = 1.5f + (float)text[i % 3][i % 4];
	}
	check_run("constant memory", want, [&](float *out) { run<<<1, N>>>(out, to_device(in)); });
	return check_finish("const_memory");
}
