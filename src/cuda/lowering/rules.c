/* The tables of lower.def, and the conditions that their lines name. */
#include <stddef.h>

#include "cuda/lowering/facts.h"
#include "ptx/fragment.h"

/* ---- conditions ------------------------------------------------------------------------------------- */

/* A condition on instruction i of a function with the facts f. */
#define TEST_FUNCTION(name)                                                                                  \
	static bool test_##name(const struct lower_facts *f __attribute__((unused)),                         \
	                        const struct ptx_insn *i __attribute__((unused)))
#define TEST(name, ...)                                                                                      \
	TEST_FUNCTION(name)                                                                                  \
	{                                                                                                    \
		return __VA_ARGS__;                                                                          \
	}

static const struct ptx_operand *source_of(const struct lower_facts *f, const struct ptx_insn *i, unsigned n)
{
	static const struct ptx_operand nothing = {.kind = PTX_SINK};
	return n < i->source_count ? ptx_sources(f->module, i) + n : &nothing;
}

TEST(ALWAYS, true)
TEST(WIDE, i->mode == PTX_MODE_wide)
TEST(HIGH, i->mode == PTX_MODE_hi)
TEST(LOW, i->mode != PTX_MODE_wide && i->mode != PTX_MODE_hi)
TEST(IMMEDIATE, source_of(f, i, 1)->kind == PTX_IMM)
TEST(UNSIGNED, i->type == PTX_TYPE_u16 || i->type == PTX_TYPE_u32)
static bool is_by_power(const struct lower_facts *f, const struct ptx_insn *i)
{
	uint64_t by = (uint64_t)source_of(f, i, 1)->value;
	return test_IMMEDIATE(f, i) && by && !(by & (by - 1));
}
TEST(BY_POWER_SIGNED, is_by_power(f, i) && !test_UNSIGNED(f, i))
TEST(BY_POWER_UNSIGNED, is_by_power(f, i) && test_UNSIGNED(f, i))
TEST(FTZ, i->flags &PTX_FLAG_FTZ)
TEST(APPROX, i->flags &(PTX_FLAG_APPROX | PTX_FLAG_FULL))
TEST(APPROX_FTZ, test_APPROX(f, i) && test_FTZ(f, i))
TEST(SATURATES, i->flags &PTX_FLAG_SAT)
TEST(SIGNED, i->type2 == PTX_TYPE_s8 || i->type2 == PTX_TYPE_s16 || i->type2 == PTX_TYPE_s32 ||
                 i->type2 == PTX_TYPE_s64)
