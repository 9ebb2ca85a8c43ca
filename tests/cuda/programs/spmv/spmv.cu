/* y = A x, A in CSR: one thread per row and one warp per row, x through a texture reference; ELLPACK as a third. */
#include "verify.h"

texture<float, 1, cudaReadModeElementType> tex_x;

#ifndef WARP_SIZE
#define WARP_SIZE 32
#endif

__global__ void spmv_csr_scalar(int rows, const int *ptr, const int *col, const float *val, float *y)
{
	int row = blockDim.x * blockIdx.x + threadIdx.x;
	if (row < rows) {
		float dot = 0;
		for (int k = ptr[row]; k < ptr[row + 1]; k++)
			dot += val[k] * tex1Dfetch(tex_x, col[k]);
		y[row] = dot;
	}
}

__global__ void spmv_csr_vector(int rows, const int *ptr, const int *col, const float *val, float *y)
{
	__shared__ volatile float partial[128 + 16];
	int thread = blockDim.x * blockIdx.x + threadIdx.x, lane = threadIdx.x & (WARP_SIZE - 1),
	    row = thread / WARP_SIZE;
	if (row < rows) {
		float sum = 0;
		for (int k = ptr[row] + lane; k < ptr[row + 1]; k += WARP_SIZE)
			sum += val[k] * tex1Dfetch(tex_x, col[k]);
		partial[threadIdx.x] = sum;
		__syncwarp();
		for (int offset = WARP_SIZE / 2; offset > 0; offset /= 2) {
			float other = lane < offset ? partial[threadIdx.x + offset] : 0;
			__syncwarp();
			partial[threadIdx.x] = sum = sum + other;
			__syncwarp();
		}
		if (lane == 0)
			y[row] = sum;
	}
}

__global__ void spmv_ell(int rows, int width, const int *col, const float *val, const float *x, float *y)
{
	int row = blockDim.x * blockIdx.x + threadIdx.x;
	if (row < rows) {
		float dot = 0;
		for (int k = 0; k < width; k++) {
			float v = val[rows * k + row];
			if (v != 0)
				dot += v * x[col[rows * k + row]];
		}
		y[row] = dot;
	}
}

template <class T> static T *upload(const T *host, int n)
{
	T *device;
	CHECK_CUDA(cudaMalloc((void **)&device, n * sizeof(T)));
	CHECK_CUDA(cudaMemcpy(device, host, n * sizeof(T), cudaMemcpyHostToDevice));
	return device;
}

int main(int argc, char **argv)
{
	enum { ROWS = 500, COLS = 300, MAX = 40 };
	static int ptr[ROWS + 1], col[ROWS * MAX], ell_col[ROWS * MAX];
	static float val[ROWS * MAX], ell_val[ROWS * MAX], x[COLS], y[ROWS], want[ROWS];
	int wrong = 0;
	srand(3);
	for (int i = 0; i < COLS; i++)
		x[i] = (float)(rand() % 100) / 50 - 1;
	for (int r = 0; r < ROWS; r++) {
		int n = rand() % MAX;
		ptr[r + 1] = ptr[r] + n;
		for (int k = 0; k < n; k++) {
			int at = ptr[r] + k;
			col[at] = ell_col[ROWS * k + r] = rand() % COLS;
			val[at] = ell_val[ROWS * k + r] = (float)(rand() % 100 + 1) / 10;
			want[r] += val[at] * x[col[at]];
		}
	}
	int *d_ptr = upload(ptr, ROWS + 1), *d_col = upload(col, ROWS * MAX),
	    *d_ell_col = upload(ell_col, ROWS * MAX);
	float *d_val = upload(val, ROWS * MAX), *d_ell_val = upload(ell_val, ROWS * MAX),
	      *d_x = upload(x, COLS), *d_y = upload(y, ROWS);
	CHECK_CUDA(cudaBindTexture(0, tex_x, d_x, COLS * sizeof(float)));
	for (int version = 0; version < 3; version++) {
		CHECK_CUDA(cudaMemset(d_y, 0xff, ROWS * sizeof(float)));
		if (version == 0)
			spmv_csr_scalar<<<(ROWS + 127) / 128, 128>>>(ROWS, d_ptr, d_col, d_val, d_y);
		else if (version == 1)
			spmv_csr_vector<<<(ROWS * WARP_SIZE + 127) / 128, 128>>>(ROWS, d_ptr, d_col, d_val,
			                                                         d_y);
		else
			spmv_ell<<<(ROWS + 127) / 128, 128>>>(ROWS, MAX, d_ell_col, d_ell_val, d_x, d_y);
		CHECK_CUDA(cudaGetLastError());
		CHECK_CUDA(cudaMemcpy(y, d_y, ROWS * sizeof(float), cudaMemcpyDeviceToHost));
		wrong += verify_close(y, want, ROWS, 1e-4);
	}
	CHECK_CUDA(cudaUnbindTexture(tex_x));
	return verify_result("spmv", wrong);
}
