/* What is written comes back: random streams, both warp sizes, whole and segmented CTAs. */
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>

#include "lib/trace_fixture.h"

struct shape {
	uint32_t warp_size, warps, ctas;
	uint64_t seed;
	uint64_t steps; /* of the longest warp; warp w of CTA c gets (w + c) % 3 thirds */
};

static uint64_t shape_steps(const struct shape *s, uint64_t cta, uint32_t warp)
{
	return s->steps * ((warp + cta) % 3) / 2;
}

static uint64_t shape_seed(const struct shape *s, uint64_t cta, uint32_t warp)
{
	return s->seed * 1000003 + cta * 64 + warp;
}

static struct trace_kernel shape_kernel(const struct shape *s)
{
	return (struct trace_kernel){
	    .name = "random",
	    .id = 7,
	    .grid = {s->ctas, 1, 1},
	    .block = {s->warps * s->warp_size, 1, 1},
	    .warp_size = s->warp_size,
	    .warps_per_cta = s->warps,
	    .registers_per_thread = 32,
	    .shared_bytes = 1024,
	    .binary_version = 70,
	    .shared_window = 0x7e0000000000,
	    .local_window = 0x7e0002000000,
	};
}

static bool write_warp(struct trace_writer *w, const struct shape *s, uint64_t cta, uint32_t warp,
                       struct error *err)
{
	struct stream stream;
	struct stream_step step;
	stream_start(&stream, shape_seed(s, cta, warp), s->warp_size);
	if (!trace_writer_begin_warp(w, warp, err))
		return false;
	for (uint64_t i = shape_steps(s, cta, warp); i > 0; i--) {
		stream_next(&stream, &step);
		if (!trace_writer_step(w, step.insn, step.mask, step.lanes ? step.address : NULL, err))
			return false;
	}
	return true;
}

static bool write_shape(struct trace_writer *w, const struct shape *s, struct error *err)
{
	struct trace_kernel kernel = shape_kernel(s);
	if (!trace_writer_begin_kernel(w, &kernel, err))
		return false;
	fixture_add_insns(w);
	for (uint64_t cta = 0; cta < s->ctas; cta++) {
		if (!trace_writer_begin_cta(w, cta, err))
			return false;
		/* Any order of warps is allowed: the last one first. */
		for (uint32_t warp = s->warps; warp-- > 0;)
			if (!write_warp(w, s, cta, warp, err))
				return false;
		if (!trace_writer_end_cta(w, err))
			return false;
	}
	return trace_writer_end_kernel(w, err);
}

static bool check_step_is(const struct warp_step *got, const struct stream_step *want)
{
	uint64_t address[TRACE_MAX_LANES];
	return got->insn == want->insn && got->mask == want->mask &&
	       step_addresses(got, address) == want->lanes &&
	       !memcmp(address, want->address, want->lanes * sizeof *address);
}

static bool check_warp(struct trace_reader *r, const struct trace_kernel *k, struct warp_cursor *c,
                       const struct shape *s, uint64_t cta, uint32_t warp)
{
	struct stream stream;
	struct stream_step want;
	struct warp_step got;
	struct error err;
	stream_start(&stream, shape_seed(s, cta, warp), s->warp_size);
	for (uint64_t i = shape_steps(s, cta, warp); i > 0; i--) {
		if (c->left + c->run_end - c->insn != i)
			return false;
		stream_next(&stream, &want);
		if (cursor_next(r, k, c, &got, &err) != CURSOR_STEP || !check_step_is(&got, &want))
			return false;
	}
	return c->left == 0 && cursor_next(r, k, c, &got, &err) == CURSOR_END;
}

static bool check_shape(struct trace *t, unsigned kernel, const struct shape *s)
{
	struct error err;
	struct warp_cursor cursors[64];
	const struct trace_kernel *k = trace_kernel_at(t, kernel);
	struct trace_reader *r = trace_reader_new(t, &err);
	uint8_t *buffer = malloc(cta_buffer_bytes(k));
	bool ok = true;
	/* Back to front, so that nothing depends on the order of reading. */
	for (uint64_t cta = s->ctas; ok && cta-- > 0;) {
		ok = trace_read_cta(r, kernel, cta, buffer, cursors, &err);
		for (uint32_t warp = 0; ok && warp < s->warps; warp++)
			ok = check_warp(r, k, &cursors[warp], s, cta, warp);
	}
	free(buffer);
	trace_reader_free(r);
	return ok;
}

