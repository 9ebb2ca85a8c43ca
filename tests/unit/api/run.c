/* libsluice as a program uses it: its header, its library, nothing else of ours. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fixture.h"

/* ---- a trace that takes a while: one warp whose loads depend on each other ---- */

static const char *long_trace(void)
{
	enum { LOADS = 20000 };
	const char *path = scratch_path("long.traceg");
	FILE *file = fopen(path, "w");
	fprintf(file, "-kernel name = chase\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n"
	              "-shmem = 0\n-nregs = 8\n-binary version = 80\n-cuda stream id = 0\n"
	              "-shmem base_addr = 0x0000000000010000\n-local mem base_addr = 0x0000000000020000\n"
	              "-nvbit version = 1.7\n-accelsim tracer version = 4\n\n#traces format = x\n\n"
	              "#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\n");
	fprintf(file, "insts = %d\n", LOADS + 1);
	for (int i = 0; i < LOADS; i++)
		fprintf(file, "%04x 00000001 1 R2 LDG.E 1 R2 4 1 0x%016x 0\n", 0, 0x10000000 + i * 4096);
	fprintf(file, "0010 00000001 0 EXIT 0 0\n\n#END_TB\n");
	fclose(file);
	return path;
}

struct watcher {
	uint64_t calls, last, total;
	uint64_t end_at; /* calls; 0: never */
};

static bool watch(void *user, const struct sluice_progress *progress)
{
	struct watcher *watcher = user;
	if (progress->phase != SLUICE_SIMULATING)
		return true;
	watcher->calls++;
	watcher->last = progress->done;
	watcher->total = progress->total;
	return watcher->calls != watcher->end_at;
}

/* ---- claims ---- */

TEST(the_library_says_which_version_it_is)
{
	CHECK_EQ(sluice_api_version(), SLUICE_API_MAJOR << 16 | SLUICE_API_MINOR);
	CHECK(strlen(sluice_version()) > 0);
}

TEST(counters_and_metrics_are_found_by_name_and_by_index)
{
	struct sluice_info info;
	for (size_t i = 0; i < sluice_counter_count(); i++) {
		CHECK(sluice_counter_info(i, &info));
		CHECK_EQ(sluice_counter_find(info.name), i);
		CHECK(*info.unit && *info.definition);
	}
	for (size_t i = 0; i < sluice_metric_count(); i++) {
		CHECK(sluice_metric_info(i, &info));
		CHECK_EQ(sluice_metric_find(info.name), i);
	}
	CHECK(!sluice_counter_info(sluice_counter_count(), &info));
	CHECK_EQ(sluice_counter_find("cycels"), -1);
	CHECK_EQ(sluice_metric_find(""), -1);
}

TEST(a_run_gives_totals_and_launches)
{
	struct sluice_trace *trace = vectoradd();
	struct sluice_machine *machine = gtx480();
	CHECK(trace && machine);
	CHECK_EQ(sluice_trace_launches(trace), 1);
	struct sluice_program program;
	CHECK(!sluice_trace_program(trace, &program));
	struct sluice_result *result = sluice_run(trace, machine, NULL, NULL);
	CHECK(result);
	CHECK(!strcmp(sluice_result_status(result), "done"));
	CHECK(!strcmp(sluice_result_policy(result), "gto"));
	CHECK_EQ(sluice_result_launches(result), 1);
	struct sluice_launch launch;
	CHECK(sluice_result_launch(result, 0, &launch));
	CHECK(!strcmp(launch.kernel, "_Z9vectoraddPKfS0_Pfi") && !launch.report);
	CHECK_EQ(launch.grid[0], 16);
	CHECK_EQ(launch.block[0], 128);
	CHECK(!sluice_result_launch(result, 1, &launch));
	uint64_t insns = sluice_result_counter(result, SLUICE_TOTAL, "warp_insns");
	uint64_t cycles = sluice_result_counter(result, SLUICE_TOTAL, "cycles");
	CHECK_EQ(insns, sluice_trace_warp_insns(trace));
	CHECK(cycles > 0);
	CHECK_EQ(sluice_result_counters(result, 0)[sluice_counter_find("cycles")], cycles);
	CHECK(fabs(sluice_result_metric(result, 0, "ipc") - (double)insns / (double)cycles) < 1e-12);
	CHECK(!sluice_result_counters(result, 1) && !sluice_result_metrics(result, 1));
	CHECK_EQ(sluice_result_counter(result, SLUICE_TOTAL, "cycels"), 0);
	CHECK(isnan(sluice_result_metric(result, SLUICE_TOTAL, "ipcc")));
	/* The result outlives what it was made of. */
	sluice_trace_close(trace);
	sluice_machine_close(machine);
	CHECK(strstr(sluice_result_json(result, NULL), "\"format\": \"sluice run\""));
	sluice_result_free(result);
}

