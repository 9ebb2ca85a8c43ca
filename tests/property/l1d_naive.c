/*
 * L1 against a naive cache.
 *
 * One warp on one SM does one access at a time, each waiting for the last, so
 * that there is only one order. A cache that a student would write, byte by
 * byte and with lists, must count the same hits, misses and evictions.
 */
#include "lib/bench.h"
#include "lib/synth.h"
#include "test.h"

/* ---- the naive cache --------------------------------------------------------------------------------------- */

enum { LINE_MAX_BYTES = 128, ENTRIES_MAX = 4096 };

struct naive_line {
	uint64_t line, used;
	bool there, dirty, kept;
	bool has[LINE_MAX_BYTES];
};

struct naive {
	const struct machine *m;
	struct index index;
	struct naive_line entry[ENTRIES_MAX];
	uint64_t time;
	uint64_t hits, misses, bypasses, evictions, writebacks, stores, store_hits, hit_sectors;
};

static struct naive_line *naive_find(struct naive *c, uint64_t line)
{
	struct naive_line *set = &c->entry[index_of(&c->index, line) * c->m->l1d_ways];
	for (uint32_t way = 0; way < c->m->l1d_ways; way++)
		if (set[way].there && set[way].line == line)
			return &set[way];
	return NULL;
}

/* A line is used: if lines are kept, it is one of them, and no more than half of the ways are. */
static void naive_use(struct naive *c, struct naive_line *l, bool again)
{
	struct naive_line *set = &c->entry[(l - c->entry) / c->m->l1d_ways * c->m->l1d_ways], *oldest = NULL;
	uint32_t kept = 0;
	for (uint32_t way = 0; way < c->m->l1d_ways; way++)
		if (set[way].there && set[way].kept) {
			oldest = !kept++ || set[way].used < oldest->used ? &set[way] : oldest;
		}
	if (again && c->m->l1d_segmented && kept == c->m->l1d_ways / 2 && kept) {
		oldest->kept = false;
		oldest->used = ++c->time;
	}
	l->kept |= again && c->m->l1d_segmented && c->m->l1d_ways > 1;
	l->used = ++c->time;
}

/* Takes an empty way, else the least recently used one, a kept one last. */
static struct naive_line *naive_take(struct naive *c, uint64_t line)
{
	struct naive_line *set = &c->entry[index_of(&c->index, line) * c->m->l1d_ways], *victim = set;
	for (uint32_t way = 0; way < c->m->l1d_ways && victim->there; way++)
		if (!set[way].there ||
		    (set[way].kept == victim->kept ? set[way].used < victim->used : victim->kept))
			victim = &set[way];
	c->evictions += victim->there;
	c->writebacks += victim->there && victim->dirty;
	*victim = (struct naive_line){.line = line, .there = true};
	return victim;
}

/* Sectors of bytes [from, to) in which some of these bytes are not there; their blocks are fetched if `fetch`. */
static uint32_t naive_missing(struct naive *c, struct naive_line *l, uint32_t from, uint32_t to, bool fetch)
{
	uint32_t missing = 0, bytes = c->m->l1d_sector_bytes, block = c->m->l1d_fetch_bytes;
	for (uint32_t sector = from / bytes * bytes; sector < to; sector += bytes) {
		bool lacks = false;
		for (uint32_t i = sector; i < sector + bytes; i++)
			lacks |= i >= from && i < to && !(l && l->has[i]);
		missing += lacks;
		if (lacks && fetch)
			memset(&l->has[sector / block * block], true, block);
	}
	return missing;
}

static uint32_t naive_sectors(const struct naive *c, uint32_t from, uint32_t to)
{
	return (to - 1) / c->m->l1d_sector_bytes - from / c->m->l1d_sector_bytes + 1;
}

static void naive_load(struct naive *c, uint64_t line, uint32_t from, uint32_t to, bool local)
{
	struct naive_line *l = naive_find(c, line);
	uint32_t missing = naive_missing(c, l, from, to, false);
	c->hits += !missing;
	c->misses += missing != 0;
	c->hit_sectors += local ? 0 : naive_sectors(c, from, to) - missing;
	bool again = l != NULL;
	if (!l)
		l = naive_take(c, line);
	naive_missing(c, l, from, to, true);
	naive_use(c, l, again);
}

/* A sector that is not there and of which only some bytes lie in [from, to). */
static bool naive_partial(const struct naive *c, const struct naive_line *l, uint32_t from, uint32_t to)
{
	uint32_t bytes = c->m->l1d_sector_bytes, first = from / bytes * bytes,
	         last = (to - 1) / bytes * bytes;
	return (from > first && !l->has[first]) || (to < last + bytes && !l->has[last + bytes - 1]);
}

