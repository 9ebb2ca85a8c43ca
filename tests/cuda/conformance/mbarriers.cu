/* mbarrier: arrivals with and without completion, states and parities, dropped threads, bytes; handing work over. */
#include "check.h"

__device__ static void init(uint32_t b, uint32_t count)
{
	asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(b), "r"(count) : "memory");
}
__device__ static uint64_t arrive(uint32_t b)
{
	uint64_t state;
	asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(b) : "memory");
	return state;
}
__device__ static uint32_t pending(uint64_t state)
{
	uint32_t count;
	asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(state));
	return count;
}
__device__ static uint32_t test(uint32_t b, uint64_t state)
{
	uint32_t over;
	asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
	             : "=r"(over)
	             : "r"(b), "l"(state)
	             : "memory");
	return over;
}
__device__ static uint32_t test_parity(uint32_t b, uint32_t parity)
{
	uint32_t over;
	asm volatile(
	    "{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
	    : "=r"(over)
	    : "r"(b), "r"(parity)
	    : "memory");
	return over;
}
__device__ static uint32_t try_parity(uint32_t b, uint32_t parity)
{
	uint32_t over;
	asm volatile(
	    "{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
	    : "=r"(over)
	    : "r"(b), "r"(parity)
	    : "memory");
	return over;
}

/* One thread alone: what each operation leaves behind. */
__global__ void alone(uint32_t *out)
{
	__shared__ uint64_t object;
	uint32_t b = shared_address(&object), n = 0;
	uint64_t s;
	init(b, 3);
	out[n++] = test_parity(b, 0);
	out[n++] = test_parity(b, 1);
	s = arrive(b);
	out[n++] = pending(s);
	out[n++] = test(b, s);
	asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], 1;" : "=l"(s) : "r"(b) : "memory");
	out[n++] = pending(s);
	s = arrive(b);
	out[n++] = pending(s);
	out[n++] = test(b, s);
	out[n++] = test_parity(b, 0);
	out[n++] = test_parity(b, 1);
	/* The next phase waits for bytes as well. */
	asm volatile("mbarrier.arrive.expect_tx.shared.b64 %0, [%1], 100;" : "=l"(s) : "r"(b) : "memory");
	asm volatile("mbarrier.arrive.shared.b64 _, [%0], 2;" ::"r"(b) : "memory");
	out[n++] = test(b, s);
	asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 60;" ::"r"(b) : "memory");
	out[n++] = test(b, s);
	asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 40;" ::"r"(b) : "memory");
	out[n++] = test(b, s);
	/* One thread leaves for good: two are expected from then on. */
	asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(s) : "r"(b) : "memory");
	out[n++] = pending(s);
	arrive(b);
	arrive(b);
	out[n++] = test(b, s);
	s = arrive(b);
	out[n++] = pending(s);
	arrive(b);
	out[n++] = test(b, s);
	out[n++] = try_parity(b, 1);
	asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(b) : "memory");
}

/* One warp fills, another empties: two barriers, a ring of two. */
__global__ void hand_over(const uint32_t *in, uint32_t *out, int steps)
{
	__shared__ uint64_t full[2], empty[2];
	__shared__ uint32_t ring[2][32];
	int lane = threadIdx.x % 32;
	if (threadIdx.x == 0)
		for (int i = 0; i < 2; i++) {
			init(shared_address(&full[i]), 32);
			init(shared_address(&empty[i]), 32);
		}
	__syncthreads();
	if (threadIdx.x < 32) {
		for (int s = 0; s < steps; s++) {
			int i = s % 2;
			/* The first time round there is nothing to wait for. */
			while (!try_parity(shared_address(&empty[i]), s / 2 % 2 ^ 1))
				;
			ring[i][lane] = in[s * 32 + lane] * 5;
			arrive(shared_address(&full[i]));
		}
	} else {
		uint32_t sum = 0;
		for (int s = 0; s < steps; s++) {
			int i = s % 2;
			while (!try_parity(shared_address(&full[i]), s / 2 % 2))
				;
			sum = sum * 3 + ring[i][31 - lane];
			arrive(shared_address(&empty[i]));
		}
		out[lane] = sum;
	}
}

/* Generic addresses, and one lane that waits while the others go on. */
__global__ void one_lane(uint32_t *out)
{
	__shared__ uint64_t object;
	__shared__ uint32_t value;
	if (threadIdx.x == 0) {
		asm volatile("mbarrier.init.b64 [%0], 1;" ::"l"(&object) : "memory");
		value = 1;
	}
	__syncthreads();
	if (threadIdx.x == 40) {
		value = 77;
		asm volatile("mbarrier.arrive.release.cta.b64 _, [%0];" ::"l"(&object) : "memory");
	}
	if (threadIdx.x == 3)
		while (!try_parity(shared_address(&object), 0))
			;
	__syncwarp();
	if (threadIdx.x < 32)
		out[threadIdx.x] = value + threadIdx.x;
}

static void check_alone(void)
{
	static const uint32_t want[] = {0, 1, 3, 0, 2, 1, 1, 1, 0, 0, 0, 1, 3, 1, 2, 1, 1};
	check_run(
	    "alone", want, [&](uint32_t *out) { alone<<<1, 1>>>(out); }, sizeof want / sizeof *want);
}

int main(void)
{
	enum { STEPS = 21 };
	static uint32_t in[STEPS][32];
	uint32_t got[32], want[32] = {0};
	check_alone();
	for (int i = 0; i < STEPS * 32; i++)
		in[i / 32][i % 32] = (uint32_t)check_random();
	for (int s = 0; s < STEPS; s++)
		for (int t = 0; t < 32; t++)
			want[t] = want[t] * 3 + in[s][31 - t] * 5;
	check_run("hand over", want, [&](uint32_t *out) { hand_over<<<1, 64>>>(to_device(in), out, STEPS); });
	for (uint32_t t = 0; t < 32; t++)
		want[t] = 77 + t;
	check_run("one lane", want, [&](uint32_t *out) { one_lane<<<1, 64>>>(out); });
	return check_finish("mbarriers");
}
