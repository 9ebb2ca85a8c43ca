#include "accelsim/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "accelsim/tracez.h"
#include "base/memory.h"
#include "base/read_files.h"

enum {
	WINDOW_BYTES = 512 * 1024,
	PACKED_BYTES = 64 * 1024,
};

/* xz -9 needs 65 MiB; a forged header may ask for 4 GiB. */
#define XZ_MEMORY_LIMIT (UINT64_C(256) << 20)

bool text_error(const struct text_source *s, const char *place, struct error *err, const char *fmt, ...)
{
	char what[768];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(what, sizeof what, fmt, ap);
	va_end(ap);
	uint64_t column = place ? (uint64_t)(place - s->line) + 1 : 0;
	return error_at(err, s->path, s->line_number, column, "%s", what);
}

static bool open_regular(struct text_source *s, struct error *err)
{
	/* Without O_NONBLOCK, open() waits at a named pipe until a writer comes. */
	s->fd = open(s->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (s->fd < 0)
		return error_set(err, "%s: cannot open: %s", s->path, strerror(errno));
	struct stat st;
	if (fstat(s->fd, &st))
		return error_set(err, "%s: cannot stat: %s", s->path, strerror(errno));
	if (S_ISDIR(st.st_mode))
		return error_set(err, "%s: is a directory, expected a file", s->path);
	if (!S_ISREG(st.st_mode))
		return error_set(err, "%s: not a regular file", s->path);
	read_files_note(s->fd, s->path);
	return true;
}

bool text_open(struct text_source *s, const char *path, enum text_packing packing, struct error *err)
{
	*s = (struct text_source){.path = path, .fd = -1, .packing = packing, .xz = LZMA_STREAM_INIT};
	if (!open_regular(s, err)) {
		text_close(s);
		return false;
	}
	s->window = memory_grow(NULL, WINDOW_BYTES + 1, 1);
	s->packed = packing == TEXT_XZ ? memory_grow(NULL, PACKED_BYTES, 1) : NULL;
	if (s->packed && lzma_stream_decoder(&s->xz, XZ_MEMORY_LIMIT, LZMA_CONCATENATED) != LZMA_OK) {
		error_set(err, "%s: out of memory", path);
		text_close(s);
		return false;
	}
	s->tracez = packing == TEXT_TRACEZ ? tracez_open(s->fd, path, err) : NULL;
	if (packing == TEXT_TRACEZ && !s->tracez) {
		text_close(s);
		return false;
	}
	s->at = s->end = s->line = s->line_end = s->window;
	return true;
}

void text_close(struct text_source *s)
{
	lzma_end(&s->xz);
	if (s->fd >= 0)
		close(s->fd);
	tracez_close(s->tracez);
	s->tracez = NULL;
	free(s->window);
	free(s->packed);
	s->window = NULL;
	s->packed = NULL;
	s->fd = -1;
}

/* Read up to `bytes`; return how many, 0 at the end of the file, -1 with an error. */
static ssize_t read_file(struct text_source *s, void *to, size_t bytes, struct error *err)
{
	for (;;) {
		ssize_t n = read(s->fd, to, bytes);
		if (n >= 0)
			return n;
		if (errno != EINTR) {
			error_set(err, "%s: cannot read: %s", s->path, strerror(errno));
			return -1;
		}
	}
}

static const char *describe_xz(lzma_ret r)
{
	switch (r) {
	case LZMA_MEM_ERROR:
		return "out of memory";
	case LZMA_MEMLIMIT_ERROR:
		return "decompression needs more than 256 MiB";
	case LZMA_FORMAT_ERROR:
		return "not an xz file";
	case LZMA_OPTIONS_ERROR:
		return "unsupported xz options";
	case LZMA_BUF_ERROR:
		return "the xz data is cut off";
	default:
		return "the xz data is damaged";
	}
}

/* Decompress into the window until it is full or the data ends. */
static bool fill_from_xz(struct text_source *s, size_t room, struct error *err)
{
	s->xz.next_out = (uint8_t *)s->end;
	s->xz.avail_out = room;
	while (s->xz.avail_out && !s->at_end) {
		if (!s->xz.avail_in && !s->packed_at_end) {
			ssize_t n = read_file(s, s->packed, PACKED_BYTES, err);
			if (n < 0)
				return false;
			s->packed_at_end = n == 0;
			s->xz.next_in = s->packed;
			s->xz.avail_in = (size_t)n;
		}
		lzma_ret r = lzma_code(&s->xz, s->packed_at_end ? LZMA_FINISH : LZMA_RUN);
		if (r == LZMA_STREAM_END)
			s->at_end = true;
		else if (r != LZMA_OK)
			return error_at(err, s->path, s->line_number + 1, 0, "%s", describe_xz(r));
	}
	s->end = (char *)s->xz.next_out;
	return true;
}

static bool fill_from_file(struct text_source *s, size_t room, struct error *err)
{
	ssize_t n = read_file(s, s->end, room, err);
	if (n < 0)
		return false;
	s->at_end = n == 0;
	s->end += n;
	return true;
}

static bool fill_from_tracez(struct text_source *s, size_t room, struct error *err)
{
	size_t bytes;
	if (!tracez_read(s->tracez, s->end, room, &bytes, err))
		return false;
	s->at_end = bytes == 0;
	s->end += bytes;
	return true;
}

/* Move what is left to the front of the window and fill the rest. */
static bool refill(struct text_source *s, struct error *err)
{
	size_t left = (size_t)(s->end - s->at);
	memmove(s->window, s->at, left);
	s->at = s->window;
	s->end = s->window + left;
	size_t room = WINDOW_BYTES - left;
	bool ok = s->packing == TEXT_XZ       ? fill_from_xz(s, room, err)
	          : s->packing == TEXT_TRACEZ ? fill_from_tracez(s, room, err)
	                                      : fill_from_file(s, room, err);
	s->bytes_read += (uint64_t)(s->end - s->window) - left;
	return ok;
}

enum text_result text_next(struct text_source *s, struct error *err)
{
	char *newline;
	while (!(newline = memchr(s->at, '\n', (size_t)(s->end - s->at)))) {
		if (s->at_end) {
			if (s->at == s->end)
				return TEXT_END;
			newline = s->end;
			break;
		}
		if (s->end - s->at > TEXT_MAX_LINE)
			break;
		if (!refill(s, err))
			return TEXT_ERROR;
	}
	s->line = s->at;
	s->line_number++;
	if (!newline || newline - s->line > TEXT_MAX_LINE) {
		text_error(s, NULL, err, "line longer than %d bytes", TEXT_MAX_LINE);
		return TEXT_ERROR;
	}
	s->at = newline == s->end ? newline : newline + 1;
	s->line_end = newline;
	while (s->line_end > s->line && s->line_end[-1] == '\r')
		s->line_end--;
	*s->line_end = '\0';
	return TEXT_LINE;
}

static const int8_t hex_digit[256] = {
    ['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,  ['6'] = 7,  ['7'] = 8,
    ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
    ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

bool text_take_hex(char **p, uint64_t *value)
{
	text_skip_blanks(p);
	const char *start = *p;
	uint64_t v = 0;
	int digit;
	for (; (digit = hex_digit[(uint8_t) * *p]); ++*p)
		v = v << 4 | (uint64_t)(digit - 1);
	*value = v;
	return *p > start && *p - start <= 16;
}

bool text_take_unsigned(char **p, uint64_t *value)
{
	text_skip_blanks(p);
	const char *start = *p;
	uint64_t v = 0;
	for (; (unsigned)(**p - '0') < 10; ++*p)
		v = 10 * v + (uint64_t)(**p - '0');
	*value = v;
	return *p > start && *p - start <= 18;
}

bool text_take_signed(char **p, int64_t *value)
{
	text_skip_blanks(p);
	bool negative = **p == '-';
	*p += negative;
	uint64_t v;
	if ((unsigned)(**p - '0') >= 10 || !text_take_unsigned(p, &v))
		return false;
	*value = negative ? -(int64_t)v : (int64_t)v;
	return true;
}

bool text_take_char(char **p, char c)
{
	text_skip_blanks(p);
	if (**p != c)
		return false;
	++*p;
	return true;
}
