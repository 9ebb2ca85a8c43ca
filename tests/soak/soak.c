/*
 * soak SEED FIRST COUNT: runs the cases FIRST ... FIRST+COUNT-1 of a seed; scripts/soak drives it.
 *
 * Each is refused with a reason, or ends with counters that add up, the same with one thread and with several. Before a case
 * runs, it is named on standard output, so that the last line names the case of a process that died. A case that computes for
 * CASE_CPU_SECONDS is taken for one that does not end; so is one that takes CASE_SECONDS, which a busy machine's do not.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "lib/bench.h"
#include "machine/catalog.h"
#include "soak.h"

enum { CASE_CPU_SECONDS = 300, CASE_SECONDS = 3600, CHANGES_MAX = 5, LAUNCHES_MAX = 4 };

struct soak_case {
	uint64_t random;
	const char *machine;
	char chain[512], changes[512];
	uint32_t threads;
	bool from_ptx;
};

enum outcome { RAN, REFUSED, BROKEN, OUTCOMES };

/* ---- what is chosen ---------------------------------------------------------------------------------------- */

static struct machine_summary *machines;
static size_t machine_count;

/* A value that its range allows: an end of it, or around what is there. */
static void random_value(uint64_t *random, const struct machine *m, const struct machine_key *key, char *text,
                         size_t size)
{
	static const double factors[] = {0.25, 0.5, 2, 4};
	machine_format_value(m, key, text, size);
	if (key->type == MACHINE_BOOL) {
		snprintf(text, size, "%s", soak_choose(random, 2) ? "yes" : "no");
	} else if (key->type == MACHINE_ENUM) {
		uint32_t n = 0;
		while (key->choices[n].spelling)
			n++;
		snprintf(text, size, "%s", key->choices[soak_choose(random, n)].spelling);
	} else {
		double value = atof(text) * factors[soak_choose(random, 4)];
		if (!soak_choose(random, 6))
			value = key->min;
		value = value < key->min ? key->min : value > key->max ? key->max : value;
		snprintf(text, size, key->type == MACHINE_U32 ? "%.0f" : "%g", value);
	}
}

/* Machines are made small, as programs are, and then strange. sim.* says how to simulate, not what. */
static void random_changes(struct soak_case *c, struct machine *m)
{
	size_t count, used = 0;
	const struct machine_key *keys = machine_keys(&count);
	struct error err;
	uint32_t sms = m->sm_gpcs * (1 + soak_choose(&c->random, 2));
	char name[96], text[64];
	snprintf(text, sizeof text, "%u", sms > m->sm_count ? m->sm_count : sms);
	machine_set(m, "sm.count", text, "soak", &err);
	used = (size_t)snprintf(c->changes, sizeof c->changes, "sm.count=%s", text);
	for (uint32_t left = soak_choose(&c->random, CHANGES_MAX + 1); left; left--) {
		const struct machine_key *key = &keys[soak_choose(&c->random, (uint32_t)count)];
		bool is_fixed = !strcmp(key->section, "sim") || !strcmp(key->key, "warp_size") ||
		                (!strcmp(key->section, "sm") && !strcmp(key->key, "count"));
		random_value(&c->random, m, key, text, sizeof text);
		snprintf(name, sizeof name, "%s.%s", key->section, key->key);
		if (is_fixed || !machine_set(m, name, text, "soak", &err))
			continue;
		int n = snprintf(c->changes + used, sizeof c->changes - used, " %s=%s", name, text);
		used += (size_t)n < sizeof c->changes - used ? (size_t)n : 0;
	}
}

static void add_parameter(struct soak_case *c, const struct policy *policy)
{
	const struct policy_param *p = &policy->params[soak_choose(&c->random, policy->param_count)];
	static const double shares[] = {0, 0.01, 0.1, 0.5, 1};
	double value = p->min + (p->max - p->min) * shares[soak_choose(&c->random, 5)];
	size_t n = strlen(c->chain);
	const char *text = p->type == PARAM_TYPE_BOOL ? value > 0.5 ? "yes" : "no" : NULL;
	if (text)
		snprintf(c->chain + n, sizeof c->chain - n, ":%s=%s", p->name, text);
	else
		snprintf(c->chain + n, sizeof c->chain - n, p->type == PARAM_TYPE_U32 ? ":%s=%.0f" : ":%s=%g",
		         p->name, value);
}

static void random_chain(struct soak_case *c)
{
	uint32_t registered = 0;
	while (policy_registry[registered])
		registered++;
	for (uint32_t left = 1 + soak_choose(&c->random, 3); left; left--) {
		const struct policy *policy = policy_registry[soak_choose(&c->random, registered)];
		size_t n = strlen(c->chain);
		snprintf(c->chain + n, sizeof c->chain - n, "%s%s", n ? "," : "", policy->name);
		if (policy->param_count && !soak_choose(&c->random, 3))
			add_parameter(c, policy);
	}
}

