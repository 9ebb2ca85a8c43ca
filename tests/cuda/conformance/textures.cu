/* Texture objects: linear memory, 2-D arrays and pitched memory, point and linear, address modes, normalized reads. */
#include "check.h"

enum { W = 16, H = 8, N = 64 };

__global__ void fetch(float *out, cudaTextureObject_t floats, cudaTextureObject_t ints,
                      cudaTextureObject_t bytes)
{
	int i = threadIdx.x;
	int2 pair = tex1Dfetch<int2>(ints, N - 1 - i);
	out[i * 4] = tex1Dfetch<float>(floats, (i * 7) % N);
	out[i * 4 + 1] = (float)pair.x;
	out[i * 4 + 2] = (float)pair.y;
	out[i * 4 + 3] = tex1Dfetch<float>(bytes, i);
}

__global__ void sample(float *out, cudaTextureObject_t texture, float x0, float dx, float y0, float dy)
{
	int x = threadIdx.x, y = threadIdx.y;
	out[y * W + x] = tex2D<float>(texture, x0 + (float)x * dx, y0 + (float)y * dy);
}

__global__ void sample4(float4 *out, cudaTextureObject_t texture)
{
	int x = threadIdx.x, y = threadIdx.y;
	out[y * W + x] = tex2D<float4>(texture, (float)x + 0.5f, (float)y + 0.5f);
}

static cudaTextureObject_t linear_texture(const void *host, size_t bytes, cudaChannelFormatDesc format,
                                          enum cudaTextureReadMode read)
{
	struct cudaResourceDesc resource;
	struct cudaTextureDesc description;
	cudaTextureObject_t texture;
	memset(&resource, 0, sizeof resource);
	memset(&description, 0, sizeof description);
	resource.resType = cudaResourceTypeLinear;
	resource.res.linear.devPtr = check_to_device(host, bytes);
	resource.res.linear.desc = format;
	resource.res.linear.sizeInBytes = bytes;
	description.readMode = read;
	CUDA(cudaCreateTextureObject(&texture, &resource, &description, NULL));
	return texture;
}

static void test_fetch(void)
{
	static float floats[N], want[N * 4];
	static int2 ints[N];
	static unsigned char bytes[N];
	for (int i = 0; i < N; i++) {
		floats[i] = (float)i * 1.25f;
		ints[i] = make_int2(i * i, -i);
		bytes[i] = (unsigned char)(i * 4);
	}
	for (int i = 0; i < N; i++) {
		want[i * 4] = (float)((i * 7) % N) * 1.25f;
		want[i * 4 + 1] = (float)ints[N - 1 - i].x;
		want[i * 4 + 2] = (float)ints[N - 1 - i].y;
		want[i * 4 + 3] = (float)bytes[i] / 255.0f;
	}
	check_run("fetch from linear memory", want, [&](float *out) {
		fetch<<<1, N>>>(
		    out,
		    linear_texture(floats, sizeof floats, cudaCreateChannelDesc<float>(),
		                   cudaReadModeElementType),
		    linear_texture(ints, sizeof ints, cudaCreateChannelDesc<int2>(), cudaReadModeElementType),
		    linear_texture(bytes, sizeof bytes, cudaCreateChannelDesc<unsigned char>(),
		                   cudaReadModeNormalizedFloat));
	});
}

static float image[H][W];

static int wrap(int i, int n, enum cudaTextureAddressMode mode)
{
	if (mode == cudaAddressModeWrap)
		return ((i % n) + n) % n;
	if (mode == cudaAddressModeMirror) {
		int m = ((i % (2 * n)) + 2 * n) % (2 * n);
		return m < n ? m : 2 * n - 1 - m;
	}
	return i < 0    ? (mode == cudaAddressModeBorder ? -1 : 0)
	       : i >= n ? (mode == cudaAddressModeBorder ? -1 : n - 1)
	                : i;
}

static double texel(int x, int y, enum cudaTextureAddressMode mode)
{
	x = wrap(x, W, mode), y = wrap(y, H, mode);
	return x < 0 || y < 0 ? 0.0 : image[y][x];
}

/* Weights have 8 bits of fraction; what is sampled here lies on multiples of 1/8, where they are exact. */
static float expect(double x, double y, enum cudaTextureAddressMode mode, bool is_linear)
{
	if (!is_linear)
		return (float)texel((int)floor(x), (int)floor(y), mode);
	x -= 0.5, y -= 0.5;
	int i = (int)floor(x), j = (int)floor(y);
	double a = x - i, b = y - j;
	return (float)((1 - a) * (1 - b) * texel(i, j, mode) + a * (1 - b) * texel(i + 1, j, mode) +
	               (1 - a) * b * texel(i, j + 1, mode) + a * b * texel(i + 1, j + 1, mode));
}

