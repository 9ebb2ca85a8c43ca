/* What the process leans on: memory, its own files, children and signals, also where they fail. */
#include <limits.h>
#include <signal.h>
#include <sys/wait.h>

#include "base/child.h"
#include "base/cleanup.h"
#include "base/installation.h"
#include "base/memory.h"
#include "base/set_hash.h"
#include "base/suggest.h"
#include "base/trap.h"
#include "base/work_queue.h"
#include "lib/faults_fixture.h"
#include "lib/trace_fixture.h"

/* ---- memory ---------------------------------------------------------------------------------------------- */

struct wanted {
	enum { ZEROED, GROWN, TEXT, STREAM, STREAM_CLOSED } how;
	size_t count, size;
};

static void want(void *argument)
{
	const struct wanted *w = argument;
	char *text = NULL;
	size_t bytes;
	if (w->how == ZEROED)
		free(memory_zeroed(w->count, w->size));
	else if (w->how == GROWN)
		free(memory_grow(NULL, w->count, w->size));
	else if (w->how == TEXT)
		free(memory_text("text"));
	else
		memory_stream_close(memory_stream_open(&text, &bytes));
}

TEST(memory_that_is_not_there_ends_the_work)
{
	static const struct {
		struct wanted wanted;
		const char *call; /* that fails; "none": the number itself is too large */
	} rows[] = {
	    {{ZEROED, SIZE_MAX, 2}, "none"}, {{ZEROED, SIZE_MAX - 8, 1}, "none"},
	    {{ZEROED, 1, 64}, "malloc"},     {{ZEROED, 1, 1 << 20}, "malloc"},
	    {{GROWN, SIZE_MAX, 2}, "none"},  {{GROWN, 1, 64}, "malloc"},
	    {{TEXT, 0, 0}, "malloc"},        {{STREAM, 0, 0}, "open_memstream"},
	    {{STREAM, 0, 0}, "fclose"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct error err = {""};
		struct wanted w = rows[i].wanted;
		fault_arm(rows[i].call, 1, 1, ENOMEM);
		enum trap_end end = trap_run(want, &w, &err);
		fault_disarm();
		if (end != TRAP_MEMORY || !strstr(err.text, "out of memory"))
			printf("# row %zu: %d '%s'\n", i, (int)end, err.text);
		CHECK(end == TRAP_MEMORY && strstr(err.text, "out of memory"));
		/* With enough of it, the same is done. */
		if (strcmp(rows[i].call, "none") != 0)
			CHECK_EQ(trap_run(want, &w, &err), TRAP_NONE);
	}
	CHECK_EQ(trap_run(want, &(struct wanted){ZEROED, 0, 0}, &(struct error){""}), TRAP_NONE);
	CHECK_EQ(trap_run(want, &(struct wanted){GROWN, 0, 0}, &(struct error){""}), TRAP_NONE);
}

/* Without a trap, the process ends with a status of its own, after it has said so. */
TEST(memory_that_is_not_there_ends_the_process)
{
	int status;
	const char *path = scratch_path("said");
	fflush(stdout);
	pid_t child = fork();
	if (!child) {
		if (dup2(open(path, O_WRONLY | O_CREAT, 0666), STDERR_FILENO) >= 0)
			memory_grow(NULL, SIZE_MAX, 2);
		_exit(0);
	}
	CHECK_EQ(waitpid(child, &status, 0), child);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == MEMORY_EXIT_STATUS);
	size_t bytes;
	char *said = (char *)fixture_read(path, &bytes);
	CHECK(strstr(said, "sluice: out of memory ("));
	free(said);
}

/* ---- its own files --------------------------------------------------------------------------------------- */

