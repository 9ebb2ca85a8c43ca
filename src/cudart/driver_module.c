/* Modules that a program loads itself, and the linker inside the driver: it takes one PTX text and gives it back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/memory.h"
#include "cudart/driver.h"

#include <cuda_runtime_api.h>

static struct module *find(const struct runtime *rt, CUmodule handle)
{
	for (unsigned i = 0; i < rt->registry.module_count; i++)
		if ((CUmodule)rt->registry.modules[i] == handle && !rt->registry.modules[i]->is_gone)
			return rt->registry.modules[i];
	return NULL;
}

/* ---- options of the compiler inside the driver --------------------------------------------------------------- */

struct jit_log {
	char *buffer;
	size_t room;
};

static struct jit_log error_log(unsigned count, const CUjit_option *options, void *const *values)
{
	struct jit_log log = {0};
	for (unsigned i = 0; options && values && i < count; i++) {
		if (options[i] == CU_JIT_ERROR_LOG_BUFFER)
			log.buffer = values[i];
		if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
			log.room = (size_t)(uintptr_t)values[i];
		if (options[i] == CU_JIT_INFO_LOG_BUFFER && values[i])
			*(char *)values[i] = '\0';
	}
	return log;
}

static void write_log(struct jit_log log, const char *text)
{
	if (log.buffer && log.room)
		snprintf(log.buffer, log.room, "%s", text);
	else
		runtime_say("%s", text);
}

/* ---- loading -------------------------------------------------------------------------------------------------- */

enum { FAT_BINARY_MAGIC = 0x466243b1 };

static bool is_text(const char *data)
{
	return *data == '\0' || *data == '\n' || *data == '\t' || *data == '\r' ||
	       (*data >= ' ' && *data < 0x7f);
}

/* PTX text, as it is or inside the wrapper that host code carries; NULL: machine code. */
static const char *image_text(const void *image)
{
	const char *text = image;
	int32_t magic;
	if (is_text(text))
		return text;
	memcpy(&magic, image, sizeof magic);
	if (magic == FAT_BINARY_MAGIC)
		memcpy(&text, (const char *)image + 8, sizeof text);
	return is_text(text) ? text : NULL;
}

static cudaError_t load(struct runtime *rt, CUmodule *out, const char *text, struct jit_log log)
{
	struct error err = {0};
	if (!text) {
		write_log(log, "the module is machine code; modules of PTX text can be loaded");
		return cudaErrorNoKernelImageForDevice;
	}
	struct module *module = registry_add(&rt->registry, text);
	cudaError_t result = registry_load_quietly(rt, module, &err);
	if (result) {
		module->is_gone = true;
		write_log(log, err.text);
		return result;
	}
	*out = (CUmodule)module;
	return cudaSuccess;
}

API_PART(RUNTIME_CALL, load_image, (CUmodule * out, const void *image, struct jit_log log),
         out &&image ? load(rt, out, image_text(image), log) : cudaErrorInvalidValue)
