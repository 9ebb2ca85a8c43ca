/* Decode what accesses memory: loads, stores, atomics, asynchronous copies, mbarriers. */
#include "base/memory.h"
#include "cuda/executor/access.h"
#include "cuda/executor/decode.h"
#include "cuda/executor/handlers.h"

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
	if (op->handler == handle_load_shared)
		op->plain = CODE_LOAD_SHARED;
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

/* ---- asynchronous copies and mbarriers ----------------------------------------------------------------- */

/* Accesses of a copy: destination, source, then the mbarrier of a bulk copy. */
static bool decode_ends(struct decoder *d, const struct ptx_insn *insn, struct code *op, unsigned bytes,
                        unsigned barrier_at)
{
	const struct ptx_operand *o = ptx_sources(d->ptx, insn);
	bool stores = insn->space == PTX_SPACE_global;
	uint32_t first = d->kernel->access_count;
	for (unsigned i = 0; i < (barrier_at ? 3u : 2u); i++) {
		struct access *a = decode_access_at(d, insn, &o[i == 2 ? barrier_at : i], bytes, op);
		if (!a)
			return false;
		a->space = (i == 0) == stores ? PTX_SPACE_global : PTX_SPACE_shared;
		a->space = i == 2 ? PTX_SPACE_shared : a->space;
		a->is_store = i == 0;
	}
	op->more = first;
	return true;
}

static bool decode_copy_async(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	const struct ptx_operand *o = ptx_sources(d->ptx, insn);
	unsigned size = (unsigned)o[2].value, bytes = 4;
	unsigned given = insn->source_count - (insn->flags & PTX_FLAG_HINT ? 1u : 0u);
	if ((size != 4 && size != 8 && size != 16) || (insn->cache == PTX_CACHE_cg && size != 16))
		return decode_unsupported(d, insn, "cp.async.ca copies 4, 8 or 16 bytes, cp.async.cg 16");
	op->plain = CODE_MEMORY;
	op->handler = handle_copy_async;
	op->a = decode_constant(d, size, 4);
	if (given > 3) {
		op->mode = o[3].kind == PTX_REG &&
		           d->ptx->functions[d->function->ptx].registers[o[3].index].type == PTX_TYPE_pred;
		op->negated = o[3].negated;
		if (!decode_source(d, insn, &o[3], &bytes, &op->a))
			return false;
	}
	return decode_ends(d, insn, op, size, 0);
}

static bool decode_copy_bulk(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	unsigned bytes = 4;
	op->plain = CODE_MEMORY;
	op->handler = handle_copy_bulk;
	return decode_source(d, insn, &ptx_sources(d->ptx, insn)[2], &bytes, &op->a) &&
	       decode_ends(d, insn, op, 16, insn->space == PTX_SPACE_global ? 0 : 3);
}

/* The map's address and the coordinates are numbers; accesses: shared memory, then the mbarrier of a load. */
static bool decode_copy_box(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	const struct ptx_operand *o = ptx_sources(d->ptx, insn);
	bool stores = insn->space == PTX_SPACE_global;
	const struct ptx_operand *map = stores ? o : o + 1, *behind = map + 1 + insn->vector;
	const struct ptx_operand *ends[2] = {stores ? behind : o, behind};
	uint32_t places[5], first = d->kernel->access_count;
	unsigned bytes = 8;
	op->plain = CODE_MEMORY;
	op->handler = handle_copy_box;
	op->mode = insn->vector;
	if (!decode_source(d, insn, map, &bytes, &op->a))
		return false;
	for (unsigned i = 0; i < insn->vector; i++) {
		bytes = 4;
		if (!decode_source(d, insn, map + 1 + i, &bytes, &places[i]))
			return false;
	}
	op->target = decode_list(d, places, insn->vector);
	for (unsigned i = 0; i < (stores ? 1u : 2u); i++) {
		struct access *a = decode_access_at(d, insn, ends[i], 16, op);
		if (!a)
			return false;
		a->space = PTX_SPACE_shared;
		a->is_store = !stores;
	}
	op->more = first;
	return true;
}

static bool decode_object(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	struct access *a = decode_access_at(d, insn, ptx_sources(d->ptx, insn), 8, op);
	if (!a)
		return false;
	/* Atomic: arrivals of several threads are no race. */
	a->is_store = a->is_atomic = true;
	op->plain = CODE_MEMORY;
	op->target = PTX_NONE;
	return true;
}

bool decode_copy(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	if (insn->flags & PTX_FLAG_MBARRIER) {
		op->a = decode_constant(d, 1, 4);
		op->handler = handle_mbarrier_change;
		/* Without .noinc the pending count rises and falls by one: nothing changes. */
		if (!(insn->flags & PTX_FLAG_NOINC))
			op->handler = handle_mbarrier_touch;
		return decode_object(d, insn, op);
	}
	if (insn->mode != PTX_MODE_async)
		return decode_nothing(d, insn, op);
	if (insn->flags & PTX_FLAG_TENSOR)
		return decode_copy_box(d, insn, op);
	return insn->flags & PTX_FLAG_BULK ? decode_copy_bulk(d, insn, op) : decode_copy_async(d, insn, op);
}

