/* The executor's interface: its state, modules in device memory, and the launch of a kernel. */
#include "cuda/executor/exec.h"

#include <fenv.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cuda/executor/access.h"
#include "cuda/executor/cta.h"
#include "cuda/executor/decode.h"
#include "cuda/executor/handlers.h"
#include "cuda/executor/mask.h"
#include "cuda/executor/wait.h"

struct exec *exec_new(struct device_memory *memory, const struct exec_options *options, struct error *err)
{
	if (options->warp_size != 32 && options->warp_size != 64) {
		error_set(err, "unsupported warp size %u (32 or 64)", options->warp_size);
		return NULL;
	}
	if (!options->sm_count || !options->ctas_per_sm || !options->spin_budget) {
		error_set(err, "the executor needs at least one SM, one CTA per SM and a spin budget");
		return NULL;
	}
	struct exec *exec = memory_zeroed(1, sizeof *exec);
	exec->memory = memory;
	exec->options = *options;
	exec->heap = heap_new(memory, options->heap_bytes);
	exec->races = race_list_new();
	return exec;
}

void exec_free(struct exec *exec)
{
	if (!exec)
		return;
	for (uint32_t i = 0; i < exec->texture_count; i++)
		free(exec->textures[i]);
	free(exec->textures);
	heap_free(exec->heap);
	race_list_free(exec->races);
	free(exec->lenient_sites);
	free(exec);
}

struct exec_totals exec_totals(const struct exec *exec)
{
	return exec->totals;
}

const char *exec_race(const struct exec *exec, unsigned i)
{
	return race_text(exec->races, i);
}

/* ---- modules ------------------------------------------------------------------------------------------- */

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
	uint64_t base = r->function ? function_address(module, r->index) : module->variable_address[r->index];
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

/* ---- kernels ------------------------------------------------------------------------------------------ */

static struct exec_kernel *find_kernel(struct exec *exec, struct loaded_module *module, uint32_t entry,
                                       struct error *err)
{
	if (entry >= module->ptx->function_count || !module->ptx->functions[entry].is_entry) {
		error_set(err, "%s: function %u is not a kernel", module->ptx->file, entry);
		return NULL;
	}
	if (!module->kernels[entry])
		module->kernels[entry] = exec_decode_kernel(exec, module, entry, err);
	return module->kernels[entry];
}

const struct ptx_kernel *exec_kernel_facts(struct exec *exec, struct loaded_module *module, uint32_t entry,
                                           struct error *err)
{
	const struct exec_kernel *k = find_kernel(exec, module, entry, err);
	return k ? k->facts : NULL;
}

/* ---- a launch ----------------------------------------------------------------------------------------- */

static void read_params(struct run *run)
{
	const struct ptx_module *m = run->kernel->module->ptx;
	const struct ptx_function *f = &m->functions[run->launch->entry];
	run->param_block = memory_zeroed(f->param_bytes + 16, 1);
	for (uint32_t i = 0; i < f->param_count; i++)
		memcpy(run->param_block + ptx_param_offset(m, f, i), run->launch->args[i],
		       m->variables[f->params[i]].bytes);
}

static uint64_t launch_value(const struct run *run, const struct launch_value *v)
{
	uint64_t value = 0;
	memcpy(&value, run->param_block + v->offset, v->bytes);
	if (v->is_signed && v->bytes < 8) {
		uint64_t sign = UINT64_C(1) << (8 * v->bytes - 1);
		value = (value ^ sign) - sign;
	}
	return value;
}

static void fill_launch_pool(struct run *run)
{
	const struct exec_kernel *k = run->kernel;
	run->launch_pool = memory_zeroed(k->launch_bytes + 1, 1);
	for (uint32_t i = 0; i < k->launch_value_count; i++) {
		const struct launch_value *v = &k->launch_values[i];
		lane_broadcast(run->launch_pool + v->place, launch_value(run, v), v->register_bytes,
		               run->lanes);
	}
}

/* Ranges that instructions remember are good until something is released. */
static void forget_stale_ranges(struct exec_kernel *k, const struct device_memory *memory)
{
	uint64_t generation = device_memory_generation(memory);
	if (k->generation == generation)
		return;
	k->generation = generation;
	for (uint32_t i = 0; i < k->access_count; i++)
		k->accesses[i].span = ACCESS_NO_SPAN;
}

/* What the launch says, else the kernel's directive, else one CTA. */
static struct trace_dim cluster_of(const struct exec_launch *l)
{
	const uint32_t *own = l->module->ptx->functions[l->entry].cluster;
	if (l->cluster.x)
		return (struct trace_dim){l->cluster.x, l->cluster.y ? l->cluster.y : 1,
		                          l->cluster.z ? l->cluster.z : 1};
	return own[0] ? (struct trace_dim){own[0], own[1], own[2]} : (struct trace_dim){1, 1, 1};
}