static bool is_extended(const struct lower_facts *f, const struct ptx_operand *o)
{
	if (o->kind == PTX_IMM)
		return o->value == (int32_t)o->value;
	if (o->kind != PTX_REG || f->regs[o->index].defs != 1)
		return false;
	const struct ptx_insn *def = &f->module->insns[f->regs[o->index].def];
	return def->op == PTX_cvt && lower_kind_of(def->type) == I64 &&
	       lower_kind_of(def->type2) & (I16 | I32);
}
/* Products of numbers that had 32 bits a moment ago. */
TEST(OF_EXTENDED, is_extended(f, source_of(f, i, 0)) || is_extended(f, source_of(f, i, 1)))
TEST(OF_EXTENDED_PAIR, is_extended(f, source_of(f, i, 0)) && is_extended(f, source_of(f, i, 1)))
/* An extension that only products read. */
TEST_FUNCTION(INTO_PRODUCT)
{
	const struct ptx_operand *result = ptx_results(f->module, i);
	return result->kind == PTX_REG && f->regs[result->index].uses &&
	       f->regs[result->index].shared_by == f->regs[result->index].uses;
}
/* A combination of predicates that a compare takes as its third operand. */
TEST_FUNCTION(OF_COMPARE)
{
	for (unsigned s = 0; s < 2; s++) {
		const struct ptx_operand *o = source_of(f, i, s);
		if (o->kind == PTX_REG && f->regs[o->index].defs == 1 && f->regs[o->index].uses == 1 &&
		    f->module->insns[f->regs[o->index].def].op == PTX_setp)
			return true;
	}
	return false;
}
/* Narrow loads extend to 32 bits themselves. */
TEST_FUNCTION(LOADED_SO)
{
	const struct ptx_operand *o = source_of(f, i, 0);
	if (o->kind != PTX_REG || f->regs[o->index].defs != 1)
		return false;
	const struct ptx_insn *def = &f->module->insns[f->regs[o->index].def];
	return def->op == PTX_ld && ptx_type_bits((enum ptx_type)def->type) <= 16;
}
TEST_FUNCTION(OF_CLOCK)
{
	const struct ptx_operand *o = source_of(f, i, 0);
	return o->kind == PTX_SREG && o->index >= PTX_SREG_clock && o->index <= PTX_SREG_globaltimer_hi;
}
/* Sizes of the launch are in constant memory, where instructions read them as operands. */
TEST_FUNCTION(OF_LAUNCH)
{
	const struct ptx_operand *o = source_of(f, i, 0);
	if (o->kind != PTX_SREG)
		return false;
	return (o->index >= PTX_SREG_ntid_x && o->index <= PTX_SREG_ntid_z) ||
	       (o->index >= PTX_SREG_nctaid_x && o->index <= PTX_SREG_nctaid_z) ||
	       o->index == PTX_SREG_warp_sz || o->index == PTX_SREG_dynamic_smem_size ||
	       o->index == PTX_SREG_total_smem_size;
}
TEST(OF_THREAD_ID, source_of(f, i, 0)->kind == PTX_SREG && !test_OF_CLOCK(f, i) && !test_OF_LAUNCH(f, i))
TEST(OF_FUNCTION, source_of(f, i, 0)->kind == PTX_FUNCTION)
/* The address of shared memory is an operand like any constant; that of a global variable is read. */
TEST_FUNCTION(OF_SYMBOL)
{
	const struct ptx_operand *o = source_of(f, i, 0);
	uint8_t space = o->kind == PTX_SYMBOL ? f->module->variables[o->index].space : PTX_SPACE_param;
	return space == PTX_SPACE_global || space == PTX_SPACE_local || space == PTX_SPACE_const;
}
/* A constant that a register holds for a while, and later something else: the start of a loop. */
TEST_FUNCTION(OF_CONSTANT_AGAIN)
{
	const struct ptx_operand *result = ptx_results(f->module, i);
	return source_of(f, i, 0)->kind == PTX_IMM && result->kind == PTX_REG &&
	       f->regs[result->index].defs > 1;
}
TEST(TO_SPACE, i->flags &PTX_FLAG_TO)
TEST(OF_GLOBAL, i->space == PTX_SPACE_global || i->space == PTX_SPACE_const || i->space == PTX_SPACE_param)
TEST(IN_PARAM, i->space == PTX_SPACE_param)
/* What comes back from a call is in the parameter space as well. */
TEST_FUNCTION(IN_LAUNCH_PARAM)
{
	const struct ptx_operand *o = source_of(f, i, 0);
	if (!test_IN_PARAM(f, i) || !lower_is_entry(f))
		return false;
	if (o->base != PTX_BASE_VARIABLE)
		return true;
	for (uint32_t p = 0; p < f->function->param_count; p++)
		if (f->function->params[p] == o->index)
			return true;
	return false;
}
TEST(IN_LAUNCH_POINTER, test_IN_LAUNCH_PARAM(f, i) && ptx_type_bytes((enum ptx_type)i->type) == 8)
TEST(IN_CONST, i->space == PTX_SPACE_const)
TEST(IN_CONST_FIXED, test_IN_CONST(f, i) && ptx_register_read(source_of(f, i, 0)) == PTX_NONE)
TEST(IN_GLOBAL, i->space == PTX_SPACE_global)
TEST(IN_SHARED, i->space == PTX_SPACE_shared)
TEST(IN_LOCAL, i->space == PTX_SPACE_local)
TEST_FUNCTION(UNREAD_GLOBAL)
{
	const struct ptx_operand *result = ptx_results(f->module, i);
	bool unread = !i->result_count || result->kind != PTX_REG || !f->regs[result->index].uses;
	return test_IN_GLOBAL(f, i) && unread && i->mode != PTX_MODE_cas && i->mode != PTX_MODE_exch;
}
/* Shared memory adds integers; sums of floats are loops of compare and swap. */
TEST(NATIVE_SHARED,
     test_IN_SHARED(f, i) && (!(lower_kind_of(i->type) & (F16 | F32 | F64)) || i->mode != PTX_MODE_add))