static struct soak_case case_of(uint64_t seed, uint64_t number)
{
	struct soak_case c = {.random = seed};
	c.random = synth_random(&c.random) ^ number * UINT64_C(0xd1342543de82ef95);
	c.machine = machines[soak_choose(&c.random, (uint32_t)machine_count)].name;
	random_chain(&c);
	c.threads = 2 + soak_choose(&c.random, 4);
	c.from_ptx = !soak_choose(&c.random, 3);
	return c;
}

/* ---- what is done with it ---------------------------------------------------------------------------------- */

/* Every launch of the trace on one GPU; `counters` has room for LAUNCHES_MAX. */
static enum outcome run_launches(struct machine *m, const char *chain_text, const struct trace *trace,
                                 uint32_t threads, struct counters *counters, struct error *err)
{
	struct chain *chain = chain_new(chain_text, m, err);
	struct gpu *gpu = chain ? gpu_new(m, chain, threads, 0, err) : NULL;
	enum outcome outcome = gpu ? RAN : REFUSED;
	for (unsigned i = 0; outcome == RAN && i < trace_kernel_count(trace); i++) {
		struct launch_options options = {.flush_l2 = i == 0, .always_share = threads > 1};
		struct launch_result result = {0};
		if (!gpu_run(gpu, trace, i, &options, &result, err))
			outcome = strstr(err->text, "a CTA ") ? REFUSED : BROKEN;
		else if (result.status != LAUNCH_DONE) {
			error_set(err, "launch %u did not end: %s", i, result.report ? result.report : "");
			outcome = BROKEN;
		}
		counters[i] = result.counters;
		free(result.pc_misses);
		free(result.profile);
		free(result.stats);
		free(result.report);
	}
	gpu_free(gpu);
	chain_free(chain);
	return outcome;
}

static enum outcome simulate(const struct soak_case *c, struct machine *m, const struct trace *trace,
                             struct error *err)
{
	struct counters alone[LAUNCHES_MAX], together[LAUNCHES_MAX];
	enum outcome outcome = run_launches(m, c->chain, trace, 1, alone, err);
	if (outcome != RAN)
		return outcome;
	outcome = run_launches(m, c->chain, trace, c->threads, together, err);
	if (outcome != RAN)
		return BROKEN; /* it ran with one thread */
	bool ok = true;
	for (unsigned i = 0; ok && i < trace_kernel_count(trace); i++) {
		struct recount recount = bench_recount(trace, i, m);
		ok = bench_adds_up("one thread", m, alone[i].value, &recount) &&
		     bench_same("several threads", &together[i], &alone[i]);
	}
	if (!ok)
		error_set(err, "counters do not add up, or depend on the threads");
	return ok ? RAN : BROKEN;
}

static enum outcome run_case(uint64_t number, struct soak_case *c)
{
	struct error err = {""};
	char why[1 << 14] = "";
	struct machine *m = machine_load(c->machine, &err);
	if (!m)
		return BROKEN;
	random_changes(c, m);
	printf("case %llu: %s %s, %s, 1 and %u threads, %s\n", (unsigned long long)number, c->machine,
	       c->changes, c->chain, c->threads, c->from_ptx ? "PTX" : "trace");
	fflush(stdout);
	enum outcome outcome = machine_check(m, &err) ? RAN : REFUSED;
	struct trace *trace = NULL;
	if (outcome == RAN) {
		trace = c->from_ptx ? soak_ptx(&c->random, m->sm_warp_size, why, sizeof why)
		                    : soak_trace(&c->random, m->sm_warp_size);
		outcome = trace ? simulate(c, m, trace, &err) : BROKEN;
	}
	if (outcome == BROKEN || (outcome == REFUSED && !err.text[0]))
		printf("broken: %s%s\n", err.text, why);
	if (outcome == REFUSED && !err.text[0])
		outcome = BROKEN;
	if (trace)
		trace_close(trace);
	machine_free(m);
	return outcome;
}

/* Beyond the limits, SIGPROF or SIGALRM ends the process. */
static void limit_case(void)
{
	setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = CASE_CPU_SECONDS}, NULL);
	alarm(CASE_SECONDS);
}

int main(int argc, char **argv)
{
	struct error err;
	unsigned long long count[OUTCOMES] = {0};
	if (argc != 4) {
		fprintf(stderr, "usage: soak SEED FIRST COUNT\n");
		return 2;
	}
	uint64_t seed = strtoull(argv[1], NULL, 10), first = strtoull(argv[2], NULL, 10),
	         cases = strtoull(argv[3], NULL, 10);
	if (!machine_list(&machines, &machine_count, &err) || !machine_count) {
		fprintf(stderr, "machines: %s\n", err.text);
		return 2;
	}
	for (uint64_t i = first; i < first + cases && !count[BROKEN]; i++) {
		struct soak_case c = case_of(seed, i);
		limit_case();
		count[run_case(i, &c)]++;
	}
	machine_list_free(machines, machine_count);
	printf("%llu ran, %llu were refused, %llu broke\n", count[RAN], count[REFUSED], count[BROKEN]);
	return count[BROKEN] != 0;
}
