/*
 * Lowering: walk the functions of a kernel and write, for each PTX instruction,
 * the machine instructions of its recipe with the registers they access. Classes,
 * widths and flags come from the same table as those of real machine code
 * (accelsim/sass.h). Left out: scheduling, spills, the uniform datapath.
 */
#include "cuda/lowering/lower.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "accelsim/accelsim.h"
#include "accelsim/sass.h"
#include "base/memory.h"
#include "cuda/lanes/lanes.h"
#include "cuda/lowering/facts.h"
#include "ptx/fragment.h"

enum {
	MODEL_VERSION = 90, /* compute capability whose machine code is imitated */
	INSN_BYTES = 16,
	MNEMONIC_BYTES = 64
};

struct lower_output {
	struct lowering *l;
	uint32_t capacity;
	size_t string_bytes, string_capacity;
	uint64_t pc;
};

/* Registers of one PTX instruction, or of a pair. */
struct lower_operands {
	uint8_t dst, dst_span;
	uint8_t src[TRACE_MAX_SRC], src_span[TRACE_MAX_SRC], src_count;
};

enum half { WHOLE, LOW_HALF, HIGH_HALF };

/* ---- output ----------------------------------------------------------------------------------------- */

static uint32_t add_string(struct lower_output *out, const char *text)
{
	size_t bytes = strlen(text) + 1;
	if (out->string_bytes + bytes > out->string_capacity) {
		out->string_capacity = 2 * out->string_capacity + 4096;
		out->l->strings = memory_grow(out->l->strings, out->string_capacity, 1);
	}
	memcpy(out->l->strings + out->string_bytes, text, bytes);
	out->string_bytes += bytes;
	return (uint32_t)(out->string_bytes - bytes);
}

static struct trace_insn *add_insn(struct lower_output *out, const struct trace_insn *insn)
{
	struct lowering *l = out->l;
	if (l->count == out->capacity) {
		out->capacity = out->capacity ? 2 * out->capacity : 256;
		l->insns = memory_grow(l->insns, out->capacity, sizeof *l->insns);
	}
	l->insns[l->count] = *insn;
	return &l->insns[l->count++];
}

/* ---- operands --------------------------------------------------------------------------------------- */

static void add_source(struct lower_operands *o, uint8_t reg, uint8_t span)
{
	if (reg == TRACE_REG_NONE || o->src_count == TRACE_MAX_SRC)
		return;
	o->src[o->src_count] = reg;
	o->src_span[o->src_count++] = span;
}

/* Add the registers that the instruction reads, but for `skipped`. */
static void add_sources(struct lower_operands *o, const struct lower_facts *f, const struct ptx_insn *insn,
                        uint32_t skipped)
{
	const struct ptx_operand *source = ptx_sources(f->module, insn);
	for (uint32_t i = 0; i < insn->source_count; i++) {
		uint32_t reg = ptx_register_read(&source[i]);
		if (reg != PTX_NONE && reg != skipped)
			add_source(o, f->regs[reg].number, f->regs[reg].words);
	}
}

static void set_results(struct lower_operands *o, const struct lower_facts *f, const struct ptx_insn *insn)
{
	const struct ptx_operand *result = ptx_results(f->module, insn);
	o->dst = TRACE_REG_NONE;
	for (uint32_t i = 0; i < insn->result_count; i++) {
		if (result[i].kind != PTX_REG || f->regs[result[i].index].number == TRACE_REG_NONE)
			continue;
		uint8_t reg = f->regs[result[i].index].number, span = f->regs[result[i].index].words;
		if (o->dst == TRACE_REG_NONE) {
			o->dst = reg;
			o->dst_span = span;
		} else if (reg == o->dst + o->dst_span) {
			o->dst_span = (uint8_t)(o->dst_span + span);
		}
	}
}

static struct lower_operands operands_of(const struct lower_facts *f, const struct ptx_insn *insn,
                                         uint32_t absorbed)
{
	struct lower_operands o = {0};
	uint32_t inner = PTX_NONE;
	if (absorbed != PTX_NONE) {
		const struct ptx_insn *producer = &f->module->insns[absorbed];
		inner = ptx_results(f->module, producer)->index;
		add_sources(&o, f, producer, PTX_NONE);
	}
	add_sources(&o, f, insn, inner);
	set_results(&o, f, insn);
	return o;
}

