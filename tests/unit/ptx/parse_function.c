/* Heads of functions, the statements of a body, and source lines. */
#include "fixture.h"

static const struct ptx_refusal functions[] = {
    {".local .u32 x;", "4:8: .local variable outside a function, expected one inside"},
    {".param .u32 x;", "4:8: .param variable outside a function, expected one inside"},
    {".func 5", "4:7: unexpected '5', expected the name of a function"},
    {".func .attribute 5 f();", "4:18: unexpected '5', expected '(' after '.attribute'"},
    {".func .attribute(.unified(1,2) f();", "4:35: unexpected ';', expected ')'"},
    {".func .attribute(.unified(1,2)", "4:31: unexpected end of text, expected ')'"},
    {".func .attribute(~) f();", "4:18: unexpected character '~', expected ')'"},
    {".func (.param 5) f();", "4:15: unexpected '5', expected a type such as .b32"},
    {".func (.param .b32 r f();", "4:22: unexpected 'f', expected ')' after the parameters"},
    {".func f(.param .b32 r", "4:22: unexpected end of text, expected ')' after the parameters"},
    {".func f(5);", "4:9: unexpected '5', expected '.param'"},
    {".func f(.param .b8 a[2000000]);", "4:20: parameter of 2000000 bytes, expected at most 1048576"},
    {".func f(.param .b8 a[1000000], .param .b8 b[1000000]);",
     "4:7: parameters take more than 1048576 bytes, expected fewer"},
    {".func (.param .b8 a[1000000], .param .b8 b[1000000]) f();",
     "4:54: parameters take more than 1048576 bytes, expected fewer"},
    {".func f(.param .u64 .ptr .align x a);", "4:33: unexpected 'x', expected an alignment"},
    {".func f(.param .u64 .ptr .foo a);", "4:26: unexpected '.foo', expected the name of a variable"},
    {".func f(.param .u64 .ptr 5);", "4:26: unexpected '5', expected the name of a variable"},
    {".func f(.reg .b32 a);", "4:9: unexpected '.reg', expected '.param'"},
    {".func f() .pragma", "4:18: unexpected end of text, expected ';'"},
    {".func f() .attribute 5;", "4:22: unexpected '5', expected '(' after '.attribute'"},
    {".entry k() .maxntid 1, 2, 3, 4 { ret; }", "4:30: unexpected '4', expected at most three numbers"},
    {".entry k() .maxntid x { ret; }", "4:21: unexpected 'x', expected a number"},
    {".entry k() .maxnreg x { ret; }", "4:21: unexpected 'x', expected a number"},
    {".entry k() .foo { ret; }",
     "4:12: unexpected '.foo', expected a directive, ';' or '{' after the head of a function"},
    {".entry k() 5", "4:12: unexpected '5', expected a directive, ';' or '{' after the head of a function"},
    {".global .u32 f; .func f();", "4:23: 'f' is a variable, too; expected a new name"},
    {".func f(); .entry f();",
     "4:19: 'f' differs from its declaration in line 4, expected the same parameters"},
    {".func f(); .func f(.param .b32 a);",
     "4:18: 'f' differs from its declaration in line 4, expected the same parameters"},
    {".func (.param .b32 a) f(); .func f();",
     "4:34: 'f' differs from its declaration in line 4, expected the same parameters"},
    {".func (.param .b32 a) f(); .func (.param .b64 a) f();",
     "4:50: 'f' differs from its declaration in line 4, expected the same parameters"},
    {".func f(.param .b32 a, .param .b32 a);",
     "4:36: 'a' is declared twice in this scope, expected a new name"},
};

