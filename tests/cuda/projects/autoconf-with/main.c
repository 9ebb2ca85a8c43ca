#include <cuda_runtime_api.h>
#include <math.h>
#include <stdio.h>

int propagate(float *wave, int points, int steps);

int main(void)
{
	float wave[64] = {0};
	wave[32] = 1;
	int error = propagate(wave, 64, 3);
	int right = !error && fabsf(wave[29] - wave[35]) < 1e-6f && wave[29] > 0 && wave[28] == 0;
	printf("autoconf-with %s\n", right ? "PASS" : cudaGetErrorString((cudaError_t)error));
	return !right;
}