/* ---- mnemonics -------------------------------------------------------------------------------------- */

static const char *width_suffix(const struct ptx_insn *insn)
{
	bool is_signed = insn->type == PTX_TYPE_s8 || insn->type == PTX_TYPE_s16;
	unsigned elements = insn->vector ? insn->vector : 1;
	unsigned bytes = ptx_type_bytes((enum ptx_type)insn->type) * elements;
	if (insn->op == PTX_wmma)
		bytes = ptx_matrix_pieces(insn).bytes;
	switch (bytes) {
	case 1:
		return is_signed ? ".S8" : ".U8";
	case 2:
		return is_signed ? ".S16" : ".U16";
	case 8:
		return ".64";
	case 16:
	case 32:
		return ".128";
	default:
		return "";
	}
}

static const char *strength_suffix(const struct ptx_insn *insn)
{
	if (insn->space != PTX_SPACE_global && insn->space != PTX_SPACE_generic)
		return "";
	if (insn->op == PTX_atom || insn->op == PTX_red)
		return insn->scope == PTX_SCOPE_sys ? ".STRONG.SYS" : ".STRONG.GPU";
	if (insn->flags & PTX_FLAG_NC)
		return ".CONSTANT";
	if (insn->flags & PTX_FLAG_VOLATILE || insn->cache == PTX_CACHE_cv || insn->scope == PTX_SCOPE_sys)
		return ".STRONG.SYS";
	if (insn->scope == PTX_SCOPE_cta)
		return ".STRONG.SM";
	if (insn->flags & PTX_FLAG_STRONG || insn->cache == PTX_CACHE_cg)
		return ".STRONG.GPU";
	return "";
}

static const char *compare_name(uint8_t compare)
{
#define X(name) #name,
	static const char *const names[] = {PTX_COMPARES(X)};
#undef X
	return names[compare];
}

static size_t append_upper(char *to, size_t at, const char *text)
{
	for (; *text && at + 1 < MNEMONIC_BYTES; text++)
		to[at++] = (char)toupper((unsigned char)*text);
	return at;
}

/* One word of a recipe with its marks filled in. */
static void spell(char to[MNEMONIC_BYTES], const char *word, size_t length, const struct ptx_insn *insn)
{
	size_t at = 0;
	for (size_t i = 0; i < length && at + 1 < MNEMONIC_BYTES; i++) {
		if (word[i] == '~') {
			at = append_upper(to, at, width_suffix(insn));
			at = append_upper(to, at, strength_suffix(insn));
		} else if (word[i] == '%' && i + 1 < length && word[i + 1] == 'x') {
			i++;
			to[at++] = (char)('0' + insn->vector);
		} else if (word[i] == '%' && i + 1 < length) {
			i++;
			at = append_upper(to, at,
			                  word[i] == 'c' ? compare_name(insn->compare)
			                                 : ptx_mode_name((enum ptx_mode)insn->mode));
		} else {
			to[at++] = word[i];
		}
	}
	to[at] = '\0';
}

/* ---- instructions ----------------------------------------------------------------------------------- */

static bool writes_predicate_only(const char *mnemonic)
{
	const struct sass_op *op = sass_find_op(mnemonic, strcspn(mnemonic, "."));
	return op && op->flags & INSN_SETS_PREDICATE && op->op != OP_VOTE;
}

static bool is_jump(const char *mnemonic)
{
	const struct sass_op *op = sass_find_op(mnemonic, strcspn(mnemonic, "."));
	return op &&
	       (op->op == OP_BRANCH || op->op == OP_RECONVERGE || op->op == OP_EXIT || op->op == OP_NOP);
}

static void take_half(uint8_t *reg, uint8_t *span, enum half half)
{
	if (*reg == TRACE_REG_NONE || half == WHOLE)
		return;
	if (half == HIGH_HALF && *span == 2)
		(*reg)++;
	*span = 1;
}

