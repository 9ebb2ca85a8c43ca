/*
 * Parameters of device functions: variables with one stretch of bytes per
 * lane, in the frame of the function that declares them. Whole scalars are
 * plain register moves and never come here; parts of structs do.
 */
#include "cuda/executor/exec_access.h"
#include "cuda/executor/exec_handlers.h"
#include "cuda/executor/exec_mask.h"

/* Both ways: the moves of the access know which. */
bool handle_param(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	const struct access *a = &run->kernel->accesses[op->more];
	uint64_t base = (uintptr_t)place(w, a->address) + (uint64_t)a->offset;
	for (unsigned i = 0; i < run->lanes; i++)
		run->address[i] = (uint64_t)i * a->stride;
	for (unsigned k = 0; k < a->count; k++)
		a->move[k](place(w, a->value[k]), run->address, base + k * a->element_bytes, mask,
		           run->lanes);
	return true;
}

/* ---- by address: mov.b64 %rd, parameter ----------------------------------------------------------------- */

/* Where `number` of the param space of the running function is for a lane; NULL: nowhere. */
static uint8_t *param_host(struct run *run, const struct warp *w, unsigned lane, uint64_t number,
                           unsigned bytes)
{
	const struct frame *frame = &w->frames[w->paths[w->current].frame];
	const struct code_function *f = &run->kernel->functions[frame->function];
	const struct ptx_function *ptx = &run->kernel->module->ptx->functions[f->ptx];
	if (ptx->is_entry && number < ptx->param_bytes && ptx->param_bytes - number >= bytes)
		return run->param_block + number;
	for (uint32_t i = 0; i < f->param_count; i++) {
		const struct param_space *p = &f->params[i];
		uint64_t offset = number - p->number;
		if (offset < p->bytes && p->bytes - offset >= bytes)
			return frame->registers + p->place + (size_t)lane * p->bytes + offset;
	}
	return NULL;
}

bool handle_param_number(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	const struct access *a = &run->kernel->accesses[op->more];
	const uint64_t *number = access_addresses(run, w, a);
	for (uint64_t left = mask; left; left &= left - 1) {
		unsigned lane = bits_lowest(left);
		run->translated[lane] = (uintptr_t)param_host(run, w, lane, number[lane], a->bytes);
		if (!run->translated[lane])
			return fault_access(run, w, op, a, number, left & -left, PTX_SPACE_param,
			                    EXEC_ILLEGAL_ADDRESS);
	}
	for (unsigned k = 0; k < a->count; k++)
		a->move[k](place(w, a->value[k]), run->translated, k * a->element_bytes, mask, run->lanes);
	return true;
}
