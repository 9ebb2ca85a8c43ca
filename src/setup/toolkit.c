/*
 * Folders of the shape of a CUDA toolkit. nvcc is `sluice cc`. The libraries are linker scripts that name the runtime by
 * its path, so programs that plain gcc links find it without a run path.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/environment.h"
#include "cc/command_line.h"
#include "cc/tools.h"
#include "setup/setup.h"

struct toolkit {
	const char *folder; /* absolute */
	char program[512];  /* sluice */
	struct cc_tools tools;
	struct error *err;
};

static const char marker[] = "sluice-toolkit";

/* ---- pieces --------------------------------------------------------------------------------------------- */

static bool make_folder(struct toolkit *kit, const char *name)
{
	char path[1024];
	snprintf(path, sizeof path, "%s/%s", kit->folder, name);
	return mkdir(path, 0777) == 0 || errno == EEXIST ||
	       error_set(kit->err, "%s: %s", path, strerror(errno));
}

static bool make_link(struct toolkit *kit, const char *name, const char *target)
{
	char path[1024];
	snprintf(path, sizeof path, "%s/%s", kit->folder, name);
	unlink(path);
	return symlink(target, path) == 0 || error_set(kit->err, "%s: %s", path, strerror(errno));
}

static bool make_file(struct toolkit *kit, const char *name, const struct words *lines, mode_t mode)
{
	char path[1024];
	snprintf(path, sizeof path, "%s/%s", kit->folder, name);
	unlink(path);
	FILE *out = fopen(path, "w");
	if (!out)
		return error_set(kit->err, "%s: %s", path, strerror(errno));
	for (size_t i = 0; i < lines->count; i++)
		fprintf(out, "%s\n", lines->text[i]);
	bool written = !ferror(out);
	if (fclose(out) != 0 || !written)
		return error_set(kit->err, "%s: cannot be written", path);
	return chmod(path, mode) == 0 || error_set(kit->err, "%s: %s", path, strerror(errno));
}

/* A path between single quotes of the shell. */
static void add_quoted(struct words *lines, const char *before, const char *path, const char *after)
{
	char quoted[2048];
	size_t at = 0;
	for (; *path && at + 5 < sizeof quoted; path++)
		at +=
		    (size_t)snprintf(quoted + at, sizeof quoted - at, *path == '\'' ? "'\\''" : "%c", *path);
	quoted[at] = 0;
	words_format(lines, "%s'%s'%s", before, quoted, after);
}

/* The script finds its folder through links, and after the folder has been moved. */
static bool make_program(struct toolkit *kit, const char *name, const char *what)
{
	struct words lines = {0};
	words_add(&lines, "#!/bin/sh");
	words_add(&lines, "# Made by `sluice toolkit`.");
	words_add(&lines, ENV_TOOLKIT "=$(dirname \"$(dirname \"$(readlink -f \"$0\")\")\")");
	words_add(&lines, "export " ENV_TOOLKIT);
	char after[128];
	snprintf(after, sizeof after, " %s \"$@\"", what);
	add_quoted(&lines, "exec ", kit->program, after);
	bool done = make_file(kit, name, &lines, 0755);
	words_free(&lines);
	return done;
}

/* What build systems ask for the architecture of the devices that are there. */
static bool make_device_query(struct toolkit *kit)
{
	struct words lines = {0};
	words_add_all(&lines, "#!/bin/sh", "# Made by `sluice toolkit`.", "echo 90", NULL);
	bool done = make_file(kit, "bin/__nvcc_device_query", &lines, 0755);
	words_free(&lines);
	return done;
}

/* Make a linker script; an empty one if `library` is NULL. */
static bool make_library(struct toolkit *kit, const char *name, const char *library)
{
	struct words lines = {0};
	words_add(&lines, "/* GNU ld script, made by `sluice toolkit` */");
	if (library)
		words_format(&lines, "INPUT ( \"%s/%s\" )", kit->tools.library, library);
	else
		words_add(&lines, "SEARCH_DIR ( \"/nonexistent\" )");
	bool done = make_file(kit, name, &lines, 0644);
	words_free(&lines);
	return done;
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

/* Add the libraries of mathematics that were built. */
static bool make_mathematics(struct toolkit *kit)
{
	static const char *const names[][3] = {
	    {"libcublas.so", "lib64/libcublas.so", "lib64/libcublas_static.a"},
	    {"libcublasLt.so", "lib64/libcublasLt.so", "lib64/libcublasLt_static.a"},
	    {"libcurand.so", "lib64/libcurand.so", "lib64/libcurand_static.a"},
	    {"libcufft.so", "lib64/libcufft.so", "lib64/libcufft_static.a"},
	    {"libcusparse.so", "lib64/libcusparse.so", "lib64/libcusparse_static.a"},
	    {"libnccl.so", "lib64/libnccl.so", "lib64/libnccl_static.a"},
	    {"libnvidia-ml.so", "lib64/libnvidia-ml.so", "lib64/stubs/libnvidia-ml.so"},
	};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char path[1024];
		snprintf(path, sizeof path, "%s/%s", kit->tools.library, names[i][0]);
		if (access(path, R_OK) == 0 && !(make_library(kit, names[i][1], names[i][0]) &&
		                                 make_library(kit, names[i][2], names[i][0])))
			return false;
	}
	return true;
}

