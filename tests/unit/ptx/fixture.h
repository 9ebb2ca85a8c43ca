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

/* A text that is refused, and the message behind the name of the file. */
struct ptx_refusal {
	const char *text, *message;
};

/* Whether every text between head and tail is refused with its message; shows those that are not. */
static inline bool ptx_all_refused(const char *head, const struct ptx_refusal *rows, size_t count,
                                   const char *tail)
{
	bool ok = true;
	for (size_t i = 0; i < count; i++) {
		char text[4096];
		struct error err = {""};
		snprintf(text, sizeof text, "%s%s%s", head, rows[i].text, tail);
		struct ptx_module *m = ptx_parse("t.ptx", text, strlen(text), &err);
		ptx_module_free(m);
		if (!m && !strncmp(err.text, "t.ptx:", 6) && !strcmp(err.text + 6, rows[i].message))
			continue;
		printf("# %s\n# got: %s\n# expected: %s\n", rows[i].text, m ? "no error" : err.text,
		       rows[i].message);
		ok = false;
	}
	return ok;
}
#define CHECK_REFUSED(rows) CHECK(ptx_all_refused("", rows, sizeof(rows) / sizeof *(rows), ""))
/* Declarations in line 4 of a module. */
#define CHECK_DECLARATIONS_REFUSED(rows)                                                                     \
	CHECK(ptx_all_refused(PTX_HEAD, rows, sizeof(rows) / sizeof *(rows), ""))
/* Statements in line 6 of a kernel. */
#define CHECK_STATEMENTS_REFUSED(rows)                                                                       \
	CHECK(ptx_all_refused(PTX_KERNEL_HEAD, rows, sizeof(rows) / sizeof *(rows), "\n}\n"))

/* Whether a statement is refused for this reason, wherever the message points. */
static inline bool ptx_refused_because(const char *statement, const char *reason)
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

/* A statement of a kernel, and its first instruction printed again. */
struct ptx_reading {
	const char *statement, *printed;
};

static inline bool ptx_reads_as(const char *statement, const char *printed)
{
	char text[2048], got[256] = "";
	snprintf(text, sizeof text, "%s%s\n}\n", PTX_KERNEL_HEAD, statement);
	struct ptx_module *m = ptx_of(text);
	if (m)
		ptx_print(m, 0, got, sizeof got);
	ptx_module_free(m);
	if (!strcmp(got, printed))
		return true;
	printf("# %s reads as: %s\n", statement, got);
	return false;
}
#define CHECK_READINGS(rows)                                                                                 \
	for (size_t row = 0; row < sizeof(rows) / sizeof *(rows); row++)                                     \
	CHECK(ptx_reads_as((rows)[row].statement, (rows)[row].printed))

#endif
