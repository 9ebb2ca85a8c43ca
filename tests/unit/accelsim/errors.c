/* Bad traces end in a message that says where and what was expected, and leave nothing behind. */
#include "lib/accelsim_fixture.h"

/* The import must fail, at this place, with these words, and without an output file. */
static bool fails_with(const char *text, const char *place, const char *words)
{
	struct error err = {""};
	const char *out = scratch_path("fail.sluice");
	fixture_write_text(scratch_path("bad.traceg"), text);
	bool ok = !import_path(scratch_path("bad.traceg"), out, &err) && strstr(err.text, words) &&
	          access(out, F_OK);
	char want[600];
	snprintf(want, sizeof want, "%s%s%s: ", scratch_path("bad.traceg"), *place ? ":" : "", place);
	ok = ok && !strncmp(err.text, want, strlen(want));
	if (!ok)
		printf("# got: %s\n", err.text);
	return ok;
}

/* The instruction of ONE_WARP is on line 24. */
#define BAD_LINE(line, column, words) CHECK(fails_with(ONE_WARP("3", "1", line "\n"), "24:" column, words))

TEST(a_bad_instruction_line_is_named_with_its_column)
{
	BAD_LINE("xyz ffffffff 0 EXIT 0 0", "1", "expected a program counter");
	BAD_LINE("0010", "5", "expected a program counter");
	BAD_LINE("0010 fffffffff 0 EXIT 0 0", "15", "expected a lane mask of at most 8");
	BAD_LINE("0010 ffffffff", "14", "expected a lane mask");
	BAD_LINE("0010 ffffffff x EXIT 0 0", "15", "expected the number of destination registers, 0 to 1");
	BAD_LINE("0010 ffffffff 2 R1 R2 EXIT 0 0", "15", "expected the number of destination registers");
	BAD_LINE("0010 ffffffff 1 EXIT 0 0", "17", "expected a register R0 to R255");
	BAD_LINE("0010 ffffffff 1 R256 MOV 0 0", "21", "expected a register R0 to R255");
	BAD_LINE("0010 ffffffff 0 7 0 0", "17", "expected an opcode");
	BAD_LINE("0010 ffffffff 0 EXIT 6 0", "22", "expected the number of source registers, 0 to 5");
	BAD_LINE("0010 ffffffff 0 EXIT 99999999999999999999999 0", "22",
	         "expected the number of source registers");
	BAD_LINE("0010 ffffffff 0 EXIT 1 P0 0", "24", "expected a register");
	BAD_LINE("0010 ffffffff 0 EXIT 0", "23", "expected the width of a memory access");
	BAD_LINE("0010 ffffffff 0 EXIT 0 0x4", "25", "expected the width of a memory access");
	BAD_LINE("0010 ffffffff 0 EXIT 0 0 1 2", "26", "expected the end of the line");
	BAD_LINE("0010 ffffffff 0 EXIT 0 x", "24", "expected the width of a memory access");
	char text[4096], line[2048];
	/* An opcode of 256 letters; and blanks before it, or all of it, longer than any line of a tracer. */
	memset(line, 'A', sizeof line);
	snprintf(text, sizeof text, ONE_WARP("3", "1", "0010 ffffffff 0 %.256s 0 0\n"), line);
	CHECK(fails_with(text, "24:17", "expected an opcode"));
	memset(line, ' ', sizeof line);
	snprintf(text, sizeof text, ONE_WARP("3", "1", "0010 ffffffff 0 %.300sEXIT 0 0\n"), line);
	CHECK(fails_with(text, "24:15", "too many different instructions, or one too long"));
	snprintf(text, sizeof text, ONE_WARP("3", "1", "0010 ffffffff 0 EXIT %.1100s0 0\n"), line);
	CHECK(fails_with(text, "24:15", "too many different instructions, or one too long"));
}

