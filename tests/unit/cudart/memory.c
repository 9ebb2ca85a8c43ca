/* The runtime's memory functions, called as a program calls them: what works, and what is refused how. */
#include "cudart/calls.h"

#include "checks.h"

TEST(a_copy_beyond_an_allocation_is_an_error)
{
	static char host[2048];
	char *device;
	OK(cudaMalloc((void **)&device, 1000));
	ANSWERS(INVALID_VALUE, cudaMemcpy(device, host, 1001, cudaMemcpyHostToDevice),
	        cudaMemcpy(device + 1, host, 1000, cudaMemcpyHostToDevice),
	        cudaMemcpy(host, device + 999, 2, cudaMemcpyDeviceToHost), cudaMemset(device, 0, 1001),
	        cudaMemcpy(device, NULL, 10, cudaMemcpyHostToDevice),
	        cudaMemcpy(host + 1, host, 10, cudaMemcpyHostToDevice));
	ANSWERS(INVALID_DIRECTION, cudaMemcpy(device, host, 10, (enum cudaMemcpyKind)5));
	OK(cudaMemcpy(device + 999, host, 1, cudaMemcpyHostToDevice),
	   cudaMemcpy(device, host, 0, cudaMemcpyHostToDevice), cudaFree(device));
	ANSWERS(INVALID_VALUE, cudaMemcpy(host, device, 10, cudaMemcpyDeviceToHost));
}

TEST(only_what_was_allocated_can_be_freed_and_only_once)
{
	char *device, *pinned;
	OK(cudaMalloc((void **)&device, 100), cudaMallocHost((void **)&pinned, 100));
	ANSWERS(INVALID_VALUE, cudaFree(device + 1), cudaFree(pinned), cudaFreeHost(device));
	OK(cudaFree(device));
	ANSWERS(INVALID_VALUE, cudaFree(device));
	OK(cudaFreeHost(pinned));
	ANSWERS(INVALID_VALUE, cudaMalloc(NULL, 10));
	void *much;
	ANSWERS(OUT_OF_MEMORY, cudaMalloc(&much, (size_t)1 << 50));
	ANSWERS(INVALID_VALUE, cudaMallocManaged(&much, 8, 9), cudaHostAlloc(&much, 8, 0x80));
}

TEST(memory_info_counts_device_memory_but_not_page_locked_memory)
{
	size_t before, after, total;
	void *device, *pinned;
	OK(cudaMemGetInfo(&before, &total), cudaMalloc(&device, 1 << 20), cudaMallocHost(&pinned, 1 << 20),
	   cudaMemGetInfo(&after, &total));
	CHECK_EQ(before - after, 1 << 20);
	CHECK(total >= before);
	OK(cudaFreeHost(pinned), cudaFree(device));
	GIVES(after, before, cudaMemGetInfo(&after, &total));
}

TEST(a_run_that_leaves_its_array_changes_nothing)
{
	enum { WIDTH = 4, HEIGHT = 3 };
	struct cudaChannelFormatDesc format = {.x = 32, .f = cudaChannelFormatKindFloat};
	float ones[WIDTH * HEIGHT], out[WIDTH * HEIGHT], *device;
	cudaArray_t array;
	for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
		ones[i] = 1;
	OK(cudaMallocArray(&array, &format, WIDTH, HEIGHT, 0),
	   cudaMalloc((void **)&device, 2 * WIDTH * sizeof(float)));
	ANSWERS(INVALID_VALUE, cudaMemcpyToArray(array, 0, 1, ones, sizeof ones, cudaMemcpyHostToDevice),
	        cudaMemcpyToArray(array, 0, 0, device, sizeof ones, cudaMemcpyDeviceToDevice));
	OK(cudaMemcpyFromArray(out, array, 0, 0, sizeof out, cudaMemcpyDeviceToHost));
	for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
		CHECK(out[i] == 0);
	OK(cudaFreeArray(array), cudaFree(device));
}

TEST(boxes_are_copied_between_arrays_and_pitched_memory)
{
	enum { W = 5, H = 4, D = 3 };
	int out[D][H][W], in[D][H][W];
	for (int i = 0; i < W * H * D; i++)
		out[i / (W * H)][i / W % H][i % W] = i;
	cudaArray_t array;
	struct cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
	struct cudaExtent extent = {W, H, D};
	OK(cudaMalloc3DArray(&array, &format, extent, 0));
	struct cudaMemcpy3DParms to = {.srcPtr = {out, sizeof out[0][0], W, H},
	                               .dstArray = array,
	                               .extent = extent,
	                               .kind = cudaMemcpyHostToDevice};
	OK(cudaMemcpy3D(&to));
	struct cudaMemcpy3DParms from = {.srcArray = array,
	                                 .srcPos = {1, 1, 1},
	                                 .dstPtr = {in, sizeof in[0][0], W, H},
	                                 .extent = {W - 1, H - 1, D - 1},
	                                 .kind = cudaMemcpyDeviceToHost};
	memset(in, 0, sizeof in);
	OK(cudaMemcpy3D(&from));
	CHECK_EQ(in[0][0][0], out[1][1][1]);
	CHECK_EQ(in[1][2][3], out[2][3][4]);
	from.extent.depth = D;
	ANSWERS(INVALID_VALUE, cudaMemcpy3D(&from));
	OK(cudaFreeArray(array));
}

TEST(pointers_tell_what_they_are)
{
	static char plain[64];
	void *device, *managed, *pinned, *mapped;
	struct cudaPointerAttributes a;
	OK(cudaMalloc(&device, 8), cudaMallocManaged(&managed, 8, cudaMemAttachGlobal),
	   cudaHostAlloc(&pinned, 8, cudaHostAllocMapped), cudaPointerGetAttributes(&a, device));
	CHECK(a.type == cudaMemoryTypeDevice && a.devicePointer == device && !a.hostPointer);
	OK(cudaPointerGetAttributes(&a, managed));
	CHECK(a.type == cudaMemoryTypeManaged && a.isManaged && a.hostPointer == managed);
	OK(cudaPointerGetAttributes(&a, pinned));
	CHECK(a.type == cudaMemoryTypeHost && a.hostPointer == pinned);
	OK(cudaPointerGetAttributes(&a, plain));
	CHECK(a.type == cudaMemoryTypeUnregistered && a.device == cudaInvalidDeviceId && !a.devicePointer);
	OK(cudaHostRegister(plain, sizeof plain, cudaHostRegisterMapped));
	ANSWERS(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(plain, 8, 0));
	OK(cudaHostGetDevicePointer(&mapped, plain, 0), cudaPointerGetAttributes(&a, plain));
	CHECK(a.type == cudaMemoryTypeHost);
	OK(cudaHostUnregister(plain));
	ANSWERS(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(plain));
	OK(cudaFree(device), cudaFree(managed), cudaFreeHost(pinned));
}

TEST(a_reset_takes_everything_back)
{
	void *device, *again;
	cudaStream_t stream;
	cudaEvent_t event;
	size_t all, now, total;
	OK(cudaMemGetInfo(&all, &total), cudaMalloc(&device, 5000), cudaStreamCreate(&stream),
	   cudaEventCreate(&event), cudaDeviceReset());
	GIVES(now, all, cudaMemGetInfo(&now, &total));
	ANSWERS(INVALID_VALUE, cudaFree(device));
	ANSWERS(INVALID_HANDLE, cudaStreamDestroy(stream), cudaEventDestroy(event));
	GIVES(again, device, cudaMalloc(&again, 5000));
	OK(cudaFree(again));
}

TESTS(true)
