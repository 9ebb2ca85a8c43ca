/*
 * The bytes of a .sluice file: sizes, field positions and little-endian
 * access. Private to src/trace/; docs/trace-format.md is the description.
 */
#ifndef SLUICE_TRACE_FORMAT_H
#define SLUICE_TRACE_FORMAT_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

#include "trace/trace.h"

#define FORMAT_MAGIC "\x93SLUICE\n"

enum {
	FORMAT_VERSION = 4,
	FORMAT_OLDEST_VERSION = 1,   /* still read: without packed lists */
	FORMAT_NUMBERS_ACCESSES = 3, /* since then; before, a slot was an instruction's index % OLD_SLOTS */
	FORMAT_HAS_POLLS = 4, /* since then; instructions were shorter, launches had no watched words */
	FORMAT_OLD_SLOTS = 32,
	FORMAT_HEADER_BYTES = 64,
	FORMAT_DIRECTORY_BYTES = 32, /* fixed part of the directory */
	FORMAT_KERNEL_BYTES = 136,
	FORMAT_TABLE_BYTES = 4,
	FORMAT_INSN_BYTES = 40,
	FORMAT_OLD_INSN_BYTES = 36, /* before FORMAT_HAS_POLLS */
	FORMAT_COPY_BYTES = 24,
	FORMAT_WARNING_BYTES = 4,
	FORMAT_WATCHED_BYTES = 8,
	FORMAT_INDEX_ENTRY_BYTES = 24,
	FORMAT_INDEX_CTAS = 4096, /* entries of an index block */
	FORMAT_INDEX_BLOCK_BYTES = FORMAT_INDEX_CTAS * FORMAT_INDEX_ENTRY_BYTES,
	FORMAT_BLOCK_REF_BYTES = 16,
	FORMAT_WARP_BYTES = 12,      /* of the warp table of a packed CTA */
	FORMAT_WARP_HEAD_BYTES = 20, /* of the head of a segmented CTA */
	FORMAT_SEGMENT_HEAD_BYTES = 16,
	FORMAT_DICTIONARY_BYTES = 16 * 1024,
	FORMAT_MAX_WARPS = TRACE_MAX_WARPS,
	FORMAT_MAX_INSNS = 1 << 22,
	/* Decoders look at a fixed number of bytes before they know how many are meant. */
	FORMAT_SLACK_BYTES = 32,
};

/* More than any launch that a program could wait for; keeps a forged grid from filling the disk with empty entries. */
#define FORMAT_MAX_CTAS (UINT64_C(1) << 31)
#define FORMAT_MAX_EMPTY_CTAS (1 << 24) /* of a launch */
#define FORMAT_NO_DICTIONARY UINT64_MAX
#define FORMAT_KERNEL_SEGMENTED 1u

/* Return the limit of the format that a launch or a static instruction breaks, or NULL. Writer and reader both check. */
const char *format_check_kernel(const struct trace_kernel *kernel);
const char *format_check_insn(const struct trace_insn *insn);
/* Return whether watched word `i` is the address of a word and above the one before it. */
static inline bool format_is_watchable(const uint64_t *addresses, uint32_t i)
{
	return !(addresses[i] & 3) && (!i || addresses[i] > addresses[i - 1]);
}

/* Bytes of an instruction in the directory of that version. */
static inline uint32_t format_insn_bytes(uint32_t version)
{
	return version < FORMAT_HAS_POLLS ? FORMAT_OLD_INSN_BYTES : FORMAT_INSN_BYTES;
}

static inline uint64_t format_index_blocks(uint64_t cta_count)
{
	return (cta_count + FORMAT_INDEX_CTAS - 1) / FORMAT_INDEX_CTAS;
}

/* Entries of index block `block`: all blocks are full but the last. */
static inline uint32_t format_block_ctas(uint64_t cta_count, uint64_t block)
{
	uint64_t left = cta_count - block * FORMAT_INDEX_CTAS;
	return left < FORMAT_INDEX_CTAS ? (uint32_t)left : FORMAT_INDEX_CTAS;
}

/* ---- warp streams ----------------------------------------------------------------------------------- */

/* Control byte of a run: bits 0-1 width of the index delta, 2-3 mask, 4-7 length. */
enum run_mask { RUN_MASK_SAME, RUN_MASK_SWAP, RUN_MASK_32, RUN_MASK_64 };
enum {
	RUN_LENGTH_U8 = 14,  /* length - 1 follows in one byte */
	RUN_LENGTH_U16 = 15, /* ... in two */
	RUN_LENGTH_MAX = 65536,
	RUN_HEADER_MAX = 1 + 4 + 8 + 2,
};

/* Tag byte of an address record: bits 0-2 width of the base delta, 3-4 shape, 5-6 log2 width of a new stride.
 */
enum record_shape { RECORD_SAME_STRIDE, RECORD_NEW_STRIDE, RECORD_LIST };
enum {
	RECORD_SHAPE_SHIFT = 3,
	RECORD_STRIDE_SHIFT = 5,
	RECORD_MAX_BYTES = 1 + 8 + 1 + 8 * (TRACE_MAX_LANES - 1),
};

/* First byte of a list: log2 of the bytes of a difference, or LIST_PACKED plus the bits of an offset; then a second
 * one says how many low bits of offsets are left out, and whether they have a sign. */
enum {
	LIST_PACKED = 64,
	LIST_MAX_BITS = 56, /* so that one 64-bit read holds an offset wherever its first bit lies */
	LIST_PACKED_HEAD_BYTES = 2,
	LIST_SHIFT = 0x7f,
	LIST_SIGNED = 0x80,
};

static inline size_t packed_list_bytes(unsigned lanes, unsigned bits)
{
	return LIST_PACKED_HEAD_BYTES + ((lanes - 1) * (size_t)bits + 7) / 8;
}

static inline uint64_t lanes_mask(uint32_t warp_size)
{
	return warp_size >= 64 ? UINT64_MAX : (UINT64_C(1) << warp_size) - 1;
}

/* The slot of a table's access number `access`, from 0 on: those of a loop, unrolled or not, have one each. */
static inline uint8_t format_slot(uint32_t access)
{
	return (uint8_t)(access % CURSOR_SLOTS);
}

/* The base an address record counts from: the slot's last one, or any recent one while the slot is unused. */
static inline uint64_t predict_base(uint64_t slot_base, uint64_t last_base)
{
	return slot_base ? slot_base : last_base;
}

/* ---- little-endian fields --------------------------------------------------------------------------- */

static inline uint16_t load_u16(const uint8_t *p)
{
	uint16_t v;
	memcpy(&v, p, sizeof v);
	return le16toh(v);
}

static inline uint32_t load_u32(const uint8_t *p)
{
	uint32_t v;
	memcpy(&v, p, sizeof v);
	return le32toh(v);
}

static inline uint64_t load_u64(const uint8_t *p)
{
	uint64_t v;
	memcpy(&v, p, sizeof v);
	return le64toh(v);
}

static inline void store_u16(uint8_t *p, uint16_t v)
{
	v = htole16(v);
	memcpy(p, &v, sizeof v);
}

static inline void store_u32(uint8_t *p, uint32_t v)
{
	v = htole32(v);
	memcpy(p, &v, sizeof v);
}

static inline void store_u64(uint8_t *p, uint64_t v)
{
	v = htole64(v);
	memcpy(p, &v, sizeof v);
}

#endif
