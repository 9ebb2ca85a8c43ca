/*
 * Launches: the new ABI (push and pop of the configuration, cudaLaunchKernel) and the old one (cudaConfigureCall,
 * cudaSetupArgument, cudaLaunch); attributes of launches, streams and kernel nodes.
 *
 * A launch runs to its end before the call returns. As on a GPU, a fault of the kernel is not the launch's own error: the
 * device is unusable from then on, and the next call reports why. Attributes that change results or refusals are honored
 * (cooperative launches, cluster sizes, events at completion). The rest are hints about time: they are checked and kept.
 * Programmatic serialization is always allowed, since a kernel that starts after its predecessor has ended satisfies it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cudart/calls.h"
#include "cudart/graph.h"
#include "cudart/launch.h"
#include "cudart/operation.h"

#include <cuda_runtime_api.h>

/* ---- configurations: a stack, as arguments may hold launches of their own -------------------------------- */

static struct call_configuration *push(struct runtime_thread *thread)
{
	if (thread->call_count == thread->call_capacity) {
		thread->call_capacity = thread->call_capacity ? 2 * thread->call_capacity : 4;
		thread->calls = memory_grow(thread->calls, thread->call_capacity, sizeof *thread->calls);
	}
	struct call_configuration *call = &thread->calls[thread->call_count++];
	*call = (struct call_configuration){0};
	return call;
}

static bool pop(struct runtime_thread *thread, struct call_configuration *call)
{
	if (!thread->call_count)
		return false;
	*call = thread->calls[--thread->call_count];
	if (!thread->call_count) {
		free(thread->calls); /* threads end without telling us */
		thread->calls = NULL;
		thread->call_capacity = 0;
	}
	return true;
}

unsigned __cudaPushCallConfiguration(struct dim3 grid, struct dim3 block, size_t shared_bytes, void *stream)
{
	struct call_configuration *call = push(runtime_thread());
	call->grid = grid;
	call->block = block;
	call->shared_bytes = shared_bytes;
	call->stream = stream;
	return 0;
}

cudaError_t __cudaPopCallConfiguration(struct dim3 *grid, struct dim3 *block, size_t *shared_bytes,
                                       void *stream)
{
	struct call_configuration call;
	if (!pop(runtime_thread(), &call))
		return cudaErrorMissingConfiguration;
	*grid = call.grid;
	*block = call.block;
	*shared_bytes = call.shared_bytes;
	*(cudaStream_t *)stream = call.stream;
	return cudaSuccess;
}

/* ---- checks --------------------------------------------------------------------------------------------- */

static bool within(struct dim3 size, const int limit[3])
{
	return size.x && size.y && size.z && size.x <= (unsigned)limit[0] && size.y <= (unsigned)limit[1] &&
	       size.z <= (unsigned)limit[2];
}

static uint64_t volume(struct dim3 size)
{
	return (uint64_t)size.x * size.y * size.z;
}

static cudaError_t check_shape(const struct runtime *rt, const struct launch *launch)
{
	const struct cudaDeviceProp *p = &rt->properties;
	if (!within(launch->grid, p->maxGridSize) || !within(launch->block, p->maxThreadsDim) ||
	    volume(launch->block) > (uint64_t)p->maxThreadsPerBlock)
		return cudaErrorInvalidConfiguration;
	return cudaSuccess;
}

/* What a launch asks for, or what the kernel was compiled with; x 0: neither. */
static struct dim3 cluster_of(const struct launch *launch, const struct function *function)
{
	const uint32_t *compiled = function->symbol->module->loaded->ptx->functions[function->entry].cluster;
	return launch->cluster.x ? launch->cluster : (struct dim3){compiled[0], compiled[1], compiled[2]};
}

static bool same_size(struct dim3 a, const uint32_t b[3])
{
	return a.x == b[0] && a.y == b[1] && a.z == b[2];
}

/* A cluster is eight CTAs, or sixteen if the kernel may; the grid is whole clusters; what is compiled in stays. */
static cudaError_t check_cluster(const struct runtime *rt, const struct launch *launch,
                                 const struct function *function)
{
	const uint32_t *compiled = function->symbol->module->loaded->ptx->functions[function->entry].cluster;
	struct dim3 c = cluster_of(launch, function), g = launch->grid;
	uint64_t most = function->symbol->settings.allows_large_clusters ? 16 : 8;
	if (!c.x)
		return cudaSuccess;
	if (!rt->properties.clusterLaunch || !c.y || !c.z || g.x % c.x || g.y % c.y || g.z % c.z ||
	    volume(c) > most || (compiled[0] && !same_size(c, compiled)))
		return cudaErrorInvalidClusterSize;
	return cudaSuccess;
}

