/* What L1 asks of policies about a request, and requests that bypass it. */
#include "sm/l1_internal.h"

static struct l1_request question(const struct l1 *l1, const struct mem_insn *mem,
                                  const struct line_request *request, cycle_t now)
{
	const struct decoded *insn = &l1->launch->insn[mem->insn];
	return (struct l1_request){.cycle = now,
	                           .line = request->line,
	                           .pc = insn->pc,
	                           .sm = l1->sm,
	                           .warp = mem->warp,
	                           .cta = warps_cta_slot(l1->warps, mem->warp),
	                           .set = l1_set(l1, request->line, mem->warp),
	                           .index = mem->next_line,
	                           .count = mem->lines,
	                           .space = mem->space == SPACE_LOCAL    ? POLICY_LOCAL
	                                    : mem->space == SPACE_SHARED ? POLICY_SHARED
	                                                                 : POLICY_GLOBAL,
	                           .is_store = insn->op == OP_STORE,
	                           .is_atomic = insn->op == OP_ATOMIC || insn->op == OP_REDUCE};
}

uint8_t l1_feedback(const struct l1 *l1, const struct mem_insn *mem, const struct line_request *request,
                    cycle_t now)
{
	if (!hooks_has_l1_feedback(l1->hooks))
		return 0;
	struct l1_request about = question(l1, mem, request, now);
	return hooks_l1_feedback(l1->hooks, &about);
}

enum smem_route l1_ask_smem_route(const struct l1 *l1, const struct mem_insn *mem,
                                  const struct line_request *request, cycle_t now)
{
	struct l1_request about = question(l1, mem, request, now);
	return hooks_smem_route(l1->hooks, &about);
}

enum l1_route l1_ask_route(const struct l1 *l1, const struct mem_insn *mem,
                           const struct line_request *request, enum l1_presence presence, enum l1_fail fail,
                           cycle_t now)
{
	struct l1_request about = question(l1, mem, request, now);
	about.presence = (uint8_t)presence;
	enum l1_route answer = hooks_l1_route(l1->hooks, &about, fail);
	return answer == L1_ROUTE_NONE ? L1_ROUTE_CACHE : answer;
}

enum l1_fail l1_send_bypass(struct l1 *l1, struct mem_insn *mem, const struct line_request *request,
                            enum packet_op op, cycle_t now)
{
	if (!port_has_room(l1->port, now))
		return L1_FAIL_MISS_QUEUE;
	l1_send(l1, op, request, request->sectors, TOKEN_LOAD | mem->load, l1_feedback(l1, mem, request, now),
	        now);
	if (op != PACKET_REDUCE)
		loads_wait(l1->loads, mem->load, bits_count(request->sectors));
	return L1_FAIL_NONE;
}
