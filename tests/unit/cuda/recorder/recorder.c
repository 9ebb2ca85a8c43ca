/* The recorder: what the executor tells it comes back from the trace. */
#include "cuda/memory/memory.h"
#include "cuda/recorder/recorder.h"
#include "lib/lower_fixture.h"
#include "lib/trace_fixture.h"

enum { LANES = 32, ALL = -1 };

static const char body[] = "mov.u32 %r0, %tid.x;\n"       /* 0 */
                           "ld.global.u32 %r1, [%r0];\n"  /* 1 */
                           "add.s32 %r2, %r1, 1;\n"       /* 2 */
                           "setp.eq.s32 %p0, %r2, 0;\n"   /* 3 */
                           "@%p0 bra SKIP;\n"             /* 4: folded */
                           "add.s32 %r2, %r2, 1;\n"       /* 5 */
                           "st.global.u32 [%rd0], %r2;\n" /* 6 */
                           "SKIP:\n"
                           "st.local.v2.u32 [%rd1], {%r1, %r2};\n" /* 7 */
                           "ld.u32 %r3, [%rd2];\n"                 /* 8 */
                           "st.shared.u32 [%rd3], %r3;\n"          /* 9 */
                           "ret;";                                 /* 10 */

static struct recorded_launch launch_of(const struct fixture *f, uint32_t ctas)
{
	return (struct recorded_launch){.module = f->module,
	                                .kernel = f->kernel,
	                                .grid = {ctas, 1, 1},
	                                .block = {2 * LANES, 1, 1},
	                                .warp_size = LANES,
	                                .shared_bytes = 128};
}

/* A trace and the steps of one of its warps. */
struct playback {
	struct trace *trace;
	struct trace_reader *reader;
	const struct trace_kernel *kernel;
	uint8_t *buffer;
	struct warp_cursor cursors[64];
	struct warp_step step;
};

static bool play(struct playback *p, const char *path, unsigned launch, uint64_t cta)
{
	struct error err;
	memset(p, 0, sizeof *p);
	p->trace = trace_open(path, &err);
	if (!p->trace)
		return false;
	p->reader = trace_reader_new(p->trace, &err);
	p->kernel = trace_kernel_at(p->trace, launch);
	p->buffer = malloc(cta_buffer_bytes(p->kernel));
	return trace_read_cta(p->reader, launch, cta, p->buffer, p->cursors, &err);
}

static void stop(struct playback *p)
{
	free(p->buffer);
	trace_reader_free(p->reader);
	trace_close(p->trace);
}

/* The next instruction of a warp; its mnemonic, or "" at the end. */
static const char *next(struct playback *p, uint32_t warp)
{
	struct error err;
	if (cursor_next(p->reader, p->kernel, &p->cursors[warp], &p->step, &err) != CURSOR_STEP)
		return "";
	return trace_mnemonic(p->kernel, &p->kernel->insns[p->step.insn]);
}

#define CHECK_NEXT(p, warp, want, lanes)                                                                     \
	do {                                                                                                 \
		const char *got_ = next(p, warp);                                                            \
		if (strcmp(got_, want) || (*(want) && (p)->step.mask != (uint32_t)(lanes))) {                \
			printf("# %s:%d: '%s' under %llx, expected '%s'\n", __FILE__, __LINE__, got_,        \
			       (unsigned long long)(p)->step.mask, want);                                    \
			test_failures++;                                                                     \
			return;                                                                              \
		}                                                                                            \
	} while (0)

static void fill(uint64_t address[LANES], uint64_t first, uint64_t stride)
{
	for (unsigned i = 0; i < LANES; i++)
		address[i] = first + i * stride;
}

/* Lower the kernel `body` and begin to record a launch of it; NULL: a failure. */
static struct recorder *begin(struct fixture *f, const char *path, uint32_t ctas)
{
	struct error err;
	struct recorder *r = fixture_kernel(f, "", body) ? recorder_new(path, &err) : NULL;
	struct recorded_launch launch = launch_of(f, ctas);
	if (r)
		recorder_begin_launch(r, &launch);
	return r;
}

/* End the last CTA of a launch, the launch and the recording. */
static bool finish(struct recorder *r, struct recorder_cta *cta)
{
	struct error err;
	if (cta)
		recorder_end_cta(r, cta);
	recorder_end_launch(r);
	return recorder_finish(r, &err);
}

