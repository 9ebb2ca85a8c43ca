/*
 * DRAM timing: every command is legal, none could have come a clock sooner,
 * each parameter delays just what it should, and FR-FCFS is fair up to its cap.
 *
 * The referee below keeps its own book of what each bank and the bus saw; it
 * shares nothing with the model but the machine's numbers.
 */
#include "lib/synth.h"
#include "mem/dram.h"
#include "test.h"

enum { BANKS_MAX = 64, REQUESTS = 400 };

/* ---- the referee ----------------------------------------------------------------------------------------- */

struct bank_book {
	bool open, activated;
	uint64_t row, activate, precharge;
	bool read, written; /* since the row was opened */
	uint64_t read_column, write_end;
};

struct referee {
	const struct machine *m;
	struct bank_book bank[BANKS_MAX];
	bool any_activate, any_column, any_read, any_write;
	uint64_t activate, column, burst, read_column, write_end, data_end;
};

/* A burst takes whole clocks, but what it lacks of one the next makes up for. */
static bool burst_is_right(const struct machine *m, uint32_t bytes, uint64_t clocks)
{
	double exact = bytes / m->dram_bus_bytes_per_clock;
	return clocks == 1 ? exact < 2 : (double)clocks > exact - 1 && (double)clocks < exact + 1;
}

static const char *precharge_fault(const struct referee *r, uint32_t bank, uint64_t at)
{
	const struct bank_book *b = &r->bank[bank];
	if (!b->open)
		return "precharge of a closed bank";
	if (at < b->activate + r->m->dram_tRAS)
		return "tRAS";
	if (b->read && at < b->read_column + r->m->dram_tRTP)
		return "tRTP";
	if (b->written && at < b->write_end + r->m->dram_tWR)
		return "tWR";
	return NULL;
}

static const char *activate_fault(const struct referee *r, uint32_t bank, uint64_t at)
{
	const struct bank_book *b = &r->bank[bank];
	if (b->open)
		return "activate of an open bank";
	if (b->activated && at < b->precharge + r->m->dram_tRP)
		return "tRP";
	if (b->activated && at < b->activate + r->m->dram_tRC)
		return "tRC";
	if (r->any_activate && at < r->activate + r->m->dram_tRRD)
		return "tRRD";
	return NULL;
}

static const char *column_fault(const struct referee *r, const struct dram_request *q, uint64_t at)
{
	const struct bank_book *b = &r->bank[q->bank];
	if (!b->open || b->row != q->row)
		return "column command to a row that is not open";
	if (at < b->activate + r->m->dram_tRCD)
		return "tRCD";
	if (r->any_column && at < r->column + r->m->dram_tCCD)
		return "tCCD";
	if (r->any_column && at < r->column + r->burst)
		return "burst"; /* commands keep the distance of their bursts, whatever the direction */
	if (q->write && r->any_read && at < r->read_column + r->m->dram_tRTW)
		return "tRTW";
	if (!q->write && r->any_write && at < r->write_end + r->m->dram_tWTR)
		return "tWTR";
	if (r->any_column && at + (q->write ? r->m->dram_tCWL : r->m->dram_tCL) < r->data_end)
		return "data bus";
	return NULL;
}

/* A command that is legal at `at`, and at `at` - 1 either not or before the request came. */
static bool judge(const char *fault, const char *fault_before, const char *command, uint64_t at,
                  uint64_t arrival)
{
	if (fault || at < arrival)
		printf("# %s at %llu: %s\n", command, (unsigned long long)at,
		       fault ? fault : "before its request");
	else if (!fault_before && at > arrival)
		printf("# %s at %llu could have come sooner\n", command, (unsigned long long)at);
	else
		return true;
	return false;
}

static bool judge_column(struct referee *r, const struct dram_service *s)
{
	const struct dram_request *q = &s->request;
	struct bank_book *b = &r->bank[q->bank];
	const char *before = column_fault(r, q, s->column_at - 1);
	if (!judge(column_fault(r, q, s->column_at), before, q->write ? "write" : "read", s->column_at,
	           q->arrival))
		return false;
	uint64_t start = s->column_at + (q->write ? r->m->dram_tCWL : r->m->dram_tCL), end = s->data_end;
	r->burst = end - start;
	if (end < start || !burst_is_right(r->m, q->bytes, r->burst)) {
		printf("# %u bytes from %llu to %llu\n", q->bytes, (unsigned long long)start,
		       (unsigned long long)end);
		return false;
	}
	r->column = s->column_at;
	r->data_end = end;
	r->any_column = true;
	if (q->write) {
		r->any_write = b->written = true;
		r->write_end = b->write_end = end;
	} else {
		r->any_read = b->read = true;
		r->read_column = b->read_column = s->column_at;
	}
	return true;
}

