/* --help as text, and as lines for completion. */
#include "cli/help.h"

#include <string.h>

enum help_format help_asked(const char *word)
{
	if (!strcmp(word, "--help") || !strcmp(word, "-h"))
		return HELP_TEXT;
	if (!strcmp(word, "--help=man"))
		return HELP_MAN;
	return !strcmp(word, "--help=words") ? HELP_WORDS : HELP_NONE;
}

enum help_format help_asked_alone(int argc, char **argv)
{
	return argc == 2 ? help_asked(argv[1]) : HELP_NONE;
}

/* ---- text ----------------------------------------------------------------------------------------------- */

static void print_synopsis(FILE *out, const struct command *command)
{
	const char *before = "usage:";
	for (const struct command_action *a = command->actions; a->name; a++, before = "      ")
		fprintf(out, "%s sluice %s %s%s%s\n", before, command->name, a->name, *a->words ? " " : "",
		        a->words);
	fputc('\n', out);
}

static void print_actions(FILE *out, const struct command *command)
{
	int width = 0;
	for (const struct command_action *a = command->actions; a->name; a++)
		width = (int)strlen(a->name) > width ? (int)strlen(a->name) : width;
	for (const struct command_action *a = command->actions; a->name; a++) {
		const char *name = a->name;
		for (const char *line = a->summary; line; name = "") {
			int length = (int)strcspn(line, "\n");
			fprintf(out, "  %-*s  %.*s\n", width, name, length, line);
			line = line[length] ? line + length + 1 : NULL;
		}
	}
}

static void print_text(FILE *out, const struct command *command, const struct arg *args, size_t count)
{
	if (command->usage)
		fputs(command->usage, out);
	if (command->actions) {
		if (!command->usage)
			print_synopsis(out, command);
		print_actions(out, command);
	}
	if (count) {
		fputc('\n', out);
		args_print(out, args, count);
	}
	if (command->footer)
		fprintf(out, "\n%s", command->footer);
}

/* ---- words: lines of fields, with tabs between them ------------------------------------------------------ */

/* "synopsis<tab>WORDS" for every line of the synopsis, without the name of the command. */
static void print_words_of_usage(FILE *out, const struct command *command)
{
	size_t skip = strlen("usage: sluice ") + strlen(command->name);
	for (const char *line = command->usage; line && *line && *line != '\n';) {
		size_t length = strcspn(line, "\n");
		if (length > skip)
			fprintf(out, "synopsis\t%.*s\n", (int)(length - skip), line + skip);
		line += length + (line[length] == '\n');
	}
}

static void print_words(FILE *out, const struct command *command, const struct arg *args, size_t count)
{
	print_words_of_usage(out, command);
	for (const struct command_action *a = command->actions; a && a->name; a++)
		fprintf(out, "action\t%s\t%s\t%.*s\n", a->name, a->words, (int)strcspn(a->summary, "\n"),
		        a->summary);
	/* "option<tab>NAME<tab>VALUE<tab>TEXT", one line for each of its names */
	for (size_t i = 0; i < count; i++)
		for (const char *name = args[i].name; *name;) {
			int length = (int)strcspn(name, " ");
			fprintf(out, "option\t%.*s\t%s\t%s\n", length, name,
			        args[i].value ? args[i].value : "", args[i].help);
			name += length + (name[length] == ' ');
		}
}

void help_print(FILE *out, const struct command *command, const struct arg *args, size_t count,
                enum help_format format)
{
	switch (format) {
	case HELP_TEXT:
		print_text(out, command, args, count);
		break;
	case HELP_MAN:
		help_print_man(out, command, args, count);
		break;
	case HELP_WORDS:
		print_words(out, command, args, count);
		break;
	case HELP_NONE:
		break;
	}
}

int help_show(const struct command *command, enum help_format format)
{
	help_print(format ? stdout : stderr, command, NULL, 0, format ? format : HELP_TEXT);
	return format ? 0 : 2;
}
