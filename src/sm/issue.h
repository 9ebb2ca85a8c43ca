/* What an instruction does when it issues. */
#ifndef SLUICE_SM_ISSUE_H
#define SLUICE_SM_ISSUE_H

#include "sm/sm.h"

/* A scheduler whose time has come issues an instruction, if it can. */
void issue_from(struct sm *sm, struct scheduler *sched, cycle_t now);

#endif