TEST(bad_input_is_an_error_with_a_message)
{
	struct sluice_error error;
	const char *const changes[] = {"l1d.wayss=8"};
	CHECK(!sluice_machine_open("gtx480-cia", NULL, 0, &error));
	CHECK_EQ(error.code, SLUICE_BAD_INPUT);
	CHECK(strstr(error.text, "gtx480-ciao"));
	CHECK(!sluice_machine_open("gtx480-ciao", changes, 1, &error));
	CHECK(strstr(error.text, "l1d.ways"));
	CHECK(!sluice_trace_open("/nowhere/trace", NULL, 0, NULL, &error));
	CHECK(strstr(error.text, "/nowhere/trace"));
	const struct sluice_run_options policy = {.size = sizeof policy, .policy = "gtoo"};
	const struct sluice_run_options kernels = {.size = sizeof kernels, .kernels = "2"};
	const struct sluice_run_options look = {.size = sizeof look, .look = "seriess"};
	const struct sluice_run_options threads = {.size = sizeof threads, .threads = 100000};
	const struct sluice_run_options *const bad[] = {&policy, &kernels, &look, &threads};
	const char *const words[] = {"gto", "launch", "series", "threads"};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		CHECK(!sluice_run(the_trace, the_machine, bad[i], &error));
		CHECK_EQ(error.code, SLUICE_BAD_INPUT);
		CHECK(strstr(error.text, words[i]));
	}
}

TEST(options_of_an_older_program_are_read_as_far_as_they_go)
{
	/* It knew the policy and nothing behind it. */
	const struct sluice_run_options old = {
	    .size = offsetof(struct sluice_run_options, look), .policy = "lrr", .look = "nonsense"};
	struct sluice_result *result = sluice_run(the_trace, the_machine, &old, NULL);
	CHECK(result);
	CHECK(!strcmp(sluice_result_policy(result), "lrr"));
	sluice_result_free(result);
}

TEST(changes_of_the_machine_are_its_values_and_change_the_result)
{
	const char *const changes[] = {"launch.end_cycles=400"};
	char value[32], small[2];
	struct sluice_machine *usual = gtx480(), *slow = sluice_machine_open("gtx480-ciao", changes, 1, NULL);
	CHECK(slow);
	CHECK(sluice_machine_value(slow, "launch.end_cycles", value, sizeof value));
	CHECK_EQ(atoi(value), 400);
	CHECK(!sluice_machine_value(slow, "l1d.wayss", value, sizeof value));
	CHECK(!sluice_machine_value(slow, "launch.end_cycles", small, sizeof small));
	struct sluice_result *a = sluice_run(the_trace, usual, NULL, NULL),
	                     *b = sluice_run(the_trace, slow, NULL, NULL);
	CHECK(a && b);
	CHECK(sluice_result_counter(a, SLUICE_TOTAL, "cycles") <
	      sluice_result_counter(b, SLUICE_TOTAL, "cycles"));
	sluice_result_free(a);
	sluice_result_free(b);
	sluice_machine_close(usual);
	sluice_machine_close(slow);
}

TEST(progress_is_told_and_ends_the_run_on_request)
{
	struct sluice_error error;
	struct watcher all = {0}, some = {.end_at = 2};
	struct sluice_trace *trace = sluice_trace_open(long_trace(), NULL, 0, NULL, &error);
	struct sluice_machine *machine = gtx480();
	CHECK(trace);
	struct sluice_run_options options = {.size = sizeof options, .progress = watch, .user = &all};
	struct sluice_result *result = sluice_run(trace, machine, &options, NULL);
	CHECK(result);
	sluice_result_free(result);
	CHECK(all.calls > 2);
	CHECK_EQ(all.total, 20001);
	CHECK(all.last > 0 && all.last <= all.total);
	options.user = &some;
	CHECK(!sluice_run(trace, machine, &options, &error));
	CHECK_EQ(error.code, SLUICE_CANCELLED);
	CHECK_EQ(some.calls, 2);
	sluice_trace_close(trace);
	sluice_machine_close(machine);
}

TEST(time_series_exist_when_an_observer_was_attached)
{
	size_t count;
	for (int process = 0; process < 2; process++) {
		const struct sluice_run_options options = {
		    .size = sizeof options, .look = "series:period=100", .process = process};
		struct sluice_error error;
		struct sluice_result *result = sluice_run(the_trace, the_machine, &options, &error);
		if (!result)
			printf("# %s\n", error.text);
		CHECK(result);
		const double *ipc = sluice_result_series(result, 0, "ipc", &count);
		CHECK(ipc && count > 1);
		CHECK(sluice_result_series(result, 0, "ipc", &count) == ipc);
		CHECK(!sluice_result_series(result, 0, "ipcc", &count) && !count);
		CHECK(!sluice_result_series(result, 1, "ipc", &count));
		sluice_result_free(result);
	}
}

