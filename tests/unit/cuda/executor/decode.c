/* What the executor cannot run is said when the kernel is launched, with the instruction and the reason. */
#include "lib/exec_snippet.h"

#define CLOCK "a clock is read by mov alone"
#define LOCAL "address of a local variable is taken by mov alone"
#define SYNC "sync.aligned."

/* A clock goes on while it is read, so it is no operand like others; every place that takes one says so. */
static const struct snippet clocks[] = {
    FAULTS(CLOCK, "add.u32 %r2, %clock, 1;"),
    FAULTS(CLOCK, "setp.eq.u32 %p1, %clock, 1;"),
    FAULTS(CLOCK, "mov.b64 %rd2, {%clock, %r1};"),
    FAULTS(CLOCK, "mov.b64 {%r2, %r3}, %clock64;"),
    FAULTS(CLOCK, "cvta.global.u64 %rd2, %clock64;"),
    FAULTS(CLOCK, "st.global.u32 [%rd1], %clock;"),
    FAULTS(CLOCK, "st.global.v2.u32 [%rd1], {%r1, %clock};"),
    FAULTS(CLOCK, "atom.global.add.u32 %r2, [%rd1], %clock;"),
    FAULTS(CLOCK, "atom.global.cas.b32 %r2, [%rd1], %r1, %clock;"),
    FAULTS(CLOCK, "shfl.sync.idx.b32 %r2, %clock, 0, 31, -1;"),
    FAULTS(CLOCK, "shfl.sync.idx.b32 %r2, %r1, 0, 31, %clock;"),
    FAULTS(CLOCK, "bar.sync %clock;"),
    FAULTS(CLOCK, "bar.sync 0, %clock;"),
    FAULTS(CLOCK, "suld.b.1d.b32.trap %r2, [%rd1, {%clock}];"),
    FAULTS(CLOCK, "sust.b.1d.b32.trap [%rd1, {%r1}], %clock;"),
    FAULTS(CLOCK, "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%clock}];"),
    FAULTS(CLOCK, "movmatrix.sync.aligned.m8n8.trans.b16 %r2, %clock;"),
    FAULTS(CLOCK, "wmma.load.c.sync.aligned.row.m8n8k4.global.f64 {%d1, %d2}, [%rd1], %clock;"),
    FAULTS(CLOCK, "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r2, %r3}, {%clock}, {%r4}, {%r5, %r6};"),
    FAULTS(CLOCK, "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r2], {%clock};"),
    FAULTS(CLOCK, "T: .branchtargets L; brx.idx %clock, T; L:"),
    FAULTS(CLOCK, "cp.async.ca.shared.global [%r2], [%rd1], 4, %clock;"),
    FAULTS(CLOCK, "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r2], %clock;"),
    FAULTS(CLOCK, "mbarrier.init.shared.b64 [%r2], %clock;"),
    FAULTS(CLOCK, "mbarrier.pending_count.b64 %r2, %clock64;"),
    FAULTS(CLOCK, "mapa.shared::cluster.u32 %r2, %clock, 0;"),
    FAULTS(CLOCK, "mapa.shared::cluster.u32 %r2, %r1, %clock;"),
    FAULTS(CLOCK, "vadd.u32.u32.u32 %r2, %clock, %r1;"),
    FAULTS(LOCAL, "add.u64 %rd2, own, 8;"),
};

TEST(a_clock_is_no_operand)
{
	CHECK_SNIPPETS(clocks, 32);
}

