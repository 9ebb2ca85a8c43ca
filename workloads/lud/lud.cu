/*
 * A = L U in place, in tiles of 16 x 16 that are worked on in shared memory: per step the tile on the diagonal (16
 * threads), the tiles right of it and below it (32 threads for one of each), then all the rest (a thread per element).
 */
#include "../common/workload.h"

enum { TILE = 16 };

static struct workload_param param[] = {
	{"n", "rows and columns of A", 64, 320, 80, 1, 4096},
};

/* One thread per column, then per row: column i of L, then row i + 1 of U. */
__global__ void factor_diagonal(float *a, int pitch, int first)
{
	__shared__ float tile[TILE][TILE];
	int lane = threadIdx.x;
	float *corner = a + first * pitch + first;
	for (int i = 0; i < TILE; i++)
		tile[i][lane] = corner[i * pitch + lane];
	__syncthreads();
	for (int i = 0; i < TILE - 1; i++) {
		if (lane > i) {
			for (int j = 0; j < i; j++)
				tile[lane][i] -= tile[lane][j] * tile[j][i];
			tile[lane][i] /= tile[i][i];
		}
		__syncthreads();
		if (lane > i)
			for (int j = 0; j <= i; j++)
				tile[i + 1][lane] -= tile[i + 1][j] * tile[j][lane];
		__syncthreads();
	}
	for (int i = 1; i < TILE; i++)
		corner[i * pitch + lane] = tile[i][lane];
}

/* Tile `blockIdx.x + 1` right of the diagonal with the lower half warp, the one below with the upper. */
__global__ void solve_perimeter(float *a, int pitch, int first)
{
	__shared__ float diagonal[TILE][TILE], right[TILE][TILE], below[TILE][TILE];
	int lane = threadIdx.x % TILE, half = threadIdx.x / TILE;
	float *corner = a + first * pitch + first;
	int distance = (blockIdx.x + 1) * TILE;
	float *my_corner = half ? corner + distance * pitch : corner + distance;
	float (*mine)[TILE] = half ? below : right;
	for (int i = half * TILE / 2; i < (half + 1) * TILE / 2; i++)
		diagonal[i][lane] = corner[i * pitch + lane];
	for (int i = 0; i < TILE; i++)
		mine[i][lane] = my_corner[i * pitch + lane];
	__syncthreads();
	if (half) {
		for (int i = 0; i < TILE; i++) {
			for (int j = 0; j < i; j++)
				below[lane][i] -= below[lane][j] * diagonal[j][i];
			below[lane][i] /= diagonal[i][i];
		}
	} else {
		for (int i = 1; i < TILE; i++)
			for (int j = 0; j < i; j++)
				right[i][lane] -= diagonal[i][j] * right[j][lane];
	}
	__syncthreads();
	for (int i = 0; i < TILE; i++)
		my_corner[i * pitch + lane] = mine[i][lane];
}

/* Subtracts the product of the perimeter's tiles in this tile's row and column. */
__global__ void update_internal(float *a, int pitch, int first)
{
	__shared__ float right[TILE][TILE], below[TILE][TILE];
	int x = threadIdx.x, y = threadIdx.y;
	int row = first + (blockIdx.y + 1) * TILE + y, column = first + (blockIdx.x + 1) * TILE + x;
	right[y][x] = a[(first + y) * pitch + column];
	below[y][x] = a[row * pitch + first + x];
	__syncthreads();
	float sum = 0;
#pragma unroll 1
	for (int i = 0; i < TILE; i++)
		sum += below[y][i] * right[i][x];
	a[row * pitch + column] -= sum;
}

static void decompose(float *a, int pitch)
{
	dim3 tile(TILE, TILE);
	for (int first = 0; first < pitch; first += TILE) {
		int rest = (pitch - first) / TILE - 1;
		factor_diagonal<<<1, TILE>>>(a, pitch, first);
		if (!rest)
			break;
		solve_perimeter<<<rest, 2 * TILE>>>(a, pitch, first);
		update_internal<<<dim3(rest, rest), tile>>>(a, pitch, first);
	}
}

static void reference(const float *a, float *lu, size_t pitch)
{
	double *t = WORKLOAD_HOST(double, pitch * pitch);
	for (size_t i = 0; i < pitch * pitch; i++)
		t[i] = a[i];
	for (size_t k = 0; k < pitch; k++)
		for (size_t i = k + 1; i < pitch; i++) {
			double factor = t[i * pitch + k] /= t[k * pitch + k];
			for (size_t j = k + 1; j < pitch; j++)
				t[i * pitch + j] -= factor * t[k * pitch + j];
		}
	for (size_t i = 0; i < pitch * pitch; i++)
		lu[i] = (float)t[i];
	free(t);
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("lud", "A = L U in tiles", param, 1, argc, argv);
	int n = (int)workload_value(&w, "n");
	/* The last tile is filled up with a unit matrix, which is its own decomposition. */
	int pitch = (n + TILE - 1) / TILE * TILE;
	size_t cells = (size_t)pitch * pitch;
	float *a = WORKLOAD_HOST(float, cells), *want = WORKLOAD_HOST(float, cells);
	float *device_a = WORKLOAD_DEVICE(float, cells);
	for (size_t i = 0; i < (size_t)pitch; i++)
		for (size_t j = 0; j < (size_t)pitch; j++)
			if (i < (size_t)n && j < (size_t)n)
				a[i * pitch + j] = workload_unit(&w) + (i == j ? (float)n : 0);
			else
				a[i * pitch + j] = i == j ? 1 : 0;
	WORKLOAD_CUDA(cudaMemcpy(device_a, a, cells * sizeof *a, cudaMemcpyHostToDevice));
	reference(a, want, pitch);

	workload_start(&w);
	decompose(device_a, pitch);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(a, device_a, cells * sizeof *a, cudaMemcpyDeviceToHost));
	return workload_close(&w, workload_same_floats("lu", a, want, cells, 1e-4));
}
