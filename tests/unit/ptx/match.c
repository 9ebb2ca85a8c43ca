/* Operands against the form of their instruction. */
#include "fixture.h"

static const struct ptx_refusal textures[] = {
    {"tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, 5 5];",
     "6:50: unexpected '5', expected ']' after coordinates (samplers are not supported)"},
    {"tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, )];", "6:48: unexpected ')', expected an operand"},
    {"tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1];",
     "6:52: unexpected ']', expected '}' after a list of operands"},
    {"tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1}, %rd2];",
     "6:53: unexpected ',', expected ']' after coordinates (samplers are not supported)"},
    {"tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%r1, {%f1}];",
     "6:42: source 1 of 'tex' is '%r1' of type .b32, expected one of type .u64"},
    {"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %rd1}];",
     "6:54: source 1 of 'tex' is '%rd1' of type .b64, expected one of type .f32"},
    {"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2, %r1, %r2, %r3}];",
     "6:41: 5 coordinates, expected 2"},
    {"tex.a1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%rd1, %f1}];",
     "6:50: source 1 of 'tex' is '%rd1' of type .b64, expected one of type .u32"},
    {"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1];",
     "6:41: source 1 of 'tex' is '[', expected [texture, {coordinates}]"},
    {"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, %rd1;",
     "6:41: source 1 of 'tex' is '%rd1', expected [texture, {coordinates}]"},
    {"txq.width.b32 %r1, [%rd1, {%r1}];", "6:20: source 1 of 'txq' is '[', expected [texture]"},
    {"txq.width.b32 %r1, [%rd1+4];", "6:20: source 1 of 'txq' is '[', expected [texture]"},
    {"txq.width.b32 %r1, [16];", "6:20: source 1 of 'txq' is '[', expected [texture]"},
    {"txq.width.b32 %r1, %rd1;", "6:20: source 1 of 'txq' is '%rd1', expected [texture]"},
    {"suld.b.2d.b32.trap %r1, [%rd1, {%f1, %r2}];",
     "6:33: source 1 of 'suld' is '%f1' of type .f32, expected one of type .u32"},
    {"suld.b.2d.b32.trap %r1, [%rd1, {%rd1, %r2}];",
     "6:33: source 1 of 'suld' is '%rd1' of type .b64, expected one of type .u32"},
};

static const struct ptx_refusal labels[] = {
    {"bra %r1;", "6:5: source 1 of 'bra' is '%r1', expected a label"},
    {"bra _;", "6:5: source 1 of 'bra' is '_', expected a label"},
    {"bra p;", "6:5: undefined label 'p', expected one of this function"},
    {"brx.idx %r1, %r2;", "6:14: source 2 of 'brx' is '%r2', expected the label of a .branchtargets list"},
    {"brx.idx %r1, 5;", "6:14: source 2 of 'brx' is '5', expected the label of a .branchtargets list"},
    {"brx.idx %r1, L; L: ret;", "6:14: undefined branch table 'L', expected one of this function"},
    {"T: .branchtargets T; brx.idx %r1, T;", "6:19: undefined label 'T', expected one of this function"},
    {"bra T; T: .branchtargets L; L: ret;", "6:5: undefined label 'T', expected one of this function"},
};

static const struct ptx_refusal moves[] = {
    {"mov.f32 {%rs1, %rs2}, %f1;", "6:9: result 1 of 'mov' is '{', expected two or four parts of a .b value"},
    {"mov.b64 {%r1, %r2, %r3}, %rd1;",
     "6:9: result 1 of 'mov' is '{', expected two or four parts of a .b value"},
    {"mov.b64 %rd1, {%rs1, %rs2, %rs3, %r4};",
     "6:34: source 1 of 'mov' is '%r4' of type .b32, expected one of type .b16"},
    {"mov.b16 %rs1, {1, 2, 3, 4};",
     "6:15: source 1 of 'mov' is '{', expected two or four parts of a .b value"},
    {"mov.b64 {%r1, %r99}, %rd1;", "6:15: undefined register '%r99', expected one that is declared before"},
    {"mov.pred {%p1, %p2}, %p3;", "6:10: result 1 of 'mov' is '{', expected two or four parts of a .b value"},
    {"mov.b128 {%rd1, %rd2}, %rd3;",
     "6:24: source 1 of 'mov' is '%rd3' of type .b64, expected one of type .b128"},
    {"mov.u32 %r1, [%rd1];", "6:14: source 1 of 'mov' is '[', expected a register or a number"},
};

