/* Set-up, the loop over quanta, and what a launch counts in the end. */
#include "gpu/gpu.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "gpu/decode.h"
#include "gpu/internal.h"
#include "gpu/occupancy.h"
#include "gpu/watchdog.h"

/* Make SMs, memory and workers. */
static bool build(struct gpu *gpu, struct error *err)
{
	const struct machine *m = gpu->machine;
	gpu->sm = region_take(&gpu->region, m->sm_count, sizeof *gpu->sm);
	gpu->worker = memory_zeroed(gpu->threads, sizeof *gpu->worker);
	if (!index_build(&gpu->l1_index, m->l1d_index, m->l1d_sets, m->l1d_line_bytes, err))
		return false;
	crossbar_init(&gpu->crossbar, m, gpu->threads);
	if (!memory_init(&gpu->memory, &gpu->crossbar, gpu->chain, &gpu->region, err))
		return false;
	for (uint32_t i = 0; i < gpu->threads; i++) {
		struct worker *worker = &gpu->worker[i];
		worker->gpu = gpu;
		worker->id = i;
		worker->coalescer = coalescer_new(m);
		memory_worker_init(&worker->memory, &gpu->memory);
	}
	for (uint32_t i = 0; i < m->sm_count; i++)
		sm_init(&gpu->sm[i], m, gpu->chain, &gpu->crossbar, &gpu->l1_index, &gpu->region, i);
	gpu->unclean = false;
	return true;
}

static void tear_down(struct gpu *gpu)
{
	workers_stop(gpu);
	for (uint32_t i = 0; gpu->sm && i < gpu->machine->sm_count; i++)
		if (gpu->sm[i].machine)
			sm_free(&gpu->sm[i]);
	for (uint32_t i = 0; gpu->worker && i < gpu->threads; i++) {
		if (!gpu->worker[i].gpu)
			continue;
		coalescer_free(gpu->worker[i].coalescer);
		trace_reader_free(gpu->worker[i].reader);
		memory_worker_free(&gpu->worker[i].memory);
	}
	if (gpu->memory.machine)
		memory_free(&gpu->memory);
	if (gpu->crossbar.machine)
		crossbar_free(&gpu->crossbar);
	free(gpu->worker);
	region_free(&gpu->region);
	gpu->worker = NULL;
	gpu->sm = NULL;
}

struct gpu *gpu_new(const struct machine *machine, const struct chain *chain, uint32_t threads,
                    uint32_t quantum, struct error *err)
{
	/* Arrays sized like the hardware are mostly untouched: pages that stay zero should cost nothing. */
	mallopt(M_MMAP_THRESHOLD, 32 * 1024);
	mallopt(M_TOP_PAD, 4096);
	struct gpu *gpu = memory_zeroed(1, sizeof *gpu);
	gpu->machine = machine;
	gpu->chain = chain;
	gpu->threads = threads ? threads : 1;
	gpu->quantum = quantum ? quantum : machine->sim_quantum;
	gpu->own_quantum = !quantum;
	gpu->view = memory_zeroed(machine->sm_count, sizeof *gpu->view);
	gpu->block = memory_zeroed(machine->sm_count, sizeof *gpu->block);
	gpu->active = memory_zeroed(machine->sm_count, sizeof *gpu->active);
	gpu->dispatch.plan =
	    memory_zeroed((size_t)machine->sm_count * machine->sm_ctas, sizeof *gpu->dispatch.plan);
	gpu->dispatch.given = memory_zeroed(machine->sm_count, sizeof *gpu->dispatch.given);
	gpu->dispatch.ended =
	    memory_zeroed((size_t)machine->sm_count * CTA_SLOTS, sizeof *gpu->dispatch.ended);
	if (!build(gpu, err)) {
		gpu_free(gpu);
		return NULL;
	}
	return gpu;
}

void gpu_free(struct gpu *gpu)
{
	if (!gpu)
		return;
	tear_down(gpu);
	watch_free(gpu->watch);
	free(gpu->launch.insn);
	free(gpu->active);
	free(gpu->view);
	free(gpu->block);
	dispatch_free(&gpu->dispatch);
	free(gpu);
}

/* ---- how far SMs and memory run at a time ------------------------------------------------------------------- */

