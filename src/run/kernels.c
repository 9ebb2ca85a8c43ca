/* Launch lists. */
#include "run/kernels.h"

#include <stdio.h>
#include <string.h>

#include "base/args.h"
#include "base/suggest.h"

static bool parse_range(struct kernels *kernels, char *text, struct error *err)
{
	if (kernels->count == KERNELS_MAX_RANGES)
		return error_set(err, "--kernel: more than %d ranges", KERNELS_MAX_RANGES);
	char *dash = strchr(text, '-');
	if (dash)
		*dash = '\0';
	uint64_t first, last;
	if (!args_read_number("--kernel", text, 1, UINT32_MAX, &first, err))
		return false;
	last = first;
	if (dash && !args_read_number("--kernel", dash + 1, 1, UINT32_MAX, &last, err))
		return false;
	if (last < first)
		return error_set(err, "--kernel: the range %llu-%llu runs backwards",
		                 (unsigned long long)first, (unsigned long long)last);
	kernels->range[kernels->count].first = first;
	kernels->range[kernels->count++].last = last;
	return true;
}

bool kernels_parse(struct kernels *kernels, const char *text, struct error *err)
{
	char piece[64], clip[CLIP_SIZE];
	kernels->count = 0;
	for (;;) {
		size_t length = strcspn(text, ",");
		if (length >= sizeof piece)
			return error_set(err, "--kernel: '%s' is not a launch number or range",
			                 clip_text(clip, text));
		snprintf(piece, sizeof piece, "%.*s", (int)length, text);
		if (!parse_range(kernels, piece, err))
			return false;
		if (!text[length])
			return true;
		text += length + 1;
	}
}

bool kernels_check(const struct kernels *kernels, uint64_t launches, struct error *err)
{
	for (size_t i = 0; i < kernels->count; i++)
		if (kernels->range[i].last > launches)
			return error_set(err, "--kernel: no launch %llu; the trace has %llu",
			                 (unsigned long long)kernels->range[i].last,
			                 (unsigned long long)launches);
	return true;
}

bool kernels_has(const struct kernels *kernels, uint64_t number)
{
	for (size_t i = 0; i < kernels->count; i++)
		if (number >= kernels->range[i].first && number <= kernels->range[i].last)
			return true;
	return !kernels->count;
}
