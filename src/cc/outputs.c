/*
 * The files that an order writes, and that none of them is read: sources and libraries, and the headers that the sources
 * include. Compilers write some outputs themselves and know nothing of base/read_files.h. A rule for make names the headers,
 * which takes a run of the preprocessor; it is made only if an output exists that could be a header.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/output.h"
#include "base/read_files.h"
#include "cc/job.h"

/* Add FOLDER/STEM.ending, where STEM is the last part of `path` without its own ending. */
static void add_beside(struct words *names, const char *folder, const char *path, const char *ending)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
	words_format(names, "%s%s%.*s%s", folder, *folder ? "/" : "",
	             dot ? (int)(dot - base) : (int)strlen(base), base, ending);
}

static void list_outputs(const struct cc_order *order, struct words *names)
{
	enum { ENDINGS = 3 };
	static const char *const endings[ENDINGS] = {".o", ".d", ".ptx"};
	if (order->output) {
		words_add(names, order->output);
		const char *slash = strrchr(order->output, '/'), *dot = strrchr(order->output, '.');
		words_format(names, "%.*s.d",
		             dot && (!slash || dot > slash) ? (int)(dot - order->output)
		                                            : (int)strlen(order->output),
		             order->output);
	} else if (order->stage == CC_LINK) {
		words_add(names, "a.out");
	}
	if (order->dependency_file)
		words_add(names, order->dependency_file);
	for (size_t i = 0; i < order->item_count; i++)
		for (size_t k = 0; order->items[i].is_input && cc_is_source(&order->items[i]) && k < ENDINGS;
		     k++) {
			add_beside(names, "", order->items[i].text, endings[k]);
			if (order->keep_dir)
				add_beside(names, order->keep_dir, order->items[i].text, endings[k]);
		}
}

/* Whether there is a file that might be included: not an object, archive or program, nor a rule for make ("x.o: x.cu"). */
static bool could_be_header(const char *path)
{
	char start[256];
	struct stat file;
	if (stat(path, &file) || !S_ISREG(file.st_mode))
		return false;
	FILE *in = fopen(path, "re");
	size_t bytes = in ? fread(start, 1, sizeof start - 1, in) : 0;
	if (in)
		fclose(in);
	start[bytes] = '\0';
	size_t target = strcspn(start, ":# \n\t\"/*{;(");
	bool is_rule = start[target] == ':' && start[target + 1] == ' ' && memchr(start, '.', target);
	return in && !is_rule && strncmp(start, "\177ELF", 4) != 0 && strncmp(start, "!<arch>", 7) != 0;
}

bool cc_outputs_could_be_headers(const struct cc_order *order)
{
	struct words names = {0};
	bool found = false;
	list_outputs(order, &names);
	for (size_t i = 0; i < names.count; i++)
		found |= could_be_header(names.text[i]);
	words_free(&names);
	return found;
}

/* rule = target ":" {blank | "\" newline | name}; in a name, "\" stands before a blank, "$" before "$" */
void cc_note_rule(char *rule)
{
	char *at = strstr(rule, ": ");
	while (at && *at) {
		at += strspn(at, ": \t\r\n");
		if (at[0] == '\\' && (at[1] == '\n' || at[1] == '\r')) {
			at++;
			continue;
		}
		char *name = at, *to = at;
		while (*at && !strchr(" \t\r\n", *at)) {
			at += (at[0] == '\\' && (at[1] == ' ' || at[1] == '#')) ||
			      (at[0] == '$' && at[1] == '$');
			*to++ = *at++;
		}
		char *next = *at ? at + 1 : at;
		*to = '\0';
		if (*name)
			read_files_note_path(name);
		at = next;
	}
}

bool cc_check_outputs(const struct cc_order *order, struct error *err)
{
	struct words names = {0};
	bool ok = true;
	list_outputs(order, &names);
	for (size_t i = 0; ok && i < names.count; i++)
		ok = output_allowed(names.text[i], err);
	words_free(&names);
	return ok;
}