TEST(a_folder_of_data_is_the_chosen_one_or_lies_beside_the_program)
{
	char folder[PATH_MAX], small[4];
	struct error err = {""};
	setenv("SLUICE_MACHINES", "/", 1);
	CHECK(data_folder_find("machines", "SLUICE_MACHINES", "machines", folder, sizeof folder, &err));
	CHECK(!strcmp(folder, "/"));
	setenv("SLUICE_MACHINES", "/dev/null", 1);
	CHECK(!data_folder_find("machines", "SLUICE_MACHINES", "machines", folder, sizeof folder, &err));
	CHECK(!strcmp(err.text, "SLUICE_MACHINES is '/dev/null', which is not a directory"));
	setenv("SLUICE_MACHINES", "/proc/self", 1);
	CHECK(!data_folder_find("machines", "SLUICE_MACHINES", "machines", small, sizeof small, &err));
	setenv("SLUICE_MACHINES", "", 1);
	CHECK(data_folder_find("machines", "SLUICE_MACHINES", "machines", folder, sizeof folder, &err));
	CHECK(!data_folder_find("machines", "SLUICE_MACHINES", "machines", small, sizeof small, &err));
	CHECK(!data_folder_find("nothing", "SLUICE_NOTHING", "nothing", folder, sizeof folder, &err));
	CHECK(!strcmp(err.text,
	              "no nothing found: this sluice lacks its share/sluice/nothing; install it whole, "
	              "or set SLUICE_NOTHING"));
	/* What is there, but is a file. */
	CHECK(!data_folder_find("machines/h200.yaml", "SLUICE_NOTHING", "nothing", folder, sizeof folder,
	                        &err));
}

TEST(without_its_own_name_nothing_is_found_beside_it)
{
	char path[PATH_MAX], small[4];
	struct error err = {""};
	fault_arm("realpath", 1, UINT32_MAX, EACCES);
	bool found = own_path_find("share", path, sizeof path),
	     has_library = own_library_folder(path, sizeof path);
	CHECK(fault_disarm());
	CHECK(!found && !has_library);
	CHECK(!own_path_find("no such file", path, sizeof path));
	CHECK(!own_library_folder(small, sizeof small));
	char longest[PATH_MAX];
	memset(longest, 'x', sizeof longest);
	longest[sizeof longest - 1] = 0;
	CHECK(!own_path_find(longest, path, sizeof path));
	/* The kernel's list of mappings names it; a test is no library. */
	CHECK(self_file(path) && strstr(path, "base-faults"));
	char program[PATH_MAX];
	CHECK(self_program(program, &err) && !strcmp(program, path));
	fault_arm("fopen", 1, 1, ENOENT);
	bool is_named = self_program(program, &err);
	CHECK(fault_disarm());
	CHECK(!is_named && strstr(err.text, "cannot find sluice itself"));
}

/* ---- children and what they leave ------------------------------------------------------------------------ */

static bool exists(const char *name)
{
	return !access(scratch_path(name), F_OK);
}

static void make_deep(const char *name, int depth)
{
	char path[1024];
	snprintf(path, sizeof path, "%s", scratch_path(name));
	for (int i = 0; i < depth; i++) {
		mkdir(path, 0777);
		strcat(path, "/d");
	}
	fixture_write(path, "x", 1);
}

/* Runs `work` in a child; its wait status. */
static int in_child(void (*work)(void))
{
	int status = -1;
	fflush(stdout);
	pid_t child = fork();
	if (!child) {
		work();
		_exit(0);
	}
	return waitpid(child, &status, 0) == child ? status : -1;
}

/* More than there is room to remember, one too long to, one given up, and one of the parent. */
static void note_and_clean(void)
{
	char longest[PATH_MAX + 8];
	memset(longest, 'x', sizeof longest);
	longest[sizeof longest - 1] = 0;
	cleanup_add(longest);
	cleanup_add(scratch_path("kept"));
	for (int i = 0; i < 40; i++)
		cleanup_add(scratch_path("tree"));
	cleanup_done(scratch_path("kept"));
	cleanup_done(scratch_path("never noted"));
	pid_t sleeper = fork();
	if (!sleeper) {
		pause();
		_exit(0);
	}
	cleanup_child(sleeper, SIGKILL); /* no group of its own: it is ended all the same */
	cleanup_now();
	_exit(kill(sleeper, 0) ? 0 : 1);
}

