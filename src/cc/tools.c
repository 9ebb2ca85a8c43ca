/* The tools that are found: clang, the host's compiler, sluice's headers and runtime library; folders of CUDA toolkits. */
#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "base/installation.h"
#include "cc/process.h"
#include "cc/tools.h"

enum { NEWEST_CLANG = 19, OLDEST_CLANG = 14 };

/* A program in $PATH, or by its path. */
static bool find_program(const char *name, char *path, size_t size)
{
	if (strchr(name, '/')) {
		*path = 0;
		strncat(path, name, size - 1);
		return access(name, X_OK) == 0;
	}
	const char *dir = getenv("PATH");
	while (dir && *dir) {
		size_t length = strcspn(dir, ":");
		snprintf(path, size, "%.*s/%s", (int)length, dir, name);
		if (length && access(path, X_OK) == 0)
			return true;
		dir += length + (dir[length] == ':');
	}
	return false;
}

static bool find_clang(struct cc_tools *tools, struct error *err)
{
	const char *wanted = getenv(ENV_CLANG);
	if (wanted && *wanted)
		return find_program(wanted, tools->clang, sizeof tools->clang) ||
		       error_set(err, "SLUICE_CLANG names '%s', which is not a program", wanted);
	for (int version = NEWEST_CLANG; version >= OLDEST_CLANG; version--) {
		char name[32];
		snprintf(name, sizeof name, "clang++-%d", version);
		if (find_program(name, tools->clang, sizeof tools->clang))
			return true;
	}
	if (find_program("clang++", tools->clang, sizeof tools->clang))
		return true;
	return error_set(err,
	                 "no clang found (looked for clang++-%d to clang++-%d and clang++): "
	                 "install one, on Debian with 'apt install clang-19', or set SLUICE_CLANG",
	                 NEWEST_CLANG, OLDEST_CLANG);
}

/*
 * bin/clang has its own headers in ../lib/clang/VERSION. Where there is one such folder with one version, clang need not
 * be asked, which takes as long as compiling a small program. A script of that name has none.
 */
static bool guess_resources(struct cc_tools *tools)
{
	char *clang = realpath(tools->clang, NULL), folder[PATH_MAX];
	char *slash = clang ? strrchr(clang, '/') : NULL;
	bool is_clang = slash && !strncmp(slash + 1, "clang", 5);
	if (is_clang)
		*slash = '\0';
	slash = is_clang ? strrchr(clang, '/') : NULL;
	snprintf(folder, sizeof folder, "%.*s/lib/clang", slash ? (int)(slash - clang) : 0,
	         clang ? clang : "");
	free(clang);
	DIR *dir = slash ? opendir(folder) : NULL;
	unsigned versions = 0;
	for (struct dirent *entry; dir && (entry = readdir(dir));)
		if (isdigit((unsigned char)entry->d_name[0]) && !versions++)
			snprintf(tools->resources, sizeof tools->resources, "%.400s/%.100s", folder,
			         entry->d_name);
	if (dir)
		closedir(dir);
	char probe[600];
	snprintf(probe, sizeof probe, "%s/include/__clang_cuda_device_functions.h", tools->resources);
	return versions == 1 && access(probe, R_OK) == 0;
}

static bool ask_resources(struct cc_tools *tools)
{
	struct words command = {0};
	words_add_all(&command, tools->clang, "-print-resource-dir", NULL);
	bool told = cc_run_line(&command, tools->resources, sizeof tools->resources);
	words_free(&command);
	return told;
}

/* Read the version from the folder of clang's own headers, whatever name the program has. */
static bool inspect_clang(struct cc_tools *tools, struct error *err)
{
	bool told = guess_resources(tools) || ask_resources(tools);
	const char *version = told ? strrchr(tools->resources, '/') : NULL;
	if (!version || !isdigit((unsigned char)version[1]))
		return error_set(err, "%s does not work as a clang", tools->clang);
	tools->clang_major = (unsigned)strtoul(version + 1, NULL, 10);
	if (tools->clang_major < OLDEST_CLANG)
		return error_set(err, "%s is version %u; clang %d or newer is required: apt install clang-19",
		                 tools->clang, tools->clang_major, OLDEST_CLANG);
	char probe[600];
	snprintf(probe, sizeof probe, "%s/include/__clang_cuda_device_functions.h", tools->resources);
	if (access(probe, R_OK) != 0)
		return error_set(err,
		                 "%s is missing its own headers (%s): apt install libclang-common-%u-dev",
		                 tools->clang, probe, tools->clang_major);
	snprintf(probe, sizeof probe, "%s/include/omp.h", tools->resources);
	tools->has_openmp = access(probe, R_OK) == 0;
	return true;
}

/* clang stands in for a missing gcc. */
static void find_host_compiler(struct cc_tools *tools)
{
	if (find_program("g++", tools->cxx, sizeof tools->cxx) &&
	    find_program("gcc", tools->c, sizeof tools->c))
		return;
	memcpy(tools->cxx, tools->clang, sizeof tools->cxx);
	memcpy(tools->c, tools->clang, sizeof tools->c);
}

/* Find the first folder that holds the file; `folders` ends with NULL, "" is skipped. */
static bool find_folder(const char *const *folders, const char *file, char *path, size_t size)
{
	for (; *folders; folders++) {
		char probe[1024];
		snprintf(probe, sizeof probe, "%s/%s", *folders, file);
		char *whole = **folders && access(probe, R_OK) == 0 ? realpath(*folders, NULL) : NULL;
		if (!whole)
			continue;
		snprintf(path, size, "%s", whole);
		free(whole);
		return true;
	}
	*path = 0;
	return false;
}

static const char *environment(const char *name)
{
	const char *value = getenv(name);
	return value ? value : "";
}

bool cc_find_own_parts(struct cc_tools *tools, struct error *err)
{
	char headers[512] = "", library[512] = "";
	if (!own_path_find("share/sluice/include/cuda", headers, sizeof headers))
		headers[0] = '\0';
	if (!own_library_folder(library, sizeof library))
		library[0] = '\0';
	const char *const header_places[] = {environment(ENV_INCLUDE_DIR), headers, NULL};
	const char *const library_places[] = {environment(ENV_LIBRARY_DIR), library, NULL};
	find_folder(library_places, "libsluicert.so", tools->library, sizeof tools->library);
	snprintf(tools->toolkit, sizeof tools->toolkit, "%s", environment(ENV_TOOLKIT));
	return find_folder(header_places, "cuda_runtime.h", tools->headers, sizeof tools->headers) ||
	       error_set(err,
	                 "this sluice lacks its share/sluice/include/cuda/cuda_runtime.h: install it whole, "
	                 "or set " ENV_INCLUDE_DIR);
}

bool cc_find_tools(struct cc_tools *tools, struct error *err)
{
	if (!find_clang(tools, err) || !inspect_clang(tools, err) || !cc_find_own_parts(tools, err))
		return false;
	find_host_compiler(tools);
	return true;
}

/* ---- toolkit folders ------------------------------------------------------------------------------------ */

static void print_folder(FILE *out, const char *name, const char *option, const char *top, const char *folder)
{
	char word[1024];
	snprintf(word, sizeof word, "%s%s/%s", option, top, folder);
	fprintf(out, "#$ %s=", name);
	word_print(out, word);
	fputc('\n', out);
}

/* CMake takes the roots from TOP, folders from INCLUDES and LIBRARIES, the default architecture from "-arch compute_NN". */
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

/* Whether a library is a linker script that `sluice toolkit` made: those name sluice in their first line. */
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
