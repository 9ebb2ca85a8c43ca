/* sluice policy: what policies there are, and what one is: citation, parameters, storage. */
#include <stdio.h>
#include <string.h>

#include "base/args.h"
#include "cli/help.h"
#include "cmd/cmd.h"
#include "report/table.h"
#include "run/run.h"

static const struct command_action actions[] = {
    {"list", "", "the policies that --policy accepts"},
    {"show", "POLICY|FILE.so [--machine M]",
     "one policy: where it comes from, its parameters, the storage it needs\non a machine (h200)"},
    {"hooks", "[--markdown]",
     "what a policy may be asked and told: when, which answers are legal, how several combine"},
    {"new", "NAME [DIR]",
     "writes a policy of your own to start from, its CMakeLists.txt and a test, to DIR (NAME);\n"
     "cmake -S NAME -B NAME/build && cmake --build NAME/build && ctest --test-dir NAME/build"},
    {NULL, NULL, NULL},
};
static const struct command command = {.name = "policy", .actions = actions};

static int refuse(const char *what, const char *word)
{
	fprintf(stderr, "sluice policy: %s '%s'; see 'sluice policy --help'\n", what, word);
	return 2;
}

static int list_policies(void)
{
	const struct table_column columns[] = {{"policy", TABLE_LEFT, 0}, {"what it is", TABLE_LEFT, 0}};
	struct table *table = table_new(columns, 2);
	for (size_t i = 0; policy_registry[i]; i++) {
		table_add(table, "%s", policy_registry[i]->name);
		table_add(table, "%s", policy_registry[i]->title);
	}
	table_print(table, stdout, "");
	table_free(table);
	return 0;
}

static void print_params(const struct policy *policy)
{
	const struct table_column columns[] = {{"parameter", TABLE_LEFT, 0}, {"default", TABLE_RIGHT, 0},
	                                       {"least", TABLE_RIGHT, 0},    {"most", TABLE_RIGHT, 0},
	                                       {"unit", TABLE_LEFT, 0},      {"meaning", TABLE_LEFT, 0}};
	struct table *table = table_new(columns, 6);
	for (uint32_t i = 0; i < policy->param_count; i++) {
		const struct policy_param *param = &policy->params[i];
		table_add(table, "%s", param->name);
		table_add(table, "%g", param->default_value);
		table_add(table, "%g", param->min);
		table_add(table, "%g", param->max);
		table_add(table, "%s", param->unit);
		table_add(table, "%s", param->doc);
	}
	puts("");
	table_print(table, stdout, "  ");
	table_free(table);
}

static void print_bits(const char *where, uint64_t bits)
{
	char text[COUNT_TEXT_SIZE];
	if (bits)
		printf("  storage %s: %s bits (%.1f B)\n", where, table_format_count(text, bits),
		       (double)bits / 8);
}

/* Every policy that the name means: itself, or the parts of a bundle. */
static void print_links(const struct chain *chain, const char *name)
{
	for (uint32_t i = 0; i < chain->count; i++) {
		const struct policy *policy = &chain->link[i].policy;
		bool asked = chain->link[i].bundle ? !strcmp(chain->link[i].bundle, name) : i == 0;
		if (!asked)
			continue;
		struct policy_env env = chain_env(chain, i, 0);
		printf("%s: %s\n", policy->name, policy->title);
		if (policy->citation)
			printf("  %s\n", policy->citation);
		print_bits("per SM", policy->sm_bits ? policy->sm_bits(&env) : 0);
		print_bits("of the whole GPU", policy->gpu_bits ? policy->gpu_bits(&env) : 0);
		if (policy->param_count)
			print_params(policy);
		puts("");
	}
}

static int show_policy(int argc, char **argv)
{
	const char *machine = "h200", *name = NULL;
	const struct arg args[] = {{"--machine", "M", "machine to compute sizes for", .text = &machine}};
	struct error err;
	struct config config;
	bool parsed = args_parse(argc, argv, args, 1, &name, &err);
	if (!parsed || !name) {
		fprintf(stderr, "sluice policy: %s; see 'sluice policy --help'\n",
		        parsed ? "no policy named" : err.text);
		return 2;
	}
	if (!config_load(&config, machine, name, NULL, 0, &err)) {
		fprintf(stderr, "sluice policy: %s\n", err.text);
		return 2;
	}
	const struct policy *known = policy_find(name);
	if (known && known->bundle)
		printf("%s: %s\n  is %s\n\n", known->name, known->title, known->bundle);
	print_links(config.chain, name);
	config_free(&config);
	return 0;
}

static void print_hooks_markdown(void)
{
	puts(
	    "| hook | question | when | legal answers | several answers | nobody answers |\n|---|---|---|---|---|---|");
	for (enum hook hook = 0; hook < HOOK_COUNT; hook++) {
		const struct hook_facts *f = &hook_facts[hook];
		if (f->question)
			printf("| `%s` | %s | %s | %s | %s | %s |\n", f->name, f->question, f->when, f->range,
			       f->combine, f->nobody);
		else
			printf("| `%s` | | %s | | all are told, in order | |\n", f->name, f->when);
	}
}

static void print_hooks(void)
{
	for (enum hook hook = 0; hook < HOOK_COUNT; hook++) {
		const struct hook_facts *f = &hook_facts[hook];
		printf("%s%s%s\n  when: %s\n", f->name, f->question ? ": " : "",
		       f->question ? f->question : "", f->when);
		if (f->question)
			printf("  legal: %s\n  several answers: %s\n  nobody answers: %s\n", f->range,
			       f->combine, f->nobody);
	}
}

static int show_hooks(int argc, char **argv)
{
	bool markdown = argc > 2 && !strcmp(argv[2], "--markdown");
	if (argc > 2 + markdown)
		return refuse("unexpected argument", argv[2 + markdown]);
	if (markdown)
		print_hooks_markdown();
	else
		print_hooks();
	return 0;
}

int cmd_policy(int argc, char **argv)
{
	if (argc < 2 || help_asked(argv[1]))
		return help_show(&command, argc < 2 ? HELP_NONE : help_asked(argv[1]));
	if (!strcmp(argv[1], "list"))
		return argc > 2 ? refuse("unexpected argument", argv[2]) : list_policies();
	if (!strcmp(argv[1], "show"))
		return show_policy(argc - 1, argv + 1);
	if (!strcmp(argv[1], "hooks"))
		return show_hooks(argc, argv);
	if (!strcmp(argv[1], "new"))
		return cmd_policy_new(argc - 2, argv + 2);
	return refuse("unknown action", argv[1]);
}
