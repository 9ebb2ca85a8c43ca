/* Rings and boxes of packets: first in first out, also when they grow while wrapped around. */
#include "icnt/packet.h"

#include "lib/synth.h"
#include "test.h"

TEST(a_ring_gives_packets_back_in_order_however_it_grows)
{
	struct packet_ring ring = {0};
	uint64_t state = 37;
	uint32_t pushed = 0, dropped = 0;
	for (int i = 0; i < 20000; i++) {
		/* Mostly full and mostly empty in turns, so that it grows with its head anywhere. */
		bool fills = synth_random(&state) % 8 < (i / 500 % 2 ? 3u : 5u);
		if (fills) {
			packet_ring_push(&ring, &(struct packet){.token = pushed++});
		} else if (ring.count) {
			CHECK_EQ(packet_ring_first(&ring)->token, dropped);
			packet_ring_drop(&ring);
			dropped++;
		}
		CHECK_EQ(ring.count, pushed - dropped);
	}
	CHECK(ring.capacity > 64);
	free(ring.item);
}

TEST(a_box_keeps_what_it_holds_when_it_grows)
{
	struct packet_box packets = {0};
	struct reply_box replies = {0};
	for (uint32_t i = 0; i < 1000; i++) {
		packet_box_push(&packets)->token = i;
		reply_box_push(&replies)->token = i;
	}
	for (uint32_t i = 0; i < 1000; i++)
		CHECK(packets.item[i].token == i && replies.item[i].token == i);
	CHECK_EQ(packets.count, 1000);
	CHECK_EQ(replies.count, 1000);
	free(packets.item);
	free(replies.item);
}

TEST_RUN_ALL(true)
