/*
 * Loads in optimized intermediate code, made as wide as nvcc makes them. Of a vector of four words, a single one that is
 * used is loaded alone, the first or second half as a half, two others one by one. Single elements of an aligned group of
 * four are loaded at once where nvcc does so.
 */
#ifndef SLUICE_CC_IR_LOADS_H
#define SLUICE_CC_IR_LOADS_H

/* Return the module with its loads rewritten, for the caller to free; NULL if none changes. */
char *ir_rewrite_loads(const char *module);

#endif
