/* Machines that cannot be read, listed or copied because something fails: it is said, and nothing stays behind. */
#include <sys/socket.h>
#include <sys/un.h>

#include "base/trap.h"
#include "lib/faults_fixture.h"
#include "lib/trace_fixture.h"
#include "machine/catalog.h"
#include "machine/machine.h"

/* What is done while calls fail; false: err says why not. */
typedef bool action(struct error *err);

static bool load_and_copy(struct error *err)
{
	struct machine *m = machine_load("gtx480-ciao", err);
	struct machine *copy = m ? machine_copy(m, err) : NULL;
	bool ok = copy && machine_set(copy, "l1d.ways", "8", "test", err);
	machine_free(copy);
	machine_free(m);
	return ok;
}

static bool list_all(struct error *err)
{
	struct machine_summary *list;
	size_t count;
	if (!machine_list(&list, &count, err))
		return false;
	bool ok = count == 2;
	machine_list_free(list, count);
	return ok || error_set(err, "%zu machines", count);
}

static bool load_unknown(struct error *err)
{
	struct machine *m = machine_load("no such thing", err);
	machine_free(m);
	return !m; /* and says so */
}

struct attempt {
	action *work;
	struct error err;
	bool done;
};

static void attempt_run(void *argument)
{
	struct attempt *a = argument;
	a->done = a->work(&a->err);
}

static bool survives(action *work, const char *call, unsigned n, bool *is_hit)
{
	struct attempt a = {.work = work};
	struct error trapped;
	long live = atomic_load(&fault.live);
	unsigned files = fault_open_files();
	fault_arm(call, n, n, EIO);
	enum trap_end end = trap_run(attempt_run, &a, &trapped);
	*is_hit = fault_disarm();
	if (end == TRAP_MEMORY)
		return true;
	bool ok = (a.done || (*is_hit && a.err.text[0])) && atomic_load(&fault.live) == live &&
	          fault_open_files() == files;
	if (!ok)
		printf("# %s number %u: %d '%s', %ld blocks left\n", call, n, a.done, a.err.text,
		       atomic_load(&fault.live) - live);
	return ok;
}

/* Every call of each name, or so many evenly spread ones of those that are made thousands of times. */
static bool survives_all(action *work, const char *const *calls)
{
	bool ok = true, is_hit = true;
	for (; *calls; calls++) {
		for (unsigned n = 1; n < 100000; n += n < 60 ? 1 : n / 12) {
			ok &= survives(work, *calls, n, &is_hit);
			if (!is_hit)
				break;
		}
		ok &= survives(work, "none", 1, &is_hit);
	}
	return ok;
}
#define CALLS(...) ((const char *const[]){__VA_ARGS__, NULL})

TEST(a_machine_survives_every_fault)
{
	CHECK(survives_all(load_and_copy, CALLS("malloc", "open", "fdopen", "fstat", "realpath", "access")));
}

TEST(a_list_survives_every_fault)
{
	mkdir(scratch_path("machines"), 0777);
	fixture_write(scratch_path("machines/a.yaml"), "title: first\n", 13);
	fixture_write(scratch_path("machines/b.yaml"), "title: [a, list]\n", 17);
	fixture_write(scratch_path("machines/.c.yaml"), "", 0);
	fixture_write(scratch_path("machines/.yaml"), "", 0);
	fixture_write(scratch_path("machines/d.txt"), "", 0);
	setenv("SLUICE_MACHINES", scratch_path("machines"), 1);
	CHECK(survives_all(list_all, CALLS("malloc", "open", "fdopen", "fstat", "scandir")));
	CHECK(survives_all(load_unknown, CALLS("malloc")));
	unsetenv("SLUICE_MACHINES");
}

/* Whether loading it fails in these words. */
static bool refused(const char *name, const char *words)
{
	struct error err = {""};
	struct machine *m = machine_load(name, &err);
	bool ok = !m && strstr(err.text, words);
	if (!ok)
		printf("# %s: %s\n", name, err.text);
	machine_free(m);
	return ok;
}

TEST(names_and_files_that_are_no_machine_are_refused)
{
	struct error err;
	struct machine_summary *list;
	size_t count;
	char longest[200];
	memset(longest, 'x', sizeof longest);
	longest[150] = 0;
	CHECK(refused("", "no machine ''"));
	CHECK(refused(".hidden", "no machine '.hidden'"));
	CHECK(refused("a b", "no machine 'a b'"));
	CHECK(refused(longest, "no machine 'xxx"));
	CHECK(refused("h20", "did you mean 'h200'?"));
	CHECK(!mkfifo(scratch_path("pipe.yaml"), 0666));
	CHECK(refused(scratch_path("pipe.yaml"), "not a file"));
	struct sockaddr_un place = {.sun_family = AF_UNIX};
	snprintf(place.sun_path, sizeof place.sun_path, "%s", scratch_path("s.yaml"));
	int socket_fd = socket(AF_UNIX, SOCK_STREAM, 0);
	CHECK(!bind(socket_fd, (struct sockaddr *)&place, sizeof place));
	CHECK(refused(scratch_path("s.yaml"), "cannot be read"));
	close(socket_fd);
	CHECK(refused("/", "cannot be read: Is a directory"));
	CHECK(refused("/nowhere/x.yaml", "cannot be read: No such file"));
	mkdir(scratch_path("none"), 0777);
	setenv("SLUICE_MACHINES", scratch_path("none"), 1);
	CHECK(refused("h200", "has: none"));
	setenv("SLUICE_MACHINES", "/nowhere", 1);
	CHECK(refused("h200", "SLUICE_MACHINES is '/nowhere', which is not a directory"));
	CHECK(!machine_list(&list, &count, &err) && strstr(err.text, "which is not a directory"));
	unsetenv("SLUICE_MACHINES");
	machine_free(NULL);
}

TEST(keys_are_set_by_their_whole_name)
{
	struct error err = {""};
	struct machine *m = machine_load("gtx480-ciao", &err);
	CHECK(m);
	CHECK(!machine_set(m, "ways", "8", "test", &err) && strstr(err.text, "expected SECTION.KEY"));
	CHECK(!machine_set(m, "l1d.wayss", "8", "test", &err) && strstr(err.text, "l1d.ways"));
	CHECK(!machine_set(m, "l1d.ways", "x", "test", &err) && strstr(err.text, "whole number"));
	CHECK(machine_set(m, "l1d.ways", "8", "test", &err));
	CHECK(!strcmp(machine_origin(m, "l1d", "ways"), "test") && !machine_origin(m, "l1d", "wayss"));
	machine_free(m);
}

TEST_RUN_ALL(true)
