/*
 * MIN (Belady 1966): the line whose next use is farthest in the future goes.
 *
 * The kernel is simulated several times. The first pass, with LRU, records the order in which the loads of an
 * SM ask for lines; each later one replaces by the next use in the order of the pass before it. What hits and
 * misses changes the timing, and with it the order and even which CTA an SM gets: the k-th use of a line is
 * matched with its k-th use in the record, and a line of which the record knows no further use goes first.
 * Every miss takes a line; MIN with bypassing would miss less still.
 *
 * So the simulated pass is an estimate. The bound is in the statistics: the misses that LRU and MIN have on
 * the order of the last pass itself, without time. There no replacement has fewer than MIN.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "policy/define.h"
#include "policy/lib/frames.h"
#include "policy/lib/line_map.h"

struct min_params {
	uint32_t passes;
};

POLICY_GIVEN(struct min_params)

static const struct policy_param params[] = {
    PARAM_U32(struct min_params, passes, 2, 2, 100, "", "simulations of a launch; the last one counts"),
};

#define NO_SET UINT32_MAX

/* A line of a record. Places are counted from 1; 0: no further use. */
struct min_line {
	uint32_t set, next;
};

/* The uses of lines by the loads of an SM, in the order of a pass. */
struct min_record {
	struct line_map id; /* of a line: its place in `line`, plus 1 */
	struct min_line *line;
	uint32_t line_size;
	uint32_t *order, *next; /* at place - 1: which line is used there, and the place of its next use */
	uint32_t uses, size;
};

struct min {
	uint32_t sets, ways, pass;
	struct min_record now, before; /* the pass that is being recorded, and the one that guides it */
};

/* A way of the cache that replays a record. */
struct min_way {
	uint32_t id;
	uint64_t rank; /* the least goes; 0: empty */
};

/* ---- records ---------------------------------------------------------------------------------------------- */

static struct min_line *line_at(struct min_record *record, uint64_t number)
{
	uint32_t *id = line_map_at(&record->id, number);
	if (!*id) {
		*id = record->id.count;
		if (*id > record->line_size) {
			record->line_size = 2 * *id + 64;
			record->line = memory_grow(record->line, record->line_size, sizeof *record->line);
		}
		record->line[*id - 1] = (struct min_line){NO_SET, 0};
	}
	return &record->line[*id - 1];
}

static void add_use(struct min_record *record, const struct min_line *line)
{
	if (record->uses == record->size) {
		record->size = 2 * record->size + 1024;
		record->order = memory_grow(record->order, record->size, sizeof *record->order);
		record->next = memory_grow(record->next, record->size, sizeof *record->next);
	}
	record->order[record->uses++] = (uint32_t)(line - record->line);
}

/* Links the uses of each line, from the last to the first, which is its next in the end. */
static void link_uses(struct min_record *record)
{
	for (uint32_t i = 0; i < record->id.count; i++)
		record->line[i].next = 0;
	for (uint32_t place = record->uses; place; place--) {
		struct min_line *line = &record->line[record->order[place - 1]];
		record->next[place - 1] = line->next;
		line->next = place;
	}
}

static void clear(struct min_record *record)
{
	line_map_clear(&record->id);
	record->uses = 0;
}

/* The way that holds the line, else the one that goes. */
static struct min_way *way_for(struct min_way *set, uint32_t ways, uint32_t id)
{
	struct min_way *goes = set;
	for (struct min_way *way = set; way < set + ways; way++) {
		if (way->rank && way->id == id)
			return way;
		if (way->rank < goes->rank)
			goes = way;
	}
	return goes;
}

/* Misses on the record of a cache without time; the uses must be linked if MIN is to replace. */
static uint64_t replay(const struct min *min, const struct min_record *record, bool belady)
{
	struct min_way *cache = memory_zeroed((size_t)min->sets * min->ways, sizeof *cache);
	uint64_t misses = 0;
	for (uint32_t i = 0; i < record->uses; i++) {
		uint32_t id = record->order[i], set = record->line[id].set;
		uint64_t near = record->next[i] ? (uint64_t)UINT32_MAX + 2 - record->next[i] : 1;
		if (set == NO_SET) { /* L1 never took it */
			misses++;
			continue;
		}
		struct min_way *way = way_for(&cache[(size_t)set * min->ways], min->ways, id);
		misses += !way->rank || way->id != id;
		*way = (struct min_way){id, belady ? near : i + 1u};
	}
	free(cache);
	return misses;
}

