/*
 * Declarations: registers, variables, parameters, and the initial values of variables.
 *
 * An initial address may come byte by byte, as 0xff(name), 0xff00(name) ...; such a run becomes one relocation. Only
 * the bytes that are written are stored: the rest of a variable is zero, however large it is.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/memory.h"
#include "ptx/parser.h"

enum { ALIGN_MAX = 1 << 16, PARAM_BYTES_MAX = 1 << 20 };
#define INITIAL_BYTES_MAX ((uint64_t)256 << 20) /* of all variables of a module */

struct declared_type {
	enum ptx_type type;
	uint32_t align, elements;
};

struct dimensions {
	uint64_t size[8]; /* elements; the first may be 0: unknown */
	uint32_t count;
};

/* ---- initial values ------------------------------------------------------------------------------------- */

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
	if (in->type == PTX_TYPE_f32 || in->type == PTX_TYPE_f64)
		return parser_fail(in->p, t,
		                   "integer as initial value of a .%s, expected 0f..., 0d... or a fraction",
		                   ptx_type_name(in->type));
	if (t->value > literal_limit(width, minus))
		return parser_fail(in->p, t, "initial value does not fit, expected one of %u bits", width);
	*bits = minus ? 0 - t->value : t->value;
	return true;
}

static bool initial_float(struct initial *in, const struct token *t, bool minus, uint64_t *bits)
{
	if (in->element_bytes != 4 && in->element_bytes != 8)
		return parser_fail(in->p, t, "floating-point initial value of a .%s, expected an integer",
		                   ptx_type_name(in->type));
	*bits = literal_float_bits(t->kind, t->value, minus, (unsigned)in->element_bytes);
	return true;
}

/* number = ["-"] (integer | float) */
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

/* addend = ["+"] ["-"] number, or nothing */
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

/* symbol = name addend | "generic" "(" symbol ")" addend */
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

/* address_byte = mask "(" symbol ")": 0xff(name), then 0xff00(name) ... */
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

/* address = symbol */
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

/* value = address | address_byte | number */
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

/* Return the bytes that a brace at this level encloses. */
static uint64_t initial_level_bytes(const struct initial *in, uint32_t level)
{
	uint64_t bytes = in->element_bytes;
	for (uint32_t i = level; i < in->dimensions->count; i++)
		bytes *= in->dimensions->size[i];
	return bytes;
}

/* initial = value | "{" [initial {"," initial}] "}"; levels of braces are at most the dimensions, and one of vectors */
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

static bool parse_initial(struct parser *p, uint32_t variable, const struct dimensions *d)
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

/* ---- types ---------------------------------------------------------------------------------------------- */

static bool parse_align(struct parser *p, uint32_t *align)
{
	struct token at = p->token;
	uint64_t value;
	if (!parser_integer(p, "an alignment", ALIGN_MAX, &value))
		return false;
	if (!bits_is_power_of_two(value))
		return parser_fail(p, &at, "alignment %llu, expected a power of two",
		                   (unsigned long long)value);
	*align = (uint32_t)value;
	return true;
}

static bool parse_element_type(struct parser *p, enum ptx_type *type)
{
	*type = PTX_TYPE_none;
	if (p->token.kind == TOKEN_WORD)
		*type = form_type(p->token.text + 1, p->token.length - 1);
	if (*type == PTX_TYPE_none || *type >= PTX_TYPE_tf32)
		return parser_expected(p, "a type such as .b32");
	parser_advance(p);
	return true;
}

/* type = {".align" number | ".attribute" "(" ... ")" | ".v2" | ".v4"} element */
static bool parse_type(struct parser *p, struct declared_type *type)
{
	*type = (struct declared_type){.elements = 1};
	uint32_t align = 0;
	for (;;) {
		if (parser_accept_word(p, ".align")) {
			if (!parse_align(p, &align))
				return false;
		} else if (parser_accept_word(p, ".attribute")) {
			if (!parse_skip_parentheses(p))
				return false;
		} else if (parser_accept_word(p, ".v2")) {
			type->elements = 2;
		} else if (parser_accept_word(p, ".v4")) {
			type->elements = 4;
		} else {
			break;
		}
	}
	struct token at = p->token;
	if (!parse_element_type(p, &type->type))
		return false;
	if (type->type == PTX_TYPE_pred)
		return parser_fail(p, &at, "a variable cannot be .pred, expected a type that has bytes");
	type->align = align ? align : ptx_type_bytes(type->type) * type->elements;
	return true;
}

