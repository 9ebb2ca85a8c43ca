/* Regions: zeroed arrays side by side, given back together. */
#include "base/region.h"

#include <stdbool.h>
#include <string.h>

#include "test.h"

enum { HOST_LINE = 64, CHUNK = 8 << 20 };

static bool is_zero(const uint8_t *array, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		if (array[i])
			return false;
	return true;
}

TEST(arrays_are_zero_aligned_and_apart)
{
	static const size_t sizes[] = {1,       64,      65,      4096,  100000,
	                               3 << 20, 4 << 20, 2 << 20, CHUNK, 3 * CHUNK + 1};
	enum { COUNT = sizeof sizes / sizeof *sizes };
	struct region region = {0};
	uint8_t *array[COUNT];
	for (int i = 0; i < COUNT; i++) {
		array[i] = region_take(&region, sizes[i], 1);
		CHECK_EQ((uintptr_t)array[i] % HOST_LINE, 0);
		CHECK(is_zero(array[i], sizes[i]));
		memset(array[i], i + 1, sizes[i]);
	}
	for (int i = 0; i < COUNT; i++)
		CHECK(array[i][0] == i + 1 && array[i][sizes[i] - 1] == i + 1);
	region_free(&region);
}

TEST(a_region_that_was_given_back_is_empty_and_zero_again)
{
	struct region region = {0};
	memset(region_take(&region, 1000, 1), 1, 1000);
	region_free(&region);
	CHECK(!region.chunk);
	CHECK(is_zero(region_take(&region, 1000, 1), 1000));
	region_free(&region);
	region_free(&region);
}

TEST_RUN_ALL(true)
