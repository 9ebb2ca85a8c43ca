/*
 * The runs behind advice, and the machine with one resource relaxed. Parameters are those of the papers (docs/mechanisms).
 * The limit of Best-SWL is searched, and statPCAL takes it as its tokens, as CIAO does (section V-A). Values of relaxed
 * resources stay within the ranges of keys.def.
 */
#include <stdarg.h>
#include <string.h>

#include "study/advise/advise.h"

const struct advise_entry advise_entries[] = {
    {"gto", ADVISE_BASELINE, NULL, "gto", true, false, "greedy-then-oldest scheduling"},

    {"perfect-l1", ADVISE_LIMIT, NULL, "perfect-l1", true, false, "an L1 in which every load hits"},
    {"unbounded", ADVISE_LIMIT, NULL, "unbounded", true, false, "an L1 without limits"},
    {"interference-free", ADVISE_LIMIT, NULL, "interference-free", true, false, "an L1 for every warp"},
    {"min", ADVISE_LIMIT, NULL, "min", false, false, "Belady's replacement in L1"},

    {"mshrs", ADVISE_WHAT_IF, NULL, "gto", true, false, "misses outstanding without limit"},
    {"l2-bandwidth", ADVISE_WHAT_IF, NULL, "gto", true, false,
     "four times the bandwidth of L2 and the links to it"},
    {"dram-bandwidth", ADVISE_WHAT_IF, NULL, "gto", true, false, "four times the bandwidth of DRAM"},
    {"latency", ADVISE_WHAT_IF, NULL, "gto", true, false, "half the latency beyond L1"},

    {"lrr", ADVISE_MECHANISM, "warp order", "lrr", false, false, "loose round-robin"},
    {"two-level", ADVISE_MECHANISM, "warp order", "two-level", true, false, "two-level scheduling"},
    {"swl", ADVISE_MECHANISM, "warp throttling", "swl", true, false, "Best-SWL, the best static limit"},
    {"ccws", ADVISE_MECHANISM, "warp throttling", "ccws", true, false, "CCWS"},
    {"dwt-cs", ADVISE_MECHANISM, "warp throttling", "dwt-cs", false, false,
     "dynamic throttling by core sampling"},
    {"statpcal", ADVISE_MECHANISM, "throttling and bypass", "statpcal", true, false, "statPCAL"},
    {"ciao-t", ADVISE_MECHANISM, "interference", "ciao-t", false, false, "CIAO-T: interfering warps stall"},
    {"ciao-p", ADVISE_MECHANISM, "interference", "ciao-p", false, false,
     "CIAO-P: interfering warps use shared memory"},
    {"ciao-c", ADVISE_MECHANISM, "interference", "ciao-c", true, false, "CIAO-C: both"},
    {"tian", ADVISE_MECHANISM, "L1 bypass", "tian", true, false, "bypass by PC (Tian)"},
    {"counter-bypass", ADVISE_MECHANISM, "L1 bypass", "counter-bypass", false, false, "bypass by counters"},
    {"dbsa", ADVISE_MECHANISM, "L1 bypass", "dbsa", false, false, "bypass of streams at L1 and L2 (Khairy)"},
    {"mrpb", ADVISE_MECHANISM, "L1 bypass", "mrpb", false, false,
     "MRPB: requests reordered, bypass on stalls"},
    {"lcm", ADVISE_MECHANISM, "locality", "lcm", true, false, "LCM: bypass and inter-warp coalescing"},
    {"lcm+lws", ADVISE_MECHANISM, "locality", "lcm+lws", false, false, "LCM with locality-based scheduling"},
    {"pric", ADVISE_MECHANISM, "set index", "pric", true, false, "a pseudo-random set index (PRIC)"},
    {"xor", ADVISE_MECHANISM, "set index", "xor", false, false, "an XOR set index"},
    {"rrip", ADVISE_MECHANISM, "replacement", "rrip", true, false, "SRRIP replacement"},
    {"dwt-pric", ADVISE_MECHANISM, "set index, throttling and bypass together", "dwt-pric", true, false,
     "all mechanisms of Khairy"},
    {"osm", ADVISE_MECHANISM, "off-chip shared memory", "osm", true, true, "OSM: shared memory off chip"},
    {"ucm", ADVISE_MECHANISM, "off-chip shared memory", "ucm", false, true, "UCM: one cache for both"},
};
const size_t advise_entry_count = sizeof advise_entries / sizeof *advise_entries;

/* ---- one resource relaxed ---------------------------------------------------------------------------------- */

enum { MANY = 65535, WIDEST = 1024, MOST_BANKS = 256 };

struct changes {
	char (*text)[ADVISE_CHANGE_SIZE];
	size_t count;
};

