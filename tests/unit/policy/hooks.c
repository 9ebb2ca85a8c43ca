/*
 * Policies that answer wrongly: every hook with a legal range ends the launch with an error that names the policy, the
 * hook, the answer and the range, on any number of threads, and the GPU runs the next launch as if nothing had been.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/bench.h"
#include "lib/synth.h"
#include "test.h"

/* Loads that share lines and miss, of more lines than L1 has sets, stores, and shared memory that is written and read. */
static struct trace *busy_trace(void)
{
	enum { CTAS = 4, WARPS = 4 };
	struct synth *s = synth_new();
	synth_kernel(s, &(struct synth_shape){"busy", CTAS, WARPS, 0, 1024, 0});
	for (uint32_t cta = 0; cta < CTAS; cta++)
		for (uint32_t warp = 0; warp < WARPS; warp++) {
			synth_warp(s, cta, warp);
			for (uint32_t i = 0; i < 24; i++) {
				synth_stride(s, synth_load(0, 4, 2), UINT32_MAX, 0x100000 + i * 4096, 128);
				synth_stride(s, synth_memory(1, OP_STORE, SPACE_SHARED, 4, 4, 2), UINT32_MAX,
				             0, 4);
				synth_stride(s, synth_memory(2, OP_STORE, SPACE_GLOBAL, 4, 4, 2), UINT32_MAX,
				             0x800000 + warp * 128, 4);
			}
			synth_plain(s, synth_op(3, OP_EXIT, 0, 0), UINT32_MAX);
		}
	return synth_finish(s);
}

static bool is_refused_on(const struct policy *policy, const char *hook, const char *answer,
                          const char *machine, uint32_t threads)
{
	struct error err = {.text = ""};
	struct launch_result result;
	struct trace *trace = busy_trace();
	struct bench b =
	    bench_open((struct bench_setup){.machine = machine, .extra = policy, .threads = threads});
	struct launch_options options = {.always_share = true};
	char want[128];
	snprintf(want, sizeof want, "policy '%s': %s answered %s", policy->name, hook, answer);
	bool good = true;
	for (int launch = 0; launch < 2; launch++) {
		bool ran = gpu_run(b.gpu, trace, 0, &options, &result, &err);
		if (ran || !strstr(err.text, want) || !strstr(err.text, "; legal: ")) {
			printf("# %s, %u threads: %s, '%s'; expected '%s'\n", machine, threads,
			       ran ? "ran" : "refused", err.text, want);
			good = false;
		}
		free(result.pc_misses);
		free(result.stats);
		free(result.report);
	}
	bench_close(&b);
	trace_close(trace);
	return good;
}

static bool is_refused(const struct policy *policy, const char *hook, const char *answer, const char *machine)
{
	bool alone = is_refused_on(policy, hook, answer, machine, 1);
	return is_refused_on(policy, hook, answer, machine, 3) && alone;
}

#pragma GCC diagnostic ignored "-Wunused-parameter"
/* A hook that gives this answer, and a policy that has only it. */
#define ANSWER(type, hook, params, ...)                                                                      \
	static type hook params                                                                              \
	{                                                                                                    \
		return __VA_ARGS__;                                                                          \
	}
#define WRONG(type, hook, params, ...)                                                                       \
	ANSWER(type, hook, params, __VA_ARGS__)                                                              \
	static const struct policy hook##_policy = {.abi = POLICY_ABI, .name = "wrong", .hook = hook}

WRONG(uint32_t, order, (void *sm, const struct sched_view *view, uint64_t eligible), 64);

TEST(a_warp_that_is_not_eligible)
{
	/* gto owns the question: a chain of its own. */
	struct error err = {.text = ""};
	struct launch_result result;
	struct trace *trace = busy_trace();
	struct machine *machine = machine_load("gtx480-khairy", &err);
	struct chain *chain = chain_new("gto", machine, &err);
	CHECK(machine && chain);
	chain->link[0].policy.order = order_policy.order;
	struct gpu *gpu = gpu_new(machine, chain, 1, 0, &err);
	CHECK(!gpu_run(gpu, trace, 0, &(struct launch_options){0}, &result, &err));
	CHECK(strstr(err.text, "policy 'gto': order answered 64") && strstr(err.text, "eligible 0x"));
	free(result.pc_misses);
	free(result.stats);
	gpu_free(gpu);
	chain_free(chain);
	machine_free(machine);
	trace_close(trace);
}

WRONG(uint32_t, cta_limit, (void *sm, const struct sm_view *view), 0);

TEST(no_cta_at_all)
{
	CHECK(is_refused(&cta_limit_policy, "cta_limit", "0", "gtx480-khairy"));
}

