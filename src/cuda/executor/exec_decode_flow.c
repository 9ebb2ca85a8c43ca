/* Decoding control flow: branches, branch tables, calls and ends. */
#include <string.h>

#include "base/memory.h"
#include "cuda/executor/exec_decode.h"
#include "cuda/executor/exec_handlers.h"

static uint32_t code_index(const struct decoder *d, uint32_t insn)
{
	return insn == PTX_NONE ? PTX_NONE : d->code_of[insn];
}

static uint32_t index_of(const struct decoder *d, const struct ptx_insn *insn)
{
	return (uint32_t)(insn - d->ptx->insns);
}

bool decode_bra(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	/* As in machine code, a predicated EXIT: a recording has every lane end once. */
	if (insn->guard != PTX_NONE && d->ptx->flow[index_of(d, insn)].ends) {
		op->plain = CODE_CONTROL;
		op->control = control_exit;
		return true;
	}
	op->plain = insn->guard == PTX_NONE ? CODE_BRANCH : CODE_BRANCH_IF;
	op->target = code_index(d, ptx_sources(d->ptx, insn)->index);
	op->reconverge = code_index(d, d->ptx->flow[index_of(d, insn)].reconverge);
	return true;
}

bool decode_brx(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	struct exec_kernel *k = d->kernel;
	const struct ptx_operand *o = ptx_sources(d->ptx, insn);
	const struct ptx_list *list = &d->ptx->tables[o[1].index];
	unsigned bytes = 4;
	struct branch_table t = {.count = list->count,
	                         .target = memory_zeroed(list->count + 1, sizeof *t.target)};
	for (uint32_t i = 0; i < list->count; i++)
		t.target[i] = code_index(d, list->items[i]);
	k->tables = memory_grow(k->tables, k->table_count + 1, sizeof *k->tables);
	k->tables[k->table_count] = t;
	op->more = k->table_count++;
	op->plain = CODE_CONTROL;
	op->control = control_brx;
	op->reconverge = code_index(d, d->ptx->flow[index_of(d, insn)].reconverge);
	if (!decode_source(d, insn, &o[0], &bytes, &op->a))
		return false;
	op->bytes = (uint8_t)bytes;
	return true;
}

/* ---- calls -------------------------------------------------------------------------------------------- */

static bool call_value(struct decoder *d, const struct ptx_insn *insn, const struct ptx_operand *o,
                       unsigned immediate_bytes, struct call_value *v)
{
	if (o->kind == PTX_SYMBOL && d->ptx->variables[o->index].space == PTX_SPACE_param) {
		v->place = decode_param_variable(d, o->index);
		v->bytes = (uint32_t)d->ptx->variables[o->index].bytes;
		return true;
	}
	unsigned bytes = immediate_bytes;
	bool ok = decode_source(d, insn, o, &bytes, &v->place);
	v->bytes = bytes;
	return ok;
}

/* The callee's view of a value of a direct call; 8 bytes where that is not known. */
static unsigned declared_bytes(const struct decoder *d, const struct ptx_operand *target, bool is_result,
                               uint32_t i)
{
	if (target->kind != PTX_FUNCTION)
		return 8;
	const struct ptx_function *f = &d->ptx->functions[target->index];
	uint32_t count = is_result ? f->result_count : f->param_count;
	return i < count ? (unsigned)d->ptx->variables[(is_result ? f->results : f->params)[i]].bytes : 8;
}

static bool call_values(struct decoder *d, const struct ptx_insn *insn, struct call *call)
{
	const struct ptx_operand *r = ptx_results(d->ptx, insn), *s = ptx_sources(d->ptx, insn);
	call->result_count = insn->result_count;
	call->arg_count = insn->source_count - 1u;
	if (call->arg_count && s[insn->source_count - 1].kind == PTX_PROTOTYPE)
		call->arg_count--;
	call->values = memory_zeroed(call->arg_count + call->result_count + 1, sizeof *call->values);
	for (uint32_t i = 0; i < call->arg_count; i++)
		if (!call_value(d, insn, &s[1 + i], declared_bytes(d, s, false, i), &call->values[i]))
			return false;
	for (uint32_t i = 0; i < call->result_count; i++)
		if (!call_value(d, insn, &r[i], 8, &call->values[call->arg_count + i]))
			return false;
	return true;
}

/* A declared function with no body: ours, the device library's, or nobody's. */
static bool decode_extern(struct decoder *d, const struct ptx_insn *insn, struct call *call, struct code *op)
{
	uint32_t want = 0;
	op->plain = CODE_HANDLER;
	op->handler = builtin_find(call->name);
	if (op->handler)
		return true;
	call->native = native_find(call->name);
	op->handler = call->native ? handle_native : handle_undefined;
	if (!call->native)
		return true;
	want = (uint32_t)(call->native->arg_count + call->native->output_count);
	if (call->arg_count != want || call->result_count != (call->native->result != PTX_TYPE_none))
		return decode_unsupported(d, insn, "the function takes other parameters");
	for (uint32_t i = 0; i < call->native->arg_count; i++)
		if (call->values[i].bytes < decode_register_bytes(call->native->arg[i]))
			return decode_unsupported(d, insn, "the function takes wider parameters");
	return true;
}

bool decode_call(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	struct exec_kernel *k = d->kernel;
	const struct ptx_operand *target = ptx_sources(d->ptx, insn);
	k->calls = memory_grow(k->calls, k->call_count + 1, sizeof *k->calls);
	struct call *call = &k->calls[k->call_count];
	*call = (struct call){.function = PTX_NONE, .name = "?"};
	op->more = k->call_count++;
	op->plain = CODE_CONTROL;
	op->control = control_call_indirect;
	if (!call_values(d, insn, call))
		return false;
	if (target->kind != PTX_FUNCTION) {
		unsigned bytes = 8;
		return decode_source(d, insn, target, &bytes, &call->target);
	}
	const struct ptx_function *f = &d->ptx->functions[target->index];
	call->name = f->name;
	if (f->is_extern)
		return decode_extern(d, insn, call, op);
	call->function = k->function_of[target->index];
	op->control = control_call;
	if (call->arg_count != f->param_count || call->result_count != f->result_count)
		return decode_unsupported(d, insn, "the function takes other parameters");
	const struct code_function *c = &k->functions[call->function];
	for (uint32_t i = 0; i < call->arg_count + call->result_count; i++)
		if (call->values[i].bytes != c->values[i].bytes)
			return decode_unsupported(d, insn,
			                          "a parameter has another size than the function's");
	return true;
}

/* ---- ends and nothing --------------------------------------------------------------------------------- */

bool decode_end(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	(void)d;
	op->plain = CODE_CONTROL;
	op->control = insn->op == PTX_exit ? control_exit : control_ret;
	return true;
}

/* Fences, prefetches and sleeps: lanes run in order and memory is one. */
bool decode_nothing(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	(void)d, (void)insn;
	op->plain = CODE_NOP;
	return true;
}

bool decode_trap(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	(void)d;
	op->plain = CODE_CONTROL;
	op->control = insn->op == PTX_unsupported ? control_unsupported : control_trap;
	return true;
}
