/* Modules that are refused for their declarations, with the place and what was expected: one row per mistake. */
#include "fixture.h"

struct row {
	const char *text, *message; /* declarations stand in line 4 of t.ptx */
};

static const struct row heads[] = {
    {".version 5", "1:10: unexpected '5', expected a version such as 6.5"},
    {".version x", "1:10: unexpected 'x', expected a version such as 6.5"},
    {".version 0.5", "1:10: unexpected '0.5', expected a version such as 6.5"},
    {".version 100.0", "1:10: unexpected '100.0', expected a version such as 6.5"},
    {".version 6.5\n.target 5", "2:9: unexpected '5', expected a target such as sm_70"},
    {".version 6.5\n.target sm_70, 5", "2:16: unexpected '5', expected a target such as sm_70"},
    {".version 6.5\n.target sm_70, debug\n.address_size x", "3:15: unexpected 'x', expected address size 64"},
};

static const struct row directives[] = {
    {PTX_HEAD ".section .debug_str { .b8 1",
     "4:28: unexpected end of text, expected '}' at the end of a section"},
    {PTX_HEAD ".section \"x\" }", "4:14: unexpected '}', expected '{' after the name of a section"},
    {PTX_HEAD ".section x { .b8 ~ }", "4:18: unexpected character '~', expected '}' at the end of a section"},
    {PTX_HEAD ".section 5", "4:10: unexpected '5', expected '{' after the name of a section"},
    {PTX_HEAD ".alias 5, f;", "4:8: unexpected '5', expected a function that has been declared"},
    {PTX_HEAD ".alias f, g;", "4:8: unexpected 'f', expected a function that has been declared"},
    {PTX_HEAD ".func f(); .alias f g;", "4:21: unexpected 'g', expected ',' after an alias"},
    {PTX_HEAD ".func f(); .alias f, g;", "4:22: unexpected 'g', expected a function that has been declared"},
    {PTX_HEAD ".func f(); .global .u32 g; .alias f, g;",
     "4:38: unexpected 'g', expected a function that has been declared"},
    {PTX_HEAD ".func f(); .func g(); .alias f, g",
     "4:34: unexpected end of text, expected ';' after an alias"},
    {PTX_HEAD ".foo", "4:1: unexpected '.foo', expected a variable, a function or a directive of a module"},
    {PTX_HEAD "5", "4:1: unexpected '5', expected a variable, a function or a directive of a module"},
    {PTX_HEAD ".visible 5",
     "4:10: unexpected '5', expected a variable, a function or a directive of a module"},
    {PTX_HEAD ".visible .foo",
     "4:10: unexpected '.foo', expected a variable, a function or a directive of a module"},
};

