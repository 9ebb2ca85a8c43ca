/* Bad PTX is refused with file, line, column, what was found and what was expected. */
#include "fixture.h"

TEST(an_unknown_opcode_is_named_with_its_likely_spelling)
{
	CHECK(ptx_refused_statement("\tadx.s32 %r1, %r2, %r3;",
	                            "6:2: unknown opcode 'adx', expected perhaps 'add'"));
	CHECK(ptx_refused_statement("wxyz.load.a %r1;",
	                            "6:1: unknown opcode 'wxyz', expected an instruction of PTX"));
}

TEST(an_unknown_modifier_is_pointed_at)
{
	CHECK(ptx_refused_statement("ld.globl.u32 %r1, [%rd1];",
	                            "6:4: unknown modifier '.globl' of 'ld', expected perhaps '.global'"));
	CHECK(ptx_refused_statement(
	    "bar.sync.foo 0;", "6:10: unknown modifier '.foo' of 'bar', expected one that the opcode has"));
	CHECK(ptx_refused_statement("add..s32 %r1, %r2, %r3;",
	                            "6:5: '.' without a modifier, expected at most 16"));
}

TEST(a_type_must_be_one_that_the_opcode_has)
{
	CHECK(ptx_refused_statement("shl.f32 %f1, %f2, 3;",
	                            "6:5: type '.f32' does not go with 'shl', expected .b16 .b32 .b64"));
	CHECK(ptx_refused_statement(
	    "add.rn.s32 %r1, %r2, %r3;",
	    "6:8: '.s32' does not go with the other modifiers of 'add', expected .f32"));
	CHECK(
	    ptx_refused_statement("mul.s32 %r1, %r2, %r3;", "6:1: 'mul' lacks a modifier, expected .lo .hi"));
	CHECK(ptx_refused_statement("popc %r1, %r2;", "6:1: 'popc' lacks a type, expected .b32 .b64"));
	CHECK(ptx_refused_statement("cvt.f16.f32 %rs1, %f1;",
	                            "6:1: 'cvt' lacks a modifier, expected .rn .rz .rm .rp .rna"));
}

TEST(undefined_names_are_errors_at_their_place)
{
	CHECK(ptx_refused_statement("mov.u32 %r1, %r99;",
	                            "6:14: undefined register '%r99', expected one that is declared before"));
	CHECK(ptx_refused_statement("mov.u32 %q, 1;",
	                            "6:9: undefined register '%q', expected one that is declared before"));
	CHECK(ptx_refused_statement("mov.u64 %rd1, table;",
	                            "6:15: undefined symbol 'table', expected one that is declared before"));
	CHECK(ptx_refused_statement("@%p9 ret;", "6:2: undefined register '%p9', expected a predicate"));
	CHECK(ptx_refused_statement("ret; bra $L_nowhere;",
	                            "6:10: undefined label '$L_nowhere', expected one of this function"));
	CHECK(ptx_refused_statement("brx.idx %r1, T;",
	                            "6:14: undefined branch table 'T', expected one of this function"));
	CHECK(ptx_refused_statement("T: .branchtargets L; brx.idx %r1, T;",
	                            "6:19: undefined label 'L', expected one of this function"));
	CHECK(ptx_refused_statement("{ L: ret; } bra L;",
	                            "6:17: undefined label 'L', expected one of this function"));
	CHECK(ptx_refused_statement("call.uni f;",
	                            "6:10: undefined function 'f', expected one that is declared before"));
	CHECK(ptx_refused_statement(
	    "ld.global.u32 %r1, [x+4];",
	    "6:21: 'x' is not an address, expected a register, a variable or a number"));
}

TEST(registers_must_have_the_type_of_their_operand)
{
	CHECK(ptx_refused_statement(
	    "add.s32 %r1, %rd1, 1;",
	    "6:14: source 1 of 'add' is '%rd1' of type .b64, expected one of type .s32"));
	CHECK(ptx_refused_statement(
	    "add.f32 %r1, %fd1, %f1;",
	    "6:14: source 1 of 'add' is '%fd1' of type .f64, expected one of type .f32"));
	CHECK(
	    ptx_refused_statement("add.s32 %f1, %r1, 1;",
	                          "6:9: result 1 of 'add' is '%f1' of type .f32, expected one of type .s32"));
	CHECK(ptx_refused_statement(
	    "setp.eq.s32 %r1, %r2, 1;",
	    "6:13: result 1 of 'setp' is '%r1' of type .b32, expected one of type .pred"));
	CHECK(ptx_refused_statement(
	    "ld.u64 %r1, [%rd1];", "6:8: result 1 of 'ld' is '%r1' of type .b32, expected one of type .u64"));
	CHECK(ptx_refused_statement("@%r1 ret;",
	                            "6:2: '%r1' guards an instruction, expected a register of type .pred"));
	CHECK(ptx_refused_statement("ld.u32 %r1, [%f1];",
	                            "6:13: address in register '%f1' of type .f32, expected 32 or 64 bits"));
	CHECK(ptx_refused_statement(
	    "mov.u32 %r1, %clock64;",
	    "6:14: source 1 of 'mov' is '%clock64', expected something of the instruction's type"));
}

