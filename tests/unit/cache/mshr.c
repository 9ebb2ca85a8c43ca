/* The MSHR table against a plain model: random allocations, waiters and fills. */
#include "cache/mshr.h"

#include "lib/synth.h"
#include "test.h"

enum { ENTRIES = 12, WAITERS = 30, MERGE = 4, LINES = 40 };

/* A line in the plain model; who waits, in order of arrival. */
struct plain_line {
	bool outstanding;
	uint32_t entry, count, who[MERGE];
	uint8_t sectors[MERGE], pending;
};

struct plain {
	struct plain_line line[LINES];
	uint32_t outstanding, waiters, next_who;
	/* the fill under way: the next waiter that must be served */
	struct plain_line *filled;
	uint32_t at;
	uint8_t came;
	bool ok;
};

static void expect(void *user, const struct waiter *waiter, uint64_t number, uint8_t got)
{
	struct plain *plain = user;
	struct plain_line *line = plain->filled;
	while (plain->at < line->count && !(line->sectors[plain->at] & plain->came))
		plain->at++;
	uint32_t i = plain->at++;
	plain->ok &= number == (uint64_t)(line - plain->line) && i < line->count &&
	             waiter->who == line->who[i] && got == (line->sectors[i] & plain->came) &&
	             waiter->sectors == (line->sectors[i] & ~plain->came);
}

static void plain_fill(struct plain *plain, struct plain_line *line, uint8_t sectors)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < line->count; i++) {
		line->sectors[kept] = line->sectors[i] & (uint8_t)~sectors;
		line->who[kept] = line->who[i];
		kept += line->sectors[kept] != 0;
	}
	plain->waiters -= line->count - kept;
	line->count = kept;
	line->pending &= (uint8_t)~sectors;
}

static bool fill(struct mshr_table *table, struct plain *plain, uint64_t at, uint8_t sectors)
{
	struct plain_line *line = &plain->line[at];
	struct mshr *mshr = &table->entry[line->entry];
	plain->filled = line;
	plain->at = 0;
	plain->came = sectors;
	mshr_fill(table, mshr, sectors, expect, plain);
	while (plain->at < line->count && !(line->sectors[plain->at] & sectors))
		plain->at++;
	bool all_served = plain->at == line->count;
	plain_fill(plain, line, sectors);
	if (!all_served || mshr->waiters != line->count || mshr->pending != line->pending)
		return false;
	if (!line->pending) {
		mshr_release(table, line->entry);
		line->outstanding = false;
		plain->outstanding--;
	}
	return true;
}

/* A request for some sectors of a line, if there is room. */
static bool request(struct mshr_table *table, struct plain *plain, uint64_t at, uint8_t sectors,
                    uint32_t kept)
{
	struct plain_line *line = &plain->line[at];
	uint32_t entry = mshr_find(table, at);
	if ((entry != MSHR_NONE) != line->outstanding || (line->outstanding && entry != line->entry))
		return false;
	enum mshr_room want = !line->outstanding && plain->outstanding + kept >= ENTRIES ? MSHR_NO_ENTRY
	                      : line->outstanding && line->count == MERGE                ? MSHR_NO_MERGE
	                      : plain->waiters == WAITERS                                ? MSHR_NO_MERGE
	                                                                                 : MSHR_ROOM;
	if (mshr_room(table, entry, kept) != want)
		return false;
	if (want != MSHR_ROOM)
		return true;
	if (!line->outstanding) {
		line->entry = entry = mshr_allocate(table, at);
		line->outstanding = true;
		line->pending = 0;
		plain->outstanding++;
	}
	line->pending |= sectors;
	table->entry[entry].pending |= sectors;
	line->who[line->count] = plain->next_who;
	line->sectors[line->count++] = sectors;
	plain->waiters++;
	mshr_wait(table, entry, sectors)->who = plain->next_who++;
	return table->entry[entry].waiters == line->count && table->entry[entry].line == at;
}

TEST(random_misses_and_fills_behave_as_plain_lists)
{
	struct region region = {0};
	struct mshr_table table;
	static struct plain plain;
	uint64_t state = 19;
	plain.ok = true;
	mshr_table_init(&table, &region, ENTRIES, WAITERS, MERGE);
	for (int i = 0; i < 200000; i++) {
		uint64_t at = synth_random(&state) % LINES;
		uint8_t sectors = (uint8_t)(1 + synth_random(&state) % 15);
		if (plain.line[at].outstanding && synth_random(&state) % 2)
			CHECK(fill(&table, &plain, at, sectors & plain.line[at].pending));
		else
			CHECK(request(&table, &plain, at, sectors, (uint32_t)(synth_random(&state) % 4)));
		CHECK(plain.ok);
		CHECK_EQ(table.free_entries, ENTRIES - plain.outstanding);
		CHECK_EQ(table.free_waiters, WAITERS - plain.waiters);
	}
	mshr_table_free(&table);
	region_free(&region);
}

TEST(a_waiter_leaves_when_its_last_sector_has_come)
{
	struct region region = {0};
	struct mshr_table table;
	static struct plain plain;
	plain.ok = true;
	mshr_table_init(&table, &region, ENTRIES, WAITERS, MERGE);
	CHECK(request(&table, &plain, 5, 0x3, 0));
	CHECK(request(&table, &plain, 5, 0x6, 0));
	CHECK(fill(&table, &plain, 5, 0x2));
	CHECK_EQ(table.entry[plain.line[5].entry].waiters, 2);
	CHECK(fill(&table, &plain, 5, 0x1));
	CHECK_EQ(table.entry[plain.line[5].entry].waiters, 1);
	CHECK(fill(&table, &plain, 5, 0x4));
	CHECK_EQ(mshr_find(&table, 5), MSHR_NONE);
	CHECK(plain.ok);
	mshr_table_free(&table);
	region_free(&region);
}

TEST_RUN_ALL(true)
