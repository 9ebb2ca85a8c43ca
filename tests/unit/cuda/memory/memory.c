/* Device memory: addresses are the same in every run, ranges are exact, freed memory comes back zeroed. */
#include "cuda/memory/memory.h"

#include <sys/mman.h>

#include "test.h"

enum { MIB = 1 << 20 };

static struct device_memory *memory_of(uint64_t bytes)
{
	struct error err = {0};
	struct device_memory *memory = device_memory_new(bytes, &err);
	if (!memory) {
		printf("# %s\n", err.text);
		exit(1);
	}
	return memory;
}

static uint64_t place(struct device_memory *m, uint64_t bytes)
{
	return device_memory_allocate(m, bytes) - DEVICE_WINDOW;
}

/* Sizes and places as an H200 gives them. */
TEST(small_allocations_are_aligned_to_512_bytes)
{
	static const uint64_t bytes[] = {4, 4, 256, 512, 513, 1000, 4096, 0x19000, 4, 0xe1000, 0x7d000, 4};
	static const uint64_t want[] = {0,      0x200,  0x400,   0x600,   0x800,   0xc00,
	                                0x1000, 0x2000, 0x1b000, 0x1b200, 0xfc200, 0x179200};
	struct device_memory *m = memory_of(64 * MIB);
	for (unsigned i = 0; i < sizeof bytes / sizeof *bytes; i++)
		CHECK_EQ(place(m, bytes[i]), want[i]);
	device_memory_free_all(m);
}

TEST(allocations_do_not_cross_2_mib_and_large_ones_have_pages_of_their_own)
{
	struct device_memory *m = memory_of(64 * MIB);
	CHECK_EQ(place(m, 4), 0);
	CHECK_EQ(place(m, MIB), 512);
	CHECK_EQ(place(m, MIB), 2 * MIB);
	CHECK_EQ(place(m, 3 * MIB), 4 * MIB);
	CHECK_EQ(place(m, 2 * MIB), 8 * MIB);
	CHECK_EQ(place(m, MIB + 4), 10 * MIB);
	CHECK_EQ(place(m, MIB - 512), MIB + 512);
	CHECK_EQ(place(m, 4), 3 * MIB);
	device_memory_free_all(m);
}

TEST(a_range_ends_with_its_last_byte)
{
	struct device_memory *m = memory_of(64 * MIB);
	struct memory_range range;
	uint64_t a = device_memory_allocate(m, 100);
	CHECK(device_memory_find(m, a + 99, &range));
	CHECK_EQ(range.first, a);
	CHECK_EQ(range.end, a + 100);
	CHECK(!device_memory_find(m, a + 100, &range));
	CHECK(!device_memory_find(m, a - 1, &range));
	CHECK(!device_memory_find(m, 0, &range));
	device_memory_free_all(m);
}

TEST(the_lowest_hole_that_fits_is_taken)
{
	struct device_memory *m = memory_of(64 * MIB);
	uint64_t block[8];
	for (int i = 0; i < 8; i++)
		block[i] = device_memory_allocate(m, i == 2 ? 2048 : 512);
	CHECK(device_memory_release(m, block[2]));
	CHECK(device_memory_release(m, block[5]));
	CHECK_EQ(device_memory_allocate(m, 2049), block[7] + 512);
	CHECK_EQ(device_memory_allocate(m, 1024), block[2]);
	CHECK_EQ(device_memory_allocate(m, 1024), block[2] + 1024);
	CHECK_EQ(device_memory_allocate(m, 10), block[5]);
	device_memory_free_all(m);
}

TEST(an_address_inside_an_allocation_does_not_release_it)
{
	struct device_memory *m = memory_of(64 * MIB);
	uint64_t a = device_memory_allocate(m, 100), generation = device_memory_generation(m);
	CHECK(!device_memory_release(m, a + 1));
	CHECK(!device_memory_release(m, a + 512));
	CHECK_EQ(device_memory_generation(m), generation);
	CHECK(device_memory_release(m, a));
	CHECK(device_memory_generation(m) != generation);
	CHECK(!device_memory_release(m, a));
	device_memory_free_all(m);
}

static bool is_zero(uint64_t address, uint64_t bytes)
{
	const char *at = device_host(address);
	for (uint64_t i = 0; i < bytes; i++)
		if (at[i])
			return false;
	return true;
}

