/*
 * Attributes of launches, streams and kernel nodes, and cudaLaunchKernelExC().
 *
 * What changes results or refusals is honoured (cooperative launches, cluster
 * sizes, events at completion). The rest are wishes about time: they are
 * checked, kept and told again. Programmatic serialisation is always allowed,
 * since a kernel that starts after its predecessor has ended satisfies it.
 */
#include <string.h>

#include "cudart/launch.h"
#include "cudart/operation.h"

#include <cuda_runtime_api.h>

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

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *host, void **args)
{
	RUNTIME_CALL(launch_ex(rt, config, host, args));
}
