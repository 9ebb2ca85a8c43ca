/*
 * Allocation that cannot fail: running out of host memory ends the process at
 * once, with a message and MEMORY_EXIT_STATUS, after cleanup_now(). Exit handlers
 * do not run, since locks may be held. Inside trap_run() it ends the work
 * instead (trap.h).
 */
#ifndef SLUICE_BASE_MEMORY_H
#define SLUICE_BASE_MEMORY_H

#include <stddef.h>
#include <stdio.h>

enum { MEMORY_EXIT_STATUS = 1 };

/* Report that the host has no memory for `count` objects of this size. */
_Noreturn void memory_exhausted(size_t count, size_t size);
/* Return zeroed memory, aligned to a host cache line if it is below 32 KiB. Free it with free(). */
void *memory_zeroed(size_t count, size_t size);
/* realloc(); `old` may be NULL. */
void *memory_grow(void *old, size_t count, size_t size);
/* Copy a text; the caller frees it. */
char *memory_text(const char *text);

/* Open a stream into memory; the caller frees *text after memory_stream_close(), when it is complete. */
FILE *memory_stream_open(char **text, size_t *bytes);
void memory_stream_close(FILE *stream);

#endif
