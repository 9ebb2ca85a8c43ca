/* What this installation and this machine lack, and how to get it. */
#include "setup/doctor.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/cache.h"
#include "base/installation.h"
#include "cc/process.h"
#include "cc/tools.h"
#include "machine/catalog.h"
#include "papers/experiment/paper.h"
#include "store/store.h"
#include "workload/workload.h"

enum { GIB = 1 << 30 };

static struct doctor_check *add(struct doctor_report *all, const char *name, enum doctor_state state,
                                const char *format, ...) __attribute__((format(printf, 4, 5)));
static struct doctor_check *add(struct doctor_report *all, const char *name, enum doctor_state state,
                                const char *format, ...)
{
	if (all->count == DOCTOR_CHECKS_MAX)
		BUG("more than %d checks", DOCTOR_CHECKS_MAX);
	struct doctor_check *check = &all->check[all->count++];
	check->name = name;
	check->state = state;
	va_list list;
	va_start(list, format);
	vsnprintf(check->found, sizeof check->found, format, list);
	va_end(list);
	return check;
}

static void remedy(struct doctor_check *check, const char *text)
{
	snprintf(check->remedy, sizeof check->remedy, "%s", text);
}

static const char REINSTALL[] = "install sluice again, whole (docs/install.md)";

/* ---- what comes with sluice ------------------------------------------------------------------------------- */

static void check_machines(struct doctor_report *all)
{
	struct machine_summary *list;
	struct error err;
	size_t count, bad = 0;
	char folder[PATH_MAX];
	if (!machine_directory(folder, sizeof folder, &err) || !machine_list(&list, &count, &err)) {
		remedy(add(all, "machines", DOCTOR_MISSING, "%s", err.text), REINSTALL);
		return;
	}
	for (size_t i = 0; i < count; i++)
		bad += !list[i].title;
	machine_list_free(list, count);
	struct doctor_check *check =
	    add(all, "machines", bad || !count ? DOCTOR_MISSING : DOCTOR_OK, "%zu in %s", count, folder);
	if (bad || !count)
		remedy(check, REINSTALL);
}

static void check_workloads(struct doctor_report *all)
{
	struct workloads workloads;
	struct error err = {{0}};
	if (!workloads_load(&workloads, &err)) {
		remedy(add(all, "workloads", DOCTOR_MISSING, "%s", err.text), REINSTALL);
		return;
	}
	add(all, "workloads", DOCTOR_OK, "%zu in %s", workloads.count, workloads.folder);
	workloads_free(&workloads);
}

static void check_papers(struct doctor_report *all)
{
	struct papers papers;
	struct error err = {{0}};
	char folder[PATH_MAX];
	if (!papers_folder(folder, &err) || !papers_load(&papers, folder, false, &err)) {
		remedy(add(all, "papers", DOCTOR_MISSING, "%s", err.text), REINSTALL);
		return;
	}
	add(all, "papers", DOCTOR_OK, "%zu in %s", papers.count, folder);
	papers_free(&papers);
}

/* ---- compilers -------------------------------------------------------------------------------------------- */

enum { LINE_SIZE = 256 };

/* Return whether the shell command, whose $0 is `argument`, prints a line. */
static bool ask_shell(const char *shell_command, const char *argument, char line[LINE_SIZE])
{
	struct words ask = {0};
	line[0] = '\0';
	words_add(&ask, "sh");
	words_add(&ask, "-c");
	words_add(&ask, shell_command);
	words_add(&ask, argument);
	bool found = cc_run_line(&ask, line, LINE_SIZE) && line[0];
	words_free(&ask);
	return found;
}

static void check_compilers(struct doctor_report *all)
{
	struct cc_tools tools = {0};
	struct error err = {{0}};
	char line[LINE_SIZE];
	if (!cc_find_own_parts(&tools, &err))
		remedy(add(all, "CUDA headers", DOCTOR_MISSING, "%s", err.text), REINSTALL);
	else
		add(all, "CUDA headers", DOCTOR_OK, "%s", tools.headers);
	if (tools.library[0])
		add(all, "CUDA runtime", DOCTOR_OK, "%s/libsluicert.so", tools.library);
	else
		remedy(add(all, "CUDA runtime", DOCTOR_MISSING, "libsluicert.so is not with this sluice"),
		       REINSTALL);
	if (!cc_find_tools(&tools, &err))
		remedy(add(all, "clang", DOCTOR_MISSING, "CUDA programs and workloads cannot be compiled: %s",
		           err.text),
		       "apt install clang-19, or another of clang-14 to clang-18");
	else if (!ask_shell("\"$0\" -print-targets | grep nvptx64", tools.clang, line))
		remedy(add(all, "clang", DOCTOR_MISSING,
		           "%s cannot make PTX: it was built without the target nvptx64", tools.clang),
		       "apt install clang-19, and set SLUICE_CLANG to it");
	else
		add(all, "clang", DOCTOR_OK, "%s, version %u, makes PTX", tools.clang, tools.clang_major);
	if (tools.cxx[0] && strcmp(tools.cxx, tools.clang) != 0)
		add(all, "g++", DOCTOR_OK, "%s", tools.cxx);
	else
		remedy(add(all, "g++", DOCTOR_OPTIONAL,
		           "clang takes its place for host code and linking, as far as it can"),
		       "apt install g++");
}

