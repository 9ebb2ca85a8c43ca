/* sluice cache: lists what is kept between runs, and removes it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cache.h"
#include "base/safe_text.h"
#include "cli/command.h"
#include "cmd/cmd.h"
#include "report/table.h"

static const struct command_action actions[] = {
    {"list", "", "list imported traces, recordings and compiled programs", NULL},
    {"gc", "[--max-size BYTES]",
     "remove what ended processes left; with --max-size, also the entries that were not used for\n"
     "the longest time, until at most that many bytes are left",
     NULL},
    {NULL, NULL, NULL, NULL},
};
static const struct command command = {
    .name = "cache",
    .operand = "action",
    .actions = actions,
    .footer =
        "The cache is $SLUICE_CACHE_DIR, $XDG_CACHE_HOME/sluice or ~/.cache/sluice. Sluice can make everything in\n"
        "it again. Results are kept elsewhere ('sluice results').\n"
        "Exit status: 0 done, 2 bad input, or something could not be removed.\n",
};

static void print_entries(const struct cache_list *list)
{
	static const struct table_column columns[] = {{"last used", TABLE_LEFT, 0},
	                                              {"bytes", TABLE_RIGHT, 0},
	                                              {"kind", TABLE_LEFT, 0},
	                                              {"entry", TABLE_LEFT, 0}};
	struct table *table = table_new(columns, sizeof columns / sizeof *columns);
	for (size_t i = 0; i < list->count; i++) {
		const struct cache_entry *entry = &list->entry[i];
		char when[32] = "";
		struct tm at;
		time_t seconds = (time_t)entry->used_s;
		if (localtime_r(&seconds, &at))
			strftime(when, sizeof when, "%Y-%m-%d %H:%M", &at);
		const char *slash = strrchr(entry->path, '/');
		safe_text(entry->path, strlen(entry->path), "");
		table_add(table, "%s", when);
		table_add_count(table, entry->bytes);
		table_add(table, "%s", cache_kinds[entry->kind]);
		table_add(table, "%s", slash ? slash + 1 : entry->path);
	}
	table_print(table, stdout, "");
	table_free(table);
}

static int list_entries(const struct cache_list *list, const char *folder)
{
	char total[COUNT_TEXT_SIZE];
	if (list->count)
		print_entries(list);
	printf("%s: %zu entries, %s bytes\n", folder, list->count, table_format_count(total, list->bytes));
	return 0;
}

static int collect(struct cache_list *list, uint64_t max_bytes)
{
	struct cache_list removed;
	struct error err;
	char gone[COUNT_TEXT_SIZE], left[COUNT_TEXT_SIZE];
	bool ok = cache_gc(list, max_bytes, &removed, &err);
	printf("removed %zu entries, %s bytes; %zu are left, %s bytes\n", removed.count,
	       table_format_count(gone, removed.bytes), list->count - removed.count,
	       table_format_count(left, list->bytes - removed.bytes));
	return ok ? 0 : command_fail(command.name, &err);
}

int cmd_cache(int argc, char **argv)
{
	uint64_t max_bytes = UINT64_MAX;
	bool help = false;
	const char *action = NULL;
	char folder[4096];
	struct error err;
	const struct arg args[] = {
	    {"--max-size", "BYTES", "for gc: bytes to keep at most, e.g. 10G, 500M (no limit)",
	     .number = &max_bytes, .min = 0, .max = INT64_MAX},
	    {"--help", NULL, "this text", .flag = &help},
	};
	int rc;
	if (!command_parse(&command, argc, argv, args, sizeof args / sizeof *args, &help, &action, &rc))
		return rc;
	bool is_gc = action && !strcmp(action, "gc");
	if (!action || (!is_gc && strcmp(action, "list")) || (!is_gc && max_bytes != UINT64_MAX)) {
		return help_show(&command, HELP_NONE);
	}
	struct cache_list list;
	if (!cache_folder(folder, sizeof folder, &err) || !cache_list(&list, folder, &err))
		return command_fail(command.name, &err);
	rc = is_gc ? collect(&list, max_bytes) : list_entries(&list, folder);
	cache_list_free(&list);
	return rc;
}
