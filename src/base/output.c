/* Atomic result files. */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/read_files.h"

/* Where the bytes go in the end. */
struct destination {
	char path[PATH_MAX]; /* behind symbolic links, which are kept */
	bool direct;         /* a device or pipe */
};

static bool fail(const char *path, int error, struct error *err)
{
	return error_set(err, "cannot write %s: %s", path, strerror(error));
}

bool output_allowed(const char *path, struct error *err)
{
	struct stat st;
	const char *read = stat(path, &st) ? NULL : read_files_find(&st);
	return !read || error_set(err, "%s: would be overwritten, but is also read (%s); name another output",
	                          path, read);
}

static bool find_destination(struct destination *destination, const char *path, struct error *err)
{
	struct stat st;
	destination->direct = false;
	if (stat(path, &st)) {
		if (errno != ENOENT)
			return fail(path, errno, err);
		if ((size_t)snprintf(destination->path, sizeof destination->path, "%s", path) >=
		    sizeof destination->path)
			return fail(path, ENAMETOOLONG, err);
		return true;
	}
	if (S_ISDIR(st.st_mode))
		return fail(path, EISDIR, err);
	if (access(path, W_OK))
		return fail(path, errno, err);
	if (!output_allowed(path, err))
		return false;
	destination->direct = !S_ISREG(st.st_mode);
	if (!realpath(path, destination->path))
		return fail(path, errno, err);
	return true;
}

/* Create a new file in the destination's folder, its path in `name`; return -1 with errno set on failure. */
static int open_temporary(const struct destination *destination, char name[PATH_MAX])
{
	for (int i = 0; i < 100; i++) {
		int n = snprintf(name, PATH_MAX, "%s.%ld-%d.tmp", destination->path, (long)getpid(), i);
		if (n < 0 || n >= PATH_MAX) {
			errno = ENAMETOOLONG;
			return -1;
		}
		int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd >= 0)
			cleanup_add(name);
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

bool output_check(const char *path, struct error *err)
{
	struct destination destination;
	char name[PATH_MAX];
	if (!find_destination(&destination, path, err))
		return false;
	if (destination.direct)
		return true;
	int fd = open_temporary(&destination, name);
	if (fd < 0)
		return fail(path, errno, err);
	close(fd);
	unlink(name);
	cleanup_done(name);
	return true;
}

static bool write_all(int fd, const char *data, size_t size)
{
	while (size) {
		ssize_t n = write(fd, data, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		data += n;
		size -= (size_t)n;
	}
	return true;
}

/* The bytes to write: of memory, or of the file `from`. */
struct source {
	const char *data;
	size_t size;
	int from; /* -1: none */
};

static bool write_source(int fd, const struct source *source)
{
	char buffer[1 << 16];
	ssize_t n;
	if (source->from < 0)
		return write_all(fd, source->data, source->size);
	while ((n = read(source->from, buffer, sizeof buffer)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 || !write_all(fd, buffer, (size_t)n))
			return false;
	}
	return true;
}

/* Return 0, or the error number of the first failure. */
static int write_and_close(int fd, const struct source *source)
{
	int error = write_source(fd, source) ? 0 : errno;
	if (close(fd) && !error)
		error = errno;
	return error;
}

static bool write_direct(const char *path, const struct source *source, struct error *err)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return fail(path, errno, err);
	int error = write_and_close(fd, source);
	return !error || fail(path, error, err);
}

static bool put(const char *path, const struct source *source, struct error *err)
{
	struct destination destination;
	char name[PATH_MAX];
	if (!find_destination(&destination, path, err))
		return false;
	if (destination.direct)
		return write_direct(path, source, err);
	int fd = open_temporary(&destination, name);
	if (fd < 0)
		return fail(path, errno, err);
	int error = write_and_close(fd, source);
	if (!error && rename(name, destination.path))
		error = errno;
	if (error)
		unlink(name);
	cleanup_done(name);
	if (!error)
		return true;
	return fail(path, error, err);
}

bool output_write(const char *path, const char *data, size_t size, struct error *err)
{
	return put(path, &(struct source){.data = data, .size = size, .from = -1}, err);
}

bool output_copy(const char *path, const char *from, struct error *err)
{
	int fd = open(from, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return error_set(err, "%s: cannot be read: %s", from, strerror(errno));
	read_files_note(fd, from);
	bool ok = put(path, &(struct source){.from = fd}, err);
	close(fd);
	return ok;
}
