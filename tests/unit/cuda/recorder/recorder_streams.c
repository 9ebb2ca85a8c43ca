/* CTAs whose warps take turns come back as if they had come one after the other. */
#include "lib/trace_fixture.h"
#include "trace/interleave.h"

enum order { IN_ORDER, REVERSED, SHUFFLED };

struct shape {
	uint32_t warp_size, warps, ctas, window; /* window: CTAs open at a time */
	uint64_t seed, steps;                    /* of the longest warp */
	enum order order;                        /* in which CTAs of a window end */
};

static uint64_t steps_of(const struct shape *s, uint64_t cta, uint32_t warp)
{
	return s->steps * ((warp + cta) % 3) / 2;
}

static uint64_t seed_of(const struct shape *s, uint64_t cta, uint32_t warp)
{
	return s->seed * 1000003 + cta * 64 + warp;
}

struct open_warp {
	struct stream stream;
	uint64_t left;
	/* A run that is not handed over yet: the recorder gives spans, not steps. */
	uint32_t first, count;
	uint64_t mask;
};

struct open_cta {
	struct cta_stream *out;
	uint64_t cta, left;
	struct open_warp *warps;
};

static void hand_over(struct open_cta *cta, uint32_t warp)
{
	struct open_warp *w = &cta->warps[warp];
	if (w->count)
		cta_stream_run(cta->out, warp, w->first, w->count, w->mask);
	w->count = 0;
}

static void advance(struct open_cta *cta, uint32_t warp)
{
	struct open_warp *w = &cta->warps[warp];
	struct stream_step step;
	stream_next(&w->stream, &step);
	bool joins = w->count && step.insn == w->first + w->count && step.mask == w->mask && !step.lanes;
	if (!joins)
		hand_over(cta, warp);
	if (step.lanes) {
		cta_stream_access(cta->out, warp, step.insn, step.mask, step.address);
	} else if (joins) {
		w->count++;
	} else {
		w->first = step.insn;
		w->mask = step.mask;
		w->count = 1;
	}
	w->left--;
	cta->left--;
}

static void open_cta(struct open_cta *c, struct trace_writer *w, const struct shape *s, uint64_t cta)
{
	*c = (struct open_cta){.out = cta_stream_open(w, cta), .cta = cta};
	c->warps = calloc(s->warps, sizeof *c->warps);
	for (uint32_t i = 0; i < s->warps; i++) {
		stream_start(&c->warps[i].stream, seed_of(s, cta, i), s->warp_size);
		c->warps[i].left = steps_of(s, cta, i);
		c->left += c->warps[i].left;
	}
}

static bool close_cta(struct open_cta *c, const struct shape *s, struct error *err)
{
	for (uint32_t i = 0; i < s->warps; i++)
		hand_over(c, i);
	free(c->warps);
	return cta_stream_close(c->out, err);
}

static uint32_t which(const struct shape *s, uint64_t *random, uint32_t count)
{
	return s->order == IN_ORDER   ? 0
	       : s->order == REVERSED ? count - 1
	                              : (uint32_t)random_below(random, count);
}

/* All CTAs of a window go on by turns, a few steps each, and end in the order asked for. */
static bool write_window(struct trace_writer *w, const struct shape *s, uint64_t first, uint64_t *random,
                         struct error *err)
{
	struct open_cta *open = calloc(s->window, sizeof *open);
	uint32_t count = 0;
	for (; count < s->window && first + count < s->ctas; count++)
		open_cta(&open[count], w, s, first + count);
	for (uint32_t i = 0; i < count; i++)
		while (open[i].left) {
			struct open_cta *c = &open[random_below(random, count)];
			uint32_t warp = (uint32_t)random_below(random, s->warps);
			for (unsigned n = 0; n < 40 && c->warps[warp].left; n++)
				advance(c, warp);
		}
	bool ok = true;
	while (count) {
		uint32_t i = which(s, random, count);
		ok = close_cta(&open[i], s, err) && ok;
		memmove(&open[i], &open[i + 1], (--count - i) * sizeof *open);
	}
	free(open);
	return ok;
}

