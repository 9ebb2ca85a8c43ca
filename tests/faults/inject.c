/*
 * Faults on demand: preloaded into a program, this library has the nth call of
 * one function of the C library fail, as it does when memory, disk or
 * processes run out. scripts/inject-faults drives it.
 *
 *	FAULT_CALL   which function: malloc (with calloc, realloc, aligned_alloc), write, rename, ...
 *	FAULT_AT     which call of it, from 1
 *	FAULT_MORE   if set, every later call fails, too: a disk that stays full
 *	FAULT_IN     the program's name; others are left alone
 *	FAULT_CALLS  in place of FAULT_CALL: names with spaces between them, of which calls are only counted
 *	FAULT_LOG    8 bytes for each of those: the most calls that one process made, until its very end
 *
 * What the C library calls inside of itself cannot be reached; stdio is faulted by its own functions.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

enum { CALLS_MAX = 64 };

static struct {
	const char *call, *counted;
	unsigned long at;
	bool more, is_on;
	atomic_ulong count, counts[CALLS_MAX], *most;
} fault;

static void map_log(const char *path)
{
	int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
	if (fd < 0)
		return;
	long at = syscall(SYS_mmap, NULL, CALLS_MAX * sizeof *fault.most, PROT_READ | PROT_WRITE, MAP_SHARED,
	                  fd, 0);
	syscall(SYS_close, fd);
	if (at > 0)
		memcpy(&fault.most, &at, sizeof fault.most);
}

__attribute__((constructor)) static void start(void)
{
	const char *in = getenv("FAULT_IN"), *at = getenv("FAULT_AT");
	fault.call = getenv("FAULT_CALL");
	fault.at = at ? strtoul(at, NULL, 10) : 0;
	fault.more = getenv("FAULT_MORE") != NULL;
	fault.counted = getenv("FAULT_CALLS");
	fault.is_on = (fault.call || fault.counted) && (!in || !strcmp(in, program_invocation_short_name));
	if (fault.is_on && getenv("FAULT_LOG"))
		map_log(getenv("FAULT_LOG"));
}

static void count_call(const char *call)
{
	size_t length = strlen(call);
	unsigned place = 0;
	for (const char *at = fault.counted; place < CALLS_MAX && *at; place++) {
		size_t name = strcspn(at, " ");
		if (name == length && !memcmp(at, call, length)) {
			unsigned long n = atomic_fetch_add(&fault.counts[place], 1) + 1;
			if (fault.most && n > atomic_load(&fault.most[place]))
				atomic_store(&fault.most[place], n);
			return;
		}
		at += name + strspn(at + name, " ");
	}
}

/* Whether this call fails. */
static bool strikes(const char *call)
{
	if (fault.is_on && fault.counted)
		count_call(call);
	if (!fault.is_on || fault.counted || strcmp(fault.call, call) != 0)
		return false;
	unsigned long n = atomic_fetch_add(&fault.count, 1) + 1;
	return fault.at && (n == fault.at || (fault.more && n > fault.at));
}

/* An object pointer becomes a function pointer this way without a warning. */
#define NEXT(type, name)                                                                                     \
	static type *next;                                                                                   \
	if (!next) {                                                                                         \
		void *found = dlsym(RTLD_NEXT, name);                                                        \
		memcpy(&next, &found, sizeof next);                                                          \
	}

/* ---- memory: glibc's own names need no dlsym(), which allocates --------------------------------------------- */

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
    *__libc_memalign(size_t, size_t);

/* libzstd 1.5 reads through the NULL in ZSTD_createCDict(): its own allocations are spared. */
static bool is_spared(const void *caller)
{
	Dl_info info;
	return dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, "libzstd");
}

static bool strikes_memory(const void *caller)
{
	if (!strikes("malloc") || is_spared(caller))
		return false;
	errno = ENOMEM;
	return true;
}
#define STRIKES_MEMORY strikes_memory(__builtin_return_address(0))
EXPORT void *malloc(size_t bytes)
{
	return STRIKES_MEMORY ? NULL : __libc_malloc(bytes);
}
EXPORT void *calloc(size_t count, size_t bytes)
{
	return STRIKES_MEMORY ? NULL : __libc_calloc(count, bytes);
}
EXPORT void *realloc(void *old, size_t bytes)
{
	return STRIKES_MEMORY ? NULL : __libc_realloc(old, bytes);
}
EXPORT void *aligned_alloc(size_t alignment, size_t bytes)
{
	return STRIKES_MEMORY ? NULL : __libc_memalign(alignment, bytes);
}

/* ---- functions that give -1 (or the given failure) and set errno ------------------------------------------- */