static bool judge_service(struct referee *r, const struct dram_service *s)
{
	uint32_t bank = s->request.bank;
	struct bank_book *b = &r->bank[bank];
	uint64_t arrival = s->request.arrival;
	if (s->precharged) {
		if (!judge(precharge_fault(r, bank, s->precharge_at),
		           precharge_fault(r, bank, s->precharge_at - 1), "precharge", s->precharge_at,
		           arrival))
			return false;
		b->open = false;
		b->precharge = s->precharge_at;
	}
	if (s->activated) {
		if (!judge(activate_fault(r, bank, s->activate_at),
		           activate_fault(r, bank, s->activate_at - 1), "activate", s->activate_at, arrival))
			return false;
		*b = (struct bank_book){.open = true,
		                        .activated = true,
		                        .row = s->request.row,
		                        .activate = s->activate_at,
		                        .precharge = b->precharge};
		r->activate = s->activate_at;
		r->any_activate = true;
	}
	return judge_column(r, s);
}

/* ---- random parameters, random requests ---------------------------------------------------------------- */

static uint32_t between(uint64_t *random, uint32_t least, uint32_t most)
{
	return least + (uint32_t)(synth_random(random) % (most - least + 1));
}

static struct machine random_machine(uint64_t *random)
{
	struct machine m = {.dram_banks = 1u << between(random, 0, 5),
	                    .dram_queue = between(random, 1, 40),
	                    .dram_cap = between(random, 1, 20),
	                    .dram_bus_bytes_per_clock = between(random, 10, 640) / 10.0};
	uint32_t *timing[] = {&m.dram_tCL,  &m.dram_tCWL, &m.dram_tRCD, &m.dram_tRP,
	                      &m.dram_tRAS, &m.dram_tRC,  &m.dram_tRRD, &m.dram_tCCD,
	                      &m.dram_tWTR, &m.dram_tRTW, &m.dram_tWR,  &m.dram_tRTP};
	for (size_t i = 0; i < sizeof timing / sizeof *timing; i++)
		*timing[i] = between(random, 1, 40);
	m.dram_tRAS += m.dram_tRCD;
	m.dram_tRC += m.dram_tRAS;
	return m;
}

static struct dram_request random_request(const struct machine *m, uint64_t *clock, uint64_t *random,
                                          uint32_t id)
{
	if (synth_random(random) % 3 == 0)
		*clock += between(random, 0, 60);
	return (struct dram_request){.arrival = *clock,
	                             .row = synth_random(random) % 3,
	                             .bank = between(random, 0, m->dram_banks - 1),
	                             .bytes = 32u << between(random, 0, 2),
	                             .id = id,
	                             .write = synth_random(random) % 3 == 0};
}

/* Pushes and serves in turns until all are served, compared with the referee. */
static bool play(const struct machine *m, uint64_t *random)
{
	struct counters counters = {{0}};
	struct dram dram;
	struct referee referee = {.m = m};
	bool served[REQUESTS] = {false}, ok = true;
	uint64_t clock = 0, now = 0, bytes = 0;
	uint32_t pushed = 0, done = 0;
	dram_init(&dram, m, &counters);
	while (ok && done < REQUESTS) {
		for (uint32_t n = between(random, 0, 12); n && pushed < REQUESTS; n--) {
			struct dram_request request = random_request(m, &clock, random, pushed++);
			bytes += request.bytes;
			dram_push(&dram, &request);
		}
		if (!dram.count)
			continue;
		now = dram_next(&dram) > now ? dram_next(&dram) : now;
		struct dram_service s = dram_serve(&dram, now);
		ok = judge_service(&referee, &s) && !served[s.request.id];
		served[s.request.id] = true;
		clock = now > clock ? now : clock;
		done++;
	}
	ok = ok && dram_next(&dram) == UINT64_MAX;
	ok = ok && counters.value[COUNT_dram_read_bytes] + counters.value[COUNT_dram_write_bytes] == bytes;
	ok = ok && counters.value[COUNT_dram_row_hits] + counters.value[COUNT_dram_activates] == REQUESTS;
	dram_free(&dram);
	return ok;
}

TEST(every_command_is_legal_and_none_could_come_sooner)
{
	uint64_t random = 1;
	for (int round = 0; round < 400; round++) {
		struct machine m = random_machine(&random);
		CHECK(play(&m, &random));
	}
}

/* ---- one parameter at a time ------------------------------------------------------------------------------ */

/* Two or three requests, and what of the last is looked at. */
struct probe {
	const char *name;
	size_t parameter; /* offset in struct machine */
	uint32_t count;
	struct dram_request request[3];
	enum { PRECHARGE, ACTIVATE, COLUMN, DATA } command;
};