static struct trace_kernel kernel_of(const struct shape *s)
{
	return (struct trace_kernel){.name = "random",
	                             .id = 1,
	                             .grid = {s->ctas, 1, 1},
	                             .block = {s->warps * s->warp_size, 1, 1},
	                             .warp_size = s->warp_size,
	                             .warps_per_cta = s->warps};
}

static bool write_by_turns(struct trace_writer *w, const struct shape *s, struct error *err)
{
	struct trace_kernel kernel = kernel_of(s);
	uint64_t random = s->seed;
	if (!trace_writer_begin_kernel(w, &kernel, err))
		return false;
	fixture_add_insns(w);
	for (uint64_t cta = 0; cta < s->ctas; cta += s->window)
		if (!write_window(w, s, cta, &random, err))
			return false;
	return trace_writer_end_kernel(w, err);
}

static bool write_in_sequence(struct trace_writer *w, const struct shape *s, struct error *err)
{
	struct trace_kernel kernel = kernel_of(s);
	if (!trace_writer_begin_kernel(w, &kernel, err))
		return false;
	fixture_add_insns(w);
	for (uint64_t cta = 0; cta < s->ctas; cta++) {
		if (!trace_writer_begin_cta(w, cta, err))
			return false;
		for (uint32_t warp = 0; warp < s->warps; warp++) {
			struct stream stream;
			struct stream_step step;
			stream_start(&stream, seed_of(s, cta, warp), s->warp_size);
			if (!trace_writer_begin_warp(w, warp, err))
				return false;
			for (uint64_t i = steps_of(s, cta, warp); i > 0; i--) {
				stream_next(&stream, &step);
				if (!trace_writer_step(w, step.insn, step.mask,
				                       step.lanes ? step.address : NULL, err))
					return false;
			}
		}
		if (!trace_writer_end_cta(w, err))
			return false;
	}
	return trace_writer_end_kernel(w, err);
}

/* Steps that both ways of writing have in common, -1 if they differ. */
static int64_t steps_alike(const struct shape *shapes, size_t count)
{
	struct error err = {{0}};
	const char *turns = scratch_path("turns.sluice"), *sequence = scratch_path("sequence.sluice");
	struct trace_writer *a = trace_writer_new(turns, &err), *b = trace_writer_new(sequence, &err);
	bool ok = a && b;
	for (size_t i = 0; ok && i < count; i++)
		ok = write_by_turns(a, &shapes[i], &err) && write_in_sequence(b, &shapes[i], &err);
	ok = ok && trace_writer_finish(a, &err) && trace_writer_finish(b, &err);
	struct trace *x = ok ? trace_open(turns, &err) : NULL, *y = ok ? trace_open(sequence, &err) : NULL;
	int64_t steps = x && y ? same_traces(x, y) : -1;
	if (steps < 0)
		printf("# %s\n", err.text);
	trace_close(x);
	trace_close(y);
	return steps;
}

TEST(warps_that_take_turns_come_back_whole)
{
	const struct shape shapes[] = {{32, 4, 9, 1, 1, 300, IN_ORDER}, {64, 3, 5, 1, 2, 300, IN_ORDER}};
	CHECK(steps_alike(shapes, 2) > 1000);
}

TEST(ctas_that_end_in_any_order_are_written_in_linear_order)
{
	const struct shape shapes[] = {{32, 2, 40, 8, 3, 200, REVERSED},
	                               {32, 2, 40, 40, 4, 200, SHUFFLED},
	                               {32, 1, 5000, 7, 5, 3, SHUFFLED}};
	CHECK(steps_alike(shapes, 3) > 1000);
}

TEST(long_streams_are_cut_while_others_are_open)
{
	const struct shape shapes[] = {{32, 3, 6, 3, 6, 20000, SHUFFLED}, {64, 2, 4, 4, 7, 20000, REVERSED}};
	CHECK(steps_alike(shapes, 2) > 100000);
}

TEST(short_and_long_launches_share_a_file)
{
	const struct shape shapes[] = {{32, 64, 3, 2, 8, 30, IN_ORDER},
	                               {32, 2, 3, 3, 9, 30000, SHUFFLED},
	                               {32, 16, 8, 4, 10, 500, REVERSED}};
	CHECK(steps_alike(shapes, 3) > 10000);
}

