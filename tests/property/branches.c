/*
 * What a compiler makes of branches and of the order inside blocks changes no result: random kernels of nested ifs,
 * elses and loops leave the same memory as written and as compiled. Threads share nothing, so that their order cannot
 * matter.
 */
#include <stdarg.h>

#include "lib/exec_fixture.h"

enum { THREADS = 70, SLOTS = 16, KERNELS = 400, TEXT_BYTES = 1 << 16, DEPTH_MAX = 3 };

struct writer {
	char text[TEXT_BYTES];
	size_t used;
	uint64_t random;
	uint32_t labels;
};

static uint32_t choose(struct writer *w, uint32_t n)
{
	w->random = w->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)((w->random >> 33) % n);
}

static void __attribute__((format(printf, 2, 3))) say(struct writer *w, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	w->used += (size_t)vsnprintf(w->text + w->used, TEXT_BYTES - w->used, format, args);
	va_end(args);
}

static uint32_t value(struct writer *w)
{
	return 8 + choose(w, 8);
}

/* Temporaries of their own, as compilers name them, or variables that are read elsewhere, too. */
static void say_step(struct writer *w)
{
	static const char *const ops[] = {"add.s32", "xor.b32", "min.s32", "mul.lo.s32", "sub.s32"};
	uint32_t to = value(w), from = value(w), slot = 4 * choose(w, SLOTS), label = w->labels++;
	const char *space = choose(w, 2) ? "global" : "shared", *base = *space == 'g' ? "%rd1" : "%r3";
	switch (choose(w, 5)) {
	case 0:
		say(w, "ld.%s.u32 %%r%u, [%s+%u];\n", space, to, base, slot);
		return;
	case 1:
		say(w, "st.%s.u32 [%s+%u], %%r%u;\n", space, base, slot, from);
		return;
	case 2:
		say(w,
		    "{ .reg .b32 %%t<2>; add.s32 %%t0, %%r%u, %u; ld.%s.u32 %%t1, [%s+%u];\n"
		    "mad.lo.s32 %%r%u, %%t0, %%t1, %%r%u; }\n",
		    from, label, space, base, slot, to, value(w));
		return;
	case 3:
		say(w, "setp.gt.s32 %%p2, %%r%u, %%r%u; selp.b32 %%r%u, %%r%u, %%r%u, %%p2;\n", from,
		    value(w), to, from, value(w));
		return;
	default:
		say(w, "%s %%r%u, %%r%u, %%r%u;\n", ops[choose(w, 5)], to, from, value(w));
	}
}

static void say_block(struct writer *w, uint32_t depth);

static void say_condition(struct writer *w)
{
	say(w, "setp.%s.s32 %%p1, %%r%u, %d;\n", choose(w, 2) ? "lt" : "ge", value(w),
	    (int)choose(w, 3000) - 500);
}

static void say_if(struct writer *w, uint32_t depth)
{
	uint32_t label = w->labels++;
	bool has_else = choose(w, 2), over_jump = choose(w, 2);
	say_condition(w);
	if (over_jump) /* as clang writes it */
		say(w, "@%%p1 bra T%u; bra.uni F%u;\nT%u:\n", label, label, label);
	else
		say(w, "@!%%p1 bra F%u;\n", label);
	say_block(w, depth + 1);
	if (has_else)
		say(w, "bra.uni J%u;\n", label);
	say(w, "F%u:\n", label);
	if (has_else) {
		say_block(w, depth + 1);
		say(w, "J%u:\n", label);
	}
}

static void say_loop(struct writer *w, uint32_t depth)
{
	uint32_t label = w->labels++, counter = 20 + depth;
	say(w, "mov.u32 %%r%u, %u;\nL%u:\n", counter, 1 + choose(w, 4), label);
	say_block(w, depth + 1);
	if (choose(w, 2)) { /* some leave in the middle */
		say_condition(w);
		say(w, "@%%p1 bra E%u;\n", label);
		say_block(w, depth + 1);
	}
	say(w, "sub.s32 %%r%u, %%r%u, 1; setp.eq.s32 %%p1, %%r%u, 0;\n", counter, counter, counter);
	if (choose(w, 2))
		say(w, "@!%%p1 bra L%u;\nE%u:\n", label, label);
	else
		say(w, "@%%p1 bra E%u; bra.uni L%u;\nE%u:\n", label, label, label);
}

static void say_block(struct writer *w, uint32_t depth)
{
	for (uint32_t left = 1 + choose(w, 6); left; left--) {
		uint32_t what = choose(w, 10);
		if (what < 2 && depth < DEPTH_MAX)
			say_if(w, depth);
		else if (what == 2 && depth < DEPTH_MAX)
			say_loop(w, depth);
		else
			say_step(w);
	}
}

static const char *random_kernel(struct writer *w, uint64_t seed)
{
	*w = (struct writer){.random = seed};
	say(w,
	    PTX_HEAD
	    ".visible .entry k(.param .u64 data) {\n"
	    ".reg .pred %%p<4>; .reg .b32 %%r<32>; .reg .b64 %%rd<4>;\n"
	    ".shared .align 16 .b8 memory[%u];\n"
	    "ld.param.u64 %%rd0, [data]; mov.u32 %%r1, %%tid.x;\n"
	    "mad.wide.u32 %%rd1, %%r1, %u, %%rd0; mov.u32 %%r2, memory; mad.lo.s32 %%r3, %%r1, %u, %%r2;\n",
	    THREADS * SLOTS * 4, SLOTS * 4, SLOTS * 4);
	for (uint32_t r = 8; r < 16; r++)
		say(w, "mad.lo.s32 %%r%u, %%r1, %u, %d;\n", r, choose(w, 97), (int)choose(w, 2000) - 1000);
	for (uint32_t i = 0; i < SLOTS; i++)
		say(w, "st.shared.u32 [%%r3+%u], %%r%u;\n", 4 * i, 8 + i % 8);
	say_block(w, 0);
	if (choose(w, 2)) { /* the others end here */
		say_condition(w);
		say(w, "@%%p1 bra END;\n");
		say_block(w, 1);
	}
	for (uint32_t r = 8; r < 16; r++)
		say(w, "st.global.u32 [%%rd1+%u], %%r%u;\n", 4 * (r - 8), r);
	say(w, "END:\nret;\n}\n");
	return w->text;
}

static bool execute(const char *text, bool compile, uint32_t image[THREADS * SLOTS])
{
	struct fixture *f = fixture_load(text, compile, NULL);
	uint64_t data = fixture_buffer(f, THREADS * SLOTS * 4);
	uint32_t *words = (uint32_t *)(uintptr_t)data;
	for (uint32_t i = 0; i < THREADS * SLOTS; i++)
		words[i] = i * 2654435761u >> 20;
	bool ok = fixture_launch(f, "k", (struct grid){1, THREADS, 0}, data, 0, 0) == EXEC_DONE;
	memcpy(image, words, THREADS * SLOTS * 4);
	fixture_free(f);
	return ok;
}

TEST(compiled_branches_compute_the_same)
{
	static struct writer w;
	static uint32_t written[THREADS * SLOTS], compiled[THREADS * SLOTS];
	for (uint64_t seed = 0; seed < KERNELS; seed++) {
		const char *text = random_kernel(&w, seed);
		bool same = w.used < TEXT_BYTES && execute(text, false, written) &&
		            execute(text, true, compiled) && !memcmp(written, compiled, sizeof written);
		if (!same)
			printf("# kernel %llu:\n%s", (unsigned long long)seed, text);
		CHECK(same);
	}
}

TEST_RUN_ALL(true)
