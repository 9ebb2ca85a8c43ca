/* sluice doctor: what this machine lacks for everything to work, and how to get it. */
#include <errno.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/cache.h"
#include "base/data_folder.h"
#include "cc/cc.h"
#include "cli/command.h"
#include "cmd/cmd.h"
#include "machine/catalog.h"
#include "papers/experiment/paper.h"
#include "report/page.h"
#include "report/run_json.h"
#include "store/store.h"
#include "workload/workload.h"

static const struct command command = {
    .name = "doctor",
    .usage =
        "usage: sluice doctor [OPTION...]\n"
        "\n"
        "Looks at this sluice and this machine: the files that come with sluice, the compilers of CUDA\n"
        "programs, the cache, the results database, room on the disk, Slurm, the parts of report pages. Says\n"
        "what is missing, what does not work without it, and how to get it.\n",
    .footer = "Exit status: 0 nothing that is needed is missing, 1 something is, 2 bad input.\n",
};

/* WANTED: something works without it; NEEDED: sluice cannot do what it is for. */
enum state { STATE_OK, STATE_WANTED, STATE_NEEDED };
static const char *const state_names[] = {"ok", "optional", "missing"};

enum { CHECKS_MAX = 24, TEXT_SIZE = 1200, GIB = 1 << 30 };

struct check {
	const char *name;
	enum state state;
	char found[TEXT_SIZE];  /* what there is, or what is wrong */
	char remedy[TEXT_SIZE]; /* how to get it; empty if it is there */
};
struct checks {
	struct check check[CHECKS_MAX];
	size_t count;
};

static struct check *add(struct checks *all, const char *name, enum state state, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static struct check *add(struct checks *all, const char *name, enum state state, const char *format, ...)
{
	if (all->count == CHECKS_MAX)
		BUG("more than %d checks", CHECKS_MAX);
	struct check *check = &all->check[all->count++];
	check->name = name;
	check->state = state;
	va_list list;
	va_start(list, format);
	vsnprintf(check->found, sizeof check->found, format, list);
	va_end(list);
	return check;
}

static void remedy(struct check *check, const char *text)
{
	snprintf(check->remedy, sizeof check->remedy, "%s", text);
}

static const char REINSTALL[] = "install sluice again, whole (docs/install.md)";

/* ---- what comes with sluice ------------------------------------------------------------------------------- */

static void check_machines(struct checks *all)
{
	struct machine_summary *list;
	struct error err;
	size_t count, bad = 0;
	char folder[PATH_MAX];
	if (!machine_directory(folder, sizeof folder, &err) || !machine_list(&list, &count, &err)) {
		remedy(add(all, "machines", STATE_NEEDED, "%s", err.text), REINSTALL);
		return;
	}
	for (size_t i = 0; i < count; i++)
		bad += !list[i].title;
	machine_list_free(list, count);
	struct check *check =
	    add(all, "machines", bad || !count ? STATE_NEEDED : STATE_OK, "%zu in %s", count, folder);
	if (bad || !count)
		remedy(check, REINSTALL);
}

static void check_workloads(struct checks *all)
{
	struct workloads workloads;
	struct error err = {{0}};
	if (!workloads_load(&workloads, &err)) {
		remedy(add(all, "workloads", STATE_NEEDED, "%s", err.text), REINSTALL);
		return;
	}
	add(all, "workloads", STATE_OK, "%zu in %s", workloads.count, workloads.folder);
	workloads_free(&workloads);
}

static void check_papers(struct checks *all)
{
	struct papers papers;
	struct error err = {{0}};
	char folder[PATH_MAX];
	if (!papers_folder(folder, &err) || !papers_load(&papers, folder, false, &err)) {
		remedy(add(all, "papers", STATE_NEEDED, "%s", err.text), REINSTALL);
		return;
	}
	add(all, "papers", STATE_OK, "%zu in %s", papers.count, folder);
	papers_free(&papers);
}

static void check_page(struct checks *all)
{
	struct error err;
	if (page_check(&err))
		add(all, "report page", STATE_OK, "its charts are built in");
	else
		remedy(add(all, "report page", STATE_WANTED,
		           "not built in: 'sluice validate --html' cannot write pages"),
		       "apt install nodejs npm, delete the folder web/ of the build folder, and build again");
}

/* ---- compilers -------------------------------------------------------------------------------------------- */

static bool speaks_ptx(const struct cc_tools *tools)
{
	struct words ask = {0};
	char line[256] = "";
	words_add(&ask, "sh");
	words_add(&ask, "-c");
	words_add(&ask, "\"$0\" -print-targets | grep nvptx64");
	words_add(&ask, tools->clang);
	bool found = cc_run_line(&ask, line, sizeof line) && line[0];
	words_free(&ask);
	return found;
}

static void check_compilers(struct checks *all)
{
	struct cc_tools tools = {0};
	struct error err = {{0}};
	if (!cc_find_own_parts(&tools, &err))
		remedy(add(all, "CUDA headers", STATE_NEEDED, "%s", err.text), REINSTALL);
	else
		add(all, "CUDA headers", STATE_OK, "%s", tools.headers);
	if (tools.library[0])
		add(all, "CUDA runtime", STATE_OK, "%s/libsluicert.so", tools.library);
	else
		remedy(add(all, "CUDA runtime", STATE_NEEDED, "libsluicert.so is not with this sluice"),
		       REINSTALL);
	if (!cc_find_tools(&tools, &err))
		remedy(add(all, "clang", STATE_NEEDED, "CUDA programs and workloads cannot be compiled: %s",
		           err.text),
		       "apt install clang-19, or another of clang-14 to clang-18");
	else if (!speaks_ptx(&tools))
		remedy(add(all, "clang", STATE_NEEDED,
		           "%s cannot make PTX: it was built without the target nvptx64", tools.clang),
		       "apt install clang-19, and set SLUICE_CLANG to it");
	else
		add(all, "clang", STATE_OK, "%s, version %u, makes PTX", tools.clang, tools.clang_major);
	if (tools.cxx[0] && strcmp(tools.cxx, tools.clang) != 0)
		add(all, "g++", STATE_OK, "%s", tools.cxx);
	else
		remedy(add(all, "g++", STATE_WANTED,
		           "clang takes its place for host code and linking, as far as it can"),
		       "apt install g++");
}

static void check_headers(struct checks *all)
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
		struct check *check = there ? add(all, headers[i].name, STATE_OK, "%s", headers[i].file)
		                            : add(all, headers[i].name, STATE_WANTED,
		                                  "programs that include %s do not compile", headers[i].what);
		if (!there)
			snprintf(check->remedy, sizeof check->remedy, "apt install %s", headers[i].package);
	}
}

