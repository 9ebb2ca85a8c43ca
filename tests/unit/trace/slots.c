/* Where a stream keeps the last address of an access: by the number of the access in its table; before version 3, elsewhere. */
#include <xxhash.h>

#include "lib/trace_fixture.h"
#include "trace/format.h"

enum { LOADS = 70, EVERY = 3, INSNS = LOADS * EVERY };

/* A kernel whose every third instruction is a load; each is executed `times`, in order, half a line further each time. */
static void write_loads(const char *path, uint32_t times)
{
	struct error err;
	struct trace_kernel kernel = {
	    .name = "loads", .grid = {1, 1, 1}, .block = {32, 1, 1}, .warp_size = 32, .warps_per_cta = 1};
	struct trace_writer *w = trace_writer_new(path, &err);
	bool ok = trace_writer_begin_kernel(w, &kernel, &err);
	for (uint32_t i = 0; i < INSNS; i++) {
		bool loads = i % EVERY == 0;
		struct trace_insn insn = {.pc = 16 * i,
		                          .op = loads ? OP_LOAD : OP_INT,
		                          .space = loads ? SPACE_GLOBAL : SPACE_NONE,
		                          .width_bytes = loads ? 4 : 0,
		                          .flags = loads ? INSN_MEMORY : 0,
		                          .dst = TRACE_REG_NONE};
		trace_writer_insn(w, &insn, loads ? "LDG" : "IADD3");
	}
	ok = ok && trace_writer_begin_cta(w, 0, &err) && trace_writer_begin_warp(w, 0, &err);
	for (uint32_t time = 0; ok && time < times; time++)
		for (uint32_t i = 0; ok && i < INSNS; i++)
			ok = i % EVERY ? trace_writer_step(w, i, UINT32_MAX, NULL, &err)
			               : trace_writer_step_stride(w, i, UINT32_MAX,
			                                          ((uint64_t)i << 20) + 64 * time, 4, &err);
	if (!ok || !trace_writer_end_cta(w, &err) || !trace_writer_end_kernel(w, &err) ||
	    !trace_writer_finish(w, &err))
		abort();
}

/* Move the instructions of the directory to their places before version 4; return how many bytes that saves. */
static size_t shorten_insns(uint8_t *directory, size_t bytes)
{
	uint32_t insns = load_u32(directory + 16);
	size_t first = FORMAT_DIRECTORY_BYTES + (size_t)load_u32(directory) * FORMAT_KERNEL_BYTES +
	               (size_t)load_u32(directory + 4) * FORMAT_TABLE_BYTES;
	uint8_t *to = directory + first;
	for (uint32_t i = 0; i < insns; i++, to += FORMAT_OLD_INSN_BYTES) {
		const uint8_t *from = directory + first + (size_t)i * FORMAT_INSN_BYTES;
		memmove(to, from, 18);
		memmove(to + 18, from + 20, 16);
		store_u16(to + 34, 0);
	}
	size_t end = first + (size_t)insns * FORMAT_INSN_BYTES;
	memmove(to, directory + end, bytes - end);
	return (size_t)insns * (FORMAT_INSN_BYTES - FORMAT_OLD_INSN_BYTES);
}

/* Write the file as an older version had it. */
static void set_version(const char *path, uint32_t version)
{
	size_t count;
	uint8_t *bytes = fixture_read(path, &count);
	uint64_t offset = load_u64(bytes + 24);
	count -= shorten_insns(bytes + offset, count - offset);
	store_u32(bytes + 8, version);
	store_u64(bytes + 16, count);
	store_u64(bytes + 32, count - offset);
	store_u64(bytes + 40, XXH3_64bits(bytes + offset, count - offset));
	store_u64(bytes + 56, XXH3_64bits(bytes, 56));
	fixture_write(path, bytes, count);
	free(bytes);
}

TEST(accesses_take_slots_in_turn)
{
	struct error err = {""};
	const char *path = scratch_path("slots.sluice");
	write_loads(path, 1);
	struct trace *t = trace_open(path, &err);
	CHECK(t);
	const struct trace_kernel *k = trace_kernel_at(t, 0);
	for (uint32_t load = 0; load < LOADS; load++)
		CHECK_EQ(k->insns[load * EVERY].slot, load % CURSOR_SLOTS);
	CHECK_EQ(k->slots, CURSOR_SLOTS);
	trace_close(t);
}

TEST(before_version_3_indexes_took_them)
{
	for (uint32_t version = 1; version <= 2; version++) {
		struct error err = {""};
		const char *path = scratch_path("slots.sluice");
		write_loads(path, 1);
		set_version(path, version);
		struct trace *t = trace_open(path, &err);
		CHECK(t);
		const struct trace_kernel *k = trace_kernel_at(t, 0);
		for (uint32_t i = 0; i < INSNS; i++)
			CHECK_EQ(k->insns[i].slot, i % 32);
		CHECK_EQ(k->slots, 32);
		trace_close(t);
	}
}

TEST(before_version_4_instructions_were_shorter)
{
	struct error err = {""};
	const char *path = scratch_path("slots.sluice"), *old = scratch_path("old.sluice");
	write_loads(path, 2);
	write_loads(old, 2);
	set_version(old, 3);
	struct trace *t = trace_open(path, &err), *o = trace_open(old, &err);
	CHECK(t && o);
	CHECK_EQ(same_traces(t, o), 2 * INSNS);
	CHECK_EQ(trace_kernel_at(o, 0)->watched_count, 0);
	trace_close(t);
	trace_close(o);
}

/* What a loop costs whose body has more instructions than there are slots: two bytes an access, all but the first time. */
TEST(a_long_unrolled_loop_costs_two_bytes_an_access)
{
	struct error err = {""};
	uint32_t bytes[2];
	for (uint32_t more = 0; more < 2; more++) {
		const char *path = scratch_path("loop.sluice");
		write_loads(path, 2 + more);
		struct trace *t = trace_open(path, &err);
		CHECK(t);
		bytes[more] = trace_kernel_at(t, 0)->max_packed_bytes;
		trace_close(t);
	}
	/* The few loads that share a slot have a delta of four bytes; the run's header has six. */
	uint32_t shared = 2 * (LOADS - CURSOR_SLOTS), alone = LOADS - shared;
	CHECK(bytes[1] - bytes[0] <= 6 + 2 * alone + 5 * shared);
}

TEST_RUN_ALL(true)
