/* What a writer collects, each once: names and static instructions. Private to src/trace/. */
#ifndef SLUICE_TRACE_TABLE_H
#define SLUICE_TRACE_TABLE_H

#include "trace/trace.h"

/* Hash -> index, with open addressing; equality is the caller's business. */
struct hash_index {
	struct hash_slot {
		uint64_t hash;
		uint32_t value; /* index + 1; 0: free */
	} * slots;
	uint32_t count, capacity;
};

/* Starts a search: `*probe` is where to go on with hash_index_next(). */
uint32_t hash_index_first(const struct hash_index *index, uint64_t hash, uint32_t *probe);
uint32_t hash_index_next(const struct hash_index *index, uint64_t hash, uint32_t *probe);
bool hash_index_add(struct hash_index *index, uint64_t hash, uint32_t value);
#define HASH_INDEX_NONE UINT32_MAX

/* NUL-terminated strings, each once. */
struct string_pool {
	char *bytes;
	uint32_t count, capacity;
	struct hash_index index;
};
/* Offset of the text in the pool, or UINT32_MAX when out of memory. */
uint32_t string_pool_add(struct string_pool *pool, const char *text);

/* The static instructions of one kernel function, shared by its launches. */
struct insn_table {
	uint32_t name, binary_version; /* whose table it is; name in the pool */
	struct trace_insn *insns;
	uint32_t count, capacity;
	uint32_t accesses; /* of the instructions, those with INSN_MEMORY */
	struct hash_index index;
};
uint32_t insn_table_add(struct insn_table *table, const struct trace_insn *insn);

#endif