/* ---- this machine ----------------------------------------------------------------------------------------- */

/* The folder itself, or the nearest above it that exists. */
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

static void check_room(struct checks *all, const char *name, const char *folder)
{
	struct statvfs fs;
	if (statvfs(folder, &fs))
		return;
	uint64_t bytes = (uint64_t)fs.f_bavail * fs.f_frsize;
	struct check *check = add(all, name, bytes < GIB ? STATE_NEEDED : STATE_OK, "%.1f GB free at %s",
	                          (double)bytes * 1e-9, folder);
	if (bytes < GIB)
		remedy(check,
		       "make room: 'sluice cache gc --max-size 1G', or set SLUICE_CACHE_DIR to another disk");
}

static void check_cache(struct checks *all)
{
	char folder[PATH_MAX], existing[PATH_MAX];
	struct error err;
	if (!cache_name(folder, sizeof folder, &err)) {
		remedy(add(all, "cache", STATE_NEEDED, "%s", err.text),
		       "set SLUICE_CACHE_DIR to a folder of yours");
		return;
	}
	find_existing(folder, existing);
	bool exists = !strcmp(folder, existing);
	if (access(existing, W_OK) != 0)
		remedy(add(all, "cache", STATE_NEEDED, "%s: cannot be written to: %s", existing,
		           strerror(errno)),
		       "set SLUICE_CACHE_DIR to a folder of yours, or make it yours with chown");
	else if (exists && !cache_is_trusted(folder))
		remedy(add(all, "cache", STATE_NEEDED,
		           "%s belongs to somebody else, or others can write to it", folder),
		       "make it yours (chown, chmod o-w), or set SLUICE_CACHE_DIR to a folder of yours");
	else
		add(all, "cache", STATE_OK, "%s%s", folder, exists ? "" : " (made when it is needed)");
	check_room(all, "disk", existing);
}

