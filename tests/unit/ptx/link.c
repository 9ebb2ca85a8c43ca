/* Several PTX texts as one. */
#include <stdlib.h>
#include <string.h>

#include "ptx/link.h"
#include "ptx/ptx.h"
#include "test.h"

#define HEAD ".version 6.3\n.target sm_70\n.address_size 64\n"

static const char uses[] =
    HEAD ".extern .func (.param .b32 r) f\n(\n.param .b32 f_param_0\n)\n;\n"
         ".extern .global .align 4 .u32 x;\n.global .align 4 .u32 own = 1;\n"
         ".visible .entry k()\n{\n.loc 1 5 0\n.reg .b32 %r<3>;\n"
         "ld.global.u32 %r1, [x]; ld.global.u32 %r2, [own]; ret;\n}\n.file 1 \"a.cu\"\n";
static const char defines[] =
    HEAD ".visible .global .align 4 .u32 x;\n.global .align 4 .u32 own = 2;\n"
         ".visible .func (.param .b32 r) f(.param .b32 f_param_0)\n{\n.loc 1 7 0\n.reg .b32 %r<2>;\n"
         "ld.global.u32 %r1, [own]; st.param.b32 [r], %r1; ret;\n}\n.file 1 \"b.cu\"\n";
static const char alone[] =
    HEAD ".extern .func vprintf\n(\n.param .b64 p\n)\n;\n.visible .entry z()\n{\nret;\n}\n";

TEST(texts_that_need_one_another_are_a_group)
{
	const struct ptx_link_input input[] = {{alone, 1}, {uses, 2}, {defines, 3}};
	unsigned group[3];
	ptx_link_groups(input, 3, group);
	CHECK_EQ(group[0], 0);
	CHECK_EQ(group[1], 1);
	CHECK_EQ(group[2], 1);
}

TEST(linked_text_has_each_thing_once_and_local_names_apart)
{
	const struct ptx_link_input input[] = {{uses, 2}, {defines, 3}};
	struct error err;
	char *text = ptx_link(input, 2, &err);
	CHECK(text);
	struct ptx_module *m = ptx_parse("linked", text, strlen(text), &err);
	CHECK(m);
	CHECK(ptx_find_function(m, "f") != PTX_NONE);
	CHECK(ptx_find_variable(m, "own") != PTX_NONE);
	CHECK(ptx_find_variable(m, "own$3") != PTX_NONE);
	CHECK(!strstr(text, ".extern"));
	CHECK(strstr(text, "[own$3]"));
	CHECK(strstr(text, ".loc 2 7 0"));
	ptx_module_free(m);
	free(text);
}

TEST(a_function_that_two_files_define_is_an_error)
{
	const struct ptx_link_input input[] = {{defines, 1}, {defines, 2}};
	struct error err;
	CHECK(!ptx_link(input, 2, &err));
	CHECK(strstr(err.text, "'x' is defined in several files"));
}

/* The linked text of two; NULL, and what was said, where they cannot be. */
static char *link_two(const char *one, const char *other, struct error *err)
{
	const struct ptx_link_input input[] = {{one, 1}, {other, 2}};
	err->text[0] = 0;
	return ptx_link(input, 2, err);
}

/* How often a word occurs in the linked text of two; -1: they cannot be linked. */
static int count_linked(const char *one, const char *other, const char *word)
{
	struct error err;
	char *text = link_two(one, other, &err);
	int count = text ? 0 : -1;
	for (const char *at = text; at && (at = strstr(at, word)); at++)
		count++;
	free(text);
	return count;
}

TEST(one_of_several_definitions_stays_where_several_may_be)
{
	static const char weak[] = HEAD ".weak .func w() { ret; }\n",
	                  strong[] = HEAD ".visible .func w() { ret; }\n",
	                  common[] = HEAD ".common .global .u32 c;\n",
	                  visible[] = HEAD ".visible .const .u32 c;\n",
	                  entry[] = HEAD ".visible .entry e() { ret; }\n";
	CHECK_EQ(count_linked(weak, weak, ".func w()"), 1);
	CHECK_EQ(count_linked(weak, strong, ".func w()"), 1);
	CHECK_EQ(count_linked(strong, weak, ".func w()"), 1);
	CHECK_EQ(count_linked(common, visible, " c;"), 1);
	CHECK_EQ(count_linked(entry, entry, ".entry e()"), 1);
	struct error err;
	CHECK(!link_two(strong, strong, &err));
	CHECK(!strcmp(err.text, "device function 'w' is defined in several files of the program"));
	CHECK(!link_two(visible, visible, &err));
	CHECK(!strcmp(err.text, "device variable 'c' is defined in several files of the program"));
	/* A kernel and a function of one name are no templates of one another. */
	CHECK(!link_two(HEAD ".visible .entry w() { ret; }\n", strong, &err));
}

