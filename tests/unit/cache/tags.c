/*
 * The tag array against a plain model: who is present, who is the victim,
 * through touches, flushes, changes of shape and the end of the stamps.
 */
#include "cache/tags_find.h"

#include "lib/synth.h"
#include "test.h"

enum { SETS = 8, MOST_WAYS = 24 };

/* A set as a list, most recently used last. */
struct plain_set {
	uint64_t line[MOST_WAYS];
	uint32_t count;
};

static void forget(struct plain_set *set, uint64_t line)
{
	for (uint32_t i = 0; i < set->count; i++)
		if (set->line[i] == line) {
			memmove(&set->line[i], &set->line[i + 1], (set->count - i - 1) * sizeof *set->line);
			set->count--;
			return;
		}
}

static void append(struct plain_set *set, uint64_t line)
{
	set->line[set->count++] = line;
}

static bool holds(const struct plain_set *set, uint64_t line)
{
	for (uint32_t i = 0; i < set->count; i++)
		if (set->line[i] == line)
			return true;
	return false;
}

static bool access_line(struct tags *tags, struct plain_set *plain, uint64_t line, uint32_t ways)
{
	struct plain_set *set = &plain[line % SETS];
	uint32_t entry = tags_find(tags, tags_set(tags, line), line);
	if ((entry != TAG_NONE) != holds(set, line))
		return false;
	if (entry != TAG_NONE) {
		tags_touch(tags, entry);
		forget(set, line);
	} else {
		entry = tags_victim(tags, tags_set(tags, line));
		bool evicts = tag_present(tags, &tags->entries[entry]);
		if (evicts != (set->count == ways) || (evicts && tags->entries[entry].line != set->line[0]))
			return false;
		if (evicts)
			forget(set, set->line[0]);
		tags_install(tags, entry, line);
	}
	append(set, line);
	return true;
}

static bool behaves(uint32_t ways, uint32_t stamp)
{
	struct index index;
	struct error err;
	struct tags tags = {0};
	struct plain_set plain[SETS] = {0};
	uint64_t state = ways;
	if (!index_build(&index, SET_INDEX_SEQ, SETS, 128, &err))
		return false;
	tags_init(&tags, SETS, ways, &index);
	tags.stamp = tags.flushed = stamp;
	for (int i = 0; i < 20000; i++) {
		uint64_t line = synth_random(&state) % (SETS * (ways + 2)),
		         what = synth_random(&state) % 1000;
		if (what == 0) {
			tags_flush(&tags);
			memset(plain, 0, sizeof plain);
		} else if (what < 50) {
			uint32_t entry = tags_find(&tags, tags_set(&tags, line), line);
			if (entry != TAG_NONE)
				tags_invalidate(&tags, entry);
			forget(&plain[line % SETS], line);
		} else if (!access_line(&tags, plain, line, ways)) {
			return false;
		}
	}
	tags_free(&tags);
	return true;
}

TEST(few_ways_behave_as_a_list_by_recency)
{
	CHECK(behaves(1, 0));
	CHECK(behaves(4, 0));
}

TEST(many_ways_behave_as_a_list_by_recency)
{
	CHECK(behaves(12, 0));
	CHECK(behaves(16, 0));
	CHECK(behaves(MOST_WAYS, 0));
}

TEST(recency_survives_the_end_of_the_stamps)
{
	CHECK(behaves(4, UINT32_MAX - 1000));
	CHECK(behaves(MOST_WAYS, UINT32_MAX - 10));
}

TEST(a_reserved_line_is_no_victim)
{
	struct index index;
	struct error err;
	struct tags tags = {0};
	CHECK(index_build(&index, SET_INDEX_SEQ, 1, 128, &err));
	tags_init(&tags, 1, 3, &index);
	for (uint32_t i = 0; i < 3; i++)
		tags_install(&tags, i, 10 + i);
	CHECK_EQ(tags_victim(&tags, 0), 0);
	tags.entries[0].state |= TAG_RESERVED;
	CHECK_EQ(tags_victim(&tags, 0), 1);
	tags.entries[1].state |= TAG_RESERVED;
	tags.entries[2].state |= TAG_RESERVED;
	CHECK_EQ(tags_victim(&tags, 0), TAG_NONE);
	tags_invalidate(&tags, 1);
	CHECK_EQ(tags_victim(&tags, 0), 1);
	tags_install(&tags, 1, 20);
	CHECK_EQ(tags.entries[1].state, TAG_SETTLED);
	CHECK_EQ(tags.entries[1].valid, 0);
	tags_free(&tags);
}

/*
 * Uses of five lines of a set of four ways, and the line that is gone then: as seen on an H200 (validation/probes/sets.cu,
 * where orders go on with more new lines).
 */
