/* Child processes. */
#define _GNU_SOURCE /* pipe2, environ */
#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"

static void redirect(int to, const char *path, int flags)
{
	if (!path)
		return;
	int fd = open(path, flags, 0666);
	if (fd < 0 || dup2(fd, to) < 0)
		_exit(127);
	close(fd);
}

/* Runs in the child. The error number goes through the pipe if exec fails. */
static _Noreturn void become(const struct child *child, char *const *environment, int report)
{
	redirect(STDIN_FILENO, child->stdin_path, O_RDONLY);
	redirect(STDOUT_FILENO, child->stdout_path, O_WRONLY | O_CREAT | O_TRUNC);
	redirect(STDERR_FILENO, child->stderr_path, O_WRONLY | O_CREAT | O_TRUNC);
	if (child->merges_output)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	execve(child->argv[0], child->argv, environment);
	int error = errno;
	ssize_t written = write(report, &error, sizeof error);
	_exit(written == sizeof error ? 127 : 126);
}

/* Return whether the child gets another value of `entry`, "NAME=VALUE", or none. */
static bool is_replaced(const char *entry, const char *const *env)
{
	for (const char *const *pair = env; pair && pair[0]; pair += 2) {
		size_t length = strlen(pair[0]);
		if (!strncmp(entry, pair[0], length) && entry[length] == '=')
			return true;
	}
	return false;
}

/*
 * Make the child's environment. This comes before the fork: afterwards the child can take no lock, since other threads
 * may have held it. The new texts lie behind the array in the same block.
 */
static char **make_environment(const char *const *env)
{
	size_t count = 1, bytes = 0, n = 0;
	for (char **entry = environ; *entry; entry++)
		count++;
	for (const char *const *pair = env; pair && pair[0]; pair += 2, count++)
		bytes += pair[1] ? strlen(pair[0]) + strlen(pair[1]) + 2 : 0;
	char **all = memory_zeroed(1, count * sizeof *all + bytes);
	char *text = (char *)(all + count);
	for (char **entry = environ; *entry; entry++)
		if (!is_replaced(*entry, env))
			all[n++] = *entry;
	for (const char *const *pair = env; pair && pair[0]; pair += 2)
		if (pair[1]) {
			all[n++] = text;
			text += sprintf(text, "%s=%s", pair[0], pair[1]) + 1;
		}
	return all;
}

/* Call go_on() until the child ends; return false if it returned false. */
static bool watch(const struct child *child, pid_t pid)
{
	enum { ASK_MS = 100 };
	int fd = child->go_on ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
	struct pollfd ended = {.fd = fd, .events = POLLIN};
	bool go_on = true;
	while (fd >= 0 && go_on && poll(&ended, 1, ASK_MS) <= 0)
		go_on = child->go_on(child->user);
	if (fd >= 0)
		close(fd);
	if (!go_on)
		kill(-pid, child->end_signal ? child->end_signal : SIGKILL);
	return go_on;
}

bool child_run(const struct child *child, struct child_end *end, struct error *err)
{
	int report[2], error = 0;
	if (pipe2(report, O_CLOEXEC))
		return error_set(err, "%s: cannot be started: %s", child->argv[0], strerror(errno));
	char **environment = make_environment(child->env);
	pid_t pid = process_fork(child->end_signal ? child->end_signal : SIGKILL);
	if (pid == 0)
		become(child, environment, report[1]);
	error = errno;
	free(environment);
	close(report[1]);
	if (pid < 0) {
		close(report[0]);
		return error_set(err, "%s: cannot be started: %s", child->argv[0], strerror(error));
	}
	bool failed = read(report[0], &error, sizeof error) == sizeof error;
	close(report[0]);
	bool went_on = failed || watch(child, pid);
	int status = process_wait(pid);
	if (!went_on)
		return error_set(err, "%s: ended on request", child->argv[0]);
	if (failed)
		return error_set(err, "%s: cannot be started: %s", child->argv[0], strerror(error));
	if (status < 0)
		return error_set(err, "%s: cannot be waited for: %s", child->argv[0], strerror(errno));
	end->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	end->status = end->signal ? 128 + end->signal : WEXITSTATUS(status);
	return true;
}

/* ---- fork and wait ------------------------------------------------------------------------------------- */

static void be_child(pid_t parent, int end_signal)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, end_signal);
	if (getppid() != parent) /* the parent has ended already */
		_exit(127);
	/* Ignored signals stay ignored: nohup is meant for children, too. */
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		struct sigaction action;
		if (!sigaction(numbers[i], NULL, &action) && action.sa_handler != SIG_IGN)
			signal(numbers[i], SIG_DFL);
	}
}

pid_t process_fork(int end_signal)
{
	sigset_t all, before;
	fflush(NULL);
	/* A signal between the fork and the note of it would leave the child behind. */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	pid_t parent = getpid(), child = fork();
	if (child == 0)
		be_child(parent, end_signal);
	if (child > 0) {
		setpgid(child, child); /* parent and child both do, so that neither is too late */
		cleanup_child(child, end_signal);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return child;
}

int process_wait(pid_t child)
{
	int status;
	pid_t ended;
	while ((ended = waitpid(child, &status, 0)) < 0 && errno == EINTR)
		;
	int error = errno;
	kill(-child, SIGKILL); /* processes that it started and did not wait for */
	cleanup_child(0, 0);
	errno = error;
	return ended < 0 ? -1 : status;
}
