/*
 * Scalar products of many pairs of vectors. A CTA takes one pair at a time; each of 1024 accumulators in shared memory
 * sums every 1024th product, and a tree adds them up.
 */
#include "../common/workload.h"

enum { THREADS = 256, SUMS = 1024, CTAS_MOST = 128 };

static struct workload_param param[] = {
	{"vectors", "pairs of vectors", 16, 256, 256, 1, 65536},
	{"n", "elements of a vector", 1024, 16384, 4096, 1, 1 << 20},
};

/* Consecutive lanes read consecutive elements, each of them once. */
static __device__ void accumulate(float *sum, const float *a, const float *b, int n)
{
	for (int s = threadIdx.x; s < SUMS; s += THREADS) {
		float own = 0;
		for (int i = s; i < n; i += SUMS)
			own += a[i] * b[i];
		sum[s] = own;
	}
}

__global__ void multiply(const float *a, const float *b, float *product, int vectors, int n)
{
	__shared__ float sum[SUMS];
	for (int v = blockIdx.x; v < vectors; v += gridDim.x) {
		accumulate(sum, a + (size_t)v * n, b + (size_t)v * n, n);
		for (int left = SUMS / 2; left; left /= 2) {
			__syncthreads();
			for (int s = threadIdx.x; s < left; s += THREADS)
				sum[s] += sum[s + left];
		}
		if (threadIdx.x == 0)
			product[v] = sum[0];
		__syncthreads(); /* the next pair overwrites sum[0] */
	}
}

static void reference(const float *a, const float *b, float *product, size_t vectors, size_t n)
{
	for (size_t v = 0; v < vectors; v++) {
		double sum = 0;
		for (size_t i = v * n; i < (v + 1) * n; i++)
			sum += (double)a[i] * b[i];
		product[v] = (float)sum;
	}
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("scalarprod", "scalar products of pairs of vectors", param, 2, argc, argv);
	int vectors = (int)workload_value(&w, "vectors"), n = (int)workload_value(&w, "n");
	size_t cells = (size_t)vectors * n;
	float *a = WORKLOAD_HOST(float, cells), *b = WORKLOAD_HOST(float, cells);
	float *product = WORKLOAD_HOST(float, vectors), *want = WORKLOAD_HOST(float, vectors);
	float *device_a = WORKLOAD_DEVICE(float, cells), *device_b = WORKLOAD_DEVICE(float, cells);
	float *device_product = WORKLOAD_DEVICE(float, vectors);
	for (size_t i = 0; i < cells; i++) {
		a[i] = workload_unit(&w);
		b[i] = workload_unit(&w);
	}
	WORKLOAD_CUDA(cudaMemcpy(device_a, a, cells * sizeof *a, cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemcpy(device_b, b, cells * sizeof *b, cudaMemcpyHostToDevice));

	workload_start(&w);
	int ctas = vectors < CTAS_MOST ? vectors : CTAS_MOST;
	multiply<<<ctas, THREADS>>>(device_a, device_b, device_product, vectors, n);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(product, device_product, vectors * sizeof *product, cudaMemcpyDeviceToHost));
	reference(a, b, want, vectors, n);
	return workload_close(&w, workload_same_floats("product", product, want, vectors, 1e-5));
}