TEST(AT_CTA, i->scope == PTX_SCOPE_cta)
/* Of the GPU or beyond: what is of a CTA needs no more than the access. */
TEST(ACQUIRES, i->flags &PTX_FLAG_ACQUIRE && !test_AT_CTA(f, i))
TEST(RELEASES, i->flags &PTX_FLAG_RELEASE && !test_AT_CTA(f, i))
TEST(ACQUIRES_GLOBAL, test_ACQUIRES(f, i) && test_IN_GLOBAL(f, i))
TEST(RELEASES_GLOBAL, test_RELEASES(f, i) && test_IN_GLOBAL(f, i))
TEST(ARRIVES, i->mode == PTX_MODE_arrive)
/* bar.warp.sync */
TEST(OF_WARP, i->mode == PTX_MODE_warp)
TEST(REDUCES, i->result_count > 0)
static uint8_t notes_of(const struct lower_facts *f, const struct ptx_insn *i)
{
	return f->notes[lower_place(f, (uint32_t)(i - f->module->insns))];
}
TEST(FOLDED, notes_of(f, i) & LOWER_FOLDED)
TEST(TO_END, notes_of(f, i) & LOWER_TO_END)
TEST(IN_ENTRY, lower_is_entry(f))

/* ---- of matrices, copies, barriers and clusters ---- */

TEST(TRANSPOSES, i->flags &PTX_FLAG_TRANS)
TEST(LOADS, i->mode == PTX_MODE_load)
TEST(LOADS_SHARED, test_LOADS(f, i) && i->space == PTX_SPACE_shared)
TEST(LOADS_GLOBAL, test_LOADS(f, i) && i->space == PTX_SPACE_global)
TEST(LOADS_ROWS, test_LOADS_SHARED(f, i) && ptx_matrix_pieces(i).is_rows)
TEST(BULK, i->flags &PTX_FLAG_BULK)
TEST(OF_BOX, i->flags &PTX_FLAG_TENSOR)
TEST(PREFETCHES_BOX, test_OF_BOX(f, i) && i->mode == PTX_MODE_prefetch)
TEST(STORES_BOX, test_OF_BOX(f, i) && i->space == PTX_SPACE_global)
TEST(LOADS_BOX, test_OF_BOX(f, i) && i->space == PTX_SPACE_shared)
TEST(COMMITS, i->mode == PTX_MODE_commit_group)
TEST(WAITS, i->mode == PTX_MODE_wait_group || i->mode == PTX_MODE_wait_all)
TEST(COMMITS_BULK, test_BULK(f, i) && test_COMMITS(f, i))
TEST(WAITS_BULK, test_BULK(f, i) && test_WAITS(f, i))
TEST(PREFETCHES, i->mode == PTX_MODE_prefetch)
TEST(STORES_BULK, test_BULK(f, i) && i->space == PTX_SPACE_global)
static bool copies(const struct lower_facts *f, const struct ptx_insn *i, int64_t bytes)
{
	return i->mode == PTX_MODE_async && source_of(f, i, 2)->value == bytes;
}
TEST(COPIES_16, copies(f, i, 16))
TEST(COPIES_8, copies(f, i, 8))
TEST(COPIES_PAST_L1, test_COPIES_16(f, i) && i->cache == PTX_CACHE_cg)
TEST(PENDS, i->mode == PTX_MODE_pending_count)
TEST(WAITS_PHASE, i->mode == PTX_MODE_test_wait || i->mode == PTX_MODE_try_wait)
TEST(STARTS_PHASES, i->mode == PTX_MODE_init)
TEST(ENDS_PHASES, i->mode == PTX_MODE_inval)
TEST(ACCUMULATES, i->flags &PTX_FLAG_ACCUMULATE)
TEST(OF_PROXY, i->mode == PTX_MODE_async)
TEST(OF_WAIT, i->mode == PTX_MODE_wait)
TEST(OF_CLUSTER, i->scope == PTX_SCOPE_cluster)
TEST(OF_CLUSTER_WAIT, test_OF_CLUSTER(f, i) && test_OF_WAIT(f, i))
TEST(OF_CLUSTER_RELAXED, test_OF_CLUSTER(f, i) && i->flags & PTX_FLAG_STRONG)
TEST(TO_TENSOR, i->type == PTX_TYPE_tf32)
TEST(TO_BYTES, i->type == PTX_TYPE_e4m3x2 || i->type == PTX_TYPE_e5m2x2)
TEST(TO_HALVES, i->type2 == PTX_TYPE_e4m3x2 || i->type2 == PTX_TYPE_e5m2x2)

