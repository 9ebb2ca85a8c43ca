/*
 * Modules, kernels and variables of the program. Registration takes notes only; a module is loaded by the first call that
 * needs it, together with those that use one another's functions and variables (relocatable device code).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cudart/calls.h"
#include "cudart/registry.h"
#include "cudart/state.h"
#include "ptx/link.h"

/* ---- modules that need one another --------------------------------------------------------------------------- */

static bool takes_part(const struct module *module)
{
	return module->text && !module->owned && !module->is_gone && !module->loaded && !module->failure &&
	       !module->leader && !module->linked;
}

struct parts {
	struct module **modules;
	struct ptx_link_input *input;
	unsigned *group;
	unsigned count;
};

static void add_part(struct parts *p, struct module *module)
{
	p->modules[p->count] = module;
	p->input[p->count++] = (struct ptx_link_input){module->text, module->number};
}

/* Those that need none are the most: a look is enough. */
static bool has_extern(const struct parts *p)
{
	for (unsigned i = 0; i < p->count; i++)
		if (strstr(p->input[i].text, "\n.extern ."))
			return true;
	return false;
}

/* Leaves the members of the module's group, in the order of registration. */
static void keep_group(struct parts *p, const struct module *module)
{
	unsigned own = 0, kept = 0;
	ptx_link_groups(p->input, p->count, p->group);
	for (unsigned i = 0; i < p->count; i++)
		if (p->modules[i] == module)
			own = p->group[i];
	for (unsigned i = 0; i < p->count; i++) {
		if (p->group[i] != own)
			continue;
		p->modules[kept] = p->modules[i];
		p->input[kept++] = p->input[i];
	}
	p->count = kept;
}

static bool link_parts(struct parts *p, struct module *module, struct error *err)
{
	if (p->count < 2 || !has_extern(p))
		return true;
	keep_group(p, module);
	if (p->count < 2)
		return true;
	module->linked = ptx_link(p->input, p->count, err);
	for (unsigned i = 0; i < p->count; i++)
		if (p->modules[i] != module)
			p->modules[i]->leader = module;
	return module->linked != NULL;
}

/*
 * Before a module is loaded: if it needs others that were compiled in, or they need it, all of them get one text, its
 * `linked`, and the others have it as their `leader`. False: err says why they do not go together.
 */
static bool module_link(struct registry *registry, struct module *module, struct error *err)
{
	if (!takes_part(module))
		return true;
	size_t room = registry->module_count + 1;
	struct parts p = {.modules = memory_zeroed(room, sizeof *p.modules),
	                  .input = memory_zeroed(room, sizeof *p.input),
	                  .group = memory_zeroed(room, sizeof *p.group)};
	for (unsigned i = 0; i < registry->module_count; i++)
		if (takes_part(registry->modules[i]))
			add_part(&p, registry->modules[i]);
	bool ok = link_parts(&p, module, err);
	free(p.modules);
	free(p.input);
	free(p.group);
	return ok;
}

static uint32_t module_find(const struct symbol *symbol,
                            uint32_t (*find)(const struct ptx_module *module, const char *name))
{
	const struct module *module = symbol->module;
	const struct ptx_module *ptx = module->loaded->ptx;
	uint32_t found = PTX_NONE;
	if (module->leader || module->linked) {
		size_t bytes = strlen(symbol->name) + 16;
		char *own = memory_zeroed(bytes, 1);
		snprintf(own, bytes, "%s$%u", symbol->name, module->number);
		found = find(ptx, own);
		free(own);
	}
	return found != PTX_NONE ? found : find(ptx, symbol->name);
}

/* ---- modules and symbols ------------------------------------------------------------------------------------- */

/* ---- look-up -------------------------------------------------------------------------------------------- */

