/* Layered textures of one and two dimensions, cube maps, cubes among others; copies into layers; checked copies. */
#include "check.h"

enum { W = 16, H = 8, LAYERS = 5, N = 8 };

static cudaTextureObject_t new_texture(cudaArray_t array, enum cudaTextureFilterMode filter, int normalized)
{
	cudaTextureObject_t texture;
	struct cudaResourceDesc resource;
	struct cudaTextureDesc description;
	memset(&resource, 0, sizeof resource);
	memset(&description, 0, sizeof description);
	resource.resType = cudaResourceTypeArray;
	resource.res.array.array = array;
	for (int i = 0; i < 3; i++)
		description.addressMode[i] = cudaAddressModeClamp;
	description.filterMode = filter;
	description.readMode = cudaReadModeElementType;
	description.normalizedCoords = normalized;
	CUDA(cudaCreateTextureObject(&texture, &resource, &description, NULL));
	return texture;
}

static cudaArray_t filled_array(const float *from, struct cudaExtent extent, unsigned flags)
{
	cudaArray_t array;
	struct cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
	CUDA(cudaMalloc3DArray(&array, &format, extent, flags));
	struct cudaMemcpy3DParms copy = {};
	size_t height = extent.height ? extent.height : 1;
	copy.srcPtr = make_cudaPitchedPtr((void *)from, extent.width * sizeof(float), extent.width, height);
	copy.dstArray = array;
	copy.extent = make_cudaExtent(extent.width, height, extent.depth);
	copy.kind = cudaMemcpyHostToDevice;
	CUDA(cudaMemcpy3D(&copy));
	return array;
}

__global__ void read_2d(cudaTextureObject_t t, float *out)
{
	int x = threadIdx.x, y = blockIdx.x, layer = blockIdx.y;
	out[(layer * H + y) * W + x] = tex2DLayered<float>(t, x + 0.5f, y + 0.5f, layer);
}

__global__ void read_1d(cudaTextureObject_t t, float *out)
{
	out[blockIdx.x * W + threadIdx.x] = tex1DLayered<float>(t, threadIdx.x + 0.5f, blockIdx.x);
}

__global__ void read_between(cudaTextureObject_t t, float *out)
{
	out[threadIdx.x] = tex2DLayered<float>(t, threadIdx.x + 1.0f, 2.0f, 2);
	out[W + threadIdx.x] = tex2DLayered<float>(t, -3.0f, 100.0f, 1000);
}

__global__ void read_cube(cudaTextureObject_t t, const float3 *direction, float *out, int n)
{
	int i = threadIdx.x;
	if (i < n)
		out[i] = texCubemap<float>(t, direction[i].x, direction[i].y, direction[i].z);
}

__global__ void read_cubes(cudaTextureObject_t t, const float3 *direction, float *out, int n, int layer)
{
	int i = threadIdx.x;
	if (i < n)
		out[i] = texCubemapLayered<float>(t, direction[i].x, direction[i].y, direction[i].z, layer);
}

static float cube_texel(int face, int x, int y)
{
	return face * 1000.0f + y * 10.0f + x;
}

/* A direction through the middle of a texel. */
static float3 cube_direction(int face, int x, int y)
{
	float s = (2 * x + 1) / (float)N - 1, t = (2 * y + 1) / (float)N - 1;
	switch (face) {
	case 0:
		return make_float3(1, -t, -s);
	case 1:
		return make_float3(-1, -t, s);
	case 2:
		return make_float3(s, 1, t);
	case 3:
		return make_float3(s, -1, -t);
	case 4:
		return make_float3(s, -t, 1);
	default:
		return make_float3(-s, -t, -1);
	}
}

