/*
 * __managed__ variables: the host's copy of such a variable lies in a section
 * of its own, and the runtime puts the device's variable at the same address.
 * This tells the runtime, before modules are registered, where the section is.
 */
#ifndef SLUICE_CUDA_MANAGED_H
#define SLUICE_CUDA_MANAGED_H

#if !defined(__CUDA_ARCH__)
extern "C" {
/* The linker's names for the ends of the section; null in a program without any. */
extern char __start_sluice_managed[] __attribute__((weak, visibility("hidden")));
extern char __stop_sluice_managed[] __attribute__((weak, visibility("hidden")));
extern void __sluiceRegisterManaged(void *first, void *end);
}

/* Modules register themselves at the default priority, which comes later. */
__attribute__((constructor(101))) static void sluice_register_managed(void)
{
	if (__start_sluice_managed != __stop_sluice_managed)
		__sluiceRegisterManaged(__start_sluice_managed, __stop_sluice_managed);
}
#endif

#endif
