/* Lists of launches. */
#include "window/kernels.h"

#include <stdio.h>
#include <string.h>

#include "base/args.h"
#include "base/suggest.h"

static bool parse_range(struct kernels *kernels, const char *option, char *text, struct error *err)
{
	if (kernels->count == KERNELS_MAX_RANGES)
		return error_set(err, "%s: more than %d ranges", option, KERNELS_MAX_RANGES);
	char *dash = strchr(text, '-');
	if (dash)
		*dash = '\0';
	uint64_t first, last;
	if (!args_read_number(option, text, 1, UINT32_MAX, &first, err))
		return false;
	last = first;
	if (dash && !dash[1])
		last = UINT64_MAX;
	else if (dash && !args_read_number(option, dash + 1, 1, UINT32_MAX, &last, err))
		return false;
	if (last < first)
		return error_set(err, "%s: the range %llu-%llu runs backwards", option,
		                 (unsigned long long)first, (unsigned long long)last);
	kernels->range[kernels->count].first = first;
	kernels->range[kernels->count++].last = last;
	return true;
}

bool kernels_parse(struct kernels *kernels, const char *option, const char *text, struct error *err)
{
	char piece[64], clip[CLIP_SIZE];
	kernels->count = 0;
	for (;;) {
		size_t length = strcspn(text, ",");
		if (length >= sizeof piece)
			return error_set(err, "%s: '%s' is not a launch number or range", option,
			                 clip_text(clip, text));
		snprintf(piece, sizeof piece, "%.*s", (int)length, text);
		if (!parse_range(kernels, option, piece, err))
			return false;
		if (!text[length])
			return true;
		text += length + 1;
	}
}

bool kernels_check(const struct kernels *kernels, const char *option, const char *whose, uint64_t launches,
                   struct error *err)
{
	for (size_t i = 0; i < kernels->count; i++) {
		uint64_t first = kernels->range[i].first, last = kernels->range[i].last;
		uint64_t needed = last == UINT64_MAX ? first : last;
		if (needed > launches)
			return error_set(err, "%s: no launch %llu; %s %llu", option,
			                 (unsigned long long)needed, whose, (unsigned long long)launches);
	}
	return true;
}

bool kernels_has(const struct kernels *kernels, uint64_t number)
{
	for (size_t i = 0; i < kernels->count; i++)
		if (number >= kernels->range[i].first && number <= kernels->range[i].last)
			return true;
	return !kernels->count;
}

uint64_t kernels_last(const struct kernels *kernels)
{
	uint64_t last = kernels->count ? 0 : UINT64_MAX;
	for (size_t i = 0; i < kernels->count; i++)
		last = kernels->range[i].last > last ? kernels->range[i].last : last;
	return last;
}