static void check_headers(struct doctor_report *all)
{
	static const struct {
		const char *name, *file, *package, *what;
	} headers[] = {
	    {"Thrust", "/usr/include/thrust/version.h", "libthrust-dev libcub-dev libcu++-dev",
	     "Thrust, CUB or cuda::"},
	    {"OpenCL headers", "/usr/include/CL/cl.h", "opencl-c-headers", "CL/cl.h"},
	};
	for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
		bool there = access(headers[i].file, R_OK) == 0;
		struct doctor_check *check =
		    there ? add(all, headers[i].name, DOCTOR_OK, "%s", headers[i].file)
		          : add(all, headers[i].name, DOCTOR_OPTIONAL,
		                "programs that include %s do not compile", headers[i].what);
		if (!there)
			snprintf(check->remedy, sizeof check->remedy, "apt install %s", headers[i].package);
	}
}

/* ---- this machine ----------------------------------------------------------------------------------------- */

/* Return the folder itself, or the nearest parent that exists. */
static void find_existing(const char *path, char existing[PATH_MAX])
{
	snprintf(existing, PATH_MAX, "%s", path);
	while (access(existing, F_OK) != 0) {
		char *slash = strrchr(existing, '/');
		if (!slash || slash == existing) {
			snprintf(existing, PATH_MAX, "%s", slash ? "/" : ".");
			return;
		}
		*slash = '\0';
	}
}

static void check_room(struct doctor_report *all, const char *name, const char *folder)
{
	struct statvfs fs;
	if (statvfs(folder, &fs))
		return;
	uint64_t bytes = (uint64_t)fs.f_bavail * fs.f_frsize;
	struct doctor_check *check = add(all, name, bytes < GIB ? DOCTOR_MISSING : DOCTOR_OK,
	                                 "%.1f GB free at %s", (double)bytes * 1e-9, folder);
	if (bytes < GIB)
		remedy(check,
		       "make room: 'sluice cache gc --max-size 1G', or set SLUICE_CACHE_DIR to another disk");
}

static void check_cache(struct doctor_report *all)
{
	char folder[PATH_MAX], existing[PATH_MAX];
	struct error err;
	if (!cache_name(folder, sizeof folder, &err)) {
		remedy(add(all, "cache", DOCTOR_MISSING, "%s", err.text),
		       "set SLUICE_CACHE_DIR to a folder of yours");
		return;
	}
	find_existing(folder, existing);
	bool exists = !strcmp(folder, existing);
	if (access(existing, W_OK) != 0)
		remedy(add(all, "cache", DOCTOR_MISSING, "%s: cannot be written to: %s", existing,
		           strerror(errno)),
		       "set SLUICE_CACHE_DIR to a folder of yours, or make it yours with chown");
	else if (exists && !cache_is_trusted(folder))
		remedy(add(all, "cache", DOCTOR_MISSING,
		           "%s belongs to another user, or others can write to it", folder),
		       "make it yours (chown, chmod o-w), or set SLUICE_CACHE_DIR to a folder of yours");
	else
		add(all, "cache", DOCTOR_OK, "%s%s", folder, exists ? "" : " (made when it is needed)");
	check_room(all, "disk", existing);
}

static void check_database(struct doctor_report *all)
{
	char path[PATH_MAX], existing[PATH_MAX];
	struct error err;
	static const char OTHER[] =
	    "set SLUICE_RESULTS to a file of yours; 'sluice results gc' and sqlite3's .recover may help";
	if (!store_default_path(path, &err)) {
		remedy(add(all, "results database", DOCTOR_MISSING, "%s", err.text), OTHER);
		return;
	}
	find_existing(path, existing);
	bool exists = !strcmp(path, existing);
	struct store *store = exists ? store_open(path, STORE_READ, &err) : NULL;
	if (exists && !store)
		remedy(add(all, "results database", DOCTOR_MISSING, "%s", err.text), OTHER);
	else if (access(existing, W_OK) != 0)
		remedy(add(all, "results database", DOCTOR_MISSING, "%s: cannot be written to: %s", existing,
		           strerror(errno)),
		       OTHER);
	else
		add(all, "results database", DOCTOR_OK, "%s%s", path,
		    exists ? "" : " (made when it is needed)");
	if (store)
		store_close(store, &err);
}

static void check_slurm(struct doctor_report *all)
{
	char line[LINE_SIZE];
	if (ask_shell("sbatch --version 2>/dev/null", "sh", line))
		add(all, "Slurm", DOCTOR_OK, "%s", line);
	else
		remedy(add(all, "Slurm", DOCTOR_OPTIONAL,
		           "there is no sbatch that works: 'sluice sweep --slurm' cannot submit jobs"),
		       "log in to a node of the cluster where sbatch works; on other machines, ignore this");
}

void doctor_examine(struct doctor_report *all)
{
	all->count = 0;
	check_machines(all);
	check_workloads(all);
	check_papers(all);
	check_compilers(all);
	check_headers(all);
	check_cache(all);
	check_database(all);
	check_slurm(all);
}
