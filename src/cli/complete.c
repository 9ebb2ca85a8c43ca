/* Completion of command lines, from the words that commands print for --help=words (help.h). */
#include "cli/complete.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "machine/catalog.h"
#include "papers/experiment/paper.h"
#include "policy/chain.h"
#include "run/look.h"
#include "workload/workload.h"

/* Offer BEFORE TEXT once, if it begins with the word; `about` may be NULL. */
static void offer(struct completion *c, const char *before, const char *text, const char *about)
{
	size_t size = strlen(before) + strlen(text) + (about ? strlen(about) : 0) + 2;
	char *line = memory_zeroed(size, 1);
	int length = snprintf(line, size, "%s%s", before, text);
	bool drop = strncmp(line, c->word, strlen(c->word)) != 0;
	for (size_t i = 0; i < c->count; i++)
		drop |= !strncmp(c->line[i], line, (size_t)length) && strchr("\t", c->line[i][length]);
	if (drop) {
		free(line);
		return;
	}
	if (about && *about)
		snprintf(line + length, size - (size_t)length, "\t%s", about);
	c->line = memory_grow(c->line, c->count + 1, sizeof *c->line);
	c->line[c->count++] = line;
}

/* ---- what the words in capitals of synopses stand for ----------------------------------------------------- */

/* What cannot be read offers nothing: a message would disturb the command line. */

static void offer_machines(struct completion *c, const char *before)
{
	struct machine_summary *list;
	size_t count;
	if (!machine_list(&list, &count, NULL))
		return;
	for (size_t i = 0; i < count; i++)
		offer(c, before, list[i].name, list[i].title);
	machine_list_free(list, count);
	c->files |= strchr(c->word, '/') != NULL;
}

static void offer_policies(struct completion *c, const char *before)
{
	for (size_t i = 0; policy_registry[i]; i++)
		offer(c, before, policy_registry[i]->name, policy_registry[i]->title);
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
		offer(c, before, text, about);
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
			offer(c, before, text, keys[i].doc);
			continue;
		}
		for (const struct machine_choice *choice = keys[i].choices; choice && choice->spelling;
		     choice++)
			offer(c, head, choice->spelling, choice->doc);
		if (keys[i].type == MACHINE_BOOL) {
			offer(c, head, "yes", NULL);
			offer(c, head, "no", NULL);
		}
	}
}

