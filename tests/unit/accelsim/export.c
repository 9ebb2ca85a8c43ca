/* What is exported can be imported again, and keeps to what Accel-Sim's reader demands. */
#include "lib/accelsim_fixture.h"

/* Steps that are the same after export and import, -1 if something differs. */
static int64_t roundtrip(struct trace *t)
{
	struct error err = {""};
	const char *dir = scratch_path("export"), *out = scratch_path("again.sluice");
	scratch_remove(dir);
	struct trace *again =
	    accelsim_export(t, dir, ACCELSIM_EXPORT_OLD, &err) && import_path(dir, out, &err)
	        ? trace_open(out, &err)
	        : NULL;
	if (!again)
		printf("# %s\n", err.text);
	int64_t steps = again ? same_traces(t, again) : -1;
	trace_close(again);
	return steps;
}

TEST(a_recorded_text_survives_export_and_import)
{
	struct error err;
	struct trace *t = import_text(vector_text, &err);
	CHECK(t);
	CHECK_EQ(roundtrip(t), VECTOR_INSNS);
	trace_close(t);
}

/* Random streams: loads R<d> <- [R1], ALU instructions, all kinds of masks and addresses. */
static bool write_random(const char *path, uint64_t steps, struct error *err)
{
	struct trace_kernel kernel = {.name = "random kernel <int>",
	                              .id = 9,
	                              .grid = {2, 3, 2},
	                              .block = {16, 8, 1},
	                              .warp_size = 32,
	                              .warps_per_cta = 4,
	                              .binary_version = 75};
	struct trace_writer *w = trace_writer_new(path, err);
	trace_writer_copy(w, 0x1234, 99);
	bool ok = trace_writer_begin_kernel(w, &kernel, err);
	for (uint32_t i = 0; i < FIXTURE_INSNS; i++) {
		struct trace_insn insn = {.pc = 16 * i, .dst = (uint8_t)i, .src_count = 2, .src = {4, 255}};
		const char *mnemonic = fixture_is_memory(i) ? "LDG.E.64" : "IADD3";
		sass_classify(mnemonic, 75, &insn);
		trace_writer_insn(w, &insn, mnemonic);
	}
	for (uint64_t cta = 0; ok && cta < 12; cta++) {
		ok = trace_writer_begin_cta(w, cta, err);
		for (uint32_t warp = 0; ok && warp < 4; warp++) {
			struct stream stream;
			struct stream_step step;
			stream_start(&stream, cta * 4 + warp, 32);
			ok = trace_writer_begin_warp(w, warp, err);
			for (uint64_t i = 0; ok && i < steps * (1 + warp) + cta; i++) {
				stream_next(&stream, &step);
				ok = trace_writer_step(w, step.insn, step.mask,
				                       step.lanes ? step.address : NULL, err);
			}
		}
		ok = ok && trace_writer_end_cta(w, err);
	}
	return ok && trace_writer_end_kernel(w, err) && trace_writer_finish(w, err);
}

TEST(random_streams_survive_export_and_import)
{
	struct error err = {""};
	const char *path = scratch_path("random.sluice");
	for (uint64_t steps = 0; steps < 1500; steps = 4 * steps + 1) {
		CHECK(write_random(path, steps, &err));
		struct trace *t = trace_open(path, &err);
		CHECK(t);
		CHECK_EQ(roundtrip(t), 12 * 10 * steps + 4 * 66);
		trace_close(t);
	}
}

/* Exports a text and returns the kernel file; the caller frees it. */
static char *exported(const char *text, const char *name)
{
	struct error err;
	size_t count;
	struct trace *t = import_text(text, &err);
	scratch_remove(scratch_path("export"));
	if (!t || !accelsim_export(t, scratch_path("export"), ACCELSIM_EXPORT_OLD, &err))
		return NULL;
	trace_close(t);
	char path[64];
	snprintf(path, sizeof path, "export/%.32s", name);
	return (char *)fixture_read(scratch_path(path), &count);
}

