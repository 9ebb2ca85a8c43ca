/* The importer reads what the tracers write: versions, address modes, headers, compression. */
#include <unistd.h>

#include "lib/accelsim_fixture.h"

static struct steps steps;

TEST(a_tracer_text_is_read_to_the_digit)
{
	struct error err = {""};
	const char *out = scratch_path("vector.sluice");
	CHECK(import_path(fixture_folder("vector", vector_text), out, &err));
	struct trace *t = trace_open(out, &err);
	CHECK(t);
	const struct trace_kernel *k = trace_kernel_at(t, 0);
	CHECK_EQ(trace_kernel_count(t), 1);
	CHECK(!strcmp(k->name, "_Z6vecAddPfS_S_i"));
	CHECK_EQ(k->id, 3);
	CHECK_EQ(k->stream, 1);
	CHECK_EQ(k->cta_count, 2);
	CHECK_EQ(k->warps_per_cta, 2);
	CHECK_EQ(k->shared_bytes, 512);
	CHECK_EQ(k->registers_per_thread, 22);
	CHECK_EQ(k->binary_version, 90);
	CHECK_EQ(k->shared_window, 0x7f5400000000);
	CHECK_EQ(k->local_window, 0x7f5319000000);
	CHECK_EQ(k->warp_insns, VECTOR_INSNS);
	CHECK_EQ(k->insn_count, 12);
	CHECK(!trace_warning(t, 0));
	const struct trace_copy *copies;
	CHECK_EQ(trace_copies(t, &copies), 1);
	CHECK_EQ(copies[0].address, 0x7f52ec180000);
	CHECK_EQ(copies[0].bytes, 4096);
	trace_close(t);
}

TEST(masks_and_addresses_are_those_of_the_text)
{
	struct error err;
	struct trace *t = import_text(vector_text, &err);
	CHECK(t);
	read_steps(t, 1, 1, &steps);
	CHECK_EQ(steps.count, 12);
	CHECK_EQ(steps.step[4].mask, 0);
	CHECK_EQ(steps.step[4].kind, ADDR_NONE);
	CHECK_EQ(steps.lanes[6], 32);
	CHECK_EQ(steps.step[6].kind, ADDR_STRIDE);
	CHECK_EQ(steps.address[6][0], 0x7f52ec183000);
	CHECK_EQ(steps.address[6][31], 0x7f52ec18307c);
	CHECK_EQ(steps.lanes[7], 1);
	CHECK_EQ(steps.address[7][0], 0x7f52ec183020);
	CHECK_EQ(steps.lanes[8], 3);
	CHECK_EQ(steps.address[8][1], 0x7f52ec183010);
	CHECK_EQ(steps.address[8][2], 0x7f52ec182010);
	/* Predicated off: the record in the text means nothing. */
	CHECK_EQ(steps.step[9].mask, 0);
	CHECK_EQ(steps.step[9].kind, ADDR_NONE);
	CHECK_EQ(steps.address[10][31], 0x7f52ec183080);
	const struct trace_insn *load = &trace_kernel_at(t, 0)->insns[steps.step[6].insn];
	CHECK_EQ(load->pc, 0x60);
	CHECK_EQ(load->dst, 0);
	CHECK_EQ(load->src[0], 2);
	trace_close(t);
}

/* The same three instructions as each tracer version writes them. */
static void check_version(const char *text)
{
	struct error err = {""};
	struct trace *t = import_text(text, &err);
	if (!t)
		printf("# %s\n", err.text);
	CHECK(t);
	read_steps(t, 0, 0, &steps);
	CHECK_EQ(steps.count, 3);
	const struct trace_kernel *k = trace_kernel_at(t, 0);
	CHECK_EQ(k->insns[steps.step[0].insn].pc, 0x10);
	CHECK_EQ(steps.step[0].mask, 0xfff0);
	CHECK_EQ(steps.lanes[0], 12);
	CHECK_EQ(steps.address[0][11], 0x7f00000002c0);
	CHECK_EQ(steps.lanes[1], 2);
	CHECK_EQ(steps.address[1][1], 0x7f0000000010);
	CHECK(!strcmp(trace_mnemonic(k, &k->insns[steps.step[2].insn]), "EXIT"));
	trace_close(t);
}

