/* Figures and claims that are chosen by name. */
#include "papers/experiment/choice.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/suggest.h"
#include "papers/experiment/values.h"

static void add_figure(struct experiment_choice *c, const struct figure *figure)
{
	for (size_t i = 0; i < c->figures; i++)
		if (c->figure[i] == figure)
			return;
	c->figure = memory_grow(c->figure, c->figures + 1, sizeof *c->figure);
	c->figure[c->figures++] = figure;
}

static void visit_figure(void *user, const struct figure *figure)
{
	add_figure(user, figure);
}

static void add_claim(struct experiment_choice *c, const struct claim *claim)
{
	for (size_t i = 0; i < c->claims; i++)
		if (c->claim[i] == claim)
			return;
	c->claim = memory_grow(c->claim, c->claims + 1, sizeof *c->claim);
	c->claim[c->claims++] = claim;
}

/* Whether the formulas of a claim name chosen figures, and whether they name others. */
struct reach {
	const struct experiment_choice *choice;
	bool any, other;
};

static void visit_reach(void *user, const struct figure *figure)
{
	struct reach *reach = user;
	bool chosen = false;
	for (size_t i = 0; i < reach->choice->figures; i++)
		chosen |= reach->choice->figure[i] == figure;
	reach->any |= chosen;
	reach->other |= !chosen;
}

static void each_formula(const struct experiment_choice *c, const struct claim *claim,
                         void (*visit)(void *user, const struct figure *figure), void *user)
{
	for (size_t i = 0; i < claim->parts; i++) {
		values_figures(c->papers, claim->paper, claim->figure, claim->part[i].formula, visit, user);
		if (claim->part[i].direction)
			values_figures(c->papers, claim->paper, claim->figure, claim->part[i].direction,
			               visit, user);
	}
}

/* Add the claims that need no figures but the chosen ones. */
static void add_covered_claims(struct experiment_choice *c)
{
	for (size_t p = 0; p < c->papers->count; p++)
		for (size_t i = 0; i < c->papers->paper[p].claims; i++) {
			const struct claim *claim = &c->papers->paper[p].claim[i];
			struct reach reach = {.choice = c};
			each_formula(c, claim, visit_reach, &reach);
			if (reach.any && !reach.other)
				add_claim(c, claim);
		}
}

static void add_paper(struct experiment_choice *c, const struct paper *paper)
{
	for (size_t i = 0; i < paper->figures; i++)
		add_figure(c, &paper->figure[i]);
	for (size_t i = 0; i < paper->claims; i++)
		add_claim(c, &paper->claim[i]);
}

/* "8a", "fig8a", "4.2", "table2", "Table 2" */
static bool is_figure(const struct figure *figure, const char *word)
{
	char id[128];
	size_t n = 0;
	for (; *word && n + 1 < sizeof id; word++)
		if (*word != ' ')
			id[n++] = *word == '.' ? '_' : (char)tolower((unsigned char)*word);
	id[n] = '\0';
	return !strcmp(figure->id, id) || (!strncmp(figure->id, "fig", 3) && !strcmp(figure->id + 3, id));
}

static bool fail_word(const struct experiment_choice *c, const char *word, struct error *err)
{
	char clip[CLIP_SIZE], (*name)[160] = NULL;
	struct suggest near = suggest_start(word);
	size_t n = 0;
	for (size_t p = 0; p < c->papers->count; p++) {
		const struct paper *paper = &c->papers->paper[p];
		suggest_offer(&near, paper->name);
		for (size_t i = 0; i < paper->claims; i++)
			suggest_offer(&near, paper->claim[i].id);
		n += paper->figures;
	}
	name = memory_zeroed(n + 1, sizeof *name);
	n = 0;
	for (size_t p = 0; p < c->papers->count; p++)
		for (size_t i = 0; i < c->papers->paper[p].figures; i++) {
			snprintf(name[n], sizeof name[n], "%.60s/%.90s", c->papers->paper[p].name,
			         c->papers->paper[p].figure[i].id);
			suggest_offer(&near, name[n++]);
		}
	error_set(err, "no paper, figure or claim '%s'; %s%s%s", clip_text(clip, word),
	          near.best ? "did you mean '" : "'sluice reproduce --list' shows all",
	          near.best ? near.best : "", near.best ? "'?" : "");
	free(name);
	return false;
}

static bool choose_word(struct experiment_choice *c, const char *word, struct error *err)
{
	const char *slash = strchr(word, '/');
	for (size_t p = 0; p < c->papers->count; p++) {
		const struct paper *paper = &c->papers->paper[p];
		if (!strcmp(paper->name, word)) {
			add_paper(c, paper);
			return true;
		}
		size_t length = slash ? (size_t)(slash - word) : 0;
		for (size_t i = 0; slash && strlen(paper->name) == length &&
		                   !strncmp(paper->name, word, length) && i < paper->figures;
		     i++)
			if (is_figure(&paper->figure[i], slash + 1)) {
				add_figure(c, &paper->figure[i]);
				return true;
			}
		for (size_t i = 0; i < paper->claims; i++)
			if (!strcmp(paper->claim[i].id, word)) {
				add_claim(c, &paper->claim[i]);
				return true;
			}
	}
	return fail_word(c, word, err);
}

bool choice_make(struct experiment_choice *c, const struct papers *papers, char *const *word, size_t count,
                 struct error *err)
{
	*c = (struct experiment_choice){.papers = papers};
	for (size_t i = 0; i < count; i++)
		if (!choose_word(c, word[i], err))
			return false;
	for (size_t p = 0; !count && p < papers->count; p++)
		add_paper(c, &papers->paper[p]);
	add_covered_claims(c);
	c->shown = c->figures;
	for (size_t i = 0; i < c->claims; i++)
		each_formula(c, c->claim[i], visit_figure, c);
	if (!c->shown)
		c->shown = c->figures;
	return true;
}

void choice_free(struct experiment_choice *c)
{
	free(c->figure);
	free(c->claim);
}
