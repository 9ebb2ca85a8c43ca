/* The directory and the header of a .sluice file: written when everything else is. */
#include <errno.h>
#include <stdlib.h>
#include <xxhash.h>

#include "trace/writer.h"

static void store_kernel(uint8_t *p, const struct written_kernel *w)
{
	const struct trace_kernel *k = &w->k;
	const uint32_t words[] = {
	    w->name,          k->id,
	    k->stream,        k->grid.x,
	    k->grid.y,        k->grid.z,
	    k->block.x,       k->block.y,
	    k->block.z,       k->warp_size,
	    k->warps_per_cta, k->registers_per_thread,
	    k->shared_bytes,  k->binary_version,
	};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		store_u32(p + 4 * i, words[i]);
	store_u64(p + 56, k->shared_window);
	store_u64(p + 64, k->local_window);
	store_u64(p + 72, k->cta_count);
	store_u64(p + 80, k->warp_insns);
	store_u32(p + 88, w->table);
	store_u32(p + 92, k->insn_count);
	store_u32(p + 96, k->max_packed_bytes);
	store_u32(p + 100, k->has_segments ? FORMAT_KERNEL_SEGMENTED : 0);
	store_u64(p + 104, w->index_offset);
	store_u64(p + 112, w->index_hash);
	store_u64(p + 120, w->dictionary_cta);
	store_u32(p + 128, w->dictionary_bytes);
	store_u32(p + 132, 0);
}

static void store_insn(uint8_t *p, const struct trace_insn *i)
{
	store_u64(p, i->pc);
	store_u32(p + 8, i->source_line);
	store_u32(p + 12, i->opcode);
	store_u16(p + 16, i->flags);
	p[18] = i->op;
	p[19] = i->space;
	p[20] = i->width_bytes;
	p[21] = i->dst;
	p[22] = i->dst_span;
	p[23] = i->src_count;
	memcpy(p + 24, i->src, TRACE_MAX_SRC);
	memcpy(p + 29, i->src_span, TRACE_MAX_SRC);
	store_u16(p + 34, 0);
}

static uint64_t count_insns(const struct trace_writer *w)
{
	uint64_t insns = 0;
	for (uint32_t i = 0; i < w->table_count; i++)
		insns += w->tables[i].count;
	return insns;
}

static uint8_t *store_tables(const struct trace_writer *w, uint8_t *p)
{
	for (uint32_t i = 0; i < w->table_count; i++, p += FORMAT_TABLE_BYTES)
		store_u32(p, w->tables[i].count);
	for (uint32_t i = 0; i < w->table_count; i++)
		for (uint32_t j = 0; j < w->tables[i].count; j++, p += FORMAT_INSN_BYTES)
			store_insn(p, &w->tables[i].insns[j]);
	return p;
}

static void store_directory(const struct trace_writer *w, uint8_t *p, uint32_t insns)
{
	const uint32_t counts[] = {
	    w->kernel_count, w->table_count, w->copy_count, w->warning_count, insns, w->pool.count, 0, 0};
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		store_u32(p + 4 * i, counts[i]);
	p += FORMAT_DIRECTORY_BYTES;
	for (uint32_t i = 0; i < w->kernel_count; i++, p += FORMAT_KERNEL_BYTES)
		store_kernel(p, &w->kernels[i]);
	p = store_tables(w, p);
	for (uint32_t i = 0; i < w->copy_count; i++, p += FORMAT_COPY_BYTES) {
		store_u32(p, w->copies[i].before_kernel);
		store_u32(p + 4, 0);
		store_u64(p + 8, w->copies[i].address);
		store_u64(p + 16, w->copies[i].bytes);
	}
	for (uint32_t i = 0; i < w->warning_count; i++, p += FORMAT_WARNING_BYTES)
		store_u32(p, w->warnings[i]);
	memcpy(p, w->pool.bytes, w->pool.count);
}

static bool put_header(struct trace_writer *w, uint64_t offset, uint64_t bytes, uint64_t hash,
                       struct error *err)
{
	uint8_t header[FORMAT_HEADER_BYTES] = {0};
	memcpy(header, FORMAT_MAGIC, 8);
	store_u32(header + 8, FORMAT_VERSION);
	store_u64(header + 16, offset + bytes);
	store_u64(header + 24, offset);
	store_u64(header + 32, bytes);
	store_u64(header + 40, hash);
	store_u64(header + 56, XXH3_64bits_withSeed(header, 56, 0));
	return writer_put_header(w, header, sizeof header, err);
}

bool writer_put_directory(struct trace_writer *w, struct error *err)
{
	uint64_t insns = count_insns(w), offset = w->offset;
	uint64_t bytes = FORMAT_DIRECTORY_BYTES + (uint64_t)w->kernel_count * FORMAT_KERNEL_BYTES +
	                 (uint64_t)w->table_count * FORMAT_TABLE_BYTES + insns * FORMAT_INSN_BYTES +
	                 (uint64_t)w->copy_count * FORMAT_COPY_BYTES +
	                 (uint64_t)w->warning_count * FORMAT_WARNING_BYTES + w->pool.count;
	uint8_t *directory = insns <= UINT32_MAX ? malloc(bytes) : NULL;
	if (!directory)
		return writer_out_of_memory(w, err);
	store_directory(w, directory, (uint32_t)insns);
	uint64_t hash = XXH3_64bits_withSeed(directory, bytes, 0);
	bool ok = writer_put(w, directory, bytes, err) && put_header(w, offset, bytes, hash, err);
	free(directory);
	return ok;
}
