/*
 * Kernels that do wrong, one per kind. The program runs the kind it is told,
 * and prints the status that the runtime gives. faults.sh looks for the line
 * marked "FAULT kind" in the report.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arguments {
	int *data;        /* 64 ints */
	const int *other; /* whatever the kind needs */
	int index;
};

__global__ void past_the_end(struct arguments a)
{
	if (blockIdx.x == 1 && threadIdx.x == 5)
		a.data[a.index] = 1; /* FAULT past_the_end */
}

__global__ void before_the_start(struct arguments a)
{
	a.data[threadIdx.x] = a.data[(int)threadIdx.x - a.index]; /* FAULT before_the_start */
}

__global__ void null_pointer(struct arguments a)
{
	a.data[threadIdx.x] = a.other[threadIdx.x]; /* FAULT null_pointer */
}

__global__ void freed_memory(struct arguments a)
{
	a.data[threadIdx.x] = a.other[threadIdx.x]; /* FAULT freed_memory */
}

__global__ void host_pointer(struct arguments a)
{
	a.data[threadIdx.x] = a.other[threadIdx.x]; /* FAULT host_pointer */
}

__global__ void misaligned(struct arguments a)
{
	const char *p = (const char *)a.other + a.index;
	a.data[threadIdx.x] = *(const int *)p; /* FAULT misaligned */
}

__global__ void shared_past_the_end(struct arguments a)
{
	__shared__ int s[32];
	volatile int *v = s;
	v[threadIdx.x & 31] = 1;
	__syncthreads();
	a.data[threadIdx.x] = v[threadIdx.x + a.index]; /* FAULT shared_past_the_end */
}

__global__ void local_past_the_end(struct arguments a)
{
	volatile int l[8];
	for (int i = 0; i < 8; i++)
		l[i] = i;
	a.data[threadIdx.x] = l[a.index]; /* FAULT local_past_the_end */
}

__global__ void atomic_past_the_end(struct arguments a)
{
	atomicAdd(&a.data[a.index], 1); /* FAULT atomic_past_the_end */
}

__device__ __attribute__((noinline)) int endless(volatile int *p, int n)
{
	volatile int frame[32];
	frame[n & 31] = n;
	return endless(p, n + 1) + frame[*p & 31]; /* FAULT stack_overflow */
}

__global__ void stack_overflow(struct arguments a)
{
	a.data[threadIdx.x] = endless(a.data, a.index);
}

__global__ void trap(struct arguments a)
{
	if (a.data[threadIdx.x] == 0 && blockIdx.x == 1)
		asm volatile("trap;"); /* FAULT trap */
}

__global__ void endless_spin(struct arguments a)
{
	volatile int *flag = a.data;
	while (flag[0] == 0) /* FAULT endless_spin */
		;
}

/* Neighbours read what others write without a barrier between. */
__global__ void race(struct arguments a)
{
	__shared__ int s[64];
	s[threadIdx.x] = (int)threadIdx.x;
	a.data[threadIdx.x] = s[63 - threadIdx.x]; /* FAULT race */
}

__global__ void fine(struct arguments a)
{
	__shared__ int s[64];
	s[threadIdx.x] = (int)threadIdx.x;
	__syncthreads();
	a.data[threadIdx.x] = s[63 - threadIdx.x];
}

static const struct {
	const char *name;
	void (*kernel)(struct arguments);
	int index;
} kinds[] = {
    {"past_the_end", past_the_end, 64},
    {"before_the_start", before_the_start, 4096},
    {"null_pointer", null_pointer, 0},
    {"freed_memory", freed_memory, 0},
    {"host_pointer", host_pointer, 0},
    {"misaligned", misaligned, 2},
    {"shared_past_the_end", shared_past_the_end, 1 << 20},
    {"local_past_the_end", local_past_the_end, 1 << 24},
    {"atomic_past_the_end", atomic_past_the_end, 1000},
    {"stack_overflow", stack_overflow, 0},
    {"trap", trap, 0},
    {"endless_spin", endless_spin, 0},
    {"race", race, 0},
    {"fine", fine, 0},
};

int main(int argc, char **argv)
{
	static int on_host[64];
	struct arguments a;
	int *device = NULL;
	cudaMalloc((void **)&a.data, 64 * sizeof(int));
	cudaMalloc((void **)&device, 64 * sizeof(int));
	cudaMemset(a.data, 0, 64 * sizeof(int));
	a.other = device;
	for (size_t i = 0; argc > 1 && i < sizeof kinds / sizeof *kinds; i++) {
		if (strcmp(kinds[i].name, argv[1]) != 0)
			continue;
		a.index = kinds[i].index;
		if (strcmp(argv[1], "freed_memory") == 0)
			cudaFree(device);
		if (strcmp(argv[1], "null_pointer") == 0)
			a.other = NULL;
		if (strcmp(argv[1], "host_pointer") == 0)
			a.other = on_host;
		kinds[i].kernel<<<2, 64>>>(a);
		cudaError_t status = cudaDeviceSynchronize();
		printf("status %s\n", cudaGetErrorName(status));
		printf("later %s\n", cudaGetErrorName(cudaMemset(a.data, 0, 4)));
		return status != cudaSuccess;
	}
	fprintf(stderr, "usage: faults KIND\n");
	return 2;
}
