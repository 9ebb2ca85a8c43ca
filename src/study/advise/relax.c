/* What-ifs: the machine with one resource relaxed. Values stay within the ranges of keys.def. */
#include <stdarg.h>
#include <string.h>

#include "study/advise/advise.h"

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

/* Four times as much of what a channel has: width, commands per time, open rows, requests to choose from. */
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

/* A quantum may not exceed the shortest way back (machine_check()). */
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