#define FAULTY(type, name, failure, error, parameters, arguments)                                            \
	EXPORT type name parameters                                                                          \
	{                                                                                                    \
		typedef type name##_fn parameters;                                                           \
		NEXT(name##_fn, #name)                                                                       \
		if (strikes(#name)) {                                                                        \
			errno = error;                                                                       \
			return failure;                                                                      \
		}                                                                                            \
		return next arguments;                                                                       \
	}
FAULTY(ssize_t, read, -1, EIO, (int fd, void *to, size_t bytes), (fd, to, bytes))
FAULTY(ssize_t, pread, -1, EIO, (int fd, void *to, size_t bytes, off_t at), (fd, to, bytes, at))
FAULTY(ssize_t, write, -1, ENOSPC, (int fd, const void *from, size_t bytes), (fd, from, bytes))
FAULTY(ssize_t, pread64, -1, EIO, (int fd, void *to, size_t bytes, off64_t at), (fd, to, bytes, at))
FAULTY(ssize_t, pwrite64, -1, ENOSPC, (int fd, const void *from, size_t bytes, off64_t at),
       (fd, from, bytes, at))
FAULTY(int, ftruncate64, -1, EIO, (int fd, off64_t bytes), (fd, bytes))
FAULTY(int, fsync, -1, EIO, (int fd), (fd))
FAULTY(int, fdatasync, -1, EIO, (int fd), (fd))
FAULTY(int, link, -1, EIO, (const char *from, const char *to), (from, to))
FAULTY(int, unlink, -1, EIO, (const char *path), (path))
FAULTY(DIR *, opendir, NULL, EMFILE, (const char *path), (path))
FAULTY(FILE *, fdopen, NULL, ENOMEM, (int fd, const char *mode), (fd, mode))
FAULTY(char *, mkdtemp, NULL, ENOSPC, (char *name), (name))
FAULTY(FILE *, popen, NULL, EAGAIN, (const char *command, const char *mode), (command, mode))
FAULTY(int, poll, -1, ENOMEM, (struct pollfd * fds, nfds_t count, int milliseconds),
       (fds, count, milliseconds))
FAULTY(int, rename, -1, EIO, (const char *from, const char *to), (from, to))
FAULTY(int, mkdir, -1, ENOSPC, (const char *path, mode_t mode), (path, mode))
FAULTY(pid_t, fork, -1, EAGAIN, (void), ())
FAULTY(int, pipe2, -1, EMFILE, (int ends[2], int flags), (ends, flags))
FAULTY(void *, mmap, MAP_FAILED, ENOMEM, (void *at, size_t bytes, int prot, int flags, int fd, off_t offset),
       (at, bytes, prot, flags, fd, offset))
FAULTY(void *, mmap64, MAP_FAILED, ENOMEM,
       (void *at, size_t bytes, int prot, int flags, int fd, off64_t offset),
       (at, bytes, prot, flags, fd, offset))
FAULTY(FILE *, fopen, NULL, EMFILE, (const char *path, const char *mode), (path, mode))
FAULTY(FILE *, open_memstream, NULL, ENOMEM, (char **text, size_t *bytes), (text, bytes))
FAULTY(FILE *, tmpfile, NULL, EMFILE, (void), ())
FAULTY(int, flock, -1, ENOLCK, (int fd, int operation), (fd, operation))
FAULTY(char *, realpath, NULL, EIO, (const char *path, char *to), (path, to))

/* As stdio does when a write fails: ferror() knows. */
static void mark_failed(FILE *file)
{
	if (file)
		file->_flags |= _IO_ERR_SEEN;
	errno = ENOSPC;
}
EXPORT size_t fwrite(const void *from, size_t bytes, size_t count, FILE *file)
{
	typedef size_t fwrite_fn(const void *, size_t, size_t, FILE *);
	NEXT(fwrite_fn, "fwrite")
	if (!strikes("fwrite"))
		return next(from, bytes, count, file);
	mark_failed(file);
	return 0;
}
EXPORT size_t fread(void *to, size_t bytes, size_t count, FILE *file)
{
	typedef size_t fread_fn(void *, size_t, size_t, FILE *);
	NEXT(fread_fn, "fread")
	if (!strikes("fread"))
		return next(to, bytes, count, file);
	mark_failed(file);
	errno = EIO;
	return 0;
}
EXPORT int fflush(FILE *file)
{
	typedef int fflush_fn(FILE *);
	NEXT(fflush_fn, "fflush")
	if (!strikes("fflush"))
		return next(file);
	mark_failed(file);
	return EOF;
}

/* The file is closed all the same, as when the last bytes do not fit. */
EXPORT int fclose(FILE *file)
{
	typedef int fclose_fn(FILE *);
	NEXT(fclose_fn, "fclose")
	bool fails = strikes("fclose");
	int result = next(file);
	if (fails)
		errno = ENOSPC;
	return fails ? EOF : result;
}
EXPORT int close(int fd)
{
	typedef int close_fn(int);
	NEXT(close_fn, "close")
	bool fails = strikes("close");
	int result = next(fd);
	if (fails)
		errno = EIO;
	return fails ? -1 : result;
}
EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *user)
{
	typedef int create_fn(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	NEXT(create_fn, "pthread_create")
	return strikes("pthread_create") ? EAGAIN : next(thread, attributes, run, user);
}
EXPORT int posix_spawn(pid_t *child, const char *path, const posix_spawn_file_actions_t *actions,
                       const posix_spawnattr_t *attributes, char *const argv[], char *const envp[])
{
	typedef int spawn_fn(pid_t *, const char *, const posix_spawn_file_actions_t *,
	                     const posix_spawnattr_t *, char *const[], char *const[]);
	NEXT(spawn_fn, "posix_spawn")
	return strikes("posix_spawn") ? EAGAIN : next(child, path, actions, attributes, argv, envp);
}

/* Of open() and open64(), which SQLite calls: the same to us. */
EXPORT int open(const char *path, int flags, ...)
{
	typedef int open_fn(const char *, int, ...);
	NEXT(open_fn, "open")
	mode_t mode = 0;
	if (flags & (O_CREAT | O_TMPFILE)) {
		va_list ap;
		va_start(ap, flags);
		mode = va_arg(ap, mode_t);
		va_end(ap);
	}
	if (strikes("open")) {
		errno = EMFILE;
		return -1;
	}
	return next(path, flags, mode);
}
EXPORT int open64(const char *path, int flags, ...) __attribute__((alias("open")));