TEST(a_bad_address_is_named_with_its_column)
{
#define LDG "0010 0000000f 1 R1 LDG.E 1 R2 4 "
	BAD_LINE(LDG, "33", "expected an address mode: 0, 1 or 2");
	BAD_LINE(LDG "3 0x10 4", "33", "expected an address mode: 0, 1 or 2");
	BAD_LINE(LDG "1", "34", "expected an address below 2^56");
	BAD_LINE(LDG "1 0x100000000000000 4", "35", "expected an address below 2^56");
	BAD_LINE(LDG "1 0xfffffffffffff0 8", "35", "expected an address below 2^56");
	BAD_LINE(LDG "1 0x10 -8", "35", "expected an address below 2^56");
	BAD_LINE(LDG "1 0x12345678123456781234567812345678 8", "35", "expected an address below 2^56");
	BAD_LINE(LDG "1 0x10", "39", "expected a stride");
	BAD_LINE(LDG "1 0x10 x", "40", "expected a stride");
	BAD_LINE(LDG "1 0x10 9999999999999999999999", "40", "expected a stride");
	BAD_LINE(LDG "1 0x10 99999999999999999", "40", "expected a stride");
	BAD_LINE(LDG "1 0x10 -99999999999999999", "40", "expected a stride");
	BAD_LINE(LDG "2 0x10 4 4", "43", "expected a distance");
	BAD_LINE(LDG "2 0x10 4 4 -", "44", "expected a distance");
	BAD_LINE(LDG "2 0x10 -99 4 4", "35", "expected an address below 2^56");
	BAD_LINE(LDG "2 0x10 4 4 4 4 4", "46", "expected the end of the line");
	BAD_LINE(LDG "0 0x10 0x14 0x18", "49", "expected an address below 2^56");
	BAD_LINE("0010 0000000a 1 R1 LDG.E 1 R2 4 1 0x10 4", "35", "lanes with a gap (mask 0000000a)");
}

TEST(prefixes_are_demanded_where_the_version_has_them)
{
	CHECK(fails_with(ONE_WARP("2", "1", "0010 ffffffff 0 EXIT 0 0\n"), "24:6",
	                 "expected four numbers (CTA x y z, warp)"));
	CHECK(fails_with(
	    HEADER_KEYS("4", "(1,1,1)", "(32,1,1)") "-enable lineinfo = 1\n#f\n#BEGIN_TB\nwarp = 0\n"
	                                            "insts = 1\nx 0 f 0 EXIT 0 0\n",
	    "18:1", "expected a source line number"));
	CHECK(fails_with(
	    HEADER_KEYS("4", "(1,1,1)", "(32,1,1)") "-enable lineinfo = 1\n#f\n#BEGIN_TB\nwarp = 0\n"
	                                            "insts = 1\n4294967296 0 f 0 EXIT 0 0\n",
	    "18:11", "expected a source line number"));
}

TEST(a_bad_header_is_named)
{
	CHECK(fails_with("", "", "the file ends inside the header: expected a '#' line"));
	CHECK(fails_with("kernel name = x\n", "1:1", "expected a header line"));
	CHECK(fails_with("-kernel name\n", "1:13", "expected '= value'"));
	CHECK(fails_with("-grid dim = (1,1)\n#\n", "1:17", "expected three numbers such as (16,1,1)"));
	CHECK(fails_with("-grid dim = (1,1,99999999999)\n#\n", "1:29", "expected three numbers"));
	CHECK(fails_with("-nregs = -1\n#\n", "1:10", "expected a number below 2^32"));
	CHECK(fails_with("-nregs = 4294967296\n#\n", "1:20", "expected a number below 2^32"));
	CHECK(fails_with("-enable lineinfo = x\n#\n", "1:20", "expected a number below 2^32"));
	CHECK(fails_with("-shmem base_addr = zz\n#\n", "1:20", "expected a hexadecimal address"));
	CHECK(fails_with("-accelsim tracer version = six\n", "1:28",
	                 "expected the number of a tracer version"));
	CHECK(fails_with("-accelsim tracer version = 7\n", "1:29", "tracer version 7, expected at most 6"));
	CHECK(fails_with("-shmem = 0\n\n#BEGIN_TB\n", "3", "has no '-grid dim = ...' line"));
	CHECK(fails_with("-shmem = 0\n\n", "2", "the file ends inside the header"));
	CHECK(
	    fails_with(HEADER("3", "(0,1,1)", "(32,1,1)"), "14", "grid is empty or has more than 2^31 CTAs"));
	CHECK(fails_with(HEADER("3", "(4294967295,4294967295,4294967295)", "(32,1,1)"), "14",
	                 "grid is empty or has"));
	CHECK(fails_with(HEADER("3", "(1,1,1)", "(4294967295,4294967295,4294967295)"), "14",
	                 "block is empty or has"));
	CHECK(fails_with(HEADER("3", "(1,1,1)", "(2049,1,1)"), "14",
	                 "block is empty or has more than 64 warps"));
}