ANSWER(uint64_t, the_first_again, (void *gpu, const struct cta_place *place), 0)
ANSWER(uint64_t, beyond_the_grid, (void *gpu, const struct cta_place *place), place->ctas)

TEST(a_cta_twice_or_one_that_the_grid_has_not)
{
	static const struct policy again = {.abi = POLICY_ABI, .name = "wrong", .cta_pick = the_first_again};
	static const struct policy beyond = {.abi = POLICY_ABI, .name = "wrong", .cta_pick = beyond_the_grid};
	CHECK(is_refused(&again, "cta_pick", "0", "gtx480-khairy"));
	CHECK(is_refused(&beyond, "cta_pick", "", "gtx480-khairy"));
}

WRONG(uint32_t, smem_capacity, (const struct policy_env *env), UINT32_MAX);

WRONG(uint32_t, l1_capacity, (const struct policy_env *env, const struct smem_use *use),
      env->unified_bytes + 1);

TEST(more_memory_than_there_can_be)
{
	CHECK(is_refused(&smem_capacity_policy, "smem_capacity", "4294967295", "v100-osm"));
	CHECK(is_refused(&l1_capacity_policy, "l1_capacity", "1", "gtx480-khairy"));
}

static int fixed_answer;
WRONG(int, prel1_insert,
      (void *sm, const struct prel1_item *window, uint32_t count, const struct prel1_item *request),
      fixed_answer ? fixed_answer : (int)count);

WRONG(int, prel1_pick, (void *sm, const struct prel1_item *window, uint32_t count),
      fixed_answer ? fixed_answer : (int)count);

TEST(requests_that_do_not_wait)
{
	CHECK(is_refused(&prel1_insert_policy, "prel1_insert", "0", "gtx480-khairy"));
	CHECK(is_refused(&prel1_pick_policy, "prel1_pick", "", "gtx480-khairy"));
	fixed_answer = -4;
	CHECK(is_refused(&prel1_insert_policy, "prel1_insert", "-4", "gtx480-khairy"));
	CHECK(is_refused(&prel1_pick_policy, "prel1_pick", "-4", "gtx480-khairy"));
	fixed_answer = 0;
}

/* Merging with another line, or with a store. */
static int merge_any(void *sm, const struct prel1_item *window, uint32_t count,
                     const struct prel1_item *request)
{
	(void)sm;
	for (uint32_t i = 0; i < count; i++)
		if (window[i].line != request->line)
			return (int)i;
	return PREL1_APPEND;
}

TEST(requests_of_other_lines)
{
	static const struct policy wrong = {.abi = POLICY_ABI, .name = "wrong", .prel1_insert = merge_any};
	CHECK(is_refused(&wrong, "prel1_insert", "0", "gtx480-khairy"));
}

WRONG(enum l1_route, l1_route, (void *sm, const struct l1_request *request, enum l1_fail fail),
      (enum l1_route)77);

WRONG(enum l2_route, l2_route, (void *gpu, const struct l2_request *request), (enum l2_route)78);

WRONG(enum smem_route, smem_route, (void *sm, const struct l1_request *request), (enum smem_route)79);

WRONG(enum answer, l1_alloc, (void *sm, const struct l1_event *fill), (enum answer)80);

TEST(routes_that_lead_nowhere)
{
	CHECK(is_refused(&l1_route_policy, "l1_route", "77", "gtx480-khairy"));
	CHECK(is_refused(&l2_route_policy, "l2_route", "78", "gtx480-khairy"));
	CHECK(is_refused(&smem_route_policy, "smem_route", "79", "gtx480-khairy"));
	CHECK(is_refused(&l1_alloc_policy, "l1_alloc", "80", "h200"));
}

WRONG(uint32_t, l2_victim,
      (void *gpu, const struct l2_request *request, const struct l2_frame *ways, uint32_t count,
       uint32_t choice),
      count);

TEST(a_way_of_l2_that_is_not_there)
{
	CHECK(is_refused(&l2_victim_policy, "l2_victim", "", "gtx480-khairy"));
}

ANSWER(uint32_t, many_lines, (void *sm, const struct prefetch_cause *cause, struct prefetch *out), 17)

TEST(more_prefetches_than_there_are_places)
{
	static const struct policy wrong = {
	    .abi = POLICY_ABI, .name = "wrong", .prefetch_on = PREFETCH_ON_ACCESS, .prefetch = many_lines};
	CHECK(is_refused(&wrong, "prefetch", "17", "gtx480-khairy"));
}

WRONG(uint32_t, set_index, (const void *params, uint64_t line, uint32_t sets, uint32_t warp), sets);

TEST(a_set_that_is_not_there)
{
	CHECK(is_refused(&set_index_policy, "set_index", "32", "gtx480-khairy"));
}

