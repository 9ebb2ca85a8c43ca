/*
 * The directory at the end of a .sluice file: launches, static instruction
 * tables, copies, warnings, strings. It was read and its checksum checked
 * before; here every field is checked, since a forged file has right checksums.
 */
#include <stdlib.h>

#include "base/safe_text.h"
#include "trace/reader.h"

struct sections {
	const uint8_t *kernels, *tables, *insns, *copies, *warnings;
	uint32_t insn_count, pool_bytes;
};

static bool bad(const struct trace *t, const char *what, struct error *err)
{
	return error_set(err, "%s: damaged trace: %s", t->path, what);
}

static bool find_sections(struct trace *t, uint64_t bytes, struct sections *s, struct error *err)
{
	if (bytes < FORMAT_DIRECTORY_BYTES)
		return bad(t, "directory too short", err);
	const uint8_t *p = t->directory;
	t->kernel_count = load_u32(p);
	t->table_count = load_u32(p + 4);
	t->copy_count = load_u32(p + 8);
	t->warning_count = load_u32(p + 12);
	s->insn_count = load_u32(p + 16);
	s->pool_bytes = load_u32(p + 20);
	s->kernels = p + FORMAT_DIRECTORY_BYTES;
	uint64_t kernels = (uint64_t)t->kernel_count * FORMAT_KERNEL_BYTES;
	uint64_t tables = (uint64_t)t->table_count * FORMAT_TABLE_BYTES;
	uint64_t insns = (uint64_t)s->insn_count * FORMAT_INSN_BYTES;
	uint64_t copies = (uint64_t)t->copy_count * FORMAT_COPY_BYTES;
	uint64_t warnings = (uint64_t)t->warning_count * FORMAT_WARNING_BYTES;
	if (FORMAT_DIRECTORY_BYTES + kernels + tables + insns + copies + warnings + s->pool_bytes != bytes)
		return bad(t, "directory size does not fit its counts", err);
	s->tables = s->kernels + kernels;
	s->insns = s->tables + tables;
	s->copies = s->insns + insns;
	s->warnings = s->copies + copies;
	char *pool = (char *)t->directory + (bytes - s->pool_bytes);
	t->pool = pool;
	if (!s->pool_bytes || t->pool[s->pool_bytes - 1])
		return bad(t, "strings are not terminated", err);
	/* Names, mnemonics and warnings are for people to see. */
	safe_text(pool, s->pool_bytes, "");
	return true;
}

/* Arrays of at least one element, so that NULL always means "out of memory". */
static void *alloc_array(size_t count, size_t bytes)
{
	return calloc(count ? count : 1, bytes);
}

static bool allocate(struct trace *t, const struct sections *s, struct error *err)
{
	t->kernels = alloc_array(t->kernel_count, sizeof *t->kernels);
	t->places = alloc_array(t->kernel_count, sizeof *t->places);
	t->insns = alloc_array(s->insn_count, sizeof *t->insns);
	t->copies = alloc_array(t->copy_count, sizeof *t->copies);
	t->warnings = alloc_array(t->warning_count, sizeof *t->warnings);
	if (!t->kernels || !t->places || !t->insns || !t->copies || !t->warnings)
		return error_set(err, "%s: out of memory", t->path);
	return true;
}

static bool parse_insn(const struct trace *t, const struct sections *s, const uint8_t *p,
                       struct trace_insn *insn, struct error *err)
{
	insn->pc = load_u64(p);
	insn->source_line = load_u32(p + 8);
	insn->opcode = load_u32(p + 12);
	insn->flags = load_u16(p + 16);
	insn->op = p[18];
	insn->space = p[19];
	insn->width_bytes = p[20];
	insn->dst = p[21];
	insn->dst_span = p[22];
	insn->src_count = p[23];
	memcpy(insn->src, p + 24, TRACE_MAX_SRC);
	memcpy(insn->src_span, p + 29, TRACE_MAX_SRC);
	if (insn->opcode >= s->pool_bytes)
		return bad(t, "mnemonic out of range", err);
	const char *what = format_check_insn(insn);
	return what ? bad(t, what, err) : true;
}

static bool parse_kernel_fields(const struct trace *t, const struct sections *s, const uint8_t *p,
                                struct trace_kernel *k, struct error *err)
{
	uint32_t name = load_u32(p);
	if (name >= s->pool_bytes)
		return bad(t, "kernel name out of range", err);
	k->name = t->pool + name;
	k->strings = t->pool;
	k->id = load_u32(p + 4);
	k->stream = load_u32(p + 8);
	k->grid = (struct trace_dim){load_u32(p + 12), load_u32(p + 16), load_u32(p + 20)};
	k->block = (struct trace_dim){load_u32(p + 24), load_u32(p + 28), load_u32(p + 32)};
	k->warp_size = load_u32(p + 36);
	k->warps_per_cta = load_u32(p + 40);
	k->registers_per_thread = load_u32(p + 44);
	k->shared_bytes = load_u32(p + 48);
	k->binary_version = load_u32(p + 52);
	k->shared_window = load_u64(p + 56);
	k->local_window = load_u64(p + 64);
	k->cta_count = load_u64(p + 72);
	k->warp_insns = load_u64(p + 80);
	k->insn_count = load_u32(p + 92);
	k->max_packed_bytes = load_u32(p + 96);
	k->has_segments = load_u32(p + 100) & FORMAT_KERNEL_SEGMENTED;
	const char *what = format_check_kernel(k);
	if (what)
		return bad(t, what, err);
	if (k->max_packed_bytes > k->warps_per_cta * TRACE_SEGMENT_BYTES)
		return bad(t, "a CTA held whole is too large", err);
	return true;
}