/* ---- tables ----------------------------------------------------------------------------------------- */

struct lower_rule {
	uint16_t op;
	uint8_t types, from; /* sets of enum lower_kind */
	lower_test *when;
	const char *recipe;
};

#define LOWER(op, types, when, recipe) {PTX_##op, types, 0, test_##when, recipe},
#define CONVERT(to, from, when, recipe)
#define FUSE(producer, types, when, consumer, types2, recipe)
#define SHARE(producer, types, when, consumer, types2, recipe)
static const struct lower_rule rules[] = {
#include "cuda/lowering/lower.def"
};
#undef LOWER
#undef CONVERT

#define LOWER(op, types, when, recipe)
#define CONVERT(to, from, when, recipe) {PTX_cvt, to, from, test_##when, recipe},
static const struct lower_rule conversions[] = {
#include "cuda/lowering/lower.def"
};
#undef CONVERT
#undef FUSE
#undef SHARE

#define CONVERT(to, from, when, recipe)
#define PAIR(pairing, producer, types, when, consumer, types2, recipe)                                       \
	{{PTX_##producer, types, 0, test_##when, recipe}, PTX_##consumer, types2, pairing},
#define FUSE(...) PAIR(LOWER_FUSE, __VA_ARGS__)
#define SHARE(...) PAIR(LOWER_SHARE, __VA_ARGS__)
static const struct pair_rule {
	struct lower_rule producer;
	uint16_t consumer;
	uint8_t types;
	uint8_t pairing;
} pairs[] = {
#include "cuda/lowering/lower.def"
};

unsigned lower_kind_of(uint8_t type)
{
	switch (type) {
	case PTX_TYPE_pred:
		return PRED;
	case PTX_TYPE_f16:
	case PTX_TYPE_f16x2:
	case PTX_TYPE_bf16:
	case PTX_TYPE_bf16x2:
		return F16;
	case PTX_TYPE_f32:
		return F32;
	case PTX_TYPE_f64:
		return F64;
	default: {
		unsigned bits = ptx_type_bits((enum ptx_type)type);
		return bits > 32 ? I64 : bits == 32 || !bits ? I32 : I16;
	}
	}
}

/* The kind of an instruction by its type and by what is made of its result. */
static unsigned kind_of_insn(const struct lower_facts *f, const struct ptx_insn *insn)
{
	const struct ptx_operand *result = ptx_results(f->module, insn);
	unsigned kind = lower_kind_of(insn->type);
	bool has_reg = insn->result_count && result->kind == PTX_REG;
	return kind == I64 && has_reg && f->regs[result->index].narrow ? NARROW : kind;
}

static bool fits(const struct lower_rule *rule, const struct lower_facts *f, const struct ptx_insn *insn)
{
	if (rule->op != insn->op || !(rule->types & kind_of_insn(f, insn)))
		return false;
	if (rule->from && !(rule->from & lower_kind_of(insn->type2)))
		return false;
	return rule->when(f, insn);
}

static const char *find_rule(const struct lower_rule *rule, size_t count, const struct lower_facts *f,
                             const struct ptx_insn *insn)
{
	for (size_t i = 0; i < count; i++)
		if (fits(&rule[i], f, insn))
			return rule[i].recipe;
	return NULL;
}

const char *lower_recipe(const struct lower_facts *f, const struct ptx_insn *insn)
{
	if (insn->op == PTX_cvt)
		return find_rule(conversions, sizeof conversions / sizeof *conversions, f, insn);
	return find_rule(rules, sizeof rules / sizeof *rules, f, insn);
}

const char *lower_pair_recipe(const struct lower_facts *f, enum lower_pairing pairing,
                              const struct ptx_insn *producer, const struct ptx_insn *consumer)
{
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		if (pairs[i].pairing == pairing && pairs[i].consumer == consumer->op &&
		    pairs[i].types & kind_of_insn(f, consumer) && fits(&pairs[i].producer, f, producer))
			return pairs[i].producer.recipe;
	return NULL;
}
