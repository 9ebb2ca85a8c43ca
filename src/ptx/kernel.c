/*
 * What a kernel takes: the functions it reaches, its shared memory, its registers.
 *
 * Registers per thread are the larger of what is in use at the worst point of the entry, and what is in use across a
 * call plus what the callee needs, over all chains of calls; a recursive function counts once. Machine code keeps some
 * more busy (the stack pointer, temporaries): the constant was fitted to ptxas after scheduling (docs/lowering.md).
 * The sum is at most 255. .maxnreg bounds it, and so does the share of a thread when .minnctapersm CTAs of .maxntid
 * threads are resident. Units of allocation are the machine's.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/memory.h"
#include "ptx/passes.h"

/* Of a GPU with 65,536 registers per SM, allocated in units of 8 per thread. */
enum {
	REGISTERS_RESERVED = 6,
	REGISTERS_MIN = 8,
	REGISTERS_MAX = 255,
	REGISTERS_PER_SM = 65536,
	REGISTERS_UNIT = 8
};
enum { DYNAMIC_ALIGN = 16, SHARED_BYTES_MAX = 1 << 28 };

struct reach {
	const struct ptx_module *m;
	struct ptx_kernel *kernel;
	bool *reached;    /* by function */
	bool *used;       /* by variable */
	bool *taken;      /* by function: it may be called through a pointer */
	bool all_targets; /* functions whose address is taken have been added */
};

static void reach_function(struct reach *r, uint32_t f)
{
	if (r->reached[f])
		return;
	r->reached[f] = true;
	r->kernel->functions[r->kernel->function_count++] = f;
}

/* ---- functions whose address is taken ------------------------------------------------------------------------------ */

static void reach_target(struct reach *r, uint32_t f)
{
	r->taken[f] = true;
	reach_function(r, f);
}

/* Any function whose address the module takes anywhere may be the target of an indirect call. */
static void reach_targets(struct reach *r)
{
	const struct ptx_module *m = r->m;
	if (r->all_targets)
		return;
	r->all_targets = true;
	for (uint32_t i = 0; i < m->insn_count; i++) {
		const struct ptx_insn *insn = &m->insns[i];
		const struct ptx_operand *source = ptx_sources(m, insn);
		for (uint32_t s = insn->op == PTX_call; s < insn->source_count; s++)
			if (source[s].kind == PTX_FUNCTION)
				reach_target(r, source[s].index);
	}
	for (uint32_t v = 0; v < m->variable_count; v++)
		for (uint32_t k = 0; k < m->variables[v].relocation_count; k++)
			if (m->variables[v].relocations[k].function)
				reach_target(r, m->variables[v].relocations[k].index);
}

/* ---- what a function uses -------------------------------------------------------------------------------- */

static void reach_operand(struct reach *r, const struct ptx_operand *o)
{
	if (o->kind == PTX_SYMBOL || (o->kind == PTX_ADDRESS && o->base == PTX_BASE_VARIABLE))
		r->used[o->index] = true;
}

static void reach_insn(struct reach *r, const struct ptx_insn *insn)
{
	const struct ptx_operand *source = ptx_sources(r->m, insn);
	for (uint32_t s = 0; s < insn->source_count; s++)
		reach_operand(r, &source[s]);
	if (insn->op != PTX_call)
		return;
	if (source->kind == PTX_FUNCTION) {
		reach_function(r, source->index);
	} else {
		r->kernel->calls_indirectly = true;
		reach_targets(r);
	}
}

static void reach_all(struct reach *r)
{
	for (uint32_t k = 0; k < r->kernel->function_count; k++) { /* grows meanwhile */
		const struct ptx_function *f = &r->m->functions[r->kernel->functions[k]];
		for (uint32_t i = 0; i < f->insn_count; i++)
			reach_insn(r, &r->m->insns[f->first_insn + i]);
	}
}

/* ---- shared memory --------------------------------------------------------------------------------------- */

