/* Who writes or reads a trace out of order makes a mistake, and is told so; what may come in any order does. */
#include <sys/stat.h>
#include <unistd.h>

#include "base/trap.h"
#include "lib/trace_fixture.h"
#include "trace/ends.h"
#include "trace/interleave.h"
#include "trace/writer.h"

static const struct trace_kernel kernel = {.name = "k",
                                           .grid = {2, 1, 1},
                                           .block = {64, 1, 1},
                                           .warp_size = 32,
                                           .warps_per_cta = 2,
                                           .binary_version = 70};

/* How far a writer has come before the mistake. */
enum stage { OUTSIDE, IN_KERNEL, IN_CTA, IN_WARP };

static struct trace_writer *writer;
static struct error said;

static void begin(enum stage stage)
{
	writer = trace_writer_new(scratch_path("t.sluice"), &said);
	if (stage >= IN_KERNEL) {
		trace_writer_begin_kernel(writer, &kernel, &said);
		fixture_add_insns(writer);
	}
	if (stage >= IN_CTA)
		trace_writer_begin_cta(writer, 0, &said);
	if (stage >= IN_WARP)
		trace_writer_begin_warp(writer, 0, &said);
}

static void finish(void)
{
	trace_writer_finish(writer, &said);
}
static void begin_kernel(void)
{
	trace_writer_begin_kernel(writer, &kernel, &said);
}
static void end_kernel(void)
{
	trace_writer_end_kernel(writer, &said);
}
static void begin_cta(void)
{
	trace_writer_begin_cta(writer, 0, &said);
}
static void end_cta(void)
{
	trace_writer_end_cta(writer, &said);
}
static void begin_warp(void)
{
	trace_writer_begin_warp(writer, 0, &said);
}
static void add_insn(void)
{
	trace_writer_insn(writer, &(struct trace_insn){.op = OP_INT}, "IADD3");
}
static void add_unknown_insn(void)
{
	trace_writer_insn(writer, &(struct trace_insn){.op = OP_COUNT}, "WHAT");
}
static void step(void)
{
	trace_writer_step(writer, 1, 1, NULL, &said);
}
static void step_unknown(void)
{
	trace_writer_step_stride(writer, FIXTURE_INSNS, 1, 0, 0, &said);
}
static void step_without_addresses(void)
{
	trace_writer_step(writer, 3, 1, NULL, &said);
}
static void open_stream(void)
{
	cta_stream_open(writer, 0);
}
static void open_stream_beyond(void)
{
	cta_stream_open(writer, 2);
}
static void run_of_no_warp(void)
{
	cta_stream_run(cta_stream_open(writer, 0), 2, 1, 1, 1);
}
static void run_of_too_many_lanes(void)
{
	cta_stream_run(cta_stream_open(writer, 0), 1, 1, 1, UINT64_C(1) << 32);
}
static void end_with_open_stream(void)
{
	cta_stream_open(writer, 0);
	trace_writer_end_kernel(writer, &said);
}

struct mistake {
	enum stage stage;
	void (*make)(void);
	const char *words;
};
static const struct mistake mistakes[] = {
    {IN_KERNEL, finish, "trace finished inside a kernel"},
    {IN_KERNEL, begin_kernel, "kernel inside a kernel"},
    {OUTSIDE, add_insn, "instruction outside a kernel"},
    {IN_KERNEL, add_unknown_insn, "WHAT: unknown instruction class"},
    {OUTSIDE, begin_cta, "CTA outside a kernel or inside a CTA"},
    {IN_CTA, begin_cta, "CTA outside a kernel or inside a CTA"},
    {IN_KERNEL, end_cta, "end of a CTA that was not begun"},
    {OUTSIDE, end_kernel, "end of a kernel that was not begun"},
    {IN_CTA, end_kernel, "or inside a CTA"},
    {IN_KERNEL, begin_warp, "warp outside a CTA"},
    {IN_CTA, step, "instruction outside a warp"},
    {IN_WARP, step_unknown, "instruction 200 is not in the table"},
    {IN_WARP, step_without_addresses, "memory instruction 3 without addresses"},
    {OUTSIDE, open_stream, "CTA outside a kernel or inside a CTA"},
    {IN_CTA, open_stream, "CTA outside a kernel or inside a CTA"},
    {IN_KERNEL, open_stream_beyond, "CTA 2 is not in the grid"},
    {IN_KERNEL, run_of_no_warp, "warp"},
    {IN_KERNEL, run_of_too_many_lanes, "lanes"},
    {IN_KERNEL, end_with_open_stream, "end of a kernel with 1 open CTAs"},
};

