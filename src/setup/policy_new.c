/* The folder of a new policy: a copy of examples/policy under a new name. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/installation.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/read_files.h"
#include "base/suggest.h"
#include "policy/chain.h"
#include "setup/setup.h"

enum { NAME_MOST = 40 };

struct names {
	const char *name;          /* "my-policy" */
	char ident[NAME_MOST + 1]; /* "my_policy": in C */
};

static bool check_name(struct names *names, const char *name, struct error *err)
{
	char clip[CLIP_SIZE];
	size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-");
	if (!islower((unsigned char)name[0]) || name[length] || length > NAME_MOST)
		return error_set(
		    err,
		    "new: '%s' cannot be a policy's name; expected a small letter, then small letters, "
		    "digits and '-', %d at most",
		    clip_text(clip, name), NAME_MOST);
	if (policy_find(name))
		return error_set(err, "new: there is a policy '%s' already; 'sluice policy list' shows all",
		                 name);
	names->name = name;
	snprintf(names->ident, sizeof names->ident, "%s", name);
	for (char *c = names->ident; *c; c++)
		*c = *c == '-' ? '_' : *c;
	return true;
}

/* The text, in which few-loads and few_loads, a policy that works, become ours; the caller frees it. */
static char *fill_in(FILE *in, const struct names *names)
{
	static const char name[] = "few-loads", ident[] = "few_loads";
	char *text = NULL, *line = NULL;
	size_t size, room = 0;
	FILE *out = memory_stream_open(&text, &size);
	while (getline(&line, &room, in) > 0)
		for (const char *at = line; *at;) {
			bool is_name = !strncmp(at, name, strlen(name));
			if (is_name || !strncmp(at, ident, strlen(ident))) {
				fputs(is_name ? names->name : names->ident, out);
				at += strlen(name);
			} else {
				fputc(*at++, out);
			}
		}
	free(line);
	memory_stream_close(out);
	return text;
}

static bool write_file(const char *templates, const char *file, const char *folder, const char *as,
                       const struct names *names, struct error *err)
{
	char from[PATH_MAX], to[PATH_MAX];
	if (snprintf(from, sizeof from, "%s/%s", templates, file) >= (int)sizeof from ||
	    snprintf(to, sizeof to, "%s/%s", folder, as) >= (int)sizeof to)
		return error_set(err, "%s: the path is too long", folder);
	FILE *in = fopen(from, "r");
	read_files_note_path(from);
	if (!in)
		return error_set(err, "%s: %s; install sluice again, whole", from, strerror(errno));
	char *text = fill_in(in, names);
	bool ok = (!ferror(in) || error_set(err, "%s: cannot be read", from)) &&
	          output_write(to, text, strlen(text), err);
	fclose(in);
	free(text);
	return ok;
}

static bool make_folder(const char *folder, struct error *err)
{
	if (mkdir(folder, 0777) == 0)
		return true;
	if (errno == EEXIST && rmdir(folder) == 0 && mkdir(folder, 0777) == 0)
		return true; /* it was empty */
	return error_set(err, "new: %s: %s", folder,
	                 errno == ENOTEMPTY || errno == ENOTDIR || errno == EEXIST
	                     ? "is there already, and not an empty folder; name another"
	                     : strerror(errno));
}

/* The files of a kind that copies are made of: NULL if there is no such kind. */
static const struct kind {
	const char *name, *source, *test;
} kinds[] = {
    {"throttle", "few_loads.c", "test.sh"},
    {"scheduler", "kinds/scheduler.c", "kinds/test.sh"},
    {"bypass", "kinds/bypass.c", "kinds/test.sh"},
    {"replacement", "kinds/replacement.c", "kinds/test.sh"},
    {"prefetch", "kinds/prefetch.c", "kinds/test.sh"},
    {"l2", "kinds/l2.c", "kinds/test.sh"},
    {"cta", "kinds/cta.c", "kinds/test.sh"},
};

static const struct kind *find_kind(const char *name, struct error *err)
{
	struct suggest nearest = suggest_start(name);
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (!strcmp(kinds[i].name, name))
			return &kinds[i];
		suggest_offer(&nearest, kinds[i].name);
	}
	error_set(
	    err,
	    "new: there is no kind '%s'; expected scheduler, throttle, bypass, replacement, prefetch, l2 or cta%s%s%s",
	    name, nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "",
	    nearest.best ? "'?" : "");
	return NULL;
}

bool setup_make_policy(const char *name, const char *kind_name, const char *folder,
                       char source[SETUP_SOURCE_SIZE], struct error *err)
{
	struct names names;
	char templates[PATH_MAX];
	const struct kind *kind = find_kind(kind_name, err);
	if (!kind || !check_name(&names, name, err))
		return false;
	if (!own_path_find("share/sluice/examples/policy", templates, sizeof templates))
		return error_set(
		    err,
		    "new: this sluice lacks its share/sluice/examples/policy: install sluice again, whole");
	snprintf(source, SETUP_SOURCE_SIZE, "%s.c", names.ident);
	return make_folder(folder, err) && write_file(templates, kind->source, folder, source, &names, err) &&
	       write_file(templates, "CMakeLists.txt", folder, "CMakeLists.txt", &names, err) &&
	       write_file(templates, kind->test, folder, "test.sh", &names, err);
}
