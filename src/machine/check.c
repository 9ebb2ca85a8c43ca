/*
 * Rules between keys; keys.def has the range of each key. A rule is an error if breaking it makes the
 * simulation meaningless or the model's arithmetic wrong. What is merely unusual is a warning.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "machine/internal.h"

/* "FILE:LINE: text", where FILE:LINE is the origin of `section.key`. Always false. */
static bool fail(const struct machine *m, struct error *err, const char *section, const char *key,
                 const char *fmt, ...) __attribute__((format(printf, 5, 6)));

static bool fail(const struct machine *m, struct error *err, const char *section, const char *key,
                 const char *fmt, ...)
{
	char text[512];
	const char *origin = machine_origin(m, section, key);
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	return error_set(err, "%s: %s.%s %s", origin ? origin : m->name, section, key, text);
}

static bool check_powers_of_two(const struct machine *m, struct error *err)
{
	const struct {
		const char *section, *key;
		uint32_t value;
	} rules[] = {
	    {"smem", "banks", m->smem_banks},
	    {"smem", "bank_bytes", m->smem_bank_bytes},
	    {"l1d", "line_bytes", m->l1d_line_bytes},
	    {"l1d", "sector_bytes", m->l1d_sector_bytes},
	    {"l1d", "fetch_bytes", m->l1d_fetch_bytes},
	    {"l2", "line_bytes", m->l2_line_bytes},
	    {"l2", "sector_bytes", m->l2_sector_bytes},
	    {"l2", "fetch_bytes", m->l2_fetch_bytes},
	    {"l2", "interleave_bytes", m->l2_interleave_bytes},
	    {"l2", "home_block_bytes", m->l2_home_block_bytes},
	    {"dram", "row_bytes", m->dram_row_bytes},
	    {"dram", "banks", m->dram_banks},
	};
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		if (!bits_is_power_of_two(rules[i].value))
			return fail(m, err, rules[i].section, rules[i].key,
			            "is %u; it must be a power of two", rules[i].value);
	return true;
}

static bool check_sm(const struct machine *m, struct error *err)
{
	if (m->sm_warp_size != 32 && m->sm_warp_size != 64)
		return fail(m, err, "sm", "warp_size", "is %u; a warp has 32 or 64 lanes", m->sm_warp_size);
	if (m->sm_warps % m->sm_schedulers)
		return fail(m, err, "sm", "warps", "is %u, which %u schedulers cannot share evenly",
		            m->sm_warps, m->sm_schedulers);
	if (m->sm_warps / m->sm_schedulers > 64)
		return fail(m, err, "sm", "warps", "is %u; %u schedulers hold at most %u", m->sm_warps,
		            m->sm_schedulers, 64 * m->sm_schedulers);
	if (m->sm_threads > m->sm_warps * m->sm_warp_size)
		return fail(m, err, "sm", "threads", "is %u; %u warps of %u lanes hold at most %u",
		            m->sm_threads, m->sm_warps, m->sm_warp_size, m->sm_warps * m->sm_warp_size);
	if (m->sm_registers % m->sm_register_unit)
		return fail(m, err, "sm", "registers", "is %u, which is not a multiple of register_unit (%u)",
		            m->sm_registers, m->sm_register_unit);
	if (m->sm_gpcs > m->sm_count)
		return fail(m, err, "sm", "gpcs", "is %u, but there are only %u SMs", m->sm_gpcs,
		            m->sm_count);
	if (m->sm_count % m->sm_sms_per_tpc)
		return fail(m, err, "sm", "count", "is %u, which is not a multiple of sms_per_tpc (%u)",
		            m->sm_count, m->sm_sms_per_tpc);
	return true;
}

static bool check_index(const struct machine *m, struct error *err, const char *section, uint32_t index,
                        uint32_t sets, uint32_t line_bytes)
{
	if (!bits_is_power_of_two(sets) && index != SET_INDEX_SEQ)
		return fail(m, err, section, "sets", "is %u, no power of two: only the index seq takes it",
		            sets);
	if (index == SET_INDEX_HOPPER && (sets != 512 || line_bytes != 128))
		return fail(m, err, section, "index",
		            "is hopper, measured for 512 sets of 128 B lines, not %u of %u B", sets,
		            line_bytes);
	return true;
}

static bool check_shared_memory(const struct machine *m, struct error *err)
{
	bool unified = m->l1d_unified_bytes != 0;
	if (m->smem_reserved_per_cta > m->smem_bytes)
		return fail(m, err, "smem", "reserved_per_cta", "is %u B of %u B", m->smem_reserved_per_cta,
		            m->smem_bytes);
	if (unified != (m->smem_carveout != CARVE_NONE))
		return fail(m, err, "smem", "carveout", "is %s, but l1d.unified_bytes is %u",
		            unified ? "none" : "not none", m->l1d_unified_bytes);
	return true;
}

