/*
 * Faults on demand, in the test's own process: the nth call that our code makes
 * of one function fails. In tests named *_faults, the linker leads the calls that
 * CMakeLists.txt lists (FAULTY_CALLS) to this file; calls inside libraries are not
 * touched. tests/faults does the same to whole programs.
 */
#ifndef SLUICE_TESTS_LIB_FAULTS_FIXTURE_H
#define SLUICE_TESTS_LIB_FAULTS_FIXTURE_H

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

static struct {
	const char *call;  /* NULL: none fails */
	unsigned at, last; /* calls from .. to fail, counted from 1 */
	int error;
	atomic_uint count;
	atomic_long live; /* blocks that our code got and did not give back */
} fault;

static inline bool fault_hits(const char *call)
{
	if (!fault.call || strcmp(fault.call, call) != 0)
		return false;
	unsigned n = atomic_fetch_add(&fault.count, 1) + 1;
	if (n < fault.at || n > fault.last)
		return false;
	errno = fault.error;
	return true;
}

/* From now on the nth call fails, that one alone or all after it, too. */
static inline void fault_arm(const char *call, unsigned at, unsigned last, int error)
{
	atomic_store(&fault.count, 0);
	fault.at = at;
	fault.last = last;
	fault.error = error;
	fault.call = call;
}

/* Whether a call has failed since fault_arm(); none fails any more. */
static inline bool fault_disarm(void)
{
	fault.call = NULL;
	return atomic_load(&fault.count) >= fault.at;
}

/* clang-format off */
#define FAULTY(type, failure, name, parameters, arguments)                                                   \
	type __real_##name parameters;                                                                       \
	type __wrap_##name parameters;                                                                       \
	type __wrap_##name parameters { return fault_hits(#name) ? (failure) : __real_##name arguments; }
/* Of a name that allocates, blocks are counted. */
#define FAULTY_BLOCK(name, parameters, arguments)                                                            \
	void *__real_##name parameters;                                                                      \
	void *__wrap_##name parameters;                                                                      \
	void *__wrap_##name parameters                                                                       \
	{                                                                                                    \
		void *block = fault_hits("malloc") ? NULL : __real_##name arguments;                         \
		atomic_fetch_add(&fault.live, block != NULL);                                                \
		return block;                                                                                \
	}
/* clang-format on */

FAULTY_BLOCK(malloc, (size_t bytes), (bytes))
FAULTY_BLOCK(calloc, (size_t count, size_t bytes), (count, bytes))
FAULTY_BLOCK(aligned_alloc, (size_t align, size_t bytes), (align, bytes))
FAULTY_BLOCK(strdup, (const char *text), (text))
FAULTY_BLOCK(strndup, (const char *text, size_t bytes), (text, bytes))

void *__real_realloc(void *old, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes)
{
	bool is_new = !old;
	void *block = fault_hits("malloc") ? NULL : __real_realloc(old, bytes);
	atomic_fetch_add(&fault.live, is_new && block);
	return block;
}

void __real_free(void *block);
void __wrap_free(void *block);
void __wrap_free(void *block)
{
	atomic_fetch_sub(&fault.live, block != NULL);
	__real_free(block);
}

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
	va_list ap;
	va_start(ap, flags);
	unsigned mode = va_arg(ap, unsigned);
	va_end(ap);
	return fault_hits("open") ? -1 : __real_open(path, flags, mode);
}

int __real_openat(int folder, const char *path, int flags, ...);
int __wrap_openat(int folder, const char *path, int flags, ...);
int __wrap_openat(int folder, const char *path, int flags, ...)
{
	va_list ap;
	va_start(ap, flags);
	unsigned mode = va_arg(ap, unsigned);
	va_end(ap);
	return fault_hits("openat") ? -1 : __real_openat(folder, path, flags, mode);
}

/* A file that cannot be closed is closed all the same. */
int __real_close(int fd);
int __wrap_close(int fd);
int __wrap_close(int fd)
{
	bool hits = fault_hits("close");
	int result = __real_close(fd);
	errno = hits ? fault.error : errno;
	return hits ? -1 : result;
}

int __real_fclose(FILE *file);
int __wrap_fclose(FILE *file);
int __wrap_fclose(FILE *file)
{
	bool hits = fault_hits("fclose");
	int result = __real_fclose(file);
	errno = hits ? fault.error : errno;
	return hits ? EOF : result;
}

