/* Damaged and forged .sluice files: refused when opened, or an error when decoded; never anything else. */
#include <xxhash.h>

#include "lib/trace_fixture.h"
#include "trace/reader.h"

/* A small trace with whole and segmented CTAs; `steps` of each warp. */
static void write_trace(const char *path, uint32_t ctas, uint64_t steps)
{
	struct error err;
	struct trace_kernel kernel = {.name = "damaged",
	                              .grid = {ctas, 1, 1},
	                              .block = {64, 1, 1},
	                              .warp_size = 32,
	                              .warps_per_cta = 2};
	struct trace_writer *w = trace_writer_new(path, &err);
	trace_writer_copy(w, 1, 2);
	bool ok = trace_writer_begin_kernel(w, &kernel, &err);
	fixture_add_insns(w);
	trace_writer_warning(w, "a warning");
	for (uint32_t cta = 0; ok && cta < ctas; cta++) {
		ok = trace_writer_begin_cta(w, cta, &err);
		for (uint32_t warp = 0; ok && warp < 2; warp++) {
			struct stream stream;
			struct stream_step step;
			stream_start(&stream, cta * 2 + warp, 32);
			ok = trace_writer_begin_warp(w, warp, &err);
			for (uint64_t i = 0; ok && i < steps; i++) {
				stream_next(&stream, &step);
				ok = trace_writer_step(w, step.insn, step.mask,
				                       step.lanes ? step.address : NULL, &err);
			}
		}
		ok = ok && trace_writer_end_cta(w, &err);
	}
	if (!ok || !trace_writer_end_kernel(w, &err) || !trace_writer_finish(w, &err))
		abort();
}

/* Reads everything; false at the first error. Ends in any case. */
static bool decode_all(struct trace *t)
{
	struct error err;
	struct trace_reader *r = trace_reader_new(t, &err);
	bool ok = true;
	for (unsigned i = 0; ok && i < trace_kernel_count(t); i++) {
		const struct trace_kernel *k = trace_kernel_at(t, i);
		uint8_t *buffer = malloc(cta_buffer_bytes(k));
		struct warp_cursor cursors[64];
		uint64_t budget = 2000000, address[TRACE_MAX_LANES];
		for (uint64_t cta = 0; ok && cta < k->cta_count && cta < 64; cta++) {
			ok = trace_read_cta(r, i, cta, buffer, cursors, &err);
			for (uint32_t w = 0; ok && w < k->warps_per_cta; w++) {
				struct warp_step step;
				enum cursor_result result;
				while ((result = cursor_next(r, k, &cursors[w], &step, &err)) ==
				           CURSOR_STEP &&
				       budget-- > 0)
					step_addresses(&step, address);
				ok = result != CURSOR_ERROR;
			}
		}
		free(buffer);
	}
	trace_reader_free(r);
	return ok;
}

TEST(a_file_cut_off_anywhere_is_refused)
{
	struct error err;
	size_t count;
	const char *path = scratch_path("whole.sluice"), *cut = scratch_path("cut.sluice");
	write_trace(path, 2, 20);
	uint8_t *bytes = fixture_read(path, &count);
	for (size_t n = 0; n < count; n++) {
		fixture_write(cut, bytes, n);
		err.text[0] = '\0';
		CHECK(!trace_open(cut, &err));
		CHECK(strstr(err.text, cut));
	}
	/* Appended bytes are no better. */
	fixture_write(cut, bytes, count + 1);
	CHECK(!trace_open(cut, &err));
	free(bytes);
}

static void check_every_flip(uint32_t ctas, uint64_t steps, size_t stride)
{
	struct error err;
	size_t count;
	const char *path = scratch_path("whole.sluice"), *flipped = scratch_path("flip.sluice");
	write_trace(path, ctas, steps);
	uint8_t *bytes = fixture_read(path, &count);
	for (size_t n = 0; n < count; n += stride) {
		bytes[n] ^= (uint8_t)(1u << n % 8);
		fixture_write(flipped, bytes, count);
		CHECK(!trace_open(flipped, &err));
		bytes[n] ^= (uint8_t)(1u << n % 8);
	}
	free(bytes);
}