/* Policies see the whole GPU between quanta, and may ask how busy memory is. Observers do not. */
static bool policies_look_between(const struct gpu *gpu)
{
	return gpu->hooks.has_on_epoch & ~gpu->chain->watching || hooks_has_on_gpu_epoch(&gpu->hooks) ||
	       hooks_has_cta_limit(&gpu->hooks) || hooks_has_cta_pick(&gpu->hooks);
}

/*
 * Whether SMs may run two quanta before memory does. Memory is then one quantum ahead of them, so requests
 * must take no less time to arrive than replies. In between there must be nothing that SMs need to know:
 * replies that pass a switch, CTAs that are replaced at once, policies that see the whole GPU, words that warps wait for.
 */
static bool may_pair(const struct gpu *gpu)
{
	const struct machine *m = gpu->machine;
	return gpu->own_quantum && gpu->quantum > 1 && m->icnt_request_cycles >= gpu->quantum &&
	       m->launch_replace_cycles >= 2 * gpu->quantum && !gpu->memory.reply_switch &&
	       !policies_look_between(gpu) && !gpu->watch;
}

/* Run SMs, then memory, from gpu->start on. A launch that ends with its `left`th instruction must find its quantum. */
static void run_window(struct gpu *gpu, uint64_t left)
{
	uint64_t most = 2 * (uint64_t)gpu->quantum * gpu->active_count * gpu->machine->sm_schedulers;
	cycle_t ahead = gpu->pairs && most < left ? gpu->quantum : 0;
	cycle_t reached = gpu->memory_end;
	gpu->end = gpu->start + gpu->quantum + ahead;
	gpu->memory_end = gpu->end + ahead;
	gpu->memory_start = reached > gpu->start + ahead ? reached : gpu->start + ahead;
	workers_run_quantum(gpu);
}

/* ---- a launch ---------------------------------------------------------------------------------------------- */

/* Assign SMs and slices to workers; one worker runs a launch of few warps alone. */
static void share_work(struct gpu *gpu, bool always)
{
	const struct trace_kernel *kernel = gpu->launch.kernel;
	uint64_t ctas = (uint64_t)gpu->launch.cta_slots * gpu->machine->sm_count;
	uint64_t warps = (kernel->cta_count < ctas ? kernel->cta_count : ctas) * kernel->warps_per_cta;
	gpu->workers = always || tuner_worth_sharing(warps) ? gpu->threads : 1;
	crossbar_share(&gpu->crossbar, gpu->workers);
}

static bool begin(struct gpu *gpu, const struct trace *trace, unsigned kernel,
                  const struct launch_options *options, struct error *err)
{
	struct launch *launch = &gpu->launch;
	err->text[0] = 0;
	gpu->failed = false;
	hooks_init_gpu(&gpu->hooks, gpu->chain, err, &gpu->failed);
	launch->trace = trace;
	launch->kernel = trace_kernel_at(trace, kernel);
	launch->kernel_index = kernel;
	if (launch->kernel->warp_size > gpu->machine->sm_warp_size)
		return error_set(err, "kernel %s has warps of %u lanes, machine %s of %u",
		                 launch->kernel->name, launch->kernel->warp_size, gpu->machine->name,
		                 gpu->machine->sm_warp_size);
	watch_free(gpu->watch);
	launch->watch = gpu->watch = watch_new(launch->kernel);
	launch->cta_slots = occupancy_ctas(gpu->machine, gpu->chain, launch->kernel, err);
	if (!launch->cta_slots || !decode_kernel(launch, gpu->machine, err))
		return false;
	launch->l1_lines = occupancy_l1_lines(gpu->machine, &gpu->hooks, launch->kernel, launch->cta_slots);
	if (gpu->machine->smem_carveout == CARVE_VOLTA_ONCE)
		launch->l1_lines = occupancy_least_l1_lines(gpu->machine, &gpu->hooks, trace);
	launch->smem_window =
	    occupancy_smem_window(gpu->machine, &gpu->hooks, launch->kernel, launch->cta_slots);
	if (gpu->failed)
		return false;
	memory_reset(&gpu->memory, options->flush_l2);
	share_work(gpu, options->always_share);
	for (uint32_t i = 0; i < gpu->workers; i++) {
		struct worker *worker = &gpu->worker[i];
		memory_worker_reset(&worker->memory);
		if (worker->reader)
			trace_reader_bind(worker->reader, trace);
		else if (!(worker->reader = trace_reader_new(trace, err)))
			return false;
		worker->error.text[0] = 0;
		worker->failed = false;
		worker->watch_at = gpu->chain->memory_watch.period;
		worker->memory.hooks.error = &worker->error;
		worker->memory.hooks.failed = &worker->failed;
		worker->pc_misses = memory_zeroed(launch->kernel->insn_count + 1, sizeof *worker->pc_misses);
		if (gpu->chain->profiles)
			worker->profile =
			    memory_zeroed(launch->kernel->insn_count + 1, sizeof *worker->profile);
	}
	for (uint32_t i = 0; i < gpu->machine->sm_count; i++) {
		uint32_t id = gpu->crossbar.sm_worker[i];
		struct worker *worker = &gpu->worker[id];
		struct sm_worker lent = {worker->coalescer, worker->reader, &worker->error, worker->pc_misses,
		                         worker->profile};
		sm_lend(&gpu->sm[i], id, &lent);
	}
	gpu->active_count = 0;
	gpu->start = gpu->end = gpu->memory_end = 0;
	gpu->pairs = may_pair(gpu);
	hooks_on_kernel_begin(&gpu->hooks, launch->kernel->name, launch->kernel->cta_count);
	dispatch_begin(gpu);
	return true;
}

