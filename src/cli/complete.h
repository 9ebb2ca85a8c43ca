/*
 * Completion of command lines. The scripts of the shells (packaging/completion) call `sluice complete -- WORD...`, where
 * the last WORD is the one to complete, and read a line per candidate: the whole word, a tab, a description. The lines
 * ":files" and ":folders" ask the shell to add those. A candidate that ends in '=', ':', ',' or '.' does not end the word.
 */
#ifndef SLUICE_CLI_COMPLETE_H
#define SLUICE_CLI_COMPLETE_H

#include "cli/help.h"

struct completion {
	const char *word;
	char **line; /* owned */
	size_t count;
	bool files, folders;
};
/* Return the candidates for the last of `words`; free them with completion_free(). */
struct completion complete(const struct subcommand *commands, size_t command_count, char **words, int count);
void completion_free(struct completion *completion);

#endif