TEST(a_flipped_bit_anywhere_is_noticed)
{
	check_every_flip(2, 20, 1);
	check_every_flip(1, 6000, 97);
}

/* With checksums out of the way, random damage gets deep into directory, index and streams. */
static void check_forgeries(uint32_t ctas, uint64_t steps, unsigned rounds)
{
	struct error err;
	size_t count;
	const char *path = scratch_path("whole.sluice"), *forged = scratch_path("forged.sluice");
	write_trace(path, ctas, steps);
	uint8_t *bytes = fixture_read(path, &count), *copy = malloc(count);
	uint64_t random = count;
	unsigned opened = 0, decoded = 0;
	for (unsigned i = 0; i < rounds; i++) {
		memcpy(copy, bytes, count);
		for (uint64_t n = 1 + random_below(&random, 4); n > 0; n--) {
			uint64_t at = 16 + random_below(&random, count - 16);
			copy[at] =
			    (uint8_t)(random_below(&random, 2) ? random_next(&random)
			                                       : copy[at] ^ 1u << random_below(&random, 8));
		}
		fixture_write(forged, copy, count);
		struct trace *t = trace_open_checked(forged, TRACE_SKIP_CHECKSUMS, &err);
		opened += t != NULL;
		decoded += t && decode_all(t);
		trace_close(t);
	}
	/* Otherwise the test does not reach what it is for. */
	CHECK(opened > rounds / 20);
	CHECK(decoded < rounds);
	free(bytes);
	free(copy);
}

TEST(forged_files_with_right_checksums_do_no_harm)
{
	check_forgeries(3, 15, 4000);
	check_forgeries(1, 3000, 300);
}

/* True if the file made of `bytes`, which it frees, is refused in those words. */
static bool forged_refused(uint8_t *bytes, size_t count, const char *words)
{
	struct error err = {""};
	const char *forged = scratch_path("forged.sluice");
	fixture_write(forged, bytes, count);
	bool ok = !trace_open(forged, &err) && strstr(err.text, words);
	if (!ok)
		printf("# got: %s\n", err.text);
	free(bytes);
	return ok;
}

/* Damages four bytes of the header and makes its checksum right again. */
static bool header_refused(size_t at, uint32_t value, const char *words)
{
	size_t count;
	const char *path = scratch_path("whole.sluice");
	write_trace(path, 1, 5);
	uint8_t *bytes = fixture_read(path, &count);
	store_u32(bytes + at, value);
	store_u64(bytes + 56, XXH3_64bits(bytes, 56));
	return forged_refused(bytes, count, words);
}

TEST(each_field_of_the_header_is_checked)
{
	CHECK(header_refused(0, 0x12345678, "not a sluice trace: wrong magic bytes"));
	CHECK(header_refused(8, 5, "trace format version 5, expected 1 to 4"));
	CHECK(header_refused(16, 1, "bytes, expected 1"));
	CHECK(header_refused(24, 3, "directory out of range"));
	CHECK(header_refused(28, 0x7fffffff, "directory out of range"));
	CHECK(header_refused(36, 0x7fffffff, "directory out of range"));
	CHECK(header_refused(40, 7, "directory checksum does not match"));
}

/* Damages four bytes of the directory and makes both checksums right again. */
static bool directory_refused(size_t at, uint32_t value, const char *words)
{
	size_t count;
	const char *path = scratch_path("whole.sluice");
	write_trace(path, 1, 5);
	uint8_t *bytes = fixture_read(path, &count);
	uint64_t offset = load_u64(bytes + 24);
	store_u32(bytes + offset + at, value);
	store_u64(bytes + 40, XXH3_64bits(bytes + offset, count - offset));
	store_u64(bytes + 56, XXH3_64bits(bytes, 56));
	return forged_refused(bytes, count, words);
}