static void make_mistake(void *argument)
{
	const struct mistake *m = argument;
	m->make();
}

TEST(a_writer_used_out_of_order_says_what_is_wrong)
{
	for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
		struct error err = {""};
		struct mistake m = mistakes[i];
		begin(m.stage);
		enum trap_end end = trap_run(make_mistake, &m, &err);
		trace_writer_abort(writer);
		if (end != TRAP_BUG || !strstr(err.text, m.words))
			printf("# mistake %zu (%s): %d, '%s'\n", i, m.words, (int)end, err.text);
		CHECK(end == TRAP_BUG && strstr(err.text, m.words));
	}
	CHECK(access(scratch_path("t.sluice"), F_OK));
}

/* Writes a small trace; true if all went well. */
static bool write_small(const char *path, uint64_t steps)
{
	writer = trace_writer_new(path, &said);
	bool ok = trace_writer_begin_kernel(writer, &kernel, &said);
	fixture_add_insns(writer);
	for (uint64_t cta = 0; ok && cta < 2; cta++) {
		ok = trace_writer_begin_cta(writer, cta, &said) && trace_writer_begin_warp(writer, 1, &said);
		for (uint64_t i = 0; ok && i < steps; i++)
			ok = trace_writer_step_stride(writer, 3, 1 + i, i * i * 4096, (int64_t)i, &said);
		ok = ok && trace_writer_end_cta(writer, &said);
	}
	return ok && trace_writer_end_kernel(writer, &said) && trace_writer_finish(writer, &said);
}

static struct trace_reader *reader;
static uint8_t buffer[1 << 20];

static void read_beyond(void *argument)
{
	struct warp_cursor cursors[TRACE_MAX_WARPS];
	const uint64_t *place = argument;
	trace_read_cta(reader, (unsigned)place[0], place[1], buffer, cursors, &said);
}

TEST(a_trace_takes_no_place_but_a_files)
{
	struct stat target;
	const char *path = scratch_path("pipe");
	CHECK(!mkfifo(path, 0600));
	CHECK(!trace_writer_new(path, &said));
	CHECK(strstr(said.text, "not a regular file"));
	CHECK(!stat(path, &target) && S_ISFIFO(target.st_mode));
	unlink(path);
}

TEST(a_reader_is_asked_for_what_there_is)
{
	struct error err = {""};
	const char *path = scratch_path("whole.sluice");
	CHECK(write_small(path, 10));
	struct trace *t = trace_open(path, &err);
	CHECK(t && (reader = trace_reader_new(t, &err)));
	CHECK_EQ(trap_run(read_beyond, (uint64_t[]){1, 0}, &err), TRAP_BUG);
	CHECK(strstr(err.text, "CTA 0 of kernel 1 is not in"));
	CHECK_EQ(trap_run(read_beyond, (uint64_t[]){0, 2}, &err), TRAP_BUG);
	CHECK(strstr(err.text, "CTA 2 of kernel 0 is not in"));
	CHECK_EQ(trace_kernel_bytes(t, 1), 0);
	CHECK(trace_kernel_bytes(t, 0) > 0);
	trace_reader_free(reader);
	trace_close(t);
	trace_close(NULL);
	trace_reader_free(NULL);
	trace_writer_abort(NULL);
}

