/*
 * Decode a kernel: lay out the frames of the functions it reaches, then turn
 * each PTX instruction into a struct code. The table `decoders` says which
 * function decodes which opcode; opcodes that are not in it are lane arithmetic.
 * Here are also operands (where they lie) and control flow.
 */
#include "cuda/executor/decode.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cuda/executor/handlers.h"
#include "cuda/executor/mask.h"
#include "cuda/executor/wait.h"

bool decode_unsupported(struct decoder *d, const struct ptx_insn *insn, const char *why)
{
	char text[256];
	ptx_print(d->ptx, (uint32_t)(insn - d->ptx->insns), text, sizeof text);
	return error_at(d->err, d->ptx->file, insn->line, insn->column, "cannot run '%s': %s", text, why);
}

/* ---- variables, constants, registers ------------------------------------------------------------------- */

unsigned decode_register_bytes(enum ptx_type type)
{
	unsigned bits = ptx_type_bits(type);
	if (type == PTX_TYPE_pred)
		return 4;
	return bits <= 16 ? 2 : bits / 8;
}

uint32_t decode_constant(struct decoder *d, uint64_t value, unsigned bytes)
{
	if (bytes < 8)
		value &= (UINT64_C(1) << 8 * bytes) - 1;
	for (uint32_t i = 0; i < d->pooled_count; i++)
		if (d->pooled[i].value == value && d->pooled[i].bytes == bytes)
			return d->pooled[i].place;
	struct exec_kernel *k = d->kernel;
	uint32_t offset = k->pool_bytes;
	k->pool_bytes += k->lanes * bytes;
	k->pool = memory_grow(k->pool, k->pool_bytes, 1);
	lane_broadcast(k->pool + offset, value, bytes, k->lanes);
	if ((d->pooled_count & (d->pooled_count + 1)) == 0)
		d->pooled = memory_grow(d->pooled, 2 * ((size_t)d->pooled_count + 1), sizeof *d->pooled);
	uint32_t place = PLACE_ZERO | offset;
	d->pooled[d->pooled_count++] =
	    (struct pooled){.value = value, .bytes = (uint8_t)bytes, .place = place};
	return place;
}

uint32_t decode_frame_place(struct decoder *d, struct code_function *f, uint32_t bytes_per_lane)
{
	uint32_t at = f->frame_bytes;
	f->frame_bytes += (bytes_per_lane * d->kernel->lanes + 63) / 64 * 64;
	return at;
}

uint32_t decode_register(const struct decoder *d, uint32_t index)
{
	return d->register_place[d->function - d->kernel->functions][index];
}

unsigned decode_register_width(const struct decoder *d, uint32_t index)
{
	return decode_register_bytes(d->ptx->functions[d->function->ptx].registers[index].type);
}

/* ---- variables ---------------------------------------------------------------------------------------- */

/* A parameter variable gets a place in the frame and numbers in the function's param space. */
uint32_t decode_param_variable(struct decoder *d, uint32_t variable)
{
	if (d->variable_place[variable] != PTX_NONE)
		return d->variable_place[variable];
	const struct ptx_variable *v = &d->ptx->variables[variable];
	uint32_t owner = v->function == PTX_NONE ? PTX_NONE : d->kernel->function_of[v->function];
	struct code_function *f = owner == PTX_NONE ? d->function : &d->kernel->functions[owner];
	uint32_t at = decode_frame_place(d, f, (uint32_t)v->bytes);
	const struct ptx_function *ptx = &d->ptx->functions[f->ptx];
	uint32_t number = ptx->is_entry ? ((uint32_t)ptx->param_bytes + 15) & ~15u : 0;
	if (f->param_count) {
		const struct param_space *last = &f->params[f->param_count - 1];
		number = last->number + ((last->bytes + 31) & ~15u);
	}
	f->params = memory_grow(f->params, f->param_count + 1, sizeof *f->params);
	f->params[f->param_count++] =
	    (struct param_space){.number = number, .bytes = (uint32_t)v->bytes, .place = at};
	d->variable_place[variable] = at;
	d->variable_number[variable] = number;
	return at;
}

bool decode_kernel_param(const struct decoder *d, uint32_t variable, uint64_t *offset)
{
	const struct ptx_function *f = &d->ptx->functions[d->function->ptx];
	for (uint32_t i = 0; f->is_entry && i < f->param_count; i++) {
		if (f->params[i] == variable) {
			*offset = ptx_param_offset(d->ptx, f, i);
			return true;
		}
	}
	return false;
}

