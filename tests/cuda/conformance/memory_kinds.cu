/* Managed, pitched, pinned and mapped host memory; 2-D and 3-D copies; memset of all kinds; pointer attributes. */
#include "check.h"

enum { W = 37, H = 11, D = 3 };

__global__ void add_one(int *a, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		a[i] += 1;
}

__global__ void transform(float *base, size_t pitch)
{
	float *row = (float *)((char *)base + threadIdx.y * pitch);
	row[threadIdx.x] = row[threadIdx.x] * 2 + (float)threadIdx.y;
}

__global__ void cube(struct cudaPitchedPtr p)
{
	char *slice = (char *)p.ptr + blockIdx.x * p.pitch * p.ysize;
	int *row = (int *)(slice + threadIdx.y * p.pitch);
	row[threadIdx.x] += (int)(blockIdx.x * 10000 + threadIdx.y * 100 + threadIdx.x);
}

static void test_managed(void)
{
	int *a, wrong = 0;
	CUDA(cudaMallocManaged(&a, 100 * sizeof *a));
	for (int i = 0; i < 100; i++)
		a[i] = i * 2;
	add_one<<<1, 128>>>(a, 100);
	SYNC();
	for (int i = 0; i < 100; i++)
		wrong += a[i] != i * 2 + 1;
	check_equal("managed memory, wrong values", wrong, 0);
	CUDA(cudaFree(a));
}

static void test_pitched(void)
{
	static float in[H][W], got[H][W], want[H][W];
	float *device;
	size_t pitch;
	for (int i = 0; i < H * W; i++) {
		in[i / W][i % W] = (float)i;
		want[i / W][i % W] = (float)(2 * i + i / W);
	}
	CUDA(cudaMallocPitch((void **)&device, &pitch, W * sizeof(float), H));
	check_that("pitch is wide enough and aligned", pitch >= W * sizeof(float) && pitch % 32 == 0);
	CUDA(cudaMemcpy2D(device, pitch, in, sizeof *in, sizeof *in, H, cudaMemcpyHostToDevice));
	transform<<<1, dim3(W, H)>>>(device, pitch);
	SYNC();
	CUDA(cudaMemcpy2D(got, sizeof *got, device, pitch, sizeof *got, H, cudaMemcpyDeviceToHost));
	check_same("pitched memory", got, want, sizeof(float), W * H);
	CUDA(cudaMemset2D(device, pitch, 0, 5 * sizeof(float), H),
	     cudaMemcpy2D(got, sizeof *got, device, pitch, sizeof *got, H, cudaMemcpyDeviceToHost));
	for (int y = 0; y < H; y++)
		memset(want[y], 0, 5 * sizeof(float));
	check_same("cudaMemset2D", got, want, sizeof(float), W * H);
	CUDA(cudaFree(device));
}

static void test_3d(void)
{
	static int in[D][H][W], got[D][H][W], want[D][H][W];
	struct cudaPitchedPtr device;
	struct cudaExtent extent = make_cudaExtent(W * sizeof(int), H, D);
	for (int i = 0; i < D * H * W; i++) {
		int z = i / (W * H), y = i / W % H, x = i % W;
		in[z][y][x] = i;
		want[z][y][x] = i + z * 10000 + y * 100 + x;
	}
	CUDA(cudaMalloc3D(&device, extent));
	struct cudaMemcpy3DParms copy;
	memset(&copy, 0, sizeof copy);
	copy.srcPtr = make_cudaPitchedPtr(in, W * sizeof(int), W, H);
	copy.dstPtr = device;
	copy.extent = extent;
	copy.kind = cudaMemcpyHostToDevice;
	CUDA(cudaMemcpy3D(&copy));
	cube<<<D, dim3(W, H)>>>(device);
	SYNC();
	copy.srcPtr = device;
	copy.dstPtr = make_cudaPitchedPtr(got, W * sizeof(int), W, H);
	copy.kind = cudaMemcpyDeviceToHost;
	CUDA(cudaMemcpy3D(&copy));
	check_same("three-dimensional copies", got, want, sizeof(int), D * H * W);
	CUDA(cudaFree(device.ptr));
}

static void test_host(void)
{
	int *pinned, *mapped, *from_device, *registered = (int *)malloc(64 * sizeof(int)), wrong = 0;
	CUDA(cudaHostAlloc((void **)&pinned, 64 * sizeof(int), cudaHostAllocDefault),
	     cudaHostAlloc((void **)&mapped, 64 * sizeof(int), cudaHostAllocMapped),
	     cudaHostGetDevicePointer((void **)&from_device, mapped, 0),
	     cudaHostRegister(registered, 64 * sizeof(int), cudaHostRegisterDefault));
	for (int i = 0; i < 64; i++)
		pinned[i] = mapped[i] = i;
	add_one<<<1, 64>>>(from_device, 64);
	SYNC();
	for (int i = 0; i < 64; i++)
		wrong += mapped[i] != i + 1 || pinned[i] != i;
	check_equal("mapped memory, wrong values", wrong, 0);
	struct cudaPointerAttributes attributes;
	CUDA(cudaPointerGetAttributes(&attributes, mapped));
	check_equal("attribute of host memory", attributes.type, cudaMemoryTypeHost);
	CUDA(cudaHostUnregister(registered), cudaFreeHost(pinned), cudaFreeHost(mapped));
	free(registered);
}

static void test_copies(void)
{
	static unsigned char got[256], want[256];
	unsigned char *a, *b;
	struct cudaPointerAttributes attributes;
	CUDA(cudaMalloc(&a, 256), cudaMalloc(&b, 256), cudaPointerGetAttributes(&attributes, a));
	check_equal("attribute of device memory", attributes.type, cudaMemoryTypeDevice);
	CUDA(cudaMemset(a, 0x5a, 256), cudaMemset(a + 100, 0xa5, 7),
	     cudaMemcpy(b, a, 256, cudaMemcpyDeviceToDevice), cudaMemcpy(got, b, 256, cudaMemcpyDefault));
	memset(want, 0x5a, 256);
	memset(want + 100, 0xa5, 7);
	check_same("memset and copies between devices", got, want, 1, 256);
	memset(got, 0, sizeof got);
	CUDA(cudaMemcpy(got, want, 256, cudaMemcpyHostToHost));
	check_same("host to host", got, want, 1, 256);
	size_t available, total;
	CUDA(cudaMemGetInfo(&available, &total));
	check_that("memory figures", available > 0 && available <= total);
	CUDA(cudaFree(a), cudaFree(b), cudaFree(NULL));
}

int main(void)
{
	test_managed();
	test_pitched();
	test_3d();
	test_host();
	test_copies();
	return check_finish("memory_kinds");
}