TEST(names_of_one_file_are_told_apart_however_they_are_marked)
{
	static const char *const locals[] = {
	    ".func f() { ret; }\n",                              /* static */
	    ".visible .func _ZL1fv() { ret; }\n",                /* static, as C++ names it */
	    ".visible .func _ZN12_GLOBAL__N_11fEv() { ret; }\n", /* in a namespace without a name */
	    ".shared .align 4 .b8 f[16];\n",
	    ".visible .const .u32 _ZL1c;\n", /* variables */
	};
	for (size_t i = 0; i < sizeof locals / sizeof *locals; i++) {
		char text[256];
		snprintf(text, sizeof text, "%s%s", HEAD, locals[i]);
		CHECK_EQ(count_linked(text, text, "$2"), 1);
		CHECK_EQ(count_linked(text, text, "$1"), 0);
	}
	/* The local one of two gets the number, whichever comes first; its declaration and uses with it. */
	static const char local[] =
	    HEAD ".func f();\n.func f() { ret; }\n.visible .entry k() { call f; ret; }\n",
	                  global[] =
	                      HEAD ".visible .func f() { ret; }\n.visible .entry z() { call f; ret; }\n";
	CHECK_EQ(count_linked(local, global, "f$1"), 3);
	CHECK_EQ(count_linked(global, local, "f$2"), 3);
	const struct ptx_link_input three[] = {{local, 1}, {local, 2}, {local, 3}};
	struct error err;
	char *text = ptx_link(three, 3, &err);
	CHECK(text && !strstr(text, "$1") && strstr(text, ".func f$2() {") && strstr(text, ".func f$3() {"));
	free(text);
}

TEST(declarations_are_kept_once_and_give_way_to_definitions)
{
	static const char declared[] = HEAD ".extern .func f();\n.extern .global .u32 x;\n",
	                  defined[] = HEAD ".visible .func f() { ret; }\n.visible .global .u32 x;\n",
	                  shared[] = HEAD ".extern .shared .b8 s[];\n";
	/* What none defines stays extern, once. */
	CHECK_EQ(count_linked(declared, declared, ".extern"), 2);
	CHECK_EQ(count_linked(declared, defined, ".extern"), 0);
	CHECK_EQ(count_linked(defined, declared, ".extern"), 0);
	CHECK_EQ(count_linked(declared, defined, "u32 x"), 1);
	CHECK_EQ(count_linked(shared, shared, ".extern"), 1);
}

TEST(comments_strings_and_sections_are_no_statements)
{
	static const char odd[] =
	    "// f() { }\n/* .func f() { */" HEAD ".file 1 \"a; \\\"{.cu\"\n"
	    ".section .debug_str { .b8 1 /* } */ }\n.pragma \"a \\\" { b\";\n"
	    ".visible .func /* x */ (.param .b32 r) f(.param .b32 a) // { ret; }\n"
	    "{ /* } */ .pragma \"}\"; .loc 1 2 3, function_name $L__info_string0, inlined_at 1 7 8\n"
	    "ret; // }\n}\n.visible .global .u32 t[2] = {1 / 1, 2};\n";
	struct error err;
	char *text = link_two(odd, HEAD ".file 1 \"b.cu\"\n.visible .func g() { .loc 1 2 3 ret; }\n", &err);
	CHECK(text != NULL);
	CHECK(!strstr(text, ".debug_str"));
	CHECK(strstr(text, "inlined_at 1 7 8") && strstr(text, ".loc 2 2 3") &&
	      strstr(text, ".file 2 \"b.cu\""));
	CHECK(strstr(text, ".file 1 \"a; \\\"{.cu\""));
	CHECK(strstr(text, "t[2] = {1 / 1, 2};"));
	free(text);
	/* What ends too early is passed on for the parser to refuse. */
	static const char *const cut[] = {"/* no end", ".func f() {",      "\"no end",
	                                  "// end",    ".func f() { \"\\", "/"};
	for (size_t i = 0; i < sizeof cut / sizeof *cut; i++) {
		char one[128];
		snprintf(one, sizeof one, "%s%s", HEAD, cut[i]);
		text = link_two(one, HEAD, &err);
		CHECK(text && strstr(text, ".version 6.3"));
		free(text);
	}
}

TEST(the_head_is_that_of_the_newest_target)
{
	static const char new_text[] = ".version 8.0\n.target sm_90\n.address_size 64\n",
	                  without[] = ".version 7.0\n";
	CHECK_EQ(count_linked(HEAD, new_text, "sm_90"), 1);
	CHECK_EQ(count_linked(new_text, HEAD, "sm_90"), 1);
	CHECK_EQ(count_linked(new_text, HEAD, "sm_70"), 0);
	CHECK_EQ(count_linked(without, HEAD, "sm_70"), 1);
	CHECK_EQ(count_linked(without, without, ".version 7.0"), 1);
}

/* More items and more text than are made room for at first. */
TEST(long_texts_are_linked_as_short_ones_are)
{
	enum { COUNT = 200, BODY = 600 };
	char *one = malloc(COUNT * (BODY + 64)), *at = one;
	at += sprintf(at, "%s", HEAD);
	for (int i = 0; i < COUNT; i++)
		at += sprintf(at, ".visible .func f%d() { %*s ret; }\n", i, BODY, "");
	CHECK_EQ(count_linked(one, HEAD, ".func f"), COUNT);
	CHECK_EQ(count_linked(one, HEAD ".extern .func f199();\n", ".extern"), 0);
	free(one);
}

TEST(groups_join_through_whatever_they_share)
{
	static const char a[] = HEAD ".extern .func f();\n",
	                  b[] = HEAD ".visible .func f() { ret; }\n.extern .func g();\n",
	                  c[] = HEAD ".visible .func g() { ret; }\n",
	                  d[] = HEAD ".func f() { ret; }\n.pragma \"x\";\n";
	const struct ptx_link_input input[] = {{d, 1}, {c, 2}, {b, 3}, {a, 4}};
	unsigned group[4];
	ptx_link_groups(input, 4, group);
	CHECK_EQ(group[0], 0); /* a local f belongs to its text alone */
	CHECK_EQ(group[1], 1);
	CHECK_EQ(group[2], 1);
	CHECK_EQ(group[3], 1);
}

TEST_RUN_ALL(true)
