/* Polls of spin-waits: the flag, what stands above their addresses, and the words that a launch watches. */
#include <xxhash.h>

#include "lib/trace_fixture.h"
#include "trace/format.h"
#include "trace/poll.h"

enum { POLL, LOAD, FIRST = 0x1000, LANES = 2 };

static const uint64_t watched[] = {FIRST, FIRST + 4, 0xfffffffffffc};

static void add_insns(struct trace_writer *w)
{
	struct trace_insn poll = {.op = OP_LOAD,
	                          .space = SPACE_GLOBAL,
	                          .width_bytes = 4,
	                          .round = 7,
	                          .flags = INSN_MEMORY | INSN_POLL,
	                          .dst = TRACE_REG_NONE};
	struct trace_insn load = poll;
	load.flags = INSN_MEMORY;
	load.round = 0;
	trace_writer_insn(w, &poll, "LDG.E.STRONG.GPU");
	trace_writer_insn(w, &load, "LDG.E.STRONG.GPU");
}

/* A launch that polls a list and a stride, then loads; launches after the first watch nothing. */
static void write_launch(struct trace_writer *w, bool watches)
{
	struct error err;
	struct trace_kernel kernel = {
	    .name = "wait", .grid = {1, 1, 1}, .block = {32, 1, 1}, .warp_size = 32, .warps_per_cta = 1};
	uint64_t list[] = {address_with_needed(FIRST + 64, 5), address_with_needed(FIRST, 5)};
	bool ok = trace_writer_begin_kernel(w, &kernel, &err);
	add_insns(w);
	ok = ok && trace_writer_begin_cta(w, 0, &err) && trace_writer_begin_warp(w, 0, &err) &&
	     trace_writer_step(w, POLL, 3, list, &err) &&
	     trace_writer_step_stride(w, POLL, 3, address_with_needed(FIRST, UINT16_MAX), 4, &err) &&
	     trace_writer_step_stride(w, LOAD, 3, FIRST, 4, &err) && trace_writer_end_cta(w, &err);
	trace_writer_watch(w, watched, watches ? sizeof watched / sizeof *watched : 0);
	if (!ok || !trace_writer_end_kernel(w, &err))
		abort();
}

static const char *write_trace(void)
{
	struct error err;
	const char *path = scratch_path("polls.sluice");
	struct trace_writer *w = trace_writer_new(path, &err);
	write_launch(w, false);
	write_launch(w, true);
	write_launch(w, false);
	if (!trace_writer_finish(w, &err))
		abort();
	return path;
}

struct seen {
	uint32_t steps;
	uint16_t needed[3];
	uint64_t address[3][LANES];
};

static void see(const struct trace_kernel *k, struct warp_step *step, void *arg)
{
	struct seen *s = arg;
	uint64_t address[TRACE_MAX_LANES];
	s->needed[s->steps] = step_take_needed(step, k->insns[step->insn].flags);
	step_addresses(step, address);
	memcpy(s->address[s->steps++], address, sizeof s->address[0]);
}

TEST(a_poll_says_how_many_writes_it_needs)
{
	struct error err = {""};
	struct trace *t = trace_open(write_trace(), &err);
	CHECK(t);
	const struct trace_kernel *k = trace_kernel_at(t, 0);
	CHECK_EQ(k->insn_count, 2);
	CHECK_EQ(k->insns[POLL].flags, INSN_MEMORY | INSN_POLL);
	CHECK_EQ(k->insns[POLL].round, 7);
	CHECK_EQ(k->insns[LOAD].flags, INSN_MEMORY);
	CHECK_EQ(k->insns[LOAD].round, 0);
	struct seen seen = {0};
	fixture_each_step(t, see, &seen);
	static const struct seen wanted = {
	    3, {5, UINT16_MAX, 0}, {{FIRST + 64, FIRST}, {FIRST, FIRST + 4}, {FIRST, FIRST + 4}}};
	CHECK(!memcmp(&seen, &wanted, sizeof wanted));
	trace_close(t);
}

TEST(a_launch_lists_the_words_that_it_watches)
{
	struct error err = {""};
	struct trace *t = trace_open(write_trace(), &err);
	CHECK(t);
	CHECK_EQ(trace_kernel_at(t, 0)->watched_count, 0);
	CHECK_EQ(trace_kernel_at(t, 2)->watched_count, 0);
	const struct trace_kernel *k = trace_kernel_at(t, 1);
	CHECK_EQ(k->watched_count, 3);
	CHECK(!memcmp(k->watched, watched, sizeof watched));
	trace_close(t);
}

/* Store `value` as watched word `word` of the file. */
static bool word_refused(uint32_t word, uint64_t value)
{
	size_t count;
	const char *path = write_trace();
	uint8_t *bytes = fixture_read(path, &count);
	uint64_t offset = load_u64(bytes + 24);
	uint8_t *words = bytes + count - load_u32(bytes + offset + 20) - sizeof watched;
	store_u64(words + sizeof *watched * word, value);
	store_u64(bytes + 40, XXH3_64bits(bytes + offset, count - offset));
	store_u64(bytes + 56, XXH3_64bits(bytes, 56));
	fixture_write(path, bytes, count);
	free(bytes);
	struct error err = {""};
	struct trace *t = trace_open(path, &err);
	trace_close(t);
	return !t && strstr(err.text, "watched words out of order");
}

TEST(watched_words_are_words_in_order)
{
	CHECK(!word_refused(1, FIRST + 8));
	CHECK(word_refused(1, FIRST));
	CHECK(word_refused(0, FIRST + 4));
	CHECK(word_refused(1, FIRST + 6));
}

TEST(needed_writes_are_counted_modulo_2_to_the_16)
{
	CHECK_EQ(poll_needed(0), 0);
	CHECK_EQ(poll_needed(65535), 65535);
	CHECK_EQ(poll_needed(65536), 65535);
	CHECK_EQ(poll_needed(65537), 1);
	static const struct {
		uint16_t needed;
		uint64_t performed, writes;
	} row[] = {{3, 0, 3},         {3, 3, 3},           {3, 60000, 65539}, {60000, 65540, 60000},
	           {60000, 3, 60000}, {1, 131071, 131073}, {65535, 1, 65535}, {40000, 0, 40000}};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		CHECK_EQ(poll_writes(row[i].needed, row[i].performed), row[i].writes);
}

TEST_RUN_ALL(true)
