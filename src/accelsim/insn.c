/*
 * Instruction lines. A program executes few static instructions many times, so
 * a line costs its program counter, its mask, one memcmp() of the remembered
 * text in between, and its addresses; only new text is taken apart.
 *
 *	[ctaX ctaY ctaZ warp] [line] PC mask dests [R] opcode srcs [R...] width [mode addresses...] [imm]
 *
 * Version 6 has classes of registers, the commit of a warpgroup's product, two immediates and values:
 *
 *	[line] PC mask dests [reg] opcode srcs [reg...] [commit] width [addresses | bulk copy] imm [imm2] (NoVal | Val values)
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "accelsim/import.h"
#include "base/memory.h"
#include "trace/mbarrier.h"

enum {
	MAX_KNOWN = 1 << 22,
	MAX_STATIC_TEXT = 1024,
	MAX_SAME_PC = 4096, /* functions that share a program counter; more is not a program */
	ADDRESS_BITS = 56,
	VALUES = 6, /* the first version with classes of registers and values */
	IMMEDIATES = 5,
	MAX_OPERANDS = 8,
	BULK_MAX_BYTES = 1 << 20,
	BULK_LANE_BYTES = 16,
	SHARED_ADDRESS_BITS = 24, /* above them stands the CTA of a cluster */
};

/* ---- the static part -------------------------------------------------------------------------------- */

enum register_class { CLASS_R, CLASS_UR, CLASS_P, CLASS_UP };

struct operand {
	uint8_t class, number;
};

static bool take_register(struct kernel_file *f, char **p, struct operand *to, struct error *err)
{
	uint64_t number;
	text_skip_blanks(p);
	bool classes = f->tracer_version >= VALUES, uniform = classes && text_take_char(p, 'U');
	bool predicate = classes && text_take_char(p, 'P');
	if ((!predicate && !text_take_char(p, 'R')) || !text_take_unsigned(p, &number) ||
	    number > TRACE_REG_NONE)
		return text_error(&f->text, *p, err,
		                  classes ? "expected a register R, UR, P or UP with a number up to 255"
		                          : "expected a register R0 to R255");
	*to = (struct operand){(uint8_t)(predicate ? uniform ? CLASS_UP : CLASS_P
	                                 : uniform ? CLASS_UR
	                                           : CLASS_R),
	                       (uint8_t)number};
	return true;
}

static bool take_registers(struct kernel_file *f, char **p, uint64_t count, struct operand *to,
                           struct error *err)
{
	for (uint64_t i = 0; i < count; i++)
		if (!take_register(f, p, &to[i], err))
			return false;
	return true;
}

static bool take_count(struct kernel_file *f, char **p, unsigned limit, const char *what, uint64_t *count,
                       struct error *err)
{
	text_skip_blanks(p);
	char *start = *p;
	if (!text_take_unsigned(p, count) || *count > limit)
		return text_error(&f->text, start, err, "expected the number of %s registers, 0 to %u", what,
		                  limit);
	return true;
}

struct static_part {
	struct trace_insn insn;
	bool sets_predicate, reads_predicate, sets_uniform;
	bool commits; /* a warpgroup's product that closes its group */
	const char *mnemonic;
	size_t mnemonic_bytes;
	uint64_t mem_width;
	char *end;
};

static bool mnemonic_begins(const struct static_part *s, const char *name)
{
	size_t n = strlen(name);
	return s->mnemonic_bytes >= n && !memcmp(s->mnemonic, name, n) &&
	       (s->mnemonic_bytes == n || s->mnemonic[n] == '.');
}

static bool is_group_product(const struct static_part *s)
{
	return s->mnemonic_bytes >= 5 && !memcmp(s->mnemonic + 1, "GMMA", 4);
}

