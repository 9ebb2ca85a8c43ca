/* Functions of formulas about machines and policies: values, parameters, storage, set indices. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/suggest.h"
#include "cache/index.h"
#include "machine/catalog.h"
#include "papers/formula/formula.h"
#include "policy/chain.h"

struct array formula_machine_value(struct scratch *scratch, const struct machine *machine,
                                   const struct machine_key *key)
{
	char text[64], *end;
	machine_format_value(machine, key, text, sizeof text);
	if (!strcmp(text, "yes") || !strcmp(text, "no"))
		return array_number(scratch, !strcmp(text, "yes"));
	double number = strtod(text, &end);
	return end != text && !*end ? array_number(scratch, number) : array_text(scratch, text);
}

static bool find_value(const struct machine *machine, const char *name, struct scratch *scratch,
                       struct array *out, struct error *why)
{
	size_t count;
	const struct machine_key *keys = machine_keys(&count);
	char question[SUGGEST_SIZE];
	struct suggest near = suggest_start(name);
	char(*full)[96] = scratch_new(scratch, count, sizeof *full);
	for (size_t i = 0; i < count; i++) {
		snprintf(full[i], sizeof full[i], "%s.%s", keys[i].section, keys[i].key);
		if (!strcmp(full[i], name)) {
			*out = formula_machine_value(scratch, machine, &keys[i]);
			return true;
		}
		suggest_offer(&near, full[i]);
	}
	return error_set(why, "no key '%s' of a machine%s", name, suggest_question(&near, question));
}

static bool call_machine(const struct evaluation *e, const struct formula_node *node, struct array *out)
{
	const char *name, *key;
	struct error why = {{0}};
	if (!formula_text_argument(e, node, 0, &name) || !formula_text_argument(e, node, 1, &key))
		return false;
	struct machine *machine = machine_load(name, &why);
	bool ok = machine && find_value(machine, key, e->scratch, out, &why);
	if (machine)
		machine_free(machine);
	return ok || evaluation_fail(e, node, "%s", why.text);
}

static bool call_param(const struct evaluation *e, const struct formula_node *node, struct array *out)
{
	const char *name, *param;
	if (!formula_text_argument(e, node, 0, &name) || !formula_text_argument(e, node, 1, &param))
		return false;
	const struct policy *policy = policy_find(name);
	char question[SUGGEST_SIZE];
	struct suggest near = suggest_start(policy ? param : name);
	for (uint32_t i = 0; policy && i < policy->param_count; i++) {
		if (!strcmp(policy->params[i].name, param)) {
			*out = array_number(e->scratch, policy->params[i].default_value);
			return true;
		}
		suggest_offer(&near, policy->params[i].name);
	}
	for (size_t i = 0; !policy && policy_registry[i]; i++)
		suggest_offer(&near, policy_registry[i]->name);
	return evaluation_fail(e, node, "no %s '%s'%s", policy ? "parameter" : "policy",
	                       policy ? param : name, suggest_question(&near, question));
}

/* Make the chain and the machine that the first two arguments name. */
static bool load_chain(const struct evaluation *e, const struct formula_node *node, struct machine **machine,
                       struct chain **chain)
{
	const char *policy, *name;
	struct error why = {{0}};
	*chain = NULL;
	*machine = NULL;
	if (!formula_text_argument(e, node, 0, &policy) || !formula_text_argument(e, node, 1, &name))
		return false;
	*machine = machine_load(name, &why);
	*chain = *machine ? chain_new(policy, *machine, &why) : NULL;
	if (*chain)
		return true;
	if (*machine)
		machine_free(*machine);
	return evaluation_fail(e, node, "%s", why.text);
}

static bool call_storage(const struct evaluation *e, const struct formula_node *node, struct array *out)
{
	struct machine *machine;
	struct chain *chain;
	bool gpu = !strcmp(node->text, "storage_gpu_bits");
	double bits = 0;
	if (!load_chain(e, node, &machine, &chain))
		return false;
	for (uint32_t i = 0; i < chain->count; i++) {
		struct policy_env env = chain_env(chain, i, 0);
		const struct policy *policy = &chain->link[i].policy;
		uint64_t (*of)(const struct policy_env *) = gpu ? policy->gpu_bits : policy->sm_bits;
		bits += of ? (double)of(&env) : 0;
	}
	chain_free(chain);
	machine_free(machine);
	*out = array_number(e->scratch, bits);
	return true;
}

