/* Launches by kernels: what is handed over, and what is no launch. */
#include "lib/exec_snippet.h"

static struct exec_child seen;
static uint64_t parameter, calls;
static uint32_t answer;

static uint32_t take_child(void *user, const struct exec_child *child)
{
	(void)user;
	seen = *child;
	calls++;
	if (child->parameters)
		memcpy(&parameter, child->parameters, sizeof parameter);
	return answer;
}

#define CHILDREN                                                                                              \
	".extern .func (.param .b32 r) __sluice_device_launch(.param .b64 f, .param .b64 p, .param .b32 gx, " \
	".param .b32 gy, .param .b32 gz, .param .b32 bx, .param .b32 by, .param .b32 bz, .param .b32 s, "     \
	".param .b64 t);\n.extern .func (.param .b32 r) __sluice_device_error(.param .b32 c);\n"              \
	".visible .entry child(.param .u64 x)\n{\nret;\n}\n.visible .entry bare()\n{\nret;\n}\n"              \
	".func no_kernel()\n{\nret;\n}\n"
#define NUMBER(name, n) ".param .b32 " name "; st.param.b32 [" name "], " n ";\n"
#define LAUNCH(function, parameters)                                                                              \
	"mov.u64 %rd2, " function ";\nmov.u64 %rd3, " parameters                                                  \
	";\n{ .param .b64 f; st.param.b64 [f], %rd2; .param .b64 p; st.param.b64 [p], %rd3;\n" NUMBER(            \
	    "gx", "2") NUMBER("gy", "3") NUMBER("gz", "4") NUMBER("bx", "32") NUMBER("by", "5")                   \
	    NUMBER("bz", "6") NUMBER(                                                                             \
	        "s",                                                                                              \
	        "64") ".param .b64 t; st.param.b64 [t], 9; .param .b32 r; call.uni (r), __sluice_device_launch, " \
	              "(f, p, gx, gy, gz, bx, by, bz, s, t); ld.param.b32 %r2, [r]; }\ncvt.u64.u32 %rd0, %r2;\n"
#define ERROR(clears)                                                                                        \
	"{ .param .b32 c; st.param.b32 [c], " clears                                                         \
	"; .param .b32 r; call.uni (r), __sluice_device_error, (c); "                                        \
	"ld.param.b32 %r3, [r]; }\ncvt.u64.u32 %rd4, %r3; shl.b64 %rd0, %rd0, 8; or.b64 %rd0, %rd0, %rd4;\n"

static const struct exec_options options = {.warp_size = 32,
                                            .sm_count = 1,
                                            .ctas_per_sm = 1,
                                            .spin_budget = 1000000,
                                            .stack_bytes = 4096,
                                            .launch_child = take_child};

TEST(a_launch_is_handed_over_with_all_it_says)
{
	struct snippet s = {.body = "st.global.u64 [%rd1], 77;" LAUNCH("child", "%rd1"), .globals = CHILDREN};
	struct fixture *f = snippet_new(&s, &options);
	CHECK(f);
	calls = answer = 0;
	CHECK_EQ(snippet_run(f, &s, 2), 0);
	CHECK_EQ(f->status, EXEC_DONE);
	CHECK_EQ(calls, 2);
	CHECK_EQ(parameter, 77);
	CHECK(seen.entry == ptx_find_function(f->module->ptx, "child") && seen.module == f->module);
	CHECK(seen.grid.x == 2 && seen.grid.y == 3 && seen.grid.z == 4);
	CHECK(seen.block.x == 32 && seen.block.y == 5 && seen.block.z == 6);
	CHECK(seen.dynamic_shared_bytes == 64 && seen.stream == 9);
	fixture_free(f);
}

static const struct snippet launches[] = {
    GIVES(5, LAUNCH("bare", "0"), .globals = CHILDREN),
    /* The error stays until it is taken. */
    GIVES(0x5050500, LAUNCH("bare", "0") ERROR("0") ERROR("1") ERROR("0"), .globals = CHILDREN),
    FAULTS("8 bytes of parameters at 0x10, where nothing is", LAUNCH("child", "16"), .globals = CHILDREN),
    FAULTS("which is no kernel of this file", LAUNCH("no_kernel", "0"), .globals = CHILDREN),
    FAULTS("which is no kernel of this file", LAUNCH("bare+8", "0"), .globals = CHILDREN),
    FAULTS("which is no kernel of this file", LAUNCH("bare+4096", "0"), .globals = CHILDREN),
    FAULTS("a launch of 0x1000, which is no kernel of this file", LAUNCH("4096", "0"), .globals = CHILDREN),
    /* Without arguments and without anybody who wants the result. */
    GIVES(3, "call.uni __sluice_device_error, (); mov.u64 %rd0, 3;",
          .globals = ".extern .func __sluice_device_error();"),
};

TEST(what_is_no_launch_is_told_and_errors_are_kept)
{
	answer = 5;
	CHECK_EQ(snippets_wrong(launches, sizeof launches / sizeof *launches, 1, &options), 0);
}

TEST(without_somebody_who_runs_children_there_are_none)
{
	static const struct snippet row = {.body = LAUNCH("bare", "0"),
	                                   .globals = CHILDREN,
	                                   .fault = "launches by kernels are not supported here"};
	CHECK_EQ(snippets_wrong(&row, 1, 1, NULL), 0);
}

/* ---- modules --------------------------------------------------------------------------------------------- */

static uint64_t elsewhere;
static uint64_t place(void *user, const char *name, uint64_t bytes)
{
	(void)user;
	return !strcmp(name, "managed") && bytes == 8 ? elsewhere : 0;
}

TEST(variables_lie_where_they_are_put)
{
	struct snippet s = {
	    .body = "ld.global.u64 %rd0, [managed]; ld.global.u64 %rd2, [own_one]; add.u64 %rd0, %rd0, %rd2;",
	    .globals =
	        ".global .u64 managed = 5; .global .u64 own_one = 6; .global .u32 low[2] = {managed, 3}; "
	        ".global .samplerref sampler;"};
	struct exec_options o = options;
	static _Alignas(8) uint64_t host;
	elsewhere = (uint64_t)(uintptr_t)&host;
	o.place_variable = place;
	struct fixture *f = snippet_new(&s, &o);
	CHECK(f);
	CHECK_EQ(host, 5);
	CHECK_EQ(f->module->variable_address[ptx_find_variable(f->module->ptx, "managed")], elsewhere);
	CHECK(device_memory_adopt(f->memory, elsewhere, 8));
	CHECK_EQ(snippet_run(f, &s, 1), 11);
	fixture_free(f);
}

TEST(modules_that_cannot_be_placed_are_refused)
{
	static const struct {
		const char *text, *fault;
	} rows[] = {{".extern .global .u32 far_away;\n", "variable far_away is defined in another module"},
	            {".global .texref t; .global .u8 ok[64]; .global .u8 huge[2147483648];\n",
	             "no device memory for variable huge"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct error err = {{0}};
		char text[256];
		struct device_memory *memory = device_memory_new(1 << 30, &err);
		struct exec *exec = exec_new(memory, &options, &err);
		snprintf(text, sizeof text, "%s%s", PTX_HEAD, rows[i].text);
		struct ptx_module *ptx = ptx_parse("test.ptx", text, strlen(text), &err);
		CHECK(ptx && ptx_analyze(ptx, true, &err));
		CHECK(!exec_load(exec, ptx, &err));
		CHECK(strstr(err.text, rows[i].fault));
		ptx_module_free(ptx);
		exec_free(exec);
		device_memory_free_all(memory);
	}
}

TEST_RUN_ALL(true)
