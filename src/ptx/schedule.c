/*
 * The order of instructions inside blocks, as a GPU's compiler leaves it: loads early, their uses late. clang's PTX has
 * the order of evaluation, where the use follows each load; in-order issue would stall at each of them.
 *
 * Top-down list scheduling. Of the ready instructions, the one with the longest path to the end of the block goes
 * first, as long as the registers in use stay below a bound; beyond it, one that frees registers, else the next of the
 * text. Dependences go through "places" that instructions read or write: registers, the carry, the state spaces of
 * memory (effects.c). An instruction that nothing may pass cuts a block into regions. A call of the math library moves
 * as one instruction. Of two accesses to one space, the later waits for the earlier if one of them writes, unless both
 * have known offsets from one base that do not overlap. Left out: motion between blocks, software pipelining.
 */
#include <stdlib.h>

#include "base/bits.h"
#include "base/memory.h"
#include "ptx/effects.h"
#include "ptx/passes.h"

/* Instructions of a region at most: choosing is linear in the ready ones. */
enum { WINDOW = 512 };
/* Heights that differ by less count as equal: chains of equal length are issued one after another. */
enum { HEIGHT_STEP = 16 };
/* More registers than one instruction adds. */
enum { GROWTH_MAX = 16 };

/* ---- a region --------------------------------------------------------------------------------------------- */

/* What a place holds between two writes. */
struct value {
	uint32_t readers; /* not issued yet */
	uint8_t cost;     /* 32-bit registers */
	bool lives_on;    /* behind the region */
};

/* A register or another thing that instructions read and write. */
struct place {
	uint32_t stamp;   /* of the region that the rest is about */
	uint32_t writer;  /* the last so far, PTX_NONE */
	uint32_t readers; /* since then: links, PTX_NONE */
	uint32_t value;
};

/* Lists of numbers: readers of a place, values of a node, successors of a node with a latency. */
struct link {
	uint32_t item, latency, next;
};

struct node {
	uint32_t insn;   /* of the text */
	uint32_t length; /* a call of the math library is several */
	uint32_t latency;
	uint32_t waits; /* predecessors not issued yet */
	uint32_t ready; /* cycle, by the predecessors that have been issued */
	uint32_t height;
	uint32_t successors, reads, writes; /* links */
};

/* An access of the region. */
struct accessor {
	struct access access;
	uint32_t node;
};

struct schedule {
	struct ptx_module *m;
	const struct ptx_function *f;
	const uint8_t *cost;
	uint32_t bound;
	struct place *places; /* registers, then the others */
	uint32_t stamp;
	uint32_t *touched; /* registers of the region */
	uint32_t touched_count;
	struct value *values;
	uint32_t value_count, value_capacity;
	struct link *links;
	uint32_t link_count, link_capacity;
	struct node nodes[WINDOW];
	struct accessor accessors[WINDOW];
	uint32_t accessor_count;
	uint32_t count;
	uint32_t ready[WINDOW], ready_count;
	struct ptx_insn insns[WINDOW];
	uint32_t weight; /* 32-bit registers in use */
};

static void push(struct schedule *s, uint32_t *list, uint32_t item, uint32_t latency)
{
	if (s->link_count == s->link_capacity) {
		s->link_capacity = s->link_capacity ? s->link_capacity * 2 : 4 * WINDOW;
		s->links = memory_grow(s->links, s->link_capacity, sizeof *s->links);
	}
	s->links[s->link_count] = (struct link){.item = item, .latency = latency, .next = *list};
	*list = s->link_count++;
}

static uint32_t value_new(struct schedule *s, uint32_t place)
{
	if (s->value_count == s->value_capacity) {
		s->value_capacity = s->value_capacity ? s->value_capacity * 2 : 2 * WINDOW;
		s->values = memory_grow(s->values, s->value_capacity, sizeof *s->values);
	}
	uint8_t cost = place < s->f->register_count ? s->cost[place] : 0;
	s->values[s->value_count] = (struct value){.cost = cost};
	return s->value_count++;
}

