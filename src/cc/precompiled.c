/*
 * Precompiled headers. Every CUDA source begins with cuda_runtime.h, which takes clang longer to read than most programs.
 * `sluice cc --precompile` keeps clang's precompiled form, for a set of options, in share/sluice/precompiled; later
 * commands with the same options read that instead.
 *
 * Results must be the same with and without it. A precompiled header is valid for commands with the same words, except
 * words that it cannot depend on: folders of -I that hold none of its files, and the level of optimization, of which
 * headers see only whether there is any (-O0 is none). And it is valid only while clang and all files that it was made
 * from are unchanged.
 */
#define _GNU_SOURCE /* st_mtim */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/cleanup.h"
#include "base/installation.h"
#include "base/memory.h"
#include "base/output.h"
#include "cc/job.h"

static const char header[] = "cuda_runtime.h";

/* ---- the key ------------------------------------------------------------------------------------------ */

static bool begins_with_any(const char *word, const char *const *beginnings)
{
	while (*beginnings && !word_begins(word, *beginnings))
		beginnings++;
	return *beginnings;
}

/* Count the words at `i` that ask for a rule for make, which names the same files either way (-MMD would not). */
static size_t rule_words(const struct words *words, size_t i)
{
	static const char *const alone[] = {"-MD", "-MP", NULL}, *const with_value[] = {"-MF", "-MT", "-MQ",
	                                                                                NULL};
	const char *word = words->text[i];
	return strlen(word) != 3                   ? 0
	       : begins_with_any(word, alone)      ? 1
	       : begins_with_any(word, with_value) ? 2
	                                           : 0;
}

/* Whether all options are single words that name no file to read, besides -I, which is checked separately. */
static bool are_plain(const struct words *options)
{
	static const char *const plain[] = {"-I", "-D", "-U", "-W", "-f", "-g", "-m", NULL};
	static const char *const others[] = {"-Wp,", "-fplugin", "-fpass", "-fmodule", "-mllvm", NULL};
	for (size_t i = 0; i < options->count; i++) {
		const char *word = options->text[i];
		if (rule_words(options, i))
			i += rule_words(options, i) - 1;
		else if (strcmp(word, "-w") != 0 && strcmp(word, "-g") != 0 &&
		         (!begins_with_any(word, plain) || !word[2] || begins_with_any(word, others)))
			return false;
	}
	return true;
}

static bool is_plain_order(const struct cc_order *order)
{
	static const char *const searched[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
	                                       "CCC_OVERRIDE_OPTIONS"};
	for (size_t i = 0; i < sizeof searched / sizeof *searched; i++)
		if (getenv(searched[i]))
			return false;
	return are_plain(&order->all) && are_plain(&order->cuda) && are_plain(&order->device) &&
	       are_plain(&order->cuda_host);
}

/* Write the words that the header depends on as one text. */
static char *describe(const struct words *command)
{
	char *text;
	size_t bytes;
	FILE *out = memory_stream_open(&text, &bytes);
	for (size_t i = 0; i < command->count; i++) {
		const char *word = command->text[i];
		bool is_level = !strcmp(word, "-O1") || !strcmp(word, "-O2") || !strcmp(word, "-O3");
		if (rule_words(command, i))
			i += rule_words(command, i) - 1;
		else if (!word_begins(word, "-I") && strcmp(word, "-O0") != 0)
			fprintf(out, "%s ", is_level ? "-O2" : word);
	}
	memory_stream_close(out);
	return text;
}

/* Make "FOLDER/KEY", the name without .pch and .list. */
static bool make_name(const char *folder, const char *description, char *name, size_t size)
{
	int n = snprintf(name, size, "%s/%016" PRIx64, folder,
	                 (uint64_t)XXH3_64bits(description, strlen(description)));
	return n > 0 && (size_t)n + sizeof ".list" < size;
}

/* ---- validity ---------------------------------------------------------------------------- */

static void print_file(FILE *out, const char *path)
{
	struct stat st;
	if (stat(path, &st))
		fprintf(out, "missing %s\n", path);
	else
		fprintf(out, "%jd %jd.%09ld %s\n", (intmax_t)st.st_size, (intmax_t)st.st_mtim.tv_sec,
		        st.st_mtim.tv_nsec, path);
}

