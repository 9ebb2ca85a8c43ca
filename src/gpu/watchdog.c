/* What a wedged launch looks like: who waits for what, and how full the queues are. */
#include <stdio.h>
#include <stdlib.h>

#include "gpu/internal.h"
#include "sm/memq.h"

static const char *const cause_text[CAUSE_COUNT] = {
    [CAUSE_IDLE] = "its start",
    [CAUSE_EXEC] = "an arithmetic result",
    [CAUSE_MEMORY] = "a load or atomic from global or local memory",
    [CAUSE_SHARED] = "shared memory",
    [CAUSE_CONSTANT] = "constant memory or a special register",
    [CAUSE_BRANCH] = "a branch",
    [CAUSE_FETCH] = "instructions",
    [CAUSE_BARRIER] = "the other warps of its CTA at a barrier",
    [CAUSE_FENCE] = "a memory fence",
    [CAUSE_PIPE] = "a pipe",
    [CAUSE_LSU] = "the load/store queue",
    [CAUSE_GATED] = "a policy that holds it back",
};

static void report_warp(FILE *out, const struct sm *sm, uint32_t slot)
{
	const struct warp *warp = &sm->warp[slot];
	const struct scheduler *sched = &sm->sched[warp->sched];
	const struct decoded *insn = &sm->launch->insn[warp->step.insn];
	const struct trace_insn *traced = &sm->launch->kernel->insns[warp->step.insn];
	bool ready = sched->ready >> warp->bit & 1;
	enum cause cause = ready ? (enum cause)sched->blocked : due_cause(warp->due);
	fprintf(out, "  SM %u warp %u (CTA %llu): at pc %04llx %s, waits for %s", sm->id, slot,
	        (unsigned long long)sm->cta[warp->cta_slot].id, (unsigned long long)insn->pc,
	        trace_mnemonic(sm->launch->kernel, traced), cause_text[cause]);
	if (cause == CAUSE_BARRIER)
		fprintf(out, " (%u of %u there)", sm->cta[warp->cta_slot].arrived,
		        sm->cta[warp->cta_slot].live);
	fputc('\n', out);
}

static void report_sm(FILE *out, struct sm *sm)
{
	fprintf(
	    out,
	    "SM %u: %u warps, %u CTAs; LSU queue %u of %u, loads in flight %u, L1 MSHRs %u of %u, packets without "
	    "credit %u, credits %u of %u\n",
	    sm->id, sm->resident_warps, sm->resident_ctas, sm->queue_count, sm->machine->lsu_queue_sm,
	    sm->load_count - sm->free_loads, sm->mshrs.entries - sm->mshrs.free_entries, sm->mshrs.entries,
	    sm->waiting.count, sm->credits, sm->machine->icnt_credits);
	if (sm->memq)
		fprintf(out, "  request window %u of %u, %u of them refused by L1\n", sm->memq->count,
		        sm->memq->capacity, sm->memq->refused);
	for (uint32_t slot = 0; slot < sm->machine->sm_warps; slot++)
		if (sm->warp[slot].generation)
			report_warp(out, sm, slot);
}

static void report_slice(FILE *out, const struct slice *slice, const struct dram *dram)
{
	if (!slice->waiting.count + slice->far_waiting.count &&
	    slice->mshrs.free_entries == slice->mshrs.entries && !dram->count)
		return;
	fprintf(out, "L2 slice %u: %s, %u requests waiting, MSHRs %u of %u, DRAM queue %u\n", slice->id,
	        slice->blocked ? "blocked" : "open", slice->waiting.count + slice->far_waiting.count,
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