/* Registers of a step of a recipe: the first reads the sources, later ones also the result of those before. */
static void set_registers(struct trace_insn *t, const struct lower_operands *o, const char *mnemonic,
                          enum half half, bool first)
{
	struct lower_operands own = *o;
	if (!first && half == WHOLE && o->dst != TRACE_REG_NONE) {
		own.src_count = 0;
		add_source(&own, o->dst, o->dst_span);
		for (unsigned i = 0; i < o->src_count; i++)
			add_source(&own, o->src[i], o->src_span[i]);
	}
	t->dst = TRACE_REG_NONE;
	if (!writes_predicate_only(mnemonic)) {
		t->dst = own.dst;
		t->dst_span = own.dst_span;
		take_half(&t->dst, &t->dst_span, half);
	}
	t->src_count = own.src_count;
	for (unsigned i = 0; i < own.src_count; i++) {
		t->src[i] = own.src[i];
		t->src_span[i] = own.src_span[i];
		take_half(&t->src[i], &t->src_span[i], half);
	}
}

/* Add what traces of machine code lack: addresses of bulk copies, eviction hints. */
static void classify_copy(struct trace_insn *t, const char *mnemonic, const struct ptx_insn *insn)
{
	static const uint16_t hints[PTX_EVICT_COUNT] = {[PTX_EVICT_first] = INSN_EVICT_FIRST,
	                                                [PTX_EVICT_last] = INSN_EVICT_LAST,
	                                                [PTX_EVICT_no_allocate] = INSN_NO_ALLOCATE};
	if (t->flags & INSN_MEMORY)
		t->flags |= hints[insn->evict];
	/* Not BSYNC and BSSY, which belong to the same PTX instruction. */
	if (insn->op == PTX_mbarrier &&
	    (insn->mode == PTX_MODE_test_wait || insn->mode == PTX_MODE_try_wait) &&
	    strncmp(mnemonic, "SYNCS", strlen("SYNCS")) == 0)
		t->flags |= INSN_PHASE_WAIT;
	if (strncmp(mnemonic, "UBLKCP", strlen("UBLKCP")) != 0 && strcmp(mnemonic, "UTMALDG") != 0 &&
	    strcmp(mnemonic, "UTMASTG") != 0)
		return;
	t->op = insn->space == PTX_SPACE_global ? OP_STORE : OP_LOAD;
	t->space = SPACE_GLOBAL;
	t->width_bytes = 16;
	t->flags |= INSN_MEMORY | INSN_ASYNC_COPY | INSN_BULK | INSN_BYPASS_L1;
}

/* How the trace says that at most so many groups may be under way. */
static uint8_t wait_width(const struct ptx_module *m, const struct ptx_insn *insn)
{
	return (uint8_t)(ptx_sources(m, insn)->value < 16 ? ptx_sources(m, insn)->value + 1 : 17);
}

/* Products of warp groups: the last one before a commit closes the group. */
static void note_product_group(struct lower_output *out, const struct ptx_module *m,
                               const struct ptx_insn *insn)
{
	struct lowering *l = out->l;
	if (insn->op != PTX_wgmma || !l->count)
		return;
	if (insn->mode == PTX_MODE_wait_group) {
		l->insns[l->count - 1].flags |= INSN_ASYNC_COPY;
		l->insns[l->count - 1].width_bytes = wait_width(m, insn);
	}
	uint32_t at = l->count;
	while (insn->mode == PTX_MODE_commit_group && at && l->insns[at - 1].op != OP_TENSOR)
		at--;
	if (insn->mode == PTX_MODE_commit_group && at && l->insns[at - 1].flags & INSN_ASYNC_COPY)
		l->insns[at - 1].width_bytes = 1;
}

/* Groups of asynchronous copies: a commit, or a wait until at most so many are under way. */
static void note_group(struct lower_output *out, const struct ptx_module *m, const struct ptx_insn *insn)
{
	bool waits = insn->mode == PTX_MODE_wait_group || insn->mode == PTX_MODE_wait_all;
	if (insn->op != PTX_cp || insn->flags & PTX_FLAG_BULK ||
	    (!waits && insn->mode != PTX_MODE_commit_group))
		return;
	struct trace_insn *t = &out->l->insns[out->l->count - 1];
	t->flags |= INSN_ASYNC_COPY;
	if (insn->mode == PTX_MODE_wait_all)
		t->width_bytes = UINT8_MAX;
	else if (waits)
		t->width_bytes = wait_width(m, insn);
}

