/* Handles of the runtime. Its library hides what is not its API: the file itself is part of this test. */
#include "cudart/handle.c"

#include "test.h"

enum { MANY = 200000 };

static int objects[MANY];

TEST(a_handle_is_void_once_it_is_removed)
{
	struct handle_table table = {0};
	void *first = handle_new(&table, HANDLE_EVENT, &objects[0]);
	CHECK(handle_get(&table, HANDLE_EVENT, first) == &objects[0]);
	CHECK(!handle_get(&table, HANDLE_STREAM, first) && !handle_remove(&table, HANDLE_STREAM, first));
	CHECK(handle_remove(&table, HANDLE_EVENT, first) == &objects[0]);
	void *second = handle_new(&table, HANDLE_EVENT, &objects[1]);
	CHECK_EQ(table.count, 1);
	CHECK(second != first && !handle_get(&table, HANDLE_EVENT, first));
	CHECK(!handle_remove(&table, HANDLE_EVENT, first));
	CHECK(handle_remove(&table, HANDLE_EVENT, second) == &objects[1]);
	free(table.slots);
}

TEST(a_walk_meets_each_of_its_kind_once)
{
	struct handle_table table = {0};
	void *handles[9], *met;
	uint32_t at = 0;
	CHECK(!handle_next(&table, HANDLE_EVENT, &at));
	for (int i = 0; i < 9; i++)
		handles[i] = handle_new(&table, i % 3 ? HANDLE_EVENT : HANDLE_STREAM, &objects[i]);
	handle_remove(&table, HANDLE_EVENT, handles[4]);
	static const int events[] = {1, 2, 5, 7, 8};
	for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
		met = handle_next(&table, HANDLE_EVENT, &at);
		CHECK(met == handles[events[i]]);
	}
	CHECK(!handle_next(&table, HANDLE_EVENT, &at) && !handle_next(&table, HANDLE_EVENT, &at));
	free(table.slots);
}

TEST(what_is_removed_during_a_walk_is_not_met)
{
	struct handle_table table = {0};
	void *handles[6];
	uint32_t at = 0;
	for (int i = 0; i < 6; i++)
		handles[i] = handle_new(&table, HANDLE_GRAPH, &objects[i]);
	CHECK(handle_next(&table, HANDLE_GRAPH, &at) == handles[0]);
	static const int gone[] = {0, 1, 3, 5}; /* itself, its neighbour, one further on, the last one */
	for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
		handle_remove(&table, HANDLE_GRAPH, handles[gone[i]]);
	CHECK(handle_next(&table, HANDLE_GRAPH, &at) == handles[2]);
	CHECK(handle_next(&table, HANDLE_GRAPH, &at) == handles[4]);
	CHECK(!handle_next(&table, HANDLE_GRAPH, &at));
	free(table.slots);
}

/* How far the walk has come counts the slots that it has looked at: each once, however many were removed on the way. */
TEST(a_table_is_emptied_in_one_walk)
{
	struct handle_table table = {0};
	void *handle;
	uint32_t at = 0, before = 0, removed = 0;
	for (int i = 0; i < MANY; i++)
		handle_new(&table, HANDLE_EVENT, &objects[i]);
	while ((handle = handle_next(&table, HANDLE_EVENT, &at)) != NULL) {
		CHECK_EQ(at, before + 1);
		CHECK(handle_remove(&table, HANDLE_EVENT, handle) == &objects[removed++]);
		before = at;
	}
	CHECK_EQ(removed, MANY);
	CHECK_EQ(at, MANY);
	free(table.slots);
}

TEST(contexts_outlive_a_clearing)
{
	struct handle_table table = {0};
	void *context = handle_new(&table, HANDLE_CONTEXT, &objects[0]);
	void *link = handle_new(&table, HANDLE_LINK, malloc(1)),
	     *pool = handle_new(&table, HANDLE_POOL, malloc(1));
	handle_clear(&table);
	CHECK(handle_get(&table, HANDLE_CONTEXT, context) == &objects[0]);
	CHECK(!handle_get(&table, HANDLE_LINK, link) && !handle_get(&table, HANDLE_POOL, pool));
	free(table.slots);
}

TEST_MAIN(TEST_ENTRY(a_handle_is_void_once_it_is_removed) TEST_ENTRY(a_walk_meets_each_of_its_kind_once)
              TEST_ENTRY(what_is_removed_during_a_walk_is_not_met) TEST_ENTRY(a_table_is_emptied_in_one_walk)
                  TEST_ENTRY(contexts_outlive_a_clearing))
