#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/trap.h"

_Noreturn void memory_exhausted(size_t count, size_t size)
{
	char text[192], limit[80] = "";
	struct rlimit most;
	if (!getrlimit(RLIMIT_DATA, &most) && most.rlim_cur != RLIM_INFINITY)
		snprintf(limit, sizeof limit, "; the limit is %llu bytes (--memory-limit or ulimit -d)",
		         (unsigned long long)most.rlim_cur);
	snprintf(text, sizeof text, "out of memory (%zu x %zu bytes)%s", count, size, limit);
	trap_spring(TRAP_MEMORY, text);
	fprintf(stderr, "sluice: %s\n", text);
	fflush(stdout); /* keep what a program printed */
	cleanup_now();
	_exit(MEMORY_EXIT_STATUS);
}

void *memory_zeroed(size_t count, size_t size)
{
	enum { LINE = 64, LAZY = 32 * 1024 };
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX - LINE)
		memory_exhausted(count, size);
	/* Big arrays come from calloc, so that pages that are never touched cost nothing. */
	if (bytes >= LAZY) {
		void *big = calloc(1, bytes);
		if (!big)
			memory_exhausted(count, size);
		return big;
	}
	bytes = (bytes + LINE - 1) / LINE * LINE;
	void *block = aligned_alloc(LINE, bytes ? bytes : LINE);
	if (!block)
		memory_exhausted(count, size);
	return memset(block, 0, bytes);
}

void *memory_grow(void *old, size_t count, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes))
		memory_exhausted(count, size);
	void *block = realloc(old, bytes ? bytes : 1);
	if (!block)
		memory_exhausted(count, size);
	return block;
}

char *memory_text(const char *text)
{
	size_t n = strlen(text) + 1;
	return memcpy(memory_grow(NULL, n, 1), text, n);
}

FILE *memory_stream_open(char **text, size_t *bytes)
{
	FILE *stream = open_memstream(text, bytes);
	if (!stream)
		memory_exhausted(1, BUFSIZ);
	return stream;
}

/* Such a stream fails only for lack of memory. */
void memory_stream_close(FILE *stream)
{
	bool is_cut = ferror(stream);
	if (fclose(stream) || is_cut)
		memory_exhausted(1, BUFSIZ);
}
