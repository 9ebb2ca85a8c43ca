/* __managed__ variables: host and device see one object at one address; hints about managed memory are told again. */
#include "check.h"

struct pair {
	int first;
	double second;
};

__managed__ int counter = 5;
__device__ __managed__ int table[64] = {1, 2, 3};
static __managed__ pair both;
__managed__ int *pointer;

__global__ void change(int by)
{
	atomicAdd(&counter, by);
	table[threadIdx.x] += threadIdx.x;
	if (threadIdx.x == 0) {
		both.first = 7;
		both.second *= 2;
	}
}

__global__ void through_pointers(int *a, const pair *p)
{
	a[threadIdx.x] = a[threadIdx.x] * 2 + p->first;
	*pointer += 100;
}

static void hints(void)
{
	int *a, value = -7;
	CUDA(cudaMallocManaged(&a, 1 << 20));
	struct cudaMemLocation device = {cudaMemLocationTypeDevice, 0}, host = {cudaMemLocationTypeHost, 0},
	                       other = {cudaMemLocationTypeDevice, 99};
	CUDA(cudaMemRangeGetAttribute(&value, sizeof value, cudaMemRangeAttributeReadMostly, a, 1 << 20));
	check_equal("not read mostly at first", value, 0);
	CUDA(cudaMemRangeGetAttribute(&value, sizeof value, cudaMemRangeAttributePreferredLocation, a,
	                              1 << 20));
	check_equal("no preferred location at first", value, cudaInvalidDeviceId);
	CUDA(cudaMemAdvise(a, 1 << 20, cudaMemAdviseSetReadMostly, device),
	     cudaMemAdvise(a, 1 << 20, cudaMemAdviseSetPreferredLocation, host),
	     cudaMemAdvise(a, 1 << 20, cudaMemAdviseSetAccessedBy, device),
	     cudaMemRangeGetAttribute(&value, sizeof value, cudaMemRangeAttributeReadMostly, a, 1 << 20));
	check_equal("read mostly", value, 1);
	CUDA(cudaMemRangeGetAttribute(&value, sizeof value, cudaMemRangeAttributePreferredLocation, a,
	                              1 << 20));
	check_equal("preferred location", value, cudaCpuDeviceId);
	int accessors[2] = {55, 55};
	CUDA(cudaMemRangeGetAttribute(accessors, sizeof accessors, cudaMemRangeAttributeAccessedBy, a,
	                              1 << 20));
	check_that("accessed by the device alone", accessors[0] == 0 && accessors[1] == cudaInvalidDeviceId);
	CUDA(cudaMemPrefetchAsync(a, 1 << 20, device, 0, 0), cudaDeviceSynchronize(),
	     cudaMemRangeGetAttribute(&value, sizeof value, cudaMemRangeAttributeLastPrefetchLocation, a,
	                              1 << 20));
	check_equal("prefetched to the device", value, 0);
	check_equal("a device that is none", cudaMemPrefetchAsync(a, 16, other, 0, 0),
	            cudaErrorInvalidDevice);
	cudaGetLastError();
	CUDA(cudaFree(a));
}

int main(void)
{
	static int want[64];
	int host_table[64];
	counter += 10; /* before any other call */
	both.second = 1.5;
	change<<<1, 64>>>(1);
	SYNC();
	check_equal("an atomic of every thread", counter, 5 + 10 + 64);
	check_that("a struct", both.first == 7 && both.second == 3.0);
	for (int i = 0; i < 64; i++)
		want[i] = (i < 3 ? i + 1 : 0) + i;
	memcpy(host_table, table, sizeof host_table);
	check_same("an initialised array", host_table, want, sizeof *want, 64);
	pointer = &counter;
	through_pointers<<<1, 64>>>(table, &both);
	SYNC();
	for (int i = 0; i < 64; i++)
		want[i] = want[i] * 2 + 7;
	memcpy(host_table, table, sizeof host_table);
	check_same("addresses taken by the host", host_table, want, sizeof *want, 64);
	check_that("an address kept in a managed pointer", counter > 79 && (counter - 79) % 100 == 0);
	void *address;
	size_t bytes;
	CUDA(cudaGetSymbolAddress(&address, counter), cudaGetSymbolSize(&bytes, table));
	check_that("the symbol's address is the variable's", address == &counter && bytes == sizeof table);
	struct cudaPointerAttributes attributes;
	CUDA(cudaPointerGetAttributes(&attributes, table));
	check_equal("the kind of memory", attributes.type, cudaMemoryTypeManaged);
	int copied = 0;
	CUDA(cudaMemcpy(&copied, &table[1], sizeof copied, cudaMemcpyDefault));
	check_equal("a copy from it", copied, want[1]);
	hints();
	return check_finish("managed_variables");
}
