/* Launch windows: options, their text, and the decision. */
#define _GNU_SOURCE /* dlsym(RTLD_DEFAULT) */
#include "window/window.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/suggest.h"

struct window {
	struct kernels launches;
	uint64_t skip, count; /* count 0: no limit */
	uint64_t matched;     /* launches so far that match */
	uint64_t max_insns;
	bool has_name, is_profiled_only, then_runs;
	regex_t name;
	char *nvtx;
	char *words;
};

/* ---- options and text ------------------------------------------------------------------------------------ */

bool window_options_choose(const struct window_options *o)
{
	return o->launches || o->skip || o->count || o->kernel_name || o->nvtx ||
	       (o->profile_from_start && !strcmp(o->profile_from_start, "off"));
}

static bool check_line(const char *option, const char *text, struct error *err)
{
	if (!text || (*text && !strchr(text, '\n')))
		return true;
	return error_set(err, "%s: %s", option, *text ? "a line break in it" : "it is empty");
}

static bool check_options(const struct window_options *o, struct error *err)
{
	char clip[CLIP_SIZE];
	const char *from_start = o->profile_from_start;
	if (from_start && strcmp(from_start, "on") && strcmp(from_start, "off"))
		return error_set(err, "--profile-from-start: '%s' is neither on nor off",
		                 clip_text(clip, from_start));
	return check_line("--launches", o->launches, err) &&
	       check_line("--kernel-name", o->kernel_name, err) && check_line("--nvtx", o->nvtx, err);
}

char *window_text(const struct window_options *o, struct error *err)
{
	char *text = NULL;
	size_t bytes;
	if (!check_options(o, err))
		return NULL;
	FILE *out = memory_stream_open(&text, &bytes);
	if (o->launches)
		fprintf(out, "launches=%s\n", o->launches);
	if (o->skip)
		fprintf(out, "skip=%" PRIu64 "\n", o->skip);
	if (o->count)
		fprintf(out, "count=%" PRIu64 "\n", o->count);
	if (o->kernel_name)
		fprintf(out, "kernel_name=%s\n", o->kernel_name);
	if (o->nvtx)
		fprintf(out, "nvtx=%s\n", o->nvtx);
	if (o->profile_from_start && !strcmp(o->profile_from_start, "off"))
		fputs("profile_from_start=off\n", out);
	if (o->max_insns)
		fprintf(out, "max_insns=%" PRIu64 "\n", o->max_insns);
	if (o->then_run && (o->max_insns || window_options_choose(o)))
		fputs("then_run=yes\n", out);
	fclose(out);
	struct window *window = window_new(text, err);
	if (!window) {
		free(text);
		return NULL;
	}
	window_free(window);
	return text;
}

static bool compile_name(struct window *w, const char *pattern, struct error *err)
{
	char why[128], clip[CLIP_SIZE];
	int code = regcomp(&w->name, pattern, REG_EXTENDED | REG_NOSUB);
	if (code) {
		regerror(code, &w->name, why, sizeof why);
		return error_set(err, "--kernel-name: '%s' is no regular expression: %s",
		                 clip_text(clip, pattern), why);
	}
	w->has_name = true;
	return true;
}

static bool read_number(const char *option, const char *value, uint64_t *number, struct error *err)
{
	return args_read_number(option, value, 0, INT64_MAX, number, err);
}

/* One line of the text; `words` gets it as the option that it came from. */
static bool take_line(struct window *w, const char *key, const char *value, FILE *words, struct error *err)
{
	static const struct {
		const char *key, *option;
	} options[] = {{"launches", "--launches"},   {"skip", "--launch-skip"},
	               {"count", "--launch-count"},  {"kernel_name", "--kernel-name"},
	               {"nvtx", "--nvtx"},           {"profile_from_start", "--profile-from-start"},
	               {"max_insns", "--max-insns"}, {"then_run", "--then-run"}};
	size_t i = 0;
	while (i < sizeof options / sizeof *options && strcmp(options[i].key, key) != 0)
		i++;
	if (i == sizeof options / sizeof *options)
		return error_set(err, "launch window: no key '%.40s'", key);
	const char *option = options[i].option;
	fprintf(words, "%s%s%s%s", ftell(words) ? " " : "", option, i == 7 ? "" : " ", i == 7 ? "" : value);
	switch (i) {
	case 0:
		return kernels_parse(&w->launches, option, value, err);
	case 1:
		return read_number(option, value, &w->skip, err);
	case 2:
		return read_number(option, value, &w->count, err);
	case 3:
		return compile_name(w, value, err);
	case 4:
		w->nvtx = memory_text(value);
		return true;
	case 5:
		w->is_profiled_only = !strcmp(value, "off");
		return true;
	case 6:
		return read_number(option, value, &w->max_insns, err);
	default:
		return w->then_runs = true;
	}
}

