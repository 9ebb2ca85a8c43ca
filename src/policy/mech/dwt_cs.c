/*
 * DWT-CS, dynamic warp throttling via core sampling (Khairy 2015, section 5.2): watch the misses of all SMs period by period.
 * When there are too many for some periods in a row, SM number s lets only s warps of each scheduler issue for a while. The
 * number that committed most then holds on all SMs until the kernel ends, and is kept for its next launch. Left out: the time
 * that the coordinating SM takes to collect and broadcast.
 *
 * dwt-cs-hold is the same as a part of DWT-PRIC (section 5.4): while the kernel may turn out to thrash, it answers the
 * questions whether to bypass L1 and L2, so that a DBSA behind it in the chain is not asked and cannot take a thrashing kernel
 * for a streaming one.
 *
 * dwt-pric (section 5.4, figure 5.14): PRIC at every access, core sampling if the kernel thrashes, and DBSA on L1 and L2
 * otherwise and afterwards. The order of the parts matters: dwt-cs-hold keeps DBSA inactive while the kernel may thrash.
 */
#include "base/bits.h"
#include "policy/define.h"
#include "policy/lib/order.h"

struct dwt_cs_params {
	uint32_t period;
	double mpki;
	uint32_t detect;
	uint32_t sample;
	bool first;
	uint32_t kernels;
};

POLICY_GIVEN(struct dwt_cs_params)

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

/* ---- core sampling ----------------------------------------------------------------------------------------- */

enum sampling_phase { SAMPLING_WATCH, SAMPLING_TRY, SAMPLING_DONE };

/* An SM's trial: thread instructions before it, and when the SM was last seen to have warps. */
struct sampling_try {
	uint64_t insns_before, busy_until;
};

/* A kernel seen before; limit 0: `run` periods of it thrashed, but it was too short to be sampled. */
struct sampling_kernel {
	uint64_t key;
	uint32_t limit, run;
};

struct sampling {
	/* Constant from dwt_gpu_init() on. */
	uint64_t period;
	double threshold;        /* misses per 1000 thread instructions */
	uint32_t detect, sample; /* periods */
	uint32_t most;           /* warps of a scheduler */
	uint32_t sm_count, known_size;
	bool first_only; /* only the first `detect` periods of a launch count */
	struct sampling_kernel *known;
	struct sampling_try *tries; /* one per SM */

	enum sampling_phase phase;
	uint32_t run, periods; /* periods that thrashed in a row; periods of the phase */
	uint64_t period_end, try_start, misses, insns;
	uint32_t base, best, limit; /* limits up to base were tried before; the best of all; what holds now */
	double best_rate;
	uint64_t kernel;
	uint32_t known_count, known_next;
	uint64_t thrashing_periods, rounds; /* of this launch */
};

/* Warps of a scheduler that may issue on this SM now; 0: all. */
static uint32_t sampling_limit(const struct sampling *sampling, uint32_t sm)
{
	if (sampling->phase != SAMPLING_TRY)
		return sampling->limit;
	uint32_t limit = sampling->base + sm + 1;
	return limit < sampling->most ? limit : sampling->most;
}

/*
 * Whether the kernel may still turn out to thrash: in its first periods, after every period that thrashed,
 * and while SMs try numbers of warps.
 */
static bool sampling_in_doubt(const struct sampling *sampling)
{
	if (sampling->phase == SAMPLING_WATCH)
		return sampling->run || sampling->periods < sampling->detect;
	return sampling->phase == SAMPLING_TRY;
}

static struct sampling_kernel *find_known(struct sampling *sampling)
{
	for (uint32_t i = 0; i < sampling->known_count; i++)
		if (sampling->known[i].key == sampling->kernel)
			return &sampling->known[i];
	return NULL;
}

static void remember(struct sampling *sampling, uint32_t limit, uint32_t run)
{
	struct sampling_kernel *known = find_known(sampling);
	if (!known) {
		known = &sampling->known[sampling->known_next];
		sampling->known_next = (sampling->known_next + 1) % sampling->known_size;
		sampling->known_count += sampling->known_count < sampling->known_size;
	}
	*known = (struct sampling_kernel){sampling->kernel, limit, run};
}

static void settle(struct sampling *sampling, uint32_t limit)
{
	sampling->phase = SAMPLING_DONE;
	sampling->limit = limit;
}

static void start_round(struct sampling *sampling, const struct sm_view *view, uint32_t base)
{
	sampling->phase = SAMPLING_TRY;
	sampling->base = base;
	sampling->periods = 0;
	sampling->rounds++;
	sampling->try_start = view->cycle;
	for (uint32_t i = 0; i < sampling->sm_count; i++)
		sampling->tries[i] = (struct sampling_try){view[i].thread_insns, view->cycle};
}

