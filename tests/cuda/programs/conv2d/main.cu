#include "convolution_common.h"
#include "verify.h"

int main(int argc, char **argv)
{
	const int imageW = 200, imageH = 60, n = imageW * imageH;
	float h_Kernel[KERNEL_LENGTH], *h_Input = (float *)malloc(n * sizeof(float)),
	                               *h_Buffer = (float *)malloc(n * sizeof(float));
	float *h_Output = (float *)malloc(n * sizeof(float)), *h_Got = (float *)malloc(n * sizeof(float)),
	      *d_Input, *d_Buffer, *d_Output;
	srand(200);
	for (int i = 0; i < KERNEL_LENGTH; i++)
		h_Kernel[i] = (float)(rand() % 16);
	for (int i = 0; i < n; i++)
		h_Input[i] = (float)(rand() % 16);
	CHECK_CUDA(cudaMalloc((void **)&d_Input, n * sizeof(float)));
	CHECK_CUDA(cudaMalloc((void **)&d_Buffer, n * sizeof(float)));
	CHECK_CUDA(cudaMalloc((void **)&d_Output, n * sizeof(float)));
	setConvolutionKernel(h_Kernel);
	CHECK_CUDA(cudaMemcpy(d_Input, h_Input, n * sizeof(float), cudaMemcpyHostToDevice));
	convolutionRowsGPU(d_Buffer, d_Input, imageW, imageH);
	convolutionColumnsGPU(d_Output, d_Buffer, imageW, imageH);
	CHECK_CUDA(cudaDeviceSynchronize());
	CHECK_CUDA(cudaMemcpy(h_Got, d_Output, n * sizeof(float), cudaMemcpyDeviceToHost));
	convolutionRowCPU(h_Buffer, h_Input, h_Kernel, imageW, imageH, KERNEL_RADIUS);
	convolutionColumnCPU(h_Output, h_Buffer, h_Kernel, imageW, imageH, KERNEL_RADIUS);
	return verify_result("conv2d", verify_close(h_Got, h_Output, n, 1e-6));
}
