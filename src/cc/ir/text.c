#include "cc/ir/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

bool ir_begins(const char *at, const char *with)
{
	return !strncmp(at, with, strlen(with));
}

bool ir_same(struct ir_span a, struct ir_span b)
{
	return a.length == b.length && !memcmp(a.text, b.text, a.length);
}

bool ir_contains(struct ir_span span, const char *words)
{
	size_t length = strlen(words);
	for (size_t i = 0; i + length <= span.length; i++)
		if (!memcmp(span.text + i, words, length))
			return true;
	return false;
}

bool ir_take(const char **at, const char *word)
{
	if (!ir_begins(*at, word))
		return false;
	*at += strlen(word);
	return true;
}

bool ir_take_number(const char **at, unsigned *number)
{
	enum { TOO_LARGE = 1000000 };
	const char *begin = *at;
	unsigned value = 0;
	while (isdigit((unsigned char)**at) && value < TOO_LARGE)
		value = value * 10 + (unsigned)(*(*at)++ - '0');
	*number = value;
	return *at != begin && value < TOO_LARGE;
}

/* Behind the name in quotes that starts here. */
static const char *skip_quoted(const char *at)
{
	at++;
	at += strcspn(at, "\"\n");
	return *at == '"' ? at + 1 : at;
}

struct ir_span ir_take_operand(const char **at)
{
	struct ir_span operand = {*at, 0};
	unsigned open = 0;
	const char *c = *at;
	while (*c && *c != '\n' && (open || !strchr(",)]}", *c))) {
		if (strchr("([{", *c))
			open++;
		else if (strchr(")]}", *c))
			open--;
		c = *c == '"' ? skip_quoted(c) : c + 1;
	}
	operand.length = (size_t)(c - *at);
	*at = c;
	return operand;
}

bool ir_is_use_order(struct ir_span line)
{
	return ir_begins(line.text + strspn(line.text, " "), "uselistorder");
}

bool ir_take_line(const char **at, struct ir_span *line)
{
	if (!**at)
		return false;
	*line = (struct ir_span){*at, strcspn(*at, "\n")};
	*at += line->length + ((*at)[line->length] == '\n');
	return true;
}

/* ---- metadata --------------------------------------------------------------------------------------------- */

static size_t count_lines(const char *text)
{
	size_t lines = 1;
	while ((text = strchr(text, '\n'))) {
		lines++;
		text++;
	}
	return lines;
}

/* Nodes are numbered from 0 on, one per line: there are fewer numbers than lines. */
void ir_metadata_read(struct ir_metadata *metadata, const char *module)
{
	metadata->count = count_lines(module);
	metadata->node = memory_zeroed(metadata->count, sizeof *metadata->node);
	struct ir_span line;
	for (const char *at = module; ir_take_line(&at, &line);) {
		const char *c = line.text;
		unsigned number;
		if (ir_take(&c, "!") && ir_take_number(&c, &number) && ir_take(&c, " = ") &&
		    number < metadata->count)
			metadata->node[number] = c;
	}
}

void ir_metadata_free(struct ir_metadata *metadata)
{
	free(metadata->node);
	*metadata = (struct ir_metadata){0};
}

const char *ir_metadata_find(const struct ir_metadata *metadata, int number)
{
	return number >= 0 && (size_t)number < metadata->count ? metadata->node[number] : NULL;
}
