/*
 * cuRAND from the host. 4096 threads have a generator each, of the subsequence
 * of its number; number n of the output is thread n mod 4096's next: the order
 * that cuRAND documents for XORWOW. The states live on the device, so that the
 * next call goes on where this one ended; pairs of normal numbers are used up
 * within a call.
 */
#include <curand_kernel.h>

#include <new>

enum { GENERATORS = 4096, THREADS = 128 };

struct curandGenerator_st {
	curandRngType_t type;
	unsigned long long seed, offset;
	cudaStream_t stream;
	void *states; /* NULL: not yet, or a setting has changed */
	unsigned long long next; /* number of the output, from the seed on */
	bool is_host; /* numbers go to memory of the host */
};

template <class State> __global__ void start(State *states, unsigned long long seed, unsigned long long offset)
{
	unsigned int i = blockIdx.x * THREADS + threadIdx.x;
	/* Number `offset` of the output: so many rounds of all threads, and one more of the first ones. */
	curand_init(seed, i, offset / GENERATORS + (i < offset % GENERATORS), &states[i]);
}

template <class State, class Out, class Draw> __global__ void fill(State *states, Out *out, size_t count, unsigned int first, Draw draw)
{
	unsigned int i = blockIdx.x * THREADS + threadIdx.x;
	State mine = states[i];
	for (size_t n = (i - first) % GENERATORS; n < count; n += GENERATORS)
		out[n] = draw(&mine);
	states[i] = mine;
}

template <class State> static curandStatus_t prepare(curandGenerator_t g)
{
	if (g->states)
		return CURAND_STATUS_SUCCESS;
	if (cudaMalloc(&g->states, GENERATORS * sizeof(State)) != cudaSuccess)
		return CURAND_STATUS_ALLOCATION_FAILED;
	g->next = g->offset;
	start<<<GENERATORS / THREADS, THREADS, 0, g->stream>>>((State *)g->states, g->seed, g->offset);
	return cudaPeekAtLastError() ? CURAND_STATUS_LAUNCH_FAILURE : CURAND_STATUS_SUCCESS;
}

template <class State, class Out, class Draw>
static curandStatus_t run(curandGenerator_t g, Out *out, size_t count, Draw draw)
{
	curandStatus_t status = prepare<State>(g);
	if (status || !count)
		return status;
	fill<<<GENERATORS / THREADS, THREADS, 0, g->stream>>>((State *)g->states, out, count,
	                                                      (unsigned int)(g->next % GENERATORS), draw);
	g->next += count;
	return cudaPeekAtLastError() ? CURAND_STATUS_LAUNCH_FAILURE : CURAND_STATUS_SUCCESS;
}

template <class Out, class Draw>
static curandStatus_t generate_on_device(curandGenerator_t g, Out *out, size_t count, Draw draw)
{
	switch (g->type) {
	case CURAND_RNG_PSEUDO_PHILOX4_32_10:
		return run<curandStatePhilox4_32_10_t>(g, out, count, draw);
	case CURAND_RNG_PSEUDO_MRG32K3A:
		return run<curandStateMRG32k3a_t>(g, out, count, draw);
	default:
		return run<curandStateXORWOW_t>(g, out, count, draw);
	}
}

/* A host generator's numbers are those of the other kind, drawn on the device and copied. */
template <class Out, class Draw> static curandStatus_t generate(curandGenerator_t g, Out *out, size_t count, Draw draw)
{
	Out *drawn;
	if (!g)
		return CURAND_STATUS_NOT_INITIALIZED;
	if (!g->is_host || !count)
		return generate_on_device(g, out, count, draw);
	if (cudaMalloc(&drawn, count * sizeof *drawn) != cudaSuccess)
		return CURAND_STATUS_ALLOCATION_FAILED;
	curandStatus_t status = generate_on_device(g, drawn, count, draw);
	if (!status && (cudaStreamSynchronize(g->stream) != cudaSuccess ||
	                cudaMemcpy(out, drawn, count * sizeof *drawn, cudaMemcpyDeviceToHost) != cudaSuccess))
		status = CURAND_STATUS_LAUNCH_FAILURE;
	cudaFree(drawn);
	return status;
}

