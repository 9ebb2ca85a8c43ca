/* Moves between registers, the small lane functions of addresses, and reads of clocks and stack addresses. */
#include "cuda/executor/handlers.h"
#include "cuda/executor/mask.h"

#define UNUSED (void)a, (void)b, (void)c, (void)d, (void)lanes
#define LANE_UNARY(name, result, source, expression)                                                         \
	void name(void *dst, const void *a, const void *b, const void *c, void *d, unsigned lanes)           \
	{                                                                                                    \
		UNUSED;                                                                                      \
		for (unsigned block = 0; block < lanes; block += 32)                                         \
			for (unsigned i = block; i < block + 32; i++) {                                      \
				source v = ((const source *)a)[i];                                           \
				((result *)dst)[i] = (result)(expression);                                   \
			}                                                                                    \
	}
#define WINDOW (((const mask_u64 *)b)[i])
LANE_UNARY(lane_copy2, mask_u16, mask_u16, v)
LANE_UNARY(lane_copy4, mask_u32, mask_u32, v)
LANE_UNARY(lane_copy8, mask_u64, mask_u64, v)
LANE_UNARY(lane_narrow42, mask_u16, mask_u32, v)
LANE_UNARY(lane_narrow84, mask_u32, mask_u64, v)
LANE_UNARY(lane_widen48, mask_u64, mask_u32, v)
LANE_UNARY(lane_to_window, mask_u64, mask_u64, v + WINDOW)
LANE_UNARY(lane_from_window, mask_u64, mask_u64, v - WINDOW)
LANE_UNARY(lane_in_window, mask_u32, mask_u64, v - WINDOW < WINDOW_BYTES ? ~0u : 0)

void lanes_write(struct run *run, struct warp *w, uint32_t dst, const void *src, unsigned bytes,
                 uint64_t mask)
{
	if (mask == w->live)
		memcpy(place(w, dst), src, (size_t)bytes * run->lanes);
	else
		run->host->blend(place(w, dst), src, bytes, mask, run->lanes);
}

bool handle_setp_pair(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	const struct lane_pair *pair = &run->kernel->pairs[op->more];
	const void *c = place(w, op->c);
	if (op->negated & 4) {
		for (unsigned i = 0; i < run->lanes; i++)
			((mask_u32 *)run->scratch[2])[i] = ~((const mask_u32 *)c)[i];
		c = run->scratch[2];
	}
	/* Both before either is written: a result may be the combining predicate. */
	for (unsigned i = 0; i < 2; i++)
		pair->fn[i](run->scratch[i], place(w, op->a), place(w, op->b), c, place(w, op->d),
		            run->lanes);
	for (unsigned i = 0; i < 2; i++)
		lanes_write(run, w, pair->dst[i], run->scratch[i], 4, mask);
	return true;
}

bool handle_pack(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	const uint32_t *places = run->kernel->lists + op->more;
	unsigned count = op->mode, narrow = op->bytes, wide = count * narrow;
	for (unsigned k = 0; k < count; k++) {
		const uint8_t *src = place(w, places[k]);
		for (unsigned i = 0; i < run->lanes; i++)
			memcpy(run->scratch[0] + (size_t)i * wide + (size_t)k * narrow,
			       src + (size_t)i * narrow, narrow);
	}
	lanes_write(run, w, op->dst, run->scratch[0], wide, mask);
	return true;
}

bool handle_unpack(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	const uint32_t *places = run->kernel->lists + op->more;
	unsigned count = op->mode, narrow = op->bytes, wide = count * narrow;
	/* All pieces first: the source may be overwritten by one of them only if widths are equal, which they are not. */
	const uint8_t *src = place(w, op->a);
	for (unsigned k = 0; k < count; k++) {
		if (places[k] == PTX_NONE)
			continue;
		for (unsigned i = 0; i < run->lanes; i++)
			memcpy(run->scratch[0] + (size_t)i * narrow,
			       src + (size_t)i * wide + (size_t)k * narrow, narrow);
		lanes_write(run, w, places[k], run->scratch[0], narrow, mask);
	}
	return true;
}

/* Several whole registers at once: pairs of result and source. */
bool handle_copy_list(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	const uint32_t *places = run->kernel->lists + op->more;
	for (unsigned k = 0; k < op->mode; k++)
		lanes_write(run, w, places[2 * k], place(w, places[2 * k + 1]), op->bytes, mask);
	return true;
}

/* The address of a local variable: its place in the frame that runs, plus a window if it is made generic. */
bool handle_local_address(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	const struct frame *f = &w->frames[w->paths[w->current].frame];
	uint64_t window = lane_get(place(w, op->b), 8, 0);
	lane_broadcast(run->scratch[0], window + f->local_base + op->target, op->bytes, run->lanes);
	lanes_write(run, w, op->dst, run->scratch[0], op->bytes, mask);
	return true;
}

/* Whether an address is in a constant of the module; constants have no window. */
static bool is_constant(const struct loaded_module *module, uint64_t address)
{
	for (uint32_t i = 0; i < module->ptx->variable_count; i++) {
		const struct ptx_variable *v = &module->ptx->variables[i];
		if (v->space == PTX_SPACE_const && address - module->variable_address[i] < v->bytes)
			return true;
	}
	return false;
}

/* isspacep.global and .const */
bool handle_in_device(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	for (unsigned i = 0; i < run->lanes; i++) {
		uint64_t at = lane_get(place(w, op->a), 8, i);
		bool is_own = at - SHARED_WINDOW < WINDOW_BYTES || at - LOCAL_WINDOW < WINDOW_BYTES;
		bool is_const = !is_own && is_constant(run->kernel->module, at);
		bool yes = op->mode == PTX_SPACE_const ? is_const : !is_own && !is_const;
		lane_set(run->scratch[0], 4, i, yes ? ~0u : 0);
	}
	lanes_write(run, w, op->dst, run->scratch[0], 4, mask);
	return true;
}

/* Clocks count warp instructions of the executor: monotone, the same in every run. */
bool handle_clock(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	uint64_t now = run->clock += 8;
	if (op->mode == PTX_SREG_clock_hi || op->mode == PTX_SREG_globaltimer_hi)
		now >>= 32;
	lane_broadcast(run->scratch[0], now, op->bytes, run->lanes);
	lanes_write(run, w, op->dst, run->scratch[0], op->bytes, mask);
	return true;
}

bool handle_nothing(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	(void)run, (void)op, (void)mask;
	w->epoch++;
	return true;
}

bool handle_activemask(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	lane_broadcast(run->scratch[0], w->paths[w->current].mask, op->bytes, run->lanes);
	lanes_write(run, w, op->dst, run->scratch[0], op->bytes, mask);
	return true;
}
