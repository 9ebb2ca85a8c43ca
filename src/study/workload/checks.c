/* Checks of workloads in processes: a child's result is plain data. */
#include <string.h>

#include "run/pool.h"
#include "study/workload/measure.h"

struct checks {
	const struct measure_task *tasks;
	size_t count, next;
	struct measure_options options; /* of a child */
	struct measure_result *results;
	void (*done)(void *user, size_t task);
	void *user;
};

static bool next_check(void *user, size_t *task)
{
	struct checks *c = user;
	*task = c->next++;
	return *task < c->count;
}

static bool check(void *user, size_t task, FILE *out)
{
	const struct checks *c = user;
	struct measure_result result;
	measure_workload(&c->tasks[task], &c->options, &result);
	return fwrite(&result, sizeof result, 1, out) == 1;
}

static bool take(void *user, size_t task, const struct pool_end *end, struct error *err)
{
	struct checks *c = user;
	struct measure_result *result = &c->results[task];
	char text[256];
	(void)err;
	if (end->ok && end->bytes == sizeof *result) {
		memcpy(result, end->output, sizeof *result);
	} else {
		*result = (struct measure_result){.failed = true};
		measured_clear(&result->measured);
		error_set(&result->error, "its process: %s", pool_describe(end, text, sizeof text));
	}
	c->done(c->user, task);
	return true;
}

bool measure_all(const struct measure_task *tasks, size_t count, const struct measure_options *options,
                 struct measure_result *results, void (*done)(void *user, size_t task), void *user,
                 struct error *err)
{
	if (!count)
		return true;
	struct checks checks = {.tasks = tasks,
	                        .count = count,
	                        .options = *options,
	                        .results = results,
	                        .done = done,
	                        .user = user};
	struct pool pool = {.jobs = options->jobs < count ? options->jobs : count,
	                    .next = next_check,
	                    .work = check,
	                    .done = take,
	                    .user = &checks};
	checks.options.jobs = options->jobs / pool.jobs;
	return pool_run(&pool, err);
}
