/*
 * Joins neighboring accesses to shared memory, as nvcc's step from PTX to machine code does: four words of a block that
 * is aligned to 16 bytes, or two words of one aligned to 8, become one access. PTX has them one by one.
 *
 * What nvcc 13 joins was found with small kernels (docs/lowering.md): words of four or eight bytes in one basic block,
 * whose address is known to be aligned whatever the input, with no instruction between them that may write what is
 * loaded or touch what is stored. Loads are joined at the first, stores at the last. Three words of four are loaded
 * with the fourth.
 *
 * Alignment is what the instructions alone say of the lower bits of a register. All definitions of a register count,
 * wherever they are: of a loop's index, the bits that its steps leave alone. A definition counts once its sources are
 * known, and again whenever less is known of them.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/memory.h"
#include "ptx/effects.h"
#include "ptx/passes.h"

/* ---- lower bits of registers ---------------------------------------------------------------------------- */

enum { ALL = 64 };

/* The `known` lowest bits of a value are those of `value`, whatever the input. */
struct low_bits {
	uint8_t known;
	uint64_t value;
};

struct alignment {
	const struct ptx_module *m;
	struct low_bits *of; /* by register */
	bool *is_defined;    /* by register: of[] counts */
};

static const struct low_bits unknown = {0, 0};

static bool is_integer(uint8_t type)
{
	return type >= PTX_TYPE_b8 && type <= PTX_TYPE_s64;
}

static uint64_t lower(uint64_t value, uint32_t bits)
{
	return bits < ALL ? value & (((uint64_t)1 << bits) - 1) : value;
}

static struct low_bits known(uint32_t bits, uint64_t value)
{
	bits = bits_min32(bits, ALL);
	return (struct low_bits){(uint8_t)bits, lower(value, bits)};
}

static uint32_t zeros_of(struct low_bits b)
{
	return b.value ? (uint32_t)__builtin_ctzll(b.value) : b.known;
}

static struct low_bits shared_low_bits(const struct ptx_module *m, uint32_t variable)
{
	const struct ptx_variable *v = &m->variables[variable];
	uint32_t align = v->space == PTX_SPACE_shared ? ptx_shared_align(m, v) : 0;
	return align ? known((uint32_t)__builtin_ctz(align), 0) : unknown;
}

static struct low_bits plus(struct low_bits x, struct low_bits y)
{
	return known(bits_min32(x.known, y.known), x.value + y.value);
}

static struct low_bits times(struct low_bits x, struct low_bits y)
{
	return known(bits_min32(x.known + zeros_of(y), y.known + zeros_of(x)), x.value * y.value);
}

/* Of x & y: all bits up to the first that is neither known in both nor 0 in one. */
static struct low_bits both(struct low_bits x, struct low_bits y)
{
	uint32_t n = 0;
	for (; n < ALL; n++) {
		bool knows_x = n < x.known, knows_y = n < y.known;
		bool clears = (knows_x && !(x.value >> n & 1)) || (knows_y && !(y.value >> n & 1));
		if (!clears && !(knows_x && knows_y))
			break;
	}
	return known(n, x.value & y.value);
}

static struct low_bits shifted(struct low_bits x, const struct ptx_operand *by, bool left)
{
	if (by->kind != PTX_IMM || (uint64_t)by->value >= 32)
		return left ? known(zeros_of(x), 0) : unknown;
	uint32_t n = (uint32_t)by->value;
	if (left)
		return known(x.known + n, x.value << n);
	return x.known > n && x.known < ALL ? known(x.known - n, x.value >> n) : unknown;
}

static struct low_bits bits_of(const struct alignment *a, const struct ptx_operand *o)
{
	switch (o->kind) {
	case PTX_REG:
		return a->of[o->index];
	case PTX_IMM:
		return known(ALL, (uint64_t)o->value);
	case PTX_SYMBOL:
		return plus(shared_low_bits(a->m, o->index), known(ALL, (uint64_t)o->value));
	default:
		return unknown;
	}
}

