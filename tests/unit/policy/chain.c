/* What is written as a chain of policies, and tables of policies that are wrong: each mistake with its answer. */
#include "machine/machine.h"
#include "policy/chain.h"
#include "test.h"

static struct machine *machine;

static bool refuses(const char *text, const char *message)
{
	struct error err = {""};
	struct chain *chain = chain_new(text, machine, &err);
	bool ok = !chain && strstr(err.text, message);
	if (!ok)
		printf("# '%s': %s\n", text, chain ? "taken" : err.text);
	chain_free(chain);
	return ok;
}

TEST(mistakes_in_a_chain_are_named)
{
	static const char *const rows[][2] = {
	    {"gtoo", "unknown policy 'gtoo'; did you mean 'gto'?"},
	    {"something else entirely",
	     "unknown policy 'something else entirely'; 'sluice policy list' shows"},
	    {"gto,gto", "policy 'gto' is given twice"},
	    {"gto,lrr", "policies 'gto' and 'lrr' both own order"},
	    {"swl:n", "policy swl: expected parameter=value, found 'n'"},
	    {"swl:n=", "policy swl: '' is no value for n"},
	    {"swl:n=x", "policy swl: 'x' is no value for n"},
	    {"swl:n=3x", "policy swl: '3x' is no value for n"},
	    {"swl:n=inf", "policy swl: 'inf' is no value for n"},
	    {"swl:n=nan", "policy swl: 'nan' is no value for n"},
	    {"swl:n=1.5", "policy swl: n must be a whole number, not 1.5"},
	    {"swl:n=-1", "policy swl: n must be "},
	    {"swl:n=1e9", "policy swl: n must be "},
	    {"swl:m=1", "policy swl has no parameter 'm'; did you mean 'n'?"},
	    {"swl:something=1", "policy swl has no parameter 'something'"},
	    {"./nowhere.so", "nowhere.so"},
	    {"nowhere.so", "nowhere.so"},
	    {"gto,lib/x", "lib/x"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		CHECK(refuses(rows[i][0], rows[i][1]));
}

TEST(a_bundle_hands_its_parameters_to_its_parts)
{
	const char *name = NULL, *param = NULL;
	for (size_t i = 0; policy_registry[i] && !name; i++)
		name = policy_registry[i]->bundle ? policy_registry[i]->name : NULL;
	CHECK(name);
	struct error err = {""};
	struct chain *chain = chain_new(name, machine, &err);
	CHECK(chain && chain->count > 1);
	for (uint32_t i = 0; i < chain->count; i++) {
		bool is_usual = i + 1 == chain->count && !strcmp(chain->link[i].policy.name, "gto");
		CHECK(is_usual || (chain->link[i].bundle && !strcmp(chain->link[i].bundle, name)));
		if (chain->link[i].policy.param_count)
			param = chain->link[i].policy.params[0].name;
	}
	chain_free(chain);
	char text[128];
	snprintf(text, sizeof text, "%s:no_such=1", name);
	CHECK(refuses(text, "has no parameter 'no_such'"));
	if (param) {
		snprintf(text, sizeof text, "%s:%s=x", name, param);
		CHECK(refuses(text, "'x' is no value for"));
	}
	snprintf(text, sizeof text, "%s,%s", name, name);
	CHECK(refuses(text, "given twice"));
}

/* Values that are each in their range and yet make no policy. */
TEST(a_policy_refuses_values_that_do_not_fit_together)
{
	CHECK(refuses("tian:bits=2:threshold=4", "must fit into the bits of a counter"));
	CHECK(refuses("tian:bits=2:threshold=3:initial=4", "must fit into the bits of a counter"));
	CHECK(refuses("osm:size=16:ways=3", "size must be a whole number of sets"));
	CHECK(refuses("pric:poly=7", "the degree of the polynomial is not log2 of the L1 sets"));
}

/* Every policy says how many bits of storage it takes, whatever its parameters are. */
TEST(the_storage_of_each_policy_is_counted)
{
	unsigned counted = 0;
	for (size_t i = 0; policy_registry[i]; i++) {
		struct error err = {""};
		struct chain *chain = chain_new(policy_registry[i]->name, machine, &err);
		for (uint32_t k = 0; chain && k < chain->count; k++) {
			const struct policy *p = &chain->link[k].policy;
			struct policy_env env = chain_env(chain, k, 0);
			if (p->sm_bits)
				CHECK(p->sm_bits(&env) < UINT64_C(1) << 40);
			if (p->gpu_bits)
				CHECK(p->gpu_bits(&env) < UINT64_C(1) << 40);
			counted += (p->sm_bits && p->sm_bits(&env)) || (p->gpu_bits && p->gpu_bits(&env));
		}
		chain_free(chain);
	}
	CHECK(counted > 10);
}

/* ---- tables ------------------------------------------------------------------------------------------------ */

struct given {
	uint32_t number;
	bool flag;
};

static const struct policy_param good_params[] = {
    PARAM_U32(struct given, number, 3, 1, 9, "warps", "a number"),
    PARAM_BOOL(struct given, flag, 1, 0, 1, "", "a flag"),
};

static const struct policy good = {
    .abi = POLICY_ABI, .name = "good", .title = "t", POLICY_PARAMS(good_params, struct given)};

static bool table_refused(const struct policy *policy, const char *message)
{
	struct error err = {""};
	struct chain *chain = chain_new("gto", machine, &err);
	bool ok = chain && !chain_add(chain, policy, &err) && strstr(err.text, message);
	if (!ok)
		printf("# expected '%s', got '%s'\n", message, err.text);
	chain_free(chain);
	return ok;
}

TEST(mistakes_in_a_table_are_named)
{
	struct policy p = good;
	p.abi = POLICY_ABI - 1;
	CHECK(table_refused(&p, "policy 'good' was made for version"));
	p.name = NULL;
	CHECK(table_refused(&p, "policy '?' was made for version"));
	p.abi = 0;
	CHECK(table_refused(&p, "policy '?' was made for version 0 of the policy interface"));
	p.abi = POLICY_ABI + 1;
	CHECK(table_refused(&p, "policy '?' was made for version"));
	static const char *const names[] = {NULL, "", "a,b", "a:b", "a=b"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		p = good;
		p.name = names[i];
		CHECK(table_refused(&p, "a policy needs a name without ',', ':' and '='"));
	}
	p = good;
	p.params = NULL;
	CHECK(table_refused(&p, "policy 'good': param_count without params"));
	p = good;
	p.stat_count = 1;
	CHECK(table_refused(&p, "policy 'good': stat_count without stat_names"));
}

TEST(mistakes_in_a_parameter_are_named)
{
	static const struct {
		struct policy_param param;
		const char *message;
	} rows[] = {
	    {{.unit = "", .doc = ""}, "parameter 0 lacks a name, unit or text"},
	    {{.name = "", .unit = "", .doc = ""}, "parameter 0 lacks a name, unit or text"},
	    {{.name = "n", .doc = ""}, "parameter 0 lacks a name, unit or text"},
	    {{.name = "n", .unit = ""}, "parameter 0 lacks a name, unit or text"},
	    {{.name = "n", .unit = "", .doc = "", .type = PARAM_TYPE_BOOL + 1}, "lies outside the struct"},
	    {{.name = "n", .unit = "", .doc = "", .offset = 1000}, "'n' lies outside the struct of 8 bytes"},
	    {{.name = "n", .unit = "", .doc = "", .min = 2, .max = 3},
	     "the default of parameter 'n' is not within"},
	    {{.name = "n", .unit = "", .doc = "", .default_value = 4, .max = 3},
	     "the default of parameter 'n'"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct policy p = good;
		p.params = &rows[i].param;
		p.param_count = 1;
		CHECK(table_refused(&p, rows[i].message));
	}
	struct policy p = good;
	p.params_bytes = 2;
	CHECK(table_refused(&p, "'number' lies outside the struct of 2 bytes"));
}

static const char *unwilling(const struct policy_env *env)
{
	return ((const struct given *)env->params)->flag ? "it will not" : NULL;
}

static uint32_t any_order(void *sm, const struct sched_view *view, uint64_t eligible)
{
	(void)sm, (void)view;
	return (uint32_t)__builtin_ctzll(eligible);
}

TEST(what_is_added_must_fit_the_rest)
{
	struct policy p = good;
	p.refuses = unwilling;
	CHECK(table_refused(&p, "policy 'good' cannot run on gtx480-ciao: it will not"));
	p = good;
	p.order = any_order;
	CHECK(table_refused(&p, "policies 'gto' and 'good' both own order"));
	CHECK(table_refused(policy_find("gto"), "policy 'gto' is given twice"));
	struct error err = {""};
	struct chain *chain = chain_new("", machine, &err); /* the usual scheduler */
	CHECK(chain && chain->count == 1);
	static char names[CHAIN_MAX + 1][8];
	for (uint32_t i = 1; i <= CHAIN_MAX; i++) {
		p = good;
		snprintf(names[i], sizeof names[i], "p%u", i);
		p.name = names[i];
		CHECK_EQ(chain_add(chain, &p, &err), i < CHAIN_MAX);
	}
	CHECK(strstr(err.text, "a chain holds at most"));
	chain_free(chain);
	chain_free(NULL);
}

static void free_machine(void)
{
	machine_free(machine);
}

static bool load_machine(void)
{
	struct error err = {""};
	machine = machine_load("gtx480-ciao", &err);
	return (machine || !puts(err.text)) && !atexit(free_machine);
}

TEST_RUN_ALL(load_machine())
