/* PTX that is legal but seldom written: what becomes of it. */
#include "fixture.h"
#include "ptx/arena.h"
#include "ptx/kernel.h"

/* A statement of a kernel, and its first instruction printed again. */
struct reading {
	const char *statement, *printed;
};
static const struct reading readings[] = {
    {";;ret;", "ret"},
    {".extern .shared .b8 dyn[];", "ret"},
    {".pragma \"nounroll\"; ret;", "ret"},
    {".loc 1 1 1, function_name a+8, inlined_at 1 1 1 ret;", "ret"},
    {".file 1 \"b\", 12, 34 ret;", "ret"},
    {".local .attribute((.managed)) .b8 q; ret;", "ret"},
    {".local .v2 .b32 q; .local .v4 .f32 w, z; ret;", "ret"},
    {".reg .b32 a<4>, b; mov.u32 a3, b;", "mov.u32 a3, b"},
    {"ld.u32 %r1, [-16];", "ld.u32 %r1, [-16]"},
    {"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2, %r1, %r2}];",
     "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2, %r1, %r2}]"},
    {"tex.a2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1, %f1, %f2, %f3}];",
     "tex.a2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1, %f1, %f2, %f3}]"},
    {"tex.a1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1, %f1}];",
     "tex.a1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1, %f1}]"},
    {"txq.width.b32 %r1, [p];", "txq.width.b32 %r1, [p]"},
    {"sust.b.1d.v2.b32.zero [%rd1, %r1], {%r2, %rd2};", "sust.b.1d.v2.b32.zero [%rd1, %r1], {%r2, %rd2}"},
    {"mov.b64 {%rs1, %rs2, %rs3, %rs4}, %rd1;", "mov.b64 {%rs1, %rs2, %rs3, %rs4}, %rd1"},
    {"mov.b32 %r1, {1, 2, 3, 4};", "mov.b32 %r1, {1, 2, 3, 4}"},
    {".reg .b128 q; mov.b128 q, {%rd1, %rd2};", "mov.b128 q, {%rd1, %rd2}"},
    {"mov.u32 %r1, {%rs1, %rs2};", "mov.u32 %r1, {%rs1, %rs2}"},
    {"mov.pred %p1, !%p2;", "mov.pred %p1, !%p2"},
    {"mov.u64 %rd1, p+4;", "mov.u64 %rd1, p+4"},
    {"mov.u64 %rd1, k;", "mov.u64 %rd1, k"},
    {"mov.u32 _, 5;", "mov.u32 _, 5"},
    {"mov.pred %p1, %is_explicit_cluster;", "mov.pred %p1, %is_explicit_cluster"},
    {"mov.u32 %r1, %gridid;", "mov.u32 %r1, %gridid"},
    {"mov.u32 %r1, WARP_SZ;", "mov.u32 %r1, WARP_SZ"},
    {"mov.b64 %rd1, 0f3F800000;", "mov.b64 %rd1, 0x3ff0000000000000"},
    {"mov.f64 %fd1, -1.5;", "mov.f64 %fd1, 0xbff8000000000000"},
    {"mov.b64 %rd1, 1.5;", "mov.b64 %rd1, 0x3ff8000000000000"},
    {"mov.f32 %f1, 0d3FF8000000000000;", "mov.f32 %f1, 0x3fc00000"},
    {"mov.f32 %f1, 1.5e3;", "mov.f32 %f1, 0x44bb8000"},
    {"mov.f32 %f1, 1e3;", "mov.f32 %f1, 0x447a0000"},
    {"mov.f32 %f1, 1E+3;", "mov.f32 %f1, 0x447a0000"},
    {"mov.f32 %f1, 2.5e-1;", "mov.f32 %f1, 0x3e800000"},
    {"mov.f32 %f1, 1.;", "mov.f32 %f1, 0x3f800000"},
    {"mov.f64 %fd1, 0D3FF0000000000000;", "mov.f64 %fd1, 0x3ff0000000000000"},
    {"mov.u32 %r1, 12U;", "mov.u32 %r1, 12"},
    {"mov.u32 %r1, 0;", "mov.u32 %r1, 0"},
    {"st.u8 [%rd1], 65535;", "st.u8 [%rd1], 255"},
    {"st.s8 [%rd1], -1;", "st.s8 [%rd1], 255"},
    {"ld.u8 %rd1, [%rd1];", "ld.u8 %rd1, [%rd1]"},
    {"ld.shared::cta.u32 %r1, [%rd1];", "ld.shared.u32 %r1, [%rd1]"},
    {"cvta.global.u64 %rd1, n;", "cvta.global.u64 %rd1, n"},
    {"isspacep.shared %p1, %r1;", "isspacep.shared %p1, %r1"},
    {"mov.u32 %r1, 1; // the end", "mov.u32 %r1, 1"},
    {"/* a\nb * c / d */ mov.u32 %r1, 1; /**/ ret;", "mov.u32 %r1, 1"},
    {"bra L; L: ret;", "bra line 6"},
    {"T: .branchtargets L; brx.idx %r1, T; L: ret;", "brx.idx %r1, table 0"},
    {"P: .callprototype _ () .noreturn; call %rd1, (), P;", "call %rd1, prototype 0"},
    {"P: .callprototype (.param .b64 _) _ (.param .b64 _); call (p), %rd1, (p), P;",
     "call (p), %rd1, (p), prototype 0"},
    {"P: .calltargets k, k; call %rd1, (p, n), P;", "call %rd1, (p, n), prototype 0"},
    {"call k, (p, n);", "call k, (p, n)"},
    {"@!%p1 bra.uni L; L: ret;", "@!%p1 bra.uni line 6"},
};

