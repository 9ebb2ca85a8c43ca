/* Registers, variables, parameters and initial values. */
#include "fixture.h"

static const struct ptx_refusal registers[] = {
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

static const struct ptx_refusal variables[] = {
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

TEST(registers_and_variables_in_a_body_are_whole)
{
	CHECK_STATEMENTS_REFUSED(registers);
	CHECK_STATEMENTS_REFUSED(variables);
}

TEST(declarations_must_be_in_their_place)
{
	static const struct ptx_refusal modules[] = {
	    {PTX_HEAD ".reg .b32 %r1;", "4:1: '.reg' outside a function, expected a variable or a function"},
	    {PTX_HEAD ".shared .u32 x = 1;",
	     "4:16: unexpected '=', expected ';': only .global and .const variables have initial values"},
	    {PTX_HEAD ".global .align 3 .u32 x;", "4:16: alignment 3, expected a power of two"},
	    {".version 6.0\n.address_size 32\n", "2:15: unexpected '32', expected address size 64"},
	    {PTX_HEAD ".global .u32 x[];", "4:14: array without a size, expected a number between [ and ]"},
	};
	CHECK_REFUSED(modules);
}

TEST(sizes_are_bounded)
{
	static const struct ptx_refusal statements[] = {
	    {".local .b8 a[600000];",
	     "7:1: local variables of 'k' take more than 524288 bytes, expected fewer"},
	};
	static const struct ptx_refusal modules[] = {
	    {".global .b8 x[2000000000000];",
	     "4:15: the size of an array is 2000000000000, expected at most 1099511627776"},
	    {".global .u64 x[1099511627776];", "4:14: array is too large, expected at most 2^40 bytes"},
	    {".global .u8 x[2][500000000000] = {{1}, {2}};",
	     "4:41: initial values are too large, expected at most 256 MiB in a module"},
	    {".global .u8 x[2] = {1, 2, 3};", "4:27: too many initial values, expected at most 2 bytes"},
	};
	char deep[512] = PTX_HEAD ".entry k() ";
	for (int i = 0; i < 70; i++)
		strcat(deep, "{");
	const struct ptx_refusal nested[] = {
	    {deep, "4:76: '{' nested too deeply, expected at most 64 levels"}};
	CHECK_REFUSED(nested);
	CHECK_STATEMENTS_REFUSED(statements);
	CHECK_DECLARATIONS_REFUSED(modules);
}

static const struct ptx_refusal initial_values[] = {
    {".global .f32 x = 1;", "4:18: integer as initial value of a .f32, expected 0f..., 0d... or a fraction"},
    {".global .f64 x = {1};",
     "4:19: integer as initial value of a .f64, expected 0f..., 0d... or a fraction"},
    {".global .f16 x = 1.5;", "4:18: floating-point initial value of a .f16, expected an integer"},
    {".global .u8 x = 256;", "4:17: initial value does not fit, expected one of 8 bits"},
    {".global .u8 x = -129;", "4:18: initial value does not fit, expected one of 8 bits"},
    {".global .u16 x = 1.5;", "4:18: floating-point initial value of a .u16, expected an integer"},
    {".global .f32 x = ;", "4:18: unexpected ';', expected an initial value: a number or a name"},
    {".global .f32 x = -y;", "4:19: unexpected 'y', expected an initial value: a number or a name"},
    {".global .u64 x = y;", "4:18: undefined symbol 'y', expected a variable or function"},
    {".global .u32 y; .global .u64 x = y+z;", "4:36: unexpected 'z', expected a distance in bytes"},
    {".global .u32 y; .global .u64 x = generic(y;", "4:43: unexpected ';', expected ')' after generic(name"},
    {".global .u32 y; .global .u64 x = generic(5);",
     "4:42: unexpected '5', expected the name of a variable or function"},
    {".global .u32 y; .global .u64 x = generic(z);",
     "4:42: undefined symbol 'z', expected a variable or function"},
    {".global .u32 y; .global .u64 x = generic(generic(y));",
     "4:42: undefined symbol 'generic', expected a variable or function"},
    {".global .u32 y; .global .u64 x = generic(y)+z;", "4:45: unexpected 'z', expected a distance in bytes"},
    {".global .u32 y; .global .u16 x = y;",
     "4:34: address as initial value of a .u16, expected one of 32 or 64 bits"},
    {".global .u32 y; .global .u64 x[1] = {y, y};",
     "4:41: too many initial values, expected at most 8 bytes"},
    {".global .u32 y; .global .b8 x[2] = {0xFF(y), 0xFF00(y)};",
     "4:56: address of 2 bytes in the initial value, expected 4 or 8"},
    {".global .u32 y; .global .b8 x[2] = {0xFF00(y)};",
     "4:37: part of an address out of order, expected 0xff(name), 0xff00(name) ..."},
    {".global .u32 y, z; .global .b8 x[8] = {0xFF(y), 0xFF00(z)};",
     "4:49: part of an address out of order, expected 0xff(name), 0xff00(name) ..."},
    {".global .u32 y; .global .b8 x[8] = {0xFF(y), 0xFF00(y+4)};",
     "4:46: part of an address out of order, expected 0xff(name), 0xff00(name) ..."},
    {".func y(); .global .u32 z; .global .b8 x[8] = {0xFF(z), 0xFF00(y)};",
     "4:57: part of an address out of order, expected 0xff(name), 0xff00(name) ..."},
    {".global .u32 y; .global .b8 x[8] = {0xFF(y), 0xFF0000(y)};",
     "4:46: part of an address out of order, expected 0xff(name), 0xff00(name) ..."},
    {".global .u32 y; .global .b8 x[8] = {0xFF(y), 1, 0xFF0000(y)};",
     "4:49: part of an address out of order, expected 0xff(name), 0xff00(name) ..."},
    {".global .u32 y; .global .b8 x[99] = {0xFF(y), 1,1,1,1,1,1,1,1,1, 0xFF0000(y)};",
     "4:66: part of an address out of order, expected 0xff(name), 0xff00(name) ..."},
    {".global .u32 y; .global .b8 x[8] = {0xFF(5)};",
     "4:42: unexpected '5', expected the name of a variable or function"},
    {".global .u32 y; .global .b8 x[8] = {0xFF(y};", "4:43: unexpected '}', expected ')' after the name"},
    {".global .u32 y; .global .b8 x[1] = {1, 0xFF(y)};",
     "4:40: too many initial values, expected at most 1 bytes"},
    {".global .u32 x[2] = {1, 2;", "4:26: unexpected ';', expected '}' after initial values"},
    {".global .u32 x[2] = {{{1}}, {2}};",
     "4:23: unexpected '{', expected a value: there are more braces than dimensions"},
    {".global .u32 x[2][2] = {{1, 2}, {3, 4}, {5}};",
     "4:42: too many initial values, expected at most 16 bytes"},
    {".global .u32 x[2][2] = {{}, {}, {}};", "4:35: unexpected '}', expected fewer initial values"},
    {".global .u8 x[][1000000000000] = {{}, {}};", "4:41: unexpected '}', expected fewer initial values"},
    {".global .u32 x[1099511627776][1099511627776];",
     "4:14: array is too large, expected at most 2^40 bytes"},
    {".global .u32 x[0][4];", "4:14: array without a size, expected a number between [ and ]"},
    {".global .u32", "4:13: unexpected end of text, expected the name of a variable"},
    {".entry k() {\n.reg .b32 a", "5:12: unexpected end of text, expected ';' after the registers"},
};

TEST(initial_values_fit_their_variable)
{
	CHECK_DECLARATIONS_REFUSED(initial_values);
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

TEST(initial_values_are_laid_out_by_their_braces)
{
	struct ptx_module *m = ptx_of(PTX_HEAD ".global .u16 a[2][3] = {{1}, {2, 3, 0x104}};\n"
	                                       ".global .align 4 .b8 s[] = {104, 105, 0};\n"
	                                       ".const .f32 f = 1.0;\n.global .u32 big[250000000000] = {7};");
	static const uint16_t want[] = {1, 0, 0, 2, 3, 0x104};
	CHECK(m != NULL);
	CHECK_EQ(m->variables[0].bytes, 12);
	CHECK_EQ(m->variables[0].initial_bytes, 12);
	CHECK(!memcmp(m->variables[0].initial, want, sizeof want));
	CHECK_EQ(m->variables[1].bytes, 3);
	CHECK(!memcmp(m->variables[1].initial, "hi", 3));
	CHECK_EQ(m->variables[2].initial[3], 0x3f);
	CHECK_EQ(m->variables[3].bytes, 1000000000000);
	CHECK_EQ(m->variables[3].initial_bytes, 4);
	ptx_module_free(m);
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

TEST(addresses_in_initial_values_are_relocations)
{
	struct ptx_module *m =
	    ptx_of(PTX_HEAD
	           ".func f() { ret; }\n.global .u32 x[4];\n.global .u64 t[3] = {x+4, generic(x)+8, f};\n"
	           ".global .b8 q[9] = {1, 0xFF(x), 0xFF00(x), 0xFF0000(x), 0xFF000000(x), 0xFF00000000(x), "
	           "0xFF0000000000(x), 0xFF000000000000(x), 0xFF00000000000000(x)};");
	CHECK(m != NULL);
	const struct ptx_relocation *r = m->variables[1].relocations;
	CHECK_EQ(m->variables[1].relocation_count, 3);
	CHECK(!r[0].generic && !r[0].function && r[0].addend == 4 && r[0].offset == 0 && r[0].bytes == 8);
	CHECK(r[1].generic && !r[1].function && r[1].addend == 8 && r[1].offset == 8);
	CHECK(r[2].function && r[2].index == 0 && r[2].offset == 16);
	r = m->variables[2].relocations;
	CHECK_EQ(m->variables[2].relocation_count, 1);
	CHECK(r->offset == 1 && r->bytes == 8);
	ptx_module_free(m);
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

TEST(parameters_are_packed_by_their_alignment)
{
	struct ptx_module *m =
	    ptx_of(PTX_HEAD ".entry k(.param .u8 a, .param .u64 .ptr .global .align 4 b, "
	                    ".param .align 8 .b8 c[12], .param .u32 d) .maxntid 256, 2 .minnctapersm 3 "
	                    ".maxnreg 40 {}");
	CHECK(m != NULL);
	const struct ptx_function *f = &m->functions[0];
	CHECK_EQ(f->param_count, 4);
	CHECK_EQ(ptx_param_offset(m, f, 1), 8);
	CHECK_EQ(ptx_param_offset(m, f, 2), 16);
	CHECK_EQ(ptx_param_offset(m, f, 3), 28);
	CHECK_EQ(f->param_bytes, 32);
	CHECK(f->maxntid[0] == 256 && f->maxntid[1] == 2 && f->maxntid[2] == 1 && f->minnctapersm == 3);
	ptx_module_free(m);
}

TEST_RUN_ALL(true)