static void naive_store(struct naive *c, uint64_t line, uint32_t from, uint32_t to, bool local)
{
	uint32_t policy = local ? c->m->l1d_local_write : c->m->l1d_write_hit;
	struct naive_line *l = naive_find(c, line);
	c->stores++;
	c->store_hits += l != NULL;
	if (l && policy == WRITE_HIT_EVICT) {
		l->there = false;
		return;
	}
	bool masks = c->m->l1d_write_miss == WRITE_MISS_ALLOCATE_MASK;
	bool again = l != NULL;
	if (!l && masks)
		l = naive_take(c, line);
	if (!l)
		return;
	naive_use(c, l, again);
	/* Without a mask of bytes, a sector that is written in part must be there to take it. */
	bool kept = policy == WRITE_HIT_BACK && (masks || !naive_partial(c, l, from, to));
	l->dirty |= kept;
	if (kept || masks)
		memset(&l->has[from], true, to - from);
}

/* ---- the same accesses for both ------------------------------------------------------------------------------ */

/* What comes next: the bytes [from, to) of a line, read or written by as many lanes as that takes. */
static void next_access(struct synth *s, struct naive *c, uint64_t *random, uint32_t lines)
{
	uint64_t r = synth_random(random);
	uint64_t line = 0x100000 + r % (r >> 63 ? lines : lines / 4 + 1); /* some are used more than others */
	uint32_t bytes = c->m->l1d_line_bytes, from = (uint32_t)(r >> 32) % bytes & ~3u;
	uint32_t lanes = 1 + (uint32_t)(r >> 40) % ((bytes - from) / 4 < 32 ? (bytes - from) / 4 : 32);
	uint64_t mask = (UINT64_C(1) << lanes) - 1, address = line * bytes + from;
	uint32_t what = (uint32_t)(r >> 48) % 16, to = from + 4 * lanes;
	enum mem_space space = r >> 62 & 1 ? SPACE_LOCAL : SPACE_GLOBAL;
	if (what < 5) {
		/* Every access reads register 2, which every load writes. */
		synth_stride(s, synth_memory(1, OP_STORE, space, 4, 3, 2), mask, address, 4);
		naive_store(c, line, from, to, space == SPACE_LOCAL);
	} else if (what == 5) {
		synth_stride(s, synth_memory(2, OP_ATOMIC, SPACE_GLOBAL, 4, 2, 2), mask, address, 4);
		struct naive_line *l = naive_find(c, line);
		if (l && c->m->l1d_atomic_invalidates_line)
			l->there = false;
	} else if (what == 6) {
		struct trace_insn bypassing = synth_memory(3, OP_LOAD, SPACE_GLOBAL, 4, 2, 2);
		bypassing.flags |= INSN_BYPASS_L1;
		synth_stride(s, bypassing, mask, address, 4);
		c->bypasses++;
	} else if (what == 7 && (r >> 52 & 127) == 0) {
		/* A load first, which a store on its way to L1 cannot be behind. */
		struct trace_insn fence = synth_op(4, OP_FENCE, 0, 2);
		fence.flags |= INSN_GPU_SCOPE;
		synth_stride(s, synth_memory(5, OP_LOAD, space, 4, 2, 2), mask, address, 4);
		naive_load(c, line, from, to, space == SPACE_LOCAL);
		synth_plain(s, fence, 1);
		for (uint32_t i = 0; i < ENTRIES_MAX; i++)
			c->entry[i].there = false;
	} else {
		synth_stride(s, synth_memory(5, OP_LOAD, space, 4, 2, 2), mask, address, 4);
		naive_load(c, line, from, to, space == SPACE_LOCAL);
	}
}

