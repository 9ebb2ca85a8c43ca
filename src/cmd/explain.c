/* sluice explain: shows which policy of a chain answers each question, and where every parameter comes from. */
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cmd/cmd.h"
#include "report/table.h"
#include "run/run.h"

static void answer(struct table *table, const struct chain *chain, enum hook hook)
{
	char names[256] = "";
	uint32_t mask = chain_mask(chain, hook);
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		size_t n = strlen(names);
		snprintf(names + n, sizeof names - n, "%s%s", n ? ", " : "",
		         chain->link[__builtin_ctz(rest)].policy.name);
	}
	table_add(table, "%s", hook_facts[hook].question);
	table_add(table, "%s", mask ? names : "the machine");
	table_add(table, "%s", mask & (mask - 1) ? hook_facts[hook].combine : "");
}

static void print_answers(const struct chain *chain)
{
	const struct table_column columns[] = {
	    {"question", TABLE_LEFT, 0}, {"answered by", TABLE_LEFT, 0}, {"several answers", TABLE_LEFT, 0}};
	struct table *table = table_new(columns, 3);
	for (enum hook hook = 0; hook < HOOK_COUNT; hook++)
		if (hook_facts[hook].question)
			answer(table, chain, hook);
	table_print(table, stdout, "");
	table_free(table);
}

/* Observers answer nothing, but what they see they may act on. */
static void print_observed(const struct chain *chain)
{
	puts("\nwhat each policy hears of");
	for (uint32_t i = 0; i < chain->count; i++) {
		printf("  %s:", chain->link[i].policy.name);
		bool any = false;
		for (enum hook hook = 0; hook < HOOK_COUNT; hook++)
			if (!hook_facts[hook].question && chain_mask(chain, hook) >> i & 1) {
				printf(" %s", hook_facts[hook].name + strlen("on_"));
				any = true;
			}
		puts(any ? "" : " nothing");
	}
}

static void print_params(const struct chain *chain)
{
	const struct table_column columns[] = {{"policy", TABLE_LEFT, 0}, {"parameter", TABLE_LEFT, 0},
	                                       {"value", TABLE_RIGHT, 0}, {"unit", TABLE_LEFT, 0},
	                                       {"from", TABLE_LEFT, 0},   {"meaning", TABLE_LEFT, 0}};
	struct table *table = table_new(columns, 6);
	size_t rows = 0;
	for (uint32_t i = 0; i < chain->count; i++) {
		const struct chain_link *link = &chain->link[i];
		for (uint32_t k = 0; k < link->policy.param_count; k++, rows++) {
			table_add(table, "%s", link->policy.name);
			table_add(table, "%s", link->policy.params[k].name);
			table_add(table, "%.10g", link->param[k]);
			table_add(table, "%s", link->policy.params[k].unit);
			table_add(table, "%s%s%s", link->param_given[k] ? "given" : "default",
			          link->bundle ? " of " : "", link->bundle ? link->bundle : "");
			table_add(table, "%s", link->policy.params[k].doc);
		}
	}
	if (rows) {
		puts("");
		table_print(table, stdout, "");
	}
	table_free(table);
}

static const struct command command = {
    .name = "explain",
    .usage =
        "usage: sluice explain [P] [OPTION...]\n"
        "\n"
        "Prints which policy of the chain P answers each question of the model, and where every parameter comes from.\n"
        "\n"
        "    sluice explain gto,ciao-c\n",
};

int cmd_explain(int argc, char **argv)
{
	const char *machine = "h200", *policy = "gto", *rest = NULL;
	bool help = false;
	struct arg_texts changes = {0};
	const struct arg args[] = {
	    CONFIG_ARGS(machine, policy),
	    {"--set", "KEY=VALUE", "change a value of the machine; may be repeated", .texts = &changes},
	    {"--help", NULL, "this text", .flag = &help},
	};
	struct error err;
	struct config config;
	int rc;
	if (!command_parse(&command, argc, argv, args, sizeof args / sizeof *args, &help, &rest, &rc))
		return rc;
	if (rest)
		policy = rest;
	if (!config_load(&config, machine, policy, changes.text, changes.count, &err))
		return command_fail(command.name, &err);
	printf("%s on %s\n\n", config.chain->text, config.machine->name);
	print_answers(config.chain);
	print_observed(config.chain);
	print_params(config.chain);
	config_free(&config);
	return 0;
}
