/*
 * Opcodes with their modifiers against the table of forms.
 *
 * Matching reads the table's strings; the parser asks once per distinct opcode
 * text of a module, so that this need not be fast.
 */
#include "ptx/forms.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"

enum { WORDS_MAX = 16, LIST_SIZE = 160 };

#define X(opcode, modifiers, operands) {PTX_##opcode, modifiers, operands},
static const struct form forms[] = {
#include "ptx/forms.def"
};
#undef X
enum { FORM_COUNT = sizeof forms / sizeof *forms };

#define X(name) #name,
static const char *const round_names[] = {PTX_ROUNDS(X)};
static const char *const compare_names[] = {PTX_COMPARES(X)};
static const char *const combine_names[] = {PTX_COMBINES(X)};
static const char *const cache_names[] = {PTX_CACHES(X)};
static const char *const scope_names[] = {PTX_SCOPES(X)};
#undef X

struct flag_name {
	const char *name;
	uint16_t flag;
};
static const struct flag_name flag_names[] = {
    {"ftz", PTX_FLAG_FTZ},
    {"sat", PTX_FLAG_SAT},
    {"uni", PTX_FLAG_UNI},
    {"cc", PTX_FLAG_CC},
    {"approx", PTX_FLAG_APPROX},
    {"full", PTX_FLAG_FULL},
    {"volatile", PTX_FLAG_VOLATILE},
    {"mmio", PTX_FLAG_VOLATILE},
    {"relaxed", PTX_FLAG_STRONG},
    {"acquire", PTX_FLAG_STRONG},
    {"release", PTX_FLAG_STRONG},
    {"acq_rel", PTX_FLAG_STRONG},
    {"nc", PTX_FLAG_NC},
    {"to", PTX_FLAG_TO},
    {"wrap", PTX_FLAG_WRAP},
    {"sync", PTX_FLAG_SYNC},
    {"NaN", PTX_FLAG_NAN},
    {"relu", PTX_FLAG_RELU},
    {"shiftamt", PTX_FLAG_SHIFTAMT},
    {"clamp", PTX_FLAG_SHIFTAMT},
    {"xorsign", PTX_FLAG_SHIFTAMT},
    {"zero", PTX_FLAG_SAT},
    {"trap", 0},
};

struct word {
	const char *text;
	size_t length;
};

static bool word_is(struct word w, const char *name)
{
	return !strncmp(name, w.text, w.length) && !name[w.length];
}

static uint8_t word_index(struct word w, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (word_is(w, names[i]))
			return (uint8_t)i;
	return 0;
}
#define WORD_INDEX(word, names) word_index(word, names, sizeof(names) / sizeof *(names))

enum ptx_type form_type(const char *name, size_t length)
{
	for (enum ptx_type t = PTX_TYPE_pred; t < PTX_TYPE_COUNT; t++)
		if (word_is((struct word){name, length}, ptx_type_name(t)))
			return t;
	return PTX_TYPE_none;
}

enum ptx_space form_space(const char *name, size_t length)
{
	struct word w = {name, length};
	if (word_is(w, "shared::cta"))
		return PTX_SPACE_shared;
	if (word_is(w, "param::entry") || word_is(w, "param::func"))
		return PTX_SPACE_param;
	for (enum ptx_space s = PTX_SPACE_global; s < PTX_SPACE_COUNT; s++)
		if (word_is(w, ptx_space_name(s)))
			return s;
	return PTX_SPACE_generic;
}

/* ---- one group of a form: "k:word|word" ------------------------------------------------------------------ */

struct group {
	char kind; /* a small letter, T or U */
	bool required;
	const char *words;
	size_t length;
};

/* The group at *at, which then points behind it. False: there is none. */
static bool group_next(const char **at, struct group *g)
{
	while (**at == ' ')
		++*at;
	if (!**at)
		return false;
	char letter = **at;
	g->required = isupper((unsigned char)letter);
	g->kind = letter == 'T' || letter == 'U' ? letter : (char)tolower((unsigned char)letter);
	g->words = *at + 2;
	g->length = strcspn(g->words, " ");
	*at = g->words + g->length;
	return true;
}

static bool group_has(const struct group *g, struct word w)
{
	for (const char *p = g->words, *end = p + g->length; p < end;) {
		size_t n = strcspn(p, "| ");
		if (n == w.length && !memcmp(p, w.text, n))
			return true;
		p += n + 1;
	}
	return false;
}

static uint8_t mode_index(struct word w)
{
	for (enum ptx_mode m = PTX_MODE_none; m < PTX_MODE_COUNT; m++)
		if (word_is(w, ptx_mode_name(m)))
			return (uint8_t)m;
	return 0;
}

static uint16_t flag_bit(struct word w)
{
	for (size_t i = 0; i < sizeof flag_names / sizeof *flag_names; i++)
		if (word_is(w, flag_names[i].name))
			return flag_names[i].flag;
	return 0;
}

static void group_apply(const struct group *g, struct word w, struct ptx_insn *insn)
{
	switch (g->kind) {
	case 'T':
		insn->type = (uint8_t)form_type(w.text, w.length);
		break;
	case 'U':
		insn->type2 = (uint8_t)form_type(w.text, w.length);
		break;
	case 'm':
		insn->mode = mode_index(w);
		break;
	case 'r':
		insn->round = WORD_INDEX(w, round_names);
		break;
	case 'c':
		insn->compare = WORD_INDEX(w, compare_names);
		break;
	case 'b':
		insn->combine = WORD_INDEX(w, combine_names);
		break;
	case 'q':
		insn->combine = (uint8_t)(strchr("rgba", *w.text) - "rgba");
		break;
	case 's':
		insn->space = (uint8_t)form_space(w.text, w.length);
		break;
	case 'k':
		insn->cache = WORD_INDEX(w, cache_names);
		break;
	case 'o':
		insn->scope = word_is(w, "gl") ? PTX_SCOPE_gpu : WORD_INDEX(w, scope_names);
		break;
	case 'f':
		insn->flags |= flag_bit(w);
		break;
	case 'v':
		insn->vector = (uint8_t)(w.text[1] - '0');
		break;
	default: /* h: no effect */
		break;
	}
}