bool decode_symbol(struct decoder *d, uint32_t variable, uint64_t *value)
{
	const struct ptx_variable *v = &d->ptx->variables[variable];
	switch (v->space) {
	case PTX_SPACE_shared:
		*value = v->is_extern ? d->kernel->facts->dynamic_offset
		                      : d->kernel->facts->shared_offset[variable];
		return true;
	case PTX_SPACE_param:
		if (!decode_kernel_param(d, variable, value)) {
			decode_param_variable(d, variable);
			*value = d->variable_number[variable];
		}
		return true;
	case PTX_SPACE_local:
		return false;
	default:
		*value = d->module->variable_address[variable];
		return true;
	}
}

uint32_t decode_launch_value(struct decoder *d, const struct launch_value *value)
{
	struct exec_kernel *k = d->kernel;
	for (uint32_t i = 0; i < k->launch_value_count; i++) {
		const struct launch_value *have = &k->launch_values[i];
		if (have->offset == value->offset && have->bytes == value->bytes &&
		    have->register_bytes == value->register_bytes && have->is_signed == value->is_signed)
			return (uint32_t)PLACE_LAUNCH << 30 | have->place;
	}
	k->launch_values = memory_grow(k->launch_values, k->launch_value_count + 1, sizeof *value);
	struct launch_value *new = &k->launch_values[k->launch_value_count++];
	*new = *value;
	new->place = k->launch_bytes;
	k->launch_bytes += k->lanes * value->register_bytes;
	return (uint32_t)PLACE_LAUNCH << 30 | new->place;
}

/* ---- operands ----------------------------------------------------------------------------------------- */

static uint32_t sreg_place(struct decoder *d, uint32_t sreg, unsigned bytes)
{
	uint32_t *at = &d->kernel->sreg_place[sreg];
	if (*at == PTX_NONE) {
		*at = d->kernel->warp_bytes;
		d->kernel->warp_bytes += d->kernel->lanes * bytes;
	}
	return (uint32_t)PLACE_WARP << 30 | *at;
}

static bool source_symbol(struct decoder *d, const struct ptx_insn *insn, const struct ptx_operand *o,
                          unsigned bytes, uint32_t *place)
{
	uint64_t value;
	if (o->kind == PTX_FUNCTION) {
		value = function_address(d->module, o->index);
	} else if (!decode_symbol(d, o->index, &value)) {
		return decode_unsupported(d, insn, "address of a local variable is taken by mov alone");
	}
	*place = decode_constant(d, value + (uint64_t)o->value, bytes);
	return true;
}

bool decode_source(struct decoder *d, const struct ptx_insn *insn, const struct ptx_operand *o,
                   unsigned *bytes, uint32_t *place)
{
	switch (o->kind) {
	case PTX_REG:
		*bytes = decode_register_width(d, o->index);
		*place = decode_register(d, o->index);
		return true;
	case PTX_IMM:
		*place = decode_constant(d, (uint64_t)o->value, *bytes);
		return true;
	case PTX_SREG:
		if (o->index >= PTX_SREG_clock && o->index <= PTX_SREG_globaltimer_hi)
			return decode_unsupported(d, insn, "a clock is read by mov alone");
		*bytes = o->index == PTX_SREG_gridid ? 8 : 4;
		*place = sreg_place(d, o->index, *bytes);
		return true;
	case PTX_SYMBOL:
	case PTX_FUNCTION:
		return source_symbol(d, insn, o, *bytes, place);
	default:
		return decode_unsupported(d, insn, "an operand of this kind is not expected here");
	}
}

uint32_t decode_result(struct decoder *d, const struct ptx_operand *o, unsigned *bytes)
{
	if (o->kind == PTX_REG) {
		*bytes = decode_register_width(d, o->index);
		return decode_register(d, o->index);
	}
	if (d->sink_place == PTX_NONE)
		d->sink_place = decode_frame_place(d, d->function, 8);
	return d->sink_place;
}

uint32_t decode_list(struct decoder *d, const uint32_t *places, uint32_t count)
{
	struct exec_kernel *k = d->kernel;
	uint32_t first = k->list_count;
	k->lists = memory_grow(k->lists, k->list_count + count + 1, sizeof *k->lists);
	memcpy(k->lists + first, places, count * sizeof *places);
	k->list_count += count;
	return first;
}

