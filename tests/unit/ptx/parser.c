/* The module, scopes and aliases; what a tolerant parser keeps. */
#include "fixture.h"

static const struct ptx_refusal heads[] = {
    {".version 5", "1:10: unexpected '5', expected a version such as 6.5"},
    {".version x", "1:10: unexpected 'x', expected a version such as 6.5"},
    {".version 0.5", "1:10: unexpected '0.5', expected a version such as 6.5"},
    {".version 100.0", "1:10: unexpected '100.0', expected a version such as 6.5"},
    {".version 6.5\n.target 5", "2:9: unexpected '5', expected a target such as sm_70"},
    {".version 6.5\n.target sm_70, 5", "2:16: unexpected '5', expected a target such as sm_70"},
    {".version 6.5\n.target sm_70, debug\n.address_size x", "3:15: unexpected 'x', expected address size 64"},
};

static const struct ptx_refusal directives[] = {
    {".section .debug_str { .b8 1", "4:28: unexpected end of text, expected '}' at the end of a section"},
    {".section \"x\" }", "4:14: unexpected '}', expected '{' after the name of a section"},
    {".section x { .b8 ~ }", "4:18: unexpected character '~', expected '}' at the end of a section"},
    {".section 5", "4:10: unexpected '5', expected '{' after the name of a section"},
    {".alias 5, f;", "4:8: unexpected '5', expected a function that has been declared"},
    {".alias f, g;", "4:8: unexpected 'f', expected a function that has been declared"},
    {".func f(); .alias f g;", "4:21: unexpected 'g', expected ',' after an alias"},
    {".func f(); .alias f, g;", "4:22: unexpected 'g', expected a function that has been declared"},
    {".func f(); .global .u32 g; .alias f, g;",
     "4:38: unexpected 'g', expected a function that has been declared"},
    {".func f(); .func g(); .alias f, g", "4:34: unexpected end of text, expected ';' after an alias"},
    {".foo", "4:1: unexpected '.foo', expected a variable, a function or a directive of a module"},
    {"5", "4:1: unexpected '5', expected a variable, a function or a directive of a module"},
    {".visible 5", "4:10: unexpected '5', expected a variable, a function or a directive of a module"},
    {".visible .foo", "4:10: unexpected '.foo', expected a variable, a function or a directive of a module"},
};