static void roundtrip(const struct shape *shapes, unsigned count, bool segmented)
{
	struct error err = {""};
	const char *path = scratch_path("roundtrip.sluice");
	struct trace_writer *w = trace_writer_new(path, &err);
	CHECK(w);
	for (unsigned i = 0; i < count; i++)
		CHECK(write_shape(w, &shapes[i], &err));
	CHECK(trace_writer_finish(w, &err));
	struct trace *t = trace_open(path, &err);
	if (!t)
		printf("# %s\n", err.text);
	CHECK(t);
	CHECK_EQ(trace_kernel_count(t), count);
	for (unsigned i = 0; i < count; i++) {
		CHECK_EQ(trace_kernel_at(t, i)->has_segments, segmented);
		CHECK(check_shape(t, i, &shapes[i]));
	}
	trace_close(t);
	unlink(path);
}

TEST(random_streams_come_back)
{
	const struct shape shapes[] = {
	    {32, 4, 50, 1, 60}, {64, 3, 20, 2, 500}, {32, 1, 1, 3, 1}, {64, 16, 3, 4, 300}};
	roundtrip(shapes, 4, false);
}

TEST(long_streams_come_back_in_segments)
{
	const struct shape shapes[] = {{32, 4, 3, 5, 40000}, {64, 3, 2, 6, 20000}, {32, 1, 2, 7, 30000}};
	roundtrip(shapes, 3, true);
}

TEST(more_ctas_than_one_index_block_come_back)
{
	const struct shape shapes[] = {{32, 1, 4096, 8, 4}, {32, 2, 9000, 9, 3}};
	roundtrip(shapes, 2, false);
}

struct thread_job {
	struct trace *trace;
	const struct shape *shape;
	bool ok;
};

static void *check_in_thread(void *user)
{
	struct thread_job *job = user;
	job->ok = check_shape(job->trace, 0, job->shape);
	return NULL;
}

TEST(readers_of_one_trace_work_at_the_same_time)
{
	struct error err;
	const struct shape shape = {32, 2, 5000, 10, 12};
	const char *path = scratch_path("threads.sluice");
	struct trace_writer *w = trace_writer_new(path, &err);
	CHECK(write_shape(w, &shape, &err) && trace_writer_finish(w, &err));
	struct trace *t = trace_open(path, &err);
	CHECK(t);
	struct thread_job jobs[4];
	pthread_t threads[4];
	for (int i = 0; i < 4; i++) {
		jobs[i] = (struct thread_job){t, &shape, false};
		CHECK(!pthread_create(&threads[i], NULL, check_in_thread, &jobs[i]));
	}
	for (int i = 0; i < 4; i++) {
		pthread_join(threads[i], NULL);
		CHECK(jobs[i].ok);
	}
	trace_close(t);
}

TEST(a_full_disk_is_an_error_and_leaves_nothing_behind)
{
	struct error err = {""};
	const struct shape shape = {32, 4, 3, 5, 40000};
	mkdir(scratch_path("full"), 0777);
	struct rlimit limit, old;
	getrlimit(RLIMIT_FSIZE, &old);
	limit = old;
	limit.rlim_cur = 100000;
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	struct trace_writer *w = trace_writer_new(scratch_path("full/x.sluice"), &err);
	bool written = w && write_shape(w, &shape, &err);
	if (w && !written)
		trace_writer_abort(w);
	else
		written = trace_writer_finish(w, &err);
	setrlimit(RLIMIT_FSIZE, &old);
	CHECK(!written);
	CHECK(strstr(err.text, "cannot write: File too large"));
	CHECK_EQ(fixture_count_files(scratch_path("full")), 0);
}

