/* Files that are rewritten for clang, and how it gets to see them: as if the originals were so. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "cc/cc.h"

struct overlay {
	const struct words *options; /* for -I */
	const char *folder;
	struct words seen; /* absolute paths */
	struct words replaced, copies;
};

static bool was_seen(const struct words *seen, const char *path)
{
	for (size_t i = 0; i < seen->count; i++)
		if (!strcmp(seen->text[i], path))
			return true;
	return false;
}

static bool visit_file(struct overlay *overlay, const char *path, struct error *err);

/* #include "name": beside the including file, else in the folders of -I. */
static bool visit_include(struct overlay *overlay, const char *includer, const char *name, size_t length,
                          struct error *err)
{
	char path[2048];
	const char *slash = strrchr(includer, '/');
	snprintf(path, sizeof path, "%.*s/%.*s", (int)(slash - includer), includer, (int)length, name);
	for (size_t i = 0; access(path, R_OK) != 0 && i < overlay->options->count; i++)
		if (!strncmp(overlay->options->text[i], "-I", 2))
			snprintf(path, sizeof path, "%s/%.*s", overlay->options->text[i] + 2, (int)length,
			         name);
	return access(path, R_OK) != 0 || visit_file(overlay, path, err);
}

static bool visit_includes(struct overlay *overlay, const char *path, const char *text, struct error *err)
{
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		const char *at = line + strspn(line, " \t");
		if (*at++ != '#')
			continue;
		at += strspn(at, " \t");
		if (strncmp(at, "include", 7) != 0)
			continue;
		at += 7 + strspn(at + 7, " \t");
		if (*at == '"' && !visit_include(overlay, path, at + 1, strcspn(at + 1, "\"\n"), err))
			return false;
	}
	return true;
}

static bool visit_file(struct overlay *overlay, const char *path, struct error *err)
{
	char *whole = realpath(path, NULL);
	if (!whole || was_seen(&overlay->seen, whole)) {
		free(whole);
		return true;
	}
	words_add(&overlay->seen, whole);
	char *text = cc_read_file(whole, err);
	bool done = text && visit_includes(overlay, whole, text, err);
	if (done && cc_rewrite(&text)) {
		words_format(&overlay->copies, "%s/copy-%zu", overlay->folder, overlay->copies.count);
		words_add(&overlay->replaced, whole);
		done =
		    cc_write_file(overlay->copies.text[overlay->copies.count - 1], text, strlen(text), err);
	}
	free(text);
	free(whole);
	return done;
}

/* clang's description of a file system with some files replaced, in YAML; a quote in a name is doubled. */
static void print_quoted(FILE *out, const char *text)
{
	fputc('\'', out);
	for (; *text; text++)
		fprintf(out, *text == '\'' ? "''" : "%c", *text);
	fputc('\'', out);
}

static bool write_overlay(const struct overlay *overlay, const char *path, struct error *err)
{
	FILE *out = fopen(path, "w");
	if (!out)
		return error_set(err, "%s: cannot be written", path);
	fputs("version: 0\nuse-external-names: false\nroots:\n", out);
	for (size_t i = 0; i < overlay->copies.count; i++) {
		fputs("  - type: file\n    name: ", out);
		print_quoted(out, overlay->replaced.text[i]);
		fputs("\n    external-contents: ", out);
		print_quoted(out, overlay->copies.text[i]);
		fputc('\n', out);
	}
	return fclose(out) == 0 || error_set(err, "%s: cannot be written", path);
}

bool cc_overlay_rewritten(const char *source, const struct words *options, const char *folder, char **path,
                          struct error *err)
{
	struct overlay overlay = {.options = options, .folder = folder};
	*path = NULL;
	bool done = visit_file(&overlay, source, err);
	if (done && overlay.copies.count) {
		char name[1024];
		snprintf(name, sizeof name, "%s/overlay.yaml", folder);
		done = write_overlay(&overlay, name, err);
		*path = memory_text(name);
	}
	words_free(&overlay.seen);
	words_free(&overlay.replaced);
	words_free(&overlay.copies);
	return done;
}