TEST(odd_statements_read_as_they_should)
{
	bool ok = true;
	for (size_t i = 0; i < sizeof readings / sizeof *readings; i++) {
		char text[1024], got[256] = "";
		snprintf(text, sizeof text, "%s%s\n}\n", PTX_KERNEL_HEAD, readings[i].statement);
		struct ptx_module *m = ptx_of(text);
		if (m)
			ptx_print(m, 0, got, sizeof got);
		ptx_module_free(m);
		if (strcmp(got, readings[i].printed) != 0) {
			printf("# %s reads as: %s\n", readings[i].statement, got);
			ok = false;
		}
	}
	CHECK(ok);
}

TEST(an_instruction_is_printed_as_far_as_there_is_room)
{
	struct ptx_module *m = ptx_of(PTX_KERNEL("add.s32 %r1, %r2, 5;"));
	char text[64] = "untouched";
	CHECK(m != NULL);
	ptx_print(m, 0, text, 0);
	CHECK(!strcmp(text, "untouched"));
	ptx_print(m, 0, text, 1);
	CHECK(!strcmp(text, ""));
	ptx_print(m, 0, text, 12);
	CHECK(!strcmp(text, "add.s32 %r1"));
	ptx_print(m, 0, text, sizeof text);
	CHECK(!strcmp(text, "add.s32 %r1, %r2, 5"));
	ptx_module_free(m);
}

/* The bytes that a module's last variable starts with, in hexadecimal; "" if the module is refused. */
static const char *initial_bytes(const char *declarations)
{
	static char hex[128];
	char text[1024];
	snprintf(text, sizeof text, "%s%s", PTX_HEAD, declarations);
	struct ptx_module *m = ptx_of(text);
	*hex = 0;
	if (!m)
		return hex;
	const struct ptx_variable *v = &m->variables[m->variable_count - 1];
	for (uint64_t i = 0; i < v->initial_bytes && i < 32; i++)
		sprintf(hex + 2 * i, "%02x", v->initial[i]);
	ptx_module_free(m);
	return hex;
}

TEST(initial_values_have_the_bits_of_their_type)
{
	static const char *const rows[][2] = {
	    {".global .s8 x = -128;", "80"},
	    {".global .s32 x = -5;", "fbffffff"},
	    {".global .u64 x = 0xFFFFFFFFFFFFFFFF;", "ffffffffffffffff"},
	    {".global .s64 x = -0x8000000000000000;", "0000000000000080"},
	    {".global .f32 x = 0f3F800000;", "0000803f"},
	    {".global .f64 x = 0f3F800000;", "000000000000f03f"},
	    {".global .f64 x = -0d3FF0000000000000;", "000000000000f0bf"},
	    {".global .f32 x = -1.5;", "0000c0bf"},
	    {".global .u32 x[2] = {{1}, {2}};", "0100000002000000"},
	    {".global .u8 x[][2] = {{}, {3}};", "000003"},
	    {".global .v2 .u32 x[2] = {{1}, {3, 4}};", "01000000000000000300000004000000"},
	    {".global .v4 .f32 x[1][1][1][1][1][1][1][1] = {{{{{{{{1.0}}}}}}}};", "0000803f"},
	    {".global .v4 .f32 x = {1.0, 2.0};", "0000803f00000040"},
	    {".global .u32 y, x = 5;", "05000000"},
	    {".global .u32 x[2] = {};", ""},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *got = initial_bytes(rows[i][0]);
		if (strcmp(got, rows[i][1]) != 0)
			printf("# %s is %s\n", rows[i][0], got);
		CHECK(!strcmp(got, rows[i][1]));
	}
}

TEST(addresses_as_initial_values_keep_their_distance)
{
	static const struct {
		const char *value;
		int64_t addend;
		bool is_generic;
		uint8_t bytes;
	} rows[] = {
	    {".u64 x = y-4", -4, false, 8},
	    {".u64 x = y+-4", -4, false, 8},
	    {".u64 x = generic(y)-8", -8, true, 8},
	    {".u64 x = generic(y+4)+8", 12, true, 8},
	    {".u32 x = y", 0, false, 4},
	    {".b8 x[4] = {0xFF(y), 0xFF00(y), 0xFF0000(y), 0xFF000000(y)}", 0, false, 4},
	    {".b8 x[4] = {0xFF(y-4), 0xFF00(y-4), 0xFF0000(y-4), 0xFF000000(y-4)}", -4, false, 4},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char text[512];
		snprintf(text, sizeof text, "%s.global .u32 y;\n.global %s;\n", PTX_HEAD, rows[i].value);
		struct ptx_module *m = ptx_of(text);
		CHECK(m && m->variables[1].relocation_count == 1);
		struct ptx_relocation r = m->variables[1].relocations[0];
		ptx_module_free(m);
		CHECK(!r.function && r.index == 0 && !r.offset);
		CHECK_EQ(r.addend, rows[i].addend);
		CHECK_EQ(r.generic, rows[i].is_generic);
		CHECK_EQ(r.bytes, rows[i].bytes);
	}
}