static const struct row functions[] = {
    {PTX_HEAD ".local .u32 x;", "4:8: .local variable outside a function, expected one inside"},
    {PTX_HEAD ".param .u32 x;", "4:8: .param variable outside a function, expected one inside"},
    {PTX_HEAD ".func 5", "4:7: unexpected '5', expected the name of a function"},
    {PTX_HEAD ".func .attribute 5 f();", "4:18: unexpected '5', expected '(' after '.attribute'"},
    {PTX_HEAD ".func .attribute(.unified(1,2) f();", "4:35: unexpected ';', expected ')'"},
    {PTX_HEAD ".func .attribute(.unified(1,2)", "4:31: unexpected end of text, expected ')'"},
    {PTX_HEAD ".func .attribute(~) f();", "4:18: unexpected character '~', expected ')'"},
    {PTX_HEAD ".func (.param 5) f();", "4:15: unexpected '5', expected a type such as .b32"},
    {PTX_HEAD ".func (.param .b32 r f();", "4:22: unexpected 'f', expected ')' after the parameters"},
    {PTX_HEAD ".func f(.param .b32 r", "4:22: unexpected end of text, expected ')' after the parameters"},
    {PTX_HEAD ".func f(5);", "4:9: unexpected '5', expected '.param'"},
    {PTX_HEAD ".func f(.param .b8 a[2000000]);",
     "4:20: parameter of 2000000 bytes, expected at most 1048576"},
    {PTX_HEAD ".func f(.param .b8 a[1000000], .param .b8 b[1000000]);",
     "4:7: parameters take more than 1048576 bytes, expected fewer"},
    {PTX_HEAD ".func (.param .b8 a[1000000], .param .b8 b[1000000]) f();",
     "4:54: parameters take more than 1048576 bytes, expected fewer"},
    {PTX_HEAD ".func f(.param .u64 .ptr .align x a);", "4:33: unexpected 'x', expected an alignment"},
    {PTX_HEAD ".func f(.param .u64 .ptr .foo a);",
     "4:26: unexpected '.foo', expected the name of a variable"},
    {PTX_HEAD ".func f(.param .u64 .ptr 5);", "4:26: unexpected '5', expected the name of a variable"},
    {PTX_HEAD ".func f(.reg .b32 a);", "4:9: unexpected '.reg', expected '.param'"},
    {PTX_HEAD ".func f() .pragma", "4:18: unexpected end of text, expected ';'"},
    {PTX_HEAD ".func f() .attribute 5;", "4:22: unexpected '5', expected '(' after '.attribute'"},
    {PTX_HEAD ".entry k() .maxntid 1, 2, 3, 4 { ret; }",
     "4:30: unexpected '4', expected at most three numbers"},
    {PTX_HEAD ".entry k() .maxntid x { ret; }", "4:21: unexpected 'x', expected a number"},
    {PTX_HEAD ".entry k() .maxnreg x { ret; }", "4:21: unexpected 'x', expected a number"},
    {PTX_HEAD ".entry k() .foo { ret; }",
     "4:12: unexpected '.foo', expected a directive, ';' or '{' after the head of a function"},
    {PTX_HEAD ".entry k() 5",
     "4:12: unexpected '5', expected a directive, ';' or '{' after the head of a function"},
    {PTX_HEAD ".global .u32 f; .func f();", "4:23: 'f' is a variable, too; expected a new name"},
    {PTX_HEAD ".func f(); .entry f();",
     "4:19: 'f' differs from its declaration in line 4, expected the same parameters"},
    {PTX_HEAD ".func f(); .func f(.param .b32 a);",
     "4:18: 'f' differs from its declaration in line 4, expected the same parameters"},
    {PTX_HEAD ".func (.param .b32 a) f(); .func f();",
     "4:34: 'f' differs from its declaration in line 4, expected the same parameters"},
    {PTX_HEAD ".func (.param .b32 a) f(); .func (.param .b64 a) f();",
     "4:50: 'f' differs from its declaration in line 4, expected the same parameters"},
    {PTX_HEAD ".func f(.param .b32 a, .param .b32 a);",
     "4:36: 'a' is declared twice in this scope, expected a new name"},
};

