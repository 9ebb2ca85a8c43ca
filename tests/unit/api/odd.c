/* libsluice where things go wrong: odd options, programs that are recorded, and processes that answer nonsense. */
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fixture.h"

/* ---- options -------------------------------------------------------------------------------------------- */

TEST(what_is_out_of_range_or_missing_is_said_or_left_out)
{
	struct sluice_error error;
	struct sluice_trace *trace = sluice_trace_open(VECTORADD "//", NULL, 0, NULL, NULL);
	struct sluice_machine *machine = gtx480();
	CHECK(trace && machine);
	CHECK(!strcmp(sluice_trace_name(trace), "vectoradd"));
	CHECK(!sluice_trace_warning(trace, 99) && !sluice_trace_warning(trace, SIZE_MAX));
	CHECK(!sluice_machine_warning(machine, 99));
	CHECK(!strcmp(sluice_machine_name(machine), "gtx480-ciao"));
	static const struct {
		struct sluice_run_options options;
		const char *words;
	} rows[] = {
	    {{.quantum = 1025}, "quantum: 1025 is more than 1024"},
	    {{.threads = 257}, "threads: 257 is more than 256"},
	    {{.kernels = "one"}, "one"},
	    {{.kernels = "2"}, "launch"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct sluice_run_options options = rows[i].options;
		options.size = sizeof options;
		CHECK(!sluice_run(trace, machine, &options, &error));
		CHECK_EQ(error.code, SLUICE_BAD_INPUT);
		CHECK(strstr(error.text, rows[i].words));
		CHECK(!sluice_run(trace, machine, &options, NULL)); /* without a place for the reason */
	}
	CHECK(!sluice_machine_open("no such machine", NULL, 0, NULL));
	CHECK(!sluice_trace_open("/nowhere", NULL, 0, NULL, NULL));
	struct sluice_info info;
	CHECK(!sluice_metric_info(sluice_metric_count(), &info));
	sluice_trace_close(trace);
	sluice_machine_close(machine);
	sluice_trace_close(NULL);
	sluice_machine_close(NULL);
	sluice_result_free(NULL);
}

/* Fails where an argument is used before it is looked at. */
TEST(null_is_refused_or_answered_with_nothing)
{
	struct sluice_error error;
	struct sluice_machine *machine = gtx480();
	struct sluice_trace *trace = sluice_trace_open(VECTORADD, NULL, 0, NULL, NULL);
	const char *const hole[] = {"l1d.ways=8", NULL};
	size_t count = 7;
	char value[8];
	CHECK(!sluice_run(NULL, machine, NULL, &error) && error.code == SLUICE_BAD_INPUT);
	CHECK(!strcmp(error.text, "no trace given"));
	CHECK(!sluice_run(trace, NULL, NULL, &error) && !strcmp(error.text, "no machine given"));
	CHECK(!sluice_run(NULL, NULL, NULL, NULL));
	/* A size that ends inside of a pointer, and none. */
	for (size_t bytes = 0; bytes <= 21; bytes += 21) {
		const struct sluice_run_options options = {.size = bytes, .policy = "gto", .look = "series"};
		CHECK(!sluice_run(trace, machine, &options, &error));
		CHECK(!strcmp(error.text, "options: their size is not that of the struct"));
		const struct sluice_trace_options opening = {.size = bytes, .machine = "h200"};
		CHECK(!sluice_trace_open(VECTORADD, NULL, 0, &opening, &error) &&
		      error.code == SLUICE_BAD_INPUT);
	}
	CHECK(!sluice_trace_open(NULL, NULL, 0, NULL, &error) &&
	      !strcmp(error.text, "no program or trace given"));
	CHECK(!sluice_trace_open(VECTORADD, NULL, 2, NULL, &error) &&
	      !sluice_trace_open(VECTORADD, hole, 2, NULL, NULL));
	CHECK(!sluice_machine_open(NULL, NULL, 0, &error) && !strcmp(error.text, "no machine given"));
	CHECK(!sluice_machine_open("h200", hole, 2, &error) &&
	      !strcmp(error.text, "a change of the machine is NULL"));
	CHECK(!sluice_machine_open("h200", NULL, 1, NULL));
	CHECK(!sluice_trace_name(NULL) && !sluice_trace_path(NULL) && !sluice_trace_launches(NULL));
	CHECK(!sluice_trace_warp_insns(NULL) && !sluice_trace_warning(NULL, 0) &&
	      !sluice_trace_program(NULL, NULL));
	CHECK(!sluice_trace_program(trace, NULL));
	CHECK(!sluice_machine_name(NULL) && !sluice_machine_warning(NULL, 0));
	CHECK(!sluice_machine_value(NULL, "l1d.ways", value, sizeof value));
	CHECK(!sluice_machine_value(machine, NULL, value, sizeof value));
	CHECK(!sluice_machine_value(machine, "l1d.ways", NULL, 8) &&
	      !sluice_machine_value(machine, "l1d.ways", NULL, 0));
	CHECK(!sluice_counter_info(0, NULL) && !sluice_metric_info(0, NULL));
	CHECK_EQ(sluice_counter_find(NULL), -1);
	CHECK_EQ(sluice_metric_find(NULL), -1);
	CHECK(!sluice_result_status(NULL) && !sluice_result_policy(NULL) && !sluice_result_launches(NULL));
	CHECK(!sluice_result_launch(NULL, 0, NULL) && !sluice_result_counters(NULL, 0) &&
	      !sluice_result_metrics(NULL, 0));
	CHECK(!sluice_result_counter(NULL, 0, "cycles") && isnan(sluice_result_metric(NULL, 0, "ipc")));
	CHECK(!sluice_result_series(NULL, 0, "ipc", &count) && !count && !sluice_result_json(NULL, &error));
	struct sluice_result *result = sluice_run(trace, machine, NULL, NULL);
	CHECK(result && !sluice_result_launch(result, 0, NULL) &&
	      !sluice_result_series(result, 0, NULL, NULL));
	CHECK(!sluice_result_counter(result, 0, NULL));
	/* A result holds what it was made of. */
	sluice_trace_close(trace);
	sluice_machine_close(machine);
	CHECK(sluice_result_json(result, NULL));
	sluice_result_free(result);
}

TEST(metrics_are_found_by_the_name_that_nsight_compute_has)
{
	struct sluice_info info;
	size_t found = 0;
	for (size_t i = 0; i < sluice_metric_count(); i++) {
		CHECK(sluice_metric_info(i, &info));
		if (!*info.nsight_compute)
			continue;
		ptrdiff_t at = sluice_metric_find(info.nsight_compute);
		struct sluice_info same;
		CHECK(at >= 0 && sluice_metric_info((size_t)at, &same));
		CHECK(!strcmp(same.nsight_compute, info.nsight_compute));
		found++;
	}
	CHECK(found > 3);
}

struct watcher {
	uint64_t calls, total;
	enum sluice_phase phase;
	bool ends;
};

static bool watch(void *user, const struct sluice_progress *progress)
{
	struct watcher *w = user;
	w->calls++;
	w->total = progress->total;
	w->phase = progress->phase;
	return !w->ends;
}

TEST(a_run_may_be_bounded_and_looked_at)
{
	struct sluice_error error;
	struct watcher watcher = {0};
	for (int process = 0; process < 2; process++) {
		const struct sluice_run_options options = {.size = sizeof options,
		                                           .max_insns = 100,
		                                           .kernels = "1",
		                                           .cold_l2 = true,
		                                           .threads = 1,
		                                           .quantum = 8,
		                                           .process = process,
		                                           .progress = watch,
		                                           .user = &watcher};
		struct sluice_result *result = sluice_run(the_trace, the_machine, &options, &error);
		if (!result)
			printf("# %s\n", error.text);
		CHECK(result);
		CHECK(strcmp(sluice_result_status(result), "done") != 0);
		CHECK_EQ(sluice_result_launches(result), 1);
		sluice_result_free(result);
	}
}

TEST(an_import_is_ended_on_request)
{
	struct sluice_error error;
	struct watcher watcher = {.ends = true};
	char command[512];
	snprintf(command, sizeof command, "cp -r '%s' '%s'", VECTORADD, scratch_path("copy"));
	CHECK(!system(command));
	const struct sluice_trace_options options = {
	    .size = sizeof options, .progress = watch, .user = &watcher};
	CHECK(!sluice_trace_open(scratch_path("copy"), NULL, 0, &options, &error));
	CHECK_EQ(error.code, SLUICE_CANCELLED);
	CHECK(watcher.calls == 1 && watcher.phase == SLUICE_IMPORTING);
}

/* ---- machines from files -------------------------------------------------------------------------------- */

TEST(a_machine_may_be_a_file)
{
	struct sluice_error error;
	char before[512];
	const char *const changes[] = {"l1d.ways=8"};
	const char *path = scratch_write("mine.yaml", "extends: gtx480-ciao\nname: mine\ntitle: mine\n");
	struct sluice_machine *by_path = sluice_machine_open(path, changes, 1, &error);
	if (!by_path)
		printf("# %s\n", error.text);
	CHECK(by_path && getcwd(before, sizeof before) && !chdir(scratch()));
	struct sluice_machine *by_name = sluice_machine_open("mine.yaml", NULL, 0, &error);
	CHECK(!chdir(before));
	CHECK(by_name && !strcmp(sluice_machine_name(by_name), sluice_machine_name(by_path)));
	/* A process of its own finds it, wherever it is. */
	const struct sluice_run_options options = {.size = sizeof options, .process = true};
	struct sluice_result *result = sluice_run(the_trace, by_name, &options, &error);
	if (!result)
		printf("# %s\n", error.text);
	CHECK(result);
	sluice_result_free(result);
	sluice_machine_close(by_path);
	sluice_machine_close(by_name);
}

/* ---- programs ------------------------------------------------------------------------------------------- */

/* Records the program with one word; true: it ended that way, and its runs are the same in any process. */
static bool records(const char *word, int exit_status, bool has_fault)
{
	struct sluice_error error = {0};
	struct sluice_program program = {0};
	struct watcher watcher = {0};
	const struct sluice_trace_options options = {
	    .size = sizeof options, .progress = watch, .user = &watcher};
	struct sluice_trace *trace = sluice_trace_open(RUNTIME_PROGRAM, &word, 1, &options, &error);
	struct sluice_run_options run = {.size = sizeof run, .max_insns = 10000};
	struct sluice_result *here = trace ? sluice_run(trace, the_machine, &run, &error) : NULL;
	run.process = true;
	struct sluice_result *there = here ? sluice_run(trace, the_machine, &run, &error) : NULL;
	bool ok = there && sluice_trace_program(trace, &program) && program.exit_status == exit_status &&
	          !program.signal && (*program.fault != 0) == has_fault && sluice_trace_launches(trace) > 0 &&
	          !access(program.stdout_path, R_OK) && !access(program.stderr_path, R_OK) &&
	          !strcmp(sluice_result_json(here, NULL), sluice_result_json(there, NULL)) &&
	          strstr(sluice_result_json(here, NULL), word);
	if (!ok)
		printf("# %s: '%s', status %d, fault '%s'\n", word, error.text, program.exit_status,
		       program.fault ? program.fault : "");
	sluice_result_free(here);
	sluice_result_free(there);
	sluice_trace_close(trace);
	return ok;
}

TEST(a_program_is_recorded_and_stays_one)
{
	CHECK(records("times", 3, false));
	CHECK(records("fault", 0, true));
	CHECK(records("times", 3, false)); /* found in the cache */
}

TEST(a_program_that_cannot_be_recorded_is_an_error)
{
	struct sluice_error error;
	struct watcher watcher = {.ends = true};
	struct sluice_trace_options options = {.size = sizeof options, .is_program = true, .machine = "h200"};
	CHECK(!sluice_trace_open("/bin/true", NULL, 0, &options, &error));
	CHECK_EQ(error.code, SLUICE_BAD_INPUT);
	CHECK(strstr(error.text, "/bin/true"));
	options.machine = "no such machine";
	CHECK(!sluice_trace_open(RUNTIME_PROGRAM, NULL, 0, &options, &error));
	CHECK_EQ(error.code, SLUICE_BAD_INPUT);
	/* Ended while it sleeps. */
	const char *const words[] = {"60"};
	options.machine = NULL;
	options.progress = watch;
	options.user = &watcher;
	CHECK(!sluice_trace_open("/bin/sleep", words, 1, &options, &error));
	CHECK_EQ(error.code, SLUICE_CANCELLED);
	CHECK_EQ(watcher.phase, SLUICE_RECORDING);
}

/* ---- processes that are no sluice ------------------------------------------------------------------------ */

/* An executable file of this text takes the place of sluice. */
static void replace_sluice(const char *name, const char *text)
{
	const char *path = scratch_write(name, text);
	chmod(path, 0755);
	setenv("SLUICE_PROGRAM", path, 1);
}

/* Runs with a shell script in the place of sluice; true: the error has that code and those words. */
static bool fails_with(const char *script, enum sluice_code code, const char *words)
{
	struct sluice_error error = {0};
	char text[1100];
	snprintf(text, sizeof text, "#!/bin/sh\n%s\n", script);
	replace_sluice("fake", text);
	const struct sluice_run_options options = {.size = sizeof options, .process = true};
	struct sluice_result *result = sluice_run(the_trace, the_machine, &options, &error);
	bool ok = !result && error.code == code && strstr(error.text, words);
	if (!ok)
		printf("# %s: code %d, '%s'\n", script, (int)error.code, error.text);
	unsetenv("SLUICE_PROGRAM");
	sluice_result_free(result);
	return ok;
}

/* An answer: kind, code and bytes, as the library reads them from descriptor 4. */
#define ANSWER(kind, code, bytes)                                                                            \
	"cat <&3 >/dev/null; printf '\\00" kind "\\0\\0\\0\\00" code "\\0\\0\\0\\0" bytes                    \
	"\\0\\0\\0\\0\\0\\0\\0"
#define PROGRESS "0"
#define ERROR "1"
#define RESULT "2"

TEST(an_answer_that_is_none_is_an_error)
{
	CHECK(fails_with("cat <&3 >/dev/null; exit 5", SLUICE_CRASHED,
	                 "the process of the run ended with status 5"));
	CHECK(fails_with("cat <&3 >/dev/null; echo one; echo two >&2; exit 5", SLUICE_CRASHED,
	                 "ended with status 5: one two"));
	CHECK(fails_with("cat <&3 >/dev/null; kill -9 $$", SLUICE_CRASHED, "was killed by signal 9"));
	CHECK(fails_with("sleep 0.3; cat <&3 >/dev/null; exit 5", SLUICE_CRASHED, "ended with status 5"));
	CHECK(fails_with(ANSWER(RESULT, "0", "07") "nothing' >&4", SLUICE_BAD_INPUT,
	                 "the process of the run gave an answer that is none"));
	CHECK(
	    fails_with(ANSWER(RESULT, "0", "02") "{}' >&4", SLUICE_BAD_INPUT, "gave an answer that is none"));
	CHECK(fails_with(ANSWER(RESULT, "0", "21") "{\"launches\": [1]}' >&4", SLUICE_BAD_INPUT,
	                 "gave an answer that is none"));
	CHECK(fails_with(ANSWER(RESULT, "0", "77") "cut off' >&4; exit 3", SLUICE_CRASHED,
	                 "ended with status 3"));
	CHECK(fails_with(ANSWER(ERROR, "1", "05") "wrong' >&4", SLUICE_BAD_INPUT, "wrong"));
	CHECK(fails_with(ANSWER(ERROR, "1", "77") "cut off' >&4; exit 3", SLUICE_CRASHED, "status 3"));
	CHECK(fails_with(ANSWER(ERROR, "1", "0\\0377") "' >&4; exit 3", SLUICE_CRASHED, "status 3"));
	CHECK(fails_with(ANSWER(PROGRESS, "0", "03") "odd' >&4; exit 3", SLUICE_CRASHED, "status 3"));
	CHECK(fails_with(ANSWER("7", "0", "03") "odd' >&4; exit 3", SLUICE_CRASHED, "status 3"));
}

/* A result in so many words; true: it is none. */
static bool is_no_result(const char *json)
{
	char script[1024];
	size_t bytes = strlen(json);
	snprintf(script, sizeof script,
	         "cat <&3 >/dev/null; printf '\\002\\0\\0\\0\\0\\0\\0\\0\\%03zo\\0\\0\\0\\0\\0\\0\\0%s' >&4",
	         bytes, json);
	return fails_with(script, SLUICE_BAD_INPUT, "the process of the run gave an answer that is none");
}

TEST(a_result_that_lacks_something_is_none)
{
	CHECK(is_no_result("{\"launches\": [{\"status\": \"done\"}]}"));
	CHECK(is_no_result("{\"launches\": [{\"kernel\": {\"name\": \"k\"}}]}"));
	CHECK(is_no_result("{\"launches\": [{\"kernel\": {\"name\": \"k\"}, \"status\": \"done\"}]}"));
	CHECK(is_no_result("{\"launches\": [], \"status\": \"done\"}"));
	CHECK(is_no_result("{\"launches\": [], \"run\": {\"policy\": \"gto\"}}"));
	CHECK(is_no_result("{\"launches\": [], \"run\": {\"policy\": \"gto\"}, \"status\": \"done\", "
	                   "\"total\": {\"counters\": {\"cycles\": 1.5}}}"));
}

/* A request longer than a pipe holds, to a process that does not read it; and one that says more than is kept. */
TEST(a_process_that_does_not_listen_is_gone)
{
	enum { MANY = 9000 };
	struct sluice_error error = {0};
	static const char *changes[MANY];
	for (int i = 0; i < MANY; i++)
		changes[i] = "l1d.ways=8";
	replace_sluice("deaf", "#!/bin/sh\nexec 3<&-\nfor i in $(seq 200); do echo line $i; done\nexit 9\n");
	struct sluice_machine *machine = sluice_machine_open("gtx480-ciao", changes, MANY, &error);
	const struct sluice_run_options options = {.size = sizeof options, .process = true};
	CHECK(machine && !sluice_run(the_trace, machine, &options, &error));
	CHECK_EQ(error.code, SLUICE_CRASHED);
	CHECK(strstr(error.text, "ended with status 9: ") && strstr(error.text, "line 199 line 200"));
	unsetenv("SLUICE_PROGRAM");
	sluice_machine_close(machine);
}

/* The other end: what sluice answers to a request, without its head of 16 bytes. */
static bool answers(const char *request, const char *words)
{
	char command[1024], text[1024] = "";
	scratch_write("request", request);
	snprintf(command, sizeof command, "'%s' library-run 3<'%s' 4>'%s'", SLUICE_PROGRAM_PATH,
	         scratch_path("request"), scratch_path("answer"));
	int status = system(command);
	FILE *file = fopen(scratch_path("answer"), "r");
	size_t n = fread(text, 1, sizeof text - 1, file);
	fclose(file);
	bool ok = status && n > 16 && strstr(text + 16, words);
	if (!ok)
		printf("# %s: status %d, %zu bytes, '%s'\n", request, status, n, n > 16 ? text + 16 : "");
	return ok;
}

TEST(a_request_that_is_none_is_answered_with_an_error)
{
	CHECK(answers("", "library-run: no request"));
	CHECK(answers("{}", "library-run: no request"));
	CHECK(answers("{\"trace\": \"/nowhere\"}", "library-run: no request"));
	CHECK(answers("{\"trace\": \"/nowhere\", \"machine\": \"h200\"}", "/nowhere"));
	CHECK(answers("{\"trace\": \"" VECTORADD "\", \"machine\": \"h20\"}", "did you mean 'h200'?"));
	CHECK(answers("{\"trace\": \"" VECTORADD "\", \"machine\": \"h200\", \"changes\": [7]}",
	              "is not section.key=value"));
	CHECK(answers("{\"trace\": \"" VECTORADD "\", \"machine\": \"h200\", \"threads\": 999}",
	              "threads: 999 is more"));
	CHECK(answers("{\"trace\": \"" VECTORADD
	              "\", \"machine\": \"h200\", \"arguments\": [1], \"policy\": \"x\"}",
	              "unknown policy 'x'"));
	/* The other end is closed. */
	char command[512];
	snprintf(command, sizeof command,
	         "echo '{\"trace\": \"" VECTORADD
	         "\", \"machine\": \"gtx480-ciao\"}' | '%s' library-run 3<&0 4>/dev/full",
	         SLUICE_PROGRAM_PATH);
	CHECK(system(command) != 0);
}

TEST(a_program_that_is_none_is_named)
{
	struct sluice_error error = {0};
	const struct sluice_run_options options = {.size = sizeof options, .process = true};
	static const char *const paths[] = {"/dev/null", "/", "/nowhere/sluice"};
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		setenv("SLUICE_PROGRAM", paths[i], 1);
		CHECK(!sluice_run(the_trace, the_machine, &options, &error));
		CHECK(error.code == SLUICE_BAD_INPUT && strstr(error.text, "which is not an executable"));
	}
	/* Executable, but nothing that the kernel can start. */
	replace_sluice("text", "\1\2\3");
	CHECK(!sluice_run(the_trace, the_machine, &options, &error));
	CHECK(strstr(error.text, "text: cannot be started: "));
	/* Empty: as if it was not set. */
	setenv("SLUICE_PROGRAM", "", 1);
	struct sluice_result *result = sluice_run(the_trace, the_machine, &options, &error);
	CHECK(result);
	sluice_result_free(result);
	unsetenv("SLUICE_PROGRAM");
}

TESTS(api_enter())