/* ---- registers ------------------------------------------------------------------------------------------- */

/* register = name ["<" number ">"] */
static bool parse_register_range(struct parser *p, const struct token *name, enum ptx_type type)
{
	uint64_t count;
	uint32_t index = p->range_count;
	if (!parser_integer(p, "a number of registers", UINT32_MAX, &count) ||
	    !parser_expect(p, '>', "after the number"))
		return false;
	*PARSER_PUSH(p->ranges, p->capacity.ranges, p->range_count) =
	    (struct range){.count = count, .type = (uint8_t)type};
	p->nested_ranges += p->depth > 1;
	return symbol_declare(p, name, SYMBOL_RANGE, index, p->depth);
}

static bool parse_register(struct parser *p, enum ptx_type type)
{
	struct token name = p->token;
	if (name.kind != TOKEN_NAME)
		return parser_expected(p, "the name of a register");
	if (memchr(name.text, '.', name.length))
		return parser_expected(p, "a register name without '.'");
	parser_advance(p);
	if (parser_accept(p, '<'))
		return parse_register_range(p, &name, type);
	uint32_t index = parser_new_register(p, &name, (uint8_t)type);
	return symbol_declare(p, &name, SYMBOL_REGISTER, index, p->depth);
}

/* registers = ".reg" type register {"," register} ";" */
bool parse_registers(struct parser *p)
{
	struct token at = p->token;
	enum ptx_type type;
	parser_advance(p);
	if (p->function == PTX_NONE)
		return parser_fail(p, &at, "'.reg' outside a function, expected a variable or a function");
	if (parser_at_word(p, ".v2") || parser_at_word(p, ".v4"))
		return parser_expected(p, "a scalar register type; vector registers are not supported");
	if (!parse_element_type(p, &type))
		return false;
	do {
		if (!parse_register(p, type))
			return false;
	} while (parser_accept(p, ','));
	return parser_expect(p, ';', "after the registers");
}

/* ---- variables ------------------------------------------------------------------------------------------- */

/* dimensions = {"[" [number] "]"}; only the first may lack its number */
static bool parse_dimensions(struct parser *p, struct dimensions *d)
{
	d->count = 0;
	while (token_is(&p->token, '[')) {
		struct token at = p->token;
		uint64_t size = 0;
		parser_advance(p);
		if (!(d->count == 0 && token_is(&p->token, ']')) &&
		    !parser_integer(p, "the size of an array", PARSE_BYTES_MAX, &size))
			return false;
		if (!parser_expect(p, ']', "after the size of an array"))
			return false;
		if (d->count == sizeof d->size / sizeof *d->size)
			return parser_fail(p, &at, "too many dimensions, expected at most 8");
		d->size[d->count++] = size;
	}
	return true;
}

/* Compute the bytes of the whole, 0 if it has no size. False: too many. */
static bool dimensions_bytes(const struct dimensions *d, const struct declared_type *type, uint64_t *bytes)
{
	bool unsized = d->count && !d->size[0];
	*bytes = (uint64_t)ptx_type_bytes(type->type) * type->elements;
	for (uint32_t i = unsized; i < d->count; i++)
		if (__builtin_mul_overflow(*bytes, d->size[i], bytes) || *bytes > PARSE_BYTES_MAX)
			return false;
	*bytes = unsized ? 0 : *bytes;
	return true;
}

/* declarator = name dimensions; adds a variable of the type */
static bool parse_declarator(struct parser *p, struct ptx_variable variable, const struct declared_type *type,
                             struct dimensions *d)
{
	struct token name = p->token;
	if (name.kind != TOKEN_NAME)
		return parser_expected(p, "the name of a variable");
	parser_advance(p);
	if (!parse_dimensions(p, d))
		return false;
	if (!dimensions_bytes(d, type, &variable.bytes))
		return parser_fail(p, &name, "array is too large, expected at most 2^40 bytes");
	variable.name = arena_text(p->arena, name.text, name.length);
	variable.type = (uint8_t)type->type;
	variable.align = type->align;
	variable.function = p->function;
	struct ptx_module *m = p->module;
	uint32_t index = m->variable_count;
	*PARSER_PUSH(m->variables, p->capacity.variables, m->variable_count) = variable;
	if (name.length == 1 && *name.text == '_')
		return true;
	return symbol_declare(p, &name, SYMBOL_VARIABLE, index, p->depth);
}

