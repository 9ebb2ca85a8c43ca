/* What an SM will look at in the next quantum, fetched by the host ahead of sm_run_until(). */
#ifndef SLUICE_SM_EXPECT_H
#define SLUICE_SM_EXPECT_H

#include "sm/sm.h"

/* The replies that arrive before `until`: their MSHRs, then, when those are there, the sets that they fill and the loads that wait. */
void sm_expect(const struct sm *sm, cycle_t until);

#endif
