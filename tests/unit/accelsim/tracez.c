/* The binary form of kernel files: the same trace as from their text, and errors for what is damaged. */
#include <unistd.h>

#include "lib/accelsim_fixture.h"
#include "lib/tracez_fixture.h"

/* Many instructions with addresses that do not compress to nothing. */
static const char *long_text(void)
{
	enum { INSNS = 6000 };
	static char text[1 << 20];
	size_t at = (size_t)snprintf(text, sizeof text, "%s", HEADER("6", "(2,1,1)", "(32,1,1)"));
	uint64_t random = 1;
	for (unsigned cta = 0; cta < 2; cta++) {
		at += (size_t)snprintf(
		    text + at, sizeof text - at,
		    "#BEGIN_TB\n\nthread block = %u,0,0\ncluster id = %u,0,0\ncluster cta = 0,0,0\n"
		    "cluster rank = 0\n\nwarp = 0\ninsts = %u\n",
		    cta, cta, INSNS + 1);
		for (unsigned i = 0; i < INSNS; i++)
			at += (size_t)snprintf(text + at, sizeof text - at,
			                       "%04x ffffffff 1 R0 LDG.E 1 R2 4 1 0x7f%010llx 4 0 0 NoVal\n",
			                       16 * (i % 99),
			                       (unsigned long long)(random_next(&random) & 0xfffffffffc));
		at += (size_t)snprintf(text + at, sizeof text - at,
		                       "0f00 ffffffff 0 EXIT 0 0 0 0 NoVal\n\n#END_TB\n\n");
	}
	return text;
}

static struct trace *import_tracez(const char *text, unsigned chunk_insns, const char *dictionary,
                                   struct error *err)
{
	const char *path = scratch_path("binary.tracez"), *out = scratch_path("binary.sluice");
	tracez_write(path, text, chunk_insns, dictionary);
	return import_path(path, out, err) ? trace_open(out, err) : NULL;
}

TEST(a_binary_file_and_its_text_are_one_trace)
{
	static const struct {
		unsigned chunk_insns;
		const char *dictionary;
	} row[] = {{2048, NULL}, {1, NULL}, {7, "ffffffff 1 R0 LDG.E 1 R2 4 1 0x7f5253"}, {100000, ""}};
	const char *const text[] = {vector_text, long_text()};
	for (size_t t = 0; t < 2; t++)
		for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
			struct error err = {""};
			struct trace *plain = import_text(text[t], &err);
			CHECK(plain);
			trace_close(plain);
			struct trace *b = import_tracez(text[t], row[i].chunk_insns, row[i].dictionary, &err);
			if (!b)
				printf("# %s\n", err.text);
			CHECK(b);
			CHECK(fixture_same(scratch_path("text.sluice"), scratch_path("binary.sluice")));
			trace_close(b);
		}
}

/* The file with four bytes changed at `at`, counted from the end if negative, or cut off there. */
static bool fails(long at, uint32_t value, bool cut, const char *words)
{
	struct error err = {""};
	size_t count;
	const char *path = scratch_path("damaged.tracez"), *out = scratch_path("damaged.sluice");
	tracez_write(path, vector_text, 5, NULL);
	uint8_t *bytes = fixture_read(path, &count);
	size_t place = at < 0 ? count - (size_t)-at : (size_t)at;
	value = htole32(value);
	if (cut)
		count = place;
	else
		memcpy(bytes + place, &value, sizeof value);
	fixture_write(path, bytes, count);
	free(bytes);
	bool ok = import_path(path, out, &err);
	if (ok || !strstr(err.text, words))
		printf("# %ld: got: %s\n", at, err.text);
	return !ok && strstr(err.text, words) && access(out, F_OK);
}

TEST(damage_is_an_error)
{
	const long head = (long)(strstr(vector_text, "#BEGIN_TB") - vector_text) + 1;
	enum { WARP = 16 + 3 * 4, CTA = 11 * 4, INDEX = 4 + 2 * (CTA + 2 * WARP), FOOT = 8 };
	CHECK(fails(0, 0, true, "ends early"));
	CHECK(fails(10, 0, true, "ends early"));
	CHECK(fails(head, UINT32_MAX, false, "dictionary is too large"));
	CHECK(fails(head, 1 << 20, false, "dictionary is too large"));
	CHECK(fails(head + 8, 0, true, "index is outside the file"));
	CHECK(fails(-FOOT, UINT32_MAX, false, "index is outside the file"));
	CHECK(fails(-FOOT - INDEX, 1 << 30, false, "it ends early"));
	CHECK(fails(-FOOT - INDEX + 4, 7, false, "CTA outside the grid"));
	CHECK(fails(-FOOT - INDEX + 4 + CTA - 4, UINT32_MAX, false, "damaged .tracez"));
	CHECK(fails(-FOOT - INDEX + 4 + CTA, 13, false, "not agree"));
	CHECK(fails(-FOOT - INDEX + 4 + CTA + 4, UINT32_MAX, false, "it ends early"));
	CHECK(fails(-FOOT - INDEX + 4 + CTA + 8, 0, false, "a warp is outside the file"));
	CHECK(fails(-FOOT - INDEX + 4 + CTA + 16, 4, false, "not agree"));
	CHECK(fails(head + 8, 13, false, "not agree"));
	CHECK(fails(head + 16, UINT32_MAX, false, "a chunk is longer than the file"));
	CHECK(fails(head + 16, 9, false, "damaged .tracez"));
	CHECK(fails(head + 20, 0, false, "damaged .tracez"));
}

TEST(a_frame_that_wants_much_memory_is_refused)
{
	struct error err = {""};
	const char *path = scratch_path("window.tracez"), *out = scratch_path("window.sluice");
	size_t count;
	tracez_write(path, vector_text, 100, NULL);
	uint8_t *bytes = fixture_read(path, &count);
	uint8_t *frame = bytes + (strstr(vector_text, "#BEGIN_TB") - vector_text) + 1 + 8 + 8 + 4;
	/* A frame without its content's size, with a window of 1 TiB. */
	frame[4] = 0;
	frame[5] = 30 << 3;
	fixture_write(path, bytes, count);
	free(bytes);
	CHECK(!import_path(path, out, &err));
	CHECK(strstr(err.text, "too much memory"));
}

TEST_RUN_ALL(true)
