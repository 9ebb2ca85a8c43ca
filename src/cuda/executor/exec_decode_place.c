/* Decoding operands: where registers, immediates, special registers, addresses and parameters lie. */
#include <string.h>

#include "base/memory.h"
#include "cuda/executor/exec_decode.h"
#include "cuda/executor/exec_mask.h"

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
		value = FUNCTION_WINDOW + ((uint64_t)d->module->id << FUNCTION_MODULE_SHIFT) +
		        16 * (uint64_t)o->index;
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
