/* Lines "source=PC<tab>kernel<tab>file" of a recording's report: from that PC of the kernel on. */
#include "record/sources.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct span {
	uint64_t pc;
	char *kernel; /* with the file behind it */
	const char *file;
};

struct sources {
	struct span *span;
	size_t count;
};

/* Return false for other lines. */
static bool read_span(struct span *span, const char *line)
{
	static const char key[] = "source=";
	char *end;
	if (strncmp(line, key, sizeof key - 1))
		return false;
	span->pc = strtoull(line + sizeof key - 1, &end, 10);
	if (*end != '\t' || !strchr(end + 1, '\t'))
		return false;
	span->kernel = memory_text(end + 1);
	char *tab = strchr(span->kernel, '\t');
	*tab = '\0';
	span->file = tab + 1;
	return true;
}

struct sources *sources_open(const char *report)
{
	struct sources *sources = memory_zeroed(1, sizeof *sources);
	FILE *file = fopen(report, "re");
	char *line = NULL;
	size_t capacity = 0;
	struct span span;
	while (file && getline(&line, &capacity, file) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (!read_span(&span, line))
			continue;
		sources->span = memory_grow(sources->span, sources->count + 1, sizeof *sources->span);
		sources->span[sources->count++] = span;
	}
	free(line);
	if (file)
		fclose(file);
	return sources;
}

void sources_free(struct sources *sources)
{
	for (size_t i = 0; sources && i < sources->count; i++)
		free(sources->span[i].kernel);
	if (sources)
		free(sources->span);
	free(sources);
}

const char *sources_find(const struct sources *sources, const char *kernel, uint64_t pc)
{
	const struct span *found = NULL;
	for (size_t i = 0; sources && i < sources->count; i++) {
		const struct span *span = &sources->span[i];
		if (span->pc <= pc && (!found || span->pc >= found->pc) && !strcmp(span->kernel, kernel))
			found = span;
	}
	return found && *found->file ? found->file : NULL;
}