static bool agrees(const char *machine, const char *changes, uint64_t seed)
{
	char where[512], all[512];
	struct error err;
	snprintf(all, sizeof all,
	         "sm.count=1 sm.gpcs=1 sm.sms_per_tpc=1 smem.carveout=none l1d.unified_bytes=0 %s", changes);
	struct bench b = bench_open((struct bench_setup){.machine = machine, .changes = all});
	struct naive *c = calloc(1, sizeof *c);
	c->m = b.machine;
	index_build(&c->index, (enum set_index)c->m->l1d_index, c->m->l1d_sets, c->m->l1d_line_bytes, &err);
	struct synth *s = synth_new();
	synth_kernel(s,
	             &(struct synth_shape){.name = "one_at_a_time", .ctas = 1, .warps = 1, .warp_size = 32});
	synth_warp(s, 0, 0);
	/* Twice as much as fits, so that all of hits, misses and evictions happen. */
	uint32_t capacity = c->m->l1d_sets * c->m->l1d_ways;
	for (uint32_t i = 0; i < 3000 + 4 * capacity; i++)
		next_access(s, c, &seed, 2 * capacity);
	struct trace *trace = synth_finish(s);
	const struct counters counters = bench_run(&b, trace, 0, true);
	const uint64_t *v = counters.value;
	snprintf(where, sizeof where, "%s with %s", machine, changes);
	bool ok = bench_equal(where, "hits", v[COUNT_l1_hits], c->hits);
	ok &= bench_equal(where, "misses", v[COUNT_l1_misses], c->misses);
	ok &= bench_equal(where, "pending hits", v[COUNT_l1_pending_hits], 0);
	ok &= bench_equal(where, "bypasses", v[COUNT_l1_bypasses], c->bypasses);
	ok &= bench_equal(where, "evictions", v[COUNT_l1_evictions], c->evictions);
	ok &= bench_equal(where, "writebacks", v[COUNT_l1_writebacks], c->writebacks);
	ok &= bench_equal(where, "stores", v[COUNT_l1_stores], c->stores);
	ok &= bench_equal(where, "store hits", v[COUNT_l1_store_hits], c->store_hits);
	ok &= bench_equal(where, "hit sectors", v[COUNT_l1_load_hit_sectors], c->hit_sectors);
	if (c->hits < 300 || c->misses < 300 || c->evictions < 100)
		printf("# %s: only %llu hits, %llu misses, %llu evictions\n", where,
		       (unsigned long long)c->hits, (unsigned long long)c->misses,
		       (unsigned long long)c->evictions);
	ok &= c->hits >= 300 && c->misses >= 300 && c->evictions >= 100;
	trace_close(trace);
	bench_close(&b);
	free(c);
	return ok;
}

/* ---- claims ----------------------------------------------------------------------------------------------------- */

TEST(the_machines_own_caches_agree)
{
	bool ok = true;
	for (const char *const *machine = bench_machines(); *machine; machine++)
		ok &= agrees(*machine, "l1d.enabled=yes", 1);
	CHECK(ok);
}

TEST(every_geometry_and_index_agrees)
{
	static const char *const index[] = {"seq", "xor", "ipoly", "fermi"};
	static const char *const shape[] = {"l1d.sets=1 l1d.ways=16", "l1d.sets=8 l1d.ways=1",
	                                    "l1d.sets=16 l1d.ways=3", "l1d.sets=64 l1d.ways=6",
	                                    "l1d.sets=32 l1d.ways=9"};
	bool ok = true;
	for (int i = 0; i < 4; i++)
		for (int k = 0; k < 5; k++) {
			char changes[256];
			/* Stores that keep their lines leave enough of them to be evicted. */
			snprintf(changes, sizeof changes, "%s l1d.index=%s l1d.write_hit=write-through",
			         shape[k], index[i]);
			ok &= agrees("gtx480-ciao", changes, (uint64_t)(i * 5 + k));
			ok &= agrees("v100-osm", changes, (uint64_t)(i * 5 + k));
		}
	ok &= agrees("gtx480-ciao", "l1d.sets=12 l1d.ways=4 l1d.index=seq", 77);
	CHECK(ok);
}

TEST(every_sector_size_and_time_of_allocation_agrees)
{
	static const char *const sector[] = {"32", "64", "128"};
	static const char *const allocate[] = {"on-miss", "on-fill"};
	bool ok = true;
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 2; k++) {
			char changes[256];
			snprintf(
			    changes, sizeof changes,
			    "l1d.ways=6 l1d.write_miss=no-allocate l1d.sector_bytes=%s l1d.fetch_bytes=%s "
			    "l2.sector_bytes=%s l2.fetch_bytes=%s l1d.allocate=%s",
			    sector[i], sector[i], sector[i], sector[i], allocate[k]);
			ok &= agrees("v100-osm", changes, (uint64_t)(i * 2 + k));
		}
	CHECK(ok);
}

TEST(every_write_policy_agrees)
{
	static const char *const policy[] = {
	    "l1d.write_hit=write-through l1d.write_miss=no-allocate",
	    "l1d.write_hit=write-evict l1d.write_miss=no-allocate",
	    "l1d.write_hit=write-back l1d.write_miss=no-allocate",
	    "l1d.write_hit=write-through l1d.write_miss=allocate-mask",
	    "l1d.write_hit=write-back l1d.write_miss=allocate-mask",
	};
	static const char *const local[] = {"write-through", "write-evict", "write-back"};
	static const char *const sector[] = {"32", "64", "128"};
	bool ok = true;
	for (int i = 0; i < 5; i++)
		for (int k = 0; k < 3; k++)
			for (int n = 0; n < 3; n++) {
				char changes[256];
				snprintf(
				    changes, sizeof changes,
				    "%s l1d.local_write=%s l1d.sector_bytes=%s l1d.fetch_bytes=%s l2.sector_bytes=%s l2.fetch_bytes=%s",
				    policy[i], local[k], sector[n], sector[n], sector[n], sector[n]);
				ok &= agrees("gtx480-khairy", changes, (uint64_t)(i * 6 + k * 2 + n));
			}
	CHECK(ok);
}

TEST_RUN_ALL(true)