static uint32_t l1_victim(void *sm, const struct l1_request *request, const struct frame_view *ways,
                          uint32_t count)
{
	(void)sm, (void)request;
	for (uint32_t i = 0; i < count; i++)
		if (ways[i].reserved)
			return i;
	return ways[0].valid ? count : 0;
}
static const struct policy l1_victim_policy = {.abi = POLICY_ABI, .name = "wrong", .l1_victim = l1_victim};

TEST(a_way_that_is_not_there_or_reserved)
{
	CHECK(is_refused(&l1_victim_policy, "l1_victim", "", "gtx480-khairy"));
	CHECK(is_refused(&l1_victim_policy, "l1_victim", "", "h200"));
}

ANSWER(struct aux_shape, many_ways, (void *sm, const struct sm_view *view),
       (struct aux_shape){.sets = 1, .ways = 257})
ANSWER(struct aux_shape, huge, (void *sm, const struct sm_view *view),
       (struct aux_shape){.sets = 1u << 31, .ways = 2})
ANSWER(struct aux_shape, no_ways, (void *sm, const struct sm_view *view), (struct aux_shape){.sets = 4})
ANSWER(struct aux_shape, small, (void *sm, const struct sm_view *view),
       (struct aux_shape){.sets = 4, .ways = 1, .hit_cycles = 1})
ANSWER(uint32_t, beyond, (const void *params, uint64_t line, uint32_t sets), sets)
ANSWER(enum l1_route, sidecar, (void *sm, const struct l1_request *request, enum l1_fail fail),
       request->is_store ? L1_ROUTE_NONE : L1_ROUTE_AUX)

TEST(a_cache_beside_l1_that_cannot_be)
{
	const struct policy wrong[] = {{.abi = POLICY_ABI, .name = "wrong", .aux_cache = many_ways},
	                               {.abi = POLICY_ABI, .name = "wrong", .aux_cache = huge},
	                               {.abi = POLICY_ABI, .name = "wrong", .aux_cache = no_ways}};
	const char *const answer[] = {"1 sets of 257 ways", "2147483648 sets of 2 ways", "4 sets of 0 ways"};
	for (int i = 0; i < 3; i++)
		CHECK(is_refused(&wrong[i], "aux_cache", answer[i], "gtx480-khairy"));
	const struct policy index = {
	    .abi = POLICY_ABI, .name = "wrong", .aux_cache = small, .aux_index = beyond, .l1_route = sidecar};
	CHECK(is_refused(&index, "aux_index", "4", "gtx480-khairy"));
}

/* ---- tables with mistakes --------------------------------------------------------------------------------------- */

static bool table_is_refused(const struct policy *policy, const char *want)
{
	struct error err = {.text = ""};
	struct machine *machine = machine_load("gtx480-khairy", &err);
	struct chain *chain = chain_new("gto", machine, &err);
	bool refused = chain && !chain_add(chain, policy, &err) && strstr(err.text, want);
	if (!refused)
		printf("# '%s', expected '%s'\n", err.text, want);
	chain_free(chain);
	machine_free(machine);
	return refused;
}

TEST(tables_with_mistakes_are_refused)
{
	struct params {
		uint32_t n;
	};
	static const struct policy_param good[] = {PARAM_U32(struct params, n, 2, 1, 4, "", "")};
	static const struct policy_param nameless[] = {{.unit = "", .doc = ""}};
	static const struct policy_param outside[] = {PARAM_U32(struct params, n, 2, 3, 4, "", "")};
	CHECK(table_is_refused(&(struct policy){.name = "x"}, "version 0 of the policy interface"));
	CHECK(table_is_refused(&(struct policy){.abi = POLICY_ABI}, "needs a name"));
	CHECK(
	    table_is_refused(&(struct policy){.abi = POLICY_ABI, .name = "gto", .title = ""}, "given twice"));
	CHECK(table_is_refused(&(struct policy){.abi = POLICY_ABI, .name = "x", .order = order},
	                       "both own order"));
	CHECK(table_is_refused(&(struct policy){.abi = POLICY_ABI, .name = "x", .param_count = 1},
	                       "without params"));
	CHECK(table_is_refused(
	    &(struct policy){.abi = POLICY_ABI, .name = "x", .params = good, .param_count = 1},
	    "outside the struct of 0 bytes"));
	CHECK(table_is_refused(
	    &(struct policy){.abi = POLICY_ABI, .name = "x", POLICY_PARAMS(nameless, struct params)},
	    "lacks a name"));
	CHECK(table_is_refused(
	    &(struct policy){.abi = POLICY_ABI, .name = "x", POLICY_PARAMS(outside, struct params)},
	    "is not within 3 to 4"));
	CHECK(table_is_refused(&(struct policy){.abi = POLICY_ABI, .name = "x", .stat_count = 1},
	                       "without stat_names"));
}

TEST_RUN_ALL(true)