static struct low_bits in_common(struct low_bits x, struct low_bits y)
{
	uint64_t differ = x.value ^ y.value;
	uint32_t alike = differ ? (uint32_t)__builtin_ctzll(differ) : ALL;
	return known(bits_min32(alike, bits_min32(x.known, y.known)), x.value);
}

/* Of an instruction with one result. Immediates are as wide as the operation, so no wider than its result. */
static struct low_bits bits_of_result(const struct alignment *a, const struct ptx_insn *insn)
{
	const struct ptx_operand *s = ptx_sources(a->m, insn);
	if (!is_integer(insn->type) || insn->flags & PTX_FLAG_SAT || insn->mode == PTX_MODE_hi)
		return unknown;
	switch (insn->op) {
	case PTX_mov:
		return insn->source_count == 1 ? bits_of(a, &s[0]) : unknown;
	case PTX_cvt:
		return is_integer(insn->type2) ? bits_of(a, &s[0]) : unknown;
	case PTX_cvta:
		return insn->space == PTX_SPACE_shared ? bits_of(a, &s[0]) : unknown;
	case PTX_add:
		return plus(bits_of(a, &s[0]), bits_of(a, &s[1]));
	case PTX_sub:
		return plus(bits_of(a, &s[0]), times(bits_of(a, &s[1]), known(ALL, UINT64_MAX)));
	case PTX_mul:
		return times(bits_of(a, &s[0]), bits_of(a, &s[1]));
	case PTX_mad:
		return plus(times(bits_of(a, &s[0]), bits_of(a, &s[1])), bits_of(a, &s[2]));
	case PTX_and:
		return both(bits_of(a, &s[0]), bits_of(a, &s[1]));
	case PTX_or:
	case PTX_xor: {
		struct low_bits x = bits_of(a, &s[0]), y = bits_of(a, &s[1]);
		return known(bits_min32(x.known, y.known),
		             insn->op == PTX_or ? x.value | y.value : x.value ^ y.value);
	}
	case PTX_selp:
		return in_common(bits_of(a, &s[0]), bits_of(a, &s[1]));
	case PTX_shl:
	case PTX_shr:
		return shifted(bits_of(a, &s[0]), &s[1], insn->op == PTX_shl);
	default:
		return unknown;
	}
}

static bool has_sources(const struct alignment *a, const struct ptx_insn *insn)
{
	const struct ptx_operand *source = ptx_sources(a->m, insn);
	for (uint32_t i = 0; i < insn->source_count; i++) {
		uint32_t reg = ptx_register_read(&source[i]);
		if (reg != PTX_NONE && !a->is_defined[reg])
			return false;
	}
	return true;
}

static bool add_definition(struct alignment *a, const struct ptx_insn *insn)
{
	const struct ptx_operand *result = ptx_results(a->m, insn);
	bool changed = false;
	for (uint32_t i = 0; i < insn->result_count && has_sources(a, insn); i++) {
		if (result[i].kind != PTX_REG)
			continue;
		uint32_t reg = result[i].index;
		struct low_bits bits = insn->result_count == 1 ? bits_of_result(a, insn) : unknown;
		if (a->is_defined[reg])
			bits = in_common(a->of[reg], bits);
		changed |= !a->is_defined[reg] || bits.known != a->of[reg].known;
		a->of[reg] = bits;
		a->is_defined[reg] = true;
	}
	return changed;
}

static void add_definitions(struct alignment *a, const struct ptx_function *f)
{
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t i = f->first_insn; i < f->first_insn + f->insn_count; i++)
			changed |= add_definition(a, &a->m->insns[i]);
	}
}

/* Find the lower bits by register, for the caller to free. */
static struct low_bits *register_low_bits(const struct ptx_module *m, const struct ptx_function *f)
{
	struct alignment a = {.m = m};
	a.of = memory_zeroed(f->register_count + 1, sizeof *a.of);
	a.is_defined = memory_zeroed(f->register_count + 1, sizeof *a.is_defined);
	add_definitions(&a, f);
	/* Registers that are never written, or from themselves alone, have no known bits: their results are found now. */
	for (uint32_t r = 0; r < f->register_count; r++)
		a.is_defined[r] = true;
	add_definitions(&a, f);
	free(a.is_defined);
	return a.of;
}

