/* Surfaces of one, two and three dimensions and of layers: elements of every size, and what happens at the edges. */
#include "check.h"

enum { W = 64, H = 16, D = 4 };

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

/* launch() works on a surface of a new array, which is left. */
template <typename A, typename Launch>
static cudaArray_t check_surface(const char *what, struct cudaExtent extent, unsigned flags, const A &want,
                                 Launch launch)
{
	cudaArray_t array = new_array(cudaCreateChannelDesc<check_element<A>>(), extent, flags);
	cudaSurfaceObject_t surface = new_surface(array);
	check_run(what, want, [&](check_element<A> *out) { launch(surface, out); });
	CUDA(cudaDestroySurfaceObject(surface));
	return array;
}

int main(void)
{
	const struct cudaExtent flat = make_cudaExtent(W, H, 0), deep = make_cudaExtent(W, H, D);
	typedef cudaSurfaceObject_t surface;
	static int want_line[W];
	for (int i = 0; i < W; i++)
		want_line[i] = 3 * (W - 1 - i) + 1;
	CUDA(cudaFreeArray(check_surface("a line", make_cudaExtent(W, 0, 0), 0, want_line,
	                                 [](surface s, int *out) { line<<<1, W>>>(s, out); })));

	static unsigned char bytes[W * H], want_bytes[W * H];
	for (int i = 0; i < W * H; i++)
		want_bytes[i] = (unsigned char)(i % W + i / W * 3 + 1);
	cudaArray_t array = check_surface("bytes", flat, 0, want_bytes, [](surface s, unsigned char *out) {
		plane<unsigned char><<<H, W>>>(s, out, 3);
	});
	CUDA(cudaMemcpy2DFromArray(bytes, W, array, 0, 0, W, H, cudaMemcpyDeviceToHost));
	for (int i = 0; i < W * H; i++)
		want_bytes[i]--;
	check_same("and the array holds them", bytes, want_bytes, 1, W * H);

	static short want_shorts[W * H];
	static int4 want_fours[W * H];
	for (int i = 0; i < W * H; i++) {
		want_shorts[i] = (short)(i % W - i / W * 7 + 1);
		want_fours[i] = make_int4(i % W, i / W, i % W * (i / W), -(i % W));
	}
	check_surface("shorts", flat, 0, want_shorts,
	              [](surface s, short *out) { plane<short><<<H, W>>>(s, out, -7); });
	check_surface("sixteen bytes", flat, 0, want_fours,
	              [](surface s, int4 *out) { wide<<<H, W>>>(s, out); });

	static float want_floats[W * H * D];
	static int want[W * H * D];
	for (int i = 0; i < W * H * D; i++) {
		want_floats[i] = i % W + 0.5f * (i / W % H) + 100.0f * (i / W / H);
		want[i] = i % W + 1000 * (i / W % H) + 100000 * (i / W / H);
	}
	check_surface("a solid", deep, 0, want_floats,
	              [](surface s, float *out) { solid<<<dim3(H, D), W>>>(s, out); });
	check_surface("layers", deep, cudaArrayLayered, want,
	              [](surface s, int *out) { layers<<<dim3(H, D), W>>>(s, out); });
	const int want_edges[7] = {0, 0, 0, W, 1, 2, 0};
	check_surface("edges", flat, 0, want_edges, [](surface s, int *out) { edges<<<1, 1>>>(s, out); });
	return check_finish("surfaces");
}