static void check_database(struct checks *all)
{
	char path[PATH_MAX], existing[PATH_MAX];
	struct error err;
	static const char OTHER[] =
	    "set SLUICE_RESULTS to a file of yours; 'sluice results gc' and sqlite3's .recover may help";
	if (!store_default_path(path, &err)) {
		remedy(add(all, "results database", STATE_NEEDED, "%s", err.text), OTHER);
		return;
	}
	find_existing(path, existing);
	bool exists = !strcmp(path, existing);
	struct store *store = exists ? store_open(path, STORE_READ, &err) : NULL;
	if (exists && !store)
		remedy(add(all, "results database", STATE_NEEDED, "%s", err.text), OTHER);
	else if (access(existing, W_OK) != 0)
		remedy(add(all, "results database", STATE_NEEDED, "%s: cannot be written to: %s", existing,
		           strerror(errno)),
		       OTHER);
	else
		add(all, "results database", STATE_OK, "%s%s", path,
		    exists ? "" : " (made when it is needed)");
	if (store)
		store_close(store, &err);
}

static void check_slurm(struct checks *all)
{
	struct words ask = {0};
	char line[256] = "";
	words_add(&ask, "sh");
	words_add(&ask, "-c");
	words_add(&ask, "sbatch --version 2>/dev/null");
	if (cc_run_line(&ask, line, sizeof line) && line[0])
		add(all, "Slurm", STATE_OK, "%s", line);
	else
		remedy(add(all, "Slurm", STATE_WANTED,
		           "no sbatch that works: 'sluice sweep --slurm' cannot submit jobs"),
		       "on a cluster, log in where sbatch works; else nothing is lost");
	words_free(&ask);
}

/* ---- the report ------------------------------------------------------------------------------------------- */

static void print_checks(const struct checks *all)
{
	for (size_t i = 0; i < all->count; i++) {
		const struct check *check = &all->check[i];
		printf("%-9s %-17s %s\n", state_names[check->state], check->name, check->found);
		if (check->remedy[0])
			printf("%-9s %-17s -> %s\n", "", "", check->remedy);
	}
}

static bool write_json(const struct checks *all, bool ok, const char *path, struct error *err)
{
	json_t *list = json_array();
	for (size_t i = 0; i < all->count; i++) {
		const struct check *check = &all->check[i];
		json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:s}", "name", check->name, "state",
		                                      state_names[check->state], "found",
		                                      json_text(check->found), "remedy", check->remedy));
	}
	char *text = json_finish(
	    json_pack("{s:s, s:b, s:o}", "version", SLUICE_VERSION, "ok", (int)ok, "checks", list));
	bool written = command_write(path, text, err);
	free(text);
	return written;
}

int cmd_doctor(int argc, char **argv)
{
	struct checks all = {.count = 0};
	struct error err;
	const char *json = NULL;
	bool help = false, ok = true;
	const struct arg args[] = {
	    {"--json", "FILE", "write the same to FILE as JSON; - for standard output, without the table",
	     .text = &json},
	    {"--help", NULL, "this text", .flag = &help},
	};
	int rc;
	if (!command_parse(&command, argc, argv, args, sizeof args / sizeof *args, &help, NULL, &rc))
		return rc;
	if (!command_check_output(json, &err))
		return command_fail(command.name, &err);
	check_machines(&all);
	check_workloads(&all);
	check_papers(&all);
	check_compilers(&all);
	check_headers(&all);
	check_page(&all);
	check_cache(&all);
	check_database(&all);
	check_slurm(&all);
	for (size_t i = 0; i < all.count; i++)
		ok &= all.check[i].state != STATE_NEEDED;
	if (!command_is_stdout(json)) {
		print_checks(&all);
		puts(ok ? "\nNothing that is needed is missing."
		        : "\nSomething that is needed is missing: see above.");
	}
	if (json && !write_json(&all, ok, json, &err))
		return command_fail(command.name, &err);
	return ok ? 0 : 1;
}