#define BODY(text) HEADER("3", "(2,2,1)", "(64,1,1)") text

TEST(a_bad_body_is_named)
{
	CHECK(fails_with(BODY(""), "17", "the file ends without a CTA"));
	CHECK(fails_with(BODY("warp = 0\n"), "18:1", "expected '#BEGIN_TB'"));
	CHECK(fails_with(BODY("#BEGIN_TB\n"), "18", "the file ends here, expected '#END_TB'"));
	CHECK(
	    fails_with(BODY("#BEGIN_TB\nthread block = 0,0\n"), "19:19", "expected 'thread block = x,y,z'"));
	CHECK(fails_with(BODY("#BEGIN_TB\nthread block = 0,2,0\n"), "19:1", "CTA outside the grid (2,2,1)"));
	CHECK(fails_with(BODY("#BEGIN_TB\nhello\n"), "19:1", "expected 'warp = <number>' or '#END_TB'"));
	CHECK(fails_with(BODY("#BEGIN_TB\nwarp = x\n"), "19:8", "expected 'warp = <number>'"));
	CHECK(fails_with(BODY("#BEGIN_TB\nwarp = 2\n"), "19:1", "warp 2 of a CTA that has 2"));
	CHECK(fails_with(BODY("#BEGIN_TB\nwarp = 0\n"), "19",
	                 "the file ends here, expected 'insts = <number>'"));
	CHECK(fails_with(BODY("#BEGIN_TB\nwarp = 0\nfoo\n"), "20:1", "expected 'insts = <number>'"));
	CHECK(
	    fails_with(BODY("#BEGIN_TB\nwarp = 0\ninsts = 1 2\n"), "20:11", "expected the end of the line"));
	CHECK(fails_with(BODY("#BEGIN_TB\nwarp = 0\ninsts = 999999999999999999\n#END_TB\n"), "21:1",
	                 "expected 999999999999999999 instructions, found 0"));
	CHECK(fails_with(BODY("#BEGIN_TB\nwarp = 0\ninsts = 1\n0 f 0 EXIT 0 0\n0 f 0 EXIT 0 0\n"), "22:1",
	                 "expected 'warp = <number>' or '#END_TB'"));
	CHECK(fails_with(BODY("#BEGIN_TB\nwarp = 0\ninsts = 1\nthread block = 1,0,0\n"), "21:1",
	                 "expected 1 instructions, found 0"));
	CHECK(fails_with(BODY("#BEGIN_TB\nwarp = 0\ninsts = 1\nwarp = 1\n"), "21:1",
	                 "expected 1 instructions, found 0"));
	CHECK(
	    fails_with(HEADER("3", "(20000000,1,1)", "(32,1,1)") "#BEGIN_TB\n#END_TB\n", "19",
	               "19999999 of the grid's 20000000 CTAs are not in the trace; at most 16777216 may be"));
	CHECK(fails_with(BODY("#BEGIN_TB\nwarp = 0\ninsts = 2\n0 f 0 EXIT 0 0\n"), "21",
	                 "the file ends here, expected more instructions of the warp"));
	CHECK(fails_with(BODY("#BEGIN_TB\nwarp = 0\ninsts = 0\nwarp = 0\n"), "21:1", "warp 0 appears twice"));
	CHECK(fails_with(
	    BODY("#BEGIN_TB\nthread block = 1,0,0\n#END_TB\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\n"),
	    "23:1", "CTA number 0 comes after number 1"));
	CHECK(fails_with(BODY("#BEGIN_TB\nthread block = 1,1,0\n#END_TB\n#BEGIN_TB\nwarp = 0\n"), "22:1",
	                 "more CTAs than the grid has (4)"));
}

TEST(an_endless_line_is_refused)
{
	size_t bytes = strlen(HEADER("3", "(1,1,1)", "(32,1,1)")) + 3000000;
	char *text = malloc(bytes + 1);
	strcpy(text, HEADER("3", "(1,1,1)", "(32,1,1)"));
	memset(text + strlen(text), 'x', bytes - strlen(text));
	text[bytes] = '\0';
	CHECK(fails_with(text, "18", "line longer than 65536 bytes"));
	free(text);
}