TEST(a_function_has_a_name_parameters_and_known_directives)
{
	CHECK_DECLARATIONS_REFUSED(functions);
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

static const struct ptx_refusal statements[] = {
    {"@ ret;", "6:3: undefined register 'ret', expected a predicate"},
    {"@5 ret;", "6:2: unexpected '5', expected a predicate register after '@'"},
    {"@k ret;", "6:2: 'k' guards an instruction, expected a register of type .pred"},
    {"@%p ret;", "6:2: undefined register '%p', expected a predicate"},
    {"5;", "6:1: unexpected '5', expected an instruction, a label, a declaration or '}'"},
    {")", "6:1: unexpected ')', expected an instruction, a label, a declaration or '}'"},
    {".foo 1;", "6:1: unexpected '.foo', expected a declaration or an instruction"},
    {".extern 5;", "6:9: unexpected '5', expected a declaration or an instruction"},
    {".pragma }", "6:9: unexpected '}', expected ';'"},
    {".pragma", "7:1: unexpected '}', expected ';'"},
    {".pragma \"x", "6:9: string without its end '\"x', expected '\"' on the same line"},
};

static const struct ptx_refusal source_lines[] = {
    {".loc a 1 1", "6:6: unexpected 'a', expected a file number"},
    {".loc 1 b 1", "6:8: unexpected 'b', expected a line"},
    {".loc 1 1", "7:1: unexpected '}', expected a column"},
    {".loc 1 1 1, 5", "6:13: unexpected '5', expected 'function_name' or 'inlined_at'"},
    {".loc 1 1 1, function_name 5", "6:27: unexpected '5', expected a label after 'function_name'"},
    {".loc 1 1 1, function_name a+b, inlined_at 1 1 1", "6:29: unexpected 'b', expected an offset"},
    {".loc 1 1 1, function_name a+8, inlined_at 1 1 x", "6:47: unexpected 'x', expected a column"},
    {".file a \"b\"", "6:7: unexpected 'a', expected a file number"},
    {".file 70000 \"b\"", "6:7: a file number is 70000, expected at most 65535"},
    {".file 1 b", "6:9: unexpected 'b', expected the name of a file in quotes"},
    {".file 1 \"b\", x", "6:14: unexpected 'x', expected a number"},
    {".file 1 \"b\\", "6:9: string without its end '\"b\\', expected '\"' on the same line"},
    {".file 1 \"b", "6:9: string without its end '\"b', expected '\"' on the same line"},
};

static const struct ptx_refusal tables_and_prototypes[] = {
    {"T: .branchtargets 5;", "6:19: unexpected '5', expected a label"},
    {"T: .branchtargets L, 5;", "6:22: unexpected '5', expected a label"},
    {"T: .branchtargets L L; L: ret;", "6:21: unexpected 'L', expected ';' after the labels"},
    {"L: ret; L: .branchtargets L;", "6:9: 'L' is declared twice in this scope, expected a new name"},
    {"P: .callprototype 5;", "6:19: unexpected '5', expected '_' in a call prototype"},
    {"P: .callprototype (.param .b32) _;", "6:31: unexpected ')', expected the name of a variable"},
    {"P: .callprototype (5) _;", "6:20: unexpected '5', expected '.param'"},
    {"P: .callprototype _ (.param .pred x);",
     "6:29: a variable cannot be .pred, expected a type that has bytes"},
    {"P: .callprototype _ () .foo;",
     "6:24: unexpected '.foo', expected a directive, ';' or '{' after the head of a function"},
    {"P: .callprototype _ () 5", "6:24: unexpected '5', expected ';' after a call prototype"},
    {"P: .callprototype _; P: .callprototype _;",
     "6:22: 'P' is declared twice in this scope, expected a new name"},
    {"P: .calltargets 5;", "6:17: unexpected '5', expected a function"},
    {"P: .calltargets q;", "6:17: unexpected 'q', expected a function"},
    {"P: .calltargets p;", "6:17: unexpected 'p', expected a function"},
    {"P: .calltargets k 5", "6:19: unexpected '5', expected ';' after the functions"},
    {"P: .calltargets k, k; call P;",
     "6:28: call of 'P', expected a function, or a register and a prototype"},
};

TEST(a_body_holds_instructions_labels_and_declarations)
{
	CHECK_STATEMENTS_REFUSED(statements);
	CHECK_STATEMENTS_REFUSED(source_lines);
	CHECK_STATEMENTS_REFUSED(tables_and_prototypes);
}

TEST(a_body_that_runs_off_its_end_returns)
{
	struct ptx_module *m = ptx_of(PTX_KERNEL("@%p1 bra L; exit; L:"));
	CHECK(m != NULL);
	CHECK_EQ(m->insn_count, 3);
	CHECK_EQ(m->insns[2].op, PTX_ret);
	ptx_module_free(m);
	m = ptx_of(PTX_HEAD ".entry k() {}");
	CHECK(m != NULL);
	CHECK_EQ(m->functions[0].insn_count, 1);
	ptx_module_free(m);
}

TEST(source_lines_come_from_loc)
{
	struct ptx_module *m =
	    ptx_of(PTX_KERNEL(".loc 2 7 3\nmov.u32 %r1, 1;\n"
	                      ".loc 2 9 1, function_name $L__info_string0, inlined_at 2 11 5\n"
	                      "$L__tmp1: ret;") "\n.file 2 \"a.cu\"\n.section .debug_loc { .b8 1\n }\n");
	CHECK(m != NULL);
	CHECK(m->insns[0].source_file == 2 && m->insns[0].source_line == 7);
	CHECK_EQ(m->insns[1].source_line, 9);
	CHECK(m->source_count == 3 && !m->sources[1] && !strcmp(m->sources[2], "a.cu"));
	ptx_module_free(m);
}

TEST(branch_tables_hold_instructions)
{
	struct ptx_module *m =
	    ptx_of(PTX_KERNEL("T: .branchtargets A, B, A;\nbrx.idx %r1, T;\nA: mov.u32 %r2, 1;\nB: ret;"));
	CHECK(m != NULL);
	const struct ptx_list *t = &m->tables[ptx_sources(m, &m->insns[0])[1].index];
	CHECK(t->count == 3 && t->items[0] == 1 && t->items[1] == 2 && t->items[2] == 1);
	ptx_module_free(m);
}

TEST_RUN_ALL(true)
