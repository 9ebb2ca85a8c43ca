/* The sectored look-up: what is present, what is in flight, what must be asked for. */
#include "cache/lookup.h"

#include "test.h"

static struct index sets;
static struct tags tags;
static struct mshr_table mshrs;
static struct region region;

static bool open_cache(void)
{
	struct error err;
	memset(&tags, 0, sizeof tags);
	mshr_table_init(&mshrs, &region, 4, 8, 2);
	if (!index_build(&sets, SET_INDEX_SEQ, 4, 128, &err))
		return false;
	tags_init(&tags, 4, 2, &sets);
	return true;
}

static void close_cache(void)
{
	tags_free(&tags);
	mshr_table_free(&mshrs);
	region_free(&region);
}

static struct lookup look_up(uint64_t line, uint8_t sectors)
{
	struct lookup look = lookup_tags(&tags, tags_set(&tags, line), line, sectors);
	lookup_mshrs(&look, &mshrs, line);
	return look;
}

TEST(an_absent_line_lacks_all_that_is_asked_for)
{
	CHECK(open_cache());
	struct lookup look = look_up(6, 0x5);
	CHECK_EQ(look.set, 2);
	CHECK_EQ(look.entry, TAG_NONE);
	CHECK_EQ(look.mshr, MSHR_NONE);
	CHECK_EQ(look.valid, 0);
	CHECK_EQ(look.missing, 0x5);
	CHECK_EQ(look.fresh, 0x5);
	close_cache();
}

TEST(sectors_are_present_in_flight_or_to_be_asked_for)
{
	CHECK(open_cache());
	tags_install(&tags, 4, 6);
	tags.entries[4].valid = 0x1;
	uint32_t mshr = mshr_allocate(&mshrs, 6);
	mshrs.entry[mshr].pending = 0x2;
	struct lookup look = look_up(6, 0x7);
	CHECK_EQ(look.entry, 4);
	CHECK_EQ(look.mshr, mshr);
	CHECK_EQ(look.valid, 0x1);
	CHECK_EQ(look.missing, 0x6);
	CHECK_EQ(look.fresh, 0x4);
	look = look_up(6, 0x3); /* all that is missing is on its way */
	CHECK_EQ(look.missing, 0x2);
	CHECK_EQ(look.fresh, 0);
	close_cache();
}

TEST(a_hit_looks_for_no_mshr)
{
	CHECK(open_cache());
	tags_install(&tags, 4, 6);
	tags.entries[4].valid = 0x3;
	mshrs.entry[mshr_allocate(&mshrs, 6)].pending = 0xc;
	struct lookup look = look_up(6, 0x3);
	CHECK_EQ(look.missing, 0);
	CHECK_EQ(look.fresh, 0);
	CHECK_EQ(look.mshr, MSHR_NONE);
	close_cache();
}

TEST_RUN_ALL(true)