/* list = description "\n" {size time path "\n"}; whether a line of it is what print_file() prints now */
static bool is_as_it_was(const char *line, size_t length)
{
	const char *path = memchr(line, ' ', length);
	path = path ? memchr(path + 1, ' ', length - (size_t)(path + 1 - line)) : NULL;
	if (!path)
		return false;
	char *name = memory_text(path + 1), *now;
	name[strcspn(name, "\n")] = '\0';
	size_t bytes;
	FILE *out = memory_stream_open(&now, &bytes);
	print_file(out, name);
	memory_stream_close(out);
	bool same = bytes == length + 1 && !memcmp(now, line, bytes);
	free(now);
	free(name);
	return same;
}

/* Whether `folder` holds the file by any name that may include it. */
static bool is_found_in(const char *folder, const char *path, size_t length)
{
	char probe[4096];
	for (size_t at = length; at > 0; at--) {
		if (path[at - 1] != '/')
			continue;
		int n = snprintf(probe, sizeof probe, "%s/%.*s", folder, (int)(length - at), path + at);
		if (n < 0 || (size_t)n >= sizeof probe || access(probe, F_OK) == 0)
			return true;
	}
	return false;
}

static bool is_hidden_by(const struct words *command, const char *line, size_t length)
{
	const char *path = memchr(line, '/', length);
	for (size_t i = 0; path && i < command->count; i++)
		if (word_begins(command->text[i], "-I") &&
		    is_found_in(command->text[i] + 2, path, length - (size_t)(path - line)))
			return true;
	return false;
}

static bool counts(const struct words *command, const char *description, const char *list)
{
	size_t length = strlen(description);
	if (strncmp(list, description, length) != 0 || list[length] != '\n')
		return false;
	size_t files = 0;
	for (const char *line = list + length + 1; *line; files++) {
		const char *end = strchr(line, '\n');
		if (!end || !is_as_it_was(line, (size_t)(end - line)) ||
		    is_hidden_by(command, line, (size_t)(end - line)))
			return false;
		line = end + 1;
	}
	return files > 2; /* clang, the precompiled header, what it was made of */
}

/* Find a valid one for this command; `name` gets its path without the ending. */
static bool find(const struct words *command, const char *folder, char *name, size_t size)
{
	char path[1100];
	struct error ignored;
	char *description = describe(command);
	bool found = make_name(folder, description, name, size);
	snprintf(path, sizeof path, "%s.list", name);
	char *list = found && access(path, R_OK) == 0 ? cc_read_text(path, &ignored) : NULL;
	found = list && counts(command, description, list);
	free(list);
	free(description);
	return found;
}

/* Find the word "-include" before the header; SIZE_MAX if it is not there. */
static size_t find_include(const struct words *command)
{
	for (size_t i = 0; i + 1 < command->count; i++)
		if (!strcmp(command->text[i], "-include") && !strcmp(command->text[i + 1], header))
			return i;
	return SIZE_MAX;
}

void cc_use_precompiled(const struct job *job, struct words *command)
{
	char folder[1024], name[1090];
	size_t at = find_include(command);
	if (at == SIZE_MAX || !is_plain_order(job->order) || access(header, F_OK) == 0 ||
	    !own_path_find("share/sluice/precompiled", folder, sizeof folder) ||
	    !find(command, folder, name, sizeof name))
		return;
	free(command->text[at]);
	free(command->text[at + 1]);
	command->text[at] = memory_text("-include-pch");
	strcat(name, ".pch");
	command->text[at + 1] = memory_text(name);
}

/* ---- making one ----------------------------------------------------------------------------------------- */

