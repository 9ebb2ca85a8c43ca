/* The tools and folders that `sluice cc` uses, and those of other CUDA toolkits. */
#ifndef SLUICE_CC_TOOLS_H
#define SLUICE_CC_TOOLS_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

struct cc_tools {
	char clang[512];     /* clang++ */
	char resources[512]; /* folder of clang's own headers and libraries */
	unsigned clang_major;
	bool has_openmp;       /* clang's own omp.h is installed */
	char c[512], cxx[512]; /* for sources without device code, and for linking */
	char headers[512];     /* include/cuda */
	char library[512];     /* folder of libsluicert.so; empty: none found */
	char toolkit[512];     /* folder of `sluice toolkit` whose nvcc was called; empty: none was */
};
bool cc_find_tools(struct cc_tools *tools, struct error *err);
/* Find only sluice's headers and runtime library. */
bool cc_find_own_parts(struct cc_tools *tools, struct error *err);

/* The CUDA release whose interface headers and runtime have, as in CUDART_VERSION. */
#define CC_CUDA_RELEASE "12.0"
#define CC_CUDA_VERSION CC_CUDA_RELEASE ".140"
/* The answer to --version: CMake reads the first line, makefiles and configure scripts the "release" or the V. */
#define CC_VERSION_TEXT                                                                                      \
	"nvcc: NVIDIA (R) Cuda compiler driver -- in its place: sluice cc of sluice " SLUICE_VERSION "\n"    \
	"Cuda compilation tools, release " CC_CUDA_RELEASE ", V" CC_CUDA_VERSION "\n"                        \
	"Build cuda_" CC_CUDA_RELEASE ".sluice"
/* Print the variables that nvcc shows before its commands, for CMake and others that read them. */
void cc_print_environment(FILE *out, const struct cc_tools *tools, unsigned sm);
/* Whether a folder of headers, or of libraries, belongs to another CUDA toolkit: not to be mixed with sluice's. */
bool cc_is_foreign_headers(const char *folder);
bool cc_is_foreign_libraries(const char *folder);
/* Whether the folder is that of sluice's own headers, by any name. */
bool cc_is_own_headers(const char *folder);

#endif
