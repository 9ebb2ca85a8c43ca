/*
 * PTX that can be parsed is executed: every kernel, two CTAs, with addresses of device memory for parameters; odd inputs
 * are recorded, too. It ends, with a result or a report, and touches nothing but device memory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cuda/executor/exec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PARAMETERS_MAX = 64, PARAMETER_BYTES = 4096, LAUNCHES_MAX = 4 };

static void drop(void *user, const char *text, size_t bytes)
{
	(void)user, (void)text, (void)bytes;
}

static void launch(struct exec *exec, struct loaded_module *module, uint32_t entry, uint64_t buffer,
                   struct recorder *recorder)
{
	static uint64_t values[PARAMETER_BYTES / 8];
	void *args[PARAMETERS_MAX];
	const struct ptx_function *f = &module->ptx->functions[entry];
	struct error report = {""};
	if (f->param_count > PARAMETERS_MAX)
		return;
	for (uint32_t i = 0; i < f->param_count; i++) {
		if (module->ptx->variables[f->params[i]].bytes > PARAMETER_BYTES)
			return;
		args[i] = values;
	}
	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		values[i] = buffer + 256 * i % 4096;
	struct exec_launch l = {.module = module,
	                        .entry = entry,
	                        .grid = {2, 1, 1},
	                        .block = {40, 1, 1},
	                        .dynamic_shared_bytes = 256,
	                        .args = args,
	                        .recorder = recorder};
	if (exec_run(exec, &l, &report) != EXEC_DONE && !report.text[0])
		abort();
}

static void run_module(struct ptx_module *ptx, bool recorded)
{
	struct error err = {""};
	struct exec_options options = {.warp_size = 32,
	                               .sm_count = 2,
	                               .ctas_per_sm = 2,
	                               .spin_budget = 20000,
	                               .insn_limit = 200000,
	                               .stack_bytes = 4096,
	                               .heap_bytes = 1 << 16,
	                               .print = drop};
	struct device_memory *memory = device_memory_new(UINT64_C(1) << 24, &err);
	struct exec *exec = memory ? exec_new(memory, &options, &err) : NULL;
	if (!exec)
		abort();
	static char path[64];
	snprintf(path, sizeof path, "/dev/shm/sluice-fuzz-exec-%d", (int)getpid());
	struct recorder *recorder = recorded ? recorder_new(path, &err) : NULL;
	struct loaded_module *module = exec_load(exec, ptx, &err);
	uint64_t buffer = device_memory_allocate(memory, 8192);
	for (uint32_t f = 0, done = 0; module && f < ptx->function_count && done < LAUNCHES_MAX; f++)
		if (ptx->functions[f].is_entry && !ptx->functions[f].is_extern) {
			launch(exec, module, f, buffer, recorder);
			done++;
		}
	if (recorder)
		recorder_finish(recorder, &err);
	unlink(path);
	if (module)
		exec_unload(exec, module);
	else
		ptx_module_free(ptx);
	exec_free(exec);
	device_memory_free_all(memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error err = {""};
	struct ptx_module *ptx = ptx_parse("fuzz.ptx", (const char *)data, size, &err);
	if (!ptx)
		return 0;
	if (ptx_analyze(ptx, size & 2, &err))
		run_module(ptx, size & 1);
	else
		ptx_module_free(ptx);
	return 0;
}
