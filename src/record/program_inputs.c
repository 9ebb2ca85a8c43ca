/*
 * What a program asks its surroundings, and what the answer is now. A recording
 * is taken again while all answers are the same. Not asked: times of files.
 */
#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <xxhash.h>

#include "record/program_parts.h"

/* A file that is gone when the program has ended was a temporary one. */
static bool answer_input(const char *path, char answer[INPUT_ANSWER_BYTES])
{
	struct digest digest;
	uint64_t bytes;
	if (!file_digest(path, &digest, &bytes, NULL))
		return false;
	digest_text(&digest, answer);
	snprintf(answer + strlen(answer), INPUT_ANSWER_BYTES - strlen(answer), "-%" PRIu64, bytes);
	return true;
}

/* A file that has come since was made by the program. */
static bool answer_absent(const char *path, char answer[INPUT_ANSWER_BYTES])
{
	struct stat st;
	strcpy(answer, "-");
	return lstat(path, &st) != 0;
}

static bool answer_seen(const char *path, char answer[INPUT_ANSWER_BYTES])
{
	struct stat st;
	if (stat(path, &st))
		return false;
	snprintf(answer, INPUT_ANSWER_BYTES, "%o-%" PRIu64, (unsigned)(st.st_mode & S_IFMT),
	         S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0);
	return true;
}

/* By the names of its entries, in any order. */
static bool answer_folder(const char *path, char answer[INPUT_ANSWER_BYTES])
{
	DIR *dir = opendir(path);
	struct digest sum = {0, 0};
	if (!dir)
		return false;
	for (struct dirent *entry; (entry = readdir(dir));) {
		XXH128_hash_t hash = XXH3_128bits(entry->d_name, strlen(entry->d_name));
		sum.low += hash.low64;
		sum.high += hash.high64;
	}
	closedir(dir);
	digest_text(&sum, answer);
	return true;
}

/* Its digest: values may be secrets, and of any length. */
static bool answer_variable(const char *name, char answer[INPUT_ANSWER_BYTES])
{
	const char *value = getenv(name);
	if (!value) {
		strcpy(answer, "unset");
		return true;
	}
	XXH128_hash_t hash = XXH3_128bits(value, strlen(value));
	digest_text(&(struct digest){hash.low64, hash.high64}, answer);
	return true;
}

/* What a shell command does is anybody's guess: the answer is never the one that was kept. */
static bool answer_unrepeatable(const char *what, char answer[INPUT_ANSWER_BYTES])
{
	struct timespec now;
	(void)what;
	clock_gettime(CLOCK_REALTIME, &now);
	snprintf(answer, INPUT_ANSWER_BYTES, "%lld.%09ld", (long long)now.tv_sec, now.tv_nsec);
	return true;
}

static const struct {
	const char *key;
	bool (*answer)(const char *name, char answer[INPUT_ANSWER_BYTES]);
} kinds[] = {
    {"input", answer_input},   {"absent", answer_absent},     {"seen", answer_seen},
    {"folder", answer_folder}, {"variable", answer_variable}, {"unrepeatable", answer_unrepeatable},
};

bool input_is_key(const char *key)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (!strcmp(key, kinds[i].key))
			return true;
	return false;
}

bool input_answer(const char *key, const char *name, char answer[INPUT_ANSWER_BYTES])
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (!strcmp(key, kinds[i].key))
			return kinds[i].answer(name, answer);
	return false;
}
