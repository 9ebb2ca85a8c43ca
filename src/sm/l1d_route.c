/* What L1 asks of policies about a request, and the way past it. */
#include "sm/l1d.h"

static struct l1_request question(const struct sm *sm, const struct mem_insn *mem,
                                  const struct line_request *request, cycle_t now)
{
	const struct decoded *insn = &sm->launch->insn[mem->insn];
	return (struct l1_request){.cycle = now,
	                           .line = request->line,
	                           .pc = insn->pc,
	                           .sm = sm->id,
	                           .warp = mem->warp,
	                           .cta = sm->warp[mem->warp].cta_slot,
	                           .set = l1d_set(sm, request->line, mem->warp),
	                           .index = mem->next_line,
	                           .count = mem->lines,
	                           .space = mem->space == SPACE_LOCAL    ? POLICY_LOCAL
	                                    : mem->space == SPACE_SHARED ? POLICY_SHARED
	                                                                 : POLICY_GLOBAL,
	                           .is_store = insn->op == OP_STORE,
	                           .is_atomic = insn->op == OP_ATOMIC || insn->op == OP_REDUCE};
}

uint8_t l1d_feedback(struct sm *sm, const struct mem_insn *mem, const struct line_request *request,
                     cycle_t now)
{
	if (!hooks_has_l1_feedback(&sm->hooks))
		return 0;
	struct l1_request about = question(sm, mem, request, now);
	return hooks_l1_feedback(&sm->hooks, &about);
}

enum l1_fail l1d_send_past(struct sm *sm, struct mem_insn *mem, const struct line_request *request,
                           enum packet_op op, cycle_t now)
{
	if (!port_has_room(sm, now))
		return L1_FAIL_MISS_QUEUE;
	l1d_send(sm, op, request, request->sectors, TOKEN_LOAD | mem->load,
	         l1d_feedback(sm, mem, request, now), now);
	if (op != PACKET_REDUCE)
		sm->loads[mem->load].waiting += bits_count(request->sectors);
	return L1_FAIL_NONE;
}

enum smem_route l1d_ask_smem_route(struct sm *sm, const struct mem_insn *mem,
                                   const struct line_request *request, cycle_t now)
{
	struct l1_request about = question(sm, mem, request, now);
	return hooks_smem_route(&sm->hooks, &about);
}

enum l1_route l1d_ask_route(struct sm *sm, const struct mem_insn *mem, const struct line_request *request,
                            enum l1_presence presence, enum l1_fail fail, cycle_t now)
{
	struct l1_request about = question(sm, mem, request, now);
	about.presence = (uint8_t)presence;
	enum l1_route answer = hooks_l1_route(&sm->hooks, &about, fail);
	return answer == L1_ROUTE_PASS ? L1_ROUTE_CACHE : answer;
}
