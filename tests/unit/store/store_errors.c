/* The results database when something is wrong with it: nothing is half-written, nothing is lost silently. */
#include <math.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "scratch.h"
#include "store_fixture.h"

static int naps;

/* Closing waits seconds between its attempts; here they only count. */
int nanosleep(const struct timespec *wanted, struct timespec *left)
{
	(void)wanted, (void)left;
	naps++;
	return 0;
}

struct fixture {
	struct store *store;
	struct config config;
	struct run_options options;
	struct store_run run;
	struct outcome outcome;
};

static bool execute(struct store *store, const char *format, const char *table)
{
	char sql[256];
	snprintf(sql, sizeof sql, format, table, table);
	if (sqlite3_exec(store_handle(store), sql, NULL, NULL, NULL) == SQLITE_OK)
		return true;
	printf("# %s: %s\n", sql, sqlite3_errmsg(store_handle(store)));
	return false;
}

/* A database with nothing in it, a run and its outcome; nothing waits for the disk. */
static bool open_fixture(struct fixture *f)
{
	struct error err = {{0}};
	*f = (struct fixture){.options = {.max_insns = 1000, .quantum = 7, .cold_l2 = true}};
	f->store = store_open("r.db", STORE_WRITE, &err);
	if (!f->store ||
	    !execute(f->store,
	             "PRAGMA synchronous = OFF; DELETE FROM run; DELETE FROM machine_value;"
	             "DELETE FROM machine; DELETE FROM trace_file",
	             "") ||
	    !config_load(&f->config, "gtx480-ciao", "ccws", NULL, 0, &err)) {
		printf("# %s\n", err.text);
		return false;
	}
	f->run = (struct store_run){.key = "key", .config = &f->config, .options = &f->options};
	f->outcome.summary = json_pack("{s:s, s:{s:{s:i}}, s:{s:{s:i, s:n}}, s:[[i, s, [f]]]}", "status",
	                               "done", "total", "counters", "warp_insns", 50, "policy_counters",
	                               "ccws", "scores", 7, "none", "series", 1, "ipc", 1.5);
	f->outcome.wall_s = 0.5;
	give_detail(&f->outcome);
	return f->outcome.summary;
}

static void close_fixture(struct fixture *f)
{
	struct error err = {{0}};
	if (f->store)
		store_close(f->store, &err);
	outcome_free(&f->outcome);
	config_free(&f->config);
}

static const char *const tables[] = {"run",    "machine", "machine_value",  "policy_param", "counter",
                                     "metric", "energy",  "policy_counter", "series",       "detail"};
enum { TABLES = sizeof tables / sizeof *tables };

TEST(a_run_whose_tables_are_damaged_waits_whole_until_they_are_not)
{
	for (size_t i = 0; i < 2 * TABLES; i++) {
		struct fixture f;
		const char *table = tables[i % TABLES], *why;
		bool gone = i >= TABLES;
		CHECK(open_fixture(&f));
		CHECK(execute(f.store, "DROP VIEW IF EXISTS runs; DROP VIEW IF EXISTS failures", ""));
		CHECK(execute(
		    f.store,
		    gone
		        ? "ALTER TABLE \"%s\" RENAME TO away"
		        : "CREATE TRIGGER stop BEFORE INSERT ON \"%s\" BEGIN SELECT RAISE(ABORT, 'no room'); END",
		    table));
		store_put(f.store, &f.run, &f.outcome);
		if (store_waiting(f.store, &why) != 1 || !strstr(why, gone ? "no such table" : "no room"))
			printf("# %s: %zu wait: %s\n", table, store_waiting(f.store, &why), why);
		CHECK_EQ(store_waiting(f.store, &why), 1);
		CHECK(strstr(why, gone ? "no such table" : "no room"));
		if (!gone || strcmp(table, "run"))
			CHECK_EQ(ask(f.store, "SELECT count(*) FROM run"), 0);
		CHECK(execute(f.store, gone ? "ALTER TABLE away RENAME TO \"%s\"" : "DROP TRIGGER stop",
		              table));
		CHECK(store_flush(f.store));
		CHECK_EQ(ask(f.store, "SELECT count(*) FROM run JOIN detail ON detail.run = run.id"), 1);
		CHECK_EQ(ask(f.store, "SELECT quantum * 10 + cold_l2 FROM run"), 71);
		CHECK_EQ(ask(f.store, "SELECT value IS NULL FROM policy_counter WHERE name = 'none'"), 1);
		close_fixture(&f);
	}
}