/* `generic` is a word of PTX only before a parenthesis. */
TEST(a_variable_may_be_named_generic)
{
	struct ptx_module *m =
	    ptx_of(PTX_HEAD ".global .u32 generic;\n.global .u64 x = generic+4, z = generic(generic);\n");
	CHECK(m != NULL);
	CHECK(!m->variables[1].relocations[0].generic && m->variables[1].relocations[0].addend == 4);
	CHECK(m->variables[2].relocations[0].generic && m->variables[2].relocations[0].index == 0);
	ptx_module_free(m);
}

TEST(directives_of_a_kernel_are_kept_or_skipped)
{
	struct ptx_module *m =
	    ptx_of(PTX_HEAD
	           ".func .attribute(.unified(1,2)) g() .noreturn .attribute(.x);\n"
	           ".func h() .pragma \"noreturn\"; .abi_preserve 4 .abi_preserve_control 2 { ret; }\n"
	           ".visible .entry k(.param .u64 .ptr a, .param .u64 .ptr .global b) .explicitcluster\n"
	           ".blocksareclusters .reqntid 4, 2, 1 .reqnctapercluster 2 .maxclusterrank 8\n"
	           ".maxnctapersm 2 { call g; }\n.func h();\n.section \"x\" { .b8 1 }\n.section x { .b8 1 }\n"
	           ".section { }\n.pragma \"x\"; .loc 1 1 1\n;");
	CHECK(m != NULL);
	const struct ptx_function *g = &m->functions[0], *h = &m->functions[1], *k = &m->functions[2];
	CHECK(g->is_noreturn && g->is_extern && !h->is_noreturn && !h->is_extern);
	CHECK(k->maxntid[0] == 4 && k->maxntid[1] == 2 && k->maxntid[2] == 1);
	CHECK(k->cluster[0] == 2 && k->cluster[1] == 1 && k->cluster[2] == 1);
	CHECK_EQ(k->param_bytes, 16);
	ptx_module_free(m);
}

TEST(a_target_counts_where_it_names_an_sm)
{
	static const struct {
		const char *target;
		uint32_t number;
	} rows[] = {{"sm_90a", 90}, {"texmode_unified, sm_52, debug", 52}, {"compute", 0}, {"sm", 0}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char text[128];
		snprintf(text, sizeof text, ".version 6.5\n.target %s\n.address_size 64\n", rows[i].target);
		struct ptx_module *m = ptx_of(text);
		CHECK(m != NULL);
		CHECK_EQ(m->target, rows[i].number);
		ptx_module_free(m);
	}
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
	arena_free(NULL);
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

TEST(a_tolerant_parser_still_refuses_what_is_no_instruction)
{
	static const char *const rows[] = {
	    PTX_HEAD ".entry k() { add.s33 a, {b, c}",
	    PTX_HEAD ".entry k() { add.s33 a, ~",
	    PTX_HEAD ".entry k() { add.s33 a }",
	    PTX_HEAD ".entry k() { .foo; }",
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct error err = {""};
		CHECK(!ptx_parse_tolerant("t.ptx", rows[i], strlen(rows[i]), &err));
		CHECK(!strncmp(err.text, "t.ptx:4:", 8));
	}
	struct error err = {""};
	static const char good[] = PTX_HEAD ".entry k() { ret; }";
	struct ptx_module *m = ptx_parse_tolerant("t.ptx", good, strlen(good), &err);
	CHECK(m && !m->problem_count && !ptx_find_problem(m, 0));
	CHECK(ptx_find_function(m, "none") == PTX_NONE && ptx_find_variable(m, "none") == PTX_NONE);
	ptx_module_free(m);
	ptx_module_free(NULL);
}

TEST_MAIN(TEST_ENTRY(odd_statements_read_as_they_should) TEST_ENTRY(
    an_instruction_is_printed_as_far_as_there_is_room) TEST_ENTRY(initial_values_have_the_bits_of_their_type)
              TEST_ENTRY(addresses_as_initial_values_keep_their_distance)
                  TEST_ENTRY(a_variable_may_be_named_generic)
                      TEST_ENTRY(directives_of_a_kernel_are_kept_or_skipped)
                          TEST_ENTRY(a_target_counts_where_it_names_an_sm)
                              TEST_ENTRY(shared_memory_is_bounded_when_a_kernel_is_made)
                                  TEST_ENTRY(a_function_in_a_table_is_reached_by_indirect_calls)
                                      TEST_ENTRY(a_tolerant_parser_still_refuses_what_is_no_instruction))
