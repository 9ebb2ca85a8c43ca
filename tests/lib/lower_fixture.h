/* What the tests of lowering and recording share: kernels from a few lines of PTX. */
#ifndef SLUICE_TESTS_LIB_LOWER_FIXTURE_H
#define SLUICE_TESTS_LIB_LOWER_FIXTURE_H

#include "cuda/lowering/lower.h"
#include "ptx/ptx.h"
#include "test.h"

struct fixture {
	struct ptx_module *module;
	struct ptx_kernel *kernel;
	struct lowering *lowering;
	uint32_t first; /* instruction of the entry */
};

/* `body`: registers %r0-31 (32 bit), %rd0-31 (64), %f0-31, %d0-31, %p0-15, %h0-15 (16 bit), parameters p, q, n. */
static inline bool fixture_analysed(struct fixture *f, const char *globals, const char *body, bool compile)
{
	static char text[16384];
	struct error err = {{0}};
	snprintf(text, sizeof text,
	         ".version 6.5\n.target sm_70\n.address_size 64\n%s\n"
	         ".visible .entry k(.param .u64 p, .param .u64 q, .param .u32 n)\n{\n"
	         ".reg .b32 %%r<32>;\n.reg .b64 %%rd<32>;\n.reg .f32 %%f<32>;\n.reg .f64 %%d<32>;\n"
	         ".reg .pred %%p<16>;\n.reg .b16 %%h<16>;\n%s\n}\n",
	         globals, body);
	*f = (struct fixture){.module = ptx_parse("test.ptx", text, strlen(text), &err)};
	if (!f->module || !ptx_analyze(f->module, compile, &err)) {
		printf("# %s\n", err.text);
		return false;
	}
	uint32_t entry = ptx_find_function(f->module, "k");
	f->kernel = ptx_kernel_new(f->module, entry, &err);
	if (!f->kernel)
		return false;
	f->first = f->module->functions[entry].first_insn;
	f->lowering = lower_kernel(f->module, f->kernel, 0);
	return true;
}

/* As it is written, and as a compiler leaves it. */
static inline bool fixture_kernel(struct fixture *f, const char *globals, const char *body)
{
	return fixture_analysed(f, globals, body, false);
}

static inline bool fixture_compiled(struct fixture *f, const char *globals, const char *body)
{
	return fixture_analysed(f, globals, body, true);
}

static inline void fixture_free(struct fixture *f)
{
	lower_free(f->lowering);
	if (f->kernel)
		ptx_kernel_free(f->kernel);
	if (f->module)
		ptx_module_free(f->module);
}

/* Mnemonics of instruction number i of the entry, separated by blanks. */
static inline const char *fixture_words(const struct fixture *f, uint32_t i)
{
	static char words[2048];
	const struct lowering *l = f->lowering;
	words[0] = '\0';
	for (uint32_t t = l->start[f->first + i]; t < l->start[f->first + i + 1]; t++) {
		if (words[0])
			strcat(words, " ");
		strcat(words, l->strings + l->insns[t].opcode);
	}
	return words;
}

/* A line of PTX, and the mnemonics that it becomes; NULL: any. */
struct fixture_line {
	const char *ptx, *words;
};

/* A kernel of lines, one instruction each, as it is written; false: some line becomes something else. */
static inline bool fixture_lines(struct fixture *f, const char *globals, const struct fixture_line *lines,
                                 uint32_t count)
{
	char body[8192] = "";
	bool right = true;
	for (uint32_t i = 0; i < count; i++)
		strcat(strcat(body, lines[i].ptx), "\n");
	if (!fixture_kernel(f, globals, body))
		return false;
	for (uint32_t i = 0; i < count; i++) {
		const char *words = fixture_words(f, i);
		if (!lines[i].words || !strcmp(words, lines[i].words))
			continue;
		printf("# %s\n#   is '%s', expected '%s'\n", lines[i].ptx, words, lines[i].words);
		right = false;
	}
	return right;
}
#define FIXTURE_LINES(f, globals, ...)                                                                       \
	fixture_lines(f, globals, (const struct fixture_line[]){__VA_ARGS__},                                \
	              sizeof((const struct fixture_line[]){__VA_ARGS__}) / sizeof(struct fixture_line))

/* The k-th instruction of the trace that statement i became. */
static inline const struct trace_insn *insn_at(const struct fixture *f, uint32_t i, uint32_t k)
{
	return &f->lowering->insns[f->lowering->start[f->first + i] + k];
}

#define CHECK_WORDS(f, i, want)                                                                              \
	do {                                                                                                 \
		if (strcmp(fixture_words(f, i), want)) {                                                     \
			printf("# %s:%d: instruction %u is '%s', expected '%s'\n", __FILE__, __LINE__,       \
			       (unsigned)(i), fixture_words(f, i), want);                                    \
			test_failures++;                                                                     \
			return;                                                                              \
		}                                                                                            \
	} while (0)

#endif