static bool make_libraries(struct toolkit *kit)
{
	static const char *const runtime[] = {"lib64/libcudart.so",     "lib64/libcudart_static.a",
	                                      "lib64/libcuda.so",       "lib64/stubs/libcuda.so",
	                                      "lib64/libnvToolsExt.so", "lib64/libnvrtc.so"};
	static const char *const nothing[] = {"lib64/libcudadevrt.a", "lib64/libculibos.a"};
	static const char *const loaded[] = {"lib64/libcudart.so.12", "lib64/libcuda.so.1"};
	char path[1024];
	for (size_t i = 0; i < sizeof runtime / sizeof *runtime; i++)
		if (!make_library(kit, runtime[i], "libsluicert.so"))
			return false;
	for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
		if (!make_library(kit, nothing[i], NULL))
			return false;
	snprintf(path, sizeof path, "%s/libsluicert.so", kit->tools.library);
	for (size_t i = 0; i < sizeof loaded / sizeof *loaded; i++) /* for dlopen() */
		if (!make_link(kit, loaded[i], path))
			return false;
	return make_mathematics(kit);
}

static bool make_folders(struct toolkit *kit)
{
	static const char *const folders[] = {"bin",
	                                      "lib64",
	                                      "lib64/stubs",
	                                      "nvvm",
	                                      "nvvm/libdevice",
	                                      "targets",
	                                      "targets/x86_64-linux",
	                                      "samples",
	                                      "samples/common"};
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		if (!make_folder(kit, folders[i]))
			return false;
	return make_link(kit, "include", kit->tools.headers) && make_link(kit, "lib", "lib64") &&
	       make_link(kit, "targets/x86_64-linux/include", "../../include") &&
	       make_link(kit, "targets/x86_64-linux/lib", "../../lib64") &&
	       make_link(kit, "samples/common/inc", "../../include");
}

static bool make_versions(struct toolkit *kit)
{
	struct words text = {0}, json = {0};
	words_add(&text, "CUDA Version " CC_CUDA_VERSION);
	words_add(&json, "{ \"cuda\" : { \"name\" : \"CUDA SDK\", \"version\" : \"" CC_CUDA_VERSION "\" } }");
	bool done = make_file(kit, "version.txt", &text, 0644) && make_file(kit, "version.json", &json, 0644);
	words_free(&text);
	words_free(&json);
	return done;
}

static bool make_marker(struct toolkit *kit)
{
	struct words lines = {0};
	words_format(&lines, "Made by `sluice toolkit` of sluice " SLUICE_VERSION ", for %s.", kit->program);
	bool done = make_file(kit, marker, &lines, 0644);
	words_free(&lines);
	return done;
}

/* Make the folder; one that exists must be empty or an earlier toolkit. */
static bool claim_folder(struct toolkit *kit, const char *path, char **whole)
{
	char probe[1024];
	if (mkdir(path, 0777) != 0) {
		if (errno != EEXIST)
			return error_set(kit->err, "%s: %s", path, strerror(errno));
		snprintf(probe, sizeof probe, "%s/%s", path, marker);
		if (access(probe, F_OK) != 0 && rmdir(path) != 0)
			return error_set(kit->err, "%s exists, and sluice did not make it: name a new folder",
			                 path);
		if (access(probe, F_OK) != 0 && mkdir(path, 0777) != 0)
			return error_set(kit->err, "%s: %s", path, strerror(errno));
	}
	*whole = realpath(path, NULL);
	kit->folder = *whole;
	if (*whole && strpbrk(*whole, "\"\n"))
		return error_set(kit->err, "%s: the linker cannot read a path with quotes", path);
	return *whole || error_set(kit->err, "%s: %s", path, strerror(errno));
}

static bool find_parts(struct toolkit *kit)
{
	ssize_t length = readlink("/proc/self/exe", kit->program, sizeof kit->program - 1);
	kit->program[length > 0 ? length : 0] = 0;
	if (!cc_find_own_parts(&kit->tools, kit->err))
		return false;
	if (!kit->tools.library[0])
		return error_set(
		    kit->err,
		    "libsluicert.so is neither next to the program nor in its lib/sluice: build it, "
		    "or set " ENV_LIBRARY_DIR);
	return length > 0 || error_set(kit->err, "/proc/self/exe: %s", strerror(errno));
}

bool setup_make_toolkit(const char *path, char **whole, struct error *err)
{
	struct toolkit kit = {.err = err};
	*whole = NULL;
	return find_parts(&kit) && claim_folder(&kit, path, whole) && make_marker(&kit) &&
	       make_folders(&kit) && make_libraries(&kit) && make_versions(&kit) &&
	       make_program(&kit, "bin/nvcc", "cc") && make_device_query(&kit) &&
	       make_program(&kit, "bin/cuobjdump", "toolkit --dump-ptx");
}
