/* Where workloads lie, and finding one by its name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/suggest.h"
#include "lab/workload/workload.h"

enum { NAME_LENGTH_MAX = 63 };

static bool is_folder(const char *path)
{
	struct stat st;
	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* PREFIX/share/sluice/workloads for a program at PREFIX/bin/sluice. */
static bool installed_folder(char folder[PATH_MAX])
{
	char program[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
	if (n <= 0)
		return false;
	program[n] = '\0';
	for (int i = 0; i < 2; i++) {
		char *slash = strrchr(program, '/');
		if (!slash)
			return false;
		*slash = '\0';
	}
	return snprintf(folder, PATH_MAX, "%s/share/sluice/workloads", program) < PATH_MAX &&
	       is_folder(folder);
}

bool workloads_folder(char folder[PATH_MAX], struct error *err)
{
	const char *chosen = getenv("SLUICE_WORKLOADS");
	if (chosen && *chosen) {
		if (snprintf(folder, PATH_MAX, "%s", chosen) < PATH_MAX && is_folder(folder))
			return true;
		return error_set(err, "SLUICE_WORKLOADS is '%s', which is not a directory", chosen);
	}
	if (snprintf(folder, PATH_MAX, "%s", SLUICE_SOURCE_DIR "/workloads") < PATH_MAX && is_folder(folder))
		return true;
	return installed_folder(folder) ||
	       error_set(err, "no workloads found; set SLUICE_WORKLOADS to their directory");
}

bool workload_name_ok(const char *name)
{
	size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+_-");
	return length && length <= NAME_LENGTH_MAX && !name[length] && name[0] != '-';
}

const struct workload *workloads_find(const struct workloads *workloads, const char *name)
{
	for (size_t i = 0; i < workloads->count; i++)
		if (!strcmp(workloads->list[i].name, name))
			return &workloads->list[i];
	return NULL;
}

bool workloads_fail_unknown(const struct workloads *workloads, const char *name, struct error *err)
{
	char clip[CLIP_SIZE];
	struct suggest near = suggest_start(name);
	for (size_t i = 0; i < workloads->count; i++)
		suggest_offer(&near, workloads->list[i].name);
	return error_set(err, "no workload '%s'; %s%s%s", clip_text(clip, name),
	                 near.best ? "did you mean '" : "'sluice workload list' shows all",
	                 near.best ? near.best : "", near.best ? "'?" : "");
}

bool workload_path(const struct workloads *workloads, const struct workload *workload, const char *file,
                   char path[PATH_MAX], struct error *err)
{
	int n = snprintf(path, PATH_MAX, "%s/%s/%s%s", workloads->folder, workload->name,
	                 file ? file : workload->name, file ? "" : ".cu");
	return n < PATH_MAX || error_set(err, "%s/%s: name too long", workloads->folder, workload->name);
}
