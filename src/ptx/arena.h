/* Memory with the lifetime of a module: arena_free() frees all that was allocated from the arena. */
#ifndef SLUICE_PTX_ARENA_H
#define SLUICE_PTX_ARENA_H

#include <stddef.h>

struct arena;

struct arena *arena_new(void);
void arena_free(struct arena *arena);
/* Zeroed, aligned to 16. */
void *arena_alloc(struct arena *arena, size_t bytes);
void *arena_copy(struct arena *arena, const void *data, size_t bytes);
char *arena_text(struct arena *arena, const char *text, size_t length);

#endif