static bool take_lines(struct window *w, char *text, FILE *words, struct error *err)
{
	char *line;
	while ((line = strsep(&text, "\n"))) {
		char *equals = strchr(line, '=');
		if (!*line)
			continue;
		if (!equals)
			return error_set(err, "launch window: '%.40s' is no KEY=VALUE", line);
		*equals = '\0';
		if (!take_line(w, line, equals + 1, words, err))
			return false;
	}
	return true;
}

struct window *window_new(const char *text, struct error *err)
{
	struct window *w = memory_zeroed(1, sizeof *w);
	char *copy = memory_text(text);
	size_t bytes;
	FILE *words = memory_stream_open(&w->words, &bytes);
	bool ok = take_lines(w, copy, words, err);
	fclose(words);
	free(copy);
	if (ok)
		return w;
	window_free(w);
	return NULL;
}

void window_free(struct window *w)
{
	if (!w)
		return;
	if (w->has_name)
		regfree(&w->name);
	free(w->nvtx);
	free(w->words);
	free(w);
}

/* ---- the decision ---------------------------------------------------------------------------------------- */

/* The C++ library's, which programs in CUDA have loaded; without it only mangled names match. The caller frees it. */
static char *demangle(const char *name)
{
	typedef char *demangle_fn(const char *, char *, size_t *, int *);
	static const char symbol[] = "__cxa_demangle";
	void *found = dlsym(RTLD_DEFAULT, symbol);
	if (!found) {
		void *library = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);
		found = library ? dlsym(library, symbol) : NULL;
	}
	demangle_fn *function;
	memcpy(&function, &found, sizeof function);
	int status;
	return function ? function(name, NULL, NULL, &status) : NULL;
}

static bool name_matches(const struct window *w, const char *name)
{
	if (!w->has_name || !regexec(&w->name, name, 0, NULL, 0))
		return true;
	char *plain = demangle(name);
	bool matches = plain && !regexec(&w->name, plain, 0, NULL, 0);
	free(plain);
	return matches;
}

static bool matches(const struct window *w, const struct window_launch *l)
{
	return kernels_has(&w->launches, l->number) && (!w->is_profiled_only || l->is_profiled) &&
	       (!w->nvtx || l->is_in_range) && name_matches(w, l->name);
}

static bool is_used_up(const struct window *w)
{
	return w->count && w->matched >= w->skip + w->count;
}

bool window_wants(const struct window *w, const struct window_launch *launch)
{
	return !is_used_up(w) && matches(w, launch) && w->matched >= w->skip;
}

void window_count(struct window *w, const struct window_launch *launch)
{
	w->matched += matches(w, launch);
}

bool window_is_over(const struct window *w, uint64_t number)
{
	return is_used_up(w) || number >= kernels_last(&w->launches);
}

bool window_is_full(const struct window *w, uint64_t warp_insns)
{
	return w->max_insns && warp_insns >= w->max_insns;
}

const char *window_nvtx(const struct window *w)
{
	return w->nvtx;
}

bool window_starts_off(const struct window *w)
{
	return w->is_profiled_only;
}

bool window_then_runs(const struct window *w)
{
	return w->then_runs;
}

bool window_needs_program(const struct window *w)
{
	return w->nvtx || w->is_profiled_only;
}

bool window_check(const struct window *w, const char *whose, uint64_t launches, struct error *err)
{
	return kernels_check(&w->launches, "--launches", whose, launches, err);
}

const char *window_words(const struct window *w)
{
	return w->words;
}
