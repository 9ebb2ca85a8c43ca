/* Static shared arrays of several types, extern shared memory split by hand, two-dimensional tiles, large CTAs. */
#include "check.h"

enum { THREADS = 256 };

extern __shared__ unsigned char pool[];

__global__ void split(double *out, int doubles, int shorts)
{
	double *d = (double *)pool;
	short *s = (short *)(d + doubles);
	unsigned char *b = (unsigned char *)(s + shorts);
	int i = threadIdx.x;
	unsigned size;
	asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(size));
	if (i < doubles)
		d[i] = i * 0.5;
	if (i < shorts)
		s[i] = (short)(i * -3);
	b[i] = (unsigned char)(i * 7);
	__syncthreads();
	out[i] = d[i % doubles] + s[(i * 3) % shorts] + b[THREADS - 1 - i] + size;
}

__global__ void tiles(int *out)
{
	__shared__ int tile[16][17];
	__shared__ long long wide[16];
	__shared__ struct {
		char tag;
		float value;
	} record[16];
	int x = threadIdx.x, y = threadIdx.y;
	tile[y][x] = y * 16 + x;
	if (y == 0) {
		wide[x] = (long long)x << 35;
		record[x].tag = (char)('a' + x);
		record[x].value = (float)x * 0.5f;
	}
	__syncthreads();
	out[y * 16 + x] = tile[x][y] * 3 + (int)(wide[y] >> 33) + record[x].tag + (int)record[y].value;
}

template <typename T> __global__ void rotate(T *data, int by)
{
	extern __shared__ __align__(8) unsigned char raw[];
	T *values = (T *)raw;
	values[threadIdx.x] = data[threadIdx.x];
	__syncthreads();
	data[threadIdx.x] = values[(threadIdx.x + by) % blockDim.x];
}

template <typename T> static void test_rotate(const char *what, int n)
{
	static T value[1024], want[1024];
	for (int i = 0; i < n; i++)
		value[i] = (T)(i * 3);
	for (int i = 0; i < n; i++)
		want[i] = value[(i + 5) % n];
	T *device = to_device(value);
	rotate<T><<<1, n, n * sizeof(T)>>>(device, 5);
	check_device(what, device, want, n);
}

int main(void)
{
	static double want[THREADS];
	int doubles = 100, shorts = 75;
	unsigned bytes = (unsigned)(doubles * 8 + shorts * 2 + THREADS);
	for (int i = 0; i < THREADS; i++)
		want[i] = i % doubles * 0.5 + (short)((i * 3) % shorts * -3) +
		          (unsigned char)((THREADS - 1 - i) * 7) + bytes;
	check_run("extern shared memory", want,
	          [&](double *out) { split<<<1, THREADS, bytes>>>(out, doubles, shorts); });

	static int want_tiles[256];
	for (int y = 0; y < 16; y++)
		for (int x = 0; x < 16; x++)
			want_tiles[y * 16 + x] = (x * 16 + y) * 3 + y * 4 + 'a' + x + y / 2;
	check_run("static shared memory", want_tiles,
	          [&](int *tiles_out) { tiles<<<1, dim3(16, 16)>>>(tiles_out); });
	test_rotate<int>("rotate int", 1024);
	test_rotate<double>("rotate double", 1000);
	test_rotate<char>("rotate char", 33);
	return check_finish("shared_memory");
}
