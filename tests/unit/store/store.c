/* The results database and what goes into it. */
#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store_fixture.h"

static char path[256];

static struct store *open_fresh(void)
{
	struct error err = {{0}};
	const char *folder = getenv("TMPDIR");
	snprintf(path, sizeof path, "%.200s/sluice-store-%d.db", folder ? folder : "/tmp", (int)getpid());
	unlink(path);
	struct store *store = store_open(path, STORE_WRITE, &err);
	if (!store)
		printf("# %s\n", err.text);
	return store;
}

static void close_and_remove(struct store *store)
{
	struct error err;
	char log[300];
	store_close(store, &err);
	unlink(path);
	snprintf(log, sizeof log, "%s-wal", path);
	unlink(log);
	snprintf(log, sizeof log, "%s-shm", path);
	unlink(log);
}

/* An outcome with numbers of its own, without a simulation. */
static struct outcome make_outcome(double ipc)
{
	struct outcome outcome = {0};
	outcome.summary = json_pack("{s:s, s:{s:{s:I}, s:{s:f}, s:{s:f}}, s:{s:{s:i}}, s:[[i, s, [f, f]]]}",
	                            "status", "done", "total", "counters", "cycles", (json_int_t)123456789012,
	                            "metrics", "ipc", ipc, "energy", "total", 0.5, "policy_counters", "ccws",
	                            "scores", 7, "series", 1, "ipc", 1.5, 2.5);
	outcome.wall_s = 0.25;
	give_detail(&outcome);
	return outcome;
}

struct fixture {
	struct config config;
	struct run_options options;
	struct store_run run;
};

static bool prepare(struct fixture *f, const char *policy)
{
	struct error err;
	*f = (struct fixture){.options = {.max_insns = 1000}};
	if (!config_load(&f->config, "gtx480-ciao", policy, NULL, 0, &err))
		return false;
	f->run = (struct store_run){.workload = "atax",
	                            .arguments = "--size tiny",
	                            .trace = "00",
	                            .config = &f->config,
	                            .options = &f->options};
	uint64_t digest[2];
	if (!run_key_config(&f->config, NULL, &f->options, NULL, digest, &err))
		return false;
	run_key_text(digest, (const uint64_t[2]){1, 2}, f->run.key);
	return true;
}

TEST(a_run_comes_back_as_it_was_put)
{
	struct store *store = open_fresh();
	struct fixture f;
	struct store_found found;
	CHECK(store && prepare(&f, "ccws"));
	struct outcome outcome = make_outcome(1.25);
	store_put(store, &f.run, &outcome);
	CHECK(store_find(store, f.run.key, &found));
	CHECK(!strcmp(found.status, "done"));
	json_t *total = json_object_get(found.total, "total");
	CHECK_EQ(json_integer_value(json_object_get(json_object_get(total, "counters"), "cycles")),
	         123456789012);
	CHECK(json_real_value(json_object_get(json_object_get(total, "metrics"), "ipc")) == 1.25);
	CHECK(found.wall_s == 0.25);
	store_found_free(&found);
	json_t *detail = store_detail(store, f.run.key);
	CHECK(json_is_object(detail));
	json_decref(detail);
	CHECK_EQ(ask(store, "SELECT count(*) FROM runs WHERE policy LIKE 'ccws%' AND ipc = 1.25"), 1);
	CHECK_EQ(ask(store, "SELECT value FROM policy_param WHERE policy = 'ccws' AND name = 'k'"), 8);
	CHECK_EQ(ask(store, "SELECT value FROM policy_counter WHERE name = 'scores'"), 7);
	CHECK_EQ(ask(store, "SELECT value FROM machine_value WHERE key = 'sm.warps'"), 48);
	CHECK_EQ(ask(store, "SELECT \"values\" = '[1.5,2.5]' FROM series"), 1);
	outcome_free(&outcome);
	config_free(&f.config);
	close_and_remove(store);
}

TEST(a_key_is_there_once_and_the_later_record_counts)
{
	struct store *store = open_fresh();
	struct fixture f;
	char status[16];
	CHECK(store && prepare(&f, "gto"));
	struct outcome failed = outcome_failed("killed", "by another"), good = make_outcome(2);
	store_put(store, &f.run, &failed);
	CHECK(store_status(store, f.run.key, status) && !strcmp(status, "killed"));
	CHECK_EQ(ask(store, "SELECT count(*) FROM failures"), 1);
	store_put(store, &f.run, &good);
	store_put(store, &f.run, &good);
	CHECK(store_status(store, f.run.key, status) && !strcmp(status, "done"));
	CHECK_EQ(ask(store, "SELECT count(*) FROM run"), 1);
	CHECK_EQ(ask(store, "SELECT count(*) FROM counter"), 1);
	CHECK_EQ(ask(store, "SELECT count(*) FROM machine"), 1);
	outcome_free(&failed);
	outcome_free(&good);
	config_free(&f.config);
	close_and_remove(store);
}

