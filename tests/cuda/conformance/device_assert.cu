/* assert in a kernel: text with file, line, block, thread and expression; cudaErrorAssert, which stays. */
#include "check.h"
#include <assert.h>
#include <unistd.h>

__global__ void demanding(const int *value)
{
	int v = value[threadIdx.x];
	assert(v < 30);
}

int main(void)
{
	static int value[64];
	static char text[4096];
	for (int i = 0; i < 64; i++)
		value[i] = i == 37 ? 31 : i % 30;
	int *device = to_device(value);
	fflush(stderr);
	int saved = dup(2);
	FILE *file = tmpfile();
	dup2(fileno(file), 2);
	demanding<<<1, 64>>>(device);
	cudaError_t status = cudaDeviceSynchronize();
	fflush(stderr);
	dup2(saved, 2);
	rewind(file);
	text[fread(text, 1, sizeof text - 1, file)] = 0;
	check_equal("status is cudaErrorAssert", status, cudaErrorAssert);
	check_that("the text names the file", strstr(text, "device_assert.cu") != NULL);
	check_that("the text names the thread", strstr(text, "thread: [37,0,0]") != NULL);
	check_that("the text names the block", strstr(text, "block: [0,0,0]") != NULL);
	check_that("the text names the expression", strstr(text, "v < 30") != NULL);
	check_equal("the error stays", cudaMemset(device, 0, 4), cudaErrorAssert);
	check_that("its name", strcmp(cudaGetErrorName(status), "cudaErrorAssert") == 0);
	return check_finish("device_assert");
}
