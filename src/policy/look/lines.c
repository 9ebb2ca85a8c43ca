/*
 * What happens to the lines of L1, per SM: hooks of the observer.
 *
 * Seen are the line requests of loads that L1 serves. Requests past L1 and stores leave no event; a line that
 * a store, an atomic or a fence invalidates counts as untouched by that. Lanes are not seen, so that a
 * thread's own reuse is part of its warp's.
 */
#include "policy/look/lines.h"

#include <string.h>

#include "base/memory.h"
#include "policy/define.h"

struct look_lines_params {
	uint32_t lines;
};

POLICY_GIVEN(struct look_lines_params)

#define NO_LINE UINT64_MAX

static const struct policy_param lines_params[] = {
    PARAM_U32(struct look_lines_params, lines, 1 << 20, 16, 1 << 24, "lines",
              "distinct lines remembered per SM and launch; more are counted as untracked"),
};

static uint32_t frames_of(const struct policy_env *env)
{
	return env->l1_sets * env->l1_ways;
}

static size_t lines_bytes(const struct policy_env *env)
{
	size_t slots = env->warps;
	return sizeof(struct look_lines) + frames_of(env) * (sizeof(uint64_t) + sizeof(uint32_t)) +
	       slots * (sizeof(struct look_cta) + sizeof(uint64_t) + sizeof(uint32_t)) +
	       2 * slots * slots * sizeof(uint32_t);
}

/* The arrays lie behind the block, widest first. */
static void lay_out(struct look_lines *b, const struct policy_env *env)
{
	b->warps = env->warps;
	b->frames = frames_of(env);
	b->watch.last = (uint64_t *)(b + 1);
	b->cta = (struct look_cta *)(b->watch.last + b->frames);
	b->watch.user = (uint64_t *)(b->cta + b->warps);
	b->entry = (uint32_t *)(b->watch.user + b->warps);
	b->cta_slot = b->entry + b->frames;
	b->evicted = b->cta_slot + b->warps;
	b->lost = b->evicted + (size_t)b->warps * b->warps;
}

static void see_line(struct hit_watch *watch, uint32_t warp, uint64_t line, uint32_t frame);
static void see_pc(struct hit_watch *watch, uint64_t pc);
static void leave(struct hit_watch *watch, uint32_t frame);

/* The frame holds no line of the table. */
static void forget(struct look_lines *b, uint32_t frame)
{
	b->watch.last[frame] = 0;
	b->entry[frame] = 0;
}

static void lines_init(void *sm, const struct policy_env *env)
{
	struct look_lines *b = sm;
	/* The block is empty at first. Launches may be short and many: only what was used is emptied. */
	if (b->next_warp) {
		struct line_table table = b->table;
		for (uint32_t k = 1; k < table.count; k++)
			if (table.entry[k].frame)
				forget(b, table.entry[k].frame - 1);
		memset(b->cta, 0, b->ctas * sizeof *b->cta);
		if (b->evictions)
			memset(b->evicted, 0, 2 * (size_t)b->warps * b->warps * sizeof *b->evicted);
		memset(b, 0, offsetof(struct look_lines, pc));
		b->table = table;
	}
	line_table_clear(&b->table, given(env)->lines + 1);
	line_table_add(&b->table, NO_LINE);
	lay_out(b, env);
	b->watch.see_line = see_line;
	b->watch.see_pc = see_pc;
	b->watch.leave = leave;
}

static void lines_free(void *sm)
{
	line_table_free(&((struct look_lines *)sm)->table);
}

/* ---- warps and CTAs, numbered as they start --------------------------------------------------------------- */

static void lines_warp_start(void *sm, uint32_t warp, uint32_t cta, uint64_t cycle)
{
	struct look_lines *b = sm;
	uint32_t at = cta % b->warps;
	struct look_cta *slot = &b->cta[at];
	/* A CTA's warps start together; one of them may have ended already, having nothing to do. */
	if (!slot->live && slot->since != cycle + 1) {
		slot->id = ++b->next_cta;
		slot->since = cycle + 1;
	}
	slot->live++;
	b->ctas = b->ctas > at ? b->ctas : at + 1;
	b->cta_slot[warp] = at;
	b->watch.user[warp] = HIT_USER | (uint64_t)slot->id << 32 | ++b->next_warp;
}

static void lines_warp_exit(void *sm, uint32_t warp, uint64_t cycle)
{
	struct look_lines *b = sm;
	(void)cycle;
	b->cta[b->cta_slot[warp]].live--;
}

/* ---- accesses ----------------------------------------------------------------------------------------------- */

static void see_pc(struct hit_watch *watch, uint64_t pc)
{
	struct look_lines *b = (struct look_lines *)watch;
	*hit_watch_place(watch, pc) = pc + 1;
	for (uint32_t i = 0; i < b->pc_count; i++)
		if (b->pc[i] == pc)
			return;
	if (b->pc_count < LINES_PCS)
		b->pc[b->pc_count++] = pc;
	else
		b->pcs_truncated = true;
}

/* Update the entry from its frame. */
static inline void update(struct look_lines *b, struct line_entry *entry)
{
	if (!entry->frame)
		return;
	uint64_t last = b->watch.last[entry->frame - 1];
	entry->last = last | HIT_USER;
	if (last & HIT_USER)
		entry->touches = entry->stay = LINE_MANY;
}

static void leave(struct hit_watch *watch, uint32_t frame)
{
	struct look_lines *b = (struct look_lines *)watch;
	struct line_entry *entry = &b->table.entry[b->entry[frame]];
	update(b, entry);
	entry->frame = 0;
	forget(b, frame);
}

