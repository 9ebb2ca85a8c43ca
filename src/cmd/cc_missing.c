/* Headers that a program includes and nobody has: where they come from, or that they are not supported. */
#include <string.h>

#include "cmd/cc.h"

enum advice { INSTALL, NOT_SUPPORTED };

static const struct {
	const char *begins; /* with this, the name of the header */
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
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		if (strncmp(header, known[i].begins, strlen(known[i].begins)) != 0)
			continue;
		if (known[i].advice == INSTALL)
			error_set(err, "%s comes with a package of Debian: apt install %s", header,
			          known[i].name);
		else
			error_set(err, "%s is not supported: %s", header, known[i].name);
		return;
	}
}
