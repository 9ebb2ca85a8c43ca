/* A launch, as the API describes it: checked against the machine, then run, or kept for later in a graph. */
#ifndef SLUICE_CUDART_LAUNCH_H
#define SLUICE_CUDART_LAUNCH_H

#include "cudart/function.h"

struct launch {
	const void *host; /* what stands for the kernel: host function, or a function of the driver API */
	struct dim3 grid, block;
	void **args;
	size_t shared_bytes;
	cudaStream_t stream;
	bool is_cooperative;
	struct dim3 cluster; /* x 0: none asked for */
};

/* Whether the machine can run it; `function` is filled. Nothing is run. */
cudaError_t launch_check(struct runtime *rt, const struct launch *launch, struct function *function);
/* Runs what launch_check() has passed. A fault is the device's, not the call's; see launch.c. */
void launch_run(struct runtime *rt, const struct launch *launch, const struct function *function);
/* Checks and runs, or adds a node if the stream is being captured. */
cudaError_t launch_kernel(struct runtime *rt, const struct launch *launch);
/*
 * A copy of the arguments that lasts: pointers and bytes in one block, the
 * caller's to free(). NULL if the kernel takes none.
 */
void **launch_keep_args(const struct function *function, void *const *args);
/* `packed`: a parameter block as cuLaunchKernel()'s extra and cudaSetupArgument() give it; as above. */
void **launch_unpack_args(const struct function *function, const uint8_t *packed);

/* Attributes of a launch, a stream or a kernel node; what is not given has CUDA's default. */
enum { LAUNCH_ATTRIBUTES = cudaLaunchAttributePreferredSharedMemoryCarveout + 1 };
struct launch_attributes {
	uint32_t given; /* bit per cudaLaunchAttributeID */
	cudaLaunchAttributeValue value[LAUNCH_ATTRIBUTES];
};

/* What may have an attribute. */
enum attribute_holder { HOLDER_LAUNCH = 1, HOLDER_STREAM = 2, HOLDER_NODE = 4 };
cudaError_t attributes_set(struct runtime *rt, struct launch_attributes *attributes,
                           enum attribute_holder holder, cudaLaunchAttributeID id,
                           const cudaLaunchAttributeValue *value);
cudaError_t attributes_get(const struct launch_attributes *attributes, enum attribute_holder holder,
                           cudaLaunchAttributeID id, cudaLaunchAttributeValue *value);
/* What of them decides whether and how a kernel runs. */
void attributes_apply(const struct launch_attributes *attributes, struct launch *launch);

/* For the executor: checks a child and keeps it for later; a cudaError. */
uint32_t child_accept(void *rt, const struct exec_child *child);
/* The parent has ended: runs its children, and theirs. */
void children_run(struct runtime *rt);

#endif
