/* c = a + b, one element per thread: every line is used by one warp, once. */
#include "../common/workload.h"

enum { THREADS = 256 };

static struct workload_param param[] = {
	{"n", "elements", 50000, 4 << 20, 16 << 20, 1, 1 << 28},
};

__global__ void add(const float *a, const float *b, float *c, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		c[i] = a[i] + b[i];
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("vectoradd", "c = a + b", param, 1, argc, argv);
	size_t n = (size_t)workload_value(&w, "n");
	float *a = WORKLOAD_HOST(float, n), *b = WORKLOAD_HOST(float, n), *c = WORKLOAD_HOST(float, n);
	float *device_a = WORKLOAD_DEVICE(float, n), *device_b = WORKLOAD_DEVICE(float, n);
	float *device_c = WORKLOAD_DEVICE(float, n);
	for (size_t i = 0; i < n; i++) {
		a[i] = workload_unit(&w);
		b[i] = workload_unit(&w);
	}
	WORKLOAD_CUDA(cudaMemcpy(device_a, a, n * sizeof *a, cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemcpy(device_b, b, n * sizeof *b, cudaMemcpyHostToDevice));

	workload_start(&w);
	add<<<(int)((n + THREADS - 1) / THREADS), THREADS>>>(device_a, device_b, device_c, (int)n);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(c, device_c, n * sizeof *c, cudaMemcpyDeviceToHost));
	bool same = true;
	for (size_t i = 0; i < n && same; i++) {
		float want = a[i] + b[i];
		same = workload_same_floats("c", c + i, &want, 1, 1e-6);
	}
	return workload_close(&w, same);
}
