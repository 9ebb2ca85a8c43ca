/* Random traces. Warps of a CTA walk through the same body, as those of a kernel do, some for longer than others. */
#include "soak.h"

enum { BODY_MAX = 24, LAUNCHES_MAX = 3 };
#define ARRAY UINT64_C(0x10000000)
#define LOCAL UINT64_C(0x7f4000000000)

/* An instruction of the body, and where its addresses come from. */
struct place {
	struct trace_insn insn;
	uint64_t base, words;
	int64_t stride;
	enum { PLAIN, STRIDED, SCATTERED } kind;
	bool diverges; /* some lanes are off */
};

static struct trace_insn random_access(uint64_t *random, uint32_t at, enum mem_space *space)
{
	static const enum op_class ops[] = {OP_LOAD,   OP_LOAD,   OP_LOAD,   OP_LOAD,    OP_STORE,
	                                    OP_ATOMIC, OP_REDUCE, OP_REDUCE, OP_TEXTURE, OP_STORE};
	static const enum mem_space spaces[] = {SPACE_GLOBAL, SPACE_GLOBAL, SPACE_GLOBAL,
	                                        SPACE_LOCAL,  SPACE_SHARED, SPACE_GENERIC};
	enum op_class op = ops[soak_choose(random, sizeof ops / sizeof *ops)];
	bool loads = op == OP_LOAD || op == OP_STORE;
	*space = op == OP_TEXTURE ? SPACE_TEXTURE : spaces[loads ? soak_choose(random, 6) : 0];
	struct trace_insn insn =
	    synth_memory(at, op, *space, (uint8_t)(1 << soak_choose(random, 5)),
	                 (uint8_t)(4 + soak_choose(random, 40)), (uint8_t)(4 + soak_choose(random, 40)));
	if (!soak_choose(random, 8))
		insn.flags |= INSN_BYPASS_L1;
	if (op == OP_ATOMIC && !soak_choose(random, 2))
		insn.flags |= INSN_CAS;
	return insn;
}

static struct place random_place(uint64_t *random, uint32_t at)
{
	static const int64_t strides[] = {0, 1, 4, 4, 4, 4, 8, 16, 36, 128, 132, 4096, -4, -128};
	struct place p = {.kind = PLAIN, .diverges = !soak_choose(random, 5)};
	if (soak_choose(random, 2)) {
		enum op_class op = (enum op_class)soak_choose(random, OP_LOAD);
		bool has_result = op != OP_BRANCH && op != OP_EXIT && op != OP_BARRIER && op != OP_NOP;
		if (op == OP_EXIT)
			op = OP_FP32;
		p.insn = synth_op(at, op, has_result ? (uint8_t)(4 + soak_choose(random, 40)) : 0,
		                  (uint8_t)(4 + soak_choose(random, 40)));
		if (op == OP_BARRIER)
			p.diverges = false;
		return p;
	}
	enum mem_space space;
	p.insn = random_access(random, at, &space);
	p.kind = soak_choose(random, 3) ? STRIDED : SCATTERED;
	p.base = space == SPACE_SHARED ? 0 : space == SPACE_LOCAL ? LOCAL : ARRAY;
	p.words = space == SPACE_SHARED ? 256 : UINT64_C(1) << (4 + soak_choose(random, 15));
	p.stride = strides[soak_choose(random, space == SPACE_SHARED ? 12 : 14)];
	return p;
}

static void take_step(struct synth *s, const struct place *p, uint64_t lanes, uint64_t *random)
{
	uint64_t mask = p->diverges ? synth_random(random) & lanes : lanes, address[TRACE_MAX_LANES];
	if (p->kind == PLAIN || !mask) {
		synth_plain(s, p->insn, mask);
		return;
	}
	/* Room below for strides that go back. */
	uint64_t base = p->base + (p->base ? 1 << 16 : 0) + synth_random(random) % p->words * 4;
	if (p->kind == STRIDED) {
		synth_stride(s, p->insn, mask, base, p->stride);
		return;
	}
	for (unsigned i = 0; i < (unsigned)__builtin_popcountll(mask); i++)
		address[i] = p->base + synth_random(random) % p->words * 4;
	synth_list(s, p->insn, mask, address);
}

static void add_launch(struct synth *s, uint64_t *random, uint32_t warp_size)
{
	static const uint32_t shared[] = {0, 0, 1024, 4096, 16384, 40000};
	struct place body[BODY_MAX];
	struct synth_shape shape = {.name = "soak",
	                            .ctas = 1 + soak_choose(random, 1u << soak_choose(random, 7)),
	                            .warps = 1 + soak_choose(random, 12),
	                            .warp_size = warp_size,
	                            .shared_bytes = shared[soak_choose(random, 6)],
	                            .registers = 8 + soak_choose(random, 56)};
	uint32_t length = 1 + soak_choose(random, BODY_MAX);
	uint32_t rounds = 1 + soak_choose(random, 1 + 6000 / (shape.ctas * shape.warps * length));
	rounds = rounds > 20 ? 20 : rounds;
	synth_kernel(s, &shape);
	for (uint32_t i = 0; i < length; i++)
		body[i] = random_place(random, i);
	for (uint64_t cta = 0; cta < shape.ctas; cta++)
		for (uint32_t warp = 0; warp < shape.warps; warp++) {
			if (!soak_choose(random, 50))
				continue; /* left out */
			synth_warp(s, cta, warp);
			uint32_t mine = soak_choose(random, 10) ? rounds : soak_choose(random, rounds);
			for (uint32_t i = 0; i < mine * length; i++)
				take_step(s, &body[i % length], synth_lanes(warp_size), random);
			synth_plain(s, synth_op(BODY_MAX, OP_EXIT, 0, 0), synth_lanes(warp_size));
		}
}

struct trace *soak_trace(uint64_t *random, uint32_t warp_size)
{
	struct synth *s = synth_new();
	for (uint32_t left = 1 + soak_choose(random, LAUNCHES_MAX); left; left--)
		add_launch(s, random, warp_size);
	return synth_finish(s);
}
