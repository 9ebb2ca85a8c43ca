/* Grids that kernels launch. */
#ifndef SLUICE_CUDART_CHILD_H
#define SLUICE_CUDART_CHILD_H

#include "cudart/launch.h"

/* For the executor: checks a child and keeps it for later; a cudaError. */
uint32_t child_accept(void *rt, const struct exec_child *child);
/* The parent has ended: runs its children, and theirs. */
void children_run(struct runtime *rt);

#endif
