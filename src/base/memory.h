/*
 * Allocation that cannot fail: running out of host memory ends the process at
 * once, with a message and MEMORY_EXIT_STATUS, and leaves nothing half-written
 * behind. No exit handlers run: we may be inside of anything. Inside trap_run() it
 * ends the work alone (trap.h).
 */
#ifndef SLUICE_BASE_MEMORY_H
#define SLUICE_BASE_MEMORY_H

#include <stddef.h>
#include <stdio.h>

enum { MEMORY_EXIT_STATUS = 1 };

/* The host has no memory for so many of this size. */
_Noreturn void memory_exhausted(size_t count, size_t size);
/* Zeroed; aligned to a host cache line. Free with free(). */
void *memory_zeroed(size_t count, size_t size);
void *memory_grow(void *old, size_t count, size_t size);
char *memory_text(const char *text);

/* A stream into memory, for texts put together piece by piece; *text is the caller's to free() once it is closed. */
FILE *memory_stream_open(char **text, size_t *bytes);
/* The text is whole afterwards. */
void memory_stream_close(FILE *stream);

#endif
