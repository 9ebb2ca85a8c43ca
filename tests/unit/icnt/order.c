/*
 * The order in which the packets of one cycle are served: SMs by number, then
 * the other L2 partition; never by the order in which they were handed over.
 */
#include "icnt/order.h"

#include "lib/synth.h"
#include "test.h"

static struct order order;
static bool moved; /* by the last call of order_page() */

/* The packet that is served as number i. */
static uint32_t served(uint32_t i)
{
	return moved ? order_index(&order, i) : i;
}

static struct packet from_sm(uint16_t sm, uint32_t token)
{
	return (struct packet){.op = PACKET_READ, .sm = sm, .token = token};
}

TEST(sms_come_first_then_slices_of_the_other_partition_then_its_replies)
{
	struct packet packet[] = {
	    {.op = PACKET_FABRIC_REPLY, .line = 5, .flags = PACKET_FABRIC},
	    from_sm(7, 0),
	    {.op = PACKET_READ, .from = 2, .flags = PACKET_FABRIC},
	    from_sm(3, 0),
	    from_sm(3, 1), /* the second of SM 3 */
	    {.op = PACKET_FABRIC_REPLY, .line = 4, .flags = PACKET_FABRIC},
	    {.op = PACKET_READ, .from = 1, .flags = PACKET_FABRIC},
	};
	static const uint32_t want[] = {3, 4, 1, 6, 2, 5, 0};
	struct packet_box page = {packet, sizeof packet / sizeof *packet, 0};
	moved = order_page(&order, &page);
	for (uint32_t i = 0; i < page.count; i++)
		CHECK_EQ(served(i), want[i]);
}

/* One that lies right in the page is left alone; a single packet that does not is noticed. */
TEST(packets_in_their_order_are_not_moved)
{
	struct packet packet[] = {
	    from_sm(3, 0),
	    from_sm(3, 1),
	    from_sm(4, 0),
	    {.op = PACKET_READ, .from = 1, .flags = PACKET_FABRIC},
	    {.op = PACKET_FABRIC_REPLY, .line = 4, .flags = PACKET_FABRIC},
	};
	uint32_t count = sizeof packet / sizeof *packet;
	struct packet_box page = {packet, count, 0};
	CHECK(!order_page(&order, &page));
	for (uint32_t i = 1; i < count; i++) {
		struct packet kept = packet[i];
		packet[i] = packet[i - 1];
		packet[i - 1] = kept;
		/* Those of one SM have the order in which they are there. */
		CHECK_EQ(order_page(&order, &page), i != 1);
		packet[i - 1] = packet[i];
		packet[i] = kept;
	}
}

/* Quanta hand SMs over in order, so a page is some ascending runs: of any number and length, and of none. */
TEST(any_number_of_runs_is_merged_and_each_sm_keeps_its_order)
{
	uint64_t state = 13;
	for (int round = 0; round < 300; round++) {
		struct packet packet[96];
		uint32_t count = (uint32_t)(synth_random(&state) % 96), sm = 0;
		for (uint32_t i = 0; i < count; i++) {
			sm = synth_random(&state) % 8 ? sm + (uint32_t)(synth_random(&state) % 3) : 0;
			packet[i] = from_sm((uint16_t)sm, i);
		}
		struct packet_box page = {packet, count, 0};
		moved = order_page(&order, &page);
		for (uint32_t i = 1; i < count; i++) {
			const struct packet *a = &packet[served(i - 1)];
			const struct packet *b = &packet[served(i)];
			CHECK(a->sm < b->sm || (a->sm == b->sm && a->token < b->token));
		}
	}
}

/* One packet per SM, shuffled: the order is that of the names. */
TEST(the_order_does_not_depend_on_the_handing_over)
{
	uint64_t state = 17;
	for (int round = 0; round < 100; round++) {
		struct packet packet[64];
		for (uint32_t i = 0; i < 64; i++)
			packet[i] = from_sm((uint16_t)i, 0);
		for (uint32_t i = 63; i; i--) {
			uint32_t with = (uint32_t)(synth_random(&state) % (i + 1));
			struct packet kept = packet[i];
			packet[i] = packet[with];
			packet[with] = kept;
		}
		struct packet_box page = {packet, 64, 0};
		moved = order_page(&order, &page);
		for (uint32_t i = 0; i < 64; i++)
			CHECK_EQ(packet[served(i)].sm, i);
	}
	order_free(&order);
}

TEST_RUN_ALL(true)