static const struct ptx_refusal values[] = {
    {"mov.u32 %r1, L;", "6:14: undefined symbol 'L', expected one that is declared before"},
    {"mov.u32 %r1, !%r2;", "6:14: '!' before something else than a predicate, expected none"},
    {"mov.pred %p1, !1;", "6:15: '!' before something else than a predicate, expected none"},
    {"mov.pred !%p1, %p2;", "6:10: result 1 of 'mov' is '!', expected a register"},
    {"mov.f32 %f1, p;", "6:14: source 1 of 'mov' is 'p', expected a value; an address has 32 or 64 bits"},
    {"mov.u16 %rs1, k;", "6:15: source 1 of 'mov' is 'k', expected a value; an address has 32 or 64 bits"},
    {"mov.u32 %r1, _;", "6:14: source 1 of 'mov' is '_', expected a register or a number"},
    {"mov.u32 %r1, %is_explicit_cluster;",
     "6:14: source 1 of 'mov' is '%is_explicit_cluster', expected something of the instruction's type"},
    {"mov.f32 %f1, %tid.x;",
     "6:14: source 1 of 'mov' is '%tid.x', expected something of the instruction's type"},
    {"mov.u16 %rs1, 0f3F800000;",
     "6:15: source 1 of 'mov' is '0f3F800000', expected an integer or a register"},
    {"mov.u64 %rd1, 0d3FF0000000000000;",
     "6:15: source 1 of 'mov' is '0d3FF0000000000000', expected an integer or a register"},
    {"mov.b16 %rs1, 1.5;", "6:15: source 1 of 'mov' is '1.5', expected an integer or a register"},
    {"mov.f16 %rs1, 1.5;", "6:15: source 1 of 'mov' is '1.5', expected an integer or a register"},
    {"st.u8 [%rd1], 65536;", "6:15: immediate is out of range, expected a value of 8 bits"},
    {"st.f32 [%rd1], 1;",
     "6:16: source 2 of 'st' is '1', expected a floating-point number such as 0f3F800000"},
    {"st.u8 [%rd1], %f1;", "6:15: source 2 of 'st' is '%f1' of type .f32, expected one of type .u8"},
    {"ld.f32 %fd1, [%rd1];", "6:8: result 1 of 'ld' is '%fd1' of type .f64, expected one of type .f32"},
    {"shfl.sync.idx.b32 %r1|%r2, %r3, 0, 31, -1;",
     "6:23: result 2 of 'shfl' is '%r2' of type .b32, expected one of type .pred"},
    {"setp.eq.s32 %p1|%p2|%p3, %r1, %r2;", "6:20: unexpected '|', expected ';' after an instruction"},
    {"match.all.sync.b32;", "6:1: 'match' has 0 operands, expected 3"},
};

static const struct ptx_refusal matrices_and_addresses[] = {
    {"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2}, [%rd1];",
     "6:42: 2 registers for a matrix of 'ldmatrix', expected 4"},
    {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r1,%rd2}, %r3, {%f1,%f2,%f3,%r4};",
     "6:74: source 1 of 'mma' is '%rd2' of type .b64, expected one of type .b32"},
    {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%rd4}, {%r1,%f2}, %r3, {%f1,%f2,%f3,%r4};",
     "6:63: result 1 of 'mma' is '%rd4' of type .b64, expected one of type .f32"},
    {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 %f1, {%r1,%f2}, %r3, {%f1,%f2,%f3,%r4};",
     "6:50: 1 registers for a matrix of 'mma', expected 4"},
    {"cvta.to.global.u64 %rd1, %f1;",
     "6:26: source 1 of 'cvta' is '%f1' of type .f32, expected one of type .u64"},
    {"cvta.to.global.u64 %rd1, %p1;",
     "6:26: source 1 of 'cvta' is '%p1' of type .pred, expected one of type .u64"},
    {"isspacep.shared %p1, %rs1;", "6:22: address in register '%rs1' of type .b16, expected 32 or 64 bits"},
    {"cvta.to.global.u64 %rd1, %rs1;",
     "6:26: source 1 of 'cvta' is '%rs1' of type .b16, expected one of type .u64"},
};

TEST(operands_fit_their_instruction)
{
	CHECK_STATEMENTS_REFUSED(textures);
	CHECK_STATEMENTS_REFUSED(labels);
	CHECK_STATEMENTS_REFUSED(moves);
	CHECK_STATEMENTS_REFUSED(values);
	CHECK_STATEMENTS_REFUSED(matrices_and_addresses);
}

