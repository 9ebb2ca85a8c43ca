/* Declarations: registers, variables, parameters. Initialisers are in parse_initial.c. */
#include <string.h>

#include "base/bits.h"
#include "ptx/parser.h"

enum { ALIGN_MAX = 1 << 16, PARAM_BYTES_MAX = 1 << 20 };

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

bool parse_type(struct parser *p, struct declared_type *type)
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
	uint32_t index = p->register_count;
	*PARSER_PUSH(p->registers, p->capacity.registers, p->register_count) =
	    (struct ptx_register){.name = arena_text(p->arena, name.text, name.length),
	                          .type = (uint8_t)type,
	                          .physical = PTX_NO_PHYSICAL};
	return symbol_declare(p, &name, SYMBOL_REGISTER, index, p->depth);
}

/* ".reg .b32 %r<8>, a;" */
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

bool parse_dimensions(struct parser *p, struct dimensions *d)
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

/* Bytes of the whole, 0 if it has no size; false: too many. */
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

/* Adds a variable "name[n][m]" of the type. */
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

/* ".global .align 4 .b8 name[16] = {...}, ...;" from behind the space on. */
bool parse_variables(struct parser *p, enum linkage linkage, enum ptx_space space)
{
	struct token at = p->token;
	struct declared_type type;
	struct ptx_variable variable = {.space = (uint8_t)space, .is_extern = linkage == LINKAGE_EXTERN};
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

/* ".ptr .global .align 4": what a pointer parameter points to does not matter to us. */
static bool parse_pointer(struct parser *p)
{
	uint32_t align;
	if (!parser_accept_word(p, ".ptr"))
		return true;
	if (p->token.kind == TOKEN_WORD &&
	    form_space(p->token.text + 1, p->token.length - 1) != PTX_SPACE_generic)
		parser_advance(p);
	return !parser_accept_word(p, ".align") || parse_align(p, &align);
}

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

bool parse_params(struct parser *p, uint32_t *first, uint32_t *count)
{
	*first = p->module->variable_count;
	*count = 0;
	if (!parser_expect(p, '(', "before the parameters"))
		return false;
	if (parser_accept(p, ')'))
		return true;
	do {
		if (!parse_param(p))
			return false;
	} while (parser_accept(p, ','));
	*count = p->module->variable_count - *first;
	return parser_expect(p, ')', "after the parameters");
}