TEST(header_fields_come_back)
{
	struct error err;
	const struct shape shape = {64, 2, 3, 1, 10};
	const char *path = scratch_path("header.sluice");
	struct trace_writer *w = trace_writer_new(path, &err);
	trace_writer_copy(w, 0x1000, 64);
	CHECK(write_shape(w, &shape, &err));
	trace_writer_copy(w, 0x2000, 65);
	trace_writer_warning(w, "take care");
	CHECK(trace_writer_finish(w, &err));
	struct trace *t = trace_open(path, &err);
	CHECK(t);
	const struct trace_kernel *k = trace_kernel_at(t, 0), want = shape_kernel(&shape);
	CHECK(!strcmp(k->name, "random"));
	CHECK_EQ(k->id, 7);
	CHECK_EQ(k->grid.x, 3);
	CHECK_EQ(k->block.x, 128);
	CHECK_EQ(k->registers_per_thread, 32);
	CHECK_EQ(k->shared_bytes, 1024);
	CHECK_EQ(k->binary_version, 70);
	CHECK_EQ(k->shared_window, want.shared_window);
	CHECK_EQ(k->local_window, want.local_window);
	CHECK_EQ(k->cta_count, 3);
	CHECK_EQ(k->insn_count, FIXTURE_INSNS);
	CHECK(!strcmp(trace_mnemonic(k, &k->insns[3]), "LDG.E"));
	CHECK_EQ(k->insns[3].flags, INSN_MEMORY);
	/* R254 of span 1 stays, R255 (RZ) has none. */
	CHECK_EQ(k->insns[199].dst_span, 1);
	CHECK_EQ(k->insns[3].src_span[2], 0);
	const struct trace_copy *copies;
	CHECK_EQ(trace_copies(t, &copies), 2);
	CHECK_EQ(copies[0].before_kernel, 0);
	CHECK_EQ(copies[1].before_kernel, 1);
	CHECK_EQ(copies[1].bytes, 65);
	CHECK(!strcmp(trace_warning(t, 0), "take care"));
	CHECK(!trace_warning(t, 1));
	CHECK(!trace_kernel_at(t, 1));
	trace_close(t);
}

TEST(launches_of_one_kernel_share_a_table)
{
	struct error err;
	const struct shape shape = {32, 1, 1, 1, 10};
	const char *path = scratch_path("share.sluice");
	struct trace_writer *w = trace_writer_new(path, &err);
	CHECK(write_shape(w, &shape, &err) && write_shape(w, &shape, &err));
	CHECK(trace_writer_finish(w, &err));
	struct trace *t = trace_open(path, &err);
	CHECK(t);
	CHECK(trace_kernel_at(t, 0)->insns == trace_kernel_at(t, 1)->insns);
	CHECK(check_shape(t, 0, &shape) && check_shape(t, 1, &shape));
	trace_close(t);
}

/* One CTA of many: the millionth. */
static bool write_sparse(const char *path, const struct trace_kernel *kernel, struct error *err)
{
	struct trace_writer *w = trace_writer_new(path, err);
	if (!w || !trace_writer_begin_kernel(w, kernel, err))
		return false;
	fixture_add_insns(w);
	return trace_writer_begin_cta(w, 1000000, err) && trace_writer_begin_warp(w, 1, err) &&
	       trace_writer_step(w, 5, 1, NULL, err) && trace_writer_end_cta(w, err) &&
	       trace_writer_end_kernel(w, err) && trace_writer_finish(w, err);
}

TEST(ctas_left_out_are_empty)
{
	struct error err;
	struct trace_kernel kernel = shape_kernel(&(struct shape){32, 2, 1, 0, 0});
	kernel.grid = (struct trace_dim){1u << 14, 1u << 10, 1};
	const char *path = scratch_path("sparse.sluice");
	CHECK(write_sparse(path, &kernel, &err));
	struct trace *t = trace_open(path, &err);
	CHECK(t);
	const struct trace_kernel *k = trace_kernel_at(t, 0);
	CHECK_EQ(k->cta_count, 1u << 24);
	CHECK_EQ(k->warp_insns, 1);
	struct trace_reader *r = trace_reader_new(t, &err);
	uint8_t *buffer = malloc(cta_buffer_bytes(k));
	struct warp_cursor c[2];
	struct warp_step step;
	CHECK(trace_read_cta(r, 0, (1u << 24) - 1, buffer, c, &err));
	CHECK_EQ(cursor_next(r, k, &c[0], &step, &err), CURSOR_END);
	CHECK(trace_read_cta(r, 0, 1000000, buffer, c, &err));
	CHECK_EQ(cursor_next(r, k, &c[0], &step, &err), CURSOR_END);
	CHECK_EQ(cursor_next(r, k, &c[1], &step, &err), CURSOR_STEP);
	CHECK_EQ(step.insn, 5);
	CHECK_EQ(step.mask, 1);
	free(buffer);
	trace_reader_free(r);
	trace_close(t);
}

TEST(a_small_file_cannot_ask_for_a_billion_empty_ctas)
{
	struct error err;
	struct trace_kernel kernel = shape_kernel(&(struct shape){32, 2, 1, 0, 0});
	kernel.grid = (struct trace_dim){1u << 20, 1u << 10, 1};
	const char *path = scratch_path("sparser.sluice");
	CHECK(write_sparse(path, &kernel, &err));
	CHECK(!trace_open(path, &err));
	CHECK(strstr(err.text, "1073741823 of 1073741824 CTAs hold no instructions"));
}

