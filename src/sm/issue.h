/* What an instruction does when it issues. */
#ifndef SLUICE_SM_ISSUE_H
#define SLUICE_SM_ISSUE_H

#include "sm/sm.h"

/*
 * Issue instructions from sm->now on: each scheduler whose time has come issues one, if it can, and sm->alarm says when the
 * next can. If policies are asked, only the cycle sm->now; otherwise all cycles before `end`, the LSU's next turn and the
 * next end of an epoch. sm->now becomes the last cycle. The three modes are compiled from one function (issue.c), with
 * the mode as a constant.
 */
void issue_cycles(struct sm *sm, cycle_t end);
/* The mode of the launch that begins. */
enum issue_mode issue_mode_of(const struct sm *sm);
/* enum effect: what the instruction does when it issues, in addition to computing a result. */
uint8_t issue_effects(const struct trace_insn *insn);
/* decoded.counted of an access. */
uint8_t issue_counter(uint8_t op, enum mem_space space);

#endif
