#include "base/suggest.h"

#include <stdio.h>
#include <string.h>

#include "base/bits.h"

enum { WORD_MAX = 40 }; /* longer words have no typing errors worth guessing at */

/*
 * Levenshtein distance in which two swapped neighbours ("titel") count as one
 * mistake; both words at most WORD_MAX long. Rows i-2, i-1 and i of the table.
 */
static size_t word_distance(const char *a, size_t na, const char *b, size_t nb)
{
	size_t rows[3][WORD_MAX + 1];
	for (size_t j = 0; j <= nb; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= na; i++) {
		size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
		row[0] = i;
		for (size_t j = 1; j <= nb; j++) {
			size_t change = above[j - 1] + (a[i - 1] != b[j - 1]);
			row[j] = bits_min(change, bits_min(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = bits_min(row[j], two_above[j - 2] + 1);
		}
	}
	return rows[na % 3][nb];
}

struct suggest suggest_start(const char *wanted)
{
	/* One error in three letters is a slip; more is another word. */
	size_t len = strlen(wanted);
	return (struct suggest){.wanted = wanted, .best_distance = (len < 3 ? 1 : len / 3) + 1};
}

void suggest_offer(struct suggest *s, const char *word)
{
	size_t na = strlen(s->wanted), nb = strlen(word);
	if (na > WORD_MAX || nb > WORD_MAX)
		return;
	size_t distance = word_distance(s->wanted, na, word, nb);
	if (distance < s->best_distance) {
		s->best = word;
		s->best_distance = distance;
	}
}

bool suggest_is_near(const char *word, const char *other, size_t edits)
{
	size_t na = strlen(word), nb = strlen(other);
	return na <= WORD_MAX && nb <= WORD_MAX && word_distance(word, na, other, nb) <= edits;
}

const char *suggest_question(const struct suggest *s, char buf[SUGGEST_SIZE])
{
	buf[0] = '\0';
	if (s->best)
		snprintf(buf, SUGGEST_SIZE, "; did you mean '%.160s'?", s->best);
	return buf;
}

const char *clip_text(char buf[CLIP_SIZE], const char *text)
{
	size_t len = strlen(text), keep = bits_min(len, CLIP_SIZE - sizeof "...");
	while (keep < len && keep > 0 && ((unsigned char)text[keep] & 0xc0) == 0x80)
		keep--; /* never half a UTF-8 character */
	for (size_t i = 0; i < keep; i++)
		buf[i] = (unsigned char)text[i] < 0x20 || text[i] == 0x7f ? '?' : text[i];
	strcpy(buf + keep, keep < len ? "..." : "");
	return buf;
}
