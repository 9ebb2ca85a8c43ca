/* Operands as they are written, and the first instruction of odd bodies. */
#include "fixture.h"

static const struct ptx_refusal operands[] = {
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

static const struct ptx_refusal numbers[] = {
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

TEST(operands_are_written_as_ptx_has_them)
{
	CHECK_STATEMENTS_REFUSED(operands);
	CHECK_STATEMENTS_REFUSED(numbers);
}

static const struct ptx_reading readings[] = {
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
	CHECK_READINGS(readings);
}

TEST(addresses_take_all_written_forms)
{
	static const struct ptx_reading rows[] = {
	    {"ld.param.u64 %rd1, [p];", "ld.param.u64 %rd1, [p]"},
	    {"ld.param.u64 %rd1, [p+0];", "ld.param.u64 %rd1, [p]"},
	    {"ld.u32 %r1, [%rd1+-4];", "ld.u32 %r1, [%rd1-4]"},
	    {"ld.u32 %r1, [%rd1-4];", "ld.u32 %r1, [%rd1-4]"},
	    {"ld.u32 %r1, [16];", "ld.u32 %r1, [16]"},
	    {"ld.u32 %r1, [n];", "ld.param.u32 %r1, [n]"},
	};
	CHECK_READINGS(rows);
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
		CHECK(ptx_refused_because(text, "too many operands, expected at most 255"));
	}
}

TEST_RUN_ALL(true)
