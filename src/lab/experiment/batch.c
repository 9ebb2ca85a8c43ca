/* Simulating in processes. A child writes its result to a file without a name, and the parent reads it. */
#include "lab/experiment/batch.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "lab/report/json.h"

enum { CHILD_DONE = 0, CHILD_FAILED = 1 };
static const long POLL_NS = 50 * 1000 * 1000;

struct job {
	struct batch_run *run;
	char place[PATH_MAX]; /* of its result */
	FILE *output;
	pid_t pid; /* 0: not running */
	bool found;
};

struct crew {
	struct batch *batch;
	struct job *jobs;
	size_t count, next, running;
	uint64_t *done; /* warp instructions per job; shared with the children */
	uint64_t insns; /* of one run */
	struct progress progress;
};

/* ---- the child -------------------------------------------------------------------------------------------- */

static void tell_progress(void *user, unsigned launch, uint64_t warp_insns)
{
	(void)launch;
	__atomic_store_n((uint64_t *)user, warp_insns, __ATOMIC_RELAXED);
}

static _Noreturn void child_main(const struct batch *batch, const struct config *config, FILE *output,
                                 uint64_t *done)
{
	struct run_options options = *batch->options;
	struct run_result result;
	struct error err = {{0}};
	options.threads = 1;
	options.progress = tell_progress;
	options.user = done;
	bool ok = run_trace(config, batch->trace, &options, &result, &err);
	if (ok) {
		const struct run_facts facts = {.trace_name = "", .config = config, .options = &options};
		char *text = json_write_run(&facts, &result);
		ok = fputs(text, output) >= 0 && !fflush(output);
		if (!ok)
			error_set(&err, "cannot keep the result: %s", strerror(errno));
		free(text);
	}
	if (!ok) {
		rewind(output);
		fputs(err.text, output);
		fputc('\0', output);
		fflush(output);
	}
	run_result_free(&result);
	_exit(ok ? CHILD_DONE : CHILD_FAILED);
}

/* 0: forked; else the error number. */
static int start(struct crew *crew, struct job *job)
{
	job->output = tmpfile();
	if (!job->output)
		return errno;
	fflush(NULL);
	pid_t parent = getpid();
	job->pid = fork();
	if (job->pid < 0) {
		job->pid = 0;
		fclose(job->output);
		job->output = NULL;
		return errno;
	}
	if (!job->pid) {
		/* Nobody would read the result of an orphan. */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(CHILD_FAILED);
		child_main(crew->batch, &job->run->config, job->output, &crew->done[job - crew->jobs]);
	}
	crew->running++;
	return 0;
}

/* ---- the parent ------------------------------------------------------------------------------------------- */

static char *read_all(FILE *file)
{
	fseek(file, 0, SEEK_END);
	long size = ftell(file);
	rewind(file);
	char *text = memory_zeroed((size_t)(size > 0 ? size : 0) + 1, 1);
	size_t n = size > 0 ? fread(text, 1, (size_t)size, file) : 0;
	text[n] = '\0';
	return text;
}

/* What is the same for all runs, or names where they come from. */
static json_t *reduce(const char *text)
{
	static const char *const shared[] = {"format", "version", "run", "definitions"};
	json_t *result = json_loads(text, 0, NULL);
	for (size_t i = 0; result && i < sizeof shared / sizeof *shared; i++)
		json_object_del(result, shared[i]);
	return result;
}

static bool take_result(struct crew *crew, struct job *job, int status, struct error *err)
{
	const char *policy = job->run->config.chain->text;
	char *text = read_all(job->output);
	fclose(job->output);
	job->output = NULL;
	job->pid = 0;
	crew->running--;
	bool ok = false;
	if (WIFSIGNALED(status))
		error_set(err, "%s: the simulation was killed by signal %d (%s)", policy, WTERMSIG(status),
		          strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status) != CHILD_DONE)
		error_set(err, "%s: %s", policy, text[0] ? text : "the simulation failed");
	else if (!(job->run->result = reduce(text)))
		error_set(err, "%s: the simulation left no result", policy);
	else
		ok = results_keep(job->place, job->run->result, err);
	free(text);
	crew->batch->simulated += ok;
	return ok;
}

