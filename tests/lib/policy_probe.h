/* A policy on its own: its hooks are called by hand, as an SM of a GTX 480 would. */
#ifndef SLUICE_TESTS_LIB_POLICY_PROBE_H
#define SLUICE_TESTS_LIB_POLICY_PROBE_H

#include "policy/chain.h"
#include "test.h"

struct probe {
	const struct policy *policy;
	double param[32];
	double params[32]; /* the policy's struct, with room and alignment for any */
	struct policy_env env;
	void *sm;
};

/* With the default parameters; change those with probe_set(), then probe_start(). */
static inline struct probe probe_open(const char *name)
{
	struct probe h = {.policy = policy_find(name)};
	if (!h.policy) {
		printf("# there is no policy %s\n", name);
		exit(1);
	}
	for (uint32_t i = 0; i < h.policy->param_count; i++)
		h.param[i] = h.policy->params[i].default_value;
	h.env = (struct policy_env){.machine = "gtx480-ciao",
	                            .sm_count = 15,
	                            .schedulers = 2,
	                            .warps = 48,
	                            .warp_size = 32,
	                            .l1_sets = 32,
	                            .l1_ways = 4,
	                            .l1_line_bytes = 128,
	                            .l1_mshrs = 32,
	                            .smem_bytes = 48 << 10};
	return h;
}

/* The parameters as set so far, where the policy finds them. */
static inline const void *probe_params(struct probe *h)
{
	if (h->policy->params_bytes > sizeof h->params) {
		printf("# %s has many parameters\n", h->policy->name);
		exit(1);
	}
	policy_fill_params(h->policy, h->param, h->params);
	return h->env.params = h->params;
}

static inline void probe_set(struct probe *h, const char *param, double value)
{
	for (uint32_t i = 0; i < h->policy->param_count; i++)
		if (!strcmp(h->policy->params[i].name, param)) {
			h->param[i] = value;
			probe_params(h);
			return;
		}
	printf("# %s has no parameter %s\n", h->policy->name, param);
	exit(1);
}

/* Blocks that probes have been given; they are freed when the program ends. */
static void **probe_blocks;
static size_t probe_count;

static inline void probe_free_blocks(void)
{
	while (probe_count)
		free(probe_blocks[--probe_count]);
	free(probe_blocks);
}

/* A zeroed block that lives as long as the program. */
static inline void *probe_block(size_t bytes)
{
	if (!probe_count && atexit(probe_free_blocks))
		exit(1);
	probe_blocks = realloc(probe_blocks, (probe_count + 1) * sizeof *probe_blocks);
	return probe_blocks[probe_count++] = calloc(1, bytes);
}

static inline void *probe_start(struct probe *h)
{
	probe_params(h);
	h->sm = probe_block(h->policy->sm_bytes(&h->env));
	if (h->policy->sm_init)
		h->policy->sm_init(h->sm, &h->env);
	return h->sm;
}

/* Open and start in one, with the default parameters. */
static inline struct probe probe_begin(const char *name)
{
	struct probe h = probe_open(name);
	probe_start(&h);
	return h;
}

static inline uint64_t probe_stat(const struct probe *h, const char *name)
{
	uint64_t sum[32] = {0};
	h->policy->stats(h->sm, sum);
	for (uint32_t i = 0; i < h->policy->stat_count; i++)
		if (!strcmp(h->policy->stat_names[i], name))
			return sum[i];
	printf("# %s does not count %s\n", h->policy->name, name);
	exit(1);
}

/* A scheduler whose warps are, from the oldest, those named. */
struct probe_view {
	struct sched_view view;
	uint64_t age[64], next_pc[64];
	uint8_t by_age[64];
};

static inline void probe_remove(struct probe_view *v, uint32_t bit)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < v->view.by_age_count; i++)
		if (v->by_age[i] != bit)
			v->by_age[kept++] = v->by_age[i];
	v->view.by_age_count = kept;
	v->view.resident &= ~((uint64_t)1 << bit);
	v->view.waiting_barrier &= v->view.resident;
}

static inline void probe_view_init(struct probe_view *v, uint32_t scheduler, const uint8_t *bits,
                                   uint32_t count)
{
	*v = (struct probe_view){.view = {.scheduler = scheduler, .by_age_count = count, .last = UINT32_MAX}};
	v->view.age = v->age;
	v->view.by_age = v->by_age;
	v->view.next_pc = v->next_pc;
	for (uint32_t i = 0; i < count; i++) {
		v->by_age[i] = bits[i];
		v->age[bits[i]] = i;
		v->view.resident |= (uint64_t)1 << bits[i];
	}
}

/* 24 warps, in the order of their slots. */
static inline void probe_view_full(struct probe_view *v, uint32_t scheduler)
{
	static const uint8_t bits[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
	                               12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23};
	probe_view_init(v, scheduler, bits, 24);
}

#endif