#define LINES(prefix, suffix)                                                                                \
	prefix "0010 0000fff0 1 R6 LDG.E.64.SYS 1 R2 8 1 0x7f0000000000 64 " suffix "\n" prefix              \
	       "0020 00000005 1 R6 LDG.E 1 R2 4 2 0x7f0000000000 16 " suffix "\n" prefix                     \
	       "0030 ffffffff 0 EXIT 0 0 " suffix "\n"

TEST(tracer_versions_1_to_5_are_read)
{
	check_version(ONE_WARP("1.2", "3", LINES("0 0 0 0 ", "")));
	check_version(ONE_WARP("2", "3", LINES("12 3 4 0 ", "")));
	check_version(ONE_WARP("3", "3", LINES("", "")));
	check_version(ONE_WARP("4", "3", LINES("", "")));
	check_version(ONE_WARP("5", "3", LINES("", "0 ")));
	check_version(ONE_WARP("5", "3", LINES("", "-17 ")));
	/* Old readers take an immediate on any version. */
	check_version(ONE_WARP("4", "3", LINES("", "7")));
}

TEST(source_lines_are_kept_when_the_tracer_wrote_them)
{
	struct error err;
	struct trace *t = import_text(
	    HEADER_KEYS("4", "(1,1,1)",
	                "(32,1,1)") "-enable lineinfo = 1\n#format\n#BEGIN_TB\n"
	                            "thread block = 0,0,0\nwarp = 0\ninsts = 2\n"
	                            "42 0010 ffffffff 1 R6 LDG.E 1 R2 4 1 0x7f0000000000 64 \n"
	                            "43 0010 ffffffff 1 R6 LDG.E 1 R2 4 1 0x7f0000000000 64 \n#END_TB\n",
	    &err);
	CHECK(t);
	/* Inlined code: one program counter with two lines is two instructions. */
	CHECK_EQ(trace_kernel_at(t, 0)->insn_count, 2);
	CHECK_EQ(trace_kernel_at(t, 0)->insns[0].source_line, 42);
	CHECK_EQ(trace_kernel_at(t, 0)->insns[1].source_line, 43);
	trace_close(t);
}

TEST(all_address_modes_say_the_same)
{
	struct error err;
	struct trace *t = import_text(
	    ONE_WARP(
	        "5", "6",
	        "0010 00000038 1 R6 LDG.E 1 R2 4 0 0x00007f0000000000 0x00007f0000000040 0x7f0000000080 5 \n"
	        "0010 00000038 1 R6 LDG.E 1 R2 4 1 0x7f0000000000 64 5 \n"
	        "0010 00000038 1 R6 LDG.E 1 R2 4 2 0x7f0000000000 64 64 5 \n"
	        "0010 00000000 1 R6 LDG.E 1 R2 4 0 5 \n"
	        "0010 00000000 1 R6 LDG.E 1 R2 4 1 0x0 0 5 \n"
	        "0010 00000000 1 R6 LDG.E 1 R2 4 2 0x0 5 \n"),
	    &err);
	CHECK(t);
	read_steps(t, 0, 0, &steps);
	CHECK_EQ(steps.count, 6);
	for (int i = 0; i < 3; i++) {
		CHECK_EQ(steps.lanes[i], 3);
		CHECK_EQ(steps.address[i][0], 0x7f0000000000);
		CHECK_EQ(steps.address[i][2], 0x7f0000000080);
	}
	for (int i = 3; i < 6; i++)
		CHECK_EQ(steps.step[i].kind, ADDR_NONE);
	CHECK_EQ(trace_kernel_at(t, 0)->insn_count, 1);
	trace_close(t);
}

TEST(functions_that_share_program_counters_stay_apart)
{
	struct error err;
	struct trace *t = import_text(ONE_WARP("3", "4",
	                                       "0010 ffffffff 1 R6 FADD 2 R2 R3 0 \n"
	                                       "0010 ffffffff 1 R6 FMUL 2 R2 R3 0 \n"
	                                       "0010 ffffffff 1 R6 FADD 2 R2 R3 0 \n"
	                                       "0010 ffffffff 1 R6 FADD 1 R2 0 \n"),
	                              &err);
	CHECK(t);
	read_steps(t, 0, 0, &steps);
	CHECK_EQ(trace_kernel_at(t, 0)->insn_count, 3);
	CHECK_EQ(steps.step[0].insn, steps.step[2].insn);
	CHECK(steps.step[0].insn != steps.step[1].insn && steps.step[0].insn != steps.step[3].insn);
	trace_close(t);
}