/* sass_classify() guesses spans from mnemonics; here the registers are known. */
static void classify(struct trace_insn *t, const char *mnemonic, const struct ptx_insn *insn)
{
	struct trace_insn known = *t;
	sass_classify(mnemonic, MODEL_VERSION, t);
	t->dst_span = known.dst_span;
	memcpy(t->src_span, known.src_span, sizeof t->src_span);
	if (t->op == OP_REDUCE)
		t->dst = TRACE_REG_NONE;
	/* The addresses of texels are known as well. */
	if (t->op == OP_TEXTURE && insn->op != PTX_txq)
		t->flags |= INSN_MEMORY;
	classify_copy(t, mnemonic, insn);
	if (t->op == OP_BRANCH && insn->op == PTX_bra && insn->guard == PTX_NONE)
		t->flags &= ~(uint32_t)INSN_USES_PREDICATE;
}

/* Write one machine instruction; all but the first of an instruction read what came before as well. */
static void emit(struct lower_output *out, const struct ptx_insn *insn, const char *mnemonic,
                 const struct lower_operands *o, enum half half, bool first)
{
	struct trace_insn t = {.pc = out->pc, .source_line = insn->source_line, .dst = TRACE_REG_NONE};
	if (!is_jump(mnemonic))
		set_registers(&t, o, mnemonic, half, first);
	classify(&t, mnemonic, insn);
	t.opcode = add_string(out, mnemonic);
	add_insn(out, &t);
	out->pc += INSN_BYTES;
}

static void emit_recipe(struct lower_output *out, const struct ptx_insn *insn, const char *recipe,
                        const struct lower_operands *o)
{
	bool first = true;
	for (const char *at = recipe; *at;) {
		size_t length = strcspn(at, " ");
		enum half half = WHOLE;
		const char *word = at;
		size_t word_length = length;
		if (length > 2 && at[1] == ':') {
			half = at[0] == 'h' ? HIGH_HALF : LOW_HALF;
			word += 2;
			word_length -= 2;
		}
		unsigned times = 1;
		if (*word == '#') {
			times = ptx_matrix_pieces(insn).count;
			word++;
			word_length--;
		}
		char mnemonic[MNEMONIC_BYTES];
		spell(mnemonic, word, word_length, insn);
		for (; times; times--, first = false)
			emit(out, insn, mnemonic, o, half, first);
		at += length;
		at += *at == ' ';
	}
}

/* ---- calls of native functions ------------------------------------------------------------------------- */

static const struct native_function *native_target(const struct lower_facts *f, const struct ptx_insn *insn)
{
	const struct ptx_operand *target = ptx_sources(f->module, insn);
	if (insn->op != PTX_call || !insn->source_count || target->kind != PTX_FUNCTION)
		return NULL;
	const struct ptx_function *callee = &f->module->functions[target->index];
	return callee->is_extern ? native_find(callee->name) : NULL;
}

/* The call's arguments and result go through st.param and ld.param around it, which cost nothing themselves. */
static struct lower_operands native_operands(const struct lower_facts *f, uint32_t call)
{
	struct lower_operands o = {.dst = TRACE_REG_NONE};
	const struct ptx_insn *insns = f->module->insns;
	uint32_t first = f->function->first_insn, end = first + f->function->insn_count;
	for (uint32_t i = call; i-- > first && insns[i].op == PTX_st && insns[i].space == PTX_SPACE_param;)
		add_sources(&o, f, &insns[i], PTX_NONE);
	if (call + 1 < end && insns[call + 1].op == PTX_ld && insns[call + 1].space == PTX_SPACE_param)
		set_results(&o, f, &insns[call + 1]);
	return o;
}

/* A call of a function that runs natively: what the library's code costs, by kinds of instructions. False: none. */
static bool lower_native_call(struct lower_output *out, const struct lower_facts *f,
                              const struct ptx_insn *insn)
{
	const struct native_function *native = native_target(f, insn);
	if (!native)
		return false;
	const struct {
		uint8_t count;
		const char *mnemonic;
	} steps[] = {
	    {native->cost.integer, "IADD3"}, {native->cost.sfu, "MUFU"},   {native->cost.fp32, "FFMA"},
	    {native->cost.fp64, "DFMA"},     {native->cost.branch, "BRA"},
	};
	const struct lower_operands o = native_operands(f, (uint32_t)(insn - f->module->insns));
	bool first = true;
	for (size_t s = 0; s < sizeof steps / sizeof *steps; s++)
		for (uint8_t i = 0; i < steps[s].count; i++, first = false)
			emit(out, insn, steps[s].mnemonic, &o, WHOLE, first);
	return true;
}