/* variable = declarator ["=" initial] */
static bool parse_variable(struct parser *p, struct ptx_variable variable, const struct declared_type *type)
{
	struct token at = p->token;
	struct dimensions d;
	uint32_t index = p->module->variable_count;
	if (!parse_declarator(p, variable, type, &d))
		return false;
	if (token_is(&p->token, '=')) {
		if (variable.space != PTX_SPACE_global && variable.space != PTX_SPACE_const)
			return parser_expected(p,
			                       "';': only .global and .const variables have initial values");
		parser_advance(p);
		if (type->elements > 1 && d.count < sizeof d.size / sizeof *d.size)
			d.size[d.count++] = type->elements;
		return parse_initial(p, index, &d);
	}
	if (d.count && !d.size[0] && !variable.is_extern)
		return parser_fail(p, &at, "array without a size, expected a number between [ and ]");
	return true;
}

static enum ptx_space space_at(const struct parser *p)
{
	return p->token.kind == TOKEN_WORD ? form_space(p->token.text + 1, p->token.length - 1)
	                                   : PTX_SPACE_generic;
}

/* variables = space type variable {"," variable} ";": .global .align 4 .b8 name[16] = {...}; */
bool parse_variables(struct parser *p, bool is_extern, const char *expected)
{
	struct declared_type type;
	enum ptx_space space = space_at(p);
	if (space == PTX_SPACE_generic)
		return parser_expected(p, expected);
	parser_advance(p);
	struct token at = p->token;
	struct ptx_variable variable = {.space = (uint8_t)space, .is_extern = is_extern};
	if (p->function == PTX_NONE && (space == PTX_SPACE_local || space == PTX_SPACE_param))
		return parser_fail(p, &at, ".%s variable outside a function, expected one inside",
		                   ptx_space_name(space));
	if (!parse_type(p, &type))
		return false;
	do {
		if (!parse_variable(p, variable, &type))
			return false;
	} while (parser_accept(p, ','));
	return parser_expect(p, ';', "after a variable");
}

/* ---- parameters ------------------------------------------------------------------------------------------ */

/* pointer = ".ptr" [space] [".align" number]: what a pointer parameter points to; ignored */
static bool parse_pointer(struct parser *p)
{
	uint32_t align;
	if (!parser_accept_word(p, ".ptr"))
		return true;
	if (space_at(p) != PTX_SPACE_generic)
		parser_advance(p);
	return !parser_accept_word(p, ".align") || parse_align(p, &align);
}

/* param = ".param" type [pointer] declarator */
static bool parse_param(struct parser *p)
{
	struct declared_type type;
	struct dimensions d;
	uint32_t index = p->module->variable_count;
	if (!parser_accept_word(p, ".param"))
		return parser_expected(p, "'.param'");
	if (!parse_type(p, &type) || !parse_pointer(p))
		return false;
	struct token name = p->token;
	if (!parse_declarator(p, (struct ptx_variable){.space = PTX_SPACE_param}, &type, &d))
		return false;
	if (p->module->variables[index].bytes > PARAM_BYTES_MAX)
		return parser_fail(p, &name, "parameter of %llu bytes, expected at most %d",
		                   (unsigned long long)p->module->variables[index].bytes, PARAM_BYTES_MAX);
	return true;
}

/* params = "(" [param {"," param}] ")" */
bool parse_params(struct parser *p, struct variable_list *params)
{
	uint32_t first = p->module->variable_count;
	if (!parser_expect(p, '(', "before the parameters"))
		return false;
	if (parser_accept(p, ')'))
		return true;
	do {
		if (!parse_param(p))
			return false;
	} while (parser_accept(p, ','));
	params->count = p->module->variable_count - first;
	uint32_t *index = arena_alloc(p->arena, params->count * sizeof *index);
	for (uint32_t i = 0; i < params->count; i++)
		index[i] = first + i;
	params->index = index;
	return parser_expect(p, ')', "after the parameters");
}
