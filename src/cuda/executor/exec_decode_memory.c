/* Decoding loads, stores and atomics: where the address comes from, and how elements move. */
#include "base/memory.h"
#include "cuda/executor/exec_access.h"
#include "cuda/executor/exec_decode.h"
#include "cuda/executor/exec_handlers.h"

static struct access *new_access(struct decoder *d, struct code *op)
{
	struct exec_kernel *k = d->kernel;
	if ((k->access_count & (k->access_count + 1)) == 0)
		k->accesses =
		    memory_grow(k->accesses, 2 * ((size_t)k->access_count + 1), sizeof *k->accesses);
	op->more = k->access_count;
	struct access *a = &k->accesses[k->access_count++];
	*a = (struct access){.span = ACCESS_NO_SPAN, .address = PLACE_ZERO, .address_bytes = 8};
	return a;
}

static bool is_signed_type(enum ptx_type type)
{
	return type >= PTX_TYPE_s8 && type <= PTX_TYPE_s64;
}

/* [register + n], [variable + n], [n] */
static bool decode_address(struct decoder *d, const struct ptx_insn *insn, const struct ptx_operand *o,
                           struct access *a)
{
	uint64_t value = 0;
	a->offset = o->value;
	if (o->kind == PTX_REG || (o->kind == PTX_ADDRESS && o->base == PTX_BASE_REG)) {
		a->address = decode_register(d, o->index);
		a->address_bytes = (uint8_t)decode_register_width(d, o->index);
		return a->address_bytes >= 4 || decode_unsupported(d, insn, "addresses have 32 or 64 bits");
	}
	if (o->kind == PTX_IMM || (o->kind == PTX_ADDRESS && o->base == PTX_BASE_ABSOLUTE))
		return true;
	if (decode_symbol(d, o->index, &value)) {
		a->offset += (int64_t)value;
		return true;
	}
	a->offset += (int64_t)ptx_local_offset(d->ptx, o->index);
	a->is_framed = true;
	return true;
}

static bool decode_values(struct decoder *d, const struct ptx_insn *insn, struct access *a,
                          const struct ptx_operand *o, bool is_store)
{
	a->is_store = is_store;
	a->is_volatile = (insn->flags & (PTX_FLAG_VOLATILE | PTX_FLAG_STRONG)) != 0;
	a->space = insn->space;
	a->count = insn->vector ? insn->vector : 1;
	a->element_bytes = (uint8_t)ptx_type_bytes(insn->type);
	a->bytes = (uint8_t)(a->count * a->element_bytes);
	if (a->element_bytes > 8 || a->bytes > 16)
		return decode_unsupported(d, insn, "an access of more than 16 bytes");
	for (unsigned k = 0; k < a->count; k++) {
		unsigned bytes = decode_register_bytes(insn->type);
		if (!is_store && o[k].kind == PTX_SINK && a->element_bytes == 4)
			a->unwanted |= (uint8_t)(1u << k);
		if (!is_store)
			a->value[k] = decode_result(d, &o[k], &bytes);
		else if (!decode_source(d, insn, &o[k], &bytes, &a->value[k]))
			return false;
		a->register_bytes = (uint8_t)bytes;
		a->move[k] = is_store ? access_storer(a->element_bytes, bytes)
		                      : access_loader(a->element_bytes, bytes, is_signed_type(insn->type));
		if (!a->move[k])
			return decode_unsupported(d, insn, "the register is narrower than the access");
	}
	a->is_plain = a->count == 1 && a->element_bytes == a->register_bytes;
	return true;
}

/* ---- parameters --------------------------------------------------------------------------------------- */

static bool is_param_variable(const struct ptx_operand *o)
{
	return (o->kind == PTX_ADDRESS && o->base == PTX_BASE_VARIABLE) || o->kind == PTX_SYMBOL;
}

/* A kernel's parameters are the same for all lanes: each part that is read becomes a lane array of the launch. */
static bool load_kernel_param(struct decoder *d, const struct ptx_insn *insn, struct code *op,
                              const struct access *a, uint64_t offset)
{
	uint32_t places[8];
	uint64_t at = offset + (uint64_t)a->offset;
	uint64_t size = d->ptx->functions[d->function->ptx].param_bytes;
	if (at > size || size - at < a->bytes)
		return decode_unsupported(d, insn, "it reads past the end of the parameters");
	for (unsigned k = 0; k < a->count; k++) {
		struct launch_value v = {.offset = (uint32_t)at + k * a->element_bytes,
		                         .bytes = a->element_bytes,
		                         .register_bytes = a->register_bytes,
		                         .is_signed = is_signed_type(insn->type)};
		places[2 * k] = a->value[k];
		places[2 * k + 1] = decode_launch_value(d, &v);
	}
	op->bytes = a->register_bytes;
	op->mode = a->count;
	op->more = decode_list(d, places, 2u * a->count);
	op->plain = CODE_HANDLER;
	op->handler = handle_copy_list;
	if (a->count == 1) {
		op->plain = CODE_LANE;
		op->fn = a->register_bytes == 8   ? lane_copy8
		         : a->register_bytes == 4 ? lane_copy4
		                                  : lane_copy2;
		op->dst = places[0];
		op->a = places[1];
	}
	return true;
}

