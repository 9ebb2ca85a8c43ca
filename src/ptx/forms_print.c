/* Instructions back to text: the first form that says what they are. */
#include <stdio.h>
#include <string.h>

#include "ptx/forms_match.h"

/* Whether writing the word in this group is what makes the instruction as it is. */
static bool group_explains(const struct group *g, struct word w, const struct ptx_insn *i)
{
	struct ptx_insn one = {.vector = 1};
	group_apply(g, w, &one);
	switch (g->kind) {
	case 'T':
		return one.type == i->type;
	case 'U':
		return one.type2 == i->type2;
	case 'Y':
		return one.type3 == i->type3;
	case 'Z':
		return one.type4 == i->type4;
	case 'a':
		return one.layout == i->layout;
	case 'd':
		return one.layout2 == i->layout2;
	case 'w':
		return one.fragment == i->fragment;
	case 'f':
		return one.flags && (i->flags & one.flags) == one.flags;
	case 'q':
		return one.combine == i->combine;
	case 'v':
	case 'n':
		return one.vector == i->vector;
	default:
		return (one.mode && one.mode == i->mode) || (one.round && one.round == i->round) ||
		       (one.compare && one.compare == i->compare) ||
		       (one.combine && one.combine == i->combine) || (one.space && one.space == i->space) ||
		       (one.cache && one.cache == i->cache) || (one.scope && one.scope == i->scope) ||
		       (one.shape && one.shape == i->shape) || (one.evict && one.evict == i->evict);
	}
}

/* The group's word for the instruction; length 0: none. */
static struct word group_word(const struct group *g, const struct ptx_insn *i)
{
	for (const char *p = g->words, *end = p + g->length; p < end;) {
		struct word w = {p, strcspn(p, "| ")};
		if (group_explains(g, w, i))
			return w;
		p += w.length + 1;
	}
	/* Words without effect are printed where the form cannot do without. */
	return (struct word){g->words, g->kind == 'h' && g->required ? strcspn(g->words, "| ") : 0};
}

static bool form_print_as(const struct form *form, const struct ptx_insn *i, char text[FORM_TEXT_SIZE])
{
	struct group g;
	int n = snprintf(text, FORM_TEXT_SIZE, "%s", ptx_op_name(form->op));
	for (const char *at = form->modifiers; group_next(&at, &g);) {
		struct word w = group_word(&g, i);
		if (!w.length && g.required)
			return false;
		if (w.length && n < FORM_TEXT_SIZE)
			n += snprintf(text + n, (size_t)(FORM_TEXT_SIZE - n), ".%.*s", (int)w.length, w.text);
	}
	return true;
}

void form_print(const struct ptx_insn *insn, char text[FORM_TEXT_SIZE])
{
	for (unsigned f = 0; f < form_count; f++)
		if ((unsigned)forms[f].op == insn->op && form_print_as(&forms[f], insn, text))
			return;
	snprintf(text, FORM_TEXT_SIZE, "%s", ptx_op_name(insn->op));
}
