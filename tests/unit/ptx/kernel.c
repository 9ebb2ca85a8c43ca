/* What a kernel takes: reachable functions, shared memory, registers over calls. */
#include "fixture.h"

struct taken {
	struct ptx_module *m;
	struct ptx_kernel *k;
};

static struct taken take(const char *text, const char *entry)
{
	struct error err = {""};
	struct taken t = {.m = ptx_of(text)};
	if (t.m)
		t.k = ptx_kernel_new(t.m, ptx_find_function(t.m, entry), &err);
	if (!t.k)
		printf("# %s\n", err.text);
	return t;
}

static void give(struct taken *t)
{
	ptx_kernel_free(t->k);
	ptx_module_free(t->m);
}

static uint64_t shared_offset(const struct taken *t, const char *name)
{
	for (uint32_t v = 0; v < t->m->variable_count; v++)
		if (!strcmp(t->m->variables[v].name, name))
			return t->k->shared_offset[v];
	return 12345;
}

#define SHARED                                                                                               \
	PTX_HEAD ".shared .align 1 .b8 a[5]; .shared .align 8 .b8 b[24]; .shared .u32 unused[1000];\n"       \
	         ".extern .shared .align 64 .b8 dyn[];\n"                                                    \
	         ".func f() { .reg .b32 %r1; ld.shared.u32 %r1, [b+4]; ret; }\n"                             \
	         ".func g() { .reg .b32 %r1; ld.shared.u32 %r1, [unused]; ret; }\n"

TEST(only_shared_variables_that_are_reached_take_room)
{
	struct taken t =
	    take(SHARED ".entry k() { .shared .align 16 .b8 c[3]; .reg .u64 %rd<3>; mov.u64 %rd1, a;\n"
	                "mov.u64 %rd2, c+1; call f; ret; }",
	         "k");
	CHECK(t.k != NULL);
	CHECK_EQ(shared_offset(&t, "a"), 0);
	CHECK_EQ(shared_offset(&t, "b"), 8);
	CHECK_EQ(shared_offset(&t, "c"), 32);
	CHECK_EQ(t.k->shared_bytes, 35);
	CHECK_EQ(t.k->dynamic_offset, 48);
	CHECK(shared_offset(&t, "unused") == UINT64_MAX && shared_offset(&t, "dyn") == UINT64_MAX);
	give(&t);
}

TEST(dynamic_shared_memory_starts_aligned_behind_the_static)
{
	struct taken t =
	    take(SHARED ".entry k() { .reg .u64 %rd<3>; mov.u64 %rd1, a; mov.u64 %rd2, dyn; ret; }", "k");
	CHECK(t.k != NULL);
	CHECK_EQ(t.k->shared_bytes, 5);
	CHECK_EQ(t.k->dynamic_offset, 64);
	CHECK_EQ(shared_offset(&t, "dyn"), 64);
	give(&t);
}

TEST(functions_are_reached_through_calls)
{
	struct taken t = take(SHARED ".func h() { call f; ret; }\n.entry k() { call h; ret; }", "k");
	CHECK(t.k != NULL);
	CHECK_EQ(t.k->function_count, 3);
	CHECK_EQ(t.k->functions[0], ptx_find_function(t.m, "k"));
	CHECK(!t.k->is_recursive && !t.k->calls_indirectly);
	give(&t);
}

#define POINTERS                                                                                             \
	PTX_HEAD ".func f() { ret; }\n.func g() { ret; }\n.func other() { ret; }\n"                          \
	         ".global .u64 table[1] = {f};\n"

TEST(an_indirect_call_reaches_whatever_has_its_address_taken)
{
	struct taken t =
	    take(POINTERS ".entry k() { .reg .b64 %rd<3>; mov.u64 %rd1, g; ld.global.u64 %rd2, [table];\n"
	                  "P: .callprototype _ (); call %rd2, P; ret; }",
	         "k");
	CHECK(t.k != NULL);
	CHECK(t.k->calls_indirectly && !t.k->is_recursive);
	CHECK_EQ(t.k->function_count, 3);
	for (uint32_t i = 0; i < t.k->function_count; i++)
		CHECK(t.k->functions[i] != ptx_find_function(t.m, "other"));
	give(&t);
}

TEST(recursion_is_seen_and_counts_once)
{
	struct taken t = take(PTX_HEAD ".func b();\n.func a() { call b; ret; }\n.func b() { call a; ret; }\n"
	                               ".entry k() { call a; ret; }\n.entry plain() { ret; }",
	                      "k");
	CHECK(t.k != NULL);
	CHECK(t.k->is_recursive);
	CHECK_EQ(t.k->registers, 8);
	give(&t);
}

/* Code that has `count` values alive at once, with a call in the midst. */
static void put_values(FILE *out, int count, const char *call)
{
	fprintf(out, ".reg .b32 %%r<%d>;\n", count);
	for (int i = 0; i < count; i++)
		fprintf(out, "ld.global.u32 %%r%d, [0];\n", i);
	fprintf(out, "%s\n", call);
	for (int i = 0; i < count; i++)
		fprintf(out, "st.global.u32 [0], %%r%d;\n", i);
	fprintf(out, "ret; }\n");
}