TEST(keys_differ_where_results_may)
{
	struct fixture a, b;
	CHECK(prepare(&a, "swl:n=3") && prepare(&b, "swl:n=4"));
	CHECK(strcmp(a.run.key, b.run.key));
	config_free(&b.config);
	CHECK(prepare(&b, "swl:n=3,gto"));
	CHECK(!strcmp(a.run.key, b.run.key)); /* another spelling */
	uint64_t plain[2], looked[2], cold[2];
	struct run_options options = a.options;
	options.cold_l2 = true;
	CHECK(run_key_config(&a.config, NULL, &a.options, NULL, plain, NULL));
	CHECK(run_key_config(&a.config, NULL, &a.options, "series", looked, NULL));
	CHECK(run_key_config(&a.config, NULL, &options, NULL, cold, NULL));
	CHECK(plain[0] != looked[0] && plain[0] != cold[0]);
	char one[RUN_KEY_SIZE], two[RUN_KEY_SIZE];
	run_key_text(plain, (const uint64_t[2]){1, 2}, one);
	run_key_text(plain, (const uint64_t[2]){1, 3}, two);
	CHECK(strcmp(one, two));
	config_free(&a.config);
	config_free(&b.config);
}

TEST(what_cannot_be_written_waits_and_is_written_later)
{
	struct store *store = open_fresh();
	struct fixture f;
	const char *why;
	sqlite3 *other;
	CHECK(store && prepare(&f, "gto"));
	sqlite3_busy_timeout(store_handle(store), 10);
	CHECK(sqlite3_open(path, &other) == SQLITE_OK);
	CHECK(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK);
	struct outcome outcome = make_outcome(3);
	store_put(store, &f.run, &outcome);
	CHECK_EQ(store_waiting(store, &why), 1);
	CHECK(strstr(why, "locked"));
	CHECK(!store_flush(store));
	CHECK(sqlite3_exec(other, "COMMIT", NULL, NULL, NULL) == SQLITE_OK);
	CHECK(store_flush(store));
	CHECK_EQ(store_waiting(store, &why), 0);
	CHECK_EQ(ask(store, "SELECT count(*) FROM run"), 1);
	sqlite3_close(other);
	outcome_free(&outcome);
	config_free(&f.config);
	close_and_remove(store);
}

/* The bytes of an outcome, the caller's to free. */
static char *bytes_of(const struct outcome *outcome, size_t *bytes)
{
	char *data = NULL;
	FILE *out = open_memstream(&data, bytes);
	outcome_write(outcome, out);
	fclose(out);
	return data;
}

TEST(an_outcome_is_read_whole_or_not_at_all)
{
	struct outcome outcome = make_outcome(1.5), back;
	size_t bytes, used;
	char *data = bytes_of(&outcome, &bytes);
	CHECK(outcome_read(&back, data, bytes, &used));
	CHECK_EQ(used, bytes);
	CHECK(json_equal(outcome.summary, back.summary));
	outcome_free(&back);
	for (size_t cut = 0; cut < bytes; cut++)
		CHECK(!outcome_read(&back, data, cut, &used));
	for (size_t i = 0; i < bytes; i++) {
		data[i] ^= 1;
		CHECK(!outcome_read(&back, data, bytes, &used));
		data[i] ^= 1;
	}
	free(data);
	outcome_free(&outcome);
}

TEST(facts_of_traces_are_kept_by_trace_and_machine)
{
	struct store *store = open_fresh();
	double value = 0;
	CHECK(store != NULL);
	CHECK(!store_fact(store, "aa", "m", "smem_kb", &value));
	store_put_fact(store, "aa", "m", "smem_kb", 32);
	store_put_fact(store, "aa", "m", "footprint_kb", NAN);
	CHECK(store_fact(store, "aa", "m", "smem_kb", &value) && value == 32);
	CHECK(store_fact(store, "aa", "m", "footprint_kb", &value) && isnan(value));
	CHECK(!store_fact(store, "aa", "n", "smem_kb", &value));
	close_and_remove(store);
}

/* Dies while its first transaction, larger than what SQLite keeps in memory, is half in the file. */
static void die_in_the_first_transaction(void)
{
	sqlite3 *db;
	pid_t child = fork();
	if (!child) {
		sqlite3_open(path, &db);
		sqlite3_exec(db,
		             "PRAGMA cache_size = 2; BEGIN; CREATE TABLE run (id, text);"
		             "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2000)"
		             "INSERT INTO run SELECT i, hex(zeroblob(200)) FROM n",
		             NULL, NULL, NULL);
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

TEST(a_file_whose_maker_died_is_read_as_none)
{
	struct error err = {{0}};
	struct store *store = open_fresh();
	CHECK(store);
	close_and_remove(store);
	die_in_the_first_transaction();
	CHECK(!access(path, F_OK));
	CHECK(!store_open(path, STORE_READ, &err));
	if (!strstr(err.text, "there is none yet"))
		printf("# %s\n", err.text);
	CHECK(strstr(err.text, "there is none yet"));
	store = store_open(path, STORE_WRITE, &err);
	CHECK(store);
	close_and_remove(store);
}

TEST(readers_change_nothing)
{
	struct error err = {{0}};
	struct store *store = open_fresh(), *reader = store_open(path, STORE_READ, &err);
	CHECK(store && reader);
	CHECK_EQ(sqlite3_exec(store_handle(reader), "DELETE FROM run", NULL, NULL, NULL), SQLITE_READONLY);
	store_close(reader, &err);
	close_and_remove(store);
}

TEST_RUN_ALL(true)