struct symbol **registry_slot(struct symbol **table, size_t size, const void *host)
{
	size_t i = (size_t)((uintptr_t)host * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (size - 1);
	while (table[i] && table[i]->host != host)
		i = (i + 1) & (size - 1);
	return &table[i];
}

static struct symbol *find_host(const struct registry *registry, const void *host)
{
	return registry->table_size ? *registry_slot(registry->table, registry->table_size, host) : NULL;
}

struct symbol *registry_find(const struct registry *registry, const void *host, enum symbol_kind kind)
{
	struct symbol *symbol = find_host(registry, host);
	return symbol && symbol->kind == kind && !symbol->module->is_gone ? symbol : NULL;
}

/* "x" is also the static variable whose name the compiler made "_ZL1x", perhaps with a suffix per file. */
static bool same_name(const char *device, const char *name)
{
	if (strcmp(device, name) == 0)
		return true;
	char start[32];
	size_t length = strlen(name);
	int n = snprintf(start, sizeof start, "_ZL%zu", length);
	return strncmp(device, start, (size_t)n) == 0 && strncmp(device + n, name, length) == 0 &&
	       (!device[(size_t)n + length] || strncmp(device + n + length, "__", 2) == 0);
}

struct symbol *registry_find_name(const struct registry *registry, const char *name, enum symbol_kind kind,
                                  bool *duplicate)
{
	struct symbol *found = NULL;
	*duplicate = false;
	for (size_t i = 0; i < registry->table_size; i++) {
		struct symbol *symbol = registry->table[i];
		if (!symbol || symbol->kind != kind || symbol->module->is_gone ||
		    !same_name(symbol->name, name))
			continue;
		*duplicate |= found != NULL;
		found = symbol;
	}
	return found;
}

/* The number in the text's ".target sm_NN", which stands in front of all code. */
static uint32_t text_target(const char *text)
{
	const char *at = text ? strstr(text, ".target sm_") : NULL;
	return at ? (uint32_t)strtoul(at + strlen(".target sm_"), NULL, 10) : 0;
}

uint32_t registry_target(const struct registry *registry)
{
	uint32_t newest = 0;
	for (unsigned i = 0; i < registry->module_count; i++) {
		uint32_t target = text_target(registry->modules[i]->text);
		newest = target > newest ? target : newest;
	}
	return newest;
}

/* ---- loading -------------------------------------------------------------------------------------------- */

uint64_t registry_place(void *user, const char *name, uint64_t bytes)
{
	struct runtime *rt = user;
	const struct module *module = rt->registry.loading;
	for (unsigned i = 0; module && i < module->managed_count; i++) {
		const struct managed_variable *variable = &module->managed[i];
		uint64_t address = (uintptr_t)variable->host;
		if (strcmp(variable->name, name) != 0 || bytes > variable->bytes)
			continue;
		return device_memory_adopt(rt->memory, address, bytes ? bytes : 1) ? address : 0;
	}
	return 0;
}

static bool is_in_memory(const struct loaded_module *loaded, uint32_t i)
{
	const struct ptx_variable *variable = &loaded->ptx->variables[i];
	bool is_handle = variable->type == PTX_TYPE_texref || variable->type == PTX_TYPE_surfref ||
	                 variable->type == PTX_TYPE_samplerref;
	return loaded->variable_address[i] && !is_handle &&
	       (variable->space == PTX_SPACE_global || variable->space == PTX_SPACE_const);
}

static void keep_initial(struct module *module)
{
	const struct loaded_module *loaded = module->loaded;
	module->initial = memory_zeroed(loaded->ptx->variable_count + 1, sizeof *module->initial);
	for (uint32_t i = 0; i < loaded->ptx->variable_count; i++) {
		const struct ptx_variable *variable = &loaded->ptx->variables[i];
		if (!is_in_memory(loaded, i) || !variable->initial)
			continue;
		module->initial[i] = memory_zeroed(variable->bytes, 1);
		memcpy(module->initial[i], device_host(loaded->variable_address[i]), variable->bytes);
	}
}

static cudaError_t parse_and_load(struct runtime *rt, struct module *module, struct error *err)
{
	char file[32];
	if (!module->text) {
		error_set(err, "device code of module %u is not PTX; compile the program with sluice cc",
		          module->number);
		return cudaErrorInvalidKernelImage;
	}
	struct exec *exec = runtime_exec(rt);
	if (!exec)
		return rt->start_error;
	snprintf(file, sizeof file, "module-%u.ptx", module->number);
	/*
	 * What was compiled in fails kernel by kernel, where it runs into what we do not know; what a program
	 * loads itself fails when it is loaded, as with a driver that finds a mistake.
	 */
	const char *text = module->linked ? module->linked : module->text;
	struct ptx_module *ptx = module->owned ? ptx_parse(file, text, strlen(text), err)
	                                       : ptx_parse_tolerant(file, text, strlen(text), err);
	if (!ptx || !ptx_analyze(ptx, rt->machine->sm_code_scheduled, err)) {
		ptx_module_free(ptx);
		return cudaErrorInvalidPtx;
	}
	rt->registry.loading = module;
	module->loaded = exec_load(exec, ptx, err);
	rt->registry.loading = NULL;
	if (!module->loaded) {
		ptx_module_free(ptx);
		return cudaErrorInvalidKernelImage;
	}
	keep_initial(module);
	return cudaSuccess;
}

cudaError_t registry_load_quietly(struct runtime *rt, struct module *module, struct error *err)
{
	if (module->loaded || module->failure)
		return module->failure;
	if (!module->leader && !module_link(&rt->registry, module, err))
		return module->failure = cudaErrorInvalidPtx;
	if (module->leader) {
		module->failure = registry_load_quietly(rt, module->leader, err);
		module->loaded = module->leader->loaded;
	} else {
		module->failure = parse_and_load(rt, module, err);
	}
	return module->failure;
}

cudaError_t registry_load(struct runtime *rt, struct module *module)
{
	struct error err = {0};
	cudaError_t result = registry_load_quietly(rt, module, &err);
	if (err.text[0])
		runtime_say("%s", err.text);
	return result;
}

static void restore(const struct module *module)
{
	const struct loaded_module *loaded = module->loaded;
	for (uint32_t i = 0; i < loaded->ptx->variable_count; i++) {
		const struct ptx_variable *variable = &loaded->ptx->variables[i];
		if (!is_in_memory(loaded, i))
			continue;
		void *at = device_host(loaded->variable_address[i]);
		if (module->initial[i])
			memcpy(at, module->initial[i], variable->bytes);
		else
			memset(at, 0, variable->bytes);
	}
}

void registry_reset(struct runtime *rt)
{
	for (unsigned i = 0; i < rt->registry.module_count; i++)
		if (rt->registry.modules[i]->loaded && !rt->registry.modules[i]->leader)
			restore(rt->registry.modules[i]);
	for (size_t i = 0; i < rt->registry.table_size; i++) {
		struct symbol *symbol = rt->registry.table[i];
		struct texture *texture;
		if (symbol && symbol->is_bound && !registry_texture(rt, symbol->host, &symbol, &texture))
			*texture = (struct texture){0};
		if (symbol)
			symbol->is_bound = false;
	}
}

void registry_unload(struct runtime *rt, struct module *module)
{
	if (module->leader) {
		module->loaded = NULL;
		return;
	}
	for (uint32_t i = 0; i < module->loaded->ptx->variable_count; i++)
		free(module->initial[i]);
	free(module->initial);
	exec_unload(rt->exec, module->loaded);
	module->loaded = NULL;
}

void registry_unload_all(struct runtime *rt)
{
	for (unsigned i = 0; i < rt->registry.module_count; i++)
		if (rt->registry.modules[i]->loaded)
			registry_unload(rt, rt->registry.modules[i]);
}

/* ---- what calls need ------------------------------------------------------------------------------------ */

cudaError_t registry_kernel(struct runtime *rt, const void *host, struct symbol **symbol, uint32_t *entry)
{
	*symbol = host ? registry_find(&rt->registry, host, SYMBOL_FUNCTION) : NULL;
	if (!*symbol)
		return cudaErrorInvalidDeviceFunction;
	cudaError_t result = registry_load(rt, (*symbol)->module);
	if (result)
		return result;
	const struct ptx_module *ptx = (*symbol)->module->loaded->ptx;
	if (!(*symbol)->is_resolved)
		(*symbol)->entry = module_find(*symbol, ptx_find_function);
	(*symbol)->is_resolved = true;
	*entry = (*symbol)->entry;
	if (*entry == PTX_NONE || !ptx->functions[*entry].is_entry)
		return cudaErrorInvalidDeviceFunction;
	return cudaSuccess;
}

static cudaError_t variable_symbol(const struct registry *registry, const void *host, struct symbol **symbol)
{
	bool duplicate = false;
	*symbol = registry_find(registry, host, SYMBOL_VARIABLE);
	/* Not a variable of the program: it may be the text of a name. */
	if (!*symbol && host && !find_host(registry, host))
		*symbol = registry_find_name(registry, host, SYMBOL_VARIABLE, &duplicate);
	if (duplicate)
		return cudaErrorDuplicateVariableName;
	return *symbol ? cudaSuccess : cudaErrorInvalidSymbol;
}

cudaError_t registry_variable(struct runtime *rt, const void *host, uint64_t *address, uint64_t *bytes)
{
	struct symbol *symbol;
	cudaError_t result = variable_symbol(&rt->registry, host, &symbol);
	if (!result)
		result = registry_load(rt, symbol->module);
	if (result)
		return result;
	const struct loaded_module *loaded = symbol->module->loaded;
	uint32_t variable = module_find(symbol, ptx_find_variable);
	if (variable == PTX_NONE || !loaded->variable_address[variable])
		return cudaErrorInvalidSymbol;
	*address = loaded->variable_address[variable];
	*bytes = loaded->ptx->variables[variable].bytes;
	return cudaSuccess;
}

cudaError_t registry_texture(struct runtime *rt, const void *reference, struct symbol **symbol,
                             struct texture **texture)
{
	*symbol = reference ? registry_find(&rt->registry, reference, SYMBOL_TEXTURE) : NULL;
	if (!*symbol)
		return cudaErrorInvalidTexture;
	cudaError_t result = registry_load(rt, (*symbol)->module);
	if (result)
		return result;
	const struct loaded_module *loaded = (*symbol)->module->loaded;
	uint32_t variable = module_find(*symbol, ptx_find_variable);
	*texture = variable == PTX_NONE ? NULL : exec_texture(rt->exec, loaded->variable_address[variable]);
	return *texture ? cudaSuccess : cudaErrorInvalidTexture;
}

/* ---- registration, as constructors call it before main() ----------------------------------------------------- */

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
