/*
 * The port of an SM: packets leave in order, no faster than the link and no
 * more than there are credits; the miss queue holds those that have not left.
 */
#include "icnt/port.h"

#include "lib/bench.h"
#include "test.h"

static struct machine *machine;
static struct crossbar crossbar;
static struct counters counters;
static struct icnt_port port;
static uint32_t flit_bytes;

/* Fermi: 64 B per cycle, headers of 8 B, sectors of 128 B, a miss queue of 8, 128 credits, one way of 131 cycles. */
static void open_port(const char *name, uint32_t credits, uint32_t miss_queue, uint32_t sm)
{
	struct error err;
	machine = machine_load(name, &err);
	machine->icnt_credits = credits;
	machine->l1d_miss_queue = miss_queue;
	machine->icnt_flit_bytes = flit_bytes;
	if (machine->l1d_fetch_bytes == machine->l1d_line_bytes)
		machine->l1d_sector_bytes = machine->l2_sector_bytes = machine->l1d_line_bytes;
	memset(&crossbar, 0, sizeof crossbar);
	memset(&port, 0, sizeof port);
	memset(&counters, 0, sizeof counters);
	crossbar_init(&crossbar, machine, 1);
	crossbar_share(&crossbar, 1);
	port_init(&port, &crossbar, &counters, sm);
	port_begin_launch(&port);
}

static void close_port(void)
{
	port_free(&port);
	crossbar_free(&crossbar);
	machine_free(machine);
}

static void send(enum packet_op op, uint64_t line, uint8_t sectors, cycle_t now)
{
	port_send_line(&port, &(struct line_packet){.line = line, .op = (uint8_t)op, .sectors = sectors},
	               now);
}

/* When the packet that left as number `i` left the port. */
static cycle_t left(uint32_t i)
{
	const struct packet *p = &port.out[0].item[i];
	bool crosses = p->flags & PACKET_CROSSES && p->op != PACKET_READ;
	return p->when - machine->icnt_request_cycles - crossbar_path(&crossbar, port.sm, p->slice) -
	       (crosses ? machine->l2_partition_cycles : 0);
}

TEST(reads_take_their_header_and_writes_their_data_on_the_link)
{
	open_port("gtx480-khairy", 128, UNLIMITED_QUEUE, 0);
	for (uint32_t i = 0; i < 9; i++) /* eight headers of 8 B fill a cycle of 64 B */
		send(PACKET_READ, i, 1, 100);
	CHECK_EQ(left(0), 100);
	CHECK_EQ(left(8), 101);
	send(PACKET_WRITE, 9, 1, 200); /* a sector of 128 B: two cycles */
	send(PACKET_WRITE, 10, 1, 200);
	send(PACKET_READ, 11, 1, 200);
	CHECK_EQ(left(9), 200);
	CHECK_EQ(left(10), 202);
	CHECK_EQ(left(11), 204);
	CHECK_EQ(counters.value[COUNT_icnt_requests], 12);
	close_port();
}

TEST(packets_of_flits_take_whole_ones_header_included)
{
	flit_bytes = 32;
	open_port("gtx480-khairy", 128, UNLIMITED_QUEUE, 0);
	send(PACKET_READ, 0, 1, 100); /* a header of 8 B: one flit, half a cycle */
	send(PACKET_READ, 1, 1, 100);
	send(PACKET_WRITE, 2, 1, 100); /* 136 B: five flits */
	send(PACKET_READ, 3, 1, 100);
	CHECK_EQ(left(1), 101);
	CHECK_EQ(left(2), 101);
	CHECK_EQ(left(3), 104);
	CHECK_EQ(port.link_free, 256 * 104);
	close_port();
	flit_bytes = 0;
}