static cudaError_t check_resources(const struct runtime *rt, const struct launch *launch,
                                   const struct function *function)
{
	uint64_t threads = volume(launch->block);
	if (launch->shared_bytes > function->max_dynamic_shared)
		return cudaErrorInvalidValue;
	uint32_t resident = function_occupancy(rt, function, threads, launch->shared_bytes);
	if (!resident)
		return cudaErrorLaunchOutOfResources;
	if (launch->is_cooperative && volume(launch->grid) > (uint64_t)resident * rt->machine->sm_count)
		return cudaErrorCooperativeLaunchTooLarge;
	return cudaSuccess;
}

/* ---- running -------------------------------------------------------------------------------------------- */

static cudaError_t fault_code(enum exec_status status)
{
	static const cudaError_t code[] = {
	    [EXEC_DONE] = cudaSuccess,
	    [EXEC_ILLEGAL_ADDRESS] = cudaErrorIllegalAddress,
	    [EXEC_MISALIGNED] = cudaErrorMisalignedAddress,
	    [EXEC_ILLEGAL_INSTRUCTION] = cudaErrorLaunchFailure, /* what trap gives */
	    [EXEC_ASSERT] = cudaErrorAssert,
	    [EXEC_STACK_OVERFLOW] = cudaErrorIllegalAddress,
	    [EXEC_SPINNING] = cudaErrorLaunchTimeout,
	    [EXEC_UNSUPPORTED] = cudaErrorNotSupported,
	};
	return (unsigned)status < sizeof code / sizeof *code ? code[status] : cudaErrorLaunchFailure;
}

static struct trace_dim trace_dim(struct dim3 size)
{
	return (struct trace_dim){.x = size.x, .y = size.y, .z = size.z};
}

static void note_fault(struct runtime *rt, enum exec_status status, const struct window_launch *launch,
                       const struct error *report)
{
	rt->fault = *report;
	if (!rt->failed.count++) {
		rt->failed.first = launch->number;
		snprintf(rt->failed.kernel, sizeof rt->failed.kernel, "%s", launch->name);
	}
	runtime_say("%s", report->text);
	/* What we cannot run is no fault of the device: other kernels go on. */
	if (status == EXEC_UNSUPPORTED)
		rt->unrun = cudaErrorNotSupported;
	else
		rt->sticky = fault_code(status);
}

void launch_run(struct runtime *rt, const struct launch *launch, const struct function *function)
{
	struct error report = {0};
	struct window_launch numbered;
	const char *name = function->symbol->module->loaded->ptx->functions[function->entry].name;
	bool is_recorded = recording_window_wants(rt, name, &numbered);
	struct exec_launch what = {
	    .module = function->symbol->module->loaded,
	    .entry = function->entry,
	    .grid = trace_dim(launch->grid),
	    .block = trace_dim(launch->block),
	    .cluster = trace_dim(cluster_of(launch, function)),
	    .dynamic_shared_bytes = (uint32_t)launch->shared_bytes,
	    .stream = stream_number(rt, launch->stream),
	    .registers_per_thread =
	        function->registers < function->kernel->registers ? function->registers : 0,
	    .args = launch->args,
	    .recorder = is_recorded ? rt->recorder : NULL,
	};
	what.ctas_per_sm = function_occupancy(
	    rt, function, (uint64_t)what.block.x * what.block.y * what.block.z, launch->shared_bytes);
	if (is_recorded)
		recorder_number(rt->recorder, (uint32_t)numbered.number);
	rt->parent_stream = launch->stream;
	enum exec_status status = exec_run(rt->exec, &what, &report);
	times_add_launch(&rt->times);
	if (rt->children)
		children_run(rt);
	if (status != EXEC_DONE)
		note_fault(rt, status, &numbered, &report);
	recording_window_done(rt, &numbered, is_recorded);
}

cudaError_t launch_check(struct runtime *rt, const struct launch *launch, struct function *function)
{
	cudaError_t result = check_shape(rt, launch);
	if (!result)
		result = function_find(rt, launch->host, function);
	if (!result)
		result = check_cluster(rt, launch, function);
	if (!result)
		result = check_resources(rt, launch, function);
	if (result)
		return result;
	const struct ptx_module *ptx = function->symbol->module->loaded->ptx;
	return !launch->args && ptx->functions[function->entry].param_count ? cudaErrorInvalidValue
	                                                                    : cudaSuccess;
}

