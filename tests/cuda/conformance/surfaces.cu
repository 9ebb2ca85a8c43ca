/* Surfaces of one, two and three dimensions and of layers: elements of every size, and what happens at the edges. */
#include "check.h"

enum { W = 64, H = 16, D = 4 };

struct value16 {
	int a, b, c, d;
};

static cudaArray_t new_array(struct cudaChannelFormatDesc format, struct cudaExtent extent, unsigned flags)
{
	cudaArray_t array;
	CUDA(cudaMalloc3DArray(&array, &format, extent, flags | cudaArraySurfaceLoadStore));
	return array;
}

static cudaSurfaceObject_t new_surface(cudaArray_t array)
{
	cudaSurfaceObject_t surface;
	struct cudaResourceDesc resource;
	memset(&resource, 0, sizeof resource);
	resource.resType = cudaResourceTypeArray;
	resource.res.array.array = array;
	CUDA(cudaCreateSurfaceObject(&surface, &resource));
	return surface;
}

__global__ void line(cudaSurfaceObject_t s, int *out)
{
	int i = threadIdx.x;
	surf1Dwrite(3 * i + 1, s, i * 4);
	__syncthreads();
	out[i] = surf1Dread<int>(s, (W - 1 - i) * 4);
}

template <class T> __global__ void plane(cudaSurfaceObject_t s, T *out, T step)
{
	int x = threadIdx.x, y = blockIdx.x;
	surf2Dwrite((T)(x + y * step), s, x * (int)sizeof(T), y);
	T value;
	surf2Dread(&value, s, x * (int)sizeof(T), y);
	out[y * W + x] = value + (T)1;
}

__global__ void wide(cudaSurfaceObject_t s, int4 *out)
{
	int x = threadIdx.x, y = blockIdx.x;
	surf2Dwrite(make_int4(x, y, x * y, -x), s, x * 16, y);
	out[y * W + x] = surf2Dread<int4>(s, x * 16, y);
}

__global__ void solid(cudaSurfaceObject_t s, float *out)
{
	int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
	surf3Dwrite(x + 0.5f * y + 100.0f * z, s, x * 4, y, z);
	out[(z * H + y) * W + x] = surf3Dread<float>(s, x * 4, y, z);
}

__global__ void layers(cudaSurfaceObject_t s, int *out)
{
	int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
	surf2DLayeredwrite(x + 1000 * y + 100000 * z, s, x * 4, y, z);
	out[(z * H + y) * W + x] = surf2DLayeredread<int>(s, x * 4, y, z);
}

/* Outside: zeros, or the nearest element; writes are lost, or go there. */
__global__ void edges(cudaSurfaceObject_t s, int *out)
{
	int i = threadIdx.x;
	if (i == 0) {
		for (int x = 0; x < W; x++)
			surf2Dwrite(x + 1, s, x * 4, 0);
		surf2Dwrite(77, s, W * 4, 0, cudaBoundaryModeZero);
		surf2Dwrite(78, s, -4, 1, cudaBoundaryModeZero);
		out[0] = surf2Dread<int>(s, W * 4, 0, cudaBoundaryModeZero);
		out[1] = surf2Dread<int>(s, -4, 0, cudaBoundaryModeZero);
		out[2] = surf2Dread<int>(s, 0, H, cudaBoundaryModeZero);
		out[3] = surf2Dread<int>(s, W * 4 + 40, 0, cudaBoundaryModeClamp);
		out[4] = surf2Dread<int>(s, -40, 0, cudaBoundaryModeClamp);
		out[5] = surf2Dread<int>(s, 4, -3, cudaBoundaryModeClamp);
		out[6] = surf2Dread<int>(s, 0, 1, cudaBoundaryModeZero);
	}
}

