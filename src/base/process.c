#include "base/process.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"

static void be_child(pid_t parent, int end_signal)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, end_signal);
	if (getppid() != parent) /* it ended before that */
		_exit(127);
	/* What is ignored stays so: nohup is meant for all. */
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
		setpgid(child, child); /* both do, so that neither is too late */
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
	kill(-child, SIGKILL); /* what it started and did not wait for */
	cleanup_child(0, 0);
	errno = error;
	return ended < 0 ? -1 : status;
}
