/* Children: started with changed variables and files, waited for like a shell does. */
#define _GNU_SOURCE /* pipe2 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process.h"
#include "lab/program/program_parts.h"

static void redirect(int to, const char *path, int flags)
{
	if (!path)
		return;
	int fd = open(path, flags, 0666);
	if (fd < 0 || dup2(fd, to) < 0)
		_exit(127);
	close(fd);
}

/* In the child: never returns. The error number goes through the pipe if exec fails. */
static _Noreturn void become(const struct child *child, int report)
{
	redirect(STDIN_FILENO, child->stdin_path, O_RDONLY);
	redirect(STDOUT_FILENO, child->stdout_path, O_WRONLY | O_CREAT | O_TRUNC);
	redirect(STDERR_FILENO, child->stderr_path, O_WRONLY | O_CREAT | O_TRUNC);
	if (child->merges_output)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	for (const char *const *pair = child->env; pair && pair[0]; pair += 2)
		if (pair[1])
			setenv(pair[0], pair[1], 1);
		else
			unsetenv(pair[0]);
	execv(child->argv[0], child->argv);
	int error = errno;
	ssize_t written = write(report, &error, sizeof error);
	_exit(written == sizeof error ? 127 : 126);
}

bool child_run(const struct child *child, struct child_end *end, struct error *err)
{
	int report[2], error = 0;
	if (pipe2(report, O_CLOEXEC))
		return error_set(err, "%s: cannot be started: %s", child->argv[0], strerror(errno));
	pid_t pid = process_fork(child->end_signal ? child->end_signal : SIGKILL);
	if (pid == 0)
		become(child, report[1]);
	error = errno;
	close(report[1]);
	if (pid < 0) {
		close(report[0]);
		return error_set(err, "%s: cannot be started: %s", child->argv[0], strerror(error));
	}
	bool failed = read(report[0], &error, sizeof error) == sizeof error;
	close(report[0]);
	int status = process_wait(pid);
	if (failed)
		return error_set(err, "%s: cannot be started: %s", child->argv[0], strerror(error));
	if (status < 0)
		return error_set(err, "%s: cannot be waited for: %s", child->argv[0], strerror(errno));
	end->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	end->status = end->signal ? 128 + end->signal : WEXITSTATUS(status);
	return true;
}