/* A kernel without code that can run fails its launch, and the next call that waits, for programs that look only there. */
static bool is_without_code(cudaError_t error)
{
	return error == cudaErrorInvalidPtx || error == cudaErrorInvalidKernelImage ||
	       error == cudaErrorNotSupported;
}

static cudaError_t run_or_capture(struct runtime *rt, const struct launch *launch)
{
	struct function function;
	struct operation node;
	cudaError_t result =
	    rt->capturing ? operation_kernel(rt, launch, &node) : launch_check(rt, launch, &function);
	if (is_without_code(result) && !rt->capturing)
		rt->unrun = result;
	if (result)
		return result;
	if (rt->capturing)
		return capture_add(rt, &node);
	launch_run(rt, launch, &function);
	return cudaSuccess;
}

cudaError_t launch_kernel(struct runtime *rt, const struct launch *launch)
{
	return ON_STREAM(launch->stream, run_or_capture(rt, launch));
}

cudaError_t cudaLaunchKernel(const void *host, struct dim3 grid, struct dim3 block, void **args,
                             size_t shared_bytes, cudaStream_t stream)
{
	struct launch launch = {.host = host,
	                        .grid = grid,
	                        .block = block,
	                        .args = args,
	                        .shared_bytes = shared_bytes,
	                        .stream = stream};
	RUNTIME_CALL(launch_kernel(rt, &launch));
}

cudaError_t cudaLaunchCooperativeKernel(const void *host, struct dim3 grid, struct dim3 block, void **args,
                                        size_t shared_bytes, cudaStream_t stream)
{
	struct launch launch = {.host = host,
	                        .grid = grid,
	                        .block = block,
	                        .args = args,
	                        .shared_bytes = shared_bytes,
	                        .stream = stream,
	                        .is_cooperative = true};
	RUNTIME_CALL(launch_kernel(rt, &launch));
}

/* ---- arguments ------------------------------------------------------------------------------------------ */

/* Pointers in front, then the bytes, laid out as the kernel's parameter block. */
static void **args_block(const struct function *function, uint8_t **bytes)
{
	const struct ptx_module *ptx = function->symbol->module->loaded->ptx;
	const struct ptx_function *f = &ptx->functions[function->entry];
	if (!f->param_count)
		return NULL;
	void **args = memory_zeroed(1, f->param_count * sizeof *args + f->param_bytes);
	*bytes = (uint8_t *)(args + f->param_count);
	for (uint32_t i = 0; i < f->param_count; i++)
		args[i] = *bytes + ptx_param_offset(ptx, f, i);
	return args;
}

void **launch_keep_args(const struct function *function, void *const *args)
{
	uint8_t *bytes;
	const struct ptx_module *ptx = function->symbol->module->loaded->ptx;
	const struct ptx_function *f = &ptx->functions[function->entry];
	void **kept = args_block(function, &bytes);
	for (uint32_t i = 0; kept && i < f->param_count; i++)
		memcpy(kept[i], args[i], ptx->variables[f->params[i]].bytes);
	return kept;
}

void **launch_unpack_args(const struct function *function, const uint8_t *packed)
{
	uint8_t *bytes;
	const struct ptx_module *ptx = function->symbol->module->loaded->ptx;
	void **args = args_block(function, &bytes);
	if (args)
		memcpy(bytes, packed, ptx->functions[function->entry].param_bytes);
	return args;
}

/* ---- the old ABI ---------------------------------------------------------------------------------------- */

enum { ARGUMENT_BYTES_MAX = 4096 }; /* CUDA's limit of a kernel's parameters */

cudaError_t cudaConfigureCall(struct dim3 grid, struct dim3 block, size_t shared_bytes, cudaStream_t stream)
{
	__cudaPushCallConfiguration(grid, block, shared_bytes, stream);
	return cudaSuccess;
}

