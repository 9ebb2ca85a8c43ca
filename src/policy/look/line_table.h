/*
 * What an observer remembers of lines: entries in the order of their first access, found by line. An entry
 * keeps its number when the table grows, so numbers may be kept elsewhere.
 *
 * The table grows by doubling while a launch runs. That is memory taken inside the cycle loop, which the
 * model itself never does; an observer is paid for only when it is asked for, and there are at most some
 * twenty such moments.
 */
#ifndef SLUICE_POLICY_LOOK_LINE_TABLE_H
#define SLUICE_POLICY_LOOK_LINE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct line_entry {
	uint64_t line;
	uint64_t last;     /* user: number of the warp, above that of its CTA */
	uint32_t frame;    /* 1 + frame of L1 whose last user is this line's, and newer; 0: none */
	uint16_t taken_by; /* 1 + slot of the warp that replaced it last; 0: none since its last miss */
	uint16_t lost_by;  /* 1 + slot of the warp that had brought it then */
	uint8_t touches;   /* more than LINE_MANY count as so many */
	uint8_t stay;      /* touches since the line was last replaced, likewise */
};

enum { LINE_TABLE_NONE = UINT32_MAX, LINE_MANY = 2 };

struct line_table {
	struct line_entry *entry;
	uint32_t *slot; /* 1 + number of an entry; 0: free */
	uint32_t count, capacity, most;
	uint32_t mask, shift; /* of slots; mask 0: no memory yet */
};

/* Empty, keeping its memory; at most `most` lines, 2^31 or fewer. */
void line_table_clear(struct line_table *table, uint32_t most);
void line_table_free(struct line_table *table);
/* Number of the line's entry, new and untouched if need be; LINE_TABLE_NONE: no room. */
uint32_t line_table_add(struct line_table *table, uint64_t line);

/* The slot at which the search for a line begins. */
static inline uint32_t line_table_home(const struct line_table *table, uint64_t line)
{
	return (uint32_t)(line * 0x9e3779b97f4a7c15u >> table->shift);
}

/* Number of the line's entry, or LINE_TABLE_NONE. */
static inline uint32_t line_table_find(const struct line_table *table, uint64_t line)
{
	if (!table->mask)
		return LINE_TABLE_NONE;
	uint32_t at = line_table_home(table, line);
	for (uint32_t n; (n = table->slot[at]); at = (at + 1) & table->mask)
		if (table->entry[n - 1].line == line)
			return n - 1;
	return LINE_TABLE_NONE;
}

#endif
