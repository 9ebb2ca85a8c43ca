/*
 * Kernels that launch kernels. sluice_launch<> is what `sluice cc` makes of
 * kernel<<<...>>> inside device code; cudaGetParameterBuffer() and
 * cudaLaunchDevice() are there for code that writes launches out. A child grid
 * runs when its parent has ended, and before anything that waits for the parent.
 */
#ifndef SLUICE_CUDA_DEVICE_LAUNCH_H
#define SLUICE_CUDA_DEVICE_LAUNCH_H

/* Streams of children that no event orders, and of those that run after all others. */
#define cudaStreamGraphTailLaunch ((cudaStream_t)0x0100000000000000)
#define cudaStreamGraphFireAndForget ((cudaStream_t)0x0200000000000000)
#define cudaStreamTailLaunch ((cudaStream_t)0x3)
#define cudaStreamFireAndForget ((cudaStream_t)0x4)

/* ---- of the runtime: executed natively -------------------------------------------------------------------- */

extern "C" {
/* A launch; `parameters` is the kernel's parameter block. A cudaError. */
__device__ int __sluice_device_launch(void *function, const void *parameters, unsigned int grid_x,
                                      unsigned int grid_y, unsigned int grid_z, unsigned int block_x,
                                      unsigned int block_y, unsigned int block_z, unsigned int shared_bytes,
                                      unsigned long long stream);
/* The last failure of a launch by this grid; it is forgotten if `clear` is not 0. */
__device__ int __sluice_device_error(int clear);
}

/* ---- kernel<<<...>>>() -------------------------------------------------------------------------------------- */

/* A kernel's address cannot be taken in device code, but it may be the value of a constant. */
template <class F, F *kernel> struct sluice_kernel {
	static constexpr F *value = kernel;
};

/* Where the parameters of a kernel lie in its block. */
template <class... P> struct sluice_parameters {
	static constexpr size_t end(size_t offset)
	{
		return offset;
	}
	static __device__ __forceinline__ void put(unsigned char *, size_t)
	{
	}
};
template <class P, class... Q> struct sluice_parameters<P, Q...> {
	static constexpr size_t place(size_t offset)
	{
		return (offset + alignof(P) - 1) / alignof(P) * alignof(P);
	}
	static constexpr size_t end(size_t offset)
	{
		return sluice_parameters<Q...>::end(place(offset) + sizeof(P));
	}
	static __device__ __forceinline__ void put(unsigned char *block, size_t offset, const P &value,
	                                           const Q &...rest)
	{
		__builtin_memcpy(block + place(offset), &value, sizeof value);
		sluice_parameters<Q...>::put(block, place(offset) + sizeof(P), rest...);
	}
};

template <class F> struct sluice_configured;
template <class... P> struct sluice_configured<void(P...)> {
	void *function;
	dim3 grid, block;
	unsigned int shared_bytes;
	cudaStream_t stream;
	__device__ __forceinline__ void operator()(P... values) const
	{
		alignas(16) unsigned char parameters[sluice_parameters<P...>::end(0) + 16];
		sluice_parameters<P...>::put(parameters, 0, values...);
		__sluice_device_launch(function, parameters, grid.x, grid.y, grid.z, block.x, block.y,
		                       block.z, shared_bytes, (unsigned long long)stream);
	}
};

template <class F, F *kernel>
static __device__ __forceinline__ sluice_configured<F>
sluice_launch(dim3 grid, dim3 block, size_t shared_bytes = 0, cudaStream_t stream = 0)
{
	sluice_configured<F> launch = {(void *)sluice_kernel<F, kernel>::value, grid, block,
	                               (unsigned int)shared_bytes, stream};
	return launch;
}

/* In a function of both sides: `name` and `configuration` come in brackets of their own. */
#define SLUICE_OPEN(...) __VA_ARGS__
#ifdef __CUDA_ARCH__
#define SLUICE_LAUNCH_EITHER(name, configuration)                                                            \
	sluice_launch<decltype(SLUICE_OPEN name), &SLUICE_OPEN name>(SLUICE_OPEN configuration)
#else
#define SLUICE_LAUNCH_EITHER(name, configuration) SLUICE_OPEN name<<<SLUICE_OPEN configuration>>>
#endif

/* ---- written out ---------------------------------------------------------------------------------------------- */

/* In front of a buffer of the second version: what its launch is. */
struct alignas(64) sluice_planned_launch {
	void *function;
	dim3 grid, block;
	unsigned int shared_bytes;
};
enum { SLUICE_PARAMETER_BYTES = 4096 };