static struct place *place_at(struct schedule *s, uint32_t index)
{
	struct place *place = &s->places[index];
	if (place->stamp == s->stamp)
		return place;
	*place = (struct place){
	    .stamp = s->stamp, .writer = PTX_NONE, .readers = PTX_NONE, .value = value_new(s, index)};
	if (index < s->f->register_count)
		s->touched[s->touched_count++] = index;
	return place;
}

static void node_after(struct schedule *s, uint32_t node, uint32_t before, uint32_t latency)
{
	if (before == PTX_NONE || before == node)
		return;
	push(s, &s->nodes[before].successors, node, latency);
	s->nodes[node].waits++;
}

static void node_reads(struct schedule *s, uint32_t node, uint32_t index)
{
	struct place *place = place_at(s, index);
	/* A dependence through memory needs the order only, not the latency. */
	if (place->writer != PTX_NONE)
		node_after(s, node, place->writer,
		           index < s->f->register_count ? s->nodes[place->writer].latency : 1);
	push(s, &place->readers, node, 0);
	push(s, &s->nodes[node].reads, place->value, 0);
	s->values[place->value].readers++;
}

static void node_writes(struct schedule *s, uint32_t node, uint32_t index)
{
	struct place *place = place_at(s, index);
	node_after(s, node, place->writer, 1);
	for (uint32_t k = place->readers; k != PTX_NONE; k = s->links[k].next)
		node_after(s, node, s->links[k].item, 0);
	place->writer = node;
	place->readers = PTX_NONE;
	place->value = value_new(s, index);
	push(s, &s->nodes[node].writes, place->value, 0);
}

static void add_reads(struct schedule *s, uint32_t node, const struct ptx_insn *insn, uint32_t places)
{
	const struct ptx_operand *source = ptx_sources(s->m, insn);
	for (uint32_t i = 0; i < insn->source_count; i++)
		if (ptx_register_read(&source[i]) != PTX_NONE)
			node_reads(s, node, source[i].index);
	if (insn->guard != PTX_NONE)
		node_reads(s, node, insn->guard);
	for (uint32_t set = places; set; set &= set - 1)
		node_reads(s, node, s->f->register_count + bits_lowest(set));
}

static void add_writes(struct schedule *s, uint32_t node, const struct ptx_insn *insn, uint32_t places)
{
	const struct ptx_operand *result = ptx_results(s->m, insn);
	for (uint32_t i = 0; i < insn->result_count; i++) {
		if (result[i].kind != PTX_REG)
			continue;
		/* Lanes that the guard leaves out keep what was there. */
		if (insn->guard != PTX_NONE)
			node_reads(s, node, result[i].index);
		node_writes(s, node, result[i].index);
	}
	for (uint32_t set = places; set; set &= set - 1)
		node_writes(s, node, s->f->register_count + bits_lowest(set));
}

/* If the base changes between them, its register keeps them in order. */
static bool may_meet(const struct accessor *a, const struct accessor *b)
{
	const struct access *x = &a->access, *y = &b->access;
	if (!(x->places & y->places))
		return false;
	bool same_base = x->is_known && y->is_known && x->places == y->places && x->base == y->base &&
	                 x->index == y->index;
	return !same_base || ranges_overlap(x->offset, x->bytes, y->offset, y->bytes);
}

/* An access waits for those before it that it may meet, if one of the two writes. */
static void add_access(struct schedule *s, uint32_t node, const struct ptx_insn *insn)
{
	struct accessor own = {.access = insn_access(s->m, insn), .node = node};
	if (!own.access.places)
		return;
	for (uint32_t i = s->accessor_count; i-- > 0;) {
		const struct accessor *other = &s->accessors[i];
		if ((own.access.writes || other->access.writes) && may_meet(&own, other))
			node_after(s, node, other->node, other->access.writes);
	}
	s->accessors[s->accessor_count++] = own;
}

static uint32_t node_new(struct schedule *s, uint32_t insn, uint32_t length, uint32_t latency)
{
	s->nodes[s->count] = (struct node){.insn = insn,
	                                   .length = length,
	                                   .latency = latency,
	                                   .successors = PTX_NONE,
	                                   .reads = PTX_NONE,
	                                   .writes = PTX_NONE};
	return s->count++;
}

