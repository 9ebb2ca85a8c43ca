/*
 * Initialisers: nested braces of numbers and addresses.
 *
 * An address may come byte by byte, as 0xff(name), 0xff00(name) ...; such a run
 * is put together into one relocation. Only what is written is stored: the rest
 * of a variable is zero, however large it is.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ptx/parser.h"

#define INITIAL_BYTES_MAX ((uint64_t)256 << 20) /* of all variables of a module */

struct initial {
	struct parser *p;
	const struct dimensions *dimensions;
	enum ptx_type type;
	uint64_t element_bytes;
	uint64_t limit; /* bytes of the variable; UINT64_MAX: as many as are written */
	uint8_t *bytes;
	uint64_t at, used, capacity;
	struct ptx_relocation *relocations;
	uint32_t relocation_count, relocation_capacity;
};

/* Room for `count` bytes at `at`. */
static bool initial_reserve(struct initial *in, const struct token *where, uint64_t count)
{
	uint64_t end = in->at + count;
	if (end > in->limit)
		return parser_fail(in->p, where, "too many initial values, expected at most %llu bytes",
		                   (unsigned long long)in->limit);
	if (end + in->p->initial_bytes > INITIAL_BYTES_MAX)
		return parser_fail(in->p, where,
		                   "initial values are too large, expected at most 256 MiB in a module");
	if (end > in->capacity) {
		uint64_t old = in->capacity;
		in->capacity = end > 2 * old ? end : 2 * old;
		in->bytes = memory_grow(in->bytes, in->capacity, 1);
		memset(in->bytes + old, 0, in->capacity - old);
	}
	in->used = end > in->used ? end : in->used;
	return true;
}

/* ---- values ---------------------------------------------------------------------------------------------- */

static bool initial_integer(struct initial *in, const struct token *t, bool minus, uint64_t *bits)
{
	unsigned width = (unsigned)in->element_bytes * 8;
	uint64_t limit = minus         ? (uint64_t)1 << (width - 1)
	                 : width == 64 ? UINT64_MAX
	                               : ((uint64_t)1 << width) - 1;
	if (in->type == PTX_TYPE_f32 || in->type == PTX_TYPE_f64)
		return parser_fail(in->p, t,
		                   "integer as initial value of a .%s, expected 0f..., 0d... or a fraction",
		                   ptx_type_name(in->type));
	if (t->value > limit)
		return parser_fail(in->p, t, "initial value does not fit, expected one of %u bits", width);
	*bits = minus ? 0 - t->value : t->value;
	return true;
}

static bool initial_float(struct initial *in, const struct token *t, bool minus, uint64_t *bits)
{
	double value;
	float single;
	if (t->kind == TOKEN_SINGLE) {
		uint32_t low = (uint32_t)t->value;
		memcpy(&single, &low, sizeof single);
		value = single;
	} else {
		memcpy(&value, &t->value, sizeof value);
		single = (float)value;
	}
	bool is_single = in->element_bytes == 4;
	if (in->element_bytes != 4 && in->element_bytes != 8)
		return parser_fail(in->p, t, "floating-point initial value of a .%s, expected an integer",
		                   ptx_type_name(in->type));
	*bits = 0;
	if (is_single && t->kind == TOKEN_SINGLE)
		*bits = t->value;
	else if (is_single)
		memcpy(bits, &single, sizeof single);
	else
		memcpy(bits, &value, sizeof value);
	if (minus)
		*bits ^= (uint64_t)1 << (is_single ? 31 : 63);
	return true;
}

static bool initial_number(struct initial *in)
{
	struct parser *p = in->p;
	struct token t = p->token;
	bool minus = parser_accept(p, '-');
	uint64_t bits;
	t = minus ? p->token : t;
	if (t.kind != TOKEN_INTEGER && t.kind != TOKEN_SINGLE && t.kind != TOKEN_DOUBLE)
		return parser_expected(p, "an initial value: a number or a name");
	if (!(t.kind == TOKEN_INTEGER ? initial_integer : initial_float)(in, &t, minus, &bits))
		return false;
	parser_advance(p);
	if (!initial_reserve(in, &t, in->element_bytes))
		return false;
	memcpy(in->bytes + in->at, &bits, in->element_bytes < 8 ? in->element_bytes : 8);
	in->at += in->element_bytes;
	return true;
}

/* ---- addresses ------------------------------------------------------------------------------------------- */

/* "+8", "+-8", "-8" or nothing. */
static bool initial_addend(struct initial *in, int64_t *addend)
{
	struct parser *p = in->p;
	bool plus = parser_accept(p, '+'), minus = parser_accept(p, '-');
	uint64_t value = 0;
	if ((plus || minus) && !parser_integer(p, "a distance in bytes", PARSE_BYTES_MAX, &value))
		return false;
	*addend += minus ? -(int64_t)value : (int64_t)value;
	return true;
}

static bool initial_symbol(struct initial *in, struct ptx_relocation *r)
{
	struct parser *p = in->p;
	char buf[SHOW_SIZE];
	struct token name = p->token;
	enum symbol kind;
	if (name.kind != TOKEN_NAME)
		return parser_expected(p, "the name of a variable or function");
	parser_advance(p);
	if (name.length == 7 && !memcmp(name.text, "generic", 7) && !r->generic && parser_accept(p, '(')) {
		r->generic = true;
		return initial_symbol(in, r) && parser_expect(p, ')', "after generic(name") &&
		       initial_addend(in, &r->addend);
	}
	if (!symbol_find(p, &name, &kind, &r->index) || (kind != SYMBOL_VARIABLE && kind != SYMBOL_FUNCTION))
		return parser_fail(p, &name, "undefined symbol %s, expected a variable or function",
		                   parser_show(buf, &name));
	r->function = kind == SYMBOL_FUNCTION;
	return initial_addend(in, &r->addend);
}