static const struct probe probes[] = {
    {"tCL", offsetof(struct machine, dram_tCL), 1, {{.bytes = 64}}, DATA},
    {"tCWL", offsetof(struct machine, dram_tCWL), 1, {{.bytes = 64, .write = 1}}, DATA},
    {"tRCD", offsetof(struct machine, dram_tRCD), 1, {{.bytes = 64}}, COLUMN},
    {"tRP", offsetof(struct machine, dram_tRP), 2, {{.bytes = 64}, {.bytes = 64, .row = 1}}, ACTIVATE},
    {"tRAS", offsetof(struct machine, dram_tRAS), 2, {{.bytes = 64}, {.bytes = 64, .row = 1}}, PRECHARGE},
    {"tRC", offsetof(struct machine, dram_tRC), 2, {{.bytes = 64}, {.bytes = 64, .row = 1}}, ACTIVATE},
    {"tRRD", offsetof(struct machine, dram_tRRD), 2, {{.bytes = 64}, {.bytes = 64, .bank = 1}}, ACTIVATE},
    {"tCCD", offsetof(struct machine, dram_tCCD), 2, {{.bytes = 64}, {.bytes = 64}}, COLUMN},
    {"tWTR", offsetof(struct machine, dram_tWTR), 2, {{.bytes = 64, .write = 1}, {.bytes = 64}}, COLUMN},
    {"tRTW", offsetof(struct machine, dram_tRTW), 2, {{.bytes = 64}, {.bytes = 64, .write = 1}}, COLUMN},
    {"tWR",
     offsetof(struct machine, dram_tWR),
     2,
     {{.bytes = 64, .write = 1}, {.bytes = 64, .row = 1}},
     PRECHARGE},
    {"tRTP", offsetof(struct machine, dram_tRTP), 2, {{.bytes = 64}, {.bytes = 64, .row = 1}}, PRECHARGE},
};

/* All timings 1 but the one probed, so that nothing else binds. */
static uint64_t probe_command(const struct probe *p, uint32_t value)
{
	struct counters counters = {{0}};
	struct machine m = {.dram_banks = 4,
	                    .dram_queue = 8,
	                    .dram_cap = 4,
	                    .dram_bus_bytes_per_clock = 64,
	                    .dram_tCL = 1,
	                    .dram_tCWL = 1,
	                    .dram_tRCD = 1,
	                    .dram_tRP = 1,
	                    .dram_tRAS = 1,
	                    .dram_tRC = 1,
	                    .dram_tRRD = 1,
	                    .dram_tCCD = 1,
	                    .dram_tWTR = 1,
	                    .dram_tRTW = 1,
	                    .dram_tWR = 1,
	                    .dram_tRTP = 1};
	struct dram dram;
	struct dram_service s = {0};
	memcpy((char *)&m + p->parameter, &value, sizeof value);
	dram_init(&dram, &m, &counters);
	for (uint32_t i = 0; i < p->count; i++) {
		struct dram_request request = p->request[i];
		request.arrival = 100;
		dram_push(&dram, &request);
		s = dram_serve(&dram, dram_next(&dram));
	}
	dram_free(&dram);
	const uint64_t at[] = {s.precharge_at, s.activate_at, s.column_at, s.data_end};
	return at[p->command];
}

TEST(each_parameter_delays_its_command_clock_for_clock)
{
	for (size_t i = 0; i < sizeof probes / sizeof *probes; i++)
		for (uint32_t value = 20; value < 40; value++) {
			uint64_t before = probe_command(&probes[i], value),
			         after = probe_command(&probes[i], value + 1);
			if (after != before + 1)
				printf("# %s from %u to %u: command at %llu, then %llu\n", probes[i].name,
				       value, value + 1, (unsigned long long)before,
				       (unsigned long long)after);
			CHECK(after == before + 1);
		}
}

/* Only reads, of one bank after the other. */
static struct machine simple(uint32_t banks, double width, uint32_t ccd)
{
	return (struct machine){.dram_banks = banks,
	                        .dram_queue = 8,
	                        .dram_cap = 4,
	                        .dram_bus_bytes_per_clock = width,
	                        .dram_tCL = 5,
	                        .dram_tRCD = 5,
	                        .dram_tCCD = ccd};
}

TEST(a_burst_keeps_the_bus_until_it_is_through)
{
	struct counters counters = {{0}};
	struct machine m = simple(1, 8, 2);
	struct dram_request request = {.bytes = 128};
	struct dram dram;
	dram_init(&dram, &m, &counters);
	dram_push(&dram, &request);
	dram_push(&dram, &request);
	struct dram_service first = dram_serve(&dram, dram_next(&dram)),
	                    second = dram_serve(&dram, dram_next(&dram));
	dram_free(&dram);
	CHECK_EQ(first.data_end - first.column_at, 5 + 16);
	CHECK_EQ(second.column_at - first.column_at, 16);
	CHECK_EQ(counters.value[COUNT_dram_busy], 32);
}

