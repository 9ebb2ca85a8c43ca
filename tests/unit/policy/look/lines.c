/* The observer of lines: locality classes, reuse, who evicted whose line. */
#include "policy/look/lines.h"

#include "fixture.h"

/* Warps 0 and 1 are CTA slot 0, warps 2 and 3 slot 1. */
static struct look_lines *start(struct observer *o, double lines)
{
	observer_open(o, &look_lines, lines);
	for (uint32_t warp = 0; warp < 4; warp++)
		look_lines.on_warp_start(o->sm, warp, warp / 2, 10 + warp / 2);
	return o->sm;
}

static void miss(struct observer *o, uint32_t warp, uint64_t line, uint32_t frame)
{
	struct l1_event event = event_of(warp, line, frame);
	look_lines.on_l1_miss(o->sm, &event);
}

static void hit(struct observer *o, uint32_t warp, uint64_t line, uint32_t frame)
{
	struct l1_event event = event_of(warp, line, frame);
	look_lines.on_l1_hit(o->sm, &event);
}

static void evict(struct observer *o, uint32_t warp, uint32_t owner, uint64_t line, uint32_t frame)
{
	struct l1_event event = event_of(warp, line, frame);
	event.owner = owner;
	look_lines.on_l1_evict(o->sm, &event);
}

TEST(a_hit_belongs_to_the_closest_level_of_the_last_toucher)
{
	struct observer o;
	struct look_lines *b = start(&o, 0);
	miss(&o, 0, 100, 0);
	hit(&o, 0, 100, 0); /* its own */
	hit(&o, 1, 100, 0); /* of its CTA */
	hit(&o, 2, 100, 0); /* of another CTA */
	hit(&o, 2, 100, 0); /* the last toucher counts, not the first */
	CHECK_EQ(b->watch.hits[LOCALITY_WARP], 2);
	CHECK_EQ(b->watch.hits[LOCALITY_BLOCK], 1);
	CHECK_EQ(b->watch.hits[LOCALITY_CORE], 1);
	CHECK_EQ(b->first, 1);
	observer_close(&o);
}

TEST(a_miss_to_a_line_that_was_there_before_is_reuse_without_bounds)
{
	struct observer o;
	struct look_lines *b = start(&o, 0);
	miss(&o, 0, 100, 0);
	evict(&o, 2, 0, 100, 0);
	miss(&o, 2, 102, 0);
	miss(&o, 0, 100, UINT32_MAX); /* a line that is taken when the data come has no frame yet */
	CHECK_EQ(b->misses[LOCALITY_WARP], 1);
	CHECK_EQ(b->first, 2);
	CHECK_EQ(b->watch.hits[LOCALITY_WARP], 0);
	observer_close(&o);
}

TEST(a_line_without_a_frame_is_known_where_it_is_hit)
{
	struct observer o;
	struct look_lines *b = start(&o, 0);
	miss(&o, 0, 100, UINT32_MAX);
	hit(&o, 0, 100, UINT32_MAX); /* its data are in flight */
	hit(&o, 0, 100, 3);
	hit(&o, 1, 100, 3);
	hit_watch_replace(&b->watch, 3);
	hit(&o, 1, 102, 3); /* another line, by a store */
	hit(&o, 1, 100, 2); /* and what the frame knew of the first is not lost */
	CHECK_EQ(b->watch.hits[LOCALITY_WARP], 3);
	CHECK_EQ(b->watch.hits[LOCALITY_BLOCK], 1);
	CHECK_EQ(b->watch.hits[LOCALITY_CORE], 0);
	CHECK_EQ(b->first, 2);
	observer_close(&o);
}

TEST(a_new_warp_in_the_slot_is_another_warp)
{
	struct observer o;
	struct look_lines *b = start(&o, 0);
	miss(&o, 0, 100, 0);
	look_lines.on_warp_exit(o.sm, 0, 50);
	look_lines.on_warp_exit(o.sm, 1, 50);
	look_lines.on_warp_start(o.sm, 0, 0, 60);
	look_lines.on_warp_start(o.sm, 1, 0, 60);
	hit(&o, 0, 100, 0);
	CHECK_EQ(b->watch.hits[LOCALITY_CORE], 1);
	CHECK_EQ(b->watch.user[0] >> 32, b->watch.user[1] >> 32);
	CHECK(b->watch.user[0] >> 32 != b->watch.user[2] >> 32);
	observer_close(&o);
}

