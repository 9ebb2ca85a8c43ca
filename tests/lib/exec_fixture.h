/* For tests of the executor: PTX text in, a launch with device buffers, results out. */
#ifndef SLUICE_TESTS_LIB_EXEC_FIXTURE_H
#define SLUICE_TESTS_LIB_EXEC_FIXTURE_H

#include "cuda/executor/exec.h"
#include "test.h"

#define PTX_HEAD ".version 6.5\n.target sm_70\n.address_size 64\n"

struct fixture {
	struct device_memory *memory;
	struct exec *exec;
	struct loaded_module *module;
	struct error err;
	enum exec_status status;
	char printed[4096];
	size_t printed_bytes;
};

static void fixture_print(void *user, const char *text, size_t bytes)
{
	struct fixture *f = user;
	if (f->printed_bytes + bytes < sizeof f->printed) {
		memcpy(f->printed + f->printed_bytes, text, bytes);
		f->printed_bytes += bytes;
	}
}

static void fixture_fail(const char *what, const struct error *err)
{
	printf("# %s: %s\n", what, err->text);
	exit(1);
}

/* A fresh device with one module, as written or as a compiler leaves it; `options` may be NULL. Ends the test program if
   the text is wrong. */
static inline struct fixture *fixture_load(const char *text, bool compile, const struct exec_options *options)
{
	struct fixture *f = calloc(1, sizeof *f);
	struct exec_options o = {.warp_size = 32,
	                         .sm_count = 4,
	                         .ctas_per_sm = 8,
	                         .spin_budget = 20000000,
	                         .stack_bytes = 16384,
	                         .heap_bytes = 1 << 20};
	if (options)
		o = *options;
	o.print = fixture_print;
	o.user = f;
	f->memory = device_memory_new(UINT64_C(1) << 30, &f->err);
	if (!f->memory || !(f->exec = exec_new(f->memory, &o, &f->err)))
		fixture_fail("executor", &f->err);
	struct ptx_module *ptx = ptx_parse("test.ptx", text, strlen(text), &f->err);
	if (!ptx || !ptx_analyze(ptx, compile, &f->err))
		fixture_fail("PTX", &f->err);
	if (!(f->module = exec_load(f->exec, ptx, &f->err)))
		fixture_fail("load", &f->err);
	return f;
}

static inline struct fixture *fixture_new(const char *text, const struct exec_options *options)
{
	return fixture_load(text, true, options);
}

static inline void fixture_free(struct fixture *f)
{
	exec_unload(f->exec, f->module);
	exec_free(f->exec);
	device_memory_free_all(f->memory);
	free(f);
}

static inline uint64_t fixture_buffer(struct fixture *f, uint64_t bytes)
{
	return device_memory_allocate(f->memory, bytes);
}

struct grid {
	unsigned ctas, threads, shared;
};

static inline enum exec_status fixture_run(struct fixture *f, const char *kernel, struct grid g,
                                           void *const *args)
{
	struct exec_launch l = {.module = f->module,
	                        .entry = ptx_find_function(f->module->ptx, kernel),
	                        .grid = {g.ctas, 1, 1},
	                        .block = {g.threads, 1, 1},
	                        .dynamic_shared_bytes = g.shared,
	                        .args = args};
	f->err.text[0] = 0;
	return f->status = exec_run(f->exec, &l, &f->err);
}

/* A launch with up to four 64-bit parameters. */
static inline enum exec_status fixture_launch(struct fixture *f, const char *kernel, struct grid g,
                                              uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t values[3] = {a, b, c};
	void *args[3] = {&values[0], &values[1], &values[2]};
	enum exec_status s = fixture_run(f, kernel, g, args);
	if (s != EXEC_DONE)
		printf("# (%d) %s\n", (int)s, f->err.text);
	return s;
}

/* Runs a launch that has a recorder, and finishes the recording. */
static inline bool fixture_record(struct fixture *f, const struct exec_launch *l)
{
	struct error err;
	bool ok = exec_run(f->exec, l, &err) == EXEC_DONE;
	if (!ok)
		printf("# %s\n", err.text);
	return recorder_finish(l->recorder, &err) && ok;
}

#endif
