/* Files and folders. */
#define _GNU_SOURCE /* renameat2 */
#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/cache.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "base/read_files.h"

/* Read up to `room` bytes; fewer only at the end of the file. */
static bool read_up_to(int fd, char *to, size_t room, size_t *length)
{
	*length = 0;
	while (*length < room) {
		ssize_t n = read(fd, to + *length, room - *length);
		if (!n)
			break;
		if (n > 0)
			*length += (size_t)n;
		else if (errno != EINTR)
			return false;
	}
	return true;
}

/* `expected`: the size that the file system reports, 0 for devices and files of /proc. */
static char *read_all(int fd, size_t expected, size_t bytes_max, size_t *length, const char **reason)
{
	size_t room = (expected < bytes_max ? expected : bytes_max) + 1, more;
	char *text = NULL;
	for (*length = 0;; room = room < 4096 ? 16384 : 4 * room) {
		text = memory_grow(text, room + 1, 1);
		if (!read_up_to(fd, text + *length, room - *length, &more)) {
			*reason = strerror(errno);
			break;
		}
		*length += more;
		if (*length > bytes_max)
			break;
		if (*length < room) {
			text[*length] = '\0';
			return text;
		}
	}
	free(text);
	return NULL;
}

static bool fail_large(const char *path, const struct file_kind *kind, struct error *err)
{
	bool is_mib = kind->bytes_max >> 20 && !(kind->bytes_max & ((1 << 20) - 1));
	return error_set(err, "%s: larger than %zu %s; not %s", path,
	                 is_mib ? kind->bytes_max >> 20 : kind->bytes_max, is_mib ? "MiB" : "bytes",
	                 kind->name);
}

char *read_intermediate_file(const char *path, const struct file_kind *kind, size_t *length,
                             struct error *err)
{
	struct stat st;
	size_t bytes;
	char *text = NULL;
	const char *reason = NULL;
	/* Without O_NONBLOCK, open() waits at a named pipe until a writer comes. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 || fstat(fd, &st))
		reason = strerror(errno);
	else if (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode))
		reason = "not a file but a pipe or a socket";
	else
		text = read_all(fd, S_ISREG(st.st_mode) ? (size_t)st.st_size : 0, kind->bytes_max, &bytes,
		                &reason);
	if (text && length)
		*length = bytes;
	if (reason)
		error_set(err, "%s: cannot be read: %s", path, reason);
	else if (!text)
		fail_large(path, kind, err);
	if (fd >= 0)
		close(fd);
	return text;
}

char *read_whole_file(const char *path, const struct file_kind *kind, size_t *length, struct error *err)
{
	char *text = read_intermediate_file(path, kind, length, err);
	if (text)
		read_files_note_path(path);
	return text;
}

static bool digest_stream(int fd, XXH3_state_t *state, uint64_t *bytes)
{
	char buffer[1 << 16];
	ssize_t n;
	*bytes = 0;
	while ((n = read(fd, buffer, sizeof buffer)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		XXH3_128bits_update(state, buffer, (size_t)n);
		*bytes += (uint64_t)n;
	}
	return true;
}

bool file_digest(const char *path, struct digest *digest, uint64_t *bytes, struct error *err)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return error_set(err, "%s: %s", path, strerror(errno));
	bool ok = !fstat(fd, &st) && S_ISREG(st.st_mode);
	read_files_note(fd, path);
	if (!ok)
		error_set(err, "%s: not a regular file", path);
	XXH3_state_t *state = ok ? XXH3_createState() : NULL;
	if (state) {
		XXH3_128bits_reset(state);
		ok = digest_stream(fd, state, bytes) || error_set(err, "%s: %s", path, strerror(errno));
		XXH128_hash_t hash = XXH3_128bits_digest(state);
		*digest = (struct digest){hash.low64, hash.high64};
	} else if (ok) {
		ok = error_set(err, "%s: out of memory", path);
	}
	XXH3_freeState(state);
	close(fd);
	return ok;
}

void digest_text(const struct digest *digest, char text[33])
{
	snprintf(text, 33, "%016" PRIx64 "%016" PRIx64, digest->high, digest->low);
}

bool path_join(char to[PATH_MAX], const char *folder, const char *name, struct error *err)
{
	int n = snprintf(to, PATH_MAX, "%s/%s", folder, name);
	return (n > 0 && n < PATH_MAX) || error_set(err, "%s/%s: name too long", folder, name);
}

void remove_folder(const char *path)
{
	remove_tree(path);
	cleanup_done(path);
}

bool make_temporary(const char *parent, char to[PATH_MAX], struct error *err)
{
	cache_collect(parent);
	for (unsigned i = 0; i < 1000; i++) {
		char name[64];
		snprintf(name, sizeof name, "tmp-%ld-%u", (long)getpid(), i);
		if (!path_join(to, parent, name, err))
			return false;
		if (!mkdir(to, 0700)) {
			cleanup_add(to);
			cache_hold(to);
			return true;
		}
		if (errno != EEXIST)
			break;
	}
	return error_set(err, "%s: cannot be created: %s", to, strerror(errno));
}

bool replace_folder(const char *from, const char *to, struct error *err)
{
	char old[PATH_MAX + 32];
	/* Another process may put its folder in place between two renames: try again. */
	for (int tries = 0; tries < 10; tries++) {
		if (!rename(from, to)) {
			cleanup_done(from);
			return true;
		}
		if (errno != ENOTEMPTY && errno != EEXIST)
			break;
		/* An exchange is atomic: a folder is there at any moment. */
		if (!renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_EXCHANGE)) {
			remove_folder(from);
			return true;
		}
		/* The file system has no exchange. */
		snprintf(old, sizeof old, "%s.%ld-%d.old", to, (long)getpid(), tries);
		if (!rename(to, old))
			remove_folder(old);
	}
	return error_set(err, "%s: cannot be put in place: %s", to, strerror(errno));
}