TEST(undefined_names_are_errors_at_their_place)
{
	static const struct ptx_refusal statements[] = {
	    {"mov.u32 %r1, %r99;", "6:14: undefined register '%r99', expected one that is declared before"},
	    {"mov.u32 %q, 1;", "6:9: undefined register '%q', expected one that is declared before"},
	    {"mov.u64 %rd1, table;", "6:15: undefined symbol 'table', expected one that is declared before"},
	    {"@%p9 ret;", "6:2: undefined register '%p9', expected a predicate"},
	    {"ret; bra $L_nowhere;", "6:10: undefined label '$L_nowhere', expected one of this function"},
	    {"brx.idx %r1, T;", "6:14: undefined branch table 'T', expected one of this function"},
	    {"T: .branchtargets L; brx.idx %r1, T;",
	     "6:19: undefined label 'L', expected one of this function"},
	    {"{ L: ret; } bra L;", "6:17: undefined label 'L', expected one of this function"},
	    {"call.uni f;", "6:10: undefined function 'f', expected one that is declared before"},
	    {"ld.global.u32 %r1, [x+4];",
	     "6:21: 'x' is not an address, expected a register, a variable or a number"},
	};
	CHECK_STATEMENTS_REFUSED(statements);
}

TEST(registers_must_have_the_type_of_their_operand)
{
	static const struct ptx_refusal statements[] = {
	    {"add.s32 %r1, %rd1, 1;",
	     "6:14: source 1 of 'add' is '%rd1' of type .b64, expected one of type .s32"},
	    {"add.f32 %r1, %fd1, %f1;",
	     "6:14: source 1 of 'add' is '%fd1' of type .f64, expected one of type .f32"},
	    {"add.s32 %f1, %r1, 1;",
	     "6:9: result 1 of 'add' is '%f1' of type .f32, expected one of type .s32"},
	    {"setp.eq.s32 %r1, %r2, 1;",
	     "6:13: result 1 of 'setp' is '%r1' of type .b32, expected one of type .pred"},
	    {"ld.u64 %r1, [%rd1];", "6:8: result 1 of 'ld' is '%r1' of type .b32, expected one of type .u64"},
	    {"@%r1 ret;", "6:2: '%r1' guards an instruction, expected a register of type .pred"},
	    {"ld.u32 %r1, [%f1];", "6:13: address in register '%f1' of type .f32, expected 32 or 64 bits"},
	    {"mov.u32 %r1, %clock64;",
	     "6:14: source 1 of 'mov' is '%clock64', expected something of the instruction's type"},
	};
	CHECK_STATEMENTS_REFUSED(statements);
}

TEST(operands_are_counted)
{
	static const struct ptx_refusal statements[] = {
	    {"add.s32 %r1, %r2;", "6:1: 'add' has 2 operands, expected 3"},
	    {"ret %r1;", "6:1: 'ret' has 1 operands, expected 0"},
	    {"bar.sync;", "6:1: 'bar' has 0 operands, expected 1 or 2"},
	    {"shfl.sync.idx.b32 %r1, %r2, 0, 31;", "6:1: 'shfl' has 4 operands, expected 5"},
	    {"add.s32 %r1|%r2, %r3, 1;", "6:9: 'add' cannot have '|', expected 1 result"},
	    {"ld.v2.u32 %r1, [%rd1];", "6:11: vector of 1, expected 2 elements in braces"},
	    {"ld.v4.u32 {%r1, %r2}, [%rd1];", "6:11: vector of 2, expected 4 elements in braces"},
	    {"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1}];", "6:41: 1 coordinates, expected 2"},
	};
	CHECK_STATEMENTS_REFUSED(statements);
}

TEST(operands_must_be_of_the_right_kind)
{
	static const struct ptx_refusal statements[] = {
	    {"add.s32 3, %r2, 1;", "6:9: result 1 of 'add' is '3', expected a register"},
	    {"ld.u32 %r1, %rd1;", "6:13: source 1 of 'ld' is '%rd1', expected an address in brackets"},
	    {"bra 5;", "6:5: source 1 of 'bra' is '5', expected a label"},
	    {"lop3.b32 %r1, %r2, %r3, %r4, %r5;",
	     "6:30: source 4 of 'lop3' is '%r5', expected an immediate number"},
	    {"add.s32 %r1, !%r2, 1;", "6:14: '!' before something else than a predicate, expected none"},
	    {"ld.shared.u32 %r1, [n];", "6:20: 'n' is a .param variable, expected one of .shared"},
	    {"add.s32 %r1, %r2, 0f3F800000;",
	     "6:19: source 2 of 'add' is '0f3F800000', expected an integer or a register"},
	    {"add.f32 %f1, %f2, 1;",
	     "6:19: source 2 of 'add' is '1', expected a floating-point number such as 0f3F800000"},
	};
	CHECK_STATEMENTS_REFUSED(statements);
}

