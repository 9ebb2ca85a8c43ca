/*
 * Decoding a kernel: lays out the frames of the functions it reaches, then
 * turns each PTX instruction into a struct code. Which opcode goes where is the
 * table `decoders`; everything not in it is lane arithmetic.
 */
#include "cuda/executor/exec_decode.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cuda/executor/exec_handlers.h"

typedef bool decode_fn(struct decoder *d, const struct ptx_insn *insn, struct code *op);

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
    [PTX_suld] = decode_texture,
    [PTX_sust] = decode_texture,
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
    [PTX_ldmatrix] = decode_matrix_move,
    [PTX_stmatrix] = decode_matrix_move,
    [PTX_movmatrix] = decode_movmatrix,
    [PTX_cp] = decode_copy,
    [PTX_mbarrier] = decode_mbarrier,
    [PTX_mapa] = decode_mapa,
    [PTX_getctarank] = decode_mapa,
    [PTX_createpolicy] = decode_policy,
    [PTX_elect] = decode_warp_wide,
    [PTX_vabsdiff] = decode_video,
    [PTX_vadd] = decode_video,
    [PTX_vsub] = decode_video,
    [PTX_vmin] = decode_video,
    [PTX_vmax] = decode_video,
    [PTX_vabsdiff2] = decode_video,
    [PTX_vadd2] = decode_video,
    [PTX_vsub2] = decode_video,
    [PTX_vmin2] = decode_video,
    [PTX_vmax2] = decode_video,
    [PTX_vavrg2] = decode_video,
    [PTX_vset2] = decode_video,
    [PTX_vabsdiff4] = decode_video,
    [PTX_vadd4] = decode_video,
    [PTX_vsub4] = decode_video,
    [PTX_vmin4] = decode_video,
    [PTX_vmax4] = decode_video,
    [PTX_vavrg4] = decode_video,
    [PTX_vset4] = decode_video,
};

static decode_fn *decode_of(enum ptx_op op)
{
	return decoders[op] ? decoders[op] : decode_lane;
}

bool decode_unsupported(struct decoder *d, const struct ptx_insn *insn, const char *why)
{
	char text[256];
	ptx_print(d->ptx, (uint32_t)(insn - d->ptx->insns), text, sizeof text);
	return error_at(d->err, d->ptx->file, insn->line, insn->column, "cannot run '%s': %s", text, why);
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

/* Places where paths meet: meeting points of branches, and behind what only some lanes or targets run. */
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
