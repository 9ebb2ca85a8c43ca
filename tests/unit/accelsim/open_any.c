/* The cache of imported traces: made once, made again when source or entry changed, never trusted blindly. */
#include <sys/wait.h>

#include "accelsim/accelsim.h"
#include "base/cache.h"
#include "lib/accelsim_fixture.h"

/* An empty cache folder that trace_open_any() will use. */
static const char *fresh_cache(void)
{
	const char *dir = scratch_path("cache/deep");
	scratch_remove(scratch_path("cache"));
	setenv("SLUICE_CACHE_DIR", dir, 1);
	return dir;
}

static unsigned imports;

static bool count_import(void *user, uint64_t text_bytes, uint64_t warp_insns)
{
	(void)user;
	(void)text_bytes;
	(void)warp_insns;
	imports++;
	return true;
}

/* Opens and closes; whether it was imported anew, or -1 on failure. */
static int open_once(const char *path)
{
	struct error err = {""};
	imports = 0;
	struct trace *t = trace_open_any(path, count_import, NULL, &err);
	if (!t || trace_kernel_at(t, 0)->warp_insns != VECTOR_INSNS) {
		printf("# %s\n", err.text);
		trace_close(t);
		return -1;
	}
	trace_close(t);
	return imports > 0;
}

/* The path of the only entry. */
static const char *only_entry(const char *cache)
{
	static char path[1024];
	DIR *dir = opendir(cache);
	struct dirent *entry;
	path[0] = '\0';
	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			snprintf(path, sizeof path, "%.500s/%.255s", cache, entry->d_name);
	if (dir)
		closedir(dir);
	return path;
}

TEST(a_source_is_imported_once)
{
	const char *cache = fresh_cache(), *source = fixture_folder("my.program", vector_text);
	CHECK_EQ(open_once(source), 1);
	CHECK_EQ(open_once(source), 0);
	CHECK_EQ(fixture_count_files(cache), 1);
	const char *name = strrchr(only_entry(cache), '/') + 1;
	CHECK(!strncmp(name, "my.program-", 11) && strlen(name) == 11 + 16 + 7);
	/* The folder, its list and a path with dots are one source. */
	CHECK_EQ(open_once(scratch_path("my.program/../my.program")), 0);
}

TEST(a_changed_source_is_imported_again)
{
	fresh_cache();
	const char *source = fixture_folder("changing", vector_text);
	CHECK_EQ(open_once(source), 1);
	struct timespec times[2] = {{1000, 5}, {1000, 5}};
	CHECK(!utimensat(AT_FDCWD, scratch_path("changing/kernel-1.traceg"), times, 0));
	CHECK_EQ(open_once(source), 1);
	CHECK_EQ(open_once(source), 0);
}

TEST(a_damaged_entry_is_made_again)
{
	const char *cache = fresh_cache(), *source = fixture_folder("program", vector_text);
	CHECK_EQ(open_once(source), 1);
	size_t count;
	const char *entry = only_entry(cache);
	uint8_t *bytes = fixture_read(entry, &count);
	for (int i = 0; i < 3; i++) {
		uint8_t *bad = malloc(count);
		memcpy(bad, bytes, count);
		if (i == 0)
			bad[count / 2] ^= 1;
		if (i == 1)
			bad[8] = 99;
		fixture_write(entry, bad, i == 2 ? count / 2 : count);
		CHECK_EQ(open_once(source), 1);
		CHECK_EQ(open_once(source), 0);
		free(bad);
	}
	CHECK_EQ(fixture_count_files(cache), 1);
	free(bytes);
}

TEST(imports_at_the_same_time_do_not_disturb_each_other)
{
	const char *cache = fresh_cache(), *source = fixture_folder("shared", vector_text);
	enum { PROCESSES = 6 };
	pid_t child[PROCESSES];
	fflush(stdout);
	for (int i = 0; i < PROCESSES; i++) {
		child[i] = fork();
		if (!child[i])
			_exit(open_once(source) < 0);
	}
	for (int i = 0; i < PROCESSES; i++) {
		int status;
		CHECK_EQ(waitpid(child[i], &status, 0), child[i]);
		CHECK_EQ(status, 0);
	}
	CHECK_EQ(fixture_count_files(cache), 1);
	CHECK_EQ(open_once(source), 0);
}

TEST(native_files_are_opened_in_place)
{
	struct error err;
	const char *cache = fresh_cache(), *out = scratch_path("native.bin");
	CHECK(import_path(fixture_folder("native", vector_text), out, &err));
	CHECK_EQ(open_once(out), 0);
	CHECK(access(cache, F_OK));
	fixture_write_text(scratch_path("bad.sluice"),
	                   "this is no trace but is named like one: it gets that message");
	CHECK(!trace_open_any(scratch_path("bad.sluice"), NULL, NULL, &err));
	CHECK(strstr(err.text, "not a sluice trace"));
}

TEST(a_failed_import_leaves_the_cache_empty)
{
	struct error err;
	const char *cache = fresh_cache();
	const char *source = fixture_folder("broken", HEADER("3", "(1,1,1)", "(32,1,1)") "nonsense\n");
	CHECK(!trace_open_any(source, NULL, NULL, &err));
	CHECK(strstr(err.text, "kernel-1.traceg:18:1: expected '#BEGIN_TB'"));
	CHECK_EQ(fixture_count_files(cache), 0);
	CHECK(!trace_open_any(scratch_path("nowhere"), NULL, NULL, &err));
	CHECK(strstr(err.text, "No such file"));
}

