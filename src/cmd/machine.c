/* sluice machine: lists machines, shows one, compares two, explains the keys. */
#include <stdio.h>
#include <stdlib.h>

#include "base/read_files.h"
#include "cli/command.h"
#include "cmd/cmd.h"
#include "report/machine_report.h"
#include "run/run.h"

static const char NAME[] = "machine";

static int list_machines(int argc, char **argv)
{
	struct machine_summary *list;
	struct error err;
	size_t count;
	int width = 0;
	if (argc > 1)
		return command_reject(NAME, "unexpected argument", argv[1]);
	if (!machine_list(&list, &count, &err))
		return command_fail(NAME, &err);
	for (size_t i = 0; i < count; i++)
		width = command_wider(width, list[i].name);
	for (size_t i = 0; i < count; i++)
		printf("%-*s  %s\n", width, list[i].name,
		       list[i].title ? list[i].title : "(cannot be read; try 'sluice machine show')");
	machine_list_free(list, count);
	return 0;
}

/* What `show` and `diff` read from the command line. */
struct request {
	const char *name[2], *json;
	struct arg_texts changes;
	struct machine *machine[2];
};

/* Read at most `most` machines and the options of `args`. */
static bool parse(struct request *r, int argc, char **argv, const struct arg *args, size_t arg_count,
                  size_t most, struct error *err)
{
	struct args_split split;
	command_split(argc, argv, args, arg_count, &split);
	bool ok =
	    args_parse(split.our_count, split.ours, args, arg_count, NULL, err) &&
	    (split.their_count <= most ||
	     error_set(err, "unexpected argument '%s'; see 'sluice machine --help'", split.theirs[most]));
	for (size_t i = 0; ok && i < split.their_count; i++)
		r->name[i] = split.theirs[i];
	args_split_free(&split);
	for (size_t i = 0; i < most; i++)
		if (r->name[i])
			read_files_note_path(r->name[i]);
	return ok &&
	       (r->name[0] || error_set(err, "%s: no machine given; see 'sluice machine --help'", argv[0])) &&
	       command_check_output(r->json, err);
}

static bool show(struct request *r, struct error *err)
{
	enum { SHOWN = 8 };
	struct error warnings[SHOWN];
	struct machine *m = r->machine[0] = machine_load(r->name[0], err);
	if (!m)
		return false;
	size_t count = machine_warn(m, warnings, SHOWN);
	for (size_t i = 0; i < count && i < SHOWN; i++)
		fprintf(stderr, "sluice machine: warning: %s\n", warnings[i].text);
	if (!r->json) {
		machine_report_print(stdout, m);
		return true;
	}
	char *text = machine_report_json(m);
	bool ok = command_write(r->json, text, err);
	free(text);
	return ok;
}

static int show_machine(int argc, char **argv)
{
	struct request r = {0};
	struct error err;
	const struct arg args[] = {{"--json", "FILE", "", .text = &r.json}};
	bool ok = parse(&r, argc, argv, args, 1, 1, &err) && show(&r, &err);
	machine_free(r.machine[0]);
	return ok ? 0 : command_fail(NAME, &err);
}

static bool diff(struct request *r, struct error *err)
{
	if (!r->name[1] && !r->changes.count)
		return error_set(err,
		                 "diff: name two machines, or one and --set; see 'sluice machine --help'");
	r->machine[0] = machine_load(r->name[0], err);
	if (!r->machine[0])
		return false;
	r->machine[1] = r->name[1] ? machine_load(r->name[1], err) : machine_copy(r->machine[0], err);
	if (!r->machine[1] || !config_change(r->machine[1], r->changes.text, r->changes.count, err))
		return false;
	struct machine_comparison c = {.machine = {r->machine[0], r->machine[1]},
	                               .changes = r->changes.text,
	                               .change_count = r->changes.count};
	struct machine_difference *found;
	c.count = machine_diff(c.machine, &found);
	c.found = found;
	if (!command_is_stdout(r->json))
		machine_comparison_print(stdout, &c);
	char *text = r->json ? machine_comparison_json(&c) : NULL;
	bool ok = command_write(r->json, text, err);
	free(text);
	free(found);
	return ok;
}

static int diff_machines(int argc, char **argv)
{
	struct request r = {0};
	struct error err;
	const struct arg args[] = {{"--json", "FILE", "", .text = &r.json},
	                           {"--set", "KEY=VALUE", "", .texts = &r.changes}};
	bool ok = parse(&r, argc, argv, args, 2, 2, &err) && diff(&r, &err);
	for (int k = 0; k < 2; k++)
		machine_free(r.machine[k]);
	return ok ? 0 : command_fail(NAME, &err);
}

static int print_keys(int argc, char **argv)
{
	if (argc > 1)
		return command_reject(NAME, "unexpected argument", argv[1]);
	char *text = machine_describe_keys();
	if (!text)
		return command_fail(NAME, &(struct error){"out of memory"});
	fputs(text, stdout);
	free(text);
	return 0;
}

static const struct command_action actions[] = {
    {"list", "", "list the machines", list_machines},
    {"show", "MACHINE|FILE [--json FILE|-]",
     "show every value of a machine, its unit and the line that sets it", show_machine},
    {"diff", "MACHINE|FILE [MACHINE|FILE] [--set KEY=VALUE]... [--json FILE|-]",
     "show the keys in which two machines differ, or what --set changes in one", diff_machines},
    {"keys", "", "explain every key of a machine file (docs/machine-keys.md)", print_keys},
    {NULL, NULL, NULL, NULL},
};
static const struct command command = {
    .name = NAME,
    .actions = actions,
    .footer = "Machine files come from $SLUICE_MACHINES, or else from this installation of sluice.\n",
};

int cmd_machine(int argc, char **argv)
{
	return command_act(&command, argc, argv);
}
