/* Submission of array jobs, and waiting for their results. */
#include "slurm/slurm.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/output.h"
#include "base/progress.h"
#include "papers/plan/meter.h"

static const long POLL_NS = 500 * 1000 * 1000;
/* squeue is called rarely: other users share the controller, and a task that just ended may still be writing. */
static const double QUEUE_S = 3;
/* For this long after its submission a task may be missing in the queue. */
static const double SETTLE_S = 5;

struct cluster {
	struct execution *e;
	const struct slurm_options *options;
	struct session *session;
	size_t sessions;
	struct meter meter;
	double asked_s, submitted_s;
};

/* ---- commands --------------------------------------------------------------------------------------------- */

/* Run a shell command and read what it writes to standard output first into `text`; false: it failed. */
static bool run_command(const char *command, char *text, size_t size)
{
	FILE *pipe = popen(command, "re");
	size_t n = pipe ? fread(text, 1, size - 1, pipe) : 0;
	text[n] = '\0';
	return pipe && !pclose(pipe);
}

/* The number of the job: "77" or "77;cluster" on a line of its own, whatever a site's wrapper prints around it. 0: none. */
static long find_job_number(const char *text)
{
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		char *end;
		long job = *line >= '0' && *line <= '9' ? strtol(line, &end, 10) : 0;
		if (job > 0 && (!*end || *end == '\n' || *end == ';'))
			return job;
	}
	return 0;
}

/* Read the first bytes of a file, without the newline at the end; an empty text if there is none. */
static void read_start(const char *path, char *text, size_t size)
{
	FILE *file = fopen(path, "re");
	size_t n = file ? fread(text, 1, size - 1, file) : 0;
	if (file)
		fclose(file);
	while (n && text[n - 1] == '\n')
		n--;
	text[n] = '\0';
}

/* Quote a text for the shell. */
static void quote(char *to, size_t size, const char *text)
{
	size_t n = 0;
	to[n++] = '\'';
	for (; *text && n + 6 < size; text++)
		if (*text == '\'')
			n += (size_t)snprintf(to + n, size - n, "'\\''");
		else
			to[n++] = *text;
	to[n++] = '\'';
	to[n] = '\0';
}