static bool is_dynamic(const struct ptx_variable *v)
{
	return v->is_extern && !v->bytes;
}

uint32_t ptx_shared_align(const struct ptx_module *m, const struct ptx_variable *v)
{
	bool is_raised = is_dynamic(v) || (m->is_compiled && v->bytes >= DYNAMIC_ALIGN);
	return is_raised && v->align < DYNAMIC_ALIGN ? DYNAMIC_ALIGN : v->align;
}

static bool lay_out_shared(struct reach *r, struct error *err)
{
	const struct ptx_module *m = r->m;
	uint64_t bytes = 0, dynamic_align = DYNAMIC_ALIGN;
	r->kernel->shared_offset = memory_grow(NULL, m->variable_count, sizeof *r->kernel->shared_offset);
	for (uint32_t i = 0; i < m->variable_count; i++) {
		const struct ptx_variable *v = &m->variables[i];
		r->kernel->shared_offset[i] = UINT64_MAX;
		if (v->space != PTX_SPACE_shared || !r->used[i])
			continue;
		if (is_dynamic(v)) {
			dynamic_align = bits_max(v->align, dynamic_align);
			continue;
		}
		r->kernel->shared_offset[i] = bits_round_up(bytes, ptx_shared_align(m, v));
		bytes = r->kernel->shared_offset[i] + v->bytes;
		if (bytes > SHARED_BYTES_MAX)
			return error_set(
			    err,
			    "%s: kernel '%.200s' has more than %d bytes of shared memory, expected fewer",
			    m->file, m->functions[r->kernel->entry].name, SHARED_BYTES_MAX);
	}
	r->kernel->shared_bytes = (uint32_t)bytes;
	r->kernel->dynamic_offset = (uint32_t)bits_round_up(bytes, dynamic_align);
	for (uint32_t i = 0; i < m->variable_count; i++)
		if (m->variables[i].space == PTX_SPACE_shared && r->used[i] && is_dynamic(&m->variables[i]))
			r->kernel->shared_offset[i] = r->kernel->dynamic_offset;
	return true;
}

/* ---- registers over the call graph ----------------------------------------------------------------------- */

enum { UNKNOWN = UINT32_MAX, OPEN = UINT32_MAX - 1 };

/* A function on the current chain of calls. */
struct frame {
	uint32_t function, insn; /* the next to look at */
	uint32_t target;         /* of an indirect call: the next of the kernel's functions to try */
	uint32_t callees;        /* the most that a callee needs, so far */
};

struct chain {
	const struct ptx_module *m;
	struct ptx_kernel *kernel;
	const bool *taken;
	uint32_t *need; /* by function: registers, callees included */
	struct frame *frames;
	uint32_t depth;
};

static void chain_enter(struct chain *c, uint32_t f)
{
	c->need[f] = OPEN;
	c->frames[c->depth++] = (struct frame){.function = f};
}

static void chain_leave(struct chain *c)
{
	const struct frame *top = &c->frames[--c->depth];
	const struct ptx_function *f = &c->m->functions[top->function];
	uint32_t need = bits_max32(f->pressure, f->call_pressure + top->callees);
	c->need[top->function] = need;
	if (c->depth)
		c->frames[c->depth - 1].callees = bits_max32(c->frames[c->depth - 1].callees, need);
}

/* Enter a callee that is not known yet, and return true; else count what it needs. */
static bool chain_call(struct chain *c, uint32_t callee)
{
	struct frame *top = &c->frames[c->depth - 1];
	if (c->need[callee] == UNKNOWN) {
		chain_enter(c, callee);
		return true;
	}
	if (c->need[callee] == OPEN)
		c->kernel->is_recursive = true;
	else if (c->need[callee] > top->callees)
		top->callees = c->need[callee];
	return false;
}

