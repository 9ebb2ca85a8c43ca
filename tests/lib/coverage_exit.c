/*
 * Stands for _exit() in the build of scripts/coverage. gcov writes its counts when a process ends by exit(); children of a
 * pool, processes that cannot start a program and those out of memory leave by _exit(), and what they executed would not
 * count.
 */
#include <unistd.h>

void __gcov_dump(void);
__attribute__((visibility("hidden"), noreturn)) void coverage_exit(int status);

void coverage_exit(int status)
{
	__gcov_dump();
	_exit(status);
}