TEST(what_is_noted_is_removed_by_whoever_noted_it)
{
	fixture_write(scratch_path("kept"), "x", 1);
	fixture_write(scratch_path("parents"), "x", 1);
	make_deep("tree", 5);
	cleanup_add(scratch_path("parents"));
	CHECK_EQ(in_child(note_and_clean), 0);
	CHECK(exists("kept") && exists("parents") && !exists("tree"));
	cleanup_done(scratch_path("parents"));
}

static void end_by_signal(void)
{
	signal(SIGHUP, SIG_IGN);
	cleanup_on_signals();
	cleanup_add(scratch_path("signalled"));
	raise(SIGHUP); /* ignored before, ignored still */
	raise(SIGTERM);
}

TEST(a_signal_cleans_up_and_ends_the_process_as_it_should)
{
	fixture_write(scratch_path("signalled"), "x", 1);
	int status = in_child(end_by_signal);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	CHECK(!exists("signalled"));
}

TEST(a_tree_is_removed_as_far_as_it_can_be)
{
	make_deep("too deep", 20);
	CHECK(!remove_tree(scratch_path("too deep")));
	CHECK(remove_tree(scratch_path("not there")));
	make_deep("tree", 3);
	fault_arm("openat", 1, 1, EACCES);
	bool is_opened = remove_tree(scratch_path("tree"));
	CHECK(fault_disarm() && !is_opened);
	fault_arm("lseek", 1, 1, EIO);
	bool is_read_again = remove_tree(scratch_path("tree"));
	CHECK(fault_disarm() && !is_read_again);
	make_deep("tree", 3);
	CHECK(remove_tree(scratch_path("tree")) && !exists("tree"));
}

TEST(a_child_is_waited_for_and_its_status_told)
{
	pid_t child = process_fork(SIGKILL);
	if (!child)
		_exit(7);
	int status = process_wait(child);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
	errno = 0;
	CHECK_EQ(process_wait(child), -1);
	CHECK_EQ(errno, ECHILD);
	/* A signal while it waits is no end of it. */
	fault_arm("waitpid", 1, 2, EINTR);
	child = process_fork(SIGKILL);
	if (!child)
		_exit(3);
	status = process_wait(child);
	CHECK(fault_disarm() && WEXITSTATUS(status) == 3);
}

/* ---- small things ---------------------------------------------------------------------------------------- */

TEST(polynomials_beyond_the_table_are_none)
{
	CHECK_EQ(set_hash_polynomial(17), 0);
	CHECK_EQ(set_hash_polynomial(3), 11);
	CHECK_EQ(set_hash_degree(0), 0);
	CHECK(!set_hash_irreducible(0) && !set_hash_irreducible(1) && set_hash_irreducible(11));
	CHECK(!set_hash_irreducible(5)); /* (x + 1)^2 */
}

TEST(a_message_longer_than_its_room_is_cut)
{
	struct error err = {""};
	char name[4096], clipped[CLIP_SIZE];
	memset(name, 'n', sizeof name);
	name[sizeof name - 1] = 0;
	CHECK(!error_at(&err, name, 1, 1, "what"));
	CHECK_EQ(strlen(err.text), sizeof err.text - 1);
	CHECK(!error_at(NULL, "f", 1, 1, "what") && !error_set(NULL, "what"));
	/* Never half a character: all of these are the second byte of one. */
	memset(name, 0x80, sizeof name);
	name[100] = 0;
	CHECK(!strcmp(clip_text(clipped, name), "..."));
	warning_take(NULL);
	warning("unheard: %s", "this");
	work_queue_free(NULL);
}

TEST_RUN_ALL(true)