enum { BLOCK_BYTES = 16, WORD_BYTES = 4, WORDS = BLOCK_BYTES / WORD_BYTES, OPEN_MAX = 32 };
enum { BLOCK_ZEROS = 4, WORD_ZEROS = 2 }; /* of their addresses */

/* An address: a base and a constant. Offsets wrap, as addresses do. */
struct place {
	uint8_t base; /* enum ptx_base */
	uint32_t index;
	uint64_t offset;
};

/* Accesses to a block; accesses of eight bytes use every second member. */
struct group {
	struct place place; /* of the block */
	bool is_store;
	uint32_t element, guard, flags;
	uint32_t member[WORDS]; /* instructions; PTX_NONE */
	uint32_t first;         /* of them, in the text */
};

struct wide {
	struct ptx_module *m;
	struct ptx_function *f;
	struct low_bits *low;  /* by register */
	uint32_t *definitions; /* by register: how many */
	uint32_t *definition;  /* the last */
	bool *repeats, *gone;  /* by instruction of the function: it is in a loop; it has been joined */
	uint32_t block;        /* first instruction of the block */
	struct group open[OPEN_MAX];
	uint32_t open_count;
};

/* ---- addresses ------------------------------------------------------------------------------------------ */

static void find_definitions(struct wide *w)
{
	for (uint32_t i = w->f->first_insn; i < w->f->first_insn + w->f->insn_count; i++) {
		const struct ptx_insn *insn = &w->m->insns[i];
		const struct ptx_operand *result = ptx_results(w->m, insn);
		for (uint32_t k = 0; k < insn->result_count; k++)
			if (result[k].kind == PTX_REG) {
				w->definitions[result[k].index] += insn->guard == PTX_NONE ? 1 : 2;
				w->definition[result[k].index] = i;
			}
	}
}

/* Mark the instructions between a branch and a target before it. */
static void find_loops(struct wide *w)
{
	uint32_t first = w->f->first_insn;
	for (uint32_t i = 0; i < w->f->insn_count; i++) {
		const struct ptx_insn *insn = &w->m->insns[first + i];
		uint32_t back = i + 1;
		if (insn->op == PTX_bra)
			back = ptx_sources(w->m, insn)->index - first;
		else if (insn->op == PTX_brx)
			back = 0; /* anywhere */
		for (; back <= i; back++)
			w->repeats[back] = true;
	}
}

/*
 * Whether instruction `def`, which adds a constant to register `from`, gives at `at` the sum that `from` has there: both
 * are in one block with no change of the source between them, or neither is executed twice.
 */
static bool still_holds(const struct wide *w, uint32_t def, uint32_t from, uint32_t at)
{
	uint32_t origin = w->definition[from], first = w->f->first_insn;
	if (w->definitions[from] != 1 || def >= at)
		return false;
	if (!w->repeats[def - first] && !w->repeats[origin - first])
		return true;
	return def >= w->block && (origin < def || origin >= at);
}

/* Follow sums with constants, and names of variables, back from the address of instruction `at` to their origin. */
static struct place place_of(const struct wide *w, uint32_t at)
{
	enum { STEPS = 8 };
	const struct ptx_operand *address = ptx_sources(w->m, &w->m->insns[at]);
	struct place place = {address->base, address->index, (uint64_t)address->value};
	for (uint32_t n = 0; n < STEPS && place.base == PTX_BASE_REG && w->definitions[place.index] == 1;
	     n++) {
		uint32_t def = w->definition[place.index];
		const struct ptx_insn *insn = &w->m->insns[def];
		const struct ptx_operand *s = ptx_sources(w->m, insn);
		bool is_sum = insn->op == PTX_add && s[0].kind == PTX_REG && s[1].kind == PTX_IMM &&
		              ptx_type_bits((enum ptx_type)insn->type) == 64;
		if (insn->op == PTX_mov && s[0].kind == PTX_SYMBOL)
			return (struct place){PTX_BASE_VARIABLE, s[0].index,
			                      place.offset + (uint64_t)s[0].value};
		if (!is_sum || !still_holds(w, def, s[0].index, at))
			break;
		place.index = s[0].index;
		place.offset += (uint64_t)s[1].value;
		at = def;
	}
	return place;
}

