/*
 * A perfect L1: every load finds its lines at hit latency and sends nothing.
 * The bound of what any mechanism in L1 can gain. Stores and atomics go their
 * way, and a load still takes its turns in the LSU, one per line.
 */
#include "policy/policy.h"

static enum l1_route perfect_l1_route(void *sm, const struct l1_request *request, enum l1_fail fail)
{
	(void)sm;
	(void)fail;
	return request->is_store || request->is_atomic ? L1_ROUTE_NONE : L1_ROUTE_HIT;
}

const struct policy policy_perfect_l1 = {
    .abi = POLICY_ABI,
    .name = "perfect-l1",
    .title = "every load hits in L1",
    .citation = "a limit, of no paper",
    .l1_route = perfect_l1_route,
};