static void add_insn(struct schedule *s, uint32_t i)
{
	const struct ptx_insn *insn = &s->m->insns[i];
	struct effect effect = insn_effect(s->m, insn);
	uint32_t node = node_new(s, i, 1, effect.latency);
	add_reads(s, node, insn, effect.reads);
	add_access(s, node, insn);
	add_writes(s, node, insn, effect.writes);
}

/* Add a call of the math library. Its .param variables have no other users, so only registers matter. */
static void add_call(struct schedule *s, uint32_t first, uint32_t length)
{
	uint32_t node = node_new(s, first, length, insn_call_latency(s->m, first));
	for (uint32_t i = first; i < first + length; i++) {
		add_reads(s, node, &s->m->insns[i], 0);
		add_writes(s, node, &s->m->insns[i], 0);
	}
}

/* Find the dependences of instructions [first, end). */
static void region_open(struct schedule *s, uint32_t first, uint32_t end)
{
	s->stamp++;
	s->touched_count = s->value_count = s->link_count = s->count = s->ready_count = 0;
	s->accessor_count = 0;
	for (uint32_t i = first; i < end;) {
		uint32_t length = insn_call_length(s->m, i, end);
		if (length)
			add_call(s, i, length);
		else
			add_insn(s, i);
		i += length ? length : 1;
	}
}

/* ---- choosing --------------------------------------------------------------------------------------------- */

/* Successors follow in the text. */
static void find_heights(struct schedule *s)
{
	for (uint32_t n = s->count; n-- > 0;) {
		struct node *node = &s->nodes[n];
		node->height = node->latency;
		for (uint32_t k = node->successors; k != PTX_NONE; k = s->links[k].next) {
			uint32_t height = s->nodes[s->links[k].item].height + s->links[k].latency;
			node->height = bits_max32(height, node->height);
		}
	}
}

/* Return the 32-bit registers that issuing a node puts into use, less those that it frees. */
static int32_t node_growth(const struct schedule *s, const struct node *node)
{
	int32_t growth = 0;
	for (uint32_t k = node->writes; k != PTX_NONE; k = s->links[k].next) {
		const struct value *value = &s->values[s->links[k].item];
		growth += value->readers || value->lives_on ? value->cost : 0;
	}
	for (uint32_t k = node->reads; k != PTX_NONE; k = s->links[k].next) {
		const struct value *value = &s->values[s->links[k].item];
		growth -= value->readers == 1 && !value->lives_on ? value->cost : 0;
	}
	return growth;
}

static bool node_fits(const struct schedule *s, const struct node *node)
{
	if (s->weight + GROWTH_MAX <= s->bound)
		return true;
	int32_t growth = node_growth(s, node);
	return growth <= 0 || s->weight + (uint32_t)growth <= s->bound;
}

/* Whether node a goes before node b, as long as registers do not matter. */
static bool is_better(const struct schedule *s, uint32_t a, uint32_t b, uint32_t cycle)
{
	const struct node *x = &s->nodes[a], *y = &s->nodes[b];
	if ((x->ready <= cycle) != (y->ready <= cycle))
		return x->ready <= cycle;
	if (x->height / HEIGHT_STEP != y->height / HEIGHT_STEP)
		return x->height > y->height;
	return a < b;
}

/* Remove and return the best ready node that fits, else the next of the text, which is always ready. */
static uint32_t choose(struct schedule *s, uint32_t cycle)
{
	uint32_t best = PTX_NONE, next = 0;
	for (uint32_t i = 0; i < s->ready_count; i++) {
		uint32_t node = s->ready[i];
		if (node < s->ready[next])
			next = i;
		if (best != PTX_NONE && !is_better(s, node, s->ready[best], cycle))
			continue;
		if (node_fits(s, &s->nodes[node]))
			best = i;
	}
	uint32_t at = best == PTX_NONE ? next : best, node = s->ready[at];
	s->ready[at] = s->ready[--s->ready_count];
	return node;
}

