/* For tables of PTX snippets: each row is the body of a kernel, and the number it leaves in %rd0, or the words of its fault. */
#ifndef SLUICE_TESTS_LIB_EXEC_SNIPPET_H
#define SLUICE_TESTS_LIB_EXEC_SNIPPET_H

#include "lib/exec_fixture.h"

/* %rd1 holds the parameter: device memory of 4096 bytes whose first 64 words are 0, 1, 2 and so on; %r1 is the thread. */
#define SNIPPET_REGS                                                                                         \
	".reg .pred %p<10>; .reg .b16 %h<10>; .reg .b32 %r<40>; .reg .b64 %rd<40>; .reg .f32 %f<20>; "       \
	".reg .f64 %d<20>;\n.shared .align 64 .b8 room[2048]; .local .align 8 .b8 own[64];\n"                \
	"mov.u32 %r1, %tid.x; ld.param.u64 %rd1, [data]; mov.u64 %rd0, 0;\n"

#define SNIPPET_END                                                                                          \
	"ld.param.u64 %rd38, [out]; mul.wide.u32 %rd39, %r1, 8; add.s64 %rd38, %rd38, %rd39; "               \
	"st.global.u64 [%rd38], %rd0; ret;\n}\n"

struct snippet {
	const char *body;
	unsigned thread; /* whose %rd0 is looked at */
	uint64_t want;
	const char *fault;   /* NULL: none */
	const char *globals; /* before the kernel; NULL: none */
};
/* Rows; further members may follow the body. */
#define GIVES(value, ...)                                                                                    \
	{                                                                                                    \
		.want = value, .body = __VA_ARGS__                                                           \
	}
#define FAULTS(text, ...)                                                                                    \
	{                                                                                                    \
		.fault = text, .body = __VA_ARGS__                                                           \
	}

static inline struct fixture *snippet_new(const struct snippet *s, const struct exec_options *options)
{
	static char text[16384];
	struct error err;
	snprintf(text, sizeof text, "%s%s\n.visible .entry k(.param .u64 data, .param .u64 out)\n{\n%s%s\n%s",
	         PTX_HEAD, s->globals ? s->globals : "", SNIPPET_REGS, s->body, SNIPPET_END);
	/* A row that is not PTX is reported like any other wrong row. */
	struct ptx_module *trial = ptx_parse("row.ptx", text, strlen(text), &err);
	if (!trial) {
		printf("# %s\n#   %s\n", s->body, err.text);
		return NULL;
	}
	ptx_module_free(trial);
	return fixture_new(text, options);
}

static inline uint64_t snippet_run(struct fixture *f, const struct snippet *s, unsigned threads)
{
	uint64_t data = fixture_buffer(f, 4096), out = fixture_buffer(f, 8192);
	for (uint32_t i = 0; i < 64; i++)
		memcpy(device_host(data + 4 * i), &i, sizeof i);
	void *args[2] = {&data, &out};
	uint64_t got;
	fixture_run(f, "k", (struct grid){1, threads, 0}, args);
	memcpy(&got, device_host(out + 8 * s->thread), sizeof got);
	return got;
}

/* Report the rows that are wrong, and return how many. */
static inline unsigned snippets_wrong(const struct snippet *rows, size_t count, unsigned threads,
                                      const struct exec_options *options)
{
	unsigned wrong = 0;
	for (size_t i = 0; i < count; i++) {
		struct fixture *f = snippet_new(&rows[i], options);
		if (!f) {
			wrong++;
			continue;
		}
		uint64_t got = snippet_run(f, &rows[i], threads);
		bool right = rows[i].fault ? f->status != EXEC_DONE && strstr(f->err.text, rows[i].fault)
		                           : f->status == EXEC_DONE && got == rows[i].want;
		if (!right)
			printf("# %s\n#   gave 0x%llx (status %d) %s\n", rows[i].body,
			       (unsigned long long)got, (int)f->status, f->err.text);
		wrong += !right;
		fixture_free(f);
	}
	return wrong;
}

#define CHECK_SNIPPETS(rows, threads)                                                                        \
	CHECK_EQ(snippets_wrong(rows, sizeof(rows) / sizeof *(rows), threads, NULL), 0)

#endif
