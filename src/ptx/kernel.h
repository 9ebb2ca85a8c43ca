/* What a launch of a kernel takes. Part of ptx.h. */
#ifndef SLUICE_PTX_KERNEL_H
#define SLUICE_PTX_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct ptx_module;
struct ptx_variable;

/* What the address of a shared variable is a multiple of: in compiled code, of 16 if it has so many bytes. */
uint32_t ptx_shared_align(const struct ptx_module *module, const struct ptx_variable *variable);

/* What an entry needs: functions it may reach, shared variables laid out, registers over the call graph. */
struct ptx_kernel {
	uint32_t entry;
	uint32_t *functions, function_count; /* entry first */
	uint64_t *shared_offset;             /* by variable; UINT64_MAX: not a shared variable it uses */
	uint32_t shared_bytes;               /* static */
	uint32_t dynamic_offset;             /* where extern shared arrays start */
	uint32_t registers; /* per thread: 16 ... 255, rounded as hardware does (8); see kernel.c */
	bool is_recursive, calls_indirectly;
};
struct ptx_kernel *ptx_kernel_new(const struct ptx_module *module, uint32_t entry, struct error *err);
void ptx_kernel_free(struct ptx_kernel *kernel);

#endif
