/* texture<> references (CUDA 11 and older): bound to linear memory, to pitched memory and to arrays. */
#include "check.h"

enum { N = 64, W = 16, H = 4 };

texture<float> plain;
texture<int2, 1, cudaReadModeElementType> pairs;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> picture;
texture<float, 2> smooth;

__global__ void run(float *out)
{
	int i = threadIdx.x;
	int2 pair = tex1Dfetch(pairs, i);
	out[i * 4] = tex1Dfetch(plain, N - 1 - i);
	out[i * 4 + 1] = (float)(pair.x * 1000 + pair.y);
	out[i * 4 + 2] = tex2D(picture, (float)(i % W) + 0.5f, (float)(i / W) + 0.5f);
	out[i * 4 + 3] = tex2D(smooth, (float)(i % W) + 1.0f, (float)(i / W) + 0.5f);
}

int main(void)
{
	static float floats[N], want[N * 4];
	static int2 ints[N];
	static unsigned char bytes[N];
	for (int i = 0; i < N; i++) {
		floats[i] = (float)(i * 3 % 64);
		ints[i] = make_int2(i, i * i % 10);
		bytes[i] = (unsigned char)(i * 4);
	}
	for (int i = 0; i < N; i++) {
		int right = i % W == W - 1 ? i : i + 1;
		want[i * 4] = floats[N - 1 - i];
		want[i * 4 + 1] = (float)(i * 1000 + i * i % 10);
		want[i * 4 + 2] = (float)bytes[i] / 255.0f;
		want[i * 4 + 3] = (floats[i] + floats[right]) * 0.5f;
	}
	float *device_floats = to_device(floats);
	int2 *device_ints = to_device(ints);
	cudaChannelFormatDesc format = cudaCreateChannelDesc<float>(),
	                      byte_format = cudaCreateChannelDesc<unsigned char>();
	CUDA(cudaBindTexture(NULL, plain, device_floats, sizeof floats),
	     cudaBindTexture(0, pairs, device_ints, sizeof ints));
	cudaArray *array;
	CUDA(cudaMallocArray(&array, &format, W, H),
	     cudaMemcpyToArray(array, 0, 0, floats, sizeof floats, cudaMemcpyHostToDevice));
	smooth.filterMode = cudaFilterModeLinear;
	smooth.addressMode[0] = smooth.addressMode[1] = cudaAddressModeClamp;
	CUDA(cudaBindTextureToArray(smooth, array));
	void *pitched;
	size_t pitch, offset;
	CUDA(cudaMallocPitch(&pitched, &pitch, W, H),
	     cudaMemcpy2D(pitched, pitch, bytes, W, W, H, cudaMemcpyHostToDevice),
	     cudaBindTexture2D(&offset, picture, pitched, byte_format, W, H, pitch));
	check_run("texture references", want, [&](float *out) { run<<<1, N>>>(out); });
	CUDA(cudaUnbindTexture(plain), cudaUnbindTexture(pairs));
	return check_finish("texture_references");
}
