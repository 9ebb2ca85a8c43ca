/* What a writer collects, without duplicates: names and static instructions. Private to src/trace/. */
#ifndef SLUICE_TRACE_TABLE_H
#define SLUICE_TRACE_TABLE_H

#include "trace/trace.h"

/* Hash to index, with open addressing; the caller compares what the indexes stand for. */
struct hash_index {
	struct hash_slot {
		uint64_t hash;
		uint32_t value; /* index + 1; 0: free */
	} * slots;
	uint32_t count, capacity;
};

/* Start a search; hash_index_next() goes on from `*probe`. Both return HASH_INDEX_NONE at its end. */
uint32_t hash_index_first(const struct hash_index *index, uint64_t hash, uint32_t *probe);
uint32_t hash_index_next(const struct hash_index *index, uint64_t hash, uint32_t *probe);
void hash_index_add(struct hash_index *index, uint64_t hash, uint32_t value);
#define HASH_INDEX_NONE UINT32_MAX

/* NUL-terminated strings, each once. */
struct string_pool {
	char *bytes;
	uint32_t count, capacity;
	struct hash_index index;
};
/* Return the offset of the text in the pool, or UINT32_MAX if the pool is full (1 GiB). */
uint32_t string_pool_add(struct string_pool *pool, const char *text);

/* The static instructions of one kernel function, shared by its launches. */
struct insn_table {
	uint32_t name, binary_version; /* of the function; name in the pool */
	struct trace_insn *insns;
	uint32_t count, capacity;
	uint32_t accesses; /* of the instructions, those with INSN_MEMORY */
	struct hash_index index;
};
/* Return the index of the instruction, or UINT32_MAX if the table is full (FORMAT_MAX_INSNS). */
uint32_t insn_table_add(struct insn_table *table, const struct trace_insn *insn);

#endif