static void add(struct changes *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void add(struct changes *c, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(c->text[c->count++], ADVISE_CHANGE_SIZE, fmt, ap);
	va_end(ap);
}

static uint32_t wider(uint32_t bytes)
{
	return bytes > WIDEST / 4 ? WIDEST : 4 * bytes;
}

static double wider_real(double bytes)
{
	return bytes > (double)WIDEST / 4 ? (double)WIDEST : 4 * bytes;
}

static void relax_mshrs(struct changes *c)
{
	add(c, "l1d.mshr_entries=%d", MANY);
	add(c, "l1d.mshr_merge=%d", MANY);
	add(c, "l1d.miss_queue=%d", MANY);
	add(c, "l2.mshr_entries=%d", MANY);
	add(c, "l2.mshr_merge=%d", MANY);
	add(c, "icnt.credits=%d", MANY);
}

static void relax_l2(struct changes *c, const struct machine *m)
{
	add(c, "l2.read_bytes_per_cycle=%g", wider_real(m->l2_read_bytes_per_cycle));
	add(c, "l2.write_bytes_per_cycle=%g", wider_real(m->l2_write_bytes_per_cycle));
	add(c, "l1d.fill_bytes_per_cycle=%u", wider(m->l1d_fill_bytes_per_cycle));
	add(c, "icnt.request_bytes_per_cycle=%u", wider(m->icnt_request_bytes_per_cycle));
	if (m->icnt_reply_bytes_per_cycle)
		add(c, "icnt.reply_bytes_per_cycle=%u", wider(m->icnt_reply_bytes_per_cycle));
	add(c, "lsu.store_bytes_per_cycle=%u", wider(m->lsu_store_bytes_per_cycle));
}

/* Multiply by four what a channel has: bus width, command rate, open rows, requests to choose from. */
static void relax_dram(struct changes *c, const struct machine *m)
{
	add(c, "dram.bus_bytes_per_clock=%g", wider_real(m->dram_bus_bytes_per_clock));
	add(c, "dram.tRRD=%u", m->dram_tRRD > 4 ? m->dram_tRRD / 4 : 1);
	add(c, "dram.tCCD=%u", m->dram_tCCD > 4 ? m->dram_tCCD / 4 : 1);
	add(c, "dram.banks=%u", m->dram_banks > MOST_BANKS / 4 ? MOST_BANKS : 4 * m->dram_banks);
	add(c, "dram.queue=%u", wider(m->dram_queue));
}

static uint32_t half(uint32_t cycles)
{
	return cycles > 1 ? cycles / 2 : cycles;
}

/* Return a quantum that does not exceed the shortest latency back to the SM (machine_check()). */
static uint32_t quantum_for(const struct machine *m)
{
	uint32_t shortest = half(m->icnt_reply_cycles);
	if (half(m->icnt_credit_cycles) < shortest)
		shortest = half(m->icnt_credit_cycles);
	if (m->l2_partitions == 2 && half(m->l2_partition_cycles) < shortest)
		shortest = half(m->l2_partition_cycles);
	if (m->sim_quantum < shortest)
		shortest = m->sim_quantum;
	return shortest ? shortest : 1;
}

static void relax_latency(struct changes *c, const struct machine *m)
{
	add(c, "icnt.request_cycles=%u", half(m->icnt_request_cycles));
	add(c, "icnt.reply_cycles=%u", half(m->icnt_reply_cycles));
	add(c, "icnt.spread_cycles=%u", half(m->icnt_spread_cycles));
	add(c, "icnt.credit_cycles=%u", half(m->icnt_credit_cycles));
	add(c, "l2.partition_cycles=%u", half(m->l2_partition_cycles));
	add(c, "l2.latency_cycles=%u", half(m->l2_latency_cycles));
	add(c, "dram.extra_cycles=%u", half(m->dram_extra_cycles));
	add(c, "dram.spread_cycles=%u", half(m->dram_spread_cycles));
	add(c, "dram.tCL=%u", half(m->dram_tCL));
	add(c, "dram.tRCD=%u", half(m->dram_tRCD));
	add(c, "sim.quantum=%u", quantum_for(m));
}

size_t advise_relax(const struct advise_entry *entry, const struct machine *machine,
                    char changes[ADVISE_CHANGES_MAX][ADVISE_CHANGE_SIZE])
{
	struct changes c = {.text = changes};
	if (!strcmp(entry->name, "mshrs"))
		relax_mshrs(&c);
	else if (!strcmp(entry->name, "l2-bandwidth"))
		relax_l2(&c, machine);
	else if (!strcmp(entry->name, "dram-bandwidth"))
		relax_dram(&c, machine);
	else if (!strcmp(entry->name, "latency"))
		relax_latency(&c, machine);
	return c.count;
}
