#include "mem/left.h"

#include <string.h>

/* The first of so many lines that lies in `set`, or in one behind it. */
static uint32_t first_of(const struct slice *slice, uint32_t lines, uint32_t set)
{
	uint32_t sets = slice->tags.sets;
	return (uint32_t)(((uint64_t)set * lines + sets - 1) / sets);
}

/* Dirty ones are spread over all of them. */
static bool is_dirty(const struct memory *memory, uint64_t line)
{
	uint32_t of = memory->left_lines, dirty = memory->left_dirty;
	return (line + 1) * dirty / of > line * dirty / of;
}

void left_begin(struct slice *slice, const struct memory *memory)
{
	memset(slice->left, true, slice->tags.sets * sizeof *slice->left);
	slice->dirty_sectors = memory->left_dirty * memory->sectors_per_line;
}

void left_put(struct slice *slice, const struct memory *memory, uint32_t set)
{
	enum { ELSEWHERE_SHIFT = 44 };
	struct tags *tags = &slice->tags;
	uint8_t sectors = (uint8_t)((1u << memory->sectors_per_line) - 1);
	uint32_t line = first_of(slice, memory->left_lines, set);
	uint32_t end = first_of(slice, memory->left_lines, set + 1);
	slice->left[set] = false;
	/* The set is empty: it fills from its first way on. */
	for (uint32_t entry = set * tags->ways; line < end; line++, entry++) {
		tags_install(tags, entry, (uint64_t)(slice->id + 1) << ELSEWHERE_SHIFT | line);
		tags->entries[entry].valid = sectors;
		tags->entries[entry].dirty = is_dirty(memory, line) ? sectors : 0;
	}
}

void left_put_all(struct slice *slice, const struct memory *memory)
{
	for (uint32_t set = 0; set < slice->tags.sets; set++)
		left_look(slice, memory, set);
}
