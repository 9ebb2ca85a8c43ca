/* sluice reproduce: the figures and claims of papers. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/suggest.h"
#include "cli/command.h"
#include "cli/experiment_run.h"
#include "cmd/cmd.h"

static const struct command command = {
    .name = "reproduce",
    .usage =
        "usage: sluice reproduce [PAPER | PAPER/FIGURE | CLAIM ...] [OPTION...]\n"
        "       sluice reproduce --list\n"
        "\n"
        "Simulates what the figures and claims need (ciao, ciao/8a, ciao-07; nothing: all), each run once, and\n"
        "prints figures beside the published values and a verdict per claim. Runs are kept in a database as they\n"
        "end: a call that was interrupted is taken up by the next one. docs/experiments.md has the files' format.\n"
        "Exit status: 0 done, 2 bad input, 128 + signal interrupted.\n",
};

struct request {
	struct experiment_options options;
	const char *folder;
	bool list;
	char **word; /* what to reproduce */
	size_t words;
	struct papers papers;
	struct experiment_choice choice;
};

/* ---- choosing --------------------------------------------------------------------------------------------- */

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

static void add_claim(struct request *r, const struct claim *claim)
{
	struct experiment_choice *c = &r->choice;
	for (size_t i = 0; i < c->claims; i++)
		if (c->claim[i] == claim)
			return;
	c->claim = memory_grow(c->claim, c->claims + 1, sizeof *c->claim);
	c->claim[c->claims++] = claim;
}

/* Whether a claim's formulas name the figure and nothing that would have to be simulated beside it. */
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

static void each_formula(const struct request *r, const struct claim *claim,
                         void (*visit)(void *user, const struct figure *figure), void *user)
{
	for (size_t i = 0; i < claim->parts; i++) {
		values_figures(&r->papers, claim->paper, claim->figure, claim->part[i].formula, visit, user);
		if (claim->part[i].direction)
			values_figures(&r->papers, claim->paper, claim->figure, claim->part[i].direction,
			               visit, user);
	}
}

/* Claims that the chosen figures suffice for. */
static void add_covered_claims(struct request *r)
{
	for (size_t p = 0; p < r->papers.count; p++)
		for (size_t i = 0; i < r->papers.paper[p].claims; i++) {
			const struct claim *claim = &r->papers.paper[p].claim[i];
			struct reach reach = {.choice = &r->choice};
			each_formula(r, claim, visit_reach, &reach);
			if (reach.any && !reach.other)
				add_claim(r, claim);
		}
}

