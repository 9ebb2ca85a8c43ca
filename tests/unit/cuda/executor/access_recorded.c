/* What recordings show of accesses that are more than one, or at addresses that recordings translate. */
#include "lib/exec_snippet.h"
#include "lib/trace_fixture.h"

#define LIST8(r) "{" r "1," r "2," r "3," r "4," r "5," r "6," r "7," r "8}"
#define GENERIC_SHARED "mov.u64 %rd7, room; cvta.shared.u64 %rd7, %rd7;\n"
#define ADOPTED UINT64_MAX
#define AT_ROOM (0 - DEVICE_WINDOW) /* shared memory is shown by its offsets */

struct recorded {
	const char *body;
	const char *mnemonic; /* of the steps that are counted */
	unsigned count;
	uint64_t address; /* of the first, from the buffer on; ADOPTED: in the window of host memory */
};

/* The snippet itself ends with one STG.E.64. */
static const struct recorded rows[] = {
    {"tex.1d.v4.u32.s32 {%r2, %r3, %r4, %r5}, [t, {%r1}];", "TEX", 1, 0},
    {"suld.b.1d.b32.trap %r2, [u, {16}];", "SULD", 1, 16},
    {"sust.b.1d.b32.zero [u, {4000000}], 1;", "SUST", 1, 0},
    {"sust.b.1d.b32.trap [u, {8}], 1;", "SUST", 1, 8},
    {"wmma.load.a.sync.aligned.row.m16n16k16.global.f16 " LIST8("%r1") ", [%rd1], 16;", "LDG.E", 4, 0},
    {"wmma.load.a.sync.aligned.row.m16n16k16.f16 " LIST8("%r1") ", [%rd1+64], 16;", "LD.E", 4, 64},
    {"wmma.load.b.sync.aligned.row.m16n16k16.f16 " LIST8("%r1") ", [%rd1], 16;", "LD.E.U16", 8, 0},
    {GENERIC_SHARED "wmma.load.b.sync.aligned.row.m16n16k16.f16 " LIST8("%r1") ", [%rd7], 16;",
     "LDSM.16.M88.4", 1, AT_ROOM},
    {GENERIC_SHARED "wmma.load.a.sync.aligned.row.m32n8k16.f16 " LIST8("%r1") ", [%rd7], 16;",
     "LDSM.16.M88.4", 2, AT_ROOM},
    {"wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd1], " LIST8("%f") ", 16;", "STG.E.64", 4 + 1, 0},
    {"setp.eq.u32 %p1, %r1, 99; @%p1 bra L; add.u32 %r2, %r1, 1; L: "
     "wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd1], " LIST8("%f") ", 16;",
     "STG.E.64", 4 + 1, 0},
    {"setp.eq.u32 %p1, %r1, 99; @%p1 bra L; add.u32 %r2, %r1, 1; L: ld.global.u32 %r3, [%rd1+4];", "LDG.E", 1,
     4},
    {"mov.u32 %r2, room; cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r2], 1024;", "UBLKCP.G.S",
     2 * 32, 0},
    {"setp.eq.u32 %p1, %r1, 99; @%p1 bra L; add.u32 %r2, %r1, 1; L: mov.u32 %r2, room; setp.eq.u32 %p2, %r1, 0; @%p2 "
     "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r2], 16;",
     "UBLKCP.G.S", 1, 0},
    {"ld.global.u64 %rd2, [%rd1+2048]; ld.global.u32 %r2, [%rd2];", "LDG.E", 1, ADOPTED},
    {"ld.global.u64 %rd2, [%rd1+2048]; red.global.add.u32 [%rd2], 1;", "RED.E.ADD.STRONG.GPU", 1, ADOPTED},
    {"atom.shared.add.f32 %f1, [room], %f2;", "LDS", 1, AT_ROOM},
};

struct found {
	const char *mnemonic;
	unsigned count;
	uint64_t first;
};

static void keep(const struct trace_kernel *k, struct warp_step *step, void *arg)
{
	struct found *f = arg;
	if (!step->mask || strcmp(trace_mnemonic(k, &k->insns[step->insn]), f->mnemonic))
		return;
	if (!f->count++)
		f->first = step->base;
}

static bool record(const struct recorded *row, struct found *found)
{
	static _Alignas(64) uint32_t host[64];
	struct snippet s = {.body = row->body, .globals = ".global .texref t; .global .surfref u;"};
	struct error err;
	struct fixture *f = snippet_new(&s, NULL);
	if (!f)
		return false;
	const char *path = scratch_path("accesses.sluice");
	uint64_t data = fixture_buffer(f, 4096), out = fixture_buffer(f, 8192), adopted = (uintptr_t)host;
	struct texture image = {.address = data,
	                        .dimensions = 1,
	                        .width = 64,
	                        .height = 1,
	                        .depth = 1,
	                        .channels = 1,
	                        .channel_bits = 32};
	*exec_texture(f->exec, f->module->variable_address[ptx_find_variable(f->module->ptx, "t")]) = image;
	*exec_texture(f->exec, f->module->variable_address[ptx_find_variable(f->module->ptx, "u")]) = image;
	if (row->address == ADOPTED)
		device_memory_adopt(f->memory, adopted, sizeof host);
	memcpy(device_host(data + 2048), &adopted, 8);
	void *args[] = {&data, &out};
	struct exec_launch l = {.module = f->module,
	                        .entry = ptx_find_function(f->module->ptx, "k"),
	                        .grid = {1, 1, 1},
	                        .block = {32, 1, 1},
	                        .args = args,
	                        .registers_per_thread = 40,
	                        .recorder = recorder_new(path, &err)};
	bool ok = l.recorder && fixture_record(f, &l);
	fixture_free(f);
	struct trace *t = ok ? trace_open(path, &err) : NULL;
	*found = (struct found){.mnemonic = row->mnemonic};
	if (t) {
		fixture_each_step(t, keep, found);
		trace_close(t);
	}
	return t != NULL;
}