TEST(operands_are_counted)
{
	CHECK(ptx_refused_statement("add.s32 %r1, %r2;", "6:1: 'add' has 2 operands, expected 3"));
	CHECK(ptx_refused_statement("ret %r1;", "6:1: 'ret' has 1 operands, expected 0"));
	CHECK(ptx_refused_statement("bar.sync;", "6:1: 'bar' has 0 operands, expected 1 or 2"));
	CHECK(ptx_refused_statement("shfl.sync.idx.b32 %r1, %r2, 0, 31;",
	                            "6:1: 'shfl' has 4 operands, expected 5"));
	CHECK(ptx_refused_statement("add.s32 %r1|%r2, %r3, 1;",
	                            "6:9: 'add' cannot have '|', expected 1 result"));
	CHECK(ptx_refused_statement("ld.v2.u32 %r1, [%rd1];",
	                            "6:11: vector of 1, expected 2 elements in braces"));
	CHECK(ptx_refused_statement("ld.v4.u32 {%r1, %r2}, [%rd1];",
	                            "6:11: vector of 2, expected 4 elements in braces"));
	CHECK(ptx_refused_statement("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1}];",
	                            "6:41: 1 coordinates, expected 2"));
}

TEST(operands_must_be_of_the_right_kind)
{
	CHECK(ptx_refused_statement("add.s32 3, %r2, 1;",
	                            "6:9: result 1 of 'add' is '3', expected a register"));
	CHECK(ptx_refused_statement("ld.u32 %r1, %rd1;",
	                            "6:13: source 1 of 'ld' is '%rd1', expected an address in brackets"));
	CHECK(ptx_refused_statement("bra 5;", "6:5: source 1 of 'bra' is '5', expected a label"));
	CHECK(ptx_refused_statement("lop3.b32 %r1, %r2, %r3, %r4, %r5;",
	                            "6:30: source 4 of 'lop3' is '%r5', expected an immediate number"));
	CHECK(ptx_refused_statement("add.s32 %r1, !%r2, 1;",
	                            "6:14: '!' before something else than a predicate, expected none"));
	CHECK(ptx_refused_statement("ld.shared.u32 %r1, [n];",
	                            "6:20: 'n' is a .param variable, expected one of .shared"));
	CHECK(ptx_refused_statement(
	    "add.s32 %r1, %r2, 0f3F800000;",
	    "6:19: source 2 of 'add' is '0f3F800000', expected an integer or a register"));
	CHECK(ptx_refused_statement(
	    "add.f32 %f1, %f2, 1;",
	    "6:19: source 2 of 'add' is '1', expected a floating-point number such as 0f3F800000"));
}

TEST(immediates_must_fit)
{
	CHECK(ptx_refused_statement("add.s32 %r1, %r2, 4294967296;",
	                            "6:19: immediate is out of range, expected a value of 32 bits"));
	CHECK(ptx_refused_statement("add.s16 %rs1, %rs2, -32769;",
	                            "6:21: immediate is out of range, expected a value of 16 bits"));
	CHECK(ptx_refused_statement(
	    "mov.u64 %rd1, 18446744073709551616;",
	    "6:15: number out of range: '18446744073709551616', expected at most 64 bits"));
	CHECK(ptx_refused_statement("mov.f32 %f1, 0f3F8;",
	                            "6:14: bad number '0f3F8', expected 0f and 8 hexadecimal digits"));
	CHECK(
	    ptx_refused_statement("mov.u32 %r1, 0x;", "6:14: bad number '0x', expected digits of its base"));
}

TEST(names_are_declared_once)
{
	CHECK(ptx_refused_statement(".reg .b32 a; .reg .b32 a;",
	                            "6:24: 'a' is declared twice in this scope, expected a new name"));
	CHECK(ptx_refused_statement(".reg .b32 %r<4>;",
	                            "6:11: '%r' is declared twice in this scope, expected a new name"));
	CHECK(ptx_refused_statement("L: L: ret;",
	                            "6:4: 'L' is declared twice in this scope, expected a new name"));
	CHECK(ptx_refused(PTX_HEAD ".global .u32 x;\n.global .u32 x;\n",
	                  "t.ptx:5:14: 'x' is declared twice in this scope, expected a new name"));
	CHECK(ptx_refused(PTX_HEAD ".func f() { ret; }\n.func f() { ret; }\n",
	                  "t.ptx:5:7: 'f' is defined twice, expected one body (the first is in line 4)"));
	CHECK(ptx_refused(
	    PTX_HEAD ".func f(.param .b32 a);\n.func f(.param .b64 a) { ret; }\n",
	    "t.ptx:5:7: 'f' differs from its declaration in line 4, expected the same parameters"));
}

