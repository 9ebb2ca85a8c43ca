/* What is wrong with an opcode that fits no form: the modifier or type that is to blame, and what could be meant. */
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "ptx/forms_match.h"

enum { LIST_SIZE = 160 };

static bool opcode_knows(enum ptx_op op, struct word w)
{
	for (unsigned f = 0; f < form_count; f++) {
		struct group g;
		for (const char *at = forms[f].modifiers; forms[f].op == op && group_next(&at, &g);)
			if (group_has(&g, w))
				return true;
	}
	return false;
}

static void suggest_known(struct suggest *s, enum ptx_op op, const char *name)
{
	if (opcode_knows(op, (struct word){name, strlen(name)}))
		suggest_offer(s, name);
}

/* The modifier of the opcode that is spelled most alike; NULL: none is near. */
static const char *suggest_modifier(enum ptx_op op, const char *wanted)
{
	struct suggest s = suggest_start(wanted);
	for (enum ptx_mode m = PTX_MODE_none; m < PTX_MODE_COUNT; m++)
		suggest_known(&s, op, ptx_mode_name(m));
	for (enum ptx_space space = PTX_SPACE_global; space < PTX_SPACE_COUNT; space++)
		suggest_known(&s, op, ptx_space_name(space));
	for (enum ptx_type t = PTX_TYPE_pred; t < PTX_TYPE_COUNT; t++)
		suggest_known(&s, op, ptx_type_name(t));
	for (unsigned i = 0; i < flag_count; i++)
		suggest_known(&s, op, flag_names[i].name);
	for (size_t i = 0; i < PTX_ROUND_COUNT; i++)
		suggest_known(&s, op, round_names[i]);
	for (size_t i = 0; i < PTX_COMPARE_COUNT; i++)
		suggest_known(&s, op, compare_names[i]);
	return s.best;
}

/* Adds ".a .b" for "a|b", leaving out what the list has. */
static void list_words(char list[LIST_SIZE], const struct group *g)
{
	size_t n = strlen(list);
	for (const char *p = g->words, *end = p + g->length; p < end;) {
		size_t w = strcspn(p, "| ");
		char word[32];
		snprintf(word, sizeof word, ".%.*s ", (int)w, p);
		if (!strstr(list, word) && n + w + 3 < LIST_SIZE)
			n += (size_t)snprintf(list + n, LIST_SIZE - n, "%s", word);
		p += w + 1;
	}
}

/* The types that the opcode has in any form; with `form`, in that form. */
static void list_types(char list[LIST_SIZE], enum ptx_op op, const struct form *form)
{
	for (unsigned f = 0; f < form_count; f++) {
		struct group g;
		if (forms[f].op != op || (form && form != &forms[f]))
			continue;
		for (const char *at = forms[f].modifiers; group_next(&at, &g);)
			if (g.kind == 'T' || g.kind == 'U')
				list_words(list, &g);
	}
}

static void list_end(char list[LIST_SIZE])
{
	size_t n = strlen(list);
	if (n)
		list[n - 1] = 0;
	else
		snprintf(list, LIST_SIZE, "no type");
}

static void explain_unknown(const struct opcode *code, struct word w, struct form_problem *problem)
{
	char word[CLIP_SIZE], list[LIST_SIZE] = "";
	snprintf(word, sizeof word, "%.*s", (int)(w.length < 32 ? w.length : 32), w.text);
	if (form_type(w.text, w.length)) {
		list_types(list, code->op, NULL);
		list_end(list);
		snprintf(problem->text, sizeof problem->text, "type '.%s' does not go with '%s', expected %s",
		         word, ptx_op_name(code->op), list);
		return;
	}
	const char *near = suggest_modifier(code->op, word);
	snprintf(problem->text, sizeof problem->text, "unknown modifier '.%s' of '%s', expected %s%s%s", word,
	         ptx_op_name(code->op), near ? "perhaps '." : "one that the opcode has", near ? near : "",
	         near ? "'" : "");
}

static void explain_conflict(const struct opcode *code, const struct form *best, struct word w,
                             struct form_problem *problem)
{
	char list[LIST_SIZE] = "";
	if (form_type(w.text, w.length))
		list_types(list, code->op, best);
	list_end(list);
	snprintf(problem->text, sizeof problem->text,
	         "'.%.*s' does not go with the other modifiers of '%s'%s%s", (int)w.length, w.text,
	         ptx_op_name(code->op), form_type(w.text, w.length) ? ", expected " : "",
	         form_type(w.text, w.length) ? list : ", expected it left out");
}

