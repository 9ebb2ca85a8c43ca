/*
 * Random PTX kernels: arithmetic, loops, divergence, barriers, shared memory, atomics, vectors, warp exchange. Every
 * address is masked to a buffer and every loop bounded, so that whatever else happens is the executor's.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cuda/executor/exec.h"
#include "soak.h"

enum {
	BUFFER_WORDS = 1 << 14,
	SHARED_WORDS = 1024,
	VALUES = 12, /* %r8 ... */
	DEPTH_MAX = 3,
	TEXT_MAX = 1 << 16,
	LABELS_MAX = 200
};

struct text {
	char *at;
	size_t used;
	uint64_t *random;
	unsigned labels, depth;
	bool may_meet; /* all threads of the CTA come by: barriers and exchanges of whole warps */
};

__attribute__((format(printf, 2, 3))) static void put(struct text *t, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	int n = vsnprintf(t->at + t->used, TEXT_MAX - t->used, fmt, ap);
	va_end(ap);
	t->used += (size_t)n < TEXT_MAX - t->used ? (size_t)n : 0;
}

static unsigned value(struct text *t)
{
	return 8 + soak_choose(t->random, VALUES);
}

static void put_arithmetic(struct text *t)
{
	static const char *const ops[] = {"add.s32", "sub.s32", "mul.lo.s32", "and.b32",    "or.b32",
	                                  "xor.b32", "min.u32", "max.s32",    "mul.hi.u32", "add.u32",
	                                  "min.s32", "max.u32", "shl.b32",    "shr.u32",    "shr.s32"};
	static const char *const floats[] = {"add.f32", "mul.f32", "min.f32", "sub.rn.f32", "max.f32"};
	if (soak_choose(t->random, 3)) {
		put(t, "%s %%r%u, %%r%u, %%r%u;\n", ops[soak_choose(t->random, 15)], value(t), value(t),
		    value(t));
		return;
	}
	put(t, "cvt.rn.f32.u32 %%f1, %%r%u; cvt.rn.f32.s32 %%f2, %%r%u;\n", value(t), value(t));
	put(t, "%s %%f3, %%f1, %%f2; fma.rn.f32 %%f4, %%f3, %%f2, %%f1;\n",
	    floats[soak_choose(t->random, 5)]);
	put(t, "cvt.rzi.s32.f32 %%r%u, %%f%u;\n", value(t), 3 + soak_choose(t->random, 2));
}

/* %rd4: an address of the buffer, aligned to `words` words; threads are neighbours, or anywhere. */
static void put_address(struct text *t, unsigned words)
{
	if (soak_choose(t->random, 2))
		put(t, "mad.lo.s32 %%r20, %%r4, %u, %%r%u;\n", 1u << soak_choose(t->random, 6), 5u);
	else
		put(t, "mov.u32 %%r20, %%r%u;\n", value(t));
	put(t, "and.b32 %%r20, %%r20, %u; mul.wide.u32 %%rd3, %%r20, 4; add.s64 %%rd4, %%rd1, %%rd3;\n",
	    (unsigned)(BUFFER_WORDS - 1) & ~(words - 1));
}

static void put_global(struct text *t)
{
	static const char *const atoms[] = {"add.u32", "min.u32", "exch.b32",
	                                    "xor.b32", "max.s32", "inc.u32"};
	unsigned what = soak_choose(t->random, 8), vector = what == 2 ? 4 : what == 3 ? 2 : 1;
	put_address(t, vector);
	unsigned r = 8 + soak_choose(t->random, VALUES - 3), v = value(t);
	switch (what) {
	case 2:
		put(t, "%s.global.v4.u32 ", soak_choose(t->random, 2) ? "ld" : "ld.volatile");
		put(t, "{%%r%u, %%r%u, %%r%u, %%r%u}, [%%rd4];\n", r, r + 1, r + 2, r + 3);
		break;
	case 3:
		put(t, "st.global.v2.u32 [%%rd4], {%%r%u, %%r%u};\n", v, r);
		break;
	case 4:
		put(t, "st.global.u32 [%%rd4], %%r%u;\n", v);
		break;
	case 5:
		put(t, "atom.global.%s %%r%u, [%%rd4], %%r%u;\n", atoms[soak_choose(t->random, 6)], r, v);
		break;
	case 6:
		put(t, "red.global.add.u32 [%%rd4], %%r%u;\n", v);
		break;
	case 7:
		put(t, "atom.global.cas.b32 %%r%u, [%%rd4], %%r%u, %%r%u;\n", r, v, value(t));
		break;
	default:
		put(t, "ld.global%s.u32 %%r%u, [%%rd4];\n", what ? ".cg" : "", r);
	}
}