TEST(code_executed_in_sequence_has_consecutive_indexes)
{
	struct error err;
	struct trace *t = import_text(vector_text, &err);
	CHECK(t);
	read_steps(t, 0, 0, &steps);
	for (unsigned i = 0; i < steps.count; i++)
		CHECK_EQ(steps.step[i].insn, i);
	trace_close(t);
}

TEST(unknown_opcodes_are_guessed_counted_and_named_once)
{
	struct error err;
	struct trace *t = import_text(ONE_WARP("3", "4",
	                                       "0010 ffffffff 1 R6 LDX.FOO 1 R2 4 1 0x7f0000000000 4 \n"
	                                       "0020 ffffffff 0 ZZZ 1 R2 4 1 0x7f0000000000 4 \n"
	                                       "0030 ffffffff 1 R6 LDX.FOO 1 R2 4 1 0x7f0000000000 4 \n"
	                                       "0010 ffffffff 1 R6 LDX.FOO 1 R2 4 1 0x7f0000000000 4 \n"),
	                              &err);
	CHECK(t);
	bool load = false, store = false;
	for (unsigned i = 0; trace_warning(t, i); i++) {
		load |= !strcmp(trace_warning(t, i), "unknown opcode LDX.FOO (3 times, read as load)");
		store |= !strcmp(trace_warning(t, i), "unknown opcode ZZZ (1 times, read as store)");
	}
	CHECK(load && store && !trace_warning(t, 2));
	CHECK_EQ(trace_kernel_at(t, 0)->insns[0].op, OP_LOAD);
	CHECK(trace_kernel_at(t, 0)->insns[0].flags & INSN_GUESSED);
	trace_close(t);
}

#define CTA(number, warp)                                                                                    \
	"#BEGIN_TB\nthread block = " number "\nwarp = " warp                                                 \
	"\ninsts = 1\n0000 ffffffff 0 EXIT 0 0\n#END_TB\n"

TEST(missing_ctas_and_warps_are_empty_and_counted)
{
	struct error err;
	struct trace *t =
	    import_text(HEADER("3", "(2,2,2)", "(33,1,1)") CTA("1,0,0", "1") CTA("0,1,1", "0"), &err);
	CHECK(t);
	CHECK_EQ(trace_kernel_at(t, 0)->warp_insns, 2);
	for (uint64_t cta = 0; cta < 8; cta++)
		for (uint32_t warp = 0; warp < 2; warp++) {
			read_steps(t, cta, warp, &steps);
			CHECK_EQ(steps.count, (cta == 1 && warp == 1) || (cta == 6 && warp == 0));
		}
	CHECK(trace_warning(t, 0));
	CHECK(strstr(trace_warning(t, 0), "6 of 8 CTAs are not in the trace"));
	CHECK(strstr(trace_warning(t, 1), "2 of 4 warps are not in the trace"));
	trace_close(t);
}

TEST(ctas_without_a_number_come_one_after_the_other)
{
	struct error err;
	struct trace *t =
	    import_text(HEADER("3", "(2,1,1)", "(32,1,1)") "#BEGIN_TB\nwarp = 0\ninsts = 0\n#END_TB\n"
	                                                   "#BEGIN_TB\nwarp = 0\ninsts = 1\n"
	                                                   "0000 00000001 0 EXIT 0 0\n#END_TB",
	                &err);
	CHECK(t);
	read_steps(t, 1, 0, &steps);
	CHECK_EQ(steps.count, 1);
	trace_close(t);
}