static bool parse_kernel_place(const struct trace *t, const uint8_t *p, const struct trace_kernel *k,
                               struct kernel_place *place, struct error *err)
{
	place->index_offset = load_u64(p + 104);
	place->index_hash = load_u64(p + 112);
	place->dictionary_cta = load_u64(p + 120);
	place->dictionary_bytes = load_u32(p + 128);
	if (place->dictionary_bytes > FORMAT_DICTIONARY_BYTES ||
	    place->dictionary_bytes > k->max_packed_bytes)
		return bad(t, "dictionary too large", err);
	bool has_dictionary = place->dictionary_cta != FORMAT_NO_DICTIONARY;
	if (has_dictionary ? place->dictionary_cta >= k->cta_count : place->dictionary_bytes != 0)
		return bad(t, "dictionary out of range", err);
	return true;
}

/* Tables lie one after the other: fills each table's first instruction, one more than there are tables. */
static bool parse_tables(const struct trace *t, const struct sections *s, uint32_t *first, struct error *err)
{
	uint64_t at = 0;
	for (uint32_t i = 0; i < t->table_count; i++) {
		first[i] = (uint32_t)at;
		at += load_u32(s->tables + (size_t)i * FORMAT_TABLE_BYTES);
		if (at > s->insn_count)
			break;
	}
	if (at != s->insn_count)
		return bad(t, "instruction tables do not add up", err);
	first[t->table_count] = s->insn_count;
	return true;
}

/* Slots are not in the file: they follow from the order of a table's instructions. */
static void number_slots(struct trace *t, const uint32_t *first)
{
	for (uint32_t table = 0; table < t->table_count; table++) {
		uint32_t accesses = 0;
		for (uint32_t i = first[table]; i < first[table + 1]; i++) {
			struct trace_insn *insn = &t->insns[i];
			insn->slot = t->version < FORMAT_NUMBERS_ACCESSES
			                 ? (uint8_t)((i - first[table]) % FORMAT_OLD_SLOTS)
			                 : format_slot(accesses);
			accesses += (insn->flags & INSN_MEMORY) != 0;
		}
	}
}

/* Those of the first `count` instructions. */
static uint32_t slots_of(const struct trace_insn *insns, uint32_t count)
{
	uint32_t slots = 0;
	for (uint32_t i = 0; i < count && slots < CURSOR_SLOTS; i++)
		if (insns[i].flags & INSN_MEMORY && insns[i].slot >= slots)
			slots = insns[i].slot + 1u;
	return slots;
}

static bool parse_kernels(struct trace *t, const struct sections *s, const uint32_t *first, struct error *err)
{
	for (uint32_t i = 0; i < t->kernel_count; i++) {
		const uint8_t *p = s->kernels + (size_t)i * FORMAT_KERNEL_BYTES;
		struct trace_kernel *k = &t->kernels[i];
		if (!parse_kernel_fields(t, s, p, k, err) || !parse_kernel_place(t, p, k, &t->places[i], err))
			return false;
		uint32_t table = load_u32(p + 88);
		if (table >= t->table_count || k->insn_count > first[table + 1] - first[table])
			return bad(t, "instruction table out of range", err);
		k->insns = t->insns + first[table];
		k->slots = slots_of(k->insns, k->insn_count);
	}
	return true;
}

static bool parse_copies_and_warnings(struct trace *t, const struct sections *s, struct error *err)
{
	for (uint32_t i = 0; i < t->copy_count; i++) {
		const uint8_t *p = s->copies + (size_t)i * FORMAT_COPY_BYTES;
		t->copies[i] = (struct trace_copy){load_u32(p), load_u64(p + 8), load_u64(p + 16)};
		if (t->copies[i].before_kernel > t->kernel_count ||
		    (i && t->copies[i].before_kernel < t->copies[i - 1].before_kernel))
			return bad(t, "copies out of order", err);
	}
	for (uint32_t i = 0; i < t->warning_count; i++) {
		uint32_t at = load_u32(s->warnings + (size_t)i * FORMAT_WARNING_BYTES);
		if (at >= s->pool_bytes)
			return bad(t, "warning out of range", err);
		t->warnings[i] = t->pool + at;
	}
	return true;
}

bool directory_parse(struct trace *t, uint64_t bytes, struct error *err)
{
	struct sections s = {0};
	if (!find_sections(t, bytes, &s, err) || !allocate(t, &s, err))
		return false;
	for (uint32_t i = 0; i < s.insn_count; i++)
		if (!parse_insn(t, &s, s.insns + (size_t)i * FORMAT_INSN_BYTES, &t->insns[i], err))
			return false;
	uint32_t *first = alloc_array((size_t)t->table_count + 1, sizeof *first);
	if (!first)
		return error_set(err, "%s: out of memory", t->path);
	bool ok = parse_tables(t, &s, first, err);
	if (ok)
		number_slots(t, first);
	ok = ok && parse_kernels(t, &s, first, err) && parse_copies_and_warnings(t, &s, err);
	free(first);
	return ok;
}
