/* The observer of reuse distances, against a plain list. */
#include "fixture.h"
#include "policy/look/distance.h"

enum { LINES = 700 };

/* The plain way: a list with the newest line first. */
struct plain {
	uint64_t line[LINES];
	uint32_t count;
	uint64_t bin[DISTANCE_BINS], cold;
};

static void plain_touch(struct plain *p, uint64_t line)
{
	uint32_t depth = 0, bin = 0;
	while (depth < p->count && p->line[depth] != line)
		depth++;
	if (depth == p->count) {
		p->cold++;
		p->count++;
	} else {
		while (depth >> bin)
			bin++;
		p->bin[bin]++;
	}
	memmove(p->line + 1, p->line, depth * sizeof *p->line);
	p->line[0] = line;
}

static void touch(struct observer *o, uint64_t line)
{
	struct l1_event event = event_of(0, line, 0);
	/* What L1 made of it does not matter. */
	if (line % 3 == 0)
		look_distance.on_l1_hit(o->sm, &event);
	else if (line % 3 == 1)
		look_distance.on_l1_pending(o->sm, &event);
	else
		look_distance.on_l1_miss(o->sm, &event);
}

TEST(distances_are_those_of_a_plain_list)
{
	struct observer o;
	static struct plain plain;
	observer_open(&o, &look_distance, 0);
	const struct look_distance *b = o.sm;
	uint32_t seed = 1;
	for (int i = 0; i < 30000; i++) {
		seed = seed * 1664525 + 1013904223;
		/* Near and far ones, and all sizes of the stack on the way. */
		uint32_t reach = (uint32_t)i / 40 + 1 < LINES ? (uint32_t)i / 40 + 1 : LINES;
		uint64_t line = (seed >> 8) % (seed % 7 ? reach / 5 + 1 : reach);
		touch(&o, line * 64);
		plain_touch(&plain, line * 64);
	}
	CHECK(plain.count > LINES / 2);
	CHECK_EQ(b->cold, plain.cold);
	CHECK_EQ(b->untracked, 0);
	for (int k = 0; k < DISTANCE_BINS; k++)
		CHECK_EQ(b->bin[k], plain.bin[k]);
	CHECK(b->bin[0] && b->bin[9]);
	observer_close(&o);
}

TEST(a_walk_over_n_lines_has_distance_n_minus_1)
{
	struct observer o;
	observer_open(&o, &look_distance, 0);
	const struct look_distance *b = o.sm;
	for (int pass = 0; pass < 3; pass++)
		for (uint64_t line = 0; line < 64; line++)
			touch(&o, line);
	CHECK_EQ(b->cold, 64);
	CHECK_EQ(b->bin[6], 128); /* 32 to 63 */
	touch(&o, 63);
	CHECK_EQ(b->bin[0], 1);
	look_distance.sm_init(o.sm, &o.env); /* the next launch */
	touch(&o, 63);
	CHECK_EQ(b->cold, 1);
	CHECK_EQ(b->bin[0], 0);
	observer_close(&o);
}

TEST(lines_without_room_are_counted)
{
	struct observer o;
	observer_open(&o, &look_distance, 16);
	const struct look_distance *b = o.sm;
	for (uint64_t line = 0; line < 20; line++)
		touch(&o, line);
	touch(&o, 15);
	struct l1_event event = event_of(0, 0, 0);
	event.aux = 1; /* not L1 */
	look_distance.on_l1_hit(o.sm, &event);
	CHECK_EQ(b->cold, 16);
	CHECK_EQ(b->untracked, 4);
	CHECK_EQ(b->bin[0], 1);
	observer_close(&o);
}

TEST_RUN_ALL(true)
