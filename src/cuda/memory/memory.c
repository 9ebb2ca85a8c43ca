/*
 * Device memory: first fit by address over a sorted list of allocations.
 *
 * The same calls give the same addresses in every run. Finding is a binary
 * search; allocating starts at the lowest hole that can matter for its size,
 * so programs that allocate thousands of buffers do not scan them each time.
 * Leaves out what a GPU's page tables do: pages, protection, sharing.
 */
#include "cuda/memory/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/memory.h"

enum {
	SMALL_ALIGN = 512,
	PAGE = 2 << 20,
	SIZE_CLASSES = 64,
	GIVE_BACK = 1 << 16 /* from here on, pages go back to the host instead of being cleared */
};

struct block {
	uint64_t first, end;
	uint64_t traced; /* of adopted memory: where recordings show `first` */
	uint32_t tag;
};

struct block_list {
	struct block *at; /* sorted, disjoint */
	size_t count, capacity;
};

struct device_memory {
	uint64_t total_bytes, used_bytes, generation;
	uint64_t adopted_bytes; /* of ADOPTED_WINDOW, given out so far */
	struct block_list blocks, adopted;
	/* No hole below lowest[k] takes 2^k bytes. */
	uint64_t lowest[SIZE_CLASSES];
};

/* ---- sorted lists --------------------------------------------------------------------------------------- */

