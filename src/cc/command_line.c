#include "cc/command_line.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/memory.h"

void words_add(struct words *words, const char *text)
{
	words->text = memory_grow(words->text, words->count + 2, sizeof *words->text);
	words->text[words->count++] = memory_text(text);
	words->text[words->count] = NULL;
}

void words_add_all(struct words *words, ...)
{
	va_list args;
	va_start(args, words);
	for (const char *text; (text = va_arg(args, const char *));)
		words_add(words, text);
	va_end(args);
}

const char *words_format(struct words *words, const char *format, ...)
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
	return words->text[words->count - 1];
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

char *cc_read_text(const char *path, struct error *err)
{
	static const struct file_kind kind = {"a source or an intermediate file", SIZE_MAX / 8};
	return read_intermediate_file(path, &kind, NULL, err);
}

bool word_begins(const char *word, const char *with)
{
	return !strncmp(word, with, strlen(with));
}

void word_print(FILE *out, const char *word)
{
	bool plain = *word && !strpbrk(word, " \t\n\"'\\$&|;<>()*?[]#~`");
	fprintf(out, plain ? "%s" : "'%s'", word);
}

void words_print(FILE *out, const struct words *command)
{
	fputs("#$", out);
	for (size_t i = 0; i < command->count; i++) {
		const char *word = command->text[i];
		bool is_output = i && !strcmp(command->text[i - 1], "-o") && !strpbrk(word, "\"$`\\\n");
		fputc(' ', out);
		/* Configure scripts look for the output between the quotes that nvcc writes. */
		if (is_output)
			fprintf(out, "\"%s\"", word);
		else
			word_print(out, word);
	}
	fputc('\n', out);
}
