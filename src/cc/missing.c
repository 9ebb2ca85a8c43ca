#include "cc/missing.h"

#include <stdio.h>
#include <string.h>

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
    {"cusolver", NOT_SUPPORTED, "cuSOLVER"},
    {"cutensor", NOT_SUPPORTED, "cuTENSOR"},
    {"cutlass/", NOT_SUPPORTED, "CUTLASS comes with the programs that use it; -I its include folder"},
    {"cudnn", NOT_SUPPORTED, "cuDNN"},
    {"cute/", NOT_SUPPORTED,
     "CuTe comes with CUTLASS, and that with the programs that use it; -I its include folder"},
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
    {"nvJitLink", NOT_SUPPORTED, "linking of device code while a program runs"},
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

/* The linker: "ld: cannot find -lx: No such file or directory"; gold and lld end, or begin, in other ways. */
static bool find_missing_library(struct cc_missing *missing, const char *line)
{
	static const char *const says[] = {"cannot find -l", "unable to find library -l"};
	for (size_t i = 0; i < sizeof says / sizeof *says; i++) {
		const char *at = strstr(line, says[i]);
		if (!at)
			continue;
		at += strlen(says[i]) - 2;
		snprintf(missing->name, sizeof missing->name, "%.*s", (int)strcspn(at, ": \n"), at);
		return true;
	}
	return false;
}

/* clang: "'x.h' file not found"; gcc: "fatal error: x.h: No such file or directory". */
void cc_find_missing(struct cc_missing *missing, const char *line)
{
	if (find_missing_library(missing, line))
		return;
	static const char fatal[] = "fatal error: ", clang[] = "' file not found",
	                  gcc[] = ": No such file or directory";
	const char *begin = strstr(line, fatal);
	if (!begin)
		return;
	begin += sizeof fatal - 1;
	const char *end = strstr(begin, clang);
	if (end)
		begin += *begin == '\'';
	else
		end = strstr(begin, gcc);
	if (end)
		snprintf(missing->name, sizeof missing->name, "%.*s", (int)(end - begin), begin);
}

void cc_explain_missing(const struct cc_missing *missing, unsigned clang_major, struct error *err)
{
	const char *header = missing->name;
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