/* rule = target ": " {file ["\\" "\n"]}; prints its files, where a backslash escapes spaces */
static void print_dependencies(FILE *out, const char *rule)
{
	const char *at = strstr(rule, ": ");
	for (at = at ? at + 2 : ""; *at;) {
		at += strspn(at, " \n");
		if (at[0] == '\\' && at[1] == '\n') {
			at++;
			continue;
		}
		char path[4096];
		size_t length = 0;
		for (; *at && *at != ' ' && *at != '\n' && length + 1 < sizeof path; at++) {
			if (at[0] == '\\' && (at[1] == ' ' || at[1] == '#'))
				at++;
			path[length++] = *at;
		}
		path[length] = '\0';
		if (length)
			print_file(out, path);
	}
}

static bool write_list(struct job *job, const char *description, const char *made, const char *name)
{
	char path[1200], partial[1200];
	snprintf(path, sizeof path, "%s.d", made);
	char *rule = cc_read_text(path, job->err), *text;
	if (!rule)
		return false;
	size_t bytes;
	FILE *out = memory_stream_open(&text, &bytes);
	fprintf(out, "%s\n", description);
	char *clang = realpath(job->tools->clang, NULL);
	print_file(out, clang ? clang : job->tools->clang);
	free(clang);
	snprintf(path, sizeof path, "%s.pch", name);
	print_file(out, path);
	print_dependencies(out, rule);
	memory_stream_close(out);
	free(rule);
	snprintf(path, sizeof path, "%s.list", name);
	snprintf(partial, sizeof partial, "%s.list", made);
	bool done = output_write(partial, text, bytes, job->err) &&
	            (rename(partial, path) == 0 || error_set(job->err, "%s: %s", path, strerror(errno)));
	free(text);
	return done;
}

/* Run the command with the header as its source, so that rules for make name it and no temporary file. */
static int run_clang(struct job *job, const struct words *command, const char *made)
{
	struct words make = {0};
	size_t include = find_include(command);
	for (size_t i = 0; i < command->count; i++)
		if (i != include && i != include + 1)
			words_add(&make, command->text[i]);
	words_add_all(&make, "-Xclang", "-emit-pch", "-fsyntax-only", "-MD", "-MF", NULL);
	words_format(&make, "%s.d", made);
	words_format(&make, "%s/%s", job->tools->headers, header);
	words_add_all(&make, "-Xclang", "-o", "-Xclang", NULL);
	words_format(&make, "%s.pch", made);
	return cc_job_run_last(job, &make);
}

static int make_in(struct job *job, const struct words *command, const char *name, const char *made)
{
	char path[1200], partial[1200];
	int code = run_clang(job, command, made);
	if (code || job->order->dry_run)
		return code;
	snprintf(path, sizeof path, "%s.pch", name);
	snprintf(partial, sizeof partial, "%s.pch", made);
	if (rename(partial, path)) {
		error_set(job->err, "%s: %s", path, strerror(errno));
		return BAD_INPUT;
	}
	char *description = describe(command);
	code = write_list(job, description, made, name) ? DONE : BAD_INPUT;
	free(description);
	return code;
}

int cc_job_precompile(struct job *job, const struct words *command)
{
	char folder[1024], name[1090], made[1100];
	if (!is_plain_order(job->order)) {
		error_set(job->err, "--precompile takes options that begin with -D, -U, -O, -W, -f, -m, -std "
		                    "and -arch, and no CPATH");
		return BAD_INPUT;
	}
	if (!own_path_find("share/sluice", folder, sizeof folder - 16)) {
		error_set(job->err, "this sluice lacks its share/sluice: install it whole");
		return BAD_INPUT;
	}
	strcat(folder, "/precompiled");
	if (mkdir(folder, 0777) && errno != EEXIST) {
		error_set(job->err, "%s: %s", folder, strerror(errno));
		return BAD_INPUT;
	}
	if (find(command, folder, name, sizeof name))
		return DONE;
	snprintf(made, sizeof made, "%s/tmp-XXXXXX", folder);
	if (!mkdtemp(made)) {
		error_set(job->err, "%s: %s", made, strerror(errno));
		return BAD_INPUT;
	}
	cleanup_add(made);
	size_t length = strlen(made);
	strcat(made, "/x");
	int code = make_in(job, command, name, made);
	made[length] = '\0';
	remove_tree(made);
	cleanup_done(made);
	return code;
}
