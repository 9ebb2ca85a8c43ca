/*
 * Runs a command and measures it.
 *
 *	bench-measure COMMAND...
 *
 * prints "WALL_SECONDS PEAK_RSS_MB" on standard output; the command's own goes
 * to standard error. Exits as the command does.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now_s(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		fputs("usage: bench-measure COMMAND...\n", stderr);
		return 2;
	}
	double start = now_s();
	pid_t child = fork();
	if (!child) {
		dup2(STDERR_FILENO, STDOUT_FILENO);
		execvp(argv[1], argv + 1);
		perror(argv[1]);
		_exit(127);
	}
	int status;
	struct rusage usage;
	if (child < 0 || wait4(child, &status, 0, &usage) < 0) {
		perror("bench-measure");
		return 1;
	}
	printf("%.4f %.1f\n", now_s() - start, (double)usage.ru_maxrss / 1024);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