cudaError_t cudaSetupArgument(const void *argument, size_t bytes, size_t offset)
{
	struct runtime_thread *thread = runtime_thread();
	if (!thread->call_count || !argument || offset > ARGUMENT_BYTES_MAX ||
	    bytes > ARGUMENT_BYTES_MAX - offset) {
		thread->last_error =
		    thread->call_count ? cudaErrorInvalidValue : cudaErrorMissingConfiguration;
		return thread->last_error;
	}
	struct call_configuration *call = &thread->calls[thread->call_count - 1];
	if (!call->arguments)
		call->arguments = memory_zeroed(1, ARGUMENT_BYTES_MAX);
	memcpy(call->arguments + offset, argument, bytes);
	return cudaSuccess;
}

/* The packed block becomes one pointer per parameter. */
static cudaError_t launch_packed(struct runtime *rt, const void *host, const struct call_configuration *call)
{
	struct function function;
	cudaError_t result = function_find(rt, host, &function);
	if (result)
		return result;
	const struct ptx_function *f = &function.symbol->module->loaded->ptx->functions[function.entry];
	if (f->param_count && (!call->arguments || f->param_bytes > ARGUMENT_BYTES_MAX))
		return cudaErrorInvalidValue;
	void **args = launch_unpack_args(&function, call->arguments);
	struct launch launch = {.host = host,
	                        .grid = call->grid,
	                        .block = call->block,
	                        .args = args,
	                        .shared_bytes = call->shared_bytes,
	                        .stream = call->stream};
	result = launch_kernel(rt, &launch);
	free(args);
	return result;
}

API_PART(RUNTIME_CALL, launch_configured, (const void *host, const struct call_configuration *call),
         launch_packed(rt, host, call))

cudaError_t cudaLaunch(const void *host)
{
	struct call_configuration call;
	struct runtime_thread *thread = runtime_thread();
	if (!pop(thread, &call))
		return thread->last_error = cudaErrorMissingConfiguration;
	cudaError_t result = launch_configured(host, &call);
	free(call.arguments);
	return result;
}

/* ---- attributes of launches, streams and nodes --------------------------------------------------------------- */

static const uint8_t holders[LAUNCH_ATTRIBUTES] = {
    [cudaLaunchAttributeIgnore] = HOLDER_LAUNCH,
    [cudaLaunchAttributeAccessPolicyWindow] = HOLDER_LAUNCH | HOLDER_STREAM | HOLDER_NODE,
    [cudaLaunchAttributeCooperative] = HOLDER_LAUNCH | HOLDER_NODE,
    [cudaLaunchAttributeSynchronizationPolicy] = HOLDER_STREAM,
    [cudaLaunchAttributeClusterDimension] = HOLDER_LAUNCH | HOLDER_NODE,
    [cudaLaunchAttributeClusterSchedulingPolicyPreference] = HOLDER_LAUNCH | HOLDER_NODE,
    [cudaLaunchAttributeProgrammaticStreamSerialization] = HOLDER_LAUNCH,
    [cudaLaunchAttributeProgrammaticEvent] = HOLDER_LAUNCH,
    [cudaLaunchAttributePriority] = HOLDER_LAUNCH | HOLDER_STREAM | HOLDER_NODE,
    [cudaLaunchAttributeMemSyncDomainMap] = HOLDER_LAUNCH | HOLDER_STREAM | HOLDER_NODE,
    [cudaLaunchAttributeMemSyncDomain] = HOLDER_LAUNCH | HOLDER_STREAM | HOLDER_NODE,
    [cudaLaunchAttributePreferredClusterDimension] = HOLDER_LAUNCH | HOLDER_NODE,
    [cudaLaunchAttributeLaunchCompletionEvent] = HOLDER_LAUNCH,
    [cudaLaunchAttributePreferredSharedMemoryCarveout] = HOLDER_LAUNCH | HOLDER_NODE,
};

static bool window_is_valid(const struct runtime *rt, const struct cudaAccessPolicyWindow *w)
{
	return w->hitRatio >= 0 && w->hitRatio <= 1 && (unsigned)w->hitProp <= cudaAccessPropertyPersisting &&
	       (unsigned)w->missProp < cudaAccessPropertyPersisting &&
	       w->num_bytes <= (size_t)rt->properties.accessPolicyMaxWindowSize;
}

static bool is_valid(const struct runtime *rt, cudaLaunchAttributeID id,
                     const cudaLaunchAttributeValue *value)
{
	switch (id) {
	case cudaLaunchAttributeAccessPolicyWindow:
		return window_is_valid(rt, &value->accessPolicyWindow);
	case cudaLaunchAttributeSynchronizationPolicy:
		return value->syncPolicy >= cudaSyncPolicyAuto &&
		       value->syncPolicy <= cudaSyncPolicyBlockingSync;
	case cudaLaunchAttributeProgrammaticEvent:
		return event_exists(rt, value->programmaticEvent.event);
	case cudaLaunchAttributeLaunchCompletionEvent:
		return event_exists(rt, value->launchCompletionEvent.event);
	default:
		return true;
	}
}

