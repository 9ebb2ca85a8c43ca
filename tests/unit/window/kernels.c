/* Launch lists. */
#include "window/kernels.h"

#include <string.h>

#include "test.h"

static struct error err;

static bool parse(struct kernels *kernels, const char *text)
{
	return kernels_parse(kernels, "--kernel", text, &err);
}

static bool check(const struct kernels *kernels, uint64_t launches)
{
	return kernels_check(kernels, "--kernel", "the trace has", launches, &err);
}

TEST(launch_lists_hold_numbers_and_ranges)
{
	struct kernels kernels;
	CHECK(parse(&kernels, "1,3,5-7"));
	CHECK(kernels_has(&kernels, 1) && !kernels_has(&kernels, 2) && kernels_has(&kernels, 6));
	CHECK(!kernels_has(&kernels, 8) && kernels_last(&kernels) == 7);
	CHECK(check(&kernels, 7) && !check(&kernels, 6));
	kernels.count = 0;
	CHECK(kernels_has(&kernels, 99) && check(&kernels, 0) && kernels_last(&kernels) == UINT64_MAX);
}

TEST(an_open_range_begins_somewhere)
{
	struct kernels kernels;
	CHECK(parse(&kernels, "2,5-"));
	CHECK(kernels_has(&kernels, 2) && !kernels_has(&kernels, 4) && kernels_has(&kernels, 5000));
	CHECK(check(&kernels, 5) && !check(&kernels, 4));
	CHECK(kernels_last(&kernels) == UINT64_MAX);
}

TEST(messages_name_the_option_and_whose_launches_there_are)
{
	struct kernels kernels;
	CHECK(kernels_parse(&kernels, "--launches", "9", &err));
	CHECK(!kernels_check(&kernels, "--launches", "the program has", 8, &err));
	CHECK(!strcmp(err.text, "--launches: no launch 9; the program has 8"));
}

TEST(broken_launch_lists_are_refused)
{
	const char *broken[] = {"", "0", "1,", ",1", "-1", "-", "0-", "3-2", "x", "1-2-3", "4294967296"};
	struct kernels kernels;
	for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
		CHECK(!parse(&kernels, broken[i]));
}

TEST_RUN_ALL(true)