/* ---- branches ------------------------------------------------------------------------------------------ */

static uint32_t code_index(const struct decoder *d, uint32_t insn)
{
	return insn == PTX_NONE ? PTX_NONE : d->code_of[insn];
}

static uint32_t index_of(const struct decoder *d, const struct ptx_insn *insn)
{
	return (uint32_t)(insn - d->ptx->insns);
}

static bool decode_bra(struct decoder *d, const struct ptx_insn *insn, struct code *op)
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

static bool decode_brx(struct decoder *d, const struct ptx_insn *insn, struct code *op)
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

/* A declared function with no body: a builtin, one of the device library, or undefined. */
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

static bool decode_call(struct decoder *d, const struct ptx_insn *insn, struct code *op)
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

static bool decode_end(struct decoder *d, const struct ptx_insn *insn, struct code *op)
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

static bool decode_trap(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	(void)d;
	op->plain = CODE_CONTROL;
	op->control = insn->op == PTX_unsupported ? control_unsupported : control_trap;
	return true;
}

/* ---- layout ------------------------------------------------------------------------------------------- */

static void layout_values(struct decoder *d, struct code_function *f)
{
	const struct ptx_function *ptx = &d->ptx->functions[f->ptx];
	if (ptx->is_entry)
		return;
	f->arg_count = ptx->param_count;
	f->result_count = ptx->result_count;
	f->values = memory_zeroed(f->arg_count + f->result_count + 1, sizeof *f->values);
	for (uint32_t i = 0; i < f->arg_count + f->result_count; i++) {
		uint32_t v = i < f->arg_count ? ptx->params[i] : ptx->results[i - f->arg_count];
		f->values[i].bytes = (uint32_t)d->ptx->variables[v].bytes;
		f->values[i].place = decode_param_variable(d, v);
	}
}

static void layout_function(struct decoder *d, uint32_t index, uint32_t ptx_index)
{
	struct code_function *f = &d->kernel->functions[index];
	const struct ptx_function *ptx = &d->ptx->functions[ptx_index];
	f->ptx = ptx_index;
	f->first = d->kernel->code_count;
	f->local_bytes = ptx->local_bytes;
	d->kernel->code_count += ptx->insn_count + 1;
	for (uint32_t i = 0; i < ptx->insn_count; i++)
		d->code_of[ptx->first_insn + i] = f->first + i;
	d->register_place[index] = memory_zeroed(ptx->register_count + 1, sizeof **d->register_place);
	for (uint32_t r = 0; r < ptx->register_count; r++)
		d->register_place[index][r] =
		    decode_frame_place(d, f, decode_register_bytes(ptx->registers[r].type));
	d->function = f;
	layout_values(d, f);
}

/* Functions with a body that the kernel may run: those it reaches or, if it calls by address, all. */
static uint32_t list_functions(const struct decoder *d, uint32_t *list)
{
	const struct ptx_kernel *facts = d->kernel->facts;
	uint32_t count = 0;
	for (uint32_t i = 0; i < facts->function_count; i++)
		if (!d->ptx->functions[facts->functions[i]].is_extern)
			list[count++] = facts->functions[i];
	for (uint32_t f = 0; facts->calls_indirectly && f < d->ptx->function_count; f++) {
		bool is_known = d->ptx->functions[f].is_extern || d->ptx->functions[f].is_entry;
		for (uint32_t i = 0; i < count; i++)
			is_known |= list[i] == f;
		if (!is_known)
			list[count++] = f;
	}
	return count;
}

static void layout_kernel(struct decoder *d)
{
	struct exec_kernel *k = d->kernel;
	uint32_t *list = memory_zeroed(d->ptx->function_count, sizeof *list);
	k->function_count = list_functions(d, list);
	k->functions = memory_zeroed(k->function_count, sizeof *k->functions);
	k->function_of = memory_zeroed(d->ptx->function_count, sizeof *k->function_of);
	d->register_place = memory_zeroed(k->function_count, sizeof *d->register_place);
	memset(k->function_of, 0xff, d->ptx->function_count * sizeof *k->function_of);
	for (uint32_t i = 0; i < k->function_count; i++)
		k->function_of[list[i]] = i;
	for (uint32_t i = 0; i < k->function_count; i++)
		layout_function(d, i, list[i]);
	free(list);
}

/* ---- instructions ------------------------------------------------------------------------------------- */