/* ---- a whole form ---------------------------------------------------------------------------------------- */

struct opcode {
	const char *text;
	enum ptx_op op;
	struct word words[WORDS_MAX];
	unsigned count;
};

/* Gives each word its group. The number of the first word without one, or `count`; `missing` is a group not served. */
static unsigned form_fit(const struct form *form, const struct opcode *code, struct ptx_insn *insn,
                         struct group *missing)
{
	uint64_t used = 0;
	unsigned i = 0;
	*insn = (struct ptx_insn){.op = (uint16_t)form->op, .vector = 1, .guard = PTX_NONE};
	for (; i < code->count; i++) {
		struct group g;
		const char *at = form->modifiers;
		bool found = false;
		for (unsigned n = 0; !found && group_next(&at, &g); n++) {
			bool too_early = g.kind == 'U' && !insn->type; /* the first type is the result's */
			found = !(used >> n & 1) && !too_early && group_has(&g, code->words[i]);
			used |= (uint64_t)found << n;
		}
		if (!found)
			break;
		group_apply(&g, code->words[i], insn);
	}
	if (!insn->type2)
		insn->type2 = insn->type;
	struct group g;
	const char *at = form->modifiers;
	missing->kind = 0;
	for (unsigned n = 0; group_next(&at, &g); n++)
		if (g.required && !(used >> n & 1) && !missing->kind)
			*missing = g;
	return i;
}

/* ---- what is wrong --------------------------------------------------------------------------------------- */

static bool opcode_knows(enum ptx_op op, struct word w)
{
	for (unsigned f = 0; f < FORM_COUNT; f++) {
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
	for (size_t i = 0; i < sizeof flag_names / sizeof *flag_names; i++)
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
	for (unsigned f = 0; f < FORM_COUNT; f++) {
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

static void explain(const struct opcode *code, struct form_problem *problem)
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
	for (unsigned f = 0; f < FORM_COUNT; f++) {
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

/* ---- from text ------------------------------------------------------------------------------------------- */

static bool opcode_find(struct word name, struct opcode *code, struct form_problem *problem)
{
	char text[CLIP_SIZE];
	for (code->op = 0; code->op < PTX_OP_COUNT; code->op++)
		if (word_is(name, ptx_op_name(code->op)))
			return true;
	snprintf(text, sizeof text, "%.*s", (int)(name.length < 40 ? name.length : 40), name.text);
	struct suggest s = suggest_start(text);
	for (enum ptx_op op = 0; op < PTX_OP_COUNT; op++)
		suggest_offer(&s, ptx_op_name(op));
	snprintf(problem->text, sizeof problem->text, "unknown opcode '%s', expected %s%s%s", text,
	         s.best ? "perhaps '" : "an instruction of PTX", s.best ? s.best : "", s.best ? "'" : "");
	return false;
}

/* "op.word.word" into its parts. */
static bool opcode_split(const char *text, size_t length, struct opcode *code, struct form_problem *problem)
{
	const char *end = text + length, *dot = memchr(text, '.', length);
	code->count = 0;
	problem->at = 0;
	if (!opcode_find((struct word){text, (size_t)((dot ? dot : end) - text)}, code, problem))
		return false;
	while (dot) {
		const char *start = dot + 1;
		dot = memchr(start, '.', (size_t)(end - start));
		struct word w = {start, (size_t)((dot ? dot : end) - start)};
		problem->at = (size_t)(start - text);
		if (code->count == WORDS_MAX || !w.length) {
			snprintf(problem->text, sizeof problem->text, "%s, expected at most %d",
			         w.length ? "too many modifiers" : "'.' without a modifier", WORDS_MAX);
			return false;
		}
		code->words[code->count++] = w;
	}
	return true;
}

const struct form *form_find(const char *text, size_t length, struct ptx_insn *insn,
                             struct form_problem *problem)
{
	struct opcode code = {.text = text};
	if (!opcode_split(text, length, &code, problem))
		return NULL;
	for (unsigned f = 0; f < FORM_COUNT; f++) {
		struct group missing;
		if (forms[f].op == code.op && form_fit(&forms[f], &code, insn, &missing) == code.count &&
		    !missing.kind)
			return &forms[f];
	}
	explain(&code, problem);
	return NULL;
}

/* ---- to text --------------------------------------------------------------------------------------------- */

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
	case 'f':
		return one.flags && (i->flags & one.flags) == one.flags;
	case 'q':
		return one.combine == i->combine;
	case 'v':
		return one.vector == i->vector;
	default:
		return (one.mode && one.mode == i->mode) || (one.round && one.round == i->round) ||
		       (one.compare && one.compare == i->compare) ||
		       (one.combine && one.combine == i->combine) || (one.space && one.space == i->space) ||
		       (one.cache && one.cache == i->cache) || (one.scope && one.scope == i->scope);
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
	for (unsigned f = 0; f < FORM_COUNT; f++)
		if ((unsigned)forms[f].op == insn->op && form_print_as(&forms[f], insn, text))
			return;
	snprintf(text, FORM_TEXT_SIZE, "%s", ptx_op_name(insn->op));
}