static void end_watch_period(struct sampling *sampling, const struct sm_view *view, uint64_t misses,
                             uint64_t insns)
{
	bool thrashes = 1000.0 * (double)misses > sampling->threshold * (double)insns;
	sampling->thrashing_periods += thrashes;
	sampling->run = thrashes ? sampling->run + 1 : 0;
	if (sampling->run >= sampling->detect) {
		const struct sampling_kernel *known = find_known(sampling);
		if (known && known->limit)
			settle(sampling, known->limit);
		else
			start_round(sampling, view, 0);
	} else if (sampling->first_only && sampling->periods >= sampling->detect) {
		settle(sampling, 0);
	}
}

/* Mean thread instructions per cycle of the SMs that tried this limit and had work; 0: none had. */
static double rate_at(const struct sampling *sampling, const struct sm_view *view, uint32_t limit)
{
	double sum = 0;
	uint32_t sms = 0;
	for (uint32_t i = 0; i < sampling->sm_count; i++) {
		uint64_t cycles = sampling->tries[i].busy_until - sampling->try_start;
		if (sampling_limit(sampling, i) != limit || !cycles)
			continue;
		sum += (double)(view[i].thread_insns - sampling->tries[i].insns_before) / (double)cycles;
		sms++;
	}
	return sms ? sum / sms : 0;
}

static void end_round(struct sampling *sampling, const struct sm_view *view)
{
	uint32_t top = sampling_limit(sampling, sampling->sm_count - 1);
	for (uint32_t limit = sampling->base + 1; limit <= top; limit++) {
		double rate = rate_at(sampling, view, limit);
		if (rate > sampling->best_rate) {
			sampling->best_rate = rate;
			sampling->best = limit;
		}
	}
	/* The largest number tried is the best: larger ones may be better still. */
	if (sampling->best == top && top < sampling->most) {
		start_round(sampling, view, top);
		return;
	}
	settle(sampling, sampling->best);
	if (sampling->best)
		remember(sampling, sampling->best, 0);
}

static void end_period(struct sampling *sampling, const struct sm_view *view)
{
	uint64_t misses = 0, insns = 0;
	for (uint32_t i = 0; i < sampling->sm_count; i++) {
		misses += view[i].l1_misses;
		insns += view[i].thread_insns;
	}
	sampling->periods++;
	if (sampling->phase == SAMPLING_WATCH)
		end_watch_period(sampling, view, misses - sampling->misses, insns - sampling->insns);
	else if (sampling->phase == SAMPLING_TRY && sampling->periods >= sampling->sample)
		end_round(sampling, view);
	sampling->misses = misses;
	sampling->insns = insns;
	sampling->period_end = (view->cycle / sampling->period + 1) * sampling->period;
}

/* Advance after every exchange, with the views of all SMs. */
static void sampling_step(struct sampling *sampling, const struct sm_view *view)
{
	for (uint32_t i = 0; i < sampling->sm_count; i++)
		if (view[i].resident_warps)
			sampling->tries[i].busy_until = view->cycle;
	if (view->cycle >= sampling->period_end)
		end_period(sampling, view);
}

static void sampling_begin(struct sampling *sampling, const char *kernel, uint64_t ctas)
{
	sampling->kernel = bits_mix(ctas);
	for (; *kernel; kernel++)
		sampling->kernel = bits_mix(sampling->kernel + (uint8_t)*kernel);
	const struct sampling_kernel *known = find_known(sampling);
	sampling->run = known && !sampling->first_only ? known->run : 0;
	sampling->phase = SAMPLING_WATCH;
	sampling->periods = sampling->limit = sampling->best = 0;
	sampling->best_rate = 0;
	sampling->misses = sampling->insns = sampling->thrashing_periods = sampling->rounds = 0;
	sampling->period_end = sampling->period;
}

/* End a launch; a kernel of short launches continues counting in its next one. */
static void sampling_end(struct sampling *sampling)
{
	const struct sampling_kernel *known = find_known(sampling);
	if (sampling->phase == SAMPLING_WATCH && !sampling->first_only)
		remember(sampling, known ? known->limit : 0, sampling->run);
}

/* ---- hooks -------------------------------------------------------------------------------------------------- */

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

/* Keep the policies behind this one from bypassing. */
static enum l1_route dwt_l1_route(void *sm, const struct l1_request *request, enum l1_fail fail)
{
	(void)request, (void)fail;
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

POLICY_BYTES(dwt_sm_bytes, struct dwt_sm)

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
    .title = "dwt-cs; no policy behind it bypasses while the kernel may turn out to thrash",
    .gpu_init = dwt_gpu_init,
    .l1_route = dwt_l1_route,
    .l2_route = dwt_l2_route,
};

/* Each part's own parameters are given to the part: pric,dwt-cs-hold:detect=5,dbsa-l1,dbsa-l2. */
const struct policy policy_dwt_pric = {
    .abi = POLICY_ABI,
    .name = "dwt-pric",
    .title = "PRIC, core sampling if the kernel thrashes, then DBSA",
    .citation =
        "M. Khairy: Efficient Utilization of GPGPU Cache Hierarchy, MSc thesis, Cairo University 2015, "
        "section 5.4",
    .bundle = "pric,dwt-cs-hold,dbsa-l1,dbsa-l2",
};