TEST(a_module_has_a_head_and_declarations)
{
	CHECK_REFUSED(heads);
	CHECK_DECLARATIONS_REFUSED(directives);
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

TEST(a_module_may_end_with_a_nul_byte)
{
	static const char text[] = PTX_KERNEL("ret;") "\0\0 not PTX";
	struct error err;
	struct ptx_module *m = ptx_parse("t.ptx", text, sizeof text, &err);
	CHECK(m != NULL);
	CHECK_EQ(m->insn_count, 1);
	CHECK_EQ(m->version, 71);
	CHECK_EQ(m->target, 70);
	ptx_module_free(m);
}

TEST(names_are_declared_once)
{
	static const struct ptx_refusal statements[] = {
	    {".reg .b32 a; .reg .b32 a;", "6:24: 'a' is declared twice in this scope, expected a new name"},
	    {".reg .b32 %r<4>;", "6:11: '%r' is declared twice in this scope, expected a new name"},
	    {"L: L: ret;", "6:4: 'L' is declared twice in this scope, expected a new name"},
	};
	static const struct ptx_refusal modules[] = {
	    {".global .u32 x;\n.global .u32 x;\n",
	     "5:14: 'x' is declared twice in this scope, expected a new name"},
	    {".func f() { ret; }\n.func f() { ret; }\n",
	     "5:7: 'f' is defined twice, expected one body (the first is in line 4)"},
	    {".func f(.param .b32 a);\n.func f(.param .b64 a) { ret; }\n",
	     "5:7: 'f' differs from its declaration in line 4, expected the same parameters"},
	};
	CHECK_STATEMENTS_REFUSED(statements);
	CHECK_DECLARATIONS_REFUSED(modules);
}

TEST(only_registers_that_are_named_exist)
{
	struct ptx_module *m =
	    ptx_of(PTX_HEAD ".entry k() { .reg .b32 %r<4294967295>; mov.u32 %r4294967290, 1; }");
	CHECK(m != NULL);
	CHECK_EQ(m->functions[0].register_count, 1);
	CHECK(!strcmp(m->functions[0].registers[0].name, "%r4294967290"));
	ptx_module_free(m);
}

TEST(an_inner_scope_hides_registers_and_labels)
{
	struct ptx_module *m =
	    ptx_of(PTX_KERNEL("mov.u32 %r1, 1; bra L;\n"
	                      "{ .reg .b32 %r<2>; mov.u32 %r1, 2; bra L; L: mov.u32 %r1, 3; }\n"
	                      "mov.u32 %r1, 4; L: ret;"));
	CHECK(m != NULL);
	CHECK_EQ(m->functions[0].register_count, 2);
	uint32_t outer = ptx_results(m, &m->insns[0])->index, inner = ptx_results(m, &m->insns[2])->index;
	CHECK(outer != inner);
	CHECK_EQ(ptx_results(m, &m->insns[4])->index, inner);
	CHECK_EQ(ptx_results(m, &m->insns[5])->index, outer);
	CHECK_EQ(ptx_sources(m, &m->insns[1])->index, 6);
	CHECK_EQ(ptx_sources(m, &m->insns[3])->index, 4);
	ptx_module_free(m);
}

TEST(a_branch_out_of_a_scope_finds_the_outer_label)
{
	struct ptx_module *m = ptx_of(PTX_KERNEL("{ { bra L; } } mov.u32 %r1, 4; L: ret;"));
	CHECK(m != NULL);
	CHECK_EQ(ptx_sources(m, &m->insns[0])->index, 2);
	ptx_module_free(m);
}

TEST(an_alias_stands_for_its_function)
{
	struct ptx_module *m =
	    ptx_of(PTX_HEAD ".func g();\n.func f() { ret; }\n.entry k() { call g; ret; }\n.alias g, f;");
	CHECK(m != NULL);
	uint32_t call = m->functions[ptx_find_function(m, "k")].first_insn;
	CHECK_EQ(ptx_sources(m, &m->insns[call])->index, ptx_find_function(m, "f"));
	ptx_module_free(m);
}

TEST(an_alias_of_an_alias_stands_for_the_function)
{
	struct ptx_module *m =
	    ptx_of(PTX_HEAD ".func g();\n.func h();\n.func f() { ret; }\n.entry k() { call h; ret; }\n"
	                    ".alias g, f;\n.alias h, g;");
	CHECK(m != NULL);
	uint32_t call = m->functions[ptx_find_function(m, "k")].first_insn;
	CHECK_EQ(ptx_sources(m, &m->insns[call])->index, ptx_find_function(m, "f"));
	ptx_module_free(m);
}

/* Wherever a text is cut, it is refused, unless what is left is whole. */
TEST(truncated_text_is_refused_wherever_it_is_cut)
{
	static const char text[] =
	    PTX_KERNEL("L: ld.global.v2.f32 {%f1, %f2}, [%rd1+4]; @%p1 bra L; /* c */ ret;");
	size_t whole = sizeof PTX_HEAD - 1;
	for (size_t n = whole + 2; n < sizeof text - 3; n++) {
		struct error err = {""};
		struct ptx_module *m = ptx_parse("t.ptx", text, n, &err);
		ptx_module_free(m);
		if (m || strncmp(err.text, "t.ptx:", 6) || !strchr(err.text, ','))
			printf("# cut after %zu: %s\n", n, m ? "accepted" : err.text);
		CHECK(!m && !strncmp(err.text, "t.ptx:", 6) && strstr(err.text, "expected"));
	}
}

TEST(truncated_text_says_where_it_ends)
{
	static const struct ptx_refusal modules[] = {
	    {PTX_HEAD ".entry k() {\n ret;",
	     "5:6: unexpected end of text, expected an instruction, a label, a declaration or '}'"},
	    {PTX_HEAD "/* what", "4:1: comment without its end '/* what', expected '*/'"},
	    {"", "1:1: unexpected end of text, expected '.version' at the start of a module"},
	    {"\177ELF", "1:1: unexpected character '?', expected '.version' at the start of a module"},
	};
	CHECK_REFUSED(modules);
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

TEST(a_bad_instruction_costs_its_function_alone)
{
	static const char text[] =
	    PTX_HEAD ".visible .entry good(.param .u64 p) { .reg .b32 %r<4>; mov.u32 %r1, 5; ret; }\n"
	             ".visible .entry bad(.param .u64 p) { .reg .b32 %r<4>; .reg .f32 %f<9>;\n"
	             "mov.u32 %r1, 5;\n"
	             "tcgen05.mma.cta_group::1.kind::f16 [%r1], {%f0, %f1, %f2, %f3}, %r1, %r2, 1;\n"
	             "add.s33 %r1, {%r2, %r3}, %r4; ret; }\n";
	struct error err;
	CHECK(!ptx_parse("t.ptx", text, strlen(text), &err));
	struct ptx_module *m = ptx_parse_tolerant("t.ptx", text, strlen(text), &err);
	CHECK(m && ptx_analyze(m, true, &err));
	CHECK_EQ(m->problem_count, 2);
	CHECK(!strcmp(m->problems[0].text, "t.ptx:7:1: 'tcgen05' is not supported: "
	                                   "tensor memory and the matrix products of compute capability 10"));
	CHECK_EQ(m->problems[1].line, 8);
	const struct ptx_function *f = &m->functions[ptx_find_function(m, "bad")];
	uint32_t unsupported = 0;
	for (uint32_t i = 0; i < f->insn_count; i++)
		unsupported += m->insns[f->first_insn + i].op == PTX_unsupported;
	CHECK_EQ(unsupported, 2);
	CHECK(ptx_find_problem(m, m->problems[1].insn) == &m->problems[1]);
	ptx_module_free(m);
}

TEST_RUN_ALL(true)
