/*
 * Opcodes with their modifiers against the table of forms (forms.def): reading an opcode, saying what is wrong with
 * one that fits no form, and writing an instruction's opcode again.
 *
 * Matching reads the table's strings. The parser asks once per distinct opcode text of a module.
 */
#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "ptx/forms.h"

#define X(opcode, modifiers, operands) {PTX_##opcode, modifiers, operands},
static const struct form forms[] = {
#include "ptx/forms.def"
};
#undef X
static const unsigned form_count = sizeof forms / sizeof *forms;

#define X(name) #name,
static const char *const round_names[] = {PTX_ROUNDS(X)};
static const char *const compare_names[] = {PTX_COMPARES(X)};
static const char *const combine_names[] = {PTX_COMBINES(X)};
static const char *const cache_names[] = {PTX_CACHES(X)};
static const char *const scope_names[] = {PTX_SCOPES(X)};
#undef X
#define X(name, m, n, k) #name,
static const char *const shape_names[] = {PTX_SHAPES(X)};
#undef X
#define X(name, spelling) spelling,
static const char *const mode_names[] = {PTX_MODES(X)};
#undef X

static const struct flag_name {
	const char *name;
	uint32_t flag;
} flag_names[] = {
    {"ftz", PTX_FLAG_FTZ},
    {"sat", PTX_FLAG_SAT},
    {"uni", PTX_FLAG_UNI},
    {"cc", PTX_FLAG_CC},
    {"approx", PTX_FLAG_APPROX},
    {"full", PTX_FLAG_FULL},
    {"volatile", PTX_FLAG_VOLATILE},
    {"mmio", PTX_FLAG_VOLATILE},
    {"relaxed", PTX_FLAG_STRONG},
    {"acquire", PTX_FLAG_STRONG | PTX_FLAG_ACQUIRE},
    {"release", PTX_FLAG_STRONG | PTX_FLAG_RELEASE},
    {"acq_rel", PTX_FLAG_STRONG | PTX_FLAG_ACQUIRE | PTX_FLAG_RELEASE},
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
    {"satfinite", PTX_FLAG_SAT},
    {"trans", PTX_FLAG_TRANS},
    {"bulk", PTX_FLAG_BULK},
    {"parity", PTX_FLAG_PARITY},
    {"expect_tx", PTX_FLAG_EXPECT_TX},
    {"noComplete", PTX_FLAG_NO_COMPLETE},
    {"noinc", PTX_FLAG_NOINC},
    {"mbarrier", PTX_FLAG_MBARRIER},
    {"L2::cache_hint", PTX_FLAG_HINT},
    {"add", PTX_FLAG_ACCUMULATE},
    {"tensor", PTX_FLAG_TENSOR},
};
static const unsigned flag_count = sizeof flag_names / sizeof *flag_names;

enum { WORDS_MAX = 16, LIST_SIZE = 160 };

struct word {
	const char *text;
	size_t length;
};

/* One group of a form: "k:word|word". */
struct group {
	char kind; /* a small letter, T, U, Y or Z */
	bool required;
	const char *words;
	size_t length;
};

/* An opcode as it is written, split into its words. */
struct opcode {
	const char *text;
	enum ptx_op op;
	struct word words[WORDS_MAX];
	unsigned count;
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
	if (word_is(w, "shared::cta") || word_is(w, "shared::cluster"))
		return PTX_SPACE_shared;
	if (word_is(w, "param::entry") || word_is(w, "param::func"))
		return PTX_SPACE_param;
	for (enum ptx_space s = PTX_SPACE_global; s < PTX_SPACE_COUNT; s++)
		if (word_is(w, ptx_space_name(s)))
			return s;
	return PTX_SPACE_generic;
}

/* ---- one group of a form: "k:word|word" ------------------------------------------------------------------ */

