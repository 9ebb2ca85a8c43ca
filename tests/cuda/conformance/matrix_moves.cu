/* ldmatrix, stmatrix and movmatrix: 8 x 8 matrices of 16 bits between shared memory and the lanes of a warp. */
#include "check.h"

enum { ROW = 24 }; /* halves from row to row: rows are apart, and aligned */

/* Lane l names row l: matrix l / 8. */
#define LOADS(name, n, results)                                                                              \
	__global__ void name(const uint16_t *in, uint32_t *out)                                              \
	{                                                                                                    \
		__shared__ __align__(16) uint16_t tile[32][ROW];                                             \
		uint32_t r[4] = {0, 0, 0, 0};                                                                \
		for (int i = 0; i < 8; i++)                                                                  \
			tile[threadIdx.x][i] = in[threadIdx.x * 8 + i];                                      \
		__syncthreads();                                                                             \
		uint32_t at = shared_address(&tile[threadIdx.x % (8 * n)][0]);                               \
		results;                                                                                     \
		for (int i = 0; i < 4; i++)                                                                  \
			out[i * 32 + threadIdx.x] = r[i];                                                    \
	}
#define X1(ptx) asm volatile(ptx " {%0}, [%1];" : "=r"(r[0]) : "r"(at) : "memory")
#define X2(ptx) asm volatile(ptx " {%0,%1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(at) : "memory")
#define X4(ptx)                                                                                              \
	asm volatile(ptx " {%0,%1,%2,%3}, [%4];"                                                             \
	             : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])                                        \
	             : "r"(at)                                                                               \
	             : "memory")
LOADS(load1, 1, X1("ldmatrix.sync.aligned.m8n8.x1.shared.b16"))
LOADS(load2, 2, X2("ldmatrix.sync.aligned.m8n8.x2.shared.b16"))
LOADS(load4, 4, X4("ldmatrix.sync.aligned.m8n8.x4.shared.b16"))
LOADS(load1_trans, 1, X1("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16"))
LOADS(load2_trans, 2, X2("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16"))
LOADS(load4_trans, 4, X4("ldmatrix.sync.aligned.m8n8.x4.trans.shared::cta.b16"))

#define STORES(name, n, statement)                                                                           \
	__global__ void name(const uint32_t *in, uint16_t *out)                                              \
	{                                                                                                    \
		__shared__ __align__(16) uint16_t tile[32][8];                                               \
		uint32_t r[4];                                                                               \
		for (int i = 0; i < 8; i++)                                                                  \
			tile[threadIdx.x][i] = 0xdead;                                                       \
		for (int i = 0; i < 4; i++)                                                                  \
			r[i] = in[i * 32 + threadIdx.x];                                                     \
		__syncthreads();                                                                             \
		uint32_t at = shared_address(&tile[threadIdx.x % (8 * n)][0]);                               \
		statement;                                                                                   \
		__syncthreads();                                                                             \
		for (int i = 0; i < 8; i++)                                                                  \
			out[threadIdx.x * 8 + i] = tile[threadIdx.x][i];                                     \
	}
#define S1(ptx) asm volatile(ptx " [%0], {%1};" ::"r"(at), "r"(r[0]) : "memory")
#define S2(ptx) asm volatile(ptx " [%0], {%1,%2};" ::"r"(at), "r"(r[0]), "r"(r[1]) : "memory")
#define S4(ptx)                                                                                              \
	asm volatile(ptx " [%0], {%1,%2,%3,%4};" ::"r"(at), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3])       \
	             : "memory")
STORES(store1, 1, S1("stmatrix.sync.aligned.m8n8.x1.shared.b16"))
STORES(store2, 2, S2("stmatrix.sync.aligned.m8n8.x2.shared.b16"))
STORES(store4, 4, S4("stmatrix.sync.aligned.m8n8.x4.shared.b16"))
STORES(store4_trans, 4, S4("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16"))

__global__ void turn(const uint32_t *in, uint32_t *out)
{
	asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;"
	             : "=r"(out[threadIdx.x])
	             : "r"(in[threadIdx.x]));
}

/* The element that lane and half hold of a matrix. */
static void place(int lane, int half, bool trans, int *row, int *col)
{
	*row = trans ? lane % 4 * 2 + half : lane / 4;
	*col = trans ? lane / 4 : lane % 4 * 2 + half;
}

static void check_load(const char *name, void (*run)(const uint16_t *, uint32_t *), int n, bool trans)
{
	uint16_t in[32][8];
	uint32_t want[4][32] = {{0}};
	for (int i = 0; i < 256; i++)
		in[i / 8][i % 8] = (uint16_t)check_random();
	for (int m = 0; m < n; m++)
		for (int i = 0; i < 64; i++) {
			int row, col;
			place(i / 2, i % 2, trans, &row, &col);
			want[m][i / 2] |= (uint32_t)in[8 * m + row][col] << 16 * (i % 2);
		}
	check_run(name, want, [&](uint32_t *out) { run<<<1, 32>>>(to_device(in), out); });
}

static void check_store(const char *name, void (*run)(const uint32_t *, uint16_t *), int n, bool trans)
{
	uint32_t in[4][32];
	uint16_t want[32][8];
	for (int i = 0; i < 128; i++)
		in[i / 32][i % 32] = (uint32_t)check_random();
	for (int i = 0; i < 256; i++)
		want[i / 8][i % 8] = 0xdead;
	for (int m = 0; m < n; m++)
		for (int i = 0; i < 64; i++) {
			int row, col;
			place(i / 2, i % 2, trans, &row, &col);
			want[8 * m + row][col] = (uint16_t)(in[m][i / 2] >> 16 * (i % 2));
		}
	check_run(name, want, [&](uint16_t *out) { run<<<1, 32>>>(to_device(in), out); });
}

static void check_turn(void)
{
	uint32_t in[32], want[32] = {0};
	for (int i = 0; i < 32; i++)
		in[i] = (uint32_t)check_random();
	for (int i = 0; i < 64; i++) {
		int row, col;
		place(i / 2, i % 2, true, &row, &col);
		want[i / 2] |= (in[row * 4 + col / 2] >> 16 * (col % 2) & 0xffff) << 16 * (i % 2);
	}
	check_run("movmatrix", want, [&](uint32_t *out) { turn<<<1, 32>>>(to_device(in), out); });
}

int main(void)
{
	check_load("ldmatrix.x1", load1, 1, false);
	check_load("ldmatrix.x2", load2, 2, false);
	check_load("ldmatrix.x4", load4, 4, false);
	check_load("ldmatrix.x1.trans", load1_trans, 1, true);
	check_load("ldmatrix.x2.trans", load2_trans, 2, true);
	check_load("ldmatrix.x4.trans", load4_trans, 4, true);
	check_store("stmatrix.x1", store1, 1, false);
	check_store("stmatrix.x2", store2, 2, false);
	check_store("stmatrix.x4", store4, 4, false);
	check_store("stmatrix.x4.trans", store4_trans, 4, true);
	check_turn();
	return check_finish("matrix_moves");
}
