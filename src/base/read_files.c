/* The files that this command has read: a hash table of device and inode that only grows. */
#include "base/read_files.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"

struct read_file {
	dev_t device;
	ino_t inode;
	char *path; /* NULL: a free slot */
};

static struct {
	pthread_mutex_t lock;
	bool keeps;
	struct read_file *slot; /* a power of two, at most half of them used */
	size_t slots, count;
} list = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Return the slot of the file, or the free one where it belongs. */
static struct read_file *find_slot(struct read_file *slot, size_t slots, dev_t device, ino_t inode)
{
	uint64_t hash = ((uint64_t)inode + ((uint64_t)device << 32)) * UINT64_C(0x9e3779b97f4a7c15);
	size_t i = (size_t)(hash >> 32) & (slots - 1);
	while (slot[i].path && (slot[i].device != device || slot[i].inode != inode))
		i = (i + 1) & (slots - 1);
	return &slot[i];
}

static void grow(void)
{
	size_t slots = list.slots ? 2 * list.slots : 64;
	struct read_file *slot = memory_zeroed(slots, sizeof *slot);
	for (size_t i = 0; i < list.slots; i++)
		if (list.slot[i].path)
			*find_slot(slot, slots, list.slot[i].device, list.slot[i].inode) = list.slot[i];
	free(list.slot);
	list.slot = slot;
	list.slots = slots;
}

static bool is_replaceable(const struct stat *file)
{
	return S_ISREG(file->st_mode) || S_ISDIR(file->st_mode);
}

static void note(const struct stat *file, const char *path)
{
	if (!is_replaceable(file))
		return;
	pthread_mutex_lock(&list.lock);
	if (list.keeps) {
		if (2 * (list.count + 1) > list.slots)
			grow();
		struct read_file *slot = find_slot(list.slot, list.slots, file->st_dev, file->st_ino);
		if (!slot->path) {
			*slot = (struct read_file){file->st_dev, file->st_ino, memory_text(path)};
			list.count++;
		}
	}
	pthread_mutex_unlock(&list.lock);
}

void read_files_keep(void)
{
	pthread_mutex_lock(&list.lock);
	list.keeps = true;
	pthread_mutex_unlock(&list.lock);
}

void read_files_note(int fd, const char *path)
{
	struct stat file;
	if (!fstat(fd, &file))
		note(&file, path);
}

void read_files_note_path(const char *path)
{
	struct stat file;
	if (!stat(path, &file))
		note(&file, path);
}

const char *read_files_find(const struct stat *file)
{
	const char *path = NULL;
	if (!is_replaceable(file))
		return NULL;
	pthread_mutex_lock(&list.lock);
	if (list.slots)
		path = find_slot(list.slot, list.slots, file->st_dev, file->st_ino)->path;
	pthread_mutex_unlock(&list.lock);
	return path;
}
