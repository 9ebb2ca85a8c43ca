/* sluice counters: describes what the simulator counts. */
#include <stdio.h>

#include "cli/command.h"
#include "cmd/cmd.h"
#include "report/reference.h"

static const struct command command = {
    .name = "counters",
    .usage = "usage: sluice counters [OPTION...]\n\nDescribes every counter and derived metric.\n",
};

int cmd_counters(int argc, char **argv)
{
	bool markdown = false, help = false;
	const struct arg args[] = {
	    {"--markdown", NULL, "print docs/counters.md", .flag = &markdown},
	    {"--help", NULL, "this text", .flag = &help},
	};
	int rc;
	if (!command_parse(&command, argc, argv, args, sizeof args / sizeof *args, &help, NULL, &rc))
		return rc;
	if (markdown)
		reference_write_counters(stdout);
	else
		reference_print_counters(stdout);
	return 0;
}
