/*
 * `sluice cc` as the nvcc of a toolkit folder: the version it claims, the
 * variables that build systems read from its -v, and telling its own folders
 * from those of NVIDIA's toolkit.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cc/cc.h"

/* CMake wants the first line, makefiles and configure scripts the "release" or the V. */
void cc_print_version(FILE *out)
{
	fputs("nvcc: NVIDIA (R) Cuda compiler driver -- in its place: sluice cc of sluice " SLUICE_VERSION
	      "\n"
	      "Cuda compilation tools, release " CC_CUDA_RELEASE ", V" CC_CUDA_VERSION "\n"
	      "Build cuda_" CC_CUDA_RELEASE ".sluice\n",
	      out);
}

static void print_folder(FILE *out, const char *name, const char *option, const char *top, const char *folder)
{
	char word[1024];
	snprintf(word, sizeof word, "%s%s/%s", option, top, folder);
	fprintf(out, "#$ %s=", name);
	cc_print_word(out, word);
	fputc('\n', out);
}

/*
 * CMake takes the roots from TOP, the folders from INCLUDES and LIBRARIES (the
 * command that links repeats the latter) and the default architecture from
 * "-arch compute_NN".
 */
void cc_print_environment(FILE *out, const struct cc_tools *tools, unsigned sm)
{
	const char *top = tools->toolkit, *path = getenv("PATH");
	fprintf(out, "#$ _SPACE_= \n#$ _CUDART_=cudart\n#$ _HERE_=%s/bin\n#$ _THERE_=%s/bin\n", top, top);
	fprintf(out, "#$ _TARGET_SIZE_=\n#$ _TARGET_DIR_=\n#$ _TARGET_SIZE_=64\n#$ TOP=%s\n", top);
	fprintf(out, "#$ NVVMIR_LIBRARY_DIR=%s/nvvm/libdevice\n", top);
	fprintf(out, "#$ PATH=%s/bin:%s\n", top, path ? path : "");
	print_folder(out, "INCLUDES", "-I", top, "include");
	print_folder(out, "LIBRARIES", "-L", top, "lib64");
	fprintf(out, "#$ CUDAFE_FLAGS=\n#$ PTXAS_FLAGS=\n#$ SLUICE_FLAGS=-arch compute_%u\n", sm);
}

static bool holds(const char *folder, const char *file)
{
	char path[1024];
	snprintf(path, sizeof path, "%s/%s", folder, file);
	return access(path, F_OK) == 0;
}

bool cc_is_own_headers(const char *folder)
{
	return holds(folder, "sluice/attributes.h");
}

bool cc_is_foreign_headers(const char *folder)
{
	return holds(folder, "crt/sm_70_rt.h") ||
	       (holds(folder, "cuda_runtime.h") && !cc_is_own_headers(folder));
}

/* The libraries of our folders are linker scripts, and say whose they are. */
static bool is_own_script(const char *folder, const char *file)
{
	char path[1024], line[64] = "";
	snprintf(path, sizeof path, "%s/%s", folder, file);
	FILE *in = fopen(path, "r");
	if (!in)
		return false;
	bool is_own = fgets(line, sizeof line, in) && strstr(line, "sluice") != NULL;
	fclose(in);
	return is_own;
}

bool cc_is_foreign_libraries(const char *folder)
{
	static const char *const files[] = {"libcudart.so", "libcudart_static.a"};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		if (holds(folder, files[i]) && !is_own_script(folder, files[i]))
			return true;
	return false;
}