static void explain_missing(const struct opcode *code, const struct group *missing,
                            struct form_problem *problem)
{
	char list[LIST_SIZE] = "";
	if (missing->kind == 'T')
		list_types(list, code->op, NULL);
	else
		list_words(list, missing);
	list_end(list);
	snprintf(problem->text, sizeof problem->text, "'%s' lacks a %s, expected %s", ptx_op_name(code->op),
	         missing->kind == 'T' || missing->kind == 'U' ? "type" : "modifier", list);
}

void form_explain(const struct opcode *code, struct form_problem *problem)
{
	const struct form *best = NULL;
	struct group missing = {0}, m;
	unsigned most = 0;
	for (unsigned i = 0; i < code->count; i++) {
		problem->at = (size_t)(code->words[i].text - code->text);
		if (!opcode_knows(code->op, code->words[i])) {
			explain_unknown(code, code->words[i], problem);
			return;
		}
	}
	for (unsigned f = 0; f < form_count; f++) {
		struct ptx_insn insn;
		unsigned fitted = forms[f].op == code->op ? form_fit(&forms[f], code, &insn, &m) : 0;
		if (forms[f].op == code->op && (!best || fitted > most)) {
			best = &forms[f];
			most = fitted;
			missing = m;
		}
	}
	if (most < code->count) {
		problem->at = (size_t)(code->words[most].text - code->text);
		explain_conflict(code, best, code->words[most], problem);
	} else {
		problem->at = 0;
		explain_missing(code, &missing, problem);
	}
}

/* ---- what PTX has and we do not -------------------------------------------------------------------------- */

static const struct unsupported {
	const char *opcode, *modifier; /* NULL: all of the opcode */
	const char *what;
} unsupported[] = {
    {"wgmma", NULL, "matrix products of warp groups"},
    {"tcgen05", NULL, "tensor memory and the matrix products of compute capability 10"},
    {"mma", "sp", "products of sparse matrices"},
    {"mma", "sp::ordered_metadata", "products of sparse matrices"},
    {"cp", "tensor", "bulk copies by tensor map"},
    {"cp", "reduce", "bulk copies that reduce"},
    {"cp", "multicast::cluster", "bulk copies to several CTAs"},
    {"tensormap", NULL, "tensor maps"},
    {"prefetch", "tensormap", "tensor maps"},
    {"multimem", NULL, "accesses of several devices at once"},
    {"st", "async", "stores that report to an mbarrier"},
    {"red", "async", "reductions that report to an mbarrier"},
    {"cvt", "e2m1x2", "numbers of four bits (fp4), of compute capability 10"},
    {"cvt", "e2m3x2", "numbers of six bits (fp6), of compute capability 10"},
    {"cvt", "e3m2x2", "numbers of six bits (fp6), of compute capability 10"},
    {"cvt", "ue8m0x2", "scale factors of blocks (mxf8), of compute capability 10"},
    {"mma", "e2m1", "numbers of four bits (fp4), of compute capability 10"},
    {"mma", "e2m3", "numbers of six bits (fp6), of compute capability 10"},
    {"mma", "e3m2", "numbers of six bits (fp6), of compute capability 10"},
    {"mma", "block_scale", "scale factors of blocks (mxf8), of compute capability 10"},
    {"clusterlaunchcontrol", NULL, "clusters that take over the work of others"},
};

bool form_is_unsupported(const char *text, size_t length, struct form_problem *problem)
{
	const char *dot = memchr(text, '.', length);
	struct word name = {text, dot ? (size_t)(dot - text) : length};
	for (size_t i = 0; i < sizeof unsupported / sizeof *unsupported; i++) {
		const struct unsupported *u = &unsupported[i];
		const char *at = dot;
		if (!word_is(name, u->opcode))
			continue;
		while (u->modifier && at) {
			const char *next = memchr(at + 1, '.', (size_t)(text + length - at - 1));
			struct word w = {at + 1, (size_t)((next ? next : text + length) - at - 1)};
			if (word_is(w, u->modifier))
				break;
			at = next;
		}
		if (u->modifier && !at)
			continue;
		problem->at = 0;
		snprintf(problem->text, sizeof problem->text, "'%s%s%s' is not supported: %s", u->opcode,
		         u->modifier ? "." : "", u->modifier ? u->modifier : "", u->what);
		return true;
	}
	return false;
}