static void layers(void)
{
	static float host[LAYERS * H * W], got[LAYERS * H * W], want[LAYERS * H * W];
	for (int i = 0; i < LAYERS * H * W; i++)
		host[i] = want[i] = 0.25f * i;
	float *out = (float *)check_zeros(sizeof got);
	cudaArray_t array = filled_array(host, make_cudaExtent(W, H, LAYERS), cudaArrayLayered);
	read_2d<<<dim3(H, LAYERS), W>>>(new_texture(array, cudaFilterModePoint, 0), out);
	check_kept("layers of two dimensions", out, want, LAYERS * H * W);
	read_between<<<1, W>>>(new_texture(array, cudaFilterModeLinear, 0), out);
	SYNC();
	CUDA(cudaMemcpy(got, out, 2 * W * sizeof(float), cudaMemcpyDeviceToHost));
	for (int x = 0; x < W; x++) {
		int right = x + 1 < W ? x + 1 : W - 1;
		const float *layer = host + 2 * H * W;
		want[x] = (layer[W + x] + layer[W + right] + layer[2 * W + x] + layer[2 * W + right]) / 4;
		want[W + x] = host[(LAYERS * H - 1) * W]; /* the last layer, its last row */
	}
	check_same("between texels, and outside", got, want, sizeof *want, 2 * W);
	CUDA(cudaFreeArray(array));
	array = filled_array(host, make_cudaExtent(W, 0, LAYERS), cudaArrayLayered);
	read_1d<<<LAYERS, W>>>(new_texture(array, cudaFilterModePoint, 0), out);
	SYNC();
	CUDA(cudaMemcpy(got, out, LAYERS * W * sizeof(float), cudaMemcpyDeviceToHost));
	check_same("layers of one dimension", got, host, sizeof *want, LAYERS * W);
	CUDA(cudaFreeArray(array), cudaFree(out));
}

static void cubes(void)
{
	enum { FACES = 6, TEXELS = FACES * N * N };
	static float host[2 * TEXELS], got[TEXELS], want[TEXELS];
	static float3 direction[TEXELS];
	for (int i = 0; i < TEXELS; i++) {
		int face = i / (N * N), y = i / N % N, x = i % N;
		host[i] = want[i] = cube_texel(face, x, y);
		host[TEXELS + i] = -host[i] - 1;
		direction[i] = cube_direction(face, x, y);
	}
	float *out = (float *)check_zeros(sizeof got);
	float3 *directions = to_device(direction);
	cudaArray_t array = filled_array(host, make_cudaExtent(N, N, FACES), cudaArrayCubemap);
	read_cube<<<1, TEXELS>>>(new_texture(array, cudaFilterModePoint, 1), directions, out, TEXELS);
	check_kept("a cube in all directions", out, want, TEXELS);
	CUDA(cudaFreeArray(array));
	array = filled_array(host, make_cudaExtent(N, N, 2 * FACES), cudaArrayCubemap | cudaArrayLayered);
	read_cubes<<<1, TEXELS>>>(new_texture(array, cudaFilterModePoint, 1), directions, out, TEXELS, 1);
	SYNC();
	CUDA(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
	check_same("the second of two cubes", got, host + TEXELS, sizeof *want, TEXELS);
	CUDA(cudaFreeArray(array), cudaFree(out), cudaFree(directions));
}

static void errors(void)
{
	cudaArray_t array;
	struct cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
	check_equal("a cube of five faces",
	            cudaMalloc3DArray(&array, &format, make_cudaExtent(N, N, 5), cudaArrayCubemap),
	            cudaErrorInvalidValue);
	check_equal("a cube that is none",
	            cudaMalloc3DArray(&array, &format, make_cudaExtent(N, H / 2, 6), cudaArrayCubemap),
	            cudaErrorInvalidValue);
	check_equal("no layers",
	            cudaMalloc3DArray(&array, &format, make_cudaExtent(N, N, 0), cudaArrayLayered),
	            cudaErrorInvalidValue);
	cudaGetLastError();
	static float host[W * H], got[W * H];
	CUDA(cudaMallocArray(&array, &format, W, H),
	     cudaMemcpy2DToArray(array, 0, 0, got, W * sizeof(float), W * sizeof(float), H,
	                         cudaMemcpyHostToDevice));
	for (int i = 0; i < W * H; i++)
		host[i] = 1.0f;
	check_equal("a rectangle that leaves the array",
	            cudaMemcpy2DToArray(array, 0, H / 2, host, W * sizeof(float), W * sizeof(float), H,
	                                cudaMemcpyHostToDevice),
	            cudaErrorInvalidValue);
	cudaGetLastError();
	memset(got, 0xff, sizeof got);
	CUDA(cudaMemcpy2DFromArray(got, W * sizeof(float), array, 0, 0, W * sizeof(float), H,
	                           cudaMemcpyDeviceToHost));
	int changed = 0;
	for (int i = 0; i < W * H; i++)
		changed += got[i] != 0;
	check_equal("changes nothing", changed, 0);
	CUDA(cudaFreeArray(array));
}

int main(void)
{
	layers();
	cubes();
	errors();
	return check_finish("layered_textures");
}
