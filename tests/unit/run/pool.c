/* The process pool: what children leave, how they end, how many there are. */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "run/pool.h"
#include "test.h"

enum { TASKS = 40 };

struct seen {
	size_t next, count, ended, most;
	int ok[TASKS], signal[TASKS];
	size_t bytes[TASKS];
	char text[TASKS][32];
	size_t stop_after; /* 0: never */
	bool interrupt;
};

static bool next(void *user, size_t *task)
{
	struct seen *s = user;
	*task = s->next++;
	return *task < s->count;
}

/* By turns: a word, failure with a word, death, a megabyte. */
static bool work(void *user, size_t task, FILE *out)
{
	(void)user;
	if (task % 4 == 0)
		fprintf(out, "task %zu", task);
	if (task % 4 == 1)
		fputs("no luck", out);
	if (task % 4 == 2)
		raise(SIGKILL);
	for (size_t i = 0; task % 4 == 3 && i < 1 << 20; i++)
		fputc('x', out);
	return task % 4 != 1;
}

static bool done(void *user, size_t task, const struct pool_end *end, struct error *err)
{
	struct seen *s = user;
	s->ended++;
	s->ok[task] = end->ok;
	s->signal[task] = end->signal;
	s->bytes[task] = end->bytes;
	snprintf(s->text[task], sizeof s->text[task], "%.30s", end->output);
	return !s->stop_after || s->ended < s->stop_after || error_set(err, "enough");
}

static void tick(void *user, size_t running)
{
	struct seen *s = user;
	s->most = running > s->most ? running : s->most;
	if (s->interrupt && s->ended)
		raise(SIGTERM);
}

static bool run(struct seen *s, size_t jobs, int *interrupted, struct error *err)
{
	struct pool pool = {.jobs = jobs, .next = next, .work = work, .done = done, .tick = tick, .user = s};
	bool ok = pool_run(&pool, err);
	*interrupted = pool.interrupted;
	return ok;
}

TEST(every_task_ends_once_however_it_ends)
{
	for (size_t jobs = 1; jobs <= 5; jobs += 2) {
		struct seen s = {.count = TASKS};
		struct error err;
		int interrupted;
		CHECK(run(&s, jobs, &interrupted, &err));
		CHECK_EQ(s.ended, TASKS);
		CHECK(s.most <= jobs);
		for (size_t i = 0; i < TASKS; i++) {
			CHECK_EQ(s.ok[i], i % 4 == 0 || i % 4 == 3);
			CHECK_EQ(s.signal[i], i % 4 == 2 ? SIGKILL : 0);
			CHECK(i % 4 != 3 || s.bytes[i] == 1 << 20);
			CHECK(i % 4 != 1 || !strcmp(s.text[i], "no luck"));
		}
		CHECK(!strcmp(s.text[4], "task 4"));
	}
}

TEST(whoever_takes_results_can_end_the_rest)
{
	struct seen s = {.count = TASKS, .stop_after = 3};
	struct error err = {{0}};
	int interrupted;
	CHECK(!run(&s, 2, &interrupted, &err));
	CHECK_EQ(s.ended, 3);
	CHECK(!strcmp(err.text, "enough"));
	CHECK_EQ(interrupted, 0);
}

TEST(a_signal_ends_the_work_and_is_named)
{
	struct seen s = {.count = TASKS, .interrupt = true};
	struct error err = {{0}};
	int interrupted;
	CHECK(!run(&s, 1, &interrupted, &err));
	CHECK_EQ(interrupted, SIGTERM);
	CHECK(s.ended < TASKS);
}

TEST(no_tasks_are_done_at_once)
{
	struct seen s = {.count = 0};
	struct error err;
	int interrupted;
	CHECK(run(&s, 4, &interrupted, &err));
	CHECK_EQ(s.ended, 0);
}

TEST(an_end_is_described)
{
	char text[128];
	const struct pool_end killed = {.signal = SIGKILL, .output = ""},
	                      word = {.output = "why", .bytes = 3}, silent = {.output = ""};
	CHECK(!strcmp(pool_describe(&killed, text, sizeof text), "killed by signal 9 (Killed)"));
	CHECK(!strcmp(pool_describe(&word, text, sizeof text), "why"));
	CHECK(!strcmp(pool_describe(&silent, text, sizeof text), "it failed without a word"));
}

TEST_RUN_ALL(true)
