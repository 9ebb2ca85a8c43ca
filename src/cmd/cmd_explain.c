/* sluice explain: who answers each question under a chain of policies, and where every parameter comes from. */
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "lab/experiment/run.h"
#include "lab/program/args.h"
#include "lab/report/table.h"

/* X(hook, how several answers combine, the question) */
#define QUESTIONS(X)                                                                                         \
	X(order, "one owner", "which warp issues?")                                                          \
	X(gate, "all must agree", "which warps may issue, and issue loads?")                                 \
	X(cta_limit, "the least", "how many CTAs may be resident?")                                          \
	X(smem_capacity, "the most", "how much shared memory may CTAs fill?")                                \
	X(memq_insert, "first", "does a request join one that waits?")                                       \
	X(memq_pick, "one owner", "which waiting request goes to L1?")                                       \
	X(l1_route, "first", "cache, bypass or redirect?")                                                   \
	X(l1_feedback, "all together", "what does a request tell L2?")                                       \
	X(set_index, "one owner", "which set of L1 does a line belong to?")                                  \
	X(l1_alloc, "first", "does this reply take a line of L1?")                                           \
	X(l1_victim, "one owner", "which line of L1 gives way?")                                             \
	X(l1_capacity, "the most", "how large is L1 beside shared memory?")                                  \
	X(l1_flush, "any", "is L1 emptied?")                                                                 \
	X(side_cache, "one owner", "is there a cache beside L1?")                                            \
	X(smem_route, "first", "is shared memory on chip or behind a cache?")                                \
	X(l2_route, "first", "does a request pass L2 by?")                                                   \
	X(l2_reply, "all together", "what does L2 tell L1?")

struct question {
	const char *text, *rule;
	uint32_t mask;
};

static void answer(struct table *table, const struct chain *chain, const struct question *q)
{
	char names[256] = "";
	for (uint32_t mask = q->mask; mask; mask &= mask - 1) {
		size_t n = strlen(names);
		snprintf(names + n, sizeof names - n, "%s%s", n ? ", " : "",
		         chain->link[__builtin_ctz(mask)].policy.name);
	}
	table_add(table, "%s", q->text);
	table_add(table, "%s", q->mask ? names : "the machine");
	table_add(table, "%s", q->mask & (q->mask - 1) ? q->rule : "");
}

static void print_answers(const struct chain *chain)
{
	const struct table_column columns[] = {
	    {"question", TABLE_LEFT, 0}, {"answered by", TABLE_LEFT, 0}, {"several answers", TABLE_LEFT, 0}};
#define X(hook, rule, text) {text, rule, chain->has_##hook},
	const struct question questions[] = {QUESTIONS(X)};
#undef X
	struct table *table = table_new(columns, 3);
	for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
		answer(table, chain, &questions[i]);
	table_print(table, stdout, "");
	table_free(table);
}

/* Observers answer nothing, but what they see they may act on. */
static void print_observed(const struct chain *chain)
{
	static const char *const names[] = {
#define X(hook) #hook,
	    POLICY_HOOKS(X)
#undef X
	};
	const uint32_t masks[] = {
#define X(hook) chain->has_##hook,
	    POLICY_HOOKS(X)
#undef X
	};
	puts("\nwhat each policy hears of");
	for (uint32_t i = 0; i < chain->count; i++) {
		printf("  %s:", chain->link[i].policy.name);
		bool any = false;
		for (size_t k = 0; k < sizeof names / sizeof *names; k++)
			if (masks[k] >> i & 1 && !strncmp(names[k], "on_", 3)) {
				printf(" %s", names[k] + 3);
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

int cmd_explain(int argc, char **argv)
{
	const char *machine = "h200", *policy = "gto", *rest = NULL;
	bool help = false;
	struct arg_texts changes = {0};
	const struct arg args[] = {
	    {"--machine", "M", "machine: a name from 'sluice machine list' or a file (h200)",
	     .text = &machine},
	    {"--policy", "P", "policies, in order, name[:param=value]...[,...] (gto)", .text = &policy},
	    {"--set", "KEY=VALUE", "change a value of the machine; may be repeated", .texts = &changes},
	    {"--help", NULL, "this text", .flag = &help},
	};
	struct error err;
	struct config config;
	if (!args_parse(argc, argv, args, 4, &rest, &err)) {
		fprintf(stderr, "sluice explain: %s\nsee 'sluice explain --help'\n", err.text);
		return 2;
	}
	if (help) {
		puts(
		    "usage: sluice explain [OPTION...]\n\nPrints which policy answers each question of the model, and where every "
		    "parameter comes from.\n");
		args_print(stdout, args, 4);
		return 0;
	}
	if (rest)
		policy = rest;
	if (!config_load(&config, machine, policy, changes.text, changes.count, &err)) {
		fprintf(stderr, "sluice explain: %s\n", err.text);
		return 2;
	}
	printf("%s on %s\n\n", config.chain->text, config.machine->name);
	print_answers(config.chain);
	print_observed(config.chain);
	print_params(config.chain);
	config_free(&config);
	return 0;
}
