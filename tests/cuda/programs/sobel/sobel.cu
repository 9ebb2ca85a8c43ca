/* Edges of a picture that is read through a 2-D texture object over an array and written to pitched memory. */
#include "verify.h"

__device__ unsigned char ComputeSobel(int ul, int um, int ur, int ml, int mr, int ll, int lm, int lr,
                                      float fScale)
{
	int Horz = ur + 2 * mr + lr - ul - 2 * ml - ll, Vert = ul + 2 * um + ur - ll - 2 * lm - lr;
	int Sum = (int)(fScale * (float)(abs(Horz) + abs(Vert)));
	return (unsigned char)(Sum < 0 ? 0 : Sum > 255 ? 255 : Sum);
}

__global__ void SobelTex(unsigned char *out, int Pitch, int w, float fScale, cudaTextureObject_t tex)
{
	unsigned char *row = out + blockIdx.x * Pitch;
	float y = (float)blockIdx.x + 0.5f;
	for (int i = threadIdx.x; i < w; i += blockDim.x) {
		float x = (float)i + 0.5f;
		row[i] = ComputeSobel(
		    tex2D<unsigned char>(tex, x - 1, y - 1), tex2D<unsigned char>(tex, x, y - 1),
		    tex2D<unsigned char>(tex, x + 1, y - 1), tex2D<unsigned char>(tex, x - 1, y),
		    tex2D<unsigned char>(tex, x + 1, y), tex2D<unsigned char>(tex, x - 1, y + 1),
		    tex2D<unsigned char>(tex, x, y + 1), tex2D<unsigned char>(tex, x + 1, y + 1), fScale);
	}
}

enum { W = 100, H = 70 };
static unsigned char image[H][W], got[H][W];

static int at(int x, int y)
{
	x = x < 0 ? 0 : x >= W ? W - 1 : x;
	y = y < 0 ? 0 : y >= H ? H - 1 : y;
	return image[y][x];
}

int main(void)
{
	int wrong = 0;
	for (int y = 0; y < H; y++)
		for (int x = 0; x < W; x++)
			image[y][x] = (unsigned char)((x - 50) * (x - 50) + (y - 35) * (y - 35) < 600
			                                  ? 200
			                                  : (x * 3 + y) % 40);
	cudaChannelFormatDesc desc = cudaCreateChannelDesc<unsigned char>();
	cudaArray_t array;
	CHECK_CUDA(cudaMallocArray(&array, &desc, W, H));
	CHECK_CUDA(cudaMemcpy2DToArray(array, 0, 0, image, W, W, H, cudaMemcpyHostToDevice));
	cudaResourceDesc texRes = {};
	texRes.resType = cudaResourceTypeArray;
	texRes.res.array.array = array;
	cudaTextureDesc texDescr = {};
	texDescr.normalizedCoords = false;
	texDescr.filterMode = cudaFilterModePoint;
	texDescr.addressMode[0] = cudaAddressModeClamp;
	texDescr.addressMode[1] = cudaAddressModeClamp;
	texDescr.readMode = cudaReadModeElementType;
	cudaTextureObject_t texture;
	CHECK_CUDA(cudaCreateTextureObject(&texture, &texRes, &texDescr, NULL));
	unsigned char *out;
	size_t pitch;
	CHECK_CUDA(cudaMallocPitch((void **)&out, &pitch, W, H));
	SobelTex<<<H, 64>>>(out, (int)pitch, W, 0.5f, texture);
	CHECK_CUDA(cudaGetLastError());
	CHECK_CUDA(cudaMemcpy2D(got, W, out, pitch, W, H, cudaMemcpyDeviceToHost));
	for (int y = 0; y < H; y++)
		for (int x = 0; x < W; x++) {
			int horz = at(x + 1, y - 1) + 2 * at(x + 1, y) + at(x + 1, y + 1) - at(x - 1, y - 1) -
			           2 * at(x - 1, y) - at(x - 1, y + 1);
			int vert = at(x - 1, y - 1) + 2 * at(x, y - 1) + at(x + 1, y - 1) - at(x - 1, y + 1) -
			           2 * at(x, y + 1) - at(x + 1, y + 1);
			int sum = (int)(0.5f * (float)(abs(horz) + abs(vert)));
			wrong += got[y][x] != (sum > 255 ? 255 : sum);
		}
	CHECK_CUDA(cudaDestroyTextureObject(texture));
	CHECK_CUDA(cudaFreeArray(array));
	return verify_result("sobel", wrong);
}