TEST(each_packet_takes_a_credit_and_waits_for_one)
{
	open_port("gtx480-khairy", 2, UNLIMITED_QUEUE, 0);
	struct credit_ring *ring = crossbar_credits(&crossbar, 0, 0);
	for (uint32_t i = 0; i < 4; i++)
		send(PACKET_READ, i, 1, 10);
	CHECK_EQ(port.out[0].count, 2);
	CHECK(port_waits(&port));
	CHECK(port_next_credit(&port, 10) == CYCLE_NEVER);
	credits_add(ring, 50);
	CHECK_EQ(port_next_credit(&port, 49), 50);
	port_drain(&port, 49);
	CHECK_EQ(port.out[0].count, 2);
	port_drain(&port, 50);
	CHECK_EQ(port.out[0].count, 3);
	CHECK_EQ(port.out[0].item[2].line, 2); /* in order */
	CHECK_EQ(left(2), 50);
	credits_add(ring, 60);
	credits_add(ring, 60);
	send(PACKET_READ, 4, 1, 60); /* behind the one that waits, though a credit is there */
	CHECK_EQ(port.out[0].count, 3);
	port_drain(&port, 60);
	CHECK_EQ(port.out[0].item[3].line, 3);
	CHECK_EQ(port.out[0].item[4].line, 4);
	CHECK(!port_waits(&port));
	CHECK_EQ(port.credits, 0);
	CHECK_EQ(counters.value[COUNT_icnt_credit_wait], 40 + 50 + 0);
	close_port();
}

TEST(credits_that_have_come_are_used_without_waiting)
{
	open_port("gtx480-khairy", 1, UNLIMITED_QUEUE, 0);
	send(PACKET_READ, 0, 1, 10);
	credits_add(crossbar_credits(&crossbar, 0, 0), 30);
	send(PACKET_READ, 1, 1, 30);
	CHECK_EQ(port.out[0].count, 2);
	CHECK(!port_waits(&port));
	port_collect(&port, 1000);
	CHECK_EQ(port.credits, 0);
	close_port();
}

TEST(the_miss_queue_is_full_until_a_packet_has_left)
{
	open_port("gtx480-khairy", 128, 2, 0);
	CHECK(port_has_room(&port, 10));
	send(PACKET_WRITE, 0, 1, 10); /* leaves at once */
	send(PACKET_WRITE, 1, 1, 10); /* at 12 */
	send(PACKET_WRITE, 2, 1, 10); /* at 14 */
	CHECK(!port_has_room(&port, 11));
	CHECK_EQ(port_room_at(&port), 12);
	CHECK(port_has_room(&port, 12));
	CHECK(port_has_room(&port, 14));
	CHECK(port_room_at(&port) == CYCLE_NEVER);
	close_port();
}

TEST(packets_without_a_credit_fill_the_miss_queue)
{
	open_port("gtx480-khairy", 1, 2, 0);
	for (uint32_t i = 0; i < 3; i++)
		send(PACKET_READ, i, 1, 10);
	CHECK(!port_has_room(&port, 100));
	CHECK(port_room_at(&port) == CYCLE_NEVER); /* a credit will tell */
	credits_add(crossbar_credits(&crossbar, 0, 0), 120);
	port_drain(&port, 120);
	CHECK(port_has_room(&port, 121));
	close_port();
}

TEST(reads_look_in_the_near_partition_and_all_else_goes_home)
{
	open_port("h200", 512, UNLIMITED_QUEUE, 0);
	const struct address_map *map = &crossbar.map;
	uint32_t crossing = 0;
	for (uint64_t line = 0; line < 200; line++) {
		bool far = map_home(map, line * 64) != crossbar.sm_partition[0];
		send(PACKET_READ, line * 64, 1, line * 1000);
		send(PACKET_WRITE, line * 64, 1, line * 1000);
		const struct packet *read = &port.out[0].item[2 * line], *write = read + 1;
		CHECK_EQ((read->flags & PACKET_CROSSES) != 0, far);
		CHECK_EQ((write->flags & PACKET_CROSSES) != 0, far);
		CHECK_EQ(read->slice >= map->first[1], crossbar.sm_partition[0]);
		CHECK_EQ(write->slice >= map->first[1], map_home(map, line * 64));
		CHECK_EQ(read->sm, 0);
		/* A write that crosses takes the way over the fabric, too. */
		CHECK_EQ(left((uint32_t)(2 * line)), line * 1000);
		crossing += far;
	}
	CHECK(crossing > 50 && crossing < 150);
	close_port();
}

TEST_RUN_ALL(true)
