/* sluice complete: prints what the end of a command line may become. */
#include "cli/complete.h"

#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"

int cmd_complete(int argc, char **argv)
{
	if (argc < 3 || strcmp(argv[1], "--") != 0) {
		fputs("usage: sluice complete -- WORD...\n"
		      "\n"
		      "Prints what the last WORD of 'sluice WORD...' may become. Shells call it.\n",
		      stderr);
		return 2;
	}
	size_t count;
	const struct subcommand *commands = subcommands(&count);
	struct completion c = complete(commands, count, argv + 2, argc - 2);
	for (size_t i = 0; i < c.count; i++)
		puts(c.line[i]);
	if (c.files || c.folders)
		puts(c.files ? ":files" : ":folders");
	completion_free(&c);
	return 0;
}