/* One more touch of an entry that is up to date; what kind of reuse it is goes to `sums`. */
static void touch(struct look_lines *b, struct line_entry *entry, uint32_t warp, uint64_t *sums)
{
	uint64_t user = b->watch.user[warp], differs = entry->last ^ user;
	if (entry->touches)
		sums[!differs ? LOCALITY_WARP : !(differs >> 32) ? LOCALITY_BLOCK : LOCALITY_CORE]++;
	else
		b->first++;
	entry->touches = entry->touches ? LINE_MANY : 1;
	entry->stay = entry->stay ? LINE_MANY : 1;
	entry->last = user;
	if (entry->frame)
		b->watch.last[entry->frame - 1] = entry->stay < LINE_MANY ? user & ~HIT_USER : user;
}

/* The line is now in another frame, or in none that is known. Its touch sets the user there. */
static void move(struct look_lines *b, uint32_t number, uint32_t frame)
{
	struct line_entry *entry = &b->table.entry[number];
	if (entry->frame)
		forget(b, entry->frame - 1);
	entry->frame = frame < b->frames ? frame + 1 : 0;
	if (!entry->frame)
		return;
	hit_watch_replace(&b->watch, frame);
	b->entry[frame] = number;
}

/* The line's entry, up to date and known by its frame from now on; NULL: no room. */
static struct line_entry *find_entry(struct look_lines *b, uint64_t line, uint32_t frame)
{
	uint32_t found = line_table_add(&b->table, line);
	if (found == LINE_TABLE_NONE) {
		b->untracked++;
		return NULL;
	}
	update(b, &b->table.entry[found]);
	if (b->table.entry[found].frame != frame + 1)
		move(b, found, frame);
	return &b->table.entry[found];
}

/* A line that has no user in its frame, or the first hit since it came. */
static void see_line(struct hit_watch *watch, uint32_t warp, uint64_t line, uint32_t frame)
{
	struct look_lines *b = (struct look_lines *)watch;
	uint32_t known = frame < b->frames ? b->entry[frame] : 0;
	struct line_entry *entry = known ? &b->table.entry[known] : find_entry(b, line, frame);
	if (known)
		update(b, entry);
	if (entry)
		touch(b, entry, warp, watch->hits);
}

static void lines_hit(void *sm, const struct l1_event *event)
{
	struct look_lines *b = sm;
	if (event->aux)
		return;
	hit_watch_pc(&b->watch, event->pc);
	struct hit_sums sums = {.hits = 1};
	if (event->frame < b->frames &&
	    hit_watch_line(&b->watch.last[event->frame], &sums, b->watch.user[event->warp]))
		hit_watch_add(&b->watch, &sums);
	else
		see_line(&b->watch, event->warp, event->line, event->frame);
}

static void lines_miss(void *sm, const struct l1_event *event)
{
	struct look_lines *b = sm;
	if (event->aux)
		return;
	hit_watch_pc(&b->watch, event->pc);
	struct line_entry *entry = find_entry(b, event->line, event->frame);
	if (!entry)
		return;
	if (entry->taken_by && entry->lost_by == event->warp + 1)
		b->lost[(size_t)event->warp * b->warps + entry->taken_by - 1]++;
	entry->taken_by = 0;
	touch(b, entry, event->warp, b->misses);
}

static void lines_evict(void *sm, const struct l1_event *event)
{
	struct look_lines *b = sm;
	if (event->aux)
		return;
	b->evictions++;
	if (event->owner < b->warps && event->warp < b->warps)
		b->evicted[(size_t)event->owner * b->warps + event->warp]++;
	uint32_t found = event->frame < b->frames ? b->entry[event->frame] : 0;
	if (found)
		leave(&b->watch, event->frame);
	else
		found = line_table_find(&b->table, event->line);
	if (found == LINE_TABLE_NONE)
		return;
	struct line_entry *entry = &b->table.entry[found];
	update(b, entry);
	b->unused_evictions += entry->stay < 2;
	entry->stay = 0;
	entry->taken_by = (uint16_t)(event->warp + 1);
	entry->lost_by = (uint16_t)(event->owner + 1);
}

void look_lines_close(struct look_lines *b)
{
	for (uint32_t k = 1; k < b->table.count; k++)
		update(b, &b->table.entry[k]);
}

/* ---- all SMs together ------------------------------------------------------------------------------------- */

POLICY_BYTES(lines_gpu_bytes, struct look_lines_gpu)

static void lines_gpu_init(void *gpu, const struct policy_env *env)
{
	struct look_lines_gpu *b = gpu;
	line_table_clear(&b->before, given(env)->lines < 1 << 20 ? given(env)->lines * 128 : 1u << 27);
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
		look_lines_close(sm[i]);
		all.sm_lines += sm[i]->table.count - 1;
		all.truncated |= sm[i]->untracked || sm[i]->pcs_truncated;
		for (uint32_t k = 1; k < sm[i]->table.count; k++) {
			const struct line_entry *entry = &sm[i]->table.entry[k];
			uint32_t at = line_table_add(&now, entry->line);
			struct line_entry *sum = &now.entry[at];
			uint32_t touches = (uint32_t)sum->touches + entry->touches;
			sum->touches = (uint8_t)(touches < LINE_MANY ? touches : LINE_MANY);
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
    POLICY_PARAMS(lines_params, struct look_lines_params),
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