static const struct snippet forms[] = {
    FAULTS("vectors are of 16- or 32-bit registers", ".reg .b128 %q<2>; mov.b128 %q1, {%rd1, %rd2};"),
    FAULTS("the registers do not fill the vector", "mov.b64 %rd2, {%gridid, %r1};"),
    FAULTS("the register is not as wide as the value", "atom.global.add.u32 %r2, [%rd1], %gridid;"),
    FAULTS(CLOCK, "st.param.u64 [data], %clock64;"),
    FAULTS("more than 16 bytes", "ld.global.v4.b64 {%rd2, %rd3, %rd4, %rd5}, [%rd1];"),
    FAULTS("more than 16 bytes", ".reg .b128 %q<2>; ld.global.b128 %q1, [%rd1];"),
    FAULTS("it reads past the end of the parameters", "ld.param.u64 %rd2, [data+16];"),
    FAULTS("it reads past the end of the parameters", "ld.param.u64 %rd2, [data+12];"),
    FAULTS("kernel parameters are read-only", "st.param.u64 [data], %rd2;"),
    FAULTS("it is outside of the parameter", "{ .param .b32 p; st.param.b32 [p+4], %r1; }"),
    FAULTS("it is outside of the parameter", "{ .param .b32 p; st.param.b32 [p+-4], %r1; }"),
    FAULTS("constant memory is read-only", "st.const.u32 [c], %r1;", .globals = ".const .u32 c;"),
    FAULTS("cp.async.ca copies 4, 8 or 16 bytes", "cp.async.ca.shared.global [%r2], [%rd1], 12;"),
    FAULTS("cp.async.cg 16", "cp.async.cg.shared.global [%r2], [%rd1], 8;"),
    FAULTS("addresses have 64 bits", "cvta.shared.u32 %r2, %r1;"),
    FAULTS("the function takes other parameters",
           "{ .param .b32 p; .param .b32 q; call (q), __nv_sqrtf, (p, p); }",
           .globals = ".extern .func (.param .b32 r) __nv_sqrtf(.param .b32 x, .param .b32 y);"),
    FAULTS("the function takes other parameters", "{ .param .b32 p; call __nv_sqrtf, (p); }",
           .globals = ".extern .func __nv_sqrtf(.param .b32 x);"),
    FAULTS("the function takes wider parameters",
           "{ .param .b32 p; .param .b64 q; call (q), __nv_sqrt, (p); }",
           .globals = ".extern .func (.param .b64 r) __nv_sqrt(.param .b32 x);"),
};

TEST(forms_that_do_not_run_say_why)
{
	CHECK_SNIPPETS(forms, 32);
}

/* Matrices are spread over 32 lanes. */
static const struct snippet matrices[] = {
    FAULTS("it needs warps of 32 lanes",
           "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r2, %r3}, {%r4}, {%r4}, {%r5, %r6};"),
    FAULTS("it needs warps of 32 lanes",
           "wmma.load.c.sync.aligned.row.m8n8k4.global.f64 {%d1, %d2}, [%rd1];"),
    FAULTS("it needs warps of 32 lanes", "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r2}, [%r3];"),
    FAULTS("it needs warps of 32 lanes", "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r3], {%r2};"),
    FAULTS("it needs warps of 32 lanes", "movmatrix.sync.aligned.m8n8.trans.b16 %r2, %r3;"),
};

TEST(wide_warps_have_no_matrices)
{
	struct exec_options wide = {
	    .warp_size = 64, .sm_count = 1, .ctas_per_sm = 1, .spin_budget = 1000000, .stack_bytes = 4096};
	CHECK_EQ(snippets_wrong(matrices, sizeof matrices / sizeof *matrices, 64, &wide), 0);
}

/* ---- launches -------------------------------------------------------------------------------------------- */

static const struct launched {
	struct trace_dim grid, block, cluster;
	const char *fault;
} launches[] = {
    {{1, 1, 1}, {32, 1, 1}, {0, 0, 0}, NULL},
    {{1, 1, 1}, {0, 1, 1}, {0, 0, 0}, "threads"},
    {{1, 1, 1}, {1024, 2, 1}, {0, 0, 0}, "threads"},
    {{0, 1, 1}, {32, 1, 1}, {0, 0, 0}, "unsupported grid"},
    {{1, 1, 0}, {32, 1, 1}, {0, 0, 0}, "unsupported grid"},
    {{UINT32_MAX, UINT32_MAX, UINT32_MAX}, {32, 1, 1}, {0, 0, 0}, "unsupported grid"},
    {{4, 1, 1}, {32, 1, 1}, {3, 1, 1}, "in clusters of"},
    {{4, 3, 1}, {32, 1, 1}, {2, 2, 1}, "in clusters of"},
    {{4, 2, 1}, {32, 1, 1}, {2, 2, 2}, "in clusters of"},
    {{32, 1, 1}, {32, 1, 1}, {32, 1, 1}, "in clusters of"},
    {{4, 2, 2}, {32, 1, 1}, {2, 2, 2}, NULL},
};

