/* What the words in capitals of synopses stand for, and the values there are. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/complete.h"
#include "machine/catalog.h"
#include "papers/experiment/paper.h"
#include "policy/chain.h"
#include "run/look.h"
#include "workload/workload.h"

/* Nothing that cannot be read is worth a message in the middle of a command line: it offers nothing. */

static void offer_machines(struct completion *c, const char *before)
{
	struct machine_summary *list;
	size_t count;
	if (!machine_list(&list, &count, NULL))
		return;
	for (size_t i = 0; i < count; i++)
		completion_offer(c, before, list[i].name, list[i].title);
	machine_list_free(list, count);
	c->files |= strchr(c->word, '/') != NULL;
}

static void offer_policies(struct completion *c, const char *before)
{
	for (size_t i = 0; policy_registry[i]; i++)
		completion_offer(c, before, policy_registry[i]->name, policy_registry[i]->title);
	c->files |= strchr(c->word, '/') != NULL;
}

/* The parameters of one policy, each followed by `sign`: "n=". */
static void offer_params(struct completion *c, const char *before, const struct policy *policy)
{
	for (uint32_t i = 0; policy && i < policy->param_count; i++) {
		const struct policy_param *param = &policy->params[i];
		char text[128], about[512];
		snprintf(text, sizeof text, "%s=", param->name);
		snprintf(about, sizeof about, "%s: %g to %g, %g if not given", param->doc, param->min,
		         param->max, param->default_value);
		completion_offer(c, before, text, about);
	}
}

/* "gto,swl:n=2,ciao-c": a name behind every comma, a parameter behind every colon. */
static void offer_chain(struct completion *c, const char *before)
{
	char head[1024], name[64];
	const char *typed = c->word + strlen(before), *comma = strrchr(typed, ','),
	           *part = comma ? comma + 1 : typed;
	const char *colon = strrchr(part, ':');
	snprintf(head, sizeof head, "%.*s", (int)((colon ? colon + 1 : part) - c->word), c->word);
	if (!colon) {
		offer_policies(c, head);
		return;
	}
	snprintf(name, sizeof name, "%.*s", (int)strcspn(part, ":"), part);
	if (!strchr(colon, '='))
		offer_params(c, head, policy_find(name));
}

/* "swl.n=" */
static void offer_param_ranges(struct completion *c, const char *before)
{
	for (size_t i = 0; policy_registry[i]; i++) {
		char head[256];
		snprintf(head, sizeof head, "%s%s.", before, policy_registry[i]->name);
		offer_params(c, head, policy_registry[i]);
	}
}

static void offer_keys(struct completion *c, const char *before)
{
	size_t count;
	const struct machine_key *keys = machine_keys(&count);
	for (size_t i = 0; i < count; i++) {
		char text[256];
		snprintf(text, sizeof text, "%s.%s=", keys[i].section, keys[i].key);
		char head[512];
		snprintf(head, sizeof head, "%s%s", before, text);
		if (strncmp(c->word, head, strlen(head)) != 0) {
			completion_offer(c, before, text, keys[i].doc);
			continue;
		}
		for (const struct machine_choice *choice = keys[i].choices; choice && choice->spelling;
		     choice++)
			completion_offer(c, head, choice->spelling, choice->doc);
		if (keys[i].type == MACHINE_BOOL) {
			completion_offer(c, head, "yes", NULL);
			completion_offer(c, head, "no", NULL);
		}
	}
}

static void offer_workloads(struct completion *c, const char *before)
{
	struct workloads workloads;
	if (!workloads_load(&workloads, NULL))
		return;
	for (size_t i = 0; i < workloads.count; i++)
		completion_offer(c, before, workloads.list[i].name, workloads.list[i].about);
	workloads_free(&workloads);
}

static void offer_programs(struct completion *c, const char *before)
{
	offer_workloads(c, before);
	c->files = true;
}

static void offer_papers(struct completion *c, const char *before)
{
	for (int i = 0; i < PAPER_COUNT; i++)
		completion_offer(c, before, workload_papers[i].name, workload_papers[i].title);
}

static void offer_figures(struct completion *c, const char *before)
{
	char folder[PATH_MAX];
	struct papers papers;
	struct error err;
	if (!papers_folder(folder, NULL) || !papers_load(&papers, folder, false, &err))
		return;
	for (size_t p = 0; p < papers.count; p++) {
		const struct paper *paper = &papers.paper[p];
		char head[256];
		snprintf(head, sizeof head, "%s%s/", before, paper->name);
		for (size_t i = 0; i < paper->figures; i++)
			completion_offer(c, head, paper->figure[i].id, paper->figure[i].title);
		for (size_t i = 0; i < paper->claims; i++)
			completion_offer(c, before, paper->claim[i].id, paper->claim[i].says);
	}
	papers_free(&papers);
}

/* "series,ma": lists with commas. */
static void offer_listed(struct completion *c, const char *before, const char *const *names, size_t count)
{
	char head[1024];
	const char *comma = strrchr(c->word + strlen(before), ',');
	snprintf(head, sizeof head, "%.*s", comma ? (int)(comma + 1 - c->word) : (int)strlen(before),
	         c->word);
	for (size_t i = 0; i < count; i++)
		completion_offer(c, head, names[i], NULL);
}

static void offer_looks(struct completion *c, const char *before)
{
	const char *names[32] = {"all"};
	size_t count = 1;
	while (count < 32 && look_name(count - 1)) {
		names[count] = look_name(count - 1);
		count++;
	}
	offer_listed(c, before, names, count);
}

static void offer_facts(struct completion *c, const char *before)
{
	const char *names[FACT_COUNT];
	for (int i = 0; i < FACT_COUNT; i++)
		names[i] = workload_facts[i].name;
	offer_listed(c, before, names, FACT_COUNT);
}

static void offer_files(struct completion *c, const char *before)
{
	(void)before;
	c->files = true;
}

static void offer_folders(struct completion *c, const char *before)
{
	(void)before;
	c->folders = true;
}

static const struct {
	const char *word;
	void (*offer)(struct completion *c, const char *before);
} kinds[] = {
    {"M", offer_machines},
    {"MACHINE", offer_machines},
    {"P", offer_chain},
    {"POLICY", offer_policies},
    {"P.X=A..B", offer_param_ranges},
    {"KEY=VALUE", offer_keys},
    {"PROGRAM", offer_programs},
    {"WORKLOAD", offer_workloads},
    {"PAPER", offer_papers},
    {"PAPER/FIGURE", offer_figures},
    {"LOOKS", offer_looks},
    {"FACTS", offer_facts},
    {"TRACE", offer_files},
    {"FILE", offer_files},
    {"FILE.so", offer_files},
    {"FILE.yaml", offer_files},
    {"OUT.sluice", offer_files},
    {"VALUE", offer_files}, /* of the many options of cc */
    {"DIR", offer_folders},
};

void complete_words(struct completion *c, const char *words, const char *before)
{
	for (size_t length; *words; words += length + (words[length] == '|')) {
		char word[128];
		length = strcspn(words, "|");
		snprintf(word, sizeof word, "%.*s", (int)length, words);
		for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
			if (!strcmp(word, kinds[i].word))
				kinds[i].offer(c, before);
		if (islower((unsigned char)word[0]))
			completion_offer(c, before, word, NULL);
	}
}
