#ifndef CONVOLUTION_COMMON_H
#define CONVOLUTION_COMMON_H

#define KERNEL_RADIUS 4
#define KERNEL_LENGTH (2 * KERNEL_RADIUS + 1)

#ifdef __cplusplus
extern "C" {
#endif
void convolutionRowCPU(float *h_Dst, const float *h_Src, const float *h_Kernel, int imageW, int imageH,
                       int kernelR);
void convolutionColumnCPU(float *h_Dst, const float *h_Src, const float *h_Kernel, int imageW, int imageH,
                          int kernelR);
void setConvolutionKernel(float *h_Kernel);
void convolutionRowsGPU(float *d_Dst, float *d_Src, int imageW, int imageH);
void convolutionColumnsGPU(float *d_Dst, float *d_Src, int imageW, int imageH);
#ifdef __cplusplus
}
#endif

#endif
