/*
 * What is known of a run: the runtime's report turned into the file "facts" of
 * an entry, key=value lines. What the program asked for is a line with the
 * answer, then the name: program_inputs.c.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "record/program_parts.h"

/* Calls `take` for every key=value line; stops when it says false. */
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

bool facts_read_report(struct program_run *run, const char *folder, struct error *err)
{
	char path[PATH_MAX];
	if (!path_join(path, folder, "report", err))
		return false;
	return read_lines(path, take_report, run) || error_set(err, "no report");
}

/* ---- writing ---------------------------------------------------------------------------------------- */

static bool copy_input(void *user, const char *key, const char *value)
{
	char answer[INPUT_ANSWER_BYTES];
	if (input_answer(key, value, answer))
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
	        "\nelapsed_time_read=%d\nfault=%s\n",
	        run->exit_status, run->signal, run->launches, run->warp_insns, run->races, run->reads_times,
	        run->fault);
	read_lines(report, copy_input, file);
	bool failed = ferror(file) != 0;
	if (fclose(file) || failed)
		return error_set(err, "%s: cannot write: %s", path, strerror(errno));
	return true;
}

/* ---- reading ---------------------------------------------------------------------------------------- */

/* "ANSWER NAME" */
static bool input_is_unchanged(const char *key, const char *value)
{
	char answer[INPUT_ANSWER_BYTES];
	size_t n = strcspn(value, " ");
	return value[n] && input_answer(key, value + n + 1, answer) && strlen(answer) == n &&
	       !strncmp(answer, value, n);
}

static bool take_fact(void *user, const char *key, const char *value)
{
	if (input_is_key(key))
		return input_is_unchanged(key, value);
	take_number(user, key, value);
	return true;
}

bool facts_read(struct program_run *run, const char *folder)
{
	char path[PATH_MAX];
	return path_join(path, folder, "facts", NULL) && read_lines(path, take_fact, run);
}