int main(void)
{
	static int ints[W * H * D], want[W * H * D];
	struct cudaChannelFormatDesc of_int = cudaCreateChannelDesc<int>();
	int *out = (int *)check_zeros(sizeof ints);
	cudaArray_t array = new_array(of_int, make_cudaExtent(W, 0, 0), 0);
	cudaSurfaceObject_t surface = new_surface(array);
	line<<<1, W>>>(surface, out);
	SYNC();
	CUDA(cudaMemcpy(ints, out, W * sizeof(int), cudaMemcpyDeviceToHost));
	for (int i = 0; i < W; i++)
		want[i] = 3 * (W - 1 - i) + 1;
	check_same("a line", ints, want, sizeof *want, W);
	CUDA(cudaDestroySurfaceObject(surface), cudaFreeArray(array));

	static unsigned char bytes[W * H], want_bytes[W * H];
	array = new_array(cudaCreateChannelDesc<unsigned char>(), make_cudaExtent(W, H, 0), 0);
	surface = new_surface(array);
	plane<unsigned char><<<H, W>>>(surface, (unsigned char *)out, 3);
	SYNC();
	CUDA(cudaMemcpy(bytes, out, sizeof bytes, cudaMemcpyDeviceToHost));
	for (int i = 0; i < W * H; i++)
		want_bytes[i] = (unsigned char)(i % W + i / W * 3 + 1);
	check_same("bytes", bytes, want_bytes, 1, W * H);
	CUDA(cudaMemcpy2DFromArray(bytes, W, array, 0, 0, W, H, cudaMemcpyDeviceToHost));
	for (int i = 0; i < W * H; i++)
		want_bytes[i]--;
	check_same("and the array holds them", bytes, want_bytes, 1, W * H);
	CUDA(cudaFreeArray(array));

	static short shorts[W * H], want_shorts[W * H];
	array = new_array(cudaCreateChannelDesc<short>(), make_cudaExtent(W, H, 0), 0);
	plane<short><<<H, W>>>(new_surface(array), (short *)out, -7);
	SYNC();
	CUDA(cudaMemcpy(shorts, out, sizeof shorts, cudaMemcpyDeviceToHost));
	for (int i = 0; i < W * H; i++)
		want_shorts[i] = (short)(i % W - i / W * 7 + 1);
	check_same("shorts", shorts, want_shorts, 2, W * H);
	CUDA(cudaFreeArray(array));

	static int4 fours[W * H], want_fours[W * H];
	int4 *out4 = (int4 *)check_zeros(sizeof fours);
	array = new_array(cudaCreateChannelDesc<int4>(), make_cudaExtent(W, H, 0), 0);
	wide<<<H, W>>>(new_surface(array), out4);
	SYNC();
	CUDA(cudaMemcpy(fours, out4, sizeof fours, cudaMemcpyDeviceToHost));
	for (int i = 0; i < W * H; i++)
		want_fours[i] = make_int4(i % W, i / W, i % W * (i / W), -(i % W));
	check_same("sixteen bytes", fours, want_fours, 16, W * H);
	CUDA(cudaFreeArray(array));

	static float floats[W * H * D], want_floats[W * H * D];
	array = new_array(cudaCreateChannelDesc<float>(), make_cudaExtent(W, H, D), 0);
	solid<<<dim3(H, D), W>>>(new_surface(array), (float *)out);
	SYNC();
	CUDA(cudaMemcpy(floats, out, sizeof floats, cudaMemcpyDeviceToHost));
	for (int i = 0; i < W * H * D; i++)
		want_floats[i] = i % W + 0.5f * (i / W % H) + 100.0f * (i / W / H);
	check_same("a solid", floats, want_floats, 4, W * H * D);
	CUDA(cudaFreeArray(array));

	array = new_array(of_int, make_cudaExtent(W, H, D), cudaArrayLayered);
	layers<<<dim3(H, D), W>>>(new_surface(array), out);
	SYNC();
	CUDA(cudaMemcpy(ints, out, sizeof ints, cudaMemcpyDeviceToHost));
	for (int i = 0; i < W * H * D; i++)
		want[i] = i % W + 1000 * (i / W % H) + 100000 * (i / W / H);
	check_same("layers", ints, want, 4, W * H * D);
	CUDA(cudaFreeArray(array));

	array = new_array(of_int, make_cudaExtent(W, H, 0), 0);
	edges<<<1, 1>>>(new_surface(array), out);
	SYNC();
	CUDA(cudaMemcpy(ints, out, 7 * sizeof(int), cudaMemcpyDeviceToHost));
	const int want_edges[7] = {0, 0, 0, W, 1, 2, 0};
	check_same("edges", ints, want_edges, 4, 7);
	CUDA(cudaFreeArray(array));
	return check_finish("surfaces");
}