TEST(calls_must_fit_the_function)
{
#define CALLEE                                                                                               \
	PTX_HEAD ".func (.param .b32 r) f(.param .b64 a);\n.entry k() { .param .b32 x; .param .b64 y;\n"
	CHECK(ptx_refused(CALLEE "call (x), f, (y, y); }",
	                  "t.ptx:6:11: call of 'f' with 2 arguments, expected 1"));
	CHECK(ptx_refused(CALLEE "call f, (y); }", "t.ptx:6:6: call of 'f' with 0 results, expected 1"));
	CHECK(ptx_refused(CALLEE "call (x), f, (x); }",
	                  "t.ptx:6:15: argument 'x' of 'call' has 4 bytes, expected 8"));
	CHECK(ptx_refused(CALLEE ".reg .b64 %rd1; call (x), f, (%rd1); }",
	                  "t.ptx:6:31: argument of 'call' is '%rd1', expected a .param variable"));
	CHECK(ptx_refused(CALLEE ".reg .b64 %rd1; call (x), %rd1, (y); }",
	                  "t.ptx:6:27: call of '%rd1', expected a function, or a register and a prototype"));
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
	CHECK(ptx_refused(
	    PTX_HEAD ".entry k() {\n ret;",
	    "t.ptx:5:6: unexpected end of text, expected an instruction, a label, a declaration or '}'"));
	CHECK(ptx_refused(PTX_HEAD "/* what", "t.ptx:4:1: comment without its end '/* what', expected '*/'"));
	CHECK(ptx_refused("",
	                  "t.ptx:1:1: unexpected end of text, expected '.version' at the start of a module"));
	CHECK(
	    ptx_refused("\x7f"
	                "ELF",
	                "t.ptx:1:1: unexpected character '?', expected '.version' at the start of a module"));
}

TEST(sizes_are_bounded)
{
	CHECK(
	    ptx_refused(PTX_HEAD ".global .b8 x[2000000000000];",
	                "t.ptx:4:15: the size of an array is 2000000000000, expected at most 1099511627776"));
	CHECK(ptx_refused(PTX_HEAD ".global .u64 x[1099511627776];",
	                  "t.ptx:4:14: array is too large, expected at most 2^40 bytes"));
	CHECK(ptx_refused(PTX_HEAD ".global .u8 x[2][500000000000] = {{1}, {2}};",
	                  "t.ptx:4:41: initial values are too large, expected at most 256 MiB in a module"));
	CHECK(ptx_refused(PTX_HEAD ".global .u8 x[2] = {1, 2, 3};",
	                  "t.ptx:4:27: too many initial values, expected at most 2 bytes"));
	char deep[512] = PTX_HEAD ".entry k() ";
	for (int i = 0; i < 70; i++)
		strcat(deep, "{");
	CHECK(ptx_refused(deep, "t.ptx:4:76: '{' nested too deeply, expected at most 64 levels"));
	CHECK(
	    ptx_refused_statement(".local .b8 a[600000];",
	                          "7:1: local variables of 'k' take more than 524288 bytes, expected fewer"));
}

TEST(declarations_must_be_in_their_place)
{
	CHECK(ptx_refused(PTX_HEAD ".reg .b32 %r1;",
	                  "t.ptx:4:1: '.reg' outside a function, expected a variable or a function"));
	CHECK(ptx_refused(
	    PTX_HEAD ".shared .u32 x = 1;",
	    "t.ptx:4:16: unexpected '=', expected ';': only .global and .const variables have initial values"));
	CHECK(ptx_refused(PTX_HEAD ".global .align 3 .u32 x;",
	                  "t.ptx:4:16: alignment 3, expected a power of two"));
	CHECK(ptx_refused(".version 6.0\n.address_size 32\n",
	                  "t.ptx:2:15: unexpected '32', expected address size 64"));
	CHECK(ptx_refused(PTX_HEAD ".global .u32 x[];",
	                  "t.ptx:4:14: array without a size, expected a number between [ and ]"));
}

TEST_MAIN(TEST_ENTRY(an_unknown_opcode_is_named_with_its_likely_spelling)
              TEST_ENTRY(an_unknown_modifier_is_pointed_at) TEST_ENTRY(a_type_must_be_one_that_the_opcode_has)
                  TEST_ENTRY(undefined_names_are_errors_at_their_place)
                      TEST_ENTRY(registers_must_have_the_type_of_their_operand)
                          TEST_ENTRY(operands_are_counted) TEST_ENTRY(operands_must_be_of_the_right_kind)
                              TEST_ENTRY(immediates_must_fit) TEST_ENTRY(names_are_declared_once)
                                  TEST_ENTRY(calls_must_fit_the_function)
                                      TEST_ENTRY(truncated_text_is_refused_wherever_it_is_cut)
                                          TEST_ENTRY(truncated_text_says_where_it_ends)
                                              TEST_ENTRY(sizes_are_bounded)
                                                  TEST_ENTRY(declarations_must_be_in_their_place))