static bool may_hold(enum attribute_holder holder, cudaLaunchAttributeID id)
{
	return (unsigned)id < LAUNCH_ATTRIBUTES && holders[id] & holder;
}

cudaError_t attributes_set(struct runtime *rt, struct launch_attributes *attributes,
                           enum attribute_holder holder, cudaLaunchAttributeID id,
                           const cudaLaunchAttributeValue *value)
{
	if (!value || !may_hold(holder, id) || !is_valid(rt, id, value))
		return cudaErrorInvalidValue;
	attributes->given |= 1u << id;
	attributes->value[id] = *value;
	return cudaSuccess;
}

cudaError_t attributes_get(const struct launch_attributes *attributes, enum attribute_holder holder,
                           cudaLaunchAttributeID id, cudaLaunchAttributeValue *value)
{
	if (!value || !may_hold(holder, id))
		return cudaErrorInvalidValue;
	memset(value, 0, sizeof *value);
	if (id == cudaLaunchAttributeSynchronizationPolicy)
		value->syncPolicy = cudaSyncPolicyAuto;
	if (id == cudaLaunchAttributeMemSyncDomainMap)
		value->memSyncDomainMap.remote = 1;
	if (attributes->given >> id & 1)
		*value = attributes->value[id];
	return cudaSuccess;
}

void attributes_apply(const struct launch_attributes *attributes, struct launch *launch)
{
	const cudaLaunchAttributeValue *value = attributes->value;
	if (attributes->given >> cudaLaunchAttributeCooperative & 1)
		launch->is_cooperative = value[cudaLaunchAttributeCooperative].cooperative != 0;
	if (attributes->given >> cudaLaunchAttributeClusterDimension & 1) {
		const cudaLaunchAttributeValue *cluster = &value[cudaLaunchAttributeClusterDimension];
		launch->cluster.x = cluster->clusterDim.x;
		launch->cluster.y = cluster->clusterDim.y;
		launch->cluster.z = cluster->clusterDim.z;
	}
}

/* ---- cudaLaunchKernelEx ----------------------------------------------------------------------------------- */

static cudaError_t record_events(struct runtime *rt, const struct launch_attributes *attributes)
{
	cudaError_t result = cudaSuccess;
	if (attributes->given >> cudaLaunchAttributeProgrammaticEvent & 1)
		result = event_record(
		    rt, attributes->value[cudaLaunchAttributeProgrammaticEvent].programmaticEvent.event);
	if (!result && attributes->given >> cudaLaunchAttributeLaunchCompletionEvent & 1)
		result = event_record(
		    rt,
		    attributes->value[cudaLaunchAttributeLaunchCompletionEvent].launchCompletionEvent.event);
	return result;
}

static cudaError_t attributes_read(struct runtime *rt, const cudaLaunchConfig_t *config,
                                   struct launch_attributes *attributes)
{
	memset(attributes, 0, sizeof *attributes);
	if (!config || (config->numAttrs && !config->attrs))
		return cudaErrorInvalidValue;
	for (unsigned i = 0; i < config->numAttrs; i++) {
		cudaError_t result =
		    attributes_set(rt, attributes, HOLDER_LAUNCH, config->attrs[i].id, &config->attrs[i].val);
		if (result)
			return result;
	}
	return cudaSuccess;
}

static cudaError_t launch_ex(struct runtime *rt, const cudaLaunchConfig_t *config, const void *host,
                             void **args)
{
	struct launch_attributes attributes;
	cudaError_t result = attributes_read(rt, config, &attributes);
	if (result)
		return result;
	struct launch launch = {.host = host,
	                        .grid = config->gridDim,
	                        .block = config->blockDim,
	                        .args = args,
	                        .shared_bytes = config->dynamicSmemBytes,
	                        .stream = config->stream};
	attributes_apply(&attributes, &launch);
	result = launch_kernel(rt, &launch);
	return result ? result : record_events(rt, &attributes);
}

API(RUNTIME_CALL, cudaLaunchKernelExC, (const cudaLaunchConfig_t *config, const void *host, void **args),
    launch_ex(rt, config, host, args))
