/*
 * What compiled programs register before main(): PTX modules, and the host
 * addresses that stand for their kernels, variables and textures.
 *
 * A module is parsed and loaded at its first use. Names may repeat between
 * modules, host addresses may not; of several modules that bring the same
 * template kernel, the first one counts.
 */
#ifndef SLUICE_CUDART_REGISTRY_H
#define SLUICE_CUDART_REGISTRY_H

#include <stdbool.h>

#include "cuda/executor/exec.h"
#include "cudart/api.h"

struct runtime;

/* A __managed__ variable: host and device use one address. */
struct managed_variable {
	void *host; /* where it lies */
	const char *name;
	uint64_t bytes;
};

/* Where a program keeps its managed variables. */
struct managed_section {
	uint64_t first, end;
};

struct module {
	unsigned number;  /* from 1, in messages */
	const char *text; /* the program's own bytes, zero at the end */
	struct loaded_module *loaded;
	cudaError_t failure; /* why it cannot be loaded */
	bool is_gone;        /* unregistered */
	struct managed_variable *managed;
	unsigned managed_count;
	char *owned;           /* the text, where it is a copy of ours */
	char *linked;          /* its text and those of the files that it needs, or that need it */
	struct module *leader; /* the module that was loaded with this one's text; NULL: it has its own */
	uint8_t **initial;     /* by variable: what it held when it was loaded; NULL: zeros */
};

/* What cudaFuncSetAttribute() has set. */
struct function_settings {
	bool has_max_dynamic_shared;
	uint32_t max_dynamic_shared;
	bool has_carveout;
	int carveout; /* percent, -1: the driver's choice */
	bool allows_large_clusters;
	int cluster_policy;
};

enum symbol_kind { SYMBOL_FUNCTION, SYMBOL_VARIABLE, SYMBOL_TEXTURE };

struct symbol {
	const void *host;
	const char *name; /* on the device */
	struct module *module;
	enum symbol_kind kind;
	uint64_t bytes;                    /* of a variable, as the host sees it */
	bool reads_normalized;             /* texture<..., cudaReadModeNormalizedFloat> */
	int dimensions;                    /* of a texture */
	struct function_settings settings; /* of a function */
	uint32_t entry;                    /* of a function, once it is_resolved */
	bool is_resolved;
	/* What a texture is bound to, for cudaGetTextureAlignmentOffset(). */
	bool is_bound;
	size_t bound_offset;
};

struct registry {
	struct module **modules;
	unsigned module_count;
	struct symbol **table; /* open addressing by host address */
	size_t symbol_count, table_size;
	struct managed_section *sections;
	unsigned section_count;
	const struct module *loading; /* whose variables are being placed */
};

/* Where a host address is in a table of 2^n slots, or would be. */
struct symbol **registry_slot(struct symbol **table, size_t size, const void *host);
/* NULL: not registered, of another kind, or its module is gone. */
struct symbol *registry_find(const struct registry *registry, const void *host, enum symbol_kind kind);
/* By device name, as programs of CUDA 4 and before do; `duplicate`: several modules have it. */
struct symbol *registry_find_name(const struct registry *registry, const char *name, enum symbol_kind kind,
                                  bool *duplicate);

/* The newest architecture that a module was compiled for, 90 of sm_90; 0: none is known. Parses nothing else. */
uint32_t registry_target(const struct registry *registry);
/* A module that the program gives as text (driver API); the text is copied. */
struct module *registry_add(struct registry *registry, const char *text);
/* Adds a symbol unless its address is known. */
struct symbol *registry_add_symbol(struct registry *registry, const struct symbol *what);
/* For the executor: where a managed variable of the module that is being loaded lies; 0: it is none. */
uint64_t registry_place(void *rt, const char *name, uint64_t bytes);
/* Parses and loads it if need be; the first failure is said on stderr. */
cudaError_t registry_load(struct runtime *rt, struct module *module);
/* The same for a caller that has a place for the message; it stays empty where there is none. */
cudaError_t registry_load_quietly(struct runtime *rt, struct module *module, struct error *err);
/* Gives a loaded module's memory back. Not while a recorder might refer to it. */
void registry_unload(struct runtime *rt, struct module *module);
/*
 * Variables hold again what they held at first. Modules stay loaded until the
 * end: the recorder knows kernels by their module.
 */
void registry_reset(struct runtime *rt);
void registry_unload_all(struct runtime *rt);

/* The entry of the kernel whose host function is at `host`, its module loaded. */
cudaError_t registry_kernel(struct runtime *rt, const void *host, struct symbol **symbol, uint32_t *entry);
/* A variable by host address or name. */
cudaError_t registry_variable(struct runtime *rt, const void *symbol, uint64_t *address, uint64_t *bytes);
/* The texture that kernels see behind a texture reference. */
cudaError_t registry_texture(struct runtime *rt, const void *reference, struct symbol **symbol,
                             struct texture **texture);

#endif
