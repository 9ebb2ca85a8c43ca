/*
 * cp.async of 4, 8 and 16 bytes with groups, zeros for what is not read, and mbarriers; cp.async.bulk in one
 * dimension, into shared memory with an mbarrier and out of it in groups.
 */
#include "check.h"

enum { THREADS = 64 };

template <int BYTES> __device__ static void copy_async(uint32_t to, const void *from, uint32_t read)
{
	asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to), "l"(from), "n"(BYTES),
	             "r"(read)
	             : "memory");
}

/* Each thread copies its piece and reads its neighbour's. */
template <int BYTES> __global__ void pieces(const uint8_t *in, uint8_t *out)
{
	__shared__ __align__(16) uint8_t room[THREADS * BYTES];
	int t = threadIdx.x, next = (t + 1) % THREADS;
	for (int i = 0; i < BYTES; i++)
		room[t * BYTES + i] = 0xee;
	__syncthreads();
	copy_async<BYTES>(shared_address(&room[t * BYTES]), in + t * BYTES, t % (BYTES + 1));
	asm volatile("cp.async.commit_group;" ::: "memory");
	asm volatile("cp.async.wait_group 0;" ::: "memory");
	__syncthreads();
	for (int i = 0; i < BYTES; i++)
		out[t * BYTES + i] = room[next * BYTES + i];
}

/* A pipeline of three stages, the usual form of cp.async. */
__global__ void pipeline(const uint4 *in, uint4 *out, int steps)
{
	__shared__ uint4 stage[3][THREADS];
	int t = threadIdx.x;
	for (int s = 0; s < 2; s++) {
		asm volatile(
		    "cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(shared_address(&stage[s][t])),
		    "l"(in + s * THREADS + t)
		    : "memory");
		asm volatile("cp.async.commit_group;" ::: "memory");
	}
	uint4 sum = make_uint4(0, 0, 0, 0);
	for (int s = 0; s < steps; s++) {
		asm volatile("cp.async.wait_group 1;" ::: "memory");
		__syncthreads();
		uint4 v = stage[s % 3][t ^ 1];
		sum.x += v.x * (s + 1);
		sum.y ^= v.y + s;
		sum.z += v.z;
		sum.w = sum.w * 31 + v.w;
		if (s + 2 < steps)
			asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
			                 shared_address(&stage[(s + 2) % 3][t])),
			             "l"(in + (s + 2) * THREADS + t)
			             : "memory");
		asm volatile("cp.async.commit_group;" ::: "memory");
	}
	asm volatile("cp.async.wait_all;" ::: "memory");
	out[t] = sum;
}

__device__ static void wait_parity(uint32_t barrier, uint32_t parity)
{
	asm volatile(
	    "{ .reg .pred p; $again%=: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @p bra $done%=; bra $again%=; "
	    "$done%=: }" ::"r"(barrier),
	    "r"(parity)
	    : "memory");
}

/* Copies report to an mbarrier: phases are as many as steps. */
__global__ void reported(const uint32_t *in, uint32_t *out, int steps)
{
	__shared__ uint64_t barrier;
	__shared__ uint32_t room[2][THREADS];
	uint32_t b = shared_address(&barrier);
	int t = threadIdx.x;
	if (t == 0)
		asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(b), "r"(THREADS) : "memory");
	__syncthreads();
	uint32_t sum = 0;
	for (int s = 0; s < steps; s++) {
		copy_async<4>(shared_address(&room[s % 2][t]), in + s * THREADS + t, 4);
		asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(b) : "memory");
		wait_parity(b, s & 1);
		sum = sum * 7 + room[s % 2][(t + 5) % THREADS];
	}
	out[t] = sum;
}

