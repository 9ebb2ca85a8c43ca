/*
 * What the headers of asynchronous copies and barriers share: cp.async and
 * mbarrier of PTX as functions, and copies of any size made of them.
 */
#ifndef SLUICE_ASYNC_COPY_H
#define SLUICE_ASYNC_COPY_H

#include "cuda_runtime.h"

#if defined(__cplusplus)

#define SLUICE_ASYNC static __inline__ __device__ __attribute__((unused))

namespace sluice
{

SLUICE_ASYNC unsigned shared_address(const void *p)
{
	return (unsigned)__cvta_generic_to_shared(p);
}

/* ---- copies: `bytes` is 4, 8 or 16, both ends aligned to it; zeros behind the first `read` ---------------- */

SLUICE_ASYNC void copy_async(void *to, const void *from, size_t bytes, size_t read)
{
	unsigned at = shared_address(to), count = (unsigned)read;
	if (bytes == 16)
		asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at), "l"(from), "r"(count)
		             : "memory");
	else if (bytes == 8)
		asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(at), "l"(from), "r"(count)
		             : "memory");
	else
		asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(at), "l"(from), "r"(count)
		             : "memory");
}
SLUICE_ASYNC void copy_commit()
{
	asm volatile("cp.async.commit_group;" ::: "memory");
}
/* All groups but the last `left` of this thread. */
SLUICE_ASYNC void copy_wait(unsigned left)
{
	switch (left) {
	case 0:
		asm volatile("cp.async.wait_group 0;" ::: "memory");
		break;
	case 1:
		asm volatile("cp.async.wait_group 1;" ::: "memory");
		break;
	case 2:
		asm volatile("cp.async.wait_group 2;" ::: "memory");
		break;
	case 3:
		asm volatile("cp.async.wait_group 3;" ::: "memory");
		break;
	default:
		asm volatile("cp.async.wait_group 4;" ::: "memory");
		break;
	}
}
SLUICE_ASYNC void copy_arrive(void *barrier)
{
	asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(shared_address(barrier)) : "memory");
}

/*
 * Any copy, by `threads` threads of which this is number `rank`: in pieces that
 * the alignment allows, asynchronous where it goes from global to shared memory.
 */
SLUICE_ASYNC void copy_any(void *to, const void *from, size_t bytes, unsigned rank, unsigned threads)
{
	char *out = (char *)to;
	const char *in = (const char *)from;
	size_t all = (size_t)out | (size_t)in | bytes;
	size_t piece = all & 15 ? all & 7 ? all & 3 ? 1 : 4 : 8 : 16;
	bool is_async = piece >= 4 && __isShared(to) && __isGlobal(from);
	for (size_t i = rank * piece; i < bytes; i += threads * piece) {
		if (is_async)
			copy_async(out + i, in + i, piece, piece);
		else
			for (size_t b = 0; b < piece; b++)
				out[i + b] = in[i + b];
	}
}

/* ---- mbarriers ------------------------------------------------------------------------------------------- */

SLUICE_ASYNC void barrier_init(void *barrier, unsigned count)
{
	asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(count)
	             : "memory");
}
SLUICE_ASYNC void barrier_inval(void *barrier)
{
	asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(shared_address(barrier)) : "memory");
}
SLUICE_ASYNC unsigned long long barrier_arrive(void *barrier, unsigned count)
{
	unsigned long long state;
	asm volatile("mbarrier.arrive.shared.b64 %0, [%1], %2;"
	             : "=l"(state)
	             : "r"(shared_address(barrier)), "r"(count)
	             : "memory");
	return state;
}
SLUICE_ASYNC unsigned long long barrier_drop(void *barrier, unsigned count)
{
	unsigned long long state;
	asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1], %2;"
	             : "=l"(state)
	             : "r"(shared_address(barrier)), "r"(count)
	             : "memory");
	return state;
}
SLUICE_ASYNC unsigned long long barrier_arrive_tx(void *barrier, unsigned bytes)
{
	unsigned long long state;
	asm volatile("mbarrier.arrive.expect_tx.shared.b64 %0, [%1], %2;"
	             : "=l"(state)
	             : "r"(shared_address(barrier)), "r"(bytes)
	             : "memory");
	return state;
}
SLUICE_ASYNC void barrier_expect_tx(void *barrier, unsigned bytes)
{
	asm volatile(
	    "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)),
	    "r"(bytes)
	    : "memory");
}
SLUICE_ASYNC bool barrier_try_wait(void *barrier, unsigned long long state)
{
	unsigned over;
	asm volatile("{ .reg .pred p; mbarrier.try_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
	             : "=r"(over)
	             : "r"(shared_address(barrier)), "l"(state)
	             : "memory");
	return over != 0;
}
SLUICE_ASYNC bool barrier_try_wait_parity(void *barrier, bool parity)
{
	unsigned over;
	asm volatile(
	    "{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
	    : "=r"(over)
	    : "r"(shared_address(barrier)), "r"((unsigned)parity)
	    : "memory");
	return over != 0;
}
SLUICE_ASYNC unsigned barrier_pending(unsigned long long state)
{
	unsigned count;
	asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(state));
	return count;
}
/* One bulk copy into shared memory that reports to the barrier; sizes and addresses are multiples of 16. */
SLUICE_ASYNC void copy_bulk(void *to, const void *from, unsigned bytes, void *barrier)
{
	asm volatile(
	    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
	        shared_address(to)),
	    "l"(from), "r"(bytes), "r"(shared_address(barrier))
	    : "memory");
}

} // namespace sluice

#endif
#endif
