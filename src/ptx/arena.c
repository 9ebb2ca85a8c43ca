#include "ptx/arena.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { ARENA_CHUNK = 64 * 1024, ARENA_ALIGN = 16 };

struct arena_chunk {
	struct arena_chunk *next;
	size_t used, size;
	_Alignas(ARENA_ALIGN) unsigned char bytes[];
};

struct arena {
	struct arena_chunk *chunks; /* only the first has room */
};

struct arena *arena_new(void)
{
	return memory_zeroed(1, sizeof(struct arena));
}

void arena_free(struct arena *arena)
{
	if (!arena)
		return;
	for (struct arena_chunk *chunk = arena->chunks, *next; chunk; chunk = next) {
		next = chunk->next;
		free(chunk);
	}
	free(arena);
}

static struct arena_chunk *arena_add(struct arena *arena, size_t size)
{
	struct arena_chunk *chunk = memory_zeroed(1, sizeof *chunk + size);
	chunk->size = size;
	/* A chunk of one big block goes behind the one that still has room. */
	if (size > ARENA_CHUNK && arena->chunks) {
		chunk->next = arena->chunks->next;
		arena->chunks->next = chunk;
	} else {
		chunk->next = arena->chunks;
		arena->chunks = chunk;
	}
	return chunk;
}

void *arena_alloc(struct arena *arena, size_t bytes)
{
	bytes = (bytes + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
	struct arena_chunk *chunk = arena->chunks;
	if (!chunk || chunk->size - chunk->used < bytes)
		chunk = arena_add(arena, bytes > ARENA_CHUNK ? bytes : ARENA_CHUNK);
	void *block = chunk->bytes + chunk->used;
	chunk->used += bytes;
	return block;
}

void *arena_copy(struct arena *arena, const void *data, size_t bytes)
{
	void *block = arena_alloc(arena, bytes);
	return bytes ? memcpy(block, data, bytes) : block;
}

char *arena_text(struct arena *arena, const char *text, size_t length)
{
	char *copy = arena_alloc(arena, length + 1);
	memcpy(copy, text, length);
	return copy;
}
