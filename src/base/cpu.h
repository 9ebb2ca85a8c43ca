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

#endif