/* Copies of the tensor memory accelerator; version 6 says what they copy. */
static bool is_bulk_copy(const struct static_part *s)
{
	static const char *const names[] = {"UTMALDG", "UTMASTG", "UTMAPF", "UTMAREDG",
	                                    "UBLKCP",  "UBLKPF",  "UBLKRED"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (mnemonic_begins(s, names[i]))
			return true;
	return false;
}

/* Keep what the trace has of the operands: general registers, and whether there are predicates and uniform registers. */
static void keep_operands(struct static_part *s, const struct operand *dest, uint64_t dests,
                          const struct operand *source, uint64_t sources)
{
	s->insn.dst = TRACE_REG_NONE;
	if (dests && dest->class == CLASS_R)
		s->insn.dst = dest->number;
	s->sets_predicate = dests && dest->class == CLASS_P;
	s->sets_uniform = dests && (dest->class == CLASS_UR || dest->class == CLASS_UP);
	for (uint64_t i = 0; i < sources; i++) {
		s->reads_predicate |= source[i].class == CLASS_P;
		if (source[i].class == CLASS_R && s->insn.src_count < TRACE_MAX_SRC)
			s->insn.src[s->insn.src_count++] = source[i].number;
	}
}

static bool parse_static(struct kernel_file *f, char *p, struct static_part *s, struct error *err)
{
	uint64_t dests, sources, commits = 0;
	struct operand dest[MAX_OPERANDS], source[MAX_OPERANDS];
	bool has_values = f->tracer_version >= VALUES;
	if (!take_count(f, &p, has_values ? MAX_OPERANDS : 1, "destination", &dests, err) ||
	    !take_registers(f, &p, dests, dest, err))
		return false;
	text_skip_blanks(&p);
	s->mnemonic = p;
	s->mnemonic_bytes = strcspn(p, " \t");
	bool letter = (*p >= 'A' && *p <= 'Z') || (*p >= 'a' && *p <= 'z') || *p == '_';
	if (!letter || s->mnemonic_bytes > 255)
		return text_error(&f->text, p, err, "expected an opcode");
	p += s->mnemonic_bytes;
	if (!take_count(f, &p, has_values ? MAX_OPERANDS : TRACE_MAX_SRC, "source", &sources, err) ||
	    !take_registers(f, &p, sources, source, err))
		return false;
	keep_operands(s, dest, dests, source, sources);
	text_skip_blanks(&p);
	if (has_values && is_group_product(s) && (!text_take_unsigned(&p, &commits) || commits > 1))
		return text_error(&f->text, p, err, "expected 1 if the product closes its group, or else 0");
	s->commits = commits != 0;
	text_skip_blanks(&p);
	if (!text_take_unsigned(&p, &s->mem_width) || (*p && *p != ' ' && *p != '\t'))
		return text_error(&f->text, p, err, "expected the width of a memory access, or 0");
	s->end = p;
	return true;
}

/* Unknown opcodes that come with addresses are accesses, whatever their name. */
static void guess_access(struct static_part *s)
{
	bool access = s->insn.op == OP_LOAD || s->insn.op == OP_STORE || s->insn.op == OP_ATOMIC ||
	              s->insn.op == OP_REDUCE || s->insn.op == OP_TEXTURE || s->insn.op == OP_CONST;
	if (!(s->insn.flags & INSN_GUESSED) || !s->mem_width || access)
		return;
	s->insn.op = s->insn.dst == TRACE_REG_NONE ? OP_STORE : OP_LOAD;
	s->insn.space = SPACE_GLOBAL;
	s->insn.width_bytes = 4;
}

/* The pieces of a bulk copy are steps of their own; copies between shared memories and prefetches have none. */
static void classify_bulk(struct static_part *s, const char *mnemonic)
{
	s->insn.flags &= ~(uint32_t)INSN_MEMORY;
	bool block = mnemonic_begins(s, "UBLKCP"), loads = mnemonic_begins(s, "UTMALDG"),
	     stores = mnemonic_begins(s, "UTMASTG") || mnemonic_begins(s, "UTMAREDG") ||
	              mnemonic_begins(s, "UBLKRED");
	loads |= block && strstr(mnemonic, ".S.G");
	stores |= block && strstr(mnemonic, ".G.S");
	if (!loads && !stores)
		return;
	s->insn.op = loads ? OP_LOAD : OP_STORE;
	s->insn.space = SPACE_GLOBAL;
	s->insn.width_bytes = BULK_LANE_BYTES;
	s->insn.flags &= ~(uint32_t)INSN_WRITES_UNIFORM;
	s->insn.flags |= INSN_MEMORY | INSN_ASYNC_COPY | INSN_BULK | INSN_BYPASS_L1;
}

/* Waits for groups: of copies (LDGDEPBAR closes one), and of products of warpgroups, of which version 6 has the commits. */
static void classify_groups(const struct kernel_file *f, struct static_part *s)
{
	enum { MOST = 16 };
	int64_t groups;
	char *p = s->end;
	if (f->tracer_version < IMMEDIATES)
		return;
	if (mnemonic_begins(s, "LDGDEPBAR"))
		s->insn.flags |= INSN_ASYNC_COPY;
	bool products = f->tracer_version >= VALUES,
	     waits = mnemonic_begins(s, "DEPBAR") ||
	             (products && mnemonic_begins(s, "WARPGROUP") && s->mnemonic_bytes > 16 &&
	              !memcmp(s->mnemonic + 9, ".DEPBAR", 7));
	if (waits && text_take_signed(&p, &groups) && groups >= 0) {
		s->insn.flags |= INSN_ASYNC_COPY;
		s->insn.width_bytes = (uint8_t)(groups < MOST ? groups + 1 : MOST + 1);
	}
	if (products && is_group_product(s)) {
		s->insn.flags |= INSN_ASYNC_COPY;
		s->insn.width_bytes = s->commits;
		s->insn.dst = TRACE_REG_NONE; /* only the wait for its group waits for it */
		s->insn.dst_span = 0;
	}
}

static void classify(const struct kernel_file *f, struct static_part *s, char *mnemonic)
{
	memcpy(mnemonic, s->mnemonic, s->mnemonic_bytes);
	mnemonic[s->mnemonic_bytes] = '\0';
	sass_classify(mnemonic, f->kernel.binary_version, &s->insn);
	guess_access(s);
	s->insn.flags &= ~(uint32_t)INSN_MEMORY;
	if (s->mem_width)
		s->insn.flags |= INSN_MEMORY;
	if (f->tracer_version >= VALUES) {
		s->insn.flags |= s->sets_predicate ? INSN_SETS_PREDICATE : 0;
		s->insn.flags |= s->reads_predicate ? INSN_USES_PREDICATE : 0;
		s->insn.flags |= s->sets_uniform ? INSN_WRITES_UNIFORM : 0;
	}
	classify_groups(f, s);
	if (f->tracer_version >= VALUES && is_bulk_copy(s))
		classify_bulk(s, mnemonic);
}

static struct known_insn **bucket_of(struct kernel_file *f, uint64_t pc)
{
	return &f->known[(pc >> 3) % KNOWN_BUCKETS];
}

static struct known_insn *learn(struct kernel_file *f, uint64_t pc, uint32_t source_line, char *text,
                                struct error *err)
{
	struct static_part s = {.insn = {.pc = pc, .source_line = source_line}};
	char mnemonic[256];
	uint32_t index = 0;
	if (!parse_static(f, text, &s, err))
		return NULL;
	size_t bytes = (size_t)(s.end - text);
	if (bytes > MAX_STATIC_TEXT || s.mnemonic - text > UINT8_MAX || f->known_count == MAX_KNOWN) {
		text_error(&f->text, text, err, "too many different instructions, or one too long");
		return NULL;
	}
	struct known_insn *k = memory_grow(NULL, 1, sizeof *k + bytes);
	classify(f, &s, mnemonic);
	if (!mnemonic_begins(&s, "REPLAY_START") && !mnemonic_begins(&s, "REPLAY_END"))
		index = trace_writer_insn(f->writer, &s.insn, mnemonic);
	*k = (struct known_insn){
	    .pc = pc,
	    .source_line = source_line,
	    .insn = s.insn,
	    .wait = {.insn = index},
	    .text_bytes = (uint16_t)bytes,
	    .mnemonic_at = (uint8_t)(s.mnemonic - text),
	    .mnemonic_bytes = (uint8_t)s.mnemonic_bytes,
	    .is_bulk = f->tracer_version >= VALUES && is_bulk_copy(&s),
	    .is_pseudo = mnemonic_begins(&s, "REPLAY_START") || mnemonic_begins(&s, "REPLAY_END"),
	    .has_addresses = s.mem_width != 0,
	    .guessed = s.insn.flags & INSN_GUESSED,
	    .next = *bucket_of(f, pc),
	};
	spins_classify(&s.insn, mnemonic, &k->wait);
	memcpy(k->text, text, bytes);
	*bucket_of(f, pc) = k;
	f->known_count++;
	return k;
}

static inline bool matches(const struct known_insn *k, uint64_t pc, uint32_t source_line, const char *text,
                           size_t left)
{
	return k->pc == pc && k->source_line == source_line && left >= k->text_bytes &&
	       !memcmp(k->text, text, k->text_bytes) &&
	       (text[k->text_bytes] == ' ' || text[k->text_bytes] == '\0' || text[k->text_bytes] == '\t');
}

static struct known_insn *search(struct kernel_file *f, uint64_t pc, uint32_t source_line, char *text,
                                 struct error *err)
{
	size_t left = (size_t)(f->text.line_end - text);
	unsigned same_pc = 0;
	for (struct known_insn *k = *bucket_of(f, pc); k; k = k->next) {
		if (matches(k, pc, source_line, text, left))
			return k;
		same_pc += k->pc == pc;
	}
	if (same_pc > MAX_SAME_PC) {
		text_error(&f->text, text, err, "more than %d different instructions at one program counter",
		           MAX_SAME_PC);
		return NULL;
	}
	return learn(f, pc, source_line, text, err);
}

static inline struct known_insn *recognise(struct kernel_file *f, uint64_t pc, uint32_t source_line,
                                           char *text, struct error *err)
{
	struct known_insn *k = f->last ? f->last->follow : NULL;
	if (!k || !matches(k, pc, source_line, text, (size_t)(f->text.line_end - text))) {
		k = search(f, pc, source_line, text, err);
		if (!k)
			return NULL;
		if (f->last)
			f->last->follow = k;
	}
	f->last = k;
	k->executed += f->pass == PASS_FIND;
	return k;
}

/* ---- addresses -------------------------------------------------------------------------------------- */

static bool address_error(struct kernel_file *f, const char *place, struct error *err)
{
	return text_error(&f->text, place, err, "expected an address below 2^%d, written 0x...",
	                  ADDRESS_BITS);
}

static bool take_address(struct kernel_file *f, char **p, uint64_t *address, struct error *err)
{
	text_skip_blanks(p);
	char *start = *p;
	if (start[0] == '0' && (start[1] == 'x' || start[1] == 'X'))
		*p += 2;
	if (!text_take_hex(p, address) || *address >> ADDRESS_BITS)
		return address_error(f, start, err);
	return true;
}

static bool take_delta(struct kernel_file *f, char **p, int64_t *delta, const char *what, struct error *err)
{
	text_skip_blanks(p);
	char *start = *p;
	if (!text_take_signed(p, delta) || *delta >> ADDRESS_BITS > 0 || *delta >> ADDRESS_BITS < -1)
		return text_error(&f->text, start, err, "expected %s between two lanes in bytes", what);
	return true;
}

/* Give the instruction a second index in the trace, as a poll. */
static uint32_t add_poll(void *file, struct wait_insn *wait)
{
	struct kernel_file *f = file;
	const struct known_insn *k =
	    (const struct known_insn *)((const char *)wait - offsetof(struct known_insn, wait));
	struct trace_insn poll = k->insn;
	poll.flags |= INSN_POLL;
	poll.round = wait->round ? wait->round : 1;
	char mnemonic[256];
	memcpy(mnemonic, k->text + k->mnemonic_at, k->mnemonic_bytes);
	mnemonic[k->mnemonic_bytes] = '\0';
	return trace_writer_insn(f->writer, &poll, mnemonic);
}

/* An executed instruction goes to the waits while they matter, and else to the writer. */
static bool take_step(struct kernel_file *f, struct known_insn *k, uint64_t mask, const uint64_t *address,
                      struct error *err)
{
	f->warp_insns += f->pass == PASS_FIND;
	struct wait_step step = {&k->wait, mask, address ? (unsigned)__builtin_popcountll(mask) : 0, address};
	if (f->pass != PASS_FIND)
		return spins_step(f->spins, &step, f->writer, add_poll, f, err);
	if (k->wait.role >= ROLE_POLL || spins_are_open(f->spins))
		spins_look(f->spins, &step);
	return trace_writer_step(f->writer, k->wait.insn, mask, address, err);
}

bool accelsim_end_warp(struct kernel_file *f, struct error *err)
{
	return spins_end_warp(f->spins, f->writer, add_poll, f, err);
}

/* Mode 0: one address per active lane. */
static bool step_list(struct kernel_file *f, struct known_insn *k, uint64_t mask, char **p, struct error *err)
{
	uint64_t address[TRACE_MAX_LANES];
	unsigned lanes = (unsigned)__builtin_popcountll(mask);
	for (unsigned i = 0; i < lanes; i++)
		if (!take_address(f, p, &address[i], err))
			return false;
	return take_step(f, k, mask, address, err);
}

/* Mode 1: first address and stride, of lanes without a gap. */
static bool step_stride(struct kernel_file *f, struct known_insn *k, uint64_t mask, char **p,
                        struct error *err)
{
	uint64_t base;
	int64_t stride;
	text_skip_blanks(p);
	char *start = *p;
	if (!take_address(f, p, &base, err) || !take_delta(f, p, &stride, "a stride", err))
		return false;
	if (mask) {
		uint64_t run = mask >> __builtin_ctzll(mask);
		if (run & (run + 1))
			return text_error(
			    &f->text, start, err,
			    "base and stride for lanes with a gap (mask %08llx): they mean nothing "
			    "behind the gap",
			    (unsigned long long)mask);
		uint64_t last = base + (uint64_t)(__builtin_popcountll(mask) - 1) * (uint64_t)stride;
		if (last >> ADDRESS_BITS)
			return address_error(f, start, err);
	}
	if (f->pass == PASS_FIND && k->wait.role < ROLE_POLL && !spins_are_open(f->spins)) {
		f->warp_insns++;
		return trace_writer_step_stride(f->writer, k->wait.insn, mask, base, stride, err);
	}
	uint64_t address[TRACE_MAX_LANES];
	for (unsigned i = 0; i < (unsigned)__builtin_popcountll(mask); i++)
		address[i] = base + i * (uint64_t)stride;
	return take_step(f, k, mask, address, err);
}

/* Mode 2: first address, then the distance of each further active lane from the one before. */
static bool step_deltas(struct kernel_file *f, struct known_insn *k, uint64_t mask, char **p,
                        struct error *err)
{
	uint64_t address[TRACE_MAX_LANES];
	unsigned lanes = (unsigned)__builtin_popcountll(mask);
	text_skip_blanks(p);
	char *start = *p;
	/* With no lane active there is still a base, usually 0. */
	if (!take_address(f, p, &address[0], err))
		return false;
	for (unsigned i = 1; i < lanes; i++) {
		int64_t delta;
		if (!take_delta(f, p, &delta, "a distance", err))
			return false;
		address[i] = address[i - 1] + (uint64_t)delta;
		if (address[i] >> ADDRESS_BITS)
			return address_error(f, start, err);
	}
	return take_step(f, k, mask, address, err);
}

static bool step_access(struct kernel_file *f, struct known_insn *k, uint64_t mask, char **p,
                        struct error *err)
{
	uint64_t mode;
	text_skip_blanks(p);
	char *start = *p;
	if (!text_take_unsigned(p, &mode) || mode > 2)
		return text_error(&f->text, start, err, "expected an address mode: 0, 1 or 2");
	if (mode == 1)
		return step_stride(f, k, mask, p, err);
	return mode == 2 ? step_deltas(f, k, mask, p, err) : step_list(f, k, mask, p, err);
}

/* ---- bulk copies ------------------------------------------------------------------------------------ */

struct bulk_copy {
	uint64_t mark; /* of the mbarrier */
	uint64_t bytes;
	uint64_t count, base;
	bool is_list; /* of addresses; else of distances */
	unsigned lanes;
	uint64_t address[TRACE_MAX_LANES / 2];
};

static bool take_number(struct kernel_file *f, char **p, uint64_t most, const char *what, uint64_t *value,
                        struct error *err)
{
	text_skip_blanks(p);
	char *start = *p;
	return (text_take_unsigned(p, value) && *value <= most) ||
	       text_error(&f->text, start, err, "expected %s, at most %llu", what, (unsigned long long)most);
}

/* mbarrier multicast [CTAs] bytes out-of-bounds mode count [base] */
static bool take_bulk_head(struct kernel_file *f, char **p, struct bulk_copy *b, struct error *err)
{
	uint64_t mbarrier, multicast, ctas, outside, mode;
	if (!take_address(f, p, &mbarrier, err) ||
	    !take_number(f, p, 1, "1 for a multicast or 0", &multicast, err))
		return false;
	if (multicast && !take_address(f, p, &ctas, err))
		return false;
	if (!take_number(f, p, BULK_MAX_BYTES, "the bytes of a bulk copy", &b->bytes, err) ||
	    !take_number(f, p, BULK_MAX_BYTES, "the bytes out of bounds", &outside, err) ||
	    !take_number(f, p, 4, "an address mode: 3 or 4", &mode, err))
		return false;
	b->is_list = mode == 3;
	if (mode == 4 && !take_address(f, p, &b->base, err))
		return false;
	if (mode < 3)
		return text_error(&f->text, *p, err, "expected an address mode of bulk copies: 3 or 4");
	b->bytes -= outside < b->bytes ? outside : b->bytes;
	b->mark = (mbarrier & ((UINT64_C(1) << SHARED_ADDRESS_BITS) - 1)) / MBARRIER_BYTES + 1;
	return take_number(f, p, TEXT_MAX_LINE, "the number of addresses", &b->count, err);
}

static bool put_lanes(struct kernel_file *f, struct known_insn *k, struct bulk_copy *b, struct error *err)
{
	uint64_t mask = (UINT64_C(1) << b->lanes) - 1;
	b->lanes = 0;
	return !mask || take_step(f, k, mask, b->address, err);
}

/* Add one of the pieces, 16 bytes per lane. */
static bool add_piece(struct kernel_file *f, struct known_insn *k, struct bulk_copy *b, uint64_t address,
                      struct error *err)
{
	uint64_t bytes = (b->bytes + b->count - 1) / b->count;
	if ((address + bytes) >> BULK_OBJECT_SHIFT)
		return text_error(&f->text, NULL, err, "expected addresses of a bulk copy below 2^%d",
		                  BULK_OBJECT_SHIFT);
	for (uint64_t at = 0; at < bytes; at += BULK_LANE_BYTES) {
		uint64_t mark = k->insn.op == OP_LOAD ? b->mark : 0;
		b->address[b->lanes++] = address_with_object(address + at, mark);
		if (b->lanes == TRACE_MAX_LANES / 2 && !put_lanes(f, k, b, err))
			return false;
	}
	return true;
}

static bool step_bulk(struct kernel_file *f, struct known_insn *k, uint64_t mask, char **p, struct error *err)
{
	struct bulk_copy b = {0};
	if (!take_bulk_head(f, p, &b, err))
		return false;
	bool has_pieces = k->insn.flags & INSN_BULK && mask && b.bytes && b.count;
	uint64_t address = b.base;
	for (uint64_t i = 0; i < b.count; i++) {
		int64_t delta;
		if (b.is_list ? !take_address(f, p, &address, err)
		              : i && !take_delta(f, p, &delta, "a distance", err))
			return false;
		address += !b.is_list && i ? (uint64_t)delta : 0;
		if (has_pieces && !add_piece(f, k, &b, address, err))
			return false;
	}
	/* An instruction that copies nothing is issued all the same. */
	return has_pieces ? put_lanes(f, k, &b, err)
	                  : take_step(f, k, k->insn.flags & INSN_MEMORY ? 0 : mask, NULL, err);
}

/* ---- the line --------------------------------------------------------------------------------------- */

/* What older and newer tracers write before the program counter. */
static bool skip_prefix(struct kernel_file *f, char **p, uint32_t *source_line, struct error *err)
{
	uint64_t v;
	for (unsigned i = 0; f->tracer_version < 3 && i < 4; i++)
		if (!text_take_unsigned(p, &v))
			return text_error(
			    &f->text, *p, err,
			    "expected four numbers (CTA x y z, warp) before the program counter");
	if (!f->line_numbers)
		return true;
	if (!text_take_unsigned(p, &v) || v > UINT32_MAX)
		return text_error(&f->text, *p, err, "expected a source line number");
	*source_line = (uint32_t)v;
	return true;
}

/* One number may follow: version 5 writes it, and other readers take it on any version. */
static bool check_end(struct kernel_file *f, char *p, struct error *err)
{
	text_skip_blanks(&p);
	if (p == f->text.line_end)
		return true;
	uint64_t v;
	char *start = p;
	p += *p == '-';
	if (p[0] == '0' && p[1] == 'x')
		p += 2;
	bool number = text_take_hex(&p, &v);
	text_skip_blanks(&p);
	if (!number || p != f->text.line_end)
		return text_error(&f->text, start, err,
		                  "expected the end of the line, or one immediate value");
	return true;
}

/* Version 6: immediates, then NoVal, or Val and for each operand 1 value of all lanes or 32. */
static bool check_values(struct kernel_file *f, char *p, struct error *err)
{
	uint64_t value;
	int64_t imm;
	text_skip_blanks(&p);
	for (unsigned i = 0; i < 2 && (*p == '-' || (unsigned)(*p - '0') < 10); i++) {
		if (!text_take_signed(&p, &imm))
			return text_error(&f->text, p, err, "expected an immediate value");
		text_skip_blanks(&p);
	}
	if (!strncmp(p, "NoVal", 5)) {
		p += 5;
	} else if (!strncmp(p, "Val", 3)) {
		uint64_t count;
		for (p += 3, text_skip_blanks(&p); *p; text_skip_blanks(&p)) {
			if (!text_take_unsigned(&p, &count) || (count != 1 && count != 32))
				return text_error(&f->text, p, err, "expected 1 or 32 values");
			for (; count; count--) {
				text_skip_blanks(&p);
				p += p[0] == '0' && (p[1] == 'x' || p[1] == 'X') ? 2 : 0;
				if (!text_take_hex(&p, &value))
					return text_error(&f->text, p, err,
					                  "expected a value in hexadecimal digits");
			}
		}
	}
	text_skip_blanks(&p);
	return p == f->text.line_end || text_error(&f->text, p, err, "expected 'NoVal', or 'Val' and values");
}

bool accelsim_read_insn(struct kernel_file *f, struct error *err)
{
	char *p = f->text.line;
	uint32_t source_line = 0;
	uint64_t pc, mask;
	if ((f->tracer_version < 3 || f->line_numbers) && !skip_prefix(f, &p, &source_line, err))
		return false;
	if (!text_take_hex(&p, &pc) || *p != ' ')
		return text_error(&f->text, p, err, "expected a program counter in hexadecimal digits");
	if (!text_take_hex(&p, &mask) || *p != ' ' || mask > UINT32_MAX)
		return text_error(&f->text, p, err, "expected a lane mask of at most 8 hexadecimal digits");
	p++;
	struct known_insn *k = recognise(f, pc, source_line, p, err);
	if (!k)
		return false;
	p += k->text_bytes;
	bool ok = k->is_pseudo       ? true
	          : k->is_bulk       ? step_bulk(f, k, mask, &p, err)
	          : k->has_addresses ? step_access(f, k, mask, &p, err)
	                             : take_step(f, k, mask, NULL, err);
	if (!ok)
		return false;
	return f->tracer_version < VALUES ? check_end(f, p, err) : check_values(f, p, err);
}

void accelsim_forget_insns(struct kernel_file *f, struct guess_list *guesses)
{
	for (unsigned i = 0; i < KNOWN_BUCKETS; i++) {
		struct known_insn *next;
		for (struct known_insn *k = f->known[i]; k; k = next) {
			next = k->next;
			if (k->guessed)
				guess_list_add(guesses, k);
			free(k);
		}
		f->known[i] = NULL;
	}
	f->last = NULL;
	f->known_count = 0;
}
