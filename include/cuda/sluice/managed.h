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
/* Null in a program that links another CUDA runtime: it is told so when it starts. */
extern void __sluiceRegisterManaged(void *first, void *end) __attribute__((weak));
extern long sluice_write(int to, const void *bytes, unsigned long count) __asm__("write");
extern void sluice_exit(int status) __asm__("_exit");
}

/* Modules register themselves at the default priority, which comes later. */
__attribute__((constructor(101))) static void sluice_register_managed(void)
{
	if (!__sluiceRegisterManaged) {
		static const char text[] =
		    "sluice: this program was compiled by 'sluice cc', but links another CUDA runtime than sluice's; "
		    "link it with 'sluice cc', or with the folder lib64 of 'sluice toolkit' in front of all others\n";
		if (sluice_write(2, text, sizeof text - 1))
			sluice_exit(127);
	}
	if (__start_sluice_managed != __stop_sluice_managed)
		__sluiceRegisterManaged(__start_sluice_managed, __stop_sluice_managed);
}
#endif

#endif
