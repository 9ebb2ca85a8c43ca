/*
 * What is known of a run: the runtime's report turned into the file "facts" of
 * an entry, key=value lines. Each question of the program to its surroundings is a
 * line KIND=ANSWER NAME; a recording is used again while all answers are the
 * same. Times of files are not among the questions.
 */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <xxhash.h>

#include "record/parts.h"

enum { ANSWER_BYTES = 80 };

/* ---- what a program asks its surroundings -------------------------------------------------------------- */

/* A file that does not exist any more when the program has ended was a temporary one. */
static bool answer_input(const char *path, char answer[ANSWER_BYTES])
{
	struct digest digest;
	uint64_t bytes;
	if (!file_digest(path, &digest, &bytes, NULL))
		return false;
	digest_text(&digest, answer);
	snprintf(answer + strlen(answer), ANSWER_BYTES - strlen(answer), "-%" PRIu64, bytes);
	return true;
}

/* A file that exists by now was made by the program. */
static bool answer_absent(const char *path, char answer[ANSWER_BYTES])
{
	struct stat st;
	strcpy(answer, "-");
	return lstat(path, &st) != 0;
}

static bool answer_seen(const char *path, char answer[ANSWER_BYTES])
{
	struct stat st;
	if (stat(path, &st))
		return false;
	snprintf(answer, ANSWER_BYTES, "%o-%" PRIu64, (unsigned)(st.st_mode & S_IFMT),
	         S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0);
	return true;
}

/* A digest of the names in it, in any order. */
static bool answer_folder(const char *path, char answer[ANSWER_BYTES])
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

/* A digest, since values may be secrets and of any length. */
static bool answer_variable(const char *name, char answer[ANSWER_BYTES])
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

/* The effect of a shell command is unknown: the answer differs each time, so that the recording is never used again. */
static bool answer_unrepeatable(const char *what, char answer[ANSWER_BYTES])
{
	struct timespec now;
	(void)what;
	clock_gettime(CLOCK_REALTIME, &now);
	snprintf(answer, ANSWER_BYTES, "%lld.%09ld", (long long)now.tv_sec, now.tv_nsec);
	return true;
}

static const struct {
	const char *key;
	bool (*answer)(const char *name, char answer[ANSWER_BYTES]);
} kinds[] = {
    {"input", answer_input},   {"absent", answer_absent},     {"seen", answer_seen},
    {"folder", answer_folder}, {"variable", answer_variable}, {"unrepeatable", answer_unrepeatable},
};

static bool is_question(const char *key)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (!strcmp(key, kinds[i].key))
			return true;
	return false;
}

static bool find_answer(const char *key, const char *name, char answer[ANSWER_BYTES])
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (!strcmp(key, kinds[i].key))
			return kinds[i].answer(name, answer);
	return false;
}

/* Call `take` for every key=value line until it returns false. */
typedef bool take_line(void *user, const char *key, const char *value);
static bool read_lines(const char *path, take_line *take, void *user)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t capacity = 0;
	bool ok = file != NULL;
	while (ok && getline(&line, &capacity, file) > 0) {
		line[strcspn(line, "\n")] = '\0';
		char *equals = strchr(line, '=');
		if (!equals)
			continue;
		*equals = '\0';
		ok = take(user, line, equals + 1);
	}
	free(line);
	if (file)
		fclose(file);
	return ok;
}

/* ---- numbers ---------------------------------------------------------------------------------------- */

/* Fields that report and facts share. */
static void take_number(struct program_run *run, const char *key, const char *value)
{
	uint64_t number = strtoull(value, NULL, 10);
	if (!strcmp(key, "launches"))
		run->launches = number;
	else if (!strcmp(key, "warp_insns"))
		run->warp_insns = number;
	else if (!strcmp(key, "races"))
		run->races = number;
	else if (!strcmp(key, "recorded"))
		run->recorded = number;
	else if (!strcmp(key, "ended"))
		run->ended = number;
	else if (!strcmp(key, "ended_why"))
		snprintf(run->ended_why, sizeof run->ended_why, "%s", value);
	else if (!strcmp(key, "elapsed_time_read"))
		run->reads_times = number != 0;
	else if (!strcmp(key, "exit"))
		run->exit_status = (int)number;
	else if (!strcmp(key, "signal"))
		run->signal = (int)number;
	else if (!strcmp(key, "fault"))
		snprintf(run->fault, sizeof run->fault, "%s", value);
}

static bool take_report(void *user, const char *key, const char *value)
{
	take_number(user, key, value);
	return true;
}

bool facts_read_report(struct program_run *run, const char *folder)
{
	char path[PATH_MAX];
	return path_join(path, folder, "report", NULL) && read_lines(path, take_report, run);
}

/* ---- writing ---------------------------------------------------------------------------------------- */

static bool copy_question(void *user, const char *key, const char *value)
{
	char answer[ANSWER_BYTES];
	if (find_answer(key, value, answer))
		fprintf(user, "%s=%s %s\n", key, answer, value);
	return true;
}

bool facts_write(const struct program_run *run, const char *folder, struct error *err)
{
	char path[PATH_MAX], report[PATH_MAX];
	if (!path_join(path, folder, "facts", err) || !path_join(report, folder, "report", err))
		return false;
	FILE *file = fopen(path, "we");
	if (!file)
		return error_set(err, "%s: %s", path, strerror(errno));
	fprintf(file,
	        "exit=%d\nsignal=%d\nlaunches=%" PRIu64 "\nwarp_insns=%" PRIu64 "\nraces=%" PRIu64
	        "\nrecorded=%" PRIu64 "\nended=%" PRIu64 "\nended_why=%s\nelapsed_time_read=%d\nfault=%s\n",
	        run->exit_status, run->signal, run->launches, run->warp_insns, run->races, run->recorded,
	        run->ended, run->ended_why, run->reads_times, run->fault);
	read_lines(report, copy_question, file);
	bool failed = ferror(file) != 0;
	if (fclose(file) || failed)
		return error_set(err, "%s: cannot write: %s", path, strerror(errno));
	return true;
}

/* ---- reading ---------------------------------------------------------------------------------------- */

/* "ANSWER NAME" */
static bool is_unchanged(const char *key, const char *value)
{
	char answer[ANSWER_BYTES];
	size_t n = strcspn(value, " ");
	return value[n] && find_answer(key, value + n + 1, answer) && strlen(answer) == n &&
	       !strncmp(answer, value, n);
}

static bool take_fact(void *user, const char *key, const char *value)
{
	if (is_question(key))
		return is_unchanged(key, value);
	take_number(user, key, value);
	return true;
}

bool facts_read(struct program_run *run, const char *folder)
{
	char path[PATH_MAX];
	return path_join(path, folder, "facts", NULL) && read_lines(path, take_fact, run);
}