TEST(line_ends_of_other_systems_and_tabs_do_no_harm)
{
	struct error err = {""};
	struct trace *t =
	    import_text("-grid dim=(1,1,1)\r\n-block dim = ( 32 , 1 , 1 )\r\n-shmem = 0\r\n-nregs = 1\r\n"
	                "-binary version = 70\r\n-accelsim tracer version = 3\r\n-what ever = 7\r\n#x\r\n"
	                "#BEGIN_TB\r\nthread block = 0,0,0\r\nwarp = 0\r\ninsts = 2\r\n"
	                "0010 ffffffff 1 R6 FADD 2 R2 R3 0\r\n  0020 f 1 R6 FADD\t2 R2 R3 0 \t\r\n#END_TB",
	                &err);
	CHECK(t);
	read_steps(t, 0, 0, &steps);
	CHECK_EQ(steps.count, 2);
	CHECK_EQ(steps.step[1].mask, 15);
	trace_close(t);
}

TEST(compressed_files_are_the_same)
{
	struct error err = {""};
	size_t bytes;
	uint8_t *xz = fixture_xz(vector_text, &bytes);
	const char *source = scratch_path("kernel-9.traceg.xz"), *out = scratch_path("xz.sluice");
	fixture_write(source, xz, bytes);
	CHECK(import_path(source, out, &err));
	struct trace *a = trace_open(out, &err), *b = import_text(vector_text, &err);
	CHECK(a && b);
	CHECK_EQ(same_traces(a, b), VECTOR_INSNS);
	free(xz);
	trace_close(a);
	trace_close(b);
}

TEST(launches_follow_the_list)
{
	struct error err = {""};
	mkdir(scratch_path("list"), 0777);
	fixture_write_text(scratch_path("list/kernel-1.traceg"), vector_text);
	fixture_write_text(scratch_path("list/kernel-2.traceg"), ONE_WARP("3", "1", "0000 f 0 EXIT 0 0\n"));
	fixture_write_text(scratch_path("list/kernelslist.g"),
	                   "kernel-2.traceg\nMemcpyHtoD,0x10,7\nkernel-1.traceg \nkernel-2.traceg\n");
	const char *out = scratch_path("list.sluice");
	struct accelsim_import job = {.path = scratch_path("list/kernelslist.g"), .out_path = out};
	CHECK(accelsim_import(&job, &err));
	CHECK_EQ(job.warp_insns, VECTOR_INSNS + 2);
	CHECK_EQ(job.text_bytes,
	         sizeof vector_text - 1 + 2 * strlen(ONE_WARP("3", "1", "0000 f 0 EXIT 0 0\n")));
	struct trace *t = trace_open(out, &err);
	CHECK(t);
	CHECK_EQ(trace_kernel_count(t), 3);
	CHECK_EQ(trace_kernel_at(t, 0)->warp_insns, 1);
	CHECK_EQ(trace_kernel_at(t, 1)->warp_insns, VECTOR_INSNS);
	const struct trace_copy *copies;
	CHECK_EQ(trace_copies(t, &copies), 1);
	CHECK_EQ(copies[0].before_kernel, 1);
	trace_close(t);
}

/* Written by hand: from inside the folder, with blanks, capital letters and comments of other tools. */
TEST(a_list_may_be_written_freely)
{
	struct error err = {""};
	char before[4096];
	CHECK(getcwd(before, sizeof before));
	mkdir(scratch_path("free"), 0777);
	fixture_write_text(scratch_path("free/kernel-1.traceg"), vector_text);
	fixture_write_text(
	    scratch_path("free/kernelslist.g"),
	    "# by hand\nMemcpyHtoD ,0X1F,7 \nMemcpyHtoD,20,8\nkernel-1.traceg\t \nncclReduce\n");
	const char *out = scratch_path("free.sluice"), *folder = scratch_path("free");
	CHECK(!chdir(folder));
	bool ok = import_path("kernelslist.g", out, &err) && import_path("kernel-1.traceg", out, &err) &&
	          import_path("kernelslist.g", out, &err);
	CHECK(!chdir(before));
	struct trace *t = ok ? trace_open(out, &err) : NULL;
	if (!t)
		printf("# %s\n", err.text);
	CHECK(t);
	const struct trace_copy *copies;
	CHECK_EQ(trace_copies(t, &copies), 2);
	CHECK_EQ(copies[0].address, 0x1f);
	CHECK_EQ(copies[1].address, 0x20);
	trace_close(t);
}