static void issue(struct schedule *s, const struct node *node, uint32_t cycle)
{
	s->weight = (uint32_t)((int32_t)s->weight + node_growth(s, node));
	for (uint32_t k = node->reads; k != PTX_NONE; k = s->links[k].next)
		s->values[s->links[k].item].readers--;
	for (uint32_t k = node->successors; k != PTX_NONE; k = s->links[k].next) {
		struct node *to = &s->nodes[s->links[k].item];
		to->ready = bits_max32(to->ready, cycle + s->links[k].latency);
		if (!--to->waits)
			s->ready[s->ready_count++] = s->links[k].item;
	}
}

static void region_reorder(struct schedule *s, uint32_t first)
{
	find_heights(s);
	for (uint32_t n = 0; n < s->count; n++)
		if (!s->nodes[n].waits)
			s->ready[s->ready_count++] = n;
	uint32_t cycle = 0, place = 0;
	for (uint32_t left = s->count; left; left--) {
		const struct node *node = &s->nodes[choose(s, cycle)];
		cycle = bits_max32(cycle, node->ready);
		issue(s, node, cycle++);
		for (uint32_t i = 0; i < node->length; i++)
			s->insns[place++] = s->m->insns[node->insn + i];
	}
	for (uint32_t i = 0; i < place; i++)
		s->m->insns[first + i] = s->insns[i];
}

/* ---- blocks ----------------------------------------------------------------------------------------------- */

/* Step backward over an instruction: end what it writes, begin what it reads. Return the weight in front of it. */
static uint32_t step_back(const struct schedule *s, const struct ptx_insn *insn, bool *alive, uint32_t weight)
{
	const struct ptx_operand *result = ptx_results(s->m, insn), *source = ptx_sources(s->m, insn);
	for (uint32_t i = 0; i < insn->result_count && insn->guard == PTX_NONE; i++)
		if (result[i].kind == PTX_REG && alive[result[i].index]) {
			alive[result[i].index] = false;
			weight -= s->cost[result[i].index];
		}
	for (uint32_t i = 0; i < insn->source_count; i++) {
		uint32_t reg = ptx_register_read(&source[i]);
		if (reg != PTX_NONE && !alive[reg]) {
			alive[reg] = true;
			weight += s->cost[reg];
		}
	}
	if (insn->guard != PTX_NONE)
		alive[insn->guard] = true;
	return weight;
}

static uint32_t schedule_region(struct schedule *s, uint32_t first, uint32_t end, bool *alive,
                                uint32_t weight)
{
	region_open(s, first, end);
	for (uint32_t k = 0; k < s->touched_count; k++)
		s->values[s->places[s->touched[k]].value].lives_on = alive[s->touched[k]];
	for (uint32_t i = end; i-- > first;)
		weight = step_back(s, &s->m->insns[i], alive, weight);
	s->weight = weight;
	region_reorder(s, first);
	return weight;
}

void schedule_block(struct schedule *s, uint32_t first, uint32_t end, bool *alive, uint32_t weight)
{
	for (uint32_t at = end; at > first;) {
		uint32_t start = at;
		while (start > first && at - start < WINDOW && !insn_cuts(s->m, first, start - 1))
			start--;
		while (start < at && insn_continues_call(s->m, first, start))
			start++;
		if (start < at)
			weight = schedule_region(s, start, at, alive, weight);
		else
			weight = step_back(s, &s->m->insns[--start], alive, weight);
		at = start;
	}
}

struct schedule *schedule_new(struct ptx_module *m, const struct ptx_function *f, const uint8_t *cost,
                              uint32_t bound)
{
	struct schedule *s = memory_zeroed(1, sizeof *s);
	s->m = m;
	s->f = f;
	s->cost = cost;
	s->bound = bound;
	s->places = memory_zeroed(f->register_count + PLACE_COUNT, sizeof *s->places);
	s->touched = memory_grow(NULL, f->register_count, sizeof *s->touched);
	return s;
}

void schedule_free(struct schedule *s)
{
	free(s->places);
	free(s->touched);
	free(s->values);
	free(s->links);
	free(s);
}
