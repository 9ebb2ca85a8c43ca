/* Tasks in processes: a child writes its result, plain data, to a file without a name, and the parent reads it. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "lab/workload/workload_measure.h"

enum { CHILD_DONE = 0, CHILD_FAILED = 1 };

struct worker {
	pid_t pid; /* 0: free */
	size_t task;
	FILE *output;
};

struct crew {
	const struct measure_task *tasks;
	size_t count, next;
	struct measure_options options; /* of a child */
	struct measure_result *results;
	struct worker *worker;
	size_t workers, busy;
};

static _Noreturn void child_main(const struct crew *crew, size_t task, FILE *output)
{
	struct measure_result result;
	measure_workload(&crew->tasks[task], &crew->options, &result);
	bool ok = fwrite(&result, sizeof result, 1, output) == 1 && !fflush(output);
	_exit(ok ? CHILD_DONE : CHILD_FAILED);
}

static bool start(struct crew *crew, struct worker *worker, struct error *err)
{
	worker->task = crew->next;
	worker->output = tmpfile();
	if (!worker->output)
		return error_set(err, "cannot start a check: %s", strerror(errno));
	fflush(NULL);
	pid_t parent = getpid();
	worker->pid = fork();
	if (worker->pid < 0) {
		worker->pid = 0;
		fclose(worker->output);
		return error_set(err, "cannot start a check: %s", strerror(errno));
	}
	if (!worker->pid) {
		/* Nobody would read the result of an orphan. */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(CHILD_FAILED);
		child_main(crew, worker->task, worker->output);
	}
	crew->next++;
	crew->busy++;
	return true;
}

static void take_result(struct crew *crew, struct worker *worker, int status)
{
	struct measure_result *result = &crew->results[worker->task];
	rewind(worker->output);
	bool ok = WIFEXITED(status) && WEXITSTATUS(status) == CHILD_DONE &&
	          fread(result, sizeof *result, 1, worker->output) == 1;
	fclose(worker->output);
	worker->pid = 0;
	crew->busy--;
	if (ok)
		return;
	*result = (struct measure_result){.failed = true};
	measured_clear(&result->measured);
	error_set(&result->error,
	          WIFSIGNALED(status) ? "its process was killed by signal %d" : "its process failed (%d)",
	          WIFSIGNALED(status) ? WTERMSIG(status) : status);
}

static struct worker *wait_for_one(struct crew *crew, int *status)
{
	pid_t pid;
	while ((pid = waitpid(-1, status, 0)) < 0 && errno == EINTR)
		;
	for (size_t i = 0; i < crew->workers; i++)
		if (crew->worker[i].pid == pid && pid > 0)
			return &crew->worker[i];
	return NULL;
}

static void end_all(struct crew *crew)
{
	for (size_t i = 0; i < crew->workers; i++) {
		struct worker *worker = &crew->worker[i];
		if (!worker->pid)
			continue;
		kill(worker->pid, SIGKILL);
		waitpid(worker->pid, NULL, 0);
		fclose(worker->output);
	}
}

static bool work(struct crew *crew, void (*done)(void *user, size_t task), void *user, struct error *err)
{
	while (crew->next < crew->count || crew->busy) {
		for (size_t i = 0; i < crew->workers && crew->next < crew->count; i++)
			if (!crew->worker[i].pid && !start(crew, &crew->worker[i], err))
				return false;
		int status;
		struct worker *worker = wait_for_one(crew, &status);
		if (!worker)
			return error_set(err, "waiting for a check: %s", strerror(errno));
		take_result(crew, worker, status);
		done(user, worker->task);
	}
	return true;
}

bool measure_all(const struct measure_task *tasks, size_t count, const struct measure_options *options,
                 struct measure_result *results, void (*done)(void *user, size_t task), void *user,
                 struct error *err)
{
	if (!count)
		return true;
	struct crew crew = {.tasks = tasks, .count = count, .options = *options, .results = results};
	crew.workers = options->jobs < count ? options->jobs : count;
	crew.options.jobs = options->jobs / crew.workers;
	crew.worker = memory_zeroed(crew.workers, sizeof *crew.worker);
	bool ok = work(&crew, done, user, err);
	end_all(&crew);
	free(crew.worker);
	return ok;
}
