#include <cstdio>

__global__ void saxpy(int n, float a, const float *x, float *y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		y[i] += a * x[i];
}

int main()
{
	const int n = 200;
	float *x, *y;
	cudaMallocManaged(&x, n * sizeof *x);
	cudaMallocManaged(&y, n * sizeof *y);
	for (int i = 0; i < n; i++)
		x[i] = i, y[i] = 1;
	saxpy<<<(n + 63) / 64, 64>>>(n, 2, x, y);
	bool right = cudaDeviceSynchronize() == cudaSuccess;
	for (int i = 0; i < n; i++)
		right = right && y[i] == 2 * i + 1;
	std::printf("cmake-language %s\n", right ? "PASS" : "FAIL");
	return !right;
}