static struct low_bits low_bits_of(const struct wide *w, const struct place *place)
{
	struct low_bits low =
	    place->base == PTX_BASE_REG ? w->low[place->index] : shared_low_bits(w->m, place->index);
	low.value += place->offset;
	return low;
}

static bool is_same_base(const struct place *a, const struct place *b)
{
	return a->base == b->base && a->index == b->index;
}

/* Return the number of the word in its block of 16 bytes, or in one of 8 bytes if no more alignment is known. */
static uint32_t word_of(const struct wide *w, const struct place *place)
{
	struct low_bits low = low_bits_of(w, place);
	uint32_t mask = low.known >= BLOCK_ZEROS ? BLOCK_BYTES - 1 : BLOCK_BYTES / 2 - 1;
	return (uint32_t)(low.value & mask) / WORD_BYTES;
}

static uint64_t block_of(const struct wide *w, const struct place *place)
{
	return place->offset - word_of(w, place) * WORD_BYTES;
}

/* ---- instructions between accesses ---------------------------------------------------------------------------------- */

static bool reads(const struct wide *w, const struct ptx_insn *insn, uint32_t reg)
{
	const struct ptx_operand *source = ptx_sources(w->m, insn);
	for (uint32_t k = 0; k < insn->source_count; k++)
		if (ptx_register_read(&source[k]) == reg)
			return true;
	return insn->guard == reg;
}

/* Whether a load may write `reg` already behind instruction `first`, or a store read it as late as `last`. */
static bool may_move(const struct wide *w, uint32_t reg, uint32_t first, uint32_t last, bool is_store)
{
	for (uint32_t i = first; i < last; i++) {
		const struct ptx_insn *insn = &w->m->insns[i];
		if (ptx_writes(insn, ptx_results(w->m, insn), reg) || (!is_store && reads(w, insn, reg)))
			return false;
	}
	return true;
}

static const struct ptx_operand *value_of(const struct wide *w, const struct ptx_insn *insn)
{
	return insn->op == PTX_ld ? ptx_results(w->m, insn) : ptx_sources(w->m, insn) + 1;
}

/* Whether instruction `insn` can join the group: all that the group reads and writes is unchanged there. */
static bool can_take(const struct wide *w, const struct group *g, uint32_t insn)
{
	if (g->place.base == PTX_BASE_REG && !may_move(w, g->place.index, g->first, insn, true))
		return false;
	if (g->guard != PTX_NONE && !may_move(w, g->guard, g->first, insn, true))
		return false;
	if (!g->is_store)
		return may_move(w, value_of(w, &w->m->insns[insn])->index, g->first, insn, false);
	for (uint32_t k = 0; k < WORDS; k++) {
		const struct ptx_operand *value =
		    g->member[k] == PTX_NONE ? NULL : value_of(w, &w->m->insns[g->member[k]]);
		if (value && value->kind == PTX_REG && !may_move(w, value->index, g->member[k], insn, true))
			return false;
	}
	return true;
}

/* ---- groups --------------------------------------------------------------------------------------------- */

static struct ptx_operand *add_operands(struct wide *w, uint32_t count)
{
	struct ptx_module *m = w->m;
	m->operands = memory_grow(m->operands, m->operand_count + count, sizeof *m->operands);
	m->operand_count += count;
	return &m->operands[m->operand_count - count];
}