/* A listing that must fail with these words. */
static bool list_fails(const char *list, const char *words)
{
	struct error err = {""};
	mkdir(scratch_path("badlist"), 0777);
	fixture_write_text(scratch_path("badlist/kernelslist.g"), list);
	const char *out = scratch_path("badlist.sluice");
	bool ok =
	    !import_path(scratch_path("badlist"), out, &err) && strstr(err.text, words) && access(out, F_OK);
	if (!ok)
		printf("# got: %s\n", err.text);
	return ok;
}

TEST(a_bad_list_is_named)
{
	CHECK(list_fails("", "lists no kernels"));
	CHECK(list_fails("MemcpyHtoD,0x10,4\n", "lists no kernels"));
	CHECK(list_fails("MemcpyHtoD\n", "kernelslist.g:1:11: expected a hexadecimal address"));
	CHECK(list_fails("MemcpyHtoD,0x10\n", "kernelslist.g:1:16: expected a number of bytes"));
	CHECK(list_fails("kernel-1\n", "kernelslist.g:1:1: expected a name that ends in"));
	CHECK(list_fails("MemcpyHtoD,zz,4\n", "kernelslist.g:1:12: expected a hexadecimal address"));
	CHECK(list_fails("\nMemcpyHtoD,0x10,\n", "kernelslist.g:2:17: expected a number of bytes"));
	CHECK(list_fails("MemcpyHtoD,0x10,4,5\n", "kernelslist.g:1:18: expected the end of the line"));
	CHECK(list_fails("kernel-1.trace\n",
	                 "kernelslist.g:1:1: expected a name that ends in .traceg, .traceg.xz or .tracez"));
	CHECK(list_fails("kernel-1.traceg.gz\n", "kernelslist.g:1:1: expected a name that ends in"));
	CHECK(list_fails("kernel-1.traceg\n", "kernel-1.traceg: cannot open: No such file"));
}

TEST(what_is_no_file_is_refused)
{
	struct error err;
	const char *out = scratch_path("nofile.sluice");
	CHECK(!import_path(scratch_path("does-not-exist"), out, &err));
	CHECK(strstr(err.text, "No such file"));
	CHECK(!symlink("loop.traceg", scratch_path("loop.traceg")));
	CHECK(!import_path(scratch_path("loop.traceg"), out, &err));
	CHECK(strstr(err.text, "symbolic links"));
	mkdir(scratch_path("loops"), 0777);
	CHECK(!symlink("kernelslist.g", scratch_path("loops/kernelslist.g")));
	CHECK(!import_path(scratch_path("loops"), out, &err));
	CHECK(strstr(err.text, "symbolic links"));
	mkdir(scratch_path("badlist"), 0777);
	mkdir(scratch_path("badlist/kernel-2.traceg"), 0777);
	CHECK(list_fails("kernel-2.traceg\n", "kernel-2.traceg: is a directory, expected a file"));
	CHECK(!mkfifo(scratch_path("badlist/kernel-3.traceg"), 0666));
	CHECK(list_fails("kernel-3.traceg\n", "kernel-3.traceg: not a regular file"));
	mkdir(scratch_path("empty"), 0777);
	CHECK(!import_path(scratch_path("empty"), out, &err));
	CHECK(strstr(err.text, "kernelslist.g: cannot open: No such file"));
	fixture_write_text(scratch_path("other.txt"), "hello");
	CHECK(!import_path(scratch_path("other.txt"), out, &err));
	CHECK(strstr(err.text, "expected a .sluice file, a folder with kernelslist.g"));
	CHECK(access(out, F_OK));
}

static const char one_cta_text[] =
    HEADER("3", "(1,1,1)", "(64,1,1)") "#BEGIN_TB\n\nthread block = 0,0,0\n\n" VECTOR_WARP("0", "7f52ec1800")
        VECTOR_WARP("1", "7f52ec1810") "#END_TB\n";

/* Every prefix must be refused, or be the whole but for the last newline. */
static void check_truncations(const char *name, const uint8_t *bytes, size_t count, size_t tail)
{
	struct error err;
	const char *path = scratch_path(name), *out = scratch_path("cut.sluice");
	for (size_t n = 0; n < count; n++) {
		fixture_write(path, bytes, n);
		err.text[0] = '\0';
		bool ok = import_path(path, out, &err);
		CHECK_EQ(ok, n >= count - tail);
		CHECK(ok || strstr(err.text, name));
		CHECK_EQ(access(out, F_OK) == 0, ok);
		if (ok)
			unlink(out);
	}
}

