/* Whole files: what is read, what is refused and why, and that no kind of file blocks. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/files.h"
#include "scratch.h"
#include "test.h"

static const struct file_kind small = {"a small file", 5000}, mebibyte = {"a small file", 1 << 20};

static bool fill(const char *path, size_t bytes)
{
	FILE *file = fopen(path, "w");
	for (size_t i = 0; file && i < bytes; i++)
		putc("ab\0c"[i % 4], file);
	return file && !fclose(file);
}

static bool refused(const char *path, const struct file_kind *kind, const char *message)
{
	struct error err = {{0}};
	size_t length = 7;
	return !read_whole_file(path, kind, &length, &err) && length == 7 && !strcmp(err.text, message);
}

TEST(a_file_is_read_whole_with_a_nul_behind_it)
{
	static const size_t sizes[] = {0, 1, 4095, 4096, 4097, 4999, 5000};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct error err = {{0}};
		size_t length = 1;
		const char *path = "sized";
		CHECK(fill(path, sizes[i]));
		char *text = read_whole_file(path, &small, &length, &err);
		CHECK(text && length == sizes[i] && !text[length]);
		for (size_t k = 0; k < length; k++)
			CHECK(text[k] == "ab\0c"[k % 4]);
		free(text);
		text = read_whole_file(path, &small, NULL, NULL);
		CHECK(text);
		free(text);
	}
}

TEST(files_whose_size_the_system_does_not_tell_are_read_to_their_end)
{
	struct error err = {{0}};
	size_t length;
	char *text = read_whole_file("/proc/self/smaps", &mebibyte, &length, &err);
	CHECK(text && length > 4096 && strlen(text) == length && text[length - 1] == '\n');
	free(text);
	text = read_whole_file("/dev/null", &small, &length, &err);
	CHECK(text && !length);
	free(text);
}

TEST(what_is_too_large_or_no_file_is_refused_with_its_path)
{
	CHECK(!mkdir("folder", 0700) && !mkfifo("pipe", 0600) && fill("large", 5001));
	CHECK(refused("large", &small, "large: larger than 5000 bytes; not a small file"));
	CHECK(refused("/dev/zero", &mebibyte, "/dev/zero: larger than 1 MiB; not a small file"));
	CHECK(refused("folder", &small, "folder: cannot be read: Is a directory"));
	CHECK(refused("pipe", &small, "pipe: cannot be read: not a file but a pipe or a socket"));
	CHECK(refused("none", &small, "none: cannot be read: No such file or directory"));
}

TEST_RUN_ALL(scratch_enter())
