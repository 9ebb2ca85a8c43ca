/* Separable convolution: weights in constant memory, rows with a halo in shared memory, columns straight. */
#include "convolution_common.h"
#include "verify.h"

#define ROW_TILE 128

__constant__ float c_Kernel[KERNEL_LENGTH];

extern "C" void setConvolutionKernel(float *h_Kernel)
{
	CHECK_CUDA(cudaMemcpyToSymbol(c_Kernel, h_Kernel, KERNEL_LENGTH * sizeof(float)));
}

__global__ void convolutionRowsKernel(float *d_Dst, float *d_Src, int imageW, int imageH)
{
	__shared__ float s_Data[ROW_TILE + 2 * KERNEL_RADIUS];
	int x = blockIdx.x * ROW_TILE + threadIdx.x;
	const float *row = d_Src + blockIdx.y * imageW;
	for (int i = threadIdx.x; i < ROW_TILE + 2 * KERNEL_RADIUS; i += ROW_TILE) {
		int at = (int)blockIdx.x * ROW_TILE + i - KERNEL_RADIUS;
		s_Data[i] = at >= 0 && at < imageW ? row[at] : 0;
	}
	__syncthreads();
	if (x >= imageW)
		return;
	float sum = 0;
#pragma unroll
	for (int j = -KERNEL_RADIUS; j <= KERNEL_RADIUS; j++)
		sum += c_Kernel[KERNEL_RADIUS - j] * s_Data[threadIdx.x + KERNEL_RADIUS + j];
	d_Dst[blockIdx.y * imageW + x] = sum;
}

__global__ void convolutionColumnsKernel(float *d_Dst, float *d_Src, int imageW, int imageH)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= imageW || y >= imageH)
		return;
	float sum = 0;
	for (int j = -KERNEL_RADIUS; j <= KERNEL_RADIUS; j++)
		if (y + j >= 0 && y + j < imageH)
			sum += c_Kernel[KERNEL_RADIUS - j] * d_Src[(y + j) * imageW + x];
	d_Dst[y * imageW + x] = sum;
}

extern "C" void convolutionRowsGPU(float *d_Dst, float *d_Src, int imageW, int imageH)
{
	convolutionRowsKernel<<<dim3((imageW + ROW_TILE - 1) / ROW_TILE, imageH), ROW_TILE>>>(d_Dst, d_Src,
	                                                                                      imageW, imageH);
	CHECK_CUDA(cudaGetLastError());
}

extern "C" void convolutionColumnsGPU(float *d_Dst, float *d_Src, int imageW, int imageH)
{
	dim3 threads(32, 8), blocks((imageW + 31) / 32, (imageH + 7) / 8);
	convolutionColumnsKernel<<<blocks, threads>>>(d_Dst, d_Src, imageW, imageH);
	CHECK_CUDA(cudaGetLastError());
}
