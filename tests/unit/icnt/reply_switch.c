/*
 * The crossbar of replies: links take one reply at a time, a reply to a busy SM
 * holds up those behind it, and what is passed on does not depend on how often.
 */
#include "icnt/reply_switch.h"

#include "base/bits.h"
#include "test.h"

static struct reply_switch sw;
static struct reply got[4096];
static uint32_t from[4096], count;

static void take(void *user, uint32_t slice, const struct reply *reply)
{
	(void)user;
	from[count] = slice;
	got[count++] = *reply;
}

/* 32 B per cycle, flits of 32 B, sectors of 128 B: five cycles per reply. */
static void open_switch(void)
{
	struct error err;
	struct machine *m = machine_load("gtx480-ciao", &err);
	m->l1d_sector_bytes = m->l2_sector_bytes = 128;
	memset(&sw, 0, sizeof sw);
	reply_switch_init(&sw, m, 12);
	machine_free(m);
	count = 0;
}

static void push(uint32_t slice, uint32_t sm, uint32_t token, cycle_t when)
{
	reply_switch_push(&sw, slice,
	                  &(struct reply){.when = when, .token = token, .sm = (uint16_t)sm, .sectors = 1});
}

static cycle_t arrival_of(uint32_t token)
{
	for (uint32_t i = 0; i < count; i++)
		if (got[i].token == token)
			return got[i].when;
	return 0;
}

TEST(a_link_takes_one_reply_at_a_time)
{
	open_switch();
	push(0, 0, 1, 100);
	push(0, 1, 2, 100); /* the same slice */
	push(1, 2, 3, 100); /* another way altogether */
	push(2, 0, 4, 101); /* the same SM */
	reply_switch_pass(&sw, 1000, take, NULL);
	CHECK_EQ(count, 4);
	CHECK_EQ(arrival_of(1), 100);
	CHECK_EQ(arrival_of(2), 105);
	CHECK_EQ(arrival_of(3), 100);
	CHECK_EQ(arrival_of(4), 105);
	CHECK(!reply_switch_holds(&sw));
	reply_switch_free(&sw);
}

TEST(the_head_of_a_line_holds_up_those_behind_it)
{
	open_switch();
	push(0, 7, 1, 100);
	push(1, 7, 2, 101); /* waits for SM 7 until 105 */
	push(1, 8, 3, 101); /* SM 8 is free, and it waits all the same */
	reply_switch_pass(&sw, 1000, take, NULL);
	CHECK_EQ(arrival_of(2), 105);
	CHECK_EQ(arrival_of(3), 110);
	reply_switch_free(&sw);
}

TEST(replies_of_a_slice_leave_by_their_time)
{
	open_switch();
	push(0, 0, 1, 120); /* a hit, asked for before the fill */
	push(0, 1, 2, 110);
	reply_switch_pass(&sw, 1000, take, NULL);
	CHECK_EQ(got[0].token, 2);
	CHECK_EQ(arrival_of(1), 120);
	reply_switch_free(&sw);
}

TEST(nothing_passes_beyond_the_horizon)
{
	open_switch();
	push(0, 0, 1, 100);
	push(0, 0, 2, 100);
	reply_switch_pass(&sw, 105, take, NULL);
	CHECK_EQ(count, 1);
	CHECK(reply_switch_holds(&sw));
	reply_switch_pass(&sw, 106, take, NULL);
	CHECK_EQ(count, 2);
	reply_switch_reset(&sw);
	push(0, 0, 3, 1);
	reply_switch_pass(&sw, 10, take, NULL);
	CHECK_EQ(arrival_of(3), 1);
	reply_switch_free(&sw);
}

/* Random replies, handed over in quanta: the same arrivals for every quantum; and inputs that queue lose throughput. */
TEST(arrivals_do_not_depend_on_the_quantum_and_saturate_below_the_links)
{
	enum { REPLIES = 3000, QUANTA = 4 };
	static const cycle_t quantum[QUANTA] = {1, 3, 12, 100};
	cycle_t first[REPLIES], last = 0;
	for (uint32_t q = 0; q < QUANTA; q++) {
		open_switch();
		uint32_t pushed = 0;
		for (cycle_t end = quantum[q]; count < REPLIES; end += quantum[q]) {
			for (; pushed < REPLIES && pushed / 12 < end;
			     pushed++) /* twelve a cycle: far too many */
				push(pushed % 12, (uint32_t)(bits_mix(pushed) % 15), pushed, pushed / 12);
			reply_switch_pass(&sw, end, take, NULL);
		}
		for (uint32_t i = 0; i < REPLIES; i++) {
			cycle_t when = arrival_of(i);
			if (!q)
				first[i] = when;
			CHECK_EQ(when, first[i]);
			last = when > last ? when : last;
		}
		reply_switch_free(&sw);
	}
	/* 12 inputs of 15 outputs at 5 cycles: 1250 cycles if nothing were held up; queues reach 60 to 70 % of that. */
	CHECK(last > 1250 * 100 / 72 && last < 1250 * 100 / 55);
}

TEST_RUN_ALL(true)
