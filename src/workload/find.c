/* Where workloads lie, and finding one by its name. */
#include <stdio.h>
#include <string.h>

#include "base/data_folder.h"
#include "base/environment.h"
#include "base/suggest.h"
#include "workload/workload.h"

enum { NAME_LENGTH_MAX = 63 };

bool workloads_folder(char folder[PATH_MAX], struct error *err)
{
	return data_folder_find("workloads", ENV_WORKLOADS, "workloads", folder, PATH_MAX, err);
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