TEST(the_text_is_what_strict_readers_take)
{
	char *text = exported(
	    ONE_WARP("3", "7",
	             "0010 ffffffff 1 R6 LDG.E 1 R2 4 2 0x10 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 "
	             "4 4 4 4 4 4 4 4 4\n"
	             "0020 00000005 1 R6 LDG.E 1 R2 4 2 0x10 4\n"
	             "0030 00000001 1 R6 LDG.E 1 R2 4 2 0x10\n"
	             "0040 00000000 0 STG.E 2 R2 R255 4 2 0x0\n"
	             "0050 00000003 0 STG.E 2 R2 R255 4 0 0x10 0x8\n"
	             "0060 ffffffff 1 R6 FOO 5 R1 R2 R3 R4 R5 0\n"
	             "0070 ffffffff 0 EXIT 0 0\n"),
	    "kernel-3.traceg");
	CHECK(text);
	CHECK(strstr(text, "\n-accelsim tracer version = 4\n-enable lineinfo = 0\n\n#traces format = "));
	CHECK(strstr(text, "-binary version = 90\n"));
	CHECK(strstr(text, "\nthread block = 0,0,0\n\nwarp = 0\ninsts = 7\n"));
	CHECK(strstr(text, "\n0010 ffffffff 1 R6 LDG.E 1 R2 4 1 0x10 4 \n"));
	/* A gap in the lanes: no base and stride. */
	CHECK(strstr(text, "\n0020 00000005 1 R6 LDG.E 1 R2 4 2 0x10 4 \n"));
	CHECK(strstr(text, "\n0030 00000001 1 R6 LDG.E 1 R2 4 2 0x10 \n"));
	CHECK(strstr(text, "\n0040 00000000 0 STG.E 2 R2 R255 4 2 0x0 \n"));
	CHECK(strstr(text, "\n0050 00000003 0 STG.E 2 R2 R255 4 1 0x10 -8 \n"));
	CHECK(strstr(text, "\n0060 ffffffff 1 R6 FOO 4 R1 R2 R3 R4 0 \n"));
	CHECK(text[strlen(text) - 1] == '\n');
	free(text);
}

TEST(source_lines_are_exported_when_there_are_any)
{
	char *text =
	    exported(HEADER_KEYS("4", "(1,1,1)", "(32,1,1)") "-enable lineinfo = 1\n#format\n#BEGIN_TB\n"
	                                                     "thread block = 0,0,0\nwarp = 0\ninsts = 1\n"
	                                                     "42 0010 ffffffff 0 EXIT 0 0 \n#END_TB\n",
	             "kernel-3.traceg");
	CHECK(text);
	CHECK(strstr(text, "-enable lineinfo = 1\n"));
	CHECK(strstr(text, "\n42 0010 ffffffff 0 EXIT 0 0 \n"));
	free(text);
}

TEST(copies_and_repeated_ids_are_exported)
{
	struct error err = {""};
	size_t count;
	mkdir(scratch_path("twice"), 0777);
	fixture_write_text(scratch_path("twice/kernel-1.traceg"), vector_text);
	fixture_write_text(scratch_path("twice/kernelslist.g"),
	                   "kernel-1.traceg\nMemcpyHtoD,0x10,7\nkernel-1.traceg\nMemcpyHtoD,0x20,8\n");
	const char *out = scratch_path("twice.sluice");
	CHECK(import_path(scratch_path("twice"), out, &err));
	struct trace *t = trace_open(out, &err);
	CHECK(t);
	CHECK_EQ(roundtrip(t), 2 * VECTOR_INSNS);
	char *list = (char *)fixture_read(scratch_path("export/kernelslist.g"), &count);
	CHECK(!strcmp(list, "kernel-3.traceg\nMemcpyHtoD,0x0000000000000010,7\nkernel-3-launch-2.traceg\n"
	                    "MemcpyHtoD,0x0000000000000020,8\n"));
	free(list);
	trace_close(t);
}