TEST(a_run_longer_than_the_format_allows_is_cut)
{
	enum { COUNT = 200000 };
	struct error err;
	const char *path = scratch_path("long-run.sluice");
	struct trace_writer *w = trace_writer_new(path, &err);
	const struct trace_kernel kernel = {
	    .name = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}, .warp_size = 32, .warps_per_cta = 1};
	CHECK(trace_writer_begin_kernel(w, &kernel, &err));
	for (uint32_t i = 0; i < COUNT; i++)
		trace_writer_insn(w, &(struct trace_insn){.pc = 16 * i, .op = OP_INT, .dst = TRACE_REG_NONE},
		                  "IADD3");
	struct cta_stream *cta = cta_stream_open(w, 0);
	cta_stream_run(cta, 0, 0, COUNT, 0xff);
	CHECK(cta_stream_close(cta, &err));
	CHECK(trace_writer_end_kernel(w, &err) && trace_writer_finish(w, &err));
	struct trace *t = trace_open(path, &err);
	CHECK(t != NULL);
	const struct trace_kernel *k = trace_kernel_at(t, 0);
	struct trace_reader *r = trace_reader_new(t, &err);
	uint8_t *buffer = malloc(cta_buffer_bytes(k));
	struct warp_cursor c;
	struct warp_step step;
	uint32_t next = 0;
	CHECK(trace_read_cta(r, 0, 0, buffer, &c, &err));
	while (cursor_next(r, k, &c, &step, &err) == CURSOR_STEP && step.insn == next && step.mask == 0xff)
		next++;
	CHECK_EQ(next, COUNT);
	free(buffer);
	trace_reader_free(r);
	trace_close(t);
}

TEST(random_addresses_take_little_more_than_their_bits)
{
	enum { STEPS = 4096, LANES = 32, BITS = 24 };
	struct error err;
	const char *path = scratch_path("gather.sluice");
	struct trace_writer *w = trace_writer_new(path, &err);
	const struct trace_kernel kernel = {
	    .name = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}, .warp_size = 32, .warps_per_cta = 1};
	CHECK(trace_writer_begin_kernel(w, &kernel, &err));
	fixture_add_insns(w);
	struct cta_stream *cta = cta_stream_open(w, 0);
	uint64_t random = 5;
	for (int i = 0; i < STEPS; i++) {
		uint64_t address[LANES];
		for (int lane = 0; lane < LANES; lane++)
			address[lane] = UINT64_C(0x300000000000) + 4 * random_below(&random, 1 << BITS);
		cta_stream_access(cta, 0, 3, UINT32_MAX, address);
	}
	CHECK(cta_stream_close(cta, &err));
	CHECK(trace_writer_end_kernel(w, &err) && trace_writer_finish(w, &err));
	struct trace *t = trace_open(path, &err);
	CHECK(t != NULL);
	CHECK(trace_kernel_bytes(t, 0) < STEPS * (LANES * BITS / 8 + 16));
	trace_close(t);
}

/* A launch of one warp: accesses of 1 to 16 bytes whose halves are even, in all ways, at gaps that come again. */
static bool write_halves(const char *path, bool is_known)
{
	enum { LANES = 2 * HALF_LANES, STEPS = 4000 };
	static const uint64_t gaps[] = {0, 4, 16, 64, 128, 1024, 1 << 20, (uint64_t)-64, UINT64_C(3) << 40};
	struct error err;
	struct trace_writer *w = trace_writer_new(path, &err);
	const struct trace_kernel kernel = {
	    .name = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}, .warp_size = 32, .warps_per_cta = 1};
	if (!w || !trace_writer_begin_kernel(w, &kernel, &err))
		return false;
	fixture_add_insns(w);
	struct cta_stream *cta = cta_stream_open(w, 0);
	uint64_t random = 9;
	for (int i = 0; i < STEPS; i++) {
		uint32_t adjacent = (uint32_t)random_below(&random, 4),
		         bytes = 1u << random_below(&random, 5);
		uint64_t base = random_below(&random, 1 << 30), gap = gaps[random_below(&random, 9)];
		uint64_t address[LANES];
		if (random_below(&random, 4) == 0)
			gap = 16 * bytes;
		for (uint32_t lane = 0; lane < LANES; lane++) {
			uint32_t half = lane / HALF_LANES;
			uint64_t step = adjacent >> half & 1 ? bytes : 0;
			address[lane] = base + half * gap + lane % HALF_LANES * step;
		}
		if (is_known)
			cta_stream_access_halves(cta, 0, 3, halves_of(adjacent, ~adjacent & 3, bytes),
			                         address);
		else
			cta_stream_access(cta, 0, 3, UINT32_MAX, address);
	}
	return cta_stream_close(cta, &err) && trace_writer_end_kernel(w, &err) &&
	       trace_writer_finish(w, &err);
}