/* ---- replacement ------------------------------------------------------------------------------------------ */

/*
 * Uses between now and the next use of the line. One that should have come so many uses ago is taken to come
 * in as many, else the lines of a CTA that went to another SM this time would stay for ever.
 */
static uint64_t next_use(const struct min *min, uint64_t number)
{
	const uint32_t *id = line_map_find(&min->before.id, number);
	uint32_t next = id ? min->before.line[*id - 1].next : 0, now = min->now.uses;
	return !next ? UINT64_MAX : next > now ? next - now : now - next;
}

/* The farthest next use; of those that have none, the least recently used. */
static uint32_t min_victim(void *sm, const struct l1_request *request, const struct frame_view *ways,
                           uint32_t count)
{
	const struct min *min = sm;
	if (!min->pass || request->aux || frames_free(ways, count) != UINT32_MAX)
		return frames_lru(ways, count);
	uint32_t victim = UINT32_MAX;
	uint64_t farthest = 0;
	for (uint32_t i = 0; i < count; i++) {
		uint64_t next = next_use(min, ways[i].line);
		if (ways[i].reserved || (victim != UINT32_MAX && next < farthest))
			continue;
		if (victim == UINT32_MAX || next > farthest || ways[i].recency < ways[victim].recency)
			victim = i;
		farthest = next;
	}
	return victim;
}

static void min_on_use(void *sm, const struct l1_event *event)
{
	struct min *min = sm;
	if (event->aux)
		return;
	struct min_line *line = line_at(&min->now, event->line);
	if (event->frame != UINT32_MAX)
		line->set = event->frame / min->ways;
	add_use(&min->now, line);
	const uint32_t *id = line_map_find(&min->before.id, event->line);
	struct min_line *guide = id ? &min->before.line[*id - 1] : NULL;
	if (guide && guide->next)
		guide->next = min->before.next[guide->next - 1];
}

/* Where L1 takes a line with the data, only now is its set known. */
static void min_on_fill(void *sm, const struct l1_event *event)
{
	struct min *min = sm;
	if (!event->aux)
		line_at(&min->now, event->line)->set = event->frame / min->ways;
}

/* ---- launches --------------------------------------------------------------------------------------------- */

static void min_configure(struct policy *self, const struct policy_env *env)
{
	self->passes = given(env)->passes;
}

POLICY_BYTES(min_sm_bytes, struct min)

static void min_sm_init(void *sm, const struct policy_env *env)
{
	struct min *min = sm;
	struct min_record record = min->before;
	/* An SM that had no CTA in the pass before has only the record of an older one. */
	bool follows = env->pass && env->pass == min->pass + 1;
	min->sets = env->l1_sets;
	min->ways = env->l1_ways;
	min->pass = env->pass;
	min->before = min->now;
	min->now = record;
	clear(&min->now);
	if (follows)
		link_uses(&min->before);
	else
		clear(&min->before);
}

static void free_record(struct min_record *record)
{
	line_map_free(&record->id);
	free(record->line);
	free(record->order);
	free(record->next);
}

static void min_sm_free(void *sm)
{
	free_record(&((struct min *)sm)->now);
	free_record(&((struct min *)sm)->before);
}

static const char *const stat_names[] = {"recorded_uses", "recorded_lru_misses", "recorded_min_misses"};

static void min_stats(const void *sm, uint64_t *sum)
{
	struct min min = *(const struct min *)sm;
	link_uses(&min.now); /* what the record points to is ours alone until the next launch clears it */
	sum[0] += min.now.uses;
	sum[1] += replay(&min, &min.now, false);
	sum[2] += replay(&min, &min.now, true);
}

const struct policy policy_min = {
    .abi = POLICY_ABI,
    .name = "min",
    .title = "the line whose next use is farthest off is replaced, known from a pass before",
    .citation =
        "L. A. Belady: A Study of Replacement Algorithms for a Virtual-Storage Computer, IBM Systems Journal "
        "5(2), 1966",
    POLICY_PARAMS(params, struct min_params),
    .configure = min_configure,
    .passes = 2,
    .sm_bytes = min_sm_bytes,
    .sm_init = min_sm_init,
    .sm_free = min_sm_free,
    POLICY_STAT_NAMES(stat_names),
    .stats = min_stats,
    .l1_victim = min_victim,
    .on_l1_hit = min_on_use,
    .on_l1_pending = min_on_use,
    .on_l1_miss = min_on_use,
    .on_l1_fill = min_on_fill,
};
