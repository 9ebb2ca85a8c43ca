/* Parameter spaces, and the search in them. */
#include <string.h>

#include "study/tune/tune.h"
#include "test.h"

enum { MOST = 90 };

/* A curve instead of simulations. */
struct curve {
	double value[MOST];
	size_t count, asked;
	bool measured[MOST];
};

static bool measure(void *user, const size_t *points, size_t count, struct error *err)
{
	struct curve *curve = user;
	(void)err;
	for (size_t i = 0; i < count; i++) {
		if (points[i] >= curve->count || curve->measured[points[i]])
			return false;
		curve->measured[points[i]] = true;
		curve->asked++;
	}
	return true;
}

/* What was not measured must not be asked for. */
static double score(void *user, size_t point)
{
	const struct curve *curve = user;
	if (!curve->measured[point])
		abort();
	return curve->value[point];
}

/* With a slope of 0 behind the summit, all points from there on are equal. */
static struct curve summit_at(size_t count, size_t top, double slope)
{
	struct curve curve = {.count = count};
	for (size_t i = 0; i < count; i++)
		curve.value[i] = i <= top ? (double)i : (double)top - slope * (double)(i - top);
	return curve;
}

static size_t search(struct curve *curve, enum tune_search kind)
{
	const struct tune_measure how = {measure, score, curve};
	size_t best = SIZE_MAX;
	return tune_search(&how, curve->count, kind, &best, NULL) ? best : SIZE_MAX;
}

TEST(an_exhaustive_search_measures_every_point_once)
{
	struct curve curve = summit_at(24, 5, 1);
	CHECK_EQ(search(&curve, TUNE_EXHAUSTIVE), 5);
	CHECK_EQ(curve.asked, 24);
}

TEST(a_golden_search_finds_every_summit)
{
	for (size_t count = 1; count <= MOST; count++)
		for (size_t top = 0; top < count; top++) {
			struct curve curve = summit_at(count, top, 0.5);
			CHECK_EQ(search(&curve, TUNE_GOLDEN), top);
		}
}

TEST(a_golden_search_measures_few_points)
{
	for (size_t top = 0; top < 88; top++) {
		struct curve curve = summit_at(88, top, 1);
		search(&curve, TUNE_GOLDEN);
		CHECK(curve.asked <= 12);
	}
}

TEST(equals_go_to_the_largest_in_both_searches)
{
	for (size_t top = 0; top < 24; top++) {
		struct curve all = summit_at(24, top, 0), few = all;
		CHECK_EQ(search(&all, TUNE_EXHAUSTIVE), 23);
		CHECK_EQ(search(&few, TUNE_GOLDEN), 23);
	}
}

TEST(a_summit_before_a_flat_end_is_found)
{
	for (size_t top = 0; top < 12; top++) {
		struct curve curve = summit_at(24, top, 1);
		for (size_t i = 12; i < 24; i++)
			curve.value[i] = -100;
		CHECK_EQ(search(&curve, TUNE_GOLDEN), top);
	}
}

static bool makes(struct tune_space *space, const char *first, const char *second, const char *chain)
{
	const char *const params[] = {first, second};
	return tune_space_make(space, params, second ? 2 : 1, chain, NULL);
}

TEST(a_point_is_a_chain_with_its_values)
{
	static const struct {
		const char *first, *second, *chain;
		size_t points, point;
		const char *want;
	} cases[] = {
	    {"swl.n=3..24", NULL, NULL, 22, 0, "swl:n=3"},
	    {"swl.n=3..24", NULL, NULL, 22, 21, "swl:n=24"},
	    {"swl.n=1..2", NULL, "gto,swl:x=1,pric", 2, 1, "gto,swl:x=1:n=2,pric"},
	    /* The last parameter changes first. */
	    {"a.x=1..2", "b.y=5..7", NULL, 6, 0, "a:x=1,b:y=5"},
	    {"a.x=1..2", "b.y=5..7", NULL, 6, 1, "a:x=1,b:y=6"},
	    {"a.x=1..2", "b.y=5..7", NULL, 6, 5, "a:x=2,b:y=7"},
	    /* Two parameters of one policy share its place; a policy may be a file. */
	    {"a.x=1..2", "a.y=5..5", NULL, 2, 1, "a:x=2:y=5"},
	    {"./my.dir/mine.so.n=0..9", NULL, NULL, 10, 4, "./my.dir/mine.so:n=4"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct tune_space space;
		CHECK(makes(&space, cases[i].first, cases[i].second, cases[i].chain));
		CHECK_EQ(space.points, cases[i].points);
		char *chain = tune_chain(&space, cases[i].point);
		if (strcmp(chain, cases[i].want))
			printf("# '%s', expected '%s'\n", chain, cases[i].want);
		CHECK(!strcmp(chain, cases[i].want));
		free(chain);
		tune_space_free(&space);
	}
}

TEST(what_is_no_range_is_refused)
{
	static const char *const texts[] = {
	    "",           "=",           "swl",         "swl.n",
	    "swl.n=",     "swl.n=3",     "n=1..2",      ".n=1..2",
	    "swl.=1..2",  "swl.n=..2",   "swl.n=1..",   "swl.n=1...3",
	    "swl.n=2..1", "swl.n=-1..3", "swl.n=1..2x", "swl.n=1..99999999999"};
	struct tune_space space;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		CHECK(!makes(&space, texts[i], NULL, NULL));
}

TEST_RUN_ALL(true)
