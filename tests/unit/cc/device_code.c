/* Checks and changes of the PTX that a program will carry. */
#include "cc/device_code.h"

#include "base/memory.h"
#include "test.h"

#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"

/* Whether the warnings about a text are exactly these, and none goes elsewhere. */
static bool warns(const char *ptx, const char *want)
{
	char *text;
	size_t bytes;
	FILE *out = memory_stream_open(&text, &bytes);
	cc_warn_unsupported(out, ptx, "k.cu");
	memory_stream_close(out);
	bool same = !strcmp(text, want);
	if (!same)
		printf("# got: %s\n", text);
	free(text);
	return same;
}

TEST(warnings_go_to_the_stream_of_the_caller_with_the_line_of_the_source)
{
	CHECK(warns(HEAD ".entry k() { ret; }\n", ""));
	CHECK(warns(
	    HEAD ".file 1 \"a.cu\"\n.entry k() {\n.loc 1 7 3\nfrobnicate.u32 a;\nret; }\n",
	    "a.cu:7: warning: unknown opcode 'frobnicate', expected an instruction of PTX; a kernel with it will "
	    "fail when it is launched\n"));
	CHECK(warns(
	    HEAD ".entry k() {\ntcgen05.wait::ld.sync.aligned;\nret; }\n",
	    "k.cu: warning: 'tcgen05' is not supported: tensor memory and the matrix products of compute capability 10; a kernel with it will fail "
	    "when it is launched\n"));
}

TEST(a_kernel_that_does_nothing_in_older_code_is_a_warning)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = memory_stream_open(&text, &bytes);
	cc_warn_empty(
	    out,
	    HEAD ".entry bare() {\nret;\nEND:\n}\n.entry full() { .reg .b32 %r1; mov.u32 %r1, 1; ret; }\n",
	    "k.cu", 86, 90);
	memory_stream_close(out);
	CHECK(!strcmp(
	    text,
	    "k.cu: warning: kernel 'bare' does nothing in code for sm_86, the newest that this clang makes; "
	    "what is for sm_90 alone is left out\n"));
	free(text);
}

TEST(device_code_of_another_file_is_refused_by_name)
{
	struct error err = {""};
	CHECK(cc_check_ptx(HEAD ".extern .func  (.param .b32 r) vprintf\n(\n);\n.extern .func __nv_sinf;\n",
	                   "k.cu", &err));
	CHECK(!cc_check_ptx(HEAD ".extern .func  (.param .b32 r) helper\n(\n);\n", "k.cu", &err));
	CHECK(strstr(err.text, "k.cu: device function 'helper' is defined in another file"));
	CHECK(!cc_check_ptx(HEAD ".extern .global .align 4 .u32 x;\n", "k.cu", &err));
	CHECK(strstr(err.text, "k.cu: device variable of another file"));
	/* Shared memory without a size is extern, too. */
	CHECK(cc_check_ptx(HEAD ".extern .shared .align 4 .b8 s[];\n", "k.cu", &err));
}

TEST(a_limit_of_registers_spares_kernels_with_bounds_of_their_own)
{
	char *limited = cc_limit_registers(".entry a() { ret; }\n.entry b()\n.maxntid 64 { ret; }\n", 32);
	CHECK(!strcmp(limited, ".entry a() .maxnreg 32\n{ ret; }\n.entry b()\n.maxntid 64 { ret; }\n"));
	free(limited);
}

TEST_RUN_ALL(true)