TEST(closing_tries_again_and_says_what_is_lost)
{
	struct fixture f;
	struct error err = {{0}};
	CHECK(open_fixture(&f));
	CHECK(execute(f.store,
	              "CREATE TRIGGER stop BEFORE INSERT ON %s BEGIN SELECT RAISE(ABORT, 'no room'); END",
	              "run"));
	store_put(f.store, &f.run, &f.outcome);
	store_put(f.store, &f.run, &f.outcome);
	naps = 0;
	CHECK(!store_close(f.store, &err));
	CHECK_EQ(naps, 5);
	f.store = store_open("r.db", STORE_WRITE, &(struct error){{0}});
	CHECK(f.store && execute(f.store, "DROP TRIGGER %s", "stop"));
	CHECK(!strcmp(err.text, "results database r.db: no room; 2 finished runs could not be kept"));
	close_fixture(&f);
}

TEST(what_cannot_be_read_is_not_there)
{
	struct fixture f;
	struct store_found found;
	struct error err = {{0}};
	char status[16];
	uint64_t digest[2], again[2];
	double value;
	CHECK(open_fixture(&f));
	store_put(f.store, &f.run, &f.outcome);
	CHECK(!store_status(f.store, "other", status) && !store_find(f.store, "other", &found) &&
	      !store_detail(f.store, "other"));
	CHECK(store_speed(f.store) == 100);
	struct store *reader = store_open("r.db", STORE_READ, &err);
	CHECK(reader && store_digest(reader, "r.db", digest, &err)); /* found, and not kept */
	CHECK_EQ(ask(f.store, "SELECT count(*) FROM trace_file"), 0);
	CHECK(store_close(reader, &err));
	CHECK(!store_digest(f.store, "none", digest, &err) &&
	      !strcmp(err.text, "none: No such file or directory"));
	CHECK(!store_digest(f.store, scratch(), digest, &err));
	FILE *file = fopen("file", "w");
	CHECK(file && fputs("some bytes", file) >= 0 && !fclose(file));
	CHECK(store_digest(f.store, "file", digest, &err) && store_digest(f.store, "file", again, &err));
	CHECK(digest[0] == again[0] && digest[1] == again[1]);
	CHECK_EQ(ask(f.store, "SELECT count(*) FROM trace_file"), 1);
	CHECK(execute(
	    f.store,
	    "DROP TABLE trace_fact; DROP TABLE trace_file; DROP VIEW IF EXISTS runs; DROP VIEW IF EXISTS failures;"
	    "ALTER TABLE run RENAME TO away",
	    ""));
	store_put_fact(f.store, "t", "m", "name", 3);
	CHECK(!store_fact(f.store, "t", "m", "name", &value));
	CHECK(store_digest(f.store, "file", again, &err) && digest[0] == again[0]); /* by reading the file */
	CHECK(isnan(store_speed(f.store)));
	CHECK(!store_find(f.store, "key", &found));
	size_t removed;
	CHECK(!store_collect(f.store, false, &removed, &err));
	CHECK(!strcmp(err.text, "results database r.db: no such table: run"));
	close_fixture(&f);
	CHECK(!unlink("r.db")); /* it is beyond repair */
}

TEST(collecting_keeps_what_counts)
{
	struct fixture f;
	struct error err = {{0}};
	size_t removed;
	static const char *const statuses[] = {"done", "failed", "killed", "deadlocked", "cut"};
	CHECK(open_fixture(&f));
	for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
		snprintf(f.run.key, sizeof f.run.key, "%s", statuses[i]);
		json_object_set_new(f.outcome.summary, "status", json_string(statuses[i]));
		store_put(f.store, &f.run, &f.outcome);
	}
	CHECK(store_collect(f.store, false, &removed, &err));
	CHECK_EQ(removed, 2);
	CHECK_EQ(ask(f.store, "SELECT count(*) FROM run WHERE status IN ('done', 'deadlocked', 'cut')"), 3);
	CHECK(execute(f.store, "UPDATE run SET model = 'old' WHERE status = '%s'", "cut"));
	CHECK(store_collect(f.store, true, &removed, &err));
	CHECK_EQ(removed, 1);
	CHECK_EQ(ask(f.store, "SELECT count(*) FROM counter"), 2);
	CHECK(ask(f.store, "SELECT count(*) FROM machine_value") > 100);
	CHECK(execute(f.store, "UPDATE run SET model = '%s'", "old"));
	CHECK(store_collect(f.store, true, &removed, &err));
	CHECK_EQ(removed, 2);
	CHECK_EQ(ask(f.store, "SELECT (SELECT count(*) FROM machine) + (SELECT count(*) FROM machine_value)"),
	         0);
	close_fixture(&f);
}