static void run_init(struct run *run, struct exec *exec, const struct exec_launch *launch)
{
	struct trace_dim b = launch->block, g = launch->grid;
	run->exec = exec;
	run->piece = WHOLE_INSN;
	run->launch = launch;
	run->memory = exec->memory;
	run->lanes = exec->options.warp_size;
	run->host = lane_memory();
	run->threads = b.x * b.y * b.z;
	run->warps_per_cta = (run->threads + run->lanes - 1) / run->lanes;
	run->shared_bytes = run->kernel->facts->shared_bytes;
	if (launch->dynamic_shared_bytes)
		run->shared_bytes = run->kernel->facts->dynamic_offset + launch->dynamic_shared_bytes;
	run->cta_total = (uint64_t)g.x * g.y * g.z;
	run->cluster = cluster_of(launch);
	run->cluster_size = run->cluster.x * run->cluster.y * run->cluster.z;
	uint64_t resident = (uint64_t)exec->options.sm_count * exec->options.ctas_per_sm;
	run->max_open = (uint32_t)(resident < run->cta_total ? resident : run->cta_total);
	run->max_open = run->max_open / run->cluster_size * run->cluster_size;
	if (!run->max_open)
		run->max_open = run->cluster_size;
	run->ctas = memory_zeroed(run->max_open, sizeof *run->ctas);
	run->progress.patience = IDLE_INSNS;
	run->clock = exec->totals.warp_insns;
	read_params(run);
	fill_launch_pool(run);
	forget_stale_ranges(run->kernel, run->memory);
	run->waits = waits_new(run);
	run->shadow = race_global_new(run);
}

static void run_free(struct run *run)
{
	for (uint32_t i = 0; i < run->cta_slots; i++)
		cta_slot_free(run, &run->ctas[i]);
	free(run->ctas);
	waits_free(run->waits);
	race_global_free(run->shadow);
	free(run->param_block);
	free(run->launch_pool);
	free(run);
}

static void begin_recording(const struct run *run)
{
	const struct exec_launch *l = run->launch;
	struct recorded_launch r = {.module = l->module->ptx,
	                            .kernel = run->kernel->facts,
	                            .grid = l->grid,
	                            .block = l->block,
	                            .warp_size = run->lanes,
	                            .stream = l->stream,
	                            .registers_per_thread = l->registers_per_thread,
	                            .shared_bytes = run->shared_bytes};
	if (run->kernel->waits) {
		r.polls = run->kernel->waits->polls;
		r.poll_count = run->kernel->waits->poll_count;
	}
	recorder_begin_launch(l->recorder, &r);
}

static bool check_dimensions(const struct exec_launch *l, struct error *report)
{
	uint64_t threads = (uint64_t)l->block.x * l->block.y * l->block.z;
	uint64_t ctas = (uint64_t)l->grid.x * l->grid.y;
	if (threads == 0 || threads > 1024)
		return error_set(report, "unsupported block of %llu threads (1 to 1024)",
		                 (unsigned long long)threads);
	if (ctas == 0 || l->grid.z == 0 || ctas > UINT64_MAX / l->grid.z)
		return error_set(report, "unsupported grid of %u x %u x %u blocks", l->grid.x, l->grid.y,
		                 l->grid.z);
	struct trace_dim c = cluster_of(l);
	if (l->grid.x % c.x || l->grid.y % c.y || l->grid.z % c.z || c.x * c.y * c.z > CLUSTER_MAX)
		return error_set(
		    report,
		    "a grid of %u x %u x %u blocks cannot be run in clusters of %u x %u x %u; each side "
		    "must be a multiple, and a cluster has %u blocks at most",
		    l->grid.x, l->grid.y, l->grid.z, c.x, c.y, c.z, (unsigned)CLUSTER_MAX);
	return true;
}

enum exec_status exec_run(struct exec *exec, const struct exec_launch *launch, struct error *report)
{
	struct exec_kernel *kernel = find_kernel(exec, launch->module, launch->entry, report);
	if (!kernel || !check_dimensions(launch, report))
		return EXEC_UNSUPPORTED;
	struct run *run = memory_zeroed(1, sizeof *run);
	run->kernel = kernel;
	run->report = report;
	run_init(run, exec, launch);
	if (launch->recorder)
		begin_recording(run);
	/* The program may round otherwise or flush denormals (-ffast-math does); a GPU knows nothing of that. */
	fenv_t host;
	fegetenv(&host);
	fesetenv(FE_DFL_ENV);
	bool ok = cta_run_all(run);
	fesetenv(&host);
	if (launch->recorder) {
		waits_end_recording(run);
		recorder_end_launch(launch->recorder);
	}
	enum exec_status status = ok ? EXEC_DONE : run->status;
	exec->totals.launches++;
	run_free(run);
	return status;
}
