/*
 * DWT-CS, dynamic warp throttling via core sampling (Khairy 2015, section 5.2):
 * when L1 misses too often for some periods in a row, SM number s lets only s
 * warps of each scheduler issue for a while; the number that committed most
 * then holds on all SMs until the kernel ends, and is kept for its next launch.
 *
 * `dwt-cs-hold` is the same as a part of DWT-PRIC (section 5.4): while the kernel
 * may turn out to thrash it answers the questions whether to bypass L1 and L2
 * itself, so that a DBSA behind it in the chain sees nothing and cannot take a
 * thrashing kernel for a streaming one.
 *
 * Left out: the time that the coordinating SM takes to collect and broadcast.
 */
#include "base/bits.h"
#include "policy/lib/core_sampling.h"
#include "policy/lib/oldest.h"

struct dwt_cs_params {
	uint32_t period;
	double mpki;
	uint32_t detect;
	uint32_t sample;
	bool first;
	uint32_t kernels;
};

static const struct dwt_cs_params *given(const struct policy_env *env)
{
	return env->params;
}

static const struct policy_param params[] = {
    PARAM_U32(struct dwt_cs_params, period, 10000, 1, 1e9, "cycles",
              "time between two looks at the miss count"),
    PARAM_REAL(struct dwt_cs_params, mpki, 10, 0, 1000, "",
               "L1 misses per 1000 thread instructions above which a period thrashes"),
    PARAM_U32(struct dwt_cs_params, detect, 3, 1, 1000, "periods", "that must thrash in a row"),
    PARAM_U32(struct dwt_cs_params, sample, 3, 1, 1000, "periods",
              "in which the SMs try different numbers of warps"),
    PARAM_BOOL(struct dwt_cs_params, first, 0, 0, 1, "",
               "only the first periods of a launch count, as section 5.4 has it (A1)"),
    PARAM_U32(struct dwt_cs_params, kernels, 16, 1, 256, "",
              "whose number of warps is kept for their next launch"),
};

struct dwt_sm {
	uint32_t limit; /* warps of a scheduler that may issue; 0: all */
	bool in_doubt;  /* the kernel may turn out to thrash */
	uint64_t until; /* end of the period */
};

static struct throttle dwt_throttle(void *block, const struct sched_view *view)
{
	const struct dwt_sm *sm = block;
	uint64_t may = sm->limit ? oldest_running(view, sm->limit) : UINT64_MAX;
	return (struct throttle){may, may, sm->until};
}

static void dwt_on_gpu_epoch(void *gpu, void *const *sm, const struct sm_view *view, uint32_t count)
{
	struct sampling *sampling = gpu;
	sampling_step(sampling, view);
	for (uint32_t i = 0; i < count; i++)
		*(struct dwt_sm *)sm[i] = (struct dwt_sm){sampling_limit(sampling, i),
		                                          sampling_in_doubt(sampling), sampling->period_end};
}

static void dwt_on_kernel_begin(void *gpu, const char *kernel, uint64_t ctas)
{
	sampling_begin(gpu, kernel, ctas);
}

static void dwt_on_kernel_end(void *gpu, uint64_t cycle)
{
	(void)cycle;
	sampling_end(gpu);
}

/* What others behind it may not do yet. */
static enum l1_route dwt_l1_route(void *sm, const struct l1_request *request, enum l1_fail fail)
{
	(void)request;
	(void)fail;
	return ((const struct dwt_sm *)sm)->in_doubt ? L1_ROUTE_CACHE : L1_ROUTE_NONE;
}

static enum l2_route dwt_l2_route(void *gpu, const struct l2_request *request)
{
	(void)request;
	return sampling_in_doubt(gpu) ? L2_ROUTE_CACHE : L2_ROUTE_NONE;
}

/* ---- blocks ------------------------------------------------------------------------------------------------ */

static size_t dwt_gpu_bytes(const struct policy_env *env)
{
	return sizeof(struct sampling) + (size_t)given(env)->kernels * sizeof(struct sampling_kernel) +
	       env->sm_count * sizeof(struct sampling_try);
}

static void dwt_gpu_init(void *gpu, const struct policy_env *env)
{
	struct sampling *sampling = gpu;
	sampling->period = sampling->period_end = (uint64_t)given(env)->period;
	sampling->threshold = given(env)->mpki;
	sampling->detect = given(env)->detect;
	sampling->sample = given(env)->sample;
	sampling->first_only = given(env)->first;
	sampling->known_size = given(env)->kernels;
	sampling->most = env->warps / env->schedulers;
	sampling->sm_count = env->sm_count;
	sampling->known = (struct sampling_kernel *)(sampling + 1);
	sampling->tries = (struct sampling_try *)(sampling->known + sampling->known_size);
}

static size_t dwt_sm_bytes(const struct policy_env *env)
{
	(void)env;
	return sizeof(struct dwt_sm);
}

static void dwt_sm_init(void *sm, const struct policy_env *env)
{
	*(struct dwt_sm *)sm = (struct dwt_sm){.in_doubt = true, .until = (uint64_t)given(env)->period};
}

/* ---- cost and counts --------------------------------------------------------------------------------------- */

/* Two counters, and the limit of each scheduler with its comparator. */
static uint64_t dwt_sm_bits(const struct policy_env *env)
{
	return 2 * 32 + env->schedulers * bits_log2_up(env->warps / env->schedulers + 1);
}

static uint64_t dwt_gpu_bits(const struct policy_env *env)
{
	return (uint64_t)given(env)->kernels * (32 + bits_log2_up(env->warps / env->schedulers + 1));
}

static const char *const stat_names[] = {"thrashing_periods", "sampling_rounds", "warp_limit"};

static void dwt_gpu_stats(const void *gpu, uint64_t *sum)
{
	const struct sampling *sampling = gpu;
	sum[0] += sampling->thrashing_periods;
	sum[1] += sampling->rounds;
	sum[2] += sampling->phase == SAMPLING_DONE ? sampling->limit : 0;
}

#define CITATION                                                                                             \
	"M. Khairy: Efficient Utilization of GPGPU Cache Hierarchy, MSc thesis, Cairo University 2015, "     \
	"sections 5.2 and 5.4"
#define DWT_COMMON                                                                                           \
	.abi = POLICY_ABI, .citation = CITATION, POLICY_PARAMS(params, struct dwt_cs_params),                \
	.sm_bits = dwt_sm_bits, .gpu_bits = dwt_gpu_bits, .sm_bytes = dwt_sm_bytes,                          \
	.gpu_bytes = dwt_gpu_bytes, .sm_init = dwt_sm_init, .stat_names = stat_names,                        \
	.stat_count = sizeof stat_names / sizeof *stat_names, .gpu_stats = dwt_gpu_stats,                    \
	.throttle = dwt_throttle, .on_kernel_begin = dwt_on_kernel_begin,                                    \
	.on_kernel_end = dwt_on_kernel_end, .on_gpu_epoch = dwt_on_gpu_epoch

const struct policy policy_dwt_cs = {
    DWT_COMMON,
    .name = "dwt-cs",
    .title = "warps throttled to the number that wins when every SM tries another",
    .gpu_init = dwt_gpu_init,
};
const struct policy policy_dwt_cs_hold = {
    DWT_COMMON,
    .name = "dwt-cs-hold",
    .title = "dwt-cs; nobody behind it bypasses while the kernel may turn out to thrash",
    .gpu_init = dwt_gpu_init,
    .l1_route = dwt_l1_route,
    .l2_route = dwt_l2_route,
};
