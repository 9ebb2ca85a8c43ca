/*
 * Modules that a program loads itself, from PTX text. A module is one of the
 * registry's, like those that are compiled in; a function is a symbol there
 * that stands for itself, so that the runtime API takes it for a kernel.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* PTX text, as it is or inside the wrapper that host code carries; NULL: machine code. */
static const char *image_text(const void *image)
{
	const char *text = image;
	int32_t magic;
	memcpy(&magic, image, sizeof magic);
	if (magic == FAT_BINARY_MAGIC)
		memcpy(&text, (const char *)image + 8, sizeof text);
	bool is_text = *text == '\0' || *text == '\n' || *text == '\t' || *text == '\r' ||
	               (*text >= ' ' && *text < 0x7f);
	return is_text ? text : NULL;
}

static cudaError_t load(struct runtime *rt, CUmodule *out, const void *image, struct jit_log log)
{
	struct error err = {0};
	if (!out || !image)
		return cudaErrorInvalidValue;
	const char *text = image_text(image);
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

static cudaError_t load_image(CUmodule *out, const void *image, struct jit_log log)
{
	RUNTIME_CALL(load(rt, out, image, log));
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count, CUjit_option *options,
                            void **values)
{
	DRIVER_CALL(load_image(module, image, error_log(count, options, values)));
}

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
	return cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image)
{
	return cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

/* A whole file with a zero behind it, the caller's to free; NULL: errno. */
static char *read_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	char *text = NULL;
	size_t bytes = 0, got;
	char buffer[4096];
	while (file && (got = fread(buffer, 1, sizeof buffer, file)) > 0) {
		text = memory_grow(text, bytes + got + 1, 1);
		memcpy(text + bytes, buffer, got);
		bytes += got;
		text[bytes] = '\0';
	}
	if (file && !text)
		text = memory_zeroed(1, 4);
	if (file)
		fclose(file);
	return text;
}

CUresult cuModuleLoad(CUmodule *module, const char *path)
{
	char *text = path ? read_file(path) : NULL;
	if (!text)
		return path ? CUDA_ERROR_FILE_NOT_FOUND : CUDA_ERROR_INVALID_VALUE;
	CUresult result = cuModuleLoadData(module, text);
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

static cudaError_t unload_module(CUmodule module)
{
	RUNTIME_CALL(unload(rt, module));
}

CUresult cuModuleUnload(CUmodule module)
{
	DRIVER_CALL(unload_module(module));
}

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

static cudaError_t module_function(CUfunction *out, CUmodule module, const char *name)
{
	RUNTIME_CALL(get_function(rt, out, module, name));
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
	DRIVER_CALL(module_function(function, module, name));
}

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

static cudaError_t module_functions(unsigned *count, CUmodule module)
{
	RUNTIME_CALL(count_functions(rt, count, module));
}

CUresult cuModuleGetFunctionCount(unsigned *count, CUmodule module)
{
	DRIVER_CALL(module_functions(count, module));
}

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

static cudaError_t module_global(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name)
{
	RUNTIME_CALL(get_global(rt, address, bytes, module, name));
}

CUresult cuModuleGetGlobal(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name)
{
	DRIVER_CALL(module_global(address, bytes, module, name));
}

DRIVER_ALIAS(cuModuleGetGlobal_v2, cuModuleGetGlobal);
