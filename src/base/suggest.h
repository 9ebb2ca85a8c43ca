/* "Did you mean ...?": the nearest of some known words. */
#ifndef SLUICE_BASE_SUGGEST_H
#define SLUICE_BASE_SUGGEST_H

#include <stddef.h>

/* Offer every known word; `best` is then the nearest that is near enough, or NULL. */
struct suggest {
	const char *wanted;
	const char *best;
	size_t best_distance;
};
struct suggest suggest_start(const char *wanted);
void suggest_offer(struct suggest *s, const char *word);
/* Write the end of an error message: "; did you mean 'x'?", or nothing if no word is near. Return buf. */
enum { SUGGEST_SIZE = 192 };
const char *suggest_question(const struct suggest *s, char buf[SUGGEST_SIZE]);

/* A piece of somebody's input, made fit for a one-line message: clipped, control characters replaced. */
enum { CLIP_SIZE = 48 };
const char *clip_text(char buf[CLIP_SIZE], const char *text);

#endif
