/*
 * Functions of libsluice in any order, with handles that may be NULL, closed or shared, and with odd options. Each call ends
 * with an answer or an error that has a text. Two bytes are a call and its argument.
 */
#include <sluice/sluice.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HANDLES = 4 };

struct state {
	struct sluice_trace *trace[HANDLES];
	struct sluice_machine *machine[HANDLES];
	struct sluice_result *result[HANDLES];
};

static const char *const texts[] = {NULL,  "",          "ipc",     "cycles", "l1d.ways",    "l1d.ways=8",
                                    "1",   "gto",       "swl:n=2", "lrr,,",  "series",      "all",
                                    "2-1", "no-such=1", "\x1b[2J", "h200",   "gtx480-ciao", "resident_warps"};
enum { TEXTS = sizeof texts / sizeof *texts };

static void check(const void *made, const struct sluice_error *error)
{
	if (!made && (error->code == SLUICE_OK || !error->text[0] || error->code == SLUICE_INTERNAL))
		abort();
}

static void open_trace(struct state *s, unsigned at, unsigned argument)
{
	struct sluice_error error;
	const char *const words[] = {texts[argument % TEXTS]};
	const struct sluice_trace_options options = {.size = argument % 64,
	                                             .machine = texts[argument % TEXTS]};
	if (s->trace[at])
		return;
	s->trace[at] =
	    sluice_trace_open(argument & 1 ? SLUICE_EXAMPLES "/traces/vectoradd" : texts[argument % TEXTS],
	                      argument & 2 ? words : NULL,
	                      argument & 2   ? 1
	                      : argument & 4 ? 3
	                                     : 0,
	                      argument & 8 ? &options : NULL, &error);
	check(s->trace[at], &error);
}

static void open_machine(struct state *s, unsigned at, unsigned argument)
{
	struct sluice_error error;
	const char *const changes[] = {texts[argument % TEXTS]};
	if (s->machine[at])
		return;
	s->machine[at] = sluice_machine_open(argument & 1 ? "gtx480-ciao" : texts[argument % TEXTS],
	                                     argument & 2 ? changes : NULL,
	                                     argument & 2   ? 1
	                                     : argument & 4 ? 2
	                                                    : 0,
	                                     &error);
	check(s->machine[at], &error);
}

static void run(struct state *s, unsigned at, unsigned argument)
{
	struct sluice_error error;
	const struct sluice_run_options options = {.size = argument & 128 ? argument % 64 : sizeof options,
	                                           .policy = argument & 1 ? texts[argument % TEXTS] : NULL,
	                                           .look = argument & 2 ? texts[argument % TEXTS] : NULL,
	                                           .kernels = argument & 4 ? texts[argument % TEXTS] : NULL,
	                                           .max_insns = argument % 60,
	                                           .threads = argument & 64 ? 257 : 1,
	                                           .quantum = argument & 32 ? 1025 : 0};
	if (s->result[at])
		return;
	s->result[at] =
	    sluice_run(s->trace[at], s->machine[argument % HANDLES], argument & 16 ? NULL : &options, &error);
	check(s->result[at], &error);
}

static void close_all(struct state *s, unsigned at, unsigned argument)
{
	if (argument & 1) {
		sluice_trace_close(s->trace[at]);
		s->trace[at] = NULL;
	}
	if (argument & 2) {
		sluice_machine_close(s->machine[at]);
		s->machine[at] = NULL;
	}
	if (argument & 4) {
		sluice_result_free(s->result[at]);
		s->result[at] = NULL;
	}
}

static void read_handles(struct state *s, unsigned at, unsigned argument)
{
	struct sluice_program program;
	struct sluice_launch launch;
	struct sluice_info info;
	struct sluice_error error;
	char value[32];
	size_t count, place = argument & 1 ? SLUICE_TOTAL : argument;
	const char *name = texts[argument % TEXTS];
	if (s->trace[at] && (!sluice_trace_name(s->trace[at]) || !sluice_trace_path(s->trace[at])))
		abort();
	sluice_trace_launches(s->trace[at]);
	sluice_trace_warp_insns(s->trace[at]);
	sluice_trace_warning(s->trace[at], place);
	sluice_trace_program(s->trace[at], argument & 2 ? &program : NULL);
	sluice_machine_name(s->machine[at]);
	sluice_machine_warning(s->machine[at], place);
	sluice_machine_value(s->machine[at], name, argument & 4 ? value : NULL,
	                     argument & 8 ? sizeof value : 0);
	sluice_counter_info(argument, argument & 2 ? &info : NULL);
	sluice_metric_info(argument, argument & 2 ? &info : NULL);
	sluice_counter_find(name);
	sluice_metric_find(name);
	sluice_result_launch(s->result[at], place, argument & 2 ? &launch : NULL);
	sluice_result_counter(s->result[at], place, name);
	sluice_result_metric(s->result[at], place, name);
	sluice_result_series(s->result[at], argument & 1 ? 0 : place, name, argument & 4 ? &count : NULL);
	if (argument & 16)
		check(sluice_result_json(s->result[at], &error), &error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const calls[])(struct state *, unsigned, unsigned) = {open_trace, open_machine, run,
	                                                                    close_all, read_handles};
	struct state s = {0};
	for (size_t i = 0; i + 1 < size && i < 64; i += 2)
		calls[data[i] / HANDLES % (sizeof calls / sizeof *calls)](&s, data[i] % HANDLES, data[i + 1]);
	for (unsigned at = 0; at < HANDLES; at++)
		close_all(&s, at, 7);
	return 0;
}
