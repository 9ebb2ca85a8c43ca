#include "cuda/executor/exec_phases.h"

#include <stdlib.h>

#include "base/memory.h"
#include "cuda/executor/exec_mask.h"

static uint32_t book_count(const struct run *run)
{
	return run->shared_bytes / MBARRIER_BYTES + 1;
}

/* NULL: not recorded, or no address of the CTA's own, as those of mapa are not. */
static struct mbarrier_book *book_at(const struct run *run, struct cta *cta, uint64_t own)
{
	if (!cta->recorded || own >= run->shared_bytes)
		return NULL;
	if (!cta->books)
		cta->books = memory_zeroed(book_count(run), sizeof *cta->books);
	return &cta->books[own / MBARRIER_BYTES];
}

static struct mbarrier_book *book_of_host(const struct run *run, const struct cta *cta, uint64_t host)
{
	for (uint32_t i = 0; i < run->cluster_size; i++) {
		struct cta *owner = &run->ctas[cta->cluster_first + i];
		if (host - (uintptr_t)owner->shared < run->shared_bytes)
			return book_at(run, owner, host - (uintptr_t)owner->shared);
	}
	return NULL;
}

void phases_note_change(const struct run *run, struct warp *w, uint64_t address)
{
	struct mbarrier_book *book = book_at(run, w->cta, phases_own_address(address));
	if (book)
		book->now.changes++;
}

uint64_t phases_note_pieces(const struct run *run, struct warp *w, uint64_t address, uint64_t pieces)
{
	uint64_t own = phases_own_address(address), object = own / MBARRIER_BYTES + 1;
	struct mbarrier_book *book = book_at(run, w->cta, own);
	if (!book || object > UINT16_MAX)
		return 0;
	book->now.pieces = (uint16_t)(book->now.pieces + pieces);
	return object;
}

void phases_note_init(const struct run *run, struct warp *w, uint64_t host)
{
	struct mbarrier_book *book = book_of_host(run, w->cta, host);
	if (book)
		book->ended = (struct phase_counts){0};
}

void phases_note_end(const struct run *run, struct cta *cta, uint64_t host)
{
	struct mbarrier_book *book = book_of_host(run, cta, host);
	if (book)
		book->ended = book->now;
}

struct phase_counts phases_waited_for(const struct run *run, const struct warp *w, const uint64_t *address,
                                      uint64_t mask)
{
	uint64_t first = address[bits_lowest(mask)];
	for (uint64_t left = mask; left; left &= left - 1)
		if (address[bits_lowest(left)] != first)
			return (struct phase_counts){0};
	const struct mbarrier_book *book = book_at(run, w->cta, phases_own_address(first));
	return book ? book->ended : (struct phase_counts){0};
}

void phases_open_cta(const struct run *run, struct cta *cta)
{
	if (cta->books)
		memset(cta->books, 0, book_count(run) * sizeof *cta->books);
}

void phases_free(struct cta *cta)
{
	free(cta->books);
}