TEST(spans_and_accesses_of_warps_that_take_turns)
{
	struct fixture f;
	struct error err;
	uint64_t a[LANES], b[LANES];
	const char *path = scratch_path("turns.sluice");
	CHECK(fixture_kernel(&f, "", body));
	struct recorder *r = recorder_new(path, &err);
	struct recorded_launch launch = launch_of(&f, 1);
	fill(a, DEVICE_WINDOW, 4);
	fill(b, DEVICE_WINDOW + 4096, 8);
	recorder_copy(r, DEVICE_WINDOW, 4096);
	recorder_begin_launch(r, &launch);
	struct recorder_cta *cta = recorder_begin_cta(r, 0);
	recorder_span(cta, 0, f.first, 1, UINT32_MAX);
	recorder_span(cta, 1, f.first, 1, UINT32_MAX);
	recorder_step(cta, 1, f.first + 1, 0xff00, PTX_SPACE_global, b);
	recorder_step(cta, 0, f.first + 1, UINT32_MAX, PTX_SPACE_global, a);
	recorder_span(cta, 0, f.first + 2, 2, UINT32_MAX);
	recorder_span(cta, 1, f.first + 10, 1, UINT32_MAX);
	CHECK(finish(r, cta));

	struct playback p;
	CHECK(play(&p, path, 0, 0));
	CHECK_EQ(p.kernel->warps_per_cta, 2);
	CHECK_EQ(p.kernel->registers_per_thread, f.kernel->registers);
	CHECK_EQ(p.kernel->shared_bytes, 128);
	for (uint32_t warp = 0; warp < 2; warp++) {
		CHECK_NEXT(&p, warp, "LDC", ALL);
		CHECK_NEXT(&p, warp, "ULDC.64", ALL);
		CHECK_NEXT(&p, warp, "S2R", ALL);
		CHECK_NEXT(&p, warp, "LDG.E", warp ? 0xff00 : ALL);
		CHECK_EQ(p.step.kind, ADDR_STRIDE);
		CHECK_EQ(p.step.base, warp ? DEVICE_WINDOW + 4096 + 8 * 8 : DEVICE_WINDOW);
		CHECK_EQ(p.step.stride, warp ? 8 : 4);
	}
	CHECK_NEXT(&p, 0, "IADD3", ALL);
	CHECK_NEXT(&p, 0, "ISETP.EQ.AND", ALL);
	CHECK_NEXT(&p, 0, "", 0);
	CHECK_NEXT(&p, 1, "EXIT", ALL);
	CHECK_NEXT(&p, 1, "", 0);
	const struct trace_copy *copies;
	CHECK_EQ(trace_copies(p.trace, &copies), 1);
	CHECK_EQ(copies[0].bytes, 4096);
	stop(&p);
	fixture_free(&f);
}

TEST(local_memory_is_interleaved_by_lanes)
{
	struct fixture f;
	uint64_t own[LANES], address[TRACE_MAX_LANES];
	const char *path = scratch_path("local.sluice");
	struct recorder *r = begin(&f, path, 2);
	CHECK(r);
	for (uint64_t n = 0; n < 2; n++) {
		struct recorder_cta *cta = recorder_begin_cta(r, n);
		for (uint32_t warp = 0; warp < 2; warp++) {
			fill(own, 16, 0);
			recorder_step(cta, warp, f.first + 7, UINT32_MAX, PTX_SPACE_local, own); /* 8 bytes */
			recorder_step(cta, warp, f.first + 8, UINT32_MAX, PTX_SPACE_local,
			              own); /* generic, 4 bytes */
		}
		recorder_end_cta(r, cta);
	}
	CHECK(finish(r, NULL));

	uint64_t bases[4];
	for (uint64_t n = 0; n < 2; n++) {
		struct playback p;
		CHECK(play(&p, path, 0, n));
		for (uint32_t warp = 0; warp < 2; warp++) {
			CHECK_NEXT(&p, warp, "STL.64", ALL);
			CHECK_EQ(step_addresses(&p.step, address), LANES);
			CHECK_EQ(address[1] - address[0], 8);
			CHECK_EQ(p.kernel->insns[p.step.insn].space, SPACE_LOCAL);
			bases[2 * n + warp] = address[0] - 16 * LANES;
			CHECK_NEXT(&p, warp, "LD.E", ALL);
			CHECK_EQ(p.kernel->insns[p.step.insn].space, SPACE_LOCAL);
			CHECK_EQ(step_addresses(&p.step, address), LANES);
			CHECK_EQ(address[0], bases[2 * n + warp] + 16 * LANES);
			CHECK_EQ(address[LANES - 1] - address[0], 4 * (LANES - 1));
		}
		stop(&p);
	}
	for (int i = 0; i < 4; i++)
		for (int k = 0; k < i; k++)
			CHECK(bases[i] != bases[k]);
	fixture_free(&f);
}

