#include "policy/lib/classifier.h"

#include <string.h>

/* Widths of figure 5 and Table 4; the line address is not counted there either. */
enum {
	ID_BITS = 4,
	WARP_BITS = 6,
	COUNT_BITS = 4,
	TYPE_BITS = 2,
	INVALID_BITS = 1,
	LOAD_BITS = 32,     /* tag and type */
	LINE_WARP_BITS = 2, /* the two bits per tag that the paper does not explain */
	LINE_BITS = COUNT_BITS + LINE_WARP_BITS,
};

size_t classifier_bytes(const struct policy_env *env)
{
	return sizeof(struct classifier) +
	       (size_t)env->l1_sets * env->l1_ways * sizeof(struct classifier_frame);
}

uint64_t classifier_bits(const struct policy_env *env)
{
	uint64_t row = ID_BITS + WARP_BITS + 2 * COUNT_BITS + TYPE_BITS + INVALID_BITS;
	return (uint64_t)env->l1_sets * env->l1_ways * LINE_BITS + CLASSIFIER_ROWS * row +
	       CLASSIFIER_IDS * LOAD_BITS;
}

void classifier_init(struct classifier *c, const struct policy_env *env, uint32_t threshold)
{
	memset(c, 0, classifier_bytes(env));
	c->threshold = threshold;
}

/* The bits above those that are equal in all PCs, folded. */
static uint32_t id_of(uint64_t pc)
{
	uint32_t id = 0;
	for (uint64_t rest = pc >> 3; rest; rest >>= ID_BITS)
		id ^= (uint32_t)rest % CLASSIFIER_IDS;
	return id;
}

static uint8_t add(uint8_t count, uint32_t more)
{
	return (uint8_t)(count + more < CLASSIFIER_COUNT_MAX ? count + more : CLASSIFIER_COUNT_MAX);
}

enum locality classifier_decide(uint32_t intra, uint32_t total)
{
	if (total <= 1)
		return LOCALITY_STREAMING;
	return (enum locality)((intra > 1 ? LOCALITY_INTRA : 0) | (intra < total ? LOCALITY_INTER : 0));
}

static void finish(struct classifier *c, uint32_t id)
{
	struct classifier_watch *watch = &c->watch[id];
	c->load[id].type = classifier_decide(watch->intra, watch->total);
	watch->live = false;
}

static void touch(struct classifier *c, uint32_t warp, uint64_t line)
{
	for (uint32_t id = 0; id < CLASSIFIER_IDS; id++) {
		struct classifier_watch *watch = &c->watch[id];
		if (!watch->live || watch->line != line)
			continue;
		watch->total = add(watch->total, 1);
		watch->intra = add(watch->intra, watch->warp == warp);
		if (watch->total > c->threshold)
			finish(c, id);
	}
}

/* The first line of a load decides what is watched. A PC with the ID of another that is watched has to wait. */
static void begin(struct classifier *c, const struct prel1_item *request)
{
	uint32_t id = id_of(request->pc);
	struct classifier_watch *watch = &c->watch[id];
	struct classifier_load *load = &c->load[id];
	if (watch->live && load->pc == request->pc && watch->warp == request->warp &&
	    watch->line != request->line)
		finish(c, id);
	if (watch->live)
		return;
	if (!load->taken || load->pc != request->pc)
		*load = (struct classifier_load){request->pc, LOCALITY_UNKNOWN, true};
	*watch = (struct classifier_watch){request->line, request->warp, 1, 1, true, true};
}

void classifier_request(struct classifier *c, const struct prel1_item *request)
{
	/* Lines of one instruction come one after the other; a line that had to wait is not heard twice. */
	bool same = c->last_arrival && c->last_pc == request->pc && c->last_warp == request->warp &&
	            request->arrival <= c->last_arrival + 1;
	c->last_arrival = request->is_store ? 0 : request->arrival;
	c->last_pc = request->pc;
	c->last_warp = request->warp;
	if (request->is_store || request->again)
		return;
	touch(c, request->warp, request->line);
	if (!same)
		begin(c, request);
}

/*
 * What the line was used for before counts as use by others, unless the warp itself brought it: its own reuse
 * would look like sharing.
 */
void classifier_l1(struct classifier *c, const struct l1_event *event)
{
	if (event->aux)
		return;
	uint8_t warp = event->warp % (1u << LINE_WARP_BITS);
	struct classifier_frame none = {0},
	                        *frame = event->frame == UINT32_MAX ? &none : &c->frame[event->frame];
	if (frame->line != event->line)
		*frame = (struct classifier_frame){event->line, 0, warp};
	for (uint32_t id = 0; id < CLASSIFIER_IDS; id++) {
		struct classifier_watch *watch = &c->watch[id];
		if (!watch->live || !watch->asks_l1 || watch->line != event->line ||
		    watch->warp != event->warp)
			continue;
		watch->asks_l1 = false;
		watch->total = add(watch->total, frame->warp != warp ? frame->count : 0);
		if (watch->total > c->threshold)
			finish(c, id);
	}
	frame->count = add(frame->count, 1);
}

enum locality classifier_type(const struct classifier *c, uint64_t pc)
{
	const struct classifier_load *load = &c->load[id_of(pc)];
	return load->taken && load->pc == pc ? load->type : LOCALITY_UNKNOWN;
}
