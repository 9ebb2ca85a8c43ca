/* sluice counters: what is counted. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "lab/program/args.h"
#include "lab/report/reference.h"

int cmd_counters(int argc, char **argv)
{
	bool markdown = false, help = false;
	const struct arg args[] = {
	    {"--markdown", NULL, "as docs/counters.md", .flag = &markdown},
	    {"--help", NULL, "this text", .flag = &help},
	};
	const size_t count = sizeof args / sizeof *args;
	struct error err;
	if (!args_parse(argc, argv, args, count, NULL, &err)) {
		fprintf(stderr, "sluice counters: %s\nsee 'sluice counters --help'\n", err.text);
		return 2;
	}
	if (help) {
		puts("usage: sluice counters [OPTION...]\n\nDescribes every counter and derived metric.\n");
		args_print(stdout, args, count);
	} else if (markdown) {
		reference_write_counters(stdout);
	} else {
		reference_print_counters(stdout);
	}
	if (!fflush(stdout) && !ferror(stdout))
		return 0;
	fprintf(stderr, "sluice counters: cannot write: %s\n", strerror(errno));
	return 2;
}