/* Make `count` members from `first` on one instruction. The result of a missing load is dropped. */
static void join(struct wide *w, const struct group *g, uint32_t first, uint32_t count, uint32_t step)
{
	uint32_t at = PTX_NONE;
	for (uint32_t k = first; k < first + count * step; k += step)
		if (g->member[k] != PTX_NONE &&
		    (at == PTX_NONE || (g->is_store ? g->member[k] > at : g->member[k] < at)))
			at = g->member[k];
	struct ptx_operand *o = add_operands(w, count + 1), *value = g->is_store ? o + 1 : o;
	struct ptx_insn *insn = &w->m->insns[at];
	struct ptx_operand *address = g->is_store ? o : o + count;
	*address = *ptx_sources(w->m, insn);
	uint64_t moved = g->place.offset + first * WORD_BYTES - place_of(w, at).offset;
	address->value = (int64_t)((uint64_t)address->value + moved);
	for (uint32_t k = 0; k < count; k++) {
		uint32_t member = g->member[first + k * step];
		value[k] = (struct ptx_operand){.kind = PTX_SINK};
		if (member == PTX_NONE)
			continue;
		value[k] = *value_of(w, &w->m->insns[member]);
		w->gone[member - w->f->first_insn] = true;
	}
	w->gone[at - w->f->first_insn] = false;
	insn->vector = (uint8_t)count;
	insn->first_operand = (uint32_t)(o - w->m->operands);
	insn->result_count = g->is_store ? 0 : (uint8_t)count;
	insn->source_count = g->is_store ? (uint8_t)(count + 1) : 1;
}

static bool has_all(const struct group *g, uint32_t first, uint32_t end, uint32_t step)
{
	for (uint32_t k = first; k < end; k += step)
		if (g->member[k] == PTX_NONE)
			return false;
	return true;
}

/* Whether to load three words of four with the fourth: it must exist, so not be the last, or lie in the variable. */
static bool is_worth_all(const struct wide *w, const struct group *g)
{
	uint32_t there = 0;
	for (uint32_t k = 0; k < WORDS; k++)
		there += g->member[k] != PTX_NONE;
	if (g->is_store || g->element != WORD_BYTES || there != WORDS - 1)
		return false;
	if (g->member[WORDS - 1] != PTX_NONE)
		return true;
	const struct ptx_variable *v =
	    g->place.base == PTX_BASE_VARIABLE ? &w->m->variables[g->place.index] : NULL;
	return v && g->place.offset <= v->bytes && v->bytes - g->place.offset >= BLOCK_BYTES;
}

static void finish(struct wide *w, const struct group *g)
{
	uint32_t step = g->element / WORD_BYTES;
	if (has_all(g, 0, WORDS, step) || is_worth_all(w, g)) {
		join(w, g, 0, WORDS / step, step);
		return;
	}
	for (uint32_t k = 0; k < WORDS && step == 1; k += 2)
		if (has_all(g, k, k + 2, 1))
			join(w, g, k, 2, 1);
}

static void close_group(struct wide *w, uint32_t i)
{
	finish(w, &w->open[i]);
	w->open_count--;
	memmove(&w->open[i], &w->open[i + 1], (w->open_count - i) * sizeof *w->open);
}

static void close_all(struct wide *w)
{
	while (w->open_count)
		close_group(w, w->open_count - 1);
}

/* Whether the group's accesses and this one, which cannot join it, must stay in order. */
static bool conflicts(const struct wide *w, const struct group *g, uint32_t i, const struct access *access)
{
	const struct ptx_insn *insn = &w->m->insns[i];
	if (!(access->places & 1u << PLACE_SHARED) || (!access->writes && !g->is_store))
		return false;
	if (!access->is_known || insn->space != PTX_SPACE_shared)
		return true;
	struct place place = place_of(w, i);
	return !is_same_base(&place, &g->place) ||
	       ranges_overlap(place.offset, access->bytes, g->place.offset, BLOCK_BYTES);
}

static bool is_plain_word(const struct wide *w, const struct ptx_insn *insn)
{
	bool is_access = insn->op == PTX_ld || insn->op == PTX_st;
	uint32_t bytes = ptx_type_bytes((enum ptx_type)insn->type);
	/* 64 untyped bits are half of a copy of 16 bytes, whose two sides lowering joins. */
	if (insn->type == PTX_TYPE_u64 || insn->type == PTX_TYPE_b64)
		return false;
	if (!is_access || insn->space != PTX_SPACE_shared || insn->vector > 1 ||
	    (bytes != WORD_BYTES && bytes != 2 * WORD_BYTES) || insn->flags & ~(uint32_t)PTX_FLAG_GUARD_NOT ||
	    ptx_sources(w->m, insn)->kind != PTX_ADDRESS ||
	    ptx_sources(w->m, insn)->base == PTX_BASE_ABSOLUTE)
		return false;
	const struct ptx_operand *value = value_of(w, insn);
	if (value->kind != PTX_REG)
		return insn->op == PTX_st && value->kind == PTX_IMM;
	return ptx_type_bits((enum ptx_type)w->f->registers[value->index].type) == 8 * bytes;
}

