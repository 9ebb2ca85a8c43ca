/* sluice policy: lists policies, shows one, explains the hooks, makes a folder for a new policy. */
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cmd/cmd.h"
#include "report/table.h"
#include "run/run.h"
#include "setup/setup.h"

static const char NAME[] = "policy";

static int list_policies(int argc, char **argv)
{
	if (argc > 1)
		return command_reject(NAME, "unexpected argument", argv[1]);
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
	if (!args_parse(argc, argv, args, 1, &name, &err) ||
	    (!name && !error_set(&err, "no policy named; see 'sluice policy --help'")) ||
	    !config_load(&config, machine, name, NULL, 0, &err))
		return command_fail(NAME, &err);
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
	    "| hook | question | when | legal answers | several answers | no answer |\n|---|---|---|---|---|---|");
	for (enum hook hook = 0; hook < HOOK_COUNT; hook++) {
		const struct hook_facts *f = &hook_facts[hook];
		if (f->question)
			printf("| `%s` | %s | %s | %s | %s | %s |\n", f->name, f->question, f->when, f->range,
			       f->combine, f->otherwise);
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
			printf("  legal: %s\n  several answers: %s\n  no answer: %s\n", f->range, f->combine,
			       f->otherwise);
	}
}

static int show_hooks(int argc, char **argv)
{
	bool markdown = argc > 1 && !strcmp(argv[1], "--markdown");
	if (argc > 1 + markdown)
		return command_reject(NAME, "unexpected argument", argv[1 + markdown]);
	if (markdown)
		print_hooks_markdown();
	else
		print_hooks();
	return 0;
}

static int new_policy(int argc, char **argv)
{
	struct error err;
	char source[SETUP_SOURCE_SIZE];
	const char *kind = "throttle", *word[2] = {NULL, NULL};
	uint32_t words = 0;
	bool ok = true;
	for (int i = 1; i < argc && ok; i++)
		if (!strcmp(argv[i], "--kind") && i + 1 < argc)
			kind = argv[++i];
		else if ((ok = argv[i][0] != '-' && words < 2))
			word[words++] = argv[i];
	const char *folder = word[1] ? word[1] : word[0];
	ok = ok && words
	         ? setup_make_policy(word[0], kind, folder, source, &err)
	         : error_set(&err, "new: expected NAME [DIR] [--kind KIND]; see 'sluice policy --help'");
	if (!ok)
		return command_fail(NAME, &err);
	printf("%s: %s, CMakeLists.txt and test.sh. To build and test it:\n"
	       "  cmake -S %s -B %s/build && cmake --build %s/build && ctest --test-dir %s/build\n"
	       "Then: sluice run PROGRAM --policy %s/build/%s.so\n",
	       folder, source, folder, folder, folder, folder, folder, word[0]);
	return 0;
}

static const struct command_action actions[] = {
    {"list", "", "list the policies that --policy accepts", list_policies},
    {"show", "POLICY|FILE.so [--machine M]",
     "show the source, the parameters and the storage of one policy,\nfor a machine (h200)", show_policy},
    {"hooks", "[--markdown]",
     "explain each hook: when it is called, which answers are legal, how several combine", show_hooks},
    {"new", "NAME [DIR] [--kind KIND]",
     "make a folder DIR (NAME) with a policy to start from, its CMakeLists.txt and a test; KIND is\n"
     "throttle (the default), scheduler, bypass, replacement, prefetch, l2 or cta;\n"
     "cmake -S NAME -B NAME/build && cmake --build NAME/build && ctest --test-dir NAME/build",
     new_policy},
    {NULL, NULL, NULL, NULL},
};
static const struct command command = {.name = NAME, .actions = actions};

int cmd_policy(int argc, char **argv)
{
	return command_act(&command, argc, argv);
}