static void put_shared(struct text *t)
{
	unsigned what = soak_choose(t->random, 4);
	put(t,
	    "and.b32 %%r21, %%r%u, %u; shl.b32 %%r21, %%r21, 2; mov.u32 %%r22, memory; add.s32 %%r21, %%r21, %%r22;\n",
	    soak_choose(t->random, 2) ? 1 : value(t), SHARED_WORDS - 1);
	if (what < 2)
		put(t, "ld.shared.u32 %%r%u, [%%r21];\n", value(t));
	else if (what == 2)
		put(t, "st.shared.u32 [%%r21], %%r%u;\n", value(t));
	else
		put(t, "atom.shared.add.u32 %%r%u, [%%r21], %%r%u;\n", value(t), value(t));
}

static void put_meeting(struct text *t)
{
	unsigned what = soak_choose(t->random, 4);
	if (what < 2)
		put(t, "bar.sync 0;\n");
	else if (what == 2)
		put(t, "shfl.sync.bfly.b32 %%r%u, %%r%u, %u, 31, -1;\n", value(t), value(t),
		    1u << soak_choose(t->random, 5));
	else
		put(t, "setp.lt.u32 %%p6, %%r%u, %%r%u; vote.sync.ballot.b32 %%r%u, %%p6, -1;\n", value(t),
		    value(t), value(t));
}

static void put_block(struct text *t, unsigned statements);

static void put_branch(struct text *t)
{
	bool met = t->may_meet;
	unsigned label = t->labels++;
	t->may_meet = false;
	put(t, "setp.%s.u32 %%p1, %%r%u, %%r%u; @%%p1 bra ELSE%u;\n", soak_choose(t->random, 2) ? "lt" : "ge",
	    value(t), value(t), label);
	put_block(t, 1 + soak_choose(t->random, 4));
	if (soak_choose(t->random, 2)) {
		put(t, "bra END%u;\nELSE%u:\n", label, label);
		put_block(t, 1 + soak_choose(t->random, 4));
		put(t, "END%u:\n", label);
	} else {
		put(t, "ELSE%u:\n", label);
	}
	put(t, "mov.u32 %%r7, %%r4;\n");
	t->may_meet = met;
}

/* The same number of rounds for all threads, or each its own. */
static void put_loop(struct text *t)
{
	bool met = t->may_meet;
	unsigned label = t->labels++, counter = 24 + 2 * t->depth, bound = counter + 1;
	if (soak_choose(t->random, 2)) {
		put(t, "mov.u32 %%r%u, %u;\n", bound, 1 + soak_choose(t->random, 5));
	} else {
		put(t, "and.b32 %%r%u, %%r%u, 3; add.s32 %%r%u, %%r%u, 1;\n", bound, value(t), bound, bound);
		t->may_meet = false;
	}
	put(t, "mov.u32 %%r%u, 0;\nLOOP%u:\n", counter, label);
	put_block(t, 1 + soak_choose(t->random, 5));
	put(t, "add.s32 %%r%u, %%r%u, 1; setp.lt.u32 %%p2, %%r%u, %%r%u; @%%p2 bra LOOP%u;\n", counter,
	    counter, counter, bound, label);
	t->may_meet = met;
}

static void put_statement(struct text *t)
{
	unsigned what = soak_choose(t->random, 12);
	bool may_nest = t->depth < DEPTH_MAX && t->labels < LABELS_MAX;
	if (what < 3)
		put_arithmetic(t);
	else if (what < 7)
		put_global(t);
	else if (what < 8)
		put_shared(t);
	else if (what < 9 && t->may_meet)
		put_meeting(t);
	else if (what < 10 && may_nest)
		put_branch(t);
	else if (what < 11 && may_nest)
		put_loop(t);
	else
		put(t, "selp.b32 %%r%u, %%r%u, %%r%u, %%p1;\n", value(t), value(t), value(t));
}

static void put_block(struct text *t, unsigned statements)
{
	t->depth++;
	while (statements--)
		put_statement(t);
	t->depth--;
}