TEST(a_database_of_another_version_gets_its_columns)
{
	struct fixture f;
	struct error err = {{0}};
	CHECK(open_fixture(&f));
	store_put(f.store, &f.run, &f.outcome);
	CHECK(execute(
	    f.store,
	    "DROP VIEW IF EXISTS runs; ALTER TABLE counter DROP COLUMN cycles; PRAGMA user_version = %s",
	    "5"));
	CHECK(store_close(f.store, &err));
	struct store *reader = store_open("r.db", STORE_READ, &err); /* reads what there is */
	CHECK(reader && ask(reader, "SELECT count(*) FROM counter") == 1 &&
	      ask(reader, "SELECT count(*) FROM runs") == -1);
	CHECK(store_close(reader, &err));
	f.store = store_open("r.db", STORE_WRITE, &err);
	CHECK(f.store && ask(f.store, "SELECT cycles IS NULL AND warp_insns = 50 FROM runs") == 1);
	/* A view in place of a table cannot be mended. */
	CHECK(execute(f.store,
	              "DROP VIEW runs; DROP TABLE metric; CREATE VIEW metric AS SELECT 1 AS run;"
	              "PRAGMA user_version = %s",
	              "5"));
	CHECK(store_close(f.store, &err));
	f.store = store_open("r.db", STORE_WRITE, &err);
	if (!f.store && strcmp(err.text, "r.db: Cannot add a column to a view"))
		printf("# %s\n", err.text);
	CHECK(!f.store && !strcmp(err.text, "r.db: Cannot add a column to a view"));
	close_fixture(&f);
	CHECK(!unlink("r.db"));
}

TEST(what_is_no_database_of_results_is_refused)
{
	static const struct {
		const char *path;
		enum store_mode mode;
		const char *message;
	} cases[] = {
	    {"none.db", STORE_READ, "results database none.db: there is none yet"},
	    {"empty.db", STORE_READ, "results database empty.db: there is none yet"},
	    {"foreign.db", STORE_READ, "foreign.db: not a database of results"},
	    {"plain/r.db", STORE_READ, "results database plain/r.db: there is none yet"},
	    {"plain/r.db", STORE_WRITE, "plain: "},
	    {"plain", STORE_WRITE,
	     "results database plain: file is not a database; choose another with --db FILE"},
	    {"/", STORE_READ,
	     "results database /: unable to open database file; may this user write there? --db FILE "
	     "chooses another"},
	};
	char path[PATH_MAX + 8];
	struct error err = {{0}};
	sqlite3 *db;
	FILE *plain = fopen("plain", "w"), *empty = fopen("empty.db", "w");
	CHECK(plain && fprintf(plain, "%4000s", "no database") > 0 && !fclose(plain) && empty &&
	      !fclose(empty));
	CHECK(sqlite3_open("foreign.db", &db) == SQLITE_OK &&
	      sqlite3_exec(db, "CREATE TABLE t (x)", NULL, NULL, NULL) == SQLITE_OK &&
	      sqlite3_close(db) == SQLITE_OK);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct store *store = store_open(cases[i].path, cases[i].mode, &err);
		if (store || strncmp(err.text, cases[i].message, strlen(cases[i].message)))
			printf("# %s: got %s, wanted %s\n", cases[i].path, err.text, cases[i].message);
		CHECK(!store && !strncmp(err.text, cases[i].message, strlen(cases[i].message)));
	}
	memset(path, 'a', sizeof path - 1);
	path[sizeof path - 1] = '\0';
	CHECK(!store_open(path, STORE_READ, &err) &&
	      !strcmp(err.text, "the path of the results database is too long"));
}

TEST(the_place_of_results_is_chosen_by_the_environment)
{
	static char long_path[PATH_MAX + 8];
	memset(long_path, 'a', sizeof long_path - 1);
	static const struct {
		const char *results, *data, *home, *path;
	} cases[] = {
	    {"/r.db", "/data", "/home", "/r.db"},
	    {"", "/data", "/home", "/data/sluice/results.db"},
	    {NULL, "/data", NULL, "/data/sluice/results.db"},
	    {NULL, "relative", "/home", "/home/.local/share/sluice/results.db"},
	    {NULL, "", "/home", "/home/.local/share/sluice/results.db"},
	    {NULL, NULL, "/home", "/home/.local/share/sluice/results.db"},
	    {NULL, NULL, "", NULL},
	    {NULL, NULL, NULL, NULL},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *const names[] = {"SLUICE_RESULTS", "XDG_DATA_HOME", "HOME"}, *const values[] = {
		                                                                             cases[i].results,
		                                                                             cases[i].data,
		                                                                             cases[i].home};
		char path[PATH_MAX];
		struct error err = {{0}};
		for (int k = 0; k < 3; k++)
			values[k] ? setenv(names[k], values[k], 1) : unsetenv(names[k]);
		bool ok = store_default_path(path, &err);
		CHECK(cases[i].path
		          ? ok && !strcmp(path, cases[i].path)
		          : !ok &&
		                !strcmp(err.text, "no place for results: HOME is not set; give --db FILE"));
	}
	char path[PATH_MAX];
	struct error err = {{0}};
	CHECK(!store_open(NULL, STORE_READ, &err) && strstr(err.text, "no place for results"));
	setenv("SLUICE_RESULTS", long_path, 1);
	CHECK(!store_default_path(path, &err) &&
	      !strcmp(err.text, "the path of the results database is too long"));
}

TEST_RUN_ALL(scratch_enter())
