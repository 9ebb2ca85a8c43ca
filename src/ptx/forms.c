/*
 * Opcodes with their modifiers against the table of forms.
 *
 * Matching reads the table's strings; the parser asks once per distinct opcode
 * text of a module, so that this need not be fast.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "ptx/forms_match.h"

#define X(opcode, modifiers, operands) {PTX_##opcode, modifiers, operands},
const struct form forms[] = {
#include "ptx/forms.def"
};
#undef X
const unsigned form_count = sizeof forms / sizeof *forms;

#define X(name) #name,
const char *const round_names[] = {PTX_ROUNDS(X)};
const char *const compare_names[] = {PTX_COMPARES(X)};
static const char *const combine_names[] = {PTX_COMBINES(X)};
static const char *const cache_names[] = {PTX_CACHES(X)};
static const char *const scope_names[] = {PTX_SCOPES(X)};
#undef X
#define X(name, m, n, k) #name,
static const char *const shape_names[] = {PTX_SHAPES(X)};
#undef X

const struct flag_name flag_names[] = {
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
};
const unsigned flag_count = sizeof flag_names / sizeof *flag_names;

bool word_is(struct word w, const char *name)
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

/* The group at *at, which then points behind it. False: there is none. */
bool group_next(const char **at, struct group *g)
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

bool group_has(const struct group *g, struct word w)
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

static void apply_matrix(const struct group *g, struct word w, struct ptx_insn *insn)
{
	switch (g->kind) {
	case 'Y':
		insn->type3 = (uint8_t)form_type(w.text, w.length);
		break;
	case 'Z':
		insn->type4 = (uint8_t)form_type(w.text, w.length);
		break;
	case 'g':
		insn->shape = WORD_INDEX(w, shape_names);
		break;
	case 'a':
		insn->layout = layout_of(w);
		break;
	case 'd':
		insn->layout2 = layout_of(w);
		break;
	case 'w':
		insn->fragment = (uint8_t)(strchr("dabc", *w.text) - "dabc");
		break;
	case 'e':
		/* The first of several: L1 is asked before L2. */
		insn->evict = insn->evict ? insn->evict : evict_of(w);
		break;
	default: /* h: no effect */
		break;
	}
}

void group_apply(const struct group *g, struct word w, struct ptx_insn *insn)
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
		insn->flags |= word_is(w, "shared::cluster") ? PTX_FLAG_CLUSTER : 0u;
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
	case 'n':
		insn->vector = (uint8_t)(w.text[1] - '0');
		break;
	default:
		apply_matrix(g, w, insn);
		break;
	}
}

/* ---- a whole form ---------------------------------------------------------------------------------------- */

/* Gives each word its group. The number of the first word without one, or `count`; `missing` is a group not served. */
unsigned form_fit(const struct form *form, const struct opcode *code, struct ptx_insn *insn,
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
