/* What the host's processor offers beyond C. */
#ifndef SLUICE_BASE_CPU_H
#define SLUICE_BASE_CPU_H

/* Tell the processor that this thread only waits for another. */
static inline void cpu_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

/*
 * Prefetch a host cache line. The state of a large GPU does not fit into a host's caches; prefetching the lines that the
 * next hundred steps touch overlaps a hundred misses.
 */
static inline void cpu_fetch(const void *address)
{
	__builtin_prefetch(address);
}

#endif
