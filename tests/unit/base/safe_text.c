/* Text made fit for a terminal, and trees removed without following links. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/safe_text.h"
#include "test.h"

static bool becomes(const char *from, const char *to)
{
	char text[64];
	strcpy(text, from);
	safe_text(text, strlen(text), "\n");
	if (!strcmp(text, to))
		return text_is_safe(from, strlen(from), "\n") == !strcmp(from, to);
	printf("# '%s'\n", text);
	return false;
}

TEST(plain_text_and_characters_of_all_languages_stay)
{
	CHECK(becomes("_Z10vector_addPf", "_Z10vector_addPf"));
	CHECK(becomes("a\nb", "a\nb"));
	CHECK(becomes("Zeitgeber-Größe", "Zeitgeber-Größe"));
	CHECK(becomes("核心 🚀", "核心 🚀"));
	CHECK(becomes("", ""));
}

TEST(control_characters_of_every_kind_are_replaced)
{
	CHECK(becomes("\033[2J", "?[2J"));
	CHECK(becomes("a\tb\rc\007\177", "a?b?c??"));
	CHECK(becomes("\302\2331m", "??1m"));   /* CSI as one character */
	CHECK(becomes("\302\240", "\302\240")); /* the first that is none */
	CHECK(becomes("\2331m", "?1m"));        /* and as one byte */
}

TEST(bytes_that_are_no_utf8_are_replaced)
{
	CHECK(becomes("\377\376", "??"));
	CHECK(becomes("\303", "?"));
	CHECK(becomes("\303x", "?x"));
	CHECK(becomes("\300\233", "??"));           /* overlong */
	CHECK(becomes("\340\202\233", "???"));      /* overlong */
	CHECK(becomes("\355\240\200", "???"));      /* a surrogate */
	CHECK(becomes("\364\220\200\200", "????")); /* beyond Unicode */
	CHECK(becomes("\360\237\232", "???"));      /* cut off */
}

TEST(a_tree_is_removed_and_links_are_not_followed)
{
	char folder[] = "/tmp/sluice-tree-XXXXXX", path[128], keep[] = "/tmp/sluice-keep-XXXXXX";
	CHECK(mkdtemp(folder) && mkdtemp(keep));
	snprintf(path, sizeof path, "%s/file", keep);
	close(open(path, O_CREAT | O_WRONLY, 0600));
	for (int i = 0; i < 300; i++) {
		snprintf(path, sizeof path, "%s/file-with-a-long-name-%d", folder, i);
		close(open(path, O_CREAT | O_WRONLY, 0600));
	}
	snprintf(path, sizeof path, "%s/link", folder);
	CHECK(!symlink(keep, path));
	snprintf(path, sizeof path, "%s/deep", folder);
	CHECK(!mkdir(path, 0700));
	snprintf(path, sizeof path, "%s/deep/er", folder);
	CHECK(!mkdir(path, 0700));
	CHECK(remove_tree(folder) && access(folder, F_OK));
	snprintf(path, sizeof path, "%s/file", keep);
	CHECK(!access(path, F_OK) && remove_tree(keep));
	CHECK(remove_tree("/tmp/sluice-never-there"));
}

TEST(what_was_added_and_is_not_done_is_cleaned_up)
{
	char kept[] = "/tmp/sluice-kept-XXXXXX", dropped[] = "/tmp/sluice-dropped-XXXXXX";
	CHECK(mkdtemp(kept) && mkdtemp(dropped));
	cleanup_add(kept);
	cleanup_add(dropped);
	cleanup_done(kept);
	cleanup_now();
	CHECK(!access(kept, F_OK) && access(dropped, F_OK));
	cleanup_done(dropped);
	CHECK(!rmdir(kept));
}

TEST_RUN_ALL(true)
