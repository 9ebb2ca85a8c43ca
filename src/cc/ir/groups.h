/*
 * Elements of an aligned group of four that a block loads one by one. nvcc
 * loads the group at once, with the elements that nobody asked for, if the
 * first is among them and they are not just the first two, nor two words of
 * which each is in another half; LLVM joins neighbours only. nvcc does not do
 * so with stores.
 */
#ifndef SLUICE_CC_IR_GROUPS_H
#define SLUICE_CC_IR_GROUPS_H

#include "cc/ir/function.h"

/* Nothing moves across what may write memory or order it, or out of its block. */
void ir_join_groups(struct ir_function *function);

#endif