TEST(a_bus_of_any_width_reaches_its_bandwidth)
{
	for (double width = 3.3; width < 70; width += 1.7) {
		struct counters counters = {{0}};
		struct machine m = simple(1, width, 1);
		struct dram_request request = {.bytes = 128};
		struct dram dram;
		uint64_t end = 0;
		dram_init(&dram, &m, &counters);
		for (int i = 0; i < 1000; i++) {
			dram_push(&dram, &request);
			end = dram_serve(&dram, dram_next(&dram)).data_end;
		}
		dram_free(&dram);
		double exact = 128 * 1000 / width + 10;
		CHECK((double)end > exact - 2 && (double)end < exact + 2);
	}
}

/* ---- who goes first ----------------------------------------------------------------------------------------- */

static struct machine gddr(uint32_t banks, uint32_t cap, uint32_t rtp)
{
	return (struct machine){.dram_banks = banks,
	                        .dram_queue = 64,
	                        .dram_cap = cap,
	                        .dram_bus_bytes_per_clock = 32,
	                        .dram_tCL = 12,
	                        .dram_tCWL = 4,
	                        .dram_tRCD = 12,
	                        .dram_tRP = 12,
	                        .dram_tRAS = 28,
	                        .dram_tRC = 40,
	                        .dram_tRRD = 6,
	                        .dram_tCCD = 2,
	                        .dram_tRTP = rtp};
}

/* A row is open; an older request for another row of the bank waits among `hits` for the open one. */
static uint32_t hits_before_the_miss(uint32_t cap, uint32_t hits)
{
	struct counters counters = {{0}};
	struct machine m = gddr(4, cap, 2);
	struct dram dram;
	uint32_t before = 0;
	dram_init(&dram, &m, &counters);
	dram_push(&dram, &(struct dram_request){.bytes = 64, .id = 0});
	dram_push(&dram, &(struct dram_request){.bytes = 64, .id = 1, .row = 7});
	for (uint32_t i = 0; i < hits; i++)
		dram_push(&dram, &(struct dram_request){.bytes = 64, .id = 2});
	dram_serve(&dram, dram_next(&dram));
	while (dram_serve(&dram, dram_next(&dram)).request.id != 1)
		before++;
	dram_free(&dram);
	return before;
}

TEST(row_hits_pass_an_older_miss_up_to_the_cap)
{
	for (uint32_t cap = 1; cap < 20; cap++) {
		CHECK_EQ(hits_before_the_miss(cap, 30), cap);
		CHECK_EQ(hits_before_the_miss(cap, cap - 1), cap - 1);
	}
}

/* One that is a thousand clocks away must not hold up one that is here. */
TEST(requests_go_in_the_order_in_which_they_arrive)
{
	struct counters counters = {{0}};
	struct machine m = simple(4, 32, 2);
	struct dram dram;
	dram_init(&dram, &m, &counters);
	dram_push(&dram, &(struct dram_request){.arrival = 1000, .bytes = 64, .id = 1});
	dram_push(&dram, &(struct dram_request){.arrival = 10, .bytes = 64, .id = 2, .bank = 1});
	dram_push(&dram, &(struct dram_request){.arrival = 500, .bytes = 64, .id = 3, .bank = 2});
	uint32_t order[3];
	for (int i = 0; i < 3; i++) {
		uint64_t now = dram_next(&dram);
		struct dram_service s = dram_serve(&dram, now);
		order[i] = s.request.id;
		CHECK_EQ(now, s.request.arrival);
	}
	dram_free(&dram);
	CHECK(order[0] == 2 && order[1] == 3 && order[2] == 1);
}

/* Hits to its own bank put it off, misses to other banks are sooner ready: it still gets its turn. */
TEST(row_hits_with_misses_between_pass_no_more_often)
{
	struct counters counters = {{0}};
	struct machine m = gddr(64, 8, 30);
	struct dram dram;
	uint32_t hits = 0, passed = 0;
	dram_init(&dram, &m, &counters);
	dram_push(&dram, &(struct dram_request){.bytes = 64});
	dram_serve(&dram, dram_next(&dram));
	uint64_t now = 40;
	dram_push(&dram, &(struct dram_request){.arrival = now, .bytes = 64, .row = 7, .id = 1});
	for (uint32_t i = 0; i < 40; i++, passed++) {
		struct dram_request hit = {.arrival = now, .bytes = 64},
		                    miss = {.arrival = now, .bytes = 64, .bank = 1 + i};
		dram_push(&dram, i % 2 ? &miss : &hit);
		struct dram_service s = dram_serve(&dram, now);
		now = dram_next(&dram) > now ? dram_next(&dram) : now;
		if (s.request.id == 1)
			break;
		hits += !s.activated;
	}
	dram_free(&dram);
	CHECK(hits > 2 && hits < passed && hits <= 8);
}

TEST_RUN_ALL(true)
