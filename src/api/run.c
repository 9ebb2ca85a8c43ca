/* Runs inside the caller's process. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/memory.h"
#include "run/look.h"

enum { MAX_THREADS = 256, MAX_QUANTUM = 1024 };

struct running {
	struct sluice_run_options options;
	struct ticker ticker;
	struct sluice_result *result;
};

static bool tick_run(void *user, unsigned launch, uint64_t warp_insns)
{
	struct ticker *ticker = user;
	ticker->progress.launch = launch;
	return ticker_tick(ticker, SLUICE_SIMULATING, warp_insns);
}

static bool check(struct running *r, struct error *err)
{
	const struct sluice_run_options *o = &r->options;
	struct sluice_result *result = r->result;
	if (o->threads > MAX_THREADS)
		return error_set(err, "threads: %" PRIu32 " is more than %d", o->threads, MAX_THREADS);
	if (o->quantum > MAX_QUANTUM)
		return error_set(err, "quantum: %" PRIu32 " is more than %d", o->quantum, MAX_QUANTUM);
	const char *window = trace_window(result->trace);
	if (o->kernels && ((window && *window) || result->trace->recording.is_part))
		return error_set(err, "kernels: the trace was opened with a launch window already");
	if (o->kernels && !kernels_parse(&result->kernels, "--kernel", o->kernels, err))
		return false;
	bool *chosen = run_choose(result->trace->trace, &result->kernels, window, err);
	free(chosen);
	return chosen != NULL;
}

static bool prepare(void *argument, struct error *err)
{
	struct running *r = argument;
	if (!check(r, err))
		return false;
	const struct sluice_trace *trace = r->result->trace;
	r->ticker.progress.total =
	    run_count_chosen(trace->trace, &(struct run_options){.kernels = &r->result->kernels,
	                                                         .window = trace_window(trace)});
	if (r->options.max_insns && r->options.max_insns < r->ticker.progress.total)
		r->ticker.progress.total = r->options.max_insns;
	return true;
}

static bool simulate(void *argument, struct error *err)
{
	struct running *r = argument;
	const struct sluice_run_options *o = &r->options;
	struct sluice_result *result = r->result;
	result->config.machine = result->machine->machine;
	result->config.chain = chain_new(o->policy ? o->policy : "gto", result->config.machine, err);
	if (!result->config.chain)
		return false;
	if (o->look && !(result->look = look_new(o->look, result->config.chain, err)))
		return false;
	result->options = (struct run_options){.threads = o->threads ? o->threads : 1,
	                                       .quantum = o->quantum,
	                                       .cold_l2 = o->cold_l2,
	                                       .max_insns = o->max_insns,
	                                       .kernels = &result->kernels,
	                                       .window = trace_window(result->trace),
	                                       .is_part = result->trace->recording.is_part,
	                                       .look = result->look,
	                                       .progress = o->progress ? tick_run : NULL,
	                                       .user = &r->ticker};
	if (!run_trace(&result->config, result->trace->trace, &result->options, &result->run, err))
		return false;
	result->options.progress = NULL; /* the caller's function may not exist any more */
	result->options.user = NULL;
	result_from_run(result);
	return true;
}

static bool begin(void *argument, struct error *err)
{
	struct sluice_result **result = argument;
	(void)err;
	*result = memory_zeroed(1, sizeof **result);
	return true;
}

struct sluice_result *sluice_run(const struct sluice_trace *trace, const struct sluice_machine *machine,
                                 const struct sluice_run_options *options, struct sluice_error *error)
{
	struct running r = {.result = NULL};
	struct sluice_error why;
	error = error ? error : &why;
	if (!trace || !machine) {
		fail(error, SLUICE_BAD_INPUT, trace ? "no machine given" : "no trace given");
		return NULL;
	}
	if (!read_options(&r.options, sizeof r.options, options, error))
		return NULL;
	r.ticker = (struct ticker){
	    .function = r.options.progress, .user = r.options.user, .progress.phase = SLUICE_SIMULATING};
	if (!guard(begin, &r.result, NULL, error))
		return NULL;
	r.result->trace = trace_share(trace);
	r.result->machine = machine_share(machine);
	bool ok =
	    guard(prepare, &r, NULL, error) && (r.options.process ? run_isolated(r.result, &r.options, error)
	                                                          : guard(simulate, &r, &r.ticker, error));
	if (ok)
		return r.result;
	/* What a trapped work left behind may be half made. */
	if (error->code != SLUICE_NO_MEMORY && error->code != SLUICE_INTERNAL)
		sluice_result_free(r.result);
	return NULL;
}