/* How many blocks start at or below `address`. */
static size_t list_rank(const struct block_list *list, uint64_t address)
{
	size_t low = 0, high = list->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (list->at[middle].first <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct block *list_find(const struct block_list *list, uint64_t address)
{
	size_t rank = list_rank(list, address);
	return rank && address < list->at[rank - 1].end ? &list->at[rank - 1] : NULL;
}

static void list_insert(struct block_list *list, size_t index, struct block block)
{
	if (list->count == list->capacity) {
		list->capacity = list->capacity ? 2 * list->capacity : 64;
		list->at = memory_grow(list->at, list->capacity, sizeof *list->at);
	}
	memmove(list->at + index + 1, list->at + index, (list->count - index) * sizeof *list->at);
	list->at[index] = block;
	list->count++;
}

static void list_remove(struct block_list *list, const struct block *block)
{
	size_t index = (size_t)(block - list->at);
	memmove(list->at + index, list->at + index + 1, (list->count - index - 1) * sizeof *list->at);
	list->count--;
}

/* ---- the window ----------------------------------------------------------------------------------------- */

static bool window_reserve(uint64_t bytes, struct error *err)
{
	/* A page in front, so that reads just before the first allocation find something if they are let pass. */
	void *want = device_host(DEVICE_WINDOW - PAGE);
	bytes += PAGE;
	void *got = mmap(want, bytes, PROT_READ | PROT_WRITE,
	                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
	if (got == want) {
		/* A crash of the program must not dump gigabytes of device memory. */
		madvise(want, bytes, MADV_DONTDUMP);
		return true;
	}
	int why = errno;
	if (got != MAP_FAILED) {
		munmap(got, bytes); /* a kernel before 4.17 takes the address as a hint */
		why = EEXIST;
	}
	if (why == EEXIST)
		return error_set(
		    err,
		    "device memory: addresses from 0x%llx on, %llu MiB, are in use by the program itself",
		    (unsigned long long)DEVICE_WINDOW, (unsigned long long)(bytes >> 20));
	return error_set(
	    err,
	    "device memory: cannot reserve %llu MiB of addresses at 0x%llx: %s (is there a limit on "
	    "virtual memory, ulimit -v?)",
	    (unsigned long long)(bytes >> 20), (unsigned long long)DEVICE_WINDOW, strerror(why));
}

struct device_memory *device_memory_new(uint64_t total_bytes, struct error *err)
{
	total_bytes = (total_bytes + PAGE - 1) / PAGE * PAGE;
	if (!total_bytes || total_bytes > UINT64_C(1) << 44) {
		error_set(err, "device memory: %llu bytes asked for, expected up to 16 TiB",
		          (unsigned long long)total_bytes);
		return NULL;
	}
	if (!window_reserve(total_bytes, err))
		return NULL;
	struct device_memory *memory = memory_zeroed(1, sizeof *memory);
	memory->total_bytes = total_bytes;
	for (unsigned k = 0; k < SIZE_CLASSES; k++)
		memory->lowest[k] = DEVICE_WINDOW;
	return memory;
}

void device_memory_free_all(struct device_memory *memory)
{
	if (!memory)
		return;
	munmap(device_host(DEVICE_WINDOW - PAGE), memory->total_bytes + PAGE);
	free(memory->blocks.at);
	free(memory->adopted.at);
	free(memory);
}

/* ---- allocation ----------------------------------------------------------------------------------------- */

static unsigned size_class(uint64_t bytes)
{
	return 63u - (unsigned)__builtin_clzll(bytes);
}

static uint64_t align_up(uint64_t value, uint64_t align)
{
	return (value + align - 1) & ~(align - 1);
}

/* Where the next block may start: no block shares the last page of a large one. */
static uint64_t taken_end(const struct block *block)
{
	return block->end - block->first < PAGE ? block->end : align_up(block->end, PAGE);
}

/* Hole i is before block i, the last one after all blocks. */
static struct memory_range hole(const struct device_memory *memory, size_t i)
{
	const struct block_list *blocks = &memory->blocks;
	return (struct memory_range){.first = i ? taken_end(&blocks->at[i - 1]) : DEVICE_WINDOW,
	                             .end = i < blocks->count ? blocks->at[i].first
	                                                      : DEVICE_WINDOW + memory->total_bytes};
}

static bool fits(struct memory_range hole, uint64_t bytes, uint64_t *address)
{
	*address = align_up(hole.first, SMALL_ALIGN);
	if (*address % PAGE + bytes > PAGE)
		*address = align_up(*address, PAGE);
	return *address <= hole.end && bytes <= hole.end - *address;
}

uint64_t device_memory_allocate(struct device_memory *memory, uint64_t bytes)
{
	bytes = bytes ? bytes : 1;
	if (bytes > memory->total_bytes)
		return 0;
	uint64_t *lowest = &memory->lowest[size_class(bytes)];
	bool is_lowest = true;
	for (size_t i = list_rank(&memory->blocks, *lowest); i <= memory->blocks.count; i++) {
		uint64_t address;
		struct memory_range h = hole(memory, i);
		if (fits(h, bytes, &address)) {
			if (is_lowest)
				*lowest = h.first;
			list_insert(&memory->blocks, i,
			            (struct block){.first = address, .end = address + bytes});
			memory->used_bytes += bytes;
			return address;
		}
		/* The least of this class might still fit here. */
		if (is_lowest && fits(h, UINT64_C(1) << size_class(bytes), &address)) {
			*lowest = h.first;
			is_lowest = false;
		}
	}
	return 0;
}

/* So that the next owner finds zeros. */
static void clear(uint64_t first, uint64_t end)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t whole_first = align_up(first, page), whole_end = end & ~(page - 1);
	if (end - first < GIVE_BACK || whole_first >= whole_end ||
	    madvise(device_host(whole_first), whole_end - whole_first, MADV_DONTNEED)) {
		memset(device_host(first), 0, end - first);
		return;
	}
	memset(device_host(first), 0, whole_first - first);
	memset(device_host(whole_end), 0, end - whole_end);
}

bool device_memory_release(struct device_memory *memory, uint64_t address)
{
	struct block *block = list_find(&memory->blocks, address);
	if (!block || block->first != address)
		return false;
	clear(block->first, block->end);
	memory->used_bytes -= block->end - block->first;
	memory->generation++;
	size_t index = (size_t)(block - memory->blocks.at);
	list_remove(&memory->blocks, block);
	uint64_t first = hole(memory, index).first;
	for (unsigned k = 0; k < SIZE_CLASSES; k++)
		if (memory->lowest[k] > first)
			memory->lowest[k] = first;
	return true;
}

/* ---- look-up -------------------------------------------------------------------------------------------- */

static struct block *find_block(const struct device_memory *memory, uint64_t address)
{
	if (address - DEVICE_WINDOW < memory->total_bytes)
		return list_find(&memory->blocks, address);
	return list_find(&memory->adopted, address);
}

bool device_memory_find(const struct device_memory *memory, uint64_t address, struct memory_range *range)
{
	const struct block *block = find_block(memory, address);
	if (!block)
		return false;
	*range = (struct memory_range){.first = block->first, .end = block->end};
	return true;
}

static bool page_is_used(const struct device_memory *memory, uint64_t page)
{
	const struct block_list *list = &memory->blocks;
	size_t rank = list_rank(list, page);
	return (rank && taken_end(&list->at[rank - 1]) > page) ||
	       (rank < list->count && list->at[rank].first < page + PAGE);
}

bool device_memory_is_near(const struct device_memory *memory, uint64_t address, uint64_t bytes)
{
	uint64_t end = DEVICE_WINDOW + memory->total_bytes, page = address / PAGE * PAGE;
	if (address < DEVICE_WINDOW - PAGE || address >= end || bytes > end - address)
		return false;
	return page_is_used(memory, page) || page_is_used(memory, page - PAGE) ||
	       page_is_used(memory, page + PAGE);
}

uint64_t device_memory_generation(const struct device_memory *memory)
{
	return memory->generation;
}

void device_memory_usage(const struct device_memory *memory, uint64_t *used, uint64_t *total)
{
	*used = memory->used_bytes;
	*total = memory->total_bytes;
}

bool device_memory_set_tag(struct device_memory *memory, uint64_t address, uint32_t tag)
{
	struct block *block = find_block(memory, address);
	if (block)
		block->tag = tag;
	return block != NULL;
}

uint32_t device_memory_tag(const struct device_memory *memory, uint64_t address)
{
	const struct block *block = find_block(memory, address);
	return block ? block->tag : 0;
}

/* ---- host memory ---------------------------------------------------------------------------------------- */

bool device_memory_adopt(struct device_memory *memory, uint64_t first, uint64_t bytes)
{
	struct block_list *list = &memory->adopted;
	uint64_t end = first + bytes;
	if (!bytes || end < first || (first < DEVICE_WINDOW + memory->total_bytes && end > DEVICE_WINDOW))
		return false;
	size_t rank = list_rank(list, first);
	if ((rank && list->at[rank - 1].end > first) || (rank < list->count && list->at[rank].first < end))
		return false;
	/* Loaders and allocators move memory by whole pages, so the place within one can be kept. */
	enum { HOST_PAGE = 4096 };
	uint64_t traced = ADOPTED_WINDOW + memory->adopted_bytes + first % HOST_PAGE;
	memory->adopted_bytes += align_up(first % HOST_PAGE + bytes, HOST_PAGE);
	list_insert(list, rank, (struct block){.first = first, .end = end, .traced = traced});
	return true;
}

bool device_memory_has_adopted(const struct device_memory *memory)
{
	return memory->adopted.count != 0;
}

uint64_t device_memory_traced(const struct device_memory *memory, uint64_t address)
{
	if (address - DEVICE_WINDOW < memory->total_bytes)
		return address;
	const struct block *block = list_find(&memory->adopted, address);
	return block ? block->traced + (address - block->first) : address;
}

bool device_memory_forget(struct device_memory *memory, uint64_t first)
{
	struct block *block = list_find(&memory->adopted, first);
	if (!block || block->first != first)
		return false;
	list_remove(&memory->adopted, block);
	memory->generation++;
	return true;
}

void device_memory_release_tagged(struct device_memory *memory)
{
	for (size_t i = memory->blocks.count; i-- > 0;)
		if (memory->blocks.at[i].tag)
			device_memory_release(memory, memory->blocks.at[i].first);
	size_t kept = 0; /* what belongs to modules stays */
	for (size_t i = 0; i < memory->adopted.count; i++)
		if (!memory->adopted.at[i].tag)
			memory->adopted.at[kept++] = memory->adopted.at[i];
	memory->adopted.count = kept;
	memory->generation++;
}
