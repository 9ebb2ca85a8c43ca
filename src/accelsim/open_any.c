/*
 * Opens any trace; Accel-Sim traces are imported into the cache. A key covers everything the import depends on:
 * the place of the source, the name, size and modification time of each of its
 * files, and the version of importer and format. An entry is used only after
 * trace_open() has verified it; anything else is made again.
 */
#include "accelsim/accelsim.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "accelsim/list.h"
#include "base/cache.h"
#include "base/read_files.h"
#include "trace/format.h"

/* Raise it when the importer makes another trace of the same text. */
enum { IMPORTER_VERSION = 3 };

static bool hash_file(XXH3_state_t *hash, const char *path, struct error *err)
{
	struct stat st;
	if (stat(path, &st))
		return error_set(err, "%s: %s", path, strerror(errno));
	read_files_note_path(path); /* an entry of the cache stands for it */
	XXH3_64bits_update(hash, path, strlen(path) + 1);
	int64_t facts[] = {(int64_t)st.st_size, (int64_t)st.st_mtim.tv_sec, (int64_t)st.st_mtim.tv_nsec};
	XXH3_64bits_update(hash, facts, sizeof facts);
	return true;
}

static bool hash_source(XXH3_state_t *hash, const char *path, struct error *err)
{
	static const uint32_t versions[] = {IMPORTER_VERSION, FORMAT_VERSION};
	struct accelsim_list list;
	if (!accelsim_list_read(&list, path, err))
		return false;
	XXH3_64bits_reset(hash);
	XXH3_64bits_update(hash, versions, sizeof versions);
	bool ok = !list.list_path || hash_file(hash, list.list_path, err);
	for (size_t i = 0; ok && i < list.count; i++)
		ok = !list.commands[i].file || hash_file(hash, list.commands[i].file, err);
	accelsim_list_free(&list);
	return ok;
}

/* Make a name that can be recognised in the cache: the last part of the source, other characters replaced. */
static void readable_stem(const char *path, char *stem, size_t bytes)
{
	const char *name = strrchr(path, '/');
	name = name ? name + 1 : path;
	if (!strcmp(name, "kernelslist.g") && name > path + 1) {
		const char *folder = name - 1;
		while (folder > path && folder[-1] != '/')
			folder--;
		name = folder;
	}
	size_t n = 0;
	for (; name[n] && name[n] != '/' && n < bytes - 1; n++) {
		char c = name[n];
		bool plain =
		    (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-';
		stem[n] = plain || (c == '.' && n) ? c : '_';
	}
	stem[n] = '\0';
}

static bool entry_path(const char *source, char *to, size_t bytes, struct error *err)
{
	XXH3_state_t *hash = XXH3_createState();
	char folder[PATH_MAX], stem[64];
	bool ok = hash || error_set(err, "out of memory");
	ok = ok && hash_source(hash, source, err) && cache_folder(folder, sizeof folder, err);
	if (ok) {
		readable_stem(source, stem, sizeof stem);
		int n = snprintf(to, bytes, "%s/%s-%016" PRIx64 ".sluice", folder, stem,
		                 (uint64_t)XXH3_64bits_digest(hash));
		ok = (n > 0 && (size_t)n < bytes) || error_set(err, "name of the cache folder too long");
	}
	XXH3_freeState(hash);
	return ok;
}

bool trace_is_native(const char *path)
{
	/* Without O_NONBLOCK, open() waits at a named pipe until a writer comes. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	uint8_t magic[8];
	bool native =
	    fd >= 0 && pread(fd, magic, sizeof magic, 0) == sizeof magic && !memcmp(magic, FORMAT_MAGIC, 8);
	if (fd >= 0)
		close(fd);
	size_t n = strlen(path);
	return native || (n > 7 && !strcmp(path + n - 7, ".sluice"));
}

void trace_note_files(const char *path)
{
	struct accelsim_list list;
	struct stat st;
	read_files_note_path(path);
	/* Only what is named as a list or is a folder has one; reading the list of another file would be work for nothing. */
	size_t n = strlen(path);
	bool is_list = n > 2 && !strcmp(path + n - 2, ".g");
	if (stat(path, &st) || (!S_ISDIR(st.st_mode) && !is_list) || !accelsim_list_read(&list, path, NULL))
		return;
	if (list.list_path)
		read_files_note_path(list.list_path);
	for (size_t i = 0; i < list.count; i++)
		if (list.commands[i].file)
			read_files_note_path(list.commands[i].file);
	accelsim_list_free(&list);
}

struct trace *trace_open_any(const char *path, accelsim_progress progress, void *user, struct error *err)
{
	if (trace_is_native(path))
		return trace_open(path, err);
	char source[PATH_MAX], entry[PATH_MAX], folder[PATH_MAX];
	if (!realpath(path, source)) {
		error_set(err, "%s: %s", path, strerror(errno));
		return NULL;
	}
	read_files_note_path(source);
	if (!entry_path(source, entry, sizeof entry, err))
		return NULL;
	struct trace *trace = trace_open(entry, NULL);
	if (trace) {
		cache_touch(entry);
		return trace;
	}
	cache_collect(dirname(memcpy(folder, entry, strlen(entry) + 1)));
	/* Two imports at once write two temporary files; the last rename wins, and both files are complete. */
	struct accelsim_import import = {
	    .path = source, .out_path = entry, .progress = progress, .user = user};
	return accelsim_import(&import, err) ? trace_open(entry, err) : NULL;
}
