#include "gpu/watchdog.h"

#include <stdio.h>
#include <stdlib.h>

#include "gpu/internal.h"

static const char *const stall_text[STALL_COUNT] = {
    [STALL_IDLE] = "its start",
    [STALL_FIXED_LATENCY] = "an arithmetic result",
    [STALL_LONG_SCOREBOARD] = "a load or atomic from global or local memory",
    [STALL_SHORT_SCOREBOARD] = "shared memory",
    [STALL_CONSTANT] = "constant memory or a special register",
    [STALL_BRANCH_RESOLVING] = "a branch",
    [STALL_NO_INSTRUCTION] = "instructions",
    [STALL_BARRIER] = "the other warps of its CTA at a barrier",
    [STALL_MBARRIER] = "a phase of an mbarrier",
    [STALL_MEMBAR] = "a memory fence",
    [STALL_MATH_PIPE_THROTTLE] = "a pipe",
    [STALL_LG_THROTTLE] = "the load/store queue",
    [STALL_POLICY_THROTTLE] = "a policy that holds it back",
};

/* What a warp at a poll waits for. */
static void report_poll(FILE *out, const struct sm *sm, const struct warp *warp)
{
	struct poll_lack lack;
	const struct polls *polls = &sm->warps.polls;
	if (polls->watch && polls->poll[warp->slot].waits &&
	    polls_lack(polls, warp->slot, &warp->step, warp->insn->width, &lack))
		fprintf(out, " (%llu writes to 0x%llx, %llu of them performed)",
		        (unsigned long long)lack.needed, (unsigned long long)lack.address,
		        (unsigned long long)lack.written);
}

static void report_warp(FILE *out, const struct sm *sm, uint32_t slot)
{
	const struct warp *warp = &sm->warps.warp[slot];
	const struct scheduler *sched = warp->sched;
	const struct decoded *insn = &sm->launch->insn[warp->step.insn];
	const struct trace_insn *traced = &sm->launch->kernel->insns[warp->step.insn];
	bool ready = ready_cycle(warp->ready) <= sm->now;
	enum stall stall = ready ? (enum stall)sched->blocked : ready_stall(warp->ready);
	fprintf(out, "  SM %u warp %u (CTA %llu): at pc %04llx %s, waits for %s", sm->id, slot,
	        (unsigned long long)sm->warps.cta[warp->cta_slot].id, (unsigned long long)insn->pc,
	        trace_mnemonic(sm->launch->kernel, traced), stall_text[stall]);
	if (stall == STALL_BARRIER)
		fprintf(out, " (%u of %u there)", sm->warps.cta[warp->cta_slot].arrived,
		        sm->warps.cta[warp->cta_slot].live);
	report_poll(out, sm, warp);
	fputc('\n', out);
}

static void report_sm(FILE *out, struct sm *sm)
{
	fprintf(
	    out,
	    "SM %u: %u warps, %u CTAs; LSU queue %u of %u, loads in flight %u, L1 MSHRs %u of %u, packets without "
	    "credit %u, credits %u of %u\n",
	    sm->id, sm->warps.resident, sm->warps.resident_ctas, sm->lsu.count, sm->machine->lsu_queue_sm,
	    sm->loads.in_flight, sm->l1.mshrs.entries - sm->l1.mshrs.free_entries, sm->l1.mshrs.entries,
	    sm->port.waiting.count, sm->port.credits, sm->machine->icnt_credits);
	if (sm->prel1)
		fprintf(out, "  pre-L1 queue %u of %u, %u of them refused by L1\n", sm->prel1->count,
		        sm->prel1->capacity, sm->prel1->refused);
	for (uint32_t slot = 0; slot < sm->machine->sm_warps; slot++)
		if (sm->warps.warp[slot].generation)
			report_warp(out, sm, slot);
}

static void report_slice(FILE *out, const struct slice *slice, const struct dram *dram)
{
	if (!slice->waiting.count + slice->fabric_waiting.count &&
	    slice->mshrs.free_entries == slice->mshrs.entries && !dram->count)
		return;
	fprintf(out, "L2 slice %u: %s, %u requests waiting, MSHRs %u of %u, DRAM queue %u\n", slice->id,
	        slice->blocked ? "blocked" : "open", slice->waiting.count + slice->fabric_waiting.count,
	        slice->mshrs.entries - slice->mshrs.free_entries, slice->mshrs.entries, dram->count);
}

char *watchdog_report(struct gpu *gpu, cycle_t now)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	fprintf(out, "no progress at cycle %llu of kernel %s (%llu of %llu CTAs started)\n",
	        (unsigned long long)now, gpu->launch.kernel->name, (unsigned long long)gpu->dispatch.next,
	        (unsigned long long)gpu->dispatch.total);
	for (uint32_t i = 0; i < gpu->active_count; i++)
		if (!sm_idle(&gpu->sm[gpu->active[i]]))
			report_sm(out, &gpu->sm[gpu->active[i]]);
	for (uint32_t p = 0; p < gpu->machine->dram_channels; p++)
		for (uint32_t k = 0; k < gpu->machine->l2_slices_per_channel; k++)
			report_slice(out, &gpu->memory.partition[p].slice[k], &gpu->memory.partition[p].dram);
	fclose(out);
	return text;
}

static uint64_t dram_bytes(const struct gpu *gpu)
{
	uint64_t bytes = 0;
	for (uint32_t p = 0; p < gpu->machine->dram_channels; p++) {
		const struct counters *counters = &gpu->memory.partition[p].counters;
		bytes += counters->value[COUNT_dram_read_bytes] + counters->value[COUNT_dram_write_bytes];
	}
	return bytes;
}

bool watchdog_expired(struct watchdog *w, const struct gpu *gpu, uint64_t progress)
{
	if (progress != w->insns) {
		w->insns = progress;
		w->since = gpu->end;
	}
	if (gpu->end - w->since <= gpu->machine->sim_watchdog_cycles)
		return false;
	uint64_t bytes = dram_bytes(gpu);
	bool expired = bytes == w->dram_bytes;
	w->dram_bytes = bytes;
	w->since = gpu->end;
	return expired;
}
