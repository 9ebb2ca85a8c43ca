/* What the host's processor offers beyond C. */
#ifndef SLUICE_BASE_CPU_H
#define SLUICE_BASE_CPU_H

/* Tells the processor that this thread is only waiting for another. */
static inline void cpu_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

/*
 * Has the processor fetch a host cache line that is needed soon. The state of a large GPU does not fit into a host's
 * caches: who knows what the next hundred steps will touch asks for all of it at once, instead of waiting a hundred times.
 */
static inline void cpu_fetch(const void *address)
{
	__builtin_prefetch(address);
}

#endif
