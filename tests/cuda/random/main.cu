/* Runs every generated function as a kernel and on the host, and compares. bodies.inc comes from gen. */
#include <stdio.h>
#include <stdlib.h>

/* Inlined before the optimiser, which would come to the same in more time. */
#define FUNCTION static __device__ __attribute__((unused, always_inline))
#define CALLED static __device__ __attribute__((unused, noinline))
#include "runtime.h"

/* The host's pass needs the kernels' names alone; not compiling them twice halves the time. */
#ifdef __CUDA_ARCH__
#include "bodies.inc"
#define BODY(n) out[threadIdx.x] = body_##n(&in[threadIdx.x])
#else
#define LIST_ONLY
#include "bodies.inc"
#define BODY(n) (void)in, (void)out
#endif

#define KERNEL(n)                                                                                            \
	static __global__ void kernel_##n(const struct input *in, uint64_t *out)                             \
	{                                                                                                    \
		BODY(n);                                                                                     \
	}
BODIES(KERNEL)

typedef void kernel_fn(const struct input *, uint64_t *);
typedef uint64_t host_fn(const struct input *);
extern "C" host_fn *const host_bodies[];

static const struct {
	unsigned number;
	kernel_fn *kernel;
} kernels[] = {
#define ENTRY(n) {n, kernel_##n},
    BODIES(ENTRY)};
enum { KERNELS = sizeof kernels / sizeof *kernels };

static uint64_t random_bits(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	uint64_t x = *state;
	return (x ^ x >> 33) * UINT64_C(0xff51afd7ed558ccd) >> (*state >> 60);
}

static void fill(struct input *in, uint64_t seed)
{
	uint64_t state = seed;
	unsigned char *bytes = (unsigned char *)in;
	for (size_t i = 0; i < LANES * sizeof *in; i++)
		bytes[i] = (unsigned char)(random_bits(&state) >> 20);
	for (int lane = 0; lane < LANES; lane++)
		for (int v = 0; v < 2; v++) {
			/* mostly ordinary numbers; a few lanes keep random bits: NaN, infinities, denormals */
			if (random_bits(&state) % 8 == 0)
				continue;
			in[lane].f32[v] = (float)(int32_t)(random_bits(&state) >> 8) /
			                  (float)(1u << (random_bits(&state) % 31));
			in[lane].f64[v] = (double)(int64_t)random_bits(&state) /
			                  (double)(UINT64_C(1) << (random_bits(&state) % 63));
			in[lane].i32[v] =
			    (int32_t)((int64_t)random_bits(&state) >> (random_bits(&state) % 48));
			in[lane].u32[v] = (uint32_t)(random_bits(&state) >> (random_bits(&state) % 60));
		}
}

static void check(cudaError_t status)
{
	if (status == cudaSuccess)
		return;
	printf("CUDA error: %s\n", cudaGetErrorString(status));
	exit(3);
}

int main(int argc, char **argv)
{
	static struct input in[LANES];
	uint64_t *out, *got = (uint64_t *)malloc(sizeof *got * KERNELS * LANES);
	struct input *device;
	unsigned mismatches = 0;
	fill(in, argc > 1 ? strtoull(argv[1], NULL, 10) : 1);
	check(cudaMalloc((void **)&device, sizeof in));
	check(cudaMalloc((void **)&out, sizeof *got * KERNELS * LANES));
	check(cudaMemcpy(device, in, sizeof in, cudaMemcpyHostToDevice));
	for (unsigned k = 0; k < KERNELS; k++)
		kernels[k].kernel<<<1, LANES>>>(device, out + k * LANES);
	check(cudaGetLastError());
	check(cudaMemcpy(got, out, sizeof *got * KERNELS * LANES, cudaMemcpyDeviceToHost));
	for (unsigned k = 0; k < KERNELS; k++)
		for (unsigned lane = 0; lane < LANES; lane++) {
			uint64_t want = host_bodies[k](&in[lane]);
			if (got[k * LANES + lane] == want)
				continue;
			printf("mismatch: kernel %u lane %u is %016llx, host %016llx\n", kernels[k].number,
			       lane, (unsigned long long)got[k * LANES + lane], (unsigned long long)want);
			mismatches++;
			break;
		}
	printf("%u kernels, %u mismatches\n", (unsigned)KERNELS, mismatches);
	return mismatches != 0;
}