static void test_2d(const char *what, enum cudaTextureAddressMode mode, bool is_linear, bool is_normalized,
                    bool is_pitched, double x0, double dx, double y0, double dy)
{
	static float want[W * H];
	struct cudaResourceDesc resource;
	struct cudaTextureDesc description;
	memset(&resource, 0, sizeof resource);
	memset(&description, 0, sizeof description);
	cudaArray_t array = NULL;
	void *pitched = NULL;
	if (is_pitched) {
		size_t pitch;
		CUDA(cudaMallocPitch(&pitched, &pitch, W * sizeof(float), H),
		     cudaMemcpy2D(pitched, pitch, image, sizeof *image, W * sizeof(float), H,
		                  cudaMemcpyHostToDevice));
		resource.resType = cudaResourceTypePitch2D;
		resource.res.pitch2D.devPtr = pitched;
		resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
		resource.res.pitch2D.width = W;
		resource.res.pitch2D.height = H;
		resource.res.pitch2D.pitchInBytes = pitch;
	} else {
		cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
		CUDA(cudaMallocArray(&array, &format, W, H),
		     cudaMemcpy2DToArray(array, 0, 0, image, sizeof *image, W * sizeof(float), H,
		                         cudaMemcpyHostToDevice));
		resource.resType = cudaResourceTypeArray;
		resource.res.array.array = array;
	}
	description.addressMode[0] = description.addressMode[1] = mode;
	description.filterMode = is_linear ? cudaFilterModeLinear : cudaFilterModePoint;
	description.readMode = cudaReadModeElementType;
	description.normalizedCoords = is_normalized;
	cudaTextureObject_t texture;
	CUDA(cudaCreateTextureObject(&texture, &resource, &description, NULL));
	double sx = is_normalized ? 1.0 / W : 1, sy = is_normalized ? 1.0 / H : 1;
	float *out = zeros_like(want);
	sample<<<1, dim3(W, H)>>>(out, texture, (float)(x0 * sx), (float)(dx * sx), (float)(y0 * sy),
	                          (float)(dy * sy));
	for (int y = 0; y < H; y++)
		for (int x = 0; x < W; x++)
			want[y * W + x] = expect(x0 + x * dx, y0 + y * dy, mode, is_linear);
	check_device(what, out, want);
	CUDA(cudaDestroyTextureObject(texture));
	if (array)
		CUDA(cudaFreeArray(array));
	CUDA(cudaFree(pitched));
}

static void test_float4(void)
{
	static uchar4 texels[H][W];
	static float4 want[W * H];
	for (int i = 0; i < W * H; i++) {
		texels[i / W][i % W] =
		    make_uchar4((unsigned char)i, (unsigned char)(i * 2), (unsigned char)(255 - i), 255);
		want[i] = make_float4((float)(i & 255) / 255.0f, (float)(i * 2 & 255) / 255.0f,
		                      (float)(255 - i) / 255.0f, 1.0f);
	}
	cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
	cudaArray_t array;
	CUDA(cudaMallocArray(&array, &format, W, H),
	     cudaMemcpy2DToArray(array, 0, 0, texels, sizeof *texels, sizeof *texels, H,
	                         cudaMemcpyHostToDevice));
	struct cudaResourceDesc resource;
	struct cudaTextureDesc description;
	memset(&resource, 0, sizeof resource);
	memset(&description, 0, sizeof description);
	resource.resType = cudaResourceTypeArray;
	resource.res.array.array = array;
	description.readMode = cudaReadModeNormalizedFloat;
	cudaTextureObject_t texture;
	CUDA(cudaCreateTextureObject(&texture, &resource, &description, NULL));
	check_run("uchar4 read as normalized floats", want,
	          [&](float4 *out) { sample4<<<1, dim3(W, H)>>>(out, texture); });
}

int main(void)
{
	for (int y = 0; y < H; y++)
		for (int x = 0; x < W; x++)
			image[y][x] = (float)((x * 37 + y * 101) % 64);
	test_fetch();
	test_2d("point, clamp", cudaAddressModeClamp, false, false, false, -3.5, 1.25, -2.5, 1.5);
	test_2d("point, border", cudaAddressModeBorder, false, false, false, -3.5, 1.25, -2.5, 1.5);
	test_2d("point, clamp, pitched", cudaAddressModeClamp, false, false, true, 0.5, 1, 0.5, 1);
	test_2d("point, wrap, normalized", cudaAddressModeWrap, false, true, false, -15.5, 2, -7.5, 2);
	test_2d("point, mirror, normalized", cudaAddressModeMirror, false, true, false, -15.5, 2, -7.5, 2);
	test_2d("linear, clamp", cudaAddressModeClamp, true, false, false, -1.25, 1.125, -1.5, 1.25);
	test_2d("linear, border", cudaAddressModeBorder, true, false, false, -1.25, 1.125, -1.5, 1.25);
	test_2d("linear, clamp, pitched", cudaAddressModeClamp, true, false, true, 0.75, 0.875, 1.25, 0.625);
	test_2d("linear, wrap, normalized", cudaAddressModeWrap, true, true, false, -8.25, 1.5, -3.25, 1.5);
	test_float4();
	return check_finish("textures");
}
