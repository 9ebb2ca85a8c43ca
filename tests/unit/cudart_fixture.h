/* What the tests of the runtime's API share: checks of error codes, and processes of their own for a fresh runtime. */
#ifndef SLUICE_TESTS_CUDART_FIXTURE_H
#define SLUICE_TESTS_CUDART_FIXTURE_H

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

#define OK(call) CHECK_EQ(call, 0)
/* Of the runtime API: the error is the thread's last one, once. */
#define FAILS(call, code)                                                                                    \
	do {                                                                                                 \
		CHECK_EQ(call, code);                                                                        \
		CHECK_EQ(cudaGetLastError(), code);                                                          \
		CHECK_EQ(cudaGetLastError(), cudaSuccess);                                                   \
	} while (0)
/* In a process of its own: the number of claims that were wrong, each of which is printed. */
#define EXPECT(call, code)                                                                                   \
	do {                                                                                                 \
		long long got_ = (long long)(call), want_ = (long long)(code);                               \
		if (got_ != want_) {                                                                         \
			printf("# %s:%d: %s is %lld, expected %lld\n", __FILE__, __LINE__, #call, got_,      \
			       want_);                                                                       \
			test_failures++;                                                                     \
		}                                                                                            \
	} while (0)

/* What children say on stderr is kept here; the caller removes the file. */
static inline int fixture_run(int (*child)(void), const char *messages)
{
	int status;
	fflush(stdout);
	pid_t pid = fork();
	if (pid == 0) {
		if (messages && !freopen(messages, "w", stderr))
			exit(99);
		exit(child());
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The file's beginning; "" if there is none. */
static inline const char *fixture_read(const char *path)
{
	static char text[4096];
	FILE *file = fopen(path, "r");
	size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
	text[n] = '\0';
	if (file)
		fclose(file);
	return text;
}

#endif