TEST(an_eviction_is_the_owners_row_and_the_evictors_column)
{
	struct observer o;
	struct look_lines *b = start(&o, 0);
	miss(&o, 3, 100, 0);
	evict(&o, 1, 3, 100, 0);
	CHECK_EQ(b->evicted[3 * 4 + 1], 1);
	CHECK_EQ(b->lost[3 * 4 + 1], 0);
	miss(&o, 1, 102, 0);
	miss(&o, 3, 100, 1); /* now it hurt */
	CHECK_EQ(b->lost[3 * 4 + 1], 1);
	miss(&o, 3, 100, 1); /* once */
	CHECK_EQ(b->lost[3 * 4 + 1], 1);
	observer_close(&o);
}

TEST(another_warps_miss_to_the_lost_line_is_no_interference)
{
	struct observer o;
	struct look_lines *b = start(&o, 0);
	miss(&o, 3, 100, 0);
	evict(&o, 1, 3, 100, 0);
	miss(&o, 2, 100, 1);
	for (int i = 0; i < 16; i++)
		CHECK_EQ(b->lost[i], 0);
	observer_close(&o);
}

TEST(zero_reuse_is_an_eviction_without_a_second_touch)
{
	struct observer o;
	struct look_lines *b = start(&o, 0);
	miss(&o, 0, 100, 0);
	evict(&o, 0, 0, 100, 0); /* never used again */
	miss(&o, 0, 102, 0);
	hit(&o, 1, 102, 0);
	evict(&o, 0, 0, 102, 0); /* used */
	miss(&o, 0, 102, 0);
	evict(&o, 0, 0, 102, 0); /* not used in this stay */
	CHECK_EQ(b->evictions, 3);
	CHECK_EQ(b->unused_evictions, 2);
	observer_close(&o);
}

TEST(lines_without_room_are_counted_not_lost)
{
	struct observer o;
	struct look_lines *b = start(&o, 16);
	for (uint64_t line = 0; line < 20; line++)
		miss(&o, 0, line, 0);
	CHECK_EQ(b->first, 16);
	CHECK_EQ(b->untracked, 4);
	miss(&o, 0, 3, 0);
	CHECK_EQ(b->misses[LOCALITY_WARP], 1);
	observer_close(&o);
}

TEST(the_side_cache_is_not_l1)
{
	struct observer o;
	struct look_lines *b = start(&o, 0);
	struct l1_event event = event_of(0, 100, 0);
	event.aux = 1;
	look_lines.on_l1_miss(o.sm, &event);
	look_lines.on_l1_hit(o.sm, &event);
	look_lines.on_l1_evict(o.sm, &event);
	CHECK_EQ(b->first + b->watch.hits[LOCALITY_WARP] + b->evictions, 0);
	observer_close(&o);
}

TEST(first_touches_are_inter_core_inter_kernel_or_cold)
{
	struct observer a, b;
	struct look_lines *blocks[3] = {start(&a, 0), NULL, start(&b, 0)};
	struct look_lines_gpu gpu = {{0}};
	line_table_clear(&gpu.before, 1000);
	miss(&a, 0, 100, 0);
	miss(&a, 0, 101, 1);
	hit(&a, 0, 101, 1);
	miss(&b, 0, 101, 0);
	struct look_lines_union all = look_lines_join(&gpu, blocks, 3);
	CHECK_EQ(all.lines, 2);
	CHECK_EQ(all.sm_lines, 3); /* 101 on the second SM is inter-core */
	CHECK_EQ(all.known, 0);
	CHECK_EQ(all.once, 1);
	CHECK_EQ(all.pcs, 1);
	/* The next launch knows both lines of the one before. */
	all = look_lines_join(&gpu, blocks, 3);
	CHECK_EQ(all.known, 2);
	line_table_free(&gpu.before);
	observer_close(&a);
	observer_close(&b);
}

TEST(a_launch_starts_from_nothing)
{
	struct observer o;
	struct look_lines *b = start(&o, 0);
	miss(&o, 0, 100, 0);
	evict(&o, 1, 0, 100, 0);
	look_lines.sm_init(o.sm, &o.env);
	CHECK_EQ(b->first + b->evictions + b->evicted[1], 0);
	look_lines.on_warp_start(o.sm, 0, 0, 0);
	hit(&o, 0, 100, 0);
	CHECK_EQ(b->first, 1);
	observer_close(&o);
}

TEST_RUN_ALL(true)