TEST(launches_of_no_size_or_beyond_a_limit_are_refused)
{
	struct snippet s = {.body = ""};
	for (size_t i = 0; i < sizeof launches / sizeof *launches; i++) {
		struct fixture *f = snippet_new(&s, NULL);
		uint64_t out = fixture_buffer(f, 8192);
		void *args[2] = {&out, &out};
		struct exec_launch l = {.module = f->module,
		                        .entry = ptx_find_function(f->module->ptx, "k"),
		                        .grid = launches[i].grid,
		                        .block = launches[i].block,
		                        .cluster = launches[i].cluster,
		                        .args = args};
		bool done = exec_run(f->exec, &l, &f->err) == EXEC_DONE;
		if (done != !launches[i].fault || (!done && !strstr(f->err.text, launches[i].fault)))
			printf("# launch %zu: %s\n", i, f->err.text);
		CHECK_EQ(done, !launches[i].fault);
		CHECK(done || strstr(f->err.text, launches[i].fault));
		fixture_free(f);
	}
}

TEST(only_kernels_are_launched)
{
	struct snippet s = {.body = "", .globals = ".func f()\n{\nret;\n}\n"};
	struct fixture *f = snippet_new(&s, NULL);
	struct exec_launch l = {.module = f->module, .grid = {1, 1, 1}, .block = {1, 1, 1}};
	uint32_t entries[] = {ptx_find_function(f->module->ptx, "f"), f->module->ptx->function_count,
	                      PTX_NONE};
	for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
		l.entry = entries[i];
		CHECK(exec_run(f->exec, &l, &f->err) != EXEC_DONE);
		CHECK(!exec_kernel_facts(f->exec, f->module, entries[i], &f->err));
	}
	CHECK(exec_kernel_facts(f->exec, f->module, ptx_find_function(f->module->ptx, "k"), &f->err));
	fixture_free(f);
}

/* For input that may compute for ever. */
TEST(a_limit_of_instructions_ends_what_would_go_on)
{
	static const struct snippet rows[] = {
	    FAULTS("kernel k", "L: add.u32 %r2, %r2, 1; st.global.u32 [%rd1], %r2; bra L;"),
	    GIVES(3, "mov.u64 %rd0, 3;"),
	};
	struct exec_options limited = {.warp_size = 32,
	                               .sm_count = 1,
	                               .ctas_per_sm = 1,
	                               .spin_budget = 1000000,
	                               .insn_limit = 5000,
	                               .stack_bytes = 4096};
	CHECK_EQ(snippets_wrong(rows, 2, 32, &limited), 0);
}

static const struct machine_row {
	struct exec_options options;
	bool is_right;
} machines[] = {
    {{.warp_size = 32, .sm_count = 1, .ctas_per_sm = 1, .spin_budget = 1}, true},
    {{.warp_size = 16, .sm_count = 1, .ctas_per_sm = 1, .spin_budget = 1}, false},
    {{.warp_size = 32, .ctas_per_sm = 1, .spin_budget = 1}, false},
    {{.warp_size = 32, .sm_count = 1, .spin_budget = 1}, false},
    {{.warp_size = 32, .sm_count = 1, .ctas_per_sm = 1}, false},
};

TEST(an_executor_needs_sms_ctas_a_budget_and_warps_of_32_or_64)
{
	struct error err;
	struct device_memory *memory = device_memory_new(1 << 21, &err);
	CHECK(memory);
	for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
		err.text[0] = 0;
		struct exec *e = exec_new(memory, &machines[i].options, &err);
		CHECK_EQ(e != NULL, machines[i].is_right);
		CHECK_EQ(err.text[0] == 0, machines[i].is_right);
		if (e)
			exec_free(e);
	}
	exec_free(NULL);
	device_memory_free_all(memory);
}

TEST_RUN_ALL(true)