static bool check_l1d(const struct machine *m, struct error *err)
{
	uint64_t array = (uint64_t)m->l1d_sets * m->l1d_ways * m->l1d_line_bytes;
	uint64_t others = (uint64_t)m->smem_bytes + m->l1d_unified_overhead;
	if (m->l1d_sector_bytes > m->l1d_line_bytes)
		return fail(m, err, "l1d", "sector_bytes", "is %u, more than the line (%u)",
		            m->l1d_sector_bytes, m->l1d_line_bytes);
	if (m->l1d_fetch_bytes < m->l1d_sector_bytes || m->l1d_fetch_bytes > m->l1d_line_bytes)
		return fail(m, err, "l1d", "fetch_bytes",
		            "is %u; it must lie between the sector (%u) and the line (%u)",
		            m->l1d_fetch_bytes, m->l1d_sector_bytes, m->l1d_line_bytes);
	if (m->l1d_line_bytes > 128)
		return fail(m, err, "l1d", "line_bytes",
		            "is %u; L1 keeps track of at most 128 bytes per line", m->l1d_line_bytes);
	if (!check_index(m, err, "l1d", m->l1d_index, m->l1d_sets, m->l1d_line_bytes))
		return false;
	if (m->l1d_carved == CARVED_SETS && m->l1d_index != SET_INDEX_SEQ)
		return fail(m, err, "l1d", "carved",
		            "is sets, of which any number may be left: index must be seq");
	if (m->l1d_unified_bytes && array > m->l1d_unified_bytes)
		return fail(m, err, "l1d", "unified_bytes", "is %u, less than sets x ways x line (%llu)",
		            m->l1d_unified_bytes, (unsigned long long)array);
	if (m->l1d_unified_bytes && others > m->l1d_unified_bytes)
		return fail(m, err, "l1d", "unified_bytes",
		            "is %u, less than smem.bytes + unified_overhead (%llu)", m->l1d_unified_bytes,
		            (unsigned long long)others);
	if (m->l1d_write_hit == WRITE_HIT_EVICT && m->l1d_write_miss != WRITE_MISS_NO_ALLOCATE)
		return fail(m, err, "l1d", "write_miss",
		            "allocates a line that write_hit: write-evict would drop");
	return true;
}

static bool check_l2(const struct machine *m, struct error *err)
{
	if (m->l2_sector_bytes > m->l2_line_bytes)
		return fail(m, err, "l2", "sector_bytes", "is %u, more than the line (%u)",
		            m->l2_sector_bytes, m->l2_line_bytes);
	if (m->l2_fetch_bytes < m->l2_sector_bytes || m->l2_fetch_bytes > m->l2_line_bytes)
		return fail(m, err, "l2", "fetch_bytes",
		            "is %u; it must lie between the sector (%u) and the line (%u)", m->l2_fetch_bytes,
		            m->l2_sector_bytes, m->l2_line_bytes);
	/* A request names a line and its sectors, the same for both. */
	if (m->l1d_line_bytes != m->l2_line_bytes)
		return fail(m, err, "l2", "line_bytes", "is %u; it must be that of L1 (l1d.line_bytes %u)",
		            m->l2_line_bytes, m->l1d_line_bytes);
	if (m->l1d_sector_bytes != m->l2_sector_bytes)
		return fail(m, err, "l2", "sector_bytes",
		            "is %u; it must be that of L1 (l1d.sector_bytes %u)", m->l2_sector_bytes,
		            m->l1d_sector_bytes);
	if (m->l2_partitions == 2 && m->l2_mshr_entries < 2)
		return fail(m, err, "l2", "mshr_entries",
		            "is 1; with two partitions, one is reserved for the other partition");
	/* Lines reserved for copies in both partitions could wait for each other for ever. */
	if (m->l2_partitions == 2 && m->l2_allocate == ALLOCATE_ON_MISS)
		return fail(
		    m, err, "l2", "allocate",
		    "is on-miss; with two partitions, lines reserved in both would wait for each other");
	/* Blocks in turn over all slices name one slice, whichever partition asks. */
	if (m->l2_partitions == 2 && !m->l2_hash)
		return fail(m, err, "l2", "hash",
		            "is no; with two partitions, a line has a slice in each, chosen by the hash");
	if (m->l2_interleave_bytes < m->l2_line_bytes)
		return fail(m, err, "l2", "interleave_bytes", "is %u; a line (%u) must lie in one slice",
		            m->l2_interleave_bytes, m->l2_line_bytes);
	if (m->dram_channels < m->l2_partitions)
		return fail(m, err, "l2", "partitions", "is %u, but there are only %u channels",
		            m->l2_partitions, m->dram_channels);
	return check_index(m, err, "l2", m->l2_index, m->l2_sets, m->l2_line_bytes);
}

enum { SETS_MAX = 1 << 16 }; /* sets of an index by bits; other numbers are divided */

