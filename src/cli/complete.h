/*
 * Completion of command lines. The shells' scripts (packaging/completion) ask `sluice complete -- WORD...`, where the last
 * WORD is the one to complete, and get a line per candidate: the whole word, a tab, what it is. ":files" and ":folders"
 * ask the shell for those beside the candidates. A candidate that ends in '=', ':', ',' or '.' is not the end of a word.
 */
#ifndef SLUICE_CLI_COMPLETE_H
#define SLUICE_CLI_COMPLETE_H

#include <stdbool.h>
#include <stddef.h>

/* Candidates are collected, each once, if they begin with the word. */
struct completion {
	const char *word;
	char **line; /* owned */
	size_t count;
	bool files, folders;
};
/* Offers BEFORE TEXT; `about` may be NULL. */
void completion_offer(struct completion *c, const char *before, const char *text, const char *about);

/*
 * What may stand where a synopsis or a table of options says `words`: alternatives with | between them, in capitals what
 * kind of thing ("MACHINE|FILE"), else the word itself ("tiny|small"). `before` is the part of the word that stands in
 * front of the value: "--machine=".
 */
void complete_words(struct completion *c, const char *words, const char *before);

#endif
