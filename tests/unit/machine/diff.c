/* The keys in which machines differ. */
#include "machine/diff.h"

#include "test.h"

static struct machine *machines[2];

static bool load(const char *first, const char *change, const char *value)
{
	struct error err;
	machines[0] = machine_load(first, &err);
	machines[1] = machines[0] ? machine_copy(machines[0], &err) : NULL;
	return machines[1] && (!change || machine_set(machines[1], change, value, "here", &err));
}

/* Return how many keys differ; `last` is the last of them. */
static size_t differ(struct machine_difference *last)
{
	struct machine_difference *found;
	size_t count = machine_diff((const struct machine *const *)machines, &found);
	if (count)
		*last = found[count - 1];
	free(found);
	machine_free(machines[0]);
	machine_free(machines[1]);
	return count;
}

TEST(a_copy_differs_in_nothing)
{
	struct machine_difference last;
	CHECK(load("h200", NULL, NULL));
	CHECK_EQ(differ(&last), 0);
}

TEST(a_change_is_found_with_both_values)
{
	static const char *const changes[][3] = {
	    {"l1d.hit_cycles", "40", "31"}, {"l2.replacement", "plru", "lru"}, {"dram.stacked", "no", "yes"}};
	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
		struct machine_difference last;
		CHECK(load("h200", changes[i][0], changes[i][1]));
		CHECK_EQ(differ(&last), 1);
		CHECK(!strcmp(last.value[0], changes[i][2]) && !strcmp(last.value[1], changes[i][1]));
		CHECK(!strncmp(changes[i][0], last.key->section, strlen(last.key->section)));
	}
}

TEST_RUN_ALL(unsetenv("SLUICE_MACHINES") == 0)