TEST(each_field_of_the_directory_is_checked)
{
	enum {
		KERNEL = FORMAT_DIRECTORY_BYTES,
		TABLE = KERNEL + FORMAT_KERNEL_BYTES,
		INSN = TABLE + FORMAT_TABLE_BYTES,
		COPY = INSN + FIXTURE_INSNS * FORMAT_INSN_BYTES,
		WARNING = COPY + FORMAT_COPY_BYTES
	};
	for (size_t at = 0; at < 28; at += 4)
		CHECK(directory_refused(at, UINT32_MAX, "directory size does not fit its counts"));
	CHECK(directory_refused(KERNEL, UINT32_MAX, "kernel name out of range"));
	CHECK(directory_refused(KERNEL + 12, 0, "grid is empty"));
	CHECK(directory_refused(KERNEL + 12, UINT32_MAX, "grid is empty or has more than 2^31 CTAs"));
	CHECK(directory_refused(KERNEL + 24, UINT32_MAX, "block is empty or has more than 64 warps"));
	CHECK(directory_refused(KERNEL + 36, 33, "warp size is neither 32 nor 64"));
	CHECK(directory_refused(KERNEL + 40, 3, "warps per CTA do not fit the block"));
	CHECK(directory_refused(KERNEL + 72, 2, "number of CTAs does not fit the grid"));
	CHECK(directory_refused(KERNEL + 88, 1, "instruction table out of range"));
	CHECK(directory_refused(KERNEL + 92, FIXTURE_INSNS + 1, "instruction table out of range"));
	CHECK(directory_refused(KERNEL + 96, 2 * TRACE_SEGMENT_BYTES + 1, "a CTA held whole is too large"));
	CHECK(directory_refused(KERNEL + 96, 0, ""));
	CHECK(directory_refused(KERNEL + 104, UINT32_MAX, "index outside the file"));
	CHECK(directory_refused(KERNEL + 112, 1, "index checksum does not match"));
	CHECK(directory_refused(KERNEL + 120, 1, "dictionary out of range"));
	CHECK(directory_refused(KERNEL + 128, UINT32_MAX, "dictionary too large"));
	CHECK(directory_refused(TABLE, 3, "instruction tables do not add up"));
	CHECK(directory_refused(INSN + 12, UINT32_MAX, "mnemonic out of range"));
	CHECK(directory_refused(INSN + 20, 0x000000ff, "unknown instruction class"));
	CHECK(directory_refused(INSN + 20, 0x0000ff00, "unknown memory space"));
	CHECK(directory_refused(INSN + 22, 0x0001fe00 | 2 << 16, "destination span out of range"));
	CHECK(directory_refused(INSN + 22, 0x0601fe00, "too many sources"));
	CHECK(directory_refused(INSN + FORMAT_INSN_BYTES + 16, INSN_POLL,
	                        "a poll that is no global load or atomic"));
	CHECK(directory_refused(KERNEL + 132, 1, "watched words do not add up"));
	CHECK(directory_refused(COPY, 2, "copies out of order"));
	CHECK(directory_refused(WARNING, UINT32_MAX, "warning out of range"));
}

TEST(what_is_no_file_is_refused)
{
	struct error err;
	CHECK(!trace_open(scratch_path("missing.sluice"), &err));
	CHECK(strstr(err.text, "No such file"));
	mkdir(scratch_path("folder.sluice"), 0777);
	CHECK(!trace_open(scratch_path("folder.sluice"), &err));
	CHECK(strstr(err.text, "not a regular file"));
	CHECK(!mkfifo(scratch_path("pipe.sluice"), 0666));
	CHECK(!trace_open(scratch_path("pipe.sluice"), &err));
	CHECK(strstr(err.text, "not a regular file"));
	CHECK(!symlink("loop.sluice", scratch_path("loop.sluice")));
	CHECK(!trace_open(scratch_path("loop.sluice"), &err));
	CHECK(strstr(err.text, "symbolic links"));
	fixture_write(scratch_path("empty.sluice"), "", 0);
	CHECK(!trace_open(scratch_path("empty.sluice"), &err));
	CHECK(strstr(err.text, "not a sluice trace: only 0 bytes"));
	CHECK(!trace_open(scratch_path("missing.sluice"), NULL));
}

TEST(a_file_that_shrinks_while_it_is_read_is_an_error)
{
	struct error err;
	const char *path = scratch_path("shrink.sluice");
	write_trace(path, 2, 20);
	struct trace *t = trace_open(path, &err);
	CHECK(t);
	CHECK(!truncate(path, 64));
	CHECK(!decode_all(t));
	trace_close(t);
}

TEST_RUN_ALL(true)