/* The reader looks at checksums when it reads, not only when it opens. */
TEST(a_file_that_changes_behind_the_reader_is_noticed)
{
	struct error err = {""};
	const char *path = scratch_path("changed.sluice");
	static const uint64_t lengths[] = {10, 4000}; /* held whole, and in segments */
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		size_t count;
		CHECK(write_small(path, lengths[i]));
		struct trace *t = trace_open(path, &err);
		CHECK(t && (reader = trace_reader_new(t, &err)));
		uint8_t *bytes = fixture_read(path, &count);
		unsigned noticed = 0, tried = 0;
		uint64_t directory = load_u64(bytes + 24);
		for (uint64_t at = FORMAT_HEADER_BYTES; at < directory; at += directory / 300 + 1, tried++) {
			int fd = open(path, O_WRONLY);
			uint8_t flipped = bytes[at] ^ 0x55;
			struct end_counts counts = {0};
			CHECK(pwrite(fd, &flipped, 1, (off_t)at) == 1);
			err.text[0] = 0;
			bool ok = trace_check_ends(t, &counts, NULL, NULL, &err);
			noticed += !ok && err.text[0];
			CHECK(pwrite(fd, &bytes[at], 1, (off_t)at) == 1);
			close(fd);
		}
		CHECK(tried > 20 && noticed == tried);
		free(bytes);
		trace_reader_free(reader);
		trace_close(t);
	}
}

/* Registers beyond the last are cut off, and what is alike is one instruction. */
TEST(instructions_are_made_alike_before_they_are_compared)
{
	begin(OUTSIDE);
	CHECK(trace_writer_begin_kernel(writer, &kernel, &said));
	struct trace_insn insn = {.pc = 16,
	                          .op = OP_INT,
	                          .dst = 250,
	                          .dst_span = 100,
	                          .src_count = 9,
	                          .src = {1, 250, 255, 4, 5},
	                          .src_span = {0, 100, 7, 1, 1}};
	uint32_t first = trace_writer_insn(writer, &insn, "IADD3");
	struct trace_insn same = insn;
	same.dst_span = TRACE_REG_NONE - 250;
	same.src_count = TRACE_MAX_SRC;
	same.src_span[0] = 1;
	same.src_span[1] = TRACE_REG_NONE - 250;
	same.src_span[2] = 0;
	CHECK_EQ(trace_writer_insn(writer, &same, "IADD3"), first);
	same.src_span[3] = 2;
	CHECK_EQ(trace_writer_insn(writer, &same, "IADD3"), first + 1);
	same.src[4] = 6;
	CHECK_EQ(trace_writer_insn(writer, &same, "IADD3"), first + 2);
	same.dst_span = 0;
	CHECK_EQ(trace_writer_insn(writer, &same, "IADD3"), first + 3);
	trace_writer_abort(writer);
}

/* The same function from another binary has instructions of its own. */
TEST(a_table_is_of_one_function_and_binary)
{
	struct error err;
	struct trace_kernel other = kernel, old = kernel;
	other.name = "other";
	old.binary_version = 60;
	const struct trace_kernel *order[] = {&kernel, &old, &other, &kernel};
	begin(OUTSIDE);
	for (size_t i = 0; i < 4; i++) {
		CHECK(trace_writer_begin_kernel(writer, order[i], &said));
		trace_writer_insn(writer, &(struct trace_insn){.pc = (uint32_t)i, .op = OP_INT}, "IADD3");
		CHECK(trace_writer_end_kernel(writer, &said));
	}
	CHECK(trace_writer_finish(writer, &said));
	struct trace *t = trace_open(scratch_path("t.sluice"), &err);
	CHECK(t && trace_kernel_count(t) == 4);
	CHECK_EQ(trace_kernel_at(t, 1)->insn_count, 1);
	CHECK_EQ(trace_kernel_at(t, 2)->insn_count, 1);
	CHECK_EQ(trace_kernel_at(t, 3)->insn_count, 2);
	trace_close(t);
}

/* What a mistake leaves open is lost, as trap.h says: LeakSanitizer is not asked. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}

TEST_RUN_ALL(true)