static cycle_t next_event(struct gpu *gpu)
{
	cycle_t next = CYCLE_NEVER, ahead = gpu->memory_end - gpu->end;
	for (uint32_t i = 0; i < gpu->workers; i++) {
		cycle_t when = memory_worker_next(&gpu->worker[i].memory);
		next = when != CYCLE_NEVER && when - ahead < next ? when - ahead : next;
	}
	for (uint32_t i = 0; i < gpu->active_count && next > gpu->end; i++) {
		cycle_t when = sm_next(&gpu->sm[gpu->active[i]]);
		next = when < next ? when : next;
	}
	/* Replies and fabric packets that have not been accepted yet. */
	for (uint32_t i = 0; i < gpu->workers; i++) {
		const struct memory_worker *memory = &gpu->worker[i].memory;
		if (memory->sent[0] | memory->sent[1] || memory_worker_crossed(memory))
			return gpu->end;
	}
	return gpu->replies_held ? gpu->end : next;
}

static bool all_done(const struct gpu *gpu)
{
	if (gpu->dispatch.next < gpu->dispatch.total)
		return false;
	for (uint32_t i = 0; i < gpu->active_count; i++)
		if (!sm_idle(&gpu->sm[gpu->active[i]]))
			return false;
	return true;
}

static uint64_t sum_active(const struct gpu *gpu, enum counter c)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < gpu->active_count; i++)
		sum += gpu->sm[gpu->active[i]].account.counters.value[c];
	return sum;
}

/* Warp instructions left until the launch is cut off. */
static uint64_t insns_left(const struct gpu *gpu, const struct launch_options *options)
{
	if (!options->max_insns)
		return UINT64_MAX;
	uint64_t done = sum_active(gpu, COUNT_warp_insns);
	return done < options->max_insns ? options->max_insns - done : 0;
}

static uint64_t progress_of(const struct gpu *gpu)
{
	uint64_t sum = gpu->dispatch.next;
	for (uint32_t i = 0; i < gpu->active_count; i++)
		sum += gpu->sm[gpu->active[i]].account.progress;
	return sum;
}

static bool any_failed(const struct gpu *gpu)
{
	if (gpu->failed)
		return true;
	for (uint32_t i = 0; i < gpu->active_count; i++)
		if (gpu->sm[gpu->active[i]].failed)
			return true;
	for (uint32_t i = 0; i < gpu->workers; i++)
		if (gpu->worker[i].failed)
			return true;
	return false;
}

/* Measure the busy time of L2 slices and DRAM buses so far, for policies. */
static void measure_busy(struct gpu *gpu)
{
	double slices = 0, dram = 0;
	for (uint32_t p = 0; p < gpu->machine->dram_channels; p++) {
		slices += (double)gpu->memory.partition[p].busy / FINE_PER_CYCLE;
		dram += (double)gpu->memory.partition[p].counters.value[COUNT_dram_busy] /
		        gpu->memory.dram_per_core;
	}
	for (uint32_t i = 0; i < gpu->active_count; i++) {
		gpu->sm[gpu->active[i]].l2_busy = slices / gpu->crossbar.map.slices;
		gpu->sm[gpu->active[i]].dram_busy = dram / gpu->machine->dram_channels;
	}
}