struct draw_bits {
	template <class S> __device__ unsigned int operator()(S *s) const
	{
		return curand(s);
	}
};
struct draw_uniform {
	template <class S> __device__ float operator()(S *s) const
	{
		return curand_uniform(s);
	}
};
struct draw_uniform_double {
	template <class S> __device__ double operator()(S *s) const
	{
		return curand_uniform_double(s);
	}
};
template <bool IS_LOG> struct draw_normal {
	float mean, deviation;
	template <class S> __device__ float operator()(S *s) const
	{
		float x = mean + deviation * curand_normal(s);
		return IS_LOG ? expf(x) : x;
	}
};
template <bool IS_LOG> struct draw_normal_double {
	double mean, deviation;
	template <class S> __device__ double operator()(S *s) const
	{
		double x = mean + deviation * curand_normal_double(s);
		return IS_LOG ? exp(x) : x;
	}
};
struct draw_poisson {
	double lambda;
	template <class S> __device__ unsigned int operator()(S *s) const
	{
		return curand_poisson(s, lambda);
	}
};

static void forget(curandGenerator_t g)
{
	cudaFree(g->states);
	g->states = nullptr;
}

extern "C" {

curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type)
{
	if (!generator)
		return CURAND_STATUS_OUT_OF_RANGE;
	if (type == CURAND_RNG_PSEUDO_DEFAULT)
		type = CURAND_RNG_PSEUDO_XORWOW;
	if (type != CURAND_RNG_PSEUDO_XORWOW && type != CURAND_RNG_PSEUDO_MRG32K3A && type != CURAND_RNG_PSEUDO_PHILOX4_32_10)
		return CURAND_STATUS_TYPE_ERROR;
	curandGenerator_t made = new (std::nothrow) curandGenerator_st();
	if (!made)
		return CURAND_STATUS_ALLOCATION_FAILED;
	made->type = type;
	*generator = made;
	return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type)
{
	curandStatus_t status = curandCreateGenerator(generator, type);
	if (status == CURAND_STATUS_SUCCESS)
		(*generator)->is_host = true;
	return status;
}

curandStatus_t curandDestroyGenerator(curandGenerator_t generator)
{
	if (!generator)
		return CURAND_STATUS_NOT_INITIALIZED;
	forget(generator);
	delete generator;
	return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetVersion(int *version)
{
	*version = CURAND_VERSION;
	return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream)
{
	if (!generator)
		return CURAND_STATUS_NOT_INITIALIZED;
	generator->stream = stream;
	return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed)
{
	if (!generator)
		return CURAND_STATUS_NOT_INITIALIZED;
	forget(generator);
	generator->seed = seed;
	return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset)
{
	if (!generator)
		return CURAND_STATUS_NOT_INITIALIZED;
	forget(generator);
	generator->offset = offset;
	return CURAND_STATUS_SUCCESS;
}

/* There is one order. */
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order)
{
	if (!generator)
		return CURAND_STATUS_NOT_INITIALIZED;
	return order >= CURAND_ORDERING_PSEUDO_BEST && order <= CURAND_ORDERING_PSEUDO_LEGACY ? CURAND_STATUS_SUCCESS
	                                                                                       : CURAND_STATUS_OUT_OF_RANGE;
}

curandStatus_t curandGenerateSeeds(curandGenerator_t generator)
{
	return generate(generator, (unsigned int *)nullptr, 0, draw_bits());
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int *out, size_t count)
{
	return generate(generator, out, count, draw_bits());
}

curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *out, size_t count)
{
	return generate(generator, out, count, draw_uniform());
}

curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *out, size_t count)
{
	return generate(generator, out, count, draw_uniform_double());
}

#define NORMAL(name, T, draw, is_log)                                                                        \
	curandStatus_t name(curandGenerator_t generator, T *out, size_t count, T mean, T deviation)          \
	{                                                                                                    \
		draw<is_log> d = {mean, deviation};                                                          \
		return count % 2 ? CURAND_STATUS_LENGTH_NOT_MULTIPLE : generate(generator, out, count, d);   \
	}
NORMAL(curandGenerateNormal, float, draw_normal, false)
NORMAL(curandGenerateLogNormal, float, draw_normal, true)
NORMAL(curandGenerateNormalDouble, double, draw_normal_double, false)
NORMAL(curandGenerateLogNormalDouble, double, draw_normal_double, true)

curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int *out, size_t count, double lambda)
{
	draw_poisson d = {lambda};
	return lambda > 0 ? generate(generator, out, count, d) : CURAND_STATUS_OUT_OF_RANGE;
}
}
