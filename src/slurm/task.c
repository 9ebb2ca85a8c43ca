/* A task of an array job: its runs, one after the other, each in a process of its own. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/child.h"
#include "base/files.h"
#include "base/memory.h"
#include "run/pool.h"
#include "slurm/slurm.h"
#include "store/outcome.h"

struct task {
	const json_t *runs;
	size_t next;
	char **done; /* keys of records that are there */
	size_t done_count;
	FILE *result;
};

static const char *text_of(const json_t *run, const char *name)
{
	const char *text = json_string_value(json_object_get(run, name));
	return text ? text : "";
}

static void read_records(struct task *task, const char *data, size_t bytes)
{
	size_t at = 0, used;
	struct outcome outcome;
	while (bytes - at >= RUN_KEY_SIZE &&
	       outcome_read(&outcome, data + at + RUN_KEY_SIZE, bytes - at - RUN_KEY_SIZE, &used)) {
		/* What was killed is tried again. */
		if (outcome_has_result(&outcome)) {
			task->done = memory_grow(task->done, task->done_count + 1, sizeof *task->done);
			task->done[task->done_count++] = memory_text(data + at);
		}
		at += RUN_KEY_SIZE + used;
		outcome_free(&outcome);
	}
}

/* Keys of the records that earlier attempts at the task left. */
static void read_earlier(struct task *task, const char *folder, unsigned number)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	while (dir && (entry = readdir(dir))) {
		char path[PATH_MAX], *text = NULL;
		unsigned of;
		size_t length;
		if (sscanf(entry->d_name, "result-%u.", &of) != 1 || of != number ||
		    snprintf(path, sizeof path, "%.3000s/%.900s", folder, entry->d_name) < 0)
			continue;
		FILE *file = fopen(path, "re");
		if (!file)
			continue;
		fseek(file, 0, SEEK_END);
		long size = ftell(file);
		rewind(file);
		text = memory_zeroed((size_t)(size > 0 ? size : 0) + 1, 1);
		length = fread(text, 1, (size_t)(size > 0 ? size : 0), file);
		fclose(file);
		read_records(task, text, length);
		free(text);
	}
	if (dir)
		closedir(dir);
}

/* Two attempts may be alive at once, after a node came back: each has a file of its own. */
static bool open_result(struct task *task, const char *folder, unsigned number, struct error *err)
{
	char path[PATH_MAX], host[64] = "";
	const char *job = getenv("SLURM_JOB_ID"), *restart = getenv("SLURM_RESTART_COUNT");
	if (gethostname(host, sizeof host - 1))
		host[0] = '\0';
	snprintf(path, sizeof path, "%.3000s/result-%u.%.20s-%.8s-%.40s-%d", folder, number, job ? job : "0",
	         restart ? restart : "0", host, (int)getpid());
	task->result = fopen(path, "we");
	return task->result || error_set(err, "%s: %s", path, strerror(errno));
}

static bool is_done(const struct task *task, const char *key)
{
	for (size_t i = 0; i < task->done_count; i++)
		if (!strcmp(task->done[i], key))
			return true;
	return false;
}

static bool next_run(void *user, size_t *index)
{
	struct task *task = user;
	while (task->next < json_array_size(task->runs) &&
	       is_done(task, text_of(json_array_get(task->runs, task->next), "key")))
		task->next++;
	*index = task->next++;
	return *index < json_array_size(task->runs);
}

static bool load_config(const json_t *run, struct config *config, struct error *err)
{
	char *copy = memory_text(text_of(run, "changes")), *rest = copy, *word;
	const char **changes = memory_zeroed(strlen(copy) + 1, sizeof *changes);
	size_t count = 0;
	while ((word = strsep(&rest, " ")))
		if (*word)
			changes[count++] = word;
	bool ok = config_load(config, text_of(run, "machine"), text_of(run, "policy"), changes, count, err);
	free(changes);
	free(copy);
	return ok;
}