TEST(every_access_of_an_instruction_is_recorded)
{
	unsigned wrong = 0;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct found found = {0};
		bool ok = record(&rows[i], &found);
		uint64_t want = rows[i].address == ADOPTED ? ADOPTED_WINDOW : DEVICE_WINDOW + rows[i].address;
		bool is_there = rows[i].address == ADOPTED ? found.first - want < 4096 : found.first == want;
		if (!ok || found.count != rows[i].count || !is_there)
			printf("# %s\n#   %u of %s, the first at 0x%llx\n", rows[i].body, found.count,
			       rows[i].mnemonic, (unsigned long long)found.first);
		wrong += !ok || found.count != rows[i].count || !is_there;
	}
	CHECK_EQ(wrong, 0);
}

/* What a recording needs of a kernel that is recursive, and of one in two modules. */
static const char recursive[] = PTX_HEAD
    ".func down(.param .b32 n)\n{\n.reg .pred %p; .reg .b32 %r<3>; ld.param.u32 %r1, [n]; setp.eq.u32 %p, %r1, 0; @%p ret; "
    "add.s32 %r2, %r1, -1; { .param .b32 a; st.param.b32 [a], %r2; call.uni down, (a); } ret;\n}\n"
    ".visible .entry k()\n{\n{ .param .b32 a; st.param.b32 [a], 3; call.uni down, (a); } ret;\n}\n"
    ".visible .entry j()\n{\nret;\n}\n";

TEST(several_kernels_share_a_recording)
{
	struct error err;
	struct fixture *f = fixture_new(recursive, NULL);
	const char *path = scratch_path("several.sluice");
	struct recorder *r = recorder_new(path, &err);
	CHECK(r);
	static const char *const names[] = {"k", "j", "k", "j"};
	for (unsigned i = 0; i < 4; i++) {
		struct exec_launch l = {.module = f->module,
		                        .entry = ptx_find_function(f->module->ptx, names[i]),
		                        .grid = {1, 1, 1},
		                        .block = {32, 1, 1},
		                        .recorder = r};
		CHECK_EQ(exec_run(f->exec, &l, &err), EXEC_DONE);
	}
	recorder_copy(r, DEVICE_WINDOW, 64);
	CHECK(recorder_finish(r, &err));
	struct trace *t = trace_open(path, &err);
	CHECK(t);
	for (unsigned i = 0; i < 4; i++)
		CHECK(!strcmp(trace_kernel_at(t, i)->name, names[i]));
	trace_close(t);
	fixture_free(f);
}

/* A launch that the format cannot hold: kernels run on, and nothing more is kept. */
TEST(after_a_failure_kernels_run_on_unrecorded)
{
	struct snippet s = {
	    .body = "mov.u32 %r2, room; cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r2], 16;\n"
	            "wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd1], " LIST8(
	                "%f") ", 16;\n"
	                      "ld.global.u32 %r2, [%rd1]; cvt.u64.u32 %rd0, %r2; add.u64 %rd0, %rd0, 9;"};
	for (unsigned told = 0; told < 2; told++) {
		struct error err = {{0}};
		struct fixture *f = snippet_new(&s, NULL);
		const char *path = scratch_path("failed.sluice");
		uint32_t entry = ptx_find_function(f->module->ptx, "k");
		struct recorder *r = recorder_new(path, &err);
		struct recorded_launch large = {.module = f->module->ptx,
		                                .kernel = exec_kernel_facts(f->exec, f->module, entry, &err),
		                                .grid = {1, 1, 1},
		                                .block = {65 * 32, 1, 1},
		                                .warp_size = 32};
		CHECK(r && large.kernel);
		recorder_begin_launch(r, &large);
		recorder_end_launch(r);
		uint64_t data = fixture_buffer(f, 4096), out = fixture_buffer(f, 8192);
		void *args[] = {&data, &out};
		struct exec_launch l = {.module = f->module,
		                        .entry = entry,
		                        .grid = {1, 1, 1},
		                        .block = {32, 1, 1},
		                        .args = args,
		                        .recorder = r};
		CHECK_EQ(exec_run(f->exec, &l, &err), EXEC_DONE);
		CHECK_EQ(*(uint64_t *)device_host(out), 9);
		recorder_begin_launch(r, &large);
		CHECK(!recorder_finish(r, told ? &err : NULL));
		CHECK(!told || strstr(err.text, "more than 64 warps"));
		CHECK(access(path, F_OK) != 0);
		fixture_free(f);
	}
}

TEST(a_place_that_cannot_be_written_is_told)
{
	struct error err = {{0}};
	CHECK(!recorder_new("/nonexistent/folder/x.sluice", &err));
	CHECK(strstr(err.text, "/nonexistent/folder"));
}

TEST_RUN_ALL(true)
