/* Checks of workloads: which there are, and running them in processes, whose results are plain data. */
#include <string.h>

#include "base/memory.h"
#include "base/suggest.h"
#include "run/pool.h"
#include "study/workload/measure.h"

/* ---- choosing --------------------------------------------------------------------------------------------- */

static bool read_facts(const char *list, uint32_t *facts, struct error *err)
{
	*facts = 0;
	for (const char *word = list; *word;) {
		size_t length = strcspn(word, ",");
		int found = -1;
		for (int i = 0; i < FACT_COUNT; i++)
			if (!strncmp(workload_facts[i].name, word, length) && !workload_facts[i].name[length])
				found = i;
		if (found < 0)
			return error_set(
			    err,
			    "--only: '%.*s' is not a characteristic; 'sluice workload show lud' names some",
			    length > 40 ? 40 : (int)length, word);
		*facts |= 1u << found;
		word += length + (word[length] == ',');
	}
	return true;
}

static bool check_paper(const char *name, struct error *err)
{
	char clip[CLIP_SIZE];
	for (int i = 0; i < PAPER_COUNT; i++)
		if (!strcmp(workload_papers[i].name, name))
			return true;
	return error_set(err, "--paper: no paper '%s'; expected ciao, osm, lcm, tian or khairy",
	                 clip_text(clip, name));
}

bool measure_read_choice(const struct measure_choice *choice, struct measure_options *options,
                         struct error *err)
{
	options->facts = UINT32_MAX;
	return (!choice->only || read_facts(choice->only, &options->facts, err)) &&
	       (!choice->paper || check_paper(choice->paper, err));
}

static bool is_named(const struct measure_choice *choice, const char *name)
{
	for (size_t i = 0; i < choice->name_count; i++)
		if (!strcmp(choice->names[i], name))
			return true;
	return !choice->name_count;
}

size_t measure_choose(const struct measure_choice *choice, const struct workloads *workloads,
                      const struct measure_options *options, struct measure_task **tasks)
{
	size_t count = 0;
	*tasks = NULL;
	for (size_t w = 0; w < workloads->count; w++) {
		const struct workload *workload = &workloads->list[w];
		for (size_t i = 0; i < workload->published_count && is_named(choice, workload->name); i++) {
			const struct workload_published *published = &workload->published[i];
			const struct measure_task task = {workloads, workload, published};
			const char *paper = workload_papers[published->paper].name;
			if ((choice->paper && strcmp(choice->paper, paper)) ||
			    !measure_wanted(&task, options))
				continue; /* lcm publishes names only */
			*tasks = memory_grow(*tasks, count + 1, sizeof **tasks);
			(*tasks)[count++] = task;
		}
	}
	return count;
}

/* ---- running ---------------------------------------------------------------------------------------------- */

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