/* Take the group at *at, and move *at behind it. False: there is none. */
static bool group_next(const char **at, struct group *g)
{
	while (**at == ' ')
		++*at;
	if (!**at)
		return false;
	char letter = **at;
	g->required = isupper((unsigned char)letter);
	g->kind = strchr("TUYZ", letter) ? letter : (char)tolower((unsigned char)letter);
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

static uint32_t flag_bit(struct word w)
{
	for (unsigned i = 0; i < flag_count; i++)
		if (word_is(w, flag_names[i].name))
			return flag_names[i].flag;
	return 0;
}

/* "L1::no_allocate", "L2::evict_first": what the cache should do with the data. */
static uint8_t evict_of(struct word w)
{
	static const struct {
		const char *name;
		enum ptx_evict evict;
	} words[] = {{"evict_normal", PTX_EVICT_normal},
	             {"evict_first", PTX_EVICT_first},
	             {"evict_last", PTX_EVICT_last},
	             {"evict_unchanged", PTX_EVICT_unchanged},
	             {"no_allocate", PTX_EVICT_no_allocate}};
	struct word bare = {w.text + 4, w.length - 4}; /* behind "L1::" */
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (word_is(bare, words[i].name))
			return (uint8_t)words[i].evict;
	return PTX_EVICT_none;
}

static uint8_t layout_of(struct word w)
{
	return word_is(w, "row") ? PTX_LAYOUT_row : PTX_LAYOUT_col;
}

static uint8_t type_of(struct word w)
{
	return (uint8_t)form_type(w.text, w.length);
}

static uint8_t space_of(struct word w)
{
	return (uint8_t)form_space(w.text, w.length);
}

static uint8_t scope_of(struct word w)
{
	return word_is(w, "gl") ? PTX_SCOPE_gpu : WORD_INDEX(w, scope_names);
}

static uint8_t fragment_of(struct word w)
{
	return (uint8_t)(strchr("dabc", *w.text) - "dabc");
}

static uint8_t component_of(struct word w)
{
	return (uint8_t)(strchr("rgba", *w.text) - "rgba");
}

static uint8_t vector_of(struct word w)
{
	return (uint8_t)(w.text[1] - '0');
}

static uint8_t dimensions_of(struct word w)
{
	return (uint8_t)(w.text[0] - '0');
}

#define INDEX_OF(what)                                                                                       \
	static uint8_t what##_of(struct word w)                                                              \
	{                                                                                                    \
		return WORD_INDEX(w, what##_names);                                                          \
	}
INDEX_OF(round)
INDEX_OF(compare)
INDEX_OF(combine)
INDEX_OF(cache)
INDEX_OF(shape)
INDEX_OF(mode)

/* The kinds of groups: the field of the instruction that a word sets, and to what. Flags (f) and words without effect (h) set none. */
static const struct kind {
	char letter;
	bool has_none; /* 0 stands for no word */
	size_t field;
	uint8_t (*read)(struct word w);
} kinds[] = {
#define FIELD(name) offsetof(struct ptx_insn, name)
    {'T', false, FIELD(type), type_of},         {'U', false, FIELD(type2), type_of},
    {'Y', false, FIELD(type3), type_of},        {'Z', false, FIELD(type4), type_of},
    {'a', false, FIELD(layout), layout_of},     {'d', false, FIELD(layout2), layout_of},
    {'w', false, FIELD(fragment), fragment_of}, {'q', false, FIELD(combine), component_of},
    {'v', false, FIELD(vector), vector_of},     {'n', false, FIELD(vector), vector_of},
    {'m', true, FIELD(mode), mode_of},          {'r', true, FIELD(round), round_of},
    {'c', true, FIELD(compare), compare_of},    {'b', true, FIELD(combine), combine_of},
    {'s', true, FIELD(space), space_of},        {'k', true, FIELD(cache), cache_of},
    {'o', true, FIELD(scope), scope_of},        {'g', true, FIELD(shape), shape_of},
    {'e', true, FIELD(evict), evict_of},        {'i', false, FIELD(vector), dimensions_of},
#undef FIELD
};

static const struct kind *kind_of(const struct group *g)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (kinds[i].letter == g->kind)
			return &kinds[i];
	return NULL;
}

/* Set what the word of the group says of the instruction. */
static void group_apply(const struct group *g, struct word w, struct ptx_insn *insn)
{
	const struct kind *kind = kind_of(g);
	if (g->kind == 'f')
		insn->flags |= flag_bit(w);
	if (g->kind == 's' && word_is(w, "shared::cluster"))
		insn->flags |= PTX_FLAG_CLUSTER;
	/* Of several priorities of eviction, the first counts: L1 is asked before L2. */
	if (kind && !(g->kind == 'e' && insn->evict))
		((uint8_t *)insn)[kind->field] = kind->read(w);
}

/* ---- a whole form ---------------------------------------------------------------------------------------- */

/* Give each word its group. Return the number of the first word without one, or `count`; `missing` is a required group without a word. */
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
			/* Types come in the order of D, A, B, C. */
			bool too_early = (g.kind == 'U' && !insn->type) || (g.kind == 'Y' && !insn->type2);
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
/* ---- what is wrong with an opcode that fits no form ----------------------------------------------------- */

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

static void form_explain(const struct opcode *code, struct form_problem *problem)
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

/* ---- what is not supported -------------------------------------------------------------------------- */

static const struct unsupported {
	const char *opcode, *modifier; /* NULL: all of the opcode */
	const char *what;
} unsupported[] = {
    {"wgmma", "sp", "products of sparse matrices"},
    {"wgmma", "b1", "products of bits of warp groups"},
    {"tcgen05", NULL, "tensor memory and the matrix products of compute capability 10"},
    {"mma", "sp", "products of sparse matrices"},
    {"mma", "sp::ordered_metadata", "products of sparse matrices"},
    {"cp", "im2col", "bulk copies of the columns of a convolution"},
    {"cp", "reduce", "bulk copies that reduce"},
    {"cp", "multicast::cluster", "bulk copies to several CTAs"},
    {"tensormap", NULL, "tensor maps that kernels change"},
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

static bool form_is_unsupported(const char *text, size_t length, struct form_problem *problem)
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
	if (form_is_unsupported(text, length, problem))
		return NULL;
	if (!opcode_split(text, length, &code, problem))
		return NULL;
	for (unsigned f = 0; f < form_count; f++) {
		struct group missing;
		if (forms[f].op == code.op && form_fit(&forms[f], &code, insn, &missing) == code.count &&
		    !missing.kind)
			return &forms[f];
	}
	form_explain(&code, problem);
	return NULL;
}

/* ---- back to text --------------------------------------------------------------------------------------- */

/* Whether writing the word in this group is what makes the instruction as it is. */
static bool group_explains(const struct group *g, struct word w, const struct ptx_insn *i)
{
	const struct kind *kind = kind_of(g);
	if (g->kind == 'f')
		return flag_bit(w) && (i->flags & flag_bit(w)) == flag_bit(w);
	uint8_t value = kind ? kind->read(w) : 0;
	return kind && value == ((const uint8_t *)i)[kind->field] && (value || !kind->has_none);
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
