/* Hash indexes, the string pool and the static instruction tables of the writer. */
#include "trace/table.h"

#include <stdlib.h>
#include <xxhash.h>

#include "base/memory.h"
#include "trace/format.h"

static uint32_t probe_from(const struct hash_index *x, uint64_t hash, uint32_t *probe)
{
	for (; x->slots[*probe].value; *probe = (*probe + 1) & (x->capacity - 1))
		if (x->slots[*probe].hash == hash)
			return x->slots[*probe].value - 1;
	return HASH_INDEX_NONE;
}

uint32_t hash_index_first(const struct hash_index *x, uint64_t hash, uint32_t *probe)
{
	if (!x->capacity)
		return HASH_INDEX_NONE;
	*probe = (uint32_t)hash & (x->capacity - 1);
	return probe_from(x, hash, probe);
}

uint32_t hash_index_next(const struct hash_index *x, uint64_t hash, uint32_t *probe)
{
	*probe = (*probe + 1) & (x->capacity - 1);
	return probe_from(x, hash, probe);
}

static void insert(struct hash_index *x, struct hash_slot slot)
{
	uint32_t at = (uint32_t)slot.hash & (x->capacity - 1);
	while (x->slots[at].value)
		at = (at + 1) & (x->capacity - 1);
	x->slots[at] = slot;
}

static void grow(struct hash_index *x)
{
	struct hash_index old = *x;
	x->capacity = old.capacity ? 2 * old.capacity : 64;
	x->slots = memory_zeroed(x->capacity, sizeof *x->slots);
	for (uint32_t i = 0; i < old.capacity; i++)
		if (old.slots[i].value)
			insert(x, old.slots[i]);
	free(old.slots);
}

void hash_index_add(struct hash_index *x, uint64_t hash, uint32_t value)
{
	if (2 * x->count >= x->capacity)
		grow(x);
	insert(x, (struct hash_slot){hash, value + 1});
	x->count++;
}

static bool pool_reserve(struct string_pool *p, size_t bytes)
{
	if (bytes > UINT32_MAX / 4 - p->count)
		return false;
	if (p->count + bytes <= p->capacity)
		return true;
	uint32_t capacity = p->capacity ? p->capacity : 4096;
	while (capacity < p->count + bytes)
		capacity *= 2;
	p->bytes = memory_grow(p->bytes, capacity, 1);
	p->capacity = capacity;
	return true;
}

uint32_t string_pool_add(struct string_pool *p, const char *text)
{
	size_t bytes = strlen(text) + 1;
	uint64_t hash = XXH3_64bits(text, bytes);
	uint32_t probe = 0, at = hash_index_first(&p->index, hash, &probe);
	for (; at != HASH_INDEX_NONE; at = hash_index_next(&p->index, hash, &probe))
		if (!strcmp(p->bytes + at, text))
			return at;
	if (!pool_reserve(p, bytes))
		return UINT32_MAX;
	hash_index_add(&p->index, hash, p->count);
	at = p->count;
	memcpy(p->bytes + at, text, bytes);
	p->count += (uint32_t)bytes;
	return at;
}

static bool same_insn(const struct trace_insn *a, const struct trace_insn *b)
{
	return a->pc == b->pc && a->source_line == b->source_line && a->opcode == b->opcode &&
	       a->flags == b->flags && a->op == b->op && a->space == b->space &&
	       a->width_bytes == b->width_bytes && a->dst == b->dst && a->dst_span == b->dst_span &&
	       a->round == b->round && a->src_count == b->src_count &&
	       !memcmp(a->src, b->src, sizeof a->src) &&
	       !memcmp(a->src_span, b->src_span, sizeof a->src_span);
}

/* Same code gives the same instruction however it was filled in: unused fields are made alike. */
static struct trace_insn normalise(const struct trace_insn *in)
{
	struct trace_insn i = *in;
	if (i.src_count > TRACE_MAX_SRC)
		i.src_count = TRACE_MAX_SRC;
	if (i.dst == TRACE_REG_NONE)
		i.dst_span = 0;
	else if (!i.dst_span)
		i.dst_span = 1;
	else if (i.dst + i.dst_span > TRACE_REG_NONE)
		i.dst_span = (uint8_t)(TRACE_REG_NONE - i.dst);
	for (unsigned s = 0; s < TRACE_MAX_SRC; s++) {
		bool used = s < i.src_count;
		i.src[s] = used ? i.src[s] : TRACE_REG_NONE;
		if (i.src[s] == TRACE_REG_NONE)
			i.src_span[s] = 0;
		else if (!i.src_span[s])
			i.src_span[s] = 1;
		else if (i.src[s] + i.src_span[s] > TRACE_REG_NONE)
			i.src_span[s] = (uint8_t)(TRACE_REG_NONE - i.src[s]);
	}
	return i;
}

uint32_t insn_table_add(struct insn_table *t, const struct trace_insn *insn)
{
	struct trace_insn i = normalise(insn);
	uint64_t key[2] = {i.pc, (uint64_t)i.opcode << 32 | i.source_line};
	uint64_t hash = XXH3_64bits(key, sizeof key);
	uint32_t probe = 0, at = hash_index_first(&t->index, hash, &probe);
	for (; at != HASH_INDEX_NONE; at = hash_index_next(&t->index, hash, &probe))
		if (same_insn(&t->insns[at], &i))
			return at;
	if (t->count == FORMAT_MAX_INSNS)
		return UINT32_MAX;
	if (t->count == t->capacity) {
		t->capacity = t->capacity ? 2 * t->capacity : 256;
		t->insns = memory_grow(t->insns, t->capacity, sizeof *t->insns);
	}
	hash_index_add(&t->index, hash, t->count);
	i.slot = format_slot(t->accesses);
	t->accesses += (i.flags & INSN_MEMORY) != 0;
	t->insns[t->count] = i;
	return t->count++;
}