/* Make a group of instruction i alone, if it is a plain word whose alignment allows more. */
static bool read_word(const struct wide *w, uint32_t i, struct group *one, uint32_t *word)
{
	const struct ptx_insn *insn = &w->m->insns[i];
	if (!is_plain_word(w, insn))
		return false;
	struct place place = place_of(w, i);
	struct low_bits low = low_bits_of(w, &place);
	uint32_t element = ptx_type_bytes((enum ptx_type)insn->type);
	if (low.known < WORD_ZEROS + element / WORD_BYTES || low.value % element)
		return false;
	*word = word_of(w, &place);
	place.offset = block_of(w, &place);
	*one = (struct group){.place = place,
	                      .is_store = insn->op == PTX_st,
	                      .element = element,
	                      .guard = insn->guard,
	                      .flags = insn->flags,
	                      .member = {PTX_NONE, PTX_NONE, PTX_NONE, PTX_NONE},
	                      .first = i};
	one->member[*word] = i;
	return true;
}

/* Whether both are accesses of one kind to one block, and the group lacks the word. */
static bool has_place(const struct group *g, const struct group *one, uint32_t word)
{
	return is_same_base(&g->place, &one->place) && g->place.offset == one->place.offset &&
	       g->is_store == one->is_store && g->element == one->element && g->member[word] == PTX_NONE;
}

/* Put a word into a group that lacks it, or begin one. */
static void take_word(struct wide *w, const struct group *one, uint32_t word)
{
	for (uint32_t k = 0; k < w->open_count; k++) {
		struct group *g = &w->open[k];
		if (has_place(g, one, word) && g->guard == one->guard && g->flags == one->flags &&
		    can_take(w, g, one->first)) {
			g->member[word] = one->first;
			return;
		}
	}
	if (w->open_count == OPEN_MAX)
		close_group(w, 0);
	w->open[w->open_count++] = *one;
}

static void join_block(struct wide *w, uint32_t first, uint32_t end)
{
	w->block = first;
	for (uint32_t i = first; i < end; i++) {
		const struct ptx_insn *insn = &w->m->insns[i];
		struct access access = insn_access(w->m, insn);
		struct effect effect = insn_effect(w->m, insn);
		if (insn_cuts(w->m, first, i) || effect.writes & 1u << PLACE_SHARED) {
			close_all(w);
			continue;
		}
		struct group one;
		uint32_t word = 0;
		bool is_word = read_word(w, i, &one, &word);
		for (uint32_t k = w->open_count; k-- > 0;)
			if (access.places && !(is_word && has_place(&w->open[k], &one, word)) &&
			    conflicts(w, &w->open[k], i, &access))
				close_group(w, k);
		if (is_word)
			take_word(w, &one, word);
	}
	close_all(w);
}

void compile_shared_accesses(struct ptx_module *m, struct ptx_function *f)
{
	struct graph g;
	struct wide w = {.m = m, .f = f};
	w.low = register_low_bits(m, f);
	w.definitions = memory_zeroed(f->register_count + 1, sizeof *w.definitions);
	w.definition = memory_zeroed(f->register_count + 1, sizeof *w.definition);
	w.gone = memory_zeroed(f->insn_count + 1, sizeof *w.gone);
	w.repeats = memory_zeroed(f->insn_count + 1, sizeof *w.repeats);
	find_definitions(&w);
	find_loops(&w);
	graph_build(&g, m, f, 0);
	for (uint32_t b = 0; b < g.count; b++)
		join_block(&w, g.start[b], g.start[b + 1]);
	graph_free(&g);
	remove_insns(m, f, w.gone);
	free(w.low);
	free(w.definitions);
	free(w.definition);
	free(w.repeats);
	free(w.gone);
}