TEST(immediates_must_fit)
{
	static const struct ptx_refusal statements[] = {
	    {"add.s32 %r1, %r2, 4294967296;", "6:19: immediate is out of range, expected a value of 32 bits"},
	    {"add.s16 %rs1, %rs2, -32769;", "6:21: immediate is out of range, expected a value of 16 bits"},
	    {"mov.u64 %rd1, 18446744073709551616;",
	     "6:15: number out of range: '18446744073709551616', expected at most 64 bits"},
	    {"mov.f32 %f1, 0f3F8;", "6:14: bad number '0f3F8', expected 0f and 8 hexadecimal digits"},
	    {"mov.u32 %r1, 0x;", "6:14: bad number '0x', expected digits of its base"},
	};
	CHECK_STATEMENTS_REFUSED(statements);
}

TEST(immediates_have_the_bits_of_their_type)
{
	static const struct ptx_reading rows[] = {
	    {"add.s32 %r1, %r2, -1;", "add.s32 %r1, %r2, 0xffffffff"},
	    {"add.s16 %rs1, %rs2, -1;", "add.s16 %rs1, %rs2, 0xffff"},
	    {"add.s64 %rd1, %rd2, -1;", "add.s64 %rd1, %rd2, 0xffffffffffffffff"},
	    {"add.f32 %f1, %f2, 0f3F800000;", "add.f32 %f1, %f2, 0x3f800000"},
	    {"add.f64 %fd1, %fd2, 1.5;", "add.f64 %fd1, %fd2, 0x3ff8000000000000"},
	    {"add.f32 %f1, %f2, 1.5;", "add.f32 %f1, %f2, 0x3fc00000"},
	    {"mov.f32 %f1, -1.5;", "mov.f32 %f1, 0xbfc00000"},
	    {"mov.u32 %r1, 017;", "mov.u32 %r1, 15"},
	    {"mov.u32 %r1, 0b101;", "mov.u32 %r1, 5"},
	    {"mov.u64 %rd1, 0xFFFFFFFFFFFFFFFFU;", "mov.u64 %rd1, 0xffffffffffffffff"},
	};
	CHECK_READINGS(rows);
}

TEST(a_matrix_has_as_many_registers_as_its_shape_takes)
{
	static const struct ptx_refusal statements[] = {
	    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2}, {%r4,%r5}, {%f4,%f5,%f6,%f7};",
	     "6:70: 3 registers for a matrix of 'mma', expected 4"},
	    {"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r0,%r1}, [%r2];",
	     "6:42: 2 registers for a matrix of 'ldmatrix', expected 4"},
	    {"mma.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, {%r4,%r5}, {%f4,%f5,%f6,%f7};",
	     "6:39: '.tf32' does not go with the other modifiers of 'mma', expected .f16 .f32"},
	};
	CHECK_STATEMENTS_REFUSED(statements);
}

TEST(a_mov_has_one_result_and_one_source)
{
	CHECK(ptx_refused_because("mov.u32;", "wrong number of operands of 'mov', expected 2"));
	CHECK(ptx_refused_because("mov.u32 %r1;", "wrong number of operands of 'mov', expected 2"));
	CHECK(ptx_refused_because("mov.u32 %r1, %r2, %r3;", "wrong number of operands of 'mov', expected 2"));
	CHECK(ptx_refused_because("mov.b64 {%r1, %r2};", "wrong number of operands of 'mov', expected 2"));
	CHECK(ptx_refused_because("mov.b64 {%r1, %r2}, {%r3, %r4};", "expected one value to be unpacked"));
}

#define WRONG_CALL                                                                                           \
	"wrong operands of 'call', expected (results), function, (arguments) and, if indirect, a declared prototype"
