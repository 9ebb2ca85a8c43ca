/* Headers that a program includes, or libraries that it links, and nobody has: where they come from, or that they are not supported. */
#include <string.h>

#include "cc/cc.h"

enum advice { INSTALL, NOT_SUPPORTED };

static const struct {
	const char *begins; /* with this, the name of the header or library */
	enum advice advice;
	const char *name; /* of the package, or of what is not supported */
} known[] = {
    {"thrust/", INSTALL, "libthrust-dev"},
    {"cub/", INSTALL, "libcub-dev"},
    {"cuda/", INSTALL, "libcu++-dev"},
    {"nv/", INSTALL, "libcu++-dev"},
    {"CL/cl", INSTALL, "opencl-c-headers"},
    {"CL/opencl", INSTALL, "opencl-c-headers"},
    {"GL/glut", INSTALL, "freeglut3-dev"},
    {"GL/freeglut", INSTALL, "freeglut3-dev"},
    {"GL/glew", INSTALL, "libglew-dev"},
    {"GL/", INSTALL, "libgl-dev"},
    {"mpi.h", INSTALL, "libopenmpi-dev"},
    {"fftw3.h", INSTALL, "libfftw3-dev"},
    {"cblas.h", INSTALL, "libopenblas-dev"},
    {"cusparse", NOT_SUPPORTED, "cuSPARSE"},
    {"cusolver", NOT_SUPPORTED, "cuSOLVER"},
    {"cutensor", NOT_SUPPORTED, "cuTENSOR"},
    {"cutlass/", NOT_SUPPORTED, "CUTLASS comes with the programs that use it; -I its include folder"},
    {"cudnn", NOT_SUPPORTED, "cuDNN"},
    {"cute/", NOT_SUPPORTED,
     "CuTe comes with CUTLASS, and that with the programs that use it; -I its include folder"},
    {"cublasLt", NOT_SUPPORTED, "cuBLASLt; cublas_v2.h has gemm, gemmEx and their batched forms"},
    {"cublasXt", NOT_SUPPORTED, "cuBLAS over several devices"},
    {"cufftw", NOT_SUPPORTED, "the interface of FFTW to cuFFT; cufft.h is"},
    {"cuda_fp4.h", NOT_SUPPORTED, "numbers of four bits (fp4), of compute capability 10"},
    {"cuda_fp6.h", NOT_SUPPORTED, "numbers of six bits (fp6), of compute capability 10"},
    {"nvshmem", NOT_SUPPORTED, "NVSHMEM: there is one device"},
    {"nvcomp", NOT_SUPPORTED, "nvCOMP"},
    {"optix", NOT_SUPPORTED, "OptiX"},
    {"cudla", NOT_SUPPORTED, "deep learning accelerators"},
    {"cudss", NOT_SUPPORTED, "cuDSS"},
    {"nvPTXCompiler", NOT_SUPPORTED, "compiling PTX without a driver; cuModuleLoadData() takes it"},
    {"nvptxcompiler", NOT_SUPPORTED, "compiling PTX without a driver; cuModuleLoadData() takes it"},
    {"nvidia-ml", NOT_SUPPORTED, "NVML: there is no driver to ask"},
    {"nvJitLink", NOT_SUPPORTED, "linking of device code while a program runs"},
    {"nccl", NOT_SUPPORTED, "NCCL: there is one device"},
    {"nvml.h", NOT_SUPPORTED, "NVML: there is no driver to ask"},
    {"npp", NOT_SUPPORTED, "NPP"},
    {"nvjpeg", NOT_SUPPORTED, "nvJPEG"},
    {"nvgraph", NOT_SUPPORTED, "nvGRAPH"},
    {"cufftXt.h", NOT_SUPPORTED, "cuFFT over several devices"},
    {"cupti", NOT_SUPPORTED, "CUPTI: counters come from 'sluice run'"},
    {"cudaGL", NOT_SUPPORTED, "graphics"},
    {"cuda_d3d", NOT_SUPPORTED, "graphics"},
    {"cuda_vdpau", NOT_SUPPORTED, "graphics"},
    {"cuda_egl", NOT_SUPPORTED, "graphics"},
};

void cc_explain_missing(const char *header, unsigned clang_major, struct error *err)
{
	if (!strcmp(header, "omp.h")) {
		error_set(err, "%s: apt install libomp-%u-dev", header, clang_major);
		return;
	}
	const char *name = strncmp(header, "-l", 2) == 0 ? header + 2 : header;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		if (strncmp(name, known[i].begins, strlen(known[i].begins)) != 0)
			continue;
		if (known[i].advice == INSTALL)
			error_set(err, "%s comes with a package of Debian: apt install %s", header,
			          known[i].name);
		else
			error_set(err, "%s is not supported: %s", header, known[i].name);
		return;
	}
}
