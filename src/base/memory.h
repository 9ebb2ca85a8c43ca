/* Allocation that cannot fail: running out of host memory ends the process with a message. */
#ifndef SLUICE_BASE_MEMORY_H
#define SLUICE_BASE_MEMORY_H

#include <stddef.h>

/* Zeroed; aligned to a host cache line. Free with free(). */
void *memory_zeroed(size_t count, size_t size);
void *memory_grow(void *old, size_t count, size_t size);
char *memory_text(const char *text);

#endif
