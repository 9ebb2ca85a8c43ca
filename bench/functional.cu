/* Kernels of bench/functional; bench/functional.ptx is what clang makes of them (see bench/functional). */
#define TILE 16

extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		y[i] = a * x[i] + y[i];
}

extern "C" __global__ void gemm(int n, const float *a, const float *b, float *c)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
	float sum = 0;
	for (int k = 0; k < n; k++)
		sum += a[col * n + k] * b[k * n + row];
	c[col * n + row] = sum;
}

extern "C" __global__ void gemm_tiled(int n, const float *a, const float *b, float *c)
{
	__shared__ float as[TILE][TILE], bs[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
	float sum = 0;
	for (int t = 0; t < n; t += TILE) {
		as[ty][tx] = a[row * n + t + tx];
		bs[ty][tx] = b[(t + ty) * n + col];
		__syncthreads();
		for (int k = 0; k < TILE; k++)
			sum += as[ty][k] * bs[k][tx];
		__syncthreads();
	}
	c[row * n + col] = sum;
}

/* Each lane walks a random list of its own length: gathers under masks that thin out. */
extern "C" __global__ void walk(int n, const int *next, const int *length, int *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, at = i % n, sum = 0;
	for (int k = 0; k < length[i % n]; k++) {
		at = next[at];
		if (at & 1)
			sum += at;
		else
			sum ^= at * 3;
	}
	out[i] = sum;
}

extern "C" __global__ void gather(int n, const int *index, const float *in, float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int k = 0; k < 64; k++)
		sum += in[index[(i + k * 97) % n]];
	out[i] = sum;
}

extern "C" __global__ void histogram(int n, const int *in, int *bins)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&bins[in[i] & 255], 1);
}

/* Little but products of matrices, of numbers near one: eight and four other instructions in a round. */
extern "C" __global__ void tensor(int n, const int *x, const int *y, float *z)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned a[4], b[2];
	float c[4] = {0, 0, 0, 0};
	for (int i = 0; i < 4; i++)
		a[i] = (0x3800 + (x[t] >> i & 0xfff)) | (0xb800 + (x[t + 1] >> i & 0xfff)) << 16;
	for (int i = 0; i < 2; i++)
		b[i] = (0x3800 + (y[t] * 77 >> i & 0xfff)) | (0x3800 + (y[t + 1] * 99 >> i & 0xfff)) << 16;
	for (int k = 0; k < n; k += 8)
#pragma unroll
		for (int i = 0; i < 8; i++)
			asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
			             "{%0,%1,%2,%3};"
			             : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
			             : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
	z[t] = c[0] + c[1] + c[2] + c[3];
}