/* ---- products of matrices ------------------------------------------------------------------------------ */

/*
 * Which machine instructions a shape takes on a GPU of compute capability 9.0,
 * and the registers between them. All registers of a matrix come and go together,
 * so in the trace they have one number (facts.c); a wmma product of two halves
 * has two.
 */

struct product {
	const char *mnemonic;
	uint8_t count;      /* of them; each makes a part of D, or of the sum */
	bool is_chain;      /* parts of one sum, one after the other */
	uint8_t unpacks;    /* instructions that make the factors what the unit takes */
	uint8_t adds;       /* and that add C */
	const char *unpack; /* which */
};

static struct product half_product(const struct ptx_insn *insn, struct ptx_extent e)
{
	enum ptx_type type = ptx_factor_type(insn, PTX_FRAGMENT_a);
	uint8_t tiles = (uint8_t)(e.m * e.n / 128);
	bool to_half = insn->type == PTX_TYPE_f16;
	if (insn->op == PTX_mma && insn->shape == PTX_SHAPE_m8n8k4)
		return (struct product){
		    to_half ? "HMMA.16816.F16" : "HMMA.16816.F32", 1, true, 12, 8, "SHFL.IDX"};
	if (type == PTX_TYPE_tf32 && insn->op == PTX_wmma)
		return (struct product){"HMMA.1684.F32.TF32", (uint8_t)(2 * tiles), false, 0, 0, NULL};
	if (type == PTX_TYPE_tf32)
		return (struct product){
		    e.k == 4 ? "HMMA.1684.F32.TF32" : "HMMA.1688.F32.TF32", tiles, false, 0, 0, NULL};
	if (type == PTX_TYPE_bf16)
		return (struct product){
		    e.k == 8 ? "HMMA.1688.F32.BF16" : "HMMA.16816.F32.BF16", tiles, false, 0, 0, NULL};
	if (e.k == 8)
		return (struct product){
		    to_half ? "HMMA.1688.F16" : "HMMA.1688.F32", tiles, false, 0, 0, NULL};
	return (struct product){to_half ? "HMMA.16816.F16" : "HMMA.16816.F32", tiles, false, 0, 0, NULL};
}

static struct product integer_product(const struct ptx_insn *insn, struct ptx_extent e)
{
	enum ptx_type type = ptx_factor_type(insn, PTX_FRAGMENT_a);
	uint8_t tiles = (uint8_t)(e.m * e.n >= 128 ? e.m * e.n / 128 : 1);
	/* Numbers of four bits are taken apart into bytes. */
	if (type == PTX_TYPE_s4 || type == PTX_TYPE_u4)
		return (struct product){"IMMA.16832.S8.S8",
		                        (uint8_t)(e.k == 64 ? 2 : 1),
		                        true,
		                        (uint8_t)(e.k == 64 ? 186 : 93),
		                        0,
		                        "LOP3.LUT"};
	if (e.m == 8 && e.n == 8)
		return (struct product){"IMMA.8816.S8.S8", 1, false, 0, 0, NULL};
	return (struct product){
	    e.k == 32 ? "IMMA.16832.S8.S8" : "IMMA.16816.S8.S8", tiles, false, 0, 0, NULL};
}

