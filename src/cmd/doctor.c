/* sluice doctor: says what this machine lacks, and how to get it. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "cli/command.h"
#include "cmd/cmd.h"
#include "setup/doctor.h"

static const struct command command = {
    .name = "doctor",
    .usage =
        "usage: sluice doctor [OPTION...]\n"
        "\n"
        "Checks this installation and this machine: the files that come with sluice, the compilers for CUDA\n"
        "programs, the cache, the results database, the free space on the disk, Slurm.\n"
        "For each part that is missing, says what does not work without it and how to get it.\n",
    .footer = "Exit status: 0 nothing that sluice needs is missing, 1 something is, 2 bad input.\n",
};

static const char *const state_names[] = {"ok", "optional", "missing"};

static void print_checks(const struct doctor_report *report)
{
	for (size_t i = 0; i < report->count; i++) {
		const struct doctor_check *check = &report->check[i];
		printf("%-9s %-17s %s\n", state_names[check->state], check->name, check->found);
		if (check->remedy[0])
			printf("%-9s %-17s -> %s\n", "", "", check->remedy);
	}
}

static char *make_json(const struct doctor_report *report, bool ok)
{
	json_t *list = json_array();
	for (size_t i = 0; i < report->count; i++) {
		const struct doctor_check *check = &report->check[i];
		json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:s}", "name", check->name, "state",
		                                      state_names[check->state], "found",
		                                      json_text(check->found), "remedy", check->remedy));
	}
	return json_finish(
	    json_pack("{s:s, s:b, s:o}", "version", SLUICE_VERSION, "ok", (int)ok, "checks", list));
}

int cmd_doctor(int argc, char **argv)
{
	struct doctor_report report;
	struct error err;
	const char *json = NULL;
	bool help = false, ok = true;
	const struct arg args[] = {
	    {"--json", "FILE", "write the same to FILE as JSON; - for standard output, without the table",
	     .text = &json},
	    {"--help", NULL, "this text", .flag = &help},
	};
	int rc;
	if (!command_parse(&command, argc, argv, args, sizeof args / sizeof *args, &help, NULL, &rc))
		return rc;
	if (!command_check_output(json, &err))
		return command_fail(command.name, &err);
	doctor_examine(&report);
	for (size_t i = 0; i < report.count; i++)
		ok &= report.check[i].state != DOCTOR_MISSING;
	if (!command_is_stdout(json)) {
		print_checks(&report);
		puts(ok ? "\nNothing that sluice needs is missing."
		        : "\nSomething that sluice needs is missing: see above.");
	}
	char *text = json ? make_json(&report, ok) : NULL;
	bool written = command_write(json, text, &err);
	free(text);
	return !written ? command_fail(command.name, &err) : ok ? 0 : 1;
}