/* Call the GPU-wide hooks, with every SM of the machine in order. */
static void run_gpu_epochs(struct gpu *gpu)
{
	uint32_t count = gpu->machine->sm_count;
	for (uint32_t i = 0; i < count; i++)
		gpu->view[i] = sm_view_of(&gpu->sm[i], gpu->end);
	for (uint32_t mask = gpu->hooks.has_on_gpu_epoch; mask; mask &= mask - 1) {
		uint32_t link = (uint32_t)__builtin_ctz(mask);
		for (uint32_t i = 0; i < count; i++)
			gpu->block[i] = gpu->sm[i].hooks.block[link];
		hooks_on_gpu_epoch(&gpu->hooks, link, gpu->block, gpu->view, count);
	}
}

/* What slices have performed and SMs have written themselves is known to all from now on. */
static void tell_writes(struct gpu *gpu)
{
	for (uint32_t p = 0; p < gpu->machine->dram_channels; p++) {
		struct performed_box *box = &gpu->memory.partition[p].performed;
		for (uint32_t i = 0; i < box->count; i++)
			polls_performed(&gpu->sm[box->item[i].sm].warps.polls, box->item[i].notice,
			                box->item[i].when, gpu->watch);
		box->count = 0;
	}
	for (uint32_t i = 0; i < gpu->active_count; i++)
		polls_tell_own(&gpu->sm[gpu->active[i]].warps.polls, gpu->watch);
}

static enum launch_status run_quanta(struct gpu *gpu, const struct launch_options *options,
                                     struct launch_result *result)
{
	uint64_t progress = progress_of(gpu), quanta = 0;
	struct watchdog watchdog = {.insns = progress};
	tuner_start(&gpu->tuner);
	for (;;) {
		run_window(gpu, insns_left(gpu, options));
		gpu->replies_held = memory_pass_replies(&gpu->memory, &gpu->worker[0].memory, gpu->end);
		if (gpu->watch)
			tell_writes(gpu);
		if (any_failed(gpu))
			return LAUNCH_FAILED;
		dispatch_refill(gpu);
		if (policies_look_between(gpu))
			measure_busy(gpu);
		if (hooks_has_on_gpu_epoch(&gpu->hooks))
			run_gpu_epochs(gpu);
		uint64_t now = progress_of(gpu);
		if (gpu->workers > 1)
			tuner_end_quantum(&gpu->tuner, now - progress);
		progress = now;
		if (!insns_left(gpu, options))
			return LAUNCH_TRUNCATED;
		if (options->progress && ++quanta % 4096 == 0 &&
		    !options->progress(options->user, sum_active(gpu, COUNT_warp_insns), gpu->end))
			return LAUNCH_TRUNCATED;
		cycle_t next = next_event(gpu);
		if (next == CYCLE_NEVER && all_done(gpu))
			return LAUNCH_DONE;
		if (next == CYCLE_NEVER || (!all_done(gpu) && watchdog_expired(&watchdog, gpu, progress))) {
			result->report = watchdog_report(gpu, gpu->end);
			return LAUNCH_DEADLOCKED;
		}
		/* Quanta lie on a fixed grid, so results do not depend on where the last one ended. */
		gpu->start = next > gpu->end ? next / gpu->quantum * gpu->quantum : gpu->end;
	}
}

/* Count code, descriptors and constants: they pass through L2 and DRAM, but no load asks for them. */
static void count_front_end(const struct gpu *gpu, uint64_t *value)
{
	const struct machine *m = gpu->machine;
	uint64_t sectors = m->launch_read_sectors, bytes = m->launch_read_bytes;
	if (m->launch_fetch_code) {
		/* A cluster looks up its own partition; each partition fetches once what lives in the other. */
		uint64_t lookups = m->sm_gpcs + (m->l2_partitions == 2);
		sectors += gpu->launch.code_bytes / m->l2_sector_bytes * lookups;
		bytes +=
		    (gpu->launch.code_bytes + m->l2_fetch_bytes - 1) / m->l2_fetch_bytes * m->l2_fetch_bytes;
	}
	value[COUNT_l2_read_sectors] += sectors;
	value[COUNT_l2_read_hit_sectors] +=
	    sectors > bytes / m->l2_sector_bytes ? sectors - bytes / m->l2_sector_bytes : 0;
	value[COUNT_dram_read_bytes] += bytes;
}