static struct product product_of(const struct ptx_insn *insn)
{
	struct ptx_extent e = ptx_shape_extent((enum ptx_shape)insn->shape);
	switch (ptx_factor_type(insn, PTX_FRAGMENT_a)) {
	case PTX_TYPE_f64:
		return (struct product){
		    e.m == 8 ? "DMMA.884" : e.k == 4 ? "DMMA.1684" : e.k == 8 ? "DMMA.1688" : "DMMA.16816",
		    1,
		    false,
		    0,
		    0,
		    NULL};
	case PTX_TYPE_b1:
		return (struct product){e.m == 8     ? "BMMA.88128.XOR.POPC"
		                        : e.k == 128 ? "BMMA.168128.XOR.POPC"
		                                     : "BMMA.168256.XOR.POPC",
		                        1,
		                        false,
		                        0,
		                        0,
		                        NULL};
	case PTX_TYPE_e4m3:
	case PTX_TYPE_e5m2:
		return (struct product){
		    "HMMA.16816.F32",        (uint8_t)(e.k / 16), true, (uint8_t)(6 * e.k / 16), 4,
		    "F2FP.F16.E4M3.UNPACK_B"};
	case PTX_TYPE_s8:
	case PTX_TYPE_u8:
	case PTX_TYPE_s4:
	case PTX_TYPE_u4:
		return integer_product(insn, e);
	default:
		return half_product(insn, e);
	}
}

static void add_once(struct lower_operands *o, uint8_t reg)
{
	for (unsigned i = 0; i < o->src_count; i++)
		if (o->src[i] == reg)
			return;
	add_source(o, reg, 1);
}

/* The numbers of a part of a matrix: registers [first, end). */
static void add_part(struct lower_operands *o, const struct lower_facts *f, const struct ptx_operand *list,
                     unsigned first, unsigned end)
{
	for (unsigned i = first; i < end; i++)
		if (list[i].kind == PTX_REG)
			add_once(o, f->regs[list[i].index].number);
}

/* Registers of part `part` of `parts`: its share of D and C, all of A and B. */
static struct lower_operands part_operands(const struct lower_facts *f, const struct ptx_insn *insn,
                                           unsigned part, unsigned parts)
{
	const struct ptx_operand *d = ptx_results(f->module, insn), *a = ptx_sources(f->module, insn);
	unsigned ds = ptx_matrix(insn, PTX_FRAGMENT_d).registers,
	         as = ptx_matrix(insn, PTX_FRAGMENT_a).registers,
	         bs = ptx_matrix(insn, PTX_FRAGMENT_b).registers,
	         cs = ptx_matrix(insn, PTX_FRAGMENT_c).registers;
	struct lower_operands o = {.dst = TRACE_REG_NONE, .dst_span = 1};
	if (d[part * ds / parts].kind == PTX_REG)
		o.dst = f->regs[d[part * ds / parts].index].number;
	add_part(&o, f, a + as + bs, part * cs / parts, (part + 1) * cs / parts);
	add_part(&o, f, a, 0, as);
	add_part(&o, f, a + as, 0, bs);
	return o;
}

/* Lower mma and wmma.mma; false: it is something else. */
static bool lower_product(struct lower_output *out, const struct lower_facts *f, const struct ptx_insn *insn)
{
	if (insn->op != PTX_mma && (insn->op != PTX_wmma || insn->mode != PTX_MODE_mma))
		return false;
	struct product p = product_of(insn);
	struct lower_operands all = part_operands(f, insn, 0, 1);
	/* Unpacked factors go to registers that the trace does not show. */
	struct lower_operands unpack = all;
	unpack.dst = TRACE_REG_NONE;
	for (unsigned i = 0; i < p.unpacks; i++)
		emit(out, insn, p.unpack, &unpack, WHOLE, true);
	for (unsigned i = 0; i < p.count; i++) {
		struct lower_operands part = p.is_chain ? all : part_operands(f, insn, i, p.count);
		emit(out, insn, p.mnemonic, &part, WHOLE, !p.is_chain || i == 0);
	}
	for (unsigned i = 0; i < p.adds; i++)
		emit(out, insn, "FADD", &all, WHOLE, false);
	return true;
}

/*
 * wgmma.mma_async: no instruction waits for its registers but the wait for its group, so the trace shows none of D. Of A in
 * registers there is one number.
 */