/* One thread fetches, all wait, and the result goes back in one piece. */
__global__ void bulk(const uint32_t *in, uint32_t *out, int words, int steps)
{
	extern __shared__ __align__(128) uint32_t room[];
	__shared__ __align__(8) uint64_t barrier;
	uint32_t b = shared_address(&barrier), bytes = words * 4;
	int t = threadIdx.x;
	if (t == 0) {
		asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(b) : "memory");
		asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
	}
	__syncthreads();
	for (int s = 0; s < steps; s++) {
		if (t == 0) {
			asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(b), "r"(bytes)
			             : "memory");
			asm volatile(
			    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, "
			    "[%3];" ::"r"(shared_address(room)),
			    "l"(in + s * words), "r"(bytes), "r"(b)
			    : "memory");
		}
		wait_parity(b, s & 1);
		for (int i = t; i < words; i += THREADS)
			room[i] = room[i] * 3 + s;
		asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
		__syncthreads();
		if (t == 0) {
			asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
			                 out + s * words),
			             "r"(shared_address(room)), "r"(bytes)
			             : "memory");
			asm volatile("cp.async.bulk.commit_group;" ::: "memory");
			asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
		}
		__syncthreads();
	}
	asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

template <int BYTES> static void check_pieces(const char *name)
{
	uint8_t in[THREADS * BYTES], want[THREADS * BYTES];
	for (int i = 0; i < THREADS * BYTES; i++)
		in[i] = (uint8_t)check_random();
	for (int i = 0; i < THREADS * BYTES; i++) {
		int from = (i / BYTES + 1) % THREADS;
		want[i] = i % BYTES < from % (BYTES + 1) ? in[from * BYTES + i % BYTES] : 0;
	}
	check_run(name, want, [&](uint8_t *out) { pieces<BYTES><<<1, THREADS>>>(to_device(in), out); });
}

static void check_pipeline(void)
{
	enum { STEPS = 9 };
	static uint32_t in[STEPS][THREADS][4];
	uint32_t want[THREADS][4] = {{0}};
	for (int i = 0; i < STEPS * THREADS * 4; i++)
		in[i / 4 / THREADS][i / 4 % THREADS][i % 4] = (uint32_t)check_random();
	for (int s = 0; s < STEPS; s++)
		for (int t = 0; t < THREADS; t++) {
			const uint32_t *v = in[s][t ^ 1];
			want[t][0] += v[0] * (uint32_t)(s + 1);
			want[t][1] ^= v[1] + (uint32_t)s;
			want[t][2] += v[2];
			want[t][3] = want[t][3] * 31 + v[3];
		}
	check_run("pipeline", want, [&](uint32_t *out) {
		pipeline<<<1, THREADS>>>((uint4 *)to_device(in), (uint4 *)out, STEPS);
	});
}

static void check_reported(void)
{
	enum { STEPS = 7 };
	static uint32_t in[STEPS][THREADS];
	uint32_t want[THREADS] = {0};
	for (int i = 0; i < STEPS * THREADS; i++)
		in[i / THREADS][i % THREADS] = (uint32_t)check_random();
	for (int s = 0; s < STEPS; s++)
		for (int t = 0; t < THREADS; t++)
			want[t] = want[t] * 7 + in[s][(t + 5) % THREADS];
	check_run("reported", want,
	          [&](uint32_t *out) { reported<<<1, THREADS>>>(to_device(in), out, STEPS); });
}

static void check_bulk(void)
{
	enum { WORDS = 1540, STEPS = 5 };
	static uint32_t in[STEPS * WORDS], want[STEPS * WORDS];
	for (int i = 0; i < STEPS * WORDS; i++) {
		in[i] = (uint32_t)check_random();
		want[i] = in[i] * 3 + (uint32_t)(i / WORDS);
	}
	check_run("bulk", want,
	          [&](uint32_t *out) { bulk<<<1, THREADS, WORDS * 4>>>(to_device(in), out, WORDS, STEPS); });
}

int main(void)
{
	check_pieces<4>("cp.async 4");
	check_pieces<8>("cp.async 8");
	check_pieces<16>("cp.async 16");
	check_pipeline();
	check_reported();
	check_bulk();
	return check_finish("copy_async");
}
