/*
 * Grids that kernels launch. A child runs when its parent has ended, in the
 * order of the launches, its own children before the next: CUDA promises no
 * more than that they have run before anything that waits for the parent.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "cudart/launch.h"

struct child {
	struct child *next;
	bool is_tail;         /* launched into cudaStreamTailLaunch: after all others of its parent */
	struct launch launch; /* args: our own copy */
};

enum { TAIL_STREAM = 3 /* include/cuda/sluice/device_launch.h */ };
enum { DEPTH_MAX = 24 }; /* of grids that launch grids, as CUDA has it */

static const struct module *module_of(const struct runtime *rt, const struct loaded_module *loaded)
{
	for (unsigned i = 0; i < rt->registry.module_count; i++)
		if (rt->registry.modules[i]->loaded == loaded)
			return rt->registry.modules[i];
	return NULL;
}

static cudaError_t accept(struct runtime *rt, const struct exec_child *what)
{
	struct function function;
	const struct ptx_function *f = &what->module->ptx->functions[what->entry];
	const struct module *module = module_of(rt, what->module);
	if (!module)
		return cudaErrorInvalidDeviceFunction;
	if (rt->child_depth >= DEPTH_MAX)
		return cudaErrorLaunchMaxDepthExceeded;
	/* The kernel may have no host function; its description's address stands for it. */
	struct symbol symbol = {.host = f,
	                        .name = f->name,
	                        .module = (struct module *)(uintptr_t)module,
	                        .kind = SYMBOL_FUNCTION};
	registry_add_symbol(&rt->registry, &symbol);
	struct launch launch = {.host = f,
	                        .grid = {what->grid.x, what->grid.y, what->grid.z},
	                        .block = {what->block.x, what->block.y, what->block.z},
	                        .shared_bytes = what->dynamic_shared_bytes,
	                        .stream = rt->parent_stream};
	cudaError_t result = function_find(rt, f, &function);
	if (result)
		return result;
	launch.args = launch_unpack_args(&function, what->parameters);
	result = launch_check(rt, &launch, &function);
	if (result) {
		free(launch.args);
		return result;
	}
	struct child *child = memory_zeroed(1, sizeof *child);
	child->launch = launch;
	child->is_tail = what->stream == TAIL_STREAM;
	*(rt->last_child ? &rt->last_child->next : &rt->children) = child;
	rt->last_child = child;
	return cudaSuccess;
}

uint32_t child_accept(void *user, const struct exec_child *child)
{
	return (uint32_t)accept(user, child);
}

/* The same list, with those of the tail stream behind the others. */
static struct child *tails_last(struct child *list)
{
	struct child *first = NULL, *tails = NULL, **first_end = &first, **tails_end = &tails;
	for (; list; list = list->next) {
		struct child ***end = list->is_tail ? &tails_end : &first_end;
		**end = list;
		*end = &list->next;
	}
	*tails_end = NULL;
	*first_end = tails;
	return first;
}

void children_run(struct runtime *rt)
{
	struct child *list = tails_last(rt->children);
	rt->children = rt->last_child = NULL;
	rt->child_depth++;
	while (list) {
		struct child *child = list;
		struct function function;
		list = child->next;
		if (!rt->sticky && !launch_check(rt, &child->launch, &function))
			launch_run(rt, &child->launch, &function);
		free(child->launch.args);
		free(child);
	}
	rt->child_depth--;
}