static const struct row initial_values[] = {
    {PTX_HEAD ".global .f32 x = 1;",
     "4:18: integer as initial value of a .f32, expected 0f..., 0d... or a fraction"},
    {PTX_HEAD ".global .f64 x = {1};",
     "4:19: integer as initial value of a .f64, expected 0f..., 0d... or a fraction"},
    {PTX_HEAD ".global .f16 x = 1.5;", "4:18: floating-point initial value of a .f16, expected an integer"},
    {PTX_HEAD ".global .u8 x = 256;", "4:17: initial value does not fit, expected one of 8 bits"},
    {PTX_HEAD ".global .u8 x = -129;", "4:18: initial value does not fit, expected one of 8 bits"},
    {PTX_HEAD ".global .u16 x = 1.5;", "4:18: floating-point initial value of a .u16, expected an integer"},
    {PTX_HEAD ".global .f32 x = ;", "4:18: unexpected ';', expected an initial value: a number or a name"},
    {PTX_HEAD ".global .f32 x = -y;", "4:19: unexpected 'y', expected an initial value: a number or a name"},
    {PTX_HEAD ".global .u64 x = y;", "4:18: undefined symbol 'y', expected a variable or function"},
    {PTX_HEAD ".global .u32 y; .global .u64 x = y+z;", "4:36: unexpected 'z', expected a distance in bytes"},
    {PTX_HEAD ".global .u32 y; .global .u64 x = generic(y;",
     "4:43: unexpected ';', expected ')' after generic(name"},
    {PTX_HEAD ".global .u32 y; .global .u64 x = generic(5);",
     "4:42: unexpected '5', expected the name of a variable or function"},
    {PTX_HEAD ".global .u32 y; .global .u64 x = generic(z);",
     "4:42: undefined symbol 'z', expected a variable or function"},
    {PTX_HEAD ".global .u32 y; .global .u64 x = generic(generic(y));",
     "4:42: undefined symbol 'generic', expected a variable or function"},
    {PTX_HEAD ".global .u32 y; .global .u64 x = generic(y)+z;",
     "4:45: unexpected 'z', expected a distance in bytes"},
    {PTX_HEAD ".global .u32 y; .global .u16 x = y;",
     "4:34: address as initial value of a .u16, expected one of 32 or 64 bits"},
    {PTX_HEAD ".global .u32 y; .global .u64 x[1] = {y, y};",
     "4:41: too many initial values, expected at most 8 bytes"},
    {PTX_HEAD ".global .u32 y; .global .b8 x[2] = {0xFF(y), 0xFF00(y)};",
     "4:56: address of 2 bytes in the initial value, expected 4 or 8"},
    {PTX_HEAD ".global .u32 y; .global .b8 x[2] = {0xFF00(y)};",
     "4:37: part of an address out of order, expected 0xff(name), 0xff00(name) ..."},
    {PTX_HEAD ".global .u32 y, z; .global .b8 x[8] = {0xFF(y), 0xFF00(z)};",
     "4:49: part of an address out of order, expected 0xff(name), 0xff00(name) ..."},
    {PTX_HEAD ".global .u32 y; .global .b8 x[8] = {0xFF(y), 0xFF00(y+4)};",
     "4:46: part of an address out of order, expected 0xff(name), 0xff00(name) ..."},
    {PTX_HEAD ".func y(); .global .u32 z; .global .b8 x[8] = {0xFF(z), 0xFF00(y)};",
     "4:57: part of an address out of order, expected 0xff(name), 0xff00(name) ..."},
    {PTX_HEAD ".global .u32 y; .global .b8 x[8] = {0xFF(y), 0xFF0000(y)};",
     "4:46: part of an address out of order, expected 0xff(name), 0xff00(name) ..."},
    {PTX_HEAD ".global .u32 y; .global .b8 x[8] = {0xFF(y), 1, 0xFF0000(y)};",
     "4:49: part of an address out of order, expected 0xff(name), 0xff00(name) ..."},
    {PTX_HEAD ".global .u32 y; .global .b8 x[99] = {0xFF(y), 1,1,1,1,1,1,1,1,1, 0xFF0000(y)};",
     "4:66: part of an address out of order, expected 0xff(name), 0xff00(name) ..."},
    {PTX_HEAD ".global .u32 y; .global .b8 x[8] = {0xFF(5)};",
     "4:42: unexpected '5', expected the name of a variable or function"},
    {PTX_HEAD ".global .u32 y; .global .b8 x[8] = {0xFF(y};",
     "4:43: unexpected '}', expected ')' after the name"},
    {PTX_HEAD ".global .u32 y; .global .b8 x[1] = {1, 0xFF(y)};",
     "4:40: too many initial values, expected at most 1 bytes"},
    {PTX_HEAD ".global .u32 x[2] = {1, 2;", "4:26: unexpected ';', expected '}' after initial values"},
    {PTX_HEAD ".global .u32 x[2] = {{{1}}, {2}};",
     "4:23: unexpected '{', expected a value: there are more braces than dimensions"},
    {PTX_HEAD ".global .u32 x[2][2] = {{1, 2}, {3, 4}, {5}};",
     "4:42: too many initial values, expected at most 16 bytes"},
    {PTX_HEAD ".global .u32 x[2][2] = {{}, {}, {}};", "4:35: unexpected '}', expected fewer initial values"},
    {PTX_HEAD ".global .u8 x[][1000000000000] = {{}, {}};",
     "4:41: unexpected '}', expected fewer initial values"},
    {PTX_HEAD ".global .u32 x[1099511627776][1099511627776];",
     "4:14: array is too large, expected at most 2^40 bytes"},
    {PTX_HEAD ".global .u32 x[0][4];", "4:14: array without a size, expected a number between [ and ]"},
    {PTX_HEAD ".global .u32", "4:13: unexpected end of text, expected the name of a variable"},
    {PTX_HEAD ".entry k() {\n.reg .b32 a", "5:12: unexpected end of text, expected ';' after the registers"},
};

/* Whether each row's text is refused with its message; all that are not are shown. */
static bool all_refused(const struct row *rows, size_t count)
{
	bool ok = true;
	for (size_t i = 0; i < count; i++) {
		char full[1024];
		snprintf(full, sizeof full, "t.ptx:%s", rows[i].message);
		if (!ptx_refused(rows[i].text, full)) {
			printf("# of: %s\n", rows[i].text);
			ok = false;
		}
	}
	return ok;
}
#define ALL_REFUSED(rows) CHECK(all_refused(rows, sizeof(rows) / sizeof *(rows)))

TEST(a_module_has_a_head_and_declarations)
{
	ALL_REFUSED(heads);
	ALL_REFUSED(directives);
}

TEST(a_function_has_a_name_parameters_and_known_directives)
{
	ALL_REFUSED(functions);
}

TEST(initial_values_fit_their_variable)
{
	ALL_REFUSED(initial_values);
}

TEST_MAIN(TEST_ENTRY(a_module_has_a_head_and_declarations)
              TEST_ENTRY(a_function_has_a_name_parameters_and_known_directives)
                  TEST_ENTRY(initial_values_fit_their_variable))
