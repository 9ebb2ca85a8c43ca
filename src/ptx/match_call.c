/* Calls: results, target, arguments and prototype against the function that is called. */
#include "ptx/match.h"

/* The parts of "call (r), target, (a, b), prototype"; each may be missing but the target. */
struct call {
	const struct raw_operand *results, *target, *arguments, *prototype;
};

static bool call_split(struct parser *p, const struct ptx_insn *insn, const struct raw_operands *raw,
                       struct call *call)
{
	const struct raw_operand *at = raw->list, *end = at + raw->count;
	*call = (struct call){0};
	if (at < end && at->kind == RAW_LIST) {
		call->results = at;
		at += at->count + 1;
	}
	if (at < end && at->kind != RAW_LIST)
		call->target = at++;
	if (call->target && at < end && at->kind == RAW_LIST) {
		call->arguments = at;
		at += at->count + 1;
	}
	if (call->target && at < end && at->kind == RAW_PROTOTYPE)
		call->prototype = at++;
	if (call->target && at == end)
		return true;
	struct token where = {.line = insn->line, .column = insn->column};
	return parser_fail(p, at < end ? &at->token : &where,
	                   "wrong operands of 'call', expected (results), function, "
	                   "(arguments) and, if indirect, a declared prototype");
}

/* One parameter: a .param variable of `bytes` bytes. */
static bool call_param(struct parser *p, const struct raw_operand *raw, uint64_t bytes, const char *role)
{
	char buf[SHOW_SIZE];
	struct ptx_module *m = p->module;
	if (raw->kind != RAW_VARIABLE || m->variables[raw->index].space != PTX_SPACE_param || raw->value)
		return parser_fail(p, &raw->token, "%s of 'call' is %s, expected a .param variable", role,
		                   parser_show(buf, &raw->token));
	if (m->variables[raw->index].bytes != bytes)
		return parser_fail(p, &raw->token, "%s %s of 'call' has %llu bytes, expected %llu", role,
		                   parser_show(buf, &raw->token),
		                   (unsigned long long)m->variables[raw->index].bytes,
		                   (unsigned long long)bytes);
	*PARSER_PUSH(m->operands, p->capacity.operands, m->operand_count) =
	    (struct ptx_operand){.kind = PTX_SYMBOL, .index = raw->index};
	return true;
}

/* Size of parameter i: results first, then arguments. */
static uint64_t call_bytes(const struct ptx_module *m, const struct call *call, uint32_t i)
{
	if (call->prototype)
		return m->prototypes[call->prototype->index].bytes[i];
	const struct ptx_function *f = &m->functions[call->target->index];
	return m->variables[i < f->result_count ? f->results[i] : f->params[i - f->result_count]].bytes;
}

static bool call_list(struct parser *p, const struct call *call, const struct raw_operand *list,
                      uint32_t first, const char *role)
{
	for (uint32_t i = 0; list && i < list->count; i++)
		if (!call_param(p, list + 1 + i, call_bytes(p->module, call, first + i), role))
			return false;
	return true;
}

static bool call_counts(struct parser *p, const struct call *call, uint32_t results, uint32_t params)
{
	uint32_t given_results = call->results ? call->results->count : 0;
	uint32_t given_params = call->arguments ? call->arguments->count : 0;
	char buf[SHOW_SIZE];
	if (given_results != results)
		return parser_fail(p, &call->target->token, "call of %s with %u results, expected %u",
		                   parser_show(buf, &call->target->token), given_results, results);
	if (given_params != params)
		return parser_fail(p, &call->target->token, "call of %s with %u arguments, expected %u",
		                   parser_show(buf, &call->target->token), given_params, params);
	return true;
}

static bool call_target(struct parser *p, const struct call *call)
{
	char buf[SHOW_SIZE];
	const struct raw_operand *target = call->target;
	const struct ptx_module *m = p->module;
	if (target->kind == RAW_FUNCTION && !target->value && !call->prototype) {
		const struct ptx_function *f = &m->functions[target->index];
		return call_counts(p, call, f->result_count, f->param_count);
	}
	if (target->kind == RAW_NAME)
		return parser_fail(p, &target->token,
		                   "undefined function %s, expected one that is declared before",
		                   parser_show(buf, &target->token));
	if (target->kind == RAW_REGISTER && call->prototype) {
		const struct ptx_prototype *proto = &m->prototypes[call->prototype->index];
		if (ptx_type_bytes(p->registers[target->index].type) != 8)
			return parser_fail(p, &target->token,
			                   "call through %s, expected a register of 64 bits",
			                   parser_show(buf, &target->token));
		return call_counts(p, call, proto->result_count, proto->param_count);
	}
	return parser_fail(p, &target->token,
	                   "call of %s, expected a function, or a register and a prototype",
	                   parser_show(buf, &target->token));
}

bool match_call(struct parser *p, struct ptx_insn *insn, const struct raw_operands *raw)
{
	struct call call;
	struct ptx_module *m = p->module;
	if (!call_split(p, insn, raw, &call) || !call_target(p, &call))
		return false;
	uint32_t results = call.results ? call.results->count : 0;
	if (!call_list(p, &call, call.results, 0, "result"))
		return false;
	*PARSER_PUSH(m->operands, p->capacity.operands, m->operand_count) = (struct ptx_operand){
	    .kind = call.target->kind == RAW_REGISTER ? PTX_REG : PTX_FUNCTION, .index = call.target->index};
	if (!call_list(p, &call, call.arguments, results, "argument"))
		return false;
	if (call.prototype)
		*PARSER_PUSH(m->operands, p->capacity.operands, m->operand_count) =
		    (struct ptx_operand){.kind = PTX_PROTOTYPE, .index = call.prototype->index};
	insn->result_count = (uint8_t)results;
	insn->source_count = (uint8_t)(m->operand_count - insn->first_operand - results);
	return true;
}