/* The part of an entry's name that people recognise, of a source that is a path in the scratch folder. */
static bool entry_is_named(const char *source, const char *stem)
{
	const char *cache = fresh_cache();
	if (open_once(scratch_path(source)) != 1)
		return false;
	const char *name = strrchr(only_entry(cache), '/') + 1;
	bool ok = !strncmp(name, stem, strlen(stem)) && strlen(name) == strlen(stem) + 1 + 16 + 7;
	if (!ok)
		printf("# %s became %s\n", source, name);
	return ok;
}

TEST(entries_are_named_after_their_source)
{
	fixture_folder("Plain-1_0", vector_text);
	fixture_folder(".hidden ~dir", vector_text);
	CHECK(entry_is_named("Plain-1_0", "Plain-1_0"));
	CHECK(entry_is_named("Plain-1_0/kernelslist.g", "Plain-1_0"));
	CHECK(entry_is_named("Plain-1_0/kernel-1.traceg", "kernel-1.traceg"));
	CHECK(entry_is_named(".hidden ~dir", "_hidden__dir"));
	char long_name[128];
	memset(long_name, 'x', 100);
	strcpy(long_name + 100, ".traceg");
	fixture_write_text(scratch_path(long_name), vector_text);
	long_name[63] = 0;
	char stem[64];
	strcpy(stem, long_name);
	long_name[63] = 'x';
	CHECK(entry_is_named(long_name, stem));
}

TEST(a_cache_that_others_may_write_to_is_refused)
{
	struct error err;
	char name[64];
	const char *cache = fresh_cache(), *source = fixture_folder("trusting", vector_text);
	CHECK_EQ(open_once(source), 1);
	CHECK(cache_is_trusted(cache));
	CHECK(!chmod(cache, 0777));
	CHECK(!cache_is_trusted(cache) && !cache_is_trusted(scratch_path("nowhere")));
	CHECK(!trace_open_any(source, NULL, NULL, &err));
	CHECK(strstr(err.text, "others can write to it, so what it holds cannot be trusted"));
	CHECK(!chmod(cache, 0755));
	CHECK(!cache_name(name, 5, &err) && strstr(err.text, "name of the cache folder too long"));
	CHECK(!cache_folder(name, 5, &err));
	/* An entry's name has no room in one that a folder's has just room in. */
	char deep[4096];
	memset(deep, 'd', sizeof deep);
	for (size_t i = 0; i < sizeof deep; i += 100)
		deep[i] = '/';
	size_t start = strlen(cache);
	memcpy(deep, cache, start);
	deep[4070] = 0;
	setenv("SLUICE_CACHE_DIR", deep, 1);
	CHECK(!trace_open_any(source, NULL, NULL, &err));
	CHECK(strstr(err.text, "name of the cache folder too long"));
	setenv("SLUICE_CACHE_DIR", cache, 1);
	cache_hold(scratch_path("nowhere"));
	CHECK(!trace_is_native("x") && trace_is_native("x.sluice") && !trace_is_native(".sluice"));
}

static char last_warning[1024];

static void keep_warning(const char *text)
{
	snprintf(last_warning, sizeof last_warning, "%s", text);
}

TEST(the_place_of_the_cache_follows_the_environment)
{
	struct error err;
	const char *source = fixture_folder("place", vector_text);
	scratch_remove(scratch_path("home"));
	unsetenv("SLUICE_CACHE_DIR");
	setenv("XDG_CACHE_HOME", scratch_path("home/xdg"), 1);
	CHECK_EQ(open_once(source), 1);
	CHECK_EQ(fixture_count_files(scratch_path("home/xdg/sluice")), 1);
	unsetenv("XDG_CACHE_HOME");
	setenv("HOME", scratch_path("home"), 1);
	CHECK_EQ(open_once(source), 1);
	CHECK_EQ(fixture_count_files(scratch_path("home/.cache/sluice")), 1);
	/* What is set but empty is as if it was not. */
	setenv("SLUICE_CACHE_DIR", "", 1);
	setenv("XDG_CACHE_HOME", "", 1);
	CHECK_EQ(open_once(source), 0);
	setenv("HOME", "", 1);
	CHECK(!trace_open_any(source, NULL, NULL, &err));
	unsetenv("HOME");
	CHECK(!trace_open_any(source, NULL, NULL, &err));
	CHECK(strstr(err.text, "set SLUICE_CACHE_DIR"));
	fixture_write_text(scratch_path("afile"), "x");
	setenv("SLUICE_CACHE_DIR", scratch_path("afile"), 1);
	/* Nothing can be kept there: said, and done without. */
	warning_take(keep_warning);
	struct trace *t = trace_open_any(source, NULL, NULL, &err);
	CHECK(t && strstr(last_warning, "not a folder") &&
	      strstr(last_warning, "SLUICE_CACHE_DIR can name another"));
	trace_close(t);
}

TEST_RUN_ALL(true)