TEST(released_memory_comes_back_zeroed_and_leaves_its_neighbours_alone)
{
	static const uint64_t sizes[] = {1, 777, 5000, 70001, 3 * MIB + 5};
	struct device_memory *m = memory_of(64 * MIB);
	for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		uint64_t before = device_memory_allocate(m, 512), a = device_memory_allocate(m, sizes[i]);
		uint64_t after = device_memory_allocate(m, 512);
		memset(device_host(before), 1, 512);
		memset(device_host(a), 2, sizes[i]);
		memset(device_host(after), 3, 512);
		device_memory_release(m, a);
		CHECK_EQ(device_memory_allocate(m, sizes[i]), a);
		CHECK(is_zero(a, sizes[i]));
		CHECK_EQ(*((char *)device_host(before) + 511), 1);
		CHECK_EQ(*(char *)device_host(after), 3);
	}
	device_memory_free_all(m);
}

TEST(what_does_not_fit_is_refused_and_usage_is_told)
{
	struct device_memory *m = memory_of(4 * MIB);
	uint64_t used, total;
	CHECK_EQ(device_memory_allocate(m, 4 * MIB + 1), 0);
	CHECK_EQ(device_memory_allocate(m, UINT64_MAX), 0);
	uint64_t all = device_memory_allocate(m, 4 * MIB);
	CHECK_EQ(all, DEVICE_WINDOW);
	CHECK_EQ(device_memory_allocate(m, 1), 0);
	device_memory_usage(m, &used, &total);
	CHECK_EQ(used, 4 * MIB);
	CHECK_EQ(total, 4 * MIB);
	device_memory_release(m, all);
	CHECK_EQ(device_memory_allocate(m, 0), DEVICE_WINDOW);
	device_memory_usage(m, &used, &total);
	CHECK_EQ(used, 1);
	device_memory_free_all(m);
}

