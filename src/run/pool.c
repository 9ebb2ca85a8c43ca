/* Children write to files in memory, so a full disk stops none of them. */
#define _GNU_SOURCE /* memfd_create */
#include "run/pool.h"

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
#include "base/progress.h"

enum { CHILD_DONE = 0, CHILD_FAILED = 1 };
static const long TICK_NS = 200 * 1000 * 1000;

struct worker {
	pid_t pid; /* 0: free */
	size_t task;
	int output;
	double start_s;
};

struct crew {
	struct pool *pool;
	struct worker *worker;
	size_t busy;
	bool exhausted;   /* no task is left */
	sigset_t watched; /* signals that are waited for */
	sigset_t before;
};

/* ---- the child -------------------------------------------------------------------------------------------- */

/* Replace an incomplete result by the reason. */
static void leave_word(int output, int problem)
{
	if (!ftruncate(output, 0) && !lseek(output, 0, SEEK_SET))
		dprintf(output, "its result could not be written: %s", strerror(problem));
}

static _Noreturn void child_main(const struct crew *crew, size_t task, int output, pid_t parent)
{
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(CHILD_FAILED); /* no process would read the result of an orphan */
	sigprocmask(SIG_SETMASK, &crew->before, NULL);
	FILE *out = fdopen(output, "w");
	bool ok = out && crew->pool->work(crew->pool->user, task, out);
	if (!out || fflush(out) || ferror(out)) {
		leave_word(output, errno);
		ok = false;
	}
	_exit(ok ? CHILD_DONE : CHILD_FAILED);
}

/* 0: started; else the error number. */
static int start(struct crew *crew, struct worker *worker, size_t task)
{
	int output = memfd_create("sluice-task", MFD_CLOEXEC);
	if (output < 0)
		return errno;
	fflush(NULL);
	pid_t parent = getpid(), pid = fork();
	if (pid < 0) {
		int problem = errno;
		close(output);
		return problem;
	}
	if (!pid)
		child_main(crew, task, output, parent);
	setpgid(pid, pid); /* in both processes: either may come first */
	*worker = (struct worker){.pid = pid, .task = task, .output = output, .start_s = progress_clock()};
	crew->busy++;
	return 0;
}

/* ---- the parent ------------------------------------------------------------------------------------------- */

static char *read_all(int fd, size_t *bytes)
{
	off_t size = lseek(fd, 0, SEEK_END);
	char *text = memory_zeroed((size_t)(size > 0 ? size : 0) + 1, 1);
	*bytes = 0;
	while (size > 0 && *bytes < (size_t)size) {
		ssize_t n = pread(fd, text + *bytes, (size_t)size - *bytes, (off_t)*bytes);
		if (n <= 0 && !(n < 0 && errno == EINTR))
			break;
		*bytes += n > 0 ? (size_t)n : 0;
	}
	return text;
}

static bool take_end(struct crew *crew, struct worker *worker, int status, struct error *err)
{
	size_t bytes;
	char *output = read_all(worker->output, &bytes);
	const struct pool_end end = {.ok = WIFEXITED(status) && WEXITSTATUS(status) == CHILD_DONE,
	                             .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
	                             .output = output,
	                             .bytes = bytes,
	                             .seconds = progress_clock() - worker->start_s};
	size_t task = worker->task;
	close(worker->output);
	worker->pid = 0;
	crew->busy--;
	bool ok = crew->pool->done(crew->pool->user, task, &end, err);
	free(output);
	return ok;
}

/* Takes all that have ended; *any: there was one. */
static bool reap(struct crew *crew, bool *any, struct error *err)
{
	*any = false;
	for (size_t i = 0; i < crew->pool->jobs; i++) {
		struct worker *worker = &crew->worker[i];
		int status;
		if (!worker->pid || waitpid(worker->pid, &status, WNOHANG) <= 0)
			continue;
		*any = true;
		if (!take_end(crew, worker, status, err))
			return false;
	}
	return true;
}

static bool start_more(struct crew *crew, struct error *err)
{
	for (size_t i = 0; i < crew->pool->jobs && !crew->exhausted; i++) {
		size_t task;
		if (crew->worker[i].pid)
			continue;
		if (!crew->pool->next(crew->pool->user, &task)) {
			crew->exhausted = true;
			break;
		}
		int problem;
		/* Others of ours may end and leave room. */
		while ((problem = start(crew, &crew->worker[i], task)) == EAGAIN && crew->busy) {
			bool any;
			if (!reap(crew, &any, err))
				return false;
			nanosleep(&(struct timespec){.tv_nsec = TICK_NS}, NULL);
		}
		if (problem)
			return error_set(err, "cannot start a process: %s", strerror(problem));
	}
	return true;
}

/* Waits for a child, a signal to end, or the next tick. */
static bool pause_for(struct crew *crew, struct error *err)
{
	const struct timespec tick = {.tv_nsec = TICK_NS};
	int signal = sigtimedwait(&crew->watched, NULL, &tick);
	if (signal <= 0 || signal == SIGCHLD)
		return true;
	crew->pool->interrupted = signal;
	return error_set(err, "ended by signal %d (%s)", signal, strsignal(signal));
}

static bool work(struct crew *crew, struct error *err)
{
	while (!crew->exhausted || crew->busy) {
		bool any;
		if (!start_more(crew, err) || !reap(crew, &any, err))
			return false;
		if (crew->pool->tick)
			crew->pool->tick(crew->pool->user, crew->busy);
		if (!any && crew->busy && !pause_for(crew, err))
			return false;
	}
	return true;
}

static void end_all(struct crew *crew)
{
	for (size_t i = 0; i < crew->pool->jobs; i++) {
		struct worker *worker = &crew->worker[i];
		if (!worker->pid)
			continue;
		kill(-worker->pid, SIGKILL);
		kill(worker->pid, SIGKILL);
		waitpid(worker->pid, NULL, 0);
		close(worker->output);
	}
}

bool pool_run(struct pool *pool, struct error *err)
{
	struct crew crew = {.pool = pool};
	crew.worker = memory_zeroed(pool->jobs, sizeof *crew.worker);
	pool->interrupted = 0;
	sigemptyset(&crew.watched);
	sigaddset(&crew.watched, SIGCHLD);
	sigaddset(&crew.watched, SIGINT);
	sigaddset(&crew.watched, SIGTERM);
	sigaddset(&crew.watched, SIGHUP);
	sigprocmask(SIG_BLOCK, &crew.watched, &crew.before);
	bool ok = work(&crew, err);
	end_all(&crew);
	sigprocmask(SIG_SETMASK, &crew.before, NULL);
	free(crew.worker);
	return ok;
}

const char *pool_describe(const struct pool_end *end, char *text, size_t size)
{
	if (end->signal)
		snprintf(text, size, "killed by signal %d (%s)", end->signal, strsignal(end->signal));
	else
		snprintf(text, size, "%s", end->bytes ? end->output : "it failed without a word");
	return text;
}
