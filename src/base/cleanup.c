#include "base/cleanup.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SLOTS = 32, DEPTH_MAX = 16 };
enum slot_state { SLOT_FREE, SLOT_FILLING, SLOT_USED };

static struct slot {
	atomic_int state;
	pid_t owner;
	char path[PATH_MAX];
} slots[SLOTS];
static atomic_int child_group, child_owner, child_signal;

void cleanup_add(const char *path)
{
	if (strlen(path) >= PATH_MAX)
		return;
	for (int i = 0; i < SLOTS; i++) {
		int expected = SLOT_FREE;
		if (!atomic_compare_exchange_strong(&slots[i].state, &expected, SLOT_FILLING))
			continue;
		strcpy(slots[i].path, path);
		slots[i].owner = getpid();
		atomic_store(&slots[i].state, SLOT_USED);
		return;
	}
}

void cleanup_done(const char *path)
{
	for (int i = 0; i < SLOTS; i++)
		if (atomic_load(&slots[i].state) == SLOT_USED && slots[i].owner == getpid() &&
		    !strcmp(slots[i].path, path))
			atomic_store(&slots[i].state, SLOT_FREE);
}

void cleanup_child(pid_t group, int signal)
{
	atomic_store(&child_owner, getpid());
	atomic_store(&child_signal, signal);
	atomic_store(&child_group, group);
}

/* ---- removing: no memory is allocated and no lock taken ---------------------------------------------------- */

/* As the kernel returns them; readdir() would allocate. */
struct directory_entry {
	uint64_t inode;
	int64_t offset;
	unsigned short bytes;
	unsigned char type;
	char name[];
};

static bool remove_at(int folder, const char *name, int depth);

static bool remove_entries(int fd, int depth)
{
	_Alignas(8) char buffer[4096];
	bool removed = false;
	long n;
	while ((n = syscall(SYS_getdents64, fd, buffer, sizeof buffer)) > 0)
		for (long at = 0; at < n;) {
			const struct directory_entry *entry = (const void *)(buffer + at);
			at += entry->bytes;
			if (!strcmp(entry->name, ".") || !strcmp(entry->name, ".."))
				continue;
			if (!remove_at(fd, entry->name, depth))
				return false;
			removed = true;
		}
	/* Some file systems skip entries behind removed ones: until a whole pass finds none. */
	return !n && (!removed || (!lseek(fd, 0, SEEK_SET) && remove_entries(fd, depth)));
}

static bool remove_at(int folder, const char *name, int depth)
{
	if (!unlinkat(folder, name, 0))
		return true;
	if ((errno != EISDIR && errno != EPERM) || depth == DEPTH_MAX)
		return errno == ENOENT;
	int fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return false;
	bool ok = remove_entries(fd, depth + 1);
	close(fd);
	return (!unlinkat(folder, name, AT_REMOVEDIR) || errno == ENOENT) && ok;
}

bool remove_tree(const char *path)
{
	return remove_at(AT_FDCWD, path, 0);
}

static void end_child(void)
{
	pid_t group = atomic_load(&child_group);
	if (group <= 0 || atomic_load(&child_owner) != getpid())
		return;
	if (kill(-group, atomic_load(&child_signal)))
		kill(group, atomic_load(&child_signal)); /* it has not become a group yet */
	while (waitpid(group, NULL, 0) < 0 && errno == EINTR)
		;
}

void cleanup_now(void)
{
	end_child();
	for (int i = 0; i < SLOTS; i++)
		if (atomic_load(&slots[i].state) == SLOT_USED && slots[i].owner == getpid()) {
			remove_tree(slots[i].path);
			atomic_store(&slots[i].state, SLOT_FREE);
		}
}

/* ---- signals ----------------------------------------------------------------------------------------------- */

static void handle(int number)
{
	cleanup_now();
	signal(number, SIG_DFL);
	kill(getpid(),
	     number); /* delivered when this handler returns: the process ends as the sender expects */
}

void cleanup_on_signals(void)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
	struct sigaction action = {.sa_handler = handle}, before;
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		sigaddset(&action.sa_mask, numbers[i]);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		/* nohup and shells' background jobs ignore some: that stays. */
		if (!sigaction(numbers[i], NULL, &before) && before.sa_handler != SIG_IGN)
			sigaction(numbers[i], &action, NULL);
}