TEST(generic_accesses_to_shared_memory_lie_in_its_window)
{
	struct fixture f;
	uint64_t offset[LANES];
	const char *path = scratch_path("generic.sluice");
	struct recorder *r = begin(&f, path, 1);
	CHECK(r);
	struct recorder_cta *cta = recorder_begin_cta(r, 0);
	fill(offset, 64, 4);
	recorder_step(cta, 0, f.first + 8, UINT32_MAX, PTX_SPACE_shared, offset);
	recorder_step(cta, 0, f.first + 9, UINT32_MAX, PTX_SPACE_shared, offset);
	CHECK(finish(r, cta));
	struct playback p;
	CHECK(play(&p, path, 0, 0));
	CHECK_NEXT(&p, 0, "LD.E", ALL);
	CHECK_EQ(p.step.base, p.kernel->shared_window + 64);
	CHECK_NEXT(&p, 0, "STS", ALL);
	CHECK_EQ(p.step.base, 64);
	stop(&p);
	fixture_free(&f);
}

/* An access, said to be one or not. */
struct told_access {
	struct recorder_cta *cta;
	uint32_t first;
	bool is_access;
};

static void tell(const struct told_access *to, uint32_t warp, uint32_t insn, uint64_t mask,
                 enum ptx_space space, const uint64_t *address, uint32_t halves)
{
	if (to->is_access)
		recorder_access(to->cta, warp, to->first + insn, mask, space, address, halves);
	else
		recorder_step(to->cta, warp, to->first + insn, mask, space, address);
}

/* All kinds: full and other masks, even halves, generic, local, behind a branch that may be folded. */
static bool record_accesses(const struct fixture *f, const char *path, bool is_access)
{
	struct error err;
	uint64_t a[LANES], b[LANES];
	struct recorder *r = recorder_new(path, &err);
	struct recorded_launch launch = launch_of(f, 1);
	fill(a, DEVICE_WINDOW, 4);
	for (unsigned i = 0; i < LANES; i++)
		b[i] = 64 * (i / 16) + 4 * (i % 16 * (i / 16));
	uint32_t adjacent = halves_of(3, 0, 4), mixed = halves_of(2, 1, 4);
	recorder_begin_launch(r, &launch);
	struct told_access to = {recorder_begin_cta(r, 0), f->first, is_access};
	for (uint32_t warp = 0; warp < 2; warp++) {
		recorder_span(to.cta, warp, f->first, 1, UINT32_MAX);
		tell(&to, warp, 1, UINT32_MAX, PTX_SPACE_global, a, warp ? adjacent : HALVES_UNKNOWN);
		tell(&to, warp, 1, 0xf0f0, PTX_SPACE_global, a, HALVES_UNKNOWN);
		recorder_step(to.cta, warp, f->first + 4, warp ? UINT32_MAX : 0xf, PTX_SPACE_generic, NULL);
		if (!warp)
			tell(&to, warp, 6, 0xfffffff0, PTX_SPACE_global, a, HALVES_UNKNOWN);
		tell(&to, warp, 7, UINT32_MAX, PTX_SPACE_local, b, mixed);
		tell(&to, warp, 8, UINT32_MAX, PTX_SPACE_shared, b, mixed);
		tell(&to, warp, 8, UINT32_MAX, PTX_SPACE_local, b, mixed);
		tell(&to, warp, 9, UINT32_MAX, PTX_SPACE_shared, b, mixed);
		tell(&to, warp, 9, 0xff, PTX_SPACE_shared, b, HALVES_UNKNOWN);
		/* The branch is over with the access that follows, wherever that is. */
		recorder_step(to.cta, warp, f->first + 4, UINT32_MAX, PTX_SPACE_generic, NULL);
		tell(&to, warp, 9, UINT32_MAX, PTX_SPACE_shared, b, mixed);
		tell(&to, warp, 7, UINT32_MAX, PTX_SPACE_local, b, mixed);
	}
	recorder_end_cta(r, to.cta);
	recorder_end_launch(r);
	return recorder_finish(r, &err);
}

TEST(accesses_are_recorded_as_other_steps_are)
{
	struct fixture f;
	const char *path[2] = {scratch_path("steps.sluice"), scratch_path("accesses.sluice")};
	CHECK(fixture_kernel(&f, "", body));
	for (int i = 0; i < 2; i++)
		CHECK(record_accesses(&f, path[i], i));
	CHECK(fixture_same(path[0], path[1]));
	fixture_free(&f);
}

