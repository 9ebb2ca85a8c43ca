/*
 * Registration: what clang's constructors call before main(), in this order:
 * the module, its kernels, textures and variables, the end of the list. Takes
 * notes only; nothing is parsed.
 */
#include "cudart/calls.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cudart/state.h"

/* What __cudaRegisterFatBinary() gets. `data` is the PTX text, ended by a zero. */
struct fat_binary {
	int32_t magic, version;
	const char *data;
	void *unused;
};

enum { FAT_BINARY_MAGIC = 0x466243b1, FAT_BINARY_VERSION = 1 };

/* PTX begins with a comment or a directive; containers of machine code with a binary number. */
static bool looks_like_text(const char *data)
{
	return data && (*data == '\0' || *data == '\n' || *data == '\t' || (*data >= ' ' && *data < 0x7f));
}

static void add_module(struct registry *registry, struct module *module)
{
	registry->modules =
	    memory_grow(registry->modules, registry->module_count + 1, sizeof(struct module *));
	registry->modules[registry->module_count++] = module;
	module->number = registry->module_count;
}

void **__cudaRegisterFatBinary(void *wrapper)
{
	const struct fat_binary *binary = wrapper;
	struct module *module = memory_zeroed(1, sizeof *module);
	if (binary->magic == FAT_BINARY_MAGIC && binary->version == FAT_BINARY_VERSION &&
	    looks_like_text(binary->data))
		module->text = binary->data;
	struct runtime *rt = runtime_lock();
	add_module(&rt->registry, module);
	runtime_unlock(rt);
	return (void **)module;
}

struct module *registry_add(struct registry *registry, const char *text)
{
	struct module *module = memory_zeroed(1, sizeof *module);
	size_t bytes = strlen(text) + 1;
	module->owned = memory_zeroed(1, bytes);
	memcpy(module->owned, text, bytes);
	module->text = module->owned;
	add_module(registry, module);
	return module;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
	/* The host reaches managed variables without any call, so they must be there from now on. */
	struct module *module = (struct module *)handle;
	if (!module->managed_count)
		return;
	struct runtime *rt = runtime_enter();
	if (!runtime_ready(rt))
		registry_load(rt, module);
	runtime_leave(rt, cudaSuccess);
}

void __cudaUnregisterFatBinary(void **handle)
{
	struct module *module = (struct module *)handle;
	if (runtime_is_inside())
		return;
	struct runtime *rt = runtime_lock();
	module->is_gone = true;
	runtime_unlock(rt);
}

/* ---- symbols -------------------------------------------------------------------------------------------- */

static void table_grow(struct registry *registry)
{
	size_t size = registry->table_size ? 2 * registry->table_size : 256;
	struct symbol **table = memory_zeroed(size, sizeof *table);
	for (size_t i = 0; i < registry->table_size; i++)
		if (registry->table[i])
			*registry_slot(table, size, registry->table[i]->host) = registry->table[i];
	free(registry->table);
	registry->table = table;
	registry->table_size = size;
}

struct symbol *registry_add_symbol(struct registry *registry, const struct symbol *what)
{
	if (2 * registry->symbol_count >= registry->table_size)
		table_grow(registry);
	struct symbol **slot = registry_slot(registry->table, registry->table_size, what->host);
	if (!*slot) {
		*slot = memory_zeroed(1, sizeof **slot);
		**slot = *what;
		registry->symbol_count++;
	} else if ((*slot)->module->is_gone) {
		**slot = *what;
	}
	return *slot;
}

static void add_symbol(struct symbol what)
{
	struct runtime *rt = runtime_lock();
	registry_add_symbol(&rt->registry, &what);
	runtime_unlock(rt);
}

void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int thread_limit,
                            void *tid, void *bid, void *block, void *grid, int *warp_size)
{
	(void)device, (void)thread_limit, (void)tid, (void)bid, (void)block, (void)grid, (void)warp_size;
	add_symbol((struct symbol){
	    .host = host, .name = name, .module = (struct module *)handle, .kind = SYMBOL_FUNCTION});
}

/* Takes a note if the variable lies among the managed ones. */
static void note_managed(struct module *module, struct managed_variable variable)
{
	struct runtime *rt = runtime_lock();
	for (unsigned i = 0; i < rt->registry.section_count; i++) {
		const struct managed_section *section = &rt->registry.sections[i];
		if ((uintptr_t)variable.host < section->first || (uintptr_t)variable.host >= section->end)
			continue;
		module->managed =
		    memory_grow(module->managed, module->managed_count + 1, sizeof *module->managed);
		module->managed[module->managed_count++] = variable;
		break;
	}
	runtime_unlock(rt);
}

void __sluiceRegisterManaged(void *first, void *end)
{
	struct runtime *rt = runtime_lock();
	struct registry *registry = &rt->registry;
	for (unsigned i = 0; i < registry->section_count; i++)
		if (registry->sections[i].first == (uintptr_t)first) {
			runtime_unlock(rt); /* every file of a program says the same */
			return;
		}
	registry->sections =
	    memory_grow(registry->sections, registry->section_count + 1, sizeof *registry->sections);
	registry->sections[registry->section_count++] =
	    (struct managed_section){.first = (uintptr_t)first, .end = (uintptr_t)end};
	runtime_unlock(rt);
}

void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int is_extern, size_t bytes,
                       int is_constant, int is_global)
{
	(void)device, (void)is_extern, (void)is_constant, (void)is_global;
	note_managed((struct module *)handle, (struct managed_variable){host, name, bytes});
	add_symbol((struct symbol){.host = host,
	                           .name = name,
	                           .module = (struct module *)handle,
	                           .kind = SYMBOL_VARIABLE,
	                           .bytes = bytes});
}

void __cudaRegisterTexture(void **handle, const struct textureReference *host, const void **device,
                           const char *name, int dimensions, int reads_normalized, int is_extern)
{
	(void)device, (void)is_extern;
	add_symbol((struct symbol){.host = host,
	                           .name = name,
	                           .module = (struct module *)handle,
	                           .kind = SYMBOL_TEXTURE,
	                           .dimensions = dimensions,
	                           .reads_normalized = reads_normalized != 0});
}

void __cudaRegisterSurface(void **handle, const struct surfaceReference *host, const void **device,
                           const char *name, int dimensions, int is_extern)
{
	(void)handle, (void)host, (void)device, (void)dimensions, (void)is_extern;
	runtime_say("surface %s: surface references are not supported", name);
}

char __cudaInitModule(void **handle)
{
	(void)handle;
	return 1;
}