static void offer_workloads(struct completion *c, const char *before)
{
	struct workloads workloads;
	if (!workloads_load(&workloads, NULL))
		return;
	for (size_t i = 0; i < workloads.count; i++)
		offer(c, before, workloads.list[i].name, workloads.list[i].about);
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
		offer(c, before, workload_papers[i].name, workload_papers[i].title);
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
			offer(c, head, paper->figure[i].id, paper->figure[i].title);
		for (size_t i = 0; i < paper->claims; i++)
			offer(c, before, paper->claim[i].id, paper->claim[i].says);
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
		offer(c, head, names[i], NULL);
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
	void (*kind)(struct completion *c, const char *before);
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

/*
 * Offer what may stand where a synopsis or a table of options says `words`: alternatives with | between them. Words in
 * capitals name a kind ("MACHINE|FILE"), others stand for themselves ("tiny|small"). `before` is the part of the word in
 * front of the value: "--machine=".
 */
static void complete_words(struct completion *c, const char *words, const char *before)
{
	for (size_t length; *words; words += length + (words[length] == '|')) {
		char word[128];
		length = strcspn(words, "|");
		snprintf(word, sizeof word, "%.*s", (int)length, words);
		for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
			if (!strcmp(word, kinds[i].word))
				kinds[i].kind(c, before);
		if (islower((unsigned char)word[0]))
			offer(c, before, word, NULL);
	}
}

/* ---- what a command says of itself ------------------------------------------------------------------------ */

struct fact {
	char *field[4]; /* "option", "--machine", "M", "machine: ..."; those that are missing are "" */
};
struct facts {
	char *text; /* the fields point into it */
	struct fact *fact;
	size_t count;
};

/* Asks in this process: for as long as the command talks, standard output is a text. */
static char *listen(const struct subcommand *command, char **words, int count)
{
	char *text = NULL;
	size_t size;
	FILE *out = memory_stream_open(&text, &size), *terminal = stdout;
	stdout = out;
	command->run(count, words);
	stdout = terminal;
	memory_stream_close(out);
	return text;
}

static struct facts ask(const struct subcommand *command, const char *action)
{
	char asked[] = "--help=words", name[64], part[64];
	char *words[4] = {name};
	int count = 1;
	snprintf(name, sizeof name, "%s", command->name);
	snprintf(part, sizeof part, "%s", action ? action : "");
	if (action)
		words[count++] = part;
	words[count++] = asked;
	struct facts facts = {.text = listen(command, words, count)};
	char *rest = facts.text;
	for (char *line; (line = strsep(&rest, "\n"));) {
		struct fact fact = {{"", "", "", ""}};
		for (size_t i = 0; i < 4 && line; i++)
			fact.field[i] = strsep(&line, "\t");
		facts.fact = memory_grow(facts.fact, facts.count + 1, sizeof *facts.fact);
		facts.fact[facts.count++] = fact;
	}
	return facts;
}

static void facts_free(struct facts *facts)
{
	free(facts->fact);
	free(facts->text);
}

/* ---- synopses ----------------------------------------------------------------------------------------------- */

/* The next word of a synopsis without its brackets and dots; `ends` if a bracket closes behind it. */
static bool next_token(const char **at, char *token, size_t size, bool *ends)
{
	*at += strspn(*at, " []");
	size_t length = strcspn(*at, " ]");
	*ends = (*at)[length] == ']';
	size_t kept = length;
	while (kept && (*at)[kept - 1] == '.')
		kept--;
	snprintf(token, size, "%.*s", (int)kept, *at);
	*at += length;
	return length > 0;
}

/* What an option takes as its value by a synopsis; false: nothing, or it is not there. */
static bool value_in_synopsis(const char *synopsis, const char *option, char *value, size_t size)
{
	char token[128];
	bool ends;
	while (next_token(&synopsis, token, sizeof token, &ends))
		if (!strcmp(token, option))
			return !ends && next_token(&synopsis, value, size, &ends) && value[0] != '-';
	return false;
}

static void offer_options_of_synopsis(struct completion *c, const char *synopsis)
{
	char token[128];
	bool ends;
	while (next_token(&synopsis, token, sizeof token, &ends))
		if (token[0] == '-' && token[1])
			offer(c, "", token, NULL);
}

static void offer_operands(struct completion *c, const char *synopsis)
{
	char token[128];
	bool ends;
	while (next_token(&synopsis, token, sizeof token, &ends)) {
		if (token[0] == '-' && !ends) /* its value is no operand */
			next_token(&synopsis, token, sizeof token, &ends);
		else if (token[0] != '-')
			complete_words(c, token, "");
	}
}

/* ---- one place of the command line ----------------------------------------------------------------------------- */

/* Synopsis of the action that was chosen ("" if there is none), and the options and synopses of `facts`. */
struct place {
	const char *synopsis;
	struct facts facts;
};

static bool find_value(const struct place *place, const char *option, char *value, size_t size)
{
	for (size_t i = 0; i < place->facts.count; i++) {
		const struct fact *fact = &place->facts.fact[i];
		if (!strcmp(fact->field[0], "option") && !strcmp(fact->field[1], option))
			return snprintf(value, size, "%s", fact->field[2]) > 0;
	}
	if (value_in_synopsis(place->synopsis, option, value, size))
		return true;
	for (size_t i = 0; i < place->facts.count; i++)
		if (!strcmp(place->facts.fact[i].field[0], "synopsis") &&
		    value_in_synopsis(place->facts.fact[i].field[1], option, value, size))
			return true;
	return false;
}

static void offer_options(struct completion *c, const struct place *place)
{
	for (size_t i = 0; i < place->facts.count; i++) {
		const struct fact *fact = &place->facts.fact[i];
		if (!strcmp(fact->field[0], "option"))
			offer(c, "", fact->field[1], fact->field[3]);
		else if (!strcmp(fact->field[0], "synopsis"))
			offer_options_of_synopsis(c, fact->field[1]);
	}
	offer_options_of_synopsis(c, place->synopsis);
	offer(c, "", "--help", "describes the command");
}

static void complete_place(struct completion *c, const struct place *place, const char *previous)
{
	char value[128], option[64];
	if (previous[0] == '-' && find_value(place, previous, value, sizeof value)) {
		complete_words(c, value, "");
		return;
	}
	const char *equals = c->word[0] == '-' ? strchr(c->word, '=') : NULL;
	if (equals) {
		snprintf(option, sizeof option, "%.*s", (int)(equals - c->word), c->word);
		char before[80];
		snprintf(before, sizeof before, "%s=", option);
		if (find_value(place, option, value, sizeof value))
			complete_words(c, value, before);
		return;
	}
	if (c->word[0] == '-') {
		offer_options(c, place);
		return;
	}
	offer_operands(c, place->synopsis);
	for (size_t i = 0; i < place->facts.count; i++)
		if (!strcmp(place->facts.fact[i].field[0], "synopsis"))
			offer_operands(c, place->facts.fact[i].field[1]);
}

/* ---- commands and actions ----------------------------------------------------------------------------------- */

static const struct subcommand *find(const struct subcommand *all, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(all[i].name, name))
			return &all[i];
	return NULL;
}

/* Words behind the command; the last is the one that is completed. */
static void complete_command(struct completion *c, const struct subcommand *command, char **words, int count)
{
	struct place place = {.synopsis = "", .facts = ask(command, NULL)};
	bool has_actions = false;
	const char *action = NULL;
	for (size_t i = 0; i < place.facts.count; i++) {
		const struct fact *fact = &place.facts.fact[i];
		if (strcmp(fact->field[0], "action") != 0)
			continue;
		has_actions = true;
		if (count == 1)
			offer(c, "", fact->field[1], fact->field[3]);
		else if (!strcmp(fact->field[1], words[0])) {
			action = fact->field[1];
			place.synopsis = fact->field[2];
		}
	}
	if (has_actions && count == 1)
		offer(c, "", "--help", "describes the command");
	else if (has_actions && !action)
		;
	else if (action && strstr(place.synopsis, "[OPTION")) {
		struct place own = {.synopsis = place.synopsis, .facts = ask(command, action)};
		complete_place(c, &own, count > 1 ? words[count - 2] : "");
		facts_free(&own.facts);
	} else {
		complete_place(c, &place, count > 1 ? words[count - 2] : "");
	}
	facts_free(&place.facts);
}

struct completion complete(const struct subcommand *commands, size_t command_count, char **words, int count)
{
	struct completion c = {.word = words[count - 1]};
	if (count == 1 || (count == 2 && !strcmp(words[0], "help"))) {
		for (size_t i = 0; i < command_count; i++)
			offer(&c, "", commands[i].name, commands[i].help);
		if (count == 1) {
			offer(&c, "", "--help", "describes sluice");
			offer(&c, "", "--version", "prints the version of sluice");
		}
		return c;
	}
	const struct subcommand *command = find(commands, command_count, words[0]);
	if (command)
		complete_command(&c, command, words + 1, count - 1);
	return c;
}

void completion_free(struct completion *c)
{
	for (size_t i = 0; i < c->count; i++)
		free(c->line[i]);
	free(c->line);
}