static bool lower_warpgroup_product(struct lower_output *out, const struct lower_facts *f,
                                    const struct ptx_insn *insn)
{
	if (insn->op != PTX_wgmma || insn->mode != PTX_MODE_mma_async)
		return false;
	struct ptx_extent e = ptx_shape_extent((enum ptx_shape)insn->shape);
	unsigned a = ptx_warpgroup_factor_registers(insn), bytes = ptx_type_bytes(insn->type2);
	bool is_integer = insn->type == PTX_TYPE_s32;
	const char *unit = is_integer ? "IGMMA" : bytes == 1 ? "QGMMA" : "HGMMA";
	const char *sum = is_integer ? "" : insn->type == PTX_TYPE_f16 ? ".F16" : ".F32";
	char types[32] = "", mnemonic[MNEMONIC_BYTES];
	if (bytes == 1)
		snprintf(types, sizeof types, ".%s.%s", ptx_type_name(insn->type2),
		         ptx_type_name(insn->type3));
	else if (insn->type2 != PTX_TYPE_f16)
		snprintf(types, sizeof types, ".%s", ptx_type_name(insn->type2));
	for (char *at = types; *at; at++)
		*at = (char)toupper((unsigned char)*at);
	snprintf(mnemonic, sizeof mnemonic, "%s.%ux%ux%u%s%s%s", unit, e.m, e.n, e.k, sum, types,
	         a ? ".RA" : "");
	struct lower_operands o = {.dst = TRACE_REG_NONE};
	add_part(&o, f, ptx_sources(f->module, insn) + insn->result_count, 0, a);
	emit(out, insn, mnemonic, &o, WHOLE, true);
	struct trace_insn *t = &out->l->insns[out->l->count - 1];
	t->flags |= INSN_ASYNC_COPY;
	t->dst = TRACE_REG_NONE;
	t->dst_span = 0;
	return true;
}

/* ---- functions -------------------------------------------------------------------------------------- */

static void emit_body(struct lower_output *out, const struct lower_facts *f, const struct ptx_insn *insn,
                      uint32_t place)
{
	if (lower_native_call(out, f, insn) || lower_product(out, f, insn) ||
	    lower_warpgroup_product(out, f, insn))
		return;
	const char *recipe = f->recipes[place] ? f->recipes[place] : lower_recipe(f, insn);
	if (!recipe)
		recipe = "NOP";
	struct lower_operands o = operands_of(f, insn, f->absorbs[place]);
	emit_recipe(out, insn, recipe, &o);
}

static void lower_insn(struct lower_output *out, const struct lower_facts *f, uint32_t index)
{
	const struct ptx_insn *insn = &f->module->insns[index];
	uint32_t place = lower_place(f, index);
	uint8_t notes = f->notes[place];
	const struct lower_operands none = {.dst = TRACE_REG_NONE};
	bool is_branch = insn->op == PTX_bra || insn->op == PTX_brx;
	if (notes & LOWER_MEET)
		emit(out, insn, "BSYNC", &none, WHOLE, true);
	if (notes & LOWER_PUSH && is_branch)
		emit(out, insn, "BSSY", &none, WHOLE, true);
	if (!(notes & LOWER_ABSORBED))
		emit_body(out, f, insn, place);
	if (notes & LOWER_PUSH && !is_branch)
		emit(out, insn, "BSSY", &none, WHOLE, true);
}

/* Every kernel begins with its stack pointer and the descriptor of global memory. */
static void emit_prologue(struct lower_output *out, const struct ptx_insn *insn)
{
	const struct lower_operands none = {.dst = TRACE_REG_NONE};
	emit(out, insn, "LDC", &none, WHOLE, true);
	emit(out, insn, "ULDC.64", &none, WHOLE, true);
}

static void lower_function(struct lower_output *out, const struct ptx_module *m,
                           const struct ptx_function *function)
{
	struct lowering *l = out->l;
	struct lower_facts facts;
	lower_facts_find(&facts, m, function);
	for (uint32_t i = function->first_insn; i < function->first_insn + function->insn_count; i++) {
		l->start[i] = l->count;
		if (i == function->first_insn && function->is_entry)
			emit_prologue(out, &m->insns[i]);
		lower_insn(out, &facts, i);
		note_group(out, m, &m->insns[i]);
		note_product_group(out, m, &m->insns[i]);
		if (facts.notes[lower_place(&facts, i)] & LOWER_FOLDED && m->insns[i].guard != PTX_NONE)
			l->folded[i] = ptx_sources(m, &m->insns[i])->index;
		for (uint32_t t = l->start[i]; t < l->count && l->access[i] == LOWER_NONE; t++)
			if (l->insns[t].flags & INSN_MEMORY)
				l->access[i] = t;
	}
	lower_facts_free(&facts);
}

