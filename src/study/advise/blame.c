/*
 * Source lines to blame: L1 misses by line, and how many of them an unbounded L1 or one per warp would have avoided: the
 * difference between two runs of the same instructions. Of every launch the hundred instructions with the most misses
 * are known (top_pcs).
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "study/advise/advise.h"

struct lines {
	struct advise_line *line;
	size_t count, room;
};

/* The entry of a kernel's line, or of an instruction whose line is not known; a new one if there is none. */
static struct advise_line *line_of(struct lines *lines, const char *kernel, uint32_t number, const char *pc)
{
	for (size_t i = 0; i < lines->count; i++) {
		struct advise_line *line = &lines->line[i];
		if (line->line == number && !strcmp(line->kernel, kernel) &&
		    (number || !strcmp(line->pc, pc)))
			return line;
	}
	if (lines->count == lines->room) {
		lines->room = lines->room ? 2 * lines->room : 64;
		lines->line = memory_grow(lines->line, lines->room, sizeof *lines->line);
	}
	struct advise_line *line = &lines->line[lines->count++];
	*line = (struct advise_line){.kernel = kernel, .line = number};
	snprintf(line->pc, sizeof line->pc, "%s", pc);
	return line;
}

enum column { MISSED, UNBOUNDED, ALONE };

static void count(struct advise_line *line, const json_t *spot, enum column column)
{
	uint64_t missed = (uint64_t)json_integer_value(json_object_get(spot, "l1_missed_sectors"));
	if (column == UNBOUNDED)
		line->avoidable += missed;
	if (column == ALONE)
		line->interference += missed;
	if (column != MISSED)
		return;
	line->missed += missed;
	if (missed < line->most)
		return;
	line->most = missed;
	snprintf(line->pc, sizeof line->pc, "%s", json_string_value(json_object_get(spot, "pc")));
	snprintf(line->opcode, sizeof line->opcode, "%s", json_string_value(json_object_get(spot, "opcode")));
}

static void collect(struct lines *lines, const json_t *result, enum column column)
{
	size_t i, k;
	json_t *launch, *spot;
	json_array_foreach(json_object_get(result, "launches"), i, launch)
	{
		const char *kernel =
		    json_string_value(json_object_get(json_object_get(launch, "kernel"), "name"));
		json_array_foreach(json_object_get(launch, "top_pcs"), k, spot)
		{
			uint32_t number = (uint32_t)json_integer_value(json_object_get(spot, "source_line"));
			const char *pc = json_string_value(json_object_get(spot, "pc"));
			count(line_of(lines, kernel, number, pc), spot, column);
		}
	}
}

static int compare_missed(const void *left, const void *right)
{
	const struct advise_line *a = left, *b = right;
	if (a->missed != b->missed)
		return a->missed > b->missed ? -1 : 1;
	int order = strcmp(a->kernel, b->kernel);
	return order ? order : (a->line > b->line) - (a->line < b->line);
}

/* What a run still misses becomes what it avoids. */
static uint64_t avoided(uint64_t missed, uint64_t left)
{
	return left < missed ? missed - left : 0;
}

void advise_blame(struct advise_report *report)
{
	struct lines lines = {0};
	const json_t *unbounded = advise_result(report, "unbounded");
	const json_t *alone = advise_result(report, "interference-free");
	collect(&lines, report->runs[0].result, MISSED);
	collect(&lines, unbounded, UNBOUNDED);
	collect(&lines, alone, ALONE);
	if (lines.count)
		qsort(lines.line, lines.count, sizeof *lines.line, compare_missed);
	report->missed = 0;
	report->lines = 0;
	for (size_t i = 0; i < lines.count; i++) {
		struct advise_line *line = &lines.line[i];
		report->missed += line->missed;
		line->avoidable = unbounded ? avoided(line->missed, line->avoidable) : 0;
		line->interference = alone ? avoided(line->missed, line->interference) : 0;
		if (line->missed && report->lines < ADVISE_LINES)
			report->line[report->lines++] = *line;
	}
	free(lines.line);
}
