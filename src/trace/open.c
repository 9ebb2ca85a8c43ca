/* Opening a .sluice file: header, directory, then one pass over all streams. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "trace/reader.h"

bool trace_pread(const struct trace *t, uint64_t offset, void *to, size_t bytes, struct error *err)
{
	uint8_t *p = to;
	while (bytes) {
		ssize_t n = pread(t->fd, p, bytes, (off_t)offset);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_set(err, "%s: cannot read: %s", t->path, strerror(errno));
		if (!n)
			return error_set(err, "%s: file ends at byte %llu while it is being read", t->path,
			                 (unsigned long long)offset);
		p += n;
		offset += (uint64_t)n;
		bytes -= (size_t)n;
	}
	return true;
}

bool trace_hash_matches(const struct trace *t, const void *data, size_t bytes, uint64_t seed, uint64_t hash)
{
	return t->checks == TRACE_SKIP_CHECKSUMS || XXH3_64bits_withSeed(data, bytes, seed) == hash;
}

static bool open_file(struct trace *t, struct error *err)
{
	/* Without O_NONBLOCK a named pipe in place of the file would block here for ever. */
	t->fd = open(t->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (t->fd < 0)
		return error_set(err, "%s: cannot open: %s", t->path, strerror(errno));
	struct stat st;
	if (fstat(t->fd, &st))
		return error_set(err, "%s: cannot stat: %s", t->path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return error_set(err, "%s: not a regular file", t->path);
	t->file_bytes = (uint64_t)st.st_size;
	return true;
}

static bool read_header(struct trace *t, uint8_t header[FORMAT_HEADER_BYTES], struct error *err)
{
	if (t->file_bytes < FORMAT_HEADER_BYTES)
		return error_set(err, "%s: not a sluice trace: only %llu bytes", t->path,
		                 (unsigned long long)t->file_bytes);
	if (!trace_pread(t, 0, header, FORMAT_HEADER_BYTES, err))
		return false;
	if (memcmp(header, FORMAT_MAGIC, 8))
		return error_set(err, "%s: not a sluice trace: wrong magic bytes", t->path);
	uint32_t version = load_u32(header + 8);
	if (version < FORMAT_OLDEST_VERSION || version > FORMAT_VERSION)
		return error_set(err,
		                 "%s: trace format version %u, expected %d to %d: import or record it again",
		                 t->path, version, FORMAT_OLDEST_VERSION, FORMAT_VERSION);
	t->version = version;
	if (!trace_hash_matches(t, header, 56, 0, load_u64(header + 56)))
		return error_set(err, "%s: damaged trace: header checksum does not match", t->path);
	if (load_u64(header + 16) != t->file_bytes)
		return error_set(err, "%s: damaged trace: %llu bytes, expected %llu", t->path,
		                 (unsigned long long)t->file_bytes,
		                 (unsigned long long)load_u64(header + 16));
	return true;
}

static bool load_directory(struct trace *t, struct error *err)
{
	uint8_t header[FORMAT_HEADER_BYTES];
	if (!read_header(t, header, err))
		return false;
	uint64_t offset = load_u64(header + 24), bytes = load_u64(header + 32);
	if (offset < FORMAT_HEADER_BYTES || offset > t->file_bytes || bytes != t->file_bytes - offset)
		return error_set(err, "%s: damaged trace: directory out of range", t->path);
	t->directory = malloc(bytes ? bytes : 1);
	if (!t->directory)
		return error_set(err, "%s: out of memory", t->path);
	if (!trace_pread(t, offset, t->directory, bytes, err))
		return false;
	if (!trace_hash_matches(t, t->directory, bytes, 0, load_u64(header + 40)))
		return error_set(err, "%s: damaged trace: directory checksum does not match", t->path);
	return directory_parse(t, bytes, err);
}

struct trace *trace_open_checked(const char *path, enum trace_checks checks, struct error *err)
{
	struct trace *t = calloc(1, sizeof *t);
	if (t) {
		t->fd = -1;
		t->checks = checks;
		t->path = strdup(path);
	}
	if (!t || !t->path) {
		error_set(err, "%s: out of memory", path);
		trace_close(t);
		return NULL;
	}
	if (!open_file(t, err) || !load_directory(t, err) || !trace_verify_streams(t, err)) {
		trace_close(t);
		return NULL;
	}
	return t;
}

struct trace *trace_open(const char *path, struct error *err)
{
	return trace_open_checked(path, TRACE_CHECK_ALL, err);
}

void trace_close(struct trace *t)
{
	if (!t)
		return;
	if (t->fd >= 0)
		close(t->fd);
	free(t->path);
	free(t->directory);
	free(t->kernels);
	free(t->places);
	free(t->insns);
	free(t->copies);
	free(t->warnings);
	free(t);
}

const char *trace_path(const struct trace *t)
{
	return t->path;
}

unsigned trace_kernel_count(const struct trace *t)
{
	return t->kernel_count;
}

const struct trace_kernel *trace_kernel_at(const struct trace *t, unsigned index)
{
	return index < t->kernel_count ? &t->kernels[index] : NULL;
}

uint64_t trace_file_bytes(const struct trace *t)
{
	return t->file_bytes;
}

uint64_t trace_kernel_bytes(const struct trace *t, unsigned index)
{
	return index < t->kernel_count ? t->places[index].stream_bytes : 0;
}

size_t trace_copies(const struct trace *t, const struct trace_copy **copies)
{
	*copies = t->copies;
	return t->copy_count;
}

const char *trace_warning(const struct trace *t, unsigned i)
{
	return i < t->warning_count ? t->warnings[i] : NULL;
}
