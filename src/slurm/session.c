/* Sessions as files: making, loading, collecting results. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cache.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "base/output.h"
#include "report/run_json.h"
#include "slurm/slurm.h"

/* Intended duration of a shard, and the range of their number; there are never more than runs. */
static const double SHARD_SECONDS = 600;
enum { SHARDS_LEAST = 16, SHARDS_MOST = 1000 };

static bool join(char path[PATH_MAX], const char *folder, const char *name, struct error *err)
{
	return snprintf(path, PATH_MAX, "%s/%s", folder, name) < PATH_MAX ||
	       error_set(err, "%s/%s: the path is too long", folder, name);
}

/* ---- making ----------------------------------------------------------------------------------------------- */

/* Put a trace into the shared folder: as a hard link if possible, else as a copy. */
static bool share_trace(const struct recording *r, const char *folder, char path[PATH_MAX], struct error *err)
{
	char traces[PATH_MAX], name[64];
	snprintf(name, sizeof name, "%s.sluice", r->digest_text);
	if (!join(traces, folder, "traces", err) || !cache_make_folders(traces, err) ||
	    !join(path, traces, name, err))
		return false;
	return !access(path, R_OK) || !link(r->trace_path, path) || output_copy(path, r->trace_path, err);
}

static bool job_json(const struct execution *e, const struct job *job, const char *folder, json_t **json,
                     struct error *err)
{
	const struct plan *plan = e->plan;
	const struct plan_machine *m = &plan->machine[job->machine];
	char trace[PATH_MAX];
	if (!share_trace(&plan->recording[job->recording], folder, trace, err))
		return false;
	*json =
	    json_pack("{s:s, s:s, s:s, s:s, s:s, s:s*, s:s*, s:s*, s:b, s:I, s:b}", "key", job->key, "trace",
	              trace, "machine", m->name, "changes", m->changes, "policy", job->policy, "look",
	              job->look, "kernels", job->kernels, "window", job->window, "is_part", (int)job->is_part,
	              "max_insns", (json_int_t)job->max_insns, "cold_l2", (int)job->cold_l2);
	return *json || error_set(err, "%s: a text that is not UTF-8", job->policy);
}

static bool write_shard(struct session *s, struct execution *e, size_t index, const char *folder,
                        struct error *err)
{
	struct shard *shard = &s->shard[index];
	char path[PATH_MAX], name[64];
	json_t *runs = json_array();
	bool ok = true;
	for (size_t i = 0; ok && i < shard->jobs; i++) {
		json_t *run = NULL;
		ok = job_json(e, &e->plan->job[shard->job[i]], folder, &run, err);
		if (ok)
			json_array_append_new(runs, run);
	}
	snprintf(name, sizeof name, "shard-%zu.json", index);
	char here[PATH_MAX], *text = NULL;
	/* Files of machines and policies are named from here; a task starts elsewhere. */
	ok =
	    ok && (getcwd(here, sizeof here) || error_set(err, "the working directory: %s", strerror(errno)));
	text = json_finish(json_pack("{s:o, s:s}", "runs", runs, "directory", ok ? here : ""));
	ok = ok && text && join(path, s->folder, name, err) && output_write(path, text, strlen(text), err);
	free(text);
	return ok;
}

static size_t count_shards(struct execution *e, const uint32_t *jobs, size_t count)
{
	double insns = 0;
	for (size_t i = 0; i < count; i++)
		insns += (double)plan_insns(e->plan, &e->plan->job[jobs[i]]);
	double shards = ceil(insns / execute_speed(e->store) / SHARD_SECONDS);
	shards = fmax(shards, SHARDS_LEAST);
	return (size_t)fmin(fmin(shards, SHARDS_MOST), (double)count);
}

/* Deal jobs out in turn, longest first, so that shards take about the same time. */
static void deal(struct session *s, const struct execution *e, const uint32_t *jobs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct shard *shard = &s->shard[i % s->shards];
		shard->job = memory_grow(shard->job, shard->jobs + 1, sizeof *shard->job);
		shard->key = memory_grow(shard->key, shard->jobs + 1, sizeof *shard->key);
		memcpy(shard->key[shard->jobs], e->plan->job[jobs[i]].key, RUN_KEY_SIZE);
		shard->job[shard->jobs++] = jobs[i];
		shard->left++;
	}
}

bool session_make(struct session *session, struct execution *e, const char *folder, const uint32_t *jobs,
                  size_t count, struct error *err)
{
	*session = (struct session){.shards = 0};
	char path[PATH_MAX];
	snprintf(path, sizeof path, "%s", folder);
	if (!cache_make_folders(path, err) || !join(session->folder, folder, "session-XXXXXX", err))
		return false;
	if (!mkdtemp(session->folder))
		return error_set(err, "%s: %s", session->folder, strerror(errno));
	chmod(session->folder, 0755); /* nodes may run as another user */
	session->shards = count_shards(e, jobs, count);
	session->shard = memory_zeroed(session->shards + 1, sizeof *session->shard);
	deal(session, e, jobs, count);
	bool ok = true;
	for (size_t i = 0; ok && i < session->shards; i++)
		ok = write_shard(session, e, i, folder, err);
	ok = ok && session_save(session, err);
	if (!ok) /* a disk that is full, say: half a session helps no later call */
		remove_tree(session->folder);
	return ok;
}