TEST(a_window_that_is_taken_is_an_error_that_names_it)
{
	struct error err = {0};
	void *page = mmap(device_host(DEVICE_WINDOW + 2 * MIB), 4096, PROT_READ,
	                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	CHECK(page != MAP_FAILED);
	CHECK(!device_memory_new(64 * MIB, &err));
	CHECK(strstr(err.text, "0x300000000000") && strstr(err.text, "in use"));
	munmap(page, 4096);
	device_memory_free_all(memory_of(64 * MIB));
}

TEST(adopted_host_memory_is_found_until_it_is_forgotten)
{
	static char host[3000];
	struct device_memory *m = memory_of(64 * MIB);
	struct memory_range range;
	uint64_t at = (uintptr_t)host;
	CHECK(!device_memory_find(m, at, &range));
	CHECK(device_memory_adopt(m, at + 1000, 1000));
	CHECK(!device_memory_adopt(m, at + 1999, 10));
	CHECK(!device_memory_adopt(m, at, 1001));
	CHECK(device_memory_adopt(m, at, 1000));
	CHECK(!device_memory_adopt(m, DEVICE_WINDOW, 10));
	CHECK(device_memory_find(m, at + 1999, &range));
	CHECK_EQ(range.end, at + 2000);
	CHECK(!device_memory_find(m, at + 2000, &range));
	CHECK(!device_memory_forget(m, at + 1));
	CHECK(device_memory_forget(m, at + 1000));
	CHECK(!device_memory_find(m, at + 1000, &range));
	device_memory_free_all(m);
}

TEST(tagged_allocations_go_together_and_others_stay)
{
	struct device_memory *m = memory_of(64 * MIB);
	struct memory_range range;
	uint64_t a = device_memory_allocate(m, 10), b = device_memory_allocate(m, 10);
	CHECK(device_memory_set_tag(m, b, 7));
	CHECK_EQ(device_memory_tag(m, b + 9), 7);
	CHECK_EQ(device_memory_tag(m, a), 0);
	device_memory_release_tagged(m);
	CHECK(device_memory_find(m, a, &range));
	CHECK(!device_memory_find(m, b, &range));
	device_memory_free_all(m);
}

TEST(what_is_near_an_allocation_is_in_its_pages_or_the_next)
{
	struct device_memory *m = memory_of(64 * MIB);
	uint64_t low = device_memory_allocate(m, 10), end = DEVICE_WINDOW + 64 * MIB;
	uint64_t large = device_memory_allocate(m, 5 * MIB);
	CHECK_EQ(low, DEVICE_WINDOW);
	CHECK_EQ(large, DEVICE_WINDOW + 2 * MIB);
	static const struct {
		int64_t mib;
		bool is_near;
	} rows[] = {{-3, false}, {-2, true}, {-1, true},  {0, true},  {2, true},
	            {7, true},   {9, true},  {10, false}, {40, false}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		CHECK_EQ(device_memory_is_near(m, DEVICE_WINDOW + (uint64_t)(rows[i].mib * (int64_t)MIB), 4),
		         rows[i].is_near);
	CHECK(!device_memory_is_near(m, end, 1));
	uint64_t last = device_memory_allocate(m, 54 * MIB);
	CHECK(last);
	CHECK(device_memory_is_near(m, end - 4, 4));
	CHECK(!device_memory_is_near(m, end - 4, 5));
	device_memory_free_all(m);
}

TEST(adopted_memory_is_shown_in_a_window_of_its_own)
{
	static _Alignas(64) char host[8192];
	struct device_memory *m = memory_of(64 * MIB);
	uint64_t at = (uintptr_t)host;
	CHECK(!device_memory_has_adopted(m));
	CHECK(!device_memory_adopt(m, at, 0));
	CHECK(!device_memory_adopt(m, UINT64_MAX - 5, 10));
	CHECK(device_memory_adopt(m, at, 100) && device_memory_adopt(m, at + 4096, 100));
	CHECK(device_memory_has_adopted(m));
	CHECK_EQ(device_memory_traced(m, at + 7), ADOPTED_WINDOW + at % 4096 + 7);
	CHECK_EQ(device_memory_traced(m, at + 200), at + 200);
	CHECK_EQ(device_memory_traced(m, DEVICE_WINDOW + 9), DEVICE_WINDOW + 9);
	CHECK(device_memory_set_tag(m, at, 3));
	CHECK(!device_memory_set_tag(m, at + 200, 3));
	CHECK_EQ(device_memory_tag(m, at + 200), 0);
	/* What has a tag is forgotten with the rest; a module's stays. */
	device_memory_release_tagged(m);
	struct memory_range range;
	CHECK(!device_memory_find(m, at, &range) && device_memory_find(m, at + 4096, &range));
	device_memory_free_all(m);
	device_memory_free_all(NULL);
}

TEST(a_device_has_a_size_that_makes_sense)
{
	struct error err = {0};
	CHECK(!device_memory_new(0, &err));
	CHECK(strstr(err.text, "0 bytes asked for"));
	CHECK(!device_memory_new(UINT64_C(1) << 45, &err));
	CHECK(strstr(err.text, "expected up to 16 TiB"));
}

/* Against the plain rule: of all aligned starts in holes, the lowest. */
enum { MODEL_MAX = 256 };
struct model {
	struct memory_range block[MODEL_MAX];
	unsigned count;
};

static uint64_t model_allocate(struct model *model, uint64_t bytes, uint64_t total)
{
	const uint64_t page = 2 * MIB;
	uint64_t taken = bytes < page ? bytes : (bytes + page - 1) / page * page;
	for (uint64_t at = DEVICE_WINDOW; at + taken <= DEVICE_WINDOW + total;
	     at += bytes < page ? 512 : page) {
		bool is_free = bytes >= page || at % page + bytes <= page;
		for (unsigned i = 0; i < model->count && is_free; i++)
			is_free = at + taken <= model->block[i].first || at >= model->block[i].end;
		if (is_free) {
			model->block[model->count++] = (struct memory_range){at, at + taken};
			return at;
		}
	}
	return 0;
}

TEST(random_allocations_follow_first_fit)
{
	static struct model model;
	const uint64_t total = 16 * MIB;
	struct device_memory *m = memory_of(total);
	uint32_t seed = 1;
	for (int step = 0; step < 20000; step++) {
		seed = seed * 1664525 + 1013904223;
		unsigned choice = seed >> 8;
		if (model.count == MODEL_MAX || (model.count && choice % 2)) {
			unsigned which = choice / 2 % model.count;
			CHECK(device_memory_release(m, model.block[which].first));
			model.block[which] = model.block[--model.count];
			continue;
		}
		uint64_t bytes = choice % 16 == 0 ? MIB + choice % (3 * MIB) : 1 + (choice >> 4) % 9000;
		CHECK_EQ(device_memory_allocate(m, bytes), model_allocate(&model, bytes, total));
	}
	device_memory_free_all(m);
}

TEST(many_small_allocations_do_not_take_quadratic_time)
{
	struct device_memory *m = memory_of((uint64_t)256 * MIB);
	struct memory_range range;
	uint64_t last = 0;
	for (int i = 0; i < 200000; i++)
		last = device_memory_allocate(m, 1 + (unsigned)i % 512);
	CHECK_EQ(last, DEVICE_WINDOW + UINT64_C(512) * 199999);
	CHECK(device_memory_find(m, last, &range));
	device_memory_free_all(m);
}

TEST_RUN_ALL(true)