static bool decode_param(struct decoder *d, const struct ptx_insn *insn, struct code *op,
                         const struct ptx_operand *address, const struct ptx_operand *values, bool is_store)
{
	struct access *a = new_access(d, op);
	uint64_t offset;
	op->plain = CODE_HANDLER;
	op->handler = handle_param_number;
	if (!decode_values(d, insn, a, values, is_store))
		return false;
	if (!is_param_variable(address))
		return decode_address(d, insn, address, a);
	a->offset = address->value;
	if (decode_kernel_param(d, address->index, &offset)) {
		if (is_store)
			return decode_unsupported(d, insn, "kernel parameters are read-only");
		struct access copy = *a;
		return load_kernel_param(d, insn, op, &copy, offset);
	}
	const struct ptx_variable *v = &d->ptx->variables[address->index];
	if (a->offset < 0 || (uint64_t)a->offset + a->bytes > v->bytes)
		return decode_unsupported(d, insn, "it is outside of the parameter");
	a->address = decode_param_variable(d, address->index);
	a->stride = (uint32_t)v->bytes;
	op->handler = handle_param;
	if (a->is_plain && a->bytes == v->bytes) {
		op->plain = CODE_LANE;
		op->fn = a->bytes == 8 ? lane_copy8 : a->bytes == 4 ? lane_copy4 : lane_copy2;
		op->bytes = a->bytes;
		op->dst = is_store ? a->address : a->value[0];
		op->a = is_store ? a->value[0] : a->address;
	}
	return true;
}

/* ---- accesses ----------------------------------------------------------------------------------------- */

static code_handler *access_handler(unsigned space, bool is_store, bool is_framed)
{
	if (is_framed)
		return is_store ? handle_store_any : handle_load_any;
	switch (space) {
	case PTX_SPACE_global:
	case PTX_SPACE_const:
		return is_store ? handle_store_global : handle_load_global;
	case PTX_SPACE_shared:
		return is_store ? handle_store_shared : handle_load_shared;
	default:
		return is_store ? handle_store_any : handle_load_any;
	}
}

static bool decode_access(struct decoder *d, const struct ptx_insn *insn, struct code *op,
                          const struct ptx_operand *address, const struct ptx_operand *values, bool is_store)
{
	if (insn->space == PTX_SPACE_param)
		return decode_param(d, insn, op, address, values, is_store);
	struct access *a = new_access(d, op);
	op->plain = CODE_MEMORY;
	if (!decode_values(d, insn, a, values, is_store) || !decode_address(d, insn, address, a))
		return false;
	if (is_store && insn->space == PTX_SPACE_const)
		return decode_unsupported(d, insn, "constant memory is read-only");
	bool is_far = (insn->flags & PTX_FLAG_CLUSTER) != 0;
	op->handler = access_handler(insn->space, is_store, a->is_framed || is_far);
	return true;
}

bool decode_load(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	return decode_access(d, insn, op, ptx_sources(d->ptx, insn), ptx_results(d->ptx, insn), false);
}

bool decode_store(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	const struct ptx_operand *o = ptx_sources(d->ptx, insn);
	return decode_access(d, insn, op, o, o + 1, true);
}

/* atom: a result, an address, one or two values; red: no result. */
bool decode_atom(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	const struct ptx_operand *o = ptx_sources(d->ptx, insn);
	struct access *a = new_access(d, op);
	unsigned bytes = decode_register_bytes(insn->type), used = bytes;
	a->space = insn->space;
	a->count = 1;
	a->element_bytes = a->bytes = (uint8_t)ptx_type_bytes(insn->type);
	a->is_store = a->is_atomic = true;
	op->plain = CODE_MEMORY;
	op->handler = handle_atom;
	op->bytes = (uint8_t)bytes;
	op->mode = 0xff;
	op->d = PTX_NONE;
	if (insn->result_count && ptx_results(d->ptx, insn)->kind != PTX_SINK)
		op->d = decode_result(d, ptx_results(d->ptx, insn), &used);
	if (!decode_address(d, insn, o, a) || !atomic_choose(insn, op))
		return decode_unsupported(d, insn, "this form is not known");
	if (used != bytes)
		return decode_unsupported(d, insn, "the register is not as wide as the value");
	unsigned values = insn->source_count - (insn->flags & PTX_FLAG_HINT ? 1u : 0u);
	for (unsigned i = 1; i < values; i++) {
		used = bytes;
		if (!decode_source(d, insn, &o[i], &used, i == 1 ? &op->a : &op->b))
			return false;
		if (used != bytes)
			return decode_unsupported(d, insn, "the register is not as wide as the value");
	}
	return true;
}

struct access *decode_access_at(struct decoder *d, const struct ptx_insn *insn, const struct ptx_operand *o,
                                unsigned bytes, struct code *op)
{
	struct access *a = new_access(d, op);
	a->space = insn->space;
	a->count = 1;
	a->element_bytes = a->bytes = (uint8_t)bytes;
	return decode_address(d, insn, o, a) ? a : NULL;
}
