/* What an instruction does when it issues. */
#ifndef SLUICE_SM_ISSUE_H
#define SLUICE_SM_ISSUE_H

#include "sm/sm.h"

/* Every scheduler whose time has come issues an instruction, if it can; sets when the next can. */
void issue_cycle(struct sm *sm, cycle_t now);
/* No policy throttles warps, hears of issues or has a cache in this launch: nobody need be asked. */
bool issue_is_plain(const struct sm *sm);
/* It computes a result, and does nothing else when it issues. */
bool issue_is_ordinary(const struct trace_insn *insn);

#endif
