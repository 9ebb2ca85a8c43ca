#include "convolution_common.h"

void convolutionRowCPU(float *h_Dst, const float *h_Src, const float *h_Kernel, int imageW, int imageH,
                       int kernelR)
{
	for (int y = 0; y < imageH; y++)
		for (int x = 0; x < imageW; x++) {
			float sum = 0;
			for (int k = -kernelR; k <= kernelR; k++)
				if (x + k >= 0 && x + k < imageW)
					sum += h_Src[y * imageW + x + k] * h_Kernel[kernelR - k];
			h_Dst[y * imageW + x] = sum;
		}
}

void convolutionColumnCPU(float *h_Dst, const float *h_Src, const float *h_Kernel, int imageW, int imageH,
                          int kernelR)
{
	for (int y = 0; y < imageH; y++)
		for (int x = 0; x < imageW; x++) {
			float sum = 0;
			for (int k = -kernelR; k <= kernelR; k++)
				if (y + k >= 0 && y + k < imageH)
					sum += h_Src[(y + k) * imageW + x] * h_Kernel[kernelR - k];
			h_Dst[y * imageW + x] = sum;
		}
}