/* The next byte of an address: "0xff00(name)" after "0xff(name)". */
static bool initial_address_byte(struct initial *in)
{
	struct parser *p = in->p;
	struct token mask = p->token;
	parser_advance(p);
	parser_advance(p);
	struct ptx_relocation r = {.offset = in->at, .bytes = 1};
	if (!initial_symbol(in, &r) || !parser_expect(p, ')', "after the name") ||
	    !initial_reserve(in, &mask, 1))
		return false;
	struct ptx_relocation *last =
	    in->relocation_count ? &in->relocations[in->relocation_count - 1] : NULL;
	uint64_t byte = last ? in->at - last->offset : 0;
	if (mask.value == 0xff) {
		*PARSER_PUSH(in->relocations, in->relocation_capacity, in->relocation_count) = r;
	} else if (byte > 0 && byte < 8 && last->bytes == byte && mask.value == (uint64_t)0xff << 8 * byte &&
	           last->index == r.index && last->function == r.function && last->addend == r.addend) {
		last->bytes++;
	} else {
		return parser_fail(p, &mask,
		                   "part of an address out of order, expected 0xff(name), 0xff00(name) ...");
	}
	in->at++;
	return true;
}

static bool initial_address(struct initial *in)
{
	struct token where = in->p->token;
	struct ptx_relocation r = {.offset = in->at, .bytes = (uint8_t)in->element_bytes};
	if (!initial_symbol(in, &r))
		return false;
	if (in->element_bytes != 4 && in->element_bytes != 8)
		return parser_fail(in->p, &where,
		                   "address as initial value of a .%s, expected one of 32 or 64 bits",
		                   ptx_type_name(in->type));
	if (!initial_reserve(in, &where, in->element_bytes))
		return false;
	*PARSER_PUSH(in->relocations, in->relocation_capacity, in->relocation_count) = r;
	in->at += in->element_bytes;
	return true;
}

static bool initial_value(struct initial *in)
{
	struct parser *p = in->p;
	if (p->token.kind == TOKEN_NAME)
		return initial_address(in);
	if (p->token.kind == TOKEN_INTEGER && in->element_bytes == 1) {
		struct lexer ahead = p->lexer;
		struct token next = lexer_next(&ahead);
		if (token_is(&next, '('))
			return initial_address_byte(in);
	}
	return initial_number(in);
}

/* ---- braces ---------------------------------------------------------------------------------------------- */

/* Bytes of what a brace at this level encloses. */
static uint64_t initial_level_bytes(const struct initial *in, uint32_t level)
{
	uint64_t bytes = in->element_bytes;
	for (uint32_t i = level; i < in->dimensions->count; i++)
		bytes *= in->dimensions->size[i];
	return bytes;
}

/* Levels are at most as many as dimensions, and one for vectors. */
static bool initial_braces(struct initial *in, uint32_t level)
{
	struct parser *p = in->p;
	uint64_t start = in->at;
	if (!token_is(&p->token, '{'))
		return initial_value(in);
	if (level > in->dimensions->count)
		return parser_expected(p, "a value: there are more braces than dimensions");
	parser_advance(p);
	if (!token_is(&p->token, '}')) {
		do {
			if (!initial_braces(in, level + 1))
				return false;
		} while (parser_accept(p, ','));
	}
	if (!parser_expect(p, '}', "after initial values"))
		return false;
	if (level > 0)
		in->at = start + initial_level_bytes(in, level);
	bool fits = in->at <= in->limit && in->at <= PARSE_BYTES_MAX;
	return fits || parser_expected(p, "fewer initial values");
}

static bool initial_finish(struct initial *in, struct ptx_variable *v)
{
	struct parser *p = in->p;
	for (uint32_t i = 0; i < in->relocation_count; i++)
		if (in->relocations[i].bytes != 4 && in->relocations[i].bytes != 8)
			return parser_fail(p, &p->token,
			                   "address of %u bytes in the initial value, expected 4 or 8",
			                   in->relocations[i].bytes);
	v->initial = arena_copy(p->arena, in->bytes, in->used);
	v->initial_bytes = in->used;
	v->relocations =
	    arena_copy(p->arena, in->relocations, in->relocation_count * sizeof *in->relocations);
	v->relocation_count = in->relocation_count;
	p->initial_bytes += in->used;
	if (in->limit == UINT64_MAX)
		v->bytes = in->used > in->at ? in->used : in->at;
	return true;
}

bool parse_initial(struct parser *p, uint32_t variable, const struct dimensions *d)
{
	struct ptx_variable *v = &p->module->variables[variable];
	struct initial in = {.p = p,
	                     .dimensions = d,
	                     .type = v->type,
	                     .element_bytes = ptx_type_bytes(v->type),
	                     .limit = d->count && !d->size[0] ? UINT64_MAX : v->bytes};
	bool ok = initial_braces(&in, 0) && initial_finish(&in, v);
	free(in.bytes);
	free(in.relocations);
	return ok;
}