static const struct ptx_refusal calls[] = {
    {"call;", "6:1: " WRONG_CALL},
    {"call (%r1);", "6:1: " WRONG_CALL},
    {"call 5;", "6:6: call of '5', expected a function, or a register and a prototype"},
    {"call (p), (p);", "6:11: " WRONG_CALL},
    {"call p;", "6:6: call of 'p', expected a function, or a register and a prototype"},
    {"call k+4;", "6:6: call of 'k', expected a function, or a register and a prototype"},
    {"call k, 5;", "6:9: " WRONG_CALL},
    {"call k, (), P; P: .callprototype _;", "6:13: " WRONG_CALL},
    {"P: .callprototype _; call k, (), P;",
     "6:27: call of 'k', expected a function, or a register and a prototype"},
    {"P: .callprototype _; call %r1, (), P;", "6:27: call through '%r1', expected a register of 64 bits"},
    {"P: .callprototype _; call P;", "6:27: call of 'P', expected a function, or a register and a prototype"},
    {"P: .callprototype _; call %rd1, (p), P;", "6:27: call of '%rd1' with 1 arguments, expected 0"},
    {"P: .callprototype _; call (p), %rd1, (), P;", "6:32: call of '%rd1' with 1 results, expected 0"},
    {"P: .callprototype _ (.param .b64 _); call %rd1, (p+8), P;",
     "6:50: argument of 'call' is 'p', expected a .param variable"},
    {"P: .callprototype _ (.param .b64 _); call %rd1, (n), P;",
     "6:50: argument 'n' of 'call' has 4 bytes, expected 8"},
    {"P: .callprototype (.param .b64 _) _; call (n), %rd1, (), P;",
     "6:44: result 'n' of 'call' has 4 bytes, expected 8"},
    {".shared .b64 s; P: .callprototype _ (.param .b64 _); call %rd1, (s), P;",
     "6:66: argument of 'call' is 's', expected a .param variable"},
};

TEST(a_call_fits_its_function_or_prototype)
{
	CHECK_STATEMENTS_REFUSED(calls);
}

#define CALLEE                                                                                               \
	PTX_HEAD ".func (.param .b32 r) f(.param .b64 a);\n.entry k() { .param .b32 x; .param .b64 y;\n"

TEST(calls_must_fit_the_function)
{
	static const struct ptx_refusal modules[] = {
	    {CALLEE "call (x), f, (y, y); }", "6:11: call of 'f' with 2 arguments, expected 1"},
	    {CALLEE "call f, (y); }", "6:6: call of 'f' with 0 results, expected 1"},
	    {CALLEE "call (x), f, (x); }", "6:15: argument 'x' of 'call' has 4 bytes, expected 8"},
	    {CALLEE ".reg .b64 %rd1; call (x), f, (%rd1); }",
	     "6:31: argument of 'call' is '%rd1', expected a .param variable"},
	    {CALLEE ".reg .b64 %rd1; call (x), %rd1, (y); }",
	     "6:27: call of '%rd1', expected a function, or a register and a prototype"},
	};
	CHECK_REFUSED(modules);
}

TEST(calls_have_results_target_arguments_and_prototype)
{
	struct ptx_module *m = ptx_of(
	    PTX_HEAD
	    ".func (.param .b32 r) f(.param .b64 a, .param .b32 b);\n"
	    ".entry k() { .reg .b64 %rd<2>; mov.u64 %rd1, f; { .param .b64 a; .param .b32 b; .param .b32 c;\n"
	    "call.uni (c), f, (a, b);\n"
	    "proto : .callprototype (.param .b32 _) _ (.param .b64 _, .param .b32 _);\n"
	    "call (c), %rd1, (a, b), proto; } }");
	CHECK(m != NULL);
	const struct ptx_insn *direct = &m->insns[1], *indirect = &m->insns[2];
	CHECK(direct->result_count == 1 && direct->source_count == 3);
	CHECK_EQ(ptx_sources(m, direct)[0].kind, PTX_FUNCTION);
	CHECK_EQ(ptx_sources(m, direct)[1].kind, PTX_SYMBOL);
	CHECK(indirect->result_count == 1 && indirect->source_count == 4);
	CHECK_EQ(ptx_sources(m, indirect)[0].kind, PTX_REG);
	CHECK_EQ(ptx_sources(m, indirect)[3].kind, PTX_PROTOTYPE);
	CHECK(m->prototypes[0].bytes[0] == 4 && m->prototypes[0].bytes[1] == 8 &&
	      m->prototypes[0].bytes[2] == 4);
	CHECK(m->functions[0].is_extern);
	ptx_module_free(m);
}

TEST_RUN_ALL(true)
