#include "lib/bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/catalog.h"

static void check(bool ok, const char *what, const struct error *err)
{
	if (ok)
		return;
	fprintf(stderr, "%s: %s\n", what, err->text);
	exit(1);
}

static void apply_changes(struct machine *machine, const char *changes)
{
	struct error err;
	char *copy = strdup(changes), *save;
	for (char *change = strtok_r(copy, " ", &save); change; change = strtok_r(NULL, " ", &save)) {
		char *value = strchr(change, '=');
		*value++ = 0;
		check(machine_set(machine, change, value, "test", &err), change, &err);
	}
	free(copy);
	check(machine_check(machine, &err), changes, &err);
}

struct bench bench_open(struct bench_setup setup)
{
	struct error err;
	struct bench b = {.machine = machine_load(setup.machine, &err)};
	check(b.machine, setup.machine, &err);
	if (setup.changes)
		apply_changes(b.machine, setup.changes);
	b.chain = chain_new(setup.policy ? setup.policy : "gto", b.machine, &err);
	check(b.chain, "chain", &err);
	if (setup.extra)
		check(chain_add(b.chain, setup.extra, &err), "chain", &err);
	b.gpu = gpu_new(b.machine, b.chain, setup.threads ? setup.threads : 1, setup.quantum, &err);
	check(b.gpu, setup.machine, &err);
	return b;
}

void bench_close(struct bench *b)
{
	gpu_free(b->gpu);
	chain_free(b->chain);
	machine_free(b->machine);
}

struct counters bench_run(struct bench *b, const struct trace *trace, unsigned kernel, bool flush)
{
	struct error err;
	struct launch_result result;
	struct launch_options options = {.flush_l2 = flush, .always_share = !b->few_alone};
	const char *name = trace_kernel_at(trace, kernel)->name;
	check(gpu_run(b->gpu, trace, kernel, &options, &result, &err), name, &err);
	if (result.status != LAUNCH_DONE) {
		fprintf(stderr, "%s on %s with %s: the launch did not end\n%s", name, b->machine->name,
		        b->chain->text, result.report ? result.report : "");
		exit(1);
	}
	free(result.pc_misses);
	free(result.stats);
	return result.counters;
}

struct counters bench_once(struct bench_setup setup, const struct trace *trace)
{
	struct bench b = bench_open(setup);
	struct counters counters = bench_run(&b, trace, 0, true);
	bench_close(&b);
	return counters;
}

struct counters bench_only(struct bench_setup setup, struct trace *trace)
{
	struct counters counters = bench_once(setup, trace);
	trace_close(trace);
	return counters;
}

/* ---- recount ----------------------------------------------------------------------------------------------- */

/* Line requests of one access: distinct lines of all lanes, or of each half or quarter of 32 lanes. */
static uint64_t count_lines(const struct machine *m, const struct trace_insn *insn,
                            const struct warp_step *step)
{
	uint64_t address[TRACE_MAX_LANES], line[2 * TRACE_MAX_LANES], total = 0;
	unsigned lane = 0, at = 0, width = insn->width_bytes, group = TRACE_MAX_LANES;
	if (m->lsu_coalesce == COALESCE_BY_WIDTH && width > 4)
		group = width == 8 ? 16 : 8;
	step_addresses(step, address);
	while (lane < TRACE_MAX_LANES) {
		unsigned lines = 0;
		for (unsigned end = lane + group; lane < end; lane++) {
			bool active = step->mask >> lane & 1;
			uint64_t first = address[at] / m->l1d_line_bytes;
			uint64_t last = (address[at] + width - 1) / m->l1d_line_bytes;
			for (uint64_t wanted = first; active && wanted <= last; wanted++) {
				unsigned i = 0;
				while (i < lines && line[i] != wanted)
					i++;
				if (i == lines)
					line[lines++] = wanted;
			}
			at += active;
		}
		total += lines;
	}
	return total;
}

static bool is_shared(const struct trace_kernel *k, const struct trace_insn *insn,
                      const struct warp_step *step)
{
	uint64_t address[TRACE_MAX_LANES];
	if (insn->space != SPACE_GENERIC)
		return insn->space == SPACE_SHARED;
	step_addresses(step, address);
	return address[0] >= k->shared_window && address[0] < k->shared_window + (1 << 24);
}

