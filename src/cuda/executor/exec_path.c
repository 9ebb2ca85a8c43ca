/* See exec_path.h. Nodes and frames come from free lists; nothing is allocated once a warp has its depth. */
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "cuda/executor/exec_path.h"

static uint32_t path_new(struct warp *w)
{
	if (w->free_path != PTX_NONE) {
		uint32_t id = w->free_path;
		w->free_path = w->paths[id].parent;
		return id;
	}
	if (w->path_count == w->path_capacity) {
		w->path_capacity = w->path_capacity ? 2 * w->path_capacity : 16;
		w->paths = memory_grow(w->paths, w->path_capacity, sizeof *w->paths);
	}
	return w->path_count++;
}

static void path_free(struct warp *w, uint32_t id)
{
	w->paths[id].state = PATH_FREE;
	w->paths[id].parent = w->free_path;
	w->free_path = id;
}

static void push_ready(struct warp *w, uint32_t id)
{
	w->paths[id].state = PATH_READY;
	w->ready[w->ready_count++] = id;
}

uint32_t path_add_child(struct warp *w, uint32_t parent, uint64_t mask, uint32_t pc, uint32_t reconverge,
                        uint32_t frame)
{
	uint32_t id = path_new(w);
	w->paths[id] = (struct path){.mask = mask,
	                             .pc = pc,
	                             .reconverge = reconverge,
	                             .frame = frame,
	                             .parent = parent,
	                             .callee = PTX_NONE};
	if (parent != PTX_NONE)
		w->paths[parent].children++;
	push_ready(w, id);
	return id;
}

void path_start(struct warp *w, uint32_t pc)
{
	w->path_count = w->ready_count = w->waiting = 0;
	w->free_path = PTX_NONE;
	path_add_child(w, PTX_NONE, w->live, pc, PTX_NONE, 0);
	path_next(w);
}

bool path_next(struct warp *w)
{
	if (!w->ready_count) {
		w->current = PTX_NONE;
		return false;
	}
	w->current = w->ready[--w->ready_count];
	w->base[PLACE_FRAME] = w->frames[w->paths[w->current].frame].registers;
	return true;
}

/* One child less; a node whose last child is gone goes on with the lanes that arrived, or ends too. */
static void child_done(struct warp *w, uint32_t node)
{
	while (node != PTX_NONE) {
		struct path *p = &w->paths[node];
		if (--p->children)
			return;
		if (p->callee != PTX_NONE) {
			frame_free(w, p->callee);
			p->callee = PTX_NONE;
		}
		if (p->mask) {
			push_ready(w, node);
			return;
		}
		uint32_t parent = p->parent;
		path_free(w, node);
		node = parent;
	}
}

void path_wait_for_children(struct warp *w, uint32_t pc)
{
	struct path *p = &w->paths[w->current];
	p->state = PATH_INNER;
	p->pc = pc;
	p->mask = 0;
	p->children = 0;
}

/* The meeting point is the path's own: a sibling for the second side, or loops would pile up nodes. */
static void part_beside(struct warp *w, const uint64_t side[2], const uint32_t pc[2])
{
	uint32_t node = w->current;
	struct path p = w->paths[node];
	unsigned stays = 1;
	if (p.reconverge != PTX_NONE && (pc[0] == p.reconverge || pc[1] == p.reconverge)) {
		stays = pc[0] == p.reconverge;
		w->paths[p.parent].mask |= side[!stays];
	} else {
		path_add_child(w, p.parent, side[0], pc[0], p.reconverge, p.frame);
	}
	w->paths[node].mask = side[stays];
	w->paths[node].pc = pc[stays];
}

void path_diverge(struct warp *w, uint64_t taken, uint32_t target, uint32_t next, uint32_t reconverge)
{
	uint32_t node = w->current;
	struct path p = w->paths[node];
	uint64_t side[2] = {taken, p.mask & ~taken};
	uint32_t pc[2] = {target, next};
	if (reconverge == PTX_NONE || reconverge == p.reconverge) {
		part_beside(w, side, pc);
		return;
	}
	path_wait_for_children(w, reconverge);
	for (unsigned i = 0; i < 2; i++) {
		if (pc[i] == reconverge)
			w->paths[node].mask |= side[i];
		else
			path_add_child(w, node, side[i], pc[i], reconverge, p.frame);
	}
	path_next(w);
}

static void end_current(struct warp *w)
{
	uint32_t parent = w->paths[w->current].parent;
	path_free(w, w->current);
	child_done(w, parent);
	path_next(w);
}

void path_arrive(struct warp *w)
{
	struct path *p = &w->paths[w->current];
	if (p->parent == PTX_NONE)
		BUG("the outermost path of warp %u meets nobody", w->index);
	w->paths[p->parent].mask |= p->mask;
	end_current(w);
}

void path_leave(struct warp *w, uint64_t mask)
{
	struct path *p = &w->paths[w->current];
	p->mask &= ~mask;
	if (!p->mask)
		end_current(w);
}

void path_return(struct warp *w, uint64_t mask, uint32_t node)
{
	w->paths[node].mask |= mask;
	path_leave(w, mask);
}

void path_block(struct warp *w, enum path_state state)
{
	w->paths[w->current].state = (uint8_t)state;
	w->waiting++;
	path_next(w);
}

void path_wake(struct warp *w, uint32_t path)
{
	w->waiting--;
	push_ready(w, path);
	if (w->current == PTX_NONE)
		path_next(w);
}

/* Lanes that have arrived at an inner node go on alone, beside it. */
static void split_arrived(struct warp *w, uint32_t node)
{
	struct path p = w->paths[node];
	w->paths[node].mask = 0;
	if (p.reconverge != PTX_NONE && p.pc == p.reconverge)
		w->paths[p.parent].mask |= p.mask;
	else
		path_add_child(w, p.parent, p.mask, p.pc, p.reconverge, p.frame);
}

static void split_all_arrived(struct warp *w)
{
	uint32_t count = w->path_count;
	for (uint32_t i = 0; i < count; i++)
		if (w->paths[i].state == PATH_INNER && w->paths[i].mask)
			split_arrived(w, i);
}

bool path_go_ahead(struct warp *w)
{
	split_all_arrived(w);
	return path_next(w);
}

void path_rotate(struct warp *w)
{
	if (!w->ready_count)
		split_all_arrived(w);
	if (!w->ready_count)
		return;
	for (uint32_t i = w->ready_count; i > 0; i--)
		w->ready[i] = w->ready[i - 1];
	w->ready[0] = w->current;
	w->ready_count++;
	path_next(w);
}

uint32_t frame_new(struct warp *w, uint32_t function, uint32_t bytes)
{
	uint32_t id = w->free_frame[function];
	if (id != PTX_NONE) {
		w->free_frame[function] = w->frames[id].next_free;
		return id;
	}
	if (w->frame_count == w->frame_capacity) {
		w->frame_capacity = w->frame_capacity ? 2 * w->frame_capacity : 4;
		w->frames = memory_grow(w->frames, w->frame_capacity, sizeof *w->frames);
	}
	w->frames[w->frame_count] =
	    (struct frame){.registers = memory_zeroed(bytes ? bytes : 1, 1), .function = function};
	return w->frame_count++;
}

void frame_free(struct warp *w, uint32_t frame)
{
	uint32_t function = w->frames[frame].function;
	w->frames[frame].next_free = w->free_frame[function];
	w->free_frame[function] = frame;
}
