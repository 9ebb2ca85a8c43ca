/* Listing traced programs. */
#include "study/validate/programs.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/safe_text.h"
#include "base/suggest.h"

static const char SUFFIX[] = ".sluice";

/* Length of the program's name, 0 if the entry is not a trace. */
static size_t name_length(const char *entry, const char *path)
{
	struct stat st;
	size_t length = strlen(entry), suffix = sizeof SUFFIX - 1;
	if (entry[0] == '.' || stat(path, &st))
		return 0;
	if (S_ISDIR(st.st_mode))
		return length;
	return length > suffix && !strcmp(entry + length - suffix, SUFFIX) ? length - suffix : 0;
}

static void add(struct programs *programs, const char *entry, size_t length, const char *path)
{
	programs->program = memory_grow(programs->program, programs->count + 1, sizeof *programs->program);
	struct program *program = &programs->program[programs->count++];
	program->name = memory_text(entry);
	program->name[length] = '\0';
	safe_text(program->name, length, "");
	program->path = memory_text(path);
}

static int compare_names(const void *left, const void *right)
{
	return strcmp(((const struct program *)left)->name, ((const struct program *)right)->name);
}

static bool read_folder(struct programs *programs, const char *dir, struct error *err)
{
	DIR *folder = opendir(dir);
	if (!folder)
		return error_set(err, "cannot read %s: %s", dir, strerror(errno));
	for (struct dirent *entry; (entry = readdir(folder));) {
		char path[PATH_MAX];
		if ((size_t)snprintf(path, sizeof path, "%s/%s", dir, entry->d_name) >= sizeof path)
			continue;
		size_t length = name_length(entry->d_name, path);
		if (length)
			add(programs, entry->d_name, length, path);
	}
	closedir(folder);
	if (!programs->count)
		return error_set(err, "%s: holds no traces (folders or .sluice files)", dir);
	qsort(programs->program, programs->count, sizeof *programs->program, compare_names);
	for (size_t i = 1; i < programs->count; i++)
		if (!compare_names(&programs->program[i - 1], &programs->program[i]))
			return error_set(err, "%s and %s hold the same program",
			                 programs->program[i - 1].path, programs->program[i].path);
	return true;
}

static bool name_is(const char *name, const char *word, size_t length)
{
	return !strncmp(name, word, length) && !name[length];
}

static bool check_word(const struct programs *programs, const char *dir, const char *word, size_t length,
                       struct error *err)
{
	char clip[CLIP_SIZE], wanted[CLIP_SIZE];
	for (size_t i = 0; i < programs->count; i++)
		if (name_is(programs->program[i].name, word, length))
			return true;
	snprintf(wanted, sizeof wanted, "%.*s", (int)length, word);
	struct suggest near = suggest_start(wanted);
	for (size_t i = 0; i < programs->count; i++)
		suggest_offer(&near, programs->program[i].name);
	return error_set(err, "%s holds no program '%s'%s%s%s", dir, clip_text(clip, wanted),
	                 near.best ? "; did you mean '" : "", near.best ? near.best : "",
	                 near.best ? "'?" : "");
}

static bool is_among(const char *only, const char *name)
{
	for (const char *word = only;; word += strcspn(word, ",") + 1) {
		size_t length = strcspn(word, ",");
		if (name_is(name, word, length))
			return true;
		if (!word[length])
			return false;
	}
}

static bool keep_only(struct programs *programs, const char *dir, const char *only, struct error *err)
{
	for (const char *word = only;; word += strcspn(word, ",") + 1) {
		size_t length = strcspn(word, ",");
		if (!check_word(programs, dir, word, length, err))
			return false;
		if (!word[length])
			break;
	}
	size_t kept = 0;
	for (size_t i = 0; i < programs->count; i++) {
		struct program *program = &programs->program[i];
		if (is_among(only, program->name)) {
			programs->program[kept++] = *program;
			continue;
		}
		free(program->name);
		free(program->path);
	}
	programs->count = kept;
	return true;
}

void programs_add(struct programs *programs, const char *name, const char *path)
{
	for (size_t i = 0; i < programs->count; i++)
		if (!strcmp(programs->program[i].name, name))
			return;
	add(programs, name, strlen(name), path);
}

bool programs_finish(struct programs *programs, const char *where, const char *only, struct error *err)
{
	qsort(programs->program, programs->count, sizeof *programs->program, compare_names);
	if (!only || keep_only(programs, where, only, err))
		return true;
	programs_free(programs);
	return false;
}

bool programs_list(struct programs *programs, const char *dir, const char *only, struct error *err)
{
	memset(programs, 0, sizeof *programs);
	if (read_folder(programs, dir, err) && (!only || keep_only(programs, dir, only, err)))
		return true;
	programs_free(programs);
	return false;
}

void programs_free(struct programs *programs)
{
	for (size_t i = 0; i < programs->count; i++) {
		free(programs->program[i].name);
		free(programs->program[i].path);
	}
	free(programs->program);
	memset(programs, 0, sizeof *programs);
}