/* A trace of one instruction of another instruction set. */
static struct trace *foreign_trace(struct trace_insn insn, const char *mnemonic, uint32_t warp_size)
{
	struct error err;
	const char *path = scratch_path("foreign.sluice");
	struct trace_kernel kernel = {.name = "k", .grid = {1, 1, 1}, .block = {warp_size, 1, 1}};
	kernel.warp_size = warp_size;
	kernel.warps_per_cta = 1;
	struct trace_writer *w = trace_writer_new(path, &err);
	if (!trace_writer_begin_kernel(w, &kernel, &err))
		return NULL;
	uint32_t i = trace_writer_insn(w, &insn, mnemonic);
	uint64_t address = 64;
	bool ok = trace_writer_begin_cta(w, 0, &err) && trace_writer_begin_warp(w, 0, &err) &&
	          trace_writer_step(w, i, 1, &address, &err) && trace_writer_end_cta(w, &err) &&
	          trace_writer_end_kernel(w, &err) && trace_writer_finish(w, &err);
	return ok ? trace_open(path, &err) : NULL;
}

TEST(other_instruction_sets_get_the_nearest_sass_name)
{
	struct error err;
	size_t count;
	struct trace_insn load = {.op = OP_LOAD,
	                          .space = SPACE_SHARED,
	                          .width_bytes = 8,
	                          .flags = INSN_MEMORY,
	                          .dst = 4,
	                          .src_count = 1,
	                          .src = {6}};
	struct trace *t = foreign_trace(load, "ld.shared.f64", 32);
	CHECK(t);
	scratch_remove(scratch_path("foreign"));
	CHECK(accelsim_export(t, scratch_path("foreign"), ACCELSIM_EXPORT_OLD, &err));
	char *text = (char *)fixture_read(scratch_path("foreign/kernel-0.traceg"), &count);
	CHECK(strstr(text, "-binary version = 70\n"));
	CHECK(strstr(text, "0000 00000001 1 R4 LDS.64 1 R6 8 2 0x40 \n"));
	free(text);
	trace_close(t);
}

/* What the export calls an instruction of a name that SASS cannot have; the caller does not free it. */
static const char *exported_name(struct trace_insn insn, const char *mnemonic)
{
	static char name[64];
	struct error err;
	size_t count;
	insn.dst = TRACE_REG_NONE;
	struct trace *t = foreign_trace(insn, mnemonic, 32);
	scratch_remove(scratch_path("foreign"));
	*name = 0;
	if (t && accelsim_export(t, scratch_path("foreign"), ACCELSIM_EXPORT_OLD, &err)) {
		char *text = (char *)fixture_read(scratch_path("foreign/kernel-0.traceg"), &count);
		const char *at = strstr(text, "0000 00000001 0 ");
		if (at)
			snprintf(name, sizeof name, "%.*s", (int)strcspn(at + 16, "\n"), at + 16);
		free(text);
	}
	trace_close(t);
	return name;
}