bool decode_mbarrier(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	const struct ptx_operand *o = ptx_sources(d->ptx, insn), *r = ptx_results(d->ptx, insn);
	bool waits = insn->mode == PTX_MODE_test_wait || insn->mode == PTX_MODE_try_wait;
	bool has_state = waits && !(insn->flags & PTX_FLAG_PARITY);
	unsigned bytes = has_state ? 8 : 4;
	if (insn->mode == PTX_MODE_pending_count) {
		op->plain = CODE_HANDLER;
		op->handler = handle_mbarrier_pending;
		bytes = 8;
		if (!decode_source(d, insn, o, &bytes, &op->a))
			return false;
		op->dst = decode_result(d, r, &bytes);
		return true;
	}
	if (!decode_object(d, insn, op))
		return false;
	op->a = decode_constant(d, 1, 4);
	if (insn->source_count > 1 && !decode_source(d, insn, &o[1], &bytes, &op->a))
		return false;
	bool starts = insn->mode == PTX_MODE_init || insn->mode == PTX_MODE_inval;
	op->handler = waits ? handle_mbarrier_wait : starts ? handle_mbarrier_init : handle_mbarrier_change;
	if (waits) {
		op->plain = CODE_WAIT;
		op->mode = !has_state;
		op->dst = decode_result(d, r, &bytes);
	} else if (insn->result_count && r->kind != PTX_SINK) {
		op->target = decode_result(d, r, &bytes);
	}
	return true;
}

/* mapa, getctarank: addresses of the cluster's shared memory, generic if no space is named. */
bool decode_mapa(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	const struct ptx_operand *o = ptx_sources(d->ptx, insn);
	unsigned bytes = ptx_type_bytes((enum ptx_type)insn->type), result = 4, rank = 4;
	op->plain = CODE_HANDLER;
	op->handler = insn->op == PTX_mapa ? handle_mapa : handle_getctarank;
	op->mode = insn->space != PTX_SPACE_shared;
	if (!decode_source(d, insn, o, &bytes, &op->a))
		return false;
	op->bytes = (uint8_t)bytes;
	op->dst = decode_result(d, ptx_results(d->ptx, insn), &result);
	return insn->source_count < 2 || decode_source(d, insn, &o[1], &rank, &op->b);
}

/* createpolicy: a number without a meaning here, since the executor has no caches. */
bool decode_policy(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	unsigned bytes = 8;
	op->plain = CODE_LANE;
	op->fn = lane_copy8;
	op->bytes = 8;
	op->a = decode_constant(d, 1u + insn->evict, 8);
	op->dst = decode_result(d, ptx_results(d->ptx, insn), &bytes);
	return true;
}

/* ---- textures and surfaces ----------------------------------------------------------------------------- */

/* Decode the handle, operand 0, into `a`, and up to four coordinates, from operand 1 on. */
static bool decode_texel(struct decoder *d, const struct ptx_insn *insn, struct code *op,
                         unsigned coordinates, uint32_t *places)
{
	struct ptx_operand handle = ptx_sources(d->ptx, insn)[0];
	unsigned bytes = 8;
	if (handle.kind == PTX_ADDRESS)
		handle.kind = handle.base == PTX_BASE_REG ? PTX_REG : PTX_SYMBOL;
	if (!decode_source(d, insn, &handle, &bytes, &op->a))
		return false;
	for (unsigned i = 0; i < coordinates; i++) {
		bytes = 4;
		if (!decode_source(d, insn, &ptx_sources(d->ptx, insn)[1 + i], &bytes, &places[i]))
			return false;
	}
	return true;
}

/* Places: four results (PTX_NONE: not wanted), then up to four coordinates. */
bool decode_texture(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	const struct ptx_operand *r = ptx_results(d->ptx, insn);
	uint32_t places[8];
	unsigned bytes = 4, coordinates = insn->source_count - 1u;
	if (coordinates > 4 || insn->result_count > 4)
		return decode_unsupported(d, insn, "textures have one handle and up to four coordinates");
	for (unsigned i = 0; i < 8; i++)
		places[i] = PTX_NONE;
	for (unsigned i = 0; i < insn->result_count; i++) {
		if (r[i].kind != PTX_SINK)
			places[i] = decode_result(d, &r[i], &bytes);
		if (bytes != 4)
			return decode_unsupported(d, insn, "results have 32 bits");
	}
	if (!decode_texel(d, insn, op, coordinates, places + 4))
		return false;
	op->more = decode_list(d, places, 8);
	op->mode = insn->mode;
	op->plain = insn->op == PTX_txq ? CODE_HANDLER : CODE_MEMORY;
	op->handler = insn->op == PTX_txq ? handle_texture_query : handle_texture;
	return true;
}

/* Places: values, coordinates, and what the values' registers have in bytes. */
bool decode_surface(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	const struct ptx_operand *r = ptx_results(d->ptx, insn), *o = ptx_sources(d->ptx, insn);
	bool is_load = insn->op == PTX_suld;
	unsigned values = insn->vector ? insn->vector : 1;
	unsigned coordinates = insn->source_count - 1u - (is_load ? 0 : values);
	uint32_t places[TEXTURE_PLACES] = {0};
	if (coordinates > 4 || values > TEXTURE_VALUES)
		return decode_unsupported(d, insn, "surfaces have up to four coordinates and one handle");
	for (unsigned i = 0; i < values; i++) {
		const struct ptx_operand *value = is_load ? &r[i] : &o[1 + coordinates + i];
		unsigned bytes = ptx_type_bytes(insn->type) < 2 ? 2 : ptx_type_bytes(insn->type);
		if (is_load && value->kind == PTX_SINK)
			places[i] = PTX_NONE;
		else if (is_load)
			places[i] = decode_result(d, value, &bytes);
		else if (!decode_source(d, insn, value, &bytes, &places[i]))
			return false;
		places[8 + i] = bytes;
	}
	if (!decode_texel(d, insn, op, coordinates, places + TEXTURE_VALUES))
		return false;
	op->more = decode_list(d, places, TEXTURE_PLACES);
	op->mode = insn->mode;
	op->plain = CODE_MEMORY;
	op->handler = handle_surface;
	return true;
}
