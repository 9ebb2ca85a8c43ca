/* sluice complete: what may stand at the end of a command line, from what commands say of themselves (help.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/complete.h"
#include "cli/help.h"
#include "cmd/cmd.h"

void completion_offer(struct completion *c, const char *before, const char *text, const char *about)
{
	size_t size = strlen(before) + strlen(text) + (about ? strlen(about) : 0) + 2;
	char *line = memory_zeroed(size, 1);
	int length = snprintf(line, size, "%s%s", before, text);
	bool known = strncmp(line, c->word, strlen(c->word)) != 0;
	for (size_t i = 0; i < c->count; i++)
		known |= !strncmp(c->line[i], line, (size_t)length) && strchr("\t", c->line[i][length]);
	if (known) {
		free(line);
		return;
	}
	if (about && *about)
		snprintf(line + length, size - (size_t)length, "\t%s", about);
	c->line = memory_grow(c->line, c->count + 1, sizeof *c->line);
	c->line[c->count++] = line;
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
			completion_offer(c, "", token, NULL);
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
			completion_offer(c, "", fact->field[1], fact->field[3]);
		else if (!strcmp(fact->field[0], "synopsis"))
			offer_options_of_synopsis(c, fact->field[1]);
	}
	offer_options_of_synopsis(c, place->synopsis);
	completion_offer(c, "", "--help", "describes the command");
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

static const struct subcommand *offer_commands(struct completion *c, const char *wanted)
{
	size_t count;
	const struct subcommand *all = subcommands(&count), *found = NULL;
	for (size_t i = 0; i < count; i++) {
		if (!strcmp(all[i].name, wanted))
			found = &all[i];
		completion_offer(c, "", all[i].name, all[i].help);
	}
	return found;
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
			completion_offer(c, "", fact->field[1], fact->field[3]);
		else if (!strcmp(fact->field[1], words[0])) {
			action = fact->field[1];
			place.synopsis = fact->field[2];
		}
	}
	if (has_actions && count == 1)
		completion_offer(c, "", "--help", "describes the command");
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

static void complete(struct completion *c, char **words, int count)
{
	struct completion ignored = {.word = ""};
	if (count == 1 || (count == 2 && !strcmp(words[0], "help"))) {
		offer_commands(c, "");
		if (count == 1) {
			completion_offer(c, "", "--help", "describes sluice");
			completion_offer(c, "", "--version", "which sluice this is");
		}
		return;
	}
	const struct subcommand *command = offer_commands(&ignored, words[0]);
	for (size_t i = 0; i < ignored.count; i++)
		free(ignored.line[i]);
	free(ignored.line);
	if (command)
		complete_command(c, command, words + 1, count - 1);
}

int cmd_complete(int argc, char **argv)
{
	if (argc < 3 || strcmp(argv[1], "--") != 0) {
		fputs(
		    "usage: sluice complete -- WORD...\n"
		    "\n"
		    "Prints what the last WORD of 'sluice WORD...' may become; for the completion of shells.\n",
		    stderr);
		return 2;
	}
	struct completion c = {.word = argv[argc - 1]};
	complete(&c, argv + 2, argc - 2);
	for (size_t i = 0; i < c.count; i++) {
		puts(c.line[i]);
		free(c.line[i]);
	}
	free(c.line);
	if (c.files)
		puts(":files");
	else if (c.folders)
		puts(":folders");
	return 0;
}