static void show(struct crew *crew)
{
	uint64_t done = 0;
	size_t ended = 0;
	char detail[96];
	for (size_t i = 0; i < crew->count; i++) {
		const struct job *job = &crew->jobs[i];
		done += __atomic_load_n(&crew->done[i], __ATOMIC_RELAXED);
		ended += job->run->result && !job->found;
	}
	snprintf(detail, sizeof detail, "%zu runs done, %zu at work", ended, crew->running);
	progress_show(&crew->progress, "simulating", done, detail);
}

/* The next child that ends, and its status; NULL: waiting failed. */
static struct job *wait_for_one(struct crew *crew, int *status)
{
	const struct timespec pause = {.tv_nsec = POLL_NS};
	pid_t pid;
	while ((pid = waitpid(-1, status, crew->progress.enabled ? WNOHANG : 0)) <= 0) {
		if (pid < 0 && errno != EINTR)
			return NULL;
		show(crew);
		if (!pid)
			nanosleep(&pause, NULL);
	}
	for (size_t i = 0; i < crew->count; i++)
		if (crew->jobs[i].pid == pid)
			return &crew->jobs[i];
	return NULL;
}

static bool reap(struct crew *crew, struct error *err)
{
	int status;
	struct job *job = wait_for_one(crew, &status);
	if (!job)
		return error_set(err, "waiting for a simulation: %s", strerror(errno));
	crew->done[job - crew->jobs] = crew->insns;
	return take_result(crew, job, status, err);
}

static void end_all(struct crew *crew)
{
	for (size_t i = 0; i < crew->count; i++) {
		struct job *job = &crew->jobs[i];
		if (!job->pid)
			continue;
		kill(job->pid, SIGKILL);
		waitpid(job->pid, NULL, 0);
		fclose(job->output);
	}
}

static bool work(struct crew *crew, struct error *err)
{
	while (crew->next < crew->count || crew->running) {
		int problem = 0;
		while (crew->next < crew->count && crew->running < crew->batch->jobs && !problem) {
			struct job *job = &crew->jobs[crew->next];
			problem = job->run->result ? 0 : start(crew, job);
			crew->next += !problem;
		}
		if (problem && !crew->running)
			return error_set(err, "cannot start a simulation: %s", strerror(problem));
		if (crew->running && !reap(crew, err))
			return false;
	}
	return true;
}

/* Finds what was simulated before; the work that is left goes to the progress line. */
static bool prepare(struct crew *crew, struct error *err)
{
	struct batch *batch = crew->batch;
	uint64_t limit = batch->options->max_insns, total = 0;
	crew->insns = run_count_insns(batch->trace, batch->options->kernels);
	if (limit && limit < crew->insns)
		crew->insns = limit;
	if (!batch->has_ground && !results_prepare(&batch->ground, batch->trace, err))
		return false;
	batch->has_ground = true;
	for (size_t i = 0; i < crew->count; i++) {
		struct job *job = &crew->jobs[i];
		if (!results_place(&batch->ground, &job->run->config, batch->options, job->place, err))
			return false;
		if (!job->run->result && !batch->again)
			job->run->result = results_find(job->place);
		job->found = job->run->result;
		total += job->found ? 0 : crew->insns;
	}
	crew->progress = progress_start(batch->progress, total);
	return true;
}

bool batch_simulate(struct batch *batch, struct batch_run *runs, const size_t *which, size_t count,
                    struct error *err)
{
	size_t bytes = (count + 1) * sizeof(uint64_t);
	uint64_t *done = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (done == MAP_FAILED)
		return error_set(err, "cannot share memory with simulations: %s", strerror(errno));
	struct crew crew = {.batch = batch, .count = count, .done = done};
	crew.jobs = memory_zeroed(count + 1, sizeof *crew.jobs);
	for (size_t i = 0; i < count; i++)
		crew.jobs[i].run = &runs[which[i]];
	bool ok = prepare(&crew, err) && work(&crew, err);
	end_all(&crew);
	if (crew.progress.out)
		progress_end(&crew.progress);
	free(crew.jobs);
	munmap(done, bytes);
	return ok;
}

void batch_runs_free(struct batch_run *runs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		config_free(&runs[i].config);
		json_decref(runs[i].result);
	}
	free(runs);
}
