/* Statements of a kernel that are refused, with the place and what was expected: one row per mistake. */
#include "fixture.h"

struct row {
	const char *statement, *message; /* in line 6 of t.ptx */
};

static const struct row statements[] = {
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

static const struct row source_lines[] = {
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

static const struct row tables_and_prototypes[] = {
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

static const struct row registers[] = {
    {".reg 5;", "6:6: unexpected '5', expected a type such as .b32"},
    {".reg .v2 .b32 a;",
     "6:6: unexpected '.v2', expected a scalar register type; vector registers are not supported"},
    {".reg .v4 .b32 a;",
     "6:6: unexpected '.v4', expected a scalar register type; vector registers are not supported"},
    {".reg .tf32 a;", "6:6: unexpected '.tf32', expected a type such as .b32"},
    {".reg .b32 5;", "6:11: unexpected '5', expected the name of a register"},
    {".reg .b32 %a.b;", "6:11: unexpected '%a.b', expected a register name without '.'"},
    {".reg .b32 a<b>;", "6:13: unexpected 'b', expected a number of registers"},
    {".reg .b32 a<4;", "6:14: unexpected ';', expected '>' after the number"},
    {".reg .b32 a b;", "6:13: unexpected 'b', expected ';' after the registers"},
    {".reg .b32 a<4>; mov.u32 a03, 1;", "6:25: undefined symbol 'a03', expected one that is declared before"},
    {".reg .b32 a<4>; mov.u32 a4, 1;", "6:25: undefined symbol 'a4', expected one that is declared before"},
    {"mov.u32 %r, 1;", "6:9: undefined register '%r', expected one that is declared before"},
    {"mov.u32 %r12345678901, 1;",
     "6:9: undefined register '%r12345678901', expected one that is declared before"},
};

static const struct row variables[] = {
    {".local .pred q;", "6:8: a variable cannot be .pred, expected a type that has bytes"},
    {".local .attribute 5 .b8 q;", "6:19: unexpected '5', expected '(' after '.attribute'"},
    {".local .attribute(.managed .b8 q;", "6:33: unexpected ';', expected ')'"},
    {".local .align x .b8 q;", "6:15: unexpected 'x', expected an alignment"},
    {".local .align 131072 .b8 q;", "6:15: an alignment is 131072, expected at most 65536"},
    {".local .b8 5;", "6:12: unexpected '5', expected the name of a variable"},
    {".local .b8 q[4;", "6:15: unexpected ';', expected ']' after the size of an array"},
    {".local .b8 q[1][1][1][1][1][1][1][1][1];", "6:37: too many dimensions, expected at most 8"},
    {".local .b8 q[1][];", "6:17: unexpected ']', expected the size of an array"},
    {".local .b8 q 5", "6:14: unexpected '5', expected ';' after a variable"},
    {".const .b8 q = 5", "7:1: unexpected '}', expected ';' after a variable"},
};

static const struct row operands[] = {
    {"add.s32 %r1, -%r2, 1;", "6:15: unexpected '%r2', expected a number after '-'"},
    {"add.s32 %r1, , 1;", "6:14: unexpected ',', expected an operand"},
    {"add.s32 %r1, %r2, 1", "7:1: unexpected '}', expected ';' after an instruction"},
    {"add.s32 %r1 %r2;", "6:13: unexpected '%r2', expected ';' after an instruction"},
    {"add.s32 %r1|;", "6:13: unexpected ';', expected an operand"},
    {"ld.u32 %r1, [%rd1+x];", "6:19: unexpected 'x', expected a distance in bytes"},
    {"ld.u32 %r1, [n+x];", "6:16: unexpected 'x', expected a distance in bytes"},
    {"ld.u32 %r1, [%rd1;", "6:18: unexpected ';', expected ']' after an address"},
    {"ld.u32 %r1, [];", "6:14: unexpected ']', expected an operand"},
    {"ld.u32 %r1, [%rs1];", "6:13: address in register '%rs1' of type .b16, expected 32 or 64 bits"},
    {"ld.u32 %r1, [%p1];", "6:13: address in register '%p1' of type .pred, expected 32 or 64 bits"},
    {"ld.u32 {}, [%rd1];", "6:8: vector of 0, expected 1 elements"},
    {"ld.u32 {%r1, %r2}, [%rd1];", "6:8: vector of 2, expected 1 elements"},
    {"ld.v2.u32 {%r1 %r2}, [%rd1];", "6:16: unexpected '%r2', expected '}' after a list of operands"},
    {"ld.v2.u32 {%r1, 5}, [%rd1];", "6:17: result 1 of 'ld' is '5', expected a register"},
    {"st.v2.u32 [%rd1], {%r1, %f1};",
     "6:25: source 2 of 'st' is '%f1' of type .f32, expected one of type .u32"},
    {"st.v2.u32 [%rd1], {%r1, };", "6:25: unexpected '}', expected an operand"},
};

static const struct row textures[] = {
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

static const struct row labels[] = {
    {"bra %r1;", "6:5: source 1 of 'bra' is '%r1', expected a label"},
    {"bra _;", "6:5: source 1 of 'bra' is '_', expected a label"},
    {"bra p;", "6:5: undefined label 'p', expected one of this function"},
    {"brx.idx %r1, %r2;", "6:14: source 2 of 'brx' is '%r2', expected the label of a .branchtargets list"},
    {"brx.idx %r1, 5;", "6:14: source 2 of 'brx' is '5', expected the label of a .branchtargets list"},
    {"brx.idx %r1, L; L: ret;", "6:14: undefined branch table 'L', expected one of this function"},
    {"T: .branchtargets T; brx.idx %r1, T;", "6:19: undefined label 'T', expected one of this function"},
    {"bra T; T: .branchtargets L; L: ret;", "6:5: undefined label 'T', expected one of this function"},
};

static const struct row moves[] = {
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

static const struct row values[] = {
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

static const struct row calls[] = {
    {"call;",
     "6:1: wrong operands of 'call', expected (results), function, (arguments) and, if indirect, a declared prototype"},
    {"call (%r1);",
     "6:1: wrong operands of 'call', expected (results), function, (arguments) and, if indirect, a declared prototype"},
    {"call 5;", "6:6: call of '5', expected a function, or a register and a prototype"},
    {"call (p), (p);",
     "6:11: wrong operands of 'call', expected (results), function, (arguments) and, if indirect, a declared prototype"},
    {"call p;", "6:6: call of 'p', expected a function, or a register and a prototype"},
    {"call k+4;", "6:6: call of 'k', expected a function, or a register and a prototype"},
    {"call k, 5;",
     "6:9: wrong operands of 'call', expected (results), function, (arguments) and, if indirect, a declared prototype"},
    {"call k, (), P; P: .callprototype _;",
     "6:13: wrong operands of 'call', expected (results), function, (arguments) and, if indirect, a declared prototype"},
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

static const struct row matrices_and_addresses[] = {
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

static const struct row numbers[] = {
    {"mov.u32 %r1, %;", "6:14: no name after '%', expected the name of a register"},
    {"mov.u32 %r1, 08;", "6:14: bad number '0', expected digits of its base"},
    {"mov.u32 %r1, 5x;", "6:14: bad number '5', expected digits of its base"},
    {"mov.u32 %r1, 0b2;", "6:14: bad number '0b', expected digits of its base"},
    {"mov.u32 %r1, 0xG;", "6:14: bad number '0x', expected digits of its base"},
    {"mov.f32 %f1, 1.5e;", "6:14: bad number '1.5e', expected a decimal fraction of at most 63 characters"},
    {"mov.f32 %f1, 1.5e+;", "6:14: bad number '1.5e+', expected a decimal fraction of at most 63 characters"},
    {"mov.f32 %f1, 1.5x;", "6:14: bad number '1.5', expected a decimal fraction of at most 63 characters"},
    {"mov.f32 %f1, 1.0000000000000000000000000000000000000000000000000000000000000000;",
     "6:14: bad number '1.000000000000000000000000000000000000000000000000000000...', expected a decimal fraction of at most 63 characters"},
    {"mov.f32 %f1, 0f3F8000001;", "6:14: bad number '0f3F8000001', expected 0f and 8 hexadecimal digits"},
    {"mov.f32 %f1, 0f3F80000Z;", "6:14: bad number '0f3F80000', expected 0f and 8 hexadecimal digits"},
    {"mov.f64 %fd1, 0d3F8;", "6:15: bad number '0d3F8', expected 0d and 16 hexadecimal digits"},
    {"mov.f64 %fd1, 0d3FF00000000000000;",
     "6:15: bad number '0d3FF0000000000000', expected 0d and 16 hexadecimal digits"},
    {"mov.u32 %r1, 1 / 2;", "6:16: unexpected character '/', expected ';' after an instruction"},
    {"mov.u32 %r1, /* * / */ 1; /",
     "6:27: unexpected character '/', expected an instruction, a label, a declaration or '}'"},
    {"mov.u32 %r1, \"str\";", "6:14: unexpected \"str\", expected an operand"},
    {"mov.u32 %r1, aVeryLongNameThatIsLongerThanWhatAMessageShowsOfItButLegal;",
     "6:14: undefined symbol 'aVeryLongNameThatIsLongerThanWhatAMessageShowsOfItButLeg...', expected one that is declared before"},
};

static const struct row opcodes[] = {
    {"mov.u32 %r1, ~1;", "6:14: unexpected character '~', expected an operand"},
    {"add.s32.s32.s32.s32.s32.s32.s32.s32.s32.s32.s32.s32.s32.s32.s32.s32.s32 %r1, %r2, %r3;",
     "6:69: too many modifiers, expected at most 16"},
    {"ld.shared:.u32 %r1, [%rd1];",
     "6:1: 'ld' lacks a type, expected .b8 .u8 .s8 .b128 .f32 .f64 .b16 .b32 .b64 .u16 .u32 .u64 .s16 .s32 .s64"},
    {"ld.shared::.u32 %r1, [%rd1];",
     "6:1: 'ld' lacks a type, expected .b8 .u8 .s8 .b128 .f32 .f64 .b16 .b32 .b64 .u16 .u32 .u64 .s16 .s32 .s64"},
    {"bar.sync.s32 0;", "6:10: type '.s32' does not go with 'bar', expected .u32 .pred"},
    {"ret.s32;", "6:5: type '.s32' does not go with 'ret', expected no type"},
    {"add %r1, %r2, %r3;",
     "6:1: 'add' lacks a type, expected .s32 .u32 .u64 .s64 .u16 .s16 .u16x2 .s16x2 .f32 .f64 .f16 .f16x2 .bf16 .bf16x2"},
    {"add.rn %r1, %r2, %r3;",
     "6:1: 'add' lacks a type, expected .s32 .u32 .u64 .s64 .u16 .s16 .u16x2 .s16x2 .f32 .f64 .f16 .f16x2 .bf16 .bf16x2"},
};

/* Whether each row's statement is refused with its message; all that are not are shown. */
static bool all_refused(const struct row *rows, size_t count)
{
	bool ok = true;
	for (size_t i = 0; i < count; i++) {
		if (!ptx_refused_statement(rows[i].statement, rows[i].message)) {
			printf("# of: %s\n", rows[i].statement);
			ok = false;
		}
	}
	return ok;
}
#define ALL_REFUSED(rows) CHECK(all_refused(rows, sizeof(rows) / sizeof *(rows)))

TEST(a_body_holds_instructions_labels_and_declarations)
{
	ALL_REFUSED(statements);
	ALL_REFUSED(source_lines);
	ALL_REFUSED(opcodes);
}

TEST(declarations_in_a_body_are_whole)
{
	ALL_REFUSED(tables_and_prototypes);
	ALL_REFUSED(registers);
	ALL_REFUSED(variables);
}

TEST(operands_are_written_as_ptx_has_them)
{
	ALL_REFUSED(operands);
	ALL_REFUSED(numbers);
}

TEST(operands_fit_their_instruction)
{
	ALL_REFUSED(textures);
	ALL_REFUSED(labels);
	ALL_REFUSED(moves);
	ALL_REFUSED(values);
	ALL_REFUSED(matrices_and_addresses);
}

TEST(a_call_fits_its_function_or_prototype)
{
	ALL_REFUSED(calls);
}

/* Whether a statement is refused for this reason, wherever the message points. */
static bool refused_because(const char *statement, const char *reason)
{
	char text[4096];
	struct error err = {""};
	snprintf(text, sizeof text, "%s%s\n}\n", PTX_KERNEL_HEAD, statement);
	struct ptx_module *m = ptx_parse("t.ptx", text, strlen(text), &err);
	ptx_module_free(m);
	if (!m && strstr(err.text, reason))
		return true;
	printf("# %s: %s\n", statement, m ? "no error" : err.text);
	return false;
}

TEST(a_mov_has_one_result_and_one_source)
{
	CHECK(refused_because("mov.u32;", "wrong number of operands of 'mov', expected 2"));
	CHECK(refused_because("mov.u32 %r1;", "wrong number of operands of 'mov', expected 2"));
	CHECK(refused_because("mov.u32 %r1, %r2, %r3;", "wrong number of operands of 'mov', expected 2"));
	CHECK(refused_because("mov.b64 {%r1, %r2};", "wrong number of operands of 'mov', expected 2"));
	CHECK(refused_because("mov.b64 {%r1, %r2}, {%r3, %r4};", "expected one value to be unpacked"));
}

/* An instruction has at most 255 operands, wherever the one too many stands. */
TEST(operands_are_bounded)
{
	static const char *const ends[] = {"%r1", "[%rd1]", "{%r1}", "[%rd1, {%r1}]"};
	for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
		char text[2048] = "add.s32 ";
		for (unsigned i = 0; i < 255; i++)
			strcat(text, "%r1, ");
		strcat(strcat(text, ends[k]), ";");
		CHECK(refused_because(text, "too many operands, expected at most 255"));
	}
}

TEST_MAIN(TEST_ENTRY(a_body_holds_instructions_labels_and_declarations)
              TEST_ENTRY(declarations_in_a_body_are_whole) TEST_ENTRY(operands_are_written_as_ptx_has_them)
                  TEST_ENTRY(operands_fit_their_instruction) TEST_ENTRY(a_call_fits_its_function_or_prototype)
                      TEST_ENTRY(a_mov_has_one_result_and_one_source) TEST_ENTRY(operands_are_bounded))