TEST(a_text_cut_off_anywhere_is_refused)
{
	check_truncations("cut.traceg", (const uint8_t *)one_cta_text, sizeof one_cta_text - 1, 1);
}

TEST(a_text_cut_off_between_ctas_is_taken_with_a_warning)
{
	struct error err;
	const char *second = strstr(strstr(vector_text, "#BEGIN_TB") + 1, "#BEGIN_TB");
	fixture_write(scratch_path("half.traceg"), vector_text, (size_t)(second - vector_text));
	CHECK(import_path(scratch_path("half.traceg"), scratch_path("half.sluice"), &err));
	struct trace *t = trace_open(scratch_path("half.sluice"), &err);
	CHECK(t);
	CHECK(strstr(trace_warning(t, 0), "1 of 2 CTAs are not in the trace"));
	trace_close(t);
}

TEST(xz_data_cut_off_anywhere_is_refused)
{
	size_t bytes;
	uint8_t *xz = fixture_xz(one_cta_text, &bytes);
	check_truncations("cut.traceg.xz", xz, bytes, 0);
	free(xz);
}

/* Import either fails with a message or gives a trace that opens; nothing else may happen. */
static void check_flips(const char *name, const uint8_t *bytes, size_t count, unsigned rounds)
{
	struct error err;
	const char *path = scratch_path(name), *out = scratch_path("flip.sluice");
	uint8_t *copy = malloc(count);
	uint64_t random = 1;
	for (unsigned i = 0; i < rounds; i++) {
		memcpy(copy, bytes, count);
		for (uint64_t flips = 1 + random_below(&random, 3); flips > 0; flips--)
			copy[random_below(&random, count)] ^= (uint8_t)(1u << random_below(&random, 8));
		fixture_write(path, copy, count);
		err.text[0] = '\0';
		if (import_path(path, out, &err)) {
			struct trace *t = trace_open(out, &err);
			CHECK(t);
			CHECK(same_traces(t, t) >= 0);
			trace_close(t);
			unlink(out);
		} else {
			CHECK(err.text[0]);
			CHECK(access(out, F_OK));
		}
	}
	free(copy);
}

TEST(flipped_bits_do_no_harm)
{
	check_flips("flip.traceg", (const uint8_t *)vector_text, sizeof vector_text - 1, 3000);
	size_t bytes;
	uint8_t *xz = fixture_xz(vector_text, &bytes);
	check_flips("flip.traceg.xz", xz, bytes, 1000);
	free(xz);
}

TEST(binary_garbage_is_refused)
{
	struct error err;
	uint64_t random = 7;
	uint8_t garbage[4096];
	for (size_t i = 0; i < sizeof garbage; i++)
		garbage[i] = (uint8_t)random_next(&random);
	for (int xz = 0; xz < 2; xz++) {
		const char *path = scratch_path(xz ? "garbage.traceg.xz" : "garbage.traceg");
		fixture_write(path, garbage, sizeof garbage);
		CHECK(!import_path(path, scratch_path("garbage.sluice"), &err));
		CHECK(strstr(err.text, xz ? "not an xz file" : "expected a header line"));
	}
	fixture_write(scratch_path("zeros.traceg"), (uint8_t[4096]){0}, 4096);
	CHECK(!import_path(scratch_path("zeros.traceg"), scratch_path("garbage.sluice"), &err));
}

TEST(nothing_is_left_behind_by_a_failed_import)
{
	struct error err;
	mkdir(scratch_path("out"), 0777);
	const char *source = scratch_path("half.traceg");
	fixture_write(source, vector_text, sizeof vector_text / 2);
	CHECK(!import_path(source, scratch_path("out/x.sluice"), &err));
	CHECK_EQ(fixture_count_files(scratch_path("out")), 0);
	CHECK(
	    !import_path(fixture_folder("good", vector_text), scratch_path("missing-folder/x.sluice"), &err));
	CHECK(strstr(err.text, "cannot create"));
}

TEST_RUN_ALL(true)
