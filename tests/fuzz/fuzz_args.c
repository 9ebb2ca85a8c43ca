/*
 * Any words as a command line: divided between us and a program, parsed, and the lists and numbers in it read. Words
 * are separated by newlines; one that begins with 'p' is a program.
 */
#include <stdlib.h>
#include <string.h>

#include "base/args.h"
#include "window/kernels.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { WORDS_MAX = 40 };

static bool is_program(const char *word)
{
	return word[0] == 'p';
}

static void read_words(int argc, char **argv)
{
	uint64_t number = 0;
	bool flag = false, named = false;
	const char *text = NULL, *operand = NULL;
	struct arg_texts texts = {.count = 0};
	struct kernels kernels = {.count = 0};
	struct error err = {""};
	const struct arg args[] = {
	    {"--number", "N", "", .number = &number, .min = 3, .max = UINT64_MAX},
	    {"--flag", NULL, "", .flag = &flag},
	    {"--program", NULL, "", .flag = &named, .names_program = true},
	    {"--text", "T", "", .text = &text},
	    {"--texts", "T", "", .texts = &texts},
	};
	const size_t count = sizeof args / sizeof *args;
	struct args_split split;
	args_divide(argc, argv, args, count, is_program, &split);
	/* No word is lost, and none is made; "--" may go. */
	size_t words = (size_t)split.our_count + split.their_count;
	if (words > (size_t)argc || words + 1 < (size_t)argc)
		abort();
	if (!args_parse(split.our_count, split.ours, args, count, &operand, &err) &&
	    (!err.text[0] || strpbrk(err.text, "\r\x1b")))
		abort();
	if (text && kernels_parse(&kernels, "--kernel", text, &err))
		kernels_check(&kernels, "--kernel", "the trace has", 5, &err);
	args_split_free(&split);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = strndup((const char *)data, size), *argv[WORDS_MAX + 1] = {"sluice"};
	int argc = 1;
	for (char *word = strtok(text, "\n"); word && argc < WORDS_MAX; word = strtok(NULL, "\n"))
		argv[argc++] = word;
	read_words(argc, argv);
	free(text);
	return 0;
}