/* What the rest of the GPU writes while a launch runs: periodic blocks, independent of the launch. */
static uint64_t bytes_of_others(const struct machine *m, cycle_t cycles)
{
	double period = m->launch_write_us * m->clock_core_mhz;
	return (uint64_t)((double)cycles / period) * m->launch_write_bytes;
}

/* Sum what the policies counted over SMs. */
static void collect_stats(const struct gpu *gpu, struct launch_result *result)
{
	for (uint32_t k = 0; k < gpu->chain->count; k++)
		result->stat_count += gpu->chain->link[k].policy.stat_count;
	if (!result->stat_count)
		return;
	result->stats = memory_zeroed(result->stat_count, sizeof *result->stats);
	uint64_t *sum = memory_zeroed(result->stat_count, sizeof *sum);
	for (uint32_t k = 0, at = 0; k < gpu->chain->count; k++) {
		const struct policy *policy = &gpu->chain->link[k].policy;
		for (uint32_t i = 0; i < gpu->active_count && policy->stats; i++)
			policy->stats(gpu->sm[gpu->active[i]].hooks.block[k], sum + at);
		if (policy->gpu_stats)
			policy->gpu_stats(gpu->chain->link[k].gpu, sum + at);
		for (uint32_t i = 0; i < policy->stat_count; i++, at++)
			result->stats[at] =
			    (struct policy_stat){policy->name, policy->stat_names[i], sum[at]};
	}
	free(sum);
}

/* At the end of a launch all L1s are walked at once, line by line. */
static cycle_t walk_cycles(const struct machine *m)
{
	return (cycle_t)(m->launch_walk_line_cycles * m->l1d_sets * m->l1d_ways);
}

static void finish(struct gpu *gpu, struct launch_result *result)
{
	cycle_t last = gpu->dispatch.last_retired;
	for (uint32_t i = 0; i < gpu->active_count; i++)
		if (gpu->sm[gpu->active[i]].account.accounted > last)
			last = gpu->sm[gpu->active[i]].account.accounted;
	for (uint32_t p = 0; p < gpu->machine->dram_channels; p++)
		if (gpu->memory.partition[p].last_write > last)
			last = gpu->memory.partition[p].last_write;
	cycle_t cycles = last + gpu->machine->launch_end_cycles + walk_cycles(gpu->machine);
	for (uint32_t i = 0; i < gpu->active_count; i++) {
		sm_end_launch(&gpu->sm[gpu->active[i]], cycles);
		counters_add(&result->counters, &gpu->sm[gpu->active[i]].account.counters);
	}
	const struct memory_watch *watch = &gpu->chain->memory_watch;
	for (uint32_t p = 0; p < gpu->machine->dram_channels; p++) {
		counters_add(&result->counters, &gpu->memory.partition[p].counters);
		if (watch->period)
			watch->sample(gpu->chain->link[watch->link].gpu, p, MEMORY_WATCH_END,
			              &gpu->memory.partition[p].counters);
	}
	uint64_t *value = result->counters.value;
	value[COUNT_stall_idle] += cycles * (gpu->machine->sm_count - gpu->active_count);
	count_front_end(gpu, value);
	value[COUNT_dram_write_bytes] += bytes_of_others(gpu->machine, cycles);
	value[COUNT_cycles] = cycles;
	value[COUNT_sm_cycles] = cycles * gpu->machine->sm_count;
	result->ctas_per_sm = gpu->launch.cta_slots;
	result->warps_per_sm = gpu->launch.cta_slots * gpu->launch.kernel->warps_per_cta;
	collect_stats(gpu, result);
	hooks_on_kernel_end(&gpu->hooks, cycles);
}

/* Adds up what the workers' SMs charged to instructions, in the order of struct profile_insn, and frees it. */
static void release_profile(struct gpu *gpu, struct launch_result *result)
{
	uint32_t insns = gpu->launch.kernel->insn_count;
	if (!gpu->chain->profiles)
		return;
	result->profile = memory_zeroed(insns + 1, sizeof *result->profile);
	for (uint32_t i = 0; i < gpu->workers; i++) {
		const uint64_t *from = (const uint64_t *)gpu->worker[i].profile;
		uint64_t *to = (uint64_t *)result->profile;
		for (size_t k = 0; from && k < insns * (sizeof *result->profile / sizeof *to); k++)
			to[k] += from[k];
		free(gpu->worker[i].profile);
		gpu->worker[i].profile = NULL;
	}
}

