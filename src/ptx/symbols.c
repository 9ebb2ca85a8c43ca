/*
 * Scopes, declarations and look-up of names.
 *
 * A range of registers, %r<1000>, takes no room: its registers come to be when
 * they are first named. Labels are looked up when their scope closes, since
 * they may come after the branch.
 */
#include <string.h>

#include "ptx/parser.h"

bool symbol_declare(struct parser *p, const struct token *name, enum symbol kind, uint32_t index,
                    uint32_t depth)
{
	char buf[SHOW_SIZE];
	const struct name *old = names_find(&p->symbols, name->text, name->length);
	if (old && old->depth == depth)
		return parser_fail(p, name, "%s is declared twice in this scope, expected a new name",
		                   parser_show(buf, name));
	names_add(
	    &p->symbols,
	    (struct name){
	        .text = name->text, .length = name->length, .depth = depth, .kind = kind, .index = index});
	return true;
}

/* The range that has %r17: its name without the digits, if there are enough registers in it. */
static const struct name *symbol_range(const struct parser *p, const struct token *name)
{
	uint32_t n = name->length;
	uint64_t number = 0, power = 1;
	while (n > 1 && name->text[n - 1] >= '0' && name->text[n - 1] <= '9' && name->length - n < 10) {
		number += (uint64_t)(name->text[--n] - '0') * power;
		power *= 10;
	}
	if (n == name->length || (name->text[n] == '0' && n + 1 < name->length))
		return NULL;
	const struct name *range = names_find(&p->symbols, name->text, n);
	return range && range->kind == SYMBOL_RANGE && number < p->ranges[range->index].count ? range : NULL;
}

static uint32_t symbol_new_register(struct parser *p, const struct token *name, const struct name *range)
{
	uint32_t index = p->register_count, depth = range->depth;
	struct ptx_register *r = PARSER_PUSH(p->registers, p->capacity.registers, p->register_count);
	*r = (struct ptx_register){.name = arena_text(p->arena, name->text, name->length),
	                           .type = p->ranges[range->index].type,
	                           .physical = PTX_NO_PHYSICAL};
	names_add(&p->symbols, (struct name){.text = name->text,
	                                     .length = name->length,
	                                     .depth = depth,
	                                     .kind = SYMBOL_REGISTER,
	                                     .index = index});
	return index;
}

bool symbol_find(struct parser *p, const struct token *name, enum symbol *kind, uint32_t *index)
{
	const struct name *found = names_find(&p->symbols, name->text, name->length);
	if (!found || p->nested_ranges) {
		const struct name *range = symbol_range(p, name);
		if (range && (!found || range->depth > found->depth)) {
			*kind = SYMBOL_REGISTER;
			*index = symbol_new_register(p, name, range);
			return true;
		}
	}
	if (!found || found->kind == SYMBOL_RANGE)
		return false;
	*kind = (enum symbol)found->kind;
	*index = found->index;
	return true;
}

struct scope scope_open(struct parser *p)
{
	p->depth++;
	return (struct scope){.name_count = p->symbols.count,
	                      .pending_count = p->pending_count,
	                      .range_count = p->range_count,
	                      .nested_ranges = p->nested_ranges};
}

void symbol_await(struct parser *p, const struct token *name, enum symbol wanted, uint32_t operand,
                  uint32_t *slot)
{
	*PARSER_PUSH(p->pendings, p->capacity.pendings, p->pending_count) =
	    (struct pending){.name = *name, .wanted = wanted, .operand = operand, .slot = slot};
}

static bool pending_resolve(struct parser *p, const struct pending *pending)
{
	const struct name *found = names_find(&p->symbols, pending->name.text, pending->name.length);
	if (!found || found->depth != p->depth || found->kind != (uint32_t)pending->wanted)
		return false;
	if (pending->slot)
		*pending->slot = found->index;
	else
		p->module->operands[pending->operand].index = found->index;
	return true;
}

bool scope_close(struct parser *p, const struct scope *scope)
{
	char buf[SHOW_SIZE];
	uint32_t kept = scope->pending_count;
	for (uint32_t i = scope->pending_count; i < p->pending_count; i++) {
		struct pending pending = p->pendings[i];
		if (pending_resolve(p, &pending))
			continue;
		if (p->depth == 1)
			return parser_fail(p, &pending.name, "undefined %s %s, expected one of this function",
			                   pending.wanted == SYMBOL_TABLE ? "branch table" : "label",
			                   parser_show(buf, &pending.name));
		p->pendings[kept++] = pending;
	}
	p->pending_count = kept;
	p->depth--;
	names_close(&p->symbols, scope->name_count, p->depth);
	p->range_count = scope->range_count;
	p->nested_ranges = scope->nested_ranges;
	return true;
}
