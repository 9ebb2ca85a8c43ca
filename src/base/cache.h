/*
 * The cache folder: ~/.cache/sluice (or $SLUICE_CACHE_DIR, $XDG_CACHE_HOME/sluice). It holds imported traces,
 * recordings of programs and what they were compiled to. Entries are found by the content of what they were made of.
 */
#ifndef SLUICE_BASE_CACHE_H
#define SLUICE_BASE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Store the path of the cache folder, which need not exist. */
bool cache_name(char *to, size_t bytes, struct error *err);
/*
 * Store the path of the cache folder, created if it does not exist. If it cannot be
 * created or written to, warn and use a folder of this process alone. A folder that
 * other users can write to is refused.
 */
bool cache_folder(char *to, size_t bytes, struct error *err);
/* Create a folder and its parents. */
bool cache_make_folders(char *path, struct error *err);
/* Return whether the disk has no room for another entry. */
bool cache_is_full(const char *folder);
/* Return whether it is this user's and not writable for others; asked before files in it are executed. */
bool cache_is_trusted(const char *path);
/* Mark a temporary file or folder as in use until this process and its children end; see cache_collect(). */
void cache_hold(const char *path);
/* Mark an entry as used now, for cache_gc(). */
void cache_touch(const char *path);

/* ---- entries ---- */

enum cache_kind { CACHE_IMPORT, CACHE_RECORDING, CACHE_BUILD, CACHE_LEFTOVER, CACHE_KINDS };
extern const char *const cache_kinds[CACHE_KINDS];
struct cache_entry {
	char *path;
	enum cache_kind kind;
	uint64_t bytes;
	int64_t used_s; /* last use, in seconds since 1970 */
};
struct cache_list {
	struct cache_entry *entry; /* longest unused first */
	size_t count;
	uint64_t bytes;
};
bool cache_list(struct cache_list *list, const char *folder, struct error *err);
void cache_list_free(struct cache_list *list);
/* Remove temporary files in `folder` of processes that have ended. */
void cache_collect(const char *folder);
/* Remove leftovers, then the entries unused for longest, until at most `max_bytes` are left. False if that failed. */
bool cache_gc(struct cache_list *list, uint64_t max_bytes, struct cache_list *removed, struct error *err);

#endif