/* A node with another sluice, machine file or trace would give another answer: the key tells. */
static bool check_key(const json_t *run, const struct config *config, const struct run_options *options,
                      const char *look, struct error *err)
{
	struct digest digest;
	uint64_t bytes, config_digest[2];
	char key[RUN_KEY_SIZE];
	if (!file_digest(text_of(run, "trace"), &digest, &bytes, err) ||
	    !run_key_config(config, NULL, options, look, config_digest, err))
		return false;
	run_key_text(config_digest, (const uint64_t[2]){digest.low, digest.high}, key);
	return !strcmp(key, text_of(run, "key")) ||
	       error_set(err, "this node has another sluice, machine or trace than the one that submitted");
}

static bool simulate(void *user, size_t index, FILE *out)
{
	const struct task *task = user;
	const json_t *run = json_array_get(task->runs, index);
	const char *look = json_string_value(json_object_get(run, "look"));
	struct error err = {{0}};
	struct config config;
	struct kernels kernels = {.count = 0};
	struct run_options options = {.threads = 1,
	                              .max_insns =
	                                  (uint64_t)json_integer_value(json_object_get(run, "max_insns")),
	                              .cold_l2 = json_is_true(json_object_get(run, "cold_l2")),
	                              .kernels = &kernels,
	                              .window = json_string_value(json_object_get(run, "window")),
	                              .is_part = json_is_true(json_object_get(run, "is_part"))};
	const char *list = text_of(run, "kernels");
	bool ok = (!*list || kernels_parse(&kernels, "--kernel", list, &err)) &&
	          load_config(run, &config, &err) && check_key(run, &config, &options, look, &err);
	struct trace *trace = ok ? trace_open(text_of(run, "trace"), &err) : NULL;
	struct outcome outcome =
	    trace ? outcome_simulate(&config, trace, &options, look) : outcome_failed("failed", err.text);
	return outcome_write(&outcome, out);
}

static bool append(void *user, size_t index, const struct pool_end *end, struct error *err)
{
	struct task *task = user;
	char key[RUN_KEY_SIZE] = "", text[1024];
	snprintf(key, sizeof key, "%s", text_of(json_array_get(task->runs, index), "key"));
	bool ok = fwrite(key, sizeof key, 1, task->result) == 1;
	if (end->ok) {
		ok = ok && fwrite(end->output, 1, end->bytes, task->result) == end->bytes;
	} else {
		struct outcome outcome =
		    outcome_failed(end->signal ? "killed" : "failed", pool_describe(end, text, sizeof text));
		ok = ok && outcome_write(&outcome, task->result);
		outcome_free(&outcome);
	}
	ok = ok && !fflush(task->result) && !fsync(fileno(task->result));
	return ok || error_set(err, "the result cannot be written: %s", strerror(errno));
}

bool slurm_task(const char *folder, unsigned number, struct error *err)
{
	char path[PATH_MAX];
	struct task task = {0};
	if (snprintf(path, sizeof path, "%s/shard-%u.json", folder, number) >= (int)sizeof path)
		return error_set(err, "%s: the path is too long", folder);
	json_t *root = json_load_file(path, 0, NULL);
	if (!root)
		return error_set(err, "%s: not a list of runs", path);
	task.runs = json_object_get(root, "runs");
	const char *directory = text_of(root, "directory");
	if (*directory && chdir(directory)) {
		error_set(err, "%s: %s; the node must see the folder that the experiment was started in",
		          directory, strerror(errno));
		json_decref(root);
		return false;
	}
	read_earlier(&task, folder, number);
	struct pool pool = {.jobs = 1, .next = next_run, .work = simulate, .done = append, .user = &task};
	bool ok = open_result(&task, folder, number, err) && pool_run(&pool, err);
	if (task.result)
		ok = !fclose(task.result) && ok;
	for (size_t i = 0; i < task.done_count; i++)
		free(task.done[i]);
	free(task.done);
	json_decref(root);
	return ok;
}
