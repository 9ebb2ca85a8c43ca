/* An executed warp instruction as a trace has it, and the position in a warp's stream of them. */
#ifndef SLUICE_TRACE_STEP_H
#define SLUICE_TRACE_STEP_H

#include <stddef.h>
#include <stdint.h>

enum { TRACE_MAX_LANES = 64 };

enum addr_kind {
	ADDR_NONE,   /* not a memory access, or no active lane */
	ADDR_STRIDE, /* the i-th active lane, ascending, accesses base + i * stride */
	ADDR_LIST,   /* arbitrary; expand with step_addresses() */
};

/* One executed warp instruction; base, stride and list mean something only for the kinds that use them. */
struct warp_step {
	uint64_t mask; /* lanes that executed it; 0 = issued but predicated off */
	uint64_t base;
	int64_t stride;
	const uint8_t *list; /* encoded, valid until the cursor's next cursor_next() */
	uint32_t insn;       /* index into trace_kernel.insns */
	uint8_t kind;        /* enum addr_kind */
};

/* Byte addresses of the active lanes, ascending; returns how many (popcount of the mask). */
unsigned step_addresses(const struct warp_step *step, uint64_t address[TRACE_MAX_LANES]);
/* Bytes of an ADDR_LIST, which tell the addresses relative to `base`; up to 8 more may be read behind them. */
size_t step_list_bytes(const struct warp_step *step);

enum { CURSOR_SLOTS = 64 };

/* Where a warp's stream begins. */
struct warp_source {
	uint64_t left;           /* warp instructions of it; 0: it has none */
	const uint8_t *at, *end; /* decoded bytes of a CTA held whole */
	uint64_t segment_offset;
	uint32_t segments_left;
	uint8_t *buffer;
};

/*
 * Position in one warp's stream. Plain data inside the owner's memory; no
 * allocation. Fields are private to src/trace/, but for `left`, which may be
 * read.
 */
struct warp_cursor {
	uint64_t left;           /* warp instructions behind the current run, over all segments */
	uint64_t mask;           /* of the current run */
	uint32_t insn, run_end;  /* indexes of the next instruction of the run, and behind its last */
	const uint8_t *at, *end; /* decoded bytes of the current segment */
	uint64_t other_mask;     /* the mask before the last change */
	uint64_t last_base;
	uint64_t segment_offset; /* file offset of the next segment */
	uint32_t segments_left;  /* still to be fetched; 0 for a CTA held whole */
	uint8_t *buffer;         /* TRACE_SEGMENT_BYTES of the CTA's buffer, for segments */
	struct {
		uint64_t base;
		int64_t stride;
	} slot[CURSOR_SLOTS]; /* of the last access of an instruction with this slot */
};

#endif