TEST(half_of_a_segmented_set_outlives_new_lines)
{
	static const struct {
		const char *uses;
		uint64_t gone;
	} orders[] = {
	    {"01234", 0},       {"001234", 1},         {"0011234", 2},    {"00112234", 0},
	    {"001122304", 3},   {"0011234", 2},        {"0011223004", 3}, {"01233004", 1},
	    {"00112230334", 1}, {"00123034", 1},       {"0011223114", 0}, {"00110234", 2},
	    {"00111234", 0},    {"001100234", 1},      {"0011010234", 2}, {"00112201234", 0},
	    {"00110011234", 0}, {"01230123012304", 1},
	};
	struct index index;
	struct error err;
	CHECK(index_build(&index, SET_INDEX_SEQ, 1, 128, &err));
	for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
		struct tags tags = {.protected_ways = 2};
		tags_init(&tags, 1, 4, &index);
		for (const char *use = orders[i].uses; *use; use++) {
			uint32_t entry = tags_find(&tags, 0, (uint64_t)(*use - '0'));
			if (entry != TAG_NONE)
				tags_use(&tags, entry);
			else
				tags_install(&tags, tags_victim(&tags, 0), (uint64_t)(*use - '0'));
		}
		for (uint64_t line = 0; line < 5; line++)
			CHECK_EQ(tags_find(&tags, 0, line) == TAG_NONE, line == orders[i].gone);
		tags_free(&tags);
	}
}

/* The textbook's tree: each bit points away from the half that was used last. */
struct tree {
	bool right[64]; /* node n has the children 2n + 1 and 2n + 2 */
	uint32_t leaves;
};

static void tree_touch(struct tree *tree, uint32_t way)
{
	uint32_t at = 0;
	for (uint32_t half = tree->leaves / 2; half; half /= 2) {
		tree->right[at] = !(way & half);
		at = 2 * at + 1 + !!(way & half);
	}
}

static uint32_t tree_victim(const struct tree *tree, uint32_t ways)
{
	uint32_t at = 0, first = 0;
	for (uint32_t half = tree->leaves / 2; half; half /= 2) {
		bool right = tree->right[at] && first + half < ways;
		first += right ? half : 0;
		at = 2 * at + 1 + right;
	}
	return first;
}

TEST(pseudo_lru_takes_the_line_that_a_tree_of_bits_points_to)
{
	static const uint32_t shapes[] = {2, 4, 6, 16};
	for (int shape = 0; shape < 4; shape++) {
		struct index index;
		struct error err;
		struct tags tags = {0};
		struct tree tree = {.leaves = shapes[shape] == 6 ? 8 : shapes[shape]};
		uint64_t random = 1, different = 0;
		CHECK(index_build(&index, SET_INDEX_SEQ, 1, 128, &err));
		tags_init(&tags, 1, shapes[shape], &index);
		for (uint32_t i = 0; i < shapes[shape]; i++) {
			tags_install(&tags, i, i);
			tree_touch(&tree, i);
		}
		for (uint64_t i = 0; i < 2000; i++) {
			random = random * 6364136223846793005u + 1442695040888963407u;
			tags.plru = false;
			uint32_t plain = tags_victim(&tags, 0),
			         way = (uint32_t)(random >> 33) % shapes[shape];
			tags.plru = true;
			CHECK_EQ(tags_victim(&tags, 0), tree_victim(&tree, shapes[shape]));
			different += tags_victim(&tags, 0) != plain;
			tags_touch(&tags, way);
			tree_touch(&tree, way);
		}
		CHECK(shapes[shape] == 2 ? !different : different > 100);
		tags_free(&tags);
	}
}

TEST(a_new_shape_is_empty_and_keeps_its_room)
{
	struct tags tags = {0};
	tags_reshape(&tags, 0, 0); /* before anything was reserved */
	tags_reserve(&tags, 64);
	tags_reshape(&tags, 4, 16);
	tags_install(&tags, 17, 100);
	CHECK_EQ(tags_find(&tags, 1, 100), 17);
	const struct tag *room = tags.entries;
	tags_reshape(&tags, 16, 2);
	CHECK(tags.entries == room);
	for (uint32_t set = 0; set < 16; set++)
		CHECK_EQ(tags_find(&tags, set, 100), TAG_NONE);
	tags_reshape(&tags, 0, 0);
	tags_reshape(&tags, 32, 4); /* more than was reserved */
	for (uint32_t set = 0; set < 32; set++)
		CHECK_EQ(tags_find(&tags, set, 0), TAG_NONE);
	tags_free(&tags);
}

TEST_RUN_ALL(true)