bool session_save(const struct session *session, struct error *err)
{
	char path[PATH_MAX];
	json_t *shards = json_array();
	for (size_t i = 0; i < session->shards; i++) {
		json_t *keys = json_array();
		for (size_t k = 0; k < session->shard[i].jobs; k++)
			json_array_append_new(keys, json_string(session->shard[i].key[k]));
		json_array_append_new(shards, json_pack("{s:I, s:i, s:o}", "slurm_job",
		                                        (json_int_t)session->shard[i].slurm_job, "tries",
		                                        (int)session->shard[i].tries, "keys", keys));
	}
	char *text = json_finish(json_pack("{s:o}", "shards", shards));
	bool ok =
	    join(path, session->folder, "session.json", err) && output_write(path, text, strlen(text), err);
	free(text);
	return ok;
}

/* ---- loading ---------------------------------------------------------------------------------------------- */

static uint32_t find_job(const struct plan *plan, const char *key)
{
	for (uint32_t i = 0; i < plan->jobs; i++)
		if (!strcmp(plan->job[i].key, key))
			return i;
	return PLAN_NONE;
}

bool session_load(struct session *session, const struct plan *plan, const char *folder)
{
	char path[PATH_MAX];
	struct error ignored;
	*session = (struct session){.shards = 0};
	snprintf(session->folder, sizeof session->folder, "%s", folder);
	json_t *root = join(path, folder, "session.json", &ignored) ? json_load_file(path, 0, NULL) : NULL;
	const json_t *shards = json_object_get(root, "shards"), *entry, *key;
	size_t i, k;
	session->shard = memory_zeroed(json_array_size(shards) + 1, sizeof *session->shard);
	json_array_foreach(shards, i, entry)
	{
		struct shard *shard = &session->shard[session->shards++];
		const json_t *keys = json_object_get(entry, "keys");
		shard->slurm_job = (long)json_integer_value(json_object_get(entry, "slurm_job"));
		shard->tries = (unsigned)json_integer_value(json_object_get(entry, "tries"));
		shard->job = memory_zeroed(json_array_size(keys) + 1, sizeof *shard->job);
		shard->key = memory_zeroed(json_array_size(keys) + 1, sizeof *shard->key);
		json_array_foreach(keys, k, key)
		{
			const char *text = json_string_value(key);
			snprintf(shard->key[shard->jobs], RUN_KEY_SIZE, "%s", text ? text : "");
			uint32_t job = find_job(plan, shard->key[shard->jobs]);
			shard->left += job != PLAN_NONE && plan->job[job].state == JOB_OPEN;
			shard->job[shard->jobs++] = job;
		}
	}
	bool ok = root != NULL;
	json_decref(root);
	return ok;
}

void session_free(struct session *session)
{
	for (size_t i = 0; i < session->shards; i++) {
		free(session->shard[i].job);
		free(session->shard[i].key);
	}
	free(session->shard);
	free(session->file);
	*session = (struct session){0};
}

/* ---- collecting ------------------------------------------------------------------------------------------- */

/* Read the bytes of a file from an offset on; NULL: none. */
static char *read_behind(const char *path, size_t offset, size_t *bytes)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *data = NULL;
	*bytes = 0;
	if (fd >= 0 && !fstat(fd, &st) && (size_t)st.st_size > offset) {
		data = memory_zeroed((size_t)st.st_size - offset, 1);
		ssize_t n = pread(fd, data, (size_t)st.st_size - offset, (off_t)offset);
		*bytes = n > 0 ? (size_t)n : 0;
	}
	if (fd >= 0)
		close(fd);
	return data;
}

/* Take a record, a key and an outcome, and return its size. Return 0 for one that is not complete yet. */
static size_t take_record(struct shard *shard, struct execution *e, const char *data, size_t bytes,
                          size_t *taken)
{
	struct outcome outcome;
	size_t used;
	if (bytes < RUN_KEY_SIZE || !outcome_read(&outcome, data + RUN_KEY_SIZE, bytes - RUN_KEY_SIZE, &used))
		return 0;
	for (size_t i = 0; i < shard->jobs; i++) {
		if (memcmp(shard->key[i], data, RUN_KEY_SIZE - 1) || shard->job[i] == PLAN_NONE)
			continue;
		struct job *job = &e->plan->job[shard->job[i]];
		if (job->state != JOB_OPEN)
			continue;
		execute_take(e, job, &outcome);
		shard->left -= shard->left > 0;
		++*taken;
	}
	outcome_free(&outcome);
	return RUN_KEY_SIZE + used;
}

/* Find new result files. */
static void find_files(struct session *session)
{
	DIR *dir = opendir(session->folder);
	struct dirent *entry;
	while (dir && (entry = readdir(dir))) {
		size_t shard, i = 0;
		if (sscanf(entry->d_name, "result-%zu.", &shard) != 1 || shard >= session->shards)
			continue;
		while (i < session->files && strcmp(session->file[i].name, entry->d_name))
			i++;
		if (i < session->files)
			continue;
		session->file = memory_grow(session->file, session->files + 1, sizeof *session->file);
		struct result_file *file = &session->file[session->files++];
		*file = (struct result_file){.shard = shard};
		snprintf(file->name, sizeof file->name, "%.95s", entry->d_name);
	}
	if (dir)
		closedir(dir);
}

size_t session_collect(struct session *session, struct execution *e)
{
	size_t taken = 0;
	find_files(session);
	for (size_t i = 0; i < session->files; i++) {
		struct result_file *file = &session->file[i];
		char path[PATH_MAX];
		size_t bytes, at = 0, used;
		struct error ignored;
		if (!session->shard[file->shard].left || !join(path, session->folder, file->name, &ignored))
			continue;
		char *data = read_behind(path, file->offset, &bytes);
		while (data &&
		       (used = take_record(&session->shard[file->shard], e, data + at, bytes - at, &taken)))
			at += used;
		file->offset += at;
		free(data);
	}
	return taken;
}
