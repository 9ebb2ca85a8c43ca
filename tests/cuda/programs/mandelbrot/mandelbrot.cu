/* Escape times: loops of very different length in one warp; writes a picture. */
#include "verify.h"

template <class T>
__global__ void mandelbrot(uchar4 *dst, int imageW, int imageH, int crunch, T xOff, T yOff, T scale)
{
	const int ix = blockDim.x * blockIdx.x + threadIdx.x, iy = blockDim.y * blockIdx.y + threadIdx.y;
	if (ix >= imageW || iy >= imageH)
		return;
	const T xC = (T)ix * scale + xOff, yC = (T)iy * scale + yOff;
	T x = 0, y = 0, xx = 0, yy = 0;
	int i = crunch;
	while (--i && (xx + yy < T(4))) {
		y = x * y * T(2) + yC;
		x = xx - yy + xC;
		yy = y * y;
		xx = x * x;
	}
	dst[imageW * iy + ix] = make_uchar4((unsigned char)(i * 3), (unsigned char)(i * 5),
	                                    (unsigned char)(i * 7), (unsigned char)i);
}

static int escape(float xC, float yC, int crunch)
{
	volatile float x = 0, y = 0, xx = 0, yy = 0, t;
	int i = crunch;
	while (--i && (xx + yy < 4.0f)) {
		t = x * y;
		t = t * 2.0f;
		y = t + yC;
		t = xx - yy;
		x = t + xC;
		yy = y * y;
		xx = x * x;
	}
	return i;
}

int main(int argc, char **argv)
{
	const int w = 96, h = 64, crunch = 100;
	static uchar4 got[w * h];
	uchar4 *d;
	int wrong = 0;
	CHECK_CUDA(cudaMalloc((void **)&d, sizeof got));
	mandelbrot<float>
	    <<<dim3((w + 15) / 16, (h + 7) / 8), dim3(16, 8)>>>(d, w, h, crunch, -2.0f, -1.0f, 0.03125f);
	CHECK_CUDA(cudaGetLastError());
	CHECK_CUDA(cudaMemcpy(got, d, sizeof got, cudaMemcpyDeviceToHost));
	for (int y = 0; y < h; y++)
		for (int x = 0; x < w; x++) {
			int i = escape((float)x * 0.03125f - 2.0f, (float)y * 0.03125f - 1.0f, crunch);
			wrong += got[y * w + x].w != (unsigned char)i ||
			         got[y * w + x].x != (unsigned char)(i * 3);
		}
	if (argc > 1) {
		FILE *file = fopen(argv[1], "wb");
		fprintf(file, "P5 %d %d 255\n", w, h);
		for (int i = 0; i < w * h; i++)
			fputc(got[i].w, file);
		fclose(file);
	}
	return verify_result("mandelbrot", wrong);
}