static decode_fn *const decoders[PTX_OP_COUNT] = {
    [PTX_mov] = decode_mov,
    [PTX_setp] = decode_setp,
    [PTX_cvta] = decode_cvta,
    [PTX_isspacep] = decode_cvta,
    [PTX_ld] = decode_load,
    [PTX_ldu] = decode_load,
    [PTX_st] = decode_store,
    [PTX_atom] = decode_atom,
    [PTX_red] = decode_atom,
    [PTX_bra] = decode_bra,
    [PTX_brx] = decode_brx,
    [PTX_call] = decode_call,
    [PTX_ret] = decode_end,
    [PTX_exit] = decode_end,
    [PTX_trap] = decode_trap,
    [PTX_brkpt] = decode_trap,
    [PTX_bar] = decode_barrier,
    [PTX_barrier] = decode_barrier,
    [PTX_shfl] = decode_warp_wide,
    [PTX_vote] = decode_warp_wide,
    [PTX_match] = decode_warp_wide,
    [PTX_redux] = decode_warp_wide,
    [PTX_activemask] = decode_warp_wide,
    [PTX_tex] = decode_texture,
    [PTX_tld4] = decode_texture,
    [PTX_txq] = decode_texture,
    [PTX_suld] = decode_surface,
    [PTX_sust] = decode_surface,
    [PTX_membar] = decode_nothing,
    [PTX_fence] = decode_nothing,
    [PTX_prefetch] = decode_nothing,
    [PTX_prefetchu] = decode_nothing,
    [PTX_discard] = decode_nothing,
    [PTX_nanosleep] = decode_nothing,
    [PTX_griddepcontrol] = decode_nothing,
    [PTX_setmaxnreg] = decode_nothing,
    [PTX_applypriority] = decode_nothing,
    [PTX_unsupported] = decode_trap,
    [PTX_mma] = decode_mma,
    [PTX_wmma] = decode_wmma,
    [PTX_wgmma] = decode_warpgroup,
    [PTX_ldmatrix] = decode_matrix_move,
    [PTX_stmatrix] = decode_matrix_move,
    [PTX_movmatrix] = decode_movmatrix,
    [PTX_cp] = decode_copy,
    [PTX_mbarrier] = decode_mbarrier,
    [PTX_mapa] = decode_mapa,
    [PTX_getctarank] = decode_mapa,
    [PTX_createpolicy] = decode_policy,
    [PTX_elect] = decode_warp_wide,
#define VIDEO(op) [PTX_v##op] = decode_video, [PTX_v##op##2] = decode_video, [PTX_v##op##4] = decode_video
    VIDEO(absdiff),
    VIDEO(add),
    VIDEO(sub),
    VIDEO(min),
    VIDEO(max),
#undef VIDEO
    [PTX_vavrg2] = decode_video,
    [PTX_vavrg4] = decode_video,
    [PTX_vset2] = decode_video,
    [PTX_vset4] = decode_video,
};

static decode_fn *decode_of(enum ptx_op op)
{
	return decoders[op] ? decoders[op] : decode_lane;
}

static bool decode_insn(struct decoder *d, uint32_t index, struct code *op)
{
	const struct ptx_insn *insn = &d->ptx->insns[index];
	*op = (struct code){.insn = index,
	                    .dst = PLACE_ZERO,
	                    .a = PLACE_ZERO,
	                    .b = PLACE_ZERO,
	                    .c = PLACE_ZERO,
	                    .d = PLACE_ZERO,
	                    .bytes = 4,
	                    .guard_not = (insn->flags & PTX_FLAG_GUARD_NOT) != 0,
	                    .guard = PLACE_ZERO};
	if (!decode_of(insn->op)(d, insn, op))
		return false;
	op->body = op->plain;
	if (insn->guard != PTX_NONE) {
		op->guard = decode_register(d, insn->guard);
		if (op->plain != CODE_BRANCH_IF)
			op->body = CODE_GUARD;
	}
	op->entry = op->body;
	return true;
}

static bool decode_function(struct decoder *d, struct code_function *f)
{
	const struct ptx_function *ptx = &d->ptx->functions[f->ptx];
	struct code *code = d->kernel->code + f->first;
	d->function = f;
	d->carry_place = d->sink_place = PTX_NONE;
	for (uint32_t i = 0; i < ptx->insn_count; i++)
		if (!decode_insn(d, ptx->first_insn + i, &code[i]))
			return false;
	/* Behind the last instruction: a function that runs off its end returns. */
	code[ptx->insn_count] = (struct code){.entry = CODE_CONTROL,
	                                      .body = CODE_CONTROL,
	                                      .plain = CODE_CONTROL,
	                                      .control = control_ret,
	                                      .insn = ptx->first_insn + ptx->insn_count - 1};
	return true;
}