DRIVER_API(cuModuleLoadDataEx,
           (CUmodule * module, const void *image, unsigned count, CUjit_option *options, void **values),
           load_image(module, image, error_log(count, options, values)))

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
	return cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image)
{
	return cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

static const struct file_kind module_file = {"a module", SIZE_MAX / 8};

/* A file is never the wrapper, which holds an address of the program. */
API_PART(RUNTIME_CALL, load_file, (CUmodule * out, const char *text),
         out ? load(rt, out, is_text(text) ? text : NULL, (struct jit_log){0}) : cudaErrorInvalidValue)

static CUresult load_text(CUmodule *module, const char *text)
{
	DRIVER_CALL(load_file(module, text));
}

CUresult cuModuleLoad(CUmodule *module, const char *path)
{
	struct error err = {0};
	char *text = path ? read_whole_file(path, &module_file, NULL, &err) : NULL;
	if (!text)
		return path ? CUDA_ERROR_FILE_NOT_FOUND : CUDA_ERROR_INVALID_VALUE;
	CUresult result = load_text(module, text);
	free(text);
	return result;
}

/* With a recorder, which knows kernels by their module, only the name goes. */
static cudaError_t unload(struct runtime *rt, CUmodule handle)
{
	struct module *module = find(rt, handle);
	if (!module || !module->owned)
		return cudaErrorInvalidResourceHandle;
	module->is_gone = true;
	if (module->loaded && !rt->recorder)
		registry_unload(rt, module);
	return cudaSuccess;
}

API_PART(RUNTIME_CALL, unload_module, (CUmodule module), unload(rt, module))
DRIVER_API(cuModuleUnload, (CUmodule module), unload_module(module))

/* ---- what is in it -------------------------------------------------------------------------------------------- */

/* One symbol per function, made when it is asked for. */
static struct symbol *function_symbol(struct registry *registry, struct module *module, uint32_t entry)
{
	const struct ptx_function *f = &module->loaded->ptx->functions[entry];
	/* The address of its description is its own alone, for as long as the module is there. */
	struct symbol what = {.host = f, .name = f->name, .module = module, .kind = SYMBOL_FUNCTION};
	return registry_add_symbol(registry, &what);
}

static cudaError_t get_function(struct runtime *rt, CUfunction *out, CUmodule handle, const char *name)
{
	struct module *module = find(rt, handle);
	if (!out || !name || !module)
		return module ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
	cudaError_t result = registry_load(rt, module);
	if (result)
		return result;
	uint32_t entry = ptx_find_function(module->loaded->ptx, name);
	if (entry == PTX_NONE || !module->loaded->ptx->functions[entry].is_entry)
		return cudaErrorSymbolNotFound;
	*out = (CUfunction)(uintptr_t)function_symbol(&rt->registry, module, entry)->host;
	return cudaSuccess;
}

API_PART(RUNTIME_CALL, module_function, (CUfunction * out, CUmodule module, const char *name),
         get_function(rt, out, module, name))
DRIVER_API(cuModuleGetFunction, (CUfunction * function, CUmodule module, const char *name),
           module_function(function, module, name))

static cudaError_t count_functions(struct runtime *rt, unsigned *count, CUmodule handle)
{
	const struct module *module = find(rt, handle);
	if (!module || !count || !module->loaded)
		return module ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
	*count = 0;
	for (uint32_t i = 0; i < module->loaded->ptx->function_count; i++)
		*count += module->loaded->ptx->functions[i].is_entry;
	return cudaSuccess;
}

API_PART(RUNTIME_CALL, module_functions, (unsigned *count, CUmodule module),
         count_functions(rt, count, module))
DRIVER_API(cuModuleGetFunctionCount, (unsigned *count, CUmodule module), module_functions(count, module))

static cudaError_t list_functions(struct runtime *rt, CUfunction *functions, unsigned count, CUmodule handle)
{
	struct module *module = find(rt, handle);
	if (!module || !functions || !module->loaded)
		return module ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
	for (uint32_t i = 0; count && i < module->loaded->ptx->function_count; i++)
		if (module->loaded->ptx->functions[i].is_entry) {
			*functions++ = (CUfunction)(uintptr_t)function_symbol(&rt->registry, module, i)->host;
			count--;
		}
	return cudaSuccess;
}

API_PART(RUNTIME_CALL, module_list, (CUfunction * functions, unsigned count, CUmodule module),
         list_functions(rt, functions, count, module))
DRIVER_API(cuModuleEnumerateFunctions, (CUfunction * functions, unsigned count, CUmodule module),
           module_list(functions, count, module))

static cudaError_t get_global(struct runtime *rt, CUdeviceptr *address, size_t *bytes, CUmodule handle,
                              const char *name)
{
	struct module *module = find(rt, handle);
	if (!name || !module || (!address && !bytes))
		return module ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
	cudaError_t result = registry_load(rt, module);
	if (result)
		return result;
	uint32_t variable = ptx_find_variable(module->loaded->ptx, name);
	if (variable == PTX_NONE || !module->loaded->variable_address[variable])
		return cudaErrorSymbolNotFound;
	if (address)
		*address = module->loaded->variable_address[variable];
	if (bytes)
		*bytes = module->loaded->ptx->variables[variable].bytes;
	return cudaSuccess;
}

API_PART(RUNTIME_CALL, module_global,
         (CUdeviceptr * address, size_t *bytes, CUmodule module, const char *name),
         get_global(rt, address, bytes, module, name))
DRIVER_API(cuModuleGetGlobal, (CUdeviceptr * address, size_t *bytes, CUmodule module, const char *name),
           module_global(address, bytes, module, name))

DRIVER_ALIAS(cuModuleGetGlobal_v2, cuModuleGetGlobal);

/* ---- the linker ---------------------------------------------------------------------------------------------- */

struct link_state {
	char *text; /* NULL: nothing was added yet */
	size_t bytes;
};

static struct link_state *find_link(CUlinkState handle)
{
	struct runtime *rt = runtime_lock();
	struct link_state *state = handle_get(&rt->handles, HANDLE_LINK, handle);
	runtime_unlock(rt);
	return state;
}

CUresult cuLinkCreate(unsigned count, CUjit_option *options, void **values, CUlinkState *out)
{
	(void)count, (void)options, (void)values;
	CUresult ready = driver_enter();
	if (ready)
		return ready;
	if (!out)
		return driver_leave(cudaErrorInvalidValue);
	struct runtime *rt = runtime_lock();
	*out = handle_new(&rt->handles, HANDLE_LINK, memory_zeroed(1, sizeof(struct link_state)));
	runtime_unlock(rt);
	return driver_leave(cudaSuccess);
}

CUresult cuLinkAddData(CUlinkState handle, CUjitInputType type, void *data, size_t bytes, const char *name,
                       unsigned count, CUjit_option *options, void **values)
{
	(void)name, (void)count, (void)options, (void)values;
	struct link_state *state = find_link(handle);
	if (!state || !data || !bytes)
		return state ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
	if (type != CU_JIT_INPUT_PTX || state->text) {
		runtime_say("cuLinkAddData: %s",
		            state->text ? "linking device code of several inputs is not supported"
		                        : "inputs other than PTX are not supported");
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	state->text = memory_zeroed(1, bytes + 1);
	memcpy(state->text, data, bytes);
	state->bytes = bytes;
	return CUDA_SUCCESS;
}

CUresult cuLinkAddFile(CUlinkState handle, CUjitInputType type, const char *path, unsigned count,
                       CUjit_option *options, void **values)
{
	struct error err = {0};
	size_t bytes;
	char *text = path ? read_whole_file(path, &module_file, &bytes, &err) : NULL;
	if (!text)
		return path ? CUDA_ERROR_FILE_NOT_FOUND : CUDA_ERROR_INVALID_VALUE;
	CUresult result = cuLinkAddData(handle, type, text, bytes, path, count, options, values);
	free(text);
	return result;
}

CUresult cuLinkComplete(CUlinkState handle, void **image, size_t *bytes)
{
	struct link_state *state = find_link(handle);
	if (!state || !image)
		return state ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
	if (!state->text)
		return CUDA_ERROR_INVALID_IMAGE;
	*image = state->text;
	if (bytes)
		*bytes = state->bytes;
	return CUDA_SUCCESS;
}

CUresult cuLinkDestroy(CUlinkState handle)
{
	struct runtime *rt = runtime_lock();
	struct link_state *state = handle_remove(&rt->handles, HANDLE_LINK, handle);
	runtime_unlock(rt);
	if (!state)
		return CUDA_ERROR_INVALID_HANDLE;
	free(state->text);
	free(state);
	return CUDA_SUCCESS;
}

DRIVER_ALIAS(cuLinkCreate_v2, cuLinkCreate);
DRIVER_ALIAS(cuLinkAddData_v2, cuLinkAddData);
DRIVER_ALIAS(cuLinkAddFile_v2, cuLinkAddFile);