FAULTY(ssize_t, -1, read, (int fd, void *to, size_t bytes), (fd, to, bytes))
FAULTY(ssize_t, -1, pread, (int fd, void *to, size_t bytes, off_t at), (fd, to, bytes, at))
FAULTY(ssize_t, -1, write, (int fd, const void *from, size_t bytes), (fd, from, bytes))
FAULTY(off_t, -1, lseek, (int fd, off_t at, int whence), (fd, at, whence))
FAULTY(int, -1, fstat, (int fd, struct stat *st), (fd, st))
FAULTY(int, -1, stat, (const char *path, struct stat *st), (path, st))
FAULTY(int, -1, lstat, (const char *path, struct stat *st), (path, st))
FAULTY(int, -1, rename, (const char *from, const char *to), (from, to))
FAULTY(int, -1, mkdir, (const char *path, mode_t mode), (path, mode))
FAULTY(char *, NULL, mkdtemp, (char *path), (path))
FAULTY(int, -1, access, (const char *path, int mode), (path, mode))
FAULTY(DIR *, NULL, opendir, (const char *path), (path))
FAULTY(int, -1, unlinkat, (int folder, const char *path, int flags), (folder, path, flags))
FAULTY(FILE *, NULL, fdopen, (int fd, const char *mode), (fd, mode))
FAULTY(FILE *, NULL, fopen, (const char *path, const char *mode), (path, mode))
FAULTY(FILE *, NULL, open_memstream, (char **text, size_t *bytes), (text, bytes))
FAULTY(pid_t, -1, waitpid, (pid_t child, int *status, int options), (child, status, options))
FAULTY(XXH3_state_t *, NULL, XXH3_createState, (void), ())
FAULTY(ZSTD_CCtx *, NULL, ZSTD_createCCtx, (void), ())
FAULTY(ZSTD_DCtx *, NULL, ZSTD_createDCtx, (void), ())
FAULTY(ZSTD_CDict *, NULL, ZSTD_createCDict, (const void *from, size_t bytes, int level),
       (from, bytes, level))
FAULTY(ZSTD_DDict *, NULL, ZSTD_createDDict, (const void *from, size_t bytes), (from, bytes))
FAULTY(size_t, (size_t)-1, ZSTD_compressCCtx,
       (ZSTD_CCtx * c, void *to, size_t room, const void *from, size_t bytes, int level),
       (c, to, room, from, bytes, level))
FAULTY(size_t, (size_t)-1, ZSTD_compress_usingCDict,
       (ZSTD_CCtx * c, void *to, size_t room, const void *from, size_t bytes, const ZSTD_CDict *d),
       (c, to, room, from, bytes, d))

/* What the C library gives to be freed by its caller is counted, too. */
char *__real_realpath(const char *path, char *to);
char *__wrap_realpath(const char *path, char *to);
char *__wrap_realpath(const char *path, char *to)
{
	char *found = fault_hits("realpath") ? NULL : __real_realpath(path, to);
	atomic_fetch_add(&fault.live, found && !to);
	return found;
}

typedef int scan_filter(const struct dirent *entry);
typedef int scan_compare(const struct dirent **a, const struct dirent **b);
int __real_scandir(const char *path, struct dirent ***list, scan_filter *filter, scan_compare *compare);
int __wrap_scandir(const char *path, struct dirent ***list, scan_filter *filter, scan_compare *compare);
int __wrap_scandir(const char *path, struct dirent ***list, scan_filter *filter, scan_compare *compare)
{
	int n = fault_hits("scandir") ? -1 : __real_scandir(path, list, filter, compare);
	atomic_fetch_add(&fault.live, n < 0 ? 0 : n + (*list != NULL));
	return n;
}

/* A disk without room, as it is asked for that. */
int __real_statvfs(const char *path, struct statvfs *fs);
int __wrap_statvfs(const char *path, struct statvfs *fs);
int __wrap_statvfs(const char *path, struct statvfs *fs)
{
	bool hits = fault_hits("statvfs");
	int result = __real_statvfs(path, fs);
	if (hits && !fault.error)
		fs->f_bavail = 0;
	return hits && fault.error ? -1 : result;
}

/* What ends in a trap is not given back (base/trap.h): LeakSanitizer is not asked, fault.live is. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}

static inline unsigned fault_open_files(void)
{
	unsigned n = 0;
	DIR *dir = opendir("/proc/self/fd");
	while (dir && readdir(dir))
		n++;
	if (dir)
		closedir(dir);
	return n;
}

#endif