TEST(numbers_in_names_are_compared_with_the_headers)
{
	static const struct {
		const char *name; /* of a file whose header says 3 */
		bool agrees;
	} rows[] = {{"kernel-3.traceg", true},
	            {"kernel-1.traceg", false},
	            {"kernel-.traceg", true},
	            {"kernel.traceg", true},
	            {"kernel-99999999999.traceg", true},
	            {"kernel-4294967295-x.traceg", false}};
	struct error err = {""};
	mkdir(scratch_path("numbers"), 0777);
	const char *out = scratch_path("numbers.sluice"), *folder = scratch_path("numbers");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char list[128], path[128];
		snprintf(path, sizeof path, "numbers/%s", rows[i].name);
		snprintf(list, sizeof list, "MemcpyHtoD,0x10,7\n%s\n", rows[i].name);
		fixture_write_text(scratch_path(path), vector_text);
		fixture_write_text(scratch_path("numbers/kernelslist.g"), list);
		CHECK(import_path(folder, out, &err));
		struct trace *t = trace_open(out, &err);
		CHECK(t);
		err.text[0] = 0;
		CHECK_EQ(accelsim_numbers_agree(folder, t, &err), rows[i].agrees);
		CHECK(rows[i].agrees || strstr(err.text, "which launch is it? Correct one of them"));
		/* What is no list has nothing to disagree with. */
		CHECK(accelsim_numbers_agree(out, t, &err) &&
		      accelsim_numbers_agree("/nonexistent", t, &err));
		trace_close(t);
	}
}

/* A text of one warp that executes `count` instructions that a format makes of their numbers. */
static char *generated(unsigned count, const char *format)
{
	char *text = malloc(1000 + 64 * (size_t)count), number[16];
	snprintf(number, sizeof number, "%u", count);
	char *at =
	    text + sprintf(text, "%s%s\n",
	                   HEADER("3", "(1,1,1)",
	                          "(32,1,1)") "#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = ",
	                   number);
	for (unsigned i = 0; i < count; i++) {
		at += sprintf(at, format, i);
		*at++ = '\n';
	}
	strcpy(at, "\n#END_TB\n");
	return text;
}

TEST(of_many_unknown_opcodes_the_rest_is_counted)
{
	struct error err = {""};
	char *text = generated(300, "0010 ffffffff 0 QQQ%u 0 0");
	struct trace *t = import_text(text, &err);
	free(text);
	CHECK(t);
	CHECK(strstr(trace_warning(t, 0), "unknown opcode QQQ"));
	CHECK(!strcmp(trace_warning(t, 256), "44 more unknown opcodes"));
	trace_close(t);
}

TEST(too_many_instructions_at_one_place_are_no_program)
{
	struct error err = {""};
	char *text = generated(4200, "0010 ffffffff 0 IADD%u 0 0");
	CHECK(!import_text(text, &err));
	free(text);
	CHECK(strstr(err.text, "more than 4096 different instructions at one program counter"));
}

static bool note_progress(void *user, uint64_t text_bytes, uint64_t warp_insns)
{
	uint64_t *calls = user;
	(*calls) += text_bytes > 0 && warp_insns <= 100;
	return true;
}

static bool refuse_to_go_on(void *user, uint64_t text_bytes, uint64_t warp_insns)
{
	(void)user, (void)text_bytes, (void)warp_insns;
	return false;
}

TEST(an_import_that_is_told_to_end_leaves_nothing)
{
	struct error err = {{0}};
	const char *path = scratch_path("ended.sluice");
	struct accelsim_import job = {
	    .path = fixture_folder("ended", vector_text), .out_path = path, .progress = refuse_to_go_on};
	CHECK(!accelsim_import(&job, &err));
	CHECK(strstr(err.text, "ended on request"));
	CHECK(access(path, F_OK));
}

TEST(progress_is_told)
{
	struct error err;
	uint64_t calls = 0;
	struct accelsim_import job = {.path = fixture_folder("progress", vector_text),
	                              .out_path = scratch_path("progress.sluice"),
	                              .progress = note_progress,
	                              .user = &calls};
	CHECK(accelsim_import(&job, &err));
	CHECK(calls > 0);
}

TEST_RUN_ALL(true)