TEST(names_tell_space_width_and_effect)
{
	static const struct {
		struct trace_insn insn;
		const char *name; /* with sources, width and address */
	} rows[] = {
	    {{.op = OP_LOAD, .space = SPACE_LOCAL, .width_bytes = 1, .flags = INSN_MEMORY},
	     "LDL.U8 0 1 2 0x40 "},
	    {{.op = OP_LOAD, .space = SPACE_GLOBAL, .width_bytes = 2, .flags = INSN_MEMORY},
	     "LDG.E.U16 0 2 2 0x40 "},
	    {{.op = OP_LOAD, .space = SPACE_GENERIC, .width_bytes = 16, .flags = INSN_MEMORY},
	     "LD.E.128 0 16 2 0x40 "},
	    {{.op = OP_LOAD, .space = SPACE_GLOBAL, .flags = INSN_MEMORY | INSN_BYPASS_L1},
	     "LDG.E.STRONG.GPU 0 4 2 0x40 "},
	    {{.op = OP_STORE, .space = SPACE_SHARED, .width_bytes = 4, .flags = INSN_MEMORY},
	     "STS 0 4 2 0x40 "},
	    {{.op = OP_ATOMIC, .space = SPACE_GLOBAL, .width_bytes = 4, .flags = INSN_MEMORY | INSN_CAS},
	     "ATOMG.E.CAS 0 4 2 0x40 "},
	    {{.op = OP_REDUCE, .space = SPACE_GLOBAL, .width_bytes = 8, .flags = INSN_MEMORY},
	     "RED.E.ADD.64 0 8 2 0x40 "},
	    {{.op = OP_REDUCE, .space = SPACE_SHARED, .width_bytes = 4, .flags = INSN_MEMORY},
	     "ATOMS.ADD 0 4 2 0x40 "},
	    {{.op = OP_INT}, "IADD3 0 0 "},
	    {{.op = OP_INT, .flags = INSN_SETS_PREDICATE}, "ISETP 0 0 "},
	    {{.op = OP_FENCE}, "MEMBAR 0 0 "},
	    {{.op = OP_FENCE, .flags = INSN_GPU_SCOPE}, "MEMBAR.SC.GPU 0 0 "},
	    {{.op = OP_TENSOR64}, "HMMA 0 0 "},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *got = exported_name(rows[i].insn, "made.up");
		if (strcmp(got, rows[i].name) != 0)
			printf("# row %zu is '%s', expected '%s'\n", i, got, rows[i].name);
		CHECK(!strcmp(got, rows[i].name));
	}
	/* A name of SASS stays, but for one that would be two words. */
	CHECK(!strcmp(exported_name((struct trace_insn){.op = OP_EXIT}, "KILL"), "KILL 0 0 "));
	CHECK(!strcmp(exported_name((struct trace_insn){.op = OP_EXIT}, "KILL IT"), "EXIT 0 0 "));
	CHECK(!strcmp(exported_name((struct trace_insn){.op = OP_EXIT}, "[KILL]"), "EXIT 0 0 "));
}

/* All digits of a program counter that needs them all. */
TEST(the_largest_program_counter_is_exported)
{
	struct error err;
	size_t count;
	struct trace *t = foreign_trace(
	    (struct trace_insn){.pc = UINT64_MAX, .dst = TRACE_REG_NONE, .op = OP_EXIT}, "EXIT", 32);
	scratch_remove(scratch_path("foreign"));
	CHECK(t && accelsim_export(t, scratch_path("foreign"), ACCELSIM_EXPORT_OLD, &err));
	char *text = (char *)fixture_read(scratch_path("foreign/kernel-0.traceg"), &count);
	CHECK(strstr(text, "\nffffffffffffffff 00000001 0 EXIT 0 0 \n"));
	free(text);
	trace_close(t);
}

TEST(wide_wavefronts_cannot_be_exported)
{
	struct error err;
	struct trace *t = foreign_trace((struct trace_insn){.dst = TRACE_REG_NONE}, "s_nop", 64);
	CHECK(t);
	CHECK(!accelsim_export(t, scratch_path("wide"), ACCELSIM_EXPORT_OLD, &err));
	CHECK(strstr(err.text, "warps of 64 lanes"));
	CHECK(access(scratch_path("wide"), F_OK));
	trace_close(t);
}

TEST(a_folder_with_something_in_it_is_left_alone)
{
	struct error err;
	struct trace *t = import_text(vector_text, &err);
	CHECK(t);
	mkdir(scratch_path("full"), 0777);
	fixture_write_text(scratch_path("full/notes"), "x");
	CHECK(!accelsim_export(t, scratch_path("full"), ACCELSIM_EXPORT_OLD, &err));
	CHECK(strstr(err.text, "expected an empty folder"));
	CHECK_EQ(fixture_count_files(scratch_path("full")), 1);
	mkdir(scratch_path("void"), 0777);
	CHECK(accelsim_export(t, scratch_path("void"), ACCELSIM_EXPORT_OLD, &err));
	CHECK_EQ(fixture_count_files(scratch_path("void")), 2);
	CHECK(!accelsim_export(t, scratch_path("no/such/place"), ACCELSIM_EXPORT_OLD, &err));
	trace_close(t);
}

TEST_RUN_ALL(true)