static long registers(int in_kernel, int in_callee, const char *directive)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	fprintf(out, "%s.func f() {\n", PTX_HEAD);
	put_values(out, in_callee, "");
	fprintf(out, ".entry k() %s {\n", directive);
	put_values(out, in_kernel, "call f;");
	fclose(out);
	struct taken t = take(text, "k");
	long count = t.k ? (long)t.k->registers : -1;
	give(&t);
	free(text);
	return count;
}

TEST(registers_add_up_along_calls)
{
	CHECK_EQ(registers(1, 1, ""), 8); /* 2, and 6 for machine code itself */
	CHECK_EQ(registers(10, 10, ""), 26);
	CHECK_EQ(registers(30, 33, ""), 69);
	CHECK_EQ(registers(200, 200, ""), 255);
}

TEST(directives_bound_registers)
{
	CHECK_EQ(registers(30, 33, ".maxnreg 32"), 32);
	CHECK_EQ(registers(30, 33, ".maxntid 1024, 1, 1"), 64);
	CHECK_EQ(registers(30, 33, ".maxntid 128, 1, 1\n.minnctapersm 12"), 40); /* 42 in units of 8 */
	CHECK_EQ(registers(30, 33, ".maxntid 16, 16, 1\n.minnctapersm 1"), 69);
	CHECK_EQ(registers(30, 33, ".maxntid 1024, 1, 1\n.minnctapersm 64"), 16);
}

static long registers_of(const char *body)
{
	char text[2048];
	snprintf(text, sizeof text,
	         "%s.shared .b32 s[64];\n.entry k(.param .u64 a, .param .u32 n) {\n%s\nret; }", PTX_HEAD,
	         body);
	struct taken t = take(text, "k");
	long count = t.k ? (long)t.k->registers : -1;
	give(&t);
	return count;
}

#define DECLARED ".reg .b64 %d<9>; .reg .b32 %r<9>;\n"

TEST(parameters_and_constants_are_read_from_their_bank)
{
	CHECK_EQ(
	    registers_of(DECLARED
	                 "ld.param.u64 %d0, [a]; cvta.to.global.u64 %d1, %d0; ld.global.u32 %r0, [%d1];\n"
	                 "ld.param.u32 %r1, [n]; mov.u32 %r2, 5; ld.global.u32 %r3, [%d1+4];\n"
	                 "mad.lo.s32 %r4, %r0, %r1, %r2; add.s32 %r5, %r4, %r3; st.global.u32 [%d1], %r5;"),
	    6 + 2);
}

TEST(addresses_of_shared_memory_take_one_register_and_those_with_an_offset_none)
{
	CHECK_EQ(registers_of(DECLARED
	                      "ld.global.u64 %d0, [0]; ld.shared.u32 %r0, [%d0]; st.shared.u32 [%d0], %r0;"),
	         6 + 2);
	CHECK_EQ(registers_of(DECLARED
	                      "ld.global.u64 %d0, [0]; ld.global.u32 %r0, [%d0]; st.global.u32 [%d0], %r0;"),
	         6 + 3);
	CHECK_EQ(registers_of(DECLARED
	                      "ld.global.u64 %d0, [0]; add.s64 %d1, %d0, 64; ld.global.u32 %r0, [%d0];\n"
	                      "st.global.u32 [%d1], %r0;"),
	         6 + 3);
}

TEST(only_an_entry_with_a_body_is_a_kernel)
{
	struct ptx_module *m = ptx_of(PTX_HEAD ".func f() { ret; }");
	struct error err = {""};
	CHECK(m != NULL);
	CHECK(!ptx_kernel_new(m, 0, &err) && strstr(err.text, "expected an .entry"));
	CHECK(!ptx_kernel_new(m, PTX_NONE, &err));
	ptx_module_free(m);
}

/* Wherever an indirect call may lead, by an instruction or by a table in memory, registers are counted. */
TEST(a_function_in_a_table_is_reached_by_indirect_calls)
{
	struct ptx_module *m =
	    ptx_of(PTX_HEAD
	           ".func f() { ret; }\n.func g() { ret; }\n.func alone() { ret; }\n"
	           ".global .u32 y;\n.global .u64 t[3] = {f, y, g};\n"
	           ".entry k() { .reg .b64 %rd<3>; P: .callprototype _; call %rd1, (), P; call %rd2, (), P;\n"
	           "call f; call f; call alone; }");
	struct error err = {""};
	CHECK(m != NULL);
	struct ptx_kernel *kernel = ptx_kernel_new(m, ptx_find_function(m, "k"), &err);
	CHECK(kernel != NULL);
	CHECK(kernel->calls_indirectly && !kernel->is_recursive);
	CHECK_EQ(kernel->function_count, 4);
	ptx_kernel_free(kernel);
	ptx_module_free(m);
}

/* No memory is as large as what these would take. */
TEST(shared_memory_is_bounded_when_a_kernel_is_made)
{
	struct ptx_module *m = ptx_of(
	    PTX_HEAD
	    ".shared .b8 s[1099511627776];\n.entry k() { .reg .u64 a; mov.u64 a, s; }\n.entry none();");
	struct error err = {""};
	CHECK(m != NULL);
	CHECK(!ptx_kernel_new(m, 0, &err) && strstr(err.text, "kernel 'k' has more than"));
	CHECK(strstr(err.text, "bytes of shared memory, expected fewer"));
	CHECK(!ptx_kernel_new(m, 1, &err) && strstr(err.text, "expected an .entry with a body"));
	ptx_kernel_free(NULL);
	ptx_module_free(m);
}

TEST_RUN_ALL(true)
