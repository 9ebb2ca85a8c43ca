/*
 * The executor: run PTX kernels on the host, one warp at a time.
 *
 * It is purely functional and has no notion of time. CTAs run in launch order,
 * one after the other. When one waits for another (spinning on memory), as many
 * CTAs as a GPU holds at once take turns. Results do not depend on the host.
 */
#ifndef SLUICE_CUDA_EXEC_H
#define SLUICE_CUDA_EXEC_H

#include "cuda/memory/memory.h"
#include "cuda/memory/texture.h"
#include "cuda/recorder/recorder.h"
#include "ptx/ptx.h"

/* A module in device memory. */
struct loaded_module {
	struct ptx_module *ptx;
	uint64_t *variable_address;   /* by variable; 0: not global or const. texref: a texture handle */
	struct exec_kernel **kernels; /* by function; decoded on first launch */
	uint32_t id;                  /* part of its functions' addresses */
};

/* What a kernel launches. */
struct exec_child {
	const struct loaded_module *module;
	uint32_t entry;
	struct trace_dim grid, block;
	uint32_t dynamic_shared_bytes;
	uint64_t stream;
	const void *parameters; /* the block, as large as the kernel's; NULL if it takes none */
};

struct exec_options {
	uint32_t warp_size; /* 32 or 64 */
	uint32_t sm_count;  /* for %nsmid, and how many CTAs are co-resident at most */
	uint32_t ctas_per_sm;
	uint64_t spin_budget; /* warp instructions of a launch without any CTA, warp or memory progress */
	uint64_t insn_limit;  /* warp instructions of all launches, for input that may run forever; 0: none */
	uint32_t stack_bytes; /* per thread */
	uint64_t heap_bytes;  /* of device malloc */
	bool check_races;
	bool lenient_memory; /* reads near an allocation pass with a warning */
	void (*warn)(void *user, const char *text);
	/* The address of a variable that the caller places (__managed__); 0: the executor places it. NULL: it places all. */
	uint64_t (*place_variable)(void *user, const char *name, uint64_t bytes);
	/*
	 * A kernel launches another, which is to run when the parent has ended. `child` is
	 * valid until the call returns. Returns a cudaError, 0: accepted. NULL: such launches fault.
	 */
	uint32_t (*launch_child)(void *user, const struct exec_child *child);
	/* Output of device printf; NULL: stdout. */
	void (*print)(void *user, const char *text, size_t bytes);
	void *user;
};

struct exec; /* executor with its scratch memory */

struct exec *exec_new(struct device_memory *memory, const struct exec_options *options, struct error *err);
void exec_free(struct exec *exec);

/*
 * Load a module: allocate and fill its variables. The loaded module owns `module` and
 * frees it. NULL: err, and the caller keeps `module`.
 */
struct loaded_module *exec_load(struct exec *exec, struct ptx_module *module, struct error *err);
void exec_unload(struct exec *exec, struct loaded_module *module);

/* Handles that kernels hold: texture objects, and those of texrefs. 0 is not a handle. */
uint64_t exec_new_texture(struct exec *exec, const struct texture *texture);
struct texture *exec_texture(struct exec *exec, uint64_t handle); /* NULL: no such */
void exec_free_texture(struct exec *exec, uint64_t handle);

struct exec_launch {
	struct loaded_module *module;
	uint32_t entry; /* function */
	struct trace_dim grid, block;
	struct trace_dim
	    cluster; /* CTAs that run together and see each other's shared memory; 0: as the kernel says, or 1 */
	uint32_t dynamic_shared_bytes;
	uint32_t stream;
	uint32_t registers_per_thread; /* 0: by liveness */
	uint32_t ctas_per_sm;          /* that fit on an SM; 0: the option's */
	void *const *args;             /* args[i]: the bytes of parameter i */
	struct recorder *recorder;     /* NULL: do not record */
};

enum exec_status {
	EXEC_DONE,
	EXEC_ILLEGAL_ADDRESS,
	EXEC_MISALIGNED,
	EXEC_ILLEGAL_INSTRUCTION, /* trap, call of an undefined function */
	EXEC_ASSERT,
	EXEC_STACK_OVERFLOW,
	EXEC_SPINNING, /* the budget ran out */
	EXEC_UNSUPPORTED
};

/*
 * Run a launch to its end. On any status but EXEC_DONE, `report` says what
 * happened: kernel, source line, PTX, CTA, warp, lanes, addresses.
 */
enum exec_status exec_run(struct exec *exec, const struct exec_launch *launch, struct error *report);

/* The resources that the kernel takes on a GPU; the first call decodes it. NULL: err. */
const struct ptx_kernel *exec_kernel_facts(struct exec *exec, struct loaded_module *module, uint32_t entry,
                                           struct error *err);

struct exec_totals {
	uint64_t launches, ctas, warp_insns; /* PTX instructions executed, per warp */
	uint64_t races;                      /* pairs of accesses found by check_races */
};
struct exec_totals exec_totals(const struct exec *exec);
/* The text of race i; NULL past the last one kept. */
const char *exec_race(const struct exec *exec, unsigned i);

#endif
