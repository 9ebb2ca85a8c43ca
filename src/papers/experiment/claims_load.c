/* Reading claims. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "papers/experiment/paper.h"

const char *const claim_flags[2] = {[CLAIM_BASELINE] = "baseline", [CLAIM_PREDICTION] = "prediction"};
const char *const claim_kinds[CLAIM_KINDS] = {
    [CLAIM_OTHER] = "other", [CLAIM_HEADLINE] = "headline", [CLAIM_CLASS_MEAN] = "class-mean"};
const char *const claim_types[CLAIM_TYPES] = {
    [CLAIM_GAIN] = "gain", [CLAIM_RATE] = "rate", [CLAIM_QUANTITY] = "quantity", [CLAIM_ORDER] = "order"};
const char *const claim_bounds[3] = {[BOUND_NONE] = "none", [BOUND_LEAST] = "least", [BOUND_MOST] = "most"};

/* "1.54", "1.54x", "+54%" of a gain; "58%" of a rate; "5K" of a quantity. */
static bool read_value(const struct reader *r, const struct tree_node *node, enum claim_type type,
                       struct claim_part *part)
{
	static const char *const wanted[] = {[CLAIM_GAIN] = "a ratio such as 1.54, 1.54x, +54% or -15%",
	                                     [CLAIM_RATE] = "percent such as 58%",
	                                     [CLAIM_QUANTITY] = "a number such as 12, 0.5 or 60K"};
	char *end = NULL;
	bool signed_ = node->kind == TREE_SCALAR && strchr("+-", node->text[0]) && *node->text;
	double value = node->kind == TREE_SCALAR ? strtod(node->text, &end) : NAN;
	bool ok = end && end != node->text && isfinite(value);
	if (ok && *end == '%' && !end[1] && type != CLAIM_QUANTITY) {
		ok = type == CLAIM_RATE || signed_;
		value = type == CLAIM_GAIN ? 1 + value / 100 : value;
	} else if (ok && *end == 'x' && !end[1] && type == CLAIM_GAIN) {
		ok = !signed_;
	} else if (ok && type == CLAIM_QUANTITY && *end && !end[1] && strchr("KMG", *end)) {
		value *= *end == 'K' ? 1e3 : *end == 'M' ? 1e6 : 1e9;
	} else {
		ok = ok && !*end && !(type == CLAIM_GAIN && signed_);
	}
	if (!ok)
		return read_fail(r, node, wanted[type]);
	part->value = memory_grow(part->value, part->value_text.count + 1, sizeof *part->value);
	part->value[part->value_text.count] = value;
	texts_add(&part->value_text, node->text);
	return true;
}

static bool read_published(const struct reader *r, const struct tree_node *map, struct claim_part *part)
{
	const struct tree_node *value = tree_find(map, "value");
	if (part->type == CLAIM_ORDER)
		return !value || read_fail_at(r, value, "an order has no value: it holds or not");
	if (!value)
		return read_fail_at(r, map, "the key 'value' is missing");
	if (value->kind != TREE_LIST)
		return read_value(r, value, part->type, part);
	for (const struct tree_node *one = value->first; one; one = one->next)
		if (!read_value(r, one, part->type, part))
			return false;
	return part->value || read_fail_at(r, value, "no value in the list");
}

/* type, formula, value, bound, direction */
static bool read_part(const struct reader *r, const struct tree_node *map, struct claim_part *part)
{
	const struct tree_node *type = tree_find(map, "type"), *formula = tree_find(map, "formula"),
	                       *bound = tree_find(map, "bound"), *direction = tree_find(map, "direction");
	size_t choice;
	if (!type || !formula)
		return read_fail_at(r, map, "the key '%s' is missing", type ? "formula" : "type");
	if (!read_choice(r, type, claim_types, CLAIM_TYPES, &choice))
		return false;
	part->type = (enum claim_type)choice;
	if (bound) {
		if (part->type == CLAIM_ORDER)
			return read_fail_at(r, bound, "an order has no bound");
		if (!read_choice(r, bound, claim_bounds + 1, 2, &choice))
			return false;
		part->bound = choice ? BOUND_MOST : BOUND_LEAST;
	}
	if (direction && part->type != CLAIM_ORDER)
		return read_fail_at(r, direction, "only an order has a direction of its own");
	return read_formula(r, formula, &part->formula) &&
	       (!direction || read_formula(r, direction, &part->direction)) && read_published(r, map, part);
}

static struct claim_part *add_part(struct claim *claim)
{
	claim->part = memory_grow(claim->part, claim->parts + 1, sizeof *claim->part);
	claim->part[claim->parts] = (struct claim_part){0};
	return &claim->part[claim->parts++];
}

