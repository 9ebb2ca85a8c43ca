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

/* The name of the cache folder: nothing is made or looked at. */
bool cache_name(char *to, size_t bytes, struct error *err);
/*
 * The cache folder itself, made if it is not there. One that cannot be made or
 * written to is a warning, and a folder for this process alone takes its place;
 * one that others could have filled is refused.
 */
bool cache_folder(char *to, size_t bytes, struct error *err);
/* Creates a folder and its parents. */
bool cache_make_folders(char *path, struct error *err);
/* The disk below it has no room for another entry. */
bool cache_is_full(const char *folder);
/* Ours, and nobody else may write to it: for what is going to be executed. */
bool cache_is_trusted(const char *path);
/* A temporary file or folder is in use as long as this process, or a child, lives; see cache_collect(). */
void cache_hold(const char *path);
/* Marks an entry as used now, for cache_gc(). */
void cache_touch(const char *path);

/* ---- cache_gc.c: what lies in the cache ---- */

enum cache_kind { CACHE_IMPORT, CACHE_RECORDING, CACHE_BUILD, CACHE_LEFTOVER, CACHE_KINDS };
extern const char *const cache_kinds[CACHE_KINDS];
struct cache_entry {
	char *path;
	enum cache_kind kind;
	uint64_t bytes;
	int64_t used_s; /* when last, in seconds since 1970 */
};
struct cache_list {
	struct cache_entry *entry; /* longest unused first */
	size_t count;
	uint64_t bytes;
};
bool cache_list(struct cache_list *list, const char *folder, struct error *err);
void cache_list_free(struct cache_list *list);
/* Removes what processes that are gone have left in `folder`. */
void cache_collect(const char *folder);
/* Removes leftovers, then what was not used for longest until at most `max_bytes` are left. False: some could not be. */
bool cache_gc(struct cache_list *list, uint64_t max_bytes, struct cache_list *removed, struct error *err);

#endif
