/* The key `window` of an experiment: which launches are recorded and simulated. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "papers/experiment/items.h"
#include "window/window.h"

static bool read_count_key(const struct reader *r, const struct tree_node *map, const char *key,
                           uint64_t *number)
{
	const struct tree_node *node = tree_find(map, key);
	return !node || read_count(r, node, number);
}

bool window_load(const struct reader *r, const struct tree_node *parent, char **window)
{
	static const char *const keys[] = {"launches",           "skip", "count", "kernel_name", "nvtx",
	                                   "profile_from_start", NULL};
	const struct tree_node *map = tree_find(parent, "window");
	struct window_options o = {0};
	struct error why;
	char *launches = NULL, *name = NULL, *nvtx = NULL, *start = NULL;
	if (!map)
		return true;
	if (map->kind != TREE_MAP)
		return read_fail_at(r, map, "'window' is not a map of launches, skip, count and the like");
	if (tree_find(parent, "kernels"))
		return read_fail_at(r, map, "give 'kernels' or 'window', not both");
	bool ok = read_keys(r, map, "key of window", keys) &&
	          read_text_key(r, map, "launches", false, &launches) &&
	          read_count_key(r, map, "skip", &o.skip) && read_count_key(r, map, "count", &o.count) &&
	          read_text_key(r, map, "kernel_name", false, &name) &&
	          read_text_key(r, map, "nvtx", false, &nvtx) &&
	          read_text_key(r, map, "profile_from_start", false, &start);
	o.launches = launches;
	o.kernel_name = name;
	o.nvtx = nvtx;
	o.profile_from_start = start;
	if (ok && !(*window = window_text(&o, &why)))
		ok = read_fail_at(r, map, "%s", why.text);
	free(launches);
	free(name);
	free(nvtx);
	free(start);
	return ok;
}
