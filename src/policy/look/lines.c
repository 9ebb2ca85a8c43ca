/*
 * What happens to the lines of L1, per SM: hooks of the observer.
 *
 * Seen are the line requests of loads that L1 serves. Requests past L1 and
 * stores leave no event; a line that a store, an atomic or a fence invalidates
 * counts as untouched by that. Lanes are not seen, so that a thread's own
 * reuse is part of its warp's.
 */
#include "policy/look/lines.h"

#include <string.h>

#include "base/memory.h"

enum { PARAM_LINES };

#define NO_LINE UINT64_MAX

static const struct policy_param lines_params[] = {
    [PARAM_LINES] = {"lines", PARAM_U32, 1 << 20, 16, 1 << 24, "lines",
                     "distinct lines remembered per SM and launch; more are counted as untracked"},
};

static uint32_t frames_of(const struct policy_env *env)
{
	return env->l1_sets * env->l1_ways;
}

static size_t lines_bytes(const struct policy_env *env)
{
	size_t slots = env->warps;
	return sizeof(struct look_lines) +
	       slots * (sizeof(struct look_cta) + sizeof(struct look_who) + sizeof(uint32_t)) +
	       (frames_of(env) + 2 * slots * slots) * sizeof(uint32_t);
}

/* The arrays lie behind the block, widest first. */
static void lay_out(struct look_lines *b, const struct policy_env *env)
{
	b->warps = env->warps;
	b->frames = frames_of(env);
	b->cta = (struct look_cta *)(b + 1);
	b->who = (struct look_who *)(b->cta + b->warps);
	b->cta_slot = (uint32_t *)(b->who + b->warps);
	b->frame_entry = b->cta_slot + b->warps;
	b->evicted = b->frame_entry + b->frames;
	b->lost = b->evicted + (size_t)b->warps * b->warps;
}

static void lines_init(void *sm, const struct policy_env *env)
{
	struct look_lines *b = sm;
	struct line_table table = b->table;
	/* The block is empty at first, and the matrices stay so without evictions. */
	size_t matrices = 2 * (size_t)env->warps * env->warps * sizeof(uint32_t);
	if (b->next_warp)
		memset(b, 0, lines_bytes(env) - (b->evictions ? 0 : matrices));
	b->table = table;
	line_table_clear(&b->table, (uint32_t)env->param[PARAM_LINES] + 1);
	line_table_add(&b->table, NO_LINE);
	lay_out(b, env);
}

static void lines_free(void *sm)
{
	line_table_free(&((struct look_lines *)sm)->table);
}

/* ---- warps and CTAs, numbered as they start --------------------------------------------------------------- */

static void lines_warp_start(void *sm, uint32_t warp, uint32_t cta, uint64_t cycle)
{
	struct look_lines *b = sm;
	struct look_cta *slot = &b->cta[cta % b->warps];
	/* A CTA's warps start together; one of them may have ended already, having nothing to do. */
	if (!slot->live && slot->since != cycle + 1) {
		slot->id = ++b->next_cta;
		slot->since = cycle + 1;
	}
	slot->live++;
	b->cta_slot[warp] = cta % b->warps;
	b->who[warp] = (struct look_who){.warp = ++b->next_warp, .cta = slot->id};
}

static void lines_warp_exit(void *sm, uint32_t warp, uint64_t cycle)
{
	struct look_lines *b = sm;
	(void)cycle;
	b->cta[b->cta_slot[warp]].live--;
}

/* ---- accesses ----------------------------------------------------------------------------------------------- */

static void add_pc(struct look_lines *b, uint64_t pc)
{
	b->pc_cache[pc / 8 % LINES_PC_CACHE] = pc + 1;
	for (uint32_t i = 0; i < b->pc_count; i++)
		if (b->pc[i] == pc)
			return;
	if (b->pc_count < LINES_PCS)
		b->pc[b->pc_count++] = pc;
	else
		b->pcs_truncated = true;
}

/* One more touch; what kind of reuse it is goes to `sums`. */
static inline void touch(struct look_lines *b, struct line_entry *entry, uint32_t warp, uint64_t *sums)
{
	struct look_who now = b->who[warp];
	entry->stay++;
	if (entry->touches++) {
		if (entry->last.warp == now.warp) {
			sums[LOCALITY_WARP]++;
			return;
		}
		sums[entry->last.cta == now.cta ? LOCALITY_BLOCK : LOCALITY_CORE]++;
	} else {
		b->first++;
	}
	entry->last = now;
}

static inline void see_pc(struct look_lines *b, uint64_t pc)
{
	if (pc + 1 != b->last_pc && b->pc_cache[pc / 8 % LINES_PC_CACHE] != pc + 1)
		add_pc(b, pc);
	b->last_pc = pc + 1;
}

/* The line's entry, known by its frame from now on; LINE_TABLE_NONE: no room. */
static uint32_t find_entry(struct look_lines *b, const struct l1_event *event)
{
	uint32_t found = line_table_add(&b->table, event->line);
	if (found == LINE_TABLE_NONE)
		b->untracked++;
	else if (event->frame < b->frames)
		b->frame_entry[event->frame] = found;
	return found;
}

static __attribute__((noinline)) void hit_slowly(struct look_lines *b, const struct l1_event *event)
{
	if (event->side)
		return;
	see_pc(b, event->pc);
	uint32_t found = find_entry(b, event);
	if (found != LINE_TABLE_NONE)
		touch(b, &b->table.entry[found], event->warp, b->hits);
}

