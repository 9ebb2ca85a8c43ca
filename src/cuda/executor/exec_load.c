/* Loading a module: its variables in device memory, initialised, with the addresses of one another. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cuda/executor/exec_decode.h"

static bool is_device_variable(const struct ptx_variable *v)
{
	return v->space == PTX_SPACE_global || v->space == PTX_SPACE_const;
}

static bool is_handle(const struct ptx_variable *v)
{
	return v->type == PTX_TYPE_texref || v->type == PTX_TYPE_surfref || v->type == PTX_TYPE_samplerref;
}

static bool place_variable(struct exec *exec, struct loaded_module *module, uint32_t i, struct error *err)
{
	const struct ptx_variable *v = &module->ptx->variables[i];
	if (is_handle(v)) {
		module->variable_address[i] = exec_new_texture(exec, &(struct texture){.dimensions = 1});
		return true;
	}
	if (!is_device_variable(v))
		return true;
	if (v->is_extern)
		return error_set(
		    err, "%s: variable %s is defined in another module; device linking is not supported",
		    module->ptx->file, v->name);
	if (exec->options.place_variable)
		module->variable_address[i] =
		    exec->options.place_variable(exec->options.user, v->name, v->bytes);
	if (!module->variable_address[i])
		module->variable_address[i] = device_memory_allocate(exec->memory, v->bytes);
	if (!module->variable_address[i])
		return error_set(err, "%s: no device memory for variable %s of %llu bytes", module->ptx->file,
		                 v->name, (unsigned long long)v->bytes);
	return true;
}

static uint64_t relocated(const struct loaded_module *module, const struct ptx_relocation *r)
{
	uint64_t base = r->function ? FUNCTION_WINDOW + ((uint64_t)module->id << FUNCTION_MODULE_SHIFT) +
	                                  16 * (uint64_t)r->index
	                            : module->variable_address[r->index];
	return base + (uint64_t)r->addend;
}

static void fill_variable(const struct loaded_module *module, uint32_t i)
{
	const struct ptx_variable *v = &module->ptx->variables[i];
	uint8_t *at = device_host(module->variable_address[i]);
	if (v->initial)
		memcpy(at, v->initial, v->initial_bytes);
	for (uint32_t r = 0; r < v->relocation_count; r++) {
		uint64_t value = relocated(module, &v->relocations[r]);
		size_t bytes = v->relocations[r].bytes == 4 ? 4 : 8;
		if (v->relocations[r].offset + bytes <= v->bytes)
			memcpy(at + v->relocations[r].offset, &value, bytes);
	}
}

/* Everything but the module's text. */
static void drop(struct exec *exec, struct loaded_module *module)
{
	const struct ptx_module *ptx = module->ptx;
	for (uint32_t i = 0; i < ptx->variable_count; i++) {
		if (is_handle(&ptx->variables[i]))
			exec_free_texture(exec, module->variable_address[i]);
		else if (module->variable_address[i])
			device_memory_release(exec->memory, module->variable_address[i]);
	}
	for (uint32_t i = 0; i < ptx->function_count; i++)
		decode_free(module->kernels[i]);
	free(module->variable_address);
	free(module->kernels);
	free(module);
}

struct loaded_module *exec_load(struct exec *exec, struct ptx_module *ptx, struct error *err)
{
	struct loaded_module *module = memory_zeroed(1, sizeof *module);
	module->ptx = ptx;
	module->id = exec->module_count++;
	module->variable_address = memory_zeroed(ptx->variable_count + 1, sizeof *module->variable_address);
	module->kernels = memory_zeroed(ptx->function_count + 1, sizeof *module->kernels);
	for (uint32_t i = 0; i < ptx->variable_count; i++) {
		if (!place_variable(exec, module, i, err)) {
			drop(exec, module);
			return NULL;
		}
	}
	for (uint32_t i = 0; i < ptx->variable_count; i++)
		if (is_device_variable(&ptx->variables[i]) && !is_handle(&ptx->variables[i]))
			fill_variable(module, i);
	return module;
}

void exec_unload(struct exec *exec, struct loaded_module *module)
{
	struct ptx_module *ptx = module->ptx;
	drop(exec, module);
	ptx_module_free(ptx);
}