/* Continue in the function at the top until it enters another or ends. */
static void chain_step(struct chain *c)
{
	struct frame *top = &c->frames[c->depth - 1];
	const struct ptx_function *f = &c->m->functions[top->function];
	for (; top->insn < f->insn_count; top->insn++, top->target = 0) {
		const struct ptx_insn *insn = &c->m->insns[f->first_insn + top->insn];
		if (insn->op != PTX_call)
			continue;
		const struct ptx_operand *target = ptx_sources(c->m, insn);
		if (target->kind == PTX_FUNCTION) {
			top->insn++;
			if (chain_call(c, target->index))
				return;
			top->insn--;
			continue;
		}
		while (top->target < c->kernel->function_count) {
			uint32_t callee = c->kernel->functions[top->target++];
			if (c->taken[callee] && chain_call(c, callee))
				return;
		}
	}
	chain_leave(c);
}

/* Return the registers that the directives allow a thread. */
static uint32_t register_limit(const struct ptx_function *f)
{
	enum { LEAST = 16 };
	uint32_t limit = REGISTERS_MAX;
	uint64_t threads = 1;
	for (unsigned i = 0; i < 3; i++)
		threads *= f->maxntid[i] ? f->maxntid[i] : 1;
	if (f->maxntid[0]) {
		uint64_t resident = threads * (f->minnctapersm ? f->minnctapersm : 1);
		uint64_t share = resident < REGISTERS_PER_SM
		                     ? REGISTERS_PER_SM / resident / REGISTERS_UNIT * REGISTERS_UNIT
		                     : 0;
		limit = share < LEAST ? LEAST : share < limit ? (uint32_t)share : limit;
	}
	return f->maxnreg && f->maxnreg < limit ? f->maxnreg : limit;
}

uint32_t register_room(const struct ptx_function *f)
{
	return register_limit(f) - REGISTERS_RESERVED;
}

static uint32_t count_registers(const struct ptx_module *m, struct ptx_kernel *kernel, const bool *taken)
{
	struct chain c = {.m = m, .kernel = kernel, .taken = taken};
	c.need = memory_grow(NULL, m->function_count, sizeof *c.need);
	c.frames = memory_grow(NULL, m->function_count, sizeof *c.frames);
	memset(c.need, 0xff, m->function_count * sizeof *c.need);
	chain_enter(&c, kernel->entry);
	while (c.depth)
		chain_step(&c);
	uint32_t need = c.need[kernel->entry] + REGISTERS_RESERVED,
	         limit = register_limit(&m->functions[kernel->entry]);
	free(c.need);
	free(c.frames);
	return bits_min32(bits_max32(need, REGISTERS_MIN), limit);
}

/* ---- kernels --------------------------------------------------------------------------------------------- */

struct ptx_kernel *ptx_kernel_new(const struct ptx_module *m, uint32_t entry, struct error *err)
{
	if (entry >= m->function_count || !m->functions[entry].is_entry || m->functions[entry].is_extern) {
		error_set(err, "%s: function %u is not a kernel, expected an .entry with a body", m->file,
		          entry);
		return NULL;
	}
	struct ptx_kernel *kernel = memory_zeroed(1, sizeof *kernel);
	struct reach r = {.m = m,
	                  .kernel = kernel,
	                  .reached = memory_zeroed(m->function_count, sizeof *r.reached),
	                  .used = memory_zeroed(m->variable_count, sizeof *r.used),
	                  .taken = memory_zeroed(m->function_count, sizeof *r.taken)};
	kernel->entry = entry;
	kernel->functions = memory_grow(NULL, m->function_count, sizeof *kernel->functions);
	reach_function(&r, entry);
	reach_all(&r);
	bool ok = lay_out_shared(&r, err);
	if (ok)
		kernel->registers = count_registers(m, kernel, r.taken);
	free(r.reached);
	free(r.used);
	free(r.taken);
	if (ok)
		return kernel;
	ptx_kernel_free(kernel);
	return NULL;
}

void ptx_kernel_free(struct ptx_kernel *kernel)
{
	if (!kernel)
		return;
	free(kernel->functions);
	free(kernel->shared_offset);
	free(kernel);
}
