/* How often each word of global memory was written in a launch: lanes count, not instructions. */
#ifndef SLUICE_CUDA_EXECUTOR_WRITE_COUNTS_H
#define SLUICE_CUDA_EXECUTOR_WRITE_COUNTS_H

#include <stddef.h>
#include <stdint.h>

enum { COUNT_PAGE_SHIFT = 14, COUNT_PAGE_WORDS = 1 << (COUNT_PAGE_SHIFT - 2), COUNT_WORD_SHIFT = 2 };

struct count_page {
	uint64_t number; /* of the page, by address */
	uint32_t words[COUNT_PAGE_WORDS];
};

struct write_counts {
	struct count_page **pages; /* hash table, by number; NULL: free */
	size_t capacity, count;
	struct count_page *last;
};

/* Return the count of the word at an address; pages come as they are needed. */
uint32_t *write_counts_at(struct write_counts *c, uint64_t address);
/* The same without making a page: 0 where nothing was counted. */
uint32_t write_counts_get(const struct write_counts *c, uint64_t address);
void write_counts_free(struct write_counts *c);

#endif