static void recount_step(struct recount *r, const struct machine *m, const struct trace_kernel *k,
                         const struct warp_step *step)
{
	const struct trace_insn *insn = &k->insns[step->insn];
	r->warp_insns++;
	r->thread_insns += (uint64_t)__builtin_popcountll(step->mask);
	if (!(insn->flags & INSN_MEMORY) || !step->mask || insn->space == SPACE_CONST ||
	    is_shared(k, insn, step))
		return;
	uint64_t lines = count_lines(m, insn, step);
	if (insn->op == OP_STORE)
		r->store_lines += lines;
	else if (insn->op == OP_ATOMIC || insn->op == OP_REDUCE)
		r->atomic_lines += lines;
	else
		r->load_lines += lines;
	if (insn->op == OP_STORE && insn->space == SPACE_LOCAL)
		r->local_store_lines += lines;
}

struct recount bench_recount(const struct trace *trace, unsigned kernel, const struct machine *machine)
{
	struct error err;
	struct recount r = {0};
	const struct trace_kernel *k = trace_kernel_at(trace, kernel);
	struct trace_reader *reader = trace_reader_new(trace, &err);
	uint8_t *buffer = malloc(cta_buffer_bytes(k));
	struct warp_cursor cursor[64];
	struct warp_step step;
	for (uint64_t cta = 0; cta < k->cta_count; cta++) {
		check(trace_read_cta(reader, kernel, cta, buffer, cursor, &err), k->name, &err);
		for (uint32_t w = 0; w < k->warps_per_cta; w++, r.warps++)
			while (cursor_next(reader, k, &cursor[w], &step, &err) == CURSOR_STEP)
				recount_step(&r, machine, k, &step);
		r.ctas++;
	}
	free(buffer);
	trace_reader_free(reader);
	return r;
}

/* ---- the rest ---------------------------------------------------------------------------------------------- */

/*
 * Machines that add nothing: gtx480-ciao's variants have another set index, which property.index and property.l1d_naive
 * try on one machine; v100-osm-paper's L1 loses sets, of which a policy with a set index is told none; those made of public tables differ from h200 in numbers alone.
 */
static bool is_left_out(const char *name)
{
	static const char *const names[] = {"v100", "a100", "h100", "rtx3070", "rtx4090", "v100-osm-paper"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(name, names[i]))
			return true;
	return !strncmp(name, "gtx480-ciao-", strlen("gtx480-ciao-"));
}

const char *const *bench_machines(void)
{
	static const char *names[64];
	struct machine_summary *list;
	struct error err;
	size_t count;
	if (names[0])
		return names;
	check(machine_list(&list, &count, &err), "machines", &err);
	/* Sanitizers take a share of the work: a machine that allocates on misses, and one on fills. */
	bool few = getenv("SLUICE_TEST_SHARE");
	for (size_t i = 0, n = 0; i < count && n < 63; i++)
		if (!is_left_out(list[i].name) &&
		    (!few || !strcmp(list[i].name, "gtx480-ciao") || !strcmp(list[i].name, "h200")))
			names[n++] = strdup(list[i].name);
	machine_list_free(list, count);
	return names;
}

bool bench_equal(const char *where, const char *what, uint64_t got, uint64_t want)
{
	if (got != want)
		printf("# %s: %s is %" PRIu64 ", expected %" PRIu64 "\n", where, what, got, want);
	return got == want;
}

bool bench_same(const char *where, const struct counters *got, const struct counters *want)
{
	/* The first that differs says enough: much else follows from it. */
	for (int i = 0; i < COUNTER_COUNT; i++)
		if (!bench_equal(where, counter_infos[i].name, got->value[i], want->value[i]))
			return false;
	return true;
}

static uint64_t sum_stalls(const uint64_t *value)
{
	uint64_t sum = 0;
	for (int i = 0; i < COUNTER_COUNT; i++)
		if (!strncmp(counter_infos[i].name, "stall_", 6))
			sum += value[i];
	return sum;
}

bool bench_adds_up(const char *where, const struct machine *m, const uint64_t *v, const struct recount *r)
{
	bool ok = bench_equal(where, "warp_insns", v[COUNT_warp_insns], r->warp_insns);
	ok &= bench_equal(where, "ctas", v[COUNT_ctas], r->ctas);
	ok &= bench_equal(where, "hits + pending hits + misses + bypasses",
	                  v[COUNT_l1_hits] + v[COUNT_l1_pending_hits] + v[COUNT_l1_misses] +
	                      v[COUNT_l1_bypasses],
	                  v[COUNT_l1_accesses]);
	ok &= bench_equal(where, "l1_replies", v[COUNT_l1_replies], v[COUNT_l1_accesses]);
	ok &= bench_equal(where, "issue and stall cycles", v[COUNT_issue_cycles] + sum_stalls(v),
	                  v[COUNT_cycles] * m->sm_count);
	return ok;
}
