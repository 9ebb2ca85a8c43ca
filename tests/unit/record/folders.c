/* A folder of the cache is replaced while others look into it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/child.h"
#include "base/files.h"
#include "test.h"

static char place[PATH_MAX];
static atomic_bool done;
static atomic_uint looks, misses;

static void *look(void *unused)
{
	char file[PATH_MAX + 8];
	snprintf(file, sizeof file, "%s/app", place);
	while (!done) {
		misses += access(file, R_OK) != 0;
		looks++;
	}
	return unused;
}

/* A folder with a file "app" of this text, put in the place of the one that is there. */
static bool put(const char *parent, const char *text)
{
	struct error err;
	char folder[PATH_MAX], file[PATH_MAX + 8];
	if (!make_temporary(parent, folder, &err))
		return false;
	snprintf(file, sizeof file, "%s/app", folder);
	FILE *out = fopen(file, "w");
	bool ok = out && fputs(text, out) >= 0 && !fclose(out) && replace_folder(folder, place, &err);
	return ok && access(folder, F_OK) != 0; /* nothing of it stays */
}

TEST(a_folder_is_there_at_every_moment)
{
	char parent[] = "/tmp/sluice-folders-XXXXXX", text[16] = "";
	CHECK(mkdtemp(parent) != NULL);
	snprintf(place, sizeof place, "%s/place", parent);
	CHECK(put(parent, "first"));
	pthread_t thread;
	CHECK(!pthread_create(&thread, NULL, look, NULL));
	unsigned wrong = 0;
	for (unsigned i = 0; i < 300 || looks < 300; i++) {
		snprintf(text, sizeof text, "%u", i);
		wrong += !put(parent, text);
	}
	done = true;
	pthread_join(thread, NULL);
	CHECK_EQ(wrong, 0);
	CHECK_EQ(misses, 0);
	char got[16] = "", file[PATH_MAX + 8];
	snprintf(file, sizeof file, "%s/app", place);
	FILE *in = fopen(file, "r");
	CHECK(in && fgets(got, sizeof got, in) && !strcmp(got, text));
	if (in)
		fclose(in);
	remove_folder(parent);
	CHECK(access(parent, F_OK) != 0);
}

TEST_RUN_ALL(true)