/* A loop of eight instructions with one load, as a vector kernel has it. */
static bool write_loop(struct trace_writer *w, uint64_t steps, struct error *err)
{
	for (uint64_t i = 0; i < steps; i++) {
		uint32_t insn = (uint32_t)(i % 6 + 1);
		if (!trace_writer_step_stride(w, insn, UINT32_MAX, 0x7f0000000000 + i / 6 * 128, 4, err))
			return false;
	}
	return true;
}

TEST(a_long_regular_warp_costs_little_on_disk_and_in_memory)
{
	struct error err;
	struct trace_kernel kernel = shape_kernel(&(struct shape){32, 2, 1, 0, 0});
	const char *path = scratch_path("long.sluice");
	const uint64_t steps = 20000000;
	struct rusage before, after;
	getrusage(RUSAGE_SELF, &before);
	struct trace_writer *w = trace_writer_new(path, &err);
	CHECK(trace_writer_begin_kernel(w, &kernel, &err));
	fixture_add_insns(w);
	CHECK(trace_writer_begin_cta(w, 0, &err));
	CHECK(trace_writer_begin_warp(w, 0, &err) && write_loop(w, steps, &err));
	CHECK(trace_writer_begin_warp(w, 1, &err) && write_loop(w, 10, &err));
	CHECK(trace_writer_end_cta(w, &err) && trace_writer_end_kernel(w, &err) &&
	      trace_writer_finish(w, &err));
	struct stat st;
	CHECK(!stat(path, &st));
	CHECK((uint64_t)st.st_size < steps / 20);

	struct trace *t = trace_open(path, &err);
	CHECK(t);
	const struct trace_kernel *k = trace_kernel_at(t, 0);
	CHECK(cta_buffer_bytes(k) <= 2 * (TRACE_SEGMENT_BYTES + 64));
	struct trace_reader *r = trace_reader_new(t, &err);
	uint8_t *buffer = malloc(cta_buffer_bytes(k));
	struct warp_cursor c[2];
	CHECK(trace_read_cta(r, 0, 0, buffer, c, &err));
	struct warp_step step;
	uint64_t n = 0;
	for (; cursor_next(r, k, &c[0], &step, &err) == CURSOR_STEP; n++)
		if (step.insn != n % 6 + 1 ||
		    (step.kind == ADDR_STRIDE && step.base != 0x7f0000000000 + n / 6 * 128))
			break;
	CHECK_EQ(n, steps);
	getrusage(RUSAGE_SELF, &after);
	/* Kilobytes; a stream held whole would take tens of megabytes. */
	CHECK(after.ru_maxrss - before.ru_maxrss < 6000);
	free(buffer);
	trace_reader_free(r);
	trace_close(t);
}

TEST(nothing_is_left_behind_by_an_abort)
{
	struct error err;
	mkdir(scratch_path("abort"), 0777);
	const char *path = scratch_path("abort/x.sluice");
	struct trace_writer *w = trace_writer_new(path, &err);
	CHECK(w);
	CHECK(access(path, F_OK));
	trace_writer_abort(w);
	CHECK_EQ(fixture_count_files(scratch_path("abort")), 0);
	CHECK(!trace_writer_new(scratch_path("no-such-folder/x.sluice"), &err));
	CHECK(strstr(err.text, "No such file"));
}

TEST(the_writer_refuses_what_breaks_the_order)
{
	struct error err;
	const char *path = scratch_path("order.sluice");
	struct trace_kernel kernel = shape_kernel(&(struct shape){32, 2, 4, 0, 0});
	struct trace_writer *w = trace_writer_new(path, &err);
	kernel.warps_per_cta = 3;
	CHECK(!trace_writer_begin_kernel(w, &kernel, &err));
	kernel.warps_per_cta = 2;
	CHECK(trace_writer_begin_kernel(w, &kernel, &err));
	fixture_add_insns(w);
	CHECK(!trace_writer_begin_cta(w, 4, &err));
	CHECK(trace_writer_begin_cta(w, 1, &err));
	CHECK(!trace_writer_begin_warp(w, 2, &err));
	CHECK(trace_writer_begin_warp(w, 1, &err));
	CHECK(!trace_writer_begin_warp(w, 1, &err));
	CHECK(trace_writer_begin_warp(w, 0, &err));
	CHECK(!trace_writer_step(w, 1, UINT64_C(1) << 32, NULL, &err));
	CHECK(trace_writer_end_cta(w, &err));
	CHECK(!trace_writer_begin_cta(w, 0, &err));
	trace_writer_abort(w);
	CHECK(access(path, F_OK));
}

TEST_RUN_ALL(true)
