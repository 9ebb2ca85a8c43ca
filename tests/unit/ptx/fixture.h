/* PTX from the bodies of tests: a module head, and one kernel around some statements. */
#ifndef SLUICE_TESTS_UNIT_PTX_FIXTURE_H
#define SLUICE_TESTS_UNIT_PTX_FIXTURE_H

#include "ptx/ptx.h"
#include "test.h"

#define PTX_HEAD ".version 7.1\n.target sm_70\n.address_size 64\n"
/* Statements start in line 6. */
#define PTX_KERNEL_HEAD                                                                                      \
	PTX_HEAD ".visible .entry k(.param .u64 p, .param .u32 n) {\n"                                       \
	         ".reg .pred %p<9>; .reg .b16 %rs<9>; .reg .b32 %r<99>; .reg .b64 %rd<9>; .reg .f32 %f<9>; " \
	         ".reg .f64 %fd<9>;\n"
#define PTX_KERNEL(statements) PTX_KERNEL_HEAD statements "\n}\n"

static inline struct ptx_module *ptx_analysed(const char *text, bool compile)
{
	struct error err = {""};
	struct ptx_module *m = ptx_parse("t.ptx", text, strlen(text), &err);
	if (m && !ptx_analyze(m, compile, &err)) {
		ptx_module_free(m);
		m = NULL;
	}
	if (!m)
		printf("# %s\n", err.text);
	return m;
}

/* As it is written, and as machine code has it. */
static inline struct ptx_module *ptx_of(const char *text)
{
	return ptx_analysed(text, false);
}

static inline struct ptx_module *ptx_compiled(const char *text)
{
	return ptx_analysed(text, true);
}

/* Whether the text is refused with exactly this message. */
static inline bool ptx_refused(const char *text, const char *message)
{
	struct error err = {""};
	struct ptx_module *m = ptx_parse("t.ptx", text, strlen(text), &err);
	if (!m && !strcmp(err.text, message))
		return true;
	printf("# got: %s\n# expected: %s\n", m ? "no error" : err.text, message);
	ptx_module_free(m);
	return false;
}

/* The same of a statement in line 6 of a kernel; the message begins behind the name of the file. */
static inline bool ptx_refused_statement(const char *statement, const char *message)
{
	char text[2048], full[1024];
	snprintf(text, sizeof text, "%s%s\n}\n", PTX_KERNEL_HEAD, statement);
	snprintf(full, sizeof full, "t.ptx:%s", message);
	return ptx_refused(text, full);
}

#endif