/* Return the set of a line by the chain's index if it has one, else by the machine's. */
static uint32_t set_of(const struct chain *chain, const struct index *index, uint64_t line, uint32_t sets)
{
	uint32_t link = chain->has_set_index ? (uint32_t)__builtin_ctz(chain->has_set_index) : 0;
	uint32_t set = chain->has_set_index
	                   ? chain->link[link].policy.set_index(chain->link[link].params, line, sets, 0)
	                   : index_of(index, line);
	return set % sets;
}

static bool count_sets(const struct chain *chain, const struct machine *machine, double stride, double count,
                       double *distinct, struct error *why)
{
	uint32_t sets = machine->l1d_sets;
	struct index index;
	if (!index_build(&index, machine->l1d_index, sets, machine->l1d_line_bytes, why))
		return false;
	bool *used = memory_zeroed(sets, sizeof *used);
	*distinct = 0;
	for (uint64_t i = 0; i < (uint64_t)count; i++) {
		uint32_t set = set_of(chain, &index, i * (uint64_t)stride, sets);
		*distinct += !used[set];
		used[set] = true;
	}
	free(used);
	return true;
}

static bool call_sets(const struct evaluation *e, const struct formula_node *node, struct array *out)
{
	struct machine *machine;
	struct chain *chain;
	double stride = 0, count = 0;
	if (!load_chain(e, node, &machine, &chain))
		return false;
	bool ok = formula_number_argument(e, node, 2, &stride) && formula_number_argument(e, node, 3, &count);
	if (ok && !(stride >= 0 && stride < 1e9 && count >= 1 && count < 1e6))
		ok = evaluation_fail(e, node, "sets_used: a stride below 1e9 and 1 to 1e6 lines");
	double distinct = 0;
	struct error why = {{0}};
	if (ok && !count_sets(chain, machine, stride, count, &distinct, &why))
		ok = evaluation_fail(e, node, "%s", why.text);
	*out = array_number(e->scratch, distinct);
	chain_free(chain);
	machine_free(machine);
	return ok;
}

/* set_of("pric", "gtx480-khairy", line): the L1 set of a line, by its number. */
static bool call_set_of(const struct evaluation *e, const struct formula_node *node, struct array *out)
{
	struct machine *machine;
	struct chain *chain;
	struct index index;
	struct error why = {{0}};
	double line = 0;
	if (!load_chain(e, node, &machine, &chain))
		return false;
	bool ok = formula_number_argument(e, node, 2, &line);
	if (ok && !(line >= 0 && line < 0x1p48))
		ok = evaluation_fail(e, node, "set_of: a line is a number from 0 to 2^48");
	if (ok && !index_build(&index, machine->l1d_index, machine->l1d_sets, machine->l1d_line_bytes, &why))
		ok = evaluation_fail(e, node, "%s", why.text);
	*out = array_number(e->scratch,
	                    ok ? (double)set_of(chain, &index, (uint64_t)line, machine->l1d_sets) : NAN);
	chain_free(chain);
	machine_free(machine);
	return ok;
}

bool formula_call_model(const struct evaluation *e, const struct formula_node *node, struct array *out,
                        bool *known)
{
	static const struct {
		const char *name;
		bool (*call)(const struct evaluation *e, const struct formula_node *node, struct array *out);
	} functions[] = {{"machine", call_machine},      {"param", call_param},
	                 {"storage_bits", call_storage}, {"storage_gpu_bits", call_storage},
	                 {"sets_used", call_sets},       {"set_of", call_set_of}};
	*known = true;
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
		if (!strcmp(node->text, functions[i].name))
			return functions[i].call(e, node, out);
	*known = false;
	return false;
}