static bool read_parts(const struct reader *r, const struct tree_node *list, struct claim *claim)
{
	static const char *const keys[] = {"type", "formula", "value", "bound", "direction", NULL};
	if (list->kind != TREE_LIST || !list->first)
		return read_fail(r, list, "a list of {type, formula, value}");
	for (const struct tree_node *entry = list->first; entry; entry = entry->next)
		if (!read_keys(r, entry, "key of a part", keys) || !read_part(r, entry, add_part(claim)))
			return false;
	return true;
}

/* A claim has parts, is one part itself, or cannot be measured. */
static bool read_judged(const struct reader *r, const struct tree_node *map, struct claim *claim)
{
	static const char *const single[] = {"type", "formula", "value", "bound", "direction"};
	const struct tree_node *parts = tree_find(map, "parts"), *never = tree_find(map, "not_measurable");
	for (size_t i = 0; (parts || never) && i < sizeof single / sizeof *single; i++)
		if (tree_find(map, single[i]))
			return read_fail_at(r, tree_find(map, single[i]), "'%s' together with '%s'",
			                    single[i], parts ? "parts" : "not_measurable");
	if (parts && never)
		return read_fail_at(r, parts, "'parts' together with 'not_measurable'");
	if (never)
		return read_text(r, never, &claim->not_measurable);
	return parts ? read_parts(r, parts, claim) : read_part(r, map, add_part(claim));
}

/* Claims of papers are called "ciao-07"; those of a user's file may have any name. */
static bool check_id(const struct reader *r, const struct tree_node *node, const struct paper *paper)
{
	size_t length = strlen(paper->name);
	if (*paper->name && (strncmp(node->name, paper->name, length) || node->name[length] != '-' ||
	                     !isdigit((unsigned char)node->name[length + 1])))
		return error_at(r->err, r->file, node->name_line, node->name_column,
		                "a claim of this paper is called %s-NUMBER", paper->name);
	for (size_t i = 0; i < paper->claims; i++)
		if (!strcmp(paper->claim[i].id, node->name))
			return error_at(r->err, r->file, node->name_line, node->name_column,
			                "%s is given twice; first on line %llu", node->name,
			                (unsigned long long)paper->claim[i].line);
	return true;
}

static bool read_claim(const struct reader *r, const struct tree_node *map, struct claim *claim)
{
	static const char *const keys[] = {"flag",  "kind",           "where", "says",  "note",
	                                   "type",  "formula",        "value", "bound", "direction",
	                                   "parts", "not_measurable", NULL};
	const struct tree_node *flag = tree_find(map, "flag"), *kind = tree_find(map, "kind");
	size_t choice = CLAIM_PREDICTION, rank = 0;
	if (!read_keys(r, map, "key of a claim", keys))
		return false;
	bool own = !*claim->paper->name;
	if (!flag && !own)
		return read_fail_at(r, map, "the key 'flag' is missing: baseline or prediction");
	if ((flag && !read_choice(r, flag, claim_flags, 2, &choice)) ||
	    (kind && !read_choice(r, kind, claim_kinds + 1, CLAIM_KINDS - 1, &rank)) ||
	    !read_text_key(r, map, "where", !own, &claim->where) ||
	    !read_text_key(r, map, "says", !own, &claim->says) ||
	    !read_text_key(r, map, "note", false, &claim->note))
		return false;
	claim->flag = (enum claim_flag)choice;
	claim->kind = kind ? (enum claim_kind)(rank + 1) : CLAIM_OTHER;
	return read_judged(r, map, claim);
}

bool claims_read(const struct reader *r, const struct tree_node *node, struct paper *paper,
                 const struct figure *figure)
{
	if (node->kind != TREE_MAP)
		return read_fail(r, node, "claims by their ids");
	for (const struct tree_node *entry = node->first; entry; entry = entry->next) {
		if (!check_id(r, entry, paper))
			return false;
		paper->claim = memory_grow(paper->claim, paper->claims + 1, sizeof *paper->claim);
		struct claim *claim = &paper->claim[paper->claims++];
		*claim = (struct claim){.paper = paper,
		                        .figure = figure,
		                        .id = memory_text(entry->name),
		                        .line = entry->name_line};
		if (!read_claim(r, entry, claim))
			return false;
	}
	return true;
}

void claims_free(struct claim *claims, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct claim *c = &claims[i];
		free(c->id);
		free(c->where);
		free(c->says);
		free(c->note);
		free(c->not_measurable);
		for (size_t k = 0; k < c->parts; k++) {
			formula_free(c->part[k].formula);
			formula_free(c->part[k].direction);
			free(c->part[k].value);
			texts_free(&c->part[k].value_text);
		}
		free(c->part);
	}
	free(claims);
}
