/* Command lines as lists of texts, and whole files as texts. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cc/cc.h"

void words_add(struct words *words, const char *text)
{
	words->text = memory_grow(words->text, words->count + 2, sizeof *words->text);
	words->text[words->count++] = memory_text(text);
	words->text[words->count] = NULL;
}

void words_format(struct words *words, const char *format, ...)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = memory_stream_open(&text, &bytes);
	va_list args;
	va_start(args, format);
	vfprintf(out, format, args);
	va_end(args);
	memory_stream_close(out);
	words_add(words, text);
	free(text);
}

void words_append(struct words *words, const struct words *more)
{
	for (size_t i = 0; i < more->count; i++)
		words_add(words, more->text[i]);
}

void words_free(struct words *words)
{
	for (size_t i = 0; i < words->count; i++)
		free(words->text[i]);
	free(words->text);
	*words = (struct words){0};
}

char *cc_read_file(const char *path, struct error *err)
{
	FILE *in = fopen(path, "rb");
	if (!in) {
		error_set(err, "%s: %s", path, strerror(errno));
		return NULL;
	}
	char *text = NULL;
	size_t size = 0, room = 0;
	for (;;) {
		if (size + 1 >= room)
			text = memory_grow(text, room = room * 2 + 65536, 1);
		size_t got = fread(text + size, 1, room - size - 1, in);
		size += got;
		if (!got)
			break;
	}
	text[size] = 0;
	bool failed = ferror(in) != 0;
	fclose(in);
	if (!failed)
		return text;
	error_set(err, "%s: cannot be read", path);
	free(text);
	return NULL;
}

bool cc_write_file(const char *path, const char *text, size_t bytes, struct error *err)
{
	FILE *out = fopen(path, "wb");
	if (!out)
		return error_set(err, "%s: %s", path, strerror(errno));
	bool written = fwrite(text, 1, bytes, out) == bytes;
	if (fclose(out) != 0 || !written)
		return error_set(err, "%s: cannot be written", path);
	return true;
}