/* Add instructions for generic accesses that turn out to be local: their addresses need a space of their own. */
static void add_local_forms(struct lower_output *out, uint32_t insn_count)
{
	struct lowering *l = out->l;
	for (uint32_t i = 0; i < insn_count; i++) {
		if (l->access[i] == LOWER_NONE || l->insns[l->access[i]].space != SPACE_GENERIC)
			continue;
		struct trace_insn t = l->insns[l->access[i]];
		t.space = SPACE_LOCAL;
		l->local_access[i] = l->count;
		add_insn(out, &t);
	}
}

/* Add instructions for matrices of 16-bit factors at generic addresses: from shared memory they are loaded by rows. */
static void add_row_forms(struct lower_output *out, const struct ptx_module *m)
{
	struct lowering *l = out->l;
	for (uint32_t i = 0; i < m->insn_count; i++) {
		const struct ptx_insn *insn = &m->insns[i];
		if (insn->op != PTX_wmma || insn->mode != PTX_MODE_load || l->access[i] == LOWER_NONE)
			continue;
		struct ptx_pieces rows = ptx_matrix_pieces_shared(insn);
		if (!rows.is_rows || insn->space != PTX_SPACE_generic)
			continue;
		struct trace_insn t = l->insns[l->access[i]];
		sass_classify("LDSM.16.M88.4", MODEL_VERSION, &t);
		t.opcode = add_string(out, "LDSM.16.M88.4");
		l->rows_access[i] = l->count;
		/* Each has the PC of the one that it replaces: no two instructions of a table are equal. */
		for (unsigned k = 0; k < rows.count; k++) {
			t.pc = l->insns[l->access[i] + k].pc;
			add_insn(out, &t);
		}
	}
}

static int compare_functions(const void *a, const void *b)
{
	const struct ptx_function *x = *(const struct ptx_function *const *)a,
	                          *y = *(const struct ptx_function *const *)b;
	return (x->first_insn > y->first_insn) - (x->first_insn < y->first_insn);
}

/* The functions that have instructions; returns how many. */
static uint32_t functions_in_order(const struct ptx_module *m, const struct ptx_kernel *k,
                                   const struct ptx_function **functions)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < k->function_count; i++)
		if (m->functions[k->functions[i]].insn_count)
			functions[count++] = &m->functions[k->functions[i]];
	qsort(functions, count, sizeof *functions, compare_functions);
	return count;
}

/* LOWER_NONE for every instruction. */
static uint32_t *new_marks(uint32_t insn_count)
{
	uint32_t *marks = memory_zeroed(insn_count + 1, sizeof *marks);
	memset(marks, 0xff, (insn_count + 1) * sizeof *marks);
	return marks;
}

struct lowering *lower_kernel(const struct ptx_module *m, const struct ptx_kernel *k, uint64_t pc)
{
	struct lowering *l = memory_zeroed(1, sizeof *l);
	struct lower_output out = {.l = l, .pc = pc};
	l->start = memory_zeroed(m->insn_count + 1, sizeof *l->start);
	l->access = new_marks(m->insn_count);
	l->local_access = new_marks(m->insn_count);
	l->rows_access = new_marks(m->insn_count);
	l->folded = new_marks(m->insn_count);
	const struct ptx_function **functions = memory_zeroed(k->function_count + 1, sizeof *functions);
	uint32_t count = functions_in_order(m, k, functions), next = 0;
	for (uint32_t i = 0; i < count; i++) {
		const struct ptx_function *f = functions[i];
		/* The range of an instruction in a function that is not reached is empty. */
		for (; next < f->first_insn; next++)
			l->start[next] = l->count;
		lower_function(&out, m, f);
		next = f->first_insn + f->insn_count;
	}
	for (; next <= m->insn_count; next++)
		l->start[next] = l->count;
	add_local_forms(&out, m->insn_count);
	add_row_forms(&out, m);
	free(functions);
	return l;
}

void lower_free(struct lowering *l)
{
	if (!l)
		return;
	free(l->insns);
	free(l->strings);
	free(l->start);
	free(l->access);
	free(l->local_access);
	free(l->rows_access);
	free(l->folded);
	free(l);
}
