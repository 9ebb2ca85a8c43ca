/* What an instruction does when it issues. */
#ifndef SLUICE_SM_ISSUE_H
#define SLUICE_SM_ISSUE_H

#include "sm/sm.h"

/*
 * At sm->now, every scheduler whose time has come issues an instruction, if it can; sets when the next can. Where nobody
 * need be asked, so it goes on in the cycles before `end`, when something else happens than an issue, as long as the
 * LSU's turn or an epoch's end does not come first; sm->now becomes the last of them.
 */
void issue_cycles(struct sm *sm, cycle_t end);
/* Of the launch that begins: whether policies throttle warps, hear of issues or have a cache, or only observers do. */
enum issue_mode issue_mode_of(const struct sm *sm);
/* enum effect: what it does when it issues, beside computing a result. */
uint8_t issue_effects(const struct trace_insn *insn);
/* decoded.counted of an access. */
uint8_t issue_counter(uint8_t op, enum mem_space space);

#endif