static void mark_join(struct decoder *d, uint32_t at)
{
	if (at != PTX_NONE)
		d->kernel->code[at].entry = CODE_JOIN;
}

/* Mark where paths meet: meeting points of branches, and behind instructions that only some lanes or targets run. */
static void mark_joins(struct decoder *d)
{
	for (uint32_t i = 0; i < d->kernel->code_count; i++) {
		const struct code *op = &d->kernel->code[i];
		bool is_control = op->plain == CODE_CONTROL;
		if (op->plain == CODE_BRANCH_IF || (is_control && op->control == control_brx))
			mark_join(d, op->reconverge);
		if (op->plain == CODE_WAIT && op->body == CODE_GUARD)
			mark_join(d, i + 1);
		if (is_control && (op->body == CODE_GUARD || op->control == control_call_indirect))
			mark_join(d, i + 1);
	}
}

/* ---- a kernel ----------------------------------------------------------------------------------------- */

static void find_local_limit(struct decoder *d)
{
	struct exec_kernel *k = d->kernel;
	uint64_t need = 0;
	for (uint32_t i = 0; i < k->function_count; i++)
		need += (k->functions[i].local_bytes + 47u) & ~15u;
	bool is_open = k->facts->is_recursive || k->facts->calls_indirectly;
	uint64_t stack = d->exec->options.stack_bytes;
	k->local_limit = is_open && stack > need ? stack : need;
	k->local_limit = (k->local_limit + 15) & ~UINT64_C(15);
}

static bool decode_all(struct decoder *d)
{
	struct exec_kernel *k = d->kernel;
	decode_constant(d, 0, 8);
	layout_kernel(d);
	k->code = memory_zeroed(k->code_count, sizeof *k->code);
	for (uint32_t i = 0; i < k->function_count; i++)
		if (!decode_function(d, &k->functions[i]))
			return false;
	mark_joins(d);
	k->waits = kernel_waits_new(k, d->code_of);
	find_local_limit(d);
	return true;
}

struct exec_kernel *exec_decode_kernel(struct exec *exec, struct loaded_module *module, uint32_t entry,
                                       struct error *err)
{
	struct decoder d = {.exec = exec, .module = module, .ptx = module->ptx, .err = err};
	struct exec_kernel *k = d.kernel = memory_zeroed(1, sizeof *k);
	k->module = module;
	k->lanes = exec->options.warp_size;
	memset(k->sreg_place, 0xff, sizeof k->sreg_place);
	k->facts = ptx_kernel_new(d.ptx, entry, err);
	if (!k->facts) {
		free(k);
		return NULL;
	}
	d.variable_place = memory_zeroed(d.ptx->variable_count + 1, sizeof *d.variable_place);
	memset(d.variable_place, 0xff, d.ptx->variable_count * sizeof *d.variable_place);
	d.variable_number = memory_zeroed(d.ptx->variable_count + 1, sizeof *d.variable_number);
	d.code_of = memory_zeroed(d.ptx->insn_count + 1, sizeof *d.code_of);
	bool ok = decode_all(&d);
	for (uint32_t i = 0; i < k->function_count; i++)
		free(d.register_place[i]);
	free(d.register_place);
	free(d.variable_place);
	free(d.variable_number);
	free(d.code_of);
	free(d.pooled);
	if (ok)
		return k;
	decode_free(k);
	return NULL;
}

void decode_free(struct exec_kernel *k)
{
	if (!k)
		return;
	for (uint32_t i = 0; i < k->function_count; i++) {
		free(k->functions[i].params);
		free(k->functions[i].values);
	}
	for (uint32_t i = 0; i < k->call_count; i++)
		free(k->calls[i].values);
	for (uint32_t i = 0; i < k->table_count; i++)
		free(k->tables[i].target);
	kernel_waits_free(k->waits);
	ptx_kernel_free(k->facts);
	free(k->code);
	free(k->functions);
	free(k->function_of);
	free(k->accesses);
	free(k->calls);
	free(k->tables);
	free(k->pairs);
	free(k->tensors);
	free(k->lists);
	free(k->pool);
	free(k->launch_values);
	free(k);
}