static bool check_memory(const struct machine *m, struct error *err)
{
	uint32_t set_bytes = m->l3_ways * m->l2_line_bytes;
	if (m->l3_bytes_per_channel % set_bytes)
		return fail(m, err, "l3", "bytes_per_channel",
		            "is %u, no multiple of a set of %u ways of %u B", m->l3_bytes_per_channel,
		            m->l3_ways, m->l2_line_bytes);
	if (m->l3_bytes_per_channel / set_bytes > SETS_MAX &&
	    bits_is_power_of_two(m->l3_bytes_per_channel / set_bytes))
		return fail(
		    m, err, "l3", "bytes_per_channel",
		    "is %u: %u sets of %u ways of %u B, more than the %d that an index can tell apart",
		    m->l3_bytes_per_channel, m->l3_bytes_per_channel / set_bytes, m->l3_ways,
		    m->l2_line_bytes, SETS_MAX);
	if (m->dram_row_bytes < m->l2_fetch_bytes)
		return fail(m, err, "dram", "row_bytes", "is %u, less than one fetch (l2.fetch_bytes %u)",
		            m->dram_row_bytes, m->l2_fetch_bytes);
	if (m->dram_banks % m->dram_banks_in_turn)
		return fail(m, err, "dram", "banks_in_turn", "is %u, which does not divide the banks (%u)",
		            m->dram_banks_in_turn, m->dram_banks);
	if (m->dram_tRC < m->dram_tRAS)
		return fail(m, err, "dram", "tRC", "is %u, less than tRAS (%u)", m->dram_tRC, m->dram_tRAS);
	if (m->dram_tRAS < m->dram_tRCD)
		return fail(m, err, "dram", "tRAS", "is %u, less than tRCD (%u)", m->dram_tRAS, m->dram_tRCD);
	return true;
}

/*
 * What memory sends in a quantum must not be due before the next, so that no result depends on where quanta begin and end.
 */
static bool check_quantum(const struct machine *m, struct error *err)
{
	const char *what = "icnt.reply_cycles";
	uint32_t shortest = m->icnt_reply_cycles;
	if (m->icnt_credit_cycles < shortest) {
		shortest = m->icnt_credit_cycles;
		what = "icnt.credit_cycles";
	}
	if (m->l2_partitions == 2 && m->l2_partition_cycles < shortest) {
		shortest = m->l2_partition_cycles;
		what = "l2.partition_cycles";
	}
	if (m->sim_quantum > 1 && m->sim_quantum > shortest)
		return fail(m, err, "sim", "quantum",
		            "is %u, more than %s (%u cycles): results would depend on it", m->sim_quantum,
		            what, shortest);
	return true;
}

/* Only the pipe of the load/store unit waits while its queue is full; from another, accesses would be lost. */
static bool check_ops(const struct machine *m, struct error *err)
{
	static const enum op_class accesses[] = {OP_LOAD, OP_STORE, OP_ATOMIC, OP_REDUCE, OP_TEXTURE};
	char key[32];
	for (size_t i = 0; i < sizeof accesses / sizeof *accesses; i++)
		if (m->op[accesses[i]].unit != UNIT_LSU) {
			snprintf(key, sizeof key, "%s.unit", op_class_name(accesses[i]));
			return fail(m, err, "ops", key, "must be lsu: it accesses memory");
		}
	return true;
}

bool machine_check(const struct machine *machine, struct error *err)
{
	return check_powers_of_two(machine, err) && check_sm(machine, err) &&
	       check_shared_memory(machine, err) && check_l1d(machine, err) && check_l2(machine, err) &&
	       check_memory(machine, err) && check_ops(machine, err) && check_quantum(machine, err);
}

/* Collects texts beyond what the caller has room for by counting them only. */
struct warnings {
	struct error *texts;
	size_t max, count;
};

static struct error *next_warning(struct warnings *w)
{
	size_t i = w->count++;
	return i < w->max ? &w->texts[i] : NULL;
}

size_t machine_warn(const struct machine *machine, struct error *texts, size_t max)
{
	const struct machine *m = machine;
	struct warnings w = {.texts = texts, .max = max};
	if (m->dram_tRC < m->dram_tRAS + m->dram_tRP)
		fail(m, next_warning(&w), "dram", "tRC", "is %u, less than tRAS + tRP (%u)", m->dram_tRC,
		     m->dram_tRAS + m->dram_tRP);
	if (m->sm_threads < m->sm_warps * m->sm_warp_size)
		fail(m, next_warning(&w), "sm", "threads",
		     "is %u, so %u warps of %u lanes are never all in use", m->sm_threads, m->sm_warps,
		     m->sm_warp_size);
	if (m->lsu_issue_cycles >= m->l1d_hit_cycles)
		fail(m, next_warning(&w), "lsu", "issue_cycles",
		     "is %u, but l1d.hit_cycles (%u) is meant to include it", m->lsu_issue_cycles,
		     m->l1d_hit_cycles);
	return w.count;
}
