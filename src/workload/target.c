/* What a word on the command line names: a path or a workload. */
#include "workload/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/suggest.h"

const char *const workload_sizes[WORKLOAD_SIZES] = {"tiny", "small", "paper"};

bool workload_size_read(const char *text, enum workload_size *size, struct error *err)
{
	char clip[CLIP_SIZE];
	for (int i = 0; i < WORKLOAD_SIZES; i++)
		if (!strcmp(text, workload_sizes[i])) {
			*size = (enum workload_size)i;
			return true;
		}
	return error_set(err, "--size: no size '%s'; expected tiny, small or paper", clip_text(clip, text));
}

/* ---- what a word names ---------------------------------------------------------------------------------- */

static bool exists(const char *path)
{
	struct stat st;
	return !lstat(path, &st);
}

static bool is_workload(const char *word, bool *known, struct error *err)
{
	char folder[PATH_MAX];
	struct workloads workloads;
	*known = false;
	/* Programs and traces run without an installed folder of workloads. */
	if (!workload_name_ok(word) || !workloads_folder(folder, NULL))
		return true;
	if (!workloads_load(&workloads, err))
		return false;
	*known = workloads_find(&workloads, word) != NULL;
	workloads_free(&workloads);
	return true;
}

bool target_kind_of(const char *word, enum target_kind *kind, struct error *err)
{
	bool known;
	*kind = TARGET_PATH;
	if (strchr(word, '/'))
		return true;
	/* An index that cannot be read must not stop a command on a file. */
	if (!is_workload(word, &known, exists(word) ? NULL : err))
		return exists(word);
	*kind = known ? TARGET_WORKLOAD : exists(word) ? TARGET_PATH : TARGET_UNKNOWN;
	return true;
}

/* ---- from a word to a program -------------------------------------------------------------------------------- */

static void add_word(struct target *target, const char *word)
{
	target->args = memory_grow(target->args, target->arg_count + 1, sizeof *target->args);
	target->args[target->arg_count++] = memory_text(word);
}

/* Take "--size S" or "--size=S" at words[i]; *used: how many words that was, 0: it is something else. */
static bool take_size(char *const *words, size_t count, size_t i, enum workload_size *size, size_t *used,
                      struct error *err)
{
	*used = 0;
	if (!strncmp(words[i], "--size=", strlen("--size="))) {
		*used = 1;
		return workload_size_read(words[i] + strlen("--size="), size, err);
	}
	if (strcmp(words[i], "--size"))
		return true;
	*used = 2;
	if (i + 1 == count)
		return error_set(err, "--size: no size given; expected tiny, small or paper");
	return workload_size_read(words[i + 1], size, err);
}

static bool add_words(struct target *target, char *const *words, size_t count, struct error *err)
{
	enum workload_size size = WORKLOAD_SMALL;
	size_t used;
	for (size_t i = 0; i < count; i += used ? used : 1)
		if (!take_size(words, count, i, &size, &used, err))
			return false;
	add_word(target, "--size");
	add_word(target, workload_sizes[size]);
	for (size_t i = 0; i < count; i += used ? used : 1) {
		take_size(words, count, i, &size, &used, NULL);
		if (!used)
			add_word(target, words[i]);
	}
	return true;
}

bool target_find_workload(struct target *target, const struct workloads *workloads, const char *name,
                          char *const *words, size_t count, struct error *err)
{
	const struct workload *workload = workloads_find(workloads, name);
	*target = (struct target){.arg_count = 0};
	if (!workload)
		return workloads_fail_unknown(workloads, name, err);
	bool ok = workload_path(workloads, workload, NULL, target->path, err) &&
	          add_words(target, words, count, err);
	if (ok && access(target->path, R_OK))
		ok = error_set(err, "workload '%s' has no source: %s is missing", name, target->path);
	if (!ok)
		target_free(target);
	return ok;
}

static bool fail_unknown(const char *word, struct error *err)
{
	struct workloads workloads;
	struct error near;
	char clip[CLIP_SIZE];
	clip_text(clip, word);
	if (!workloads_load(&workloads, NULL))
		return error_set(err, "%s: no such file", clip);
	workloads_fail_unknown(&workloads, word, &near);
	workloads_free(&workloads);
	return error_set(err, "%s: no such file, and %s", clip, near.text);
}

bool target_find(struct target *target, const char *word, char *const *words, size_t count, struct error *err)
{
	enum target_kind kind;
	struct workloads workloads;
	*target = (struct target){.arg_count = 0};
	if (!target_kind_of(word, &kind, err))
		return false;
	if (kind == TARGET_UNKNOWN)
		return fail_unknown(word, err);
	if (kind == TARGET_WORKLOAD) {
		if (!workloads_load(&workloads, err))
			return false;
		bool ok = target_find_workload(target, &workloads, word, words, count, err);
		workloads_free(&workloads);
		target->hides_file = exists(word);
		snprintf(target->name, sizeof target->name, "%s", word);
		return ok;
	}
	if ((size_t)snprintf(target->path, sizeof target->path, "%s", word) >= sizeof target->path)
		return error_set(err, "the path is too long");
	for (size_t i = 0; i < count; i++)
		add_word(target, words[i]);
	return true;
}

void target_free(struct target *target)
{
	for (size_t i = 0; i < target->arg_count; i++)
		free(target->args[i]);
	free(target->args);
	target->args = NULL;
	target->arg_count = 0;
}
