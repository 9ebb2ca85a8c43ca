/* "Did you mean ...?": the nearest of some known words. */
#ifndef SLUICE_BASE_SUGGEST_H
#define SLUICE_BASE_SUGGEST_H

#include <stdbool.h>
#include <stddef.h>

/* Start with the wanted word and offer every known one: `best` is then the nearest, or NULL if none is near. */
struct suggest {
	const char *wanted;
	const char *best;
	size_t best_distance;
};
struct suggest suggest_start(const char *wanted);
void suggest_offer(struct suggest *s, const char *word);
/* Whether at most `edits` letters were added, left out, changed or swapped with a neighbor; longer words are never near. */
bool suggest_is_near(const char *word, const char *other, size_t edits);
/* Write the end of an error message: "; did you mean 'x'?", or nothing if no word is near. Return buf. */
enum { SUGGEST_SIZE = 192 };
const char *suggest_question(const struct suggest *s, char buf[SUGGEST_SIZE]);

/* Copy a piece of input for a one-line message: clipped, control characters replaced. Return buf. */
enum { CLIP_SIZE = 48 };
const char *clip_text(char buf[CLIP_SIZE], const char *text);

#endif