static void add_paper(struct request *r, const struct paper *paper)
{
	for (size_t i = 0; i < paper->figures; i++)
		add_figure(&r->choice, &paper->figure[i]);
	for (size_t i = 0; i < paper->claims; i++)
		add_claim(r, &paper->claim[i]);
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

static bool fail_word(const struct request *r, const char *word, struct error *err)
{
	char clip[CLIP_SIZE], (*name)[160] = NULL;
	struct suggest near = suggest_start(word);
	size_t n = 0;
	for (size_t p = 0; p < r->papers.count; p++) {
		const struct paper *paper = &r->papers.paper[p];
		suggest_offer(&near, paper->name);
		for (size_t i = 0; i < paper->claims; i++)
			suggest_offer(&near, paper->claim[i].id);
		n += paper->figures;
	}
	name = memory_zeroed(n + 1, sizeof *name);
	n = 0;
	for (size_t p = 0; p < r->papers.count; p++)
		for (size_t i = 0; i < r->papers.paper[p].figures; i++) {
			snprintf(name[n], sizeof name[n], "%.60s/%.90s", r->papers.paper[p].name,
			         r->papers.paper[p].figure[i].id);
			suggest_offer(&near, name[n++]);
		}
	error_set(err, "no paper, figure or claim '%s'; %s%s%s", clip_text(clip, word),
	          near.best ? "did you mean '" : "'sluice reproduce --list' shows all",
	          near.best ? near.best : "", near.best ? "'?" : "");
	free(name);
	return false;
}

static bool choose_word(struct request *r, const char *word, struct error *err)
{
	const char *slash = strchr(word, '/');
	for (size_t p = 0; p < r->papers.count; p++) {
		const struct paper *paper = &r->papers.paper[p];
		if (!strcmp(paper->name, word)) {
			add_paper(r, paper);
			return true;
		}
		size_t length = slash ? (size_t)(slash - word) : 0;
		for (size_t i = 0; slash && strlen(paper->name) == length &&
		                   !strncmp(paper->name, word, length) && i < paper->figures;
		     i++)
			if (is_figure(&paper->figure[i], slash + 1)) {
				add_figure(&r->choice, &paper->figure[i]);
				return true;
			}
		for (size_t i = 0; i < paper->claims; i++)
			if (!strcmp(paper->claim[i].id, word)) {
				add_claim(r, &paper->claim[i]);
				return true;
			}
	}
	return fail_word(r, word, err);
}

/* What claims need is run, too; it is shown if claims alone were asked for. */
static bool choose(struct request *r, struct error *err)
{
	for (size_t i = 0; i < r->words; i++)
		if (!choose_word(r, r->word[i], err))
			return false;
	for (size_t p = 0; !r->words && p < r->papers.count; p++)
		add_paper(r, &r->papers.paper[p]);
	add_covered_claims(r);
	r->choice.shown = r->choice.figures;
	for (size_t i = 0; i < r->choice.claims; i++)
		each_formula(r, r->choice.claim[i], visit_figure, &r->choice);
	if (!r->choice.shown)
		r->choice.shown = r->choice.figures;
	return true;
}

/* ---- the command ------------------------------------------------------------------------------------------ */

static void print_list(const struct papers *papers)
{
	for (size_t p = 0; p < papers->count; p++) {
		const struct paper *paper = &papers->paper[p];
		printf("%s  %s: %zu figures and tables, %zu claims\n", paper->name, paper->title,
		       paper->figures, paper->claims);
		for (size_t i = 0; i < paper->figures; i++)
			printf("  %s/%-10s %s (%s)\n", paper->name, paper->figure[i].id,
			       paper->figure[i].title, paper->figure[i].where);
	}
}

/* All policies, machines and looks of all files, too. */
static int list(struct request *r)
{
	struct error err;
	struct plan plan;
	for (size_t p = 0; p < r->papers.count; p++)
		add_paper(r, &r->papers.paper[p]);
	bool ok = plan_make(&plan, &r->papers, r->choice.figure, r->choice.figures, &err);
	plan_free(&plan);
	if (!ok)
		return experiment_fail(&r->options, &err);
	print_list(&r->papers);
	return 0;
}

/* Options and words in any order. */
static bool parse(struct request *r, int argc, char **argv, int *rc)
{
	const struct arg args[] = {
	    {"--list", NULL, "check all files and list papers, figures and the number of claims",
	     .flag = &r->list},
	    {"--papers", "DIR", "folder of the papers (SLUICE_PAPERS, else what comes with sluice)",
	     .text = &r->folder},
	    EXPERIMENT_ARGS(&r->options),
	};
	size_t count = sizeof args / sizeof *args;
	char **ours = memory_zeroed((size_t)argc + 1, sizeof *ours);
	int n = 1;
	ours[0] = argv[0];
	r->word = memory_zeroed((size_t)argc + 1, sizeof *r->word);
	for (int i = 1; i < argc; i++) {
		if (argv[i][0] != '-' || !argv[i][1]) {
			r->word[r->words++] = argv[i];
			continue;
		}
		ours[n++] = argv[i];
		for (size_t k = 0; k < count; k++)
			if (!strcmp(args[k].name, argv[i]) && args[k].value && i + 1 < argc) {
				ours[n++] = argv[++i];
				break;
			}
	}
	const char *operand = NULL;
	bool ok = command_parse(&command, n, ours, args, count, &r->options.help, &operand, rc);
	free(ours);
	return ok;
}

static int run(struct request *r)
{
	char place[PATH_MAX];
	struct error err = {{0}};
	if (!experiment_check(&r->options, &err) || (!r->folder && !papers_folder(place, &err)) ||
	    !papers_load(&r->papers, r->folder ? r->folder : place, r->options.quick, &err))
		return experiment_fail(&r->options, &err);
	int rc = r->list           ? list(r)
	         : choose(r, &err) ? experiment_run(&r->options, &r->papers, &r->choice)
	                           : experiment_fail(&r->options, &err);
	papers_free(&r->papers);
	return rc;
}

int cmd_reproduce(int argc, char **argv)
{
	struct request r = {.options = experiment_options_new("reproduce", argc, argv)};
	int rc;
	if (parse(&r, argc, argv, &rc))
		rc = run(&r);
	free(r.word);
	free(r.choice.figure);
	free(r.choice.claim);
	return rc;
}