extern "C" {
static inline __device__ void *cudaGetParameterBuffer(size_t alignment, size_t bytes)
{
	(void)alignment; /* malloc() gives enough */
	return malloc(bytes);
}

static inline __device__ cudaError_t cudaLaunchDevice(void *function, void *parameters, dim3 grid, dim3 block,
                                                      unsigned int shared_bytes, cudaStream_t stream)
{
	int result = __sluice_device_launch(function, parameters, grid.x, grid.y, grid.z, block.x, block.y,
	                                    block.z, shared_bytes, (unsigned long long)stream);
	free(parameters);
	return (cudaError_t)result;
}

static inline __device__ void *cudaGetParameterBufferV2(void *function, dim3 grid, dim3 block,
                                                        unsigned int shared_bytes)
{
	sluice_planned_launch *plan =
	    (sluice_planned_launch *)malloc(sizeof(sluice_planned_launch) + SLUICE_PARAMETER_BYTES);
	if (!plan)
		return 0;
	plan->function = function;
	plan->grid = grid;
	plan->block = block;
	plan->shared_bytes = shared_bytes;
	return plan + 1;
}

static inline __device__ cudaError_t cudaLaunchDeviceV2(void *parameters, cudaStream_t stream)
{
	if (!parameters)
		return cudaErrorMemoryAllocation;
	sluice_planned_launch *plan = (sluice_planned_launch *)parameters - 1;
	int result = __sluice_device_launch(plan->function, parameters, plan->grid.x, plan->grid.y,
	                                    plan->grid.z, plan->block.x, plan->block.y, plan->block.z,
	                                    plan->shared_bytes, (unsigned long long)stream);
	free(plan);
	return (cudaError_t)result;
}

/* ---- memory: of the heap that malloc() takes from; copies and fills are done by the thread that asks --------------- */

static inline __device__ cudaError_t cudaMalloc(void **address, size_t bytes)
{
	*address = malloc(bytes);
	return *address ? cudaSuccess : cudaErrorMemoryAllocation;
}

extern "C++" template <class T> static inline __device__ cudaError_t cudaMalloc(T **address, size_t bytes)
{
	return cudaMalloc((void **)address, bytes);
}

static inline __device__ cudaError_t cudaFree(void *address)
{
	free(address);
	return cudaSuccess;
}

static inline __device__ cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                                                     cudaMemcpyKind kind, cudaStream_t stream = 0)
{
	(void)stream;
	if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
		return cudaErrorInvalidMemcpyDirection;
	memcpy(to, from, bytes);
	return cudaSuccess;
}

static inline __device__ cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes,
                                                     cudaStream_t stream = 0)
{
	(void)stream;
	memset(to, value, bytes);
	return cudaSuccess;
}

static inline __device__ cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from,
                                                       size_t from_pitch, size_t width, size_t height,
                                                       cudaMemcpyKind kind, cudaStream_t stream = 0)
{
	cudaError_t result = cudaSuccess;
	for (size_t y = 0; y < height && !result; y++)
		result = cudaMemcpyAsync((char *)to + y * to_pitch, (const char *)from + y * from_pitch,
		                         width, kind, stream);
	return result;
}

/* ---- what kernels may call besides -------------------------------------------------------------------------- */

static inline __device__ cudaError_t cudaGetLastError(void)
{
	return (cudaError_t)__sluice_device_error(1);
}

static inline __device__ cudaError_t cudaPeekAtLastError(void)
{
	return (cudaError_t)__sluice_device_error(0);
}

static inline __device__ cudaError_t cudaGetDevice(int *device)
{
	*device = 0;
	return cudaSuccess;
}

/* Children run one after the other whatever their stream: a stream is a name. */
static inline __device__ cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
	*stream = (cudaStream_t)0x10;
	return flags == cudaStreamNonBlocking ? cudaSuccess : cudaErrorInvalidValue;
}

static inline __device__ cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
	(void)stream;
	return cudaSuccess;
}

static inline __device__ cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
	*event = (cudaEvent_t)0x10;
	return flags == cudaEventDisableTiming ? cudaSuccess : cudaErrorInvalidValue;
}

static inline __device__ cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
	(void)event, (void)stream;
	return cudaSuccess;
}

static inline __device__ cudaError_t cudaEventDestroy(cudaEvent_t event)
{
	(void)event;
	return cudaSuccess;
}

static inline __device__ cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                                         unsigned int flags)
{
	(void)stream, (void)event, (void)flags;
	return cudaSuccess;
}
}

#endif