TEST(what_is_known_of_halves_does_not_change_the_file)
{
	const char *path[2] = {scratch_path("looked-at.sluice"), scratch_path("known.sluice")};
	for (int i = 0; i < 2; i++)
		CHECK(write_halves(path[i], i));
	CHECK(fixture_same(path[0], path[1]));
	CHECK_EQ(halves_of(1, 0, 4), HALVES_UNKNOWN);
	CHECK_EQ(halves_of(0, 2, 4), HALVES_UNKNOWN);
}

TEST(ctas_that_never_come_are_empty)
{
	struct error err;
	const char *path = scratch_path("holes.sluice");
	struct trace_writer *w = trace_writer_new(path, &err);
	const struct trace_kernel kernel = {
	    .name = "k", .grid = {10000, 1, 1}, .block = {32, 1, 1}, .warp_size = 32, .warps_per_cta = 1};
	CHECK(trace_writer_begin_kernel(w, &kernel, &err));
	fixture_add_insns(w);
	struct cta_stream *late = cta_stream_open(w, 9000), *early = cta_stream_open(w, 17);
	cta_stream_run(late, 0, 1, 2, 1);
	cta_stream_run(early, 0, 1, 1, 1);
	CHECK(cta_stream_close(late, &err) && cta_stream_close(early, &err));
	CHECK(trace_writer_end_kernel(w, &err) && trace_writer_finish(w, &err));
	struct trace *t = trace_open(path, &err);
	CHECK(t != NULL);
	struct trace_reader *r = trace_reader_new(t, &err);
	uint8_t *buffer = malloc(cta_buffer_bytes(trace_kernel_at(t, 0)));
	uint64_t insns = 0;
	for (uint64_t cta = 0; cta < 10000; cta++) {
		struct warp_cursor c;
		CHECK(trace_read_cta(r, 0, cta, buffer, &c, &err));
		CHECK_EQ(c.left, cta == 17 ? 1 : cta == 9000 ? 2 : 0);
		insns += c.left;
	}
	CHECK_EQ(insns, trace_kernel_at(t, 0)->warp_insns);
	free(buffer);
	trace_reader_free(r);
	trace_close(t);
}

TEST(an_abandoned_trace_leaves_neither_file_nor_memory)
{
	struct error err;
	const char *path = scratch_path("abandoned/x.sluice");
	mkdir(scratch_path("abandoned"), 0777);
	struct trace_writer *w = trace_writer_new(path, &err);
	const struct trace_kernel kernel = {
	    .name = "k", .grid = {4, 1, 1}, .block = {64, 1, 1}, .warp_size = 32, .warps_per_cta = 2};
	CHECK(trace_writer_begin_kernel(w, &kernel, &err));
	fixture_add_insns(w);
	struct cta_stream *open = cta_stream_open(w, 2), *closed = cta_stream_open(w, 1);
	cta_stream_run(open, 1, 0, 3, 1);
	cta_stream_run(closed, 0, 0, 3, 1);
	CHECK(cta_stream_close(closed, &err));
	trace_writer_abort(w);
	CHECK_EQ(fixture_count_files(scratch_path("abandoned")), 0);
}

TEST_RUN_ALL(true)