TEST(a_run_in_a_process_of_its_own_is_the_same_run)
{
	struct sluice_error error;
	const char *const changes[] = {"l1d.ways=8"};
	struct sluice_machine *machine = sluice_machine_open("gtx480-ciao", changes, 1, &error);
	CHECK(machine);
	struct sluice_run_options options = {.size = sizeof options, .policy = "swl:n=2", .look = "series"};
	struct sluice_result *here = sluice_run(the_trace, machine, &options, &error);
	options.process = true;
	struct sluice_result *there = sluice_run(the_trace, machine, &options, &error);
	if (!there)
		printf("# %s\n", error.text);
	CHECK(here && there);
	CHECK(!strcmp(sluice_result_json(here, NULL), sluice_result_json(there, NULL)));
	CHECK(!memcmp(sluice_result_counters(here, 0), sluice_result_counters(there, 0),
	              sluice_counter_count() * sizeof(uint64_t)));
	sluice_result_free(here);
	sluice_result_free(there);
	options.policy = "gtoo";
	CHECK(!sluice_run(the_trace, machine, &options, &error));
	CHECK_EQ(error.code, SLUICE_BAD_INPUT);
	CHECK(strstr(error.text, "gto"));
	sluice_machine_close(machine);
}

TEST(a_policy_that_takes_its_process_down_leaves_the_caller_alone)
{
	struct sluice_error error;
	struct sluice_run_options options = {
	    .size = sizeof options, .policy = UNRULY_POLICY, .process = true};
	CHECK(!sluice_run(the_trace, the_machine, &options, &error));
	CHECK_EQ(error.code, SLUICE_CRASHED);
	CHECK(strstr(error.text, "signal"));
	options.policy = UNRULY_POLICY ":how=1";
	CHECK(!sluice_run(the_trace, the_machine, &options, &error));
	CHECK_EQ(error.code, SLUICE_CRASHED);
	CHECK(strstr(error.text, "status 7"));
}

TEST(a_process_is_ended_when_the_caller_cancels)
{
	struct sluice_error error;
	struct watcher some = {.end_at = 1};
	struct sluice_trace *trace = sluice_trace_open(long_trace(), NULL, 0, NULL, &error);
	struct sluice_machine *machine = gtx480();
	const struct sluice_run_options options = {
	    .size = sizeof options, .process = true, .progress = watch, .user = &some};
	CHECK(!sluice_run(trace, machine, &options, &error));
	CHECK_EQ(error.code, SLUICE_CANCELLED);
	sluice_trace_close(trace);
	sluice_machine_close(machine);
}

/* ---- threads ---- */

struct work {
	const struct sluice_trace *trace;
	const struct sluice_machine *machine;
	const char *policy;
	uint64_t cycles;
};

static void *run_some(void *argument)
{
	struct work *work = argument;
	const struct sluice_run_options options = {.size = sizeof options, .policy = work->policy};
	for (int i = 0; i < 3; i++) {
		struct sluice_result *result = sluice_run(work->trace, work->machine, &options, NULL);
		work->cycles = result ? sluice_result_counter(result, SLUICE_TOTAL, "cycles") : 0;
		sluice_result_free(result);
	}
	return NULL;
}

TEST(threads_share_a_trace_and_a_machine)
{
	enum { THREADS = 4 };
	pthread_t thread[THREADS];
	struct work work[THREADS], alone[THREADS];
	for (int i = 0; i < THREADS; i++) {
		work[i] = alone[i] = (struct work){the_trace, the_machine, i % 2 ? "lrr" : "gto,swl:n=1", 0};
		run_some(&alone[i]);
	}
	for (int i = 0; i < THREADS; i++)
		CHECK_EQ(pthread_create(&thread[i], NULL, run_some, &work[i]), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	for (int i = 0; i < THREADS; i++) {
		CHECK(work[i].cycles > 0);
		CHECK_EQ(work[i].cycles, alone[i].cycles);
	}
}

#ifndef SANITIZED
static int run_without_memory(void)
{
	struct sluice_error error = {0};
	struct sluice_machine *machine = sluice_machine_open("h200", NULL, 0, NULL);
	const struct rlimit limit = {.rlim_cur = 64 << 20, .rlim_max = RLIM_INFINITY};
	struct rlimit before;
	getrlimit(RLIMIT_AS, &before);
	setrlimit(RLIMIT_AS, &limit);
	struct sluice_result *result = sluice_run(the_trace, machine, NULL, &error);
	setrlimit(RLIMIT_AS, &before);
	if (result || error.code != SLUICE_NO_MEMORY || !strstr(error.text, "out of memory"))
		return 1;
	/* And the library still works. */
	result = sluice_run(the_trace, machine, NULL, &error);
	return result ? 0 : 2;
}
#endif

TEST(no_memory_is_an_error_and_the_caller_lives_on)
{
#ifdef SANITIZED
	puts("# sanitizers need more addresses than this claim allows");
#else
	pid_t child = fork();
	if (!child)
		_exit(run_without_memory());
	int status;
	waitpid(child, &status, 0);
	CHECK(WIFEXITED(status));
	CHECK_EQ(WEXITSTATUS(status), 0);
#endif
}

TESTS(api_enter())
