/*
 * .cu files that are run directly: compiled by `sluice cc` into the cache. An
 * executable is up to date while the files it was made of, headers included, have
 * the same bytes; the compiler's list of them is kept with it.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/cache.h"
#include "base/child.h"
#include "base/files.h"
#include "base/installation.h"
#include "machine/machine.h"
#include "record/parts.h"

/* The next file name of a makefile rule; "\ " is a blank, "\" before a newline goes on. */
static bool next_dependency(const char **at, char name[PATH_MAX])
{
	size_t n = 0;
	while (**at && (strchr(" \t\n\r", **at) || (**at == '\\' && (*at)[1] == '\n')))
		(*at)++;
	for (; **at && !strchr(" \t\n\r", **at) && n + 1 < PATH_MAX; (*at)++) {
		if (**at == '\\' && ((*at)[1] == ' ' || (*at)[1] == '#'))
			(*at)++;
		name[n++] = **at;
	}
	name[n] = '\0';
	return n > 0;
}

static char *read_text(const char *path)
{
	static const struct file_kind build_file = {"a file of a build", 64 << 20};
	return read_whole_file(path, &build_file, NULL, NULL);
}

/*
 * Digest the executable, and names and bytes of all files of the rule in `path`; false if one is missing. Executables in
 * the cache run only with the bytes that the compiler wrote.
 */
static bool digest_build(const char *executable, const char *path, char text[33])
{
	char name[PATH_MAX], *rule = read_text(path);
	const char *at = rule ? strchr(rule, ':') : NULL;
	XXH3_state_t *state = at ? XXH3_createState() : NULL;
	bool ok = state != NULL;
	struct digest app;
	uint64_t app_bytes;
	ok = ok && file_digest(executable, &app, &app_bytes, NULL);
	if (ok) {
		XXH3_128bits_reset(state);
		XXH3_128bits_update(state, &app, sizeof app);
	}
	for (at = at ? at + 1 : NULL; ok && next_dependency(&at, name);) {
		struct digest digest;
		uint64_t bytes;
		/* Other rules may follow, of headers without dependencies. */
		if (name[strlen(name) - 1] == ':')
			break;
		ok = file_digest(name, &digest, &bytes, NULL);
		XXH3_128bits_update(state, name, strlen(name) + 1);
		XXH3_128bits_update(state, &digest, sizeof digest);
	}
	if (ok) {
		XXH128_hash_t hash = XXH3_128bits_digest(state);
		digest_text(&(struct digest){hash.low64, hash.high64}, text);
	}
	XXH3_freeState(state);
	free(rule);
	return ok;
}

/* On machines whose code is not scheduled (those of papers), PTX runs as clang writes it. */
static bool find_code(const struct program_request *request, bool *is_clangs, struct error *err)
{
	struct machine *machine = machine_load(request->machine, err);
	if (!machine)
		return false;
	*is_clangs = !machine->sm_code_scheduled;
	machine_free(machine);
	return true;
}

/* The place depends on the source's path, the working directory, the compiler, and the kind of code. */
static bool place_of(const char *source, bool clang_code, char folder[PATH_MAX], struct error *err)
{
	char root[PATH_MAX], self[PATH_MAX], full[PATH_MAX], cwd[PATH_MAX], name[256], text[33];
	struct stat st = {0};
	if (!realpath(source, full) || !getcwd(cwd, sizeof cwd))
		return error_set(err, "%s: %s", source, strerror(errno));
	if (self_program(self, NULL))
		stat(self, &st);
	struct digest digests[3];
	XXH128_hash_t hash = XXH3_128bits(full, strlen(full));
	digests[0] = (struct digest){hash.low64, hash.high64};
	hash = XXH3_128bits(cwd, strlen(cwd));
	digests[1] = (struct digest){hash.low64, hash.high64};
	digests[2] = (struct digest){(uint64_t)st.st_mtim.tv_sec, (uint64_t)st.st_mtim.tv_nsec};
	hash = XXH3_128bits(digests, sizeof digests);
	digest_text(&(struct digest){hash.low64, hash.high64}, text);
	const char *slash = strrchr(full, '/');
	snprintf(name, sizeof name, "build-%.100s-%s%s", slash ? slash + 1 : full, text,
	         clang_code ? "-clang" : "");
	return program_root(root, err) && path_join(folder, root, name, err);
}

static bool is_current(const char *folder)
{
	char executable[PATH_MAX], rule[PATH_MAX], digest[PATH_MAX], now[33];
	if (!path_join(executable, folder, "app", NULL) || !path_join(rule, folder, "rule", NULL) ||
	    !path_join(digest, folder, "digest", NULL) || access(executable, X_OK))
		return false;
	char *then = read_text(digest);
	bool same =
	    then && cache_is_trusted(executable) && digest_build(executable, rule, now) && !strcmp(now, then);
	if (same)
		cache_touch(folder);
	free(then);
	return same;
}

/* Quote the compiler's messages as far as there is room. */
static bool fail_compile(const char *source, const char *messages, struct error *err)
{
	char *text = messages ? read_text(messages) : NULL;
	error_set(err, "%s: does not compile%s%.800s", source, text ? "\n" : "", text ? text : "");
	free(text);
	return false;
}

static bool compile(const struct program_request *request, bool clang_code, const char *folder,
                    struct error *err)
{
	const char *source = request->path;
	char self[PATH_MAX], executable[PATH_MAX], rule[PATH_MAX], digest[PATH_MAX], messages[PATH_MAX],
	    text[33];
	if (!self_program(self, err) || !path_join(executable, folder, "app", err) ||
	    !path_join(rule, folder, "rule", err) || !path_join(digest, folder, "digest", err) ||
	    !path_join(messages, folder, "messages", err))
		return false;
	char *const argv[] = {self,       "cc",
	                      "-O3",      clang_code ? "-clang-code" : "-lineinfo",
	                      "-MD",      "-MF",
	                      rule,       "-o",
	                      executable, (char *)(uintptr_t)source,
	                      NULL};
	struct child_end end;
	/* The compiler's messages go to standard error: standard output is for the program and the summary. */
	const struct child child = {.argv = argv,
	                            .stdin_path = "/dev/null",
	                            .stderr_path = request->quiet ? messages : NULL,
	                            .merges_output = true,
	                            .end_signal = SIGTERM,
	                            .go_on = request->go_on,
	                            .user = request->user};
	if (!child_run(&child, &end, err))
		return false;
	if (end.status)
		return fail_compile(source, request->quiet ? messages : NULL, err);
	/* Without a digest it is compiled each time. */
	FILE *file = digest_build(executable, rule, text) ? fopen(digest, "we") : NULL;
	if (file) {
		fputs(text, file);
		fclose(file);
	}
	return true;
}

bool program_compile(const struct program_request *request, char executable[PATH_MAX], struct error *err)
{
	char folder[PATH_MAX], root[PATH_MAX], temporary[PATH_MAX];
	bool clang_code;
	if (!find_code(request, &clang_code, err) || !place_of(request->path, clang_code, folder, err))
		return false;
	if (!is_current(folder)) {
		if (!program_root(root, err) || !make_temporary(root, temporary, err))
			return false;
		bool ok = compile(request, clang_code, temporary, err);
		/* Another process may have compiled the same in the meantime, and be about to start it: the first stays. */
		bool is_late = ok && is_current(folder);
		ok = ok && (is_late || replace_folder(temporary, folder, err));
		if (!ok || is_late)
			remove_folder(temporary);
		if (!ok)
			return false;
	}
	return path_join(executable, folder, "app", err);
}