static char *random_kernel(uint64_t *random)
{
	struct text t = {.at = calloc(1, TEXT_MAX), .random = random, .may_meet = true};
	put(&t, ".version 6.5\n.target sm_70\n.address_size 64\n.visible .entry soak(.param .u64 data)\n{\n");
	put(&t, ".reg .pred %%p<8>; .reg .b32 %%r<40>; .reg .f32 %%f<8>; .reg .b64 %%rd<8>;\n");
	put(&t, ".shared .align 16 .b8 memory[%u];\n", 4 * SHARED_WORDS);
	put(&t, "ld.param.u64 %%rd2, [data]; cvta.to.global.u64 %%rd1, %%rd2;\n");
	put(&t, "mov.u32 %%r1, %%tid.x; mov.u32 %%r2, %%ctaid.x; mov.u32 %%r3, %%ntid.x;\n");
	put(&t, "mad.lo.s32 %%r4, %%r2, %%r3, %%r1; mov.u32 %%r5, %u; setp.lt.u32 %%p1, %%r1, 7;\n",
	    soak_choose(random, BUFFER_WORDS));
	for (unsigned i = 0; i < VALUES; i++)
		put(&t, "mad.lo.s32 %%r%u, %%r%u, %u, %u;\n", 8 + i, i % 3 ? 4u : 2u,
		    soak_choose(random, 1u << (1 + 2 * i)), soak_choose(random, 1000));
	put_block(&t, 4 + soak_choose(random, 16));
	put(&t, "and.b32 %%r20, %%r4, %u; mul.wide.u32 %%rd3, %%r20, 4; add.s64 %%rd4, %%rd1, %%rd3;\n",
	    BUFFER_WORDS - 1);
	put(&t, "st.global.u32 [%%rd4], %%r9;\nret;\n}\n");
	return t.at;
}

/* ---- execution ------------------------------------------------------------------------------------------------ */

struct launch_shape {
	uint32_t ctas, threads, warp_size;
};

/* Executes the kernel on a fresh device; fills `image`, the buffer afterwards. */
static bool execute(const char *ptx_text, struct launch_shape shape, struct recorder *recorder,
                    uint32_t *image, struct error *err)
{
	struct exec_options options = {.warp_size = shape.warp_size,
	                               .sm_count = 4,
	                               .ctas_per_sm = 4,
	                               .spin_budget = 50000000,
	                               .stack_bytes = 4096,
	                               .heap_bytes = 1 << 16};
	struct device_memory *memory = device_memory_new(UINT64_C(1) << 24, err);
	struct exec *exec = memory ? exec_new(memory, &options, err) : NULL;
	struct ptx_module *ptx = ptx_parse("soak.ptx", ptx_text, strlen(ptx_text), err);
	struct loaded_module *module =
	    exec && ptx && ptx_analyze(ptx, true, err) ? exec_load(exec, ptx, err) : NULL;
	bool ok = module != NULL;
	if (ok) {
		uint64_t buffer = device_memory_allocate(memory, BUFFER_WORDS * 4);
		void *args[] = {&buffer};
		struct exec_launch launch = {.module = module,
		                             .grid = {shape.ctas, 1, 1},
		                             .block = {shape.threads, 1, 1},
		                             .args = args,
		                             .recorder = recorder};
		uint32_t *words = (uint32_t *)(uintptr_t)buffer;
		for (uint32_t i = 0; i < BUFFER_WORDS; i++)
			words[i] = i * 2654435761u;
		ok = exec_run(exec, &launch, err) == EXEC_DONE;
		memcpy(image, words, BUFFER_WORDS * 4);
		exec_unload(exec, module);
	} else if (ptx) {
		ptx_module_free(ptx);
	}
	if (exec)
		exec_free(exec);
	if (memory)
		device_memory_free_all(memory);
	return ok;
}

static struct trace *record(const char *ptx_text, struct launch_shape shape, const uint32_t *before,
                            struct error *err)
{
	static unsigned made;
	char path[256];
	const char *tmp = getenv("TMPDIR");
	snprintf(path, sizeof path, "%s/sluice-soak-%ld-%u", tmp ? tmp : "/tmp", (long)getpid(), made++);
	uint32_t *image = calloc(BUFFER_WORDS, sizeof *image);
	struct recorder *recorder = recorder_new(path, err);
	bool ok = recorder && execute(ptx_text, shape, recorder, image, err);
	if (recorder && !ok)
		recorder_abort(recorder);
	else if (recorder)
		ok = recorder_finish(recorder, err);
	if (ok && memcmp(image, before, BUFFER_WORDS * sizeof *image))
		ok = error_set(err, "recorded, the kernel computes something else");
	free(image);
	struct trace *trace = ok ? trace_open(path, err) : NULL;
	unlink(path);
	return trace;
}

struct trace *soak_ptx(uint64_t *random, uint32_t warp_size, char *why, size_t size)
{
	struct error err = {""};
	uint32_t *image = calloc(BUFFER_WORDS, sizeof *image);
	char *text = random_kernel(random);
	struct launch_shape shape = {1 + soak_choose(random, 24), 1 + soak_choose(random, 256), warp_size};
	/* Exchanges name all lanes: they are there. */
	shape.threads = (shape.threads + warp_size - 1) / warp_size * warp_size;
	struct trace *trace =
	    execute(text, shape, NULL, image, &err) ? record(text, shape, image, &err) : NULL;
	if (!trace)
		snprintf(why, size, "%s\n%s", err.text, text);
	free(text);
	free(image);
	return trace;
}
