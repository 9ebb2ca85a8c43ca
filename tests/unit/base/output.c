/* Result files: whole or not at all, and what is refused before or while they are written. */
#include <limits.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/files.h"
#include "base/output.h"
#include "base/read_files.h"
#include "scratch.h"
#include "test.h"

static bool put(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");
	return file && fputs(text, file) >= 0 && !fclose(file);
}

static bool holds(const char *path, const char *text)
{
	char got[64] = "";
	FILE *file = fopen(path, "r");
	size_t n = file ? fread(got, 1, sizeof got - 1, file) : 0;
	return file && !fclose(file) && n == strlen(text) && !strcmp(got, text);
}

/* Files of the folder, the two of every folder left out. */
static size_t count_files(void)
{
	FILE *list = popen("ls -A | wc -l", "r");
	size_t count = 0;
	return list && fscanf(list, "%zu", &count) == 1 && !pclose(list) ? count : SIZE_MAX;
}

TEST(a_file_is_replaced_behind_its_links)
{
	struct error err = {{0}};
	struct stat st;
	CHECK(output_check("new", &err) && access("new", F_OK)); /* leaves nothing behind */
	CHECK(output_write("new", "one", 3, &err) && holds("new", "one"));
	CHECK(!symlink("new", "link") && output_check("link", &err) && output_write("link", "two", 3, &err));
	CHECK(holds("new", "two") && !lstat("link", &st) && S_ISLNK(st.st_mode));
	CHECK(output_copy("copied", "link", &err) && holds("copied", "two"));
	CHECK(output_check("/dev/null", &err) && output_write("/dev/null", "x", 1, &err));
	CHECK(output_copy("/dev/null", "new", &err));
	CHECK_EQ(count_files(), 3);
	CHECK(!unlink("link") && !unlink("new") && !unlink("copied"));
}

TEST(what_cannot_be_written_is_refused_and_leaves_nothing)
{
	char name[64], deep[PATH_MAX], longer[PATH_MAX + 2];
	struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	CHECK(put("plain", "x") && !mkdir("dir", 0700) && fd >= 0 &&
	      !bind(fd, (const struct sockaddr *)&address, sizeof address) && !close(fd));
	/* "././.../new": too long for the name of the file that is to be renamed. */
	for (size_t i = 0; i < sizeof deep; i++)
		deep[i] = i % 2 ? '/' : '.';
	strcpy(deep + sizeof deep - 6, "./new");
	memset(longer, 'a', sizeof longer - 1);
	longer[sizeof longer - 1] = '\0';
	const struct {
		const char *path, *from, *message;
		bool checked; /* and refused before the work, too */
	} cases[] = {
	    {"dir", NULL, "cannot write dir: Is a directory", true},
	    {"plain/new", NULL, "cannot write plain/new: Not a directory", true},
	    {"none/new", NULL, "cannot write none/new: No such file or directory", true},
	    {deep, NULL, "cannot write ././", true},
	    {longer, NULL, "cannot write aaaa", true},
	    {"/dev/full", NULL, "cannot write /dev/full: No space left on device", false},
	    {"/dev/full", "plain", "cannot write /dev/full: No space left on device", false},
	    {"socket", NULL, "cannot write socket: No such device or address", false},
	    {"new", "none", "none: cannot be read: No such file or directory", false},
	    {"new", "dir", "cannot write new: Is a directory", false},
	    {"dir", "plain", "cannot write dir: Is a directory", true},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct error err = {{0}};
		bool ok = cases[i].from ? output_copy(cases[i].path, cases[i].from, &err)
		                        : output_write(cases[i].path, "bytes", 5, &err);
		if (ok || strncmp(err.text, cases[i].message, strlen(cases[i].message)))
			printf("# got:    %s\n# wanted: %s\n", err.text, cases[i].message);
		CHECK(!ok && !strncmp(err.text, cases[i].message, strlen(cases[i].message)));
		CHECK_EQ(output_check(cases[i].path, &err), !cases[i].checked);
	}
	CHECK_EQ(count_files(), 3);
	for (int i = 0; i < 100; i++) {
		snprintf(name, sizeof name, "new.%ld-%d.tmp", (long)getpid(), i);
		CHECK(put(name, "another's"));
	}
	struct error err = {{0}};
	CHECK(!output_write("new", "x", 1, &err) && !strcmp(err.text, "cannot write new: File exists"));
	CHECK(!unlink(name) && output_write("new", "x", 1, &err) && holds("new", "x"));
	CHECK_EQ(count_files(), 103);
}

TEST(an_output_that_was_read_is_refused_under_any_name)
{
	struct error err = {{0}};
	const char *other = scratch_path("plain");
	const struct file_kind kind = {"a text", 100};
	uint64_t bytes;
	struct digest digest;
	char *text = read_whole_file("plain", &kind, NULL, &err);
	free(text);
	CHECK(text &&
	      output_write("plain", "x", 1, &err)); /* nothing is noted before the front end asks for it */
	read_files_keep();
	CHECK(output_check("nothing", &err) && output_check("plain", &err) &&
	      output_check("/dev/null", &err));
	text = read_whole_file(other, &kind, NULL, &err);
	free(text);
	CHECK(text && !link("plain", "hard") && !symlink("plain", "soft"));
	for (size_t i = 0; i < 3; i++) {
		const char *name = (const char *const[]){"plain", "hard", "soft"}[i];
		char wanted[64];
		snprintf(wanted, sizeof wanted, "%s: would be overwritten, but is also read (", name);
		CHECK(!output_check(name, &err) && !strncmp(err.text, wanted, strlen(wanted)));
		CHECK(!output_write(name, "new", 3, &err) && !output_copy(name, "/dev/null", &err));
		CHECK(!output_allowed(name, &err) && holds(name, "x"));
	}
	read_files_note_path("dir");
	read_files_note_path("/dev/null");
	read_files_note_path("nothing");
	CHECK(!output_allowed("dir/../dir", &err) && output_allowed("nothing", &err));
	CHECK(output_check("/dev/null", &err) && output_write("/dev/null", "x", 1, &err));
	CHECK(put("digested", "y") && file_digest("digested", &digest, &bytes, &err));
	CHECK(!output_write("digested", "new", 3, &err));
	CHECK(put("copied", "z") && output_copy("to", "copied", &err) && !output_copy("copied", "to", &err));
	/* One inode may have many names; many files stay apart. */
	for (int i = 0; i < 200; i++) {
		char name[64];
		snprintf(name, sizeof name, "many-%d", i);
		CHECK(put(name, "m"));
		if (i % 2)
			read_files_note_path(name);
	}
	for (int i = 0; i < 200; i++) {
		char name[64];
		snprintf(name, sizeof name, "many-%d", i);
		CHECK_EQ(output_allowed(name, &err), i % 2 == 0);
	}
}

TEST_RUN_ALL(scratch_enter())