/* Most accesses are hits of an instruction that was seen before on a line that its frame names: kept short. */
static void lines_hit(void *sm, const struct l1_event *event)
{
	struct look_lines *b = sm;
	if (event->frame < b->frames && !event->side && event->pc + 1 == b->last_pc) {
		struct line_entry *entry = &b->table.entry[b->frame_entry[event->frame]];
		if (entry->line == event->line) {
			touch(b, entry, event->warp, b->hits);
			return;
		}
	}
	hit_slowly(b, event);
}

static void lines_miss(void *sm, const struct l1_event *event)
{
	struct look_lines *b = sm;
	if (event->side)
		return;
	see_pc(b, event->pc);
	uint32_t found = find_entry(b, event);
	if (found == LINE_TABLE_NONE)
		return;
	struct line_entry *entry = &b->table.entry[found];
	if (entry->taken_by && entry->lost_by == event->warp + 1)
		b->lost[(size_t)event->warp * b->warps + entry->taken_by - 1]++;
	entry->taken_by = 0;
	touch(b, entry, event->warp, b->misses);
}

static void lines_evict(void *sm, const struct l1_event *event)
{
	struct look_lines *b = sm;
	if (event->side)
		return;
	b->evictions++;
	if (event->owner < b->warps && event->warp < b->warps)
		b->evicted[(size_t)event->owner * b->warps + event->warp]++;
	uint32_t found = event->frame < b->frames ? b->frame_entry[event->frame] : LINE_TABLE_NONE;
	if (found == LINE_TABLE_NONE || b->table.entry[found].line != event->line)
		found = line_table_find(&b->table, event->line);
	if (found == LINE_TABLE_NONE)
		return;
	struct line_entry *entry = &b->table.entry[found];
	b->unused_evictions += entry->stay < 2;
	entry->stay = 0;
	entry->taken_by = (uint16_t)(event->warp + 1);
	entry->lost_by = (uint16_t)(event->owner + 1);
}

/* ---- all SMs together ------------------------------------------------------------------------------------- */

static size_t lines_gpu_bytes(const struct policy_env *env)
{
	(void)env;
	return sizeof(struct look_lines_gpu);
}

static void lines_gpu_init(void *gpu, const struct policy_env *env)
{
	struct look_lines_gpu *b = gpu;
	line_table_clear(&b->before, env->param[PARAM_LINES] < 1 << 20
	                                 ? (uint32_t)env->param[PARAM_LINES] * 128
	                                 : 1u << 27);
}

static void lines_gpu_free(void *gpu)
{
	line_table_free(&((struct look_lines_gpu *)gpu)->before);
}

static uint64_t count_pcs(struct look_lines *const *sm, uint32_t count)
{
	struct line_table pcs = {0};
	line_table_clear(&pcs, UINT32_MAX / 4);
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 0; sm[i] && k < sm[i]->pc_count; k++)
			line_table_add(&pcs, sm[i]->pc[k]);
	uint64_t distinct = pcs.count;
	line_table_free(&pcs);
	return distinct;
}

struct look_lines_union look_lines_join(struct look_lines_gpu *gpu, struct look_lines *const *sm,
                                        uint32_t count)
{
	struct look_lines_union all = {.pcs = count_pcs(sm, count)};
	struct line_table now = {0};
	line_table_clear(&now, UINT32_MAX / 4);
	for (uint32_t i = 0; i < count; i++) {
		if (!sm[i])
			continue;
		all.sm_lines += sm[i]->table.count - 1;
		all.truncated |= sm[i]->untracked || sm[i]->pcs_truncated;
		for (uint32_t k = 1; k < sm[i]->table.count; k++) {
			const struct line_entry *entry = &sm[i]->table.entry[k];
			uint32_t at = line_table_add(&now, entry->line);
			struct line_entry *sum = &now.entry[at];
			sum->touches = sum->touches + entry->touches < sum->touches
			                   ? UINT32_MAX
			                   : sum->touches + entry->touches;
		}
	}
	all.lines = now.count;
	for (uint32_t k = 0; k < now.count; k++) {
		all.once += now.entry[k].touches == 1;
		if (!gpu)
			continue;
		uint32_t seen = gpu->before.count, at = line_table_add(&gpu->before, now.entry[k].line);
		all.known += at != LINE_TABLE_NONE && seen == gpu->before.count;
		all.truncated |= at == LINE_TABLE_NONE;
	}
	line_table_free(&now);
	return all;
}

const struct policy look_lines = {
    .abi = POLICY_ABI,
    .name = "look-lines",
    .title = "observer: who touches and who replaces the lines of L1",
    .params = lines_params,
    .param_count = 1,
    .sm_bytes = lines_bytes,
    .sm_init = lines_init,
    .sm_free = lines_free,
    .gpu_bytes = lines_gpu_bytes,
    .gpu_init = lines_gpu_init,
    .gpu_free = lines_gpu_free,
    .on_warp_start = lines_warp_start,
    .on_warp_exit = lines_warp_exit,
    .on_l1_hit = lines_hit,
    .on_l1_pending = lines_hit,
    .on_l1_miss = lines_miss,
    .on_l1_evict = lines_evict,
};
