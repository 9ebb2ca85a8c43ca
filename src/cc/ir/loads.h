/*
 * Loads in optimised intermediate code, made as wide as nvcc makes them: of a
 * vector of four words, one that is used is loaded alone, two that are its
 * first or second half as that half, two others one by one; and single elements
 * of a group at once where nvcc does so (cc/ir/groups.h).
 */
#ifndef SLUICE_CC_IR_LOADS_H
#define SLUICE_CC_IR_LOADS_H

/* The module with its loads rewritten, for the caller to free; NULL: none was to be. */
char *ir_rewrite_loads(const char *module);

#endif