static void release(struct gpu *gpu, struct launch_result *result)
{
	release_profile(gpu, result);
	uint32_t insns = gpu->launch.kernel->insn_count;
	result->pc_misses = memory_zeroed(insns + 1, sizeof *result->pc_misses);
	for (uint32_t i = 0; i < gpu->workers; i++) {
		struct worker *worker = &gpu->worker[i];
		for (uint32_t k = 0; worker->pc_misses && k < insns; k++)
			result->pc_misses[k] += worker->pc_misses[k];
		free(worker->pc_misses);
		worker->pc_misses = NULL;
	}
}

static bool run_pass(struct gpu *gpu, const struct trace *trace, unsigned kernel,
                     const struct launch_options *options, struct launch_result *result, struct error *err)
{
	memset(result, 0, sizeof *result);
	result->status = LAUNCH_FAILED;
	/* A launch that was cut off left packets behind: build a new GPU. */
	if (gpu->unclean) {
		tear_down(gpu);
		if (!build(gpu, err))
			return false;
	}
	if (begin(gpu, trace, kernel, options, err)) {
		result->status = run_quanta(gpu, options, result);
		gpu->unclean = result->status != LAUNCH_DONE;
		finish(gpu, result);
	}
	for (uint32_t i = 0; i < gpu->workers && result->status == LAUNCH_FAILED; i++)
		if (gpu->worker[i].error.text[0]) {
			*err = gpu->worker[i].error;
			break;
		}
	release(gpu, result);
	return result->status != LAUNCH_FAILED;
}

/* The pass before was cut off: build a new GPU, but keep what the policies learned. */
static bool rebuild_for_pass(struct gpu *gpu, struct error *err)
{
	uint32_t count = gpu->machine->sm_count;
	void *(*block)[CHAIN_MAX] = memory_zeroed(count, sizeof *block);
	for (uint32_t i = 0; i < count; i++)
		hooks_swap_blocks(&gpu->sm[i].hooks, block[i]);
	tear_down(gpu);
	bool ok = build(gpu, err);
	/* Free the blocks of the new SMs, or those that found no new SM. */
	for (uint32_t i = 0; i < count; i++) {
		struct hooks rest = {.chain = gpu->chain};
		if (ok)
			hooks_swap_blocks(&gpu->sm[i].hooks, block[i]);
		hooks_swap_blocks(&rest, block[i]);
		hooks_free_sm(&rest);
	}
	free(block);
	return ok;
}

static void forget(struct launch_result *result)
{
	free(result->pc_misses);
	free(result->profile);
	free(result->stats);
	free(result->report);
}

void *gpu_policy_block(const struct gpu *gpu, uint32_t link, uint32_t sm, struct sm_view *view)
{
	if (sm >= gpu->machine->sm_count || !gpu->sm[sm].active)
		return NULL;
	*view = sm_view_of(&gpu->sm[sm], gpu->end);
	return gpu->sm[sm].hooks.block[link];
}

const struct counters *gpu_channel_counters(const struct gpu *gpu, uint32_t channel)
{
	return channel < gpu->machine->dram_channels ? &gpu->memory.partition[channel].counters : NULL;
}

const struct counters *gpu_sm_counters(const struct gpu *gpu, uint32_t sm)
{
	return sm < gpu->machine->sm_count && gpu->sm[sm].active ? &gpu->sm[sm].account.counters : NULL;
}

bool gpu_run(struct gpu *gpu, const struct trace *trace, unsigned kernel,
             const struct launch_options *options, struct launch_result *result, struct error *err)
{
	uint32_t passes = chain_passes(gpu->chain, trace_kernel_at(trace, kernel)->shared_bytes > 0);
	struct snapshot *before = passes > 1 ? snapshot_take(&gpu->memory) : NULL;
	bool ok = true;
	for (uint32_t pass = 0; pass < passes; pass++) {
		if (pass) {
			forget(result);
			memset(result, 0, sizeof *result);
			result->status = LAUNCH_FAILED;
			ok = !gpu->unclean || rebuild_for_pass(gpu, err);
			if (!ok)
				break;
			snapshot_restore(before, &gpu->memory);
		}
		gpu->launch.pass = pass;
		ok = run_pass(gpu, trace, kernel, options, result, err);
		if (!ok || result->status == LAUNCH_DEADLOCKED)
			break;
	}
	snapshot_free(before);
	return ok;
}