TEST(what_a_folded_branch_jumps_over_is_issued_for_nobody)
{
	struct fixture f;
	uint64_t a[LANES];
	const char *path = scratch_path("folded.sluice");
	struct recorder *r = begin(&f, path, 1);
	CHECK(r);
	fill(a, DEVICE_WINDOW, 4);
	struct recorder_cta *cta = recorder_begin_cta(r, 0);
	/* Warp 0: all lanes take it. */
	recorder_span(cta, 0, f.first + 3, 1, UINT32_MAX);
	recorder_step(cta, 0, f.first + 4, UINT32_MAX, PTX_SPACE_generic, NULL);
	recorder_step(cta, 0, f.first + 7, UINT32_MAX, PTX_SPACE_local, a);
	/* Warp 1: some do. */
	recorder_span(cta, 1, f.first + 3, 1, UINT32_MAX);
	recorder_step(cta, 1, f.first + 4, 0xf, PTX_SPACE_generic, NULL);
	recorder_span(cta, 1, f.first + 5, 1, 0xfffffff0);
	recorder_step(cta, 1, f.first + 6, 0xfffffff0, PTX_SPACE_global, a);
	recorder_step(cta, 1, f.first + 7, UINT32_MAX, PTX_SPACE_local, a);
	CHECK(finish(r, cta));
	struct playback p;
	CHECK(play(&p, path, 0, 0));
	for (uint32_t warp = 0; warp < 2; warp++) {
		CHECK_NEXT(&p, warp, "ISETP.EQ.AND", ALL);
		CHECK_NEXT(&p, warp, "IADD3", warp ? 0xfffffff0 : 0);
		CHECK_NEXT(&p, warp, "STG.E", warp ? 0xfffffff0 : 0);
		CHECK_EQ(p.step.kind, warp ? ADDR_STRIDE : ADDR_NONE);
		CHECK_NEXT(&p, warp, "STL.64", ALL);
		CHECK_NEXT(&p, warp, "", 0);
	}
	stop(&p);
	fixture_free(&f);
}

TEST(launches_of_a_kernel_share_its_table_and_namesakes_do_not_mix)
{
	struct fixture f, g;
	struct error err;
	const char *path = scratch_path("launches.sluice");
	CHECK(fixture_kernel(&f, "", body));
	CHECK(fixture_kernel(&g, "", "add.s32 %r0, %r0, 1;\nst.global.u32 [%rd0], %r0;\nret;"));
	struct recorder *r = recorder_new(path, &err);
	const struct fixture *order[] = {&f, &g, &f, &g};
	for (size_t i = 0; i < 4; i++) {
		struct recorded_launch launch = launch_of(order[i], 1);
		recorder_begin_launch(r, &launch);
		struct recorder_cta *cta = recorder_begin_cta(r, 0);
		recorder_span(cta, 0, order[i]->first, 1, UINT32_MAX);
		recorder_end_cta(r, cta);
		recorder_end_launch(r);
	}
	CHECK(recorder_finish(r, &err));
	for (unsigned i = 0; i < 4; i++) {
		struct playback p;
		CHECK(play(&p, path, i, 0));
		CHECK_EQ(p.kernel->id, i + 1);
		CHECK_NEXT(&p, 0, "LDC", ALL);
		CHECK_EQ(p.kernel->insns[p.step.insn].pc, i % 2 ? 16 * f.lowering->count : 0);
		CHECK_NEXT(&p, 0, "ULDC.64", ALL);
		CHECK_NEXT(&p, 0, i % 2 ? "IADD3" : "S2R", ALL);
		CHECK_EQ(p.kernel->insn_count, f.lowering->count + (i ? g.lowering->count : 0));
		stop(&p);
	}
	fixture_free(&f);
	fixture_free(&g);
}

TEST(a_launch_that_ends_in_a_fault_keeps_what_there_is)
{
	struct fixture f;
	const char *path = scratch_path("fault.sluice");
	struct recorder *r = begin(&f, path, 8);
	CHECK(r);
	for (uint64_t n = 0; n < 3; n++)
		recorder_span(recorder_begin_cta(r, 2 * n), 0, f.first, 1, UINT32_MAX);
	CHECK(finish(r, NULL));
	for (uint64_t n = 0; n < 8; n++) {
		struct playback p;
		CHECK(play(&p, path, 0, n));
		CHECK_EQ(p.cursors[0].left, n % 2 || n > 4 ? 0 : 3);
		stop(&p);
	}
	fixture_free(&f);
}

TEST(a_failure_is_reported_at_the_end)
{
	struct fixture f;
	struct error err = {{0}};
	const char *path = scratch_path("full.sluice");
	CHECK(fixture_kernel(&f, "", body));
	struct recorder *r = recorder_new(path, &err);
	/* 65 warps per CTA are more than the format has: the launch fails, and all that follows is dropped. */
	struct recorded_launch launch = launch_of(&f, 1);
	launch.block.x = 65 * LANES;
	recorder_begin_launch(r, &launch);
	struct recorder_cta *cta = recorder_begin_cta(r, 0);
	recorder_span(cta, 0, f.first, 1, UINT32_MAX);
	recorder_step(cta, 0, f.first + 3, 1, PTX_SPACE_generic, NULL);
	recorder_end_cta(r, cta);
	recorder_end_launch(r);
	recorder_copy(r, 0, 1);
	CHECK(!recorder_finish(r, &err));
	CHECK(strstr(err.text, "more than 64 warps"));
	CHECK(access(path, F_OK) != 0);
	fixture_free(&f);
}

TEST_RUN_ALL(true)
