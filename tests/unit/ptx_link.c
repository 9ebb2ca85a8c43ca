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

TEST_MAIN(TEST_ENTRY(texts_that_need_one_another_are_a_group)
              TEST_ENTRY(linked_text_has_each_thing_once_and_local_names_apart)
                  TEST_ENTRY(a_function_that_two_files_define_is_an_error))