static bool write_script(const struct session *session, struct error *err)
{
	char self[PATH_MAX], path[PATH_MAX], quoted_self[PATH_MAX + 64], quoted_folder[PATH_MAX + 64],
	    text[3 * PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	self[n > 0 ? n : 0] = '\0';
	quote(quoted_self, sizeof quoted_self, self);
	quote(quoted_folder, sizeof quoted_folder, session->folder);
	snprintf(text, sizeof text, "#!/bin/sh\nexec %s slurm-task %s \"$SLURM_ARRAY_TASK_ID\"\n",
	         quoted_self, quoted_folder);
	return snprintf(path, sizeof path, "%.4000s/task.sh", session->folder) > 0 &&
	       output_write(path, text, strlen(text), err);
}

/* Submit the shards of the mask as one array job. */
static bool submit(struct cluster *c, struct session *session, const bool *mask, struct error *err)
{
	char folder[PATH_MAX + 64], list[8192] = "", text[1024], said[1024], path[PATH_MAX];
	size_t n = 0, count = 0;
	for (size_t i = 0; i < session->shards && n + 16 < sizeof list; i++)
		if (mask[i]) {
			n += (size_t)snprintf(list + n, sizeof list - n, "%s%zu", count ? "," : "", i);
			count++;
		}
	if (!write_script(session, err))
		return false;
	quote(folder, sizeof folder, session->folder);
	char *command = memory_zeroed(strlen(c->options->sbatch) + sizeof list + 5 * sizeof folder, 1);
	sprintf(
	    command,
	    "sbatch --parsable --job-name=sluice --array=%s --chdir=%s --output=log-%%a.txt --open-mode=append "
	    "%s %s/task.sh 2>%s/sbatch.txt",
	    list, folder, c->options->sbatch, folder, folder);
	bool ok = run_command(command, text, sizeof text);
	/* Its warnings stay apart: a job that is submitted must not be forgotten because of them. */
	long job = find_job_number(text);
	free(command);
	if (snprintf(path, sizeof path, "%.4000s/sbatch.txt", session->folder) > 0)
		read_start(path, said, sizeof said);
	if (job <= 0 || (!ok && !*text))
		return error_set(err, "sbatch: %.500s", *said ? said : *text ? text : "cannot be run");
	if (*said)
		fprintf(c->e->log, "%s: sbatch says: %s\n", c->e->who, said);
	for (size_t i = 0; i < session->shards; i++)
		if (mask[i]) {
			session->shard[i].slurm_job = job;
			session->shard[i].tries++;
			session->shard[i].left_before = session->shard[i].left;
		}
	c->submitted_s = progress_clock();
	fprintf(c->e->log, "%s: submitted %zu tasks as job %ld, in %s\n", c->e->who, count, job,
	        session->folder);
	return session_save(session, err);
}

/* ---- the queue -------------------------------------------------------------------------------------------- */

/* Mark the shards of a session that are in Slurm's queue. False: squeue failed. */
static bool ask_queue(const struct session *session, bool *alive)
{
	static const char command[] = "squeue --noheader --array --format='%A %F %K %t' --me 2>/dev/null";
	FILE *pipe = popen(command, "re");
	char line[256];
	if (!pipe)
		return false;
	memset(alive, 0, session->shards * sizeof *alive);
	while (fgets(line, sizeof line, pipe)) {
		long id, array;
		unsigned long task;
		if (sscanf(line, "%ld %ld %lu", &id, &array, &task) == 3 && task < session->shards &&
		    session->shard[task].slurm_job == array)
			alive[task] = true;
	}
	return !pclose(pipe);
}

static void give_up(struct cluster *c, struct session *session, size_t index)
{
	struct shard *shard = &session->shard[index];
	char message[PATH_MAX + 128];
	shard->given_up = true;
	snprintf(message, sizeof message,
	         "its Slurm task ended %u times without a result; see %s/log-%zu.txt", shard->tries,
	         session->folder, index);
	for (size_t i = 0; i < shard->jobs; i++) {
		struct job *job = shard->job[i] == PLAN_NONE ? NULL : &c->e->plan->job[shard->job[i]];
		if (!job || job->state != JOB_OPEN)
			continue;
		struct outcome outcome = outcome_failed("killed", message);
		execute_take(c->e, job, &outcome);
		outcome_free(&outcome);
		c->meter.done++;
		c->meter.failed++;
	}
	shard->left = 0;
}

/* Tasks that are gone and left runs undone are submitted again, or given up. */
static bool look_after(struct cluster *c, struct session *session, struct error *err)
{
	bool *alive = memory_zeroed(session->shards + 1, sizeof *alive),
	     *again = memory_zeroed(session->shards + 1, sizeof *again), any = false;
	bool answered = ask_queue(session, alive), ok = true;
	if (answered)
		c->meter.done += session_collect(session, c->e); /* what came before the task was gone */
	for (size_t i = 0; answered && i < session->shards; i++) {
		struct shard *shard = &session->shard[i];
		if (!shard->left || alive[i] || shard->given_up)
			continue;
		if (shard->left <
		    shard->left_before) /* preempted, but it got further: not a run that kills its task */
			shard->tries = 0;
		if (shard->tries >= SLURM_TRIES) {
			give_up(c, session, i);
			continue;
		}
		again[i] = any = true;
	}
	if (any)
		ok = submit(c, session, again, err);
	free(alive);
	free(again);
	return ok;
}

/* ---- sessions --------------------------------------------------------------------------------------------- */

static size_t runs_left(const struct cluster *c)
{
	size_t left = 0;
	for (size_t s = 0; s < c->sessions; s++)
		for (size_t i = 0; i < c->session[s].shards; i++)
			left += c->session[s].shard[i].left;
	return left;
}

/* Earlier sessions in the folder: what they left is collected, what is under way is waited for. */
static void take_up(struct cluster *c)
{
	DIR *dir = opendir(c->options->folder);
	struct dirent *entry;
	while (dir && (entry = readdir(dir))) {
		char path[PATH_MAX];
		struct session session;
		if (strncmp(entry->d_name, "session-", 8) ||
		    snprintf(path, sizeof path, "%s/%s", c->options->folder, entry->d_name) >=
		        (int)sizeof path ||
		    !session_load(&session, c->e->plan, path))
			continue;
		c->meter.done += session_collect(&session, c->e);
		c->session = memory_grow(c->session, c->sessions + 1, sizeof *c->session);
		c->session[c->sessions++] = session;
	}
	if (dir)
		closedir(dir);
}

static bool is_under_way(const struct cluster *c, uint32_t job)
{
	for (size_t s = 0; s < c->sessions; s++)
		for (size_t i = 0; i < c->session[s].shards; i++)
			for (size_t k = 0; k < c->session[s].shard[i].jobs; k++)
				if (c->session[s].shard[i].job[k] == job)
					return true;
	return false;
}

static bool start_session(struct cluster *c, struct error *err)
{
	const struct plan *plan = c->e->plan;
	uint32_t *jobs = memory_zeroed(plan->jobs + 1, sizeof *jobs);
	size_t count = 0;
	bool ok = true;
	for (uint32_t i = 0; i < plan->jobs; i++)
		if (plan->job[i].state == JOB_OPEN && !is_under_way(c, i))
			jobs[count++] = i;
	if (count) {
		c->session = memory_grow(c->session, c->sessions + 1, sizeof *c->session);
		struct session *session = &c->session[c->sessions++];
		ok = session_make(session, c->e, c->options->folder, jobs, count, err);
		bool *all = memory_zeroed(session->shards + 1, sizeof *all);
		memset(all, true, session->shards * sizeof *all);
		ok = ok && submit(c, session, all, err);
		free(all);
	}
	free(jobs);
	return ok;
}

/* ---- waiting ---------------------------------------------------------------------------------------------- */

static bool wait_for_all(struct cluster *c, struct error *err)
{
	sigset_t watched, before;
	bool ok = true;
	sigemptyset(&watched);
	sigaddset(&watched, SIGINT);
	sigaddset(&watched, SIGTERM);
	sigaddset(&watched, SIGHUP);
	sigprocmask(SIG_BLOCK, &watched, &before);
	while (ok && runs_left(c)) {
		double now = progress_clock();
		for (size_t s = 0; s < c->sessions; s++)
			c->meter.done += session_collect(&c->session[s], c->e);
		meter_show(&c->meter, runs_left(c));
		bool ask = now - c->asked_s > QUEUE_S && now - c->submitted_s > SETTLE_S;
		for (size_t s = 0; ok && ask && s < c->sessions; s++)
			ok = look_after(c, &c->session[s], err);
		if (ask)
			c->asked_s = now;
		int signal = ok && runs_left(c)
		                 ? sigtimedwait(&watched, NULL, &(struct timespec){.tv_nsec = POLL_NS})
		                 : 0;
		if (signal > 0) {
			c->e->interrupted = signal;
			ok = error_set(
			    err, "ended by signal %d; tasks of Slurm go on, and the next call collects them",
			    signal);
		}
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return ok;
}

bool slurm_simulate(struct execution *e, const void *user, bool *detached, struct error *err)
{
	const struct slurm_options *options = user;
	struct cluster c = {.e = e, .options = options};
	size_t open = 0;
	for (size_t i = 0; i < e->plan->jobs; i++)
		open += e->plan->job[i].state == JOB_OPEN;
	c.meter = meter_start(e->log, "Slurm", open, 0);
	if (open)
		take_up(&c);
	bool ok = start_session(&c, err);
	*detached = ok && options->detach && runs_left(&c);
	if (ok && !options->detach)
		ok = wait_for_all(&c, err);
	meter_end(&c.meter);
	for (size_t i = 0; i < c.sessions; i++)
		session_free(&c.session[i]);
	free(c.session);
	return ok;
}
